"""`build`: does what is needed and no more, says what it did, and never leaves half a file or a stale one."""

from __future__ import annotations

import io
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pypdfium2
import pytest
from facekit import difference, places
from PIL import Image

from components import files
from components.errors import DefinitionError
from generator.backends.png import write_png
from generator.build import outputfiles
from generator.build.incremental import build
from generator.build.manifest import NAME, read_manifest, write_manifest
from generator.build.options import Options
from generator.build.reports import Report
from generator.build.selection import NoSuchPaper, NothingToBuild

GAME = "lantern-walk"
State = dict[str, tuple[int, bytes]]


def quiet(stage: int, done: int, of: int) -> None:
    """Progress that nobody wants to see."""


def run(project: Path, **changes: Any) -> Report:
    return build(GAME, Options(**({"out": project / "output"} | changes)), places(project), quiet)


def state(folder: Path) -> State:
    """Time of change and content of every file below a folder."""
    return {
        file.relative_to(folder).as_posix(): (file.stat().st_mtime_ns, file.read_bytes())
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def states(report: Report) -> dict[str, str]:
    return {file.name: file.state for file in report.files}


def change(project: Path, file: str, old: str, new: str) -> None:
    path = project / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


CARDS = f"components/{GAME}/lanterns.yaml"
DISCS = """\
set: light
title: Light
kind: token
format: token20
face: disc
copies: 30
pieces:
  - {id: one, name: One light}
"""
DISC = """\
about: A disc.
items:
  - circle: {at: [10, 10], r: 11.5, fill: gold}
"""


@pytest.fixture
def two_files(project: Path) -> Path:
    """The project with discs besides its cards, so that a build makes two documents."""
    (project / f"components/{GAME}/light.yaml").write_text(DISCS)
    (project / f"layouts/{GAME}/faces/disc.yaml").write_text(DISC)
    return project


def test_a_build_reports_what_it_made(two_files: Path) -> None:
    report = run(two_files)
    assert (report.title, report.paper, report.pieces) == ("Lantern Walk", "A4", 40)
    assert (report.leaves, report.pages) == (3, 5)
    assert states(report) == {"cards-a4-long.pdf": "written", "tokens-a4-long.pdf": "written"}
    cards, tokens = report.files
    assert (cards.pages, cards.pieces, tokens.pages, tokens.pieces) == (4, 10, 1, 30)
    for file in report.files:
        with pypdfium2.PdfDocument(two_files / "output" / GAME / file.name) as document:
            assert len(document) == file.pages
            assert document[0].get_size() == pytest.approx((210 * 72 / 25.4, 297 * 72 / 25.4), abs=0.01)


def test_cards_have_their_true_size_and_place_in_the_pdf(project: Path) -> None:
    import pikepdf

    run(project)
    points = 72 / 25.4
    with pikepdf.open(project / "output" / GAME / "cards-a4-long.pdf") as document:
        for page in document.pages[:2]:
            left, low, right, high = (float(v) / points for v in page.trimbox)
            assert (right - left, high - low) == pytest.approx((132, 276), abs=0.05)
            spots: list[tuple[float, float]] = []
            for operands, operator in pikepdf.parse_content_stream(page):
                if str(operator) == "cm":
                    placed = [float(v) for v in operands]
                if str(operator) == "Do":
                    spots.append((placed[4], placed[5]))
            assert len(spots) == 6
            xs, ys = sorted({round(x, 3) for x, _ in spots}), sorted({round(y, 3) for _, y in spots})
            assert [b - a for a, b in pairwise(xs)] == pytest.approx([63 + 6], abs=0.05)
            assert [b - a for a, b in pairwise(ys)] == pytest.approx([88 + 6, 88 + 6], abs=0.05)
            assert xs[0] == pytest.approx(left, abs=0.05)


def test_the_manifest_lists_files_sheets_pieces_and_faces(project: Path) -> None:
    run(project)
    folder = project / "output" / GAME
    entry = read_manifest(folder, GAME).builds["a4-long.pdf"]
    (made,) = entry.files
    assert made.sha256 == files.digest_of(folder / made.name)
    assert [(sheet.name, sheet.page) for sheet in entry.sheets] == [
        ("cards-01-front", 1),
        ("cards-01-back", 2),
        ("cards-02-front", 3),
        ("cards-02-back", 4),
    ]
    assert entry.sheets[0].pieces == {"lantern/paper-moon": 3, "lantern/glow-worm": 3}
    moon = entry.pieces[0]
    assert (moon.piece, moon.copies, len(moon.front), len(moon.back)) == ("lantern/paper-moon", 3, 16, 16)
    assert moon.says["text"] == "Take 3 light."
    assert len({piece.front for piece in entry.pieces}) == 3
    assert len({piece.back for piece in entry.pieces}) == 1


def test_building_again_writes_nothing(two_files: Path) -> None:
    run(two_files)
    before = state(two_files / "output")
    report = run(two_files)
    assert set(states(report).values()) == {"unchanged"}
    assert state(two_files / "output") == before


def test_the_same_input_gives_the_same_bytes(two_files: Path) -> None:
    run(two_files, formats=("pdf", "svg"))
    run(two_files, formats=("pdf", "svg"), out=two_files / "again")
    first, second = state(two_files / "output"), state(two_files / "again")
    assert {name: content for name, (_, content) in first.items()} == {n: content for n, (_, content) in second.items()}


def test_a_changed_card_rewrites_only_its_document(two_files: Path) -> None:
    run(two_files)
    before = state(two_files / "output" / GAME)
    change(two_files, CARDS, "gain_light: 3", "gain_light: 4")
    report = run(two_files)
    assert states(report) == {"cards-a4-long.pdf": "written", "tokens-a4-long.pdf": "unchanged"}
    after = state(two_files / "output" / GAME)
    assert after["tokens-a4-long.pdf"] == before["tokens-a4-long.pdf"]
    assert after["cards-a4-long.pdf"][1] != before["cards-a4-long.pdf"][1]


def test_a_changed_card_rewrites_only_its_sheet(project: Path) -> None:
    run(project, formats=("svg",))
    before = state(project / "output" / GAME)
    change(project, CARDS, "gain_light: 3", "gain_light: 4")
    report = run(project, formats=("svg",))
    assert [name for name, what in states(report).items() if what == "written"] == ["svg-a4-long/cards-01-front.svg"]
    after = state(project / "output" / GAME)
    assert [name for name in after if after[name] != before[name]] == [NAME, "svg-a4-long/cards-01-front.svg"]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (f"components/{GAME}/game.yaml", "value: 12", "value: 14"),
        (f"components/{GAME}/rules.yaml", "Turn over the top card", "Turn the top card over"),
    ],
)
def test_a_change_that_shows_on_no_piece_rewrites_no_sheet(project: Path, file: str, old: str, new: str) -> None:
    run(project)
    before = state(project / "output" / GAME)["cards-a4-long.pdf"]
    change(project, file, old, new)
    assert states(run(project)) == {"cards-a4-long.pdf": "unchanged"}
    assert state(project / "output" / GAME)["cards-a4-long.pdf"] == before


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (f"layouts/{GAME}/theme.yaml", "#c9871f", "#b9771f"),
        (f"layouts/{GAME}/faces/card.yaml", "r: 17", "r: 16"),
        (f"layouts/{GAME}/icons.yaml", "M8 5H16", "M8 6H16"),
    ],
)
def test_a_change_of_the_look_is_seen(project: Path, file: str, old: str, new: str) -> None:
    run(project)
    change(project, file, old, new)
    assert states(run(project)) == {"cards-a4-long.pdf": "written"}


def test_a_face_that_shows_other_pieces_is_drawn_again_with_them(project: Path) -> None:
    change(
        project,
        f"layouts/{GAME}/faces/card-back.yaml",
        "  - circle",
        '  - text: {box: [5, 70, 53, 8], style: small, value: "{{ pieces[1].name }}"}\n  - circle',
    )
    run(project, formats=("svg",))
    change(project, CARDS, "name: Glow-worm", "name: Firefly")
    written = [name for name, what in states(run(project, formats=("svg",))).items() if what == "written"]
    assert "svg-a4-long/cards-02-back.svg" in written


def test_a_file_that_was_damaged_or_deleted_is_made_again(two_files: Path) -> None:
    run(two_files)
    folder = two_files / "output" / GAME
    good = state(folder)
    (folder / "cards-a4-long.pdf").write_bytes(b"not a PDF any more")
    (folder / "tokens-a4-long.pdf").unlink()
    assert set(states(run(two_files)).values()) == {"written"}
    assert {name: content for name, (_, content) in state(folder).items()} == {n: c for n, (_, c) in good.items()}


def test_files_no_longer_made_are_removed_and_foreign_ones_are_not(two_files: Path) -> None:
    run(two_files, formats=("pdf", "svg"))
    folder = two_files / "output" / GAME
    (folder / "my notes.txt").write_text("keep me")
    (folder / "svg-a4-long" / "sketch.svg").write_text("mine")
    (two_files / f"components/{GAME}/light.yaml").unlink()
    report = run(two_files, formats=("pdf", "svg"))
    assert states(report)["tokens-a4-long.pdf"] == "removed"
    assert sorted(name for name in state(folder) if "token" in name) == []
    assert (folder / "my notes.txt").read_text() == "keep me"
    assert (folder / "svg-a4-long" / "sketch.svg").read_text() == "mine"


def test_a_stale_file_that_somebody_changed_is_left_and_mentioned(two_files: Path) -> None:
    run(two_files)
    file = two_files / "output" / GAME / "tokens-a4-long.pdf"
    file.write_bytes(b"annotated by hand")
    (two_files / f"components/{GAME}/light.yaml").unlink()
    assert states(run(two_files))["tokens-a4-long.pdf"] == "kept"
    assert file.read_bytes() == b"annotated by hand"


def test_a_manifest_that_names_files_outside_does_no_harm(two_files: Path) -> None:
    """Not even one whose digest is right."""
    run(two_files)
    precious = two_files / "precious.txt"
    precious.write_text("precious")
    folder = two_files / "output" / GAME
    manifest = read_manifest(folder, GAME)
    (entry,) = manifest.builds.values()
    entry.files[0] = msgspec.structs.replace(
        entry.files[0], name="../../precious.txt", sha256=files.digest(b"precious")
    )
    write_manifest(folder, manifest)
    assert read_manifest(folder, GAME).builds
    run(two_files)
    assert precious.read_text() == "precious"


def test_a_damaged_manifest_counts_as_none(project: Path) -> None:
    run(project)
    file = project / "output" / GAME / NAME
    whole, good = file.read_bytes(), state(file.parent)["cards-a4-long.pdf"][1]
    for at in range(0, len(whole) - 1, len(whole) // 40):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        run(project)
        assert state(file.parent)["cards-a4-long.pdf"][1] == good, at
        assert file.read_bytes() == whole, at


@pytest.mark.parametrize("content", [b"", b"{", b'{"version": 99, "game": "lantern-walk"}', b"\xff\xfe"])
def test_an_unusable_manifest_counts_as_none(project: Path, content: bytes) -> None:
    run(project)
    (project / "output" / GAME / NAME).write_bytes(content)
    assert states(run(project)) == {"cards-a4-long.pdf": "unchanged"}
    assert "a4-long.pdf" in read_manifest(project / "output" / GAME, GAME).builds


def test_builds_for_other_papers_and_inks_stay_beside_each_other(project: Path) -> None:
    for options in ({}, {"paper": "letter"}, {"backs": "gutterfold"}, {"ink": "low"}, {"only": ("lantern/gust",)}):
        run(project, **options)
    names = {name for name in state(project / "output" / GAME) if name.endswith(".pdf")}
    assert names == {
        "cards-a4-long.pdf",
        "cards-letter-long.pdf",
        "cards-a4-gutterfold.pdf",
        "cards-a4-long-low.pdf",
        "cards-a4-long-lantern-gust.pdf",
    }
    assert states(run(project)) == {"cards-a4-long.pdf": "unchanged"}


def test_ink_low_draws_other_faces(project: Path) -> None:
    run(project, formats=("svg",))
    run(project, formats=("svg",), ink="low")
    folder = project / "output" / GAME
    normal = (folder / "svg-a4-long" / "cards-01-front.svg").read_text()
    low = (folder / "svg-a4-long-low" / "cards-01-front.svg").read_text()
    assert "#f6efdd" in normal and "#f6efdd" not in low


def test_png_sheets_have_the_asked_resolution(project: Path) -> None:
    report = run(project, formats=("png",), dpi=60, only=("lantern/gust",), backs="none")
    (name,) = states(report)
    content = (project / "output" / GAME / name).read_bytes()
    image = Image.open(io.BytesIO(content))
    assert image.size == (round(210 / 25.4 * 60), round(297 / 25.4 * 60))
    assert image.info["dpi"] == pytest.approx((60, 60), abs=0.02)


def test_png_sheets_show_what_svg_sheets_show(two_files: Path) -> None:
    report = run(two_files, formats=("png", "svg"), dpi=150)
    folder = two_files / "output" / GAME
    pictures = [file.name for file in report.files if file.name.endswith("png")]
    assert len(pictures) == 5
    for name in pictures:
        drawing = (folder / name.replace("png", "svg")).read_text(encoding="utf-8")
        expected = Image.open(io.BytesIO(write_png(drawing, 150)))
        assert difference(Image.open(folder / name), expected) < 1.0


def test_only_the_sheets_that_changed_are_rasterised(two_files: Path) -> None:
    first = run(two_files, formats=("png",), dpi=50)
    lost = two_files / "output" / GAME / "png-a4-long" / "cards-02-front.png"
    content = lost.read_bytes()
    lost.unlink()
    again = run(two_files, formats=("png",), dpi=50)
    assert [file.name for file in again.files if file.state == "written"] == ["png-a4-long/cards-02-front.png"]
    assert lost.read_bytes() == content
    assert len(again.files) == len(first.files)


def test_several_rasterisers_give_the_same_pictures(project: Path) -> None:
    run(project, formats=("png",), dpi=50, jobs=1)
    run(project, formats=("png",), dpi=50, jobs=2, out=project / "two")
    one, two = state(project / "output"), state(project / "two")
    assert {n: c for n, (_, c) in one.items() if n.endswith("png")} == {
        n: c for n, (_, c) in two.items() if n.endswith("png")
    }


def test_only_takes_kinds_decks_and_pieces(two_files: Path) -> None:
    assert run(two_files, only=("card",)).pieces == 10
    assert run(two_files, only=("light",)).pieces == 30
    assert run(two_files, only=("lantern/gust", "token")).pieces == 33
    assert run(two_files, only=("gust",)).pieces == run(two_files, only=("lantern/gust",)).pieces
    with pytest.raises(NothingToBuild, match="did you mean 'lantern'"):
        run(two_files, only=("lanterns",))


def test_an_unknown_paper_is_said_before_anything_is_drawn(project: Path) -> None:
    with pytest.raises(NoSuchPaper, match="did you mean 'letter'"):
        run(project, paper="leter")
    assert not (project / "output").exists()


def test_a_definition_error_leaves_the_old_sheets(project: Path) -> None:
    run(project)
    before = state(project / "output")
    change(project, CARDS, "gain_light: 3", "gain_lihgt: 3")
    with pytest.raises(DefinitionError, match="gain_lihgt"):
        run(project)
    assert state(project / "output") == before


def test_every_face_that_does_not_fit_is_named(project: Path) -> None:
    long = "A Lantern With a Name That No Card of This Size Could Ever Hold in One or Two Lines of Any Type " * 2
    change(project, CARDS, "name: Paper Moon", f"name: {long}")
    change(project, CARDS, "name: Gust of Wind", f"name: {long}")
    with pytest.raises(DefinitionError) as caught:
        run(project)
    assert "lantern/paper-moon and 1 more" in str(caught.value)
    assert not (project / "output").exists()


def test_an_interrupted_write_leaves_the_old_file_and_no_rubbish(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(project)
    before = state(project / "output")
    change(project, CARDS, "gain_light: 3", "gain_light: 4")

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(files.os, "replace", fail)
    with pytest.raises(KeyboardInterrupt):
        run(project)
    assert state(project / "output") == before


def test_a_build_stopped_between_two_files_is_finished_by_the_next(
    two_files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Path] = []

    def stop_after_one(file: Path, content: bytes, **how: Any) -> None:
        if written:
            raise OSError(28, "No space left on device", str(file))
        written.append(file)
        files.write_whole(file, content, **how)

    monkeypatch.setattr(outputfiles, "write_whole", stop_after_one)
    with pytest.raises(OSError, match="No space left"):
        run(two_files)
    monkeypatch.undo()
    run(two_files)
    assert set(states(run(two_files)).values()) == {"unchanged"}
    assert len(state(two_files / "output" / GAME)) == 3


def test_a_build_with_nothing_to_do_imports_nothing_heavy(project: Path) -> None:
    command = [
        sys.executable,
        "-X",
        "importtime",
        "-m",
        "generator.cli",
        "--project",
        str(project),
        "build",
        "--all",
    ]
    subprocess.run(command, check=True, capture_output=True)
    second = subprocess.run(command, check=True, capture_output=True, text=True)
    loaded = {line.rpartition("|")[2].strip() for line in second.stderr.splitlines() if line.startswith("import time")}
    assert "unchanged" in second.stdout
    assert not {"reportlab", "yaml", "jinja2", "fontTools", "svgwrite", "cairosvg", "PIL"} & loaded


def test_progress_names_the_five_stages_in_order(project: Path) -> None:
    told: list[tuple[int, int, int]] = []
    build(GAME, Options(out=project / "output"), places(project), lambda *step: told.append(step))
    assert list(dict.fromkeys(stage for stage, _, _ in told)) == [1, 2, 3, 4, 5]
    assert told[-1] == (5, 1, 1)
    assert all(done <= of for _, done, of in told if of)


def test_the_report_is_plain_data(project: Path) -> None:
    data = msgspec.to_builtins(run(project))
    assert data["files"] == [{"name": "cards-a4-long.pdf", "state": "written", "pages": 4, "pieces": 10}]
