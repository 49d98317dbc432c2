"""Lines that the docs quote as examples of how people type, judged by what they record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.engine.language.notation import read
from companion.engine.language.positionfile import from_form
from companion.engine.play.lines import try_line
from companion.engine.play.position import Position
from companion.games import load_rules
from components.resolve import resolve_game

PLAYING = Path(__file__).parents[2] / "docs" / "playing.md"
LAND = ["WWQFFW", "QWQQFF", "QFQFFF", "QFFWWQ", "WFQQWQ", "WFFWWQ"]
BUILD = {"seats": ["Qin", "Chu"], "phase": "build", "players": {"Qin": {"bu": 9, "resource_hand": 3}}}
QUOTED: list[tuple[str, dict[str, Any], str, dict[str, str], list[dict[str, Any]]]] = [
    (
        "warring-states",
        BUILD,
        "ann buys an army and deploys the daring general",
        {"Ann": "Qin"},
        [{"action": "buy_army", "player": "Qin"}, {"action": "deploy_general", "player": "Qin", "general": "Daring"}],
    ),
    (
        "dynasties",
        {"phase": "setup"},
        "tiles egcia",
        {},
        [{"action": "tiles", "letters": ["E", "G", "C", "I", "A"]}],
    ),
    (
        "warring-states",
        {"seats": ["Qin", "Chu"], "phase": "event", "active": "Qin"},
        "sun tzu",
        {},
        [{"action": "reveal_event", "card": "Sun Tzu"}],
    ),
    (
        "xarkant",
        {"players": ["ana", "bo"], "phase": "setup", "terrain": ["......"] * 6},
        "T07 90",
        {},
        [{"event": "place_tile", "tile": "T07", "rot": 90}],
    ),
]


@pytest.mark.parametrize(("game", "form", "line", "people", "moves"), QUOTED, ids=[quoted[2] for quoted in QUOTED])
def test_a_quoted_line_records_what_it_says(
    game: str, form: dict[str, Any], line: str, people: dict[str, str], moves: list[dict[str, Any]]
) -> None:
    assert f"`{line}`" in " ".join(PLAYING.read_text(encoding="utf-8").split()), "the page quotes something else now"
    rules = load_rules(resolve_game(game))
    at: Position[Any] = Position(rules, from_form(form, rules))
    found = read(line, at, people=people)
    assert [{**move.to_json()} for move in found] == moves
    assert try_line(at, found).verdict.legal is not False
