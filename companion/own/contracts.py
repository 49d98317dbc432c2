"""Checks on everything that a project's rules module hands to the engine, with the faults reported to its author.

The engine trusts the games of this repository, whose types are checked before they run. A module somebody writes at
home is not, so its functions are wrapped: a wrong kind of answer is a fault at the function that gave it, not a failure
somewhere in the engine.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from inspect import isfunction
from typing import Any

import msgspec

from companion.engine.answers.ledger import Ledger
from companion.engine.play.forms import hints_of, misfit, taken_apart
from companion.engine.play.moves import Breach, Move
from companion.engine.play.rules import Rules
from companion.engine.things.views import View
from components.scene import Scene

Kinds = tuple[type, ...]

NOTHING = type(None)
METHODS: Mapping[str, Kinds] = {
    "names": (Iterable,),
    "spoken": (Mapping,),
    "shorthand": (list, NOTHING),
    "setup_move": (Move,),
    "dump": (dict,),
    "miscounted": (Iterable,),
    "unlawful": (Iterable,),
    "check_whole": (list, tuple),
    "agenda": (list,),
    "seats": (list, tuple),
    "to_move": (list, tuple),
    "heading": (str,),
    "phase": (str,),
    "show": (str,),
    "view": (View,),
    "awaits": (str,),
    "overview": (list, NOTHING),
    "private": (list,),
    "scene": (Scene, NOTHING),
    "score": (Ledger,),
    "pass_all": (list,),
    "propose": (Move, NOTHING),
    "queries": (Mapping,),
}
"""Method of `Rules` -> what it may return."""


class Unexpected(TypeError):
    """A function or class of a rules module returned something the engine cannot use. `place` is its file and line."""

    def __init__(self, function: Callable[..., Any], what: str) -> None:
        made = inspect.unwrap(function)
        self.place = f"{inspect.getsourcefile(made)}:{inspect.getsourcelines(made)[1]}"
        super().__init__(what)


def keep(rules: Any, own: str, maker: Callable[..., Any]) -> None:
    """Hold a rules object, and the moves that the module `own` declares, to what they may return. Raises Unexpected
    where `maker` did not make one."""
    if not isinstance(rules, Rules):
        raise Unexpected(maker, f"`{maker.__name__}` returned {_said(rules)}; it has to return a Rules object")
    if told := misfit(rules.new_state()):
        raise Unexpected(maker, f"`{rules.state.__name__}` begins with something it does not declare: {told}")
    for record in _records(rules.state):
        try:
            made = record()
        except TypeError:  # it has fields that have to be given
            continue
        if told := misfit(made):
            raise Unexpected(record, f"`{record.__name__}` begins with something it does not declare: {told}")
    for kind in type(rules).__mro__:
        for name, kinds in METHODS.items():
            if kind.__module__.startswith(own) and isfunction(plain := kind.__dict__.get(name)):
                setattr(kind, name, _answering(plain, f"{kind.__name__}.{name}", kinds))
    for move in rules.moves.values():
        for kind in move.__mro__:
            if not kind.__module__.startswith(own):
                continue
            if isfunction(plain := kind.__dict__.get("options")):
                kind.options = _answering(plain, f"{kind.__name__}.options", (Iterable, NOTHING))  # type: ignore[attr-defined]
            if isfunction(plain := kind.__dict__.get("forbidden")):
                kind.forbidden = _forbidding(plain, kind.__name__)  # type: ignore[attr-defined]


def _records(state: Any) -> set[type[msgspec.Struct]]:
    """The records that a state may hold, itself left out."""
    found: set[type[msgspec.Struct]] = set()
    left = [state]
    while left:
        _, kind, inside = taken_apart(left.pop())
        left += [one for one in inside if one is not Ellipsis]
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind not in found:
            found.add(kind)
            left += hints_of(kind).values()
    return found - {state}


def _answering(plain: Callable[..., Any], name: str, kinds: Kinds) -> Callable[..., Any]:
    """The same function, which may return these kinds of things only."""
    if hasattr(plain, "__wrapped__"):
        return plain

    @wraps(plain)
    def held(*given: Any, **named: Any) -> Any:
        found = plain(*given, **named)
        if not isinstance(found, kinds) or (kinds[0] is Iterable and isinstance(found, str)):
            raise Unexpected(plain, f"`{name}` returned {_said(found)}; it has to return {_any(kinds)}")
        if isinstance(found, Ledger) and (told := misfit(found)):
            raise Unexpected(plain, f"`{name}` returned a malformed Ledger: {told}{_ranked(told)}")
        return found

    return held


def _forbidding(plain: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The same `forbidden`, which has to yield breaches."""
    if hasattr(plain, "__wrapped__"):
        return plain

    @wraps(plain)
    def held(move: Any, at: Any) -> Iterator[Breach]:
        found = plain(move, at)
        if not isinstance(found, Iterable) or isinstance(found, str):
            raise Unexpected(plain, f"`{name}.forbidden` returned {_said(found)}; `yield` each breach")
        for breach in found:
            if not isinstance(breach, Breach):
                raise Unexpected(plain, f"`{name}.forbidden` yields {_said(breach)}, not `at.breach(…)`")
            yield breach

    return held


def _ranked(told: str) -> str:
    """A hint on how to write a ranking, for a fault in one."""
    how = '; each place of the ranking is a group of seats: `(("Red",), ("Blue", "Green"))`'
    return how if "ranking" in told else ""


def _said(value: Any) -> str:
    if value is None:
        return "nothing"
    return _article(type(value).__name__)


def _any(kinds: Kinds) -> str:
    names = {Iterable: "a list", NOTHING: "None", Mapping: "a dict", str: "a text"}
    said = [names.get(kind) or _article(kind.__name__) for kind in kinds if kind is not tuple]
    return " or ".join(said)


def _article(name: str) -> str:
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


__all__ = ["Unexpected", "keep"]
