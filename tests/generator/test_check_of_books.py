"""`pnp check` finds what keeps the rulebook from being set: what passes it is bound by `pnp rulebook`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from generator.cli import main as cli
from generator.paper.formats import LAYOUTS

GAME = "lantern-walk"
BOOK = f"components/{GAME}/rulebook.yaml"
LOOK = f"layouts/{GAME}/rulebook.yaml"
COVER = f"layouts/{GAME}/faces/cover.yaml"
FILES = {
    BOOK: """chapters:
  - title: In the box
    parts:
      - contents: [{sets: [lantern]}]
      - pictures: [{piece: lantern/gust, caption: "A gust."}]
  - title: The walk
    columns: 2
    parts:
      - text: Some words about it.
      - {section: The walk}
index: {light: [light, lights]}
""",
    LOOK: "cover: cover\nrule_colour: gold\naccent_colour: moss\npanel_colour: ground\ntint_colour: ground\n",
    COVER: 'items:\n  - text: {box: [9, 9, 120, 30], style: title, value: "{{ title }}"}\n',
    "layouts/rulebook.yaml": "",
}
Captured = pytest.CaptureFixture[str]
CHANGES = [
    (LOOK, "rule_colour: gold", "rule_colour: golden"),
    (LOOK, "accent_colour: moss", "accent_colour: '#12'"),
    (LOOK, "panel_colour: ground", "panel_colour: [1]"),
    (COVER, "style: title", "style: titel"),
    (COVER, "{{ title }}", "{{ titel }}"),
    (COVER, "box: [9, 9, 120, 30]", "box: [9, 9, 20, 3]"),
    (BOOK, "Some words about it.", "Some ☃ about it."),
    (BOOK, "A gust.", "A ☃."),
    ("layouts/rulebook.yaml", "{top: ", "{top: 20"),
    ("layouts/rulebook.yaml", "inner: ", "inner: 14"),
    ("layouts/rulebook.yaml", "book-small: {font: sans", "book-small: {font: snas"),
]
"""What is wrong with a book or its look."""


@pytest.fixture
def here(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(project)
    for name, text in FILES.items():
        (project / name).write_text(text, "utf-8")
    shutil.copy(LAYOUTS / "rulebook.yaml", project / "layouts" / "rulebook.yaml")
    return project


def test_a_book_in_order_passes(here: Path, capsys: Captured) -> None:
    assert cli.main(["check", GAME]) == 0, capsys.readouterr().err
    assert cli.main(["rulebook", GAME]) == 0, capsys.readouterr().err


@pytest.mark.parametrize(("file", "old", "new"), CHANGES)
def test_what_keeps_a_book_from_being_set_is_found(here: Path, capsys: Captured, file: str, old: str, new: str) -> None:
    text = (here / file).read_text("utf-8")
    assert old in text
    (here / file).write_text(text.replace(old, new, 1), "utf-8")
    assert cli.main(["rulebook", GAME]) == 1
    capsys.readouterr()
    assert cli.main(["check", GAME]) == 1
    assert "error" in capsys.readouterr().err
    (here / file).write_text(text, "utf-8")
    assert cli.main(["check", GAME]) == 0, "what is in order again passes again"


def test_a_book_that_passed_is_not_set_again_for_nothing(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli.main(["check", GAME]) == 0
    monkeypatch.setattr("generator.book.rulebook.faults", None)
    assert cli.main(["check", GAME]) == 0
    (here / COVER).write_text((here / COVER).read_text("utf-8").replace("9, 9", "8, 8"), "utf-8")
    assert cli.main(["check", GAME]) == 70, "now it is set"
