"""Conservation: how many cubes and cards there are of each colour, wherever they lie (DY-ARMY-1, DY-CARD-3)."""

from __future__ import annotations

from companion.engine.play.forms import faults_in
from companion.engine.play.position import Position, Rules

from .cards import deck_size
from .position_form import laid
from .state import State


def broken_laws(rules: Rules, state: State) -> list[str]:
    """Conservation laws a whole position breaks (empty: none)."""
    faults = [str(fault) for fault in faults_in(rules, state)]
    whole_deck = deck_size(Position(rules, state))
    total = rules.game.params["armies.total"]
    for colour, p in state.players.items():
        cubes = p.reserve + state.on_board(colour) + p.set_aside + p.out
        if cubes != total:
            faults.append(f"{colour}: {cubes} cubes, not {total}")
        cards = p.hand + laid(state, colour) + p.deck + len(p.removed)
        if cards != whole_deck:
            faults.append(f"{colour}: {cards} cards, not {whole_deck}")
        untold = [q for q, there in state.provinces.items() if there.resolved and q not in p.shown]
        if state.phase == "battles" and untold:
            faults.append(f"{colour}: nothing says which card was shown in {untold[0]}")
    for name, province in state.provinces.items():
        if province.white and province.black:
            faults.append(f"armies of both colours stand in {name}")
    if abs(state.pawn) > rules.game.params["track.red_distance"]:
        faults.append(f"the pawn stands on {state.pawn}")
    return faults
