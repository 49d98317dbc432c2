"""Finding rules and rulings by the words that people use at a table."""

from __future__ import annotations

import pytest

from companion.engine.answers.ask import search
from components.loader import list_games
from components.model import ResolvedGame
from components.resolve import resolve_game


@pytest.mark.parametrize("name", list_games())
def test_a_ruling_is_found_by_its_own_question(name: str) -> None:
    game = resolve_game(name)
    for ruling in game.rulings:
        assert search(game, ruling.question)[0].id == ruling.id


@pytest.mark.parametrize(
    ("name", "words", "wanted"),
    [
        ("dynasties", "can plague kill the last army", "DY-PLAGUE-3"),
        ("warring-states", "may an ally's general be lost", "WS-ALLY-11"),
        ("warring-states", "how many cards may I hold?", "WS-TACT-2"),
        ("xarkant", "how much does a church cost", "XK-CHURCH-1"),
    ],
)
def test_table_talk_finds_the_rule(name: str, words: str, wanted: str) -> None:
    assert wanted in [found.id for found in search(resolve_game(name), words, 3)]


def test_endings_and_irregular_forms_do_not_matter(game: ResolvedGame) -> None:
    for words in ("raiding", "raided", "RAIDS"):
        assert [found.id for found in search(game, words)] == [found.id for found in search(game, "raid")]
    assert search(game, "who won?")[0].id == search(game, "who wins?")[0].id


@pytest.mark.parametrize("words", ["", "?", "the of and", '"raid', "raid AND NOT (", "NEAR(raid *", "räid ^ raid:"])
def test_whatever_is_typed_is_taken_as_words(game: ResolvedGame, words: str) -> None:
    assert bool(search(game, words)) == ("raid" in words)
