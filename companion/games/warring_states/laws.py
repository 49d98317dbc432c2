"""What holds in every whole position: no token and no card is lost or added, and nobody has less than nothing."""

from __future__ import annotations

from companion.engine.play.forms import faults_in
from companion.engine.play.position import Position, Rules

from .catalogue import At, cards
from .position_form import lying, overknown
from .state import State


def broken_laws(rules: Rules, state: State) -> list[str]:
    """Conservation laws a whole position breaks (empty: none)."""
    at: At = Position(rules, state, quiet=True)
    cat = cards(at)
    if not state.players:
        return []
    faults = [str(fault) for fault in faults_in(rules, state)]
    d = state.decks
    tokens = sum(p.provinces.total for p in state.players.values())
    share = at["provinces.total"] // len(state.seats) * len(state.seats)
    if tokens != share and not at["elimination.at_zero_provinces"]:
        faults.append(f"{tokens} Province Tokens, not {share}")
    for name, elsewhere in lying(state).items():
        n = elsewhere + getattr(d, name).draw
        if n != cat.totals[name]:
            faults.append(f"{n} {name.capitalize()} cards, not {cat.totals[name]}")
    faults += [f"{seat}: more cards known than held" for seat, p in state.players.items() if overknown(p)]
    for short, general in cat.generals.items():
        n = sum(p.generals.count(short) for p in state.players.values()) + d.resource.discard.get(general.card, 0)
        if n > cat.resources[general.card]:
            faults.append(f"{n} {general.card}s, and there are {cat.resources[general.card]}")
    for name, lie in (("Event", [*d.event.discard, *filter(None, [state.event])]), ("Battle", d.battle.discard)):
        faults += [f"the {name} card {card} lies there twice" for card in set(lie) if lie.count(card) > 1]
    if war := state.war:
        busy = war.engaged.armies + (war.campaign.committed.armies if war.campaign else 0)
        if busy > (armies := state.players[war.turn_of].armies):
            faults.append(f"{war.turn_of} has {armies} armies, and {busy} are at war")
    return faults
