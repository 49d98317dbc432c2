"""Bannermen: raised at the Barracks, they lead attacks before the shots and flee from a breach (rules GW-GK-12 to -16)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, product
from typing import Annotated, Any, ClassVar

from companion.rules import Breach, Choice, Options, PieceName, Unspoken

from ..base import targets
from ..base.attacking import attack
from ..base.barracks import BARRACKS
from ..base.catalogue import At, name_of
from ..base.hand import Wounds
from ..base.named import NONE, Said, SoldierName, unit_of, where_of
from ..base.prices import Pay, Price, cost_of
from ..base.reports import May
from ..base.soldiers import Place, behind, free_spots, has_shot, move, number_at, on_card
from ..base.state import SECTIONS
from ..base.uses import ClerkUse
from ..base.year import in_tea_order, unit


def banners(at: At) -> None:
    """Winter step 1: bannermen lead attacks, section by section in tea order (GW-GK-14)."""
    for section in SECTIONS:
        for clan in in_tea_order(at):
            at.then("banner", clan=clan, section=section)
    at.then("banners_over")
    at.then("go_to", phase="winter.1.start")


def banner(at: At, clan: str, section: str) -> None:
    """One bannerman may lead soldiers, if there are some and a spot to attack."""
    leads = at.state.own(clan).bannerman == section and behind(at, clan, section)
    if leads and any(free_spots(at, horde) for horde in at.state.hordes[section]):
        at.owe(clan, BannermanAttack.name, at["gk.bannerman_attackers"], rule="GW-GK-14", section=section)


def banners_over(at: At) -> None:
    unit(at, "bannermen")


def banners_flee(at: At, section: str, ladder: bool) -> None:
    """Breach 3: the bannermen of the section go back to their owners (GW-GK-16)."""
    for clan in in_tea_order(at):
        if at.state.own(clan).bannerman == section:
            at.state.own(clan).bannerman = "supply"
            at.note("GW-GK-16", player=clan, section=section)


class BannermanAttack(May, frozen=True):
    """Attack hordes with soldiers of the section where your bannerman stands; without soldiers: no more."""

    owes: ClassVar[dict[str, str] | None] = {}
    elsewhere = "GW-GK-14"
    words = ("banner attacks",)
    asks: ClassVar[dict[str, str]] = {"card": "GW-ATT-1.card", "spots": "GW-ATT-1.spots"}
    soldiers: Annotated[tuple[Said, ...], SoldierName(many=True, lead=("with",))] = ()
    card: Annotated[str, PieceName("horde")] = ""
    section: Annotated[str, Unspoken()] = ""
    spots: Annotated[tuple[str | list[str], ...], targets.Spots()] = ()
    """Of one soldier its spots; of several, an entry for each."""
    extra_wound: Wounds = None
    """The wound by a special unit as it attacks."""

    def facts(self, at: At) -> dict[str, Any]:
        return {"unit": unit_of(self.soldiers[0]) if self.soldiers else ""}

    def _section(self, at: At) -> str:
        return at.state.own(self.by).bannerman

    def _left(self, at: At) -> int:
        task = self.debt(at)
        return task.n if task else int(at["gk.bannerman_attackers"]) - at.state.led.get(self.by, 0)

    def soldiers_options(self, at: At) -> Options:
        here, p = self._section(at), at.state.own(self.by)
        if here not in SECTIONS:
            return None
        return [(), *((f"{kind}@{zone}",) for zone in ("rest", "wall") for kind in getattr(p, zone)[here])]

    def card_options(self, at: At) -> Options:
        here = self._section(at)
        if here not in SECTIONS or all(card for _, _, card, _ in self.attacks(at)):
            return None
        return [horde.card for horde in at.state.hordes[here] if free_spots(at, horde)]

    def spots_options(self, at: At) -> Options:
        led = self.attacks(at) if self._section(at) in SECTIONS else []
        if all(spots for *_, spots in led) or not all(card for _, _, card, _ in led):
            return None
        sets = [[spots] if spots else targets.spot_sets(at, card, kind) for kind, _, card, spots in led]
        if len(led) == 1:
            return sets[0]
        return [some for some in product(*sets) if len(set(chain(*some))) == len([*chain(*some)])]

    def attacks(self, at: At) -> list[tuple[str, Place, str, tuple[str, ...]]]:
        """(unit, place, card, spots) of each attack."""
        here, found = self._section(at), []
        for n, form in enumerate(self.soldiers):
            place = _stands(form)
            kind = "wall" if place is not None and place.kind == "wall" else "rest"
            spots: Any = form.get("spots") if isinstance(form, Mapping) else None
            if spots is None:
                spots = self.spots if len(self.soldiers) == 1 else self.spots[n : n + 1]
            card = str(form.get("card") or self.card) if isinstance(form, Mapping) else self.card
            flat = [spot for one in ([spots] if isinstance(spots, str) else spots) for spot in _flat(one)]
            found.append((unit_of(form), Place(kind, here), card, tuple(flat)))  # type: ignore[arg-type]
        return found

    def acts(self) -> bool:
        return bool(self.soldiers or self.card or self.spots)

    def whether(self, at: At) -> Choice | None:
        able = [one for some in self.options(at, "soldiers") or () for one in some]
        return (
            at.ask("GW-GK-14.whether", "soldiers", self.by, [*able, NONE], section=self._section(at)) if able else None
        )

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from super().forbidden(at)
        here, most = self._section(at), self._left(at)
        task = self.debt(at)
        if task is None and has_shot(at.state):
            yield at.breach("GW-GK-14.late", player=self.by)
        if here not in SECTIONS:
            yield at.breach("GW-GK-14.banner", player=self.by)
            return
        if self.card and not self.soldiers:
            yield at.breach("GW-GK-14.nobody", player=self.by, card=name_of(at, "horde", self.card))
        if self.section and self.section != here:
            yield at.breach("GW-GK-14.section", player=self.by, section=self.section, there=here)
        before = [at.state.own(clan).bannerman for clan in at.state.led]
        passed = any(SECTIONS.index(here) < SECTIONS.index(there) for there in before)
        if task is None and (at.state.agenda or passed):
            yield at.breach("GW-GK-14.turn", player=self.by)
        if len(self.soldiers) > most:
            yield at.breach("GW-GK-14.number", player=self.by, n=len(self.soldiers), most=most)
        if self.spots and not all(spots for *_, spots in self.attacks(at)):
            yield at.breach("GW-GK-14.spots", player=self.by)
        trial = at.copy() if len(self.soldiers) > 1 else at
        for form, (kind, place, card, spots) in zip(self.soldiers, self.attacks(at), strict=True):
            said = _stands(form)
            if said is not None and (said.kind not in ("rest", "wall") or said.section not in ("", here)):
                yield at.breach("GW-GK-14.place", player=self.by, unit=kind, section=here)
                return
            if number_at(trial, self.by, place, kind) < 1:
                yield at.breach("GW-GK-14.there", player=self.by, unit=kind, section=here)
                return
            if card and (breaches := list(targets.bad_spots(trial, kind, card, spots, here))):
                yield from breaches
                return
            if card and spots and trial is not at:
                trial.quiet = True
                move(trial, self.by, kind, place, on_card(card, *spots))

    def settles(self) -> int:
        return len(self.soldiers) or 1_000

    def apply(self, at: At) -> None:
        for kind, place, card, spots in self.attacks(at):
            attack(at, self.by, kind, place, card, spots)
            if self.debt(at) is None:
                at.state.led[self.by] = at.state.led.get(self.by, 0) + 1
            at.kept("GW-GK-14")


class RaiseBanner(ClerkUse, frozen=True):
    """Use a recruit to put your bannerman into a section."""

    elsewhere = "GW-GK-13"
    site = BARRACKS
    section: Annotated[str, targets.Sections()] = ""
    pay: Pay = None

    def obstacles(self, at: At) -> Iterator[Breach]:
        if self.section and at.state.own(self.by).bannerman == self.section:
            yield at.breach("GW-GK-13.there", player=self.by, section=self.section)

    def price(self, at: At) -> Price:
        return Price("GW-GK-13", "the bannerman", cost_of(at, "gk.bannerman_cost", self.by))

    def done(self, at: At, price: Price) -> None:
        at.state.own(self.by).bannerman = self.section  # type: ignore[assignment]
        at.note("GW-GK-13", player=self.by, section=self.section, cost=price.cost)
        at.kept("GW-GK-12")


def _stands(form: Said) -> Place | None:
    """The place of a soldier, if a report names it; card and spots beside it are the target of its attack."""
    if isinstance(form, Mapping):
        form = {key: value for key, value in form.items() if key not in ("card", "spots", "spot")}
    return where_of(form)


def _flat(one: Any) -> list[str]:
    return [one] if isinstance(one, str) else list(one)


MOVES = {"fall.3": (RaiseBanner,), "winter.1.banners": (BannermanAttack,)}
ENTER = {"winter.1.banners": banners}
STEPS = {"banner": banner, "banners_over": banners_over, "banners_flee": banners_flee}
