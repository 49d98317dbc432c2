"""The rulebooks of the games as they are printed: their pages are full, on both usual papers."""

from __future__ import annotations

import json
from pathlib import Path

import pypdfium2
import pytest
from games import GAMES

from generator.book.design import Design
from generator.cli import main as cli
from tests.generator.facekit import shipped_book

LEAST = 0.85
"""A page of the body is filled to this part at least."""
MEAN = 0.97
PAPER = 243
"""Whatever is darker has been printed."""


def fills(file: Path, design: Design) -> list[float]:
    """For each page that the book pours, how far down it is printed: 1 at the foot of the text."""
    pdf = pypdfium2.PdfDocument(file)
    found = []
    for number in range(1, len(pdf) - 1):
        page = pdf[number]
        image = page.render(scale=1.0).to_pil().convert("L")
        mm = image.height / page.get_height() * 72 / 25.4
        top, foot = design.margins.top * mm, image.height - design.margins.bottom * mm
        text = image.crop((0, int(top), image.width, int(foot) + 1)).point(lambda value: 255 if value < PAPER else 0)
        box = text.getbbox()
        found.append(box[3] / text.height if box else 0.0)
    return found


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("game", GAMES)
def test_no_page_is_left_half_empty(game: str, paper: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only the index, which is last, ends where it ends."""
    assert cli.main(["rulebook", game, "--paper", paper, "--layout", "pages", "--out", str(tmp_path), "--json"]) == 0
    contents = json.loads(capsys.readouterr().out)["contents"]
    (file,) = (tmp_path / game).iterdir()
    found = fills(file, shipped_book(game).design)
    body = found[: contents["Index"] - 2]
    low = {number: round(fill, 2) for number, fill in enumerate(body, 2) if fill < LEAST}
    assert not low, f"pages filled less than {LEAST:.0%}"
    assert sum(body) / len(body) >= MEAN
