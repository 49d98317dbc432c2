"""SVG of faces kept on disk, so that the picture of a table is put together from finished pieces."""

from __future__ import annotations

from pathlib import Path

import msgspec

from components.learning import learnt
from generator.backends.svgpictures import VERSION, Fragment
from generator.build.archive import Archive, write_archive

MOST = 4000
"""Fragments kept for a game; the oldest go first."""


class FragmentCache:
    """Fragments by the hash of their face. `file` None: kept in memory only."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._archive = Archive(None)
        self._opened = False
        self._new: dict[str, Fragment] = {}

    def get(self, key: str) -> Fragment | None:
        """The fragment of a face, if it is kept."""
        return self._new.get(key) or self._read(key)

    def _read(self, key: str) -> Fragment | None:
        content = self._old.get(key)
        try:
            return msgspec.msgpack.decode(content, type=learnt(Fragment)) if content is not None else None
        except msgspec.MsgspecError:
            return None

    @property
    def _old(self) -> Archive:
        """The archive in the file, opened on first use; an empty one if another version wrote it."""
        if not self._opened:
            found = Archive(self._file)
            self._archive = found if found.about == VERSION.encode() else Archive(None)
            self._opened = True
        return self._archive

    def put(self, key: str, fragment: Fragment) -> Fragment:
        """Keep a new fragment."""
        self._new[key] = fragment
        return fragment

    def save(self) -> None:
        """Write what is new, newest last. A cache that cannot be written does no harm."""
        if not self._new or self._file is None:
            return
        fresh = {key: msgspec.msgpack.encode(fragment) for key, fragment in self._new.items()}
        kept = [*(key for key in self._old if key not in fresh), *fresh][-MOST:]
        try:
            write_archive(self._file, VERSION.encode(), self._old, {key: fresh.get(key) for key in kept})
        except OSError:
            return
        self._archive, self._new = Archive(self._file), {}
