"""What takes thousands of games, lines and positions: `make torture`. The suite leaves it out.

TORTURE=3 makes everything three times as long; a failure names the seed or the input, so that it can be seen again.
"""

from __future__ import annotations

import os
import random
from typing import Any

import case_runner
import games
import laws
import msgspec
import pytest
from games import WAYS, Way

from companion.engine.errors import CompanionError
from companion.engine.language import notation
from companion.engine.language.jsonmoves import from_json
from companion.engine.language.positionfile import from_form
from companion.engine.play.lines import try_line
from companion.engine.play.position import Position
from companion.engine.table.corrections import corrected

pytestmark = pytest.mark.torture

TIMES = int(os.environ.get("TORTURE", "1"))
SCRAPS: tuple[Any, ...] = (None, True, -1, 0, 7, 10**20, 1.5, "", "x", "Qin", "ana", [], ["x"], {}, {"x": 1})
SIGNS = " ,;.:+-/0123456789abcxyzäß'\"\\{}[]"

each_way = pytest.mark.parametrize("way", WAYS, ids=str)
each_game = pytest.mark.parametrize("game", games.GAMES)


@each_way
@pytest.mark.parametrize("seed", range(1000, 1000 + 50 * TIMES, 10))
def test_laws_hold_in_many_games(way: Way, seed: int) -> None:
    for one in range(seed, seed + 10):
        laws.playout_ends(way.rules, way.seats, one)
    for at, move in laws.positions(way.rules, way.seats, seed):
        laws.pieces_are_conserved(at)
        laws.judging_changes_nothing(at, [move])
        laws.move_round_trips(at, move)


@each_way
@pytest.mark.parametrize("seed", range(2000, 2000 + 5 * TIMES))
def test_the_legal_list_is_what_is_legal_in_every_position(way: Way, seed: int) -> None:
    for at, _ in laws.positions(way.rules, way.seats, seed)[::2]:
        laws.legal_list_is_what_is_legal(at)


@each_way
@pytest.mark.parametrize("seed", range(3000, 3000 + 3 * TIMES))
def test_any_line_is_read_or_refused(way: Way, seed: int) -> None:
    """Typed lines with letters changed, words lost, doubled or moved: nothing but an answer or a complaint."""
    rng = random.Random(seed)
    for at, move in laws.positions(way.rules, way.seats, seed)[1:]:
        words = notation.write(move, at).split()
        for _ in range(5):
            line = garbled(words, rng)
            try:
                try_line(at, notation.read(line, at))
            except CompanionError:
                continue
            except Exception as error:
                pytest.fail(f"seed {seed}: {line!r}: {type(error).__name__}: {error}")


def garbled(words: list[str], rng: random.Random) -> str:
    """A line of these words with one or two mistakes."""
    found = list(words)
    for _ in range(rng.randint(1, 2)):
        place = rng.randrange(len(found)) if found else 0
        kind = rng.randrange(4)
        if kind == 0 and found:
            del found[place]
        elif kind == 1 and found:
            found.insert(place, rng.choice(found))
        elif kind == 2:
            rng.shuffle(found)
        elif found:
            at = rng.randrange(len(found[place]) + 1)
            found[place] = found[place][:at] + rng.choice(SIGNS) + found[place][at + 1 :]
    return " ".join(found)


@each_game
@pytest.mark.parametrize("seed", range(4000, 4000 + 10 * TIMES))
def test_any_json_is_a_move_or_refused(game: str, seed: int) -> None:
    """Cases with a value of position or moves replaced by something else."""
    rng = random.Random(seed)
    rules = games.rules_with(game)
    for case in rng.sample(case_runner.cases(game), 100):
        form, moves = (changed(case.said.get(key) or kind, rng) for key, kind in (("position", {}), ("moves", [])))
        if case.sets or case.variants or not isinstance(form, dict):
            continue
        try:
            at: Position[Any] = Position(rules, from_form(form, rules))
            for said in filter(lambda move: isinstance(move, dict), moves if isinstance(moves, list) else []):
                at = try_line(at, [from_json(said, at)]).after
        except CompanionError:
            continue
        except Exception as error:
            pytest.fail(f"seed {seed}: {case.place}: {form} {moves}: {type(error).__name__}: {error}")


def changed(data: Any, rng: random.Random) -> Any:
    """The same data with one value, somewhere, replaced, dropped or doubled; half the time nothing changes."""
    if isinstance(data, dict) and data:
        chosen = rng.choice(list(data))
        return {key: changed(value, rng) if key == chosen else value for key, value in data.items()}
    if isinstance(data, list) and data:
        chosen = rng.randrange(len(data))
        return [changed(value, rng) if i == chosen else value for i, value in enumerate(data)]
    return rng.choice((data, rng.choice(SCRAPS)))


@each_way
@pytest.mark.parametrize("seed", range(5000, 5000 + 5 * TIMES))
def test_any_correction_is_kept_or_refused(way: Way, seed: int) -> None:
    """One field of a position set to something else: it is refused, or the table goes on from there."""
    rng, rules = random.Random(seed), way.rules
    places = [at for at, _ in laws.positions(rules, way.seats, seed) if at.seats]
    for _ in range(100):
        at = rng.choice(places)
        field, value = place_in(msgspec.to_builtins(at.state), rng), rng.choice((*SCRAPS, *way.seats, "1", 2, 3))
        try:
            here: Position[Any] = Position(rules, corrected(rules, at.state, field, value))
            rules.show(here)
            rules.score(here)
            rules.awaits(here)
            for move in here.legal()[:5]:
                here.copy().play(move)
        except CompanionError:
            continue
        except Exception as error:
            pytest.fail(f"seed {seed}: {field} = {value!r}: {type(error).__name__}: {error}")


def place_in(form: Any, rng: random.Random) -> str:
    """The dotted path of something inside a position form."""
    keys: list[str] = []
    while isinstance(form, dict | list) and form and (not keys or rng.random() < 0.8):
        key = rng.choice(list(form) if isinstance(form, dict) else range(len(form)))
        keys.append(str(key))
        form = form[key]
    return ".".join(keys)
