"""The Income and Trade Phases (rules WS-INCOME, WS-TRADE), and saying that one is done (WS-TURN-3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from companion.engine.play.moves import Breach, Choice, Count, Move, PieceName, Seat
from components.phrasing import count

from .catalogue import At, cards
from .domains import CardList, Gift, Goods, gift, listed
from .effects import lasting
from .events import choice_open, presumed_choice
from .frame import enter, everybody_passed, wrong_phase
from .zones import (
    acting_order,
    blur,
    discard_resources,
    draw,
    drawable,
    forget,
    impossible_resources,
    resource_elsewhere,
)

# --- Income ------------------------------------------------------------------------------------------------------


def entitlement(at: At, player: str) -> tuple[int, list[tuple[str, str, int]]]:
    """Cards a player draws in the Income Phase, and the sum behind it: (rule, words, cards) a line."""
    p = at.state.players[player]
    lines: list[tuple[str, str, int]] = []
    if p.provinces.total or at.on("WS-INCOME-6"):
        lines.append(("WS-INCOME-1", "base", at["income.base"] if at.on("WS-INCOME-1") else 0))
    if not p.provinces.total:
        lines.append(("WS-INCOME-6", "no province, still the base", 0))
    per = at["income.provinces_per_card"]
    counted = p.provinces.intact if at.on("WS-INCOME-3") else p.provinces.total
    lines.append(("WS-INCOME-2", f"{counted} intact / {per}", counted // per if at.on("WS-INCOME-2") else 0))
    if p.provinces.razed:
        lines.append(("WS-INCOME-3", f"{p.provinces.razed} razed do not count", 0))
    if at.on("WS-INCOME-4"):
        for args, rule in lasting(at, "extra_income_cards", player):
            lines.append(("WS-INCOME-4", f"{at.state.event}", args["n"]))
            lines.append((rule, "", 0))
    return sum(n for _, _, n in lines), lines


def to_draw(at: At) -> list[str]:
    """Who has still to draw, in order (WS-DECK-5)."""
    s = at.state
    return [p for p in acting_order(at) if p not in s.drawn]


class DrawIncome(Move, frozen=True):
    """A player draws his Resource cards."""

    name = "draw_income"
    role = "event"
    words = ("draw", "income")
    example = "draw qin"
    player: Annotated[str, Seat()] = ""
    count: Annotated[int | None, Count()] = None
    cards: Annotated[CardList, PieceName("resource", many=True)] = ()

    def filled(self, at: At) -> DrawIncome:
        s = at.state
        if s.phase != "income":
            return self
        player = self.player or next(iter(to_draw(at)), "")
        count = self.count
        if count is None and player:
            count = self._due(at, player)
        return DrawIncome(player, count, self.cards)

    def _due(self, at: At, player: str) -> int:
        full, _ = entitlement(at, player)
        return min(full, drawable(at, "resource")) if at.on("WS-DECK-4") else full

    def presumes(self, at: At) -> Move | None:
        return presumed_choice(at) if at.state.phase == "event" and at.state.event else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase == "event" and choice_open(at):
            return
        yield from wrong_phase(at, "income")
        if not self.player or s.phase != "income":
            return
        if self.player in s.drawn:
            yield Breach("WS-INCOME-5", f"{self.player} has drawn in this phase already", {"drawn": list(s.drawn)})
            return
        first = to_draw(at)[0]
        if first != self.player:
            yield Breach("WS-DECK-5", f"{first} draws before {self.player}", {"next": first})
        due = self._due(at, self.player)
        if self.count is not None and self.count != due and at.on("WS-INCOME-5"):
            full, lines = entitlement(at, self.player)
            sum_words = " + ".join(f"{n} ({words})" for _, words, n in lines if n) or "0"
            why = f"{self.player} draws {sum_words} = {full}, not {self.count}"
            facts = {"count": self.count, "due": due, "entitlement": full}
            yield Breach("WS-INCOME-5", why, facts)
            for rule, words, n in lines:
                yield Breach(rule, f"{words or s.event}: {n}", {"cards": n})
            if due < full:
                yield Breach("WS-DECK-4", f"only {count(due, 'card')} can be drawn", facts)
        names = listed(self.cards)
        if self.count is not None and len(names) > self.count:
            yield Breach(
                "WS-INCOME-5", f"{len(names)} cards are named and {self.count} are drawn", {"named": len(names)}
            )
        if s.decks.resource.draw >= (self.count or 0):
            for name in dict.fromkeys(names):
                gone, where = resource_elsewhere(at, "", name)
                copies = cards(at).resources[name]
                if names.count(name) > copies - gone:
                    yield Breach(
                        "WS-INFO-4",
                        f"{name} cannot be drawn: {where}",
                        {"card": name, "elsewhere": gone, "copies": copies},
                    )

    def needs(self, at: At) -> Iterator[Choice]:
        if open_choice := choice_open(at):
            yield open_choice

    def apply(self, at: At) -> None:
        s = at.state
        p = s.players[self.player]
        full, lines = entitlement(at, self.player)
        n = draw(at, "resource", self.count or 0)
        p.resource_hand += n
        for name in listed(self.cards):
            p.resource_known[name] = p.resource_known.get(name, 0) + 1
        s.drawn.append(self.player)
        at.note(
            "WS-INCOME-5", f"{self.player} draws {count(n, 'card')}", player=self.player, count=n, hand=p.resource_hand
        )
        for rule, words, k in lines:
            at.cite(rule, f"{words or s.event}: {k}", cards=k)
        if n < full:
            at.note("WS-DECK-4", f"deck and discard hold no more: {count(n, 'card')} instead of {full}", count=n)
        at.cite("WS-TURN-2", f"clockwise from {s.active}", order=acting_order(at))
        at.cite(
            "WS-DECK-5", "in clockwise order from the active player, each the whole draw at once", after=s.drawn[:-1]
        )
        if len(s.drawn) == len(s.seats):
            enter(at, "trade")

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase == "income":
            for player in to_draw(at):
                yield cls(player).filled(at)


# --- Trade -------------------------------------------------------------------------------------------------------


class Trade(Move, frozen=True):
    """Two players exchange Resource cards from hand; each side a number of cards, or the cards by name."""

    name = "trade"
    role = "free"
    words = ("trade", "swap")
    example = "qin trade chu 2 for 1"
    a: Annotated[str, Seat()] = ""
    b: Annotated[str, Seat(actor=False)] = ""
    a_gives: Annotated[Gift, Goods("resource", bare=True)] = None
    b_gives: Annotated[Gift, Goods("resource", bare=True, lead=("for",))] = None

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        yield from wrong_phase(at, "trade")
        if not self.a or not self.b:
            return
        if self.a == self.b:
            yield Breach("WS-TRADE-2", f"{self.a} cannot trade with themselves", {"a": self.a, "b": self.b})
            return
        least = at["trade.min_each_side"]
        for player, said in ((self.a, self.a_gives), (self.b, self.b_gives)):
            if said is None:
                continue
            n, names = gift(said)
            bu = names.count("Bu") if at["trade.allow_bu"] else 0
            n -= bu
            names = [name for name in names if name != "Bu"] if bu else names
            foreign = [name for name in names if name not in cards(at).resources]
            if foreign:
                yield Breach(
                    "WS-TRADE-4",
                    f"{', '.join(dict.fromkeys(foreign))}: only Resource cards in hand are traded",
                    {"offered": foreign},
                )
                continue
            if n + bu < least:
                yield Breach(
                    "WS-TRADE-3",
                    f"{player} gives {count(n, 'card')}; a trade needs {least} from each side",
                    {"gives": n, "least": least},
                )
            hand = s.players[player].resource_hand
            if n > hand:
                yield Breach(
                    "WS-TRADE-6",
                    f"{player} holds {count(hand, 'card')} and cannot give {n}",
                    {"hand": hand, "gives": n},
                )
            elif names:
                yield from impossible_resources(at, player, names)
            if bu > s.players[player].bu:
                yield Breach(
                    "WS-TRADE-6",
                    f"{player} has {s.players[player].bu} Bu and cannot give {bu}",
                    {"bu": s.players[player].bu},
                )

    def needs(self, at: At) -> Iterator[Choice]:
        seats = at.state.seats
        if not self.a:
            yield Choice("a", "", "who trades?", seats)
        if not self.b:
            yield Choice("b", self.a, "with whom?", [p for p in seats if p != self.a])
        if self.a_gives is None:
            yield Choice("a_gives", self.a, f"how many cards does {self.a or 'the first'} give?")
        if self.b_gives is None:
            yield Choice("b_gives", self.b, f"how many cards does {self.b or 'the second'} give?")

    def apply(self, at: At) -> None:
        if not at.on("WS-TRADE-1"):
            return
        players = at.state.players
        sides = []
        for player, said in ((self.a, self.a_gives), (self.b, self.b_gives)):
            n, names = gift(said)
            bu = names.count("Bu")
            named = [name for name in names if name in cards(at).resources]
            n -= len(names) - len(named)
            p = players[player]
            p.resource_hand -= n
            p.bu -= bu
            for name in named:
                forget(p.resource_known, name)
            if n > len(named):
                blur(p.resource_known, n - len(named), p.resource_hand)
            sides.append((n, named, bu))
        for player, (n, named, bu) in ((self.a, sides[1]), (self.b, sides[0])):
            p = players[player]
            p.resource_hand += n
            p.bu += bu
            for name in named:
                p.resource_known[name] = p.resource_known.get(name, 0) + 1
        at.note(
            "WS-TRADE-1",
            f"{self.a} gives {_words(sides[0])} to {self.b} for {_words(sides[1])}",
            hands={p: players[p].resource_hand for p in (self.a, self.b)},
        )
        if at.state.active not in (self.a, self.b):
            at.cite("WS-TRADE-2", f"the active player ({at.state.active}) need not take part")

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        s = at.state
        if s.phase == "trade":
            for i, a in enumerate(s.seats):
                for b in s.seats[i + 1 :]:
                    for x in range(at["trade.min_each_side"], min(s.players[a].resource_hand, 2) + 1):
                        for y in range(at["trade.min_each_side"], min(s.players[b].resource_hand, 2) + 1):
                            yield cls(a, b, x, y)


def _words(side: tuple[int, list[str], int]) -> str:
    n, named, bu = side
    words = [*named, *([count(n - len(named), "card")] if n > len(named) else []), *([f"{bu} Bu"] if bu else [])]
    return ", ".join(words) or "nothing"


# --- being done --------------------------------------------------------------------------------------------------


class Pass(Move, frozen=True):
    """A player says he is done with this phase."""

    name = "pass"
    words = ("pass", "done")
    example = "pass qin"
    player: Annotated[str, Seat()] = ""

    def filled(self, at: At) -> Pass:
        s = at.state
        left = [p for p in s.seats if p not in s.passed]
        return Pass(left[0]) if not self.player and len(left) == 1 and s.phase in ("trade", "taxes", "build") else self

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase not in ("trade", "taxes", "build"):
            yield Breach(
                "WS-TURN-5",
                "there is nothing to be done with now: passing belongs to Trade, Taxes and Build",
                {"phase": s.phase},
            )
        elif self.player in s.passed:
            yield Breach(
                "WS-TRADE-5" if s.phase == "trade" else "WS-TURN-3",
                f"{self.player} has said so already",
                {"passed": list(s.passed)},
            )

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.player:
            yield Choice("player", "", "who is done?", [p for p in at.state.seats if p not in at.state.passed])

    def apply(self, at: At) -> None:
        s = at.state
        rule = "WS-TRADE-5" if s.phase == "trade" else "WS-TURN-3"
        p = s.players[self.player]
        if s.phase == "build" and p.resource_hand and at.on("WS-BUILD-5"):
            at.note(
                "WS-BUILD-5",
                f"{self.player} discards {count(p.resource_hand, 'unused card')}",
                player=self.player,
                n=p.resource_hand,
            )
            discard_resources(at, self.player, (), p.resource_hand)
        if self.player not in s.passed:
            s.passed.append(self.player)
        at.note(
            rule, f"{self.player} is done", player=self.player, waiting_for=[q for q in s.seats if q not in s.passed]
        )
        if at.on(rule) and s.phase in ("trade", "taxes", "build"):
            everybody_passed(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase in ("trade", "taxes", "build"):
            yield from (cls(p) for p in at.state.seats)


__all__ = ["DrawIncome", "Pass", "Trade", "entitlement", "to_draw"]
