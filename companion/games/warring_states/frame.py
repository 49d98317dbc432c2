"""The frame of a turn: which phase it is, what belongs to it, and how one phase becomes the next (rules WS-TURN)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.play.moves import Breach

from .catalogue import At
from .state import Phase, State, War
from .zones import acting_order

PHASE_WORDS: dict[str, str] = {
    "setup": "set-up",
    "event": "Event Phase",
    "income": "Income Phase",
    "trade": "Trade Phase",
    "taxes": "Taxes Phase",
    "build": "Build Phase",
    "war": "War Phase",
    "end": "End Phase",
    "over": "the end of the game",
}


def wrong_phase(at: At, phase: Phase) -> Iterator[Breach]:
    """An action belongs to one phase."""
    now = at.state.phase
    if now != phase:
        yield Breach(
            "WS-TURN-5",
            f"this belongs to the {PHASE_WORDS[phase]}, and it is {'the ' if now != 'over' else ''}{PHASE_WORDS[now]}"
            if now != "setup"
            else f"this belongs to the {PHASE_WORDS[phase]}, and the game is being set up",
            {"phase": now, "belongs_to": phase},
        )


def enter(at: At, phase: Phase) -> None:
    """Begin a phase."""
    s = at.state
    if not at.on("WS-TURN-1"):
        return
    s.phase = phase
    s.passed = []
    s.drawn = []
    s.owed = []
    if phase != "over":
        at.note("WS-TURN-1", f"the {PHASE_WORDS[phase]} begins", phase=phase)
    if phase == "war":
        s.war = War(turn_of=s.active)
        at.note("WS-WAR-1", f"{s.active} has the first war turn", turn_of=s.active)


def war_order(at: At) -> list[str]:
    """Who has a war turn this turn, in order (WS-WAR-1, WS-WAR-2)."""
    s: State = at.state
    if at["war.turns"] == "active_only" or not at.on("WS-WAR-2"):
        return [s.active]
    return acting_order(at)


NEXT_PHASE: dict[Phase, Phase] = {"trade": "taxes", "taxes": "build", "build": "war"}


def everybody_passed(at: At) -> None:
    """Leave the Trade, Taxes or Build Phase once every player has said he is done (WS-TRADE-5, WS-TURN-3)."""
    s = at.state
    if len(s.passed) == len(s.seats):
        enter(at, NEXT_PHASE[s.phase])
