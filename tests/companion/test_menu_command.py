"""`companion menu`: a program that knows nothing of a game gets from it to a move that is recorded."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from command_line import Companion

WAR = "{phase: war, active: Qin, players: {Qin: {generals: [Daring], armies: 2}, Chu: {armies: 1}, Zhao: {}}}"


@pytest.fixture
def war(companion: Companion, tmp_path: Path) -> Companion:
    """A table at which Qin may declare war."""
    file = tmp_path / "war.yaml"
    file.write_text(WAR)
    assert companion("new", "warring-states", "--position", str(file), "--table", "t").status == 0
    return companion


def test_the_menu_says_what_a_seat_may_say_and_why_not(war: Companion) -> None:
    told = war("menu", "--seat", "qin").out
    assert "declare war" in told
    assert "NO: No war is being fought [WS-WAR-3]" in told
    assert war("menu").out.startswith("Qin: ")  # who decides, for whoever asks nothing more
    field = war("menu", "--seat", "Qin", "--verb", "declare_war").out
    assert "NO: Qin cannot declare war on themselves [WS-WAR-8]" in field


def test_a_long_list_stands_under_headings(war: Companion) -> None:
    assert "Infantry" not in war("menu", "--seat", "Qin", "--verb", "cut").out  # all are refused for one reason
    assert war("new", "warring-states", "Qin", "Chu", "--table", "u").status == 0
    told = war("menu", "--table", "u", "--seat", "Qin", "--verb", "cut").out
    assert told.index("  Troops:") < told.index("    Infantry") < told.index("  Strategy:") < told.index("    Ambush")


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--seat", "Nobody"], "Nobody"),
        (["--verb", "declare_wra"], "declare_war"),
        (["--said", "{}"], "--verb"),
        (["--verb", "declare_war", "--said", "{"], "JSON"),
        (["--verb", "declare_war", "--said", "[]"], "object"),
        (["--verb", "declare_war", "--said", '{"defendr": "Chu"}'], "defender"),
        (["--verb", "declare_war", "--said", '{"defender": "Cho"}'], "Chu"),
    ],
)
def test_what_cannot_be_read_is_named(war: Companion, arguments: list[str], what: str) -> None:
    told = war("menu", "--seat", "Qin", *arguments) if "--seat" not in arguments else war("menu", *arguments)
    assert told.status == 2
    assert what in told.err


def test_from_the_menu_to_a_recorded_move(war: Companion) -> None:
    said = put_together(war, "Qin", "declare_war", Random(1))
    assert said["legal"] is True
    assert said["leads"]
    done = war("do", said["line"])
    assert done.status == 0, done.out


def test_a_turn_of_steps_is_put_together_by_its_json_alone(companion: Companion, tmp_path: Path) -> None:
    file = tmp_path / "turn.yaml"
    order = "players: [ana, bo], turn_order: [ana, bo], active: ana, phase: action"
    file.write_text(f"{{{order}, player: {{ana: {{wood: 9, coin: 9}}}}}}")
    assert companion("new", "tianxia", "--position", str(file), "--table", "t").status == 0
    said = put_together(companion, "ana", "region", Random(2))
    assert said["legal"] is True, said
    checked = companion("check", "--move-file", "-", "--json", stdin=json.dumps(said["move"]))
    assert checked.json["legal"] is True


def put_together(companion: Companion, seat: str, verb: str, rng: Random) -> dict[str, Any]:
    """A move made by whoever picks any legal value of each field, and nothing where that will do."""
    said: dict[str, Any] = {}
    for _ in range(40):
        told = companion("menu", "--seat", seat, "--verb", verb, "--said", json.dumps(said), "--json")
        assert told.status == 0, told.err
        if (field := told.json["field"]) is None:
            found: dict[str, Any] = told.json["said"]
            return found
        said = {**field["said"], field["field"]: picked(field, rng)}
    raise AssertionError(f"{said} never ends")


def picked(field: dict[str, Any], rng: Random) -> Any:
    legal = [value["value"] for value in field["values"] if value["legal"]]
    if field["kind"] == "steps":
        return None if field["enough"] else next(one for one in ("governor", *legal) if one in legal)
    if field["kind"] in ("several", "pairs"):
        return field["chosen"] if field["enough"] or not legal else [legal[0]]
    return rng.choice(legal)
