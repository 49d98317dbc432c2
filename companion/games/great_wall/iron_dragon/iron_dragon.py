"""The Iron Dragon: its flight, its breath, and how it is appeased (rules GW-ID)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Annotated, Any, get_args

from companion.engine.play.phases import go_on
from companion.rules import Breach, Line, OneOf, PieceName, Source, Unspoken
from components.model import ResolvedPiece

from ..base.catalogue import At, Catalogue, cat, name_of
from ..base.decks import RevealNext
from ..base.hand import Answers, wounds_of_first
from ..base.icons import STEP
from ..base.prices import Pay, Price, cost_of
from ..base.reports import TableReport
from ..base.soldiers import free_spots, has_shot
from ..base.state import SECTIONS, DragonPlace, State
from ..base.targets import CELLS
from ..base.town import TEA_HOUSE
from ..base.uses import ClerkUse
from ..base.wounds import place_wound
from ..base.year import ENDED, first_in_tea, next_step, unit

RING: tuple[DragonPlace, ...] = get_args(DragonPlace)
"""The places of the dragon, in the direction of its flight (GW-ID-3)."""
OVER = "winter.1.breath"


def breath_of(at: At, card: str) -> ResolvedPiece:
    """The breath of a dragon card."""
    return cat(at).of("breath")[cat(at).of("dragon-card")[card].fields["breath"]]


def breathes(catalogue: Catalogue, s: State, piece: ResolvedPiece) -> list[tuple[str, Any]]:
    """The breath of the open card works all Winter in the section where the dragon is (GW-ID-4, GW-ID-5)."""
    if s.season != "winter" or not s.dragon.card or s.dragon.at not in SECTIONS:
        return []
    breath = catalogue.of("dragon-card")[s.dragon.card].fields["breath"]
    return [("", s.dragon.at)] if breath == piece.id else []


class RevealDragonCard(RevealNext, frozen=True):
    """A new dragon card; then the dragon flies west."""

    words = ("dragon",)
    elsewhere = "GW-ID-2"
    deck = "dragon"
    card: Annotated[str, PieceName("dragon-card", secret=True)] = ""
    to: Annotated[str, OneOf(*RING, lead=("to",))] = ""
    """The dragon's next place, if reported."""

    def to_options(self, at: At) -> list[str] | None:
        return [self._goes(at)] if self.card else None

    def _goes(self, at: At) -> DragonPlace:
        move = cat(at).of("dragon-card")[self.card].fields["move"]
        return RING[(RING.index(at.state.dragon.at) + int(move)) % len(RING)]

    def misread(self, at: At) -> Iterator[Breach]:
        if self.to and self.to != self._goes(at):
            yield at.breach("GW-ID-3.elsewhere", said=self.to, place=self._goes(at))

    def apply(self, at: At) -> None:
        s = at.state
        if s.dragon.card:
            s.dragon_discard.append(s.dragon.card)
        piece = cat(at).of("dragon-card")[self.card]
        s.dragon.at, s.dragon.card = self._goes(at), self.card
        super().apply(at)
        at.note("GW-ID-2.shown", card=piece.name, breath=piece.fields["breath_name"])
        at.note("GW-ID-3.flies", n=piece.fields["move"], place=s.dragon.at.replace("_", " "))
        next_step(at)


class Breath(TableReport, frozen=True):
    """The dragon breathes on the section where it is."""

    elsewhere = "GW-ID-4"
    card: Annotated[str, Unspoken()] = ""
    """The first-row horde, if the report names it."""
    spots: Annotated[tuple[str, ...], OneOf(*CELLS, many=True).bringing()] = ()

    def spots_options(self, at: At) -> list[tuple[str, ...]] | None:
        """The spots for the wounds; the player highest in tea order may also choose them after the breath."""
        n, free = self._wounds(at)
        return [(), *permutations(free, n)] if n else None

    def _wounds(self, at: At) -> tuple[int, list[str]]:
        """The number of wounds that the breath places, and their possible spots."""
        s = at.state
        if not s.dragon.card or s.dragon.at not in SECTIONS:
            return 0, []
        n = sum(effect.args["n"] for effect in breath_of(at, s.dragon.card).effect if effect.verb == "wound")
        free = [spot for horde in s.hordes[s.dragon.at][:1] for spot in free_spots(at, horde)]
        return min(n, len(free)), free

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.dragon.card is None:
            yield at.breach("GW-ID-7.none")
        elif s.dragon.at not in SECTIONS:
            yield at.breach("GW-ID-4.end", place=s.dragon.at.replace("_", " "))
        elif has_shot(s):
            yield at.breach("GW-ID-4.late")
        elif self.spots and self.by and self.by != (due := first_in_tea(at, s.players)):
            yield at.breach("GW-ID-5.chooser", player=self.by, due=due)
        elif self.spots and len(self.spots) != (n := self._wounds(at)[0]):
            yield at.breach("GW-ID-5.number", n=n, said=len(self.spots))

    def apply(self, at: At) -> None:
        s = at.state
        if not s.dragon.card or s.dragon.at not in SECTIONS:
            at.then("breath_over")
            return
        piece = breath_of(at, s.dragon.card)
        at.note("GW-ID-4.breathes", section=s.dragon.at, breath=piece.name, text=piece.text)
        clan = first_in_tea(at, s.players)
        n, free = self._wounds(at)
        if n and n == len(free) and not self.spots:  # they fill all spots that are free: nothing to choose
            for spot in free:
                place_wound(at, clan, s.hordes[s.dragon.at][0].card, spot)
        else:
            at.run(piece.effect, clan, Source(piece, "", s.dragon.at, about={"section": s.dragon.at}))
        at.then("breath_over")

    def otherwise(self, at: At) -> Answers:
        clan = first_in_tea(at, at.state.players)
        return wounds_of_first(at, clan, at.state.dragon.at, self.card, self.spots)


class Appease(ClerkUse, frozen=True):
    """Use a clerk in the Tea House to appease the dragon and collect its card."""

    elsewhere = "GW-ID-6"
    site = TEA_HOUSE
    pay: Pay = None

    def obstacles(self, at: At) -> Iterator[Breach]:
        if at.state.dragon.card is None:
            yield at.breach("GW-ID-6.collected")

    def price(self, at: At) -> Price:
        return Price("GW-ID-6", "the dragon", cost_of(at, "dragon.appease", self.by))

    def done(self, at: At, price: Price) -> None:
        s = at.state
        card = s.dragon.card or ""
        s.own(self.by).dragon_cards.append(card)
        s.dragon.card = None
        at.note("GW-ID-6.collects", player=self.by, card=name_of(at, "dragon-card", card), cost=price.cost)
        at.kept("GW-ID-7")


def breath_over(at: At) -> None:
    """The step `breath_over`: the breath is a unit of its own (GW-END-3)."""
    unit(at, "breath")
    if at.rules.stage(at.state) == OVER:
        go_on(at)
    elif at.state.step != ENDED:  # a position that did not say how far the step had got
        at.enter("winter.1.banners")


def no_breath(at: At) -> None:
    """Without a card, or at an end of the wall, nothing happens (GW-ID-4, GW-ID-7)."""
    if at.state.dragon.card is None or at.state.dragon.at not in SECTIONS:
        at.kept("GW-ID-4", "GW-ID-7")
        go_on(at)


def lose_barricades(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    """The verb `lose_barricades`: up to so many barricades of the section."""
    section = str(source.where)
    n = min(int(args["n"]), at.state.barricades[section])
    at.state.barricades[section] -= n
    at.note("GW-ID-5.scorched", n=n, section=section)


def collected(at: At, clan: str) -> Iterator[Line]:
    """The honor of collected dragon cards (GW-ID-7, GW-SCORE-5)."""
    for card in at.state.player[clan].dragon_cards:
        piece = cat(at).of("dragon-card")[card]
        yield Line(clan, "GW-SCORE-5", piece.name, str(piece.fields["honor"]), int(piece.fields["honor"]))


def at_section(at: At, section: str) -> list[str]:
    return ["the dragon"] if at.state.dragon.at == section else []


def line(at: At) -> str:
    dragon = at.state.dragon
    card = f", {name_of(at, 'dragon-card', dragon.card)}" if dragon.card else ""
    return f"Dragon: {dragon.at.replace('_', ' ')}{card}"


BEARERS = {"breath": breathes}
OPS = {"lose_barricades": lose_barricades}
ENTER = {OVER: no_breath}
STEPS = {"breath_over": breath_over}
MOVES = {"spring.5": (RevealDragonCard,), OVER: (Breath,), STEP: (Appease,)}
