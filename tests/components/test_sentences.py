"""Sentences of rules with the figures of the moment."""

from __future__ import annotations

import pytest

from components.sentences import Sentence, SentenceFault


@pytest.mark.parametrize(
    ("text", "facts", "expected"),
    [
        ("{player} has {n|army}.", {"player": "Qin", "n": 0}, "Qin has no armies."),
        ("{n|army} {n:is|are} engaged.", {"n": 1}, "1 army is engaged."),
        ("{n|army} {n:is|are} engaged.", {"n": 3}, "3 armies are engaged."),
        ("{n|staff|staves} and {m|church}", {"n": 2, "m": 2}, "2 staves and 2 churches"),
        ("{player's} {stock}", {"player": "Chu", "stock": {"wood": 2, "rice": 1}}, "Chu's 2 wood and 1 rice"),
        ("{player's} turn, then {next}", {"player": "James", "next": ["Ana", "Bo"]}, "James' turn, then Ana and Bo"),
        ("{cards|card}", {"cards": ["a", "b"]}, "2 cards"),
    ],
)  # fmt: skip
def test_facts_are_put_into_words(text: str, facts: dict[str, object], expected: str) -> None:
    assert Sentence(text).say(facts) == expected


def test_goods_that_are_counted_take_their_plural() -> None:
    paid = Sentence("{player} pays {cost}", {"coin": "coins"})
    assert paid.say({"player": "Chu", "cost": {"coin": 2, "rice": 2}}) == "Chu pays 2 coins and 2 rice"
    assert paid.say({"player": "Chu", "cost": {"coin": 1}}) == "Chu pays 1 coin"


@pytest.mark.parametrize("text", ["{}", "{Player}", "{n:is}", "{n|}", "{n or 1}", "{open", "shut}", "{a.b}"])
def test_other_fields_are_refused(text: str) -> None:
    with pytest.raises(SentenceFault):
        Sentence(text)
