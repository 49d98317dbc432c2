"""Files of a project are plain files inside it: links that lead out, pipes and devices are refused, and never read."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from companion.cli.common import Settings
from companion.cli.main import main as companion
from companion.games import NoRules
from companion.own import modules
from components.checks import check_game
from components.errors import DefinitionError
from components.files import digest_of
from components.plainfiles import NotPlain, is_plain, read_plain
from components.resolve import resolve_game
from generator.build.places import Places, look_files
from generator.build.project import read_layouts
from generator.build.starter import make_starter
from generator.cli import main as cli

Within = Callable[..., AbstractContextManager[None]]
GAME = "lantern-walk"
TRAPS: dict[str, Callable[[Path, Path], None]] = {
    "a pipe": lambda file, _: os.mkfifo(file),
    "a device": lambda file, _: file.symlink_to("/dev/zero"),
    "a folder": lambda file, _: file.mkdir(),
    "leads out": lambda file, outside: file.symlink_to(outside),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / GAME
    make_starter(folder)
    return folder


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    file = tmp_path / "outside.yaml"
    file.write_text("set: outside\n", "utf-8")
    return file


def test_a_plain_file_is_read_as_far_as_it_may_be_large(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"12345")
    assert read_plain(file, 5, tmp_path) == b"12345"
    assert read_plain(file, 3, tmp_path) == b"1234"


def test_a_link_inside_the_project_is_followed_and_the_project_may_be_reached_by_one(tmp_path: Path) -> None:
    real = tmp_path / "real"
    (real / "folder").mkdir(parents=True)
    (real / "file").write_bytes(b"content")
    (real / "folder" / "link").symlink_to(real / "file")
    (tmp_path / "link").symlink_to(real)
    assert read_plain(tmp_path / "link" / "folder" / "link", inside=tmp_path / "link") == b"content"


@pytest.mark.parametrize("name", ["link/file", "folder/../../outside/file", "../outside/file"])
def test_nothing_outside_is_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").write_bytes(b"secret")
    (tmp_path / "project" / "folder").mkdir(parents=True)
    (tmp_path / "project" / "link").symlink_to(tmp_path / "outside")
    with pytest.raises(NotPlain, match="leads out of the project"):
        read_plain(tmp_path / "project" / name, inside=tmp_path / "project")
    assert not is_plain(tmp_path / "project" / name, tmp_path / "project")


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_among_the_files_of_a_game_is_told(project: Path, outside: Path, within: Within, trap: str) -> None:
    file = project / "components" / GAME / "zz.yaml"
    TRAPS[trap](file, outside)
    with within(5):
        (problem,) = check_game(GAME, project)
    assert problem.file == f"components/{GAME}/zz.yaml"
    assert "cannot be read" in problem.what and (trap in problem.what or trap == "a device")
    with within(5), pytest.raises(DefinitionError):
        resolve_game(GAME, root=project, cache_dir=project / "cache")


@pytest.mark.parametrize("trap", TRAPS)
def test_a_table_that_nothing_names_stops_nothing(project: Path, outside: Path, within: Within, trap: str) -> None:
    TRAPS[trap](project / "components" / GAME / "zz.csv", outside)
    with within(5):
        assert resolve_game(GAME, root=project, cache_dir=project / "cache").id == GAME


@pytest.mark.parametrize("trap", TRAPS)
@pytest.mark.parametrize("name", ["theme.yaml", "icons.yaml", "scenes.yaml", "parts/zz.yaml", "faces/zz.yaml"])
def test_a_trap_among_the_layouts_is_told_or_left_alone(
    project: Path, outside: Path, within: Within, trap: str, name: str
) -> None:
    file = project / "layouts" / GAME / name
    file.parent.mkdir(exist_ok=True)
    file.unlink(missing_ok=True)
    TRAPS[trap](file, outside)
    places = Places(project=project)
    with within(5):
        try:
            read_layouts(GAME, places)
        except DefinitionError as error:
            assert error.problems[0].file == f"layouts/{GAME}/{name}"
        else:
            assert name not in ("theme.yaml", "faces/zz.yaml")
        assert file not in look_files(places, GAME) and file.resolve() not in look_files(places, GAME)


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_in_a_rules_module_is_refused_before_anybody_is_asked(
    project: Path, outside: Path, within: Within, trap: str
) -> None:
    package = project / "rules" / "trapped"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    TRAPS[trap](package / "zz.py", outside)
    with within(5), pytest.raises(NoRules, match=r"zz\.py cannot be read"):
        modules.find(project, "trapped")


def test_files_of_a_rules_module_are_as_large_together_as_one_may_be(project: Path) -> None:
    package = project / "rules" / "large"
    package.mkdir(parents=True)
    for name in ("__init__", "more"):
        (package / f"{name}.py").write_bytes(b"#" * (modules.LARGEST // 2))
    found = modules.find(project, "large")
    assert found is not None and len(found.files) == 2
    (package / "most.py").write_text("#")
    with pytest.raises(NoRules, match="more than 4 MiB"):
        modules.find(project, "large")


def test_what_is_no_plain_file_has_no_digest(tmp_path: Path, within: Within) -> None:
    for name, trap in TRAPS.items():
        if name != "leads out":
            trap(tmp_path / name, tmp_path)
            with within(5):
                assert digest_of(tmp_path / name) == ""


BAD = {
    "a device": lambda folder: (folder / "zz.yaml").symlink_to("/dev/zero"),
    "a pipe": lambda folder: os.mkfifo(folder / "zz.yaml"),
    "no YAML": lambda folder: (folder / "game.yaml").write_text("{"),
    "a trillion players": lambda folder: (folder / "game.yaml").write_text(
        (folder / "game.yaml").read_text("utf-8").replace("value: 4", "value: 1000000000000"), "utf-8"
    ),
    "no folder of a game at all": lambda folder: ((folder / "game.yaml").unlink(), (folder / "game.yaml").mkdir()),
}


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("program", [cli.main, companion], ids=["pnp", "companion"])
def test_one_bad_folder_hides_no_other_game(
    project: Path,
    within: Within,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    program: Callable[[list[str]], int],
    bad: str,
) -> None:
    for name in ("root", "named"):
        monkeypatch.setattr(Settings, name, getattr(Settings, name))
    other = project / "components" / "a-bad-one"
    shutil.copytree(project / "components" / GAME, other)
    text = (other / "game.yaml").read_text("utf-8").replace(f'id: "{GAME}"', "id: a-bad-one")
    (other / "game.yaml").write_text(text, "utf-8")
    BAD[bad](other)
    with within(20):
        assert program(["--project", str(project), "games"]) == 0
    told = capsys.readouterr().out
    assert "Lantern Walk, 2 to 4 players" in told
    assert re.search("a-bad-one:? .*to see them: pnp check a-bad-one", told)
    with within(20):
        assert companion(["--project", str(project), "rule", "LW-WALK-1"]) == 0
        assert program(["--project", str(project), "games", "--json"]) == 0
