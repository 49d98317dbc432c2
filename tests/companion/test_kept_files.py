"""What is kept can be had back: exports in any terminal, tables beside a stray file, files that survive the power."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from command_line import Companion

from companion.engine.table import journal
from companion.engine.table.aside import replaced
from companion.engine.table.digests import checksum
from companion.engine.table.history import Line
from companion.engine.table.keys import keep
from companion.engine.table.table import Table
from companion.games import load_rules
from components.trust import Trust

STREAM = b"\xe2\x80\xa8"
"""U+2028, which some programs take for the end of a line."""


def environment(home: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "TABLEWRIGHT_HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), **more}


def called(home: Path, *words: str | bytes, **more: str) -> subprocess.CompletedProcess[bytes]:
    """The companion in a process of its own."""
    command = [sys.executable, "-m", "companion.cli", *words]
    return subprocess.run(command, capture_output=True, env=environment(home, **more))


def files(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Every file below a folder, with when it was written and what stands in it."""
    return {str(file): (file.stat().st_mtime_ns, file.read_bytes()) for file in folder.rglob("*") if file.is_file()}


# --- one bad file hides no other ----------------------------------------


@pytest.mark.parametrize(
    "name", ["friday (copy).db", "ünder.db", "two words.db", "x\udcff\x1b[2J.db", f"{'x' * 90}.db"]
)
def test_a_file_of_any_name_hides_no_table(friday: Companion, home: Path, name: str) -> None:
    tables = home / "tables"
    shutil.copy(tables / "friday.db", tables / name)
    told = friday("tables")
    assert told.status == 1
    assert "friday: orchard, 2 lines" in told.out
    assert "no table can have this name; rename the file" in told.out and "\x1b" not in told.out
    rows = friday("tables", "--json").json["tables"]
    assert [bool(row["problem"]) for row in rows] == [False, True]
    assert friday("show").status == 0  # it is still the only table


@pytest.mark.parametrize("what", ["folder", "link", "pipe"])
def test_something_that_is_no_file_hides_no_table(friday: Companion, home: Path, what: str) -> None:
    strange = home / "tables" / "strange.db"
    if what == "folder":
        strange.mkdir()
    elif what == "link":
        strange.symlink_to(home / "nowhere")
    else:
        os.mkfifo(strange)
    told = friday("tables")
    assert (told.status, "friday: orchard, 2 lines" in told.out) == (1, True)


# --- what is exported can be imported ----------------------------------------


@pytest.mark.parametrize(("encoding", "form"), [("ascii", "jsonl"), ("cp1252", "jsonl"), ("ascii", "yaml")])
def test_an_export_is_utf_8_whatever_the_terminal_is(tmp_path: Path, encoding: str, form: str) -> None:
    assert called(tmp_path, "new", "xarkant", "red=Zoë Łukasz", "blue", "--table", "t").returncode == 0
    assert called(tmp_path, "note", "ça va — 茶").returncode == 0
    out = called(tmp_path, "export", "--format", form, PYTHONIOENCODING=encoding, PYTHONUTF8="0").stdout
    assert "Zoë Łukasz" in out.decode() and "茶" in out.decode()
    for mark in (b"", b"\xef\xbb\xbf"):  # some editors put one in front
        file = tmp_path / f"t.{form}"
        file.write_bytes(mark + out)
        again = called(tmp_path, "import", str(file), "--table", f"copy{len(mark)}")
        assert again.returncode == 0, again.stderr
        log = called(tmp_path, "log", "--table", f"copy{len(mark)}", PYTHONIOENCODING=encoding).stdout.decode()
        assert "ça va — 茶" in log


@pytest.mark.parametrize("form", ["jsonl", "yaml"])
def test_notes_that_an_older_version_kept_are_exported_and_imported(
    friday: Companion, home: Path, tmp_path: Path, form: str
) -> None:
    with Table.open(home / "tables" / "friday.db", load_rules) as table, table.writing():
        for text in ("a\u2028b\u2029c\x85d", "\x1b[2Jgone", "one\ntwo"):
            table.record(Line(kind="note", text=text), table.position)
    file = tmp_path / f"t.{form}"
    assert friday("export", "--format", form, "--out", str(file)).status == 0
    again = friday("import", str(file), "--table", "again")
    assert again.status == 0, again.err
    shown = friday("log", "--table", "friday").out + friday("log", "--table", "again").out
    assert "\x1b" not in shown and len(shown.splitlines()) == 2 * len(friday("log").out.splitlines())
    assert "\\x1b[2Jgone" in shown and "one\\ntwo" in shown
    raw = friday("log", "--json").out
    assert len(raw.splitlines()) == 1  # not even for a reader who takes U+2028 for the end of a line


# --- transcripts that were changed ----------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"how": "said"', '"how": "guessed"', ":3: steps[0].how: invalid enum value 'guessed'"),
        ('"how": "said"', '"how": 7', ":3: steps[0].how: expected"),
        ('"action": "pick"', '"action": 7', "line 3 (pick pear): no move is called 7"),
        ('"action": "pick"', '"action": "juggle"', "line 3 (pick pear): no move is called 'juggle'"),
        ('"move": {', '"move": [1], "was": {', ":3: steps[0].move: expected `object`"),
        ('"fruit": "Pear"', '"fruit": "Zzz"', "line 3 (pick pear): pick: 'Zzz' is not a valid fruit"),
        ('"player": "ana"', '"player": "zoe"', "line 3 (pick pear): pick: no player or seat is called 'zoe'"),
        ('"player": "ana"', '"player": {}', "line 3 (pick pear): pick: player: expected text, found a mapping"),
        ('"steps": [', '"steps": 7, "was": [', ":3: steps: expected `array`, got `int`"),
    ],
)
def test_a_changed_line_is_told_with_its_place(
    friday: Companion, tmp_path: Path, old: str, new: str, said: str
) -> None:
    friday("do", "pick pear")
    header, setup, *rows = friday("export").out.splitlines()
    rows = [row for row in rows if "pass" not in row]
    file = tmp_path / "t.jsonl"
    position = friday("export").out.splitlines()
    row = position[-1]
    assert old in row
    file.write_text("\n".join([header, setup, row.replace(old, new)]), encoding="utf-8")
    told = friday("import", str(file), "--table", "copy")
    assert told.status == 1, told.err
    assert said.replace("`", "").replace(" 3 ", " 2 ") in told.err.replace("`", ""), told.err
    assert [row["table"] for row in friday("tables", "--json").json["tables"]] == ["friday"]


def test_changed_transcripts_are_played_or_told(friday: Companion, home: Path, tmp_path: Path) -> None:
    friday("do", "pick pear", "storm ana", "pick red")
    friday("do", "ana ladder", "--override", "nobody minded")
    friday("correct", "coins.cai", "9", "--reason", "a gift")
    friday("people", "bo=Dora")
    friday("migrate", "--set", "ladder.cost=3", "--from", "now")
    rows = [msgspec.json.decode(row) for row in friday("export").out.splitlines()]
    rng = Random(5)
    file = tmp_path / "t.jsonl"
    for n in range(60):
        changed = msgspec.json.decode(msgspec.json.encode(rows))
        change(changed[rng.randrange(len(changed))], rng)
        file.write_bytes(b"\n".join(map(msgspec.json.encode, changed)))
        told = friday("import", str(file), "--table", f"t{n}")
        assert told.status in (0, 1, 2), (told.err, file.read_text())
        assert (home / "tables" / f"t{n}.db").exists() == (told.status == 0)
    assert friday("tables").status == 0


ODD: tuple[Any, ...] = (None, 0, -1, 10**12, 1.5, True, "", "x", "²", "\u2028", [], [[]], ["x"], {}, {"x": {}}, {"": 1})


def change(form: Any, rng: Random) -> None:
    """Put something odd in one place of plain data, or leave something out."""
    while True:
        keys = list(form) if isinstance(form, dict) else range(len(form))
        key = rng.choice(list(keys))
        if isinstance(form[key], dict | list) and form[key] and rng.random() < 0.7:
            form = form[key]
        elif rng.random() < 0.2:
            del form[key]
            return
        else:
            form[key] = rng.choice(ODD)
            return


@pytest.mark.parametrize("when", ["0001-01-01T00:00:00", "9999-12-31T23:59:59", "yesterday", "\x1b[2J"])
def test_a_moment_that_is_none_does_no_harm(friday: Companion, tmp_path: Path, when: str) -> None:
    rows = [msgspec.json.decode(row) for row in friday("export").out.splitlines()]
    for row in rows:
        row["created" if "created" in row else "when"] = when
    file = tmp_path / "t.jsonl"
    file.write_bytes(b"\n".join(map(msgspec.json.encode, rows)))
    assert friday("import", str(file), "--table", "copy").status == 0
    for command in ("tables", "stats"):
        assert friday(command).status == 0
    for words in (["summary"], ["export", "--format", "bgstats"], ["play"]):
        told = friday(*words, "--table", "copy")
        assert told.status == 0, told.err
        assert "\x1b" not in told.out


@pytest.mark.parametrize(
    ("people", "status"), [({"bo": 7}, 1), (["Dora"], 1), ("Dora", 1), ({"zoe": "Dora"}, 1), ({"bo": "Mary"}, 1)]
)
def test_people_of_a_transcript_are_read_before_they_sit(
    friday: Companion, tmp_path: Path, people: Any, status: int
) -> None:
    friday("people", "bo=Dora")
    rows = [msgspec.json.decode(row) for row in friday("export").out.splitlines()]
    rows[-1]["value"] = people
    file = tmp_path / "t.jsonl"
    file.write_bytes(b"\n".join(map(msgspec.json.encode, rows)))
    told = friday("import", str(file), "--table", "copy")
    assert told.status == status, told.err


# --- records that somebody made ----------------------------------------


def test_records_of_another_kind_are_told(friday: Companion, home: Path) -> None:
    """Their checksums are right: only their types are not those of a table."""
    path = home / "tables" / "friday.db"
    friday("do", "pick pear")
    friday("undo")
    friday("people", "bo=Dora")
    friday("migrate", "--set", "ladder.cost=3", "--from", "now")
    good = path.read_bytes()
    rng = Random(3)
    for _ in range(60):
        path.write_bytes(good)
        with sqlite3.connect(path) as connection:
            forge(connection, rng)
        connection.close()
        for command in ("show", "log", "score", "tables", "people", "summary", "stats", "export", "undo", "redo"):
            told = friday(command)
            assert told.status in (0, 1, 2), (command, told.err)
            assert "because of a bug" not in told.out


def forge(connection: sqlite3.Connection, rng: Random) -> None:
    """Change one value of a record, and write it back with its checksum."""
    if rng.random() < 0.4:
        key = rng.choice(["table", "last"])
        (value,) = connection.execute("SELECT value FROM about WHERE key = ?", (key,)).fetchone()
        form = msgspec.msgpack.decode(value)
        change(form, rng)
        blob = msgspec.msgpack.encode(form)
        connection.execute("UPDATE about SET value = ?, sum = ? WHERE key = ?", (blob, checksum(key, blob), key))
        return
    n, when, kind, body = rng.choice(connection.execute("SELECT n, at, kind, body FROM entries").fetchall())
    form = msgspec.json.decode(body)
    change(form, rng)
    kind = rng.choice([kind, kind, "undo", "redo", "amend", "migrate", "no such"])
    blob = msgspec.json.encode(form)
    kept = checksum(f"{n} {when} {kind} ", blob)
    connection.execute("UPDATE entries SET kind = ?, body = ?, sum = ? WHERE n = ?", (kind, blob, kept, n))


def test_a_number_beyond_the_file_is_no_entry(friday: Companion, home: Path) -> None:
    with sqlite3.connect(home / "tables" / "friday.db") as connection:
        connection.execute("UPDATE entries SET n = 1000000000000 WHERE n = 2")
    connection.close()
    began = time.process_time()
    told = friday("export")
    assert told.status == 1
    assert time.process_time() - began < 2
    assert len(told.err) < 2000


# --- reading writes nothing ----------------------------------------


def test_reading_a_table_writes_nothing(friday: Companion, home: Path) -> None:
    friday("new", "orchard", "x", "y", "--table", "saturday")
    before = files(home)
    for command in ("show", "log", "moves", "score", "export", "people", "summary", "tables", "stats", "check"):
        words = ["ana pick pear"] if command == "check" else []
        table = [] if command in ("tables", "stats") else ["--table", "friday"]
        friday(command, *words, *table)
    friday("do", "zzz", "--table", "friday")
    assert files(home) == before
    assert friday("show", "--json").json["table"] == "saturday"


@pytest.mark.parametrize("words", [("note", "hello"), ("play",)], ids=" ".join)
def test_a_disk_that_takes_no_note_of_the_last_table_stops_nothing(
    friday: Companion, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    friday("new", "orchard", "x", "y", "--table", "saturday")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "last-table")

    monkeypatch.setattr("companion.engine.table.shelf.write_whole", full)
    assert friday(*words, "--table", "friday").status == 0


# --- the power may fail ----------------------------------------


class Synchronised:
    """What was asked of the disk, in order: `("file", inode)` or `("folder", inode)` for each `fsync`, and
    `("name", inode)` for each name that a file got."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: list[tuple[str, int]] = []
        self.sync, self.replace, self.link = os.fsync, os.replace, os.link
        monkeypatch.setattr(os, "fsync", self.fsync)
        monkeypatch.setattr(os, "replace", self.replaced)
        monkeypatch.setattr(os, "link", self.linked)

    def fsync(self, handle: int) -> None:
        about = os.fstat(handle)
        self.seen.append(("folder" if stat.S_ISDIR(about.st_mode) else "file", about.st_ino))
        self.sync(handle)

    def replaced(self, old: Any, new: Any) -> None:
        self.seen.append(("name", os.stat(old).st_ino))
        self.replace(old, new)

    def linked(self, old: Any, new: Any, **more: Any) -> None:
        self.seen.append(("name", os.stat(old).st_ino))
        self.link(old, new, **more)

    def holds(self, file: Path, *, by_sqlite: bool = False) -> bool:
        """Whether the disk was told to hold a file before it got its name, and then the folder that names it."""
        mine, folder = file.stat().st_ino, file.parent.stat().st_ino
        named = self.seen.index(("name", mine))
        written = by_sqlite or ("file", mine) in self.seen[:named]
        return written and ("folder", folder) in self.seen[named:]


@pytest.mark.skipif(os.name != "posix", reason="folders are synchronised on POSIX")
def test_what_is_kept_is_on_the_disk_before_it_has_its_name(
    friday: Companion, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = Synchronised(monkeypatch)
    out, where = tmp_path / "t.jsonl", tmp_path / "p.yaml"
    assert friday("export", "--out", str(out)).status == 0
    assert friday("show", "--position-out", str(where)).status == 0
    assert friday("new", "orchard", "x", "y", "--table", "saturday").status == 0
    assert seen.holds(out)
    assert seen.holds(where)
    assert seen.holds(home / "last-table")
    assert seen.holds(home / "tables" / "saturday.db", by_sqlite=True)
    Trust(home / "trusted.json").remember(tmp_path)
    assert seen.holds(home / "trusted.json")
    keep(home / "tables" / "t.db", {}, {f"sealed:{'0' * 64}": "key"})
    assert seen.holds(next((home / "tables" / ".seals").iterdir()))
    table = home / "tables" / "friday.db"
    with replaced(table, table.with_name("friday.db.old")) as half:
        shutil.copy(table, half)
    assert seen.holds(table, by_sqlite=True)


def test_sqlite_waits_for_the_disk(friday: Companion, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A transaction is on the disk when it ends, and so is the removal of the rollback journal (EXTRA)."""
    real, modes = sqlite3.connect, []

    class Watched(sqlite3.Connection):
        def execute(self, sql: str, *more: Any) -> sqlite3.Cursor:
            if sql in ("COMMIT", "BEGIN IMMEDIATE"):
                modes.append(super().execute("PRAGMA synchronous").fetchone()[0])
                assert super().execute("PRAGMA journal_mode").fetchone()[0] == "delete"
            return super().execute(sql, *more)

    monkeypatch.setattr(journal.sqlite3, "connect", lambda *words, **more: real(*words, factory=Watched, **more))
    assert friday("note", "hello").status == 0
    assert friday("new", "orchard", "x", "y", "--table", "saturday").status == 0
    assert friday("undo", "--table", "friday").status == 0
    assert len(modes) >= 5 and set(modes) == {3}
