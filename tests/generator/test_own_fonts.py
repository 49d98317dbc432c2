"""Fonts of a user's own: another release of the sheets' font, copies, and damaged ones, which `check` tells like
`build`."""

from __future__ import annotations

import struct
from importlib.util import find_spec
from pathlib import Path

import pikepdf
import pytest

from generator.cli import main as cli

GAME = "lantern-walk"
SERIF = "font_source_serif_pro:SourceSerifPro-Bold.ttf"
Captured = pytest.CaptureFixture[str]


def sans() -> bytes:
    """The font of the sheets."""
    spec = find_spec("font_source_sans_pro")
    assert spec is not None and spec.submodule_search_locations
    return (Path(spec.submodule_search_locations[0]) / "files" / "SourceSansPro-Regular.ttf").read_bytes()


def table(font: bytes, name: bytes) -> tuple[int, int, int]:
    """Where a table stands in the directory of a font, where it begins and how long it is."""
    (count,) = struct.unpack_from(">H", font, 4)
    entry = next(at for at in range(12, 12 + 16 * count, 16) if font[at : at + 4] == name)
    return entry, *struct.unpack_from(">II", font, entry + 8)


def changed(font: bytes, name: bytes, at: int, new: bytes) -> bytes:
    """A font with some bytes of a table replaced."""
    _, start, _ = table(font, name)
    return font[: start + at] + new + font[start + at + len(new) :]


def without(font: bytes, name: bytes) -> bytes:
    entry, _, _ = table(font, name)
    return font[:entry] + b"Zzzz" + font[entry + 4 :]


def nothing_in(font: bytes, name: bytes) -> bytes:
    return changed(font, name, 0, bytes(table(font, name)[2]))


@pytest.fixture
def here(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The starter's project; its titles are set in `own.ttf`."""
    monkeypatch.chdir(project)
    theme = project / "layouts" / GAME / "theme.yaml"
    text = theme.read_text("utf-8")
    assert SERIF in text
    theme.write_text(text.replace(SERIF, "own.ttf"), "utf-8")
    return project


def names(project: Path) -> list[str]:
    """The names of the fonts in the printed sheets."""
    with pikepdf.open(project / "output" / GAME / "cards-a4-long.pdf") as opened:
        return sorted(
            str(one.FontName) for one in opened.objects if isinstance(one, pikepdf.Dictionary) and "/FontName" in one
        )


def test_a_font_may_be_called_like_that_of_the_sheets(here: Path) -> None:
    (here / "own.ttf").write_bytes(changed(sans(), b"head", 4, b"\x00\x09\x00\x00"))  # fontRevision
    assert cli.main(["build", GAME, "--quiet"]) == 0
    found = names(here)
    assert len(set(found)) == len(found) and sum("SourceSansPro-Regular" in name for name in found) == 2
    assert cli.main(["check", GAME]) == 0
    again = (here / "output" / GAME / "cards-a4-long.pdf").read_bytes()
    (here / "output" / GAME / "cards-a4-long.pdf").unlink()
    assert cli.main(["build", GAME, "--quiet"]) == 0
    assert (here / "output" / GAME / "cards-a4-long.pdf").read_bytes() == again


def test_a_copy_of_a_font_is_printed_once(here: Path) -> None:
    (here / "own.ttf").write_bytes(sans())
    assert cli.main(["build", GAME, "--quiet"]) == 0
    assert sum("SourceSansPro-Regular" in name for name in names(here)) == 1


DAMAGED = {
    "nothing": lambda font: b"",
    "half of it": lambda font: font[: len(font) // 2],
    "its directory only": lambda font: font[:300],
    **{f"no {name}": lambda font, name=name: without(font, name.encode()) for name in
       ("cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "name", "post", "OS/2", "GPOS")},
    **{f"nothing in {name}": lambda font, name=name: nothing_in(font, name.encode()) for name in
       ("cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "name", "post", "OS/2", "GPOS")},
    "no units to the em": lambda font: changed(font, b"head", 18, b"\0\0"),
    "another version of hhea": lambda font: changed(font, b"hhea", 0, b"\x09\x09"),
    "more glyphs than there are": lambda font: changed(font, b"maxp", 4, b"\xff\xff"),
    "outlines of something else": lambda font: changed(font, b"glyf", 400, bytes(range(256)) * 90),
    "places of outlines beyond the end": lambda font: changed(font, b"loca", 200, b"\xff" * 900),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_font_is_told_or_printed(here: Path, capsys: Captured, damage: str) -> None:
    (here / "own.ttf").write_bytes(DAMAGED[damage](sans()))
    status = cli.main(["build", GAME, "--format", "pdf,svg", "--quiet"])
    told = capsys.readouterr().err
    assert status == 0 or (status == 1 and "LAY-00" in told), told
    assert cli.main(["check", GAME]) == status
    assert status == 0 or "LAY-00" in capsys.readouterr().err


def test_most_of_these_fonts_are_refused(here: Path) -> None:
    """A font without names, or kerning, may do."""
    refused = set()
    for damage, do in DAMAGED.items():
        (here / "own.ttf").write_bytes(do(sans()))
        if cli.main(["check", GAME]):
            refused.add(damage)
    assert {"nothing", "half of it", "no cmap", "no glyf", "no units to the em", "nothing in head"} <= refused
