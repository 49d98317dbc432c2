"""Words that can be typed next, for Tab: legal moves first, then whatever the pieces allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from msgspec.structs import replace

from companion.engine.language.arguments import Arguments
from companion.engine.language.books import Books
from companion.engine.language.fields import fields
from companion.engine.language.named import ArgumentError
from companion.engine.language.notation import seats_for_people
from companion.engine.language.reading import verbs_at
from companion.engine.language.saying import short, write_part
from companion.engine.language.turns import read_turn
from companion.engine.language.verbs import verbs
from companion.engine.language.wording import announces
from companion.engine.language.words import COURTESIES, Phrasebook, Token, number
from companion.engine.play.domains import Domain, Pairs, Tally
from companion.engine.play.drafts import TurnDraft
from companion.engine.play.moves import Move, acting, arguments_of, maker
from companion.engine.play.parts import Turn, parts_of
from companion.engine.play.position import Position

MOST = 200
"""So many values of a field are offered."""


def completions(
    line: str, at: Position[Any], *, people: Mapping[str, str] | None = None, answers: Iterable[str] = ()
) -> list[str]:
    """The words that can replace the last one of `line`, and those after it. `people`: person -> seat; `answers`: those
    to the open question, if any."""
    head, typed = (line, "") if line[-1:].isspace() or not line else _cut(line)
    if answers := list(answers):
        return _continued(answers, head.rpartition(",")[2].lstrip(), typed)
    known = {person: seat for person, seat in (people or {}).items() if seat in at.seats}
    if (steps := _steps(line, head, at, known)) is not None:
        return _continued(steps, head.rpartition(",")[2].lstrip(), typed)
    books = Books(at, known)
    words = books.words(head)
    readings = list(_readings(words, books)) if words else []
    if readings:
        return _continued(_values(readings, at, books), "", typed)
    found = _continued(_openings(words, at, books), "", typed)
    return found or (_continued(_every_verb(at), "", typed) if typed else [])


def _cut(line: str) -> tuple[str, str]:
    head, blank, typed = line.rpartition(" ")
    return head + blank, typed


def _continued(found: Iterable[str], head: str, typed: str) -> list[str]:
    """Of candidates for the whole of `head` and the word begun, what goes on as they were typed."""
    begun = (head + typed).lower()
    return list(dict.fromkeys(one[len(head) :] for one in found if one.lower().startswith(begun)))


# --- what a move is called ---------------------------------------------------------------------------------------


def _openings(words: list[Token], at: Position[Any], books: Books) -> Iterator[str]:
    """The verbs of what is legal now, for the seat that was named if one was; else also the seats, those first whose
    turn it is."""
    seats = Phrasebook({seat: seat for seat in at.seats}, books.people)
    named = {match.length: match.value for match in seats.matches(words, 0)} if words else {}
    length, who = max(named.items(), default=(0, ""))
    if not all(word.text in COURTESIES for word in words[length:]):
        return
    legal = at.legal()
    if who:
        fit = {kind for kind in {type(move) for move in legal} if _follows(kind, who, books)}
        legal = [move for move in legal if maker(move) == who or (not maker(move) and type(move) in fit)]
    yield from dict.fromkeys(one for move in legal for one in _opening(move, at))
    if not words:
        called = {seat: person for person, seat in books.people.items()}
        awaited = at.rules.to_move(at.state)
        for seat in (*awaited, *(seat for seat in at.seats if seat not in awaited)):
            yield called.get(seat, seat.lower())


def _follows(kind: type[Move], who: str, books: Books) -> bool:
    """True if the verb of a move without a player may stand after a seat: `ann reveals`, where she tells it."""
    arguments = Arguments(kind, books, [])
    arguments.read(who)
    return not arguments.unwanted and arguments.furthest == len(arguments.line)


def _every_verb(at: Position[Any]) -> Iterator[str]:
    return (verbs(kind)[0] for kind in at.rules.moves.values())


def _opening(move: Move, at: Position[Any]) -> Iterator[str]:
    """The words that begin a legal move: its verb, or the name with which a turn begins."""
    kind = type(move)
    if isinstance(move, Turn):
        who = acting(kind)
        named = short(replace(move.without_parts(), **({who: ""} if who else {})), at)
        if "" in kind.words:
            yield named.removeprefix(verbs(kind)[0]).strip() or named
        else:
            yield named
    else:
        yield verbs(kind)[0]


# --- what it says ------------------------------------------------------------------------------------------------


def _readings(words: list[Token], books: Books) -> Iterator[tuple[Move, list[str]]]:
    """The moves that the words say so far, by the best of the verbs that they may have; with the fields that the last
    word announces, if it does: `attack ben with`, `trade 2`."""
    best: int | None = None
    for cost, kind, seat, begin, rest in sorted(verbs_at(words, books), key=lambda start: start[0]):
        if best is not None and cost > best:
            return
        try:
            read: list[tuple[Move, list[str]]]
            read = [(move, []) for _, move in _said(kind, seat, words, begin, rest, books)]
            if not read and len(words) > begin and (named := _announced(kind, words[-1].text)):
                read = [(move, named) for _, move in _said(kind, seat, words[:-1], begin, rest, books)]
        except ArgumentError:
            continue
        if read:
            best = cost
            yield from read


def _said(
    kind: type[Move], seat: str, words: list[Token], begin: int, rest: tuple[str, ...], books: Books
) -> list[tuple[int, Move]]:
    """The moves that `words` say from `begin` on, where the verb ended; `rest` of it is still to come."""
    return Arguments(kind, books, words[begin:], rest, words[begin - 1].text).read(seat)


def _announced(kind: type[Move], word: str) -> list[str]:
    """The fields of which a word says that they come next: by their lead, or by a number."""
    if number(word) is not None:
        return [name for name, domain, _ in arguments_of(kind) if isinstance(domain, Tally)]
    return [field.path[0] for field in fields(kind) if announces(field, word)]


def _values(readings: list[tuple[Move, list[str]]], at: Position[Any], books: Books) -> Iterator[str]:
    """Words for what the moves leave out: values that are legal first, then what else the pieces allow."""
    later: list[str] = []
    for move, announced in readings:
        who = acting(type(move))
        seats = at.rules.to_move(at.state)
        if who and not getattr(move, who) and len(seats) == 1:
            move = replace(move, **{who: seats[0]})
        legal = [one for one in at.legal() if type(one) is type(move) and _goes_on(move, one)]
        for field, domain, default in arguments_of(type(move)):
            said = getattr(move, field)
            if domain is None or field == who or not (said == default or _is_many(domain)):
                continue
            if announced and field not in announced:
                continue
            good = [value for one in legal for value in _each(getattr(one, field)) if value not in _each(said)]
            yield from _words(domain, good, books)
            if said == default:
                allowed = None if domain.secret else move.options(at, field)
                every = (
                    domain.spoken(at).values() if allowed is None and (domain.secret or not legal) else allowed or ()
                )
                later += _words(domain, [one for value in islice(every, MOST) for one in _each(value)], books)
    yield from later


def _goes_on(move: Move, legal: Move) -> bool:
    """True if a move can become this legal one with more words."""
    for field, domain, default in arguments_of(type(move)):
        said, there = getattr(move, field), getattr(legal, field)
        same = said in (default, there)
        if not (same or (domain is not None and _is_many(domain) and set(_each(said)) <= set(_each(there)))):
            return False
    return True


def _is_many(domain: Domain) -> bool:
    return domain.many or isinstance(domain, Tally | Pairs)


def _each(value: Any) -> list[Any]:
    """The single values of a field: those of a list, the keys of a mapping."""
    if isinstance(value, dict | list | tuple):
        return list(value)
    return [] if value is None or value == "" else [value]


def _words(domain: Domain, values: Iterable[Any], books: Books) -> list[str]:
    """Values as they are typed; people stand for their seats."""
    spoken: dict[Any, str] = {}
    for word, meant in domain.spoken(books.at).items():
        if isinstance(meant, str | int):
            spoken.setdefault(meant, word.lower())
    if domain.people:
        spoken |= {seat: person for person, seat in books.people.items()}
    return [spoken[value] for value in dict.fromkeys(values) if value in spoken]


# --- the steps of a turn -----------------------------------------------------------------------------------------


def _steps(line: str, head: str, at: Position[Any], people: Mapping[str, str]) -> list[str] | None:
    """The steps that may follow those of a turn under way, as they are typed; None outside a turn."""
    if not any(issubclass(kind, Turn) for kind in at.rules.moves.values()):
        return None
    before, comma, _ = line.rpartition(",")
    said = seats_for_people(before if comma else head, people, at).strip()
    turns = read_turn(said, Books(at, people))[0] if said else []
    found: list[str] = []
    for turn in turns:
        who, seats = acting(type(turn)), at.rules.to_move(at.state)
        if who and not getattr(turn, who) and len(seats) == 1:
            turn = replace(turn, **{who: seats[0]})
        if parts_of(type(turn)) is not None and (comma or not turn.parts()) and (draft := TurnDraft(turn, at)).begun:
            found += [write_part(step.part, at) for step in draft.next_steps()]
    return found if comma or found else None


__all__ = ["completions"]
