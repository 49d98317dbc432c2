"""Decks, hands and what is known of them (rules WS-DECK and WS-INFO-4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from companion.engine.play.moves import Breach
from companion.engine.things.cards import Denial, Zone, blur, denial, discarded, forget, put_away
from companion.engine.things.cards import draw as take
from companion.engine.things.cards import reshuffle as shuffled
from components.phrasing import join_and

from .catalogue import At, cards


def reshuffle(at: At, deck: str) -> None:
    """The discard pile of an empty deck becomes the deck; what lay in it is unknown again (WS-DECK-2)."""
    pile = getattr(at.state.decks, deck)
    at.note("WS-DECK-2", deck=deck, cards=shuffled(pile))


def drawable(at: At, deck: str) -> int:
    """How many cards a draw can yield at most: the deck and its discard pile (WS-DECK-2 to -4)."""
    pile = getattr(at.state.decks, deck)
    return int(pile.draw) + discarded(pile)


def draw(at: At, deck: str, n: int, due: int = 0) -> int:
    """Take `n` cards, reshuffling in the middle if the deck runs out; the number that could be taken. `due`: how many
    there should have been, if more (WS-DECK-3, -4)."""
    pile, due = getattr(at.state.decks, deck), max(n, due)

    def ran_out(came_back: int) -> None:
        at.note("WS-DECK-3", deck=deck, drawn=pile.draw - came_back, due=due)
        at.note("WS-DECK-2", deck=deck, cards=came_back)

    taken = take(pile, n, ran_out)
    if taken < due:
        at.note("WS-DECK-4", deck=deck, count=taken, due=due)
    return taken


def discard_resources(at: At, player: str, names: Iterable[str], unnamed: int = 0) -> None:
    """Put named and unnamed Resource cards from a hand onto the discard pile."""
    p = at.state.players[player]
    names = list(names)
    forget(p.resource_known, names)
    p.resource_hand -= len(names) + unnamed
    if unnamed and not p.resource_hand:  # what was known of the hand is now known of the pile
        left = [name for name, n in p.resource_known.items() for _ in range(n)]
        names, unnamed = [*names, *left], unnamed - len(left)
        p.resource_known.clear()
    blur(p.resource_known, unnamed, p.resource_hand)
    put_away(at.state.decks.resource, names, unnamed)


def discard_battle(at: At, player: str, names: Iterable[str], unnamed: int = 0) -> None:
    """Put named and unnamed Battle cards from a hand onto the discard pile."""
    p = at.state.players[player]
    names = list(names)
    p.battle_hand -= len(names) + unnamed
    known = [name for name in p.battle_known if name not in names]
    p.battle_known = [] if unnamed else known  # any of them may have been among those put down
    put_away(at.state.decks.battle, names, unnamed)


def learn(known: dict[str, int], names: Iterable[str]) -> None:
    """Named cards have come to a hand."""
    for name in names:
        known[name] = known.get(name, 0) + 1


# --- what cannot be true (WS-INFO-4) -----------------------------------------------------------------------------


def _resources_outside(at: At, holder: str = "") -> Iterator[Zone]:
    """Where Resource cards lie, but for the deck and the hand of `holder`."""
    generals = cards(at).generals
    yield Zone("in the discard pile", at.state.decks.resource.discard)
    for seat, p in at.state.players.items():
        if p.generals:
            yield Zone(f"in play with {seat}", [generals[general].card for general in p.generals])
        if p.resource_known and seat != holder:
            yield Zone(f"in the hand of {seat}", p.resource_known)


def _denied(at: At, key: str, why: Denial | None, **facts: Any) -> Iterator[Breach]:
    if why and why.room is not None:
        yield at.breach("WS-INFO-4.room", room=why.room, needed=why.needed, **facts)
    elif why:
        where = join_and(why.where) or "none elsewhere"
        facts |= {"needed": why.needed, "copies": why.copies, "elsewhere": why.elsewhere, "where": where}
        yield at.breach(f"WS-INFO-4.{key}", card=why.card, **facts)


def impossible_draw(at: At, names: Sequence[str], n: int) -> Iterator[Breach]:
    """Resource cards that cannot come up when `n` are drawn. A draw that empties the deck brings back the discards."""
    if names:
        outside = list(_resources_outside(at))[at.state.decks.resource.draw < n :]
        yield from _denied(at, "draw", denial(cards(at).resources, Zone("in the deck"), outside, names))


def impossible_resources(at: At, player: str, names: Sequence[str]) -> Iterator[Breach]:
    """Resource cards `player` cannot hold: their copies are elsewhere, or the known cards leave no room for them."""
    if names:
        p = at.state.players[player]
        hand = Zone("in the hand", p.resource_known, p.resource_hand if p.resource_known else None)
        why = denial(cards(at).resources, hand, _resources_outside(at, player), names)
        yield from _denied(at, "copies", why, player=player, hand=p.resource_hand)


def impossible_battle(at: At, player: str, name: str) -> Iterator[Breach]:
    """A Battle card `player` cannot hold: it lies in the discard pile or is known to be elsewhere."""
    s, p = at.state, at.state.players[player]
    if name in s.decks.battle.discard:
        yield at.breach("WS-INFO-4.battle_discarded", player=player, card=name, where="discard pile")
    elif holder := next((q for q, other in s.players.items() if q != player and name in other.battle_known), ""):
        yield at.breach("WS-INFO-4.battle_held", player=player, card=name, where=holder)
    elif name not in p.battle_known and p.battle_known and len(p.battle_known) >= p.battle_hand:
        yield at.breach("WS-INFO-4.battle_known", player=player, card=name, known=list(p.battle_known))
