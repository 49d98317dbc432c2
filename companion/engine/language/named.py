"""Arguments said by name on a typed line: `player=red`, `discs={"red": 2}`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from companion.engine.language.fields import Field, build, fields
from companion.engine.language.values import misnamed, normal
from companion.engine.language.words import Token
from companion.engine.play.moves import Move
from companion.engine.play.position import Position
from components.phrasing import suggest
from components.safe_text import too_large

Said = dict[tuple[str, ...], Any]
"""What was said in each field, by its path."""


class ArgumentError(Exception):
    """A `name=value` whose name is not a field of the move, or whose value is not valid for it."""


def said_by_name(kind: type[Move], keyed: Iterable[Token], at: Position[Any]) -> Said:
    """The values of every `name=value`. Raises ArgumentError."""
    said: Said = {}
    for token in keyed:
        named = [f for f in fields(kind) if token.key == f.name] or [f for f in fields(kind) if token.key == f.path[-1]]
        if len(named) != 1:
            hint = suggest(token.key, [f.name for f in fields(kind)], "it has")
            raise ArgumentError(f"{kind.name} has no argument {token.key!r}{hint}")
        said[named[0].path] = _plain(kind, named[0], token.text, at)
    return said


def _plain(kind: type[Move], field: Field, text: str, at: Position[Any]) -> Any:
    """The value of `name=text`: JSON where the field can hold it, otherwise the text itself."""
    import json  # few lines have `name=text`

    choices: list[Any] = [text]
    try:
        choices.insert(0, json.loads(text))
    except ValueError:
        pass
    except RecursionError:
        raise ArgumentError(f"{field.name}: the value is too deeply nested") from None
    if (number := too_large(choices[0])) is not None:
        raise ArgumentError(f"{field.name}: {number!r:.20} is more than anything at a table")
    for value in choices:
        value = normal(field, value, at)
        try:
            build(kind, {field.path: value})
        except msgspec.ValidationError:
            continue
        if value != "" and (wrong := misnamed(field, value, at)):
            raise ArgumentError(f"{kind.name}: {wrong}")
        return value
    raise ArgumentError(f"{kind.name}: {text!r} is not a valid value for {field.name!r}")


__all__ = ["ArgumentError", "Said", "said_by_name"]
