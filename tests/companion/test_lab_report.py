"""The page of a report: it stands alone and can be read by everybody."""

from __future__ import annotations

import io
import re
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pypdfium2
import pytest

from companion.games import load_rules
from companion.lab.findings import report
from companion.lab.page import Picture, page
from companion.lab.paper import pdf
from companion.lab.playing import UNDEALT
from companion.lab.plots import COLOURS, plots, svg
from companion.lab.results import Report, Reprint
from companion.lab.runs import Plan, Side, begun, run
from components.model import ResolvedGame
from components.resolve import resolve_game

pytestmark = pytest.mark.lab


@pytest.fixture(scope="module")
def reported(game: ResolvedGame, toy: Path, toy_module: None) -> bytes:
    rules = load_rules(game)
    sides = [Side("as it is", rules, (UNDEALT,) * 2)]
    for cost in (1, 3, 4):
        dear = load_rules(resolve_game("orchard", sets={"ladder.cost": cost}, root=toy))
        sides.append(Side(f"ladder.cost={cost}", dear, (UNDEALT,) * 2))
    plan = Plan(tuple(sides), ("<Ann>", "B & Co. $1"), 1, 1_000)
    kept = begun(plan)
    run(plan, kept, 30)
    made = report(plan, kept, 50, complete=False, looked=False)
    made.comparisons[0].reprint = [Reprint(piece="fruit/pear", kind="changed", copies=3, says=["text: 2 -> 3"])]
    return msgspec.json.encode(made)


@pytest.fixture
def found(reported: bytes) -> Report:
    return msgspec.json.decode(reported, type=Report)


def test_the_page_stands_alone(found: Report) -> None:
    drawn = [Picture(plot.title, plot.told, svg(plot, n)) for n, plot in enumerate(plots(found))]
    text = page(found, drawn).decode()
    assert not re.search(r"<script|<link|@import|url\(http|src=|@font-face", text)
    assert "&lt;Ann&gt;" in text and "<Ann>" not in text
    assert "30 games of 50, stopped" in text and "3 × <b>fruit/pear</b><br>text: 2 → 3" in text
    assert "What stands out" in page(found).decode()


def test_plots_take_their_colours_from_the_page(found: Report) -> None:
    shown = plots(found)
    assert [plot.title for plot in shown][:2] == ["Wins by seat", "Length in moves"]
    assert [plot.title for plot in shown][-1] == "Wins by value"
    for n, plot in enumerate(shown):
        drawn = svg(plot, n)
        ElementTree.fromstring(drawn)
        assert plot.told and "var(--" in drawn and 'width="' not in drawn.partition(">")[0]
        assert not [colour for colour in COLOURS.values() if colour in drawn]
        assert not re.search(r"#0{6}|DejaVu|\d{4}-\d\d-\d\d", drawn.replace("stroke: #000000", ""))


def test_only_values_of_one_parameter_share_an_axis(found: Report) -> None:
    first, *others = found.sides
    found.sides = [first, *others[:2], msgspec.structs.replace(others[2], name="without OR-RAID-1")]
    found.comparisons[2].name = "without OR-RAID-1"
    shown = {plot.title: plot for plot in plots(found)}
    assert "without" not in svg(shown["Wins by value"], 0) and "Wins: without OR-RAID-1" in shown
    found.sides[2].name = found.comparisons[1].name = "setup.coins=4"
    assert "Wins by value" not in {plot.title for plot in plots(found)}


def test_the_sheet_is_one_page_of_a4(found: Report) -> None:
    document = pypdfium2.PdfDocument(io.BytesIO(pdf(found)))
    assert len(document) == 1
    width, height = document[0].get_size()
    assert (round(width / 72 * 25.4), round(height / 72 * 25.4)) == (210, 297)
    text = document[0].get_textpage().get_text_range()
    assert "Orchard" in text and "What stands out" in text
    document.close()
