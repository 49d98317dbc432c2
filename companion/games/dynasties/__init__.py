"""Dynasties: two masters, five provinces, nine times five secret cards.

The modules follow the chapters of the rulebook: `setup`, `cards`, `armies`, `deployment`, `order`, `province`, `combat`,
`placing`, `payments` (sixes and lasting losses), `plague`, `cleanup`, `scoring`, `warlords`. Rule ids, and the words of
every reason, are those of `components/dynasties/rules.yaml`; no number of a rule stands here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from companion.engine.answers.ledger import Ledger
from companion.engine.play.moves import Move
from companion.engine.play.position import Position, Rules
from components.model import ResolvedGame

from . import cleanup, deployment, order, payments, placing, province, scoring, setup, warlords
from .catalogue import VERBS, At, read_catalogue
from .playout import propose
from .position_form import broken_laws, complete
from .score import ledger
from .state import COLOURS, Options, State
from .table_view import heading, table_text

MOVES: tuple[type[Move], ...] = (
    setup.Setup,
    setup.Tiles,
    setup.KeepWarlord,
    setup.ShowEarlyMandate,
    deployment.Exchange,
    deployment.Ready,
    order.ChooseOrder,
    order.FixedOrder,
    province.Reveal,
    payments.PayMark,
    payments.PayCost,
    province.Resolve,
    placing.PlaceArmies,
    warlords.PlayWarlord,
    warlords.DeclareWarlord,
    cleanup.Clean,
    cleanup.Draw,
    scoring.Score,
    scoring.Advance,
)
AUTOMATIC: dict[str, Callable[[At], bool]] = {
    "order": order.fix_order,
    "battles": province.fight_on,
    "clean": cleanup.close_dynasty,
}
"""Phase -> the next thing in it that happens by itself; False when somebody has to say something first."""


class Dynasties(Rules):
    """The rules of one resolved variant."""

    state = State
    verbs = VERBS

    def __init__(self, game: ResolvedGame) -> None:
        self.game = game
        self.moves = {kind.name: kind for kind in MOVES}
        self.catalogue = read_catalogue(game)

    def settle(self, at: At) -> None:
        """Everything that happens by itself, up to the next choice or report."""
        while (step := AUTOMATIC.get(at.state.phase)) and step(at):
            pass
        if not at.quiet and (choice := province.choice_open(at)):
            at.note(choice.rule, choice.question)

    def names(self, set_name: str) -> Iterable[str]:
        return self.catalogue.cards

    def shorthand(self, text: str, at: At) -> list[Move] | None:
        """`7 +1`: two cards alone are those of the next province."""
        labels = {label.lower(): label for label in self.catalogue.cards}
        words = text.lower().split()
        if at.state.phase != "battles" or len(words) != len(COLOURS) or not set(words) <= set(labels):
            return None
        return [province.Reveal("", *(labels[word] for word in words))]

    def new_state(self) -> State:
        return State(options=Options(self.game.params["options.deck"], bool(self.game.params["options.warlords"])))

    def setup_move(self, seats: list[str], options: dict[str, Any]) -> Move:
        return setup.Setup(options)

    def complete(self, partial: dict[str, Any]) -> State:
        return complete(self, partial)

    def check_whole(self, state: State) -> list[str]:
        return broken_laws(self, state)

    def seats(self, state: State) -> list[str]:
        return list(COLOURS)

    def over(self, state: State) -> bool:
        return state.phase == "over"

    def to_move(self, state: State) -> list[str]:
        at: At = Position(self, state)
        if state.phase == "setup":
            return [c for c in COLOURS if state.players and state.players[c].warlord.status == "none"]
        if state.phase == "deploy":
            return [c for c in COLOURS if c not in state.ready]
        if state.phase == "order":
            return [order.chooser(at)[0] or ""]
        if state.phase == "battles":
            choice = province.choice_open(at)
            return [choice.of] if choice else []
        return scoring.drawing_due(at)

    def phase(self, state: State) -> str:
        return heading(Position(self, state))

    def show(self, at: At) -> str:
        return table_text(at)

    def score(self, at: At) -> Ledger:
        return ledger(at)

    def pass_all(self, at: At) -> list[Move]:
        s = at.state
        if s.phase == "deploy":
            return [deployment.Ready(c) for c in COLOURS if c not in s.ready]
        return [cleanup.Draw(c) for c in scoring.drawing_due(at)]

    def propose(self, at: At, rng: Random) -> Move | None:
        return propose(at, rng)


def rules(game: ResolvedGame) -> Dynasties:
    """The rules object of a resolved game (see `companion.games.load_rules`)."""
    return Dynasties(game)


__all__ = ["Dynasties", "rules"]
