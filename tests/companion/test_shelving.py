"""The tables there are: listed by when they were played, renamed, archived and deleted."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from command_line import Companion

from companion.cli.shelving import when
from companion.engine.table import journal
from companion.phones.chairs import GUEST, Chairs


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the journals take for the time: set its only item."""
    told = ["2026-11-20T19:00:00+00:00"]
    monkeypatch.setattr(journal, "now", lambda: told[0])
    monkeypatch.setattr("companion.engine.table.table.now", lambda: told[0])
    return told


def names(companion: Companion, *options: str) -> list[str]:
    return [row["table"] for row in companion("tables", "--json", *options).json["tables"]]


def test_the_table_played_last_comes_first(companion: Companion, clock: list[str]) -> None:
    for name in ("first", "second"):
        assert companion("new", "orchard", "ana=Mary", "bo", "--table", name).status == 0
        clock[0] = "2026-11-20T20:00:00+00:00"
    clock[0] = "2026-11-21T21:30:00+00:00"
    companion("note", "tea", "--table", "first")
    listed = companion("tables", "--json").json["tables"]
    assert [(row["table"], row["played"]) for row in listed] == [
        ("first", "2026-11-21T21:30:00+00:00"),
        ("second", "2026-11-20T20:00:00+00:00"),
    ]
    (first, second) = companion("tables").out.splitlines()
    assert first.startswith("first: orchard, 2 lines, ")
    assert "(ana Mary, bo), last played 2026-11-2" in first
    assert second.startswith("second: orchard, 1 line, ")


def test_a_moment_is_told_as_people_say_it() -> None:
    now = datetime.now().astimezone()
    assert when(now.isoformat()) == f"today {now:%H:%M}"
    day = now - timedelta(days=1)
    assert when(day.isoformat()) == f"yesterday {day:%H:%M}"
    assert when("2020-02-03T12:00:00+00:00").startswith("2020-02-03 ")
    assert when("tea time") == "tea time"


def test_a_table_is_renamed_with_all_that_is_in_it(friday: Companion) -> None:
    state = friday("show", "--json").json
    assert friday("rename", "friday", "saturday").out == "table friday is now called saturday\n"
    again = friday("show", "--json").json  # it is still the table used last
    assert again.pop("table") == "saturday"
    assert state.pop("table") == "friday"
    assert again == state
    assert names(friday) == ["saturday"]
    assert '"table": "saturday"' in friday("export").out


def test_a_name_that_is_taken_or_none_is_refused(friday: Companion) -> None:
    friday("new", "orchard", "x", "y", "--table", "sunday")
    for old, new, said in (
        ("friday", "sunday", "table 'sunday' already exists"),
        ("friday", "../x", "cannot be the name of a table"),
        ("fryday", "monday", "did you mean 'friday'?"),
    ):
        refused = friday("rename", old, new)
        assert (refused.status, said in refused.err) == (2, True), refused.err
    friday("archive", "sunday")
    assert "already exists and is archived" in friday("rename", "friday", "sunday").err
    assert "already exists and is archived" in friday("new", "orchard", "x", "y", "--table", "sunday").err
    assert sorted(names(friday)) == ["friday"]


def test_a_table_is_archived_and_brought_back(friday: Companion) -> None:
    friday("new", "orchard", "x", "y", "--table", "sunday")
    assert friday("archive", "friday").status == 0
    assert names(friday) == ["sunday"]
    assert names(friday, "--archived") == ["friday"]
    assert "1 archived table" in friday("tables").err
    assert "`companion archive friday --undo` brings it back" in friday("show", "--table", "friday").err
    assert friday("archive", "friday").status == 2
    assert friday("archive", "friday", "--undo", "--json").json["archived"] is False
    assert friday("show", "--table", "friday").status == 0
    assert "is not archived" in friday("archive", "friday", "--undo").err


def test_a_table_is_deleted_only_if_that_is_meant(friday: Companion, home: Path) -> None:
    refused = friday("delete", "friday")
    assert (refused.status, "--yes" in refused.err) == (2, True)
    assert names(friday) == ["friday"]
    friday("archive", "friday")
    assert friday("delete", "friday", "--yes").out == "table friday is deleted\n"
    assert names(friday) == names(friday, "--archived") == []
    assert [file.name for file in (home / "tables").rglob("*") if file.is_file()] == []


@pytest.mark.parametrize("command", ["rename friday monday", "archive friday", "delete friday --yes"])
def test_a_table_that_somebody_writes_to_stays_where_it_is(friday: Companion, home: Path, command: str) -> None:
    other = sqlite3.connect(home / "tables" / "friday.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        refused = friday(*command.split())
    finally:
        other.close()
    assert (refused.status, "another program is writing to this table" in refused.err) == (2, True)
    assert names(friday) == ["friday"]


def test_a_damaged_table_is_listed_and_can_be_put_away(friday: Companion, home: Path) -> None:
    friday("new", "orchard", "x", "y", "--table", "sunday")
    (home / "tables" / "friday.db").write_bytes(b"no table at all")
    listed = friday("tables")
    assert listed.status == 1
    assert "sunday: orchard, 1 line" in listed.out
    assert friday("archive", "friday").status == 0
    assert friday("tables").status == 0


def test_play_without_a_name_says_which_table_it_opens(friday: Companion) -> None:
    assert "used last" not in friday("play", stdin="").err
    friday("new", "orchard", "x", "y", "--table", "sunday")
    told = friday("play", stdin="").err
    assert told.startswith("table sunday\n  used last, in this terminal or another; last played today ")
    assert "companion play NAME (friday, sunday)" in told
    assert "used last" not in friday("play", "friday", stdin="").err


def test_links_of_phones_go_with_their_table(friday: Companion, home: Path) -> None:
    """A renamed table keeps its links; a new table of an old name has others."""
    links = Chairs(home / "tables" / "friday.db").of(GUEST)
    assert friday("rename", "friday", "saturday").status == 0
    assert Chairs(home / "tables" / "saturday.db").of(GUEST) == links
    assert friday("delete", "saturday", "--yes").status == 0
    for name in ("friday", "saturday"):
        assert Chairs(home / "tables" / f"{name}.db").of(GUEST) != links
