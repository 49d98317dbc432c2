"""Real evenings: the measures of the lab from the journals of tables, and what only people show: time, lines that
were refused, overrides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.engine.language.jsonmoves import recorded
from companion.engine.play.phases import current
from companion.engine.play.position import Position, Rules
from companion.engine.table.plays import PAUSE, gaps, play_of
from companion.engine.table.refusals import kept
from companion.engine.table.replaying import turned
from companion.engine.table.table import Table
from companion.lab.measures import Method, side_report
from companion.lab.record import GameRecord, Recorder
from companion.lab.results import SideReport
from companion.lab.sums import Spread, Sums


class Slow(msgspec.Struct, kw_only=True):
    """The duration of a phase."""

    phase: str
    lines: int
    seconds: int
    """In all."""
    median: int
    """Seconds before a line."""
    longest: int


class Told(msgspec.Struct, kw_only=True):
    """A rule that refused lines, or that tables broke and kept the result."""

    rule: str
    title: str
    times: int
    tables: list[str]


class Evening(msgspec.Struct, kw_only=True):
    """One table."""

    table: str
    began: str
    seconds: int
    over: bool
    winners: list[str]
    lines: int
    undone: int
    """Lines that were taken back, or changed afterwards."""
    refused: int
    """Lines that the rules refused, those included that the table then kept."""
    overrides: int


class Evenings(msgspec.Struct, kw_only=True):
    """The facts drawn from the tables of one game."""

    game: str
    title: str
    unit: str
    evenings: list[Evening]
    phases: list[Slow]
    """The slowest first."""
    refused: list[Told]
    """The rules that refused most lines first. Tables of earlier versions kept none."""
    overridden: list[Told]
    """The rules broken most first."""
    side: SideReport


def evenings(tables: Sequence[Table]) -> Evenings:
    """The facts drawn from several tables of one game. Each is played once more, as far as today's code plays
    it alike."""
    first = tables[0]
    sums, rows = Sums(), []
    phases: dict[str, Spread] = {}
    broken: dict[str, list[str]] = {}
    refused: dict[str, list[str]] = {}
    seats: dict[str, None] = {}
    for n, table in enumerate(tables):
        record, times = _played(table, n)
        sums.see(record)
        seats |= dict.fromkeys(record.seats)
        for phase, seconds in times:
            phases.setdefault(phase, Spread()).see(seconds)
        for line in table.history.lines:
            for reason in line.broken:
                broken.setdefault(reason.get("rule", ""), []).append(table.about.table)
        for refusal in kept(table.journal):
            for rule in refusal.rules:
                refused.setdefault(rule, []).append(table.about.table)
        rows.append(_evening(table))
    rules = first.rules
    return Evenings(
        game=rules.game.id,
        title=rules.game.title,
        unit=rules.score(first.position).stands().unit,
        evenings=rows,
        phases=sorted(map(_slow, phases, phases.values()), key=lambda slow: (-slow.seconds, slow.phase)),
        refused=_by_rule(rules, refused),
        overridden=_by_rule(rules, broken),
        side=side_report("evenings", rules, (), sums, tuple(seats), Method()),
    )


def _played(table: Table, number: int = 0) -> tuple[GameRecord, list[tuple[str, int]]]:
    """The record of a table, whose players are its people (one that is not over counts as cut), and the seconds before
    each move with the phase in which it came."""
    table.prove()
    at: Position[Any] = table.start()
    at.quiet = at.asking = False
    people = table.about.people
    seats = table.seats
    recorder = Recorder(at.rules, seats, [people.get(seat) or seat for seat in seats], 0, number)
    stamps = [table.began.created, *(entry.when for entry in table.entries)]
    waited = dict(zip((entry.n for entry in table.entries), gaps(stamps), strict=True))
    lines = table.history.lines
    times: list[tuple[str, int]] = []
    for line in lines if table.differs is None else lines[: table.differs.number - 1]:
        at = turned(at, table.rules_of(line.rules))
        seconds = waited.get(line.key, 0)
        if line.kind == "move" and not line.setup and 0 < seconds <= PAUSE:
            times.append((_phase(at), seconds))
        if line.kind == "correct":
            from companion.engine.table.corrections import corrected

            at.state = corrected(at.rules, at.state, line.field, line.value)
        for step in line.steps:
            recorder.saw(at, recorded(step["move"], at.rules.moves, at.rules.move_keys))
        if line.setup:
            recorder.record.moves = 0
    return recorder.end(at, "over" if at.rules.over(at.state) else "cut"), times


def _by_rule(rules: Rules, where: dict[str, list[str]]) -> list[Told]:
    """Rules with the tables at which they spoke, those that spoke most often first."""
    return [
        Told(rule=rule, title=_title(rules, rule), times=len(tables), tables=sorted(set(tables)))
        for rule, tables in sorted(where.items(), key=lambda item: (-len(item[1]), item[0]))
    ]


def _phase(at: Position[Any]) -> str:
    """The phase as the table knows it, not whose turn it is."""
    phase = current(at)
    return phase.words if phase is not None else at.rules.stage(at.state) or "play"


def _slow(phase: str, spread: Spread) -> Slow:
    total = spread.total
    return Slow(phase=phase, lines=total.n, seconds=total.sum, median=spread.at(50), longest=max(spread.counts))


def _evening(table: Table) -> Evening:
    play = play_of(table)
    return Evening(
        table=play.table,
        began=play.began,
        seconds=play.seconds,
        over=play.over,
        winners=[seated.person or seated.seat for seated in play.winners],
        lines=play.lines,
        undone=len(table.history.undone) + sum(entry.kind == "amend" for entry in table.entries),
        refused=len(kept(table.journal)),
        overrides=play.overrides,
    )


def _title(rules: Rules, rule: str) -> str:
    known = rules.game.rules.get(rule)
    return known.title if known else ""


__all__ = ["Evening", "Evenings", "Slow", "Told", "evenings"]
