"""The values of a field that is said by name or in JSON: words nobody knows, and words as the rules write them."""

from __future__ import annotations

from typing import Any

from companion.engine.language.fields import Field
from companion.engine.play.domains import Pairs, Seat
from companion.engine.play.position import Position
from components.phrasing import suggest


def misnamed(field: Field, value: Any, at: Position[Any]) -> str:
    """The message about the first word of a value that its field's domain does not know; in pairs, each side has its
    own domain. Empty if all are known."""
    domain = field.domain
    if isinstance(domain, Pairs) and isinstance(value, dict):
        left, right = field._replace(domain=domain.left), field._replace(domain=domain.right)
        return misnamed(left, list(value), at) or misnamed(right, list(value.values()), at)
    if domain is None or domain.loose:
        return ""
    said = [value] if isinstance(value, str) else [*value] if isinstance(value, list | dict) else []
    words = [word for word in said if isinstance(word, str)]
    known = {v for v in domain.spoken(at).values() if isinstance(v, str)}
    if domain.people and not known and any(words):
        return "nobody has a seat at this table yet"
    wrong = next((word for word in words if known and word not in known), None)
    if wrong is None:
        return ""
    seat = isinstance(domain, Seat)
    what = f"no player or seat is called {wrong!r}" if seat else f"{wrong!r} is not a valid {field.name}"
    return what + suggest(wrong, sorted(known))


def normal(field: Field, value: Any, at: Position[Any]) -> Any:
    """`value` with words of the field's domain written as the rules write them (`qin` -> `Qin`)."""
    if field.domain is None:
        return value
    if isinstance(field.domain, Pairs) and isinstance(value, dict):
        left, right = field._replace(domain=field.domain.left), field._replace(domain=field.domain.right)
        return {normal(left, key, at): normal(right, part, at) for key, part in value.items()}
    if isinstance(value, str):
        spoken = {word.lower(): meant for word, meant in field.domain.spoken(at).items()}
        known = {v.lower(): v for v in spoken.values() if isinstance(v, str)}
        lower = value.lower()
        return known[lower] if lower in known else spoken.get(lower, value)
    if isinstance(value, list | tuple):
        return [normal(field, part, at) for part in value]
    if isinstance(value, dict):
        return {normal(field, key, at): part for key, part in value.items()}
    return value


__all__ = ["misnamed", "normal"]
