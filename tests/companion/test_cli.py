"""The commands as a person (or a script) uses them: what they print, where, and how they end."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Companion

from companion.cli import main as cli


def position(tmp_path: Path, text: str = "fruit: {ana: {Pear: 2}}\n") -> str:
    path = tmp_path / "p.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


# --- play ----------------------------------------


def test_a_game_from_new_to_score(companion: Companion) -> None:
    made = companion("new", "orchard", "ana=Mary", "bo=Ben", "--table", "friday")
    assert (made.status, made.out.splitlines()[0]) == (0, "Table friday: Orchard")
    done = companion("do", "pass all", "mary draws a pear")
    assert (done.status, done.out.splitlines()[-2:]) == (0, ["OK: Mary pick Pear", "  Mary picks a Pear [OR-DRAW-1]"])
    assert "1. Mary (ana): 1 point\n" in companion("score").out
    log = companion("log").out.splitlines()
    assert log[-2:] == ["-- Mary's turn", "   3   Mary pick Pear"]
    assert "Mary: 3 coins" in companion("show").out


def test_exit_statuses_of_verdicts(friday: Companion) -> None:
    assert friday("check", "pick pear").status == 0
    assert friday("check", "bo pick pear").status == 1
    assert friday("check", "pick").status == 2
    assert friday("check", "pikc pear").status == 2
    assert friday("do", "bo pick pear").status == 1
    assert friday("do", "pick").status == 2
    assert friday("log").out.count("\n") == 4  # nothing of all this was recorded


def test_check_changes_nothing_and_do_stops_at_the_first_refused(friday: Companion) -> None:
    result = friday("do", "pick pear; pick pear", "ana pick pear", "cai pick pear", "--json")
    assert (result.status, result.json["index"], result.json["legal"]) == (1, 2, False)
    assert result.json["recorded"] == [3, 4]
    assert [e["rule"] for e in result.json["events"]] == ["OR-DRAW-1", "OR-DRAW-1"]
    assert len(friday("log", "--json").json["lines"]) == 4


def test_moves_from_a_file_and_from_standard_input(friday: Companion, tmp_path: Path) -> None:
    moves = tmp_path / "m.json"
    moves.write_text('[{"action": "pick", "fruit": "Pear"}, {"event": "pick", "fruit": "Pear"}]')
    assert friday("check", "--move-file", str(moves), "--json").json["state"]["fruit"]["bo"] == {"Pear": 1}
    assert friday("do", "--move-file", "-", stdin='{"action": "pick", "fruit": "Pear"}').status == 0
    assert friday("do", '{"action": "pick", "fruit": "Pear"}').status == 0
    wrong = friday("do", "--move-file", "-", stdin='{"action": "pikc"}')
    assert (wrong.status, wrong.out) == (2, "")
    assert "did you mean 'pick'" in wrong.err
    assert friday("do", "--move-file", str(tmp_path / "none.json")).status == 2


def test_a_mistyped_line_shows_what_is_legal(friday: Companion) -> None:
    result = friday("do", "pik paer")
    assert result.status == 2
    assert "legal now: Mary pick Pear" in result.err
    as_json = friday("do", "xyzzy", "--json")
    assert as_json.json["error"]["kind"] == "unreadable"
    assert "ana ladder" in as_json.json["error"]["nearest"]


def test_a_guess_at_a_line_says_what_was_not_heard(friday: Companion) -> None:
    result = friday("do", "mary happily nibbles the pear")
    assert result.status == 2
    assert "Is this meant? Then say it so:\n    Mary pick Pear (not heard: 'happily nibbles')" in result.err
    error = friday("do", "mary happily nibbles the pear", "--json").json["error"]
    assert (error["nearest"], error["not_heard"]) == (["ana pick Pear"], ["happily nibbles"])


def test_a_command_typed_as_a_line_is_recognised(friday: Companion) -> None:
    result = friday("do", "undo 2")
    assert (result.status, result.err) == (2, "'undo' is a command, not a move; run: companion undo 2\n")


def test_a_list_of_moves_answers_with_all_that_happened(friday: Companion, tmp_path: Path) -> None:
    lines = ["pick pear", "bo pick red apple", "cai pick pear", "ana ladder 9"]
    form = friday("check", *lines, "--json").json
    assert (form["legal"], form["index"], form["move"]["action"]) == (False, 3, "ladder")
    assert [move["action"] for move in form["said"]] == ["pick", "pick", "pick", "ladder"]
    assert len([event for event in form["events"] if event["rule"] == "OR-DRAW-1"]) == 3
    assert form["state"]["fruit"]["bo"] == {"Red Apple": 1}
    said = friday("check", *lines).out
    assert [line for line in said.splitlines() if line[:1] in "ON"] == [
        "OK: Mary pick Pear",
        "OK: Ben pick Red Apple",
        "OK: cai pick Pear",
        "NO: Mary ladder 9",
    ]


def test_a_line_of_several_moves_is_named_whole(friday: Companion) -> None:
    friday("do", "pick pear", "bo pick red apple", "cai pick pear", "pass all")
    lines = friday("check", "storm bo").out.splitlines()
    assert lines[0] == "OK: Mary ladder; Mary raid Ben"


def test_a_move_that_is_no_move_says_which_it_is(friday: Companion, tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    file.write_text('[{"action": "pick", "fruit": "Pear"}, {"action": "pikc"}]', encoding="utf-8")
    result = friday("do", "--move-file", str(file), "--json")
    assert result.status == 2
    assert result.json["error"]["index"] == 1
    assert len(friday("log", "--json").json["lines"]) == 3  # the move before it stands


def test_move_files_that_are_no_text_are_refused(friday: Companion, tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    file.write_bytes(b"\xff\xfe{")
    result = friday("do", "--move-file", str(file))
    assert result.status == 2
    assert "not UTF-8 text" in result.err
    file.write_bytes(b'\xef\xbb\xbf{"action": "pick", "fruit": "Pear"}')  # with the mark some editors set
    assert friday("check", "--move-file", str(file)).status == 0


def test_passing_is_offered_and_taken(companion: Companion) -> None:
    companion("new", "orchard", "ana", "bo")
    refused = companion("do", "pick pear")
    assert refused.status == 1
    assert "--passed" in refused.err
    assert companion("do", "pick pear", "--passed").status == 0


def test_a_seat_may_be_said_once(friday: Companion) -> None:
    assert friday("check", "pick pear", "--as", "ben").status == 1
    assert friday("check", "pick pear", "--as", "mary").status == 0
    assert friday("check", "pick pear", "--as", "nobody").status == 2


def test_what_happened_against_the_rules_is_marked_everywhere(friday: Companion, tmp_path: Path) -> None:
    kept = friday("do", "ben picks a pear", "--override", "too quick", "--json")
    assert (kept.status, kept.json["legal"]) == (0, False)
    assert [b["rule"] for b in kept.json["override"]] == ["OR-TURN-1"]
    assert "   3 ! Ben pick Pear\n       against OR-TURN-1" in friday("log").out
    assert friday("score", "--json").json["overrides"][0]["reason"] == "too quick"
    assert "breaks the rules" in friday("score").out
    exported = [json.loads(row) for row in friday("export").out.splitlines()]
    assert (exported[0]["overrides"], exported[-1]["override"]) == (1, "too quick")
    impossible = friday("do", "ladder 9", "--override", "why not")
    assert (impossible.status, "this cannot have happened" in impossible.err) == (1, True)


def test_undo_redo_note_and_correct(friday: Companion) -> None:
    friday("do", "pick pear")
    assert friday("undo").out == "undone: Mary pick Pear\n"
    assert friday("redo").out == "redone: Mary pick Pear\n"
    assert friday("undo", "2").out.count("undone") == 2
    assert friday("undo").status == 2
    assert "undone (entry 3): Mary pick Pear" in friday("log", "--all").out
    assert friday("note", "tea").status == 0
    assert friday("correct", "coins.ana", "7", "--reason", "miscounted").status == 0
    assert "! correct coins.ana = 7" in friday("log").out
    wrong = friday("correct", "coins.anna", "x", "--reason", "y")
    assert wrong.status == 2
    assert friday("correct", "coins.ana", "7").status == 2


def test_amend(friday: Companion) -> None:
    friday("do", "pick pear", "pick golden plum", "pick pear")
    amended = friday("amend", "3", "pick golden plum", "--json")
    assert amended.status == 0
    assert [(f["number"], f["text"]) for f in amended.json["fallen"]] == [
        (4, "bo pick Golden Plum"),
        (5, "cai pick Pear"),
    ]
    assert amended.json["fallen"][0]["why"][0]["rule"] == "OR-DRAW-2"
    assert "set aside (was 4): Ben pick Golden Plum" in friday("log", "--all").out
    assert friday("undo").out == "undone: amendment of line 3\n"
    assert "2 later lines still stand." in friday("amend", "3", "pick red apple").out
    assert friday("amend", "5", "--drop").status == 0
    assert friday("amend", "4", "bo ladder", "--insert").status == 0
    assert friday("amend", "4", "cai pick pear").status == 1
    for wrong in (["amend", "4"], ["amend", "99", "--drop"], ["amend", "4", "pass", "--drop"], ["amend", "x", "y"]):
        assert friday(*wrong).status == 2


def test_moves_are_listed_as_they_are_typed(friday: Companion) -> None:
    listed = friday("moves").out.splitlines()
    assert "Mary pick Pear" in listed
    for text in listed:
        assert friday("check", text).status == 0
    form = friday("moves", "--json").json
    assert {"text": "ana pick Pear", "move": {"action": "pick", "player": "ana", "fruit": "Pear"}} in form["moves"]
    assert "[player] ladder N\n    Buy ladders.\n    e.g. buy 2 ladders" in friday("moves", "--help-moves").out
    assert "[player] ladder N" in friday("moves", "orchard", "--help-moves").out


# --- without a table ----------------------------------------


def test_one_ruling_without_a_table(companion: Companion, tmp_path: Path) -> None:
    file = position(tmp_path)
    result = companion("check", "orchard", "--position", file, "raid bo", "--json")
    assert (result.status, result.json["reasons"][0]["rule"]) == (1, "OR-RAID-1")
    dear = companion("check", "orchard", "--position", file, "--set", "ladder.cost=4", "ladder", "--json")
    assert dear.json["reasons"][0]["facts"] == {"player": "ana", "n": 1, "cost": 4, "has": 3}
    variant = companion("check", "orchard", "--position", file, "--variant", "dear-ladders", "ladder", "--json")
    assert variant.json["events"][0]["what"] == "ana buys 1 ladder for 3 coins"
    assert companion("check", "orchard", "--position", file, "ladder").status == 0
    assert companion("score", "orchard", "--position", file, "--json").json["totals"] == {"ana": 2, "bo": 0}
    assert "ana: 3 coins" in companion("show", "orchard", "--position", file).out
    assert "ana ladder" in companion("moves", "orchard", "--position", file).out
    assert companion("tables", "--json").json["tables"] == []


def test_queries_answer_figures(companion: Companion, tmp_path: Path) -> None:
    said = '[{"action": "ladder"}, {"query": "ladder_cost", "n": 3}]'
    result = companion("check", "orchard", "--position", position(tmp_path), "--move-file", "-", "--json", stdin=said)
    assert result.status == 0
    form = result.json
    assert (form["version"], form["query"], form["answer"]) == (1, "ladder_cost", 6)
    assert (
        form["said"] == [{"action": "ladder", "player": "ana"}]
        and form["events"][0]["what"] == "ana buys 1 ladder for 2 coins"
    )
    assert set(form["rules"]) == {"OR-LADDER-1", *(event["rule"] for event in form["events"] if event["rule"])}
    asked = '{"query": "ladder_cost", "n": 3}'
    alone = companion("check", "orchard", "--position", position(tmp_path), asked, "--json").json
    assert (alone["answer"], alone["rules"], alone["said"], alone["events"]) == (6, ["OR-LADDER-1"], [], [])
    for asked, said in (
        ('{"query": "laddercost"}', "did you mean 'ladder_cost'?"),
        ('{"query": "ladder_cost", "m": 3}', "has no argument 'm'"),
    ):
        wrong = companion("check", "orchard", "--position", position(tmp_path), asked)
        assert (wrong.status, said in wrong.err) == (2, True)


def test_position_files_out_and_in(friday: Companion, tmp_path: Path) -> None:
    friday("do", "pick pear")
    out = tmp_path / "out.yaml"
    assert friday("show", "--position-out", str(out)).status == 0
    assert friday("new", "orchard", "--position", str(out), "ana=X", "--table", "saturday").status == 0
    shown = friday("show", "--table", "saturday", "--json").json
    assert shown["state"] == friday("show", "--table", "friday", "--json").json["state"]
    assert shown["people"] == {"ana": "X", "bo": "", "cai": ""}
    assert friday("new", "orchard", "--position", str(out), "zed", "--table", "sunday").status == 2


def test_wrong_use_is_status_2(companion: Companion, tmp_path: Path) -> None:
    file = position(tmp_path)
    for wrong in (
        ["frobnicate"],
        ["check", "--frob", "x"],
        ["check", "pick pear"],
        ["check", "--position", file],
        ["check", "orchard", "--position", file],
        ["check", "orchard", "--position", str(tmp_path / "none.yaml"), "x"],
        ["check", "orcard", "--position", file, "pick"],
        ["score", "orchard"],
        ["show", "--table", "nope"],
        ["new", "orchard", "ana", "--table", "../../etc"],
        ["new", "orchard", "ana", "ana"],
        ["new", "orchard", "ana=Z", "bo=z"],
        ["new", "orchard", "ana", "bo", "--set", "ladder"],
        ["import", str(tmp_path / "none.jsonl")],
        ["rule", "OR-LADDER-7", "--game", "orchard"],
    ):
        result = companion(*wrong)
        assert (wrong, result.status) == (wrong, 2)
        assert "Traceback" not in result.err
        assert result.err
    assert companion("tables", "--json").json["tables"] == []


def test_a_faulty_position_file_is_named_with_its_place(companion: Companion, tmp_path: Path) -> None:
    result = companion("check", "orchard", "--position", position(tmp_path, "trun: ana\n"), "pick", "--json")
    assert result.status == 2
    assert "p.yaml:1:1" in result.err
    (problem,) = result.json["error"]["problems"]
    assert (problem["line"], problem["column"], problem["hint"]) == (1, 1, "did you mean 'turn'?")


# --- tables ----------------------------------------


def test_the_table_used_last_is_meant(friday: Companion) -> None:
    friday("new", "orchard", "x", "y", "--table", "saturday")
    shown = friday("show")
    assert "table saturday" in shown.out
    assert shown.err == "table saturday\n"
    assert "table friday" in friday("show", "--table", "friday").out
    assert "table saturday" in friday("show").out  # who only looks changes nothing
    friday("note", "here again", "--table", "friday")
    assert "table friday" in friday("show").out
    friday("play", "--table", "saturday")
    assert "table saturday" in friday("show").out
    missing = friday("show", "--table", "fridya")
    assert (missing.status, "did you mean 'friday'" in missing.err) == (2, True)
    names = [row["table"] for row in friday("tables", "--json").json["tables"]]
    assert names == ["friday", "saturday"]
    assert friday("new", "orchard", "x", "y", "--table", "friday").status == 2


def test_a_refused_set_up(companion: Companion) -> None:
    result = companion("new", "orchard", "ana", "--json")
    assert (result.status, result.json["reasons"][0]["rule"]) == (1, "OR-SETUP-1")
    assert companion("tables", "--json").json["tables"] == []


@pytest.mark.parametrize("form", ["jsonl", "yaml"])
def test_a_table_is_exported_and_imported(friday: Companion, tmp_path: Path, form: str) -> None:
    friday("do", "pick pear", "storm ana", "pick red")
    friday("do", "ana ladder", "--override", "nobody minded")
    friday("note", "later")
    friday("correct", "coins.cai", "9", "--reason", "a gift")
    file = tmp_path / f"t.{form}"
    assert friday("export", "--format", form, "--out", str(file)).status == 0
    assert friday("import", str(file), "--table", "copy").status == 0
    one, two = (friday("show", "--table", name, "--json").json for name in ("friday", "copy"))
    assert one["state"] == two["state"]
    assert one["overrides"] == two["overrides"]


def test_a_transcript_that_does_not_stand_makes_no_table(friday: Companion, tmp_path: Path) -> None:
    friday("do", "pick pear")
    rows = friday("export").out.splitlines()
    file = tmp_path / "t.jsonl"
    file.write_text("\n".join([*rows, rows[-1]]))
    result = friday("import", str(file), "--table", "copy")
    assert result.status == 2
    assert "line 4 (pick pear) is not legal" in result.err
    file.write_text("{}")
    assert friday("import", str(file)).status == 2
    assert [row["table"] for row in friday("tables", "--json").json["tables"]] == ["friday"]


def test_a_damaged_table_hides_no_other(friday: Companion, home: Path) -> None:
    tables = home / "tables"
    for name in ("cut", "text", "older"):
        friday("new", "orchard", "ana", "bo", "--table", name)
    cut = tables / "cut.db"
    cut.write_bytes(cut.read_bytes()[:9000])
    (tables / "text.db").write_text("not a table " * 100, encoding="utf-8")
    with sqlite3.connect(tables / "older.db") as connection:
        connection.execute("UPDATE entries SET body = x'ff7b7d'")
    connection.close()
    result = friday("tables", "--json")
    assert result.status == 1
    problems = {row["table"]: row["problem"] for row in result.json["tables"]}
    assert problems["friday"] is None
    for name in ("cut", "text", "older"):
        assert f"{name}.db" in problems[name]
        assert friday("show", "--table", name).status == 2
    assert "friday: orchard, 2 lines" in friday("tables").out


@pytest.mark.parametrize(
    ("damage", "lost"),
    [
        ("UPDATE entries SET body = x'ff7b7d' WHERE n = 4", [4]),
        ("DELETE FROM entries WHERE n = 4", [4]),
        ("UPDATE about SET value = x'00ff' WHERE key = 'last'", []),
        ("UPDATE about SET value = x'00ff' WHERE key = 'table'", []),
        ("DELETE FROM games", []),
    ],
)
def test_every_line_that_can_be_read_of_a_damaged_table_is_saved(
    friday: Companion, home: Path, tmp_path: Path, damage: str, lost: list[int]
) -> None:
    friday("do", "ladder", "pick pear", "pick red apple")
    with sqlite3.connect(home / "tables" / "friday.db") as connection:
        connection.execute(damage)
    connection.close()
    told = friday("show")
    assert (told.status, "companion export --table friday" in told.err) == (2, True)
    out = tmp_path / "saved.jsonl"
    saved = friday("export", "--out", str(out))
    assert saved.status == 1
    rows = [json.loads(row) for row in out.read_text(encoding="utf-8").splitlines()]
    texts = ["", "pass all", "ladder", "pick pear", "pick red apple"]
    assert [row.get("text", "") for row in rows[1:]] == [text for n, text in enumerate(texts, 1) if n not in lost]
    if lost:
        assert "entries lost: 4" in saved.err
    result = friday("import", str(out), "--set-aside", "--table", "again")
    assert result.status == 0
    assert "is not legal" in result.err if lost else "is not legal" not in result.err


def test_a_table_cut_in_two_gives_what_is_left(friday: Companion, home: Path) -> None:
    path = home / "tables" / "friday.db"
    for n in range(60):
        friday("note", f"{n} " + "tea " * 100)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 9 // 10])
    saved = friday("export")
    assert saved.status == 1
    assert "0 tea" in saved.out
    path.write_bytes(b"tea" + data[3:])
    assert "no line of it can be read" in friday("export").err
    damaged = bytearray(data)
    spot = data.index(b"30 tea")
    damaged[spot - spot % 4096 : spot - spot % 4096 + 4096] = bytes(4096)
    path.write_bytes(damaged)
    saved = friday("export")
    assert saved.status == 1
    texts = [json.loads(row).get("text", "") for row in saved.out.splitlines()]
    assert "30 tea" not in saved.out
    assert any(text.startswith("0 tea") for text in texts)
    assert any(text.startswith("59 tea") for text in texts)


def test_migrate(friday: Companion) -> None:
    friday("do", "ladder", "pick pear")
    assert friday("migrate", "--dry-run").out == "4 lines still stand, 0 differ.\n"
    dry = friday("migrate", "--dry-run", "--set", "ladder.cost=4", "--json").json
    assert (dry["stand"], dry["first"], dry["differ"][0]["fallen"]) == (3, 3, True)
    assert "3 lines still stand, 1 differs, the first at 3." in friday("migrate", "--variant", "dear-ladders").out
    assert friday("check", "bo ladder", "--json").json["events"][0]["facts"]["n"] == 1
    assert friday("undo").out == "undone: move to other rules\n"


def test_migrate_keeps_what_the_table_had_chosen(companion: Companion) -> None:
    companion("new", "orchard", "ana", "bo", "--variant", "dear-ladders", "--set", "score.ladder=5")
    companion("migrate", "--set", "setup.coins=4")
    cost = ("pass all", "ladder")
    assert companion("do", *cost, "--json").json["state"]["coins"]["ana"] == 1  # 4 coins, and the ladder costs 3
    assert companion("rule", "OR-END-2").out.count("a ladder 5") == 1
    companion("undo", "2")
    companion("migrate", "--reset")
    assert companion("do", *cost, "--json").json["state"]["coins"]["ana"] == 1  # 3 coins, and the ladder costs 2
    assert companion("rule", "OR-END-2").out.count("a ladder 2") == 1


# --- rules and games ----------------------------------------


def test_ask_and_rule(companion: Companion) -> None:
    found = companion("ask", "may I raid a farmer without fruit?", "--game", "orchard", "--json").json["found"]
    assert found[0]["id"] == "OR-FAQ-1"
    assert companion("ask", "zebra", "--game", "orchard").status == 1
    assert "or name a game with --game" in companion("ask", "zebra").err
    shown = companion("rule", "OR-LADDER-1")
    assert "A ladder costs 2 coins" in shown.out
    assert "ladder.cost = 2" in shown.out
    assert companion("rule", "or-end-3", "--json").json["origin"] == "decided"
    assert "nearest: OR-LADDER-1" in companion("rule", "OR-LADER-1").err
    companion("new", "orchard", "ana", "bo")
    assert "OR-LADDER-1" in companion("rule", "ladder-1").out
    assert "nearest: OR-END-1, OR-END-2, OR-END-3" in companion("rule", "or-end").err
    words = companion("rule", "price", "of", "ladders")
    assert (words.status, words.err, words.out.split()[0]) == (0, "", "OR-LADDER-1")
    form = companion("rule", "ladders", "--json").json
    assert (set(form), form["question"]) == ({"version", "question", "found"}, "ladders")
    assert set(form["found"][0]) == {"kind", "id", "title", "text", "rules", "score"}
    assert companion("rule", "zebra").status == 2
    assert companion("rule", "ZZ-1").status == 2


def test_games_and_simulate(companion: Companion) -> None:
    assert "orchard: Orchard, 2 to 4 players" in companion("games").out
    form = companion("simulate", "orchard", "--games", "5", "--players", "3", "--laws", "--json").json
    assert (form["games"], form["players"], form["ends"]) == (5, 3, {"over": 5})
    assert companion("simulate", "orchard", "--players", "9").status == 2


# --- the conversation ----------------------------------------


def test_play_asks_for_what_was_left_out(friday: Companion) -> None:
    result = friday("play", stdin="pick\npea\nstorm\nas bo\nladder\nundo\nmoves pear\nquit\nnever read\n")
    assert result.status == 0
    assert "What came out?" in result.out
    assert "OK: Mary pick Pear" in result.out
    assert "OK: Ben ladder" in result.out
    assert "undone: Ben ladder" in result.out
    assert "never read" not in friday("log").out


def test_play_knows_people_in_answers_and_refuses_words_nobody_knows(friday: Companion) -> None:
    friday("do", "pick pear", "bo pick red apple", "cai pick pear")
    result = friday("play", stdin="pass\nnobody\npass\nben\n")
    assert "no player or seat is called 'nobody'" in result.err
    assert "OK: Ben pass" in result.out


def test_play_counts_what_was_kept_against_the_rules(friday: Companion) -> None:
    friday("do", "bo ladder", "--override", "late")
    assert "1 line of the log breaks the rules" in friday("play", stdin="score\n").out


def test_play_takes_a_bare_word_as_the_answer_to_an_open_choice(friday: Companion) -> None:
    lines = "pick pear\nbo pick red apple\npick plum\npass all\nana pick red\nstorm ana\npear\n"
    result = friday("play", stdin=lines)
    assert "OK: Mary lose Pear" in result.out
    assert result.err == ""


def test_play_confirms_passing_and_keeps_what_happened(companion: Companion) -> None:
    companion("new", "orchard", "ana", "bo")
    lines = "pick pear\nn\npick pear\ny\nana pick pear\n! she insisted\n?ladder\n?\nrule or-end-1\ncheck pick plum\n"
    result = companion("play", stdin=lines + "frobnicate\nscore\nlog\n")
    assert result.status == 0
    assert "AGAINST THE RULES, KEPT: ana pick Pear" in result.out
    assert "Buy ladders." in result.out
    assert "no move is called 'frobnicate'" in result.err
    kinds = [(line["text"], line["override"]) for line in companion("log", "--json").json["lines"]]
    assert kinds[1:] == [("ana pick Pear", None), ("ana pick Pear", "she insisted")]


# --- help and faults ----------------------------------------


@pytest.mark.parametrize("command", sorted(cli.COMMANDS))
def test_every_command_has_help_with_an_example(companion: Companion, command: str) -> None:
    result = companion(command, "--help")
    assert result.status == 0
    assert f"Example: companion {command}" in " ".join(result.out.split())


def test_the_overview_lists_every_command(companion: Companion) -> None:
    result = companion("--help")
    assert all(f"\n  {command} " in result.out for command in cli.COMMANDS)


def test_a_fault_of_ours_is_70_with_a_saved_traceback(
    friday: Companion, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from companion.engine.table.table import Table

    def broken(self: Table) -> list[object]:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(Table, "log", broken)
    monkeypatch.setattr("platformdirs.user_log_dir", lambda *_, **__: str(tmp_path))
    result = friday("log")
    assert (result.status, result.out) == (70, "")
    assert "ZeroDivisionError: oops" in result.err
    saved = tmp_path / "companion-fault.txt"
    assert "Traceback" in saved.read_text()


def test_no_colour_without_a_terminal(friday: Companion) -> None:
    assert "\x1b" not in friday("check", "pick pear").out


def test_colour_on_a_terminal_but_never_with_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.cli.common import coloured_verdict

    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert coloured_verdict("NO: x").startswith("\x1b[")
    monkeypatch.setenv("NO_COLOR", "1")
    assert coloured_verdict("NO: x") == "NO: x"


@pytest.mark.parametrize("program", ["generator", "companion"])
def test_output_that_cannot_be_written_is_said_with_status_2(program: str) -> None:
    if not Path("/dev/full").exists():
        return
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", f"{program}.cli", "games"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert "the output could not be written: No space left on device" in done.stderr


@pytest.mark.parametrize(
    "words", [[b"ask", b"caf\xe9", b"--json"], [b"new", b"orchard", b"red=\xff", b"blue"], [b"caf\xe9"]]
)
def test_arguments_that_are_not_utf_8_get_an_answer(words: list[bytes], tmp_path: Path) -> None:
    command = [sys.executable.encode(), b"-m", b"companion.cli", *words]
    env = {**os.environ, "TABLEWRIGHT_HOME": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, env=env)
    assert done.returncode in (0, 1, 2), done.stderr.decode(errors="replace")
    assert b"Traceback" not in done.stderr
