"""A move in words: its verbs, the short line for it, the exact line, and how it is typed. Reads nothing."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from companion.engine.language.fields import Field, actor, fields, value_of
from companion.engine.language.turns import write_turn
from companion.engine.language.words import Phrasebook, Token, singular
from companion.engine.play.domains import Count, Flag, Free, OneOf, Pairs, Seat, Tally
from companion.engine.play.moves import Move
from companion.engine.play.parts import Turn
from companion.engine.play.position import Position


def verbs(kind: type[Move]) -> list[str]:
    """Everything a person may type for a move's name."""
    return [word for word in dict.fromkeys((*kind.words, kind.name.replace("_", " "), kind.name)) if word]


@cache
def verb_book(kind: type[Move]) -> Phrasebook:
    """The verbs of a move, ready to be matched."""
    return Phrasebook(dict.fromkeys(verbs(kind), kind))


def stands_around(kind: type[Move], line: list[Token], start: int) -> bool:
    """Whether a verb of several words stands around what is said: `puts daring into play`. Its last words end the line,
    where they mean nothing more."""
    verbs_ending_so = _by_last_word(kind).get(line[-1].text)
    if not verbs_ending_so:
        return False
    said = [token.text for token in line[start:]]
    return any(
        said[-len(rest) :] == rest and len(said) > len(rest) + 1 and singular(said[0]) == first
        for first, rest in verbs_ending_so
    )


@cache
def _by_last_word(kind: type[Move]) -> dict[str, list[tuple[str, list[str]]]]:
    """The verbs of several words by the last of them: the first and the rest of each."""
    found: dict[str, list[tuple[str, list[str]]]] = {}
    for first, *rest in map(str.split, verbs(kind)):
        if rest:
            found.setdefault(rest[-1], []).append((singular(first), rest))
    return found


def usage(kind: type[Move]) -> str:
    """How a move is typed: `[player] meld KIND`. Anything the game can fill in or ask for may be left out."""
    who = actor(kind)
    parts = [f"[{who.name}]"] if who else []
    parts.append(verbs(kind)[0])
    for field in fields(kind):
        if field != who:
            typed = field.domain is not None and not isinstance(field.domain, Free)
            shown = field.name.upper() if typed else f"{field.name}=…"
            parts.append(shown + ("…" if field.many else ""))
    return " ".join(parts)


def short(move: Move, at: Position[Any]) -> str:
    """The move in words as a person types them, without checking that they can be read in only one way."""
    kind = type(move)
    if isinstance(move, Turn) and move.parts():
        return write_turn(move, at, short)
    who = actor(kind)
    parts: list[str] = []
    counts = sum(isinstance(f.domain, Count) for f in fields(kind))
    for field in fields(kind):
        value = value_of(move, field)
        if value == field.default or field == who or (kind.is_part and _goes_without_saying(field)):
            continue
        said = _say(field, value, at)
        if isinstance(field.domain, Count) and counts > 1:
            said = f"{said} {field.path[-1]}"
        elif field.domain is not None and field.domain.lead:
            said = f"{field.domain.lead[0]} {said}"
        parts.append(said)
    actor_said = value_of(move, who) if who else ""
    return " ".join(p for p in [str(actor_said or ""), verbs(kind)[0], *parts] if p)


def _goes_without_saying(field: Field) -> bool:
    """Whether a step says a field by being named: it can have one value only."""
    return isinstance(field.domain, Flag) or (isinstance(field.domain, OneOf) and len(field.domain.words) == 1)


def _say(field: Field, value: Any, at: Position[Any]) -> str:
    domain = field.domain
    if domain is None:
        return f"{field.name}={_plain(value)}"
    if isinstance(domain, Flag):
        return domain.words[0]
    if isinstance(domain, Tally) and isinstance(value, dict):
        return " ".join(f"{n} {piece}" for piece, n in value.items())
    if isinstance(domain, Pairs) and isinstance(value, dict):
        left, right = domain.left.spoken(at), domain.right.spoken(at)
        pairs = ((key, one) for key, v in value.items() for one in (v if isinstance(v, list | tuple) else [v]))
        return " ".join(f"{_word(left, key)} {_word(right, one)}" for key, one in pairs)
    if isinstance(value, list | tuple):
        return " ".join(_word(domain.spoken(at), part) for part in value)
    if isinstance(value, dict):  # amounts as names, or a name for each key
        names = [part for key, n in value.items() for part in ([key] * n if isinstance(n, int) else [n])]
        return " ".join(_word(domain.spoken(at), name) for name in names)
    return str(value) if isinstance(domain, Count | Seat | Tally) else _word(domain.spoken(at), value)


def _word(spoken: dict[str, Any], value: Any) -> str:
    if isinstance(value, str) and value in spoken:
        return value
    return next((word for word, meant in spoken.items() if meant == value), str(value))


def explicit(move: Move) -> str:
    """The move with every argument as `name=value`: long, and exact."""
    kind = type(move)
    if isinstance(move, Turn) and move.parts():
        return ", ".join(map(explicit, (move.without_parts(), *move.parts())))
    said = [(f, value_of(move, f)) for f in fields(kind)]
    return " ".join(
        [kind.name or verbs(kind)[0], *(f"{f.name}={_plain(value)}" for f, value in said if value != f.default)]
    )


def _plain(value: Any) -> str:
    if isinstance(value, str) and value and not set(value) & set(" \"'{}[],/=\\"):
        return value
    import json

    return json.dumps(msgspec.to_builtins(value), ensure_ascii=False)


__all__ = ["explicit", "short", "usage", "verb_book", "verbs"]
