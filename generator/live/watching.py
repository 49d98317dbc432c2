"""Changes in a project: reported by the system where it does so, and looked for from time to time elsewhere (network
drives, containers). A burst of changes is one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from generator.build.places import Places
from generator.build.watch import state

STEP, TOGETHER = 20, 100
"""Milliseconds of quiet after which a change is told, and for at most how long a burst may put that off."""
LOOK, SELDOM = 2.0, 10.0
"""Seconds between looks at the files, in case the system tells nothing; and where it has told something."""
REST = 500
"""So many times as long as a look takes nobody looks again: a page at rest costs next to nothing."""


class Watcher:
    """Calls `changed` when a file that the game may depend on changed, until `stop`."""

    def __init__(
        self, game: str, places: Places, changed: Callable[[], None], more: Callable[[], list[Path]] = list
    ) -> None:
        """`more`: files that are looked at besides, wherever they lie."""
        self._more = more
        self._game = game
        self._places = places
        self._changed = changed
        self._end = threading.Event()
        self._told = False
        """True if the system reports changes here."""
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._listen, self._look)]
        self._seen: object = None

    def start(self) -> None:
        self._seen = self._state()
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._end.set()

    def _folders(self) -> list[Path]:
        """The folders of the game, of its layouts, and those of the project with pictures and fonts."""
        project = self._places.project
        wanted = [project / "components" / self._game, self._places.layouts]
        wanted += [project / name for name in ("pictures", "images", "art", "fonts", "assets")]
        return [folder for folder in wanted if folder.is_dir()]

    def _listen(self) -> None:
        from watchfiles import watch

        for _ in watch(
            *self._folders(),
            watch_filter=None,
            step=STEP,
            debounce=TOGETHER,
            stop_event=self._end,
            rust_timeout=1000,
            raise_interrupt=False,
            ignore_permission_denied=True,
        ):
            self._told = True
            self._changed()
            self._seen = self._state()

    def _state(self) -> object:
        """Size and time of change of every file that counts."""
        found: dict[Path, tuple[int, int]] = state(self._game, self._places)
        for file in self._more():
            with suppress(OSError):
                info = file.stat()
                found[file] = (info.st_size, info.st_mtime_ns)
        return found

    def _look(self) -> None:
        took = 0.0
        while not self._end.wait(SELDOM if self._told else max(LOOK, REST * took)):
            began = time.thread_time()
            now = self._state()
            took = time.thread_time() - began
            if now != self._seen:
                self._seen = now
                self._changed()
