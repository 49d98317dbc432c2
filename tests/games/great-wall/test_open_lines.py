"""What a typed line of The Great Wall leaves to somebody is asked; a JSON report takes the default of the brief."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import games
import pytest
import yaml
from command_line import Companion

from companion.engine.answers import answers
from companion.engine.language import notation
from companion.engine.language.jsonmoves import from_json
from companion.engine.language.positionfile import from_form
from companion.engine.play.lines import Outcome, try_line
from companion.engine.play.position import Position

CLANS = ["pine", "bamboo", "plum"]
BREACH: dict[str, Any] = {
    "game": {
        "step": "winter.2",
        "section": "L",
        "tea": CLANS,
        "players": CLANS,
        "shame_pool": 20,
        "walls": {"L": 1},
        "barricades": {"L": 1},
        "hordes": {"L": [{"card": "H19", "spots": {"a1": "bamboo.spearman"}}, {"card": "H28"}]},
    },
    "player": {"pine": {"res": {"chi": 5}, "wall": {"L": {"archer": 2}}}, "bamboo": {"res": {"chi": 1}}, "plum": {}},
}
"""Two archers of pine fall, and pine can pay for both; bamboo cannot pay for its spearman."""
SUMMER: dict[str, Any] = {
    "game": {
        "step": "summer.2",
        "tea": CLANS,
        "players": CLANS,
        "command_track": {1: {"player": "pine", "card": "C2"}},
    },
    "player": {
        "pine": {"res": {"chi": 2}, "discard": ["C1"]},
        "bamboo": {"res": {"chi": 2}, "shamed": {"spearman": 1}},
        "plum": {"res": {"chi": 1}, "shamed": {"spearman": 1}},
    },
}


def at(form: dict[str, Any]) -> Position[Any]:
    rules = games.rules_with("great-wall")
    return Position(rules, from_form(form, rules))


def typed(here: Position[Any], *lines: str) -> Outcome:
    for line in lines:
        outcome = try_line(here, notation.read(line, here), typed=True)
        assert outcome.done or line == lines[-1], (line, outcome.verdict)
        here = outcome.after
    return outcome


def asked(outcome: Outcome) -> list[tuple[str, str, list[Any]]]:
    """Field, seat and options of what is asked."""
    assert outcome.verdict.legal is None, outcome.verdict
    return [(one.field, one.of, one.options) for one in outcome.verdict.needs]


def told(outcome: Outcome) -> list[str]:
    assert outcome.done, outcome.verdict
    return [event.what for event in outcome.events]


@pytest.mark.parametrize(
    ("line", "saves"),
    [
        ("assault L", ["archer", "none"]),
        ("assault L saves pine archer", ["archer", "none"]),
        ("assault L saves pine none", None),
        ("assault L saves pine nobody", None),
        ("assault L saves pine archer saves pine archer", None),
        ("assault L saves pine archer pine none", None),
    ],
)
def test_a_typed_assault_asks_whom_a_player_saves_who_could_pay(line: str, saves: list[str] | None) -> None:
    outcome = typed(at(BREACH), line)
    if saves:
        assert asked(outcome) == [("saves", "pine", saves)]
    else:
        assert outcome.done


def test_the_same_report_as_json_saves_nobody_and_asks_nothing() -> None:
    here = at(BREACH)
    told_so = told(try_line(here, [from_json({"event": "assault", "section": "L"}, here)]))
    assert told_so.count("Pine does not spend 2 chi to save the archer") == 2


def test_nobody_is_asked_who_cannot_pay() -> None:
    form = {**BREACH, "player": {**BREACH["player"], "pine": {"res": {"chi": 1}, "wall": {"L": {"archer": 2}}}}}
    assert typed(at(form), "assault L").done


def test_what_is_recorded_of_a_typed_line_says_every_answer(home: Path, companion: Companion, tmp_path: Path) -> None:
    file = tmp_path / "breach.yaml"
    file.write_text(yaml.safe_dump(BREACH))
    assert companion("new", "great-wall", "pine=Ana", "bamboo=Bo", "plum=Cai", "--position", str(file)).status == 0
    assert companion("do", "assault L").status == 2
    assert companion("check", "assault L").status == 2
    assert companion("check", '{"event": "assault", "section": "L"}').status == 0
    said = companion("play", stdin="assault L\nana archer\nnobody\n").out
    assert "Ana is about to lose 2 archers. Whom does Ana save (the next one for 2 of 5 chi)?" in said
    assert "Ana saves the archer for 2 chi; it rests in section L" in said
    assert "Ana does not spend 2 chi to save the archer" in said
    line = json.loads(companion("export").out.splitlines()[-1])
    assert line["steps"][0]["move"]["saves"] == {"pine": ["archer", "none"]}
    before = companion("show", "--json").json["state"]
    assert companion("undo").status == companion("redo").status == 0
    assert companion("show", "--json").json["state"] == before


def test_a_line_that_is_refused_all_the_same_asks_nobody_to_close_a_window() -> None:
    """Pine chooses before plum."""
    assert typed(at(SUMMER), "plum reclaim honor").verdict.legal is False


@pytest.mark.parametrize("line", ["retire", "pine reclaim honor"])
def test_a_window_is_not_closed_by_the_line_of_somebody_else(line: str) -> None:
    """Bamboo could remove a token; plum cannot pay, and pine has none."""
    (field, of, options), *more = asked(typed(at(SUMMER), line))
    assert (field, of, options, more) == ("pass", "bamboo", ["bamboo pass", "pass all"], [])
    here = at(SUMMER)
    assert try_line(here, notation.read(line, here)).verdict.legal is not None


@pytest.mark.parametrize("first", ["pass all", "bamboo pass", "bamboo remove spearman"])
def test_a_window_that_its_player_has_closed_is_not_asked_about(first: str) -> None:
    assert typed(at(SUMMER), first, "retire").done


def test_a_line_of_the_player_closes_the_own_window() -> None:
    form = {**SUMMER, "player": {**SUMMER["player"], "bamboo": {**SUMMER["player"]["bamboo"], "discard": ["C1"]}}}
    form = {**form, "game": {**form["game"], "tea": ["bamboo", "pine", "plum"]}}
    outcome = typed(at(form), "bamboo reclaim cards")
    assert outcome.done
    assert "Bamboo passes" in told(outcome)


@pytest.fixture
def companion(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Companion:
    return Companion(capsys, monkeypatch)


DEBTS: Sequence[tuple[dict[str, Any], str, str]] = (({"kill": ["pine.archer"]}, "pine save", "archer"),)


@pytest.mark.parametrize(("pending", "line", "option"), DEBTS)
def test_what_may_be_left_is_asked_until_it_is_said(pending: dict[str, Any], line: str, option: str) -> None:
    here = at({**BREACH, "pending": pending})
    assert asked(typed(here, line))[0][1:] == ("pine", [option, "none"])
    assert try_line(here, notation.read(line, here)).done
    for left in (f"{line} none", f"{line} nobody", "pine pass", "pass", "pass all", "nobody saves"):
        assert typed(here, left).done, left
        assert typed(here, left).after.state.player["pine"].res["chi"] == 5
    refused = typed(here, "assault L")
    assert (refused.verdict.legal, refused.verdict.reasons[0].rule) == (False, "GW-SAVE-1")
    assert "legal:" not in answers.outcome_text(refused, here)
    assert try_line(here, notation.read("assault L", here)).done


def test_a_shot_that_need_not_be_fired_is_not_lost_in_silence() -> None:
    """The Keeper of Signal Fires lets an archer without a target shoot into the next section."""
    archer = {"active": ["A20"], "wall": {"C": {"archer": 1}}}
    game = {"step": "winter.1", "tea": CLANS, "players": CLANS, "hordes": {"L": [{"card": "H13"}]}}
    here = at({"game": game, "player": {"pine": archer}})
    assert asked(typed(here, "pine shoot C")) == [("card", "pine", ["H13", "pass"])]
    assert typed(here, "pine shoot C pass").done
    assert try_line(here, notation.read("pine shoot C", here)).done


FALL: dict[str, Any] = {
    "game": {
        "step": "fall.3",
        "tea": CLANS,
        "players": CLANS,
        "command_track": {1: {"player": "pine", "card": "C1"}},
    }
}
LED: dict[str, Any] = {
    "game": {"step": "fall.3", "tea": CLANS, "players": CLANS, "hordes": {"L": [{"card": "H13"}]}},
    "player": {"plum": {"active": ["A28"], "rest": {"L": {"spearman": 1}}}, "pine": {"wall": {"L": {"archer": 1}}}},
}


def test_the_clerks_of_others_are_not_passed_by_the_active_player() -> None:
    here = typed(at(FALL), "begin 1", "pine place quarry quarry").after
    assert asked(typed(here, "pine activate"))[0][:2] == ("pass", "bamboo")
    assert typed(here, "pass all", "pine activate").done
    here = typed(here, "bamboo pass").after
    assert asked(typed(here, "pine activate"))[0][:2] == ("pass", "plum")
    assert try_line(here, notation.read("pine activate", here), typed=True, passed=True).done


def test_an_attack_before_the_shots_is_not_passed_by_a_shooter() -> None:
    here = at({**LED, "game": {**LED["game"], "step": "fall.4"}})
    here.enter("winter.1.start")
    assert asked(typed(here, "pine shoot L H13 a1"))[0][:2] == ("pass", "plum")
    assert typed(here, "plum pass", "pine shoot L H13 a1").done
