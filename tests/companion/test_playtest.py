"""`companion playtest` from the command line, on the toy game."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import Companion

from companion.cli import common
from companion.cli.playtest import _plan
from companion.engine.play.position import Position, Rules
from companion.lab import runs
from companion.lab.runs import Progress


@pytest.fixture(autouse=True)
def nothing_played_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = common.cache_folder
    monkeypatch.setattr(common, "cache_folder", lambda name: tmp_path / name if name == "lab" else kept(name))


def changes(answer: dict[str, Any], kind: str) -> dict[str, Any]:
    return {one["name"]: one for one in answer["comparisons"][0]["changes"] if one["kind"] == kind}


def test_a_game_in_figures(companion: Companion) -> None:
    told = companion("playtest", "orchard", "--games", "40", "--players", "3")
    assert told.status == 0
    for words in ("Orchard: 40 games, 3 players, seed 1", "moves  ", "seat2  ", "games worth a look: "):
        assert words in told.out
    assert "Intervals hold 95% of the time" in told.out
    answer = companion("playtest", "orchard", "--games", "40", "--players", "3", "--json").json
    side = answer["sides"][0]
    assert answer["games"] == side["games"] == 40 and answer["complete"]
    assert [seat["name"] for seat in side["seats"]] == ["seat1", "seat2", "seat3"]
    assert all(seat["share"]["low"] <= seat["share"]["value"] <= seat["share"]["high"] for seat in side["seats"])
    assert {line["title"] for line in side["cards"]} == {"Red Apple", "Green Apple", "Pear", "Golden Plum"}
    assert next(line for line in side["cited"] if line["name"] == "OR-RAID-1")["refused"] > 0


def test_the_same_seed_gives_the_same_bytes(companion: Companion) -> None:
    asked = ("playtest", "orchard", "--games", "30", "--against", "ladder.cost=4", "--json")
    first = companion(*asked, "--jobs", "1").out
    assert companion(*asked, "--jobs", "2").out == first
    assert companion(*asked, "--seed", "2").out != first


@pytest.mark.torture
def test_any_number_of_processes_gives_the_same_bytes(companion: Companion) -> None:
    asked = ("playtest", "dynasties", "--games", "170", "--against", "hand.start_extra=3", "--json")
    found = [companion(*asked, "--jobs", jobs) for jobs in ("1", "2", "16")]
    assert found[0].status == 0
    assert {told.out for told in found} == {found[0].out}


def test_a_change_is_compared_game_by_game(companion: Companion) -> None:
    same = companion("playtest", "orchard", "--games", "30", "--against", "setup.coins=3", "--json").json
    assert same["comparisons"][0]["same"] == 30
    assert not any(one["stands_out"] for one in same["comparisons"][0]["changes"])
    assert "setup.coins=3: changes nothing, all games went alike" in same["findings"]
    dear = companion("playtest", "orchard", "--games", "80", "--against", "dear-ladders", "--json").json
    assert dear["comparisons"][0]["name"] == "dear-ladders"
    moved = companion("playtest", "orchard", "--games", "80", "--against", "ladder.cost=4", "--json").json
    ladders = changes(moved, "moves_by")["ladder"]
    assert ladders["stands_out"] and ladders["difference"]["high"] < 0 == ladders["after"]
    assert any(words.startswith("ladder.cost=4: moves down by ") for words in moved["findings"])


def test_values_one_after_the_other(companion: Companion) -> None:
    answer = companion("playtest", "orchard", "--games", "10", "--sweep", "ladder.cost=2..4", "--json").json
    names = ["ladder.cost=2 (as it is)", "ladder.cost=3", "ladder.cost=4"]
    assert [side["name"] for side in answer["sides"]] == names, "the value that the game has is not played twice"
    told = companion("playtest", "orchard", "--games", "10", "--sweep", "cost=3,5").out
    assert re.search(r"\n +cost=2 \(as it is\) +cost=3 +cost=5\n", told)


def test_without_a_rule_or_a_move(companion: Companion) -> None:
    answer = companion(
        "playtest", "orchard", "--games", "60", "--without", "OR-LADDER-1", "--without", "ladder", "--json"
    ).json
    assert [side["name"] for side in answer["sides"][1:]] == ["without OR-LADDER-1", "one player without ladder"]
    assert answer["sides"][2]["players"][0] == "random without ladder"
    restricted = [one for one in answer["comparisons"][1]["changes"] if one["kind"] == "restricted"]
    assert len(restricted) == 1 and restricted[0]["title"] == "random without ladder"
    bots = {line["name"]: line["games"] for line in answer["sides"][2]["bots"]}
    assert bots == {"random": 60, "random without ladder": 60}


def test_it_stops_when_it_is_exact_enough(companion: Companion) -> None:
    told = companion("playtest", "orchard", "--games", "5000", "--precision", "15%", "--json")
    answer = told.json
    assert told.err.endswith(f"exact enough after {answer['games']} games\n")
    assert answer["games"] < 1000 and answer["games"] % 200 == 0 and answer["looked"]
    assert all(seat["share"]["high"] - seat["share"]["low"] <= 0.3 for seat in answer["sides"][0]["seats"])


def test_what_was_played_is_kept(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("playtest", "orchard", "--games", "60", "--jobs", "1")
    whole = companion(*asked, "--json").out
    take = runs.Kept.take

    def interrupted(kept: runs.Kept, *given: Any) -> None:
        take(kept, *given)
        if kept.games == 30:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(runs.Kept, "take", interrupted)
        half = companion(*asked, "--json")
    assert half.status == 130 and half.json["games"] == 30 and not half.json["complete"]
    assert "--resume" in half.err
    again = companion(*asked, "--resume", "--json")
    assert (again.status, again.out) == (0, whole)
    assert "30 games played before" in again.err


def test_how_long_it_takes_is_said_before(companion: Companion) -> None:
    assert companion("playtest", "orchard", "--games", "40").err.startswith("40 games, about ")
    assert Progress(1, 2, None).left is None


def test_a_game_becomes_a_table(companion: Companion) -> None:
    told = companion("playtest", "orchard", "--open", "7")
    assert told.status == 0 and told.out.startswith("Table orchard-1-7: Orchard, ")
    record = companion("playtest", "orchard", "--games", "8", "--json").json["sides"][0]
    log = companion("log", "--table", "orchard-1-7", "--json").json
    scores = companion("score", "--table", "orchard-1-7", "--json").json
    assert scores["ending"] is not None and log["table"] == "orchard-1-7" and record["games"] == 8
    assert companion("playtest", "orchard", "--open", "7").out.startswith("Table orchard-1-7-2: ")


def test_the_report_in_files(companion: Companion, tmp_path: Path) -> None:
    out = tmp_path / "report"
    asked = ("playtest", "orchard", "--games", "20", "--out", str(out))
    assert companion(*asked, "--json").json == json.loads((out / "report.json").read_bytes())
    rows = (out / "report.csv").read_text().splitlines()
    assert rows[0] == "side,table,name,title,figure,value,low,high"
    assert any(row.startswith("as it is,seats,") for row in rows)
    before = {file: file.read_bytes() for file in out.rglob("*") if file.is_file()}
    assert {file.suffix for file in before} == {".json", ".csv", ".html", ".pdf", ".jsonl"}
    assert companion(*asked).status == 0
    assert {file: file.read_bytes() for file in out.rglob("*") if file.is_file()} == before
    longest = next((out / "tables").glob("longest-*.jsonl"))
    assert companion("import", str(longest), "--table", "long").status == 0


def test_without_matplotlib_there_is_a_page_all_the_same(
    companion: Companion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("companion.lab.plots", "companion.lab.paper"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    told = companion("playtest", "orchard", "--games", "10", "--out", str(tmp_path / "report"))
    assert told.status == 0 and "pip install 'tablewright[lab]'" in told.err
    assert {file.name for file in (tmp_path / "report").glob("report.*")} == {
        "report.json",
        "report.csv",
        "report.html",
    }


def test_what_would_have_to_be_printed_again(companion: Companion) -> None:
    more = companion("playtest", "orchard", "--games", "10", "--against", "setup.coins=4", "--json").json
    assert more["comparisons"][0]["reprint"] == []
    rule = companion("playtest", "orchard", "--games", "10", "--without", "ladder", "--json").json
    assert rule["comparisons"][0]["reprint"] is None


def planned(game: str, **asked: list[str]) -> list[Rules]:
    given = dict.fromkeys(("variant", "sets", "against", "without")) | asked
    return [side.rules for side in _plan(game, **given, sweep="", bots="", players=0, seed=1, most=9).sides]


def test_a_module_is_played_or_left_out() -> None:
    """Of a box that holds more than a table plays, and of one that prints what a variant needs."""
    before, after = planned("great-wall", against=["iron-dragon"])
    played = {rules: rules.modules(setup(rules)) for rules in (before, after)}
    assert played[before] == ["base"] and played[after] == ["base", "iron_dragon"]
    before, after = planned("great-wall", variant=["everything"], without=["rat"])
    assert set(before.modules(setup(before))) - set(after.modules(setup(after))) == {"rat"}
    assert [rules.game.modules for rules in planned("dynasties", against=["only-used"])] == [
        ["base"],
        ["base", "only-used"],
    ]
    with pytest.raises(common.Failure, match="the module rat is not in play"):
        planned("great-wall", without=["rat"])


def setup(rules: Rules) -> Any:
    at = Position(rules, rules.new_state())
    at.carry_out(at.judge(rules.setup_move(rules.game.seats[:3], {})))
    return at.state


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--players", "9"], "Orchard is for 2 to 4 players, not 9"),
        (["--against", "dear"], "--against 'dear' is not a setting (key=value), variant, module or folder"),
        (["--against", "ladder.cots=3"], "there is no parameter"),
        (["--sweep", "ladder.cost"], "is not of the form army_cost=1..4"),
        (["--sweep", "ladder.cost=4..1"], "the lowest first"),
        (["--sweep", "ladder.cost=a..b"], "a range runs between whole numbers"),
        (["--without", "plough"], "Orchard has no such rule, module, move or piece; moves and pieces: "),
        (["--precision", "none"], "say a share from 0.05% to 50%"),
        (["--precision", "90%"], "say a share from 0.05% to 50%"),
        (["--bots", "genius"], "there is no bot 'genius'"),
        (["--bots", "undealt,undealt,undealt"], "--bots names 3 players, and 2 play"),
        (["--games", "0"], "0"),
    ],
)
def test_what_cannot_be_asked(companion: Companion, arguments: list[str], words: str) -> None:
    told = companion("playtest", "orchard", *arguments)
    assert told.status in (1, 2) and words in told.err
    assert "Traceback" not in told.err


def test_a_cluster_needs_an_address_and_a_library(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "is not an address; say tcp://HOST:PORT" in companion("playtest", "orchard", "--cluster", "there").err
    monkeypatch.delitem(sys.modules, "companion.lab.cluster", raising=False)
    monkeypatch.setitem(sys.modules, "distributed", None)
    told = companion("playtest", "orchard", "--cluster", "local")
    assert told.status == 2 and "pip install 'tablewright[cluster]'" in told.err
