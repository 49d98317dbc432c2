"""Parts of a line beside its moves, and the check that they are true: `nobody exchanges, both ready`, `barbarian
invasion, everybody loses an army`.

Such a part records nothing more, so all of it has to hold: what is said to be left undone could be done, and after the
line can no longer be; what is told to have happened is what the rules tell of it, to the word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from companion.engine.language.clauses import Speakers
from companion.engine.language.mentions import atoms
from companion.engine.language.synonyms import instead_of, told_in_past
from companion.engine.language.together import ANY, BEING, NO, NOTHING
from companion.engine.language.unread import NotationError
from companion.engine.language.verbs import verb_book, verbs
from companion.engine.language.words import COURTESIES, EVERYBODY, PLURAL, WISHING, Token, number, singular, tokens
from companion.engine.play.lines import Outcome, try_line
from companion.engine.play.moves import Move, maker
from companion.engine.play.position import Position

HELPING = NO | BEING | ANY | WISHING | COURTESIES
MOST_PARTS = 6
"""Of a line of more parts none is left out for a try: that would read it as often as it has parts."""
ONCE = frozenset(("a", "an"))
AS_TOLD = {"happen": "change"}
"""Words of people -> those of the rules."""

Read = Callable[[str, Position[Any]], list[Move]]
"""(text, position) -> its moves. Raises NotationError."""


def told_beside(parts: list[str], at: Position[Any], speakers: Speakers, read: Read) -> list[Move]:
    """The moves of a line one part of which only tells what they do or leave undone; [] if there is no such part, or
    it is not true."""
    for n, part in enumerate(parts) if len(parts) <= MOST_PARTS else ():
        words = tokens(part)
        undone = not NO.isdisjoint(word.text for word in words)
        if len(words) < 2 or not (undone or (n and _tells(words, speakers))):
            continue
        with suppress(NotationError):
            moves = read(", ".join([*parts[:n], *after_one(parts, n, speakers)]), at)
            outcome = try_line(at, moves, typed=True)
            if not outcome.verdict.legal:
                continue
            last = n == len(parts) - 1
            about = speakers.all_named(parts[:n]) if words[0].text == "no" else set[str]()  # `ann passes, no recall`
            before = [] if last and about else parts[:n]
            if undone and (about or not last) and _is_left_undone(words, before, about, at, speakers, read, outcome):
                return moves
            if n and _tells(words, speakers) and _is_told(words, at, speakers, outcome):
                return moves
    return []


def said_again(moves: list[Move], at: Position[Any]) -> list[Move]:
    """The one report that a line makes in two parts: `the attack card is A2, Raid from the hills`; [] if the second
    part does not say all that the first does, or the report can be made twice."""
    if len(moves) != 2 or type(moves[0]) is not type(moves[1]) or type(moves[0]).role != "event":
        return []
    first, second = map(atoms, moves)
    whole = all(atom in second for atom in first) and try_line(at, moves[:1]).done
    return moves[1:] if whole and try_line(at, moves[1:], typed=True).verdict.legal else []


def after_one(parts: list[str], n: int, speakers: Speakers) -> list[str]:
    """The parts after one that is left out, the first of them with whoever that one names: `ann does not exchange and
    is ready`."""
    after = parts[n + 1 :]
    if after and (who := speakers.named(parts[n])) and not speakers.all_named(after[:1]):
        return [f"{who} {after[0]}", *after[1:]]
    return after


def _is_left_undone(
    words: list[Token],
    before: list[str],
    about: set[str],
    at: Position[Any],
    speakers: Speakers,
    read: Read,
    outcome: Outcome,
) -> bool:
    """True if the seats that could do what a part names have not, and after the line no longer can. `before`: the parts
    before it, which lead to where they could; `about`: the seats meant if it names nobody, empty: everybody."""
    here = try_line(at, read(", ".join(before), at)).after if before else at
    said = [word for word in words if word.text not in HELPING]
    seats = {speakers.seats[word.text] for word in said if word.text in speakers.seats}
    verb = [word for word in said if word.text not in speakers.seats]
    if about and not seats:
        could = {(kind, seat) for kind in _kinds(verb, here) for seat in about}
    else:
        could = {(kind, maker(move)) for kind in _kinds(verb, here) for move in here.legal_of(kind)}
        could = {(kind, seat) for kind, seat in could if seat and (not seats or seat in seats)}
    did = {(type(step.move), maker(step.move)) for step in outcome.steps}
    can = {(kind, maker(move)) for kind, _ in could for move in outcome.after.legal_of(kind)}
    return bool(could) and could.isdisjoint(did | can) and seats <= {seat for _, seat in could}


def _kinds(verb: list[Token], at: Position[Any]) -> Iterator[type[Move]]:
    """The kinds of moves of which words are a verb, the whole of it."""
    for kind in at.rules.moves.values() if verb else ():
        heads = {text.split()[0] for text in verbs(kind)}
        for head in (verb[0].text, *instead_of(verb[0].text, heads)):
            line = [Token(head, head), *verb[1:]]
            if any(m.length == len(verb) and m.cost <= PLURAL for m in verb_book(kind).matches(line, 0)):
                yield kind
                break


def _tells(words: list[Token], speakers: Speakers) -> bool:
    """True if a part tells something of somebody, of everybody or of nobody."""
    first = next((text for word in words if (text := _plain(word, speakers))), "")
    return first in speakers.books.at.seats or words[0].text in EVERYBODY | NOTHING


def _is_told(words: list[Token], at: Position[Any], speakers: Speakers, outcome: Outcome) -> bool:
    """True if the reported events of a line did all that a part tells, for everybody whom it names."""
    if not any(type(step.move).role == "event" for step in outcome.steps):
        return False
    told = [text for word in words if (text := _plain(word, speakers))]
    if len(told) < 2:
        return False
    events = [
        " ".join(["", *filter(None, (_plain(word, speakers) for word in tokens(event.what))), ""])
        for event in outcome.events
    ]
    wanted = [[seat, *told[1:]] for seat in at.seats] if words[0].text in EVERYBODY else [told]
    return all(any(f" {' '.join(one)} " in event for event in events) for one in wanted)


def _plain(word: Token, speakers: Speakers) -> str:
    """A word as it is compared: a seat, a number, or its plain form; "" for one that says nothing."""
    text = word.text
    if text in ONCE:
        return "1"
    if text in COURTESIES:
        return ""
    if (n := number(text)) is not None:
        return str(n)
    plain = singular(text) if text in NOTHING else (told_in_past(text) or [singular(text)])[0]
    return speakers.seats.get(text) or AS_TOLD.get(plain, plain)


__all__ = ["after_one", "told_beside"]
