"""The paper that each module of a game takes: for anyone who has not decided yet what to print.

The pieces are laid out once for each module. How many sheets they take depends on sizes and numbers, on which faces are
equal, and on nothing that is drawn, so the answers are kept from build to build.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from components.files import digest, keep, kept
from components.model import BASE, ResolvedGame, ResolvedPiece
from components.processes import shared
from generator.paper.formats import Format
from generator.sheets.impose import Item

MOST = 200
"""So many answers are kept for a game."""

Stacks = Sequence[tuple[Format, Sequence[Item]]]


def sheets_added(
    game: ResolvedGame,
    stacks: Callable[[list[ResolvedPiece]], Stacks],
    sheets: Callable[[Stacks], int],
    jobs: int,
    known: Answers,
) -> dict[str, int]:
    """Module -> how many more sheets the base game takes with this module alone, in the game's order; empty for a game
    whose modules have no pieces. `stacks` arranges pieces by format; `sheets` says how many they take, and is asked in
    `jobs` processes for what is not among the `known` answers."""
    extra = [module for module in game.modules if module != BASE and any(p.module == module for p in game.pieces)]
    if not extra:
        return {}
    asked: list[tuple[str, Stacks]] = []
    for modules in ((BASE,), *((BASE, module) for module in extra)):
        here = stacks([piece for piece in game.pieces if piece.module in modules])
        asked.append((known.key(here), here))
    missing = [one for one in dict(asked).items() if one[0] not in known.answers]
    for n, taken in shared(lambda one: sheets(one[1]), missing, jobs):
        known.answers[missing[n][0]] = taken
    if missing:
        known.save()
    base, *others = (known.answers[key] for key, _ in asked)
    return {module: taken - base for module, taken in zip(extra, others, strict=True)}


class Answers:
    """Numbers of sheets kept in a file (None: in memory only). `mark` stands for all that they depend on besides the
    pieces: program, paper, style."""

    def __init__(self, file: Path | None, mark: Any) -> None:
        self._file = file
        self._mark = repr(mark)
        self.answers = kept(file, dict[str, int]) or {}

    def key(self, stacks: Stacks) -> str:
        """A name for these pieces as far as they decide how they are laid: faces and colours by numbers that say no
        more than which are equal."""
        numbers = {"": 0}

        def number(name: str) -> int:
            return numbers.setdefault(name, len(numbers))

        said = [
            (fmt, [(number(i.front), number(i.back), i.copies, number(i.sides), number(i.ends)) for i in items])
            for fmt, items in stacks
        ]
        return digest(f"{self._mark} {said}".encode())

    def save(self) -> None:
        """Keep them for the next build, the newest last."""
        keep(self._file, dict(list(self.answers.items())[-MOST:]))
