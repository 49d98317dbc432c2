"""What people, full disks and hostile files did to the companion: each gets an answer, and nothing else is touched."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import msgspec
import pytest
from command_line import Companion

import companion.engine.errors
import companion.games
from companion import games as companion_games
from companion.engine.language.positionfile import PositionFileError, read_position
from companion.engine.play.position import Position, Rules
from companion.engine.table import journal
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
def test_a_file_without_end_is_refused(
    friday: Companion, words: list[str], with_memory: Callable[[int], AbstractContextManager[None]]
) -> None:
    with with_memory(2**29):
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


# --- names and texts ----------------------------------------


def test_a_name_written_in_two_ways_is_one(companion: Companion) -> None:
    twice = companion("new", "orchard", "ana=Zo\u00e9", "bo=Zoe\u0301", "--table", "t")
    assert (twice.status, "two people are called" in twice.err) == (2, True)
    assert companion("new", "orchard", "ana=Zoe\u0301", "bo=Ben", "--table", "t").status == 0
    assert companion("show", "--json").json["people"]["ana"] == "Zo\u00e9"
    for name in ("Zo\u00e9", "Zoe\u0301"):
        assert companion("do", f"{name} pass").status in (0, 1)
        assert companion("check", "pass", "--as", name).status in (0, 1)
        assert companion("show", "--seat", name).status == 0
        assert companion("play", stdin=f"as {name}\ncheck pass\n").err == ""


def test_a_name_that_an_older_version_kept_is_found(companion: Companion, home: Path) -> None:
    from companion.engine.table.table import Table

    assert companion("new", "orchard", "ana=X", "bo=Ben", "--table", "t").status == 0
    with Table.open(home / "tables" / "t.db", companion_games.load_rules) as table, table.journal.writing():
        about = msgspec.structs.replace(table.about, people={"ana": "Zoe\u0301", "bo": "Ben"})
        journal._keep(table.journal._db, "table", msgspec.msgpack.encode(about))
    assert companion("show", "--seat", "Zo\u00e9").status == 0
    assert companion("check", "Zo\u00e9 pass").status in (0, 1)


@pytest.mark.parametrize(
    ("person", "said"),
    [
        ("A\x1b[31mnn", "a name cannot hold the control character U+001B"),
        ("x" * 100_000, "a name has 100000 characters; at most 80 are allowed"),
        ("Ann\u202e", "U+202E"),
    ],
)
def test_a_name_that_cannot_be_kept_is_told(companion: Companion, person: str, said: str) -> None:
    for words in ([f"ana={person}", "bo"], ["ana", f"{person}=bo"]):
        told = companion("new", "orchard", *words, "--table", "t")
        assert told.status == 2 and said in told.err, told.err[:300]
    assert companion("tables", "--json").json["tables"] == []


@pytest.mark.parametrize("rename", [[], ["--rename"]], ids=["takes over", "renamed"])
def test_who_sits_down_later_has_a_name_like_any(friday: Companion, rename: list[str]) -> None:
    for person in ("A\x1b[31mnn", "x" * 81, "Ann\u202e"):
        told = friday("people", f"bo={person}", *rename)
        assert (told.status, told.err.startswith("the name of bo ")) == (2, True), told.err
    assert friday("people", "bo=Zoe\u0301\u2028L", *rename).status == 0
    assert friday("show", "--json").json["people"]["bo"] == "Zo\u00e9 L"
    assert friday("people", "Zoe\u0301 L=Ben").status == 0


def test_the_ends_of_lines_in_a_name_are_spaces(companion: Companion) -> None:
    assert companion("new", "orchard", "ana=Ann\nMarie", "bo=B\u2028en", "--table", "t").status == 0
    assert companion("show", "--json").json["people"] == {"ana": "Ann Marie", "bo": "B en"}


@pytest.mark.parametrize(
    "words", [("note",), ("do", "ana ladder", "--override"), ("correct", "coins.ana", "1", "--reason")]
)
def test_no_text_of_a_table_steers_a_terminal(friday: Companion, words: tuple[str, ...]) -> None:
    told = friday(*words, "look\x1b[2J")
    assert (told.status, "U+001B" in told.err) == (2, True)
    assert friday(*words, "one\u2028two\nthree").status == 0
    assert "one two three" in friday("log").out
    assert friday(*words, "x" * 5000).status == 2


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


@pytest.mark.skipif(os.name != "posix", reason="streams are closed with a shell of POSIX")
@pytest.mark.parametrize(("words", "closed", "status"), [("games", ">&-", 2), ("games", "2>&-", 0), ("play", "<&-", 0)])
def test_a_closed_stream_is_no_fault(tmp_path: Path, words: str, closed: str, status: int) -> None:
    env = environment(tmp_path)
    started = subprocess.run(
        [sys.executable, "-m", "companion.cli", "new", "xarkant", "red", "blue"], env=env, capture_output=True
    )
    assert started.returncode == 0
    command = f"exec {sys.executable} -m companion.cli {words} {closed}"
    done = subprocess.run(command, shell=True, env=env, capture_output=True)
    assert done.returncode == status
    assert b"Traceback" not in done.stderr
    if closed == ">&-":
        assert b"the output could not be written" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_a_line_whose_answer_is_lost_is_told_to_be_recorded(tmp_path: Path) -> None:
    env = environment(tmp_path)
    command = [sys.executable, "-m", "companion.cli"]
    subprocess.run([*command, "new", "xarkant", "red", "blue"], env=env, capture_output=True, check=True)
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*command, "note", "hello"], stdout=full, stderr=subprocess.PIPE, env=env)
        shown = subprocess.run([*command, "show"], stdout=full, stderr=subprocess.PIPE, env=env)
    assert (done.returncode, shown.returncode) == (2, 2)
    assert b"could not be written" in shown.stderr and b"recorded" not in shown.stderr
    assert b"what happened at table xarkant is recorded all the same" in done.stderr
    log = subprocess.run([*command, "log"], capture_output=True, env=env)
    assert log.stdout.count(b"hello") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="a file name is any bytes")
def test_a_project_whose_path_is_no_text_is_told(own: Path, tmp_path: Path) -> None:
    strange = tmp_path / "gam\udce9s"
    own.rename(strange)
    command = [sys.executable, "-m", "companion.cli", "games"]
    done = subprocess.run(command, capture_output=True, env=environment(tmp_path), cwd=strange)
    assert done.returncode == 2
    assert "the path of this project is not UTF-8 text; rename the folder" in done.stderr.decode()


@pytest.mark.parametrize(("signal_name", "status"), [("SIGTERM", -15), ("SIGHUP", -1), ("SIGINT", 0)])
def test_a_signal_leaves_the_terminal_as_it_was(tmp_path: Path, signal_name: str, status: int) -> None:
    termios = pytest.importorskip("termios")
    import select

    env = environment(tmp_path, TERM="xterm")
    command = [sys.executable, "-m", "companion.cli"]
    subprocess.run([*command, "new", "xarkant", "red", "blue"], env=env, capture_output=True, check=True)
    ours, theirs = os.openpty()
    before = termios.tcgetattr(theirs)
    process = subprocess.Popen(
        [*command, "play"], stdin=theirs, stdout=theirs, stderr=theirs, env=env, start_new_session=True
    )
    shown = b""

    def read(until: float, *, stop: bytes = b"\0") -> None:
        nonlocal shown
        end = time.monotonic() + until
        while time.monotonic() < end and stop not in shown and process.poll() is None:
            if select.select([ours], [], [], 0.05)[0]:
                shown += os.read(ours, 65536)

    try:
        read(20, stop=b">")
        assert termios.tcgetattr(theirs) != before  # the prompt has it
        process.send_signal(getattr(signal, signal_name))
        if status == 0:
            os.write(ours, b"quit\r")
        read(20)
        assert process.wait(5) == status
        assert termios.tcgetattr(theirs) == before
        assert b"Traceback" not in shown
    finally:
        process.kill()
        process.wait()
        os.close(ours)
        os.close(theirs)


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
