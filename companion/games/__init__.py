"""One module or package per game. Each offers `rules(resolved)`; nothing here prints, asks or reads a file."""

from __future__ import annotations

from importlib import import_module

from companion.engine.errors import CompanionError
from companion.engine.play.position import Rules
from components.model import ResolvedGame


class NoRules(CompanionError):
    """A game whose definition names no rules module there is: it can be printed, but not followed."""

    kind = "unknown"


def load_rules(resolved: ResolvedGame) -> Rules:
    """The rules object of a resolved game, from the module its `game.yaml` names (`engine`)."""
    if not resolved.engine.isidentifier():
        raise NoRules(f"game '{resolved.id}' names the rules module '{resolved.engine}', which is no module name")
    try:
        module = import_module(f"companion.games.{resolved.engine}")
    except ModuleNotFoundError as error:
        if error.name != f"companion.games.{resolved.engine}":
            raise
        raise NoRules(f"no rules module 'companion.games.{resolved.engine}' for game '{resolved.id}'") from error
    if not hasattr(module, "rules"):
        raise NoRules(f"the rules module 'companion.games.{resolved.engine}' offers no function `rules(resolved)`")
    rules: Rules = module.rules(resolved)
    return rules


__all__ = ["NoRules", "load_rules"]
