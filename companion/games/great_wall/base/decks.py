"""The eight decks: how many cards are left, which cards may still come up, and what happens to an empty one.

Nobody knows the order of a deck. A card that comes up is reported; it cannot be one that lies open somewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Annotated, Any, ClassVar

import msgspec

from companion.engine.things.paths import found, walk
from companion.rules import Breach, Move, OneOf, Rules

from .catalogue import At, cat, name_of
from .reports import TableReport
from .state import State


class Deck(msgspec.Struct, frozen=True):
    """A deck of cards. `size`: the field with the number of cards left; `pile`: the field with the cards that are
    shuffled when it runs out; `empty`: the rule for that; `name`: as the log calls it."""

    set: str
    size: str
    pile: str
    empty: str
    name: str = ""

    def left(self, s: State) -> int:
        return int(found(s, self.size)[0])

    def change(self, s: State, by: int) -> None:
        into: Any = s.horde_deck if self.set == "horde" else s
        setattr(into, self.size.rpartition(".")[2], max(0, self.left(s) + by))


DECKS = {
    "horde": Deck("horde", "horde_deck.count", "horde_discard", "GW-GRID-7"),
    "advisor": Deck("advisor", "advisor_deck_count", "advisor_discard", "GW-SPR-7", "advisor deck"),
    "tactic": Deck("tactic", "tactic_deck_count", "tactic_discard", "GW-CARD-6"),
    "relic": Deck("relic", "relic_deck", "relic_pile", "GW-AB-9", "relic deck"),
    "rat": Deck("rat-card", "rat_deck", "rat_pile", "GW-RAT-12", "Rat deck"),
    "dragon": Deck("dragon-card", "dragon_deck", "dragon_discard", "GW-ID-8", "dragon deck"),
}
OPEN: dict[str, dict[str, str]] = {
    "horde": {"before the wall": "hordes.*.*.card", "claimed": "player.*.claimed.*.card", "in the discard pile": "horde_discard.*"},
    "advisor": {"on the advisor track": "advisor_track.*", "with {}": "player.*.active.* player.*.support.*", "in the discard pile": "advisor_discard.*"},
    "general": {"with {}": "player.*.general"},
    "tactic": {"in the discard pile": "tactic_discard.*"},
    "artifact": {"on the board": "artifacts.*"},
    "skill": {"beside the Khan": "khan.skills.*.card"},
    "relic": {"on the pile of relics": "relic_pile.* relic"},
    "rat-card": {"on the pile of Rat cards": "rat_pile.* rat.card"},
    "dragon-card": {"on the tile": "dragon.card", "with {}": "player.*.dragon_cards.*", "in the discard pile": "dragon_discard.*"},
}  # fmt: skip
"""Set -> where its cards lie open, as a sentence says it, and the paths to them."""


def lying(at: At, set_name: str) -> list[tuple[str, str]]:
    """The cards of a set that lie open, each with its place."""
    places = OPEN[set_name].items()
    return [(card, where.format(*stars)) for where, path in places for stars, card in walk(at.state, path)]


def in_play(at: At, set_name: str) -> tuple[str, ...]:
    """The cards of a set that belong to the modules of this table."""
    return _of_modules(at.rules, tuple(at.state.modules), set_name)


def has_towers(at: At) -> bool:
    """True if the wall has towers at this table."""
    return bool(in_play(at, "tower"))


@lru_cache(maxsize=256)
def _of_modules(rules: Rules, modules: tuple[str, ...], set_name: str) -> tuple[str, ...]:
    pieces = (piece for piece in rules.game.pieces if piece.set == set_name and piece.module in modules)
    return tuple(dict.fromkeys(piece.id for piece in pieces))


def hidden(at: At, set_name: str) -> list[str]:
    """The cards of a set that may still come up."""
    seen = _lying_open(at, set_name)
    return [card for card in in_play(at, set_name) if card not in seen]


def _lying_open(at: At, set_name: str) -> set[str]:
    return {card for path in OPEN[set_name].values() for card in found(at.state, path)}


def impossible(
    at: At, set_name: str, cards: Iterable[str], rule: str = "GW-INFO-8", *, left: int = 99, pile: Iterable[str] = ()
) -> Iterator[Breach]:
    """A breach for a card that cannot have come up: it belongs to a module that is not in play (GW-GEN-2), lies open
    elsewhere (`rule`: the rule that says so), or stands twice in the report. Once `left` cards have come, those of the
    `pile` may."""
    drawn = [card for card in cards if card]
    if not drawn:
        return
    pieces, there = cat(at).of(set_name), _lying_open(at, set_name)
    for n, card in enumerate(drawn):
        where = ""
        if card in there:
            where = next(place for one, place in lying(at, set_name) if one == card)
        elif card not in pieces:
            where = "in the box"
        if card in pieces and pieces[card].module not in at.state.modules:
            yield at.breach("GW-GEN-2.card", what=f"{name_of(at, set_name, card)} ({card})")
        elif where and (n < left or card not in pile):
            yield at.breach(f"{rule}.elsewhere", card=card, name=name_of(at, set_name, card), where=where)
        elif card in drawn[:n]:
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
    """The number, up to `n`, of cards that can be drawn, if need be after renewing the deck; `more` go onto the pile
    first."""
    return min(n, DECKS[deck].left(at.state) + len(getattr(at.state, DECKS[deck].pile)) + len(list(more)))


def draw(at: At, deck: str, n: int) -> None:
    """Take so many cards, renewing the deck where it runs out."""
    for _ in range(n):
        if is_empty(at, deck):
            Reshuffle(deck=deck).apply(at)
        take(at, deck)


class Reshuffle(TableReport, frozen=True):
    """An empty deck is renewed."""

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


def renewed(at: At, deck: str) -> Move | None:
    """The reshuffling that goes without saying when the card of an empty deck is reported."""
    return Reshuffle(deck=deck) if is_empty(at, deck) and getattr(at.state, DECKS[deck].pile) else None


class RevealNext(TableReport, frozen=True):
    """The next card of a deck comes up: an advisor; once a year a relic, a Rat card, a dragon card."""

    deck: ClassVar[str]
    card: str = ""

    def card_options(self, at: At) -> list[str]:
        return hidden(at, DECKS[self.deck].set)

    def presumes(self, at: At) -> Move | None:
        return renewed(at, self.deck) or super().presumes(at)

    def shows(self) -> dict[str, Any]:
        return {DECKS[self.deck].name: self.card}

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.card:
            yield from impossible(at, DECKS[self.deck].set, [self.card])
            yield from self.misread(at)
        yield from run_out(at, self.deck)

    def misread(self, at: At) -> Iterator[Breach]:
        """The further contradictions between the report and its card."""
        return iter(())

    def apply(self, at: At) -> None:
        take(at, self.deck)


class RevealSeveral(TableReport, frozen=True):
    """Cards that lie open from the setup on. `due`: the parameter that says how many."""

    set: ClassVar[str]
    due: ClassVar[str]
    cards: tuple[str, ...] = ()

    def cards_options(self, at: At) -> list[tuple[str, ...]] | None:
        left = hidden(at, self.set)
        return [tuple(left[: at[self.due]])] if left else None

    def things(self, at: At, field: str) -> list[str] | None:
        return hidden(at, self.set) if field == "cards" else None

    def shows(self) -> dict[str, Any]:
        return {f"{self.set}s": sorted(self.cards)}

    def forbidden(self, at: At) -> Iterator[Breach]:
        if there := [card for card, _ in lying(at, self.set)]:
            yield at.breach(f"{self.elsewhere}.shown", cards=there)
        elif self.cards and len(self.cards) != at[self.due]:
            yield at.breach(f"{self.elsewhere}.number", n=len(self.cards), due=at[self.due])
        if len(set(self.cards)) < len(self.cards):
            yield at.breach(f"{self.elsewhere}.twice")


ANYTIME = (Reshuffle,)
