"""Turns made of parts on a typed line: the first segment names the turn, commas part its steps.

    zhao track, bubble, governor horses 1, exchange 3
    pass, take tiger, buy gold choose silk, buy jade

A turn whose name may be left out (`""` among its words) is known by its arguments. `choose` is followed by the answers
to what a step asks, in their order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from companion.engine.language.arguments import MOST_TIMES, ArgumentError, Arguments, Books
from companion.engine.language.fields import fields
from companion.engine.language.words import BEGINNING, FILLERS, PLURAL, Phrasebook, Token, number, segments, tokens
from companion.engine.play.domains import Flag, OneOf
from companion.engine.play.moves import acting
from companion.engine.play.parts import ANY, UNSAID, Part, Parts, Turn, parts_of
from companion.engine.play.position import Position

CHOOSE = "choose"


def read_turn(line: str, books: Books, me: str = "") -> tuple[list[Turn], str]:
    """Every turn that a line can be, the cheapest readings only; and what to say of the segment that cannot be read."""
    kinds = [kind for kind in books.at.rules.moves.values() if issubclass(kind, Turn)]
    first, *rest = segments(line)
    found: list[tuple[int, Turn]] = []
    troubles: dict[bool, str] = {}
    for kind in kinds:
        domain = parts_of(kind)
        if domain is None:
            continue
        for cost, header, left in _headers(kind, tokens(first), books, me):
            steps: list[Part] = []
            for words in [*([left] if left else []), *map(tokens, rest)]:
                read = read_parts(words, domain, books)
                if read is None:
                    said = " ".join(token.typed for token in words)
                    if cost >= BEGINNING:
                        break  # the first word only begins like a turn
                    named = any(word.text in kind.words for word in tokens(first))
                    steps_are = f"the steps of {kind.words[0]!r} are {', '.join(_names(domain))}"
                    troubles.setdefault(named, f"{said!r} is not a step of this turn; {steps_are}")
                    break
                cost += read[0]
                steps += read[1]
            else:
                found.append((cost, header.with_parts(steps)))
    cheapest = min((cost for cost, _ in found), default=0)
    turns = [turn for cost, turn in found if cost == cheapest]
    return [turn for i, turn in enumerate(turns) if turn not in turns[:i]], troubles.get(True) or troubles.get(
        False, ""
    )


def _headers(kind: type[Turn], words: list[Token], books: Books, me: str) -> Iterator[tuple[int, Turn, list[Token]]]:
    """(cost, turn without steps, words left for its first step) for every way to begin with the turn itself."""
    openings: list[tuple[int, str, int]] = [(0, "", 0)]
    for match in Phrasebook({seat: seat for seat in books.at.seats}, books.people).matches(words, 0):
        openings.append((match.length, match.value, match.cost))
    names = {word: kind for word in (*kind.words, kind.name) if word}
    for start, seat, price in openings:
        begins = [(match.length, match.cost) for match in Phrasebook(names).matches(words, start)]
        if "" in kind.words:
            begins.append((0, 1))
        for length, cost in begins:
            rest = words[start + length :]
            for cut in range(len(rest), -1, -1):
                try:
                    readings = Arguments(kind, books, rest[:cut]).read(seat, me)
                except ArgumentError:
                    continue
                for more, turn in readings:
                    assert isinstance(turn, Turn)
                    if length or replace(turn, **dict.fromkeys(filter(None, [acting(kind)]), "")) != kind():
                        yield price + cost + more, turn, rest[cut:]


def read_parts(words: list[Token], domain: Parts, books: Books) -> tuple[int, list[Part]] | None:
    """The steps a segment says, at their cost: one (`wall yiqu`), one several times (`two walls in yiqu`), or several
    with `and` or `then` between them; None if it says none."""
    if (one := read_part(words, domain, books)) is not None:
        return one[0], [one[1]]
    times = number(words[0].text) if words else None
    if times and times <= MOST_TIMES and (one := read_part(words[1:], domain, books)) is not None:
        return one[0], [one[1]] * times
    for i, token in enumerate(words):
        if token.text in ("and", "then") and (first := read_parts(words[:i], domain, books)) is not None:
            others = read_parts(words[i + 1 :], domain, books)
            return None if others is None else (first[0] + others[0], [*first[1], *others[1]])
    return None


def step_alone(token: Token, at: Position[Any]) -> str:
    """What to say to somebody who began with a step and did not say of which turn; "" if it is none."""
    for kind in at.rules.moves.values():
        domain = parts_of(kind)
        for part in domain.every if domain else ():
            if any(match.cost <= PLURAL for match in Phrasebook(dict.fromkeys(part.words)).matches([token], 0)):
                return f"{token.typed!r} is a step; name the turn first, then its steps (e.g. {kind.example})"
    return ""


def read_part(words: list[Token], domain: Parts, books: Books) -> tuple[int, Part] | None:
    """The step a segment says, at its cost; None if it says none."""
    while words and words[0].text in FILLERS:
        words = words[1:]
    said, answers = _answers(words)
    best: tuple[int, Part] | None = None
    for kind in domain.every:
        for match in Phrasebook(dict.fromkeys((*kind.words, kind.tag()), kind)).matches(said, 0):
            try:
                readings = Arguments(kind, books, said[match.length :]).read()
            except ArgumentError:
                continue
            for cost, part in readings:
                assert isinstance(part, Part)
                part = _tagged(part)
                if answers:
                    if "choose" not in part.__struct_fields__:
                        continue
                    part = replace(part, choose={ANY: answers})
                if best is None or match.cost + cost < best[0]:
                    best = (match.cost + cost, part)
    return best


def _answers(words: list[Token]) -> tuple[list[Token], list[str]]:
    """The words of the step, and the answers typed after `choose`."""
    for i, token in enumerate(words):
        if token.text == CHOOSE:
            return words[:i], [answer.typed for answer in words[i + 1 :] if answer.text not in FILLERS]
    return words, []


def _tagged(part: Part) -> Part:
    """A step whose tag can have one value only has it by being named."""
    first = part.__struct_fields__[0]
    domain = fields(type(part))[0].domain
    if getattr(part, first) is not UNSAID:
        return part
    if isinstance(domain, Flag):
        return replace(part, **{first: True})
    if isinstance(domain, OneOf) and len(domain.words) == 1:
        return replace(part, **{first: domain.words[0]})
    return part


def _names(domain: Parts) -> list[str]:
    return [kind.words[0] for kind in domain.every]


def write_turn(turn: Turn, at: Position[Any], short: Any) -> str:
    """A turn on one line. `short` writes one move in a person's words."""
    return ", ".join([short(turn.without_parts(), at), *(write_part(part, at, short) for part in turn.parts())])


def write_part(part: Part, at: Position[Any], short: Any) -> str:
    """A step in a person's words."""
    answers = getattr(part, "choose", None) or {}
    said: str = short(replace(part, choose={}) if answers else part, at)
    flat = [str(answer) for given in answers.values() for answer in given]
    return f"{said} {CHOOSE} {' '.join(flat)}" if flat else said


__all__ = ["read_part", "read_parts", "read_turn", "step_alone", "write_part", "write_turn"]
