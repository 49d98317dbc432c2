"""What people, full disks and hostile files did to the companion: each gets an answer, and nothing else is touched."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import Companion

import companion.engine.errors
import companion.games
from companion.engine.language.positionfile import PositionFileError, read_position
from companion.engine.play.position import Position, Rules
from companion.engine.table.corrections import corrected
from components.resolve import resolve_game

ZERO = Path("/dev/zero")


@pytest.fixture
def friday(companion: Companion) -> Companion:
    """A table of the toy game."""
    assert companion("new", "orchard", "ana", "bo", "--table", "friday").status == 0
    return companion


@pytest.fixture(scope="module")
def states() -> Rules:
    return companion.games.load_rules(resolve_game("warring-states"))


# --- files ----------------------------------------


@pytest.mark.skipif(not ZERO.exists(), reason="there is no device without end")
@pytest.mark.parametrize(
    "words",
    [
        ["do", "--move-file", str(ZERO)],
        ["check", "--move-file", str(ZERO)],
        ["check", "orchard", "--position", str(ZERO), "ana pass"],
        ["import", str(ZERO)],
    ],
    ids=" ".join,
)
def test_a_file_without_end_is_refused(friday: Companion, words: list[str]) -> None:
    refused = friday(*words)
    assert refused.status == 2
    assert str(ZERO) in refused.err and "larger than" in refused.err


@pytest.mark.parametrize("words", [["show", "--position-out"], ["export", "--out"], ["show", "--svg"]], ids=" ".join)
def test_no_file_is_written_through_a_link(friday: Companion, tmp_path: Path, words: list[str]) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("precious")
    link.symlink_to(target)
    assert friday(*words, str(link)).status == 2
    assert target.read_text() == "precious" and link.is_symlink()
    if Path(os.devnull).exists():
        assert friday(*words, os.devnull).status == 2


# --- positions ----------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "phase: war",
        "{phase: build, active: Qin, new: [x]}",
        "winner: ''",
        "{players: {Qin: {provinces: {razed: 100000000}}, Chu: {}}}",
        "players: 1e400",
        "{players: {Qin: .inf}}",
    ],
)
def test_a_position_that_cannot_be_is_refused_in_its_place(states: Rules, tmp_path: Path, text: str) -> None:
    file = tmp_path / "p.yaml"
    file.write_text(text)
    with pytest.raises(PositionFileError, match=r"p\.yaml:1:"):
        read_position(file, states)


@pytest.mark.parametrize(
    ("field", "value"),
    [("event", "zzz"), ("phase", "income"), ("players", {}), ("winner", "zz"), ("seats", []), ("turn", 10**20)],
)
def test_a_correction_takes_no_more_than_a_position_file(states: Rules, field: str, value: object) -> None:
    at: Position[object] = Position(states, states.new_state())
    assert at.play(states.setup_move(["Qin", "Chu", "Zhao"], {})).legal
    try:
        here: Position[object] = Position(states, corrected(states, at.state, field, value))
    except companion.engine.errors.CompanionError:
        return
    states.show(here)
    states.score(here)
    here.legal()


# --- the process ----------------------------------------


def environment(home: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "TABLEWRIGHT_HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), **more}


def test_letters_that_the_terminal_lacks_do_no_harm(tmp_path: Path) -> None:
    env = environment(tmp_path, PYTHONIOENCODING="ascii")

    def said(*words: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([sys.executable, "-m", "companion.cli", *words], capture_output=True, env=env)

    assert said("new", "xarkant", "red=Zoé", "blue").returncode == 0
    assert said("note", "ça va — bien").returncode == 0
    log = said("log")
    assert log.returncode == 0 and b"a va" in log.stdout


def test_messages_that_cannot_be_written_do_not_change_the_status(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        return
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "companion.cli", "show"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=full, env=environment(tmp_path))
    assert done.returncode == 2


@pytest.mark.skipif(os.name != "posix", reason="signals are sent on POSIX")
def test_stopping_while_it_starts_shows_no_traceback(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "companion.cli", "games"]
    env = environment(tmp_path)
    began = time.perf_counter()
    subprocess.run(command, env=env, capture_output=True, check=True)
    lasts = time.perf_counter() - began
    for share in (0.4, 0.6, 0.8):
        process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(lasts * share)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate()
        assert b"companion/" not in told or b"Traceback" not in told, told.decode()
        assert process.returncode in (0, 130, -signal.SIGINT)
