"""Lines as people say them with cards in the other hand, and what each records.

`natural/<game>.yaml` is a list of tables: a `position` (`variants` and `set` where it needs them), the `people` who
sit there, and `lines`: typed line -> the moves it says, in their JSON form; `asked` where it could be two things or
leaves a choice; `refused` where it cannot be read, or says what the rules forbid. `guessed`: lines that are heard, or
whose first guess it is. A table marked `fresh` was written
by somebody who had not seen how the game reads its lines, and `missed` lists those of its lines that are not
understood yet.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import games
import pytest
import yaml

from companion.engine.errors import CompanionError
from companion.engine.language.jsonmoves import from_json
from companion.engine.language.notation import NotationError, read
from companion.engine.language.positionfile import from_form
from companion.engine.play.lines import try_line
from companion.engine.play.position import Position
from companion.engine.play.spoken import with_steps

FOLDER = Path(__file__).parent / "natural"
ASKED, REFUSED = "asked", "refused"
UNDERSTOOD = 0.85
"""The share of fresh lines that has to be understood at once, at least; no line may be heard as something else."""


@cache
def tables(game: str) -> list[dict[str, Any]]:
    file = FOLDER / f"{game}.yaml"
    return yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader) if file.is_file() else []


def heard(line: str, at: Position[Any], people: dict[str, str]) -> Any:
    """What becomes of a line: the moves it records, `asked` or `refused`."""
    try:
        moves = read(line, at, people=people)
        verdict = try_line(at, moves, typed=True).verdict
    except NotationError as error:
        return ASKED if error.kind == "ambiguous" else REFUSED
    except CompanionError:
        return REFUSED
    if verdict.legal is None:
        return ASKED
    return [move.to_json() for move in moves] if verdict.legal else REFUSED


def meant(said: Any, at: Position[Any]) -> Any:
    return said if isinstance(said, str) else [from_json(form, at).to_json() for form in said]


@pytest.mark.parametrize("game", [game for game in games.GAMES if tables(game)])
def test_lines_record_what_people_say(game: str) -> None:
    wrong = []
    for table in tables(game):
        rules = games.rules_with(game, table.get("set") or {}, table.get("variants") or ())
        at: Position[Any] = Position(rules, from_form(table["position"], rules))
        for line, said in table["lines"].items():
            expected = (REFUSED, ASKED) if line in table.get("missed", ()) else (meant(said, at),)
            if (found := heard(line, at, table.get("people") or {})) not in expected:
                wrong.append(f"{line!r}: expected {expected}, heard {found}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("game", [game for game in games.GAMES if tables(game)])
def test_a_line_that_cannot_be_read_whole_is_guessed(game: str) -> None:
    wrong, guessed = [], 0
    for table in tables(game):
        rules = games.rules_with(game, table.get("set") or {}, table.get("variants") or ())
        at: Position[Any] = Position(rules, from_form(table["position"], rules))
        people = table.get("people") or {}
        for line, said in table.get("guessed", {}).items():
            guessed += 1
            found = guesses(line, at, people) or heard(line, at, people)
            if found != meant(said, at):
                wrong.append(f"{line!r}: expected {said}, found {found}")
    assert guessed and not wrong, "\n".join(wrong)


def guesses(line: str, at: Position[Any], people: dict[str, str]) -> Any:
    """The first guess at a line; None if it is read whole, or there is none."""
    try:
        read(line, at, people=people)
    except NotationError as error:
        assert all(try_line(at, moves, typed=True).verdict.legal is not False for moves in error.ways)
        return [move.to_json() for move in error.ways[0]] if error.ways else None
    return None


@pytest.mark.parametrize("game", sorted(game for game in games.GAMES if game not in games.TOYS))
def test_ways_to_say_a_move_are_of_moves_there_are(game: str) -> None:
    rules = games.rules_with(game)
    said = (rules.game.ways, rules.game.phrases, rules.game.move_verbs)
    assert rules.game.ways.keys() <= rules.moves.keys()
    known = {kind.name or kind.__name__ for kind in with_steps(rules.moves.values())}
    assert rules.game.phrases.keys() | rules.game.move_verbs.keys() <= known
    assert {name for lists in said for name, ways in lists.items() if not ways} == set()


@pytest.mark.parametrize("game", [game for game in games.GAMES if any(table.get("fresh") for table in tables(game))])
def test_fresh_lines_are_understood(game: str) -> None:
    fresh = [table for table in tables(game) if table.get("fresh")]
    lines = sum(len(table["lines"]) for table in fresh)
    missed = sum(len(table.get("missed", ())) for table in fresh)
    assert lines >= 50 and missed <= (1 - UNDERSTOOD) * lines
