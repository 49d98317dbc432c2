"""Xarkant: a land dealt at random, discs from a bag, workshops, churches and claims.

The modules follow the rulebook: `setup`, `tiles` (placing the land), `land`, `drawing`, `turns`, `collecting`, `storage`,
`claiming`, `workshops` (and the State Board), `churches`, `villages`, `trading`, `cleanup`, `ending`, `score`. Rule ids are those of `components/xarkant/rules.yaml`; no
number of a rule stands here.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Any

from companion.rules import Move, Position, Rules, later
from components.model import ResolvedGame

from . import land, setup, tiles, turns
from .catalogue import read_catalogue
from .cleanup import end_if_cleaned_up_now
from .laws import miscounted, unlawful
from .phases import PHASES
from .position_form import DERIVED, FORM, dump
from .questions import ASKED
from .score import ledger
from .state import KINDS, State
from .storage import gain_popularity
from .table_view import heading, table


class Xarkant(Rules):
    """The rules of one resolved variant."""

    state = State
    seated_in = "players"
    counts = "round"
    phases = PHASES
    anytime = (setup.Setup, tiles.PlaceTile, setup.FirstDrawer)
    ops = MappingProxyType({"gain_popularity": gain_popularity})
    free_seats = True
    form = FORM
    places = MappingProxyType({"seat": "{v}"})
    derived = DERIVED
    # what other modules say of the table
    dump = dump
    miscounted = staticmethod(miscounted)
    unlawful = staticmethod(unlawful)
    heading = staticmethod(heading)
    view = staticmethod(table)
    score = staticmethod(ledger)
    asked = ASKED
    propose = later(__name__, "playout.propose")
    scene = later(__name__, "scene.scene")
    overview = later(__name__, "overview.overview")

    def __init__(self, game: ResolvedGame) -> None:
        super().__init__(game)
        self.catalogue = found = read_catalogue(game)
        at: Position[State] = Position(self, State(), quiet=True)
        self._names: dict[str, Iterable[str]] = {
            "seat": found.colours,
            "landscape": found.tiles,
            "quadrant": land.land_graph(at).spaces,
            "cell": [str(n + 1) for n in range(tiles.cells(at))],
        }

    def names(self, set_name: str) -> Iterable[str]:
        return self._names.get(set_name, KINDS)

    def spoken(self, set_name: str) -> dict[str, Any]:
        """`T7` for `T07`."""
        return {**{name.replace("T0", "T"): name for name in self.names(set_name)}, **super().spoken(set_name)}

    def over(self, state: State) -> bool:
        return state.phase == "end"

    def moment(self, at: Position[State]) -> dict[str, Any]:
        s = at.state
        end = end_if_cleaned_up_now(at) if s.phase == "cleanup" else None
        return {"drawer": s.drawer, "active": s.active, "bag": sum(s.bag.values()), "ends": end.said(at) if end else ""}

    def pass_all(self, at: Position[State]) -> list[Move]:
        s = at.state
        return [turns.Pass(player) for player in s.queue] if s.phase == "act" else []


rules = Xarkant
"""The maker of the rules object of a resolved game (see `companion.games.load_rules`)."""
