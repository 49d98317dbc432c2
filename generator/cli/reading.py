"""`pnp check` asks the companion whether a game's rules can read its pieces, carry out its effects and follow it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from components.checks import piece_place
from components.errors import Problem
from components.loader import Definition
from components.model import ResolvedGame, ResolvedPiece
from components.phrasing import did_you_mean
from components.program import remark
from components.projects import own_project
from generator.cli.common import settings

if TYPE_CHECKING:
    from companion.engine.play.position import Rules
    from components.yamlsource import Source


MOVES = 12
"""So many moves `check` plays."""


def rules_read(definition: Definition, game: ResolvedGame) -> Iterator[Problem]:
    """What keeps the rules module of a game from following it; nothing for a game that names none."""
    from companion.engine.things.effects import BUILT_IN
    from companion.games import NoRules
    from companion.own.modules import NotTrusted

    if not game.engine:
        return
    try:
        rules = _rules(game)
    except NotTrusted as error:
        remark(f"! {error}")
        return
    except NoRules as error:
        yield definition.source("game.yaml").problem("DEF-064", error.what, ("engine",), hint=error.hint)
        return
    except Exception as error:
        yield _unreadable(definition, game, error)
        return
    known = {*BUILT_IN, *rules.ops, *rules.verbs}
    for verb in game.verbs:
        if verb not in known:
            what = f"the rules module '{game.engine}' does not implement the verb '{verb}'"
            hint = did_you_mean(verb, known) or "give it an operation (`Rules.ops`)"
            yield definition.source("effects.yaml").problem("DEF-064", what, ("verbs", verb), hint=hint, key=True)
    if not game.variants:
        yield from _begun(definition, rules)


def _begun(definition: Definition, rules: Rules) -> Iterator[Problem]:
    """What keeps a game from being followed through its first moves, drawn by chance. That it goes wrong in words is no
    fault of the definition."""
    from companion.engine.errors import CompanionError
    from companion.engine.play.playout import play_out

    seats = (rules.game.seats or [f"seat{n}" for n in range(1, rules.game.players[1] + 1)])[: rules.game.players[0]]
    try:
        _, at = play_out(rules, seats, seed=1, most=MOVES)
        rules.show(at)
        rules.score(at)
    except CompanionError:
        return
    except Exception as error:
        yield _unreadable(definition, rules.game, error, follows=True)


def _rules(game: ResolvedGame) -> Rules:
    """The rules object of a game, by its project's module if there is one."""
    from companion.games import load_rules
    from companion.own import modules
    from components.program import trust_of_user

    source = modules.find(settings.project, game.engine) if own_project(settings.project) else None
    if source is None:
        return load_rules(game)

    def trusted(source: modules.Source) -> bool:
        trust = trust_of_user()
        if settings.trust:
            trust.remember(source.place, source.digest)
        return trust.knows(source.place, source.digest)

    return modules.load(game, source, trusted)


def _unreadable(definition: Definition, game: ResolvedGame, error: Exception, follows: bool = False) -> Problem:
    """The fault at the piece that was being read, or was in play, if it was one."""
    why = f"'{error.args[0]}' is missing" if isinstance(error, KeyError) and error.args else str(error) or repr(error)
    piece = _piece_read(error.__traceback__)
    what = f"piece '{piece.id}'" if piece is not None and not follows else "the game"
    doing = f"follow the game, as {MOVES} moves made by chance show" if follows else f"read {what}"
    source: Source = definition.source("game.yaml")
    path: tuple[Any, ...] = ("engine",)
    if piece is not None:
        source, path = piece_place(definition, piece.set, piece.id)
    told = f"the rules module '{game.engine}' cannot {doing}: {why}{_line(error.__traceback__) if follows else ''}"
    problem: Problem = source.problem("DEF-064", told, path)
    return problem


def _line(trace: TracebackType | None) -> str:
    """The last line of a rules module that an error passed, to be told in brackets."""
    found = ""
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        if "rules" in file.parts or "games" in file.parts:
            found = f" ({file.name}, line {trace.tb_lineno})"
        trace = trace.tb_next
    return found


def _piece_read(trace: TracebackType | None) -> ResolvedPiece | None:
    """The piece that the innermost function which knows of one was at work on."""
    found = None
    while trace is not None:
        pieces = [value for value in trace.tb_frame.f_locals.values() if isinstance(value, ResolvedPiece)]
        found = pieces[-1] if pieces else found
        trace = trace.tb_next
    return found
