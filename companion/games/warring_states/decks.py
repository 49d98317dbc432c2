"""Decks, hands and what is known of them (rules WS-DECK and WS-INFO-4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from companion.engine.play.moves import Amounts
from companion.engine.things import cards as piles
from companion.engine.things.cards import Denial, Zone, blur, denial, discarded, forget, put_away
from companion.rules import Breach
from components.phrasing import count, join_and, plural

from .catalogue import At, cards

CardList = tuple[str, ...] | Amounts
"""Resource cards: a list of names or a mapping name -> number."""


def listed(said: CardList) -> list[str]:
    """The cards one by one: `{Mine: 2}` -> `[Mine, Mine]`."""
    return list(Counter(said).elements())


def reshuffle(at: At, deck: str) -> None:
    """The discard pile of an empty deck becomes the deck; what lay in it is unknown again (WS-DECK-2)."""
    at.note("WS-DECK-2", deck=deck, name=deck.capitalize(), cards=piles.reshuffle(getattr(at.state.decks, deck)))


def drawable(at: At, deck: str) -> int:
    """The most cards that a draw can yield: the deck and its discard pile (WS-DECK-2 to -4)."""
    pile = getattr(at.state.decks, deck)
    return int(pile.draw) + discarded(pile)


def draw(at: At, deck: str, n: int, due: int = 0) -> int:
    """Take `n` cards, reshuffling in the middle if the deck runs out; the number that could be taken. `due`: how many
    there should have been, if more (WS-DECK-3, -4)."""
    pile, due = getattr(at.state.decks, deck), max(n, due)
    held, named = pile.draw, {"deck": deck, "name": deck.capitalize()}

    def ran_out(came_back: int) -> None:
        at.note("WS-DECK-3.ran_out" if held else "WS-DECK-3.empty", **named, drawn=held, due=due)
        at.note("WS-DECK-2", **named, cards=came_back)

    taken = piles.draw(pile, n, ran_out)
    if taken < due:
        at.note("WS-DECK-4", **named, count=taken, due=due)
    return taken


def discard(at: At, deck: str, player: str, names: Iterable[str], unnamed: int = 0) -> None:
    """Put named and unnamed cards of a deck from a hand onto its discard pile."""
    p, names = at.state.players[player], list(names)
    known, left = p.known(deck), p.held(deck) - len(names) - unnamed
    setattr(p, f"{deck}_hand", left)
    forget(known, names)
    if unnamed and not left:  # what was known of the hand is now known of the pile
        shown = list(Counter(known).elements())
        names, unnamed = [*names, *shown], unnamed - len(shown)
        known.clear()
    blur(known, unnamed, left)
    put_away(getattr(at.state.decks, deck), names, unnamed)


# --- what cannot be true (WS-INFO-4) -----------------------------------------------------------------------------


def _outside(at: At, deck: str, holder: str = "") -> Iterator[Zone]:
    """The zones of a deck's cards, without its draw pile and the hand of `holder`."""
    generals = cards(at).generals
    yield Zone("in the discard pile", getattr(at.state.decks, deck).discard)
    for seat, p in at.state.players.items():
        if deck == "resource":
            yield Zone(f"in play with {seat}", [generals[general].card for general in p.generals])
        if seat != holder and (known := p.known(deck)):
            yield Zone(f"in the hand of {seat}", known)


def _denied(at: At, key: str, why: Denial, **facts: object) -> Breach:
    first, *others = why.where or ("",)
    n, _, place = first.partition(" ")
    where = join_and([f"{n} {plural(int(n), 'is', 'are')} {place}", *others]) if place else "none"
    if why.needed > why.copies:
        key = "more" if key == "copies" else "draw_more"
    elif key == "copies" and why.copies == 1:
        key, where = "only", place
    facts |= {"needed": why.needed, "copies": why.copies, "elsewhere": why.elsewhere, "where": where}
    return at.breach(f"WS-INFO-4.{key}", card=why.card, **facts)


def impossible_draw(at: At, names: Sequence[str], n: int) -> Iterator[Breach]:
    """Resource cards that cannot come up when `n` are drawn. A draw that empties the deck brings back the discards."""
    if names:
        outside = list(_outside(at, "resource"))[at.state.decks.resource.draw < n :]
        if why := denial(cards(at).copies["resource"], Zone("in the deck"), outside, names):
            yield _denied(at, "draw", why)


def impossible_hand(at: At, deck: str, player: str, names: Sequence[str], rule: str) -> Iterator[Breach]:
    """Cards `player` cannot hold: their copies are elsewhere, or the known cards leave no room for them. Then it is
    `rule`, by which they come from the hand, that forbids it."""
    p = at.state.players[player]
    known, held = p.known(deck), p.held(deck)
    hand = Zone("in the hand", known, held if known else None)
    why = denial(cards(at).copies[deck], hand, _outside(at, deck, player), names)
    if why and why.room is not None:
        shown = list(Counter(known).elements())
        has = [*shown, *([count(held - len(shown), "unknown card")] if held > len(shown) else [])]
        yield Breach(
            rule, at.rules.words("WS-INFO-4", "breaks", "lacks"), {"player": player, "has": has, "named": [*names]}
        )
    elif why:
        yield _denied(at, "copies", why, player=player, hand=held)
