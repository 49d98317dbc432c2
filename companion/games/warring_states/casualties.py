"""The Casualties Round: a unit is lost, offered by an ally, or a province is conquered (rules WS-CAS, WS-PROV)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from companion.engine.play.moves import Breach, Choice, Move, Seat
from components.phrasing import count

from .campaign import campaign_of, decide, losable, loser_of, loss_suffered, provincial_open
from .catalogue import At
from .domains import UnitName
from .effects import lose_general
from .frame import wrong_phase
from .state import Aid, Side, Units
from .steps import choice_open, out_of_round, presumed_step


class LoseUnit(Move, frozen=True):
    """The loser of the battle gives up a General or an Army of his choice."""

    name = "lose_unit"
    role = "choice"
    words = ("lose",)
    example = "lose army"
    player: Annotated[str, Seat()] = ""
    unit: Annotated[str, UnitName()] = ""

    def filled(self, at: At) -> LoseUnit:
        c = campaign_of(at)
        if c is None or c.winner is None:
            return self
        player = self.player or loser_of(c) or ""
        units = losable(at, c)
        return LoseUnit(player, self.unit or (units[0] if len(units) == 1 and player == loser_of(c) else ""))

    def presumes(self, at: At) -> Move | None:
        return presumed_step(at, "casualties")

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from wrong_phase(at, "war")
        c = campaign_of(at)
        yield from out_of_round(at, c, "casualties")
        if c is None or c.round != "casualties" or not self.player:
            return
        loser = loser_of(c)
        if self.player != loser:
            if any(a.player == self.player for a in c.allies):
                yield Breach("WS-ALLY-11", f"{self.player} is an ally and loses nothing by force", {"loser": loser})
            else:
                yield Breach(
                    "WS-CAS-1",
                    f"{loser or 'nobody'} lost this battle, not {self.player}",
                    {"loser": loser, "winner": c.winner},
                )
            return
        if c.winner == "attacker" and c.provincial_army:
            yield Breach(
                "WS-PROV-6",
                f"the {c.provincial_army} province is the unit that {loser} loses",
                {"provincial_army": c.provincial_army},
            )
        elif self.unit and self.unit not in losable(at, c):
            have = losable(at, c)
            yield Breach(
                "WS-CAS-3",
                f"{loser} has no {self.unit} in this campaign; there are {', '.join(have) or 'no units'}",
                {"units": have},
            )

    def needs(self, at: At) -> Iterator[Choice]:
        c = campaign_of(at)
        if c and not self.unit:
            yield Choice("unit", self.player, "which unit is lost?", list(losable(at, c)))

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is None:
            return
        at.cite(
            "WS-CAS-1",
            f"{self.player} loses {count(at['casualty.units'], 'unit')}; the winner loses nothing",
            player=self.player,
        )
        at.note(
            "WS-CAS-2",
            f"{self.player} chooses the {'army' if self.unit == 'army' else self.unit + ' General'}",
            unit=self.unit,
        )
        if self.player == c.attacker:
            _remove(c.committed, self.unit)
            at.cite("WS-CAS-3", "a unit committed to this campaign")
        _leave_play(at, self.player, self.unit, "WS-CAS-1")
        loss_suffered(at, c)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        c = campaign_of(at)
        if c and c.round == "casualties":
            yield from (cls(loser_of(c) or "", unit) for unit in losable(at, c))


def _remove(units: Units | Aid, unit: str) -> None:
    """Take one unit off a record with `generals` and `armies`."""
    if unit == "army":
        units.armies = max(0, units.armies - 1)
    elif unit in units.generals:
        units.generals.remove(unit)


def _leave_play(at: At, player: str, unit: str, rule: str) -> None:
    p = at.state.players[player]
    if unit == "army":
        p.armies = max(0, p.armies - 1)
        at.note("WS-DECK-9", f"an army of {player} goes back to the supply", armies=p.armies)
    else:
        lose_general(at, player, unit, rule)


class VolunteerCasualty(Move, frozen=True):
    """An ally of the losing side offers one of his units in place of the loser's."""

    name = "volunteer_casualty"
    role = "free"
    words = ("volunteer",)
    example = "volunteer qin army"
    ally: Annotated[str, Seat()] = ""
    unit: Annotated[str, UnitName()] = ""

    def presumes(self, at: At) -> Move | None:
        return presumed_step(at, "casualties")

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from wrong_phase(at, "war")
        c = campaign_of(at)
        yield from out_of_round(at, c, "casualties")
        if c is None or c.round != "casualties" or not self.ally:
            return
        if not at["allies.may_volunteer_casualty"]:
            yield Breach("WS-ALLY-11", "offering a casualty is not allowed", {"may_volunteer_casualty": False})
        losing: Side = "defender" if c.winner == "attacker" else "attacker"
        units = [a for a in c.allies if a.player == self.ally and a.side == losing]
        have = [*(["army"] if any(a.armies for a in units) else []), *sorted({g for a in units for g in a.generals})]
        if not units:
            yield Breach(
                "WS-ALLY-11", f"{self.ally} has no units on the losing side, the {losing}'s", {"losing_side": losing}
            )
        elif self.unit and self.unit not in have:
            yield Breach("WS-ALLY-11", f"{self.ally} has {', '.join(have)} there, not {self.unit}", {"units": have})

    def needs(self, at: At) -> Iterator[Choice]:
        c = campaign_of(at)
        if c and not self.ally:
            yield Choice("ally", "", "who offers a unit?", sorted({a.player for a in c.allies}))
        if c and not self.unit:
            yield Choice(
                "unit",
                self.ally,
                "which unit?",
                ["army", *sorted({g for a in c.allies if a.player == self.ally for g in a.generals})],
            )

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is None:
            return
        saved = "the province" if c.provincial_army and c.winner == "attacker" else f"the unit of {loser_of(c)}"
        at.note(
            "WS-ALLY-11", f"{self.ally} gives up the {self.unit} in place of {saved}", ally=self.ally, unit=self.unit
        )
        losing: Side = "defender" if c.winner == "attacker" else "attacker"
        for aid in list(c.allies):
            if (
                aid.player == self.ally
                and aid.side == losing
                and (self.unit in aid.generals or (self.unit == "army" and aid.armies))
            ):
                _remove(aid, self.unit)
                if not aid.generals and not aid.armies:
                    c.allies.remove(aid)
                break
        if c.provincial_army and c.winner == "attacker":
            at.note(
                "WS-PROV-6",
                f"so {c.defender} loses no province",
                provinces=at.state.players[c.defender].provinces.total,
            )
        _leave_play(at, self.ally, self.unit, "WS-ALLY-11")
        c.losses += 1
        if c.losses >= at["casualty.units"] or (c.provincial_army and c.winner == "attacker") or not losable(at, c):
            decide(at, c)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        c = campaign_of(at)
        if c and c.round == "casualties":
            for aid in c.allies:
                for unit in [*(["army"] if aid.armies else []), *sorted(set(aid.generals))]:
                    yield cls(aid.player, unit)


class Conquer(Move, frozen=True):
    """The attacker takes the token of the Provincial Army he has beaten."""

    name = "conquer"
    role = "automatic"
    words = ("conquer",)
    example = "conquer"

    def presumes(self, at: At) -> Move | None:
        return presumed_step(at, "casualties")

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from wrong_phase(at, "war")
        c = campaign_of(at)
        yield from out_of_round(at, c, "casualties")
        if c is None or c.round != "casualties":
            return
        if c.provincial_army is None and not provincial_open(at, c):
            yield Breach("WS-PROV-5", "no Provincial Army fought in this battle", {"provincial_army": None})
        elif c.winner == "defender":
            yield Breach("WS-PROV-10", f"the Provincial Army of {c.defender} won", {"winner": c.winner})

    def needs(self, at: At) -> Iterator[Choice]:
        if open_choice := choice_open(at):
            yield open_choice

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is None or c.provincial_army is None:
            return
        side = c.provincial_army
        loser, winner = at.state.players[c.defender].provinces, at.state.players[c.attacker].provinces
        if at.on("WS-PROV-5"):
            setattr(loser, side, getattr(loser, side) - 1)
            new = side if at.on("WS-PROV-7") else "intact"
            allied = [a.player for a in c.allies if a.side == "attacker"]
            if allied and not at.on("WS-PROV-9"):
                winner = at.state.players[allied[0]].provinces
            setattr(winner, new, getattr(winner, new) + 1)
        at.note(
            "WS-PROV-5", f"{c.attacker} takes a province from {c.defender}", attacker=c.attacker, defender=c.defender
        )
        at.cite("WS-PROV-6", f"it is the one unit {c.defender} loses")
        at.cite("WS-PROV-7", f"it stays {side}", side=side)
        if c.allies:
            at.note("WS-PROV-9", f"it goes to {c.attacker}, not to an ally")
        loss_suffered(at, c)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        c = campaign_of(at)
        if c and c.round == "casualties" and c.provincial_army and c.winner == "attacker":
            yield cls()


__all__ = ["Conquer", "LoseUnit", "VolunteerCasualty"]
