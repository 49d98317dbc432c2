"""SVG of faces kept on disk, so that the picture of a table is put together from finished pieces."""

from __future__ import annotations

from pathlib import Path

import msgspec

from components.files import read_sealed, write_sealed
from generator.backends.svgpictures import VERSION, Fragment

MOST = 4000
"""Fragments kept for a game; the oldest go first."""


class _Kept(msgspec.Struct, array_like=True):
    version: str
    fragments: dict[str, msgspec.Raw]


class FragmentCache:
    """Fragments by the hash of their face. `file` None: kept in memory only."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._old: dict[str, msgspec.Raw] | None = None
        self._new: dict[str, Fragment] = {}

    def get(self, key: str) -> Fragment | None:
        """The fragment of a face, if it is kept."""
        if self._old is None:
            self._old = _read(self._file) if self._file is not None else {}
        found = self._new.get(key)
        if found is None and key in self._old:
            found = msgspec.msgpack.decode(self._old[key], type=Fragment)
        return found

    def put(self, key: str, fragment: Fragment) -> Fragment:
        """Keep a new fragment."""
        self._new[key] = fragment
        return fragment

    def save(self) -> None:
        """Write what is new, newest last. A cache that cannot be written does no harm."""
        if not self._new or self._file is None:
            return
        fresh = {key: msgspec.Raw(msgspec.msgpack.encode(fragment)) for key, fragment in self._new.items()}
        kept = {**(self._old or {}), **fresh}
        kept = dict(list(kept.items())[-MOST:])
        try:
            write_sealed(self._file, msgspec.msgpack.encode(_Kept(VERSION, kept)))
        except OSError:
            return
        self._old, self._new = kept, {}


def _read(file: Path) -> dict[str, msgspec.Raw]:
    """What a cache holds; nothing if it was damaged or written by another version."""
    content = read_sealed(file)
    try:
        kept = msgspec.msgpack.decode(content, type=_Kept) if content is not None else None
    except msgspec.MsgspecError:
        return {}
    return kept.fragments if kept is not None and kept.version == VERSION else {}
