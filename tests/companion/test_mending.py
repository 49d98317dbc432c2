"""Setting the record right in a conversation: lines of the past, corrections in short, notes and undo."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Companion

from companion.engine.play.faults import PositionError
from companion.engine.table.table import Table
from companion.games import load_rules
from components.resolve import resolve_game


def lines(companion: Companion) -> list[str]:
    return [line["text"] for line in companion("log", "--json").json["lines"]]


@pytest.fixture
def played(friday: Companion) -> Companion:
    """Lines 3 to 5: the only two plums but one, and a pear."""
    friday("do", "pick pear", "pick golden plum", "pick pear")
    return friday


@pytest.mark.parametrize("said", ["amend 4 drop", "drop 4", "drop 4:"])
def test_what_a_dropped_line_does_is_said_before_it_is_asked(played: Companion, said: str) -> None:
    before = lines(played)
    refused = played("play", stdin=f"{said}\nn\n")
    assert "This one is no longer legal:\n  5 cai pick Pear\n" in refused.out
    assert "[OR-TURN-1]" in refused.out
    assert "nothing recorded" in refused.out
    assert lines(played) == before
    done = played("play", stdin=f"{said}\ny\n")
    assert "dropped: 4 Ben pick Golden Plum" in done.out
    assert lines(played) == before[:3]


def test_where_nothing_falls_an_amendment_is_recorded_at_once(played: Companion) -> None:
    said = played("play", stdin="amend 3 ana pick red apple\n")
    assert "OK: Mary pick Red Apple" in said.out
    assert "2 later lines still stand." in said.out
    assert "amended: line 3 was Mary pick Pear" in said.out
    assert lines(played)[2] == "ana pick Red Apple"


@pytest.mark.parametrize("said", ["amend 3 insert ana ladder", "insert 3 ana ladder"])
def test_a_forgotten_line_is_inserted(played: Companion, said: str) -> None:
    out = played("play", stdin=f"{said}\nundo\n").out
    assert "3 later lines still stand." in out
    assert "inserted before line 4: Mary pick Pear" in out
    assert "undone: amendment of line 3" in out


def test_notes_of_the_past_are_amended_like_moves(played: Companion) -> None:
    """A note may be inserted, put right and dropped; it never takes the place of a move, nor a move its."""
    out = played("play", stdin="insert 4 note Ben is away\namend 4 note Ben is back\n")
    assert "inserted before line 5: Ben pick Golden Plum" in out.out
    assert "amended: line 4 was Ben is away" in out.out
    assert lines(played)[3] == "Ben is back" and "4 # Ben is back" in played("log").out
    refused = played("play", stdin="amend 4 cai pick pear\namend 3 note tea\n").err
    assert "line 4 is not a move" in refused and "line 3 is not a note" in refused
    played("amend", "4", "note Ben sleeps")
    assert lines(played)[3] == "Ben sleeps"
    played("undo")
    assert lines(played)[3] == "Ben is back"
    played("amend", "4", "--drop")
    assert lines(played)[3] == "bo pick Golden Plum"


def test_an_amendment_that_is_refused_changes_nothing(played: Companion) -> None:
    before = lines(played)
    out = played("play", stdin="amend 4 cai pick pear\ninsert 3 bo ladder\n").out
    assert out.count("NO: ") == 2
    assert out.count("nothing recorded") == 2
    assert lines(played) == before


@pytest.mark.parametrize("said", ["amend", "amend x", "amend 3", "drop", "drop 3 pick pear", "insert 3", "insert x y"])
def test_an_amendment_without_its_words_is_explained(played: Companion, said: str) -> None:
    assert "amend 14 MOVE, insert 14 MOVE (before it), or drop 14" in played("play", stdin=f"{said}\n").err


def test_a_dry_run_of_an_amendment_only_tells(played: Companion) -> None:
    before = lines(played)
    told = played("amend", "3", "pick golden plum", "--dry-run")
    assert "later line" not in told.out
    assert "These are no longer legal:" in told.out
    assert played("amend", "4", "--drop", "--dry-run", "--json").json["dry_run"] is True
    assert lines(played) == before


def test_undo_says_what_it_takes_back(friday: Companion) -> None:
    friday("play", stdin="note tea\ncorrect coins.ben 5 because found\nrename mary maria\n")
    assert [friday("undo").out for _ in range(3)] == [
        "undone: ana is maria, not Mary\n",
        "undone: correct coins.bo = 5\n",
        "undone: note: tea\n",
    ]


def test_a_note_is_answered(friday: Companion) -> None:
    said = friday("play", stdin="note tea\nnote\n")
    assert "noted: tea" in said.out
    assert "a note needs a text: note TEXT" in said.err


# --- corrections ---------------------------------------------------------------------------------------------------


@pytest.fixture
def states(tmp_path: Path) -> Table:
    game = resolve_game("warring-states")
    made, _ = Table.create(tmp_path / "w.db", game, load_rules, people={"Qin": "Ann", "Chu": "Ben", "Zhao": "Cem"})
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ("ben.bu", "players.Chu.bu"),
        ("chu.bu", "players.Chu.bu"),
        ("players.Chu.bu", "players.Chu.bu"),
        ("Ann.intact", "players.Qin.provinces.intact"),
        ("event.draw", "decks.event.draw"),
    ],
)
def test_a_field_may_be_said_in_short(states: Table, said: str, field: str) -> None:
    with states as table:
        assert table.correct(said, 3, "counted") == field
        assert table.history.lines[-1].field == field
        assert Table.open(table.journal.path, load_rules).position.state == table.position.state


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("ben.bo", "unknown field; did you mean players.Chu.bu?"),
        ("ben.army", "unknown field; did you mean players.Chu.armies?"),
        ("draw", "this may be decks.event.draw, decks.resource.draw or decks.battle.draw"),
        ("xyzzy.plugh", "unknown field 'xyzzy'"),
    ],
)
def test_a_field_that_is_not_clear_is_answered_with_the_nearest(states: Table, said: str, answer: str) -> None:
    with states as table, pytest.raises(PositionError) as error:
        table.correct(said, 3, "counted")
    assert answer in str(error.value)


def test_a_person_has_so_many_not_so_many(friday: Companion) -> None:
    said = friday("play", stdin="mary has 5 coins, not 3\nmiscounted\nben has 1 ladder, not 0\nbought it\n")
    assert "Why?" not in said.err
    assert "corrected: coins.ana = 5" in said.out
    assert "corrected: ladders.bo = 1" in said.out
    assert friday("show", "--json").json["state"]["coins"]["ana"] == 5


def test_of_many_lines_that_would_fall_only_the_first_are_told(
    played: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.cli.mending.MOST", 1)
    said = played("play", stdin="drop 2\nn\n").out
    assert "These are no longer legal:\n  3 Mary pick Pear\n" in said
    assert "  … and 2 more\n" in said
    assert "4 Ben" not in said
    assert "  5 cai pick Pear\n" in played("amend", "2", "--drop", "--dry-run").out


def test_what_a_line_kept_against_the_rules_leaves_open_is_asked(companion: Companion) -> None:
    """`! WHY` puts the questions of the line, with the name of whoever they are for, and records the answers."""
    companion("new", "warring-states", "Qin=Ann", "Chu=Ben", "Zhao=Cem", "--table", "t")
    companion("do", "ann 12T, ben 3S, cem 4S")
    said = companion("play", stdin="reveal earthquake\ntarget\n! as we agreed\nshow\nchu\n").out
    assert said.count("Which rival does Ann choose?") == 2
    assert "AGAINST THE RULES, KEPT: target Ben" in said
    assert lines(companion)[-1] == "target Chu"
    said = companion("play", stdin="target\n! as we agreed\n\n").out
    assert "nothing recorded" in said
    assert lines(companion)[-1] == "target Chu"
