"""`pnp check` asks the companion whether a game's rules can read its pieces and carry out its effects."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING

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


def _unreadable(definition: Definition, game: ResolvedGame, error: Exception) -> Problem:
    """The fault at the piece that was being read, if it was one."""
    why = f"'{error.args[0]}' is missing" if isinstance(error, KeyError) and error.args else str(error) or repr(error)
    piece = _piece_read(error.__traceback__)
    if piece is None:
        what = f"the rules module '{game.engine}' cannot read the game: {why}"
        return definition.source("game.yaml").problem("DEF-064", what, ("engine",))
    source, path = piece_place(definition, piece.set, piece.id)
    what = f"the rules module '{game.engine}' cannot read piece '{piece.id}': {why}"
    problem: Problem = source.problem("DEF-064", what, path)
    return problem


def _piece_read(trace: TracebackType | None) -> ResolvedPiece | None:
    """The piece that the innermost function which knows of one was at work on."""
    found = None
    while trace is not None:
        pieces = [value for value in trace.tb_frame.f_locals.values() if isinstance(value, ResolvedPiece)]
        found = pieces[-1] if pieces else found
        trace = trace.tb_next
    return found
