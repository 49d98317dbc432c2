"""`pnp check` runs the reader of a game's rules module: what would crash the companion is an error at the card."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from runpy import run_path

import pytest

from companion.cli.common import Settings
from companion.cli.main import main as companion
from components.checks import check_game
from components.errors import Problem
from components.loader import Definition
from components.model import ResolvedGame
from components.resolve import resolve_game
from generator.build.places import Places
from generator.cli.check import whole_reading
from generator.cli.reading import rules_read
from generator.cli.remembering import remembered

COMPONENTS = Path(__file__).parents[2] / "components"


def changed(tmp_path: Path, game: str, file: str, old: str, new: str) -> None:
    """Change one place of the definition of a game, in a project."""
    folder = tmp_path / "components" / game
    shutil.copytree(COMPONENTS / game, folder)
    text = (folder / file).read_text("utf-8")
    other = re.sub(old, new, text, count=1)
    assert other != text
    (folder / file).write_text(other, "utf-8")


def checked(tmp_path: Path, game: str, file: str, old: str, new: str) -> list[Problem]:
    """What the reader of the rules module finds in the definition of a game with one place changed."""
    changed(tmp_path, game, file, old, new)
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
        ("dynasties", "board.yaml", r"\[Xinjiang, Tibet\]", "[Xinjiang, Tibett]", "'Tibett', which is not among"),
        ("dynasties", "board.yaml", "name: Tibet", "name: Tibat", "'borders' names 'Tibet', which is not"),
        ("dynasties", "action-white.yaml", "kind: number", "kind: numbr", "'kind' in piece '1'"),
        ("dynasties", "action-white.yaml", "deck: basic", "deck: bsic", "'bsic' for 'deck'"),
        ("warring-states", "resources.yaml", "destiny_type: S", "destiny_type: X", "'X' for 'destiny_type'"),
        ("warring-states", "resources.yaml", "side: attacker", "side: atacker", "'atacker' for 'side' is not one of"),
        ("warring-states", "resources.yaml", "type: mine", "tpye: mine", "unknown key 'tpye' in piece 'mine'"),
    ],
)  # fmt: skip
def test_a_value_that_would_crash_the_companion_is_an_error_of_the_card(
    tmp_path: Path, game: str, file: str, old: str, new: str, words: str
) -> None:
    [problem] = checked(tmp_path, game, file, old, new)
    assert words in problem.what and problem.line > 0
    assert problem.file.endswith(file)


SLIPS = [
    ("warring-states", "resources.yaml", "destiny_type: S", "destiny_type: X"),
    ("dynasties", "board.yaml", r"\[Xinjiang, Tibet\]", "[Xinjiang, Tibett]"),
    ("tianxia", "lane.yaml", r"path: \[qin_granary", "path: [qin_granry"),
    ("great-wall", "command.yaml", r"activate: \{choose: 2, advanced: true\}", "activate: {advanced: true}"),
]
"""Slips over which a rules module stumbles: while it reads the game, or while it plays."""


@pytest.mark.parametrize(("game", "file", "old", "new"), SLIPS)
def test_the_whole_check_tells_a_slip_that_the_rules_stumble_over(
    tmp_path: Path, game: str, file: str, old: str, new: str
) -> None:
    """The rulings and the examples of the rulebook are played by the same rules, and stumble likewise."""
    changed(tmp_path, game, file, old, new)
    problems = check_game(game, tmp_path, reading=whole_reading(Places(project=tmp_path)))
    assert problems and all(problem.line for problem in problems)
    if game != "great-wall":
        assert any(problem.file.endswith(file) for problem in problems)


@pytest.mark.parametrize(("game", "file", "old", "new"), SLIPS[:2])
@pytest.mark.parametrize("words", [["new", "{game}", "--table", "t"], ["check", "{game}", "pass"], ["moves", "{game}"]])
def test_the_companion_tells_it_in_its_place(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    game: str,
    file: str,
    old: str,
    new: str,
) -> None:
    changed(tmp_path, game, file, old, new)
    monkeypatch.setenv("TABLEWRIGHT_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(Settings, "root", None)
    monkeypatch.setattr(Settings, "named", False)
    (tmp_path / "p.yaml").write_text("{}")
    given = [] if words[0] == "new" else ["--position", str(tmp_path / "p.yaml")]
    status = companion(["--project", str(tmp_path), *(word.format(game=game) for word in words), *given])
    told = capsys.readouterr().err
    assert status == 1, told
    assert re.search(rf"components/{game}/{file}:\d+:\d+: error DEF-\d+", told), told


def test_a_parameter_that_the_rules_stumble_over_is_told_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parameter = next(name for name, value in resolve_game("xarkant").params.items() if isinstance(value, int))
    module = tmp_path / "games" / "stumbling.py"
    module.parent.mkdir()
    module.write_text(f"def rules(resolved):\n    return [][resolved.params['{parameter}']]\n", "utf-8")
    monkeypatch.setattr("companion.games.xarkant.rules", run_path(str(module))["rules"])
    problems = [problem for problem in check_game("xarkant", reading=[rules_read]) if problem.severity == "error"]
    assert {problem.what for problem in problems} == {
        f"the rules module 'xarkant' cannot read the parameter '{parameter}': list index out of range "
        "(stumbling.py, line 2)"
    }
    assert problems[0].line and problems[0].file.endswith("game.yaml")


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


def test_what_was_in_order_is_not_played_again_until_a_file_changes(tmp_path: Path) -> None:
    changed(tmp_path, "xarkant", "rulings.yaml", "\\Z", "\n")
    known = Places(project=tmp_path, cache=tmp_path / "cache")
    played: list[str] = []
    wrong: list[Problem] = []

    def count(_definition: Definition, game: ResolvedGame) -> list[Problem]:
        played.append(game.id)
        return wrong

    def check() -> int:
        played.clear()
        check_game("xarkant", tmp_path, reading=[remembered([count], known)])
        return len(played)

    variants = check()
    assert variants > 1
    assert check() == 0
    file = tmp_path / "components" / "xarkant" / "rulings.yaml"
    file.write_text(file.read_text() + "# a word\n")
    wrong.append(Problem(code="DEF-074", what="wrong", severity="warning"))
    assert check() == variants
    assert check() == variants, "what has a fault is told each time"
