"""A game made to harm whoever prints it: no command writes outside the folder that it was given."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pikepdf
import pytest

from generator.cli import main as cli
from generator.faces.display import PathOp
from generator.faces.svgpath import to_d

GAME = "lantern-walk"
CARDS = f"components/{GAME}/lanterns.yaml"
VARIANT = f"components/{GAME}/variants/dark.yaml"
COMMANDS = {
    "images": ("export", "images", GAME, "--dpi", "50"),
    "tts": ("export", "tts", GAME, "--dpi", "50"),
    "build": ("build", GAME, "--format", "svg"),
    "rulebook": ("rulebook", GAME),
    "proof": ("proof", GAME, "gust", "--dpi", "50"),
    "check": ("check", GAME),
}
PLACES = {
    "piece": (CARDS, "id: paper-moon"),
    "set": (CARDS, "set: lantern"),
    "face": (CARDS, "face: card"),
    "back": (CARDS, "back: card-back"),
    "game": (f"components/{GAME}/game.yaml", f'id: "{GAME}"'),
}
Captured = pytest.CaptureFixture[str]


def tree(folder: Path) -> dict[str, bytes]:
    """Everything below a folder; the drawn faces in the caches are not what a game can name."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and not file.is_symlink()
    }


def pnp(*words: str) -> int:
    return cli.main(list(words))


@pytest.fixture
def here(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(project)
    return project


@pytest.mark.parametrize(
    "value", ["{elsewhere}/x", "../../../x", "..", "a/b", "a\\\\b", "nul\\0byte", "line\\n", "\\e[2J"]
)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("command", COMMANDS)
def test_an_id_is_no_path(here: Path, tmp_path: Path, capsys: Captured, command: str, place: str, value: str) -> None:
    file, line = PLACES[place]
    text = (here / file).read_text()
    assert line in text
    key = line.partition(":")[0]
    hostile = value.format(elsewhere=tmp_path / "elsewhere")
    (here / file).write_text(text.replace(line, f'{key}: "{hostile}"', 1))
    before = tree(tmp_path)
    control = "\\0" in value or "\\e" in value
    assert pnp(*COMMANDS[command]) == (2 if control else 1)
    said = capsys.readouterr()
    fault = "DEF-003" if control else f"DEF-013: .*'{key}'"
    assert re.search(rf"^{re.escape(file)}:\d+:\d+: error {fault}", said.err, re.MULTILINE), said.err
    assert said.err.replace("\n", "").isprintable()
    assert tree(tmp_path) == before


@pytest.mark.parametrize("value", ["../../x", "nul\\0byte"])
def test_a_kind_is_one_of_those_there_are(here: Path, tmp_path: Path, capsys: Captured, value: str) -> None:
    text = (here / CARDS).read_text()
    (here / CARDS).write_text(text.replace("kind: card", f'kind: "{value}"', 1))
    before = tree(tmp_path)
    for words in COMMANDS.values():
        assert pnp(*words) in (1, 2)
        assert f"{CARDS}:3:" in capsys.readouterr().err
    assert tree(tmp_path) == before


def test_the_pieces_of_a_variant_are_held_to_the_same(here: Path, tmp_path: Path, capsys: Captured) -> None:
    (here / VARIANT).parent.mkdir()
    (here / VARIANT).write_text(
        'id: dark\ntitle: Dark\nabout: Dark.\npieces:\n  lantern: [{id: "../../../x", name: X}]\n'
    )
    before = tree(tmp_path)
    for words in COMMANDS.values():
        assert pnp(*words, *(["--variant", "dark"] if words[0] != "check" else [])) == 1
        assert f"{VARIANT}:5:" in capsys.readouterr().err
    assert tree(tmp_path) == before


@pytest.mark.parametrize(
    "link", [f"output/{GAME}", f"output/{GAME}/images", f"output/{GAME}/tts", f"output/{GAME}/proofs", "output"]
)
@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "check"])
def test_no_link_that_comes_with_a_game_is_followed(
    here: Path, tmp_path: Path, capsys: Captured, command: str, link: str
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (here / link).parent.mkdir(parents=True, exist_ok=True)
    (here / link).symlink_to(elsewhere)
    status = pnp(*COMMANDS[command])
    said = capsys.readouterr().err
    assert list(elsewhere.iterdir()) == []
    passes = link in ("output", f"output/{GAME}") or link.endswith((f"/{command}", f"/{command}s"))
    assert status == (2 if passes else 0)
    if passes:
        assert link in said and "a link" in said


def test_a_file_that_is_a_link_is_not_written(here: Path, tmp_path: Path, capsys: Captured) -> None:
    target = tmp_path / "precious"
    target.write_bytes(b"precious")
    file = here / "output" / GAME / "cards-a4-long.pdf"
    file.parent.mkdir(parents=True)
    file.symlink_to(target)
    assert pnp("build", GAME) == 2
    assert "cards-a4-long.pdf: this is a link" in capsys.readouterr().err
    assert target.read_bytes() == b"precious"


def test_a_folder_that_the_user_names_may_be_a_link(here: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "link").symlink_to(elsewhere)
    assert pnp("build", GAME, "--out", str(tmp_path / "link")) == 0
    assert (elsewhere / GAME / "cards-a4-long.pdf").is_file()


# --- pictures ----------------------------------------


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(*chunks: bytes, colours: int = 2) -> bytes:
    """A PNG of 4 x 2 pixels with these chunks between its head and its end."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 2, 8, colours, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(chunks) + chunk(b"IEND", b"")


def svg(inside: str, attributes: str = 'viewBox="0 0 9 9"') -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{inside}</svg>'.encode()


def large() -> bytes:
    return png(chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(200 * 2**20), level=1)), PIXELS)


PIXELS = chunk(b"IDAT", zlib.compress(bytes(2 * 13)))
PICTURES: dict[str, bytes | Callable[[], bytes]] = {
    **{f"{n} bytes of a PNG": png(PIXELS)[:n] for n in (0, 7, 12, 16, 19, 23, 28, 33, 40, 50, 60)},
    "a text that unpacks to 200 MiB": large,
    "a palette without a palette": png(chunk(b"IDAT", zlib.compress(bytes(2 * 5))), colours=3),
    "no pixels": png(),
    "pixels that are not packed": png(chunk(b"IDAT", b"no")),
    "no width": svg("<path d='M0 0L1 1'/>", 'width="0" height="9"'),
    "a dash below nothing": svg('<path d="M0 0L1 1" stroke="red" stroke-dasharray="-1 2"/>'),
    "a size without end": svg('<rect width="1e400" height="1"/>'),
    "a place without end": svg('<path d="M0 0L1e400 1"/>'),
    "a view box of nothing": svg('<rect width="1" height="1"/>', 'viewBox="0 0 1e-320 1e-320"'),
    "a view box at the end of the world": svg('<rect width="1" height="1"/>', 'viewBox="1e308 0 9 9"'),
    "a scale without end": svg('<rect width="9" height="9" transform="scale(1e308)"/>'),
    "many scales": svg(f'<rect width="9" height="9" transform="{"scale(1e5) " * 70}"/>'),
    "a skew by a right angle": svg('<rect width="9" height="9" transform="skewX(90) skewX(90)"/>'),
    "a line without end": svg('<path d="M0 0L1 1" stroke="red" stroke-width="1e400" stroke-dasharray="1e400 1"/>'),
    "points without end": svg('<polygon points="0,0 1e999,1 5,5"/>'),
    "a radius of nothing": svg('<path d="M0 0A1e-300 1e-300 0 0 1 9 9z"/>'),
    "an arc to where it began": svg('<path d="M0 0A5 5 0 1 0 1e-300 0z"/>'),
    "half a JPEG": b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0\xff\xc0\0\x11\x08\0\2\0\4",
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_damaged_picture_is_told_or_printed(here: Path, capsys: Captured, name: str) -> None:
    made = PICTURES[name]
    content = made() if callable(made) else made
    file = "art.svg" if content.startswith(b"<svg") else "art.jpeg" if content[:2] == b"\xff\xd8" else "art.png"
    (here / file).write_bytes(content)
    with (here / f"layouts/{GAME}/faces/card.yaml").open("a") as face:
        face.write(f"  - image: {{file: {file}, box: [5, 5, 9, 9]}}\n")
    status = pnp("build", GAME, "--format", "pdf,svg,png", "--dpi", "50", "--quiet")
    told = capsys.readouterr().err
    assert status in (0, 1), told
    assert status == 0 or (file in told and "LAY-007" in told)
    assert status == 1 or not list(numbers_without_end(here / "output" / GAME))
    assert pnp("check", GAME) == status


def numbers_without_end(folder: Path) -> Iterator[str]:
    """The files of a build, printed as PDF and SVG, that say `inf` or `nan` where numbers stand."""
    files = [*folder.rglob("*.pdf"), *folder.rglob("*.svg")]
    assert {file.suffix for file in files} == {".pdf", ".svg"}
    for file in files:
        said = [file.read_bytes()]
        if file.suffix == ".pdf":
            with pikepdf.open(file) as opened:
                streams = [one for one in opened.objects if isinstance(one, pikepdf.Stream)]
                drawn = [one for one in streams if one.get("/Subtype") in (None, "/Form") and "/Length1" not in one]
                said = [re.sub(rb"\((?:\\.|[^\\)])*\)", b"", one.read_bytes()) for one in drawn]
        if any(re.search(rb"(?<![A-Za-z#])-?(inf|nan)(?![A-Za-z])", one) for one in said):
            yield file.name


def test_numbers_without_end_are_seen_in_what_was_drawn(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `test_a_damaged_picture_is_told_or_printed` looks for, where nobody stops it."""
    monkeypatch.setattr("generator.faces.facemaker.endless", lambda ops: False)
    path = PathOp(to_d([("M", 0.0, 0.0), ("L", float("inf"), float("nan"))]), "#000000")
    monkeypatch.setattr("generator.faces.svgpicture.svg_ops", lambda *_: [path])
    (here / "art.svg").write_bytes(svg('<rect width="1" height="1"/>'))
    with (here / f"layouts/{GAME}/faces/card.yaml").open("a") as face:
        face.write("  - image: {file: art.svg, box: [5, 5, 9, 9]}\n")
    pnp("build", GAME, "--format", "pdf,svg", "--quiet")
    assert list(numbers_without_end(here / "output" / GAME))


def test_what_runs_away_in_a_template_is_told(here: Path, capsys: Captured) -> None:
    with (here / f"layouts/{GAME}/faces/card.yaml").open("a") as face:
        inner = "{rect: {box: [0, 0, 1, 1], fill: ink}}"
        for _ in range(14):
            inner = f"{{group: {{scale: 99999, items: [{inner}]}}}}"
        face.write(f"  - {inner}\n")
    statuses = {pnp(*COMMANDS[name]) for name in ("build", "check", "proof")}
    assert len(statuses) == 1 and statuses <= {0, 1}, capsys.readouterr().err


@pytest.mark.parametrize("number", ["1e308", "-1e308", "1e-320", "1e7", "9" * 30])
@pytest.mark.parametrize("line", ["margin: {}", "width: {}", "gap: {}", "scale: {}", "crop: [0, 0, {}, 5]"])
def test_a_scene_without_end_is_told(here: Path, capsys: Captured, line: str, number: str) -> None:
    things = "pieces: [{piece: lantern/gust, at: [0, 0]}, {piece: lantern/gust, at: [9, 9]}]"
    (here / "scene.yaml").write_text(f"{things}\n{line.format(number)}\n")
    assert pnp("scene", "scene.yaml", "--format", "svg") == 1
    assert "scene.yaml:2:" in capsys.readouterr().err
