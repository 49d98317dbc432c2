"""A line without a verb that says what came up, or what a player takes: `gansu, white 9, black 4`, `ann 7T`."""

from __future__ import annotations

from companion.engine.language.arguments import Arguments
from companion.engine.language.books import Books
from companion.engine.language.fields import actor, fields, value_of
from companion.engine.language.named import ArgumentError
from companion.engine.language.repeated import dealt, repeated
from companion.engine.language.words import COURTESIES, WISHING, Token, past
from companion.engine.play.domains import Pairs, PieceName, Seat
from companion.engine.play.lines import try_line
from companion.engine.play.moves import Move, made_by, maker
from companion.engine.play.parts import Turn

DEAREST = 3
"""In points of what words cost: one that only begins like a name is no report without its verb."""


def reported(words: list[Token], books: Books) -> Move | None:
    """The event possible now that a line reports by what came up alone, all of it; None if there is no such event, or
    more than one."""
    if not words or any(word.key for word in words):
        return None
    found: list[Move] = []
    plain = [word for word in words if word.text not in COURTESIES]
    for kind in books.at.rules.moves.values():
        told = kind.role == "event" and not issubclass(kind, Turn) and actor(kind) is None
        if told and books.legal_of(kind):
            ways = _said(kind, plain, books, "") or (_said(kind, words, books, "") if plain != words else [])
            found += [move for move in ways if _whole(kind, move)]
    return found[0] if len(found) == 1 else None


def done_by(words: list[Token], books: Books) -> list[list[Move]]:
    """The moves that a player can make now, named without a verb after the player: `ann 7T`, `ben 3 armies`."""
    if len(words) < 2 or any(word.key for word in words):
        return []
    if turned := words[-2].text == "for":
        words = [words[-1], *words[:-2]]  # `two armies for ann`
    seat = next((seat for seat in books.at.seats if seat.lower() == words[0].text), "")
    rest = words[past(WISHING, words, 1) :]  # `ben wants 3 armies`
    said = any(word.text not in COURTESIES for word in rest)
    found: list[list[Move]] = []
    for kind in books.at.rules.moves.values() if seat else ():
        if issubclass(kind, Turn) or not kind.verbless:
            continue
        seats = sum(isinstance(field.domain, Seat) for field in fields(kind))
        if (seats == 1 or not turned) and any(maker(move) == seat for move in books.legal_of(kind)):
            found += [[move] for move in _said(kind, rest, books, seat) if said or move != made_by(kind, seat)]
            for times, once in repeated(kind, rest, books):
                ways = [dealt(move, times) for move in _said(kind, once, books, seat)]
                found += [every for every in ways if every and every not in found]
    return [moves for moves in found if try_line(books.at, moves).verdict.legal is not False]


def chosen(words: list[Token], books: Books, me: str) -> list[Move]:
    """The open choices that a name alone can mean, also after a seat: `army`, `ben intact`. `me`: the seat that chooses
    if none is named."""
    if not words or any(word.key for word in words):
        return []
    seat = next((seat for seat in books.at.seats if seat.lower() == words[0].text), "")
    rest, seat = (words[1:], seat) if seat else (words, me)
    choices = [kind for kind in books.at.rules.moves.values() if kind.role == "choice"]
    makers = {(kind, maker(move)) for kind in choices for move in books.legal_of(kind)}
    ways = [(kind, who) for kind, who in makers if seat in ("", who)]
    if not rest or len({who for _, who in ways}) != 1:
        return []
    found = [move for kind, who in ways for move in _said(kind, rest, books, who)]
    return [move for move in found if books.at.judge(move).legal]


def _said(kind: type[Move], words: list[Token], books: Books, seat: str) -> list[Move]:
    """The moves of a kind that words say without its verb."""
    try:
        readings = Arguments(kind, books, words).read(seat)
    except ArgumentError:
        return []
    return [move for cost, move in readings if cost <= DEAREST]


def _whole(kind: type[Move], move: Move) -> bool:
    """True if a report gives every result of chance, or at least names the piece it is about."""
    known = [(field, field.domain) for field in fields(kind) if field.domain is not None]
    if any(isinstance(domain, Pairs) and value_of(move, field) != field.default for field, domain in known):
        return True
    secret = [field for field, domain in known if domain.secret]
    drawn = secret or [field for field, domain in known if isinstance(domain, PieceName)]
    return bool(drawn) and all(value_of(move, field) != field.default for field in drawn)


__all__ = ["chosen", "done_by", "reported"]
