"""Warring States Period: seven kings, three decks, twenty-one provinces.

The modules follow the rulebook: `setup`, `decks`, `events`, `income_trade`, `taxes_build`, `war`, `allies`,
`tactics`, `clash`, `casualties`, `ending`. Rule ids are
those of `components/warring-states/rules.yaml`; no number of a rule stands here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from companion.engine.answers.ledger import Ledger
from companion.engine.play.moves import Move
from companion.engine.play.phases import Phase
from companion.engine.play.position import Answer, Position, Rules
from companion.engine.things.views import View
from components.model import ResolvedGame, ResolvedPiece
from components.scene import Scene

from . import turn
from .allies import DeclineAid, Recall
from .campaign import campaign_of, war_of, war_order
from .catalogue import cards, read_catalogue
from .clash import RevealDestiny
from .effects import ON_GENERALS, OPS
from .ending import ClaimVictory
from .events import RevealEvent
from .income import DrawIncome, to_draw
from .laws import broken_laws
from .playout import propose
from .position_form import DISCARD_COUNT, FORM, dump
from .questions import QUERIES
from .reshuffle import Reshuffle
from .scene import scene
from .score import ledger
from .setup import Setup
from .state import State
from .table_view import heading, table
from .war import EndWarTurn

ANYTIME: tuple[type[Move], ...] = (Recall, Reshuffle, ClaimVictory)
"""Moves of no one phase: their own rules say when."""


NAMED = ("state", "event", "general", "resource", "battle")
"""The sets whose pieces are called by name."""


class WarringStates(Rules):
    """The rules of one resolved variant."""

    state = State
    phases = turn.PHASES
    anytime = frozenset(ANYTIME)
    ops = OPS
    verbs = ON_GENERALS
    fillers = frozenset({"army", "armies", "general", "generals", "bu", "unit", "units"})
    form = FORM
    derived = frozenset({DISCARD_COUNT})

    def __init__(self, game: ResolvedGame) -> None:
        self.game = game
        self.moves = {kind.name: kind for phase in self.phases for kind in phase.moves}
        self.moves |= {kind.name: kind for kind in ANYTIME}
        self.catalogue = read_catalogue(game)
        self._spoken = {name: self._words(name) for name in NAMED}

    # names

    def names(self, set_name: str) -> Iterable[str]:
        return dict.fromkeys(self._spoken[set_name].values())

    def spoken(self, set_name: str) -> dict[str, Any]:
        return self._spoken[set_name]

    def _words(self, set_name: str) -> dict[str, str]:
        cat = self.catalogue
        named: dict[str, Iterable[str]] = {"state": cat.states, "event": cat.events, "general": cat.generals}
        if set_name in named:
            return {name: name for name in named[set_name]}
        if set_name == "resource":
            short = {general.short: general.card for general in cat.generals.values()}
            return {**{name: name for name in cat.resources}, **short, "cities": cat.material["city"]}
        words = {name: name for name in cat.battle}
        for card in cat.battle.values():
            words[f"{card.value}{card.kind}"] = card.name
            words[f"{card.kind}{card.value}"] = card.name
        return words

    def shorthand(self, text: str, at: Position[State]) -> list[Move] | None:
        """`reveal fire qin`, `reveal treachery chu daring`, `reveal annex wu razed`: the Event, its target, what is taken.
        `chu clash 14S`: whose Destiny card it is."""
        from companion.engine.language.notation import NotationError, read

        verb, _, rest = text.partition(" ")
        if rest.partition(" ")[0].lower() in RevealDestiny.words and (seat := _seat_of(verb, at)):
            return [_destiny(seat, read(rest, at)[0], at)]
        if verb.lower() not in RevealEvent.words or not rest:
            return None
        words = rest.split()
        failed: NotationError | None = None
        for cut in range(len(words) - 1, 0, -1):
            try:
                first = read(f"{verb} {' '.join(words[:cut])}", at)
            except NotationError:
                continue
            after = at.copy()
            if not isinstance(first[0], RevealEvent):
                continue
            certain = " ".join(words[:cut]).lower() == first[0].card.lower()
            if not after.play(first[0]).legal:
                if certain:
                    return first  # the verdict on the Event says it all
                continue
            try:
                return [*first, *_answers(words[cut:], after)]
            except NotationError as error:
                if certain:
                    failed = error
        if failed is not None:
            raise failed
        return None

    # the state

    def new_state(self) -> State:
        return State()

    def setup_move(self, seats: list[str], options: dict[str, Any]) -> Move:
        return Setup(tuple(seats), (), options)

    def dump(self, state: State) -> dict[str, Any]:
        return dump(state)

    def check_whole(self, state: State) -> list[str]:
        return broken_laws(self, state)

    # the table

    def seats(self, state: State) -> list[str]:
        return state.seats

    def scene(self, at: Position[State]) -> Scene:
        return scene(at)

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

    def view(self, at: Position[State]) -> View:
        return table(at)

    def score(self, at: Position[State]) -> Ledger:
        return ledger(at)

    def pass_all(self, at: Position[State]) -> list[Move]:
        s, war, c = at.state, war_of(at), campaign_of(at)
        if s.phase == "event" and s.event is not None:
            return [DrawIncome(p) for p in to_draw(at)]
        if c is not None and c.round == "ally":
            return [DeclineAid(p) for p in self.to_move(s)]
        if war is not None and c is None:
            return [EndWarTurn(p) for p in war_order(at) if p not in war.done]
        return super().pass_all(at)

    def queries(self) -> dict[str, Callable[..., Answer]]:
        return dict(QUERIES)

    def propose(self, at: Position[State], rng: Random) -> Move | None:
        return propose(at, rng)


def _seat_of(word: str, at: Position[State]) -> str:
    """The seat that a word is the unique beginning of."""
    meant = [seat for seat in at.seats if seat.lower().startswith(word.lower())]
    return meant[0] if len(meant) == 1 else ""


def _destiny(seat: str, move: Move, at: Position[State]) -> Move:
    """A reveal in which one player's card was said: as the attacker's or the defender's."""
    from companion.engine.language.notation import NotationError

    c = campaign_of(at)
    if c is None or not isinstance(move, RevealDestiny) or move.defender_card:
        return move
    if seat not in c.belligerents:
        shown = " and ".join(c.belligerents)
        raise NotationError("unreadable", f"{seat} shows no Destiny card in this war; {shown} do")
    return RevealDestiny(None, move.attacker_card) if seat == c.defender else move


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


__all__ = ["WarringStates", "cards", "rules"]
