"""The one place of a server that touches the table: all in one thread, so that two phones never meet halfway."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from companion.engine.table.table import Table

T = TypeVar("T")
LOOK = 0.25
"""Seconds between looks at the journal, for what another program has written."""


class Host:
    """A table that pages share. `changed` is called at the table whenever that has become another, once whoever changed
    it has been answered."""

    def __init__(self, path: Path, opened: Callable[[], Table]) -> None:
        """`opened` opens the table, whose file is `path`; it may raise."""
        self.path = path
        self.changed: Callable[[Table], None] = lambda table: None
        self._one = ThreadPoolExecutor(1, "table")
        self._answers: dict[Any, Any] = {}
        self._answered = -1
        self._told = -1
        self._end = threading.Event()
        self._watch = threading.Thread(target=self._look, name="journal", daemon=True)
        self._table = self._one.submit(opened).result()

    def __enter__(self) -> Host:
        self._told = self.run(lambda table: table.history.last)
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        if self._watch.is_alive():
            self._watch.join()
        self._one.submit(self._table.close).result()
        self._one.shutdown()

    def run(self, work: Callable[[Table], T]) -> T:
        """The result of `work` on the table as it is now. Raises whatever `work` raises."""
        return self._one.submit(self._at_the_table, work).result()

    def known(self, key: Any, work: Callable[[Table], T]) -> T:
        """The same for an answer that stays true until the table changes. `key`: what was asked."""
        return self.run(lambda table: self.kept(key, work, table))

    def kept(self, key: Any, work: Callable[[Table], T], table: Table) -> T:
        """The same inside other work at the table."""
        if self._answered != table.history.last:
            self._answers.clear()
            self._answered = table.history.last
        if key not in self._answers:
            self._answers[key] = work(table)
        found: T = self._answers[key]
        return found

    def _at_the_table(self, work: Callable[[Table], T]) -> T:
        self._table.refresh()
        try:
            return work(self._table)
        finally:
            self._tell()

    def _tell(self) -> None:
        number = self._table.history.last
        if self._told not in (-1, number):
            self._told = number
            self._one.submit(self.changed, self._table)

    def _look(self) -> None:
        """Notice what others write: the files of a journal change with every line."""
        seen = self._stamps()
        while not self._end.wait(LOOK):
            if (now := self._stamps()) != seen:
                seen = now
                with suppress(Exception):  # told to whoever asks next
                    self.run(lambda table: None)

    def _stamps(self) -> list[tuple[int, int]]:
        found = []
        for name in (self.path.name, f"{self.path.name}-wal"):
            with suppress(OSError):
                stat = self.path.with_name(name).stat()
                found.append((stat.st_mtime_ns, stat.st_size))
        return found


__all__ = ["Host"]
