"""Warring States Period: seven kings, three decks, twenty-one provinces.

The modules follow the rulebook: `setup`, `decks`, `events`, `income_trade`, `taxes_build`, `war`, `allies`,
`tactics`, `clash`, `casualties`, `ending`. Rule ids are
those of `components/warring-states/rules.yaml`; no number of a rule stands here.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from companion.engine.answers.ledger import Ledger
from companion.engine.play.moves import Move
from companion.engine.play.position import Position, Rules
from components.model import ResolvedGame

from . import allies, casualties, clash, decks, ending, events, income_trade, setup, tactics, taxes_build, war
from .catalogue import cards, read_catalogue
from .effects import INSTANT, LASTING, ON_GENERALS, SCOPES
from .frame import war_order
from .playout import propose
from .position_form import broken_laws, complete
from .score import ledger
from .state import State, copy_state, dump_state
from .table_view import heading, table_text

MOVES: tuple[type[Move], ...] = (
    setup.Setup,
    setup.Cut,
    events.RevealEvent,
    events.ChooseTarget,
    events.ChooseGeneralLost,
    events.ChooseStolen,
    income_trade.DrawIncome,
    income_trade.Trade,
    income_trade.Pass,
    taxes_build.Meld,
    taxes_build.ExchangeGenerals,
    taxes_build.Rebuild,
    taxes_build.BuyArmy,
    taxes_build.DeployGeneral,
    taxes_build.DiscardResources,
    war.DeclareWar,
    allies.SendAid,
    allies.DeclineAid,
    allies.Recall,
    tactics.ChooseProvincial,
    tactics.FillBattleHand,
    tactics.Redraw,
    clash.RevealDestiny,
    clash.ResolveClash,
    casualties.LoseUnit,
    casualties.VolunteerCasualty,
    casualties.Conquer,
    war.AttackAgain,
    war.EndCampaign,
    war.EndWarTurn,
    decks.Reshuffle,
    ending.EndTurn,
    ending.ClaimVictory,
)


class WarringStates(Rules):
    """The rules of one resolved variant."""

    state = State
    verbs = frozenset((*INSTANT, *LASTING, *SCOPES, *ON_GENERALS))
    fillers = frozenset({"army", "armies", "general", "generals", "bu", "unit", "units"})
    derived = frozenset({"discard_count"})

    def __init__(self, game: ResolvedGame) -> None:
        self.game = game
        self.moves = {kind.name: kind for kind in MOVES}
        self.catalogue = read_catalogue(game)
        self._spoken = {name: self._words(name) for name in ("state", "event", "resource", "battle")}

    # names

    def names(self, set_name: str) -> Iterable[str]:
        return self._spoken[set_name].values()

    def spoken(self, set_name: str) -> dict[str, Any]:
        return self._spoken[set_name]

    def _words(self, set_name: str) -> dict[str, str]:
        cat = self.catalogue
        if set_name == "state":
            return {name: name for name in cat.states}
        if set_name == "event":
            return {name: name for name in cat.events}
        if set_name == "resource":
            short = {general.short: general.card for general in cat.generals.values()}
            return {**{name: name for name in cat.resources}, **short, "cities": cat.material["city"]}
        words = {name: name for name in cat.battle}
        for card in cat.battle.values():
            words[f"{card.value}{card.kind}"] = card.name
            words[f"{card.kind}{card.value}"] = card.name
        return words

    def shorthand(self, text: str, at: Position[State]) -> list[Move] | None:
        """`reveal fire qin`, `reveal treachery chu daring`, `reveal annex wu razed`: the Event, its target, what is taken."""
        from companion.engine.language.notation import NotationError, read

        verb, _, rest = text.partition(" ")
        if verb.lower() not in events.RevealEvent.words or not rest:
            return None
        words = rest.split()
        failed: NotationError | None = None
        for cut in range(len(words) - 1, 0, -1):
            try:
                first = read(f"{verb} {' '.join(words[:cut])}", at)
            except NotationError:
                continue
            after = at.copy()
            if not isinstance(first[0], events.RevealEvent):
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
        return setup.Setup(tuple(seats), (), options)

    def complete(self, partial: dict[str, Any]) -> State:
        return complete(self, partial)

    def dump(self, state: State) -> dict[str, Any]:
        return dump_state(state)

    def copy(self, state: State) -> State:
        return copy_state(state)

    def check_whole(self, state: State) -> list[str]:
        return broken_laws(self, state)

    # the table

    def seats(self, state: State) -> list[str]:
        return state.seats

    def over(self, state: State) -> bool:
        return state.phase == "over"

    def to_move(self, state: State) -> list[str]:
        if state.phase == "setup":
            return [p for p in state.cutting if p not in state.cuts]
        if state.phase == "event":
            return [o.player for o in state.owed] or [state.active]
        if state.phase == "income":
            return [p for p in state.seats if p not in state.drawn]
        if state.phase in ("trade", "taxes", "build"):
            return [p for p in state.seats if p not in state.passed]
        if state.phase == "war" and state.war is not None:
            c = state.war.campaign
            if c is None or c.round == "decide":
                return [state.war.turn_of]
            if c.round == "ally":
                return [p for p in state.seats if p not in (c.attacker, c.defender, *c.spoken)]
            if c.round == "casualties":
                return [c.defender if c.winner == "attacker" else c.attacker]
            return [c.attacker, c.defender]
        return []

    def phase(self, state: State) -> str:
        return heading(Position(self, state))

    def show(self, at: Position[State]) -> str:
        return table_text(at)

    def score(self, at: Position[State]) -> Ledger:
        return ledger(at)

    def pass_all(self, at: Position[State]) -> list[Move]:
        s = at.state
        if s.phase in ("trade", "taxes", "build"):
            return [income_trade.Pass(p) for p in s.seats if p not in s.passed]
        if s.phase == "income" or (s.phase == "event" and s.event is not None):
            return [income_trade.DrawIncome(p) for p in income_trade.to_draw(at)]
        if s.phase == "war" and s.war is not None:
            c = s.war.campaign
            if c is not None and c.round == "ally":
                return [allies.DeclineAid(p) for p in self.to_move(s)]
            if c is None:
                return [war.EndWarTurn(p) for p in war_order(at) if p not in s.war.done]
        return []

    def propose(self, at: Position[State], rng: Random) -> Move | None:
        return propose(at, rng)


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
