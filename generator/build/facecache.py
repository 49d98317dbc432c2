"""Display lists kept on disk, so that a face whose inputs did not change is not drawn again.

A face's key is a digest of everything its template may read: the piece itself, the game without its pieces (with them,
if the template mentions `pieces`), the layouts and the program that draws.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import msgspec

from components.files import write_whole
from components.model import ResolvedGame, ResolvedPiece
from generator.faces.display import DisplayList, face_hash

MOST = 6000
"""Faces kept for a game; the oldest go first."""

_READS_ALL = re.compile(r"\b(pieces|rulings|fingerprint)\b")
_REMARK = re.compile(r"^\s*#[^{\n]*$", re.MULTILINE)
"""A line that is only a comment, and no expression that happens to stand behind a `#` in a text."""


class Stored(msgspec.Struct, frozen=True, array_like=True):
    """A drawn face: the hash of its display list and the list itself, encoded."""

    hash: str
    content: bytes


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(DisplayList)


class FaceCache:
    """The stored faces of one game. `file` None: kept in memory only."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._old: dict[str, Stored] = {}
        self._used: dict[str, Stored] = {}
        self._changed = False
        if file is not None:
            try:
                self._old = msgspec.msgpack.decode(file.read_bytes(), type=dict[str, Stored])
            except (OSError, msgspec.MsgspecError):
                self._changed = True

    def get(self, key: str) -> Stored | None:
        """The face stored under `key`."""
        found = self._used.get(key) or self._old.get(key)
        if found is not None:
            self._used[key] = found
        return found

    def put(self, key: str, face: DisplayList) -> Stored:
        """Store a newly drawn face."""
        stored = self._used[key] = Stored(face_hash(face), _encoder.encode(face))
        self._changed = True
        return stored

    def save(self) -> None:
        """Write what was drawn, newest last; a cache that cannot be written is no error."""
        if not self._changed or self._file is None:
            return
        kept = {key: face for key, face in self._old.items() if key not in self._used} | self._used
        for key in list(kept)[: max(0, len(kept) - MOST)]:
            del kept[key]
        try:
            write_whole(self._file, msgspec.msgpack.encode(kept), below=self._file.parent)
        except OSError:
            return
        self._changed = False


def load_face(stored: Stored) -> DisplayList:
    """The display list of a stored face."""
    return _decoder.decode(stored.content)


class FaceKeys:
    """Makes the keys of a game's faces. `program`: digest of the code that draws; `folder`: `layouts/<game>`."""

    def __init__(self, game: ResolvedGame, folder: Path, program: str, shared: str, ink: str) -> None:
        self._faces = folder / "faces"
        bare = msgspec.structs.replace(game, pieces=[], rulings=[], fingerprint="")
        self._base = f"{program} {shared} {ink} {_digest(bare)}"
        self._whole = f"{self._base} {_digest(game)}"
        parts = folder / "parts.yaml"
        self._parts_read_all = parts.is_file() and _reads_all(parts.read_text("utf-8", "replace"))
        self._templates: dict[str, str] = {}

    def key(self, piece: ResolvedPiece, template: str) -> str:
        """The key of the face that `template` gives for `piece`."""
        base = self._templates.get(template)
        if base is None:
            try:
                text = (self._faces / f"{template}.yaml").read_text("utf-8", "replace")
            except OSError:
                text = ""
            reads_all = self._parts_read_all or _reads_all(text)
            base = f"{self._whole if reads_all else self._base} {text}"
            base = self._templates[template] = hashlib.sha256(base.encode()).hexdigest()
        return hashlib.sha256(base.encode() + _encoder.encode(piece)).hexdigest()[:32]


def _reads_all(template: str) -> bool:
    """Whether a template may read more than its own piece."""
    return _READS_ALL.search(_REMARK.sub("", template)) is not None


def _digest(game: ResolvedGame) -> str:
    # Keys as text: only such mappings can be put in order.
    content = msgspec.to_builtins(game, str_keys=True)
    return hashlib.sha256(msgspec.msgpack.encode(content, order="deterministic")).hexdigest()
