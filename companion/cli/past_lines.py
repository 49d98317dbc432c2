"""The lines typed in `companion play`, kept from one evening to the next; those that tell a secret are not."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from companion.engine.errors import CompanionError
from companion.engine.table.replaying import words_of
from companion.engine.table.table import Table
from companion.engine.things.sealed import is_sealed

if TYPE_CHECKING:
    from prompt_toolkit.history import History

MOST = 256 * 1024
"""Bytes of a file of past lines; of a longer one the later half is kept."""
BEFORE = 4
"""Words that may stand before the move in a command: `amend 12 insert`, a seat."""


def tells_a_secret(line: str, table: Table) -> bool:
    """True if a line tells what a player keeps sealed, directly or in a command; also if a fault of ours prevents an
    answer."""
    try:
        return _tells_a_secret(line, table)
    except Exception:  # the terminal would be left in pieces; what is wrong is told when the line is obeyed
        return True


def _tells_a_secret(line: str, table: Table) -> bool:
    at, words = table.position, line.split()
    for n in range(min(BEFORE, len(words))):
        try:
            moves = table.read(" ".join(words[n:]))
        except CompanionError:
            continue
        for move in moves:
            said, kept = words_of(move.to_json()), words_of(at.judge(move).move.to_json())
            if any(map(is_sealed, (*said, *kept))):
                return True
    return False


def history_of(table: Table, file: Path) -> History:
    """The past lines in `file`, which only its owner can read. Where it cannot be written, they last for the
    session."""
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    class Kept(FileHistory):
        def append_string(self, string: str) -> None:
            if not tells_a_secret(string, table):
                super().append_string(string)

        def store_string(self, string: str) -> None:
            try:
                super().store_string(string)
            except OSError:
                return  # the disk is full: the line itself is in the journal

    class Brief(InMemoryHistory):
        def append_string(self, string: str) -> None:
            if not tells_a_secret(string, table):
                super().append_string(string)

    try:
        _prepare(file)
    except OSError:
        return Brief()
    return Kept(str(file))


def _prepare(file: Path) -> None:
    """Make the file if there is none, and shorten it if it is long."""
    file.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(file, os.O_CREAT | os.O_WRONLY, 0o600))
    file.chmod(0o600)
    if file.stat().st_size > MOST:
        kept = list(_last_half(file.read_bytes().split(b"\n\n")))
        half = file.with_name(f".{file.name}.{os.getpid()}")
        with os.fdopen(os.open(half, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as new:
            new.write(b"\n\n".join(kept))
        half.replace(file)


def _last_half(entries: list[bytes]) -> Iterator[bytes]:
    yield from entries[len(entries) // 2 :]


__all__ = ["history_of", "tells_a_secret"]
