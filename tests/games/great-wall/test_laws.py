"""What holds on every whole table of The Great Wall: one piece moved by hand is noticed, and told with its figures."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import laws
import pytest
from games import rules_with

from companion.engine.play.position import Position
from companion.games.great_wall.base.state import State

At = Position[State]
SEATS = ["bamboo", "plum", "pine"]


@cache
def whole() -> At:
    """A table with every module after some moves, between two steps."""
    rules = rules_with("great-wall", variants=("everything",))
    played = laws.positions(rules, SEATS, 3, 120)
    return next(at for at, _ in reversed(played) if not at.state.agenda and not at.rules.check_whole(at.state))


Edit = Callable[[State], object]


def add_hordes(s: State) -> object:
    return s.hordes["L"].extend(s.hordes["C"] + s.hordes["R"] + s.hordes["L"])


EDITS: dict[str, tuple[Edit, str]] = {
    "a soldier too many": (lambda s: s.own("pine").supply.update(archer=9), "pine has"),
    "a soldier too few": (
        lambda s: s.own("plum").supply.update(horseman=-1),
        "player.plum.supply.horseman: -1 is less than 0",
    ),
    "a bannerman of another clan": (lambda s: s.own("plum").supply.update(sapper=1), "plum has"),
    "a clerk too many": (lambda s: setattr(s.own("pine").clerks, "supply", 40), "clerks, not"),
    "a command card twice": (lambda s: s.own("pine").discard.append("C1"), "as command cards"),
    "a command card lost": (lambda s: s.own("pine").hand.clear(), "as command cards"),
    "a shame token too many": (lambda s: setattr(s, "shame_pool", s.shame_pool + 1), "shame tokens,"),
    "an advisor twice": (lambda s: s.advisor_track.append(s.advisor_track[0] or ""), "lies in 2 places"),
    "an advisor more in the deck": (lambda s: setattr(s, "advisor_deck_count", 3), "the advisor deck has 3 cards"),
    "a tactic too many": (lambda s: setattr(s.own("pine"), "tactics", 30), "the tactic deck has"),
    "a row of hordes too long": (add_hordes, " horde cards, and there can be 3 at most"),
    "a barricade too many": (lambda s: s.barricades.update(C=10), "barricades.C: 10 is more than"),
    "a barricade too few": (lambda s: s.barricades.update(C=-1), "barricades.C: -1 is less than 0"),
    "a wall too high": (lambda s: s.walls.update(R=9), "walls.R: 9 is more than"),
    "war machines side by side": (lambda s: s.machines.update(L=["cannon"] * 2), "machines.L: cannon is named twice"),
    "war machines without room": (lambda s: s.machines.update(C=["cannon"] * 4), "machines.C: 4 war machines"),
    "a tower without room": (lambda s: s.towers.update(T1=["pine", "plum", "bamboo"] * 2), "towers.T1: 6 soldiers"),
    "a tower of one clan": (lambda s: s.towers.update(T2=["pine"] * 4), "soldiers of a clan in T2"),
    "clerks without a slot": (lambda s: s.locations.update(quarry={"pine": 20}), "20 clerks in the Quarry"),
    "a warehouse too full": (lambda s: s.warehouse.update(wood=99), "99 wood in the Warehouse"),
    "shooters without room": (lambda s: s.own("pine").wall["L"].update(archer=3), "shooters of pine on the wall of L"),
    "advisors without room": (
        lambda s: s.own("pine").active.extend(["A01"] * 5),
        "active advisors, and there can be 3",
    ),
    "supporters without room": (
        lambda s: s.own("pine").support.extend(["A01"] * 5),
        "supportive advisors, and there can be 3",
    ),
    "goods below nothing": (lambda s: s.own("pine").res.update(gold=-1), "player.pine.res.gold: -1 is less than 0"),
    "a clan twice in the tea pile": (lambda s: s.tea.append("pine"), "the tea pile is"),
}


@pytest.mark.parametrize(("edit", "said"), EDITS.values(), ids=EDITS.keys())
def test_a_piece_moved_by_hand_is_noticed(edit: Edit, said: str) -> None:
    here = whole().copy()
    edit(here.state)
    told = here.rules.check_whole(here.state)
    assert any(said in law for law in told), told


def test_nothing_is_wrong_with_a_table_that_was_played() -> None:
    assert whole().rules.check_whole(whole().state) == []


def test_a_table_where_nobody_sits_breaks_no_law() -> None:
    rules = rules_with("great-wall")
    assert rules.check_whole(rules.new_state()) == []
