"""`companion report`: what the evenings at real tables tell, in the measures of the lab."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli import common
from companion.cli.evening import span
from components.phrasing import count, join_and

if TYPE_CHECKING:
    from companion.lab.evenings import Evenings

MOST_ROWS = 12


def report(
    tables: Annotated[
        list[str] | None, typer.Argument(metavar="TABLE…", help="The tables. Default: the one used last.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="File for the report as JSON.")] = None,
    json: common.AsJson = False,
) -> None:
    """Report on evenings at real tables, game by game.

    Length, wins, scores, pieces and rules used, as `playtest` measures them; and facts about people: long phases,
    broken rules that the table let pass, moves taken back.

    Example: companion report friday saturday
    """
    from companion.engine.answers.answers import VERSION, plain
    from companion.lab.evenings import evenings

    found = []
    with ExitStack() as stack:
        by_game: dict[str, list[Any]] = {}
        for name in dict.fromkeys(tables or [common.shelf().last()]):
            table = stack.enter_context(common.opened(common.shelf().existing(name)))
            if table.differs is not None:
                common.remark(f"! {name}: {table.differs}; only what comes before counts")
            by_game.setdefault(table.about.game, []).append(table)
        found = [evenings(those) for those in by_game.values()]
    form = {"version": VERSION, "games": plain(found)}
    if out is not None:
        import msgspec

        from components.files import write_whole

        write_whole(out, msgspec.json.format(msgspec.json.encode(form)) + b"\n")
        common.remark(f"wrote {out}")
    if json:
        common.say_json(form)
        return
    common.say("\n\n".join("\n".join(_lines(one)) for one in found))


def _lines(found: Evenings) -> list[str]:
    from companion.lab.findings import percent

    side = found.side
    over = [evening for evening in found.evenings if evening.over]
    seconds = sum(evening.seconds for evening in found.evenings)
    out = [f"{found.title}: {count(len(found.evenings), 'evening')}, {len(over)} finished, {span(seconds)} of play"]
    for evening in found.evenings:
        won = f"{join_and(evening.winners)} won" if evening.winners else "over" if evening.over else "not over"
        out.append(f"  {evening.table}: {span(evening.seconds)}, {count(evening.lines, 'line')}, {won}")
    out += [
        f"{line.title}: median {line.median:,}, {line.least:,} to {line.most:,}"
        for line in side.figures
        if line.name in ("moves", "rounds", "margin")
    ]
    out += [f"{place.name}: wins {percent(place.share)}" for place in [*side.seats, *side.bots] if place.games]
    if found.phases:
        out.append("time by phase:")
        out += [
            f"  {slow.phase}: {span(slow.seconds)}, {span(slow.median)} before a line, {span(slow.longest)} at most"
            for slow in found.phases[:MOST_ROWS]
        ]
    for title, rules in (("refused:", found.refused), ("broken and kept:", found.overridden)):
        if rules:
            out.append(title)
            out += [f"  {one.rule} {one.title}: {count(one.times, 'time')}" for one in rules[:MOST_ROWS]]
    undone = sum(evening.undone for evening in found.evenings)
    if undone:
        out.append(f"taken back or changed: {count(undone, 'line')}")
    return out


__all__ = ["report"]
