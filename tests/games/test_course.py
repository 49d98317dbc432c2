"""The course of the score: each game keeps what was scored on the way, as a table and its answers show it."""

from __future__ import annotations

import itertools
from pathlib import Path
from random import Random
from typing import Any

import games
import pytest

from companion.engine.answers.answers import ledger_json, ledger_text
from companion.engine.answers.ledger import Ledger
from companion.engine.play.position import Position
from companion.engine.table import course
from companion.engine.table.plays import play_of
from companion.engine.table.table import Table
from companion.games import load_rules

SEATS = {"warring-states": ["Qin", "Chu"], "dynasties": ["white", "black"]}
MOST = {"warring-states": 400, "great-wall": 700}
"""So many moves of a game that need not be played to its end."""


def played(game: str, seed: int) -> tuple[course.Course, Position[Any], dict[int, dict[str, int]]]:
    """A game played by chance: its course, its last position, and the totals that were seen at the end of each round,
    by the round."""
    rules, rng = games.rules_with(game, {}), Random(seed)
    seats = SEATS.get(game) or games.PEOPLE[:2]
    at: Position[Any] = Position(rules, rules.new_state(), quiet=True)
    at.chooser = rng.choice
    at.play(rules.setup_move(seats, {}))
    kept, seen = course.Course(), dict[int, dict[str, int]]()
    for _ in range(MOST.get(game, 5_000)):
        before = rules.stretch(at.state)
        kept.see(at)
        move = None if rules.over(at.state) else rules.propose(at, rng)
        if move is None:
            break
        if at.play(move).legal and 0 < before < rules.stretch(at.state) and not rules.over(at.state):
            seen[before] = rules.score(at).totals()
    return kept, at, seen


@pytest.mark.parametrize("game", [game for game in games.GAMES if game != "dynasties"])
def test_the_score_at_the_end_of_each_round_is_kept(game: str) -> None:
    kept, at, seen = played(game, 2)
    assert seen, "no round was played to its end"
    assert [stage.totals for stage in kept.stages] == [*seen.values()]
    word = at.rules.counts.capitalize()
    assert [stage.title for stage in kept.stages] == [f"{word} {n}" for n in seen]


def test_dynasties_keeps_those_that_are_scored() -> None:
    """Seeds that play on to the last Dynasty, and some that end before."""
    lengths = set()
    for seed in range(8):
        kept, at, _ = played("dynasties", seed)
        titles = [stage.title for stage in kept.stages]
        assert titles == ["Dynasty 3", "Dynasty 6"][: len(titles)]
        lengths.add(len(titles))
        pawn = 0
        for stage, ledger in itertools.chain(((s, s) for s in kept.stages), [(None, at.rules.score(at))]):
            paid = {seat: sum(line.points for line in ledger.lines if line.seat == seat) for seat in at.seats}
            assert stage is None or stage.totals == paid
            pawn += paid["white"] - paid["black"]
        assert at.state.pawn == max(-10, min(pawn, 10))
        stands = at.rules.score(at).stands().totals
        assert stands["white"] - stands["black"] == at.state.pawn
    assert 2 in lengths


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Dynasties 1 to 3, and the first line of the fourth, which says that the third has been scored."""
    rules = games.rules_with("dynasties", {})
    start = {"dynasty": 3, "phase": "battles", "order": ["Xinjiang", "Tibet", "Qinghai", "Gansu", "Mandarin"]}
    tiles = {"Xinjiang": "A", "Tibet": "B", "Qinghai": "C", "Gansu": "D", "Mandarin": "E"}
    form = {**start, "provinces": {name: {"tile": letter} for name, letter in tiles.items()}}
    people = {"white": "Ann", "black": "Ben"}
    begun = rules.complete(rules.read_position(form))
    made, _ = Table.create(tmp_path / "evening.db", rules.game, load_rules, people=people, start=begun)
    assert made is not None
    lines = ["xinjiang 9 3", "tibet 4 4", "qinghai 2 5", "gansu 1 1", "mandarin 3 2"]
    for line in [*lines, "white draw", "black draw", "white ready"]:
        assert made.do(made.read(line), line, typed=True).done, line
    return made


def test_a_play_is_worth_the_whole_game_and_not_its_last_scoring(table: Table) -> None:
    table.undo()
    assert table.rules.score(table.position).unit == "points in Dynasty 3"
    play = play_of(table)
    assert play.unit == "spaces on the scoring track"
    assert {seated.person: seated.score for seated in play.seats} == {"Ann": 2, "Ben": 0}


def test_a_table_shows_every_scoring(table: Table) -> None:
    ledger = course.score(table)
    [stage] = ledger.course
    assert (stage.title, stage.unit, stage.totals) == ("Dynasty 3", "points in Dynasty 3", {"white": 3, "black": 1})
    assert ledger.unit == "spaces on the scoring track"
    text = ledger_text(ledger, table.about.people)
    assert "Dynasty 3: Ann 3, Ben 1" in text
    assert "   1  Ann  Xinjiang: first value of tile A 1-2-7 [DY-SCORE-3]" in text
    assert "Ann 3, Ben 1: 2 spaces towards Ann, from 0 to +2 [DY-SCORE-5]" in text
    assert ledger_json(ledger)["course"][0]["totals"] == {"white": 3, "black": 1}
    table.undo()
    assert len(course.score(table).course) == 1, "the scoring came with the last draw"
    table.undo()
    assert course.score(table).course == ()


def test_who_won_is_said_by_name_and_a_drawn_game_is_drawn() -> None:
    rules = games.rules_with("dynasties", {})

    def told(form: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        ledger: Ledger = rules.score(Position(rules, rules.complete(form)))
        return ledger_text(ledger, {"white": "Ann", "black": "Ben"}), ledger_json(ledger)

    text, form = told({"phase": "over", "dynasty": 9, "pawn": 3})
    assert "Ann won. After the last Dynasty, the pawn is on +3" in text
    assert form["ending"]["winners"] == ["white"]
    text, form = told({"phase": "over", "dynasty": 9, "pawn": 0})
    assert "The game is drawn: the pawn is in the centre" in text and "won" not in text
    assert form["ending"]["winners"] == []
