"""Ancient Beasts: where they stand, what the active player does with them, relics (rules GW-AB)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, ClassVar

from companion.rules import Breach, Brings, Flag, Move, PieceName
from components.model import ResolvedPiece

from ..base.brought import Bearers, Next
from ..base.catalogue import At, Catalogue, cat, name_of
from ..base.decks import RevealNext
from ..base.fall import coming
from ..base.hand import Answers, Wounds, wounds_of_first
from ..base.icons import begun, in_step, next_spot
from ..base.preparation import PlaceOfModule
from ..base.prices import Pay, Price, charge, cost_of, gain, misclaimed, unpaid
from ..base.reports import Report
from ..base.state import SECTIONS, Beast, State
from ..base.state import BeastAction as Done
from ..base.year import ENDED, end_unit, next_step


def legal_places(at: At, beast: str) -> list[str]:
    """The places of the kind that a beast's card names (GW-AB-2)."""
    kind = cat(at).of("beast")[beast].fields["place"]
    if kind == "section":
        return list(SECTIONS)
    if kind == "production":
        return list(cat(at).production)
    return [location for location, site in cat(at).locations.items() if not site.red]


def called(at: At, place: str) -> str:
    return name_of(at, "location", place)


def bad_place(at: At, beast: str, place: str, rule: str = "GW-AB-2") -> Iterator[Breach]:
    """The reasons why a beast cannot stand in a place: its card does not name it, or another beast stands there."""
    facts = {"beast": name_of(at, "beast", beast), "place": called(at, place)}
    if place not in legal_places(at, beast):
        stands = cat(at).of("beast")[beast].fields["stands"]
        yield at.breach(f"{rule}.kind", stands=stands, **facts)
    for other, there in at.state.beasts.items():
        if other != beast and there.at == place:
            yield at.breach(f"{rule}.taken", other=name_of(at, "beast", other), **facts)


class PlaceBeast(PlaceOfModule, frozen=True):
    """A player chooses an unused beast and places it."""

    elsewhere = "GW-AB-1"
    what = "a beast"
    beast: Annotated[str, PieceName("beast")] = ""
    place: Annotated[str, PieceName("place")] = ""

    @classmethod
    def placed(cls, at: At) -> int:
        return len(at.state.beasts)

    def beast_options(self, at: At) -> list[str]:
        return [beast for beast in cat(at).of("beast") if beast not in at.state.beasts]

    def place_options(self, at: At) -> Iterable[str]:
        return legal_places(at, self.beast) if self.beast else at.rules.names("place")

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from super().forbidden(at)
        if len(at.state.beasts) >= len(at.state.tea):
            yield at.breach("GW-AB-1.enough", n=len(at.state.beasts))
        elif self.beast in at.state.beasts:
            yield at.breach("GW-AB-1.used", beast=name_of(at, "beast", self.beast))
        elif self.beast and self.place:
            yield from bad_place(at, self.beast, self.place)

    def apply(self, at: At) -> None:
        at.state.beasts[self.beast] = Beast(1, self.place)
        name = name_of(at, "beast", self.beast)
        at.note("GW-AB-1.placed", player=self.by, beast=name, place=called(at, self.place))


class BeastAction(Report, frozen=True):
    """Before the icons of your command card: upgrade a beast, move it, or both."""

    words = ("beast",)
    done_by = "beast"
    elsewhere = "GW-AB-3"
    opens: ClassVar[str] = "beast_action"
    beast: Annotated[str, PieceName("beast")] = ""
    upgrade: Annotated[bool, Flag("upgrade", "raise", "upgrades", "raises")] = False
    to: Annotated[str, PieceName("place", lead=("to",))] = ""
    card: Annotated[str, Brings()] = ""
    spots: Annotated[tuple[str, ...], Brings()] = ()
    """Wounds that a relic lets the player place; in a typed line they are reports of their own."""
    extra_wound: Wounds = None
    pay: Pay = None

    def by_options(self, at: At) -> list[str]:
        s, spot = at.state, next_spot(at) if in_step(at) else None
        return [s.active] if s.active else [s.command_track[spot].player] if spot else s.players

    def beast_options(self, at: At) -> list[str]:
        return list(at.state.beasts)

    def upgrade_options(self, at: At) -> tuple[bool, bool]:
        return (True, False) if not self.to else (False, True)

    def to_options(self, at: At) -> list[str]:
        here = at.state.beasts.get(self.beast)
        places = [place for place in legal_places(at, self.beast) if place != here.at] if here else []
        return ["", *places] if self.upgrade else places

    def presumes(self, at: At) -> Move | None:
        return (coming(at, self) if at.state.active is None else None) or super().presumes(at)

    def otherwise(self, at: At) -> Answers:
        return wounds_of_first(at, self.by, self.to, self.card, self.spots)

    def level(self, at: At) -> int:
        """The level an upgrade leads to."""
        return at.state.beasts.get(self.beast, Beast()).level + 1

    def price(self, at: At) -> Price:
        """The price of the level it leads to (GW-AB-5)."""
        printed: dict[str, int] = at["beast.upgrade_cost"].get(self.level(at), {})
        cost = cost_of(at, "beast.upgrade_cost", self.by, printed)
        return Price("GW-AB-5", name_of(at, "beast", self.beast), cost)

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.active and self.by != s.active:
            yield at.breach("GW-AB-3.turn", player=self.by, active=s.active)
        if begun(at) and "icon" not in s.untold:
            yield at.breach("GW-AB-3.late")
        if self.beast and self.beast not in s.beasts:
            yield at.breach("GW-AB-4", beast=name_of(at, "beast", self.beast))
        elif self.beast:
            yield from self._too_many(at)
            if self.to:
                yield from self._bad_move(at)
            if self.upgrade:
                yield from self._bad_upgrade(at)

    def _too_many(self, at: At) -> Iterator[Breach]:
        acted = {done.upgrade or done.move for done in at.state.beast_actions}
        most = at.value("beast.actions_per_card", self.by)
        facts = {"beast": name_of(at, "beast", self.beast), "n": int(most), "sum": most.sum}
        if len(acted | {self.beast}) > int(most):
            yield at.breach("GW-AB-3.other", **facts)
        for done in at.state.beast_actions:
            if (self.upgrade and self.beast in (done.upgrade, done.move)) or (self.to and done.move == self.beast):
                yield at.breach("GW-AB-3.again", **facts)
                return

    def _bad_upgrade(self, at: At) -> Iterator[Breach]:
        if self.level(at) > at["beast.max_level"]:
            name = name_of(at, "beast", self.beast)
            yield at.breach("GW-AB-5.top", beast=name, level=at["beast.max_level"])
        else:
            price = self.price(at)
            yield from unpaid(at, self.by, price)
            yield from misclaimed(at, self.pay, price)

    def _bad_move(self, at: At) -> Iterator[Breach]:
        yield from at.forbids("beast_move", self.by)
        if self.to == at.state.beasts[self.beast].at:
            yield at.breach("GW-AB-6.same", beast=name_of(at, "beast", self.beast), place=called(at, self.to))
        else:
            yield from bad_place(at, self.beast, self.to, "GW-AB-6")

    def apply(self, at: At) -> None:
        s = at.state
        beast = s.beasts.setdefault(self.beast, Beast(1, self.to))
        name = name_of(at, "beast", self.beast)
        if self.upgrade:
            level, price = self.level(at), self.price(at)
            charge(at, self.by, price)
            beast.level = level
            s.beast_actions.append(Done(upgrade=self.beast))
            at.note("GW-AB-5.raised", player=self.by, beast=name, level=level, cost=price.cost)
            gain(at, self.by, {"honor": at["beast.upgrade_honor"].get(level, 0)}, "GW-AB-5.honor")
            at.trigger("beast_upgraded", self.by, beast=self.beast)
        if self.to:
            beast.at = self.to
            s.beast_actions.append(Done(move=self.beast))
            at.note("GW-AB-6.moved", player=self.by, beast=name, place=called(at, self.to))
            kind = "section" if self.to in SECTIONS else "location"
            at.trigger("beast_moved", self.by, beast=self.beast, to=kind, **{kind: self.to})
        at.kept("GW-AB-7")
        at.then("beast_over", beast=self.beast)


def beast_over(at: At, beast: str) -> None:
    """The step `beast_over`: an action is a unit of its own (GW-END-3); what the first icon allows stays allowed."""
    allowed = dict(at.state.allowed)
    end_unit(at, f"beast {beast}")
    if at.state.step != ENDED:
        at.state.allowed = allowed


class RevealRelic(RevealNext, frozen=True):
    """A new relic on top of the old one."""

    words = ("relic",)
    elsewhere = "GW-AB-8"
    deck = "relic"
    card: Annotated[str, PieceName("relic", secret=True)] = ""

    def apply(self, at: At) -> None:
        s = at.state
        if s.relic:
            s.relic_pile.append(s.relic)
        s.relic = self.card
        super().apply(at)
        piece = cat(at).of("relic")[self.card]
        at.note("GW-AB-8.shown", card=piece.name, text=piece.text)
        next_step(at)


def lacks(at: At) -> Next | None:
    """A beast of each player (GW-AB-1)."""
    n = len(at.state.beasts)
    return Next(f"{at.state.tea[n]} places a beast", ("place_beast",)) if n < len(at.state.players) else None


def works(catalogue: Catalogue, s: State, piece: ResolvedPiece) -> Bearers:
    """The level of a beast in play (`B4-2`), where the beast stands (GW-AB-7)."""
    name, _, level = piece.id.partition("-")
    beast = s.beasts.get(name)
    return [("", beast.at)] if beast and str(beast.level) == level else []


def at_section(at: At, section: str) -> list[str]:
    return [
        f"{name_of(at, 'beast', beast)} {there.level}"
        for beast, there in at.state.beasts.items()
        if there.at == section
    ]


def line(at: At) -> str:
    s = at.state
    town = [
        f"{name_of(at, 'beast', beast)} {there.level} in {name_of(at, 'location', there.at)}"
        for beast, there in s.beasts.items()
        if there.at not in SECTIONS
    ]
    relic = f"; relic {name_of(at, 'relic', s.relic)}" if s.relic else ""
    return f"Beasts: {', '.join(town) or 'all at the wall'}{relic}" if s.beasts or relic else ""


BEARERS = {"relic": lambda found, s, piece: [("", "")] if s.relic == piece.id else [], "beast-level": works}
STEPS = {"beast_over": beast_over}
MOVES = {"setup": (PlaceBeast,), "summer.6": (RevealRelic,), "fall.3": (BeastAction,)}
