"""The fields of pieces: those that a set gives each of its pieces, their types, and their texts rendered."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from components.errors import Problem
from components.fieldtypes import FieldTypes, TypeFault, read_types
from components.loader import Definition
from components.model import PieceSetFile
from components.texts import Texts
from components.variants import PlacedSet

if TYPE_CHECKING:
    from components.yamlsource import Source

PathKey = tuple[Any, ...]


class SetFields:
    """The fields of each set, worked out with its first piece."""

    def __init__(self, definition: Definition, texts: Texts, problems: list[Problem]) -> None:
        self.definition = definition
        self.texts = texts
        self.problems = problems
        self.types: dict[str, FieldTypes | None] = {}
        """Set -> the types of its fields."""
        self.faulty: set[str] = set()
        """Sets whose own fields have a fault."""
        self.shared: dict[str, dict[str, Any]] = {}
        """Set -> the fields it gives each piece."""
        self.late: dict[str, dict[str, Any]] = {}
        """Set -> those of its fields that read the piece, as they are written."""

    def rendered(
        self, fields: Mapping[str, Any], source: Source, start: PathKey, texts: Collection[str] = ()
    ) -> tuple[dict[str, Any], set[str]]:
        """The fields with their texts rendered, and the names of those that have a fault. `texts` are fields that are
        always text."""
        rendered: dict[str, Any] = {}
        unread: set[str] = set()
        for name, value in fields.items():
            before = self.texts.unusable
            written = isinstance(value, str) and name in texts
            render = self.texts.text if written else self.texts.value
            rendered[name] = render(value, source, (*start, "fields", name))
            if self.texts.unusable > before:
                unread.add(name)
        return rendered, unread

    def given(self, piece_set: PlacedSet) -> dict[str, Any]:
        """The fields a set gives its pieces; the first time, they are checked, as are their types."""
        head = piece_set.head
        if head.set not in self.shared:
            before = len(self.problems)
            source = self.definition.source(piece_set.origin.file)
            types = self._types_of(head, source)
            self.late[head.set] = {key: value for key, value in head.fields.items() if reads_piece(value)}
            early = {key: value for key, value in head.fields.items() if key not in self.late[head.set]}
            self.shared[head.set], unread = self.rendered(early, source, (), types.texts if types is not None else ())
            if types is not None:
                fields = self.shared[head.set]
                self.problems += types.check(fields, source, ("fields",), given=types.kinds, unread=unread)
                written = [placed.piece.fields for placed in piece_set.pieces.values()]
                types, faults = types.for_all(written, head.fields, source, ("field_types",))
                self.problems += faults
            self.types[head.set] = types
            if len(self.problems) > before:
                self.faulty.add(head.set)
        return self.shared[head.set]

    def _types_of(self, head: PieceSetFile, source: Source) -> FieldTypes | None:
        """The types of a set's fields; None if there are none, or none that can be used."""
        if head.field_types is None:
            return None
        before = len(self.problems)
        try:
            return read_types(
                head.field_types, lambda text, path: self.texts.text(text, source, ("field_types", *path))
            )
        except TypeFault as fault:
            if len(self.problems) == before:  # else a text in it has a fault, which is told already
                path = ("field_types", *fault.path)
                self.problems.append(source.problem("DEF-063", fault.what, path, hint=fault.hint))
            return None


_OF_PIECE = re.compile(r"\{[{%][^}]*\b(piece|own)\b")


def reads_piece(value: Any) -> bool:
    """True if a field of a set reads the piece that takes it (`piece.fields.suit`, `own.gain.n`)."""
    if isinstance(value, dict | list):
        return any(map(reads_piece, value.values() if isinstance(value, dict) else value))
    return isinstance(value, str) and _OF_PIECE.search(value) is not None
