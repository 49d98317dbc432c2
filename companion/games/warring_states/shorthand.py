"""Typed lines that say several moves at once."""

from __future__ import annotations

from companion.engine.language.notation import NotationError, read
from companion.engine.language.words import Phrasebook, tokens
from companion.engine.play.moves import Move

from .catalogue import At
from .clash import RevealDestiny
from .events import RevealEvent, pending_choice


def written_short(text: str, at: At) -> list[Move] | None:
    """`reveal fire qin`, `reveal treachery chu daring`, `reveal annex wu razed`: the Event, its target, what is taken.
    `chu clash 14S`: whose Destiny card it is."""
    first, *others = tokens(text)
    if others and others[0].text in RevealDestiny.words:
        return _destiny(first.text, text.partition(" ")[2], at)
    if first.text not in RevealEvent.words:
        return None
    ways = list(Phrasebook(at.rules.spoken("event")).matches(others, 0))
    surest = min(((way.cost, -way.length) for way in ways), default=None)
    named = [way for way in ways if (way.cost, -way.length) == surest]
    if len(named) != 1 or named[0].length == len(others):
        return None
    after = at.copy()
    moves: list[Move] = [RevealEvent(named[0].value)]
    for word in others[named[0].length :]:  # each further word answers what the Event then leaves to choose
        if not after.play(moves[-1]).legal:
            if len(moves) > 1:
                raise NotationError("unreadable", f"{others[named[0].length].typed} cannot be named")
            break  # the verdict on the Event says it all
        choice = pending_choice(after)
        if choice is None:
            raise NotationError("unreadable", f"{word.typed!r} answers nothing: the Event leaves no further choice")
        moves += read(f"{choice.words[0]} {word.typed}", after)
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
        who = " and ".join(c.belligerents)
        raise NotationError("unreadable", f"{seats[0]} shows no Destiny card in this war; {who} do")
    return [RevealDestiny(None, move.attacker_card) if seats[0] == c.defender else move]
