"""Faults planted in the toy game, which the lab has to find: once here, 20 times out of 20 with `make torture`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.engine.play.moves import Breach, Move
from companion.engine.play.position import Position, Rules
from companion.games import load_rules
from companion.lab.findings import report
from companion.lab.playing import UNDEALT, WITHOUT
from companion.lab.results import Report
from companion.lab.runs import Plan, Side, begun, run
from components.model import ResolvedGame
from components.resolve import resolve_game

SEEDS = [pytest.param(seed, marks=[] if seed == 1 else [pytest.mark.torture]) for seed in range(1, 21)]
SEATS = ("ana", "bo")
BOTS = (UNDEALT,) * 2

pytestmark = [pytest.mark.lab, pytest.mark.parametrize("seed", SEEDS), pytest.mark.usefixtures("toy_module")]


def played(seed: int, games: int, *sides: Side, most: int = 1_000) -> Report:
    plan = Plan(sides, SEATS, seed, most)
    kept = begun(plan)
    assert run(plan, kept, games)
    return report(plan, kept, games, complete=True, looked=False)


def test_a_seat_that_begins_with_one_coin_more(seed: int, rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = rules.moves["setup"]

    def generous(move: Move, at: Position[Any]) -> None:
        carried_out(move, at)
        at.state.coins["bo"] += 1

    carried_out = setup.apply
    monkeypatch.setattr(setup, "apply", generous)
    found = played(seed, 300, Side("as it is", rules, BOTS))
    assert {place.name for place in found.sides[0].seats if place.stands_out} == {"ana", "bo"}
    assert any(finding.startswith("bo wins ") for finding in found.findings)


def test_a_thing_that_is_never_worth_its_price(seed: int, toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load_rules(resolve_game("orchard", sets={"score.ladder": -2}, root=toy))

    def nowhere(move: Any, at: Position[Any]) -> Iterator[Breach]:
        yield at.breach("OR-RAID-1.ladder", player=move.player)

    monkeypatch.setattr(rules.moves["raid"], "forbidden", nowhere)  # a ladder is for nothing else
    wiser = Side("one player without ladder", rules, (f"{UNDEALT}{WITHOUT}ladder", UNDEALT))
    found = played(seed, 150, Side("as it is", rules, BOTS), wiser)
    change = next(one for one in found.comparisons[0].changes if one.kind == "restricted")
    assert change.stands_out and (change.difference.low or 0) > 0


def test_a_rule_that_can_never_speak(seed: int, toy: Path) -> None:
    game: ResolvedGame = resolve_game("orchard", root=toy)
    known = game.rules["OR-DRAW-2"]
    game.rules["OR-DRAW-9"] = type(known)(
        **{name: getattr(known, name) for name in known.__struct_fields__ if name != "id"}, id="OR-DRAW-9"
    )
    found = played(seed, 30, Side("as it is", load_rules(game), BOTS))
    assert "OR-DRAW-9" in found.sides[0].never["refusals"]
    assert "OR-DRAW-2" not in found.sides[0].never["refusals"]


def test_a_loop_without_end(seed: int, rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    own = rules.propose

    def round_and_round(at: Position[Any], rng: Any) -> Move | None:
        move = own(at, rng)
        return rules.moves["done"]() if move is not None and move.name == "pick" and at.state.bag < 3 else move

    monkeypatch.setattr(rules, "propose", round_and_round)
    found = played(seed, 12, Side("as it is", rules, BOTS), most=200)
    assert found.sides[0].ends == {"cut": 12}
    assert found.findings[0].startswith("12 of 12 games did not end: ")
    assert {game.why for game in found.sides[0].worth_a_look} == {"cut"}
