"""Findings of a run, in sentences: the most serious first."""

from __future__ import annotations

from collections.abc import Iterator

from companion.lab.measures import measured
from companion.lab.results import Change, Estimate, PlaceLine, Report, SideReport, UseLine
from companion.lab.runs import Kept, Plan
from components.phrasing import count

MOST_NAMED = 8
"""So many of what stands out alike are named; the tables have them all."""


def report(plan: Plan, kept: Kept, asked: int, *, complete: bool, looked: bool) -> Report:
    """The report on a plan as far as it was played, with its findings. `asked`: games that were to be played; `looked`:
    true if the run could stop because of what it showed."""
    made = measured(plan, kept, asked, complete=complete, looked=looked)
    made.findings = findings(made)
    return made


def findings(report: Report) -> list[str]:
    """The findings, side by side, each a sentence without a full stop. A missing finding means only that nothing was
    found."""
    found = [*_of_side(report.sides[0], report)]
    for comparison in report.comparisons:
        moved = [change for change in comparison.changes if change.stands_out]
        named = [f"{comparison.name}: {changed(change, report.unit)}" for change in moved[:MOST_NAMED]]
        more = len(moved) - len(named)
        found += [*named, *([f"{comparison.name}: {more} more figures changed; see the tables"] if more else [])]
        if comparison.same == comparison.games:
            found.append(f"{comparison.name}: changes nothing, all games went alike")
        elif not moved:
            found.append(f"{comparison.name}: no difference that {count(comparison.games, 'pair')} of games could show")
    for side in report.sides[1:]:
        found += [f"{side.name}: {what}" for what in _ends(side)]
    return [*found, *_never(report.sides[0])]


def _of_side(side: SideReport, report: Report) -> Iterator[str]:
    yield from _ends(side)
    yield from (_unfair(place, side.fair) for place in side.seats if place.stands_out)
    yield from (_unfair(place, side.fair) for place in side.bots if place.stands_out)
    for lines, what in ((side.cards, "use"), (side.moves, "make the move")):
        worth = [line for line in lines if line.stands_out and line.won is not None]
        worth.sort(key=lambda line: (-abs(line.won.value - side.fair) if line.won else 0, line.name))
        yield from (_worth(line, what, side.fair) for line in worth[:MOST_NAMED])


def _never(side: SideReport) -> Iterator[str]:
    for key, words in (
        ("cards", "Pieces never used"),
        ("moves", "Moves never made"),
        ("effects", "Effects never carried out"),
        ("rules", "Rules that never made anything happen"),
        ("refusals", "Rules that never refused anything"),
    ):
        names = [name.rpartition("/")[2].replace("_", " ") for name in side.never.get(key, [])]
        if names:
            more = len(names) - MOST_NAMED
            listed = ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
            yield f"{words}: {listed}"


def _ends(side: SideReport) -> Iterator[str]:
    for end, what in (("cut", "did not end"), ("stuck", "got stuck")):
        places = {phase.partition(": ")[2]: n for phase, n in side.phases.items() if phase.startswith(f"{end}: ")}
        if places:
            order = sorted(places, key=lambda phase: (-places[phase], phase))
            where = ", ".join(f"{places[phase]:,} in {phase}" for phase in order)
            yield f"{sum(places.values()):,} of {count(side.games, 'game')} {what}: {where}"


def _unfair(place: PlaceLine, fair: float) -> str:
    return f"{place.name} wins {percent(place.share)} of the games; a fair share is {fair:.1%}"


def _worth(line: UseLine, what: str, fair: float) -> str:
    assert line.won is not None
    return f"Those who {what} {line.title} win {percent(line.won)}; a fair share is {fair:.1%}"


def changed(change: Change, unit: str) -> str:
    """A change that stands out in words, with its interval."""
    found, way = change.difference, "up by"
    if found.value < 0:
        ends = (None if end is None else -end for end in (found.high, found.low))
        found, way = Estimate(-found.value, *ends), "down by"
    match change.kind:
        case "restricted" | "wins":
            return f"wins of {change.title} {way} {percent(found, points=True)}"
        case "scores":
            return f"score of {change.title} {way} {number(found)} {unit}"
        case "figures":
            return f"{change.title} {way} {number(found)}"
    return f"use of {change.title} {way} {number(found)} a game"


def percent(found: Estimate, *, signed: bool = False, points: bool = False) -> str:
    """`41.2% (38.0 to 44.5)`."""
    sign = "+" if signed else ""
    unit = " points" if points else "%"
    ends = "" if found.low is None or found.high is None else f" ({100 * found.low:.1f} to {100 * found.high:.1f})"
    return f"{100 * found.value:{sign}.1f}{unit}{ends}"


def number(found: Estimate, *, signed: bool = False) -> str:
    """`93.1 (91.8 to 94.4)`, with as many digits as it takes."""
    sign = "+" if signed else ""
    digits = 1 if abs(found.value) >= 10 else 2
    ends = "" if found.low is None or found.high is None else f" ({found.low:.{digits}f} to {found.high:.{digits}f})"
    return f"{found.value:{sign}.{digits}f}{ends}"


__all__ = ["changed", "findings", "number", "percent", "report"]
