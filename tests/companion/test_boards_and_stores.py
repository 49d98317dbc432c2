"""What games share: boards as graphs, stores and prices, a bag, rows of slots, answers to questions in words."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.answers.queries import in_words
from companion.engine.things import slots, stores
from companion.engine.things.spaces import Graph, areas, coordinates, grid, square

# --- boards ------------------------------------------------------------------------------------------------------


def test_squares_are_named_by_column_and_row_and_border_on_each_other_along_an_edge() -> None:
    board = grid(3, 2)
    assert board.spaces == ("a1", "b1", "c1", "a2", "b2", "c2")
    assert board.neighbours["b1"] == ("a1", "c1", "b2")
    assert grid(3, 2, corners=True).neighbours["b1"] == ("a1", "c1", "a2", "b2", "c2")
    assert [square(*coordinates(name)) for name in board.spaces] == list(board.spaces)
    assert "d1" not in board


def test_a_border_is_one_whichever_side_names_it() -> None:
    provinces = Graph({"plain": ["hills"], "hills": [], "coast": ["plain"]})
    assert provinces.neighbours == {"plain": ("hills", "coast"), "hills": ("plain",), "coast": ("plain",)}


def test_an_area_is_what_hangs_together_and_a_space_without_kind_parts_it() -> None:
    board = grid(5, 1)
    whole = areas(board, dict.fromkeys(board.spaces, "field"))
    assert whole["a1"].spaces == board.spaces
    assert whole["a1"] is whole["e1"]
    parted = areas(board, {"a1": "field", "b1": "field", "d1": "field", "e1": "wood"})
    assert [area.spaces for area in dict.fromkeys(parted.values())] == [("a1", "b1"), ("d1",), ("e1",)]
    assert "c1" not in parted
    assert parted["a1"].border == {"c1"}
    assert parted["d1"].border == {"c1", "e1"}
    assert [parted[name].size for name in ("a1", "d1")] == [2, 1]


# --- stores and prices -------------------------------------------------------------------------------------------


def test_a_price_is_paid_in_every_kind_or_says_what_is_lacking() -> None:
    price = stores.together({"wood": 2}, {"wood": 1, "stone": 1, "wheat": 0})
    assert price == {"wood": 3, "stone": 1}
    assert stores.lacking({"wood": 2, "stone": 4}, price) == {"wood": 1}
    assert stores.lacking({"wood": 3, "stone": 1}, price) == {}


def test_what_is_stored_is_out_of_the_common_stock() -> None:
    assert stores.left({"wood": 5, "stone": 1}, [{"wood": 2}, {"wood": 1, "gold": 9}]) == {"wood": 2, "stone": 1}


# --- a bag -------------------------------------------------------------------------------------------------------


def test_more_of_a_kind_than_is_in_the_bag_cannot_be_drawn() -> None:
    bag = {"red": 2, "blue": 0}
    assert stores.lacking(bag, {"red": 2}) == {}
    assert stores.lacking(bag, {"red": 3, "blue": 1, "green": 1}) == {"red": 1, "blue": 1, "green": 1}


@pytest.mark.parametrize(
    ("bag", "drawn", "every"),
    [
        ({"red": 2, "blue": 1}, 3, [{"red": 2, "blue": 1}]),
        ({"red": 4, "blue": 0}, 2, [{"red": 2}]),
        ({"red": 2, "blue": 1}, 2, [{"red": 2}, {"red": 1, "blue": 1}]),
        ({"red": 0}, 0, [{}]),
    ],
)
def test_a_draw_is_certain_if_the_bag_leaves_no_other(
    bag: dict[str, int], drawn: int, every: list[dict[str, int]]
) -> None:
    assert list(stores.ways(drawn, bag)) == every


# --- slots -------------------------------------------------------------------------------------------------------


def test_slots_are_taken_from_the_left_until_none_is_open() -> None:
    assert [slots.next_slot(["red"] * taken, 2) for taken in range(4)] == [1, 2, None, None]
    assert [slots.price([1, 2, 4], slot, 9) for slot in (1, 3, 4, 0)] == [1, 4, 9, 9]


# --- answers in words --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"type": "field", "cells": ["b3", "b4"], "occupied": False}, "type field, cells b3 b4, occupied no"),
        ({"legal": [90, 180], "sizes": {"90": 5, "180": 5}}, "legal 90 180, sizes (90 5, 180 5)"),
        ([["ana"], ["bo", "cai"]], "ana; bo cai"),
        ({"ends": True, "reason": None}, "ends yes, reason none"),
        ([], "nothing"),
        (6, "6"),
    ],
)
def test_an_answer_is_told_as_people_write_figures_down(value: Any, words: str) -> None:
    assert in_words(value) == words
