"""`companion report`: evenings at real tables in the measures of the lab."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Companion

from companion.engine.table.journal import Journal


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Every entry comes a minute after the one before."""
    minutes = [0]
    append = Journal.append

    def timed(journal: Journal, *given: Any, **named: Any) -> Any:
        minutes[0] += 1
        journal.at = f"2026-11-20T20:{minutes[0]:02}:00+00:00"
        return append(journal, *given, **named)

    monkeypatch.setattr(Journal, "append", timed)
    return minutes


def test_evenings_in_figures(friday: Companion, clock: list[int]) -> None:
    assert friday("do", "ana picks a pear").status == 0
    assert friday("do", "ana ladder", "--override", "too late").status == 0
    friday("undo")
    assert friday("do", "ana ladder", "--override", "nobody minded").status == 0
    assert friday("do", "ben picks a pear").status == 0
    told = friday("report", "friday")
    assert told.status == 0
    assert told.out.startswith("Orchard: 1 evening, 0 finished, ")
    for words in ("friday: ", "time by phase:", "broken and kept:", "OR-TURN-1 Order: 1 time", "taken back"):
        assert words in told.out
    found = friday("report", "friday", "--json").json["games"][0]
    assert found["side"]["ends"] == {"cut": 1}
    assert found["evenings"][0]["overrides"] == 1 and found["evenings"][0]["undone"] == 1
    used = {line["name"]: line["used"] for line in found["side"]["moves"]}
    assert used["pick"] == 2 and used["pass"] == 3


def test_what_was_refused_counts(friday: Companion) -> None:
    assert friday("report", "friday", "--json").json["games"][0]["refused"] == []
    shown = friday("show", "--json").json
    assert friday("check", "ben ladder").status == 1  # asking is not trying
    assert friday("do", "ben ladder").status == 1
    assert friday("do", "ben ladder").status == 1
    assert friday("show", "--json").json == shown
    found = friday("report", "friday", "--json").json["games"][0]
    assert [(one["rule"], one["times"], one["tables"]) for one in found["refused"]] == [("OR-TURN-1", 2, ["friday"])]
    assert found["evenings"][0]["refused"] == 2 and found["evenings"][0]["overrides"] == 0
    assert "refused:\n  OR-TURN-1 Order: 2 times" in friday("report", "friday").out


def test_games_apart_and_in_a_file(friday: Companion, tmp_path: Path) -> None:
    assert friday("new", "xarkant", "red", "blue", "--table", "abroad").status == 0
    out = tmp_path / "evenings.json"
    told = friday("report", "friday", "abroad", "friday", "--out", str(out), "--json")
    assert [one["game"] for one in told.json["games"]] == ["orchard", "xarkant"]
    assert json.loads(out.read_bytes()) == told.json
    assert friday("report", "none").status == 2


def test_a_game_of_the_lab_is_an_evening_too(
    companion: Companion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert companion("playtest", "orchard", "--open", "0").status == 0
    played = companion("playtest", "orchard", "--games", "1", "--json").json["sides"][0]
    found = companion("report", "orchard-1-0", "--json").json["games"][0]
    assert found["side"]["ends"] == {"over": 1} == played["ends"]
    for kind in ("moves", "cards"):
        before = {line["name"]: (line["used"], line["users"]) for line in played[kind] if line["used"]}
        assert {line["name"]: (line["used"], line["users"]) for line in found["side"][kind]} == before
    scores = [seat["score"]["value"] for seat in played["seats"]]
    assert [seat["score"]["value"] for seat in found["side"]["seats"]] == scores
