"""The score as a ledger: lines with their arithmetic, tie-breaks in order, and the game's end as a value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """Points (or whatever the game counts) that one seat has from one source."""

    seat: str
    rule: str
    source: str
    """Its source: a card, a space, a kind of token."""
    sum: str
    """The arithmetic as it would be written on paper: `4 intact + 2 razed`."""
    points: int


class TieBreak(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step of the tie-break: the figure each seat still level has. The highest wins unless `lowest`."""

    rule: str
    what: str
    figures: dict[str, int]
    lowest: bool = False


class Remark(msgspec.Struct, frozen=True, omit_defaults=True):
    """An effect of the final sums beyond the ranking: a pawn that moves, a province that pays nobody."""

    rule: str
    what: str


class Stage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A scoring on the way: the score at the end of a round."""

    title: str
    """`Round 3`."""
    unit: str
    totals: dict[str, int]
    """Seat -> sum of its lines, the best first."""
    lines: tuple[Line, ...] = ()
    remarks: tuple[Remark, ...] = ()


class Standing(msgspec.Struct, frozen=True):
    """The deciding figures so far, where the lines of a ledger are one scoring among several: seat -> figure."""

    unit: str
    totals: dict[str, int]


class Ending(msgspec.Struct, frozen=True, omit_defaults=True):
    """The end of the game. `winners` holds several seats if they share the win, none if nobody wins."""

    rule: str
    reason: str
    winners: tuple[str, ...] = ()
    facts: dict[str, Any] = {}

    def told(self, winners: Sequence[str]) -> str:
        """The winners, by the names given, and the reason: `Wu won. Wu controls 15 of the 15 provinces needed`."""
        return f"{' and '.join(winners)} won. {self.reason}" if winners else self.reason


class Ledger(msgspec.Struct, frozen=True, omit_defaults=True):
    """The whole score. `unit` names what is counted; `ending` is None while the game goes on."""

    unit: str
    lines: tuple[Line, ...]
    ranking: tuple[tuple[str, ...], ...]
    """Groups of seats, best first; seats in one group are level."""
    ties: tuple[TieBreak, ...] = ()
    """Tie-breaks that were needed, in the order in which they were applied."""
    ending: Ending | None = None
    remarks: tuple[Remark, ...] = ()
    course: tuple[Stage, ...] = ()
    """The scorings before, in order, as far as they are known: a table knows them all, a position hardly any."""
    standing: Standing | None = None
    """None where the lines tell it."""

    def totals(self) -> dict[str, int]:
        """Seat -> sum of its lines, in ranking order."""
        sums = {seat: 0 for group in self.ranking for seat in group}
        for line in self.lines:
            sums[line.seat] = sums.get(line.seat, 0) + line.points
        return sums

    def stands(self) -> Standing:
        """The standing of the seats in the whole game: the worth of a play."""
        return self.standing or Standing(self.unit, self.totals())


def ranked(totals: dict[str, int], *breaks: TieBreak) -> tuple[tuple[tuple[str, ...], ...], tuple[TieBreak, ...]]:
    """Groups of seats, the highest total first, and the tie-breaks that were needed: each with the figures of the seats
    that were still level."""
    if wrong := {seat: total for seat, total in totals.items() if not isinstance(total, int | float)}:
        raise TypeError(f"each total has to be a number, found {wrong!r:.80}")
    groups, needed = [[*totals]], []
    for step in (TieBreak("", "", totals), *breaks):
        level = [seat for group in groups if len(group) > 1 for seat in group]
        if level and step.rule:
            needed.append(replace(step, figures={seat: step.figures[seat] for seat in totals if seat in level}))
        groups = [part for group in groups for part in _apart(group, step)]
    return tuple(tuple(group) for group in groups), tuple(needed)


def _apart(group: list[str], step: TieBreak) -> list[list[str]]:
    """A group told apart by a figure, best first."""
    values = sorted({step.figures[seat] for seat in group}, reverse=not step.lowest)
    return [[seat for seat in group if step.figures[seat] == value] for value in values]


__all__ = ["Ending", "Ledger", "Line", "Remark", "Stage", "Standing", "TieBreak", "ranked"]
