"""Warring States Period: seven kings, three decks, twenty-one provinces.

The modules follow the rulebook: `setup`, `decks`, `events`, `income`, `trade`, `taxes`, `build`, `war`, `allies`, `tactics`,
`clash`, `casualties`, `ending`. Rule ids are those of `components/warring-states/rules.yaml`; no number of a rule stands
here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.engine.play.moves import Move
from companion.engine.play.phases import Phase
from companion.engine.play.position import Position, Rules
from companion.engine.play.rules import later
from components.model import ResolvedGame, ResolvedPiece

from . import turn
from .allies import DeclineAid, Recall
from .campaign import campaign_of, turns_left
from .catalogue import read_catalogue
from .clash import RevealDestiny
from .effects import ON_GENERALS, OPS
from .ending import ClaimVictory
from .events import RevealEvent
from .income import DrawIncome, to_draw
from .laws import broken_laws
from .position_form import DISCARD_COUNT, FORM, dump
from .questions import QUERIES
from .reshuffle import Reshuffle
from .score import ledger
from .setup import Setup
from .state import State
from .table_view import heading, table
from .war import EndWarTurn


class WarringStates(Rules):
    """The rules of one resolved variant."""

    state = State
    phases = turn.PHASES
    anytime = (Recall, Reshuffle, ClaimVictory)
    ops = OPS
    verbs = ON_GENERALS
    fillers = frozenset({"army", "armies", "general", "generals", "bu", "unit", "units"})
    form = FORM
    derived = frozenset({DISCARD_COUNT})
    # what other modules say of the table
    dump = staticmethod(dump)
    check_whole = broken_laws
    view = staticmethod(table)
    scene = later(__name__, "scene.scene")
    score = staticmethod(ledger)
    queries = staticmethod(QUERIES.copy)
    propose = later(__name__, "playout.propose")

    def __init__(self, game: ResolvedGame) -> None:
        super().__init__(game)
        self.catalogue = cat = read_catalogue(game)
        short = {general.short: general.card for general in cat.generals.values()}
        codes = {card.name: f"{card.value}{card.kind} {card.kind}{card.value}".split() for card in cat.battle.values()}
        self._spoken: dict[str, dict[str, str]] = {
            **{kind: {name: name for name in names} for kind, names in (("state", cat.states), ("event", cat.events))},
            "general": {name: name for name in cat.generals},
            "resource": {**{name: name for name in cat.resources}, **short, "cities": cat.material["city"]},
            "battle": {word: name for name, also in codes.items() for word in (name, *also)},
        }

    # names

    def names(self, set_name: str) -> Iterable[str]:
        return dict.fromkeys(self._spoken[set_name].values())

    def spoken(self, set_name: str) -> dict[str, Any]:
        return self._spoken[set_name]

    def shorthand(self, text: str, at: Position[State]) -> list[Move] | None:
        """`reveal fire qin`, `reveal treachery chu daring`, `reveal annex wu razed`: the Event, its target, what is taken.
        `chu clash 14S`: whose Destiny card it is."""
        from companion.engine.language.words import Phrasebook, tokens

        first, *others = tokens(text)
        if others and others[0].text in RevealDestiny.words:
            return _destiny(first.text, text.partition(" ")[2], at)
        if first.text not in RevealEvent.words:
            return None
        ways = list(Phrasebook(self.spoken("event")).matches(others, 0))
        surest = min(((way.cost, -way.length) for way in ways), default=None)
        named = [way for way in ways if (way.cost, -way.length) == surest]
        if len(named) != 1 or named[0].length == len(others):
            return None
        event = RevealEvent(named[0].value)
        after = at.copy()
        if not after.play(event).legal:
            return [event]  # the verdict on the Event says it all
        return [event, *_answers([word.typed for word in others[named[0].length :]], after)]

    # the state

    def setup_move(self, seats: list[str], options: dict[str, Any]) -> Move:
        return Setup(tuple(seats), (), options)

    # the table

    def seats(self, state: State) -> list[str]:
        return state.seats

    def over(self, state: State) -> bool:
        return state.phase == "over"

    def began(self, at: Position[State], phase: Phase) -> None:
        at.state.passed = []
        at.state.drawn = []
        if phase.name != "over":
            at.note("WS-TURN-1", phase=phase.name, name=phase.title.replace("the", "The", 1))

    def bearers(self, state: State, piece: ResolvedPiece) -> list[tuple[str, str]]:
        """An Event is in force from its reveal to the End Phase (WS-TURN-4), for the active player (WS-EVENT-2)."""
        return [(state.active, "")] if state.event == piece.name and state.phase not in ("end", "over") else []

    def phase(self, state: State) -> str:
        return heading(Position(self, state))

    def pass_all(self, at: Position[State]) -> list[Move]:
        s, c = at.state, campaign_of(at)
        if s.phase == "event" and s.event is not None:
            return [DrawIncome(p) for p in to_draw(at)]
        if c is not None and c.round == "ally":
            return [DeclineAid(p) for p in self.to_move(s)]
        if s.phase == "war" and c is None:
            return [EndWarTurn(p) for p in turns_left(at)]
        return super().pass_all(at)


def _destiny(word: str, rest: str, at: Position[State]) -> list[Move] | None:
    """A reveal in which one player's card was said: as the attacker's or the defender's."""
    from companion.engine.language.notation import NotationError, read

    seats = [seat for seat in at.seats if seat.lower().startswith(word)]
    if len(seats) != 1:
        return None
    c, (move, *_) = campaign_of(at), read(rest, at)
    if c is None or not isinstance(move, RevealDestiny) or move.defender_card:
        return [move]
    if seats[0] not in c.belligerents:
        raise NotationError(
            "unreadable", f"{seats[0]} shows no Destiny card in this war; {' and '.join(c.belligerents)} do"
        )
    return [RevealDestiny(None, move.attacker_card) if seats[0] == c.defender else move]


def _answers(words: list[str], at: Position[State]) -> list[Move]:
    """The target named after an Event, and what is taken from or lost by him."""
    from companion.engine.language.notation import NotationError, read

    target = read(f"target {words[0]}", at)
    if len(words) == 1:
        return target
    after = at.copy()
    if not after.play(target[0]).legal:
        raise NotationError("unreadable", f"{words[0]} cannot be named")
    verb = "take" if any(o.choice == "steal" for o in after.state.owed) else "loses"
    return [*target, *read(f"{verb} {' '.join(words[1:])}", after)]


def rules(game: ResolvedGame) -> WarringStates:
    """The rules object of a resolved game (see `companion.games.load_rules`)."""
    return WarringStates(game)
