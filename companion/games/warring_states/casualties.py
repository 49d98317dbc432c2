"""The Casualties Round: a unit is lost, offered by an ally, or a province is conquered (rules WS-CAS, WS-PROV)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

from companion.engine.play.moves import Breach, Seat

from .campaign import losable, loss_suffered, provincial_open, the_campaign
from .catalogue import At, unit_words
from .domains import UnitName
from .effects import leave_play, move_province
from .moves import BattleStep
from .state import Aid, Campaign
from .units import drop, each, kinds


class LoseUnit(BattleStep, frozen=True):
    """The loser of the battle gives up a General or an army of their choice."""

    role = "choice"
    words = ("lose",)
    example = "lose army"
    rounds = ("casualties",)
    asks: ClassVar = {"unit": "WS-CAS-2"}
    player: Annotated[str, Seat()] = ""
    unit: Annotated[str, UnitName()] = ""

    def choices(self, at: At, c: Campaign, field: str) -> Iterable[Any] | None:
        if c.round != "casualties":
            return None
        return [c.loser] if field == "player" else losable(at, c)

    def broken(self, at: At, c: Campaign) -> Iterator[Breach]:
        has = losable(at, c)
        if self.player not in ("", c.loser):
            key = "WS-ALLY-11.force" if any(aid.player == self.player for aid in c.allies) else "WS-CAS-1"
            yield at.breach(key, player=self.player, loser=c.loser, winner=c.winner)
        elif self.player and c.conquered:
            yield at.breach("WS-PROV-6", loser=c.loser, provincial_army=c.provincial_army)
        elif self.player and self.unit and self.unit not in has:
            yield at.breach("WS-CAS-3", loser=c.loser, unit=self.unit, units=has)

    def apply(self, at: At) -> None:
        c = the_campaign(at)
        if self.player == c.attacker:
            drop(c.committed, self.unit)
        leave_play(at, self.player, self.unit, "WS-CAS-1")
        loss_suffered(at, c)


class VolunteerCasualty(BattleStep, frozen=True):
    """An ally of the losing side offers a unit in place of the loser's."""

    role = "free"
    words = ("volunteer",)
    example = "volunteer qin army"
    rounds = ("casualties",)
    asks: ClassVar = {"ally": "WS-ALLY-11.ally", "unit": "WS-ALLY-11.unit"}
    ally: Annotated[str, Seat()] = ""
    unit: Annotated[str, UnitName()] = ""

    def _sent(self, c: Campaign) -> list[Aid]:
        """Units of this ally (of all allies, where none is named) on the losing side."""
        lost = c.round == "casualties"
        return [aid for aid in c.allies if lost and aid.side == c.losing and self.ally in ("", aid.player)]

    def choices(self, at: At, c: Campaign, field: str) -> Iterable[Any] | None:
        sent = self._sent(c)
        return list(dict.fromkeys(aid.player for aid in sent)) if field == "ally" else kinds(*sent)

    def broken(self, at: At, c: Campaign) -> Iterator[Breach]:
        has = kinds(*self._sent(c))
        if self.ally and not at["allies.may_volunteer_casualty"]:
            yield at.breach("WS-ALLY-11.never", may_volunteer_casualty=False)
        if self.ally and not has:
            yield at.breach("WS-ALLY-11.nothing", ally=self.ally, losing_side=c.losing)
        elif self.ally and self.unit and self.unit not in has:
            yield at.breach("WS-ALLY-11.other", ally=self.ally, units=has, unit=self.unit)

    def apply(self, at: At) -> None:
        c = the_campaign(at)
        saved = "province" if c.conquered else "unit"
        at.note(f"WS-ALLY-11.{saved}", ally=self.ally, unit=self.unit, loser=c.loser, lost=unit_words(self.unit))
        drop(next(aid for aid in self._sent(c) if self.unit in each(aid)), self.unit)
        c.allies = [aid for aid in c.allies if each(aid)]
        leave_play(at, self.ally, self.unit, "WS-ALLY-11")
        loss_suffered(at, c)


class Conquer(BattleStep, frozen=True):
    """The attacker takes the token of a beaten Provincial Army."""

    role = "automatic"
    words = ("conquer",)
    example = "conquer"
    rounds = ("casualties",)

    def broken(self, at: At, c: Campaign) -> Iterator[Breach]:
        if c.provincial_army is None and not provincial_open(at, c):
            yield at.breach("WS-PROV-5", provincial_army=None)
        elif c.winner == "defender":
            yield at.breach("WS-PROV-10", defender=c.defender, winner=c.winner)

    def apply(self, at: At) -> None:
        c = the_campaign(at)
        move_province(at, c.defender, c.attacker, c.provincial_army)
        at.note("WS-PROV-5", attacker=c.attacker, defender=c.defender)
        at.note("WS-PROV-7", side=c.provincial_army)
        if c.allies:
            at.note("WS-PROV-9", attacker=c.attacker)
        loss_suffered(at, c)
