"""Warring States Period: seven kings, three decks, twenty-one provinces.

The modules follow the rulebook: `setup`, `decks`, `events`, `income`, `trade`, `taxes`, `build`, `war`, `allies`, `tactics`,
`clash`, `casualties`, `ending`. Rule ids are those of `components/warring-states/rules.yaml`; no number of a rule stands
here.
"""

from __future__ import annotations

from types import MappingProxyType

from companion.rules import Move, Phase, Position, Rules, later
from components.model import ResolvedGame, ResolvedPiece

from . import turn
from .allies import DeclineAid, Recall
from .campaign import turns_left
from .catalogue import read_catalogue, vocabulary
from .effects import ON_GENERALS, OPS
from .ending import ClaimVictory
from .income import DrawIncome, to_draw
from .laws import miscounted
from .position_form import DISCARD_COUNT, FORM, dump
from .questions import ASKED
from .reshuffle import Reshuffle
from .shorthand import written_short
from .state import State
from .table_view import heading
from .war import EndCampaign, EndWarTurn


class WarringStates(Rules):
    """The rules of one resolved variant."""

    state = State
    counts = "turn"
    phases = turn.PHASES
    anytime = (Recall, Reshuffle, ClaimVictory)
    ops = OPS
    verbs = ON_GENERALS
    nouns = MappingProxyType(
        {
            "battle": ("battle", "card"),
            "event": ("event", "card"),
            "resource": ("resource", "card"),
            "goods": ("resource", "card"),
        }
    )
    form = FORM
    places = MappingProxyType({"seat": "{v}"})
    sections = MappingProxyType({"battle": "type_word", "event": "category"})
    derived = frozenset({DISCARD_COUNT})
    # what other modules say of the table
    dump = staticmethod(dump)
    miscounted = staticmethod(miscounted)
    heading = staticmethod(heading)
    view = later(__name__, "table_view.table")
    scene = later(__name__, "scene.scene")
    score = later(__name__, "ending.ledger")
    asked = ASKED
    propose = later(__name__, "playout.propose")
    shorthand = staticmethod(written_short)

    def __init__(self, game: ResolvedGame) -> None:
        super().__init__(game)
        self.catalogue = read_catalogue(game)
        self.vocabulary = vocabulary(self.catalogue)

    def began(self, at: Position[State], phase: Phase) -> None:
        at.state.passed = []
        at.state.drawn = []
        if phase.name != "over":
            at.note("WS-TURN-1", phase=phase.name, name=phase.title.replace("the", "The", 1))

    def bearers(self, state: State, piece: ResolvedPiece) -> list[tuple[str, str]]:
        """An Event is in force from its reveal to the End Phase (WS-TURN-4), for the active player (WS-EVENT-2)."""
        return [(state.active, "")] if state.event == piece.name and state.phase not in ("end", "over") else []

    def pass_all(self, at: Position[State]) -> list[Move]:
        s, c = at.state, at.state.campaign
        if s.phase == "event" and s.event is not None:
            return [DrawIncome(p) for p in to_draw(at)]
        if c is not None and c.round == "ally":
            return [DeclineAid(p) for p in self.to_move(s)]
        if c is not None and c.round == "decide":
            return [EndCampaign(c.attacker)]
        if s.phase == "war" and c is None:
            return [EndWarTurn(p) for p in turns_left(at)]
        return super().pass_all(at)


rules = WarringStates
"""The maker of the rules object of a resolved game (see `companion.games.load_rules`)."""
