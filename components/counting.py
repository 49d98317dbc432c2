"""Copies of a piece: a number, or an expression worked out for each possible number of players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from components.errors import Problem
from components.loader import Definition
from components.texts import Texts
from components.variants import PlacedPiece, PlacedSet

if TYPE_CHECKING:
    from components.yamlsource import Source

MAX_COPIES = 10_000
PathKey = tuple[Any, ...]


class Counting:
    """Counts the pieces of one game. `tables`: the numbers of players to count for, of which the largest count is
    taken. Faults are appended to `problems`."""

    def __init__(self, definition: Definition, texts: Texts, tables: list[Any], problems: list[Problem]) -> None:
        self.definition = definition
        self.texts = texts
        self.tables = tables
        self.problems = problems

    def copies(self, placed: PlacedPiece, piece_set: PlacedSet) -> int:
        """The copies of a piece; 0 after a fault."""
        piece, origin = placed.piece, placed.origin
        own = piece.copies is not None
        path = (*origin.path, "copies") if own else ("copies",)
        source = self.definition.source(origin.file if own else piece_set.origin.file)
        value: Any = piece.copies if own else piece_set.head.copies
        before = len(self.problems)
        values = [value]
        if isinstance(value, str):
            fields = {**piece_set.head.fields, **piece.fields}
            with self.texts.naming("piece", {"id": piece.id, "name": piece.name, "fields": fields}):
                values = self._at_each_table(value, source, path)
        if len(self.problems) > before:
            return 0
        for number in values:
            if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= MAX_COPIES:
                alike = not own and "piece" not in str(value)  # one fault of the set, not one of each piece
                whose = f"the set '{piece_set.head.set}'" if alike else f"piece '{piece.id}'"
                what = f"copies of {whose}: expected a whole number from 0 to {MAX_COPIES}, found {number}"
                self.problems.append(source.problem("DEF-053", what, path))
                return 0
        return int(max(values))

    def _at_each_table(self, expression: str, source: Source, path: PathKey) -> list[Any]:
        """The value for the players at the table; where the box is meant, for every number there may be."""
        if "players" not in expression:
            return [self.texts.expression(expression, source, path)]
        names, usual, before = self.texts.names, self.texts.names["players"], len(self.problems)
        values = []
        for names["players"] in self.tables:
            values.append(self.texts.expression(expression, source, path))
            if len(self.problems) > before:
                break
        names["players"] = usual
        return values
