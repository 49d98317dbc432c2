"""The eight decks: how many cards are left, which cards may still come up, and what happens to an empty one.

Nobody knows the order of a deck. A card that comes up is reported; it cannot be one that lies open somewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated

import msgspec

from companion.engine.play.moves import Breach, Move, OneOf
from companion.engine.things.cards import Zone, denial

from .catalogue import At, cat, name_of
from .reports import TableReport
from .state import State

Zones = Callable[[State], Iterator[Zone]]


class Deck(msgspec.Struct, frozen=True):
    """A deck of cards. `size`: the field with the number of cards left (`horde_deck.count`); `pile`: the field with
    the cards that are shuffled when it runs out; `empty`: the rule for that; `lie`: where its cards lie open."""

    set: str
    size: str
    pile: str
    empty: str
    lie: Zones

    def left(self, s: State) -> int:
        record, _, field = self.size.rpartition(".")
        return int(getattr(getattr(s, record) if record else s, field))

    def change(self, s: State, by: int) -> None:
        record, _, field = self.size.rpartition(".")
        into = getattr(s, record) if record else s
        setattr(into, field, max(0, getattr(into, field) + by))


def _hordes(s: State) -> Iterator[Zone]:
    yield Zone("before the wall", [horde.card for cards in s.hordes.values() for horde in cards])
    yield Zone("claimed", [claimed.card for p in s.player.values() for claimed in p.claimed])
    yield Zone("in the discard pile", s.horde_discard)


def _advisors(s: State) -> Iterator[Zone]:
    yield Zone("on the advisor track", s.advisor_track)
    for clan, p in s.player.items():
        yield Zone(f"with {clan}", [*p.active, *p.support])
    yield Zone("in the discard pile", s.advisor_discard)


def _generals(s: State) -> Iterator[Zone]:
    for clan, p in s.player.items():
        yield Zone(f"with {clan}", [p.general] if p.general else [])


def _tactics(s: State) -> Iterator[Zone]:
    yield Zone("in the discard pile", s.tactic_discard)
    played = [card for cards in s.played_this_unit.values() for card in cards if card not in s.tactic_discard]
    yield Zone("played a moment ago", played)


def _artifacts(s: State) -> Iterator[Zone]:
    yield Zone("on the board", s.artifacts)


def _skills(s: State) -> Iterator[Zone]:
    yield Zone("beside the Khan", [skill.card for skill in s.khan.skills])


def _relics(s: State) -> Iterator[Zone]:
    yield Zone("on the pile of relics", [*s.relic_pile, *([s.relic] if s.relic else [])])


def _rats(s: State) -> Iterator[Zone]:
    yield Zone("on the pile of Rat cards", [*s.rat_pile, *([s.rat.card] if s.rat.card else [])])


def _dragons(s: State) -> Iterator[Zone]:
    yield Zone("on the tile", [s.dragon.card] if s.dragon.card else [])
    for clan, p in s.player.items():
        yield Zone(f"with {clan}", p.dragon_cards)
    yield Zone("in the discard pile", s.dragon_discard)


DECKS = {
    "horde": Deck("horde", "horde_deck.count", "horde_discard", "GW-GRID-7", _hordes),
    "advisor": Deck("advisor", "advisor_deck_count", "advisor_discard", "GW-SPR-7", _advisors),
    "tactic": Deck("tactic", "tactic_deck_count", "tactic_discard", "GW-CARD-6", _tactics),
    "relic": Deck("relic", "relic_deck", "relic_pile", "GW-AB-9", _relics),
    "rat": Deck("rat-card", "rat_deck", "rat_pile", "GW-RAT-12", _rats),
    "dragon": Deck("dragon-card", "dragon_deck", "dragon_discard", "GW-ID-8", _dragons),
}
OPEN: dict[str, Zones] = {**{deck.set: deck.lie for deck in DECKS.values()}, "general": _generals, "artifact": _artifacts, "skill": _skills}  # fmt: skip
"""Set -> where its cards lie open."""


def in_play(at: At, set_name: str) -> list[str]:
    """The cards of a set that belong to the modules of this table."""
    modules = at.state.modules
    return [id for id, piece in cat(at).of(set_name).items() if piece.module in modules]


def out_of_play(at: At, module: str, what: str) -> Iterator[Breach]:
    """A breach if something belongs to a module that this table does not play with (GW-GEN-2)."""
    if at.state.modules and module not in at.state.modules:
        yield at.breach("GW-GEN-2.card", what=what)


def open_cards(at: At, set_name: str) -> set[str]:
    """The cards of a set that lie open somewhere."""
    return {card for zone in OPEN[set_name](at.state) for card in zone.known}


def hidden(at: At, set_name: str) -> list[str]:
    """The cards of a set that may still come up."""
    seen = open_cards(at, set_name)
    return [card for card in in_play(at, set_name) if card not in seen]


def impossible(at: At, set_name: str, cards: Iterable[str], rule: str = "GW-INFO-8") -> Iterator[Breach]:
    """A breach for a card that cannot have come up: it belongs to a module that is not in play (GW-GEN-2), lies open
    elsewhere (`rule`: the rule that says so), or stands twice in the report."""
    pieces, modules = cat(at).of(set_name), at.state.modules
    for n, card in enumerate(found := [card for card in cards if card]):
        name = name_of(at, set_name, card)
        if card in pieces and pieces[card].module not in modules:
            yield at.breach("GW-GEN-2.card", what=f"{name} ({card})")
            continue
        why = denial({card: 1} if card in pieces else {}, Zone("in the deck"), OPEN[set_name](at.state), [card])
        if why is not None:
            where = why.where[0].partition(" ")[2] if why.where else "in the box"
            yield at.breach(f"{rule}.elsewhere", card=card, name=name, where=where)
        elif card in found[:n]:
            yield at.breach("GW-INFO-8.twice", card=card, name=name_of(at, set_name, card))


def is_empty(at: At, deck: str) -> bool:
    return DECKS[deck].left(at.state) <= 0


def run_out(at: At, deck: str) -> Iterator[Breach]:
    """A breach if nothing can be drawn from a deck until it is renewed, or at all."""
    if is_empty(at, deck):
        left = "pile" if getattr(at.state, DECKS[deck].pile) else "none"
        yield at.breach(f"{DECKS[deck].empty}.{left}", deck=deck)


def take(at: At, deck: str, n: int = 1) -> None:
    """So many cards leave a deck. Of the horde deck, the next mark is not known then."""
    DECKS[deck].change(at.state, -n)
    if deck == "horde":
        at.state.horde_deck.top_mark = None


def drawable(at: At, deck: str, n: int, more: Iterable[str] = ()) -> int:
    """How many of `n` cards can be drawn, if need be after renewing the deck; `more` go onto the pile first."""
    return min(n, DECKS[deck].left(at.state) + len(getattr(at.state, DECKS[deck].pile)) + len(list(more)))


def cannot_come(at: At, deck: str, cards: Iterable[str], more: Iterable[str] = ()) -> Iterator[Breach]:
    """As `impossible`, of cards drawn one after the other: once the deck has run out, those of its pile may come."""
    left = DECKS[deck].left(at.state)
    pile = {*getattr(at.state, DECKS[deck].pile), *more}
    cards = list(cards)
    early = [card for n, card in enumerate(cards) if n < left or card not in pile]
    yield from impossible(at, DECKS[deck].set, early)
    for n, card in enumerate(cards):
        if n >= left and card in cards[:n] and card in pile:
            yield at.breach("GW-INFO-8.twice", card=card, name=name_of(at, DECKS[deck].set, card))


def draw(at: At, deck: str, n: int) -> None:
    """Take so many cards, renewing the deck where it runs out."""
    for _ in range(n):
        if is_empty(at, deck):
            Reshuffle(deck=deck).apply(at)
        take(at, deck)


class Reshuffle(TableReport, frozen=True):
    """An empty deck is renewed."""

    words = ("reshuffle", "shuffle")
    example = "reshuffle horde"
    deck: Annotated[str, OneOf(*DECKS)] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not self.deck:
            return
        deck = DECKS[self.deck]
        if not in_play(at, deck.set):
            yield at.breach("GW-GEN-2.card", what=f"the {self.deck} deck")
        elif not is_empty(at, self.deck):
            yield at.breach(f"{deck.empty}.left", deck=self.deck, n=deck.left(at.state))
        elif not getattr(at.state, deck.pile):
            yield at.breach(f"{deck.empty}.none", deck=self.deck)

    def apply(self, at: At) -> None:
        deck = DECKS[self.deck]
        pile: list[str] = getattr(at.state, deck.pile)
        deck.change(at.state, len(pile))
        at.note(f"{deck.empty}.renewed", deck=self.deck, n=len(pile))
        pile.clear()


def renewed(at: At, deck: str, needed: int = 1) -> Move | None:
    """The reshuffling that goes without saying when cards of an empty deck are reported."""
    left = DECKS[deck].left(at.state)
    return Reshuffle(deck=deck) if left < needed and not left and getattr(at.state, DECKS[deck].pile) else None


ANYTIME = (Reshuffle,)
