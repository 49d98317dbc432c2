"""Queries as they are typed: `income ana`, `governor_cost ana stable 2`, `area at=c4`. Knows no game."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, get_origin, get_type_hints

from companion.engine.answers.queries import QueryError
from companion.engine.play.position import Position
from components.phrasing import suggest
from components.safe_text import whole


def queried(line: str) -> str | None:
    """The question of a line that begins with `query`; None for any other line."""
    word, _, rest = line.strip().partition(" ")
    return rest.strip() if word.lower() == "query" else None


def typed(line: str, at: Position[Any], people: Mapping[str, str] | None = None) -> dict[str, Any]:
    """A query in words as plain data: its name, then its arguments in their order, or `name=value` in any.

    A list takes all words that are left, or words with commas between them. `people`: name -> seat.
    Raises QueryError.
    """
    import shlex

    try:
        words = shlex.split(line)
    except ValueError:
        raise QueryError("a quotation mark is missing") from None
    known = at.rules.queries()
    if not words:
        raise QueryError("; ".join(usages(at)) or "this game has no queries")
    name = _name(words.pop(0), list(known))
    takes = list(inspect.signature(known[name]).parameters)[1:]
    hints = get_type_hints(known[name])
    names = {name.lower(): seat for name, seat in {**{seat: seat for seat in at.seats}, **(people or {})}.items()}
    said: dict[str, Any] = {"query": name}
    while words:
        key, sign, value = words.pop(0).partition("=")
        if not sign:
            key, value = next((key for key in takes if key not in said), ""), key
        if key not in takes:
            lost = f"it has no '{key}'{suggest(key, takes)}" if sign else f"there is no place for '{value}'"
            raise QueryError(f"{usage(name, takes)}: {lost}")
        if get_origin(hints[key]) is list:
            rest = [value, *words] if not sign and key == takes[-1] else [value]
            words = [] if len(rest) > 1 else words
            said[key] = [_value(part, names, int) for one in rest for part in one.split(",") if part]
        elif get_origin(hints[key]) is dict:
            raise QueryError(f"{usage(name, takes)}: '{key}' is a mapping, so ask in JSON")
        else:
            said[key] = _value(value, names, hints[key])
    return said


def usages(at: Position[Any]) -> list[str]:
    """Every query of a game with its arguments, as one types them."""
    return [usage(name, list(inspect.signature(asked).parameters)[1:]) for name, asked in at.rules.queries().items()]


def usage(name: str, takes: list[str]) -> str:
    """A query with its arguments: `barge_cost PLAYER BARGE`."""
    return " ".join([name, *(key.upper() for key in takes)])


def _name(said: str, known: list[str]) -> str:
    """The query that is meant: by its name or an unmistakable beginning."""
    word = said.lower().replace("-", "_")
    fit = [name for name in known if name == word] or [name for name in known if name.startswith(word)]
    if len(fit) != 1:
        raise QueryError(f"no query is called '{said}'{suggest(word, known) or '; this game has no queries'}")
    return fit[0]


def _value(word: str, names: Mapping[str, str], kind: Any) -> Any:
    number = whole(word.removeprefix("-"))
    if number is not None and kind is not str:
        return -number if word.startswith("-") else number
    return names.get(word.lower(), word)


__all__ = ["queried", "typed", "usages"]
