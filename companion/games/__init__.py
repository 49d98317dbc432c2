"""One module or package per game. Each offers `rules(resolved)`; nothing here prints, asks or reads a file."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from companion.engine.errors import CompanionError
from companion.engine.play.position import Rules
from components.model import ResolvedGame
from components.phrasing import did_you_mean


class NoRules(CompanionError):
    """A game that names no rules module (`what` is empty), or one that does not exist: it can be printed, but not
    followed. `hint` names the modules there are."""

    kind = "unknown"

    def __init__(self, game: str, what: str = "", hint: str = "") -> None:
        why = what or f"the game '{game}' has no rules module: it can be printed, but the companion cannot follow it"
        super().__init__(f"{why}; {hint}" if hint else why)
        self.what = what
        self.hint = hint


def load_rules(resolved: ResolvedGame) -> Rules:
    """The rules object of a resolved game, from the module its `game.yaml` names (`engine`). Raises `NoRules`, and
    `Unreadable` where the module cannot read the game."""
    if not resolved.engine:
        raise NoRules(resolved.id)
    name = f"{__name__}.{resolved.engine}"
    if not resolved.engine.isidentifier() or find_spec(name) is None:
        hint = did_you_mean(resolved.engine, _modules(), listing="there are")
        raise NoRules(resolved.id, f"there is no rules module '{resolved.engine}'", hint)
    module = import_module(name)
    if not hasattr(module, "rules"):
        what = f"the rules module '{resolved.engine}' has no function `rules(resolved)`"
        raise NoRules(resolved.id, what, f"add it to companion/games/{resolved.engine}")
    try:
        rules: Rules = module.rules(resolved)
    except Exception as error:
        from companion.engine.play.unreadable import Unreadable

        raise Unreadable(resolved, error) from error
    return rules


def _modules() -> list[str]:
    from pkgutil import iter_modules  # only needed when something is wrong

    return [module.name for module in iter_modules(__path__)]


__all__ = ["NoRules", "load_rules"]
