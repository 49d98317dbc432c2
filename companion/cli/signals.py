"""A conversation on a terminal, and signals: Ctrl-C drops a line, and whatever ends it leaves a usable terminal."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

try:
    import termios
except ImportError:  # Windows restores its consoles itself
    termios = None  # type: ignore[assignment]

RESET = b"\x1b[?2004l\x1b[?25h\x1b[0m\r\n"
"""Pasting as ever, a cursor that shows, no colour."""


class Terminal:
    """The terminal while somebody talks at it (`with`). `prompting` is for the time in which the prompt has it: the
    prompt itself deals with Ctrl-C then, and one that comes while it sets up or clears away is lost."""

    def __init__(self) -> None:
        self._prompting = False
        self._before: Any = None
        self._handlers: dict[int, object] = {}

    def __enter__(self) -> Terminal:
        with suppress(OSError, ValueError, AttributeError, *([termios.error] if termios else [])):
            self._before = termios.tcgetattr(sys.stdin.fileno())
        for name, handler in (("SIGINT", self._interrupt), ("SIGTERM", self._leave), ("SIGHUP", self._leave)):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                with suppress(ValueError, OSError):  # not in the first thread
                    self._handlers[number] = signal.signal(number, handler)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)  # type: ignore[arg-type]

    @contextmanager
    def prompting(self) -> Iterator[None]:
        """The prompt has the terminal."""
        self._prompting = True
        try:
            yield
        finally:
            self._prompting = False

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if not self._prompting:
            raise KeyboardInterrupt

    def _leave(self, number: int, frame: FrameType | None) -> None:
        """End at once, as the signal says. Every line is on the disk; what is left to do is the terminal."""
        if self._before is not None:
            with suppress(OSError, termios.error):
                termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, self._before)
                os.write(sys.stdout.fileno(), RESET)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)


__all__ = ["Terminal"]
