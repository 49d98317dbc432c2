"""Typed lines that say several moves at once."""

from __future__ import annotations

from itertools import dropwhile

from companion.engine.language.notation import NotationError, read
from companion.engine.language.words import FILLERS, Phrasebook, singular, tokens
from companion.engine.play.moves import Move

from .catalogue import At
from .clash import RevealDestiny
from .events import RevealEvent, pending_choice


def written_short(text: str, at: At) -> list[Move] | None:
    """`reveal fire qin`, `treachery against chu, daring`, `the event is annex, wu, razed`: the Event, its target, what
    is taken. `chu clash 14S`: whose Destiny card it is."""
    first, *others = tokens(text)
    if others and others[0].text in RevealDestiny.words:
        return _destiny(first.text, text.partition(" ")[2], at)
    others = [*dropwhile(lambda word: word.text in (*RevealEvent.words, *FILLERS), [first, *others])]
    if not others or (first.text not in RevealEvent.words and (at.state.phase != "event" or at.state.event)):
        return None
    ways = sorted(Phrasebook(at.rules.spoken("event")).matches(others, 0), key=lambda way: (way.cost, -way.length))
    named = [way for way in ways if (way.cost, way.length) == (ways[0].cost, ways[0].length)]
    if len(named) != 1 or named[0].length == len(others):
        return None
    after = at.copy()
    moves: list[Move] = [RevealEvent(named[0].value)]
    legal = after.play(moves[0]).legal
    for word in others[named[0].length :]:  # each further word answers what the Event then leaves to choose
        choice = pending_choice(after)
        if not legal or word.text in FILLERS or (choice and singular(word.text) in map(singular, choice.words)):
            continue  # the verdict says it all, or the word names the choice
        if choice is None:
            raise NotationError("unreadable", f"{word.typed!r} answers nothing: the Event leaves no further choice")
        moves += read(f"{choice.words[0]} {word.typed}", after)
        legal = after.play(moves[-1]).legal
    return moves


def _destiny(word: str, rest: str, at: At) -> list[Move] | None:
    """A reveal in which one player's card was said: as the attacker's or the defender's."""
    seats = [seat for seat in at.seats if seat.lower().startswith(word)]
    if len(seats) != 1:
        return None
    c, (move, *_) = at.state.campaign, read(rest, at)
    if c is None or not isinstance(move, RevealDestiny) or move.defender_card:
        return [move]
    if seats[0] not in c.belligerents:
        raise NotationError("unreadable", f"{seats[0]} shows no Destiny card; {' and '.join(c.belligerents)} do")
    return [RevealDestiny(None, move.attacker_card) if seats[0] == c.defender else move]
