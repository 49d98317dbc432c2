"""`pnp check` runs the reader of a game's rules module: what would crash the companion is an error at the card."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from components.checks import check_game
from components.errors import Problem
from generator.cli.reading import rules_read

COMPONENTS = Path(__file__).parents[2] / "components"


def checked(tmp_path: Path, game: str, file: str, old: str, new: str) -> list[Problem]:
    """What `pnp check` finds in the definition of a game with one place changed."""
    folder = tmp_path / "components" / game
    shutil.copytree(COMPONENTS / game, folder)
    text = (folder / file).read_text("utf-8")
    changed = re.sub(old, new, text, count=1)
    assert changed != text
    (folder / file).write_text(changed, "utf-8")
    return check_game(game, tmp_path, reading=[rules_read])


@pytest.mark.parametrize(
    ("game", "file", "old", "new", "words"),
    [
        ("xarkant", "landscape.yaml", "nw: F", "nw: X", "'nw' in piece 'T01'"),
        ("xarkant", "landscape.yaml", "ne: F", "ne: 3", "'ne' in piece 'T01'"),
        ("xarkant", "landscape.yaml", "sw: W", "sw: w", "'sw' in piece 'T01'"),
        ("xarkant", "landscape.yaml", "se: W", "se: ''", "'se' in piece 'T01'"),
        ("xarkant", "landscape.yaml", "star: nw", "star: mid", "'star' in piece 'T01'"),
        ("dynasties", "tiles.yaml", r"points: \[1, 2, 7\]", "points: 7", "'points' in piece 'a'"),
        ("dynasties", "tiles.yaml", r"points: \[1, 2, 7\]", "points: [1, two, 7]", "'points' in piece 'a'"),
        ("dynasties", "tiles.yaml", r"points: \[1, 2, 7\]", "points: [1, 9]", "a list of 3"),
        ("dynasties", "board.yaml", r"\[Xinjiang, Tibet\]", "[Xinjiang]", "a list of 2"),
        ("dynasties", "board.yaml", r"\[Xinjiang, Tibet\]", "[Xinjiang, Tibett]", "its borders name Tibett"),
        ("dynasties", "action-white.yaml", "kind: number", "kind: numbr", "'kind' in piece '1'"),
        ("dynasties", "action-white.yaml", "deck: basic", "deck: bsic", "'bsic' for 'deck'"),
        ("warring-states", "resources.yaml", "destiny_type: S", "destiny_type: X", "not on {'destiny_type': 'X'}"),
        ("warring-states", "resources.yaml", "type: mine", "tpye: mine", "unknown key 'tpye' in piece 'mine'"),
    ],
)  # fmt: skip
def test_a_value_that_would_crash_the_companion_is_an_error_of_the_card(
    tmp_path: Path, game: str, file: str, old: str, new: str, words: str
) -> None:
    [problem] = checked(tmp_path, game, file, old, new)
    assert words in problem.what and problem.line > 0
    assert problem.file.endswith(file)


def test_a_kind_of_card_that_the_rules_need_is_missed(tmp_path: Path) -> None:
    problems = checked(tmp_path, "warring-states", "resources.yaml", "type: mine\n", "type: city\n")
    assert any("no Resource card of the type mine" in problem.what for problem in problems)


def test_what_goes_wrong_in_the_first_moves_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: object, at: object) -> None:
        raise KeyError("mine")

    monkeypatch.setattr("companion.games.xarkant.tiles.PlaceTile.apply", broken)
    [problem] = checked(tmp_path, "xarkant", "game.yaml", "engine:", "engine: ")
    assert (problem.code, problem.excerpt) == ("DEF-064", "engine:  xarkant")
    assert "cannot follow the game" in problem.what and "'mine' is missing" in problem.what


def test_a_misspelt_set_is_told_once(tmp_path: Path) -> None:
    [problem] = checked(tmp_path, "dynasties", "board.yaml", "set: board", "set: bord")
    assert problem.file.endswith("rulebook.yaml") and problem.what == "there is no piece or set 'board'"
    assert problem.hint == "did you mean 'bord'?"


def test_a_set_that_the_rules_need_is_missed(tmp_path: Path) -> None:
    """Nothing else in the definition speaks of it."""
    folder = tmp_path / "components" / "dynasties"
    shutil.copytree(COMPONENTS / "dynasties", folder)
    (folder / "rulebook.yaml").unlink()
    for file in folder.rglob("*.yaml"):
        text = file.read_text("utf-8")
        file.write_text(re.sub("^set: board", "set: map", text, flags=re.MULTILINE), "utf-8")
    [problem] = check_game("dynasties", tmp_path, reading=[rules_read])
    assert (problem.code, problem.excerpt) == ("DEF-064", "engine: dynasties")
    assert problem.what.endswith("no piece of the set board")


def test_a_verb_that_no_rule_carries_out_is_an_error(tmp_path: Path) -> None:
    verb = "verbs:\n  tax_province:\n    about: Pays a tax.\n    phrase: pays a tax\n"
    [problem] = checked(tmp_path, "warring-states", "effects.yaml", "verbs:\n", verb)
    assert (problem.code, problem.excerpt) == ("DEF-064", "  tax_province:")
    assert "does not implement the verb 'tax_province'" in problem.what


@pytest.mark.parametrize("engine", ["", "engine:", "engine: ''"])
def test_a_game_without_rules_module_is_not_read(tmp_path: Path, engine: str) -> None:
    assert checked(tmp_path, "xarkant", "game.yaml", "engine: xarkant", engine) == []


@pytest.mark.parametrize(
    ("engine", "hint"),
    [("xarknat", "did you mean 'xarkant'?"), ("nowhere", "there are: "), ("'../xarkant'", ""), ("no-name", "")],
)
def test_a_misspelt_rules_module_is_an_error(tmp_path: Path, engine: str, hint: str) -> None:
    [problem] = checked(tmp_path, "xarkant", "game.yaml", "engine: xarkant", f"engine: {engine}")
    assert (problem.code, problem.excerpt) == ("DEF-064", f"engine: {engine}")
    assert problem.what.startswith("there is no rules module '") and hint in problem.hint
