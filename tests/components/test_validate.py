"""`validate` on any msgspec type: every problem, in plain words, with or without places."""

from __future__ import annotations

import enum
from typing import Annotated, Any, Literal

import msgspec
import pytest

from components.validate import convert, describe, validate
from components.yamlsource import parse_yaml


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Walk(msgspec.Struct, tag="walk", tag_field="action", forbid_unknown_fields=True):
    steps: int


class Rest(msgspec.Struct, tag="rest", tag_field="action", forbid_unknown_fields=True):
    pass


class Seat(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    coins: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0
    colour: Colour = Colour.RED
    hand: list[str] = []
    mood: Literal["calm", "cross"] | None = None
    pair: tuple[int, str] | None = None
    ratio: float = 1.0


class Position(msgspec.Struct, forbid_unknown_fields=True):
    round: int
    seats: dict[str, Seat] = {}
    by_number: dict[int, Seat] = {}
    moves: list[Walk | Rest] = []
    notes: dict[str, Any] = {}


def found(text: str, type: Any = Position) -> list[tuple[int, int, str, str]]:
    source = parse_yaml(text)
    assert not source.problems
    return [(p.line, p.column, p.code, p.what) for p in validate(source.data, type, source)]


def test_good_data_has_no_problems_and_converts() -> None:
    source = parse_yaml("round: 1\nseats: {a: {id: a, ratio: 2}}\nmoves: [{action: walk, steps: 2}, {action: rest}]\n")
    value, problems = convert(source.data, Position, source)
    assert problems == []
    assert value == Position(1, {"a": Seat("a", ratio=2.0)}, moves=[Walk(2), Rest()])


def test_number_keys_become_text_where_text_is_asked_for() -> None:
    source = parse_yaml("round: 1\nnotes: {1: x, b: {2: y}}\nby_number: {3: {id: c}}\n")
    value, problems = convert(source.data, Position, source)
    assert problems == []
    assert value is not None
    assert value.notes == {"1": "x", "b": {2: "y"}}
    assert value.by_number == {3: Seat("c")}


def test_all_problems_are_told_in_plain_words() -> None:
    text = """\
round: one
seats:
  a: {id: a, coins: 120, colour: rde, hand: x, mood: cros, pair: [1], ratio: fast}
  b: {id: b, cions: 3}
  c: []
  d: {coins: -1, id: d, pair: [x, 2]}
moves: [{action: wlak}, {steps: 2}, {action: walk, steps: true}, jump]
extra: 1
"""
    assert found(text) == [
        (1, 8, "DEF-012", "expected a whole number for 'round', found text 'one'"),
        (3, 21, "DEF-014", "expected at most 99 for 'coins' in seat 'a', found 120"),
        (3, 34, "DEF-013", "'rde' for 'colour' in seat 'a' is not one of red, blue"),
        (3, 45, "DEF-012", "expected a list for 'hand' in seat 'a', found text 'x'"),
        (3, 54, "DEF-013", "'cros' for 'mood' in seat 'a' is not one of calm, cross"),
        (3, 66, "DEF-014", "expected a list of 2 for 'pair' in seat 'a', found 1"),
        (3, 78, "DEF-012", "expected a number for 'ratio' in seat 'a', found text 'fast'"),
        (4, 14, "DEF-010", "unknown key 'cions' in seat 'b'"),
        (5, 6, "DEF-012", "expected a mapping for 'c', found a list"),
        (6, 14, "DEF-014", "expected at least 0 for 'coins' in seat 'd', found -1"),
        (6, 32, "DEF-012", "expected a whole number for 'pair' in seat 'd', found text 'x'"),
        (6, 35, "DEF-012", "expected text for 'pair' in seat 'd', found the number 2"),
        (7, 18, "DEF-013", "'wlak' for 'action' is not one of rest, walk"),
        (7, 25, "DEF-011", "missing key 'action'"),
        (7, 59, "DEF-012", "expected a whole number for 'steps', found true"),
        (7, 66, "DEF-012", "expected a mapping for 'moves', found text 'jump'"),
        (8, 1, "DEF-010", "unknown key 'extra'"),
    ]


def test_a_missing_key_is_told_unless_a_misspelt_one_explains_it() -> None:
    assert found("seats: {}") == [(1, 1, "DEF-011", "missing key 'round'")]
    assert found("ruond: 1") == [(1, 1, "DEF-010", "unknown key 'ruond'")]
    assert found("") == [(1, 1, "DEF-012", "expected a mapping, found nothing")]


def test_data_without_a_text_is_placed_by_its_path() -> None:
    problems = validate({"round": 1, "seats": {"a": {"id": "a", "hand": [1]}}}, Position, file="move.json")
    assert [(p.file, p.what) for p in problems] == [
        ("move.json", "expected text for 'hand' in seat 'a', found the number 1 at seats.a.hand[0]")
    ]
    assert problems[0].hint == 'write it in quotes: "1"'


@pytest.mark.parametrize(
    ("value", "words"),
    [(None, "nothing"), (True, "true"), (2, "the number 2"), ("a", "text 'a'"), ([], "a list"), ({}, "a mapping")],
)
def test_values_are_described_in_words(value: Any, words: str) -> None:
    assert describe(value) == words


def test_plain_types_can_be_validated_too() -> None:
    assert validate([1, 2], list[int]) == []
    assert [p.code for p in validate([1, "x"], list[int])] == ["DEF-012"]
    assert [p.code for p in validate(5, Literal["a"] | int)] == []
    assert [p.code for p in validate("abc", Annotated[str, msgspec.Meta(max_length=2)])] == ["DEF-014"]
    assert [p.code for p in validate("abc", Annotated[str, msgspec.Meta(pattern="^x")])] == ["DEF-013"]
