"""`--set army_cost=3` from end to end, by the commands people type: the aid, the rulebook, one stale sheet and the
ruling change with it, and nothing else does.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

GAME = "warring-states"
TWEAK = ("--set", "army_cost=3")
POSITION = """\
seats: [Qin, Chu]
phase: build
players:
  Qin: {bu: 5}
  Chu: {bu: 5}
"""
Run = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("kitchen-table")
    (found / "build.yaml").write_text(POSITION, encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def run(folder: Path) -> Run:
    """Type a command in the folder, with a home of its own; what it reports with `--json`."""
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "TABLEWRIGHT_"))},
        "HOME": str(folder / "home"),
        "TABLEWRIGHT_HOME": str(folder / "home" / "tables"),
        "XDG_DATA_HOME": str(folder / "home" / "data"),
        "XDG_CACHE_HOME": str(folder / "home" / "cache"),
        "NO_COLOR": "1",
        "PYTHONIOENCODING": "utf-8",
    }

    def typed(*words: str, status: int = 0) -> dict[str, Any]:
        program, *rest = words
        done = subprocess.run(
            [str(Path(sys.executable).with_name(program)), *rest, "--json"],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
        )
        assert done.returncode == status, f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
        report: dict[str, Any] = json.loads(done.stdout)
        return report

    return typed


@pytest.fixture(scope="module")
def printed(run: Run) -> dict[str, Any]:
    """The game as it came out of the box, printed and on the table."""
    report = run("pnp", "build", GAME)
    run("pnp", "printed", GAME)
    return report


def pages(file: Path) -> list[str]:
    """The text of each page of a PDF, in one line."""
    with pypdfium2.PdfDocument(file) as document:
        return [" ".join(page.get_textpage().get_text_range().split()) for page in document]


def test_the_player_aid_is_stale_and_no_other_piece(run: Run, printed: dict[str, Any]) -> None:
    assert run("pnp", "diff", GAME)["changes"] == []
    (change,) = run("pnp", "diff", GAME, *TWEAK)["changes"]
    assert (change["piece"], change["kind"], change["says"]) == (
        "aid/player-aid",
        "changed",
        ["front prices 2 cost: 2 -> 3"],
    )


def test_only_the_sheet_with_the_aids_is_printed_again(run: Run, printed: dict[str, Any], folder: Path) -> None:
    run("pnp", "build", GAME, *TWEAK, "--changed", "--out", "again")
    again = sorted(path.name for path in (folder / "again").rglob("*.pdf"))
    assert again == ["aids-a4-long-changed.pdf"]
    prices = [re.findall(r"Raise an army (\d+)", page) for page in pages(next((folder / "again").rglob("*.pdf")))]
    assert {price for page in prices for price in page} == {"3"}


def test_the_rulebook_says_the_new_price_and_nothing_else_changes(run: Run, folder: Path) -> None:
    books = []
    for out, tweak in (("before", ()), ("after", TWEAK)):
        run("pnp", "rulebook", GAME, "--layout", "pages", "--out", out, *tweak)
        books.append(pages(next((folder / out).rglob("*.pdf"))))
    before, after = books
    assert len(before) == len(after)
    rule = "One Army Token from your supply costs {} Bu."
    assert rule.format(2) in " ".join(before)
    assert rule.format(3) in " ".join(after)
    for old, new in zip(before, after, strict=True):
        if "Fingerprint of this edition" in new:
            continue  # which says what was changed
        for was, now in changed_words(old, new):
            assert figures(was) and figures(now.replace("(changed)", "")), f"{was!r} became {now!r}"
    assert "House rules of this edition: Bu for one army: 3." in " ".join(" ".join(after).split())


def changed_words(old: str, new: str) -> list[tuple[str, str]]:
    """What was replaced by what, `""` for nothing."""
    was, now = old.split(), new.split()
    found = difflib.SequenceMatcher(None, was, now, autojunk=False).get_opcodes()
    return [(" ".join(was[a:b]), " ".join(now[c:d])) for kind, a, b, c, d in found if kind != "equal"]


def figures(words: str) -> bool:
    return all(word.strip(".,").isdigit() for word in words.split())


def test_the_companion_refuses_what_it_allowed(run: Run) -> None:
    ask = ("companion", "check", GAME, "--position", "build.yaml", "Qin buys 2 armies")
    old, new = run(*ask), run(*ask, *TWEAK, status=1)
    assert old["legal"] is True
    assert old["state"]["players"]["Qin"] == {**old["state"]["players"]["Qin"], "bu": 1, "armies": 2}
    assert new["legal"] is False
    reasons = {reason["rule"]: reason for reason in new["reasons"]}
    assert reasons["WS-BUILD-4"]["facts"]["cost"] == 6
    assert reasons["WS-BUILD-2"]["text"] == "One Army Token from your supply costs 3 Bu."


def test_the_companion_takes_the_new_price(run: Run) -> None:
    bought = run("companion", "check", GAME, "--position", "build.yaml", *TWEAK, "Qin buys 1 army")
    assert bought["legal"] is True
    assert bought["state"]["players"]["Qin"]["bu"] == 5 - 3


def test_a_rulebook_rule_asked_for_is_the_new_one(run: Run) -> None:
    assert run("companion", "rule", "WS-BUILD-2", "--game", GAME, *TWEAK)["text"].endswith("costs 3 Bu.")
