"""The Embassy: clerks, advisors, and advisors that change places (rules GW-TOWN-2 to -7)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Annotated, Any

from companion.rules import Breach, Brings, Move, OneOf, PieceName

from .catalogue import At, cat, name_of
from .icons import STEP
from .prices import FREE, Pay, Price
from .uses import ClerkUse

ACTIVE, SUPPORT = "active", "support"


class Purchase(ClerkUse, frozen=True):
    """Use a clerk in the Embassy."""

    site = "embassy"
    elsewhere = "GW-TOWN-2"

    def gold(self, at: At, rule: str, what: str, printed: int) -> Price:
        """A price in gold."""
        return Price(rule, what, {"gold": at.value("embassy.cost.gold", self.by, base=printed)})


class BuyClerk(Purchase, frozen=True):
    """Buy a clerk at the Embassy."""

    pay: Pay = None

    def obstacles(self, at: At) -> Iterator[Breach]:
        if at.state.own(self.by).clerks.embassy <= 0:
            yield at.breach("GW-TOWN-3.none", player=self.by)

    def price(self, at: At) -> Price:
        """The price of the player's next clerk (GW-TOWN-3)."""
        prices: list[int] = at["embassy.clerk_cost"]
        left = at.state.own(self.by).clerks.embassy
        return self.gold(at, "GW-TOWN-3", "a clerk", prices[-min(left, len(prices))]) if left > 0 else FREE

    def done(self, at: At, price: Price) -> None:
        p = at.state.own(self.by)
        p.clerks.embassy -= 1
        p.clerks.supply += 1
        p.clerks_bought += 1
        at.note("GW-TOWN-3.bought", player=self.by, cost=price.cost.get("gold", 0), sum=price.sum)


SIDES = {
    **dict.fromkeys(("active advisor", "active side", "face up"), ACTIVE),
    **dict.fromkeys(("supportive", "supportive advisor", "supporter", "supportive side", "face down"), SUPPORT),
}
"""Further words for the places of an advisor."""


class BuyAdvisor(Purchase, frozen=True):
    """Buy an advisor of the track at the Embassy."""

    words = ("buy",)
    card: Annotated[str, PieceName("advisor")] = ""
    place: Annotated[str, OneOf(ACTIVE, SUPPORT, spoken=SIDES, after=("as", "to", "for"))] = ""
    discard: Annotated[str, PieceName("advisor", lead=("discard",))] = ""
    revealed: Annotated[str, Brings("reveal_advisor")] = ""
    """The advisor that comes onto the track."""
    pay: Pay = None

    def card_options(self, at: At) -> list[str]:
        return list(at.state.advisor_track)

    def discard_options(self, at: At) -> list[str] | None:
        return self.surplus(at) or None

    def surplus(self, at: At) -> list[str]:
        """The advisors of whom one has to go, if the player then has more of the kind than possible (GW-TOWN-5)."""
        held: list[str] = getattr(at.state.own(self.by), self.place) if self.place else []
        return [*held, self.card] if self.place and len(held) >= int(at[f"advisor.{self.place}_max"]) else []

    def obstacles(self, at: At) -> Iterator[Breach]:
        if self.card and self.card not in at.state.advisor_track:
            yield at.breach("GW-TOWN-4.track", card=name_of(at, "advisor", self.card))
        elif self.discard and self.place and self.discard not in self.surplus(at):
            facts = {"card": name_of(at, "advisor", self.discard), "n": at[f"advisor.{self.place}_max"]}
            yield at.breach("GW-TOWN-5.kind", player=self.by, place=self.place, **facts)

    def price(self, at: At) -> Price:
        """The price of the slot where the advisor lies (GW-TOWN-4)."""
        if self.card not in at.state.advisor_track:
            return FREE
        printed = at["embassy.advisor_cost"][at.state.advisor_track.index(self.card)]
        return self.gold(at, "GW-TOWN-4", name_of(at, "advisor", self.card), printed)

    def done(self, at: At, price: Price) -> None:
        s, p = at.state, at.state.own(self.by)
        s.advisor_track.remove(self.card)
        getattr(p, self.place).append(self.card)
        facts: dict[str, Any] = {
            "card": name_of(at, "advisor", self.card),
            "place": self.place,
            "cost": price.cost.get("gold", 0),
        }
        at.note("GW-TOWN-4.bought", player=self.by, sum=price.sum, **facts)
        at.note("GW-TOWN-6.closes")
        if any(one.args.get("limit") == "first_each_activation" for one in cat(at).of("advisor")[self.card].effect):
            p.used_this_activation.append(self.card)  # its first occasion in this activation has passed (GW-CARD-8)
        if self.discard:
            (p.active if self.discard in p.active else p.support).remove(self.discard)
            s.advisor_discard.append(self.discard)
            at.note("GW-TOWN-5.discarded", player=self.by, card=name_of(at, "advisor", self.discard))


class SwapAdvisors(Purchase, frozen=True):
    """Exchange an active advisor with a supportive one."""

    words = ("swap",)
    sampled = True
    active: Annotated[str, PieceName("advisor")] = ""
    """The active one, which becomes supportive."""
    support: Annotated[str, PieceName("advisor", after=("with", "for", "against"))] = ""
    """The supportive one, which becomes active."""
    cards: Annotated[tuple[str, ...], PieceName("advisor", many=True, lead=("cards",), announced=True)] = ()
    """Both, in any order."""
    card: Annotated[str, PieceName("advisor", lead=("card",), announced=True)] = ""
    """One of them."""
    place: Annotated[str, OneOf(ACTIVE, SUPPORT, lead=("to",))] = ""
    """The place it goes to."""

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        """Every two of them, without naming one again."""
        for clan in at.rules.to_move(at.state):
            p = at.state.own(clan)
            if p.active and p.support and not at.refuses(cls(by=clan)):
                yield from (cls(by=clan, active=one, support=other) for one, other in product(p.active, p.support))

    def active_options(self, at: At) -> list[str]:
        return self._held(at, ACTIVE)

    def support_options(self, at: At) -> list[str]:
        return self._held(at, SUPPORT)

    def _held(self, at: At, kind: str) -> list[str]:
        """The advisors of a kind, as far as it has not been said otherwise which of them is meant."""
        held: list[str] = getattr(at.state.own(self.by), kind)
        named = [card for card in held if card in (*self.cards, self.card)]
        return named if self.card and self.place not in ("", kind) else named or held

    def cards_options(self, at: At) -> None:
        """Whoever names the two by their kinds need not name them again."""

    def card_options(self, at: At) -> list[str]:
        return ["", *filter(None, self.goes())]

    def place_options(self, at: At) -> list[str]:
        return ["", *filter(None, [self.goes().get(self.card)])]

    def goes(self) -> dict[str, str]:
        """Advisor -> where it goes."""
        return {self.support: ACTIVE, self.active: SUPPORT}

    def obstacles(self, at: At) -> Iterator[Breach]:
        p = at.state.own(self.by)
        if strange := [card for card in (self.card, *self.cards) if card and card not in (*p.active, *p.support)]:
            yield at.breach("GW-TOWN-7.held", player=self.by, card=name_of(at, "advisor", strange[0]))
            return
        if self.active and self.support and (self.card or self.place):
            known = self.goes().get(self.card)
            if known is None or self.place not in ("", known):
                yield at.loose_choice({"place" if known or not self.card else "card": None})
        for field in (ACTIVE, SUPPORT):
            card, held = getattr(self, field), getattr(p, field)
            if not held or (card and card not in held):
                name = name_of(at, "advisor", card) if card else "an advisor"
                yield at.breach(f"GW-TOWN-7.{field}", player=self.by, card=name)

    def done(self, at: At, price: Price) -> None:
        p = at.state.own(self.by)
        p.active = [self.support if card == self.active else card for card in p.active]
        p.support = [self.active if card == self.support else card for card in p.support]
        names = [name_of(at, "advisor", card) for card in (self.support, self.active)]
        at.note("GW-TOWN-7.swapped", player=self.by, active=names[0], support=names[1])
        at.kept("GW-CARD-2")


MOVES = {STEP: (BuyClerk, BuyAdvisor, SwapAdvisors)}
