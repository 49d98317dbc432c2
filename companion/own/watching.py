"""A guard that stops a rules module that does not end, and reports where it hangs.

Nothing is measured while it runs: a thread looks from time to time which function of the module is at work, and one
that is at work for too long gets an exception. What counts is the time of the processor, so that a busy machine and a
player who thinks are no fault of the module.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
from collections.abc import Container
from types import FrameType

LIMIT = 5.0
"""Seconds of processor time that one call of a rules module may take."""
WAIT = 60.0
"""Seconds by the clock that it may take, for one that only waits; however busy a machine is, none that works needs so
long."""
STEP = 0.25
"""Seconds between two looks."""
PATIENCE = 4
"""So often a call is told to stop before the program ends without it."""


class TooLong(Exception):
    """A call of a rules module that did not end."""

    def __str__(self) -> str:
        told = f"after {LIMIT:g} seconds of work, or {WAIT:g} of waiting, it was still there"
        return f"this does not end: {told}. Does every loop stop?"


class _Seen:
    """The calls of a module that a thread is busy with, the outermost first: those that were there at every look."""

    def __init__(self, calls: list[FrameType], since: float, begun: float) -> None:
        self.calls, self.since, self.begun, self.told = calls, since, begun, 0


class Watch(threading.Thread):
    """Watches the calls of functions that are written in some files. Runs until the program ends."""

    def __init__(self, files: Container[str]) -> None:
        super().__init__(name="watch", daemon=True)
        self.files = files
        self.seen: dict[int, _Seen] = {}

    def run(self) -> None:
        while True:
            time.sleep(STEP)
            self.look(time.process_time(), time.monotonic())

    def look(self, now: float, clock: float) -> None:
        """Look once at what every thread is doing. `now`: processor time; `clock`: that of a clock; both in s."""
        busy: set[int] = set()
        for thread, frame in sys._current_frames().items():
            calls = self._calls(frame)
            if not calls:
                continue
            busy.add(thread)
            seen = self.seen.get(thread)
            if seen is None or seen.calls[0] is not calls[0]:
                self.seen[thread] = _Seen(calls, now, clock)
                continue
            same = [old for old, new in zip(seen.calls, calls, strict=False) if old is new]
            seen.calls = same  # in the innermost of these is the loop
            debugged = same[-1].f_trace is not None
            waits = clock - seen.begun > WAIT * (1 + seen.told) and not debugged
            if waits or now - seen.since > LIMIT * (1 + seen.told):
                seen.told += 1
                hangs[thread] = f"{same[-1].f_code.co_filename}:{same[-1].f_lineno}"
                if seen.told > PATIENCE:
                    _give_up(hangs[thread])
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TooLong))
        for thread in [*self.seen]:
            if thread not in busy:
                del self.seen[thread]

    def _calls(self, frame: FrameType | None) -> list[FrameType]:
        """The calls of functions of these files on a stack, the outermost first."""
        found: list[FrameType] = []
        while frame is not None:
            if frame.f_code.co_filename in self.files:
                found.insert(0, frame)
            frame = frame.f_back
        return found


hangs: dict[int, str] = {}
"""Thread -> file and line at which a call that took too long was seen last."""


def _give_up(place: str) -> None:
    """End the program: the module does not stop, whatever it is told."""
    print(f"{place}: the rules module of this game failed: {TooLong()}", file=sys.stderr, flush=True)
    os._exit(1)


_watch: Watch | None = None


def watch(files: Container[str]) -> None:
    """Watch from now on the functions in `files`, to which more may be added."""
    global _watch
    if _watch is None:
        _watch = Watch(files)
        _watch.start()


__all__ = ["LIMIT", "TooLong", "hangs", "watch"]
