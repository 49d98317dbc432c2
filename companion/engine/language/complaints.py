"""Messages about a line that cannot be read: the word at which its reading stopped, and what may stand there."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from companion.engine.language.arguments import Arguments
from companion.engine.language.books import Books
from companion.engine.language.fields import fields
from companion.engine.language.saying import usage
from companion.engine.language.spelling import meant_for
from companion.engine.language.steps import step_book
from companion.engine.language.verbs import verbs
from companion.engine.language.words import COURTESIES, EVERYBODY, PLURAL, Token, number, singular
from companion.engine.play.domains import Count, Seat, Tally
from companion.engine.play.moves import Move
from companion.engine.play.parts import parts_of
from companion.engine.play.position import Position
from components.phrasing import suggest


def misfit(arguments: Arguments, books: Books) -> str:
    """The message about the token at which the reading of the arguments stopped."""
    kind = arguments.kind
    if arguments.untrue is not None:
        value, noun = arguments.untrue
        return f"{value!r} is not {'an' if noun[0] in 'aeiou' else 'a'} {noun}"
    if arguments.unclear:
        return f"{arguments.unclear!r} could be several things here; name them"
    rest = arguments.line[arguments.furthest :]
    if not rest:
        return f"nothing follows {arguments.line[-1].typed!r}; usage: {usage(kind)}"
    if rest[0].text.isdigit() and len(rest) > 1 and any(isinstance(f.domain, Tally) for f in arguments.fields):
        rest = rest[1:]  # a number that counts nothing: the word after it is the one that is wrong
    token = rest[0]
    if arguments.unpaired is not None:
        before = arguments.line[arguments.furthest - 1].typed
        return f"{token.typed!r} cannot be read after {before!r}{_meant(token.text, arguments.unpaired.texts())}"
    close = nearest_values(arguments, rest)
    verb = verbs(kind)[0]
    if token.text in close:  # it could be read, had what it would say not been said already
        return f"{token.typed!r} is one word too many after {verb!r}; usage: {usage(kind)}"
    if close:
        hint = f"did you mean {close[0]!r}?"
    else:
        known = [field.domain.hint(arguments.books.at) for field in arguments.fields if field.domain is not None]
        example = f" (e.g. {kind.example})" if kind.example else ""
        hint = "; ".join([*dict.fromkeys(filter(None, known)), f"usage: {usage(kind)}{example}"])
    return f"{token.typed!r} cannot be read after {verb!r}; {hint}"


def nearest_values(arguments: Arguments, rest: list[Token]) -> list[str]:
    """The values of a kind's fields that look like the next words, the longest first."""
    close: list[str] = []
    for length in range(min(3, len(rest)), 0, -1):
        said = " ".join(t.text for t in rest[:length])
        for field in arguments.fields:
            if field.domain is not None:
                close += arguments.books[field].nearest(said)
    return close


def several(words: list[Token], kinds: Iterable[type[Move]]) -> str:
    """The message for a number before things of which each needs a move of its own: `buys two generals`; "" if there
    are none."""
    of_one = {field.name for kind in kinds for field in fields(kind) if field.domain and not field.many}
    for many, token in pairwise(words):
        one = singular(token.text)
        if (number(many.text) or 0) > 1 and one in of_one and one != token.text:
            return f"'{many.typed} {token.typed}' does not say which: name each of them ({one} A, {one} B)"
    return ""


def no_verb(words: list[Token], books: Books) -> str:
    """The message about a line without a verb."""
    at = books.at
    known = {verb.lower() for kind in at.rules.moves.values() for verb in verbs(kind)}
    seats = list(dict.fromkeys((*at.seats, *books.people)))
    meant = [token for token in words if token.text not in COURTESIES] or words
    others = [token for token in meant if token.text not in {*EVERYBODY, *(seat.lower() for seat in seats)}]
    if not others:
        return f"{words[0].typed!r} alone is not a move; add what happened"
    if len(meant) > 1 and others[0] is meant[0] and not known.isdisjoint((meant[1].text, singular(meant[1].text))):
        called = [*books.people, *(seat for seat in books.at.seats if seat not in books.people.values())]
        return f"no player or seat is called {meant[0].typed!r}{suggest(meant[0].text, called, 'seats')}"
    if said := next(filter(None, (_step_alone(token, at) for token in others[:2])), ""):
        return said
    if named := _named(others[0], books):
        return named
    if hint := _meant(others[0].text, known - {others[0].text}):
        return f"no move is called {others[0].typed!r}{hint}"
    late = next((token for token in others[1:] if token.text in known), None)
    if late:
        return f"{others[0].typed!r} cannot be read before {late.typed!r}"
    return f"no move is called {others[0].typed!r}"


def _step_alone(token: Token, at: Position[Any]) -> str:
    """The message for a line that begins with a step and names no turn; "" if it does not."""
    for kind in at.rules.moves.values():
        if (domain := parts_of(kind)) and any(match.cost <= PLURAL for match in step_book(domain).matches([token], 0)):
            return f"{token.typed!r} is a step; name the turn first, then its steps (e.g. {kind.example})"
    return ""


def _named(token: Token, books: Books) -> str:
    """The message for a line that begins with a piece or place, and not with what happens to it."""
    for kind in dict.fromkeys(map(type, books.legal)):
        for field in fields(kind):
            if field.domain is None or isinstance(field.domain, Count | Seat):
                continue
            if any(match.cost <= PLURAL for match in books[field].matches([token], 0)):
                return f"the line does not say what happens with {token.typed!r}; usage: {usage(kind)}"
    return ""


def _meant(word: str, known: Iterable[str]) -> str:
    """A guess at the end of a message, if a known word is near."""
    near = meant_for(word, known, 1)
    return f"; did you mean {near[0]!r}?" if near else ""


__all__ = ["misfit", "nearest_values", "no_verb", "several"]
