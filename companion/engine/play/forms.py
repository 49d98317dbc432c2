"""Position forms: how a partial position becomes a state.

What a position leaves out stands in a `Form`: the rows of its `defaults` are worked out one after the other, each only
where nothing was said. What the records of the state declare of their fields (`declared`) is checked.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from companion.engine.play.declared import Each, Mark, Named, Number, Seated
from companion.engine.play.faults import Fault, PositionError, misread
from companion.engine.play.position import Position
from companion.engine.play.rules import Rules
from components.safe_text import LARGEST, whole

if TYPE_CHECKING:
    Keys = tuple[Any, ...]

S = TypeVar("S")


# --- what a position leaves out -----------------------------------------------------------------------------------


class Reading(Position[S]):
    """A position that is being read: the state as far as it is known, and what was said."""

    __slots__ = ("form",)

    def __init__(self, rules: Rules, state: S, form: dict[str, Any]) -> None:
        super().__init__(rules, state, quiet=True)
        self.form = form

    def said(self, *path: Any) -> bool:
        """True if the position holds something at a path: `at.said("player", "ana", "wheat")`."""
        here: Any = self.form
        for step in path:
            if step not in (range(len(here)) if isinstance(here, list) else here if isinstance(here, dict) else ()):
                return False
            here = here[step]
        return True


class Default(NamedTuple):
    """The value for a `path` that is absent; `*` stands for each key of a mapping.

    `value` is called with the position and those keys; a text is the name of a parameter. `words` are for the docs.
    """

    path: str
    words: str
    value: Callable[..., Any] | str


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """The form in which positions of a game are written."""

    seats: Default | None = None
    """The players at the table, worked out before any name of a seat is checked. A table without seats is not set
    up: only mappings that have an entry for each get theirs."""
    defaults: tuple[Default, ...] = ()
    """In the order in which they are worked out: a row may rest on those above it."""
    readings: Mapping[type, Callable[[dict[str, Any]], dict[str, Any]]] = types.MappingProxyType({})
    """Record -> what a mapping that stands for it means: short forms that people write (a count for a list)."""
    faults: Callable[[Any], Iterable[Fault]] | None = None
    """Faults that no single field shows; looked for before anything is filled in."""
    settle: Callable[[Any], None] | None = None
    """Complete the automatic steps of the position."""


def clean(form: Any, hint: Any, readings: Mapping[type, Callable[..., Any]]) -> Any:
    """A form as people write it, as its types want it: `null` says nothing, a number where a text stands is its digits,
    and short forms are spelt out."""
    _, kind, arguments = taken_apart(hint)
    if kind is str:
        return str(form) if type(form) is int else form
    if isinstance(form, list) and kind in (list, tuple, set):
        return [clean(one, arguments[0], readings) for one in form]
    if not isinstance(form, dict):
        return form
    if kind is dict:
        key, value = arguments
        empty = may_be_nothing(value)
        return {
            clean(name, key, readings): clean(said, value, readings)
            for name, said in form.items()
            if said is not None or empty
        }
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        form = readings[kind](dict(form)) if kind in readings else form
        hints = hints_of(kind)
        silent = _silent(kind)
        return {
            name: clean(value, hints.get(name), readings)
            for name, value in form.items()
            if value is not None and not (value == "" and name in silent)
        }
    return form


def numbered(said: dict[Any, Any]) -> dict[Any, Any]:
    """A mapping whose keys are numbers: JSON writes them as texts."""
    return {key if (number := whole(str(key))) is None else number: value for key, value in said.items()}


def complete(rules: Rules, form: dict[str, Any]) -> Any:
    """The whole state of a cleaned form that may leave things out.

    Raises PositionError with everything that is wrong at once, and what msgspec raises for values of a wrong type.
    """
    how = rules.form
    state = msgspec.convert(form, rules.state)
    at: Reading[Any] = Reading(rules, state, form)
    _refuse(check(state, rules.state, (), at, late=False))
    if how.seats is not None:
        _fill(at, how.seats)
        _refuse(check(state, rules.state, (), at, late=False))
    twice = [seat for seat in dict.fromkeys(at.seats) if at.seats.count(seat) > 1]
    _refuse(Fault((rules.seated_in,), f"{seat} stands there twice") for seat in twice)
    _refuse(check(state, rules.state, (), at, late=True))
    _refuse(how.faults(at) if how.faults else ())
    furnish(rules, state, form)
    return state


def furnish(rules: Rules, state: Any, form: dict[str, Any]) -> None:
    """Give a state whose players are known whatever `form` does not say. A table without seats is only settled."""
    at: Reading[Any] = Reading(rules, state, form)
    _entries(state, rules.state, at)
    if at.seats:
        for default in rules.form.defaults:
            _fill(at, default)
    if rules.form.settle is not None:
        rules.form.settle(at)


def faults_in(rules: Rules, state: Any) -> list[Fault]:
    """Names that the game does not have, and numbers out of bounds, in a whole state."""
    at: Reading[Any] = Reading(rules, state, {})
    try:
        return [fault for late in (False, True) for fault in check(state, rules.state, (), at, late=late)]
    except TypeError:
        if told := misfit(state):
            return [Fault((), f"the position does not fit `{type(state).__name__}`: {told}")]
        raise


def misfit(state: Any) -> str:
    """The first value of a state that does not fit its record's types, as a message; "" if all fit."""
    try:
        msgspec.convert(msgspec.to_builtins(state), type(state))
    except (TypeError, msgspec.ValidationError) as error:
        return misread(error)
    return ""


def _refuse(faults: Iterable[Fault]) -> None:
    found = list(dict.fromkeys(faults))
    if found:
        raise PositionError(found[0].path, found[0].what, found[0].hint, faults=found)


def check(value: Any, hint: Any, path: Keys, at: Reading[Any], *, late: bool) -> list[Fault]:
    """The faults that the marks of a record find in a value."""
    found: list[Fault] = []
    look = _checker(hint, late)
    if look:
        look(value, path, at, found)
    return found


Look = Callable[[Any, "Keys", "Reading[Any]", list[Fault]], None]


@cache
def _checker(hint: Any, late: bool) -> Look | None:
    """A function that finds the faults in values of an annotation, put together once; None if there is nothing to
    check."""
    marks, kind, arguments = taken_apart(hint)
    if kind is int and not any(isinstance(mark, Number) for mark in marks):
        marks = (*marks, COUNT)
    asked = tuple(mark for mark in marks if mark.late is late)
    inside = _inside(kind, arguments, late)
    if not asked:
        return inside
    needed = tuple(mark for mark in asked if mark.needed)

    def look(value: Any, path: Keys, at: Reading[Any], found: list[Fault]) -> None:
        if value is None:
            return
        for mark in needed if value == "" and not at.said(*path) else asked:
            found += mark.faults(value, path, at)
        if inside:
            inside(value, path, at, found)

    return look


def _inside(kind: Any, arguments: tuple[Any, ...], late: bool) -> Look | None:
    """The same for what a value holds."""
    if kind in (list, tuple, set, dict):
        of_key, of_value = (_checker(arguments[0], late) if kind is dict else None), _checker(arguments[-1], late)

        def entries(value: Any, path: Keys, at: Reading[Any], found: list[Fault]) -> None:
            if value is None:
                return
            for key, inner in value.items() if kind is dict else enumerate(value):
                if of_key:
                    of_key(key, (*path, key), at, found)
                if of_value:
                    of_value(inner, (*path, key), at, found)

        return entries if of_key or of_value else None
    if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        return None
    hints = hints_of(kind)
    counts = [name for name, hint in hints.items() if hint is int and not late]
    looks = {name: look for name, hint in hints.items() if hint is not int and (look := _checker(hint, late))}

    def fields(value: Any, path: Keys, at: Reading[Any], found: list[Fault]) -> None:
        if value is None:
            return
        for name in counts:
            if not 0 <= getattr(value, name) <= LARGEST:
                found += COUNT.faults(getattr(value, name), (*path, name), at)
        for name, look in looks.items():
            look(getattr(value, name), (*path, name), at, found)

    return fields if counts or looks else None


COUNT = Number()


def _entries(value: Any, hint: Any, at: Reading[Any]) -> None:
    """Give every mapping that has an entry for each the entries nobody named, in the order of the names."""
    marks, kind, arguments = taken_apart(hint)
    if value is None:
        return
    if kind is dict and any(isinstance(mark, Each) for mark in marks):
        said = dict(value)
        value.clear()
        for name in dict.fromkeys((*_names(arguments[0], at), *said)):
            value[name] = said[name] if name in said else _blank(arguments[1])()
    if kind is dict:
        for inner in value.values() if _each_in(arguments[1]) else ():
            _entries(inner, arguments[1], at)
    else:
        for name in _each_in(hint):
            _entries(getattr(value, name), hints_of(kind)[name], at)


@cache
def _each_in(hint: Any) -> tuple[str, ...]:
    """The fields of a record in which a mapping has an entry for each; of a mapping, whether it or its values have."""
    marks, kind, arguments = taken_apart(hint)
    if kind is dict:
        return ("*",) if _each_in(arguments[1]) or any(isinstance(mark, Each) for mark in marks) else ()
    if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        return ()
    return tuple(name for name, of_field in hints_of(kind).items() if _each_in(of_field))


def _names(hint: Any, at: Position[Any]) -> Iterable[str]:
    """Every name a key can have."""
    marks, _, arguments = taken_apart(hint)
    if any(isinstance(mark, Seated) for mark in marks):
        return at.seats
    named = next((mark for mark in marks if isinstance(mark, Named)), None)
    return at.rules.names(named.set) if named else arguments


@cache
def _blank(hint: Any) -> Callable[[], Any]:
    """A maker of the value of an entry that was not named: None, the first of its choices, 0, or a new record."""
    _, kind, arguments = taken_apart(hint)
    if may_be_nothing(hint):
        return type(None)
    if kind not in (list, dict, set) and arguments:
        return lambda: arguments[0]
    return kind  # type: ignore[no-any-return]


def _fill(at: Reading[Any], default: Default) -> None:
    """Work a default out wherever nothing was said."""
    steps = default.path.split(".")
    value = default.value
    for into, path, keys in list(_places(at.state, steps[:-1], (), ())):
        for key in list(into) if steps[-1] == "*" else [steps[-1]]:
            named = (*keys, key) if steps[-1] == "*" else keys
            if not at.said(*path, key):
                found = at[value] if isinstance(value, str) else value(at, *named)
                if isinstance(into, dict):
                    into[key] = found
                else:
                    setattr(into, key, found)


def _places(here: Any, steps: list[str], path: Keys, keys: Keys) -> Iterator[tuple[Any, Keys, Keys]]:
    """(record or mapping, its path, the keys that `*` stood for) of everything at the end of a path."""
    if here is None:
        return
    if not steps:
        yield here, path, keys
        return
    step, *rest = steps
    if step == "*":
        pairs = here.items() if isinstance(here, dict) else enumerate(here)
        for key, inner in pairs:
            yield from _places(inner, rest, (*path, key), (*keys, key))
    else:
        inner = here[step] if isinstance(here, dict) else getattr(here, step)
        yield from _places(inner, rest, (*path, step), keys)


# --- types --------------------------------------------------------------------------------------------------------


@cache
def hints_of(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Field -> annotation, marks included."""
    return get_type_hints(kind, include_extras=True)


@cache
def _silent(kind: type[msgspec.Struct]) -> frozenset[str]:
    """Fields that are an empty text where nothing is said."""
    return frozenset(info.name for info in msgspec.structs.fields(kind) if info.default == "")


@cache
def taken_apart(hint: Any) -> tuple[tuple[Mark, ...], Any, tuple[Any, ...]]:
    """Marks, type and arguments of an annotation; of `X | None` those of X."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        marks, kind, inner = taken_apart(arguments[0])
        return (*marks, *(mark for mark in arguments[1:] if isinstance(mark, Mark))), kind, inner
    if origin in (Union, types.UnionType):
        return taken_apart(next(part for part in arguments if part is not type(None)))
    return (), origin or hint, arguments


@cache
def may_be_nothing(hint: Any) -> bool:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return may_be_nothing(arguments[0])
    return origin in (Union, types.UnionType) and type(None) in arguments


# --- what the docs say --------------------------------------------------------------------------------------------


def left_out(rules: Rules) -> dict[tuple[type, str], str]:
    """(record, field) -> what is taken where a position leaves the field out, in words."""
    rows: dict[tuple[type, str], list[str]] = {}
    for default in (*([rules.form.seats] if rules.form.seats else ()), *rules.form.defaults):
        kind: Any = rules.state
        place: tuple[type, str] = (rules.state, "")
        for step in default.path.split("."):
            if step == "*":
                kind = taken_apart(kind)[2][-1]
            else:
                record = taken_apart(kind)[1]
                place = (record, step)
                kind = hints_of(record)[step]
        rows.setdefault(place, []).append(default.words or f"`{default.value}`")
    return {place: "; ".join(dict.fromkeys(words)) for place, words in rows.items()}


def described(hint: Any) -> str:
    """The values a field takes, in words: `mapping from seat to whole number, one for each`."""
    marks, kind, arguments = taken_apart(hint)
    named = next((mark.words() for mark in marks if isinstance(mark, Named | Seated)), "")
    if kind in (list, tuple, set):
        what = f"list of {described(arguments[0])}"
    elif kind is dict:
        what = f"mapping from {described(arguments[0])} to {described(arguments[1])}"
    elif get_origin(hint) is not None and arguments:
        what = ", ".join(f"`{value}`" for value in sorted(map(str, arguments)))
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        what = f"[{kind.__name__}](#{kind.__name__.lower()})"
    else:
        what = named or {str: "text", int: "whole number", bool: "yes or no"}.get(kind, "text")
    more = (mark.words() for mark in marks if not isinstance(mark, Named | Seated))
    return ", ".join(filter(None, (what, *more))) + (" or nothing" if may_be_nothing(hint) else "")


def fields_of(record: type[msgspec.Struct]) -> dict[str, str]:
    """Field -> the values it takes, in words."""
    return {name: described(hint) for name, hint in hints_of(record).items()}


__all__ = [
    "Default",
    "Form",
    "Reading",
    "check",
    "clean",
    "complete",
    "described",
    "faults_in",
    "fields_of",
    "furnish",
    "left_out",
    "numbered",
]
