"""English of messages and templates: numbers with their nouns, and the hint at a misspelt name."""

from __future__ import annotations

from typing import Any

import pytest

from components.phrasing import count, did_you_mean, nearest, plural, suggest


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [
        (0, "army", "0 armies"),
        (1, "army", "1 army"),
        (2, "army", "2 armies"),
        (-1, "point", "-1 point"),
        ("all", "card", "all cards"),
        (3, "church", "3 churches"),
        (4, "box", "4 boxes"),
        (2, "day", "2 days"),
        (1200, "sheet", "1,200 sheets"),
    ],
)
def test_a_noun_goes_with_its_number(number: Any, noun: str, said: str) -> None:
    assert count(number, noun) == said


def test_an_irregular_word_is_given() -> None:
    assert count(2, "die", "dice") == "2 dice"
    assert [plural(n, "is", "are") for n in (0, 1, 2)] == ["are", "is", "are"]


def test_the_nearest_name_is_found_whatever_its_case() -> None:
    assert nearest("FRIUT", ["Stone", "Fruit"]) == ["Fruit"]
    assert did_you_mean("friut", ["Stone", "Fruit"]) == "did you mean 'Fruit'?"


def test_names_are_listed_where_none_is_near() -> None:
    many = [f"name-{n}" for n in range(20)]
    assert did_you_mean("xyz", many) == ""
    assert did_you_mean("xyz", many, listing="names").endswith("name-11, …")
    assert suggest("xyz", ["a", "b"]) == "; there are: a, b"
    assert suggest("xyz", []) == ""
