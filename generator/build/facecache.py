"""Display lists kept on disk, so that a face whose inputs did not change is not drawn again.

A face's key is a digest of everything it depends on: the piece, what its template reads besides, the look and the
program that draws. Pictures are known only when a face was drawn, so they are compared when it is looked up.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from components.errors import DefinitionError
from components.files import digest_of
from components.learning import learnt
from components.model import ResolvedGame, ResolvedPiece
from generator.build.archive import Archive, write_archive
from generator.build.project import Layouts
from generator.faces.dependencies import OF_SET, Dependencies, Known, dependencies
from generator.faces.display import Anchor, DisplayList, face_hash
from generator.faces.edges import Edges
from generator.faces.facemaker import deck
from generator.faces.look import Look

MOST = 6000
"""Faces kept for a game; the oldest go first."""


class Label(msgspec.Struct, frozen=True, array_like=True):
    """A cache's facts about a face besides its display list: its hash, the digests of its pictures, its anchors, and
    the colours along its edges, within `reach` mm (-1: not looked at)."""

    hash: str
    pictures: dict[str, str] = {}
    anchors: dict[str, Anchor] = {}
    edges: Edges = ("", "", "", "")
    reach: float = -1.0


class Stored(Label, frozen=True):
    """A drawn face, its display list encoded."""

    content: bytes = b""

    @property
    def label(self) -> Label:
        return Label(self.hash, self.pictures, self.anchors, self.edges, self.reach)


class Shelf(msgspec.Struct, array_like=True):
    """The head of a cache: labels of faces by their keys, and the dependencies of templates by digests of their
    text."""

    faces: dict[str, Label] = {}
    templates: dict[str, Dependencies] = {}


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(DisplayList)


class FaceCache:
    """The stored faces of one game. `file` None: kept in memory only. `root`: the folder pictures are named from."""

    def __init__(self, file: Path | None, root: Path) -> None:
        self._file = file
        self._root = root
        self._archive = Archive(file)
        self._old = _shelf(self._archive)
        self._new: dict[str, Stored] = {}
        self._drawn: set[str] = set()
        self._templates: dict[str, Dependencies] = {}
        self._digests: dict[str, str] = {}
        self._parts: dict[str, Known] = {}
        self._changed = False

    def get(self, key: str) -> Stored | None:
        """The face stored under `key`, if its pictures are still what they were."""
        found = self._new.pop(key, None) or self._read(key)  # what was asked last stands last
        if found is None or any(self._digest(file) != digest for file, digest in found.pictures.items()):
            return None
        self._new[key] = found
        return found

    def _read(self, key: str) -> Stored | None:
        label = self._old.faces.get(key)
        content = self._archive.get(key) if label is not None else None
        if label is None or content is None:
            return None
        return Stored(**msgspec.structs.asdict(label), content=content)

    def stored(
        self, face: DisplayList, pictures: set[str], reach: float = -1.0, edges: Edges = ("", "", "", "")
    ) -> Stored:
        """A newly drawn face as it is stored."""
        digests = {file: self._digest(file) for file in sorted(pictures)}
        return Stored(face_hash(face), digests, face.anchors, edges, reach, _encoder.encode(face))

    def put(self, key: str, stored: Stored) -> Stored:
        """Store a newly drawn face."""
        self._new[key] = stored
        self._drawn.add(key)
        self._changed = True
        return stored

    def look_again(self) -> None:
        """Files may have changed since they were last looked at."""
        self._digests.clear()
        self._parts.clear()

    def forget(self, most: int) -> None:
        """Keep at most so many faces in memory, those that were asked for last. What was not saved is drawn again."""
        for key in list(self._new)[: max(0, len(self._new) - most)]:
            del self._new[key]
            self._drawn.discard(key)
        for key in list(self._templates)[: max(0, len(self._templates) - most)]:
            del self._templates[key]

    def depends(self, key: str, look: Look, template: str) -> Dependencies:
        """The dependencies of a template's faces; `key` is a digest of the template's text and its parts'."""
        found = self._templates.get(key) or self._old.templates.get(key)
        if found is None:
            found = dependencies(look.face(template), look.parts, self._parts)
            self._changed = True
        self._templates[key] = found
        return found

    def save(self) -> None:
        """Write what was drawn, newest last. A cache that cannot be written does no harm."""
        if not self._changed or self._file is None:
            return
        kept = [*(key for key in self._old.faces if key not in self._new), *self._new][-MOST:]
        contents = {key: self._new[key].content if key in self._drawn else None for key in kept}
        labels: dict[str, Label] = {}
        for key in kept:
            face = self._new.get(key)
            labels[key] = face.label if face else self._old.faces[key]
        templates = {**self._old.templates, **self._templates}
        shelf = Shelf(labels, dict(list(templates.items())[-MOST:]))
        try:
            write_archive(self._file, _encoder.encode(shelf), self._archive, contents)
        except OSError:
            return
        self._archive, self._old, self._drawn, self._changed = Archive(self._file), shelf, set(), False

    def _digest(self, file: str) -> str:
        if file not in self._digests:
            self._digests[file] = digest_of(self._root / file)
        return self._digests[file]


def _shelf(archive: Archive) -> Shelf:
    """The head of a cache; nothing if another version wrote it."""
    try:
        return msgspec.msgpack.decode(archive.about, type=learnt(Shelf)) if archive.about else Shelf()
    except msgspec.MsgspecError:
        return Shelf()


def load_face(stored: Stored) -> DisplayList:
    """The display list of a stored face."""
    return _decoder.decode(stored.content)


class FaceKeys:
    """Makes the keys of a game's faces in one ink. `program`: digest of the code that draws."""

    def __init__(
        self,
        game: ResolvedGame,
        layouts: Layouts,
        program: str,
        ink: str,
        cache: FaceCache,
        memo: dict[tuple[str, str, str], tuple[ResolvedPiece, str, str]] | None = None,
    ) -> None:
        """`memo` keeps keys from one time to the next, for a program that asks again and again with the same pieces."""
        self._memo = {} if memo is None else memo
        self._by_deck = layouts.look.by_deck
        look = self._look = layouts.look
        self._game = game
        self._formats = layouts.formats
        self._cache = cache
        parts = {name: (part.args, part.items) for name, part in look.parts.items()}
        self._parts = f"{program} {_digest(parts)}"
        self._base = (
            f"{program} {ink} {_digest((look.theme, look.icons.icons, look.icons.boxes))} {layouts.fonts.digest}"
        )
        self._values: dict[tuple[str, ...], bytes] = {}
        self._below = names_below(game.params)
        self._own: dict[str, list[tuple[str, ...]]] = {}
        """The fields of a piece that each template reads."""
        self._templates: dict[tuple[str, str], str] = {}
        self._looks: dict[str, int] = {}
        self._decks: dict[tuple[str, str, str], bytes] = {}

    def key(self, piece: ResolvedPiece, template: str) -> str:
        """The key of the face that `template` gives for `piece`."""
        known = (template, piece.format)
        base = self._templates.get(known)
        if base is None:
            base = self._templates[known] = self._template(*known)
        name = (template, piece.set, piece.id)
        kept = self._memo.get(name)
        if kept is not None and kept[0] is piece and kept[1] == base and not self._by_deck:
            return kept[2]
        others = self._deck(piece, template) if self._by_deck else b""
        key = hashlib.sha256(base.encode() + self._read(piece, template) + others).hexdigest()[:32]
        self._memo[name] = piece, base, key
        return key

    def _read(self, piece: ResolvedPiece, template: str) -> bytes:
        """The fields of a piece that a template reads, encoded; the whole piece, if the template cannot be used."""
        if template not in self._own:
            return _encoder.encode(piece)
        return _encoder.encode([part_of(piece, path) for path in self._own[template]])

    def _deck(self, piece: ResolvedPiece, template: str) -> bytes:
        """Digest of the pieces whose texts may share a size with those of this one."""
        known = (piece.set, template, piece.format)
        if known not in self._decks:
            pieces = b"".join(self._read(other, template) for other in deck(self._game, piece, template))
            self._decks[known] = hashlib.sha256(pieces).digest()
        return self._decks[known]

    @property
    def templates(self) -> dict[tuple[str, str], str]:
        """Template and format -> digest of all that their faces have in common, of those that were asked for and can be
        used."""
        return {known: digest for known, digest in self._templates.items() if digest}

    def looks(self, piece: ResolvedPiece) -> int:
        """In how many ways the copies of a piece are to be drawn."""
        if piece.face not in self._looks:
            self.key(piece, piece.face)
        return max(1, min(self._looks.get(piece.face, 1), piece.copies))

    def _template(self, template: str, size: str) -> str:
        """Digest of all that the faces of a template in one format have in common. "" if it cannot be used."""
        text = self._look.faces.get(template, b"")
        total = hashlib.sha256(f"{self._base} {template} ".encode() + _encoder.encode(self._formats.get(size)))
        try:
            found = self._cache.depends(hashlib.sha256(self._parts.encode() + text).hexdigest(), self._look, template)
        except DefinitionError:
            return ""
        self._looks[template] = found.looks
        self._own[template] = [path for path in found.reads if path[0] == "piece"]
        total.update(found.content.encode())
        for path in found.reads:
            if path[0] != "piece" and path not in self._values:
                self._values[path] = _encoder.encode((path, value_of(self._game, path, self._below)))
            total.update(self._values.get(path, b""))
        return total.hexdigest()


def names_below(names: Iterable[str]) -> dict[str, list[str]]:
    """The dotted names that begin with each other one, or are it."""
    found: dict[str, list[str]] = {}
    for name in names:
        end = name.find(".")
        while end >= 0:
            found.setdefault(name[:end], []).append(name)
            end = name.find(".", end + 1)
        found.setdefault(name, []).append(name)
    return found


def value_of(game: ResolvedGame, path: tuple[str, ...], below: Mapping[str, Sequence[str]]) -> Any:
    """The value of a dotted name that templates read, or of more: everything it may stand for. `below` is `names_below`
    of the game's parameters.

    None for names that are the same in every game (`sin`).
    """
    root, *rest = path
    if root == "pieces" and rest and rest[0].startswith(OF_SET):
        return [piece for piece in game.pieces if piece.set == rest[0].removeprefix(OF_SET)]
    if root == "game":
        return getattr(game, rest[0]) if rest and rest[0] in game.__struct_fields__ else game
    if root in ("params", "rules", "pieces"):
        value = getattr(game, root)
        return value[rest[0]] if rest and isinstance(value, dict) and rest[0] in value else value
    above = (".".join(path[:n]) for n in range(1, len(path)))
    named = [*(name for name in above if name in game.params), *below.get(".".join(path), ())]
    return {name: game.params[name] for name in named}


def part_of(piece: ResolvedPiece, path: tuple[str, ...]) -> Any:
    """The value of `path` (`piece.fields.cost`) in a piece, or the smallest record that may hold it."""
    value: Any = piece
    for name in path[1:]:
        if isinstance(value, msgspec.Struct) and name in value.__struct_fields__:
            value = getattr(value, name)
        elif isinstance(value, dict) and name in value and not hasattr(dict, name):
            value = value[name]
        else:
            break
    return value


def _digest(value: Any) -> str:
    return hashlib.sha256(_encoder.encode(value)).hexdigest()
