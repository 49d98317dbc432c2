"""Questions of a line that leaves something out: whatever is asked, each of the options offered answers it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from types import SimpleNamespace
from typing import Any

import games
import laws
import pytest
from msgspec.structs import replace

from companion.cli.common import Failure
from companion.cli.questions import with_answer
from companion.engine.language import notation, saying
from companion.engine.language.jsonmoves import from_json
from companion.engine.language.positionfile import from_form
from companion.engine.play.lines import CannotHappen, try_line
from companion.engine.play.moves import Move, arguments_of
from companion.engine.play.parts import Turn
from companion.engine.play.position import Position

MOST_QUESTIONS = 40
POSITIONS = 50
PEOPLE = games.PEOPLE[:3]


def less_said(move: Move) -> Iterator[Move]:
    """The move with one thing left out, or all choices: a field, an answer, a step."""
    who = next((a.name for a in arguments_of(type(move)) if a.name == "player"), "")
    for argument in arguments_of(type(move)):
        if argument.name not in (who, "steps") and getattr(move, argument.name) != argument.default:
            yield replace(move, **{argument.name: argument.default})
    if isinstance(move, Turn):
        parts = move.parts()
        if any(getattr(part, "choose", None) for part in parts):
            yield move.with_parts([replace(p, choose={}) if getattr(p, "choose", None) else p for p in parts])
        for n, part in enumerate(parts):
            yield move.with_parts([*parts[:n], *parts[n + 1 :]])
            for less in less_said(part):
                yield move.with_parts([*parts[:n], less, *parts[n + 1 :]])


def table(at: Position[Any]) -> Any:
    return SimpleNamespace(position=at, people={}, read=lambda line, me: notation.read(line, at, me=me))


def each_option_answers(at: Position[Any], move: Move, rng: Random) -> int:
    """Each option of the first question is an answer to it; one of them is followed to the end. How many there were."""
    at, asked = at.copy(), 0
    at.open = True
    for _ in range(MOST_QUESTIONS):
        verdict = at.judge(move)
        if verdict.legal:
            at.open = False
            assert at.judge(verdict.move).legal, "what is recorded asks no more"
        if verdict.legal is not None or verdict.needs[0].move:
            return asked
        choice = verdict.needs[0]
        if not choice.options:
            return asked
        answered = []
        for option in choice.options:
            longer = with_answer(table(at), verdict.move, choice, str(option), "")
            again = at.judge(longer)
            assert again.move != verdict.move, (choice, option)
            (said,) = notation.read(notation.write(longer, at), at)
            same = at.judge(said)
            assert (same.legal, same.needs) == (again.legal, again.needs), (notation.write(longer, at), longer)
            assert not any("not a valid choice" in breach.why for breach in again.reasons), (choice, option)
            answered.append(longer)
            asked += 1
        move = rng.choice(answered)
    raise AssertionError(f"{move} is asked about without end")


@pytest.mark.parametrize("way", games.each(games.WAYS), ids=str)
def test_every_option_of_a_question_answers_it(way: games.Way) -> None:
    rng, asked = Random(1), 0
    for at, move in laws.positions(way.rules, way.seats, 1, POSITIONS)[::2]:
        for less in less_said(move):
            asked += each_option_answers(at, less, rng)
    assert asked


def test_a_line_that_answers_nothing_is_no_answer() -> None:
    """Whatever is typed at a question inside a turn, it is an answer or a line of its own, and never a fault."""
    rules = games.rules_with("tianxia")
    form = {"players": PEOPLE, "player": {"ana": {"coin": 30, "salt": 8, "tracks": {"gold": 1}}}}
    at = Position(rules, from_form(form, rules))
    verdict = at.judge(notation.read("ana qi exchange 1", at)[0])
    for typed in (
        "next",
        "s",
        "salt salt",
        "[1]",
        '{"turn": "pass"}',
        "²",
        "bo passes",
        "any_good=salt",
        "choose",
        "=",
    ):
        with pytest.raises(Failure, match="does not answer the question"):
            with_answer(table(at), verdict.move, verdict.needs[0], typed, "")


@pytest.mark.parametrize(
    ("begun", "answer", "done"),
    [
        ("ana qi, ship", "port", {"ship": "port"}),
        ("ana qi, ship port", "1, 3", {"ship": "port", "deliveries": [{"space": 1}, {"space": 3}]}),
        ("ana qi, governor", "salt pans 2", {"governor": "qi_saltpans", "space": 2}),
        ("ana qi, exchange", "twice", {"exchange": 2}),
        ("ana qi, exchange", "2 times", {"exchange": 2}),
    ],
)
def test_an_answer_may_be_said_as_in_a_line(begun: str, answer: str, done: dict[str, Any] | None) -> None:
    """A question for what a step leaves open takes several things at once, in the words of its step."""
    rules = games.rules_with("tianxia")
    form = {
        "players": PEOPLE,
        "player": {"ana": {"coin": 30, "salt": 8, "wood": 20}},
        "buildings": {"chu_pilots": {"governors": ["ana"]}},
        "ports": {"qi": {"demand": "salt", "ship": "heron"}, "wave": {"ship": "tern"}},
    }
    at = Position(rules, from_form(form, rules))
    verdict = at.judge(notation.read(begun, at)[0])
    assert verdict.needs, verdict
    if done is None:
        with pytest.raises(Failure):
            with_answer(table(at), verdict.move, verdict.needs[0], answer, "")
        return
    move = with_answer(table(at), verdict.move, verdict.needs[0], answer, "")
    assert move.to_json()["steps"] == [done]


@pytest.mark.parametrize("way", games.each(way for way in games.WAYS if way.game == "tianxia"), ids=str)
def test_a_move_kept_against_the_rules_asks_for_what_its_steps_leave_out(way: games.Way) -> None:
    """Whatever is forced is carried out, cannot happen, or is asked about; never a fault."""
    rng = Random(3)
    played = laws.positions(way.rules, way.seats, 3, POSITIONS)
    asked = 0
    for at in [at for at, _ in played if at.seats][::4]:
        for _, move in rng.sample(played, 4):
            for less in (move, *less_said(move)):
                with suppress(CannotHappen):
                    needs = try_line(at, [less], force=True).verdict.needs
                    asked += any("steps[" in choice.field for choice in needs)
    assert asked


def test_answers_that_nothing_asks_for_are_refused_in_words() -> None:
    rules = games.rules_with("tianxia")
    at = Position(rules, from_form({"players": PEOPLE, "player": {"ana": {"coin": 3}}}, rules))
    form = {"turn": "region", "player": "ana", "region": "qi", "steps": [{"exchange": 1, "choose": {"Mine": -5}}]}
    move = from_json(form, at)
    assert "choose -5" in saying.short(move, at)
    assert any("Mine" in breach.why for breach in at.judge(move).reasons)
