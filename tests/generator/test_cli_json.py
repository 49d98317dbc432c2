"""`--json`: every command of `pnp` answers with the keys that docs/printing.md names, and with nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer.main

from generator.cli import main as cli

GAME = "lantern-walk"
PAGE = Path(__file__).parents[2] / "docs" / "printing.md"
RUNS = {
    "build": [GAME, "-q"],
    "rulebook": [GAME],
    "diff": [GAME, "-q"],
    "printed": [GAME],
    "proof": [GAME, "gust"],
    "scene": [GAME, "table.yaml"],
    "export": ["images", GAME, "--dpi", "50"],
    "calibrate": ["--paper", "letter"],
    "schema": ["--out", "schemas"],
    "init": ["another"],
    "explain": ["LAY-033"],
}
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def here(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project, with the shell inside it and a scene of its game."""
    monkeypatch.chdir(project)
    (project / "table.yaml").write_text("pieces:\n  - {piece: lantern/gust, at: [0, 0]}\n", "utf-8")
    return project


def answer(capsys: Captured, *words: str) -> Any:
    assert cli.main([*words, "--json"]) == 0
    said = capsys.readouterr()
    return json.loads(said.out)


def documented() -> dict[str, list[str]]:
    """Command -> keys: those of the first answer that is described, without what stands inside its values."""
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", PAGE.read_text(encoding="utf-8").partition("## For scripts")[2], re.M)
    return {command: re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", keys).partition(";")[0]) for command, keys in rows}


@pytest.mark.parametrize("command", RUNS)
def test_the_keys_are_those_documented(command: str, here: Path, capsys: Captured) -> None:
    if command in ("diff", "printed"):
        assert cli.main(["build", GAME, "-q"]) == 0
    if command == "diff":
        assert cli.main(["printed", GAME]) == 0
    capsys.readouterr()
    assert list(answer(capsys, command, *RUNS[command])) == documented()[command]


@pytest.mark.parametrize("command", ["build", "proof", "scene", "export", "calibrate", "schema", "init"])
def test_the_files_that_are_named_were_written(command: str, here: Path, capsys: Captured) -> None:
    report = answer(capsys, command, *RUNS[command])
    assert report["files"]
    for file in report["files"]:
        assert file["state"] == "written"
        assert (here / report["folder"] / file["name"]).is_file()


def test_every_command_that_answers_is_documented() -> None:
    commands: dict[str, Any] = typer.main.get_command(cli.PROGRAM.app()).commands  # type: ignore[attr-defined]
    answering = {name for name, command in commands.items() if any("--json" in p.opts for p in command.params)}
    assert answering == {*documented(), "games", "check"}
    assert set(RUNS) == set(documented()) - {"fetch"}  # it needs a server: see test_fetch_and_explain.py


def test_schemas_are_listed_with_what_they_are_for(here: Path, capsys: Captured) -> None:
    kinds = answer(capsys, "schema")["kinds"]
    assert {"game", "rules", "pieces"} <= {entry["kind"] for entry in kinds} and all(entry["about"] for entry in kinds)
    assert answer(capsys, "schema", "rules")["$schema"]


def test_a_proof_on_stdout_cannot_be_told_of_there(here: Path, capsys: Captured) -> None:
    assert cli.main(["proof", GAME, "gust", "--out", "-", "--json"]) == 2
    assert "would both write to stdout" in capsys.readouterr().err
