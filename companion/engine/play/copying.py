"""Copies of states: a function made once from the annotations of the state's record, as quick as one written by hand.

Numbers, texts, tuples and frozen records are shared; lists, mappings, sets and open records are copied, however deep.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import cache
from inspect import get_annotations
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

Copier = Callable[[Any], Any]


@cache
def copier(kind: type[msgspec.Struct]) -> Copier:
    """The function that copies a record of this kind. Raises TypeError for a field whose type it cannot copy."""
    known: dict[str, Any] = {}
    exec(f"def copy(old):\n    return {_record(kind, 'old', known, 0)}", known)
    made: Copier = known["copy"]
    return made


def _record(kind: type[msgspec.Struct], value: str, known: dict[str, Any], depth: int) -> str:
    """Source of an expression that copies a record. Records inside it are written out, too: a call costs more."""
    names = kind.__struct_fields__
    hints = _hints(kind)
    values = [_code(hints[name], f"{value}.{name}", known, depth) for name in names]
    if kind.__match_args__ != names:  # some fields are given by keyword only
        values = [f"{name}={value}" for name, value in zip(names, values, strict=True)]
    new = f"new_{len(known)}"
    known[new] = kind
    return f"{new}({', '.join(values)})"


def _hints(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The annotations of a record's fields. Those that are not texts are taken as they stand, which is quicker."""
    found: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        found |= get_annotations(base)
    return get_type_hints(kind, include_extras=True) if any(isinstance(one, str) for one in found.values()) else found


def _code(annotation: Any, value: str, known: dict[str, Any], depth: int) -> str:
    """Source of an expression that copies `value`."""
    kind, arguments = get_origin(annotation) or annotation, get_args(annotation)
    if kind is Annotated:
        return _code(arguments[0], value, known, depth)
    if kind in (Union, types.UnionType):
        return _optional([part for part in arguments if part is not type(None)], value, known, depth)
    if not _is_open(annotation):
        return value
    item = f"x{depth}"
    if kind in (list, set):
        if not any(map(_is_open, arguments)):
            return f"{value}.copy()"
        return f"[{_code(arguments[0], item, known, depth + 1)} for {item} in {value}]"
    if kind is dict:
        if not any(map(_is_open, arguments)):
            return f"{value}.copy()"
        inner = _code(arguments[1], item, known, depth + 1)
        return f"{{k{depth}: {inner} for k{depth}, {item} in {value}.items()}}"
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return _record(kind, value, known, depth)
    raise TypeError(f"states hold no {annotation}")


def _optional(parts: list[Any], value: str, known: dict[str, Any], depth: int) -> str:
    opened = [part for part in parts if _is_open(part)]
    if not opened:
        return value
    if len(opened) > 1 or len(parts) > 1:
        raise TypeError(f"states hold no field that may be {' or '.join(map(str, parts))}")
    return f"(None if {value} is None else {_code(opened[0], value, known, depth)})"


def _is_open(annotation: Any) -> bool:
    """True if a value of this type can be changed in place."""
    kind, arguments = get_origin(annotation) or annotation, get_args(annotation)
    if kind is Literal or annotation in (int, str, bool, float, None, type(None)):
        return False
    if kind in (Union, types.UnionType, tuple, Annotated):
        return any(_is_open(part) for part in (arguments[:1] if kind is Annotated else arguments) if part is not ...)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return not kind.__struct_config__.frozen
    return kind is not frozenset


__all__ = ["copier"]
