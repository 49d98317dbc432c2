"""A report as text for a terminal, as JSON, and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

import msgspec

from companion.lab.findings import number, percent
from companion.lab.results import TAILS, Comparison, Game, Report, Reprint, SideReport
from components.phrasing import count

MOST_CHANGES = 24
MOST_PIECES = 12
WIDE, FIGURE = 29, 22
"""Columns of a name, and of a figure with its interval."""
ENDED = {"over": "ended", "stuck": "got stuck", "cut": "did not end"}
"""End of a game -> what is said of it."""


def text(report: Report) -> str:
    """The report that a designer reads first; the tables of cards, moves and rules stand in the files."""
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
    if len(report.comparisons) > 1:
        yield ""
        rows = abreast(report)
        wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for first, *others in rows:
            cells = (f"{cell:>{width}}" for cell, width in zip(others, wide[1:], strict=True))
            yield f"{first:<{max(WIDE, wide[0])}}  {'   '.join(cells)}".rstrip()
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
    ends = ", ".join(f"{n:,} {ENDED[end]}" for end, n in side.ends.items())
    draws = f"; {side.draws:,} without a winner" if side.draws else ""
    yield f"games: {ends}; {percent(side.ties)} with a shared win{draws}"
    yield ""
    yield f"{'a game':<{WIDE}}  {'mean':<{FIGURE}}  {'median':>6}  least to most"
    for line in side.figures:
        if line.name != "refused":
            spread = f"{line.median:>6,}  {line.least:,} to {line.most:,}"
            yield f"{line.title:<{WIDE}}  {number(line.mean):<{FIGURE}}  {spread}"
    if side.branching is not None and side.forced is not None:
        forced = f"; {side.forced:.0%} of decisions have only one" if side.forced else ""
        yield f"{'options of a decision':<{WIDE}}  {side.branching:.1f}{forced}"
    for title, places in (("seat", side.seats), ("bot", side.bots)):
        if not any(place.games for place in places):
            continue  # no game ended
        yield ""
        yield f"{title:<{WIDE}}  {'wins':<{FIGURE}}  score in {report.unit}"
        for place in places:
            score = f"{number(place.score)}, deviation {place.deviation:.1f}"
            yield f"{place.name:<{WIDE}}  {percent(place.share):<{FIGURE}}  {score}{'  !' if place.stands_out else ''}"
    worth = {game.why: game for game in reversed(side.worth_a_look)}
    if worth:
        yield ""
        named = [(game.number, why_of(game)) for why in TAILS if (game := worth.get(why)) is not None]
        yield f"games worth a look: {', '.join(f'{n} ({why})' for n, why in named)}"
        yield f"    --open {named[0][0]} makes game {named[0][0]} a table"


def why_of(game: Game) -> str:
    """The reason to look at a game: `longest: 104 moves`."""
    moves = " moves" if game.why in ("longest", "shortest") else ""
    return f"{TAILS[game.why]}: {game.figure:,}{moves}" if game.figure else TAILS[game.why]


def abreast(report: Report) -> list[list[str]]:
    """The sides of a comparison beside one another: a row of names, and a row for each figure."""
    sides = report.sides
    out = [["", *(side.name for side in sides)]]
    changed = [
        {(change.kind, change.name) for change in one.changes if change.stands_out} for one in report.comparisons
    ]

    def row(title: str, kind: str, name: str, values: Sequence[str]) -> None:
        marks = [False, *((kind, name) in those for those in changed)]
        out.append([title, *(f"{value} !" if mark else value for value, mark in zip(values, marks, strict=True))])

    for n, place in enumerate(sides[0].seats):
        row(f"{place.name} wins", "wins", place.name, [f"{side.seats[n].share.value:.1%}" for side in sides])
    for line in sides[0].figures:
        if line.name in ("moves", "rounds", "margin", "lead_changes"):
            lines = [next((one for one in side.figures if one.name == line.name), None) for side in sides]
            row(line.title, "figures", line.name, [f"{one.mean.value:,.1f}" if one else "–" for one in lines])
    if any(one.reprint is not None for one in report.comparisons):
        copies = [
            "–" if one.reprint is None else f"{sum(piece.copies for piece in one.reprint)}"
            for one in report.comparisons
        ]
        row("copies to print again", "", "", ["", *copies])
    return out


def _comparison(comparison: Comparison, report: Report) -> Iterator[str]:
    yield f"{comparison.name}, in the same {count(comparison.games, 'game')} ({comparison.same:,} went alike):"
    always = ("restricted", "wins", "scores", "figures") if len(report.comparisons) == 1 else ("restricted", "wins")
    shown = [change for change in comparison.changes if change.kind in always]
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
        again, dropped = reprinted(comparison.reprint)
        copies = sum(one.copies for one in again)
        listed = f"{count(copies, 'copy', 'copies')}: {_named([one.piece for one in again])}" if again else "nothing"
        yield f"  to print again: {listed}"
        if dropped:
            yield f"  no longer needed: {_named(dropped)}"


def reprinted(found: Sequence[Reprint]) -> tuple[list[Reprint], list[str]]:
    """The pieces to print again, and the names of those no longer needed."""
    return [one for one in found if one.copies], [one.piece for one in found if not one.copies]


def _named(pieces: Sequence[str]) -> str:
    more = len(pieces) - MOST_PIECES
    return ", ".join(pieces[:MOST_PIECES]) + (f" and {more} more" if more > 0 else "")


__all__ = ["abreast", "encoded", "reprinted", "tables", "text", "why_of"]
