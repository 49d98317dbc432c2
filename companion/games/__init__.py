"""One module or package per game. Each offers `rules(resolved)`; nothing here prints, asks or reads a file."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from companion.engine.errors import NoRules
from companion.engine.play.position import Rules
from components.model import ResolvedGame
from components.phrasing import did_you_mean


def load_rules(resolved: ResolvedGame, *, trust: bool = False) -> Rules:
    """The rules object of a resolved game, from the module its `game.yaml` names (`engine`): that in the folder `rules`
    of the game's project, or one of the program.

    A project's module is a program: it runs if the user trusts it (as after `pnp init`), or if `trust` says so. Raises
    `NoRules`, `NotTrusted` and `RulesFault` (`companion.own.modules`), and `Unreadable` where the module cannot read
    the game.
    """
    if not resolved.engine:
        raise NoRules(resolved.id)
    if resolved.project:
        from companion.own import modules

        source = modules.find(Path(resolved.project), resolved.engine)
        if source is not None:
            return modules.load(resolved, source, lambda found: trust or modules.known(found))
    name = f"{__name__}.{resolved.engine}"
    if not resolved.engine.isidentifier() or find_spec(name) is None:
        raise _missing(resolved)
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


def _missing(resolved: ResolvedGame) -> NoRules:
    """The error for a game whose rules module does not exist."""
    if not resolved.project:
        hint = did_you_mean(resolved.engine, _modules(), listing="there are")
        return NoRules(resolved.id, f"there is no rules module '{resolved.engine}'", hint)
    folder = Path(resolved.project) / "rules"
    own = sorted(
        {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}
    )
    hint = did_you_mean(resolved.engine, own, listing="there are") or f"there is rules/{own[0]}.py" if own else ""
    what = f"there is no rules module '{resolved.engine}': rules/{resolved.engine}.py is missing"
    return NoRules(resolved.id, what, hint or "write it, or leave `engine` out of game.yaml: you can print without")


def _modules() -> list[str]:
    from pkgutil import iter_modules  # only needed when something is wrong

    return [module.name for module in iter_modules(__path__)]


__all__ = ["NoRules", "load_rules"]
