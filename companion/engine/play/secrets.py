"""Knowledge of the seats. State fields that only their owner knows are marked `Secret`; they are empty in a position as
another seat sees it, so that nothing made of it can tell them. Two positions that differ only there are the same to
that seat."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from companion.engine.play.declared import Each, Secret
from companion.engine.play.forms import hints_of, may_be_nothing, taken_apart
from companion.engine.play.position import Position

Keys = tuple[Any, ...]


def seen_by(at: Position[Any], seat: str) -> Position[Any]:
    """The position as `seat` may know it; as anybody may, if it is nobody's."""
    here = Position(at.rules, at.rules.copy(at.state), quiet=at.quiet)
    for into, name, blank, _ in hidden(here, seat):
        if isinstance(into, dict):
            into[name] = blank
        else:
            setattr(into, name, blank)
    return here


def seen_form(at: Position[Any], seat: str) -> dict[str, Any]:
    """The position form as `seat` may know it: `null` stands for what it may not."""
    form = at.rules.dump(seen_by(at, seat).state)
    for _, _, blank, path in hidden(at, seat):
        *way, last = path
        into: Any = form
        for step in way:
            into = into.get(step) if isinstance(into, dict) else None
        if isinstance(into, dict) and last in into:
            into[last] = dict.fromkeys(blank) if isinstance(blank, dict) and blank else None
    return form


Hidden = tuple[Any, Any, Any, Keys]
"""A secret from a seat: its record or mapping, its name there, the value to put there, and its path in the form."""


def hidden(at: Position[Any], seat: str) -> list[Hidden]:
    """Everything in a position that `seat` may not know."""
    return list(_hidden(at.state, at.rules.state, frozenset(at.seats), seat, "", ()))


def _hidden(value: Any, hint: Any, seats: frozenset[str], seat: str, owner: str, path: Keys) -> Iterator[Hidden]:
    """Everything inside a value that `seat` may not know. `owner`: the seat under whose name the value lies."""
    _, kind, arguments = taken_apart(hint)
    if not _keeps_secrets(hint) or value is None:
        return
    if isinstance(value, msgspec.Struct):
        names = dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))
        for name, inner in hints_of(kind).items():
            place = (*path, names[name])
            said = getattr(value, name)
            secret = _secret(inner)
            if secret is not None and owner and owner != seat and not (secret.unless and getattr(value, secret.unless)):
                yield value, name, _blank(said, inner), place
            else:
                yield from _hidden(said, inner, seats, seat, owner, place)
    elif isinstance(value, dict):
        secret = _secret(arguments[1])
        for key, said in value.items():
            mine = key if key in seats else owner
            if secret is not None and mine and mine != seat:
                yield value, key, _blank(said, arguments[1]), (*path, key)
            else:
                yield from _hidden(said, arguments[1], seats, seat, mine, (*path, key))


def keeps_secret(at: Position[Any], path: list[str], seat: str) -> bool:
    """True if the field at a path of the state belongs to another seat, which alone knows it."""
    hint, value, owner = at.rules.state, at.state, ""
    for step in path:
        _, kind, arguments = taken_apart(hint)
        if isinstance(value, dict):
            step = next((key for key in value if str(key).lower() == step.lower()), step)
            owner = step if step in at.seats else owner
            hint, value = arguments[1], value.get(step)
        elif isinstance(kind, type) and issubclass(kind, msgspec.Struct) and step in hints_of(kind):
            hint, value = hints_of(kind)[step], getattr(value, step, None)
        else:
            return False  # no secret lies inside a list
        if owner and owner != seat and marked(hint):
            return True
    return False


def marked(hint: Any) -> bool:
    """True if a field, of a state or of a move, is known only to its seat."""
    return _secret(hint) is not None


@cache
def _secret(hint: Any) -> Secret | None:
    return next((mark for mark in taken_apart(hint)[0] if isinstance(mark, Secret)), None)


@cache
def _keeps_secrets(hint: Any) -> bool:
    """True if a field of a record or an entry of a mapping is secret, at any depth."""
    _, kind, arguments = taken_apart(hint)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return any(_secret(inner) or _keeps_secrets(inner) for inner in hints_of(kind).values())
    return kind is dict and bool(_secret(arguments[1]) or _keeps_secrets(arguments[1]))


def _blank(said: Any, hint: Any) -> Any:
    """Nothing, in the type of the field: a mapping with an entry for each name keeps the names."""
    if isinstance(said, dict) and any(isinstance(mark, Each) for mark in taken_apart(hint)[0]):
        return {key: type(inner)() for key, inner in said.items()}
    return None if may_be_nothing(hint) else type(said)()


__all__ = ["hidden", "keeps_secret", "marked", "seen_by", "seen_form"]
