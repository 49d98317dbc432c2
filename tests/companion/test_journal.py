"""The journal: durable at once, append only, safe with several writers, clear about files that are not ours."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

from companion.engine.errors import CompanionError
from companion.engine.table.history import Entry, fold
from companion.engine.table.journal import Journal, JournalError
from companion.engine.table.table import Table
from companion.engine.table.transcript import of_table, replay, to_json_lines
from companion.engine.table.transcript import read as read_transcript
from companion.games import load_rules
from components.model import ResolvedGame

COMMAND = Path(__file__).parent / "toy" / "command.py"
TIMES = int(os.environ.get("TORTURE", "1"))


@pytest.fixture
def path(game: ResolvedGame, tmp_path: Path) -> Path:
    path = tmp_path / "tables" / "t.db"
    made, _ = Table.create(path, game, load_rules, people={"ana": "", "bo": ""})
    assert made is not None
    made.close()
    return path


def scribbler(path: Path) -> subprocess.Popen[str]:
    home = str(path.parent.parent)
    return subprocess.Popen([sys.executable, str(COMMAND), home, "scribble", "t"], stdout=subprocess.PIPE, text=True)


def test_kill_at_any_moment_loses_at_most_the_line_being_written(path: Path) -> None:
    kills_while_writing(path, (3, 10))


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(13 * TIMES))
def test_many_kills_lose_at_most_the_line_being_written(path: Path, seed: int) -> None:
    rng, lines = Random(seed), 1
    for _ in range(40):
        lines += rng.randint(1, 6)
        kills_while_writing(path, (lines,))
        with Table.open(path, load_rules) as table:
            lines = len(table.history.lines)


def kills_while_writing(path: Path, moments: Iterable[int]) -> None:
    """Kill a process that writes line after line once it has said that it wrote so many."""
    for wanted in moments:
        process = scribbler(path)
        assert process.stdout is not None
        said = 0
        for line in process.stdout:
            said = int(line)
            if said >= wanted:
                break
        process.send_signal(signal.SIGKILL)
        said = max([said, *(int(line) for line in process.stdout if line.endswith("\n"))])
        process.wait()
        process.stdout.close()
        with Table.open(path, load_rules) as table:
            kept = len(table.history.lines)
            assert said <= kept <= said + 1
            assert [line.text for line in table.history.lines[1:]] == [f"line {n}" for n in range(2, kept + 1)]


def test_two_tables_open_on_one_journal_never_interleave_wrongly(path: Path) -> None:
    with Table.open(path, load_rules) as one, Table.open(path, load_rules) as two:
        assert one.do(one.read("ana pass")).done
        late = two.do(two.read("ana pass"))
        assert late.verdict.legal is False  # judged on what `one` had recorded meanwhile
        assert two.do(two.read("bo pass")).done
        assert one.undo() == "bo pass"
        one.refresh()
        two.refresh()
        assert one.position.state == two.position.state
        assert [e.n for e in two.entries] == [1, 2, 3, 4]


def test_several_writers_at_once_lose_nothing(path: Path) -> None:
    writers = [scribbler(path) for _ in range(2)]
    for writer in writers:
        assert writer.stdout is not None
        for _ in range(4):
            writer.stdout.readline()
    for writer in writers:
        writer.kill()
        writer.wait()
        assert writer.stdout is not None
        writer.stdout.close()
    with Table.open(path, load_rules) as table:
        assert [e.n for e in table.entries] == list(range(1, len(table.entries) + 1))
        assert len(table.entries) >= 9


def test_a_failure_while_writing_leaves_nothing(path: Path) -> None:
    with Journal.open(path) as journal:
        with pytest.raises(RuntimeError), journal.writing():
            journal.append("line", {"kind": "note", "text": "half"})
            raise RuntimeError
        assert journal.last() == 1


def test_a_journal_that_cannot_be_written_says_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.engine.table.journal.WAIT_SECONDS", 0.05)
    with Table.open(path, load_rules) as table, Journal.open(path) as other:
        with other.writing(), pytest.raises(JournalError, match="cannot be written: another program is writing"):
            table.note("never")
        connection = sqlite3.connect(path)
        connection.execute(
            "CREATE TRIGGER full BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
        )
        connection.close()
        with pytest.raises(JournalError, match="disk is full"):
            table.note("never")
        assert len(table.history.lines) == 1


def test_the_rules_are_kept_inside(path: Path, game: ResolvedGame) -> None:
    with Journal.open(path) as journal:
        assert journal.game(game.fingerprint) == game
        assert journal.about().people == {"ana": "", "bo": ""}


def test_a_table_is_one_file(path: Path) -> None:
    assert [p.name for p in path.parent.iterdir()] == ["t.db"]


def test_files_that_are_no_tables_are_refused(tmp_path: Path, path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("hello " * 1000)
    other = tmp_path / "other.db"
    sqlite3.connect(other).execute("CREATE TABLE x (y)").connection.close()
    for wrong in (text, other, tmp_path / "none.db"):
        with pytest.raises(JournalError):
            Journal.open(wrong)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(JournalError, match="format 99"):
        Journal.open(path)


def test_a_damaged_table_is_refused(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2 :] = b"\x00" * (len(data) - len(data) // 2)
    path.write_bytes(data)
    with pytest.raises(JournalError):
        Table.open(path, load_rules)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE about SET value = x'00ff'",
        "UPDATE games SET game = x'c1'",
        "UPDATE entries SET body = '{\"steps\"'",
        """UPDATE entries SET body = '{"steps": [{"how": "said", "move": {"action": "no such"}}]}'""",
        """UPDATE entries SET body = '{"steps": 3}'""",
        "DELETE FROM about",
    ],
)
def test_a_journal_that_cannot_be_played_is_refused(path: Path, damage: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(damage)
    connection.close()
    with pytest.raises(CompanionError, match=path.name):
        Table.open(path, load_rules)


def test_a_full_disk_leaves_no_half_made_table(path: Path, game: ResolvedGame, monkeypatch: pytest.MonkeyPatch) -> None:
    with Journal.open(path) as journal:
        about, last = journal.about(), journal.last_state()

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("companion.engine.table.journal._keep_game", full)
    with pytest.raises(JournalError, match=r"cannot be written \(database or disk is full\)"):
        Journal.create(path.with_name("b.db"), about, game, last)
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_there_are_no_two_tables_of_one_name(path: Path, game: ResolvedGame) -> None:
    with Journal.open(path) as journal:
        about, last = journal.about(), journal.last_state()
    with pytest.raises(JournalError, match="already exists"):
        Journal.create(path, about, game, last)


def entry(n: int, kind: str, **body: object) -> Entry:
    return Entry(n, "", kind, body)  # type: ignore[arg-type]


def test_folding_undo_and_redo() -> None:
    entries = [entry(1, "line", text="a", setup=True), entry(2, "line", text="b"), entry(3, "line", text="c")]
    entries += [entry(4, "undo", target=3), entry(5, "undo", target=2), entry(6, "redo", target=2)]
    history = fold(entries, "f")
    assert [line.text for line in history.lines] == ["a", "b"]
    assert (history.redoable, history.undoable, history.last) == ([3], 2, 6)
    history = fold([*entries, entry(7, "line", text="d")], "f")
    assert [line.text for line in history.lines] == ["a", "b", "d"]
    assert (history.redoable, history.undoable) == ([], 7)


def test_the_set_up_is_not_undone() -> None:
    assert fold([entry(1, "line", text="a", setup=True)], "f").undoable is None
    assert fold([], "f").last == 0


# --- what is made is whole or not there ----------------------------------------


@pytest.fixture
def transcript(path: Path) -> Path:
    """A transcript of some length, in a file."""
    with Table.open(path, load_rules) as table, table.writing():
        for number in range(300):
            table.note(f"line {number}")
    out = path.parent.parent / "t.jsonl"
    with Table.open(path, load_rules) as table:
        out.write_text(to_json_lines(of_table(table)), encoding="utf-8")
    return out


@pytest.mark.parametrize(
    "share",
    [0.2, 0.4, 0.6, 0.8, *(pytest.param(n / (200 * TIMES), marks=pytest.mark.torture) for n in range(200 * TIMES))],
)
def test_an_import_that_is_killed_leaves_no_table(path: Path, transcript: Path, share: float) -> None:
    home = path.parent.parent
    command = [sys.executable, str(COMMAND), str(home), "import", str(transcript), "--table", "copy"]
    copy = path.with_name("copy.db")
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    whole = time.perf_counter() - began
    copy.unlink()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(whole * share)
    process.kill()
    process.wait()
    if copy.exists():  # it was through already
        with Table.open(copy, load_rules) as table:
            assert len(table.history.lines) == 301
    copy.unlink(missing_ok=True)
    subprocess.run(command, check=True, capture_output=True)
    assert sorted(file.name for file in path.parent.iterdir()) == ["copy.db", "t.db"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_an_import_that_is_stopped_leaves_nothing(
    path: Path, transcript: Path, game: ResolvedGame, error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(self: Table, text: str) -> None:
        if text == "line 200":
            raise error

    monkeypatch.setattr(Table, "note", stop)
    with pytest.raises(error):
        replay(read_transcript(transcript), path.with_name("copy.db"), game, load_rules)
    assert [file.name for file in path.parent.iterdir()] == ["t.db"]


def test_what_a_killed_process_left_is_cleared_away(path: Path, game: ResolvedGame) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    running = path.with_name(f".u.db.{os.getppid()}")
    for left in (f".t.db.{gone.pid}", f".u.db.{gone.pid}-journal", running.name):
        path.with_name(left).touch()
    made, _ = Table.create(path.with_name("v.db"), game, load_rules, people={"ana": "", "bo": ""})
    assert made is not None
    made.close()
    assert sorted(file.name for file in path.parent.iterdir()) == [running.name, "t.db", "v.db"]


# --- damaged files ----------------------------------------


def test_a_table_cut_short_is_refused(path: Path) -> None:
    good = path.read_bytes()
    for length in range(0, len(good), 2048):
        path.write_bytes(good[:length])
        with pytest.raises(CompanionError, match=path.name):
            Table.open(path, load_rules)


def test_a_schema_that_is_not_text_is_told(path: Path) -> None:
    """SQLite quotes it in its message, which Python cannot decode."""
    good = path.read_bytes()
    for at in range(good.index(b"CREATE TABLE"), good.index(b"CREATE TABLE") + 60):
        path.write_bytes(good[:at] + b"\xc2" + good[at + 1 :])
        try:
            Table.open(path, load_rules).close()
        except CompanionError as error:
            assert path.name in str(error)


@pytest.mark.parametrize("flips", [300, pytest.param(3000 * TIMES, marks=pytest.mark.torture)])
def test_a_flipped_bit_or_a_cut_is_told_or_changes_nothing(path: Path, flips: int) -> None:
    with Table.open(path, load_rules) as table:
        for line in ("ana pass", "bo pass", "ana pick pear", "bo pick pear"):
            assert table.do(table.read(line), line).done
        table.correct("coins.ana", 5, "miscounted")
        table.undo()
        whole, log = table.position.state, [line.text for line in table.log()]
    good = path.read_bytes()
    rng = Random(8)
    spots = [rng.randrange(len(good)) for _ in range(flips)]
    spots += [good.index(word) + n for word in (b"bo pass", b"Pear", b'"steps"') for n in range(6)]
    told = 0
    for spot in spots:
        damaged = bytearray(good)
        damaged[spot] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        try:
            with Table.open(path, load_rules) as table:
                assert (table.position.state, [line.text for line in table.log()]) == (whole, log), spot
        except CompanionError as error:
            assert path.name in str(error)
            told += 1
    assert told > len(spots) / 20
