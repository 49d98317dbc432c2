"""Checks of a value against a parameter: its kind, its entries, its limits. Used by `components.parameters`.

`components.validate` checks data against a type; a parameter has none: its value in `game.yaml` is the model for
others, and its limits hold at any depth.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from components.model import Parameter
from components.phrasing import did_you_mean
from components.validate import describe

PathKey = tuple[Any, ...]

Say = Callable[..., None]
"""Told of every fault: `say(code, what, path, hint=…)`, the path below the value that was given."""

NO_MODEL: Any = object()
"""Stands for the value in `game.yaml` where it has none that a new one could be compared with."""


def kind(value: Any) -> str:
    """The kind of a value in words."""
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int):
        return "a whole number"
    if isinstance(value, float):
        return "a number"
    names: dict[Any, str] = {str: "a text", list: "a list", dict: "a mapping"}
    return names.get(type(value), "nothing")


def is_open(parameter: Parameter, value: Any) -> bool:
    """True if `value` is a mapping whose entries the parameter's `keys` governs: one with nothing but plain values."""
    if parameter.keys is None or not isinstance(value, dict):
        return False
    return not any(isinstance(item, dict | list) for item in value.values())


def entry_key(parameter: Parameter, written: Any) -> Any:
    """The key that is `written` so (in a name, all are text), or None if the parameter's mappings cannot have it."""
    if parameter.keys == "numbers":
        plain = isinstance(written, int) and not isinstance(written, bool)
        if plain:
            return written
        return int(written) if isinstance(written, str) and re.fullmatch(r"-?\d{1,9}", written) else None
    return str(written) if str(written) in (parameter.keys or ()) else None


def with_numbers(parameter: Parameter, value: Any) -> Any:
    """`value` with numbers as keys where the parameter has such: JSON writes them as text."""
    if parameter.keys != "numbers" or not is_open(parameter, value):
        return value
    return {key if (number := entry_key(parameter, key)) is None else number: item for key, item in value.items()}


def keys_hint(parameter: Parameter, written: Any) -> str:
    """The hint for a key that is not allowed."""
    if parameter.keys == "numbers":
        return "its keys are whole numbers"
    return did_you_mean(written, parameter.keys or (), listing="its keys may be")


def fits(name: str, parameter: Parameter, model: Any, value: Any, path: PathKey, say: Say) -> bool:
    """True if `value` fits the parameter `name`, with `model` as its value in `game.yaml`; faults are told to `say`."""
    if value is None and parameter.nullable:
        return True
    wanted = kind(value) if model is NO_MODEL else kind(model)
    if model is None:
        wanted = "a number" if parameter.min is not None or parameter.max is not None else kind(value)
    if parameter.choices is not None and not isinstance(model, dict | list):
        wanted = kind(value)  # the choices say it all
    if kind(value) not in _also(wanted):
        say("DEF-045", f"'{name}' is {wanted}, found {describe(value)}", path)
        return False
    return _shape(name, parameter, model, value, path, say) and check_limits(name, parameter, value, path, say)


def _also(wanted: str) -> tuple[str, ...]:
    return ("a number", "a whole number") if wanted == "a number" else (wanted,)


def _shape(name: str, parameter: Parameter, model: Any, value: Any, path: PathKey, say: Say) -> bool:
    """True if the contents of a list or mapping have the kinds of those in the model."""
    if isinstance(value, dict):
        return check_keys(name, parameter, value, path, say) and _alike(name, parameter, model, value, path, say)
    if isinstance(value, list) and isinstance(model, list):
        return _alike(name, parameter, model, value, path, say)
    return True


def _alike(name: str, parameter: Parameter, model: Any, value: Any, path: PathKey, say: Say) -> bool:
    """True if every entry of `value` has the kind of some entry of `model` (an empty model allows any)."""
    models = list(model.values() if isinstance(model, dict) else model if isinstance(model, list) else ())
    allowed = {kind(item) for item in models}
    of = "a list of" if isinstance(value, list) else "a mapping to"
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        if allowed and not any(kind(item) in _also(wanted) for wanted in allowed):
            say("DEF-045", f"'{name}' is {of} {_many(allowed)}, found {describe(item)}", (*path, key))
            return False
        like = next((m for m in models if kind(m) == kind(item)), NO_MODEL)
        if not _shape(name, parameter, like, item, (*path, key), say):
            return False
    return True


def _many(kinds: set[str]) -> str:
    names = {"a whole number": "whole numbers", "a number": "numbers", "a text": "texts", "a mapping": "mappings"}
    return " or ".join(sorted(names.get(kind, kind) for kind in kinds))


def check_keys(name: str, parameter: Parameter, value: Any, path: PathKey, say: Say) -> bool:
    """True if the mappings in `value` have only entries that `keys` allows."""
    if parameter.keys is None:
        return True
    good = True
    if is_open(parameter, value):
        for key in value:
            if entry_key(parameter, key) != key:
                hint = keys_hint(parameter, key)
                say("DEF-045", f"'{name}' cannot have an entry '{key}'", (*path, key), hint=hint)
                good = False
    elif isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            good &= check_keys(name, parameter, item, (*path, key), say)
    return good


def check_limits(name: str, parameter: Parameter, value: Any, path: PathKey, say: Say) -> bool:
    """True if every value inside `value` keeps the parameter's `min`, `max`, `choices` and `nullable`."""
    if isinstance(value, dict | list):
        inside = value.items() if isinstance(value, dict) else enumerate(value)
        # A list, not a generator: all are to be reported.
        return all([check_limits(name, parameter, item, (*path, key), say) for key, item in inside])  # noqa: C419
    if value is None:
        if not parameter.nullable:
            say("DEF-045", f"'{name}' cannot be empty", path, hint="set `nullable: true` if it may")
        return parameter.nullable
    if parameter.choices is not None:
        if not any(type(c) is type(value) and c == value for c in parameter.choices):
            words = ", ".join(str(c).lower() if isinstance(c, bool) else str(c) for c in parameter.choices)
            hint = did_you_mean(value, parameter.choices)
            say("DEF-045", f"'{name}' is one of {words}, found {describe(value)}", path, hint=hint)
            return False
        return True
    if isinstance(value, int | float) and not isinstance(value, bool):
        if parameter.min is not None and value < parameter.min:
            say("DEF-045", f"'{name}' is at least {parameter.min:g}, found {value}", path)
            return False
        if parameter.max is not None and value > parameter.max:
            say("DEF-045", f"'{name}' is at most {parameter.max:g}, found {value}", path)
            return False
    elif parameter.min is not None or parameter.max is not None:
        numbers = "holds numbers" if isinstance(parameter.value, list | dict) else "is a number"
        say("DEF-045", f"'{name}' has a `min` or `max`, so it {numbers}, found {describe(value)}", path)
        return False
    return True
