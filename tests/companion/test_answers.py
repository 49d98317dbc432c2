"""Answers: verdicts and scores as stable JSON and as short text; rules and rulings found by words."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.answers import answers, ask
from companion.engine.answers.ledger import Ledger, Line
from companion.engine.language.jsonmoves import from_json
from companion.engine.language.notation import read
from companion.engine.play.lines import try_line
from companion.engine.play.position import Position, Rules
from components.model import ResolvedGame

At = Position[Any]
VERDICT_KEYS = ["version", "legal", "move", "text", "index", "said", "reasons", "needs", "nearest", "presumed"]
VERDICT_KEYS += ["already", "events", "rules", "state"]


def verdict(at: At, line: str) -> dict[str, Any]:
    return answers.outcome_json(try_line(at, read(line, at)), at)


def test_a_legal_verdict(at: At) -> None:
    form = verdict(at, "pick red apple")
    assert list(form) == VERDICT_KEYS
    assert (form["version"], form["legal"], form["index"], form["already"]) == (1, True, 0, False)
    assert form["move"] == {"action": "pick", "player": "ana", "fruit": "Red Apple"}
    assert form["text"] == "ana pick Red Apple"
    assert form["events"] == [
        {
            "rule": "OR-DRAW-1",
            "what": "ana picks a Red Apple",
            "facts": {"player": "ana", "fruit": "Red Apple", "bag": 7},
        }
    ]
    assert form["rules"] == ["OR-DRAW-1"]
    assert form["state"]["fruit"]["ana"] == {"Pear": 2, "Red Apple": 1}
    assert form["state"]["out"] == 5
    assert at.state.fruit["ana"] == {"Pear": 2}


def test_a_refusal_gives_every_reason_with_the_rule_and_its_figures(at: At) -> None:
    form = verdict(at, "bo ladder 3")
    assert form["legal"] is False
    assert [r["rule"] for r in form["reasons"]] == ["OR-TURN-1", "OR-LADDER-1"]
    assert form["reasons"][1] == {
        "rule": "OR-LADDER-1",
        "title": "Ladders",
        "text": "A ladder costs 2 coins, paid in full.",
        "why": "3 ladders cost 6, and bo has 3 coins.",
        "facts": {"player": "bo", "n": 3, "cost": 6, "has": 3},
        "lines": [],
    }
    assert form["nearest"] == []  # what others may do is no help to bo
    assert form["events"] == []
    assert form["state"] == at.rules.dump(at.state)


def test_a_choice_left_out(at: At) -> None:
    form = verdict(at, "pick")
    assert form["legal"] is None
    (need,) = form["needs"]
    assert (need["field"], need["of"], need["question"]) == ("fruit", "ana", "What came out?")
    assert "Pear" in need["options"]


def test_what_was_presumed_is_named(at: At) -> None:
    at.state.raided = "ana"
    at.state.turn = "cai"
    form = verdict(at, "cai pick red")
    assert form["presumed"] == [{"action": "lose", "player": "ana", "fruit": "Pear"}]
    assert [e["rule"] for e in form["events"]] == ["OR-RAID-2", "OR-DRAW-1"]


def test_a_list_stops_at_the_first_refused_move(at: At) -> None:
    moves = [{"action": "ladder"}, {"action": "ladder"}, {"action": "pick", "fruit": "Pear"}]
    outcome = try_line(at, [from_json(move, at) for move in moves])
    assert (outcome.index, outcome.verdict.legal) == (1, False)


def test_a_rule_switched_off_does_not_forbid(game: ResolvedGame, rules: Rules) -> None:
    import msgspec

    free = type(rules)(msgspec.structs.replace(game, off=["OR-LADDER-1"]))  # type: ignore[call-arg]
    assert verdict(Position(free, free.complete({})), "ladder 2")["legal"] is True


def test_verdicts_as_text(at: At) -> None:
    def text(line: str) -> str:
        return answers.outcome_text(try_line(at, read(line, at)), at)

    assert text("pick pear") == "OK: ana pick Pear\n  ana picks a Pear [OR-DRAW-1]"
    assert text("ladder 2").splitlines() == [
        "NO: ana ladder 2",
        "  2 ladders cost 4, and ana has 3 coins.",
        "    OR-LADDER-1 Ladders: A ladder costs 2 coins, paid in full.",
        "  legal: ana ladder",
    ]
    assert text("pick").splitlines()[0] == "? ana: What came out?"


def test_the_ledger_adds_up_and_explains_ties(at: At) -> None:
    ledger = at.rules.score(at)
    form = answers.ledger_json(ledger)
    assert form["totals"] == {"ana": 2, "bo": 2, "cai": 2}
    assert form["ranking"] == [["ana", "bo"], ["cai"]]
    assert form["ties"] == [{"rule": "OR-END-3", "what": "coins", "figures": {"ana": 3, "bo": 3, "cai": 1}}]
    assert form["ending"] is None
    text = answers.ledger_text(ledger, {"ana": "Mary"}, 1)
    assert text.splitlines()[:2] == ["1. Mary (ana): 2 points", "        2  fruit: 2 x 1 [OR-END-2]"]
    assert "3. cai: 2 points" in text
    assert "tie-break coins: Mary 3, bo 3, cai 1 [OR-END-3]" in text
    assert "1 line of the log breaks the rules" in text


@pytest.mark.parametrize(
    ("unit", "one"),
    [
        ("points", "1 point"),
        ("Province Tokens", "1 Province Token"),
        ("points if the games ended now", "1 point if the games ended now"),
    ],
)
def test_one_of_something_is_said_in_the_singular(at: At, unit: str, one: str) -> None:
    lines = (Line("ana", "OR-END-2", "fruit", "1", 1), Line("bo", "OR-END-2", "fruit", "2", 2))
    text = answers.ledger_text(Ledger(unit, lines, (("bo",), ("ana",))), {})
    assert f"1. bo: 2 {unit}\n" in text and f"2. ana: {one}\n" in text


def test_the_end_is_a_value_with_its_reason(at: At) -> None:
    at.state.phase = "over"
    form = answers.ledger_json(at.rules.score(at))
    assert form["ending"] == {"rule": "OR-END-1", "reason": "The bag is empty.", "winners": ["ana", "bo"]}


def test_rulings_and_rules_are_found_by_words(game: ResolvedGame) -> None:
    found = ask.search(game, "Can I raid somebody who has no fruits?")
    assert (found[0].kind, found[0].id) == ("ruling", "OR-FAQ-1")
    assert ask.search(game, "ladders cost")[0].id == "OR-LADDER-1"
    assert ask.search(game, "zebra") == []
    assert ask.search(game, "") == []
    assert ask.search(game, "tie")[0].id == "OR-END-3"
    assert ask.search(game, "what is lost")[0].id == "OR-RAID-2"
    assert ask.search(game, "price of ladders")[0].id == "OR-LADDER-1"


def test_a_rule_is_shown_with_todays_numbers(game: ResolvedGame) -> None:
    view = ask.view(game, "or-ladder-1")
    assert view.rule.text == "A ladder costs 2 coins, paid in full."
    assert view.parameters == {"ladder.cost": 2}
    assert ask.view(game, "OR-RAID-1").rulings[0]["id"] == "OR-FAQ-1"


@pytest.mark.parametrize("id_typed", ["OR-LADDER-1", " or-ladder-1", "ladder-1"])
def test_a_rule_is_found_by_its_id_or_by_the_end_of_it(game: ResolvedGame, id_typed: str) -> None:
    assert ask.view(game, id_typed).rule.id == "OR-LADDER-1"


@pytest.mark.parametrize("wrong", ["OR-LADDER-2", "LADER-1", "or-lader-1"])
def test_a_wrong_rule_id_names_the_nearest(game: ResolvedGame, wrong: str) -> None:
    with pytest.raises(ask.NoSuchRule, match="nearest: OR-LADDER-1"):
        ask.view(game, wrong)
