"""A file of a cache with many entries, of which most runs need few: one is read without the others.

Each entry stands behind its digest, and so does the index at the head of the file, so that damage counts as missing.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from components.files import write_whole
from components.learning import learnt

SEAL = 32
"""Bytes of a digest."""
LENGTH = 8
"""Bytes of the number that says how long the index is."""


class _Index(msgspec.Struct, frozen=True, array_like=True):
    """A description of all entries, and for each its place after the index, its size and its digest."""

    about: bytes = b""
    entries: dict[str, tuple[int, int, bytes]] = {}


class Archive:
    """The entries of a file, which need not be there. `file` None: there are none."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._start, self._index = _index(file) if file is not None else (0, _Index())

    @property
    def about(self) -> bytes:
        """The description of all entries."""
        return self._index.about

    def __iter__(self) -> Iterator[str]:
        return iter(self._index.entries)

    def __contains__(self, key: str) -> bool:
        return key in self._index.entries

    def get(self, key: str) -> bytes | None:
        """An entry; None if there is none, or if it is no longer what was written."""
        place = self._index.entries.get(key)
        if place is None or self._file is None:
            return None
        offset, size, digest = place
        try:
            with self._file.open("rb", buffering=0) as stream:
                stream.seek(self._start + offset)
                content = stream.read(size)
        except OSError:
            return None
        return content if hashlib.sha256(content).digest() == digest else None


def _index(file: Path) -> tuple[int, _Index]:
    """The place where the entries of a file begin, and its index; an empty one if it was damaged or is of
    another kind."""
    with contextlib.suppress(OSError, msgspec.MsgspecError), file.open("rb") as stream:
        seal, length = stream.read(SEAL), int.from_bytes(stream.read(LENGTH))
        if length <= file.stat().st_size:
            head = stream.read(length)
            if hashlib.sha256(head).digest() == seal:
                return SEAL + LENGTH + length, msgspec.msgpack.decode(head, type=learnt(_Index))
    return 0, _Index()


def write_archive(file: Path, about: bytes, old: Archive, contents: Mapping[str, bytes | None]) -> None:
    """Write a file of these entries; None stands for what the `old` archive has, if it has any. Raises OSError."""
    entries: dict[str, tuple[int, int, bytes]] = {}
    offset = 0
    for key, content in contents.items():
        if content is not None:
            size, digest = len(content), hashlib.sha256(content).digest()
        elif key in old:
            _, size, digest = old._index.entries[key]
        else:
            continue
        entries[key] = offset, size, digest
        offset += size
    head = msgspec.msgpack.encode(_Index(about, entries))

    def parts() -> Iterator[bytes]:
        yield hashlib.sha256(head).digest()
        yield len(head).to_bytes(LENGTH)
        yield head
        for key, (_, size, _) in entries.items():
            content = contents[key]
            # what was damaged does not fit its digest afterwards either
            yield (old.get(key) or bytes(size)) if content is None else content

    write_whole(file, parts(), below=file.parent)
