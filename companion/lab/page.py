"""A report as one page of HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from companion.lab.findings import number, percent
from companion.lab.results import TAILS, Comparison, Estimate, Game, Report, Reprint, SideReport, UseLine
from companion.lab.told import abreast, reprinted
from components.phrasing import count


class Row(NamedTuple):
    cells: Sequence[str]
    out: bool = False
    """It stands out."""


class Table(NamedTuple):
    title: str
    heads: Sequence[str]
    rows: Sequence[Row]


class Group(NamedTuple):
    """Tables under a heading. `folded`: only the heading shows."""

    title: str
    tables: Sequence[Table]
    folded: bool = False


class Picture(NamedTuple):
    title: str
    told: str
    svg: str


def page(report: Report, pictures: Sequence[Picture] = ()) -> bytes:
    """The page. `pictures`: its plots, where there is something to draw them with."""
    folder = Path(__file__).parent
    env = Environment(loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined)
    side = report.sides[0]
    made = env.get_template("page.html.j2").render(
        report=report,
        side=side,
        under=under(report),
        numbers=list(numbers(report)),
        games=count(report.games, "game"),
        pictures=pictures,
        worth=worth(side),
        abreast=abreast(report) if report.comparisons else [],
        reprints=list(_reprints(report)),
        groups=[group for group in _groups(report) if group.tables],
        footer=list(footer(report)),
    )
    return made.encode() + b"\n"


def under(report: Report) -> str:
    """The subtitle: the games played, in a line."""
    part = "" if report.complete else f" of {report.asked:,}, stopped"
    side = report.sides[0]
    players = side.players[0] if len(set(side.players)) == 1 else ", ".join(side.players)
    changed = [*side.variants, *(f"{key}={value}" for key, value in side.sets.items())]
    said = f"{count(report.games, 'game')}{part} of {report.players} players ({players}), seed {report.seed}"
    return f"{said}; with {', '.join(changed)}" if changed else said


def numbers(report: Report) -> Iterator[tuple[str, str, str]]:
    """The figures at the head of the page: name, value, what else there is to say."""
    side = report.sides[0]
    for line in side.figures:
        if line.name in ("moves", "rounds", "margin", "lead_changes"):
            digits = 0 if line.mean.value >= 100 else 1
            name = {"margin": "winner's lead"}.get(line.name, line.title)
            yield name.capitalize(), f"{line.mean.value:,.{digits}f}", f"{line.tenth:,} to {line.ninth:,} in 8 of 10"
    if side.branching is not None and side.forced is not None:
        yield "Options", f"{side.branching:.1f}", f"{side.forced:.0%} of decisions have only one"
    over = side.ends.get("over", 0)
    yield "Ended", f"{over / side.games:.1%}" if side.games else "–", f"{side.ties.value:.1%} with a shared win"


def footer(report: Report) -> Iterator[str]:
    """The footer: the facts a reader needs to trust the page, or to make it again."""
    if report.looked:
        yield f"Intervals hold {report.confidence:.0%} of the time, however often the run was looked at."
    else:
        yield f"Intervals hold {report.confidence:.0%} of the time, for this number of games."
    yield "What stands out (red, with a diamond) does so after a correction for how many were asked."
    yield "Whoever is ahead does more of everything: that users of a card win more does not say that the card is why."
    yield f"Tablewright {report.program}, seed {report.seed}."
    for side in report.sides:
        yield f"{side.name}: rules {side.rules}; players {', '.join(side.players)}; cut after {report.most:,} moves."


# --- tables ----------------------------------------------------------------------------------------------------------


def worth(side: SideReport) -> list[tuple[str, list[Game]]]:
    """The games worth a look, by why they are."""
    found = [(title, [game for game in side.worth_a_look if game.why == why]) for why, title in TAILS.items()]
    return [(title, games) for title, games in found if games]


def _reprints(report: Report) -> Iterator[tuple[str, list[Reprint], list[str]]]:
    """Of each comparison: the pieces to print again, with what changes on them, and those no longer needed."""
    for comparison in report.comparisons:
        if comparison.reprint is not None:
            again, dropped = reprinted(comparison.reprint)
            yield comparison.name, again, dropped


def _groups(report: Report) -> Iterator[Group]:
    """The changes and the tables of the first side, in full view; those of each other side behind a heading."""
    first, *others = report.sides
    yield Group("", [table for table in map(_changes, report.comparisons) if table.rows])
    yield Group(first.name if others else "", [table for table in _tables(first) if table.rows])
    for side in others:
        yield Group(side.name, [table for table in _tables(side) if table.rows], folded=True)


def _tables(side: SideReport) -> Iterator[Table]:
    yield Table(
        "seats and players",
        ("", "games", "wins", "share", "place", "score", "deviation"),
        [
            Row(
                (
                    place.name,
                    f"{place.games:,}",
                    f"{place.wins:,}",
                    percent(place.share),
                    f"{place.rank.value:.2f}",
                    number(place.score),
                    f"{place.deviation:.1f}",
                ),
                place.stands_out,
            )
            for place in [*side.seats, *side.bots]
        ],
    )
    yield Table(
        "length and lead",
        ("", "mean", "deviation", "least", "a tenth", "median", "nine tenths", "most"),
        [
            Row(
                (
                    line.title,
                    number(line.mean),
                    f"{line.deviation:.1f}",
                    *(f"{value:,}" for value in (line.least, line.tenth, line.median, line.ninth, line.most)),
                )
            )
            for line in side.figures
        ],
    )
    yield from _uses(side)


def _uses(side: SideReport) -> Iterator[Table]:
    for title, lines in (("pieces", side.cards), ("moves", side.moves), ("effects", side.effects)):
        yield Table(
            title,
            ("", "offered", "used", "in games", "users that won"),
            [Row(_use(line), line.stands_out) for line in lines],
        )
    yield Table(
        "rules",
        ("", "", "made something happen", "refused", "in games"),
        [
            Row((line.name, line.title, f"{line.used:,}", f"{line.refused:,}", _share(line.games)))
            for line in side.cited
        ],
    )
    names = {"cards": "piece", "moves": "move", "effects": "effect", "rules": "rule", "refusals": "rule that refuses"}
    never = [Row((name, names[kind])) for kind, found in side.never.items() for name in found]
    yield Table("never came up", ("", ""), never)


def _use(line: UseLine) -> tuple[str, ...]:
    name = f"{line.title} ({line.group})" if line.group else line.title
    won = percent(line.won) if line.won is not None else "–"
    return name, f"{line.offered:,}", f"{line.used:,}", _share(line.games), won


def _share(found: Estimate) -> str:
    return f"{100 * found.value:.1f}%"


def _changes(comparison: Comparison) -> Table:
    rows = []
    for change in comparison.changes:
        shares = change.kind in ("wins", "restricted")
        by = percent(change.difference, signed=True, points=True) if shares else number(change.difference, signed=True)
        scale = 100 if shares else 1
        before, after = ("–" if value is None else f"{scale * value:,.2f}" for value in (change.before, change.after))
        rows.append(Row((change.title, KINDS.get(change.kind, change.kind), before, after, by), change.stands_out))
    return Table(f"{comparison.name}: what changed", ("", "", "before", "after", "difference"), rows)


KINDS = {
    "restricted": "wins, %",
    "wins": "wins, %",
    "scores": "score",
    "figures": "a game",
    "cards": "used in a game",
    "moves_by": "made in a game",
    "effects": "carried out in a game",
}
"""Kind of a change -> what its figures are."""

__all__ = ["Picture", "footer", "numbers", "page", "under"]
