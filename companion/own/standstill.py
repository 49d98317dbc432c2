"""The reasons why a random game cannot go on: the questions to a module's moves there, and their answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from companion.engine.play.moves import Move, acting, made_by
from companion.engine.play.options import plan
from companion.engine.play.position import Position

MOST = 3
"""So many moves are told of."""


def kept_back(at: Position[Any]) -> str:
    """The reasons that keep the moves of this place from being made; "" if none can be seen."""
    return "; ".join(islice(_told(at), MOST))


def _told(at: Position[Any]) -> Iterator[str]:
    agenda = at.rules.agenda(at.state)
    phase = at.rules.phase_table.get(at.rules.stage(at.state))
    if agenda and agenda[0].move:
        kinds: tuple[type[Move], ...] = (at.rules.moves[agenda[0].move],)
        who = agenda[0].who
    else:
        kinds = tuple(kind for kind in phase.moves if not kind.answers) if phase else ()
        who = next(iter(at.rules.to_move(at.state)), "")
    for kind in kinds:
        start = made_by(kind, who)
        name = f"'{who} {kind.name}'" if who and acting(kind) else f"'{kind.name}'"
        fields = [field for field, default, _ in plan(kind)[1] if getattr(start, field) == default]
        if reasons := at.reasons(start):
            early = f" before its `{fields[0]}` is set (`forbidden` is called then, too)" if fields else ""
            yield f"{name} is refused{early}: {reasons[0].why} [{reasons[0].rule}]"
            continue
        for field in fields:
            values = start.options(at, field)
            if values is None:
                lacking = f"give `{kind.__name__}` a method `options`, or the game a `propose`"
                yield f"{name} has no list of what its `{field}` can be: {lacking}"
                break
            if not list(values):
                yield f"{name} has nothing for its `{field}`: `options` gives an empty list"
                break


__all__ = ["kept_back"]
