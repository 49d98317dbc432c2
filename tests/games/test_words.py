"""The words of reasons, questions and reports: every key that code names stands in `rules.yaml`, and none stands there
unused.

The keys are read from the source of each game's module, where they are written as texts:
`at.breach("WS-BUILD-4.coins")`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import games
import pytest

from companion.engine.play.moves import Move
from companion.engine.play.parts import parts_of
from components.sentences import Sentence

FIELDS = {"breach": "breaks", "worded": "breaks", "note": "says", "ask": "asks"}
ENGINE_KEYS = ("phase", "turn", "owed")
"""Keys under `breaks` that the engine asks for by itself."""
ROOT = Path(__file__).parents[2]


def sources(game: str) -> list[Path]:
    """The Python of a game: a package or one file."""
    module = games.resolved(game).engine
    folder = ROOT / "companion" / "games" / module
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [games.TOY / "games" / f"{module}.py"]


def calls_in(path: Path, prefix: str) -> Iterator[tuple[str, str, ast.Call]]:
    """(field, key, call) of every sentence that a file names."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in FIELDS:
            first = node.args[0] if node.args else None
            wordless = node.func.attr == "note" and len(node.args) == 1
            named = isinstance(first, ast.Constant) and str(first.value).startswith(f"{prefix}-")
            if named and (node.func.attr != "note" or wordless):
                yield FIELDS[node.func.attr], str(first.value), node


@cache
def text_of(game: str) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in sources(game))


@pytest.mark.parametrize("game", (*games.GAMES, *games.TOYS))
def test_every_sentence_that_code_names_is_there(game: str) -> None:
    rules, prefix = games.resolved(game).rules, games.resolved(game).prefix
    missing = []
    for path in sources(game):
        for field, key, call in calls_in(path, prefix):
            rule, _, which = key.partition(".")
            if rule not in rules or f"{field}.{which}" not in rules[rule].words:
                missing.append(f"{path.name}:{call.lineno}: {key} has no {field}")
    assert missing == []


def facts_missing(game: str, field: str, key: str, given: set[str]) -> set[str]:
    """What the sentence of a key needs and is not given."""
    rule, _, which = key.partition(".")
    text = games.resolved(game).rules[rule].words.get(f"{field}.{which}")
    return Sentence(text).names - given if text is not None else set()


@pytest.mark.parametrize("game", (*games.GAMES, *games.TOYS))
def test_every_sentence_is_given_its_facts(game: str) -> None:
    """As far as the call names them one by one; `ask` says who is asked by itself. The further rules on which a reason
    rests are told with the same facts."""
    lacking = []
    for path in sources(game):
        for field, key, call in calls_in(path, games.resolved(game).prefix):
            given = {fact.arg for fact in call.keywords if fact.arg} | ({"player"} if field == "asks" else set())
            further = [arg.value for arg in call.args[1:] if isinstance(arg, ast.Constant)] if field == "breaks" else []
            if all(fact.arg for fact in call.keywords):
                lack = {fact for one in (key, *map(str, further)) for fact in facts_missing(game, field, one, given)}
                lacking += [f"{path.name}:{call.lineno}: {key} lacks {fact}" for fact in sorted(lack)]
    assert lacking == []


@pytest.mark.parametrize("game", (*games.GAMES, *games.TOYS))
def test_no_sentence_stands_there_unused(game: str) -> None:
    """A key is used if its rule and its word both stand in the code, together or apart; the rule of a piece is found
    with the piece. A question with the key `MOVE.FIELD` is used by that move, or by those made of it."""
    code = text_of(game)
    fields = {
        f"{getattr(above, 'name', '')}.{field}"
        for kind in games.rules_with(game).moves.values()
        for field in kind.__struct_fields__
        for above in kind.__mro__
    }
    words_in_code = set(re.findall(r"[\w-]+", code)) | {piece.rule for piece in games.resolved(game).pieces}
    unused = [
        f"{rule.id} {key}"
        for rule in games.resolved(game).rules.values()
        for key in rule.words
        for field, _, which in [key.partition(".")]
        if not (field == "breaks" and which in ENGINE_KEYS)
        and not (field == "asks" and which in fields)
        and (rule.id not in words_in_code or (which and which not in words_in_code))
    ]
    assert unused == []


@pytest.mark.parametrize("game", (*games.GAMES, *games.TOYS))
def test_sentences_read_as_sentences(game: str) -> None:
    """A refusal and a question begin like a sentence: with a capital letter or a fact."""
    for rule in games.resolved(game).rules.values():
        for key, text in rule.words.items():
            Sentence(text)
            assert text.strip() == text and "  " not in text, f"{rule.id} {key}: {text!r}"
            if key.startswith("asks"):
                assert "?" in text, f"{rule.id} {key}: {text!r} is no question"


@pytest.mark.parametrize("game", (*games.GAMES, *games.TOYS))
def test_every_question_is_given_what_it_says(game: str) -> None:
    """The question for a field of a move may name the other fields, the player, and what the kind of move adds."""
    missing = []
    kinds: list[type[Move]] = list(games.rules_with(game).moves.values())
    for domain in filter(None, map(parts_of, tuple(kinds))):
        kinds += domain.every
    for kind in kinds:
        if kind.facts is not Move.facts:
            continue
        for field in kind.__struct_fields__:
            key = games.rules_with(game).question(kind, field)
            given = {"player"} | set(kind.__struct_encode_fields__) - {field}
            lack = facts_missing(game, "asks", key, given) if key else ()
            missing += [f"{kind.__name__}.{field}: {fact}" for fact in lack]
    assert missing == []
