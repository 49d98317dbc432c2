"""Finding rules and rulings by the words that people use at a table."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.engine.answers import index
from companion.engine.answers.ask import search
from components.loader import list_games
from components.model import ResolvedGame
from components.resolve import resolve_game


@pytest.mark.parametrize("name", list_games())
def test_a_ruling_is_found_by_its_own_question(name: str, caches: Path) -> None:
    game = resolve_game(name)
    for ruling in game.rulings:
        assert search(game, ruling.question, folder=caches)[0].id == ruling.id


@pytest.mark.parametrize(
    ("name", "words", "wanted"),
    [
        ("dynasties", "can plague kill the last army", "DY-PLAGUE-3"),
        ("warring-states", "may an ally's general be lost", "WS-ALLY-11"),
        ("warring-states", "how many cards may I hold?", "WS-TACT-2"),
        ("xarkant", "how much does a church cost", "XK-CHURCH-1"),
        ("xarkant", "where can I put a village", "XK-VILLAGE-3"),
        ("warring-states", "how do I attack?", "WS-WAR-5"),
        ("great-wall", "how do I attack?", "GW-ATT-1"),
        ("tianxia", "leftovers", "TX-SCORE-6"),
        ("tianxia", "left overs", "TX-SCORE-6"),
        ("tianxia", "left-over", "TX-SCORE-6"),
        ("dynasties", "+1 against −1", "DY-COMBAT-7"),
        ("dynasties", "plus one against minus 1", "DY-COMBAT-7"),
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


def test_the_glossary_of_a_game_leads_from_what_players_say(game: ResolvedGame) -> None:
    assert search(game, "haggling") == []
    taught = msgspec.structs.replace(game, glossary={"haggle": ["ladder"]})
    assert search(taught, "haggling")[0].id == search(game, "ladder")[0].id == "OR-LADDER-1"


def test_an_entry_of_several_words_is_one_idea(game: ResolvedGame) -> None:
    taught = msgspec.structs.replace(game, glossary={"climb the tree": ["ladder"], "climb": ["raid"]})
    assert search(taught, "how do I climb the tree?")[0].id == "OR-LADDER-1"
    assert search(taught, "may I climb?")[0].id == search(game, "raid")[0].id


def test_a_card_comes_first_if_nothing_else_is_asked() -> None:
    game = resolve_game("dynasties")
    alone = search(game, "what does Forced March do?")
    assert (alone[0].kind, alone[0].id) == ("rule", "DY-WL-11")  # the rule is the card
    card = search(game, "Storm")[0]
    assert (card.kind, card.id, card.rules) == ("piece", "action-black/plus-3", ["DY-COMBAT-9"])
    further = search(game, "may I exchange a Storm for an army?")
    assert further[0].kind != "piece"


@pytest.mark.parametrize("name", list_games())
def test_every_rule_can_be_found_by_its_first_words(name: str, caches: Path) -> None:
    game = resolve_game(name)
    first = {rule.id: " ".join(f"{rule.title} {rule.text}".split()[:20]) for rule in game.rules.values()}
    assert not [rule for rule, words in first.items() if not search(game, words, folder=caches)]


@pytest.mark.parametrize(
    ("rule", "price"),
    [
        ("XK-CHURCH-1", "1 wood and 3 stone"),
        ("XK-WORKSHOP-1", "1 wheat and 2 wood"),
        ("XK-VILLAGE-1", "2 wheat and 1 stone"),
    ],
)
def test_a_rule_about_a_price_names_it(rule: str, price: str) -> None:
    assert price in resolve_game("xarkant").rules[rule].text
    dear = resolve_game(
        "xarkant", sets={"church.cost": {"stone": 5}, "workshop.cost": {"stone": 5}, "village.cost": {"stone": 5}}
    )
    assert "5 stone" in dear.rules[rule].text


def test_a_rule_is_found_by_the_questions_that_players_ask(game: ResolvedGame) -> None:
    assert search(game, "who is allowed on the branches?") == []
    taught = msgspec.structs.replace(game, questions={"OR-LADDER-1": ["who may climb up", "is somebody on a branch"]})
    assert search(taught, "who may climb up?")[0].id == "OR-LADDER-1"
    assert [found.id for found in search(taught, "who is allowed on the branches?")] == ["OR-LADDER-1"]


def test_a_question_is_found_by_words_that_mean_the_same(game: ResolvedGame) -> None:
    taught = msgspec.structs.replace(
        game, questions={"OR-LADDER-1": ["can a goat come"]}, glossary={"billy": ["goat", "ladder"]}
    )
    assert search(taught, "the billy?")[0].id == "OR-LADDER-1"


def test_a_question_is_known_again_in_other_words(game: ResolvedGame) -> None:
    taught = msgspec.structs.replace(game, questions={"OR-LADDER-1": ["is it optional"], "OR-RAID-1": ["dear rope"]})
    assert search(taught, "may I say no to that, or decline?")[0].id == "OR-LADDER-1"
    assert search(taught, "is a rope expensive?")[0].id == "OR-RAID-1"
    assert search(game, "who may we? can you?") == []  # small words alone ask nothing


def test_a_card_is_found_by_the_questions_that_players_ask() -> None:
    game = resolve_game("tianxia")
    asked = {"building/chu_pilots": ["which house lets me deliver to the boat out at sea"]}
    found = search(msgspec.structs.replace(game, questions=asked), "the house to deliver to the boat out at sea?")[0]
    assert (found.kind, found.id, found.title) == ("piece", "building/chu_pilots", "Pilots' Lodge")


def test_a_kept_index_finds_the_same(game: ResolvedGame, tmp_path: Path) -> None:
    def asked() -> list[tuple[str, float]]:
        return [(found.id, found.score) for found in search(game, "who may raid?", 5, tmp_path)]

    fresh = [(found.id, found.score) for found in search(game, "who may raid?")]
    assert asked() == fresh
    (kept,) = tmp_path.iterdir()
    written = kept.stat().st_mtime_ns
    assert asked() == fresh
    assert kept.stat().st_mtime_ns == written
    kept.write_bytes(kept.read_bytes()[:-1] + b"?")  # a damaged one is made again
    assert asked() == fresh
    taught = msgspec.structs.replace(game, questions={"OR-LADDER-1": ["may a goat come"]})
    assert search(taught, "goats", 1, tmp_path)[0].id == "OR-LADDER-1"
    assert len(list(tmp_path.iterdir())) == 2


def test_few_indexes_are_kept(game: ResolvedGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "KEPT", 2)
    for word in ("goat", "cow", "hen"):
        taught = msgspec.structs.replace(game, questions={"OR-LADDER-1": [f"may a {word} come"]})
        assert search(taught, word, 1, tmp_path)[0].id == "OR-LADDER-1"
    assert len(list(tmp_path.iterdir())) == 2


def test_an_index_that_cannot_be_kept_does_no_harm(game: ResolvedGame, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    assert search(game, "raid", 1, tmp_path / "file")[0].id == search(game, "raid")[0].id
