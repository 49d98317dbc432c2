"""Cleanup: tiles, markers, ships and the turn order (rules TX-CLEAN)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

from companion.rules import Breach, Options, PieceName, Reported

from .battle import undone
from .catalogue import At, cat, name_of
from .preparation import in_stack, shown_before
from .shipping import free_spaces
from .state import State
from .tiles import to_box


def leaving(at: At) -> list[str]:
    """The places whose ship is full and leaves (TX-CLEAN-3, -8)."""
    return [place for place, port in at.state.ports.items() if port.ship and not free_spaces(at, place)]


def new_ships_due(at: At) -> int:
    """The number of ships that come up: one for each place that stays empty, as far as the stack holds them
    (TX-CLEAN-10)."""
    s = at.state
    afloat = sum(port.ship is not None for port in s.ports.values())
    left = len(cat(at).ships) - len(s.discarded_ships) - afloat
    return max(0, min(len(s.ports) - afloat + len(leaving(at)), left))


def ships_are_followed(s: State) -> bool:
    """True if the position mentions ships; otherwise nobody knows what the stack holds."""
    return bool(s.discarded_ships) or any(port.ship for port in s.ports.values())


class Cleanup(Reported, frozen=True):
    """Clean up after the battles; `new_ships` in the order of the places they fill."""

    name = "cleanup"
    asks: ClassVar[dict[str, str]] = {"new_ships": "TX-CLEAN-5.new_ships"}
    new_ships: Annotated[
        tuple[str, ...], PieceName("ship", many=True, after=("new", "with"), of=("ship",), secret=True)
    ] = ()

    def shows(self) -> dict[str, Any]:
        return {"new ships": list(self.new_ships)}

    def new_ships_options(self, at: At) -> Options:
        """Ships that can come up stand for all: which they are, only the table can say."""
        n = new_ships_due(at) if ships_are_followed(at.state) else 0
        return [tuple(in_stack(at)[:n])] if n else None

    def things(self, at: At, field: str) -> Iterable[str] | None:
        return in_stack(at) if field == "new_ships" else None

    def facts(self, at: At) -> dict[str, Any]:
        return {"n": new_ships_due(at)}

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase == "attack" and s.round >= at["rounds"]:
            yield at.breach("TX-CLEAN-7", round=s.round)
        yield from undone(at)
        n, said = new_ships_due(at), len(self.new_ships)
        if said > n or (said and said < n and ships_are_followed(s)):
            yield at.breach("TX-CLEAN-10.number", n=n, said=said)
        yield from shown_before(at, list(self.new_ships))

    def apply(self, at: At) -> None:
        s = at.state
        if s.round_tiles:
            at.note("TX-CLEAN-1.box", tiles=list(s.round_tiles))
        for tile in s.round_tiles:
            to_box(at, tile)
        s.round_tiles, s.tiles_laid, s.attack_card = [], False, None
        for space in (*s.regions.values(), *s.military.values()):
            space.discs.clear()
        for p in s.player.values():
            p.markers, p.discarded_markers = at["action_markers"], 0
        at.note("TX-CLEAN-2.markers", n=at["action_markers"])
        at.kept("TX-GAME-2", "TX-CLEAN-9", "TX-BARGE-8")
        self._ships(at)
        s.turn_order, s.next_order = list(s.next_order or s.turn_order), []
        at.note("TX-CLEAN-6.order", order=list(s.turn_order))
        s.round += 1
        s.active = None
        at.enter("setup")

    def _ships(self, at: At) -> None:
        s = at.state
        for place in leaving(at):
            port = s.ports[place]
            at.note("TX-CLEAN-3.leaves", ship=name_of(at, "ship", port.ship or ""))
            at.kept("TX-CLEAN-8")
            s.discarded_ships.append(port.ship or "")
            port.ship, port.crates = None, {}
        afloat = [(port.ship, port.crates) for port in s.ports.values() if port.ship]
        coming = [*afloat, *((ship, {}) for ship in self.new_ships)]
        for n, (place, port) in enumerate(s.ports.items()):
            before, where = port.ship, name_of(at, "place", place)
            port.ship, port.crates = coming[n] if n < len(coming) else (None, {})
            if port.ship is None:
                at.note("TX-CLEAN-10.empty", place=where)
            elif n >= len(afloat):
                at.note("TX-CLEAN-5.comes", ship=name_of(at, "ship", port.ship), place=where)
            elif port.ship != before:
                at.note("TX-CLEAN-4.slides", ship=name_of(at, "ship", port.ship), place=where)
