"""The Rat: where it sits, who moves it, and its bite (rules GW-RAT)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, ClassVar

from companion.rules import Breach, OneOf, PieceName, Source

from ..base.brought import FEWER, Next
from ..base.catalogue import At, cat, name_of
from ..base.decks import RevealNext
from ..base.effects import allow
from ..base.locations import clerks_in
from ..base.preparation import PlaceOfModule
from ..base.prices import pay
from ..base.reports import Report
from ..base.shame import tokens
from ..base.soldiers import shooters_on_wall
from ..base.state import GOODS, SECTIONS
from ..base.year import first_in_tea, in_tea_order, next_step

METRICS: dict[str, Callable[[At, str], int]] = {
    "clerks_placed": lambda at, clan: sum(clerks.get(clan, 0) for clerks in at.state.locations.values()),
    "soldiers_in_rest": lambda at, clan: sum(sum(units.values()) for units in at.state.player[clan].rest.values()),
    "shooters_on_wall": lambda at, clan: sum(shooters_on_wall(at, clan, section) for section in SECTIONS),
    "claimed_cards": lambda at, clan: len(at.state.player[clan].claimed),
    "shame_tokens": tokens,
    "honor": lambda at, clan: at.state.player[clan].honor,
    "overseer_levels_total": lambda at, clan: sum(at.state.player[clan].overseers.values()),
    "tea": lambda at, clan: -at.state.tea.index(clan),
}
"""The counts of Rat cards; only open facts (GW-RAT-5)."""


def mover(at: At) -> str:
    """The clan that meets the condition of the top card; a tie goes to the highest in tea order (GW-RAT-3, GW-RAT-6).
    Empty without a card."""
    card = at.state.rat.card
    if card is None:
        return ""
    said = cat(at).of("rat-card")[card].fields
    counts = {clan: METRICS[said["of"]](at, clan) for clan in at.state.players}
    wanted = max(counts.values()) if said["who"] == "most" else min(counts.values())
    return first_in_tea(at, [clan for clan, n in counts.items() if n == wanted])


def lacks(at: At) -> Next | None:
    return None if at.state.rat.at else Next(f"{at.state.tea[0]} places the Rat", ("place_rat",))


class PlaceRat(PlaceOfModule, frozen=True):
    """The player highest in tea order puts the Rat into a location."""

    elsewhere = "GW-RAT-1"
    what = "the Rat"
    location: Annotated[str, PieceName("location", loose=True)] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from super().forbidden(at)
        if self.location and self.location not in cat(at).locations:
            yield at.breach("GW-RAT-1.nowhere", place=self.location)
        elif at.state.rat.at:
            yield at.breach("GW-RAT-1.sits", location=name_of(at, "location", at.state.rat.at))

    def apply(self, at: At) -> None:
        at.state.rat.at = self.location
        at.note("GW-RAT-1.placed", player=self.by, location=name_of(at, "location", self.location))


class RevealRatCard(RevealNext, frozen=True):
    """A new Rat card on top of the old one."""

    words = ("rat card",)
    elsewhere = "GW-RAT-2"
    deck = "rat"
    card: Annotated[str, PieceName("rat-card", secret=True)] = ""

    def apply(self, at: At) -> None:
        rat = at.state.rat
        if rat.card:
            at.state.rat_pile.append(rat.card)
        rat.card = self.card
        super().apply(at)
        said = cat(at).of("rat-card")[self.card]
        at.note("GW-RAT-2.shown", card=said.name, moves=said.fields["moves"], bite=said.fields["bite_text"])
        next_step(at)


class MoveRat(Report, frozen=True):
    """The player who meets the condition moves the Rat to a different location."""

    words = ("rat",)
    elsewhere = "GW-RAT-3"
    location: Annotated[str, PieceName("location", after=("to", "into"), loose=True)] = ""

    def by_options(self, at: At) -> list[str]:
        return [mover(at)] if mover(at) else at.state.players

    def forbidden(self, at: At) -> Iterator[Breach]:
        due = mover(at)
        if due and self.by != due:
            moves = cat(at).of("rat-card")[at.state.rat.card or ""].fields["moves"]
            yield at.breach("GW-RAT-3.mover", player=self.by, due=due, moves=moves)
        if self.location and self.location not in cat(at).locations:
            yield at.breach("GW-RAT-4.nowhere", place=self.location)
        elif self.location and self.location == at.state.rat.at:
            yield at.breach("GW-RAT-4.stays", location=name_of(at, "location", self.location))

    def apply(self, at: At) -> None:
        at.state.rat.at = self.location
        at.note("GW-RAT-3.moved", player=self.by, location=name_of(at, "location", self.location))
        at.kept("GW-RAT-4", "GW-RAT-5")
        next_step(at)


def owned(at: At, clan: str) -> list[str]:
    """The kinds of goods that a player has."""
    return [kind for kind in GOODS if at.state.player[clan].res[kind]]


def bite(at: At, location: str) -> None:
    """Before the Rat's location resolves each player there pays the toll of its card, in tea order (GW-RAT-7)."""
    rat = at.state.rat
    if rat.card is None or rat.at != location:
        return
    piece = cat(at).of("bite")[cat(at).of("rat-card")[rat.card].fields["bite"]]
    for effect in piece.effect if piece.effect and piece.effect[0].verb == "toll" else ():
        for clan in in_tea_order(at, clerks_in(at, location)):
            at.run([effect], clan, Source(piece, "", location))


def toll(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    """The verb `toll`: a good of the player's choice if there is one (GW-RAT-8); chi, or one clerk fewer (GW-RAT-9)."""
    p = at.state.player[who]
    if args["what"] == "chi":
        if p.res["chi"]:
            pay(at, who, {"chi": 1})
            at.note("GW-RAT-9.pays", player=who)
        else:
            allow(at, who, FEWER, 1)
            at.note("GW-RAT-9.idles", player=who)
    elif owned(at, who):
        at.owe(who, PayToll.name, rule="GW-RAT-8")


class PayToll(Report, frozen=True):
    """Choose the goods that the Rat takes."""

    owes: ClassVar[dict[str, str] | None] = {}
    name = "toll"
    role = "choice"
    elsewhere = "GW-RAT-8"
    in_turn = "GW-RAT-8.turn"
    goods: Annotated[tuple[str, ...], OneOf(*GOODS, many=True)] = ()

    def by_options(self, at: At) -> list[str]:
        return [task.who for task in at.state.agenda if task.move == self.name][:1]

    def goods_options(self, at: At) -> list[tuple[str]]:
        return [(kind,) for kind in owned(at, self.by)]

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not any(task.move == self.name for task in at.state.agenda):
            yield at.breach("GW-RAT-8.none", player=self.by)
        elif self.goods and (len(self.goods) > 1 or self.goods[0] not in owned(at, self.by)):
            yield at.breach("GW-RAT-8.goods", player=self.by, goods=list(self.goods))

    def apply(self, at: At) -> None:
        pay(at, self.by, {self.goods[0]: 1})
        at.note("GW-RAT-8.discards", player=self.by, goods=self.goods[0])


def bites(catalogue: Any, s: Any, piece: Any) -> list[tuple[str, Any]]:
    """The bite of the top card is in force where the Rat sits (GW-RAT-7)."""
    if s.rat.card is None or s.rat.at is None:
        return []
    return [("", s.rat.at)] if catalogue.of("rat-card")[s.rat.card].fields["bite"] == piece.id else []


def line(at: At) -> str:
    rat = at.state.rat
    card = f", {name_of(at, 'rat-card', rat.card)}" if rat.card else ""
    return f"Rat: {name_of(at, 'location', rat.at)}{card}" if rat.at else ""


CONDITIONS = {"clerks_here": lambda at, owner, arg, where: where.get("clerks", 0) >= arg["min"]}
OPS = {"toll": toll}
BEARERS = {"bite": bites}
MOVES = {"setup": (PlaceRat,), "summer.5": (RevealRatCard,), "fall.3": (PayToll,), "fall.4": (MoveRat,)}
