"""Setting one field of a position by hand: `players.Qin.bu = 7`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from companion.engine.play.position import PositionError, Rules
from components.phrasing import suggest

if TYPE_CHECKING:
    from components.errors import Problem


def corrected(rules: Rules, state: Any, field: str, value: Any) -> Any:
    """A copy of `state` with the field at the dotted path `field` set to `value`.

    Raises PositionError for a field that is not there, and for whatever a position file may not say.
    """
    from companion.engine.language.positionfile import PositionFileError, from_form

    form = msgspec.to_builtins(state)
    names = field.split(".")
    into: Any = form
    for depth, name in enumerate(names):
        last = depth == len(names) - 1
        where = ".".join(names[:depth])
        if isinstance(into, list):
            if not name.isdigit() or int(name) >= len(into):
                raise PositionError(
                    field, f"{where} is a list of {len(into)}; {name!r} is not one of its places (counted from 0)"
                )
            key: Any = int(name)
        elif isinstance(into, dict):
            key = next((known for known in into if str(known).lower() == name.lower()), name)
            if key not in into and not (last and _open_map(state, names[:depth])):
                inside = f" in {where}" if where else ""
                raise PositionError(field, f"unknown field {name!r}{inside}{suggest(name, into)}")
        else:
            raise PositionError(field, f"{where} is {into!r}, which has no fields")
        if last:
            into[key] = value
        else:
            into = into[key]
    try:
        msgspec.convert(form, rules.state)
        return from_form(form, rules)
    except msgspec.ValidationError as error:
        raise PositionError(field, str(error).replace("`", "").split(" - at ")[0].lower()) from None
    except PositionFileError as error:
        wrong = _wrong(rules, msgspec.to_builtins(state))
        new = [said for said in map(_said, error.problems) if said not in wrong]
        if new:
            raise PositionError("", "; ".join(new)) from None
        return msgspec.convert(form, rules.state)


def _wrong(rules: Rules, form: dict[str, Any]) -> list[str]:
    """What was wrong before the correction: a table that kept moves against the rules may hold what a file may not."""
    from companion.engine.language.positionfile import PositionFileError, from_form

    try:
        from_form(form, rules)
    except PositionFileError as error:
        return list(map(_said, error.problems))
    return []


def _said(problem: Problem) -> str:
    return f"{problem.what}; {problem.hint}" if problem.hint else problem.what


def _open_map(state: Any, path: list[str]) -> bool:
    """True if the thing at `path` is a mapping whose keys are not fixed."""
    here = state
    for name in path:
        if isinstance(here, dict):
            here = next((v for k, v in here.items() if str(k).lower() == name.lower()), None)
        elif isinstance(here, list | tuple):
            here = here[int(name)]
        else:
            here = getattr(here, name, None)
    return isinstance(here, dict)


__all__ = ["corrected"]
