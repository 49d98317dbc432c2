"""The table of JSON answers in docs/position-files.md holds: every command has the keys it says, and no others."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from companion.cli import main as cli
from companion.engine.answers.answers import choice_json
from companion.engine.play.moves import Choice

PAGE = Path(__file__).parents[2] / "docs" / "position-files.md"
RUNS = {
    "games": [],
    "new": ["warring-states", "Qin", "Chu", "--table", "again"],
    "show": [],
    "moves": [],
    "menu": ["--seat", "Qin"],
    "score": [],
    "log": [],
    "undo": [],
    "redo": [],
    "note": ["the kettle is on"],
    "correct": ["players.Qin.bu", "7", "--reason", "miscounted"],
    "amend": ["3", "cut chu 6S"],
    "migrate": ["--dry-run", "--set", "army_cost=3"],
    "tables": [],
    "people": [],
    "rename": ["keys", "kept"],
    "archive": ["keys"],
    "delete": ["keys", "--yes"],
    "summary": [],
    "stats": [],
    "ask": ["may an ally be recalled?"],
    "rule": ["WS-WAR-9"],
    "import": ["EXPORTED", "--table", "copy"],
    "simulate": ["warring-states", "--games", "1"],
    "report": ["keys"],
    "playtest": ["dynasties", "--games", "1"],
}


def documented() -> dict[str, list[str]]:
    """Command -> top-level keys: those in the second column that stand outside brackets and before a colon."""
    rows = re.findall(
        r"^\| `(\w+)` \| (.*) \|$", PAGE.read_text(encoding="utf-8").partition("## What the other")[2], re.M
    )
    found = {}
    for command, keys in rows:
        outside = re.sub(r"\([^)]*\)", "", keys).partition(": each")[0]
        found[command] = re.findall(r"`(\w+)`", outside)
    return found


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A table with two cuts, and its export."""
    monkeypatch.setenv("TABLEWRIGHT_HOME", str(tmp_path))
    for arguments in (["new", "warring-states", "Qin", "Chu", "--table", "keys"], ["do", "cut qin 12T", "cut chu 7S"]):
        assert cli.main(arguments) == 0
    exported = tmp_path / "keys.jsonl"
    assert cli.main(["export", "--out", str(exported)]) == 0
    capsys.readouterr()
    return exported


@pytest.mark.parametrize("command", RUNS)
def test_the_keys_are_those_documented(command: str, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if command == "redo":
        cli.main(["undo"])
        capsys.readouterr()
    arguments = [str(table) if word == "EXPORTED" else word for word in RUNS[command]]
    assert cli.main([command, *arguments, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert list(answer) == ["version", *documented()[command]]


def test_the_keys_of_a_question_are_those_documented() -> None:
    row = re.search(r"^\| `needs` \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.M)
    assert row and {*re.findall(r"`(\w+)`", row[1])} == {*choice_json(Choice("", "", ""))}


def test_every_command_that_answers_is_in_the_table() -> None:
    assert {*documented(), "check", "export", "play", "serve"} == set(cli.COMMANDS)
