"""Fields by name, as plain data from a program, read as a half-made move."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.engine.decisions.walks import STEP, Walk
from companion.engine.language import jsonmoves
from companion.engine.language.jsonmoves import MoveFormError
from companion.engine.play.moves import Move, struct_fields
from companion.engine.play.parts import Part, Turn, parts_of
from companion.engine.play.position import Position

VERB = "verb"
"""The key under which a step that is half said has its kind."""


def read_walk(at: Position[Any], bare: Move, said: dict[str, Any]) -> Walk:
    """A move half said from the names of fields and what was said in them. A name may be a path: `step.space`,
    `steps[1].choose.any_good`, `saves.plum`. Raises MoveFormError."""
    form = {**bare.to_json(), **{name: value for name, value in said.items() if name != STEP and not _is_path(name)}}
    for path, value in said.items():
        if _is_path(path) and not path.startswith(f"{STEP}."):
            form = _put(form, path, value)
    move = jsonmoves.from_json(form, at)
    names = _names(type(move))
    walk = Walk(move, frozenset(names[name] for name in said if name in names and name != "steps"))
    if not isinstance(move, Turn):
        return walk
    inside = {path.partition(".")[2]: value for path, value in said.items() if path.startswith(f"{STEP}.")}
    return _with_step(walk, at, said, inside)


def _with_step(walk: Walk, at: Position[Any], said: dict[str, Any], inside: dict[str, Any]) -> Walk:
    """The same with the step that is being said, or with none to follow."""
    if STEP not in said:
        return walk
    begun = said[STEP]
    if begun is None:
        return walk._replace(ended=True)
    form = {VERB: begun} if isinstance(begun, str) else dict(begun) if isinstance(begun, dict) else {}
    kind = _kind(type(walk.move), form.pop(VERB, None))
    form |= inside
    names = _names(kind)
    passed = frozenset(names[name] for name in form if name in names)
    return walk._replace(step=jsonmoves.step_from_json(kind, form, at), step_passed=passed)


def _kind(turn: type[Move], name: Any) -> type[Part]:
    domain = parts_of(turn)
    every = {jsonmoves.part_name(kind): kind for kind in domain.every} if domain else {}
    if name not in every:
        raise MoveFormError(f"{STEP}: {name!r:.60} is not a step of this turn; its steps are {', '.join(every)}")
    return every[name]


def _is_path(name: str) -> bool:
    return "." in name or "[" in name


def _put(form: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    if "[" not in path and not path.startswith("choose."):
        first, _, rest = path.partition(".")
        return {**form, first: {**(form.get(first) or {}), rest: value}}
    try:
        return jsonmoves.answered(form, path, value)
    except (LookupError, TypeError, AttributeError):
        raise MoveFormError(f"{path!r:.60} leads to no field of this move") from None


def _names(kind: type[msgspec.Struct]) -> dict[str, str]:
    """Name in the JSON form -> attribute."""
    return {info.encode_name: info.name for info in struct_fields(kind)}


__all__ = ["read_walk"]
