"""A game made to harm whoever prints it: no command writes outside the folder that it was given."""

from __future__ import annotations

import re
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
