"""The laws of every game, and this game's own, on random games of Xarkant with two, three and four players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import laws
import pytest
import xarkant_by_hand as by_hand

from companion.engine.play.moves import Move
from companion.engine.play.position import Position, Rules
from companion.games import load_rules
from components.model import ResolvedGame
from components.resolve import resolve_game

SEATS = {2: ["Ana", "Bo"], 3: ["red", "blue", "white"], 4: ["red", "blue", "white", "black"]}
HOUSES: dict[str, dict[str, Any]] = {
    "tight": {
        "storage.capacity": {"wheat": 3, "wood": 3, "stone": 3},
        "token_supply": {"wheat": 8, "wood": 8, "stone": 8},
    },
    "long": {"end.no_villages": False, "end.idle_rounds": 4, "drawer.passes": "each_round", "draw.count": 3},
    "small": {"grid.rows": 2, "popularity.start": 1, "discs_per_player": 3},
}


@pytest.fixture(scope="module")
def game() -> ResolvedGame:
    return resolve_game("xarkant")


@pytest.fixture(scope="module")
def rules(game: ResolvedGame) -> Rules:
    return load_rules(game)


def several(rules: Rules, seats: list[str], seeds: Iterable[int]) -> Iterator[tuple[Position[Any], Move]]:
    """Every position of some random games, and the move played in it."""
    for seed in seeds:
        yield from laws.positions(rules, seats, seed)


@pytest.mark.parametrize("seats", SEATS.values(), ids=SEATS)
def test_laws_hold_in_every_position_of_a_random_game(rules: Rules, seats: list[str]) -> None:
    for at, move in several(rules, seats, range(5)):
        laws.pieces_are_conserved(at)
        if at.state.players:
            laws.position_form_round_trip(at)
        laws.judging_changes_nothing(at, [move])
        laws.a_bare_name_never_crashes(at)


@pytest.mark.parametrize("seats", SEATS.values(), ids=SEATS)
def test_the_legal_list_is_what_is_legal(rules: Rules, seats: list[str]) -> None:
    for at, _ in laws.positions(rules, seats, 5)[::9]:
        laws.legal_list_is_what_is_legal(at)


@pytest.mark.parametrize("seats", SEATS.values(), ids=SEATS)
def test_moves_are_read_as_they_are_written(rules: Rules, seats: list[str]) -> None:
    written: set[type[Move]] = set()
    for at, move in several(rules, seats, range(50, 53)):
        laws.move_round_trips(at, move)
        written.add(type(move))
    assert len(written) == len(rules.moves)


def test_a_journal_gives_the_same_table_again(game: ResolvedGame, tmp_path: Path) -> None:
    laws.journal_gives_the_same_table(game, SEATS[3], 3, tmp_path / "t.db", most=120)


@pytest.mark.parametrize("seats", SEATS.values(), ids=SEATS)
def test_playouts_end(rules: Rules, seats: list[str]) -> None:
    for seed in range(10):
        laws.playout_ends(rules, seats, seed)


@pytest.mark.parametrize("house", HOUSES)
def test_laws_hold_in_other_houses(house: str) -> None:
    """Where tokens run out, rounds are counted otherwise or the land is smaller, nothing is lost and games end."""
    rules = load_rules(resolve_game("xarkant", sets=HOUSES[house]))
    for at, _ in several(rules, SEATS[3], range(7, 10)):
        laws.pieces_are_conserved(at)
        if at.state.players:
            laws.position_form_round_trip(at)
    laws.playout_ends(rules, SEATS[2], 8)


def test_replaying_the_moves_gives_the_same_state(rules: Rules) -> None:
    laws.replaying_gives_the_same_state(rules, SEATS[4], 21)


def test_a_copy_shares_nothing_with_its_original(rules: Rules) -> None:
    for at, move in laws.positions(rules, SEATS[3], 9):
        laws.a_copy_shares_nothing(at, move)


@pytest.mark.parametrize("seats", SEATS.values(), ids=SEATS)
def test_what_the_rules_promise_holds_in_every_position(rules: Rules, seats: list[str]) -> None:
    """Claims and villages stay, claimed areas keep their size, no area has two discs, the queue is in order."""
    claims: dict[str, int] = {}
    settled: set[str] = set()
    for at, _ in several(rules, seats, range(10, 15)):
        s = at.state
        if not s.players or s.phase == "setup":
            claims, settled = {}, set()
            continue
        form = rules.dump(s)
        villages = by_hand.villages_of(form["pieces"])
        assert settled <= villages
        settled = villages
        for area in by_hand.areas(form):
            discs = [q for q in area if q in s.pieces and s.pieces[q].kind in ("work", "claim")]
            assert len(discs) <= 1
            for quadrant in discs:
                if s.pieces[quadrant].kind == "claim":
                    assert claims.setdefault(quadrant, len(area)) == len(area)
        assert set(claims) <= {q for q, piece in s.pieces.items() if piece.kind == "claim"}
        for player in s.player.values():
            assert 0 <= player.popularity <= 5
            assert all(0 <= n <= 6 for n in player.stored().values())
        if s.phase == "act":
            order = s.players[s.players.index(s.drawer) + 1 :] + s.players[: s.players.index(s.drawer) + 1]
            assert s.queue == [player for player in order if player in s.queue]
            assert s.active == s.queue[0]


def test_the_end_is_the_one_foretold(rules: Rules) -> None:
    """What the query says before cleanup is what cleanup does."""
    cleanups = 0
    for at, move in several(rules, SEATS[2], range(70, 80)):
        if at.state.players and at.state.phase == "cleanup":
            foretold = rules.queries()["end_check"](at).value
            after: Position[Any] = at.copy()
            assert after.play(move).legal
            assert foretold == {"ends": after.state.phase == "end", "reason": after.state.end_reason}
            cleanups += 1
    assert cleanups > 10
