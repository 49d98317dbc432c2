"""The places in the files of the words that do not fit a face, or of the piece that cannot be drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from components.checks import piece_place
from components.errors import Problem
from components.loader import Definition, load

OF_DATA = frozenset(("LAY-003", "LAY-004", "LAY-005", "LAY-006", "LAY-007", "LAY-009"))
"""The faults that the data of a piece can cause as well as its face template."""


def with_places(problems: Iterable[Problem], definition: Definition) -> Iterator[Problem]:
    """The problems of faces (`set/piece: …`, or `set/piece and 3 more: …`), with the place of the piece in their
    hints."""
    for problem in problems:
        name = problem.what.partition(": ")[0].partition(" and ")[0]
        where = _place(name, definition) if problem.code in OF_DATA and problem.severity == "error" else ""
        hint = "; ".join(filter(None, (problem.hint, where)))
        yield msgspec.structs.replace(problem, hint=hint) if where else problem


def placed(problems: list[Problem], game: str, project: Path) -> list[Problem]:
    """The same for a game that is read again to look for its pieces."""
    return list(with_places(problems, load(game, project)))


def _place(name: str, definition: Definition) -> str:
    try:
        source, path = piece_place(definition, *name.split("/", 1))
    except (KeyError, TypeError, ValueError):
        return ""
    there = source.problem("", "", path)
    return f"{name} is at {there.file}:{there.line}" if there.line else ""


__all__ = ["placed", "with_places"]
