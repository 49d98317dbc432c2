"""Setting one field of a position by hand: `players.Qin.bu = 7`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from companion.engine.play.faults import PositionError, misread
from companion.engine.play.position import Rules
from components.phrasing import join_and, nearest, plural, suggest
from components.safe_text import whole

if TYPE_CHECKING:
    from components.errors import Problem


def corrected(rules: Rules, state: Any, field: str, value: Any) -> Any:
    """A copy of `state` with the field at the dotted path `field` set to `value`.

    Raises PositionError for a field that is not there, and for whatever a position file may not say.
    """
    from companion.engine.language.positionfile import PositionFileError, from_form

    form = msgspec.to_builtins(state)
    into, key = _reached(state, form, field)
    into[key] = value
    try:
        msgspec.convert(form, rules.state)
        return from_form(form, rules)
    except msgspec.ValidationError as error:
        raise PositionError(field, misread(error).rpartition(": ")[2]) from None
    except PositionFileError as error:
        before = wrong(rules, msgspec.to_builtins(state))
        new = [said for said in map(_said, error.problems) if said not in before]
        if new:
            raise PositionError("", "; ".join(new)) from None
        return msgspec.convert(form, rules.state)


def _reached(state: Any, form: Any, field: str) -> tuple[Any, Any]:
    """The thing in a form that holds a field, and the key or place it has there. Raises PositionError if there is
    none."""
    names = field.split(".")
    into: Any = form
    for depth, name in enumerate(names):
        last = depth == len(names) - 1
        where = ".".join(names[:depth])
        if isinstance(into, list):
            place = whole(name)
            if place is None or place >= len(into):
                raise PositionError(
                    field, f"{where} is a list of {len(into)}; {name!r} is not one of its places (counted from 0)"
                )
            key: Any = place
        elif isinstance(into, dict):
            key = next((known for known in into if str(known).lower() == name.lower()), name)
            if key not in into and not (last and _open_map(state, names[:depth])):
                inside = f" in {where}" if where else ""
                raise PositionError(field, f"unknown field {name!r}{inside}{suggest(name, into)}")
        else:
            raise PositionError(field, f"{where} is {into!r}, which has no fields")
        if last:
            return into, key
        into = into[key]
    raise PositionError(field, "name a field")


def meant(state: Any, field: str, people: Mapping[str, str]) -> str:
    """The whole path of a field that may be said in short, with a person for the seat (`people`: person -> seat):
    `ben.bu` is `players.Chu.bu`. Raises PositionError with the nearest path, or with those that it may be."""
    form = msgspec.to_builtins(state)
    seats = {person.lower(): seat for person, seat in people.items()}
    names = [seats.get(name.lower(), name) for name in field.split(".")]
    unknown: PositionError | None = None
    for path in dict.fromkeys((field, ".".join(names))):
        try:
            into, key = _reached(state, form, path)
        except PositionError as error:
            unknown = unknown or error
        else:
            if not isinstance(into, dict) or key in into or path != field:
                return path
    if unknown is None:
        return field
    names = [name.lower() for name in names]
    known = [path for path, _ in _paths(form, ())]
    found = [path for path in known if path[-1].lower() == names[-1] and _in_order(names, path)]
    shortest = min(map(len, found), default=0)
    found = [path for path in found if len(path) == shortest]
    if len(found) == 1:
        return ".".join(found[0])
    if found:
        raise PositionError(field, f"this may be {join_and(('.'.join(path) for path in found[:6]), 'or')}")
    first = field.partition(".")[0]
    if first.lower() in map(str.lower, form) or nearest(first, form):
        raise unknown
    ends = {".".join(path[-len(names) :]).lower(): ".".join(path) for path in known}
    near = nearest(".".join(names), ends)
    raise PositionError(field, f"unknown field; did you mean {ends[near[0]]}?") if near else unknown


def counted(state: Any, seat: str, what: str, number: int) -> list[str]:
    """The fields of a seat that are called `what` (in the plural or not) and hold this number."""
    word = what.lower().replace(" ", "_")
    return [
        ".".join(path)
        for path, value in _paths(msgspec.to_builtins(state), ())
        if type(value) is int and value == number and seat in path
        if _same(path[-1].lower(), word) or (path[-1] == seat and len(path) > 1 and _same(path[-2].lower(), word))
    ]


def _same(name: str, word: str) -> bool:
    return name == word or plural(2, name) == word or plural(2, word) == name


def _in_order(names: list[str], path: tuple[str, ...]) -> bool:
    """True if a path holds all the names, in their order."""
    steps = iter(step.lower() for step in path)
    return all(name in steps for name in names)


def _paths(form: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every field of a form: its path and its value, outer ones first."""
    if path:
        yield path, form
    inner = form.items() if isinstance(form, dict) else enumerate(form) if isinstance(form, list) else ()
    for key, value in inner:
        yield from _paths(value, (*path, str(key)))


def wrong(rules: Rules, form: dict[str, Any]) -> list[str]:
    """The faults of a position that no file may hold: a table with moves against the rules may have some."""
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


__all__ = ["corrected", "counted", "meant", "wrong"]
