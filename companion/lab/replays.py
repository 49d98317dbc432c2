"""A game of the lab as a table: played again move for move, and recorded as if people had played it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.engine.play.position import Rules
from companion.engine.table.history import Line, Recorded
from companion.engine.table.table import Table
from companion.engine.table.transcript import FORMAT, Header, Transcript, replay
from companion.lab import playing
from companion.lab.record import GameRecord
from companion.lab.runs import Plan
from components.model import ResolvedGame

Load = Callable[[ResolvedGame], Rules]


def transcript_of(plan: Plan, side: int, number: int) -> tuple[Transcript, GameRecord]:
    """A game of a plan as the transcript of a table, and its record."""
    one = plan.sides[side]
    record, lines = playing.play(
        one.rules, plan.seats, plan.seated(one, number), plan.seed, number, most=plan.most, keep=True
    )
    game = one.rules.game
    header = Header(
        format=FORMAT,
        table=f"{game.id}-{plan.seed}-{number}",
        game=game.id,
        title=game.title,
        variants=list(game.variants),
        sets=dict(game.sets),
        fingerprint=game.fingerprint,
        people={seat: f"{bot} {n}" for n, (seat, bot) in enumerate(zip(plan.seats, record.players, strict=True), 1)},
    )
    rows: list[Line] = []
    for moves in lines:
        said: Recorded = {"how": "said", "move": moves[-1].to_json()}
        rows.append(Line(steps=[said], setup=not rows))
    return Transcript(header=header, lines=rows), record


def as_table(plan: Plan, side: int, number: int, path: Path, load: Load) -> tuple[Table, GameRecord]:
    """A game of a plan as a table in a new file. Every line is judged again on the way."""
    transcript, record = transcript_of(plan, side, number)
    return replay(transcript, path, plan.sides[side].rules.game, load), record


__all__ = ["as_table", "transcript_of"]
