"""Placing a workshop, on the land or on the State Board (rules XK-WORKSHOP, XK-STATE)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from companion.engine.play.moves import Breach, Choice, Move
from companion.engine.things.slots import next_slot, price
from companion.engine.things.stores import lacking, together
from components.phrasing import count

from .actions import ResourceAction
from .catalogue import At, cat, slots_open, spell
from .domains import Destination, Quadrant
from .effects import carry_out
from .land import area_of, land, not_empty, off_the_land, standing, vacant, without_worker, works_in
from .prices import cost_of, pay, unaffordable
from .state import Piece

BUILDINGS = ("workshop", "church")


def workshop_cost(at: At) -> dict[str, int]:
    return cost_of(at, "workshop", "XK-WORKSHOP-1", "XK-WORKSHOP-8")


def state_extra(at: At) -> dict[str, int]:
    """The additional cost of the next slot of the State Board (XK-STATE-1, -5)."""
    extras: list[dict[str, int]] = at["state.workshop_extra"]
    if not extras or not at.on("XK-STATE-1"):
        return {}
    slot = len(at.state.state_board.workshops) + 1 if at.on("XK-STATE-5") else 1
    return price(extras, slot, extras[-1])


def building_places(at: At, player: str) -> list[str]:
    """Empty quadrants of areas in which a player has a work disc."""
    mine = [area for area in land(at).all if works_in(at, area, player)]
    return [q for q in vacant(at) if any(q in area.spaces for area in mine)]


def crowded(at: At, quadrant: str, rule: str) -> Iterator[Breach]:
    """A second building in an area, if only empty quadrants did not limit them (XK-WORKSHOP-7)."""
    area = area_of(at, quadrant)
    built = area is not None and any(piece.kind in BUILDINGS for _, piece in standing(at, area))
    if built and not at.on("XK-WORKSHOP-7"):
        yield Breach(rule, f"the area of {quadrant} has a building already", {"at": quadrant})


def has_worker(at: At, player: str) -> bool:
    return any(piece.kind == "work" and piece.owner == player for piece in at.state.pieces.values())


class Workshop(ResourceAction, frozen=True):
    """Place a workshop on the land, or on the State Board for popularity."""

    name = "workshop"
    words = ("workshop", "house", "build workshop", "place workshop")
    example = "workshop f4"
    to: Annotated[str, Destination("land", "state", spoken={"state board": "state"})] = ""
    at: Annotated[str, Quadrant()] = ""

    def filled(self, at: At) -> Workshop:
        placed = super().filled(at)
        return msgspec.structs.replace(placed, to="land") if self.at and not self.to else placed

    def breaks(self, at: At) -> Iterator[Breach]:
        yield from super().breaks(at)
        if not at.state.player[self.player].workshops:
            why = f"{self.player} has no workshop left on the player board"
            yield Breach("XK-WORKSHOP-2", why, {"workshops": 0})
        if self.to not in ("", "land", "state"):
            why = f"a workshop goes to the land or to the State Board, not to {self.to}"
            yield Breach("XK-WORKSHOP-3", why, {"to": self.to})
        elif self.to == "state":
            yield from self._on_the_state_board(at)
        else:
            yield from self._on_the_land(at)

    def _on_the_land(self, at: At) -> Iterator[Breach]:
        yield from off_the_land(at, self.at)
        if self.at:
            yield from not_empty(at, self.at, "XK-WORKSHOP-4")
            yield from without_worker(at, self.at, self.player, "XK-WORKSHOP-5")
            yield from crowded(at, self.at, "XK-WORKSHOP-4")
        yield from unaffordable(at, self.player, workshop_cost(at), "XK-WORKSHOP-1", what="a workshop")

    def _on_the_state_board(self, at: At) -> Iterator[Breach]:
        if self.at:
            why = f"a workshop goes to the State Board or to {self.at}, not to both"
            yield Breach("XK-WORKSHOP-3", why, {"to": self.to, "at": self.at})
        if not at.on("XK-WORKSHOP-3"):
            yield Breach("XK-WORKSHOP-4", "a workshop goes on a quadrant of the land", {"to": self.to})
        if not at.on("XK-STATE-4") and not has_worker(at, self.player):
            yield Breach("XK-WORKSHOP-5", f"{self.player} has no work disc on the land", {"player": self.player})
        taken, places = at.state.state_board.workshops, slots_open(at)
        if next_slot(taken, places) is None:
            why = f"all {places} slots of {count(len(at.state.players), 'player')} are taken"
            yield Breach("XK-STATE-2", why, {"open": places, "taken": len(taken)})
            return
        base, extra = workshop_cost(at), state_extra(at)
        store = at.state.player[self.player].stored()
        if lacking(store, base):
            yield from unaffordable(at, self.player, base, "XK-WORKSHOP-1", what="a workshop")
        else:
            what = f"a workshop in slot {len(taken) + 1} ({spell(extra)} more)"
            yield from unaffordable(at, self.player, together(base, extra), "XK-STATE-1", what=what)

    def left_out(self, at: At) -> Iterator[Choice]:
        if not self.to:
            places = building_places(at, self.player)
            yield Choice("to", self.player, "on which quadrant, or on the State Board?", [*places, "state"])
        elif self.to == "land" and not self.at:
            yield Choice("at", self.player, "on which quadrant?", building_places(at, self.player))

    def carry_out(self, at: At) -> None:
        s = at.state
        p = s.player[self.player]
        base, extra = workshop_cost(at), state_extra(at) if self.to == "state" else {}
        pay(at, self.player, together(base, extra), "a workshop", "XK-WORKSHOP-1")
        at.cite("XK-WORKSHOP-8", f"a workshop costs {spell(base)}", cost=base)
        p.workshops = max(0, p.workshops - 1)
        at.cite("XK-WORKSHOP-2", f"{count(p.workshops, 'workshop')} left on the player board", left=p.workshops)
        if self.to == "state":
            slot = len(s.state_board.workshops) + 1
            s.state_board.workshops.append(self.player)
            what = f"{self.player} places a workshop in slot {slot} of the State Board"
            at.note("XK-WORKSHOP-3", what, slot=slot)
            at.cite("XK-STATE-1", f"slot {slot} costs {spell(extra)} more", slot=slot, extra=extra)
            at.cite("XK-STATE-5", f"slot {slot} is the leftmost one free", slot=slot)
            at.cite("XK-STATE-2", f"{slots_open(at)} slots are open", open=slots_open(at))
            at.cite("XK-STATE-4", "no disc on the land is needed")
            if at.on("XK-STATE-3"):
                carry_out(at, self.player, cat(at).state_board_gain)
        else:
            s.pieces[self.at] = Piece("workshop", self.player)
            at.note("XK-WORKSHOP-3", f"{self.player} places a workshop on {self.at}", at=self.at)
            at.cite("XK-WORKSHOP-4", "the quadrant was empty")
            at.cite("XK-WORKSHOP-5", f"a work disc of {self.player} lies in the area")
            at.cite("XK-WORKSHOP-7", "only empty quadrants limit the buildings of an area")
            at.cite("XK-WORKSHOP-6", "no immediate effect")
            if not at.on("XK-WORKSHOP-6"):
                carry_out(at, self.player, cat(at).state_board_gain)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        player = at.state.active
        if player is not None and at.state.player[player].workshops:
            yield from (cls(player, "land", quadrant) for quadrant in building_places(at, player))
            yield cls(player, "state")


__all__ = ["Workshop", "building_places", "crowded", "has_worker", "workshop_cost"]
