"""A rules module of one's own that hangs, owes what there is not, or ranks nobody; and the same module from Python."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Companion

from companion.engine.play.playout import simulate
from companion.games import NoRules, load_rules
from companion.own import modules, watching
from companion.own.modules import NotTrusted
from components.resolve import resolve_game
from generator.cli.main import main as pnp


@pytest.fixture
def companion(own: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Companion:
    return Companion(capsys, monkeypatch)


@pytest.fixture
def module(own: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(watching, "LIMIT", 0.5)
    monkeypatch.setattr(watching, "STEP", 0.05)
    monkeypatch.setattr(modules, "_hung", {})
    return own / "rules" / "fief_drift.py"


def change(file: Path, old: str, new: str) -> int:
    """Replace a text; the line it begins in."""
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")
    return text[: text.index(old)].count("\n") + 1


def inside(file: Path, function: str, code: list[str]) -> int:
    """Make `code` the first lines of the last function of that name; the line it begins in."""
    lines = file.read_text("utf-8").splitlines()
    at = max(n for n, line in enumerate(lines) if line.lstrip().startswith(f"def {function}("))
    blanks = " " * (len(lines[at]) - len(lines[at].lstrip()) + 4)
    lines[at + 1 : at + 1] = [blanks + line for line in code]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return at + 2


LOOPS = [
    ("score", ["while True:", "    pass"]),
    ("apply", ["while at:", "    at.seats"]),
    ("view", ["while True:", "    try:", "        self.over(at.state)", "    except ValueError:", "        pass"]),
    ("to_the_left", ["while to_the_left:", "    player"]),
]


@pytest.mark.parametrize(("function", "code"), LOOPS, ids=[name for name, _ in LOOPS])
def test_a_loop_without_end_is_told_at_its_line(
    module: Path, companion: Companion, capsys: pytest.CaptureFixture[str], function: str, code: list[str]
) -> None:
    line = inside(module, function, code)
    assert pnp(["check"]) == 1
    err = capsys.readouterr().err
    assert any(f"rules/fief_drift.py:{line + n}:" in err for n in range(len(code))), err
    assert err.count("does not end") == 1
    assert "1 error" in err


def test_do_ends_too(module: Path, companion: Companion) -> None:
    assert companion("new", "ana", "bo").status == 0
    inside(module, "apply", ["while at:", "    pass"])
    done = companion("do", "turn glow")
    assert done.status == 1
    assert "does not end" in done.err
    assert "fief_drift.py:" in done.err


def test_a_debt_to_an_unknown_move_is_told_at_its_line(
    module: Path, companion: Companion, capsys: pytest.CaptureFixture[str]
) -> None:
    """Even where the name is put together."""
    line = inside(module, "apply", ['at.owe(at.seats[0], "mo" + "or")'])
    assert pnp(["check"]) == 1
    err = capsys.readouterr().err
    assert f"rules/fief_drift.py:{line}:" in err
    assert "there is no move 'moor'" in err


def test_a_ranking_of_names_is_told(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(module, 'Ledger("light", lines, ranking', 'Ledger("light", lines, [*at.seats]')
    assert pnp(["check"]) == 1
    err = capsys.readouterr().err
    assert ".score` returned a malformed Ledger" in err
    assert '(("Red",), ("Blue", "Green"))' in err


def test_a_module_that_was_not_run_is_told(own: Path, module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A check that did not play anything says so."""
    copy = own.parent / "copy"
    own.rename(copy)
    assert pnp(["--project", str(copy), "check"]) == 0
    assert "warning DEF-081: the rules module was not run" in capsys.readouterr().err
    assert pnp(["--project", str(copy), "--trust-mine", "check"]) == 0
    assert "DEF-081" not in capsys.readouterr().err
    file = copy / "rules/fief_drift.py"
    file.write_text(file.read_text("utf-8") + "\n# later\n", "utf-8")
    assert pnp(["--project", str(copy), "check"]) == 0
    assert "DEF-081" not in capsys.readouterr().err


def test_a_misspelt_engine_names_the_modules_of_the_project(
    own: Path, companion: Companion, capsys: pytest.CaptureFixture[str]
) -> None:
    change(own / "components/fief-drift/game.yaml", '"fief_drift"', '"fief_drfit"')
    assert pnp(["check"]) == 1
    err = capsys.readouterr().err
    assert "rules/fief_drfit.py is missing" in err
    assert "did you mean 'fief_drift'?" in err
    assert "dynasties" not in err
    told = companion("new", "ana", "bo")
    assert "rules/fief_drfit.py is missing" in told.err
    assert told.status == 2


def test_scripts_follow_a_game_of_ones_own(own: Path) -> None:
    """As docs/python-api.md says: a scripted test of the balance."""
    game = resolve_game("fief-drift", root=own)
    rules = load_rules(game)
    told = simulate(rules, ["ana", "bo"], games=5, seed=1)
    assert told.ends == {"over": 5}
    copy = own.parent / "copy"
    own.rename(copy)
    there = resolve_game("fief-drift", root=copy)
    with pytest.raises(NotTrusted):
        load_rules(there)
    assert load_rules(there, trust=True).moves.keys() == rules.moves.keys()
    (copy / "rules/fief_drift.py").unlink()
    with pytest.raises(NoRules, match=r"rules/fief_drift\.py is missing"):
        load_rules(there)
