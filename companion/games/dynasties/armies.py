"""Armies: where cubes are, who controls a province, where cubes can be taken from (rules DY-ARMY)."""

from __future__ import annotations

from .catalogue import At, name
from .state import Colour, Sources


def controls(at: At, colour: str, province: str) -> bool:
    """One army is enough; a mark is not (DY-ARMY-4)."""
    return at.state.provinces[province].of(colour) > 0


def sources(at: At, player: str) -> Sources:
    """Own cubes that may pay a mark or a lasting loss: the reserve and all armies (DY-SIX-3, DY-COMBAT-12)."""
    found = {"reserve": at.state.players[player].reserve}
    found.update((p, province.of(player)) for p, province in at.state.provinces.items())
    return {place: n for place, n in found.items() if n}


def take(at: At, player: str, place: str, n: int = 1) -> None:
    """Take cubes from the reserve or a province."""
    if place == "reserve":
        at.state.players[player].reserve -= n
    else:
        at.state.provinces[place].add(player, -n)


def send_home(at: At, colour: Colour, province: str, n: int) -> None:
    """Armies taken off a province go back to their owner's reserve (DY-ARMY-2)."""
    if n:
        take(at, colour, province, n)
        at.state.players[colour].reserve += n
        at.note("DY-ARMY-2", player=name(colour), n=n, reserve=at.state.players[colour].reserve)


def spell(taken: Sources) -> list[str]:
    """`2 from the reserve`, `1 from Tibet`."""
    return [f"{n} from {'the reserve' if place == 'reserve' else place}" for place, n in taken.items() if n]
