"""What is owed, what cards change and what waits for a moment: the toy game Rampart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import companion.games
from companion.engine.language.notation import read
from companion.engine.play.lines import try_line
from companion.engine.play.moves import Choice, Move
from companion.engine.play.phases import awaited
from companion.engine.play.position import Position
from components.resolve import resolve_game

At = Position[Any]
FULL_QUARRY = {
    "active": "pine",
    "quarry": {"plum": 1, "pine": 2, "reed": 1},
    "player": {"pine": {"cards": ["surveyor"]}, "reed": {"cards": ["foreman"]}},
}
BREACH = {
    "phase": "winter",
    "player": {
        "plum": {"soldiers": {"spearman": 1, "archer": 1}, "cards": ["penitent"]},
        "pine": {"soldiers": {"spearman": 2}},
        "reed": {},
    },
}


@pytest.fixture
def rampart(toy_module: None, toy: Any) -> Any:
    rules = companion.games.load_rules(resolve_game("rampart", root=toy))

    def position(form: dict[str, Any]) -> At:
        return Position(rules, rules.complete(form))

    return position


def play(at: At, *lines: str) -> list[str]:
    """Play lines; what was told."""
    for line in lines:
        for move in read(line, at):
            verdict = at.play(move)
            assert verdict.legal, (line, [breach.why for breach in verdict.reasons], verdict.needs)
    return [event.what for event in at.events]


def refused(at: At, line: str) -> tuple[str, str]:
    verdict = at.judge(read(line, at)[0])
    assert verdict.legal is False, verdict
    return verdict.reasons[0].rule, verdict.reasons[0].why


def test_an_activation_is_resolved_in_tea_order_clerk_by_clerk(rampart: Any) -> None:
    at = rampart(FULL_QUARRY)
    play(at, "activate quarry")
    assert awaited(at) == ["plum", "pine", "reed"]
    assert play(at, "plum gather", "pine gather", "pine gather", "reed gather")[1:] == [
        "plum gathers 3 stone",
        "pine gathers 3 stone",
        "pine gathers 3 stone",
        "pine gains 1 stone (Surveyor)",
        "reed gathers 3 stone",
        "the clerks of the Quarry go home",
    ]
    assert {seat: p.stone for seat, p in at.state.player.items()} == {"plum": 3, "pine": 7, "reed": 3}
    assert at.state.quarry == {} and at.state.pending == []


def test_an_effect_limited_to_an_activation_works_again_in_the_next(rampart: Any) -> None:
    at = rampart(FULL_QUARRY)
    play(at, "activate quarry", "plum gather", "pine gather", "pine gather", "reed gather")
    at.trigger("resolve:quarry", "pine")
    assert at.state.player["pine"].stone == 7, "its one use in this activation is spent"
    at.state.quarry = {"pine": 4}
    play(at, "activate quarry", *["pine gather"] * 4)
    assert at.state.player["pine"].stone == 7 + 4 * 3 + 1


def test_what_can_be_settled_in_one_way_only_is_presumed(rampart: Any) -> None:
    at = rampart(FULL_QUARRY | {"quarry": {"pine": 4}})
    at.state.player["pine"].stone = 5
    play(at, "activate quarry", "pine build")
    assert at.state.player["pine"].stone == 5 + 4 * 3 + 1 - 5


def test_a_figure_says_what_changed_it(rampart: Any) -> None:
    at = rampart({"active": "reed", "player": {"reed": {"stone": 3, "cards": ["foreman"]}}})
    assert refused(at, "build") == (
        "RA-BUILD-1",
        "reed has 3 stone, and a barricade costs 4 (5, less 1 by Foreman).",
    )
    figure = at.value("barricade.cost.stone", "reed")
    assert (figure.value, figure.base, figure.rules) == (4, 5, ["RA-CARD-1"])
    assert at.value("barricade.cost.stone", "plum").value == 5
    at.state.player["reed"].stone = 4
    assert play(at, "build") == ["reed builds a barricade for 4 stone (5, less 1 by Foreman)"]


def test_a_breach_owes_shame_to_three_players_in_tea_order(rampart: Any) -> None:
    at = rampart(BREACH)
    play(at, "assault")
    assert at.state.player["plum"].chi == 1
    assert awaited(at) == ["plum", "pine", "reed"]
    assert [task.who for task in at.state.pending] == ["plum", "pine", "reed"]
    assert refused(at, "reed shame spearman")[0] == "RA-SHAME-2"
    assert refused(at, "assault") == ("RA-SHAME-2", "plum first has to place 1 shame token.")
    asked = at.judge(read("plum shame", at)[0])
    assert (asked.legal, asked.needs[0].options) == (None, ["spearman", "archer"])
    assert asked.needs[0].question == "Which soldier carries the shame of plum?"
    assert refused(at, "plum shame none") == ("RA-SHAME-6", "plum has spearman and archer to carry it.")
    play(at, "plum shame archer", "pine shame", "reed shame")
    assert at.state.player["pine"].shamed == {"spearman": 1}
    assert at.state.player["reed"].honor == -5
    assert at.state.pending == []


def test_an_answer_needs_something_that_is_owed_to_it_and_waits_for_those_before_it(rampart: Any) -> None:
    at = rampart(BREACH)
    assert refused(at, "plum shame archer") == ("RA-SHAME-2", "plum owes no shame.")
    play(at, "assault")
    assert refused(at, "reed shame none") == ("RA-SHAME-2", "reed does not act now; plum does")


def test_a_move_said_in_another_phase_is_refused_by_the_rule_of_its_own(rampart: Any) -> None:
    assert refused(rampart(FULL_QUARRY), "assault") == ("RA-ASLT-8", "this move belongs to winter; it is now fall")
    assert refused(rampart(BREACH), "plum build") == ("RA-FALL-1", "This belongs to fall, and this is winter.")


def test_answers_bundled_with_a_report_are_judged_with_it(rampart: Any) -> None:
    at = rampart(BREACH)
    before = at.rules.dump(at.state)
    play(at, 'assault shame_to={"plum": ["archer"]}')
    assert [task.who for task in at.state.pending] == ["pine", "reed"]
    at = rampart(BREACH)
    assert refused(at, 'assault shame_to={"plum": ["archer", "archer"]}')[0] == "RA-SHAME-2"
    assert at.rules.dump(at.state) == before


def test_a_table_written_down_in_the_middle_goes_on(rampart: Any) -> None:
    at = rampart(FULL_QUARRY)
    play(at, "activate quarry", "plum gather")
    again = rampart(at.rules.dump(at.state))
    play(at, "pine gather", "pine gather", "reed gather")
    play(again, "pine gather", "pine gather", "reed gather")
    assert again.rules.dump(again.state) == at.rules.dump(at.state)


@pytest.mark.parametrize("inside", [False, True], ids=["before it is carried out", "while it is carried out"])
def test_a_typed_line_is_asked_what_a_report_leaves_to_its_default(
    rampart: Any, monkeypatch: pytest.MonkeyPatch, inside: bool
) -> None:
    """Open, the line stops with a question until the move itself says the answer; closed, it goes on."""
    at = rampart(BREACH)
    kind = at.rules.moves["assault"]
    if inside:
        follow_ups = kind.follow_ups

        def asking(move: Any, at: At) -> Iterator[Move]:
            if not move.shame_to:
                at.leaves_open("RA-SHAME-2", "shame_to", "plum", ["archer"])
            yield from follow_ups(move, at)

        monkeypatch.setattr(kind, "follow_ups", asking)
    else:
        monkeypatch.setattr(
            kind, "unsaid", lambda move, at: () if move.shame_to else [Choice("shame_to", "plum", "?", ["archer"])]
        )
    said = kind(shame_to={"plum": ["archer"]})
    assert try_line(at, [kind()]).done and at.judge(kind()).legal and kind() in at.legal()
    outcome = try_line(at, [kind()], typed=True)
    assert outcome.verdict.legal is None
    assert [(one.field, one.of, one.options) for one in outcome.verdict.needs] == [("shame_to", "plum", ["archer"])]
    assert outcome.steps == [] and outcome.after.state == at.state
    answered = try_line(at, [said], typed=True)
    assert answered.done and not answered.after.open
    at.replay(step.move for step in answered.steps)
    assert at.state == answered.after.state
