"""The rules of a game as the commands of `pnp` play by them: those of its project's module, if there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from components.projects import own_project
from generator.cli.common import settings

if TYPE_CHECKING:
    from companion.engine.play.position import Rules
    from companion.own.modules import Source
    from components.model import ResolvedGame


def own_module(game: ResolvedGame) -> Source | None:
    """The rules module in the project's folder; None for a game that is judged by a module of the program."""
    from companion.own import modules

    return modules.find(settings.project, game.engine) if own_project(settings.project) else None


def rules_of(game: ResolvedGame) -> Rules:
    """The rules object of a game. Raises NotTrusted, NoRules, RulesFault and Unreadable."""
    from companion.games import load_rules
    from companion.own import modules
    from components.program import trust_of_user

    source = own_module(game)
    if source is None:
        return load_rules(game if game.project else replace(game, project=own_project(settings.project)))

    def trusted(source: Source) -> bool:
        trust = trust_of_user()
        if settings.trust == "mine":
            trust.remember(source.place)
        elif settings.trust:
            trust.remember(source.place, source.digest)
        return trust.knows(source.place, source.digest)

    return modules.load(game, source, trusted)


__all__ = ["own_module", "rules_of"]
