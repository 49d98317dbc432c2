"""The worked examples of the rulebooks: the companion plays each as it is told, in every edition; where one no longer
holds, `pnp check` and `pnp rulebook` say so at its place."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import platformdirs
import pytest

from components.book import book_of
from components.checks import check_game
from components.errors import Problem
from components.loader import list_games
from components.resolve import resolve_game
from generator.book.told import Told, asked
from generator.build.places import Places
from generator.cli import main as cli
from generator.cli.telling import differences, examples_hold, teller

ROOT = Path(__file__).parents[2]
BOOKS = [name for name in list_games(ROOT) if (ROOT / "components" / name / "rulebook.yaml").is_file()]


def editions() -> list[tuple[str, str]]:
    """Every game with a book, without a variant and with each of its own."""
    return [(name, variant) for name in BOOKS for variant in ("", *resolve_game(name).variant_names)]


def told(game: str, variant: str = "", **sets: object) -> dict[str, Told]:
    """What the companion says of every example of a book, by its title."""
    resolved = resolve_game(game, variants=[variant] if variant else [], sets=sets)
    tell = teller(resolved, Places(project=ROOT))
    assert tell is not None
    return {one.what: tell(one.ask) for one in asked(book_of(resolved)).values()}


@pytest.mark.parametrize(("game", "variant"), editions())
def test_every_example_holds_in_every_edition(game: str, variant: str) -> None:
    found = {what: one.faults for what, one in told(game, variant).items() if one.faults}
    assert not found


@pytest.mark.parametrize("game", BOOKS)
def test_what_an_example_tells_cites_rules_of_the_game(game: str) -> None:
    rules = resolve_game(game).rules
    for what, one in told(game).items():
        assert what == "figure" or one.steps or one.score, f"{what} tells nothing"
        assert {rule for rule, _ in one.steps} - {""} <= set(rules)


def changed(tmp_path: Path, old: str, new: str) -> Path:
    """A project with Dynasties in it, one place of its book changed."""
    for part in ("components", "layouts"):
        shutil.copytree(ROOT / part / "dynasties", tmp_path / part / "dynasties")
    file = tmp_path / "components" / "dynasties" / "rulebook.yaml"
    text = file.read_text("utf-8")
    assert re.search(old, text)
    file.write_text(re.sub(old, new, text, count=1), "utf-8")
    return tmp_path


BROKEN = [
    (r"say: White shows 7, Black 3\.\n( +)", r"say: Shown.\n\1legal: false\n\1", "to be against the rules"),
    (r"Gansu: \{white: 4, black: 0\}", "Gansu: {white: 5, black: 0}", "provinces.Gansu.white: expected 5, found 4"),
    (r"legal: false", "legal: true", "expected to be legal, but it is against the rules (Each player lays"),
    (r"player: white, laid: 4", "player: green, laid: 4", "green"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "words"), BROKEN)
def test_an_example_that_does_not_hold_is_an_error_at_its_place(tmp_path: Path, old: str, new: str, words: str) -> None:
    root = changed(tmp_path, old, new)
    reading = [examples_hold(Places(project=root))]
    found = dict.fromkeys(check_game("dynasties", root, reading=reading))
    problems: list[Problem] = [problem for problem in found if problem.severity == "error"]
    assert {problem.code for problem in problems} == {"DEF-072"}
    assert all(problem.file.endswith("rulebook.yaml") and problem.line > 1 for problem in problems)
    assert words in problems[0].what


def test_the_command_says_so_too_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_a, **_k: str(tmp_path / "cache"))
    root = changed(tmp_path / "project", BROKEN[1][0], BROKEN[1][1])
    assert cli.main(["--project", str(root), "rulebook", "dynasties"]) == 1
    assert "rulebook.yaml" in (said := capsys.readouterr().err) and "DEF-072" in said
    assert not list(root.rglob("*.pdf"))


def test_a_house_rule_that_an_example_does_not_bear_leaves_it_out_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--layout", "pages", "--out", str(tmp_path)]
    assert cli.main(["rulebook", "dynasties", "--set", "track.red_distance=15", *out]) == 0
    assert "left out under house rules: example “An early end”" in capsys.readouterr().err


def test_figures_of_a_position_are_compared_key_by_key() -> None:
    found = {"a": {"b": 2, "c": [1, 2]}, "d": None}
    assert differences({"a": {"b": 2}}, found) == []
    assert differences({"a": {"b": 3}}, found) == ["a.b: expected 3, found 2"]
    assert differences({"a": {"c": [1, 3]}}, found) == ["a.c[1]: expected 3, found 2"]
    assert differences({"e": 1}, found) == ["e: expected 1, and there is none"]
