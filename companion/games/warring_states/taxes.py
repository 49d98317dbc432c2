"""The Taxes Phase: Resource cards into Bu (rules WS-TAX)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, permutations, product
from typing import Annotated, Any, NamedTuple

from companion.engine.things.cards import learn
from companion.rules import Breach, Figure, OneOf, Options, PieceName

from .catalogue import At, cards
from .decks import discard, draw, impossible_draw, impossible_hand
from .moves import Market


class Set(NamedTuple):
    """A kind of meld: its rule, the parameter with `cards` of each material and `bu`, its materials."""

    rule: str
    parameter: str
    materials: tuple[str, ...]


MELDS = {
    "bronze": Set("WS-TAX-1", "tax.bronze", ("mine",)),
    "trade": Set("WS-TAX-2", "tax.trade", ("city",)),
    "rice": Set("WS-TAX-3", "tax.rice", ("agriculture",)),
    "balanced": Set("WS-TAX-4", "tax.balanced", ("mine", "city", "agriculture")),
    "pair_mine": Set("WS-TAX-5", "tax.pair", ("mine",)),
    "pair_city": Set("WS-TAX-5", "tax.pair", ("city",)),
    "pair_agriculture": Set("WS-TAX-5", "tax.pair", ("agriculture",)),
}
NAMED = ("bronze", "trade", "rice")
"""The melds whose names stand on Events."""
PLURALS = {"mine": ("mines", "bronze"), "city": ("cities", "trade"), "agriculture": ("agriculture", "rice")}


def one_of_each() -> Iterator[str]:
    """`mine city agriculture` in any order, with numbers and with `and`."""
    for first, second, third in permutations(PLURALS):
        for one, joint in product(("", "1 "), ("", "and ")):
            yield f"{one}{first} {one}{second} {joint}{one}{third}"


SPOKEN = {
    **dict.fromkeys(("one of each", "1 of each", "each", *one_of_each()), "balanced"),
    **{f"3 {many}": kind for many, kind in PLURALS.values()},
    **{f"3 {kind}": kind for _, kind in PLURALS.values() if kind != "trade"},
    **{f"{lead} {many}": f"pair_{one}" for one, (many, _) in PLURALS.items() for lead in ("2", "pair", "pair of")},
    **dict.fromkeys(("2 rice", "pair rice", "pair of rice"), "pair_agriculture"),
    **{f"{one} {one}": f"pair_{one}" for one in PLURALS},
    **{f"{one} {one} {one}": kind for one, (_, kind) in PLURALS.items()},
}
"""Everyday words for them."""


def meld_cards(at: At, kind: str) -> list[str]:
    """The cards a meld takes, by name."""
    meld = MELDS[kind]
    return [cards(at).material[m] for m in meld.materials for _ in range(at[meld.parameter]["cards"])]


def pays(at: At, player: str, kind: str) -> Figure:
    """The Bu of a meld. Events change only those that bear a name (WS-TAX-10), for everybody (WS-TAX-11)."""
    return at.value(f"meld.{kind}", player, base=at[MELDS[kind].parameter]["bu"])


class Meld(Market, frozen=True):
    """Discard a set of Resource cards for Bu."""

    repeats = ""
    kind: Annotated[str, OneOf(*MELDS, spoken=SPOKEN, of=("meld",))] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        p = self.own(at)
        if not self.kind:
            return
        taken, rule = meld_cards(at, self.kind), MELDS[self.kind].rule
        if p.resource_hand < len(taken):
            yield at.breach(rule, player=self.player, hand=p.resource_hand, cards=len(taken))
        else:
            yield from impossible_hand(at, "resource", self.player, taken, rule)

    def apply(self, at: At) -> None:
        p = self.own(at)
        taken, bu = meld_cards(at, self.kind), pays(at, self.player, self.kind)
        discard(at, "resource", self.player, taken)
        p.bu += bu.value
        facts = {"player": self.player, "taken": taken, "bu": bu.value, "total": p.bu, "hand": p.resource_hand}
        at.note(MELDS[self.kind].rule, at.rules.words("WS-TAX-7", "says", "meld"), **facts)
        for rule in bu.rules:
            at.note(rule, at.rules.words("WS-TAX-10", "says", "changed"), event=at.state.event, sum=bu.sum)
        if not at.quiet and self.kind not in NAMED and any(pays(at, self.player, kind).changes for kind in NAMED):
            at.note("WS-TAX-10.unchanged", event=at.state.event)


class ExchangeGenerals(Market, frozen=True):
    """Hand in Generals from the hand for a card from the Resource deck."""

    words = ("exchange",)
    generals: Annotated[tuple[str, ...], PieceName("general", many=True)] = ()
    drawn: Annotated[str | None, PieceName("drawn")] = None
    """The card that came up, if the table shows it."""

    def generals_options(self, at: At) -> Options:
        return combinations_with_replacement(sorted(cards(at).generals), at["tax.generals_exchange"]["generals"])

    def everything(self, at: At, field: str) -> Any:
        if field != "generals" or not self.player:
            return None
        known = at.state.players[self.player].resource_known
        return [one for one, general in cards(at).generals.items() for _ in range(known.get(general.card, 0))]

    def drawn_options(self, at: At) -> Options:
        return None

    def named(self, at: At) -> list[str]:
        """The cards handed in."""
        return [cards(at).generals[general].card for general in self.generals]

    def forbidden(self, at: At) -> Iterator[Breach]:
        p = self.own(at)
        due, hand = at["tax.generals_exchange"]["generals"], p.resource_hand
        if self.generals and len(self.generals) != due:
            yield at.breach("WS-TAX-6.number", needed=due, given=len(self.generals))
        if hand >= due:
            yield from impossible_hand(at, "resource", self.player, self.named(at), "WS-TAX-8")
        elif any(general in p.generals for general in self.generals):
            yield at.breach("WS-TAX-8", "WS-TAX-6", player=self.player, in_play=p.generals[:], hand=hand)
        else:
            yield at.breach("WS-TAX-6.hand", player=self.player, hand=hand, needed=due)
        if self.drawn:
            yield from impossible_draw(at, [self.drawn], at["tax.generals_exchange"]["draw"])

    def apply(self, at: At) -> None:
        p = self.own(at)
        discard(at, "resource", self.player, self.named(at))
        n = draw(at, "resource", at["tax.generals_exchange"]["draw"])
        p.resource_hand += n
        learn(p.resource_known, [self.drawn] if self.drawn and n else [])
        at.note("WS-TAX-6", player=self.player, generals=self.named(at), n=n, hand=p.resource_hand)
