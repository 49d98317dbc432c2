"""Armies: where cubes are, who controls a province, where cubes can be taken from (rules DY-ARMY)."""

from __future__ import annotations

from .catalogue import At, name
from .state import Colour, Sources, State


def controls(at: At, colour: str, province: str) -> bool:
    """One army is enough; a mark is not (DY-ARMY-4)."""
    return at.state.provinces[province].of(colour) > 0


def armies_at(s: State, player: str) -> Sources:
    """A player's armies in the reserve and in each province; none where the table keeps more taken than there were."""
    found = {"reserve": s.players[player].reserve, **{p: there.of(player) for p, there in s.provinces.items()}}
    return {place: max(0, n) for place, n in found.items()}


def sources(s: State, player: str) -> Sources:
    """Own cubes that may pay a mark or a lasting loss: the reserve and all armies (DY-SIX-3, DY-COMBAT-12)."""
    return {place: n for place, n in armies_at(s, player).items() if n}


def is_choice(n: int, offer: Sources) -> bool:
    """True if `n` cubes can come from these places in more than one way."""
    return 0 < n < sum(offer.values()) and sum(map(bool, offer.values())) > 1


def take(at: At, player: str, place: str, n: int = 1) -> None:
    """Take cubes from the reserve or a province."""
    if place == "reserve":
        at.state.players[player].reserve -= n
    else:
        at.state.provinces[place].add(player, -n)


def move(at: At, player: str, n: int, source: str, to: str) -> None:
    """Move armies from the reserve or a province to another place."""
    take(at, player, source, n)
    take(at, player, to, -n)


def send_home(at: At, colour: Colour, province: str, n: int) -> None:
    """Armies taken off a province go back to their owner's reserve (DY-ARMY-2)."""
    if n:
        move(at, colour, n, province, "reserve")
        at.note("DY-ARMY-2", player=name(colour), n=n, reserve=at.state.players[colour].reserve)


def only_marked(at: At, colour: str, *places: str) -> list[str]:
    """The rule that a mark does not count as an army, if a player has nothing else in one of some places (DY-SIX-6)."""
    there = [at.state.provinces[place] for place in places if place in at.state.provinces]
    return ["DY-SIX-6"] * any(one.marks.of(colour) and not one.of(colour) for one in there)


def said_of(place: str) -> str:
    """`the reserve`, `Tibet`."""
    return "the reserve" if place == "reserve" else place


def spell(taken: Sources) -> list[str]:
    """`2 from the reserve`, `1 from Tibet`."""
    return [f"{n} from {said_of(place)}" for place, n in taken.items() if n]
