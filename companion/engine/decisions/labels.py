"""What a value is called on a button."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from companion.engine.language.fields import fields, value_of
from companion.engine.play.domains import Domain, Flag, Pairs, PieceName, Seat
from companion.engine.play.position import Position

NOTHING = "none"


def label_of(value: Any, domain: Domain | None, at: Position[Any]) -> str:
    """A value in a few words, as a label shows it."""
    if domain is not None and (own := domain.label(at, value)):
        return own
    if value is None or value in ("", (), [], {}):
        return NOTHING
    if isinstance(value, bool):
        return _yes_or_no(value, domain)
    if isinstance(value, dict):
        return _mapping(value, domain, at)
    if isinstance(value, list | tuple):
        return _listed(label_of(one, domain, at) for one in value)
    if isinstance(value, msgspec.Struct):
        return _record(value, at)
    if isinstance(domain, Seat):
        return at.rules.called(str(value))
    if isinstance(domain, PieceName) and isinstance(value, str):
        return _piece(domain.set, value, at)
    return str(value).replace("_", " ")


def _yes_or_no(value: bool, domain: Domain | None) -> str:
    if isinstance(domain, Flag) and value and domain.words:
        return domain.words[0]
    return "yes" if value else "no"


def _piece(set_name: str, value: str, at: Position[Any]) -> str:
    """A piece by its printed name; where that is not what moves call it, with both."""
    for piece in at.rules.game.pieces:
        if piece.set == set_name and value in (piece.id, piece.name):
            return piece.name if value == piece.name else f"{piece.name} ({value})"
    return value.replace("_", " ")


def _mapping(value: dict[Any, Any], domain: Domain | None, at: Position[Any]) -> str:
    left, right = (domain.left, domain.right) if isinstance(domain, Pairs) else (domain, None)
    return _listed(
        f"{one} {label_of(key, left, at)}"
        if isinstance(one, int) and not isinstance(one, bool)
        else f"{label_of(key, left, at)}: {label_of(one, right, at)}"
        for key, one in value.items()
    )


def _record(value: msgspec.Struct, at: Position[Any]) -> str:
    """The fields of a record that say something, one after the other."""
    said = [(field, value_of(value, field)) for field in fields(type(value))]
    parts = [
        f"{label_of(one, field.domain, at)}{f' {field.path[-1]}' if isinstance(one, int) else ''}"
        for field, one in said
        if one != field.default
    ]
    return _listed(parts) or NOTHING


def _listed(parts: Iterable[str]) -> str:
    return ", ".join(parts)


__all__ = ["NOTHING", "label_of"]
