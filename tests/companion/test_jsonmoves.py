"""The JSON form of moves: accepted in the spelling of the games' notation, refused with the nearest name."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.language.jsonmoves import MoveFormError, from_json, parse
from companion.engine.play.position import Position

At = Position[Any]


def test_one_move_or_a_list() -> None:
    assert parse('{"action": "done"}') == [{"action": "done"}]
    assert parse('[{"action": "done"}, {"event": "pick"}]') == [{"action": "done"}, {"event": "pick"}]


def test_either_key_names_the_move_and_null_says_nothing(at: At) -> None:
    move = from_json({"event": "pick", "player": None, "fruit": "Pear"}, at)
    assert move.to_json() == {"action": "pick", "fruit": "Pear"}


def test_words_are_written_as_the_rules_write_them(at: At) -> None:
    move = from_json({"action": "swap", "a": "ANA", "b": "Bo", "a_gives": {"pear": 2}}, at)
    assert move.to_json() == {"action": "swap", "a": "ana", "b": "bo", "a_gives": {"Pear": 2}}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"action": "pikc"}, "no move is called 'pikc'; did you mean 'pick'"),
        ({"action": 7}, "no move is called 7"),
        ({"move": "pick"}, "needs its name under 'action' or 'event'"),
        ({"action": "pick", "event": "pick"}, "pick has no parameter 'event'"),
        ({"action": "pick", "friut": "Pear"}, "pick has no parameter 'friut'; did you mean 'fruit'"),
        ({"action": "pick", "fruit": "Peer"}, "'Peer' is not a valid fruit; did you mean 'Pear'"),
        ({"action": "pick", "player": "anna"}, "no player or seat is called 'anna'; did you mean 'ana'"),
        ({"action": "ladder", "n": "two"}, "n: expected a whole number, found text"),
        ({"action": "swap", "a_gives": ["Pear"]}, "a_gives: expected a mapping, found a list"),
    ],
)
def test_a_wrong_form_says_what_is_wrong(at: At, data: dict[str, Any], says: str) -> None:
    with pytest.raises(MoveFormError) as error:
        from_json(data, at, 2)
    assert str(error.value).startswith("move 3: ")
    assert says in str(error.value)


@pytest.mark.parametrize("text", ["", "{", "[1]", '"pick"', "[" * 3000, '[{"action": "done"}, 5]', "\udcff"])
def test_what_is_no_json_move_is_refused(text: str) -> None:
    with pytest.raises(MoveFormError):
        parse(text.encode("utf-8", "surrogateescape"))


def test_the_callers_data_stays_as_it_was(at: At) -> None:
    data = {"action": "swap", "a": "ANA", "a_gives": {"pear": 1}}
    from_json(data, at)
    assert data == {"action": "swap", "a": "ANA", "a_gives": {"pear": 1}}
