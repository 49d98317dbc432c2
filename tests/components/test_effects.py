"""Effect data of every form becomes a tree, a sentence and icons."""

from __future__ import annotations

from typing import Any

import pytest

from components.effects import Vocabulary, flat
from components.model import Effect, Icon, Verb, VocabularyFile

VERBS = {
    "each_player": Verb(about="a", scope=True, phrase="Each player {{ body }}.", icons=["each", "body"]),
    "this_turn": Verb(about="a", scope=True, phrase="{{ body }} this turn", icons=["body", "clock"]),
    "passive": Verb(
        about="a",
        scope=True,
        args={"when": "one of ship, train"},
        phrase="when you {{ when }}, {{ body }}",
        icons=["{{ when }}", "body"],
    ),
    "raze": Verb(
        about="a",
        args={"n": "whole 1.. | one of all"},
        phrase="razes {{ n | count('city', 'cities') }}",
        icons=["fire {{ n }}"],
    ),
    "pay": Verb(about="a", args={"n": "whole"}, phrase="pays {{ n }} and {{ price.base }}", icons=[]),
    "free": Verb(about="a", phrase="takes it free"),
    "steal": Verb(
        about="a",
        args={
            "from": "text",
            "what": "one of army",
            "n?": "whole",
        },
        phrase="take {{ n or 'any' }} {{ what }} from {{ from }}.",
        icons=["{{ what }} {{ n or '' }}"],
    ),
    "multiplier": Verb(
        about="a",
        args={"melds": {"<one of rice, bronze>": "whole 0.."}},
        whole="melds",
        phrase="{% for k, v in melds | dictsort %}{{ k }} ×{{ v }} {% endfor %}",
        icons=[
            "{% if 'rice' in melds %}rice ×{{ melds.rice }}{% endif %}",
            "{% if 'bronze' in melds %}bronze{% endif %}",
        ],
    ),
    "bonus": Verb(
        about="a",
        args={"when": "anything", "bt": "whole"},
        phrase="+{{ bt }} as {{ when.side }}",
        icons=["bt {{ bt | signed }}"],
    ),
}  # fmt: skip
NAMES = {"price": {"base": 4}}


def read(data: Any) -> tuple[tuple[Effect, ...], list[str]]:
    said: list[str] = []
    tree = Vocabulary(VocabularyFile(verbs=VERBS)).parse(data, lambda code, what, path, **more: said.append(what))
    return tree, said


@pytest.mark.parametrize(
    ("data", "text", "icons"),
    [
        ({}, "", []),
        ({"each_player": {"raze": 1}}, "Each player razes 1 city.", ["each", "fire 1"]),
        ({"each_player": {"raze": "all", "free": True}}, "Each player razes all cities and takes it free.",
         ["each", "fire all"]),
        ({"each_player": [{"raze": 1}, {"raze": 2}, "free"]},
         "Each player razes 1 city, 2 cities and takes it free.", ["each", "fire 1", "fire 2"]),
        ({"each_player": "free"}, "Each player takes it free.", ["each"]),
        ({"pay": 3}, "Pays 3 and 4.", []),
        ({"raze": {"n": 2}}, "Razes 2 cities.", ["fire 2"]),
        ({"free": None}, "Takes it free.", []),
        ({"steal": {"from": "Ann", "what": "army", "n": 1}}, "Take 1 army from Ann.", ["army 1"]),
        ({"steal": {"from": "Ann", "what": "army"}}, "Take any army from Ann.", ["army"]),
        ({"this_turn": {"multiplier": {"rice": 0}}}, "Rice ×0 this turn.", ["rice ×0", "clock"]),
        ({"multiplier": {"rice": 2, "bronze": 3}}, "Bronze ×3 rice ×2.", ["rice ×2", "bronze"]),
        ({"bonus": {"when": {"side": "attacker"}, "bt": 1}}, "+1 as attacker.", ["bt +1"]),
        ({"passive": {"when": "ship", "raze": 1}}, "When you ship, razes 1 city.", ["ship", "fire 1"]),
        ([{"raze": 1}, {"pay": 2}], "Razes 1 city. Pays 2 and 4.", ["fire 1"]),
        ({"this_turn": {"each_player": {"raze": 1}}}, "Each player razes 1 city this turn.",
         ["each", "fire 1", "clock"]),
    ],
)  # fmt: skip
def test_effects_read_as_sentences_and_icons(data: Any, text: str, icons: list[str]) -> None:
    tree, said = read(data)
    assert said == []
    vocabulary = Vocabulary(VocabularyFile(verbs=VERBS))
    assert vocabulary.phrase(tree, NAMES) == text
    assert [f"{icon.name} {icon.label}".strip() for icon in vocabulary.icons(tree, NAMES)] == icons


def test_the_tree_names_verbs_arguments_and_what_is_inside() -> None:
    tree, _ = read({"this_turn": {"passive": {"when": "train", "steal": {"from": "a", "what": "army"}}}})
    assert tree == (
        Effect(
            "this_turn",
            body=(Effect("passive", {"when": "train"}, (Effect("steal", {"from": "a", "what": "army"}),)),),
        ),
    )
    assert [effect.verb for effect in flat(tree)] == ["this_turn", "passive", "steal"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"rase": 1}, ["unknown verb 'rase'"]),
        ("gratis", ["unknown verb 'gratis'"]),
        ({"raze": 0}, ["'n' of 'raze': expected a whole number of at least 1 or all, found the number 0"]),
        ({"raze": True}, ["'n' of 'raze': expected a whole number of at least 1 or all, found true"]),
        ({"raze": None}, ["'raze' needs 'n'"]),
        ({"raze": {"m": 1}}, ["'raze' has no argument 'm'", "'raze' needs 'n'"]),
        ({"steal": 1}, ["'from' of 'steal': expected text, found the number 1", "'steal' needs 'what'"]),
        ({"multiplier": 3}, ["'melds' of 'multiplier': expected a mapping with bronze, rice as keys, found "
                             "the number 3"]),
        ({"each_player": {}}, ["'each_player' has nothing inside it"]),
        ({"each_player": 3}, ["expected a mapping of verbs, found the number 3"]),
        ({"this_turn": {"raze": 0, "rase": 1}},
         ["'n' of 'raze': expected a whole number of at least 1 or all, found the number 0",
          "unknown verb 'rase'"]),
    ],
)  # fmt: skip
def test_wrong_effects_are_all_told(data: Any, said: list[str]) -> None:
    assert read(data)[1] == said


def test_an_icon_that_renders_to_nothing_is_dropped() -> None:
    tree, _ = read({"multiplier": {"bronze": 1}})
    assert Vocabulary(VocabularyFile(verbs=VERBS)).icons(tree, NAMES) == (Icon("bronze"),)
