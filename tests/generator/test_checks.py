"""`pnp check` holds printed faces to the bars: what falls short is found, said with its place, and can be accepted."""

from __future__ import annotations

from pathlib import Path

import pytest
from facekit import places
from PIL import Image

from components.errors import Problem
from generator.build.check import check_game
from generator.proofing import bars, colour, pictures

GAME = "lantern-walk"


def write(project: Path, name: str, text: str) -> None:
    (project / f"layouts/{GAME}/{name}").write_text(text)


def add(project: Path, element: str, face: str = "card") -> None:
    """One more element at the end of a face template, on one line."""
    with (project / f"layouts/{GAME}/faces/{face}.yaml").open("a") as file:
        file.write(f"  - {element}\n")


def found(project: Path) -> list[Problem]:
    return check_game(GAME, places(project))


def last_line(project: Path, face: str = "card") -> int:
    return len((project / f"layouts/{GAME}/faces/{face}.yaml").read_text().splitlines())


@pytest.mark.parametrize(
    ("element", "code", "words"),
    [
        (
            "text: {box: [7, 50, 49, 6], style: body, size: 4, min: 4, value: a b c d e f g}",
            "LAY-030",
            "running text needs",
        ),
        ("text: {box: [7, 50, 49, 6], style: body, size: 5, min: 5, value: few words}", "LAY-030", "captions need"),
        ("text: {box: [7, 50, 49, 6], style: body, colour: ground, value: unseen}", "LAY-031", "a contrast of 1.0"),
        ("text: {box: [7, 50, 49, 6], style: body, colour: '#ffffff', value: unseen}", "LAY-031", "it needs 4.5"),
        ("text: {box: [1, 50, 49, 6], style: body, value: outside}", "LAY-032", "1.0 mm from the cut"),
        ("text: {box: [62, 50, 49, 6], style: body, value: outside}", "LAY-032", "off the piece"),
        ("text: {box: [14, 50, 103, 6], style: body, value: wide}", "LAY-033", "54.0 mm off the piece"),
        ("icon: {box: [50, 50, 20, 20], name: star, colour: ink}", "LAY-033", "'icon' runs 7.0 mm off"),
    ],
)
def test_what_falls_short_is_found_at_its_element(project: Path, element: str, code: str, words: str) -> None:
    (project / f"layouts/{GAME}/icons.yaml").write_text("star:\n  - {circle: [12, 12, 9]}\n")
    card = project / f"layouts/{GAME}/faces/card.yaml"
    card.write_text(
        "\n".join(line for line in card.read_text().splitlines() if "icons:" not in line and "accent" not in line)
        + "\n"
    )
    assert found(project) == []
    add(project, element)
    problems = [problem for problem in found(project) if problem.code == code]
    assert [problem.severity for problem in problems] == ["warning"]
    assert words in problems[0].what and " and 2 more" in problems[0].what
    assert problems[0].file == f"layouts/{GAME}/faces/card.yaml" and problems[0].line == last_line(project)
    assert problems[0].hint


def test_a_starter_is_in_order_and_checked_once(project: Path) -> None:
    assert found(project) == found(project) == []


def test_a_hidden_back_has_to_look_the_same_upside_down(project: Path) -> None:
    add(project, "circle: {at: [12, 12], r: 4, fill: gold}", "card-back")
    (problem,) = [p for p in found(project) if p.code == "LAY-034"][:1]
    assert "upside down" in problem.what and problem.file.endswith("faces/card-back.yaml")


def test_colours_that_only_some_eyes_tell_apart(project: Path) -> None:
    theme = project / f"layouts/{GAME}/theme.yaml"
    red, green = "#c84040", "#6f7a20"
    seats = f'seats:\n  red: {{colour: "{red}"}}\n  green: {{colour: "{green}"}}\n'
    theme.write_text(
        theme.read_text().replace("colours:\n", f"colours:\n  wine: '{red}'\n  olive: '{green}'\n")
        + seats.replace(f'"{red}"', "wine").replace(f'"{green}"', "olive")
    )
    codes = {p.code: p.what for p in found(project)}
    assert "LAY-035" in codes and "the colours of red and green look alike" in codes["LAY-035"]
    theme.write_text(
        theme.read_text()
        .replace("colour: wine}", "colour: wine, emblem: a}")
        .replace("colour: olive}", "colour: olive, emblem: b}")
    )
    assert "LAY-035" not in {p.code for p in found(project)}


def test_a_finding_is_accepted_with_a_reason(project: Path) -> None:
    add(project, "text: {box: [1, 50, 49, 6], style: body, value: outside}")
    assert [p.code for p in found(project)] == ["LAY-032"]
    write(
        project,
        "checks.yaml",
        "accepted:\n  - {code: LAY-032, piece: 'lantern/*', text: outside, why: it is meant to run off}\n",
    )
    assert found(project) == []
    write(project, "checks.yaml", "accepted:\n  - {code: LAY-032, piece: 'lantern/gust', why: only this one}\n")
    (problem,) = found(project)
    assert "and 1 more" in problem.what
    write(project, "checks.yaml", "accepted:\n  - {code: LAY-030, why: nothing is so small}\nbars: {caption: 5}\n")
    assert sorted(p.code for p in found(project)) == ["LAY-032", "LAY-039"]


def test_a_reason_is_needed_and_a_bar_has_to_exist(project: Path) -> None:
    write(project, "checks.yaml", "accepted:\n  - {code: LAY-032}\n")
    assert any("why" in p.what for p in found(project))
    write(project, "checks.yaml", "bars: {bodyy: 5}\n")
    assert any("there is no bar 'bodyy'" in p.what for p in found(project))


def test_the_shared_file_says_every_bar() -> None:
    shared = bars.read_standard("none", bars.layout_files("checks.yaml")[0].parent)
    assert shared.bars == bars.Bars()


def test_ink_is_the_sum_of_four_colours_with_full_black() -> None:
    patches = {"#ffffff": 0, "#000000": 100, "#808080": 50, "#ff0000": 200, "#00ffff": 100}
    for value, expected in patches.items():
        assert pictures.ink(Image.new("RGB", (4, 4), value)) == pytest.approx(expected, abs=0.5)


def test_eyes_that_see_no_green_confuse_red_and_green() -> None:
    red, green = colour.rgb("#c84040"), colour.rgb("#6f7a20")
    assert colour.difference(red, green) > 60 > 20 > colour.difference(red, green, "no green (deuteranopia)")
    assert colour.contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)


@pytest.mark.parametrize(
    ("ground", "drawn"),
    [
        ("rect: {box: [-1.5, -1.5, 66, 91], fill: gold}", 1.5),
        ("rect: {box: [-4, -4, 68, 96], fill: gold}", 1.0),
        ("circle: {at: [31.5, 44], r: 80, fill: gold}", None),
        ("rect: {box: [4, 4, 55, 80], fill: gold}", None),
    ],
)
def test_what_is_printed_at_the_cut_goes_on_to_the_end_of_the_bleed(
    project: Path, ground: str, drawn: float | None
) -> None:
    card = project / f"layouts/{GAME}/faces/card.yaml"
    card.write_text(f"about: a card\nitems:\n  - {ground}\n")
    problems = [problem for problem in found(project) if problem.code == "LAY-037"]
    assert len(problems) == (0 if drawn is None else 1)
    for problem in problems:
        assert problem.file.endswith("card.yaml")
        assert float(problem.what.split("drawn ")[1].split(" mm")[0]) == pytest.approx(drawn, abs=0.5)
