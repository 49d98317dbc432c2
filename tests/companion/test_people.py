"""Who sits where: somebody takes over, two change places, a name was wrong; and people without their seats at `new`."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Companion


def test_somebody_takes_over_a_seat(friday: Companion) -> None:
    assert friday("people", "bo=Dora").out == "From here on Dora plays bo\n"
    assert "Mary pick Pear" in friday("do", "pick pear").out
    assert "Dora pick Pear" in friday("do", "dora pick pear").out
    assert friday("do", "ben pick pear").status == 2
    assert "   3 # From here on Dora plays bo" in friday("log").out
    assert friday("people").out.splitlines() == ["ana: Mary", "bo: Dora (before: Ben to line 2)", "cai: nobody"]
    told = friday("people", "--json").json
    assert told["people"] == {"ana": "Mary", "bo": "Dora", "cai": ""}
    assert told["sat"]["bo"] == [{"from": 1, "person": "Ben"}, {"from": 3, "person": "Dora"}]
    assert friday("show", "--json").json["people"]["bo"] == "Dora"


def test_the_log_names_those_who_sat_there_then(friday: Companion) -> None:
    friday("do", "pick pear", "ladder")
    friday("people", "bo=Dora")
    friday("people", "--rename", "ana=Maria")
    friday("do", "dora pick pear")
    log = friday("log", "--events").out.splitlines()
    lines = ["   3   Maria pick Pear", "   4   Ben ladder", "   7   Dora pick Pear"]
    events = ["  Maria picks a Pear [OR-DRAW-1]", "  Ben buys 1 ladder for 2 coins [OR-LADDER-1]"]
    assert [line for line in log if line in lines] == lines
    assert [line[5:] for line in log if line[5:] in events] == events
    assert "-- Ben's turn" in log and "-- Dora's turn" not in log
    assert friday("log", "--json").json["lines"][-1]["text"] == "bo pick Pear"


def test_a_change_of_people_is_taken_back_and_leaves_the_position(friday: Companion) -> None:
    before = friday("show", "--json").json
    friday("people", "bo=Dora", "cai=Ben")
    assert friday("show", "--json").json["state"] == before["state"]
    assert friday("undo").out == "undone: From here on Dora plays bo and Ben plays cai\n"
    assert friday("show", "--json").json == before
    assert friday("redo").status == 0
    assert friday("show", "--json").json["people"]["cai"] == "Ben"


def test_two_people_named_at_each_others_seats_are_swapped_from_the_first(friday: Companion) -> None:
    said = friday("people", "--rename", "ana=Ben", "bo=Mary")
    assert said.out == "ana is Ben, not Mary and bo is Mary, not Ben\n"
    assert friday("people").out.splitlines()[:2] == ["ana: Ben", "bo: Mary"]


def test_a_person_stands_for_the_seat_and_a_name_is_mended_in_a_conversation(friday: Companion) -> None:
    said = friday("play", stdin="rename mary maria\nDora takes over from ben\npeople\nrename\n")
    assert "ana is maria, not Mary" in said.out
    assert "ana: maria\nbo: Dora (before: Ben to line 3)\n" in said.out
    assert "say who is really called what" in said.err


def test_a_seat_may_be_left(friday: Companion) -> None:
    assert friday("people", "bo=").out == "From here on nobody plays bo\n"


def test_people_survive_amendments_before_and_after(friday: Companion) -> None:
    friday("do", "pick pear")
    friday("people", "bo=Dora")
    friday("do", "dora pick pear")
    friday("amend", "3", "pick red apple")
    friday("amend", "5", "--drop")
    assert friday("people", "--json").json["people"]["bo"] == "Dora"
    friday("amend", "4", "--drop")
    assert friday("people", "--json").json["people"]["bo"] == "Ben"


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        (["Zed"], "'Zed' does not have the form SEAT=NAME"),
        (["=Zed"], "does not have the form"),
        (["zed=Dora"], "this table has no seat or person 'zed'"),
        (["bo=Mary"], "Mary already sits at ana; to change places, name both seats"),
        (["bo=Mary", "cai=mary"], "already sits at"),
        (["bo=Ben"], "nothing changes"),
        (["bo=X", "ben=Y"], "the seat bo is given twice"),
        (["bo=" + "x" * 81], "the name of bo has 81 characters; at most 80 are allowed"),
        (["bo=\x1b[2J"], "the name of bo cannot hold the control character U+001B"),
    ],
)
def test_what_cannot_be_is_refused(friday: Companion, pairs: list[str], said: str) -> None:
    before = len(friday("log", "--json").json["lines"])
    refused = friday("people", *pairs)
    assert (refused.status, said in refused.err) == (2, True), refused.err
    assert len(friday("log", "--json").json["lines"]) == before


# --- new -----------------------------------------------------------------------------------------------------------


def test_names_alone_are_seated_in_the_order_of_the_seats(companion: Companion) -> None:
    made = companion("new", "dynasties", "Ann", "Ben", "--json")
    assert made.json["people"] == {"white": "Ann", "black": "Ben"}
    assert "  white Cem, black Dora\n" in companion("new", "dynasties", "Cem", "Dora").out
    assert companion("new", "dynasties", "w", "b", "--json").json["people"] == {"white": "", "black": ""}
    assert "Ana has red, Bo has blue" in companion("new", "xarkant", "Ana", "Bo").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["Ann", "Ben", "Cem"], "there are 3 people and only 2 seats: white, black"),
        (["white", "Ben"], "no seat of this game is called 'Ben'"),
        (["white=Ann", "Ben"], "no seat of this game is called 'Ben'"),
        (["Ann", "Ben", "with", "warlords"], "companion new dynasties SEAT=NAME … --variant warlords; variants: basic"),
        (["Ann", "Ben", "expert"], "--variant expert"),
    ],
)
def test_words_that_seat_nobody_are_explained(companion: Companion, words: list[str], said: str) -> None:
    refused = companion("new", "dynasties", *words)
    assert (refused.status, said in refused.err) == (2, True), refused.err


def test_names_alone_are_seated_as_a_position_seats_them(companion: Companion, tmp_path: Path) -> None:
    position = tmp_path / "eve.yaml"
    position.write_text("phase: war\nactive: Chu\nplayers: {Chu: {armies: 1}, Zhao: {armies: 3}}\n", encoding="utf-8")
    made = companion("new", "warring-states", "Ann", "Ben", "--position", str(position), "--json")
    assert made.json["people"] == {"Chu": "Ann", "Zhao": "Ben"}
