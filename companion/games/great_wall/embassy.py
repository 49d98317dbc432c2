"""The Embassy: clerks, advisors, and advisors that change places (rules GW-TOWN-2 to -7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

from companion.engine.play.moves import Breach, Move, OneOf, PieceName
from companion.engine.things.figures import Figure

from .activation import ClerkUse
from .catalogue import At, cat, name_of
from .effects import use_once
from .icons import STEP
from .locations import ends_use, too_many, use
from .prices import changes, misclaimed, unpaid

EMBASSY = "embassy"
ACTIVE, SUPPORT = "active", "support"


def clerk_cost(at: At, clan: str) -> Figure:
    """The price of a player's next clerk (GW-TOWN-3)."""
    prices: list[int] = at["embassy.clerk_cost"]
    bought = len(prices) - at.state.own(clan).clerks.embassy
    return at.value("embassy.cost.gold", clan, base=prices[max(0, min(bought, len(prices) - 1))])


def advisor_cost(at: At, clan: str, card: str) -> Figure:
    """The price of the slot where an advisor lies (GW-TOWN-4)."""
    slot = at.state.advisor_track.index(card)
    return at.value("embassy.cost.gold", clan, base=at["embassy.advisor_cost"][slot])


class Purchase(ClerkUse, frozen=True):
    """Use a clerk in the Embassy."""

    site = EMBASSY

    def pay_gold(self, at: At, cost: Figure) -> None:
        """Use the clerk and pay."""
        use(at, self.by, EMBASSY)
        at.state.own(self.by).res["gold"] -= int(cost)
        use_once(at, cost)


class BuyClerk(Purchase, frozen=True):
    """Buy a clerk at the Embassy."""

    name = "buy_clerk"
    elsewhere = "GW-TOWN-2"
    words = ("buy clerk",)
    example = "pine buy clerk"
    pay: dict[str, dict[str, int]] | None = None

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from self.moment(at)
        if self.by and at.state.own(self.by).clerks.embassy <= 0:
            yield at.breach("GW-TOWN-3.none", player=self.by)
            return
        yield from too_many(at, self.by)
        if self.by:
            cost = clerk_cost(at, self.by)
            yield from unpaid(at, self.by, "a clerk", {"gold": cost}, "GW-TOWN-3")
            yield from misclaimed(at, self.pay, {"gold": int(cost)})

    def apply(self, at: At) -> None:
        p, cost = at.state.own(self.by), clerk_cost(at, self.by)
        self.pay_gold(at, cost)
        p.clerks.embassy -= 1
        p.clerks.supply += 1
        p.clerks_bought += 1
        at.note("GW-TOWN-3.bought", player=self.by, cost=int(cost), sum=changes({"gold": cost}))
        ends_use(at, self.by)


class BuyAdvisor(Purchase, frozen=True):
    """Buy an advisor of the track at the Embassy."""

    name = "buy_advisor"
    elsewhere = "GW-TOWN-2"
    words = ("buy", "buy advisor")
    example = "pine buy A05 active"
    asks: ClassVar[dict[str, str]] = {
        "card": "GW-TOWN-4.card",
        "place": "GW-TOWN-5.place",
        "discard": "GW-TOWN-5.card",
    }
    card: Annotated[str, PieceName("advisor")] = ""
    place: Annotated[str, OneOf(ACTIVE, SUPPORT, spoken={"supportive": SUPPORT})] = ""
    discard: Annotated[str, PieceName("advisor", lead=("discard",))] = ""
    revealed: str = ""
    """The advisor that comes onto the track."""
    pay: dict[str, dict[str, int]] | None = None

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        if field == "card":
            return list(at.state.advisor_track)
        if field == "discard" and self.by and self.place and self.is_full(at):
            return [*getattr(at.state.own(self.by), self.place), self.card]
        return (ACTIVE, SUPPORT) if field == "place" else super().options(at, field) if field == "by" else None

    def is_full(self, at: At) -> bool:
        """Whether the player has as many advisors of the kind as possible (GW-TOWN-5)."""
        return len(getattr(at.state.own(self.by), self.place)) >= int(at[f"advisor.{self.place}_max"])

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from self.moment(at)
        if self.card and self.card not in at.state.advisor_track:
            yield at.breach("GW-TOWN-4.track", card=name_of(at, "advisor", self.card))
            return
        if self.discard and self.by and self.place:
            able = [*getattr(at.state.own(self.by), self.place), self.card] if self.is_full(at) else []
            if self.discard not in able:
                facts = {"card": name_of(at, "advisor", self.discard), "n": at[f"advisor.{self.place}_max"]}
                yield at.breach("GW-TOWN-5.kind", player=self.by, place=self.place, **facts)
        yield from too_many(at, self.by)
        if self.card and self.by:
            cost = advisor_cost(at, self.by, self.card)
            yield from unpaid(at, self.by, name_of(at, "advisor", self.card), {"gold": cost}, "GW-TOWN-4")
            yield from misclaimed(at, self.pay, {"gold": int(cost)})

    def apply(self, at: At) -> None:
        s, p, cost = at.state, at.state.own(self.by), advisor_cost(at, self.by, self.card)
        self.pay_gold(at, cost)
        s.advisor_track.remove(self.card)
        held = getattr(p, self.place)
        held.append(self.card)
        facts = {"card": name_of(at, "advisor", self.card), "place": self.place, "cost": int(cost)}
        at.note("GW-TOWN-4.bought", "", player=self.by, sum=changes({"gold": cost}), **facts)
        at.note("GW-TOWN-6.closes")
        if any(
            effect.args.get("limit") == "first_each_activation" for effect in cat(at).of("advisor")[self.card].effect
        ):
            p.used_this_activation.append(self.card)  # its first occasion in this activation has passed (GW-CARD-8)
        if self.discard:
            (p.active if self.discard in p.active else p.support).remove(self.discard)
            s.advisor_discard.append(self.discard)
            at.note("GW-TOWN-5.discarded", player=self.by, card=name_of(at, "advisor", self.discard))
        ends_use(at, self.by)

    def follow_ups(self, at: At) -> Iterator[Move]:
        if self.revealed:
            yield at.rules.moves["reveal_advisor"](card=self.revealed)


class SwapAdvisors(Purchase, frozen=True):
    """Exchange an active advisor with a supportive one."""

    name = "swap_advisors"
    elsewhere = "GW-TOWN-2"
    words = ("swap", "swap advisors")
    example = "pine swap A05 A12"
    asks: ClassVar[dict[str, str]] = {"active": "GW-TOWN-7.active", "support": "GW-TOWN-7.support"}
    active: Annotated[str, PieceName("advisor")] = ""
    """The active one, which becomes supportive."""
    support: Annotated[str, PieceName("advisor")] = ""
    """The supportive one, which becomes active."""
    cards: Annotated[tuple[str, ...], PieceName("advisor", many=True, lead=("cards",))] = ()
    """Both, in any order."""
    card: Annotated[str, PieceName("advisor", lead=("card",))] = ""
    """One of them."""
    place: Annotated[str, OneOf(ACTIVE, SUPPORT, lead=("to",))] = ""
    """Where it goes."""

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        if field in (ACTIVE, SUPPORT) and self.by:
            held = list(getattr(at.state.own(self.by), field))
            if self.card and self.place:
                return [card for card in held if card == self.card] if field != self.place else held
            return [card for card in held if card in (*self.cards, self.card)] or held
        return None if field in ("card", "place") else super().options(at, field) if field == "by" else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from self.moment(at)
        p = at.state.own(self.by) if self.by else None
        if p is not None:
            strange = [card for card in (self.card, *self.cards) if card and card not in (*p.active, *p.support)]
            if strange:
                yield at.breach("GW-TOWN-7.held", player=self.by, card=name_of(at, "advisor", strange[0]))
                return
            for field in (ACTIVE, SUPPORT):
                card, held = getattr(self, field), getattr(p, field)
                if not held or (card and card not in held):
                    name = name_of(at, "advisor", card) if card else "an advisor"
                    yield at.breach(f"GW-TOWN-7.{field}", player=self.by, card=name)
                    return
        yield from too_many(at, self.by)

    def apply(self, at: At) -> None:
        p = at.state.own(self.by)
        use(at, self.by, EMBASSY)
        p.active = [self.support if card == self.active else card for card in p.active]
        p.support = [self.active if card == self.support else card for card in p.support]
        names = [name_of(at, "advisor", card) for card in (self.support, self.active)]
        at.note("GW-TOWN-7.swapped", player=self.by, active=names[0], support=names[1])
        at.kept("GW-CARD-2")
        ends_use(at, self.by)


MOVES = {STEP: (BuyClerk, BuyAdvisor, SwapAdvisors)}

__all__ = ["EMBASSY", "MOVES", "BuyAdvisor", "BuyClerk", "SwapAdvisors", "advisor_cost", "clerk_cost"]
