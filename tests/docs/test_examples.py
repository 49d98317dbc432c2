"""Every example of README and docs is run, in one folder and with one home for each page, and says what it shows.

In a `console` block lines that begin with `$ ` are typed, the others are what comes out; `…` stands for anything, alone
on a line for any number of lines. Commands of `sh` blocks have to end well. A block opened with `file=NAME` is that
file, made in the folder. Commands of `make` are only looked up: making is what the tests are part of.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.docs.at_hand import AtHand, simple

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Command(NamedTuple):
    line: str
    expected: list[str]
    """Empty: nothing is shown, and the command has to end well."""


class NewFile(NamedTuple):
    name: str
    text: str


def steps(page: Path) -> list[Command | NewFile]:
    """What a reader of the page would do, in order."""
    found: list[Command | NewFile] = []
    for kind, file, body in BLOCK.findall(page.read_text(encoding="utf-8")):
        lines = body.splitlines()
        if file:
            found.append(NewFile(file, body))
        elif kind == "sh":
            found += [Command(line.partition(" #")[0].strip(), []) for line in lines if line and line[0] != "#"]
        elif kind == "console":
            for line in lines:
                if line.startswith("$ "):
                    found.append(Command(line[2:].partition(" #")[0].strip(), []))
                else:
                    last = found[-1]
                    assert isinstance(last, Command), f"{page.name}: output before a command: {line}"
                    last.expected.append(line)
    return found


@pytest.fixture(scope="module")
def at_hand() -> Iterator[AtHand]:
    """The programs, loaded once for all pages."""
    programs = AtHand()
    yield programs
    programs.close()


def run(line: str, folder: Path, home: Path, caches: Path, at_hand: AtHand) -> tuple[int, str]:
    """Status and output of one command; what it says on standard error only where it says nothing else."""
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "TABLEWRIGHT_"))},
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "HOME": str(home),
        "TABLEWRIGHT_HOME": str(home / "tables"),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CACHE_HOME": str(caches),
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "PYTHONIOENCODING": "utf-8",
    }
    words = simple(line)
    if words is not None:
        status, out, err = at_hand.run(words, folder, environment, home)
        return status, out if out.strip() else err
    done = subprocess.run(
        line, shell=True, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=120
    )
    return done.returncode, done.stdout if done.stdout.strip() else done.stderr


def pattern(expected: list[str]) -> re.Pattern[str]:
    """The shown lines as a pattern of the output."""
    rows = [r"(?:.*\n)*?" if line.strip() == "…" else _row(line) + r" *\n" for line in expected]
    return re.compile("".join(rows))


def _row(line: str) -> str:
    return r".*?".join(re.escape(part) for part in line.rstrip().split("…"))


@pytest.mark.parametrize("page", [page for page in PAGES if steps(page)], ids=lambda page: page.stem)
def test_examples_do_what_they_show(page: Path, tmp_path: Path, caches: Path, at_hand: AtHand) -> None:
    home, folder = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    folder.mkdir()
    for step in steps(page):
        if isinstance(step, NewFile):
            (folder / step.name).parent.mkdir(parents=True, exist_ok=True)
            (folder / step.name).write_text(step.text, encoding="utf-8")
            continue
        if step.line.startswith("cd "):
            folder = folder / step.line.removeprefix("cd ")
            continue
        if step.line.startswith("make "):
            step = Command(f"{step.line} --dry-run --directory '{ROOT}'", [])
        status, said = run(step.line, folder, home, caches, at_hand)
        assert status in ((0, 1, 2) if step.expected else (0,)), (
            f"{page.name}: {step.line} ended with {status}:\n{said}"
        )
        if step.expected and not pattern(step.expected).fullmatch(said.rstrip() + "\n"):
            shown = "\n".join(step.expected)
            pytest.fail(f"{page.name}: {step.line}\n--- shown\n{shown}\n--- said\n{said}", pytrace=False)
