"""Turns made of steps, judged as one transaction: region turns and passing of the toy game Silk.

The positions, what is said and the figures are those of worked examples of a large game whose turns are built so.
"""

from __future__ import annotations

from typing import Any

import pytest

import companion.games
from companion.cli.drafting import put_together
from companion.engine.language.jsonmoves import MoveFormError, answered, from_json, recorded
from companion.engine.language.notation import NotationError, read, write
from companion.engine.play.choices import Choices
from companion.engine.play.drafts import TurnDraft
from companion.engine.play.parts import run
from companion.engine.play.position import Position
from components.resolve import resolve_game

At = Position[Any]
ANA_IN_ZHAO = {
    "player": {"ana": {"coin": 3, "wood": 2, "rice": 1, "tracks": {"crimson": 1}}},
    "regions": {"zhao": ["bo", "ana"]},
}
PASSING = {
    "next_order": ["bo"],
    "round_tiles": ["tiger", "ox", "purse"],
    "player": {"ana": {"coin": 5, "figurines": ["ox"], "tracks": {"gold": 1, "jade": 2}}},
}


@pytest.fixture
def silk(toy_module: None, toy: Any) -> Any:
    rules = companion.games.load_rules(resolve_game("silk", root=toy))

    def position(form: dict[str, Any]) -> At:
        return Position(rules, rules.complete(form))

    return position


def told(at: At, line: str) -> dict[str, Any]:
    """Play a line; what changed for ana, with the figures of her record."""
    (move,) = read(line, at, me="ana")
    verdict = at.play(move)
    assert verdict.legal, [breach.why for breach in verdict.reasons] or verdict.needs
    return {name: getattr(at.state.player["ana"], name) for name in at.state.player["ana"].__struct_fields__}


@pytest.mark.parametrize(
    ("form", "line", "expected"),
    [
        pytest.param(
            ANA_IN_ZHAO,
            "ana zhao track, bubble, governor horses 1, exchange 3",
            {"coin": 8, "wood": 0, "rice": 1, "stone": 1, "markers": 1, "workers": 11, "tracks": {"crimson": 2}},
            id="the stack is paid, the building pays at once, the fresh rice is exchanged",
        ),
        pytest.param(
            {"player": {"ana": {"wood": 1}}},
            "yan, bubble, governor timber 1",
            {"wood": 2, "tracks": {"jade": 1}, "markers": 2},
            id="the bubble pays for the governor; the step left out is taken at the end",
        ),
        pytest.param(
            {
                "player": {"ana": {"salt": 5}},
                "buildings": {"wei_customs": ["ana", None, None]},
                "ports": {"qi": {"demand": "salt", "ship": "ibis", "crates": {2: "bo"}}},
            },
            'qi, ship port deliveries=[{"space": 1, "pay": {"salt": 2}}, {"space": 3, "pay": {"salt": 2}}]',
            {"salt": 1, "vp": 5, "coin": 10, "ship_markers": 3, "crates": 10, "delivered": 2, "tracks": {"gold": 1}},
            id="two deliveries, each followed by what a building does after deliveries",
        ),
        pytest.param(
            PASSING,
            "pass, tile tiger, buy gold choose silk, buy jade",
            {"coin": 1, "silk": 1, "vp": 1, "figurines": ["ox", "tiger"], "tracks": {"gold": 2, "jade": 3}},
            id="the figurine just taken pays for a second step",
        ),
        pytest.param(
            {"player": {"ana": {"rice": 1}}, "regions": {"zhao": ["bo"]}},
            "zhao, free marker, exchange 1",
            {"coin": 3, "markers": 1, "rice": 0},
            id="a free step that leads pays for the stack",
        ),
    ],
)
def test_a_whole_turn_is_played(silk: Any, form: dict[str, Any], line: str, expected: dict[str, Any]) -> None:
    got = told(silk(form), line)
    assert {key: got[key] for key in expected} == expected


@pytest.mark.parametrize(
    ("form", "line", "rule", "place"),
    [
        (ANA_IN_ZHAO | {"player": {"ana": {"coin": 1}}}, "zhao track, exchange 1", "SI-REG-2", ""),
        (ANA_IN_ZHAO, "zhao, exchange 2, track", "SI-EXCH-4", "steps[0]"),
        (ANA_IN_ZHAO, "zhao, track, track", "SI-REG-4", "steps[1]"),
        (ANA_IN_ZHAO, "zhao, track, bubble", "SI-REG-7", ""),
        (ANA_IN_ZHAO, "zhao, governor timber 1", "SI-GOV-1", "steps[0]"),
        (PASSING, "pass, tile tiger, buy gold choose silk, buy jade, buy jade", "SI-PASS-6", "steps[3]"),
        (PASSING, "pass, buy jade", "SI-PASS-9", ""),
        (PASSING, "pass, tile tiger, buy jade choose silk", "SI-TRACK-1", "steps[1]"),
    ],
)
def test_a_step_that_fails_takes_the_whole_turn_back(
    silk: Any, form: dict[str, Any], line: str, rule: str, place: str
) -> None:
    at = silk(form)
    before = at.rules.dump(at.state)
    verdict = at.play(read(line, at, me="ana")[0])
    assert (verdict.legal, verdict.reasons[0].rule, verdict.place) == (False, rule, place)
    assert at.rules.dump(at.state) == before
    assert at.events == []


def test_a_question_points_into_the_step_that_asks_it(silk: Any) -> None:
    at = silk(PASSING)
    verdict = at.judge(read("pass, tile tiger, buy gold, buy jade", at, me="ana")[0])
    (choice,) = verdict.needs
    assert verdict.legal is None
    assert (choice.field, choice.of, choice.rule) == ("steps[1].choose.any_good", "ana", "SI-TRACK-1")
    assert choice.options == ["salt", "silk", "lacquer"]
    (choice,) = at.judge(read("pass, tile", at, me="ana")[0]).needs
    assert (choice.field, choice.options) == ("steps[0].tile", ["tiger", "ox", "purse"])


def test_a_turn_is_said_in_json_and_read_back(silk: Any) -> None:
    at = silk(ANA_IN_ZHAO)
    (turn,) = read("zhao track, bubble, governor horses 1, exchange 3", at, me="ana")
    form = turn.to_json()
    assert form == {
        "turn": "region", "player": "ana", "region": "zhao",
        "steps": [{"track": True}, {"bubble": True}, {"governor": "zhao_horses", "space": 1}, {"exchange": 3}],
    }  # fmt: skip
    assert from_json(form, at) == turn == recorded(form, at.rules.moves, at.rules.move_keys)
    assert read(write(turn, at), at) == [turn]
    with pytest.raises(MoveFormError, match=r"steps\[0\]: .* a step has one of track, bubble"):
        from_json({"turn": "region", "region": "zhao", "steps": [{"trakc": True}]}, at)


def test_a_turn_that_was_recorded_is_played_again_without_being_judged(silk: Any) -> None:
    first, second = silk(ANA_IN_ZHAO), silk(ANA_IN_ZHAO)
    verdict = first.play(read("zhao, governor horses 1", first, me="ana")[0])
    assert [type(part).__name__ for part in verdict.move.parts()] == ["Governor", "Track", "Bubble"]
    second.replay([recorded(verdict.move.to_json(), second.rules.moves, second.rules.move_keys)])
    assert second.rules.dump(second.state) == first.rules.dump(first.state)
    assert [event.what for event in second.events] == [event.what for event in first.events]


def test_a_turn_begun_is_a_draft_without_the_checks_of_its_end(silk: Any) -> None:
    at = silk(ANA_IN_ZHAO)
    draft = run(read("zhao, track", at, me="ana")[0], at, close=False)
    assert not draft.reasons
    assert draft.after.state.player["ana"].rice == 3
    assert at.state.player["ana"].rice == 1


def test_a_word_that_cannot_be_read_is_named(silk: Any) -> None:
    with pytest.raises(NotationError, match="'bye' is not a step of this turn; the steps of 'pass' are tile, buy"):
        read("pass, tile tiger, bye gold", silk(PASSING), me="ana")


def test_a_turn_is_put_together_step_by_step(silk: Any, capsys: pytest.CaptureFixture[str]) -> None:
    at = silk(ANA_IN_ZHAO)
    typed = iter(["track", "exchange 9", "governor horses 1", "back", "nonsense", "exchange 3", "done"])
    turn = put_together(read("zhao", at, me="ana")[0], at, lambda _: next(typed), {})
    said = capsys.readouterr().out
    assert turn is not None and [part.tag() for part in turn.parts()] == ["track", "exchange"]
    assert "governor zhao_horses 1" in said and "ana converts 4 times" not in said, "each step with what it brings"
    assert "NO: 9 conversions are more than 4. [SI-EXCH-2]" in said
    assert "undone: governor zhao_horses 1" in said
    assert "'nonsense' is not a step of this turn" in said
    assert at.play(turn).legal
    assert put_together(read("zhao", silk(ANA_IN_ZHAO), me="ana")[0], at, lambda _: "leave", {}) is None


def test_an_answer_completes_the_step_that_asks_and_done_waits_for_what_is_due(
    silk: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    at = silk(PASSING)
    typed = iter(["done", "tile tiger", "buy gold", "brass", "silk", "done"])
    turn = put_together(read("pass", at, me="ana")[0], at, lambda _: next(typed), {})
    said = capsys.readouterr().out
    assert "NO: " in said, "a turn that cannot end yet goes on"
    assert "'brass' neither answers the question nor is a step of this turn" in said
    assert turn is not None and at.play(turn).legal
    assert turn.to_json()["steps"] == [{"tile": "tiger"}, {"buy": "gold", "choose": {"any_good": ["silk"]}}]


def test_enter_ends_a_turn_that_may_end_and_lists_the_steps_of_one_that_may_not(
    silk: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    at = silk(ANA_IN_ZHAO)
    typed = iter(["", "exchange 1", ""])
    turn = put_together(read("zhao", at, me="ana")[0], at, lambda _: next(typed), {})
    said = capsys.readouterr().out
    assert said.count("exchange 1 ") == 2, "listed at the beginning and by Enter"
    assert "Enter ends the turn here" in said
    assert turn is not None and [part.tag() for part in turn.parts()] == ["exchange"]


def test_a_step_that_asks_is_neither_left_out_nor_given_up_for_another(
    silk: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was said after it waits; `back` takes back the step that asks, and not the one before it."""
    at, later = silk(PASSING), []
    typed = iter(["tile tiger", "buy gold, buy jade", "done", "bo passes", "buy jade", "ana gains silk", "done"])
    turn = put_together(read("pass", at, me="ana")[0], at, lambda _: next(typed), {}, later)
    assert turn is not None and not later
    assert turn.to_json()["steps"] == [
        {"tile": "tiger"},
        {"buy": "gold", "choose": {"any_good": ["silk"]}},
        {"buy": "jade"},
    ]
    typed = iter(["tile tiger", "buy gold", "back", "done"])
    turn = put_together(read("pass", silk(PASSING), me="ana")[0], at, lambda _: next(typed), {})
    assert turn is not None and turn.to_json()["steps"] == [{"tile": "tiger"}]
    assert "undone: buy gold" in capsys.readouterr().out


def test_what_somebody_else_does_ends_a_turn_that_may_end(silk: Any, capsys: pytest.CaptureFixture[str]) -> None:
    at, later = silk(ANA_IN_ZHAO), []
    typed = iter(["Ben passes", "exchange 1", "Ben passes"])
    turn = put_together(read("zhao", at, me="ana")[0], at, lambda _: next(typed), {"bo": "Ben"}, later)
    assert "this turn has to end first" in capsys.readouterr().out, "before anything was done there"
    assert turn is not None and later == ["Ben passes"]


def test_another_turn_of_whoever_is_named_ends_a_turn_that_may_end(silk: Any) -> None:
    at, later = silk(ANA_IN_ZHAO), []
    typed = iter(["exchange 1", "Ann passes, tile tiger"])
    turn = put_together(read("zhao", at, me="ana")[0], at, lambda _: next(typed), {"ana": "Ann"}, later)
    assert turn is not None and later == ["Ann passes, tile tiger"]


def test_the_next_steps_say_what_they_cost_and_bring_or_ask(silk: Any) -> None:
    draft = TurnDraft(read("pass, tile tiger", silk(PASSING), me="ana")[0], silk(PASSING))
    steps = {getattr(step.part, "buy", None): step for step in draft.next_steps()}
    assert [event.what for event in steps["jade"].events] == ["ana is at step 3 of jade", "ana gains 1 vp"]
    assert steps["gold"].asks[0].options == ["salt", "silk", "lacquer"]


def test_an_answer_finds_its_place_inside_the_turn(silk: Any) -> None:
    at = silk(PASSING)
    verdict = at.judge(read("pass, tile tiger, buy gold, buy jade", at, me="ana")[0])
    form = answered(verdict.move.to_json(), verdict.needs[0].field, "silk")
    assert form["steps"][1] == {"buy": "gold", "choose": {"any_good": ["silk"]}}
    assert at.judge(from_json(form, at)).legal
    asked = at.judge(read("pass, tile", at, me="ana")[0])
    assert answered(asked.move.to_json(), asked.needs[0].field, "ox")["steps"] == [{"tile": "ox"}]


@pytest.mark.parametrize(
    ("choose", "says"),
    [
        ({"any_good": None}, "choose.any_good: None is not an answer"),
        ({"any_good": [["silk"]]}, r"choose.any_good: \['silk'\] is not an answer"),
        ({"ana": {"any_good": {"x": 1.5}}}, "choose.ana.any_good.x: 1.5 is not an answer"),
        ("silk", "expected a mapping"),
    ],
)
def test_answers_in_json_are_words_and_numbers(silk: Any, choose: Any, says: str) -> None:
    with pytest.raises(MoveFormError, match=says):
        from_json({"turn": "pass", "steps": [{"tile": "tiger"}, {"buy": "gold", "choose": choose}]}, silk(PASSING))


def test_one_answer_may_be_said_by_itself(silk: Any) -> None:
    at = silk(PASSING)
    steps = [{"tile": "tiger"}, {"buy": "gold", "choose": {"any_good": "silk"}}]
    move = from_json({"turn": "pass", "player": "ana", "steps": steps}, at)
    assert move.to_json()["steps"][1] == {"buy": "gold", "choose": {"any_good": ["silk"]}}
    assert at.judge(move).legal


def test_answers_without_their_kinds_may_stand_in_any_order() -> None:
    choices = Choices({"any": ["jade", "salt", "nonsense"]}, "")
    assert choices.take("good", "ana", ["salt", "silk"]) == ["salt"]
    assert choices.take("track", "ana", ["gold", "jade"]) == ["jade"]
    assert choices.take("good", "ana", ["salt", "silk"]) == ["nonsense"], "what fits nothing is told"
    assert choices.completed({}) == {"good": ["salt"], "track": ["jade"]}
