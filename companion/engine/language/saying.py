"""A move in words: the short line for it, the exact line, and how it is typed. Reads nothing."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from companion.engine.language.fields import Field, actor, fields, value_of
from companion.engine.language.steps import CHOOSE
from companion.engine.language.verbs import verbs
from companion.engine.play.domains import Count, Domain, Flag, Free, OneOf, Pairs, PieceName, Seat, Tally
from companion.engine.play.moves import Move
from companion.engine.play.parts import Part, Turn, parts_of
from companion.engine.play.position import Position

STEPS_ARE = f"Its steps, with commas between them; `{CHOOSE}` after a step answers what it will ask"
FEW_WORDS = 6
"""So many words are named, where one of them is to be typed."""
WIDEST_STEP = 24
"""Columns for the usage of a step in a list of them."""


def usage(kind: type[Move]) -> str:
    """The usage of a move: `[player] meld KIND`. Anything the game can fill in or ask for may be left out."""
    who = actor(kind)
    parts = [f"[{who.name}]"] if who else []
    parts.append(verbs(kind)[0])
    for field in fields(kind):
        if field != who:
            typed = field.domain is not None and not isinstance(field.domain, Free)
            shown = field.name.upper() if typed else f"{field.name}=…"
            parts.append(shown + ("…" if field.many else ""))
    return " ".join(parts)


class StepWords(NamedTuple):
    """A step of a turn as it is typed: `governor BUILDING SPACE`."""

    usage: str
    about: str
    words: tuple[str, ...]
    """Every word for it, the first of them that of `usage`."""


def steps_of(kind: type[Move], at: Position[Any]) -> list[StepWords]:
    """The steps of a turn, those that may stand before its beginning last; none of any other move."""
    domain = parts_of(kind)
    parts = domain.every if domain else ()
    return [StepWords(_step_usage(part, at), about(part), (*filter(None, part.words),)) for part in parts]


def _step_usage(kind: type[Part], at: Position[Any]) -> str:
    shown = [kind.words[0]]
    for field in fields(kind):
        if field.domain is not None and not _goes_without_saying(field):
            said = _argument(field, at, len(shown) == 1)
            shown.append(f"[{field.domain.lead[0]} {said}]" if field.domain.lead else said)
    return " ".join(shown)


def _argument(field: Field, at: Position[Any], first: bool) -> str:
    """The argument of a step: its few words, or the name of the value; for a number that comes `first`, no name."""
    domain = field.domain
    words = list(domain.values(at)) if domain is not None and not field.many else []
    if 0 < len(words) <= FEW_WORDS:
        return "|".join(words)
    name = domain.set if isinstance(domain, PieceName) else field.name
    if isinstance(domain, Count) and first:
        return "N"
    return name.upper().replace(" ", "_") + ("…" if field.many else "")


def begins_with(kind: type[Move], word: str, at: Position[Any]) -> bool:
    """True if a move can be typed with a word at the start: a verb, or, for a turn whose name may be left out, what it
    names (`fortify`)."""
    if any(verb.startswith(word) for verb in verbs(kind)):
        return True
    domains = [field.domain for field in fields(kind)] if "" in kind.words else []
    return any(
        str(said).lower().startswith(word)
        for domain in domains
        if domain is not None and not domain.people
        for said in domain.spoken(at)
    )


def about(kind: type[Move]) -> str:
    """The description of a move or step, in one paragraph."""
    return " ".join((kind.__doc__ or "").split())


def explained(kind: type[Move], at: Position[Any]) -> str:
    """The help for a move: its usage, description, steps, and an example."""
    lines = [usage(kind), f"    {about(kind)}"]
    steps = steps_of(kind, at)
    if steps:
        lines.append(f"    {STEPS_ARE}:")
        wide = min(WIDEST_STEP, max(len(step.usage) for step in steps))
        for step in steps:
            between = "  " if len(step.usage) <= wide else f"\n{'':{wide + 8}}"
            lines.append(f"      {step.usage:{wide}}{between}{step.about}")
    return "\n".join([*lines, *([f"    e.g. {kind.example}"] if kind.example else [])])


def short(move: Move, at: Position[Any]) -> str:
    """The move in words as a person types them, without checking that they can be read in only one way."""
    kind = type(move)
    if isinstance(move, Turn) and move.parts():
        return write_turn(move, at)
    who = actor(kind)
    parts: list[str] = []
    counts = sum(isinstance(f.domain, Count) and not f.domain.announced for f in fields(kind))
    named: set[str] = set()
    for field in fields(kind):
        value = value_of(move, field)
        if (whole := _named_whole(move, field)) is not None and whole in _words_of(field, at):
            value = field.default if field.path[0] in named else whole
            named.add(field.path[0])
        if value == field.default or field == who or (kind.is_part and _goes_without_saying(field)):
            continue
        said = _say(field, value, at)
        if isinstance(field.domain, Tally) and not _is_tally(value):
            said = f"{field.name}={_plain(value)}"
        elif isinstance(field.domain, Count) and counts > 1 and not field.domain.announced:
            said = f"{said} {field.path[-1]}"
        elif field.domain is not None and field.domain.lead:
            said = f"{field.domain.lead[0]} {said}"
        parts.append(said)
    actor_said = value_of(move, who) if who else ""
    return " ".join(p for p in [str(actor_said or ""), verbs(kind)[0], *parts] if p)


def _is_tally(value: Any) -> bool:
    """True if a value holds counts by name, and nothing else."""
    return not isinstance(value, dict) or all(isinstance(n, int) for n in value.values())


def _named_whole(move: Move, field: Field) -> str | None:
    """The single name that a JSON report gives for a whole record (`to: L` for `to: {rest: L}`)."""
    said = getattr(move, field.attributes[0], None) if len(field.path) > 1 else None
    return said if isinstance(said, str) else None


def _words_of(field: Field, at: Position[Any]) -> Collection[str]:
    return tuple(field.domain.values(at)) if field.domain is not None else ()


def write_turn(turn: Turn, at: Position[Any]) -> str:
    """A turn on one line."""
    return ", ".join([short(turn.without_parts(), at), *(write_part(part, at) for part in turn.parts())])


def write_part(part: Part, at: Position[Any]) -> str:
    """A step in a person's words."""
    answers = getattr(part, "choose", None) or {}
    said = short(replace(part, choose={}) if answers else part, at)
    inner = (one for value in msgspec.structs.astuple(part) if isinstance(value, tuple) for one in value)
    every = [answers, *(getattr(one, "choose", None) or {} for one in inner)]
    lists = (given if isinstance(given, list) else [given] for each in every for given in each.values())
    flat = [str(answer) for given in lists for answer in given]
    return f"{said} {CHOOSE} {' '.join(flat)}" if flat else said


def _goes_without_saying(field: Field) -> bool:
    """True if naming a step also sets the field, which has only one value."""
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
        pairs = ((key, one) for key, v in value.items() for one in (v if isinstance(v, list | tuple) else [v]))
        return " ".join(f"{_word(domain.left, key, at)} {_word(domain.right, one, at)}" for key, one in pairs)
    if isinstance(value, list | tuple):
        return " ".join(_word(domain, part, at) for part in value)
    if isinstance(value, dict) and not domain.written(at, value):  # amounts as names, or a name for each key
        names = [part for key, n in value.items() for part in ([key] * n if isinstance(n, int) else [n])]
        return " ".join(_word(domain, name, at) for name in names)
    return str(value) if isinstance(domain, Count | Seat | Tally) else _word(domain, value, at)


def _word(domain: Domain, value: Any, at: Position[Any]) -> str:
    """A value as a typed line has it."""
    if isinstance(value, dict | msgspec.Struct) and (written := domain.written(at, value)):
        return written
    spoken = domain.spoken(at)
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


__all__ = [
    "STEPS_ARE",
    "StepWords",
    "about",
    "begins_with",
    "explained",
    "explicit",
    "short",
    "steps_of",
    "usage",
    "verbs",
    "write_part",
]
