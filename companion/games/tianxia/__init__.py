"""Tianxia: lanes and barges, governors and ships, a wall that all defend, and turns made of steps.

The modules follow the rulebook: `preparation`, `rounds` (round set-up, income), `turns` (what all turns share), `region`
with `governors`, `exchange` and `shipping`, `military` with `soldiers`, `barges` (and merchants), `passing`, `free`,
`tiles`, `objectives`, `palace`, `battle` (prestige, battle, raid), `cleanup`, `scoring`. Rule ids are those of
`components/tianxia/rules.yaml`; no number of a rule stands here.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from types import MappingProxyType
from typing import Any

from companion.engine.language.words import by_any_name
from companion.rules import Breach, Phase, Rules, Who, later
from components.model import ResolvedGame, ResolvedPiece

from . import table_view
from .barges import BargeTurn
from .battle import Fight
from .catalogue import FORTIFY, TRAIN, At, Catalogue
from .cleanup import Cleanup
from .free import FreeTurn
from .gains import OPS
from .laws import broken_laws
from .military import MilitaryTurn
from .palace import step_any
from .passing import PassTurn
from .position_form import FORM, dump
from .preparation import Prepare, Setup
from .questions import ASKED
from .region import RegionTurn
from .rounds import Income, RevealAttack, RoundTiles
from .scoring import Score, ledger, over, to_show
from .state import State
from .turns import has_passed, to_act

NOT_NOW = "TX-GAME-2"
reported = partial(Phase, rule=NOT_NOW, elsewhere=NOT_NOW, who=Who.TABLE)
"""A phase in which anybody at the table says what happens."""

PHASES = (
    reported(name="prepare", title="preparation", moves=(Setup, Prepare)),
    reported(name="setup", title="round set-up", moves=(RoundTiles, RevealAttack)),
    reported(name="income", title="the income phase", moves=(Income,)),
    Phase(
        name="action",
        title="the action phase",
        rule="TX-ACT-1",
        elsewhere=NOT_NOW,
        moves=(RegionTurn, MilitaryTurn, BargeTurn, PassTurn, FreeTurn),
        awaited=to_act,
        shut_out=has_passed,
    ),
    reported(name="attack", title="the attack phase", moves=(Fight, Cleanup, Score)),
    reported(name="end", title="final scoring", who=Who.EACH, moves=(Score,), awaited=to_show, done=lambda _: False),
)


class Tianxia(Rules):
    """The rules of one resolved variant."""

    state = State
    form = FORM
    sections = MappingProxyType({"building": "region"})
    places = MappingProxyType(
        {
            "seat": "{v}",
            "region": "board#{v}.markers",
            "military": "board#{v}",
            "barge": "board#barge.{v}.1",
            "port": "board#port.{v}.ship",
            "lane": "nomad/{v}",
        }
    )
    move_keys = ("turn", "event", "action")
    counts = "round"
    phases = PHASES
    anytime = frozenset({Fight})
    ops = MappingProxyType(OPS)
    steps = MappingProxyType({"step_any": step_any})
    loose_choice = "TX-TRACK-1"
    seated_in = "players"
    asked = ASKED
    free_seats = True
    # what other modules say of the table
    dump = dump
    miscounted = staticmethod(broken_laws)
    over = staticmethod(over)
    heading = staticmethod(table_view.heading)
    awaits = staticmethod(table_view.awaited)
    view = staticmethod(table_view.table)
    score = staticmethod(ledger)
    scene = later(__name__, "scene.scene")
    overview = later(__name__, "overview.overview")
    propose = later(__name__, "playout.propose")

    def __init__(self, game: ResolvedGame) -> None:
        super().__init__(game)
        self.catalogue = found = Catalogue(game)
        self._names: dict[str, Iterable[str]] = {
            "seat": found.colours,
            "lane": found.lanes,
            "region": found.regions,
            "building": found.buildings,
            "palace": found.tracks,
            "barge": found.barges,
            "merchants": found.merchants,
            "military": (FORTIFY, TRAIN),
            "marker space": (*found.regions, FORTIFY, TRAIN),
            "port": found.ports,
            "place": found.harbour,
            "ship": found.ships,
            "tile": found.tiles,
            "figurine": found.figurines,
            "one-time": found.one_time,
            "demand": found.demand,
            "objective": found.objectives,
            "attack": found.attack_cards,
            "resource": game.params["resources"],
            "good": game.params["goods"],
        }
        self.vocabulary = {name: by_any_name(ids, found.names.get(name, {})) for name, ids in self._names.items()}

    def closed(self, at: At) -> Iterable[Breach]:
        return [at.breach("TX-SCORE-1.over", ending=self.how_it_ended(at))]

    # names

    def names(self, set_name: str) -> Iterable[str]:
        return self._names[set_name]

    def bearers(self, state: State, piece: ResolvedPiece) -> Iterable[tuple[str, Any]]:
        """A red building is in force for everybody who has a governor there, once each (TX-GOV-7)."""
        site = state.buildings.get(piece.id)
        here = dict.fromkeys(filter(None, site.governors)) if site and any(site.governors) else ()
        return [(owner, piece.id) for owner in here]

    def counted(self, state: State, span: str, owner: str) -> list[str]:
        return state.used_up[owner]


rules = Tianxia
"""The maker of the rules object of a resolved game (see `companion.games.load_rules`)."""
