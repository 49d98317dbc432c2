"""Reading the finished arguments of an element. Every function raises Fault, naming the argument, for what is wrong.

`components.validate` checks whole records and collects their faults; an element asks for one argument after another
while it is drawn, and its first fault ends it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeGuard

from components.phrasing import did_you_mean
from generator.faces.faults import Fault

Args = dict[str, Any]

LARGEST = 100_000
"""No number of a template may be larger (or smaller, below 0)."""


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and -LARGEST <= value <= LARGEST


def number(args: Args, key: str, default: float | None = None) -> float:
    """A number (mm, degrees, points, …)."""
    value = args.get(key, default)
    if not _is_number(value):
        raise Fault("LAY-002", f"'{key}' must be a number, found {value!r}", key=key)
    return float(value)


def radius(args: Args, key: str) -> float:
    """A radius in mm, which is not negative."""
    found = number(args, key)
    if found < 0:
        raise Fault("LAY-002", f"'{key}' must not be negative, found {found:g}", key=key)
    return found


def numbers(args: Args, key: str, count: int) -> list[float]:
    """A list of exactly `count` numbers: a box, a point."""
    value = args.get(key)
    if not isinstance(value, list | tuple) or len(value) != count:
        raise Fault("LAY-002", f"'{key}' must be a list of {count} numbers, found {value!r}", key=key)
    if not all(map(_is_number, value)):
        from components.figurehints import figure_for

        hint = next((figure_for(item) for item in value if isinstance(item, str) and figure_for(item)), "")
        raise Fault("LAY-002", f"'{key}' must be a list of {count} numbers, found {value!r}", hint, key)
    return [float(item) for item in value]


def box(args: Args) -> list[float]:
    """`box: [x, y, w, h]` with sides of at least 0 mm."""
    found = numbers(args, "box", 4)
    if found[2] < 0 or found[3] < 0:
        raise Fault("LAY-002", f"'box' must not have a negative width or height, found {found}", key="box")
    return found


def name(args: Args, key: str) -> str:
    """A name: any text that is not empty."""
    value = args.get(key)
    if not isinstance(value, str) or not value:
        raise Fault("LAY-002", f"'{key}' must be a name, found {value!r}", key=key)
    return value


def whole(args: Args, key: str, low: int, high: int) -> int:
    """A whole number from `low` to `high`."""
    value = args.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise Fault("LAY-002", f"'{key}' must be a whole number from {low} to {high}, found {value!r}", key=key)
    return value


def word(args: Args, key: str, choices: Sequence[str]) -> str:
    """One of the words of `choices`; the first where the argument is not given."""
    value = args.get(key, choices[0])
    if value not in choices:
        hint = did_you_mean(value, choices, listing="one of")
        raise Fault("LAY-002", f"'{key}' cannot be {value!r}", hint, key)
    return str(value)


def only(args: Iterable[str], allowed: Iterable[str]) -> None:
    """Refuse arguments that are not `allowed`."""
    allowed = list(allowed)
    for key in args:
        if key not in allowed:
            hint = did_you_mean(key, allowed, listing="there are")
            raise Fault("LAY-001", f"unknown argument '{key}'", hint, str(key))


def unknown(kind: str, name: object, names: Iterable[str], key: str = "") -> Fault:
    """The fault of a name that does not exist."""
    return Fault("LAY-003", f"there is no {kind} '{name}'", did_you_mean(name, names, listing="there are"), key)
