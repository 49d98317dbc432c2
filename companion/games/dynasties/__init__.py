"""Dynasties: two masters, five provinces, nine times five secret cards.

The modules follow the chapters of the rulebook: `setup`, `cards`, `armies`, `deployment`, `order`, `province`, `combat`,
`placing`, `payments` (sixes and lasting losses), `cleanup`, `scoring`, `warlords`; `turn` is the table of
phases. Rule ids, and the words of every reason, are those of `components/dynasties/rules.yaml`; no number of a rule
stands here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import MappingProxyType
from typing import Any

from companion.rules import Breach, Move, Rules, Source, Task, later
from components.model import ResolvedGame, ResolvedPiece

from . import province, setup
from .catalogue import VERBS, At, name, read_catalogue, vocabulary
from .laws import miscounted
from .position_form import FORM, lettered
from .scoring import ending_facts, ending_rule, ledger, scored
from .state import COLOURS, Options, State
from .table_view import heading, table
from .turn import ANYTIME, PHASES
from .warlords import OPS


class Dynasties(Rules):
    """The rules of one resolved variant."""

    state = State
    counts = "dynasty"
    phases = PHASES
    anytime = ANYTIME
    form = FORM
    places = MappingProxyType(
        {
            "seat": "{v}",
            "province": "board#{v}.armies",
            "place": "board#{v}.armies",
            "place/reserve": "{seat}#reserve",
        }
    )
    steps = {"fight_on": province.fight_on}  # noqa: RUF012
    ops = OPS
    verbs = VERBS
    # what other modules say of the table
    miscounted = staticmethod(miscounted)
    called = staticmethod(name)
    heading = staticmethod(heading)
    view = staticmethod(table)
    scene = later(__name__, "scene.scene")
    score = staticmethod(ledger)
    scored = staticmethod(scored)
    propose = later(__name__, "playout.propose")

    def __init__(self, game: ResolvedGame) -> None:
        super().__init__(game)
        self.catalogue = read_catalogue(game)
        self.vocabulary = vocabulary(self.catalogue)

    # names

    def names(self, set_name: str) -> Iterable[str]:
        found = self.catalogue
        places = ("reserve", *found.provinces)
        sets = {"province": found.provinces, "Warlord": found.warlords, "place": places, "tile": found.tiles}
        return sets.get(set_name, found.cards)

    # the state

    def new_state(self) -> State:
        return State(options=Options(self.game.params["options.deck"], bool(self.game.params["options.warlords"])))

    def setup_move(self, seats: list[str], options: dict[str, Any]) -> Move:
        return setup.Setup(options)

    def read_position(self, form: dict[str, Any]) -> dict[str, Any]:
        return lettered(form, self.catalogue)

    # phases, debts and effects

    def agenda(self, state: State) -> list[Task]:
        move = province.owed(state) if state.phase != "over" else None
        return [Task(move.player, move.name, rule=move.owed_by)] if move else []

    def settle_task(self, state: State, task: Task, n: int = 1) -> None:
        """Remove a debt, which stands in the battle, once it is paid."""

    def closed(self, at: At) -> Iterator[Breach]:
        yield at.breach(f"{ending_rule(at)}.over", **ending_facts(at))

    def moment(self, at: At) -> dict[str, Any]:
        return {"waits": self.awaits(at)} if at.state.phase == "clean" else {}

    def bearers(self, state: State, piece: ResolvedPiece) -> Iterable[tuple[str, Any]]:
        """A Warlord is in force in the province it has been declared for (DY-WL-7)."""
        lords = ((colour, p.warlord) for colour, p in state.players.items())
        return [(c, lord.armed) for c, lord in lords if lord.armed and lord.card == piece.fields.get("code")]

    def concerns(self, at: At, scope: str, source: Source, who: str, where: dict[str, Any]) -> bool:
        return where.get("province") == source.where and super().concerns(at, scope, source, who, where)

    # the table

    def seats(self, state: State) -> list[str]:
        return list(COLOURS)


rules = Dynasties
"""The maker of the rules object of a resolved game (see `companion.games.load_rules`)."""
