"""A game served for a test, and the browser that looks at it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from components.web.room import Room
from generator.build.options import Options
from generator.build.places import Places
from generator.live.site import Live

PATIENCE = 60.0
"""Seconds after which a test gives up; nothing takes so long."""


def until(true: Callable[[], Any], what: str = "") -> Any:
    """What `true` gives as soon as it is true of anything."""
    end = time.monotonic() + PATIENCE
    while not (found := true()):
        assert time.monotonic() < end, what or "not in time"
        time.sleep(0.01)
    return found


class Served:
    """A game that is served in a thread. `link` opens its page."""

    def __init__(self, project: Path, cache: Path | None = None, **more: Any) -> None:
        self.project = project
        self.game = project / "components" / project.name
        self.layouts = project / "layouts" / project.name
        self.faults: list[BaseException] = []
        places = Places(project=project, cache=cache, records=project.parent / "records")
        options = Options(out=project / "output")
        self.live = Live(project.name, options, places, self.faults.append, **more)
        self.room = Room(self.live.site)
        self.link = self.room.link(self.live.ticket)

    @property
    def desk(self) -> Any:
        return self.live.desk

    @contextmanager
    def running(self) -> Iterator[Served]:
        ready = threading.Event()
        thread = threading.Thread(target=self.live.run, args=(self.room, ready.set))
        thread.start()
        try:
            assert ready.wait(PATIENCE)
            until(lambda: self.desk.looked and not self.desk.busy())
            yield self
        finally:
            self.room.stop()
            thread.join(PATIENCE)
            assert not thread.is_alive()
        assert self.faults == []

    def shown(self) -> dict[str, list[str]]:
        """Digests of the faces of each card as they are shown now."""
        cards = self.desk.gallery("normal")["cards"]
        return {card.id: [*card.fronts, card.back] for card in cards}

    def settled(self) -> None:
        """Wait until nothing is to be read or drawn."""
        until(lambda: not self.desk.busy())


def replace(file: Path, old: str, new: str) -> None:
    """Save a file with other words in it, as editors do that write a new file and rename it."""
    text = file.read_text(encoding="utf-8")
    assert old in text, f"{file.name} does not say {old!r}"
    save(file, text.replace(old, new, 1))


def save(file: Path, text: str) -> None:
    """Save a file by way of another name."""
    beside = file.with_name(f".{file.name}.swp")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, file)
