"""The Casualties Round: a unit is lost, offered by an ally, or a province is conquered (rules WS-CAS, WS-PROV)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

from companion.engine.play.moves import Breach, Move, Seat

from .campaign import campaign_of, losable, loss_suffered, provincial_open
from .catalogue import At, unit_words
from .domains import UnitName
from .effects import general_leaves
from .state import Aid, Campaign, Units
from .steps import out_of_round, presumed_step


def kinds(units: Iterable[Units | Aid]) -> list[str]:
    """The kinds of unit in some records: `army`, and Generals by short name."""
    units = list(units)
    found = sorted({general for some in units for general in some.generals})
    return ["army", *found] if any(some.armies for some in units) else found


def _remove(units: Units | Aid, unit: str) -> None:
    if unit == "army":
        units.armies = max(0, units.armies - 1)
    elif unit in units.generals:
        units.generals.remove(unit)


def _leave_play(at: At, player: str, unit: str, rule: str) -> None:
    if unit == "army":
        p = at.state.players[player]
        p.armies = max(0, p.armies - 1)
        at.note(rule, at.rules.words("WS-DECK-9", "says", "loses"), player=player, lost=unit_words(unit))
        at.note("WS-DECK-9.army", player=player, armies=p.armies)
    else:
        general_leaves(at, player, unit, rule)


class _Casualty(Move, frozen=True):
    """What happens in the Casualties Round: it says that the battle has been decided."""

    def presumes(self, at: At) -> Move | None:
        return presumed_step(at, "casualties")

    def _round(self, at: At) -> Iterator[Breach]:
        yield from out_of_round(at, campaign_of(at), "casualties")

    @staticmethod
    def _campaign(at: At) -> Campaign | None:
        c = campaign_of(at)
        return c if c and c.round == "casualties" else None


class LoseUnit(_Casualty, frozen=True):
    """The loser of the battle gives up a General or an army of their choice."""

    name = "lose_unit"
    role = "choice"
    words = ("lose",)
    example = "lose army"
    asks: ClassVar = {"unit": "WS-CAS-2"}
    player: Annotated[str, Seat()] = ""
    unit: Annotated[str, UnitName()] = ""

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        c = self._campaign(at)
        if c is None:
            return None
        return [c.loser] if field == "player" else losable(at, c)

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from self._round(at)
        c = self._campaign(at)
        if c is None or not self.player:
            return
        has = losable(at, c)
        if self.player != c.loser:
            ally = any(a.player == self.player for a in c.allies)
            yield at.breach(
                "WS-ALLY-11.force" if ally else "WS-CAS-1", player=self.player, loser=c.loser, winner=c.winner
            )
        elif c.conquered:
            yield at.breach("WS-PROV-6", loser=c.loser, provincial_army=c.provincial_army)
        elif self.unit and self.unit not in has:
            yield at.breach("WS-CAS-3", loser=c.loser, unit=self.unit, units=has)

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is None:
            return
        if self.player == c.attacker:
            _remove(c.committed, self.unit)
        _leave_play(at, self.player, self.unit, "WS-CAS-1")
        loss_suffered(at, c)


class VolunteerCasualty(_Casualty, frozen=True):
    """An ally of the losing side offers a unit in place of the loser's."""

    name = "volunteer_casualty"
    role = "free"
    words = ("volunteer",)
    example = "volunteer qin army"
    asks: ClassVar = {"ally": "WS-ALLY-11.ally", "unit": "WS-ALLY-11.unit"}
    ally: Annotated[str, Seat()] = ""
    unit: Annotated[str, UnitName()] = ""

    def _sent(self, at: At) -> list[Aid]:
        """Units of this ally (of all allies, where none is named) on the losing side."""
        c = self._campaign(at)
        return [a for a in c.allies if a.side == c.losing and self.ally in ("", a.player)] if c else []

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        sent = self._sent(at)
        return list(dict.fromkeys(a.player for a in sent)) if field == "ally" else kinds(sent)

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from self._round(at)
        c = self._campaign(at)
        if c is None or not self.ally:
            return
        if not at["allies.may_volunteer_casualty"]:
            yield at.breach("WS-ALLY-11.never", may_volunteer_casualty=False)
        has = kinds(self._sent(at))
        if not has:
            yield at.breach("WS-ALLY-11.nothing", ally=self.ally, losing_side=c.losing)
        elif self.unit and self.unit not in has:
            yield at.breach("WS-ALLY-11.other", ally=self.ally, units=has, unit=self.unit)

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is None:
            return
        saved = "province" if c.conquered else "unit"
        at.note(f"WS-ALLY-11.{saved}", ally=self.ally, unit=self.unit, loser=c.loser, lost=unit_words(self.unit))
        for aid in [a for a in self._sent(at) if self.unit in kinds([a])][:1]:
            _remove(aid, self.unit)
            if not aid.generals and not aid.armies:
                c.allies.remove(aid)
        _leave_play(at, self.ally, self.unit, "WS-ALLY-11")
        loss_suffered(at, c)


class Conquer(_Casualty, frozen=True):
    """The attacker takes the token of a beaten Provincial Army."""

    name = "conquer"
    role = "automatic"
    words = ("conquer",)
    example = "conquer"

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from self._round(at)
        c = self._campaign(at)
        if c is None:
            return
        if c.provincial_army is None and not provincial_open(at, c):
            yield at.breach("WS-PROV-5", provincial_army=None)
        elif c.winner == "defender":
            yield at.breach("WS-PROV-10", defender=c.defender, winner=c.winner)

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is None or c.provincial_army is None:
            return
        side = c.provincial_army
        loser, winner = (at.state.players[p].provinces for p in (c.defender, c.attacker))
        setattr(loser, side, getattr(loser, side) - 1)
        setattr(winner, side, getattr(winner, side) + 1)
        at.note("WS-PROV-5", attacker=c.attacker, defender=c.defender)
        at.note("WS-PROV-7", side=side)
        if c.allies:
            at.note("WS-PROV-9", attacker=c.attacker)
        loss_suffered(at, c)
