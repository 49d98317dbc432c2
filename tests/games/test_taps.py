"""How many taps the moves of the golden games take, counted through what a phone offers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import games
import playthrough_runner as golden
import pytest
from walking import answer_in, leads_to, said_in, things_in

from companion.engine.decisions.drafts import Draft, draft
from companion.engine.decisions.fields import Field
from companion.engine.decisions.menus import Said, menu
from companion.engine.decisions.turns import NextStep
from companion.engine.decisions.walks import plain
from companion.engine.language import notation
from companion.engine.language.jsonmoves import from_json, part_name
from companion.engine.language.positionfile import from_form
from companion.engine.play.lines import try_line
from companion.engine.play.moves import Move, maker
from companion.engine.play.parts import Turn
from companion.engine.play.position import Position
from companion.phones.turns import FEW, beginnings, later_fields, ready, whole_steps

UNSAID: tuple[Any, ...] = (None, "", (), {}, 0, False)
MOST = 60


def further(made: Draft, steps: list[dict[str, Any]]) -> Draft:
    """The draft after some steps of a menu, which itself stays."""
    found = draft(made.menu.at, made.menu.seat, made.menu.people)
    found.begin(made.answers[0].value)
    for how, _, value in made.answers[1:]:
        getattr(found, how)(*(() if how in ("leave", "done") else (value,)))
    for step in steps:
        [(said, value)] = step.items()
        getattr(found, said)(*(() if said in ("leave", "done") else (value,)))
    return found


def said_in_all(field: Field, move: Move) -> Any:
    inside = "." in field.name and not field.name.startswith("step.")
    return answer_in(field, move) if inside else said_in(field, move)


def short_cut(made: Draft, move: Move) -> Draft | None:
    """What one tap on a whole step leads to, where the move says that step; on a later field, where it leaves out all
    until there."""
    here = made.here
    if isinstance(here, NextStep) and isinstance(move, Turn) and isinstance(here.walk.move, Turn):
        place = len(here.walk.move.parts())
        for way in whole_steps(made).get("ways", ()):
            if place < len(move.parts()) and way["kind"] == part_name(type(move.parts()[place])) and not way["more"]:
                after = further(made, way["steps"])
                turn = after.here.walk.move if isinstance(after.here, Field) else after.here and after.here.move
                if isinstance(turn, Turn) and turn.parts() == move.parts()[: len(turn.parts())]:
                    return after
    elif isinstance(here, Field):
        for one in reversed(later_fields(made)):
            after = made
            for step in one["steps"]:
                if said_in_all(after.field, move) not in UNSAID:
                    break
                after = further(after, [step])
            else:
                return after
    return None


def said_with_it(made: Draft, wanted: str) -> bool:
    """True if the last step of a turn has the button that says the whole of it."""
    at = made.menu.at
    said = [way["said"]["move"] for way in whole_steps(made).get("ways", ()) if "said" in way]
    return any(leads_to(at, from_json(form, at)) == wanted for form in said)


def to_begin(at: Position[Any], move: Move, first: Field | Said) -> tuple[int, list[dict[str, Any]]]:
    """The taps that begin a move, none where it alone can be said; and what they say of it besides."""
    seat = maker(move) or next(iter(at.rules.to_move(at.state)), "")
    menus = [menu(at, one) for one in dict.fromkeys((seat, ""))]
    open_now = [verb for one in menus for verb in one.verbs if verb.standing != "refused"]
    foremost = [verb for verb in open_now if not verb.already]
    if open_now and not foremost:
        foremost = [verb for one in menus for verb in one.offers if not verb.already]
    if [verb.name for verb in foremost] == [move.name] and foremost[0].standing in ("legal", "incomplete"):
        return 0, []
    mine = menus[0] if maker(move) else menus[-1]
    if len([verb for verb in mine.verbs if verb.standing != "refused"]) <= FEW and isinstance(first, Field):
        for one in beginnings(mine, mine.verb(move.name)) if move.name in [verb.name for verb in mine.verbs] else ():
            if not isinstance(first, NextStep) and one["value"] == plain(said_in_all(first, move)):
                return 1, [{"take": one["value"]}]
    return 1, []


def taps(at: Position[Any], move: Move) -> int | None:
    """The taps that say a move, its verb and "Say it" among them; None where a report leaves a choice to the rules."""
    made = draft(at, maker(move))
    n, said = to_begin(at, move, made.begin(move.name))
    made, n = further(made, said), n + 1
    wanted = leads_to(at, move)
    for _ in range(MOST):
        here = made.here
        if isinstance(here, Said):
            return n if leads_to(at, here.move) == wanted else None
        assert isinstance(here, Field)
        by_things = here.kind in ("several", "pairs", "steps")
        if (ends := ready(here)) and leads_to(at, ends.move) == wanted:
            return n
        if said_with_it(made, wanted):
            return n
        if (after := short_cut(made, move)) is not None:
            made, n = after, n + 1
            continue
        if isinstance(here, NextStep):
            assert isinstance(move, Turn)
            assert isinstance(here.walk.move, Turn)
            place, n = len(here.walk.move.parts()), n + 1
            if place == len(move.parts()):
                made.done()
            else:
                made.take(part_name(type(move.parts()[place])))
            continue
        value = said_in_all(here, move)
        if value in UNSAID and here.optional:
            made.leave()
        elif by_things and not isinstance(value, int):
            for thing in things_in(value or ()):
                if plain(thing) in [one.value for one in made.field.values]:  # the rules fill in the rest
                    made.add(thing)
                    n += 1
            ended = made.field.done() if not made.field.unfinished else None
            n -= isinstance(ended, Said)  # "Say it" stands there already
            made.done()
        elif value in UNSAID and not here.values:
            return None
        else:
            n += int(value) - here.bounds[0] if here.bounds and not 0 < len(here.values) <= 12 else 0
            made.take(value)
        n += 1
    return None


def moves(game: str) -> Iterator[tuple[Position[Any], Move]]:
    """Every move of the golden games, each with the position in which it was said."""
    for file in golden.transcripts(game):
        lines = file.read_text(encoding="utf-8").splitlines()
        head, said = golden.head_of(lines)
        rules = games.rules_with(game, said.get("set") or {}, said.get("variants") or ())
        people = dict(pair.split("=") for pair in str(said.get("seats", "")).split())
        at: Position[Any] = Position(rules, rules.new_state())
        if "position" in said:
            at = Position(rules, from_form(said["position"], rules))
        else:
            at.play(rules.setup_move(list(people), {}))
        for line in lines[len(head) :]:
            for one in line.lstrip("$").split(";") if line.startswith(golden.TYPED) else ():
                try:
                    outcome = try_line(
                        at, notation.read(one.strip(), at, people={b: a for a, b in people.items()}), typed=True
                    )
                except notation.NotationError:
                    continue
                if outcome.done:
                    here = at.copy()
                    for move in outcome.said:
                        yield here.copy(), move
                        here.play(move)
                    at = outcome.after
                    at.events.clear()


@pytest.mark.torture
@pytest.mark.parametrize("game", games.GAMES)
def test_moves_take_few_taps(game: str) -> None:
    found = sorted(n for at, move in moves(game) if (n := taps(at, move)) is not None)
    print(game, len(found), "moves: median", found[len(found) // 2], "p95", found[len(found) * 95 // 100], "taps")
    assert found[len(found) // 2] <= 3
    assert found[len(found) * 95 // 100] <= 8


def test_the_button_of_a_last_step_says_that_step_and_no_other() -> None:
    seen = 0
    for at, move in islice(moves("tianxia"), 40):
        made = draft(at, maker(move))
        if not isinstance(move, Turn) or isinstance(made.begin(move.name), Said):
            continue
        while isinstance(made.here, Field) and not isinstance(made.here, NextStep):
            value = said_in_all(made.here, move)
            made.leave() if value in UNSAID else made.take(value)
        begun = [further(made, way["steps"]) for way in whole_steps(made).get("ways", ()) if not way["more"]]
        for one in (made, *begun[:3]):
            assert isinstance(one.here, NextStep)
            assert isinstance(one.here.walk.move, Turn)
            before = len(one.here.walk.move.parts())
            for way in whole_steps(one).get("ways", ()):
                if "said" in way:
                    assert len(way["said"]["move"]["steps"]) == before + 1, way["said"]["line"]
                    seen += 1
    assert seen
