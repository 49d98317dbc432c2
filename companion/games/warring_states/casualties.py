"""The Casualties Round: a unit is lost, offered by an ally, or a province is conquered (rules WS-CAS, WS-PROV)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from companion.rules import Breach, Options, PieceName, Seat

from .campaign import lent, losable, loss_suffered, provincial_open, the_campaign
from .catalogue import At, unit_words
from .effects import leave_play, move_province
from .moves import BattleStep
from .units import drop, in_words, kinds, size, together


class LoseUnit(BattleStep, frozen=True):
    """The loser of the battle gives up a General or an army of their choice."""

    role = "choice"
    words = ("lose",)
    rounds = ("casualties",)
    player: Annotated[str, Seat()] = ""
    unit: Annotated[str, PieceName("unit")] = ""

    def unit_options(self, at: At) -> Options:
        c = at.state.campaign
        if c is not None and self.player != c.loser:  # a loss that the table keeps against the rules
            return kinds(at.state.players[self.player]) or None
        return losable(at) or None

    def forbidden(self, at: At) -> Iterator[Breach]:
        c = the_campaign(at)
        has = losable(at)
        if self.player != c.loser:
            key = "WS-ALLY-11.force" if any(aid.player == self.player for aid in c.allies) else "WS-CAS-1"
            yield at.breach(key, player=self.player, loser=c.loser, winner=c.winner)
        elif c.conquered:
            yield at.breach("WS-PROV-6", loser=c.loser, provincial_army=c.provincial_army)
        elif self.unit and self.unit not in has:
            force = c.committed if c.loser == c.attacker else at.state.players[c.loser or ""]
            facts = {"has": in_words(force), "named": unit_words(self.unit)}
            yield at.breach("WS-CAS-3", loser=c.loser, unit=self.unit, units=has, **facts)

    def apply(self, at: At) -> None:
        c = the_campaign(at)
        nobody_volunteers(at)
        if self.player == c.attacker:
            drop(c.committed, self.unit)
        leave_play(at, self.player, self.unit, "WS-CAS-1")
        loss_suffered(at, c)


def nobody_volunteers(at: At) -> None:
    """A loss that is taken says that no ally offers a unit in its place (WS-ALLY-11)."""
    if at["allies.may_volunteer_casualty"] and (beaten := lent(at, beaten=True)):
        at.note("WS-ALLY-11.kept", players=sorted({aid.player for aid in beaten}))


class VolunteerCasualty(BattleStep, frozen=True):
    """An ally of the losing side offers a unit in place of the loser's."""

    role = "free"
    words = ("volunteer",)
    rounds = ("casualties",)
    ally: Annotated[str, Seat()] = ""
    unit: Annotated[str, PieceName("unit")] = ""

    def ally_options(self, at: At) -> Options:
        return list(dict.fromkeys(aid.player for aid in lent(at, beaten=True))) or at.seats

    def unit_options(self, at: At) -> Options:
        return kinds(*lent(at, self.ally, beaten=True))

    def forbidden(self, at: At) -> Iterator[Breach]:
        c = the_campaign(at)
        has = kinds(*lent(at, self.ally, beaten=True))
        if not at["allies.may_volunteer_casualty"]:
            yield at.breach("WS-ALLY-11.never", may_volunteer_casualty=False)
        if not has:
            yield at.breach("WS-ALLY-11.nothing", ally=self.ally, losing_side=c.losing)
        elif self.unit and self.unit not in has:
            facts = {"has": in_words(together(*lent(at, self.ally, beaten=True))), "named": unit_words(self.unit)}
            yield at.breach("WS-ALLY-11.other", ally=self.ally, units=has, unit=self.unit, **facts)

    def apply(self, at: At) -> None:
        c = the_campaign(at)
        saved = "province" if c.conquered else "unit"
        at.note(f"WS-ALLY-11.{saved}", ally=self.ally, unit=self.unit, loser=c.loser, lost=unit_words(self.unit))
        drop(next(aid for aid in lent(at, self.ally, beaten=True) if self.unit in kinds(aid)), self.unit)
        c.allies = [aid for aid in c.allies if size(aid)]
        leave_play(at, self.ally, self.unit, "WS-ALLY-11")
        loss_suffered(at, c)


class Conquer(BattleStep, frozen=True):
    """The attacker takes the token of a beaten Provincial Army."""

    role = "automatic"
    rounds = ("casualties",)

    @classmethod
    def made_here_by(cls, at: At) -> str:
        return at.state.campaign.attacker if at.state.campaign else ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        c = the_campaign(at)
        if c.provincial_army is None and not provincial_open(at):
            yield at.breach("WS-PROV-5", provincial_army=None)
        elif c.winner == "defender":
            yield at.breach("WS-PROV-10", defender=c.defender, winner=c.winner)

    def apply(self, at: At) -> None:
        c = the_campaign(at)
        nobody_volunteers(at)
        move_province(at, c.defender, c.attacker, c.provincial_army)
        at.note("WS-PROV-5", attacker=c.attacker, defender=c.defender)
        at.note("WS-PROV-7", side=c.provincial_army)
        if c.allies:
            at.note("WS-PROV-9", attacker=c.attacker)
        loss_suffered(at, c)
