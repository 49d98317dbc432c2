"""A game made to harm whoever prints it: no command writes outside the folder that it was given."""

from __future__ import annotations

import re
import struct
import zlib
from pathlib import Path

import pytest

from generator.cli import main as cli

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


PIXELS = chunk(b"IDAT", zlib.compress(bytes(2 * 13)))
PICTURES = {
    **{f"{n} bytes of a PNG": png(PIXELS)[:n] for n in (0, 7, 12, 16, 19, 23, 28, 33, 40, 50, 60)},
    "a text that unpacks to 200 MiB": png(chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(200 * 2**20))), PIXELS),
    "a palette without a palette": png(chunk(b"IDAT", zlib.compress(bytes(2 * 5))), colours=3),
    "no pixels": png(),
    "pixels that are not packed": png(chunk(b"IDAT", b"no")),
    "no width": svg("<path d='M0 0L1 1'/>", 'width="0" height="9"'),
    "a dash below nothing": svg('<path d="M0 0L1 1" stroke="red" stroke-dasharray="-1 2"/>'),
    "a size without end": svg('<rect width="1e400" height="1"/>'),
    "a place without end": svg('<path d="M0 0L1e400 1"/>'),
    "half a JPEG": b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0\xff\xc0\0\x11\x08\0\2\0\4",
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_damaged_picture_is_told_or_printed(here: Path, capsys: Captured, name: str) -> None:
    content = PICTURES[name]
    file = "art.svg" if content.startswith(b"<svg") else "art.jpeg" if content[:2] == b"\xff\xd8" else "art.png"
    (here / file).write_bytes(content)
    with (here / f"layouts/{GAME}/faces/card.yaml").open("a") as face:
        face.write(f"  - image: {{file: {file}, box: [5, 5, 9, 9]}}\n")
    status = pnp("build", GAME, "--format", "pdf,svg,png", "--dpi", "50", "--quiet")
    told = capsys.readouterr().err
    assert status in (0, 1), told
    assert status == 0 or (file in told and "LAY-007" in told)
    assert pnp("check", GAME) == status
