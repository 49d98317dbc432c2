"""Conservation: how many cubes and cards there are of each colour, wherever they lie (DY-ARMY-1, DY-CARD-3)."""

from __future__ import annotations

from collections.abc import Iterator

from .cards import deck_size
from .catalogue import At
from .position_form import laid


def miscounted(at: At) -> Iterator[str]:
    """The reasons why the pieces of a position do not add up."""
    s, total, whole_deck = at.state, at["armies.total"], deck_size(at)
    for colour, p in s.players.items():
        cubes = p.reserve + s.on_board(colour) + p.set_aside + p.out
        if cubes != total:
            yield f"{colour}: {cubes} cubes, not {total}"
        cards = p.hand + laid(s, colour) + p.deck + len(p.removed)
        if cards != whole_deck:
            yield f"{colour}: {cards} cards, not {whole_deck}"
        untold = [q for q, there in s.provinces.items() if there.resolved and q not in p.shown]
        if s.phase == "battles" and untold:
            yield f"{colour}: nothing says which card was shown in {untold[0]}"
    for name, province in s.provinces.items():
        if province.white and province.black:
            yield f"armies of both colours stand in {name}"
    if abs(s.pawn) > at["track.red_distance"]:
        yield f"the pawn stands on {s.pawn}"
