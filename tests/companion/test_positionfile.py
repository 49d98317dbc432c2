"""Position files: partial or whole, YAML or JSON, with the place of every complaint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.engine.language.positionfile import PositionFileError, read_position, write_position
from companion.engine.play.position import Position, Rules


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "p.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_what_is_left_out_takes_the_documented_default(rules: Rules, tmp_path: Path) -> None:
    state: Any = read_position(write(tmp_path, "fruit: {ana: {Pear: 2}}\n"), rules)
    assert (state.seats, state.turn, state.phase, state.bag, state.coins) == (
        ["ana", "bo"],
        "ana",
        "turns",
        10,
        {"ana": 3, "bo": 3},
    )


def test_an_empty_file_is_the_default_position(rules: Rules, tmp_path: Path) -> None:
    assert read_position(write(tmp_path, ""), rules) == rules.complete({})


def test_json_is_read_as_well(rules: Rules, tmp_path: Path) -> None:
    state: Any = read_position(write(tmp_path, '{"seats": ["x", "y"], "turn": "y"}'), rules)
    assert state.turn == "y"


def test_a_position_may_say_of_which_game_it_is(rules: Rules, tmp_path: Path) -> None:
    assert read_position(write(tmp_path, "game: orchard\nturn: bo\n"), rules).turn == "bo"


def test_written_and_read_again_it_is_the_same(at: Position[Any], tmp_path: Path) -> None:
    path = tmp_path / "out.yaml"
    write_position(path, at.rules.dump(at.state))
    assert "out: 4" in path.read_text(encoding="utf-8")  # a derived field is shown, and ignored when read
    assert read_position(path, at.rules) == at.state
    assert [p.name for p in tmp_path.iterdir()] == ["out.yaml"]


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("seats: [ana, bo]\ntrun: ana\n", "p.yaml:2:1", "'turn'"),
        ("coins:\n  ana: 2\n  bob: 3\n", "p.yaml:3:8", "bob is not at the table"),
        ("seats: [ana, bo]\nbag: lots\n", "p.yaml:2:6", "whole number"),
        ("coins: 7\n", "p.yaml:1:8", "mapping"),
        ("- 1\n", "p.yaml:1:1", "mapping of fields"),
        ("turn: ana\ngame: chess\n", "p.yaml:2:7", "a position of 'chess', not of 'orchard'"),
        ("turn: ana\nturn: bo\n", "p.yaml:2:1", "repeated key"),
        ("turn: [ana\n", "p.yaml:2:1", "not YAML"),
        ("turn: !!python/object:os.system x\n", "p.yaml:1:7", "tag"),
    ],
)
def test_a_complaint_names_file_line_and_column(rules: Rules, tmp_path: Path, text: str, place: str, says: str) -> None:
    with pytest.raises(PositionFileError) as error:
        read_position(write(tmp_path, text), rules)
    assert place in str(error.value)
    assert says in str(error.value)


def test_all_that_cannot_be_is_named_at_once(rules: Rules, tmp_path: Path) -> None:
    text = "seats: [ana, bo, ana]\ncoins: {ana: -1}\nfruit:\n  bo: {Pearr: 2}\nbag: 10000000\n"
    with pytest.raises(PositionFileError) as error:
        read_position(write(tmp_path, text), rules)
    said = str(error.value)
    assert len(error.value.problems) == 4
    assert "p.yaml:1:8: error POS-002: seats: ana is named twice" in said
    assert "p.yaml:2:14: error POS-002: coins.ana: -1 is less than 0" in said
    assert "fruit.bo.Pearr: there is no fruit called Pearr" in said
    assert "did you mean 'Pear'?" in said
    assert "bag: 10000000 is too large" in said


def test_null_says_nothing_and_numbers_may_be_names(rules: Rules, tmp_path: Path) -> None:
    state: Any = read_position(write(tmp_path, "seats: [7, bo]\nturn: null\ncoins: {7: 2, bo: null}\n"), rules)
    assert (state.seats, state.turn, state.coins) == (["7", "bo"], "7", {"7": 2, "bo": 3})


def test_a_read_only_figure_has_to_agree(rules: Rules, tmp_path: Path) -> None:
    assert read_position(write(tmp_path, "fruit: {ana: {Pear: 2}}\nout: 2\n"), rules).bag == 10
    with pytest.raises(PositionFileError, match="out: 3 does not agree with the rest of the position, from which 2"):
        read_position(write(tmp_path, "fruit: {ana: {Pear: 2}}\nout: 3\n"), rules)


def test_all_unknown_fields_are_named_at_once(rules: Rules, tmp_path: Path) -> None:
    with pytest.raises(PositionFileError) as error:
        read_position(write(tmp_path, "trun: ana\nphaze: turns\n"), rules)
    assert len(error.value.problems) == 2


def test_a_missing_file_is_said(rules: Rules, tmp_path: Path) -> None:
    with pytest.raises(PositionFileError, match="is missing"):
        read_position(tmp_path / "none.yaml", rules)


def test_the_form_is_plain_data(at: Position[Any]) -> None:
    assert msgspec.json.decode(msgspec.json.encode(at.rules.dump(at.state)))["turn"] == "ana"
