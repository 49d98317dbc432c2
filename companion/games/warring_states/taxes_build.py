"""The Taxes and Build Phases: cards into Bu, Bu into provinces, armies and Generals (rules WS-TAX, WS-BUILD)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from companion.engine.play.moves import Breach, Choice, Count, Move, OneOf, PieceName, Seat
from components.phrasing import count

from .campaign import missing
from .catalogue import At, cards
from .catalogue import armies as army_words
from .domains import CardList, GeneralName, listed
from .effects import lasting, lose_general, supply
from .frame import wrong_phase
from .zones import discard_resources, draw, impossible_resources, resource_elsewhere

# --- Taxes -------------------------------------------------------------------------------------------------------

MELDS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "bronze": ("WS-TAX-1", "tax.bronze", ("mine",)),
    "trade": ("WS-TAX-2", "tax.trade", ("city",)),
    "rice": ("WS-TAX-3", "tax.rice", ("agriculture",)),
    "balanced": ("WS-TAX-4", "tax.balanced", ("mine", "city", "agriculture")),
    "pair_mine": ("WS-TAX-5", "tax.pair", ("mine",)),
    "pair_city": ("WS-TAX-5", "tax.pair", ("city",)),
    "pair_agriculture": ("WS-TAX-5", "tax.pair", ("agriculture",)),
}
"""Kind of meld -> (rule, parameter with `cards` of each material and `bu`, materials)."""

NAMED_MELD = {"mine": "bronze", "city": "trade", "agriculture": "rice"}
"""Material -> the three-card meld that bears a name on Events."""


def meld_cards(at: At, kind: str) -> list[str]:
    """The cards a meld takes, by name."""
    _, parameter, materials = MELDS[kind]
    return [cards(at).material[m] for m in materials for _ in range(at[parameter]["cards"])]


def multiplier(at: At, player: str, kind: str) -> tuple[int, str]:
    """What this turn's Event makes of a meld's Bu: (factor, rule id of the Event or empty)."""
    if kind not in ("bronze", "trade", "rice"):
        if at.on("WS-TAX-10"):
            return 1, ""
        kind = NAMED_MELD.get(kind.removeprefix("pair_"), "")
    if not at.on("WS-TAX-11") and player != at.state.active:
        return 1, ""
    factor, by = 1, ""
    for args, rule in lasting(at, "meld_multiplier", player):
        if kind in args["melds"]:
            factor, by = factor * args["melds"][kind], rule
    return factor, by


class Meld(Move, frozen=True):
    """Discard a set of Resource cards for Bu."""

    name = "meld"
    words = ("meld",)
    example = "meld qin 3 mines"
    player: Annotated[str, Seat()] = ""
    kind: Annotated[
        str,
        OneOf(
            *MELDS,
            spoken={
                "3 mines": "bronze",
                "mines": "bronze",
                "3 cities": "trade",
                "cities": "trade",
                "3 agriculture": "rice",
                "agriculture": "rice",
                "one of each": "balanced",
                "each": "balanced",
                "2 mines": "pair_mine",
                "pair mines": "pair_mine",
                "2 cities": "pair_city",
                "pair cities": "pair_city",
                "2 agriculture": "pair_agriculture",
                "pair agriculture": "pair_agriculture",
            },
        ),
    ] = ""

    def filled(self, at: At) -> Meld:
        if self.player or at.state.phase != "taxes" or self.kind not in MELDS:
            return self
        n = len(meld_cards(at, self.kind))
        able = [p for p in at.state.seats if at.state.players[p].resource_hand >= n]
        return Meld(able[0], self.kind) if len(able) == 1 else self

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from wrong_phase(at, "taxes")
        if not self.player or not self.kind:
            return
        rule = MELDS[self.kind][0]
        taken = meld_cards(at, self.kind)
        hand = at.state.players[self.player].resource_hand
        if hand < len(taken):
            yield Breach(
                rule,
                f"{self.player} holds {count(hand, 'card')}; this meld takes {len(taken)}",
                {"hand": hand, "cards": len(taken)},
            )
        else:
            yield from impossible_resources(at, self.player, taken)

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.kind:
            yield Choice("kind", self.player, "which meld?", list(MELDS))
        if not self.player:
            n = len(meld_cards(at, self.kind)) if self.kind else 1
            yield Choice(
                "player", "", "who melds?", [p for p in at.state.seats if at.state.players[p].resource_hand >= n]
            )

    def apply(self, at: At) -> None:
        rule, parameter, _ = MELDS[self.kind]
        taken = meld_cards(at, self.kind)
        factor, by = multiplier(at, self.player, self.kind)
        bu = (at[parameter]["bu"] if at.on(rule) else 0) * factor
        p = at.state.players[self.player]
        if at.on("WS-TAX-7"):
            discard_resources(at, self.player, taken)
        p.bu += bu
        at.note(
            rule,
            f"{self.player} melds {' + '.join(taken)} for {bu} Bu",
            player=self.player,
            bu=bu,
            total=p.bu,
            hand=p.resource_hand,
        )
        at.cite(
            "WS-TAX-7", "the cards are discarded; each serves once, and any number of melds may follow", discarded=taken
        )
        if by:
            at.note(
                by, f"{at.state.event}: the {self.kind.capitalize()} Meld pays {factor} times as much", factor=factor
            )
            at.cite("WS-TAX-11", "for every player", player=self.player)
            at.cite("WS-TURN-4", "all turn", event=at.state.event)
        elif self.kind not in ("bronze", "trade", "rice"):
            for _, rule in lasting(at, "meld_multiplier", self.player):
                at.cite("WS-TAX-10", f"{at.state.event} does not touch this meld")
                at.cite(rule, f"{at.state.event} is in force")

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase == "taxes":
            for player in at.state.seats:
                for kind in MELDS:
                    yield cls(player, kind)


class ExchangeGenerals(Move, frozen=True):
    """Hand in Generals from the hand for a card from the Resource deck."""

    name = "exchange_generals"
    words = ("exchange",)
    example = "exchange qin daring brilliant"
    player: Annotated[str, Seat()] = ""
    generals: Annotated[tuple[str, ...], GeneralName(many=True)] = ()
    drawn: str | None = None
    """The card that came up, if the table shows it; typed as `drawn=mine`."""

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from wrong_phase(at, "taxes")
        if not self.player:
            return
        p = at.state.players[self.player]
        due = at["tax.generals_exchange"]["generals"]
        if self.generals and len(self.generals) != due:
            yield Breach(
                "WS-TAX-6",
                f"{count(due, 'General')} are handed in, not {len(self.generals)}",
                {"needed": due, "given": len(self.generals)},
            )
        if p.resource_hand < due - len(self._from_play(at)):
            yield Breach(
                "WS-TAX-6",
                f"{self.player} holds {count(p.resource_hand, 'card')}; {due} are handed in",
                {"hand": p.resource_hand},
            )
            if any(g in p.generals for g in self.generals):
                yield Breach(
                    "WS-TAX-8",
                    "Generals in play cannot be exchanged, only those in hand",
                    {"in_play": list(p.generals)},
                )
        elif self.generals and at.on("WS-TAX-8"):
            yield from impossible_resources(at, self.player, [cards(at).generals[g].card for g in self.generals])
        if self.drawn and at.state.decks.resource.draw:
            gone, where = resource_elsewhere(at, "", self.drawn)
            if gone >= cards(at).resources.get(self.drawn, 0):
                yield Breach(
                    "WS-INFO-4", f"{self.drawn} cannot be drawn: {where}", {"card": self.drawn, "elsewhere": gone}
                )

    def _from_play(self, at: At) -> list[str]:
        """The named Generals that come from play: none, as long as WS-TAX-8 holds."""
        return [] if at.on("WS-TAX-8") else [g for g in self.generals if g in at.state.players[self.player].generals]

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.player:
            yield Choice("player", "", "who exchanges?", at.state.seats)
        if not self.generals:
            yield Choice("generals", self.player, "which Generals are handed in?", list(cards(at).generals))

    def apply(self, at: At) -> None:
        p = at.state.players[self.player]
        names = [cards(at).generals[g].card for g in self.generals]
        from_play = self._from_play(at)
        for general in from_play:
            lose_general(at, self.player, general, "WS-TAX-6")
        discard_resources(at, self.player, [cards(at).generals[g].card for g in missing(self.generals, from_play)])
        n = draw(at, "resource", at["tax.generals_exchange"]["draw"]) if at.on("WS-TAX-6") else 0
        if at.on("WS-TAX-9"):
            p.resource_hand += n
            if self.drawn and n:
                p.resource_known[self.drawn] = p.resource_known.get(self.drawn, 0) + 1
        at.note(
            "WS-TAX-6",
            f"{self.player} hands in {' and '.join(names)} and draws {count(n, 'card')}",
            player=self.player,
            hand=p.resource_hand,
        )
        at.cite("WS-TAX-8", "they come from the hand", generals=list(self.generals))
        at.cite("WS-TAX-9", "the card drawn may be used at once", hand=p.resource_hand)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase == "taxes":
            names = sorted(cards(at).generals)
            for player in at.state.seats:
                if at.state.players[player].resource_hand >= at["tax.generals_exchange"]["generals"]:
                    for i, first in enumerate(names):
                        yield from (cls(player, (first, second)) for second in names[i:])


# --- Build -------------------------------------------------------------------------------------------------------


def _price(at: At, player: str, rule: str, each: int, n: int, what: str) -> Iterator[Breach]:
    """Is the whole price there? Each purchase names its own rule, and WS-BUILD-4 that nothing is bought on credit."""
    bu = at.state.players[player].bu
    if bu < each * n and at.on("WS-BUILD-4"):
        facts = {"cost": each * n, "bu": bu, "each": each, "n": n}
        yield Breach("WS-BUILD-4", f"{what}: {each * n} Bu, and {player} has {bu}", facts)
        yield Breach(rule, f"{each} Bu each", facts)


class _Purchase(Move, frozen=True):
    """What the three purchases share."""

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.player:  # type: ignore[attr-defined]
            yield Choice("player", "", "who builds?", at.state.seats)


class Rebuild(_Purchase, frozen=True):
    """Pay to turn razed provinces back to intact."""

    name = "rebuild"
    words = ("rebuild",)
    example = "rebuild qin 1"
    player: Annotated[str, Seat()] = ""
    n: Annotated[int, Count(1)] = 1

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from wrong_phase(at, "build")
        if not self.player:
            return
        razed = at.state.players[self.player].provinces.razed
        if not 1 <= self.n <= razed:
            yield Breach(
                "WS-BUILD-1",
                f"{self.player} has {count(razed, 'razed province')}, not {self.n}",
                {"razed": razed, "n": self.n},
            )
        yield from _price(at, self.player, "WS-BUILD-1", at["build.rebuild_cost"], self.n, count(self.n, "province"))

    def apply(self, at: At) -> None:
        p = at.state.players[self.player]
        cost = at["build.rebuild_cost"] * self.n
        p.bu -= cost
        if at.on("WS-BUILD-1"):
            p.provinces.razed -= self.n
            p.provinces.intact += self.n
        at.note(
            "WS-BUILD-1",
            f"{self.player} rebuilds {count(self.n, 'province')} for {cost} Bu",
            player=self.player,
            bu=p.bu,
            cost=cost,
        )
        at.cite("WS-BUILD-4", "paid in full", bu=p.bu)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase == "build":
            for player in at.state.seats:
                yield from (cls(player, n) for n in range(1, at.state.players[player].provinces.razed + 1))


class BuyArmy(_Purchase, frozen=True):
    """Pay for Army Tokens."""

    name = "buy_army"
    words = ("army", "buy army", "buy")
    example = "army qin 2"
    player: Annotated[str, Seat()] = ""
    n: Annotated[int, Count(1)] = 1

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from wrong_phase(at, "build")
        if not self.player:
            return
        if self.n < 1:
            yield Breach("WS-BUILD-2", f"{self.n} armies cannot be bought", {"n": self.n})
        yield from _price(at, self.player, "WS-BUILD-2", at["build.army_cost"], self.n, army_words(self.n))
        room = supply(at, self.player)
        if room is not None and self.n > room:
            yield Breach(
                "WS-BUILD-6", f"the supply holds {army_words(room)} for {self.player}", {"supply": room, "n": self.n}
            )

    def apply(self, at: At) -> None:
        p = at.state.players[self.player]
        cost = at["build.army_cost"] * self.n
        p.bu -= cost
        if at.on("WS-BUILD-2"):
            p.armies += self.n
        at.note(
            "WS-BUILD-2",
            f"{self.player} buys {army_words(self.n)} for {cost} Bu",
            player=self.player,
            armies=p.armies,
            bu=p.bu,
            cost=cost,
        )
        at.cite("WS-BUILD-4", "paid in full", bu=p.bu)
        at.cite("WS-BUILD-6", "running out of printed tokens is no limit", armies=p.armies)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase == "build":
            cost = at["build.army_cost"]
            for player in at.state.seats:
                most = at.state.players[player].bu // cost if cost else 1
                yield from (cls(player, n) for n in range(1, most + 1))


class DeployGeneral(_Purchase, frozen=True):
    """Pay to put a General from the hand into play."""

    name = "deploy_general"
    words = ("deploy", "general")
    example = "deploy qin daring"
    player: Annotated[str, Seat()] = ""
    general: Annotated[str, GeneralName()] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from wrong_phase(at, "build")
        if not self.player:
            return
        hand = at.state.players[self.player].resource_hand
        if hand < 1:
            yield Breach("WS-BUILD-3", f"{self.player} holds no Resource card", {"hand": hand})
        elif self.general:
            yield from impossible_resources(at, self.player, [cards(at).generals[self.general].card])
        yield from _price(
            at,
            self.player,
            "WS-BUILD-3",
            at["build.general_cost"],
            1,
            f"the {self.general or ''} General".replace("  ", " "),
        )

    def needs(self, at: At) -> Iterator[Choice]:
        yield from super().needs(at)
        if not self.general:
            yield Choice("general", self.player, "which General?", list(cards(at).generals))

    def apply(self, at: At) -> None:
        p = at.state.players[self.player]
        cost = at["build.general_cost"]
        card = cards(at).generals[self.general].card
        p.bu -= cost
        if at.on("WS-BUILD-3"):
            p.resource_hand -= 1
            left = p.resource_known.get(card, 0) - 1
            if left > 0:
                p.resource_known[card] = left
            else:
                p.resource_known.pop(card, None)
            p.generals.append(self.general)
        at.note(
            "WS-BUILD-3",
            f"{self.player} puts the {card} into play for {cost} Bu",
            player=self.player,
            general=self.general,
            bu=p.bu,
            hand=p.resource_hand,
        )
        at.cite("WS-BUILD-4", "paid in full", bu=p.bu)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase == "build":
            for player in at.state.seats:
                yield from (cls(player, g) for g in cards(at).generals)


class DiscardResources(Move, frozen=True):
    """A player puts down the Resource cards he did not use; the cards may be named or just counted."""

    name = "discard_resources"
    words = ("discard",)
    example = "discard qin"
    player: Annotated[str, Seat()] = ""
    cards: Annotated[CardList, PieceName("resource", many=True)] = ()

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from wrong_phase(at, "build")
        if not self.player:
            return
        hand = at.state.players[self.player].resource_hand
        names = listed(self.cards)
        if len(names) > hand:
            yield Breach(
                "WS-BUILD-5",
                f"{self.player} holds {count(hand, 'card')}, not {len(names)}",
                {"hand": hand, "named": len(names)},
            )
        elif names:
            yield from impossible_resources(at, self.player, names)

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.player:
            yield Choice(
                "player", "", "who discards?", [p for p in at.state.seats if at.state.players[p].resource_hand]
            )

    def apply(self, at: At) -> None:
        p = at.state.players[self.player]
        short = {g.card for g in cards(at).generals.values()}
        names = [name for name in listed(self.cards) if at.on("WS-BUILD-7") or name not in short]
        kept = len(listed(self.cards)) - len(names)
        unnamed = p.resource_hand - len(names) - kept
        if not at.on("WS-BUILD-5"):
            return
        discard_resources(at, self.player, names, unnamed)
        words = ", ".join([*names, *([count(unnamed, "unnamed card")] if unnamed else [])]) or "nothing"
        at.note("WS-BUILD-5", f"{self.player} discards {words}", player=self.player, hand=p.resource_hand)
        if any(name in short for name in names):
            at.note("WS-BUILD-7", "a General not put into play is unused too", player=self.player)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase == "build":
            yield from (cls(p) for p in at.state.seats)


__all__ = ["BuyArmy", "DeployGeneral", "DiscardResources", "ExchangeGenerals", "Meld", "Rebuild"]
