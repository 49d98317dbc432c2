"""Tables that earlier versions wrote are opened once and kept; what today's code plays otherwise is told."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from command_line import Companion

from companion.cli.common import Settings, opened
from companion.engine.play.position import Position
from companion.engine.table.amending import amend
from companion.engine.table.digests import checksum, form_of, hash_of
from companion.engine.table.history import Line
from companion.engine.table.journal import OutOfDate
from companion.engine.table.migrating import migrate, unswitchable
from companion.engine.table.table import Table, TableError
from companion.games import load_rules
from components.model import ResolvedGame

TOY = Path(__file__).parent / "toy"
TABLES = Path(__file__).parents[1] / "fixtures" / "tables"
EARLIER: dict[str, dict[str, Any]] = json.loads((TABLES / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture
def companion(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Companion:
    monkeypatch.setattr(Settings, "root", None)
    return Companion(capsys, monkeypatch)


def earlier(name: str, home: Path) -> Path:
    """A table of format 1 on the shelf."""
    path = home / "tables" / f"{name}.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(gzip.decompress((TABLES / f"{name}.db.gz").read_bytes()))
    return path


@pytest.mark.parametrize("name", EARLIER)
def test_a_table_of_an_earlier_version_opens_and_goes_on(name: str, companion: Companion, home: Path) -> None:
    path = earlier(name, home)
    old = path.read_bytes()
    expected = EARLIER[name]
    score = companion("score", "--json")
    assert score.json["totals"] == expected["totals"]
    assert f"{expected['lines']} lines stand." in score.err
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name, f"{path.name}.old"]
    assert path.with_name(f"{path.name}.old").read_bytes() == old
    again = companion("log", "--all")
    assert (again.status, again.err) == (0, "")
    with Table.open(path, load_rules) as table:
        assert len(table.history.lines) == expected["lines"]
        assert len(table.history.fallen) == expected["fallen"]
        assert len(table.entries) == expected["entries"] + 1


@pytest.mark.parametrize("name", [name for name in EARLIER if name.endswith("amended")])
def test_what_was_played_before_an_upgrade_can_be_taken_back(name: str, companion: Companion, home: Path) -> None:
    with opened(earlier(name, home)) as table:
        states = [table.position.state]
        while table.history.undoable is not None:
            table.undo()
            states.append(table.position.state)
        assert len(states) > 5
        for state in reversed(states[:-1]):
            table.redo()
            assert table.position.state == state


def test_a_list_of_tables_brings_earlier_ones_up_to_date(companion: Companion, home: Path) -> None:
    earlier("xarkant-small", home)
    assert companion("tables", "--json").json["tables"][0]["lines"] == 12
    assert companion("tables").err == ""


def test_an_earlier_table_that_is_damaged_stays_as_it_is(companion: Companion, home: Path) -> None:
    path = earlier("dynasties-small", home)
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("UPDATE entries SET body = x'ff' WHERE n = 5")
    connection.close()
    before = path.read_bytes()
    result = companion("show")
    assert (result.status, path.name in result.err) == (2, True)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_what_a_table_had_chosen_and_there_no_longer_is_is_told(companion: Companion, home: Path) -> None:
    path = earlier("dynasties-middle", home)
    connection = sqlite3.connect(path)
    (blob,) = connection.execute("SELECT game FROM games").fetchone()
    game = msgspec.msgpack.decode(blob)
    game["variants"], game["sets"] = ["warlords", "monsoon"], {"no.such.number": 3, "supply.armies": 40}
    with connection:
        connection.execute("UPDATE games SET game = ?", (msgspec.msgpack.encode(game),))
    connection.close()
    said = companion("log").err
    assert "variant monsoon no longer exists" in said
    assert "no.such.number=3 no longer exists" in said
    with Table.open(path, load_rules) as table:
        assert table.rules.game.variants == ["warlords"]


# --- other code ----------------------------------------


@pytest.fixture
def table(game: ResolvedGame, tmp_path: Path) -> Iterator[Path]:
    """A table of the toy game with a few lines."""
    path = tmp_path / "tables" / "t.db"
    made, _ = Table.create(path, game, load_rules, people={"ana": "", "bo": ""})
    assert made is not None
    with made:
        for line in ("ana pass; bo pass", "ana ladder", "ana pick pear", "bo pick golden plum"):
            for part in line.split("; "):
                assert made.do(made.read(part), part).done
    yield path


@pytest.fixture
def other_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.engine.table.digests._digest", lambda own: "another version")
    monkeypatch.setattr("companion.engine.table.digests._stamp", lambda own: "installed anew")


def test_lines_are_played_again_only_where_that_can_tell_something(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the code that stored the position they lead to it; other code, undo and the log play them."""
    played: list[int] = []
    replayed = Table.replayed

    def counted(self: Table, lines: list[Line]) -> Position[Any]:
        played.append(len(lines))
        return replayed(self, lines)

    monkeypatch.setattr(Table, "replayed", counted)
    with Table.open(table, load_rules) as at:
        assert at.do(at.read("ana pass"), "ana pass").done
        assert not played
        at.log()
        at.log()
        assert played == [7]
        at.undo()
        assert played == [7, 6]
    monkeypatch.setattr("companion.engine.table.digests._stamp", lambda own: "installed anew")
    Table.open(table, load_rules).close()
    assert played == [7, 6]
    monkeypatch.setattr("companion.engine.table.digests._digest", lambda own: "another version")
    with Table.open(table, load_rules) as at:
        assert played == [7, 6, 6]
        assert at.do(at.read("ana pass"), "ana pass").done
    Table.open(table, load_rules).close()
    assert played == [7, 6, 6]


def test_a_stored_position_that_is_not_where_the_lines_lead_is_no_position(table: Path) -> None:
    with Table.open(table, load_rules) as at:
        state = at.position.state
    with sqlite3.connect(table) as connection:
        (value,) = connection.execute("SELECT value FROM about WHERE key = 'last'").fetchone()
        stored = msgspec.msgpack.decode(value)
        stored["form"] = stored["form"].replace(b'"ana"', b'"bo"')
        value = msgspec.msgpack.encode(stored)
        connection.execute("UPDATE about SET value = ?, sum = ? WHERE key = 'last'", (value, checksum("last", value)))
    connection.close()
    with Table.open(table, load_rules) as at:
        assert at.position.state == state


def test_other_code_that_does_the_same_is_silent(table: Path, other_code: None) -> None:
    with Table.open(table, load_rules) as at:
        assert at.differs is None
        assert at.do(at.read("ana pass"), "ana pass").done


def test_corrected_code_names_the_first_line_that_differs_and_waits(
    table: Path, other_code: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.games import orchard

    with Table.open(table, load_rules) as at:
        before = at.position.state
    bought = orchard.Ladder.apply

    def apply(self: orchard.Ladder, at: orchard.At) -> None:
        bought(self, at)
        at.state.coins[self.player] += 1

    monkeypatch.setattr(orchard.Ladder, "apply", apply)
    with Table.open(table, load_rules) as at:
        assert (at.differs.number, at.differs.text) == (4, "ana ladder")
        assert at.position.state == before  # what lies on the table
        for wait in (
            lambda: at.do(at.read("ana pass"), "ana pass"),
            lambda: at.correct("coins.ana", 0, "so it lies"),
            lambda: amend(at, 5, "drop", []),
        ):
            with pytest.raises(TableError, match=r"line 4 \(ana ladder\) has a different result.*companion migrate"):
                wait()
        at.note("a note is no play")
        assert [line.text for line in at.log()][-1] == "a note is no play"
        found = migrate(at, at.rules, dry_run=False)
        assert (found.stand, [row.number for row in found.differ]) == (6, [4])
        assert at.differs is None
        assert at.position.state.coins["ana"] == before.coins["ana"] + 1
        assert at.do(at.read("ana pass"), "ana pass").done
    with Table.open(table, load_rules) as at:
        assert at.differs is None
        at.undo()
        with pytest.raises(TableError, match="has a different result"):
            at.undo()  # to before the migration
        assert at.differs is None


def test_a_line_that_the_code_no_longer_knows_is_named_with_its_piece(
    table: Path, other_code: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.games import orchard

    def apply(self: orchard.Pick, at: orchard.At) -> None:
        raise KeyError(self.fruit)

    monkeypatch.setattr(orchard.Pick, "apply", apply)
    with Table.open(table, load_rules) as at:
        assert str(at.differs) == (
            "line 5 (ana pick Pear) has a different result under this version's rules: these rules do not have Pear"
        )
        found = migrate(at, at.rules, dry_run=True)
        assert [(row.number, row.why[0]["why"]) for row in found.differ] == [
            (5, "these rules do not have Pear"),
            (6, "It is ana's turn, not bo's."),
        ]


def test_rules_that_today_cannot_be_read_are_those_of_today(
    table: Path, companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Settings, "root", TOY)
    connection = sqlite3.connect(table)
    (fingerprint, blob) = connection.execute("SELECT fingerprint, game FROM games").fetchone()
    stored = msgspec.msgpack.decode(blob)
    stored["model_version"], stored["no longer"] = 0, stored.pop("players")
    blob = msgspec.msgpack.encode(stored)
    with connection:
        connection.execute("UPDATE games SET game = ?, sum = ?", (blob, checksum(fingerprint, blob)))
    connection.close()
    with pytest.raises(OutOfDate):
        Table.open(table, load_rules)
    with opened(table) as at:
        assert len(at.history.lines) == 6
    assert [file.name for file in sorted(table.parent.iterdir())] == ["t.db", "t.db.old"]


def test_a_new_field_with_a_default_does_not_change_the_hash_of_a_state() -> None:
    class Seat(msgspec.Struct):
        coins: int = 3

    class RicherSeat(msgspec.Struct):
        jade: list[str] = []
        coins: int = 3

    class State(msgspec.Struct):
        seats: dict[str, Seat]
        turn: int = 0

    class LaterState(msgspec.Struct):
        turn: int = 0
        seats: dict[str, RicherSeat] = {}
        weather: str | None = None

    now = hash_of(form_of(State({"ana": Seat(4), "bo": Seat()}, 2)))
    assert hash_of(form_of(LaterState(2, {"ana": RicherSeat(coins=4), "bo": RicherSeat()}))) == now
    assert hash_of(form_of(State({"ana": Seat(4), "bo": Seat(4)}, 2))) != now


def test_a_rule_that_can_no_longer_be_switched_off_is_named(game: ResolvedGame) -> None:
    rules = dict(game.rules)
    rules["OR-LADDER-1"] = msgspec.structs.replace(rules["OR-LADDER-1"], words={"breaks.": "no coin"})
    off = msgspec.structs.replace(game, off=["OR-LADDER-1", "OR-END-1"], rules=rules)
    assert unswitchable(off) == ["OR-END-1"]
