"""A report as text for a terminal, as JSON, and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

import msgspec

from companion.lab.findings import number, percent
from companion.lab.results import TAILS, Comparison, Report, SideReport
from components.phrasing import count

MOST_CHANGES = 24


def text(report: Report) -> str:
    """What a designer reads first; the tables of cards, moves and rules stand in the files."""
    return "\n".join(_lines(report))


def encoded(report: Report) -> bytes:
    """The report as JSON, each key always present."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n"


def tables(report: Report) -> bytes:
    """Every figure of the report as CSV: one row for each."""
    out = io.StringIO(newline="")
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["side", "table", "name", "title", "figure", "value", "low", "high"])
    for side in report.sides:
        rows.writerows([side.name, *row] for row in _rows(side))
    for comparison in report.comparisons:
        for change in comparison.changes:
            found = change.difference
            row = ["change", change.name, change.title, change.kind, found.value, found.low, found.high]
            rows.writerow([comparison.name, *row])
    return out.getvalue().encode()


def _rows(side: SideReport) -> Iterator[Sequence[object]]:
    for table, places in (("seats", side.seats), ("bots", side.bots)):
        for place in places:
            for figure, found in (("share", place.share), ("rank", place.rank), ("score", place.score)):
                yield [table, place.name, place.name, figure, found.value, found.low, found.high]
    for line in side.figures:
        yield ["figures", line.name, line.title, "mean", line.mean.value, line.mean.low, line.mean.high]
        for figure in ("deviation", "least", "tenth", "median", "ninth", "most"):
            yield ["figures", line.name, line.title, figure, getattr(line, figure), None, None]
    for table, uses in (("cards", side.cards), ("moves", side.moves), ("effects", side.effects), ("rules", side.cited)):
        for use in uses:
            for figure in ("offered", "used", "refused", "users"):
                yield [table, use.name, use.title, figure, getattr(use, figure), None, None]
            yield [table, use.name, use.title, "games", use.games.value, use.games.low, use.games.high]
            if use.won is not None:
                yield [table, use.name, use.title, "won", use.won.value, use.won.low, use.won.high]
    for table, names in side.never.items():
        yield from ([table, name, name, "never", 1, None, None] for name in names)


def _lines(report: Report) -> Iterator[str]:
    part = "" if report.complete else f" of {report.asked:,}, stopped"
    yield f"{report.title}: {count(report.games, 'game')}{part}, {report.players} players, seed {report.seed}"
    side = report.sides[0]
    yield f"players: {_players(side.players)}"
    yield from _side(side, report)
    for comparison in report.comparisons:
        yield ""
        yield from _comparison(comparison, report)
    if report.findings:
        yield ""
        yield "What stands out:"
        yield from (f"  {finding}" for finding in report.findings)
    yield ""
    holds = "however often the run was looked at" if report.looked else "for the number of games"
    yield f"Intervals hold {report.confidence:.0%} of the time, {holds}."


def _players(players: list[str]) -> str:
    if len(set(players)) == 1:
        return f"{players[0]} in every seat"
    return f"{', '.join(players)}; the first takes each seat in turn"


def _side(side: SideReport, report: Report) -> Iterator[str]:
    ends = ", ".join(f"{n:,} {end}" for end, n in side.ends.items())
    yield f"games: {ends}; {percent(side.ties)} shared"
    for line in side.figures:
        if line.name != "refused":
            yield f"{line.title}: {number(line.mean)}; {line.least:,} to {line.most:,}, median {line.median:,}"
    if side.branching is not None and side.forced is not None:
        yield f"options of a decision: {side.branching:.1f} on average; {side.forced:.0%} have one only"
    wide = max(len(place.name) for place in [*side.seats, *side.bots])
    for title, places in (("seat", side.seats), ("bot", side.bots)):
        if places:
            yield f"{title:<{wide}}  wins {'':<22}  score"
        for place in places:
            score = f"{number(place.score)} {report.unit}, deviation {place.deviation:.1f}"
            yield f"{place.name:<{wide}}  {percent(place.share):<27}  {score}{'  !' if place.stands_out else ''}"
    worth = {game.why: game for game in reversed(side.worth_a_look)}
    if worth:
        named = [f"{TAILS[why]} {worth[why].number}" for why in TAILS if why in worth]
        yield f"games worth a look: {', '.join(named)} (--open NUMBER makes one a table)"


def _comparison(comparison: Comparison, report: Report) -> Iterator[str]:
    yield f"{comparison.name}, in the same {count(comparison.games, 'game')} ({comparison.same:,} went alike):"
    shown = [change for change in comparison.changes if change.kind in ("restricted", "wins", "scores", "figures")]
    shown += [change for change in comparison.changes if change not in shown and change.stands_out]
    moved = [change for change in shown if (change.difference.low, change.difference.high) != (0.0, 0.0)]
    for change in moved[:MOST_CHANGES]:
        if change.kind in ("restricted", "wins"):
            what, by = f"{change.title} wins", percent(change.difference, signed=True, points=True)
        elif change.kind == "scores":
            what, by = f"{change.title} scores", f"{number(change.difference, signed=True)} {report.unit}"
        elif change.kind == "figures":
            what, by = change.title, number(change.difference, signed=True)
        else:
            what, by = f"{change.title} used", f"{number(change.difference, signed=True)} times a game"
        yield f"  {what:<32} {by}{'  !' if change.stands_out else ''}"
    if comparison.reprint is not None:
        copies = sum(one.copies for one in comparison.reprint)
        pieces = ", ".join(one.piece for one in comparison.reprint[:12])
        more = len(comparison.reprint) - 12
        listed = f": {pieces}{f' and {more} more' if more > 0 else ''}" if pieces else ""
        yield f"  to print again: {count(copies, 'copy', 'copies')}{listed}"


__all__ = ["encoded", "tables", "text"]
