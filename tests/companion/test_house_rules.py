"""A house rule from a line on: the past stands under the rules it was judged by, and everything that replays knows."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from random import Random

import msgspec
import pytest
from command_line import Companion
from msgspec.structs import replace

from companion.cli.common import opened
from companion.engine.table.amending import amend
from companion.engine.table.digests import checksum
from companion.engine.table.migrating import migrate
from companion.engine.table.table import Table, TableError
from companion.games import load_rules
from components.model import ResolvedGame
from components.resolve import resolve_game

TOY = Path(__file__).parent / "toy"


def coins(companion: Companion) -> dict[str, int]:
    found: dict[str, int] = companion("show", "--json").json["state"]["coins"]
    return found


def test_a_house_rule_holds_from_now_on(friday: Companion) -> None:
    friday("do", "ladder", "pick pear")
    before = friday("show", "--json").json["state"]
    told = friday("migrate", "--set", "ladder.cost=3", "--from", "now")
    assert told.out.splitlines() == [
        "Lines 1 to 4 keep the rules they were judged by; from line 5 on, the other rules hold.",
        "  ! the pieces do not add up: coins and ladders are worth 10",
        "from line 5 on: ladder.cost = 3 (was 2)",
    ]
    assert friday("show", "--json").json["state"] == before
    assert "Ben buys 1 ladder for 3 coins" in friday("do", "ladder", "pick pear").out
    assert coins(friday) == {"ana": 1, "bo": 0, "cai": 3}
    assert friday("log").out.splitlines()[-4:-1] == [
        "== from here on: ladder.cost = 3 (was 2)",
        "-- Ben's turn",
        "   5   Ben ladder",
    ]
    (row,) = friday("log", "--json").json["rules"]
    assert (row["from"], row["sets"]) == (5, {"ladder.cost": 3})
    assert "costs 3 coins" in friday("rule", "OR-LADDER-1").out
    events = [event["what"] for line in friday("log", "--json").json["lines"] for event in line["events"]]
    assert [text for text in events if "ladder" in text] == [
        "ana buys 1 ladder for 2 coins",
        "bo buys 1 ladder for 3 coins",
    ]


def test_a_house_rule_for_the_set_up_says_that_it_comes_too_late(friday: Companion) -> None:
    late = "  ! these rules change the set-up too, but what was set up stays as it is"
    assert late in friday("migrate", "--set", "setup.coins=5", "--from", "now").out
    assert coins(friday)["ana"] == 3
    assert late not in friday("migrate", "--set", "score.ladder=5", "--from", "now").out
    assert late not in friday("migrate", "--set", "setup.coins=5").out


def test_a_house_rule_may_hold_from_a_line_of_the_past_on(friday: Companion) -> None:
    friday("do", "ladder", "pick pear", "ladder", "pick pear")
    dry = friday("migrate", "--set", "ladder.cost=4", "--from", "5", "--dry-run", "--json").json
    assert (dry["since"], dry["stand"], dry["first"], dry["differ"][0]["fallen"]) == (5, 1, 5, True)
    assert coins(friday)["bo"] == 1
    assert "5 Ben ladder (no longer legal)" in friday("migrate", "--set", "ladder.cost=4", "--from", "5").out
    assert coins(friday) == {"ana": 1, "bo": 3, "cai": 3}
    assert friday("undo").out == "undone: other rules from line 5 on\n"
    assert coins(friday) == {"ana": 1, "bo": 1, "cai": 3}
    assert friday("redo").status == 0
    assert coins(friday)["bo"] == 3


@pytest.mark.parametrize("since", ["99", "0", "x", "-1", "²"])
def test_a_house_rule_begins_at_a_line_that_there_is(friday: Companion, since: str) -> None:
    refused = friday("migrate", "--set", "ladder.cost=3", f"--from={since}")
    assert refused.status == 2
    assert "the log has 2 lines" in refused.err


def test_amendments_judge_each_line_by_its_own_rules(friday: Companion) -> None:
    friday("do", "pick pear", "pick pear")
    friday("migrate", "--set", "ladder.cost=3", "--from", "now")
    friday("do", "pick plum")
    friday("amend", "3", "ana ladder", "--insert")
    assert coins(friday)["ana"] == 1
    friday("amend", "6", "cai ladder", "--insert")
    assert coins(friday)["cai"] == 0
    assert [row["from"] for row in friday("log", "--json").json["rules"]] == [6]
    friday("undo")
    assert [row["from"] for row in friday("log", "--json").json["rules"]] == [6]
    friday("undo")
    assert [row["from"] for row in friday("log", "--json").json["rules"]] == [5]
    friday("amend", "5", "--drop")
    assert [row["from"] for row in friday("log", "--json").json["rules"]] == [5]
    assert friday("log").out.splitlines()[-1] == "== from here on: ladder.cost = 3 (was 2)"


def test_a_move_to_todays_rules_keeps_the_house_rule_where_it_began(friday: Companion) -> None:
    friday("do", "ladder", "pick pear")
    friday("migrate", "--set", "ladder.cost=3", "--from", "now")
    friday("do", "ladder")
    assert friday("migrate", "--dry-run").out == "5 lines still stand, 0 differ.\n"
    friday("migrate", "--set", "score.ladder=5")
    (row,) = friday("log", "--json").json["rules"]
    assert (row["from"], row["text"]) == (5, "ladder.cost = 3 (was 2)")
    assert coins(friday) == {"ana": 1, "bo": 0, "cai": 3}
    friday("migrate", "--reset")
    assert friday("log", "--json").json["rules"] == []
    assert coins(friday) == {"ana": 1, "bo": 1, "cai": 3}


def test_two_house_rules_one_after_the_other(friday: Companion) -> None:
    friday("migrate", "--set", "ladder.cost=3", "--from", "now")
    friday("do", "ladder", "pick pear")
    friday("migrate", "--set", "score.ladder=7", "--from", "now")
    friday("do", "pick pear")
    friday("migrate", "--set", "ladder.cost=1", "--from", "4")
    rules = friday("log", "--json").json["rules"]
    assert [(row["from"], row["text"]) for row in rules] == [
        (3, "ladder.cost = 3 (was 2)"),
        (4, "ladder.cost = 1 (was 3)"),
        (5, "score.ladder = 7 (was 2)"),
    ]
    assert rules[-1]["sets"] == {"ladder.cost": 1, "score.ladder": 7}
    assert coins(friday)["ana"] == 0


@pytest.mark.parametrize("form", ["jsonl", "yaml"])
def test_a_transcript_keeps_house_rules_people_and_times(friday: Companion, tmp_path: Path, form: str) -> None:
    friday("do", "ladder", "pick pear")
    friday("migrate", "--set", "ladder.cost=3", "--from", "now")
    friday("people", "bo=Dora")
    friday("do", "ladder", "pick pear")
    friday("migrate", "--variant", "dear-ladders", "--from", "now")
    out = tmp_path / f"friday.{form}"
    friday("export", "--format", form, "--out", str(out))
    assert friday("import", str(out), "--table", "again", "--json").json["same_rules"]
    one, two = (friday("log", "--json", "--table", name).json for name in ("friday", "again"))
    for key in ("rules", "people", "lines", "fingerprint"):
        assert one[key] == two[key]
    assert [row["from"] for row in two["rules"]] == [5, 8]
    shown = [friday("show", "--json", "--table", name).json["state"] for name in ("friday", "again")]
    assert shown[0] == shown[1]
    assert (
        friday("export", "--table", "again").out.replace('"again"', '"friday"')
        == friday("export", "--table", "friday").out
    )


def test_a_house_rule_in_a_conversation(friday: Companion) -> None:
    said = friday("play", stdin="house ladder.cost = 3\nladder\nundo\nundo\nhouse\nhouse ladder.cost=4 from 3\n")
    assert "from line 3 on: ladder.cost = 3 (was 2)" in said.out
    assert "Mary buys 1 ladder for 3 coins" in said.out
    assert "undone: other rules from line 3 on" in said.out
    assert "house KEY=VALUE" in said.err
    assert friday("log", "--json").json["rules"][0]["sets"] == {"ladder.cost": 4}


def test_lines_that_would_fall_are_told_before_a_house_rule_is_recorded(friday: Companion) -> None:
    friday("do", "ladder")
    said = friday("play", stdin="house ladder.cost=4 from 3\nn\n")
    assert "3 Mary ladder (no longer legal)" in said.out
    assert "nothing recorded" in said.out
    assert coins(friday)["ana"] == 1
    friday("play", stdin="house ladder.cost=4 from 3\ny\n")
    assert coins(friday)["ana"] == 3


# --- the journal ---------------------------------------------------------------------------------------------------


@pytest.fixture
def path(game: ResolvedGame, tmp_path: Path) -> Path:
    made, _ = Table.create(tmp_path / "t.db", game, load_rules, people={"ana": "Mary", "bo": "", "cai": "Zed"})
    assert made is not None
    with made:
        for line in ("pass all", "ana ladder", "ana pick pear"):
            assert made.do(made.read(line), line).done
        migrate(made, load_rules(dear()), dry_run=False, first=len(made.history.lines) + 1)
        assert made.do(made.read("bo ladder"), "bo ladder").done
    return tmp_path / "t.db"


def dear() -> ResolvedGame:
    return resolve_game("orchard", root=TOY, sets={"ladder.cost": 3})


def test_a_journal_keeps_both_games_and_where_the_second_begins(path: Path, game: ResolvedGame) -> None:
    with Table.open(path, load_rules) as table:
        assert table.history.begun == game.fingerprint
        assert table.history.changes() == [(5, dear().fingerprint)]
        assert (table.rules_of(game.fingerprint).game.params["ladder.cost"], table.position["ladder.cost"]) == (2, 3)
        table.prove()
        assert table.differs is None


def test_an_upgrade_keeps_where_other_rules_begin(path: Path, home: Path) -> None:
    """Rules that an earlier version stored are read anew, each for its own lines."""
    with Table.open(path, load_rules) as table:
        state = table.position.state
    connection = sqlite3.connect(path)
    with connection:
        for fingerprint, blob in connection.execute("SELECT fingerprint, game FROM games").fetchall():
            stored = msgspec.msgpack.decode(blob)
            stored["model_version"] = 0
            blob = msgspec.msgpack.encode(stored)
            values = (blob, checksum(fingerprint, blob), fingerprint)
            connection.execute("UPDATE games SET game = ?, sum = ? WHERE fingerprint = ?", values)
    connection.close()
    with opened(path) as table:
        assert [number for number, _ in table.history.changes()] == [5]
        assert table.position.state == state
        table.prove()
        assert table.differs is None


def test_a_position_that_other_rules_do_not_know_is_refused(path: Path, game: ResolvedGame) -> None:
    fewer = replace(game, fingerprint="fewer", pieces=[piece for piece in game.pieces if piece.id != "pear"])
    with Table.open(path, load_rules) as table:
        with pytest.raises(TableError, match="the position before line 6 is not valid under these rules"):
            migrate(table, load_rules(fewer), dry_run=False, first=6)
        assert len(table.history.changes()) == 1


def test_whatever_the_rules_change_to_a_table_replays(game: ResolvedGame, tmp_path: Path) -> None:
    """Random play with house rules, amendments and undo in between: opened again and replayed, it is the same table."""
    games = [game, *(resolve_game("orchard", root=TOY, sets={"ladder.cost": cost}) for cost in (1, 3))]
    changed = 0
    for seed in range(12):
        rng = Random(seed)
        people = {"ana": "", "bo": "", "cai": ""}
        made, _ = Table.create(tmp_path / f"{seed}.db", game, load_rules, people=people)
        assert made is not None
        with made as table:
            for _ in range(25):
                at = table.position
                what = rng.random()
                if what < 0.1:
                    table.undo() if table.history.undoable else table.note("x")
                elif what < 0.2:
                    first = rng.randint(2, len(table.history.lines) + 1)
                    migrate(table, load_rules(rng.choice(games)), dry_run=False, first=first)
                elif what < 0.25 and len(table.history.lines) > 2:
                    amend(table, rng.randint(2, len(table.history.lines)), "drop", [])
                elif legal := at.legal():
                    table.do([rng.choice(legal)])
            state, log = table.position.state, table.history.lines
            changed += len(table.history.changes())
        with Table.open(tmp_path / f"{seed}.db", load_rules) as table:
            table.prove()
            assert table.differs is None
            assert (table.position.state, table.history.lines) == (state, log)
    assert changed > 6
