"""Piles and hands of cards with what is known of them, and claims about hidden cards that cannot be true.

People shuffle and hold real cards. A zone therefore has known cards and a number of unknown ones; every card of a deck
lies in exactly one zone. A claim is impossible if the copies of that card are known to lie elsewhere, or if the cards
known in the zone leave no room for it. What nobody stated never forbids: a zone whose size is not tracked makes no
claim impossible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping, MutableSequence
from typing import Protocol

import msgspec

Known = Mapping[str, int] | Iterable[str]
"""Cards that are known: name -> copies, or a list of names."""


def counted(known: Known) -> Mapping[str, int]:
    """Cards with their numbers; a mapping stays as it is."""
    if not isinstance(known, list | tuple) and isinstance(known, Mapping):
        return known
    found: dict[str, int] = {}
    for card in known:
        found[card] = found.get(card, 0) + 1
    return found


class Zone(msgspec.Struct, frozen=True):
    """A place where cards of a deck lie. `place`: as a sentence says it (`in the discard pile`, `in the hand of
    Chu`)."""

    place: str
    known: Known = ()
    size: int | None = None
    """The number of cards there; None: not tracked."""

    def tally(self) -> Mapping[str, int]:
        """The known cards with their numbers, as they are where they are counted already."""
        return counted(self.known)


class Denial(msgspec.Struct, frozen=True):
    """The reason why a claim about hidden cards cannot be true: too few copies (`card`), or too few cards (`room`)."""

    card: str = ""
    needed: int = 0
    copies: int = 0
    elsewhere: int = 0
    where: tuple[str, ...] = ()
    """The places of the other copies: `1 in the discard pile`."""
    room: int | None = None
    """The number of unknown cards in the zone, if that makes the claim impossible."""


def denial(
    copies: Mapping[str, int], here: Zone, others: Iterable[Zone], needed: Known, *, unnamed: int = 0
) -> Denial | None:
    """The reason why the cards `needed` cannot all come out of `here`, `unnamed` further cards leaving it with them;
    None if they can.

    A claim of more cards than the zone holds is not denied here: that is for the rule on the hand's size.
    """
    wanted = counted(needed)
    if not wanted:
        return None
    elsewhere = [(zone.place, zone.tally()) for zone in others if zone.known]
    for card, n in wanted.items():
        gone = 0
        for _, there in elsewhere:
            gone += there.get(card, 0)
        if n > copies.get(card, 0) - gone:
            where = tuple(f"{there[card]} {place}" for place, there in elsewhere if there.get(card))
            return Denial(card=card, needed=n, copies=copies.get(card, 0), elsewhere=gone, where=where)
    total = sum(wanted.values())
    if here.size is None or total + unnamed > here.size:
        return None
    known = here.tally()
    room = here.size - sum(known.values())
    new = 0
    for card, n in wanted.items():
        own = known.get(card, 0)
        if n > own:
            new += n - own
    return Denial(room=room, needed=total) if new > room else None


def beyond(drawn: Known, left: Known) -> dict[str, int]:
    """Cards that cannot all have come up: card -> how many of it came, of those of which fewer were left."""
    there = counted(left)
    return {card: n for card, n in counted(drawn).items() if n > there.get(card, 0)}


class Pile(Protocol):
    """A draw pile with its discard pile, as a game's state keeps them."""

    draw: int
    discard_unknown: int

    @property
    def discard(self) -> MutableMapping[str, int] | MutableSequence[str]: ...


def draw(pile: Pile, n: int, reshuffled: Callable[[int], None]) -> int:
    """Take `n` cards from a pile; if it runs out in the middle, its discard pile is shuffled into it (`reshuffled` is
    told how many cards that were). The number of cards that could be taken."""
    taken = min(n, pile.draw)
    pile.draw -= taken
    if taken < n and discarded(pile):
        reshuffled(reshuffle(pile))
        more = min(n - taken, pile.draw)
        pile.draw -= more
        taken += more
    return taken


def discarded(pile: Pile) -> int:
    """The number of cards in the discard pile."""
    known = pile.discard.values() if isinstance(pile.discard, MutableMapping) else pile.discard
    return (sum(known) if isinstance(pile.discard, MutableMapping) else len(pile.discard)) + pile.discard_unknown  # type: ignore[arg-type]


def reshuffle(pile: Pile) -> int:
    """The discard pile becomes part of the draw pile, and what lay in it is unknown again. How many cards it had."""
    n = discarded(pile)
    pile.draw += n
    pile.discard.clear()
    pile.discard_unknown = 0
    return n


def put_away(pile: Pile, names: Iterable[str], unnamed: int = 0) -> None:
    """Put named and unnamed cards onto the discard pile."""
    for name in names:
        if isinstance(pile.discard, MutableMapping):
            pile.discard[name] = pile.discard.get(name, 0) + 1
        else:
            pile.discard.append(name)
    pile.discard_unknown += unnamed


Hand = dict[str, int] | list[str]
"""The known cards of a hand: name -> copies, or a list of names."""


def learn(known: Hand, names: Iterable[str]) -> None:
    """Named cards have come to a hand."""
    for name in names:
        if isinstance(known, dict):
            known[name] = known.get(name, 0) + 1
        else:
            known.append(name)


def forget(known: Hand, names: Iterable[str]) -> None:
    """Named cards have left a hand: they are not known there any more."""
    for name in names:
        if isinstance(known, list):
            if name in known:
                known.remove(name)
        elif known.get(name, 0) > 1:
            known[name] -= 1
        else:
            known.pop(name, None)


def blur(known: Hand, gone: int, left: int) -> None:
    """`gone` unnamed cards have left a hand that now holds `left`: keep only what is certainly still there."""
    if left <= 0:
        known.clear()
    elif gone and known:
        for name, n in list(counted(known).items()):
            forget(known, [name] * min(n, gone))


__all__ = [
    "Denial",
    "Hand",
    "Pile",
    "Zone",
    "beyond",
    "blur",
    "denial",
    "discarded",
    "draw",
    "forget",
    "learn",
    "put_away",
    "reshuffle",
]
