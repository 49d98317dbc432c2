"""`pnp`: what it prints, where, and with which exit status."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from components.resolve import resolve_game
from generator.build.watch import watch
from generator.cli import main as cli
from generator.cli.common import Progress, settings

GAME = "lantern-walk"
CARDS = f"components/{GAME}/lanterns.yaml"
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def here(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project, with the shell inside it."""
    monkeypatch.chdir(project)
    return project


def pnp(*words: str) -> int:
    return cli.main(list(words))


def change(project: Path, old: str, new: str, file: str = CARDS) -> None:
    path = project / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


COMMANDS = sorted(cli.COMMANDS)


def test_every_command_of_the_plan_is_there() -> None:
    plan = {"games", "check", "build", "diff", "printed", "proof", "schema", "watch", "calibrate", "export", "init"}
    assert plan <= set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example_in_its_help(command: str, capsys: Captured) -> None:
    assert pnp(command, "--help") == 0
    out = capsys.readouterr().out
    assert f"pnp {command}" in out
    assert "Example" in out


def test_build_says_what_it_made_on_stdout_and_how_far_it_is_on_stderr(here: Path, capsys: Captured) -> None:
    assert pnp("build", GAME) == 0
    said = capsys.readouterr()
    assert said.out.startswith("Lantern Walk: 2 sheets of A4, 4 pages, 10 pieces, ")
    assert "cards-a4-long.pdf  4 pages, 10 pieces, written" in said.out
    assert said.err.splitlines()[0] == "1/5 load"
    assert "3/5 faces 3/3" in said.err
    assert (here / "output" / GAME / "cards-a4-long.pdf").is_file()


def test_build_as_json_is_only_json(here: Path, capsys: Captured) -> None:
    assert pnp("build", "--all", "--json", "--format", "pdf,svg") == 0
    (report,) = json.loads(capsys.readouterr().out)
    assert report["game"] == GAME
    assert [file["state"] for file in report["files"]] == ["written"] * 5


def test_build_takes_all_the_options_of_the_plan(here: Path, capsys: Captured) -> None:
    words = ["--paper", "letter", "--backs", "gutterfold", "--format", "pdf", "--players", "2", "--set", "goal=9"]
    words += ["--ink", "low", "--only", "lantern", "--out", "elsewhere", "--jobs", "2"]
    assert pnp("build", GAME, *words, "-q") == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert (here / "elsewhere" / GAME / "cards-letter-gutterfold-low-2p-lantern.pdf").is_file()


def test_build_and_diff_for_modules(here: Path, capsys: Captured) -> None:
    change(here, "sections:", "modules: [base, wind, moon]\nsections:", f"components/{GAME}/game.yaml")
    change(here, "    name: Gust of Wind\n", "    name: Gust of Wind\n    module: wind\n    copies: 30\n")
    change(here, "    name: Paper Moon\n", "    name: Paper Moon\n    module: moon\n")
    assert pnp("build", GAME, "--modules", "wind", "-q") == 0
    said = capsys.readouterr().out
    assert "34 pieces" in said
    assert "sheets that each module adds to the base game: wind 3" in said
    assert (here / "output" / GAME / "cards-a4-long-wind.pdf").is_file()
    assert pnp("build", GAME, "--modules", "base", "-q", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["pieces"], told["modules"]) == (4, {})
    assert pnp("build", GAME, "--one-pdf", "-q", "--json") == 0
    assert json.loads(capsys.readouterr().out)["modules"] == {"wind": 3, "moon": 0}
    assert pnp("printed", GAME, "--build", "a4-long-wind") == 0
    assert pnp("diff", GAME, "--modules", "wind", "-q") == 0
    assert "up to date" in capsys.readouterr().out
    assert pnp("diff", GAME, "--modules", "moon,wind", "-q") == 0
    assert f"pnp build {GAME} --modules moon,wind --changed" in capsys.readouterr().out
    assert pnp("build", GAME, "--modules", "wnid", "-q") == 2
    said = capsys.readouterr().err
    assert "there is no module 'wnid'" in said
    assert "did you mean 'wind'?" in said


def test_sheets_of_modules_are_counted_again_only_when_numbers_change(
    here: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(here, "sections:", "modules: [base, wind]\nsections:", f"components/{GAME}/game.yaml")
    change(here, "    name: Gust of Wind\n", "    name: Gust of Wind\n    module: wind\n    copies: 30\n")
    from generator.build import stages

    laid: list[int] = []
    count = stages.leaves
    monkeypatch.setattr(stages, "leaves", lambda *given: laid.append(1) or count(*given))

    def modules() -> tuple[dict[str, int], int]:
        laid.clear()
        assert pnp("build", GAME, "-q", "--json", "--jobs", "1") == 0
        return json.loads(capsys.readouterr().out)["modules"], len(laid)

    assert modules() == ({"wind": 4}, 2)
    change(here, "name: Paper Moon", "name: Moon of Paper")
    assert modules() == ({"wind": 4}, 0)
    change(here, "copies: 30", "copies: 40")
    assert modules() == ({"wind": 5}, 1)


def test_build_and_diff_for_seats(here: Path, capsys: Captured) -> None:
    change(here, "sections:", "seats: [North, South, West]\nsections:", f"components/{GAME}/game.yaml")
    change(here, "    name: Paper Moon\n", "    name: Paper Moon\n    seat: West\n")
    assert pnp("build", GAME, "--seats", "north,south", "-q") == 0
    assert "7 pieces" in capsys.readouterr().out
    assert (here / "output" / GAME / "cards-a4-long-north-south.pdf").is_file()
    assert pnp("printed", GAME) == 0
    assert pnp("diff", GAME, "--seats", "North", "--seats", "south", "-q") == 0
    assert "up to date" in capsys.readouterr().out
    assert pnp("diff", GAME, "--seats", "north,west", "-q") == 0
    assert f"pnp build {GAME} --seats north,west --changed" in capsys.readouterr().out
    assert pnp("build", GAME, "--seats", "north,east", "-q") == 2
    assert "there is no seat 'east'" in capsys.readouterr().err
    assert pnp("build", GAME, "--seats", "north,west", "--players", "3", "-q") == 2
    assert "--seats names 2 seats" in capsys.readouterr().err


def test_diff_and_changed_follow_what_was_printed(here: Path, capsys: Captured) -> None:
    assert pnp("build", GAME, "-q") == 0
    assert pnp("printed", GAME) == 0
    assert "10 pieces on the table (3 different)" in capsys.readouterr().out
    assert pnp("diff", GAME, "-q") == 0
    assert "up to date" in capsys.readouterr().out
    change(here, "gain_light: 3", "gain_light: 4")
    assert pnp("diff", GAME, "-q") == 0
    out = capsys.readouterr().out
    assert "changed  lantern/paper-moon (3 copies)" in out
    assert "text: “Take 3 light.” -> “Take 4 light.”" in out
    assert pnp("diff", GAME, "-q", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["throw_away"], report["to_print"]) == (3, 3)
    assert pnp("build", GAME, "--changed", "-q") == 0
    assert "3 x lantern/paper-moon" in capsys.readouterr().out
    assert pnp("printed", GAME) == 0
    assert pnp("diff", GAME, "-q") == 0
    assert "up to date" in capsys.readouterr().out


def test_printed_shows_forgets_and_names_builds(here: Path, capsys: Captured) -> None:
    assert pnp("printed", GAME) == 2
    assert "has not been built" in capsys.readouterr().err
    assert pnp("build", GAME, "-q") == 0
    assert pnp("printed", GAME, "--build", "a3-long") == 2
    assert "builds: a4-long" in capsys.readouterr().err
    assert pnp("printed", GAME, "--build", "a4-long") == 0
    assert pnp("printed", GAME, "--show") == 0
    assert pnp("printed", GAME, "--forget") == 0
    assert "forgotten" in capsys.readouterr().out
    assert pnp("printed", GAME, "--show") == 2


def test_games_are_listed_broken_ones_too(here: Path, capsys: Captured) -> None:
    assert pnp("games") == 0
    assert f"{GAME}  Lantern Walk, 2 to 4 players, 10 pieces" in capsys.readouterr().out
    change(here, "effect:", "efect:")
    assert pnp("games") == 0
    assert f"to see them: pnp check {GAME}" in capsys.readouterr().out


def test_check_finds_every_fault_and_exits_1(here: Path, capsys: Captured) -> None:
    assert pnp("check") == 0
    assert f"{GAME}: in order" in capsys.readouterr().out
    change(here, "gain_light: 3", "gain_lihgt: 3")
    assert pnp("check", GAME) == 1
    said = capsys.readouterr()
    assert f"{CARDS}:14" in said.err and "did you mean 'gain_light'" in said.err
    assert f"{GAME}: 1 error" in said.out


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("face: card", "face: crad", "no face template 'crad' (layouts/lantern-walk/faces/crad.yaml)"),
        ("format: poker", "format: pokre", "no piece format 'pokre'"),
    ],
)
def test_check_tells_an_unknown_template_or_format_once_and_where_it_is_named(
    here: Path, capsys: Captured, old: str, new: str, said: str
) -> None:
    change(here, old, new)
    assert pnp("check", GAME) == 1
    got = capsys.readouterr()
    line = (here / CARDS).read_text().splitlines().index(new) + 1
    assert f"{CARDS}:{line}:" in got.err and said in got.err and "did you mean" in got.err
    assert f"{GAME}: 1 error" in got.out


def test_check_tells_where_the_path_of_an_icon_is_wrong(here: Path, capsys: Captured) -> None:
    icons = f"layouts/{GAME}/icons.yaml"
    change(here, "M9 4H15M12 1V4", "M9 4H15 12 1W4", icons)
    assert pnp("check", GAME) == 1
    assert f"{icons}:3:" in capsys.readouterr().err


def test_the_only_game_of_a_project_need_not_be_named(here: Path, capsys: Captured) -> None:
    scene = here / "table.yaml"
    scene.write_text("pieces: [{piece: lantern/gust, at: [0, 0]}]\n")
    for words in (
        ["build", "--quiet"],
        ["printed"],
        ["diff", "--quiet"],
        ["rulebook"],
        ["watch", "--times", "1"],
        ["proof", "lantern/gust"],
        ["proof"],
        ["export", "tts"],
        ["scene", str(scene)],
    ):
        assert pnp(*words) == 0, (words, capsys.readouterr())
        assert GAME in capsys.readouterr().out or words[0] == "watch", words


def test_of_several_games_one_has_to_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)  # the games of the program
    for command in ("build", "rulebook", "printed", "diff", "proof", "watch"):
        assert pnp(command) == 2
        assert "name a game: dynasties, great-wall" in capsys.readouterr().err


def test_check_draws_every_face_in_both_inks(here: Path, capsys: Captured) -> None:
    face = f"layouts/{GAME}/faces/card.yaml"
    change(here, "box: [7, 57, 49, 11]", "box: [7, 57, 8, 3]", face)
    assert pnp("check", GAME) == 1
    err = capsys.readouterr().err
    assert f"{face}:10:" in err and "lantern/gust" in err and "does not fit" in err


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["biuld"], 2, "Did you mean 'build'"),
        (["build", GAME, "--all"], 2, "not both"),
        (["build", "lantern-wlak"], 2, "did you mean 'lantern-walk'"),
        (["build", GAME, "--paper", "a44"], 2, "did you mean 'a4'"),
        (["build", GAME, "--backs", "longg"], 2, "longg"),
        (["build", GAME, "--format", "pfd"], 2, "did you mean 'pdf'"),
        (["build", GAME, "--format", ","], 2, "--format"),
        (["build", GAME, "--no-such-option"], 2, "--no-such-option"),
        (["build", GAME, "--only", "lanten"], 2, "did you mean 'lantern'"),
        (["build", GAME, "--variant", "expert"], 2, "expert"),
        (["build", GAME, "--set", "gaol=3"], 2, "gaol"),
        (["build", GAME, "--set", "goal"], 2, "goal"),
        (["build", GAME, "--players", "9"], 2, "9"),
        (["diff", GAME], 2, "there is no record of printed pieces"),
        (["proof", GAME, "lantern/paper-mon"], 2, "did you mean 'lantern/paper-moon'"),
        (["schema", "gmae"], 2, "did you mean 'game'"),
        (["calibrate", "--paper", "lettre"], 2, "did you mean 'letter'"),
        (["--project", "nowhere", "games"], 2, "no folder nowhere"),
        (["games", "--project", "nowhere"], 2, "no folder nowhere"),
        (["check", GAME, "--project=nowhere", "--debug"], 2, "no folder nowhere"),
        (["check", "--project"], 2, "--project"),
        (["init", "."], 2, "not empty"),
    ],
)
def test_what_cannot_run_exits_2_and_says_why(
    here: Path, capsys: Captured, words: list[str], status: int, said: str
) -> None:
    assert pnp(*words) == status
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.out == ""
    assert "Traceback" not in captured.err


def test_a_project_without_games_says_how_to_make_one(home: Path, capsys: Captured) -> None:
    (home / "empty").mkdir()
    assert pnp("--project", str(home / "empty"), "games") == 2
    assert "pnp init DIR" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_exits_2(here: Path, capsys: Captured) -> None:
    (here / "output").write_text("in the way")
    assert pnp("build", GAME, "-q") == 2
    assert "output" in capsys.readouterr().err


def test_a_fault_of_ours_exits_70_and_saves_the_traceback(
    here: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the moon fell down")

    monkeypatch.setattr("generator.cli.run_build.build", broken)
    assert pnp("build", GAME, "-q") == 70
    err = capsys.readouterr().err
    assert "RuntimeError: the moon fell down" in err and "Traceback" not in err
    (saved,) = [word.rstrip(";") for word in err.split() if word.rstrip(";").endswith("pnp-fault.txt")]
    assert "the moon fell down" in Path(saved).read_text()
    assert pnp("--debug", "build", GAME, "-q") == 70
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_proof_draws_one_face(here: Path, capsys: Captured, kind: str) -> None:
    assert pnp("proof", GAME, "gust", "--side", "back", "--format", kind) == 0
    file = here / capsys.readouterr().out.strip()
    assert file.name == f"lantern-gust-back.{kind}"
    head = {"png": b"\x89PNG", "svg": b"<", "pdf": b"%PDF"}[kind]
    assert file.read_bytes().startswith(head)


def test_schemas_accept_the_files_they_are_for(here: Path, capsys: Captured) -> None:
    import jsonschema
    import yaml

    assert pnp("schema", "--out", "schemas") == 0
    assert len(capsys.readouterr().out.splitlines()) == len(list((here / "schemas").iterdir()))
    for kind, file in (
        ("game", f"components/{GAME}/game.yaml"),
        ("pieces", CARDS),
        ("theme", f"layouts/{GAME}/theme.yaml"),
    ):
        assert pnp("schema", kind) == 0
        schema = json.loads(capsys.readouterr().out)
        data = yaml.safe_load((here / file).read_text())
        jsonschema.validate(data, schema)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(data | {"surprise": 1}, schema)


def test_calibrate_makes_a_page_of_two_sides(here: Path, capsys: Captured) -> None:
    import pypdfium2

    assert pnp("calibrate", "--paper", "letter", "--backs", "short") == 0
    with pypdfium2.PdfDocument(here / capsys.readouterr().out.strip()) as document:
        assert len(document) == 2
        assert "100 mm" in document[0].get_textpage().get_text_range()


def second_game(project: Path, name: str, **changed: str) -> None:
    """A copy of the project's game under another name, with words of its cards replaced."""
    for room in ("components", "layouts"):
        shutil.copytree(project / room / GAME, project / room / name)
    change(project, f'id: "{GAME}"', f"id: {name}", f"components/{name}/game.yaml")
    for old, new in changed.items():
        change(project, old, new, f"components/{name}/lanterns.yaml")


def test_a_game_that_cannot_be_built_does_not_keep_back_the_others(here: Path, capsys: Captured) -> None:
    second_game(here, "a-broken-one", pieces="peices")
    assert pnp("build", "--all") == 1
    said = capsys.readouterr()
    assert "unknown key 'peices'" in said.err
    assert "Lantern Walk: 2 sheets" in said.out
    assert (here / "output" / GAME / "cards-a4-long.pdf").is_file()
    assert not (here / "output" / "a-broken-one").exists()
    assert pnp("build", GAME, "a-broken-one", "--json") == 1
    assert [report["game"] for report in json.loads(capsys.readouterr().out)] == [GAME]
    assert pnp("rulebook", "--all") == 1
    assert (here / "output" / GAME / "rulebook-a4-pages.pdf").is_file()


def test_what_is_wrong_with_the_command_is_said_once_for_all_games(here: Path, capsys: Captured) -> None:
    second_game(here, "another")
    assert pnp("build", "--all", "--paper", "a44", "-q") == 2
    assert capsys.readouterr().err.count("a44") == 1


def test_check_looks_at_the_game_as_settings_make_it(here: Path, capsys: Captured) -> None:
    assert pnp("check", GAME, "--set", "goal=14") == 0
    assert pnp("check", GAME, "--set", "gaol=14") == 2
    assert "did you mean 'goal'" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--only", "--variant"])
def test_an_empty_name_does_not_build_everything(option: str, here: Path, capsys: Captured) -> None:
    assert pnp("build", GAME, option, "") == 2
    assert "each need a name" in capsys.readouterr().err
    assert not (here / "output").exists()


def test_version_is_told_anywhere(capsys: Captured) -> None:
    assert pnp("--version") == 0
    assert capsys.readouterr().out.startswith("Tablewright ")


def test_a_proof_is_not_written_over_a_folder(here: Path, capsys: Captured) -> None:
    assert pnp("proof", GAME, "lantern/paper-moon", "--out", str(here)) == 2
    assert "is a folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("folder", "game", "title", "rule"),
    [("misty-harbour", "misty-harbour", "Misty Harbour", "MH-WALK-1"), ("2048", "2048", "2048", "20-WALK-1"),
     ("My game!", "My-game", "My Game", "MG-WALK-1"), ("true", "true", "True", "TR-WALK-1")],
)  # fmt: skip
def test_init_makes_a_game_of_that_name_that_builds_at_once(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured, folder: str, game: str, title: str, rule: str
) -> None:
    monkeypatch.chdir(home)
    assert pnp("init", folder) == 0
    monkeypatch.chdir(home / folder / "components")
    assert pnp("check") == 0
    assert f"{game}: in order" in capsys.readouterr().out
    assert pnp("build", "--all", "-q") == 0
    assert (home / folder / "output" / game / "cards-a4-long.pdf").is_file()
    made = resolve_game(game, root=home / folder)
    assert (made.title, next(iter(made.rules))) == (title, rule)


def test_export_says_where_it_wrote(here: Path, capsys: Captured) -> None:
    assert pnp("export", "tts", GAME, "--dpi", "50") == 0
    assert capsys.readouterr().out.strip() == f"3 files in {Path('output') / GAME / 'tts'}"


def test_watch_builds_again_after_a_change(here: Path, capsys: Captured) -> None:
    settings.choose(here)
    builds: list[int] = []

    def build() -> None:
        builds.append(1)
        if len(builds) == 1:
            change(here, "gain_light: 3", "gain_light: 4")

    watch(GAME, settings.places, build, 0.01, times=2)
    assert len(builds) == 2
    assert pnp("watch", GAME, "--times", "1") == 0
    assert "Lantern Walk: 2 sheets" in capsys.readouterr().out


def test_watch_goes_on_after_a_mistake(here: Path, capsys: Captured) -> None:
    change(here, "gain_light: 3", "gain_lihgt: 3")
    assert pnp("watch", GAME, "--times", "1") == 0
    assert "gain_lihgt" in capsys.readouterr().err


def test_the_games_of_the_program_are_there_outside_any_project(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(home)
    assert pnp("games") == 0
    assert "warring-states" in capsys.readouterr().out


def test_stopping_a_command_exits_130(here: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    for place, words in (("generator.cli.run_build.build", ["build"]), ("generator.build.watch.watch", ["watch"])):
        monkeypatch.setattr(place, stop)
        assert pnp(*words, GAME) == 130
        assert "Traceback" not in capsys.readouterr().err


def test_progress_on_a_terminal_stays_on_one_line(capsys: Captured) -> None:
    progress = Progress("game")
    progress._live = True
    for step in ((1, 0, 0), (3, 0, 20), (3, 20, 20)):
        progress(*step)
    progress.end()
    err = capsys.readouterr().err
    assert "\n" not in err and "\rgame: 3/5 faces 20/20" in err and err.endswith("\r")


def test_a_closed_pipe_is_no_fault(here: Path) -> None:
    script = f"{sys.executable} -m generator.cli schema pieces | head -c 1 > /dev/null; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"}
    )
    assert done.returncode in (0, 141)
    assert "Traceback" not in done.stderr and "BrokenPipe" not in done.stderr


def test_output_has_no_colour_and_any_encoding(here: Path) -> None:
    command = [sys.executable, "-m", "generator.cli", "build", GAME]
    env = os.environ | {"PYTHONIOENCODING": "ascii", "NO_COLOR": "1"}
    done = subprocess.run(command, capture_output=True, env=env)
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout + done.stderr
