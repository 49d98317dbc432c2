"""Summer: income, shame removed, used cards, cards or honor (rules GW-SUM)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement
from typing import Annotated, Any

import msgspec

from companion.engine.things.figures import in_force
from companion.engine.things.sums import Gains
from companion.rules import Answer, Breach, Count, Move, OneOf, PieceName, Seat

from .catalogue import At, cat, name_of
from .prices import Pay, Price, gain, misclaimed, pay
from .reports import Pass, Report, TableReport, Window
from .shame import claimed_card, lift_shame, shamed, tokens
from .year import all_done, end_of_step, has_acted, in_tea_order, next_step, to_act

# --- step 1: income -----------------------------------------------------------------------------------------------


def income_of(at: At, clan: str) -> Gains:
    """A player's income, line by line: overseers, then cards (GW-SUM-1, GW-SUM-2)."""
    found = Gains()
    for location, level in at.state.player[clan].overseers.items():
        n = at["overseer.income"].get(level, 0)
        name = f"{name_of(at, 'location', location)} (overseer {level})"
        found.add(name, {cat(at).production[location]: n} if n else {}, "GW-SUM-1")
    for effect, source in in_force(at, at.rules.effects(at.state).triggers.get("summer_income", ()), clan, {}):
        for inner in effect.body if source.owner == clan else ():
            if inner.verb == "gain":
                found.add(source.name, inner.args["what"], "GW-SUM-2", source.piece.rule)
    return found


class Income(TableReport, frozen=True):
    """A player's income, or that of everybody who has not had it."""

    of_all = True
    elsewhere = "GW-SUM-1"
    by: Annotated[str, Seat(actor=False)] = ""
    goods: Annotated[
        list[str] | dict[str, list[str]], PieceName("good", many=True, loose=True).bringing("gain", "toll")
    ] = msgspec.field(default_factory=list)

    def by_options(self, at: At) -> list[str]:
        return ["", *(clan for clan in in_tea_order(at) if clan not in at.state.done)]

    def goods_options(self, at: At) -> list[list[str]] | None:
        """Players who report their own income say the goods with it."""
        n = income_of(at, self.by).total.get("goods", 0) if self.by else 0
        return [list(mix) for mix in combinations_with_replacement(at["goods"], n)] if n else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.by and self.by in at.state.done:
            yield at.breach("GW-SUM-1.twice", player=self.by)

    def apply(self, at: At) -> None:
        clans = [self.by] if self.by else [clan for clan in in_tea_order(at) if clan not in at.state.done]
        for clan in clans:
            for location, level in at.state.player[clan].overseers.items():
                if n := at["overseer.income"].get(level, 0):
                    kind = cat(at).production[location]
                    gain(at, clan, {kind: n}, "GW-SUM-1.gain", place=name_of(at, "location", location), level=level)
            at.trigger("summer_income", clan)
            has_acted(at, clan)
        at.kept("GW-SUM-2")
        if all_done(at):
            next_step(at)


# --- step 2: shame ------------------------------------------------------------------------------------------------


class RemoveShame(Report, frozen=True):
    """Pay chi to take a shame token off a soldier or a claimed card."""

    repeats = "carrier"
    counted = ("token", "shame")
    elsewhere = "GW-SUM-3"
    carrier: Annotated[str, PieceName("carrier", after=("from", "off"))] = ""
    carriers: Annotated[tuple[str, ...], PieceName("carrier", many=True, of=("token", "shame"))] = ()
    pay: Pay = None

    def everything(self, at: At, field: str) -> Any:
        """All that carries a token of the player."""
        if field != "carriers" or not self.by:
            return None
        units = at.state.player[self.by].shamed
        return tuple(carrier for carrier in shamed(at, self.by) for _ in range(units.get(carrier, 1)))

    def carrier_options(self, at: At) -> list[str] | None:
        return None if self.carriers else shamed(at, self.by)

    def things(self, at: At, field: str) -> list[str] | None:
        """Whatever else carries a token."""
        if field != "carriers":
            return None
        units = at.state.own(self.by).shamed
        return [one for one in shamed(at, self.by) if units.get(one, 1) > (one == self.carrier)]

    def price(self, at: At) -> Price:
        return Price("GW-SUM-3", "the token", {"chi": at.value("shame.remove_chi", self.by)})

    def named(self) -> tuple[str, ...]:
        return ((self.carrier,) if self.carrier else ()) + self.carriers

    def forbidden(self, at: At) -> Iterator[Breach]:
        p = at.state.player[self.by]
        for carrier in dict.fromkeys(self.named()):
            on_card = claimed_card(at, self.by, carrier)
            has = p.shamed.get(carrier, 0) if on_card is None else int(on_card.shame)
            if self.named().count(carrier) > has:
                yield at.breach("GW-SUM-3.clean", player=self.by, carrier=name_of(at, "horde", carrier), n=has)
        if not tokens(at, self.by):
            yield at.breach("GW-SUM-3.none", player=self.by)
        price, n = self.price(at), max(1, len(self.named()))
        if (due := price.cost.get("chi", 0) * n) > p.res["chi"]:
            facts = {"cost": due, "n": n, "sum": price.changed[0].sum}
            yield at.breach("GW-SUM-3.chi", player=self.by, has=p.res["chi"], **facts)
        yield from misclaimed(at, self.pay, Price("GW-SUM-3", "the token", {"chi": due} if due else {}))

    def apply(self, at: At) -> None:
        for carrier in self.named():
            price = self.price(at)
            pay(at, self.by, price.figures)
            at.note("GW-SUM-3.paid", player=self.by, n=price.cost.get("chi", 0), sum=price.changed[0].sum)
            lift_shame(at, self.by, carrier)


def nothing_to_remove(at: At) -> None:
    """The step begins: players without a token have nothing to decide."""
    at.state.done = [clan for clan in in_tea_order(at) if not tokens(at, clan)]


# --- step 3: used cards and clerks ----------------------------------------------------------------------------------


class RetireCards(TableReport, frozen=True):
    """The command cards used last Fall go to their owners' discard piles."""

    words = ("retire",)
    of_all = True
    elsewhere = "GW-SUM-4"

    def already(self, at: At) -> bool:
        return at.state.season in ("summer", "fall") and at.state.step > "summer.3" and not at.state.command_track

    def apply(self, at: At) -> None:
        retire(at)
        nothing_to_recall(at)


def retire(at: At) -> None:
    """The cards on the command track go to their owners' discard piles (GW-SUM-4)."""
    s = at.state
    for card in s.command_track.values():
        s.player[card.player].discard.append(card.card)
    if s.command_track:
        at.note("GW-SUM-4.retired", n=len(s.command_track))
    s.command_track = {}


def recall_over(at: At) -> None:
    """Step 3 ends: cards that nobody has retired by then retire by themselves."""
    retire(at)
    end_of_step(at)


class RecallClerks(Report, frozen=True):
    """Take back clerks from a location."""

    words = ("recall",)
    name_is_verb = False  # `recall clerks` is not one clerk
    elsewhere = "GW-SUM-5"
    location: Annotated[str, PieceName("location", after=("from", "out"))] = ""
    n: Annotated[int, Count(1, of=("clerk",))] = 1

    def everything(self, at: At, field: str) -> Any:
        there = [self.location] if self.location else self.location_options(at)
        return at.state.locations[there[0]].get(self.by, 0) if field == "n" and len(there) == 1 else None

    def location_options(self, at: At) -> list[str]:
        return [place for place, clerks in at.state.locations.items() if clerks.get(self.by)]

    def n_options(self, at: At) -> Iterable[int] | None:
        return range(1, at.state.locations[self.location].get(self.by, 0) + 1) if self.location else None

    def presumes(self, at: At) -> Move | None:
        return _retired(at) or super().presumes(at)

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.by in at.state.done:
            yield at.breach("GW-SUM-5.passed", player=self.by)
        elif self.location:
            has = at.state.locations[self.location].get(self.by, 0)
            if not 1 <= self.n <= has:
                place = name_of(at, "location", self.location)
                yield at.breach("GW-SUM-5.clerks", player=self.by, n=self.n, has=has, location=place)

    def apply(self, at: At) -> None:
        clerks, n = at.state.locations[self.location], self.n
        clerks[self.by] -= n
        if not clerks[self.by]:
            del clerks[self.by]
        at.state.player[self.by].clerks.supply += n
        place = name_of(at, "location", self.location)
        at.note("GW-SUM-5.recalled", player=self.by, n=n, location=place)


def nothing_to_recall(at: At) -> None:
    """The step begins: with no card to retire, players without clerks in locations have nothing to decide."""
    s = at.state
    if not s.command_track:
        placed = {clan for clerks in s.locations.values() for clan, n in clerks.items() if n}
        s.done = [clan for clan in in_tea_order(at) if clan not in placed]


def _retired(at: At) -> Move | None:
    """The retiring of the cards, which goes without saying in step 3."""
    return RetireCards() if at.rules.stage(at.state) == "summer.3" and at.state.command_track else None


# --- step 4: cards or honor -----------------------------------------------------------------------------------------


PILE = {
    **dict.fromkeys(("command cards", "discard pile", "pile", "all cards"), "cards"),
    **dict.fromkeys(("honour", "honor instead of cards", "honour instead of cards", "honor for cards"), "honor"),
    **dict.fromkeys(("cards instead of honor", "cards instead of honour"), "cards"),
}
"""Further words for what is taken of the discard pile."""


class Reclaim(Report, frozen=True):
    """Take back the discard pile, or gain honor for it."""

    elsewhere = "GW-SUM-6"
    choice: Annotated[str, OneOf("cards", "honor", spoken=PILE)] = ""
    cards: Annotated[tuple[str, ...], PieceName("command", many=True)] = ()
    amount: Annotated[int, Count(confirms=True)] = 0
    """The number of cards, or the honor, if reported."""

    def choice_options(self, at: At) -> tuple[str, ...]:
        return ("cards",) if self.cards else ("cards", "honor")

    def amount_options(self, at: At) -> tuple[int, int]:
        return 0, self._gains(at)

    def forbidden(self, at: At) -> Iterator[Breach]:
        p = at.state.player[self.by]
        if self.by in at.state.done:
            yield at.breach("GW-SUM-6.twice", player=self.by)
        elif self.cards and set(self.cards) != set(p.discard):
            yield at.breach("GW-SUM-6.whole", player=self.by, cards=list(self.cards), pile=list(p.discard))
        elif self.choice == "honor" and not p.hand and p.discard:
            yield at.breach("GW-SUM-8", player=self.by)
        elif self.choice and self.amount not in (0, n := self._gains(at)):
            yield at.breach("GW-SUM-6.gains", player=self.by, n=n, what=self.choice)

    def _gains(self, at: At) -> int:
        """The number of cards, or the honor, it brings."""
        n = len(at.state.player[self.by].discard)
        return n * int(at["reclaim.honor_per_card"]) if self.choice == "honor" else n

    def apply(self, at: At) -> None:
        p = at.state.player[self.by]
        if not p.discard:
            at.note("GW-SUM-9", player=self.by)
        elif self.choice == "cards":
            at.note("GW-SUM-6.cards", player=self.by, cards=list(p.discard))
            p.hand, p.discard = [*p.hand, *p.discard], []
        else:
            gain(at, self.by, {"honor": self._gains(at)}, "GW-SUM-6.honor", cards=len(p.discard))
            at.kept("GW-SUM-7")
            at.trigger("reclaim_honor", self.by)
        has_acted(at, self.by)


# --- what may still be done ---------------------------------------------------------------------------------------


def _may_remove(at: At, clan: str) -> bool:
    """True if a player could remove a shame token."""
    return not at.refuses(RemoveShame(by=clan))


def _may_recall(at: At, clan: str) -> bool:
    """True if a player has clerks to take back."""
    return any(clerks.get(clan) for clerks in at.state.locations.values())


# --- what goes without saying ---------------------------------------------------------------------------------------


def _shame_over(at: At, move: Move) -> Move | None:
    """A report of a later step: everybody who has not spoken does nothing more."""
    return Pass(by=left[0]) if (left := to_act(at)) else None


def _recall_over(at: At, move: Move) -> Move | None:
    return _retired(at) or _shame_over(at, move)


def piles_empty(at: At) -> Move | None:
    """With an empty discard pile the choice has no effect and goes without saying (GW-SUM-9)."""
    choosing = at.rules.stage(at.state) == "summer.4"
    empty = [clan for clan in to_act(at) if choosing and not at.state.player[clan].discard]
    return Reclaim(by=empty[0], choice="cards") if empty else None


def income(at: At, player: str) -> Answer:
    """A player's income in Summer: resource -> number, `goods` for those of the player's choice."""
    if player not in at.state.player:
        from companion.engine.answers.queries import QueryError

        raise QueryError(f"there is no player '{player}'")
    found = income_of(at, player)
    return Answer(value=found.total, rules=found.rules() or ["GW-SUM-1"], lines=found.plain())


MOVES = {
    "summer.1": (Income,),
    "summer.2": (RemoveShame, Pass),
    "summer.3": (RetireCards, RecallClerks, Pass),
    "summer.4": (Reclaim,),
}
ENTER = {"summer.2": nothing_to_remove, "summer.3": nothing_to_recall}
QUIET = {"summer.2": _shame_over, "summer.3": _recall_over, "summer.4": lambda at, move: piles_empty(at)}
PASSES = {"summer.2": has_acted, "summer.3": has_acted}
WINDOWS = {"summer.2": Window("GW-SUM-3.left", _may_remove), "summer.3": Window("GW-SUM-5.left", _may_recall)}
QUERIES = {"income": income}
