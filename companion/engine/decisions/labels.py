"""The label of a value on a button."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec

from companion.engine.language.fields import fields, value_of
from companion.engine.play.domains import Domain, Flag, Pairs, PieceName, Seat
from companion.engine.play.position import Position
from companion.engine.play.rules import Rules
from components.model import ResolvedPiece

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
    """A piece by its printed name; where that does not say what moves call it, with both."""
    piece = _pieces(at.rules).get((set_name, value))
    if piece is None:
        return value.replace("_", " ")
    return piece.name if value.lower() in piece.name.lower() else f"{piece.name} ({value})"


def section_of(value: Any, domain: Domain | None, at: Position[Any]) -> str:
    """The heading of a value in a long list: from its domain, from the field of its piece that the game names for the
    set, or else its first letter; "" for a value without a name."""
    if domain is None:
        return ""
    if own := domain.section(at, value):
        return own
    if not isinstance(domain, PieceName) or not isinstance(value, str) or not value:
        return ""
    piece = _pieces(at.rules).get((domain.set, value))
    if piece is not None and (field := at.rules.sections.get(domain.set)):
        return str(piece.fields.get(field, "")).replace("_", " ")
    first = (piece.name if piece is not None else value)[0]
    return first.upper() if first.isalpha() else ""


@lru_cache(maxsize=16)
def _pieces(rules: Rules) -> dict[tuple[str, str], ResolvedPiece]:
    """Set and name, or id, of every piece."""
    return {(piece.set, said): piece for piece in rules.game.pieces for said in (piece.name, piece.id)}


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


__all__ = ["NOTHING", "label_of", "section_of"]
