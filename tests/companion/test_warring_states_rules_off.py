"""Citations are true: every rule that the companion judges by changes a verdict or a figure when it is switched off.

The cases are the game's rulings and all of `tests/companion/rulings/`. For each rule one case is looked for that cites
the rule and whose verdict (legal or not) or position afterwards is another one without it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
import yaml

from companion.engine.jsonmoves import from_json
from companion.engine.lines import try_line
from companion.engine.position import Position, Rules
from companion.engine.positionfile import from_form
from companion.games import load_rules
from components.model import ResolvedGame
from components.resolve import resolve_game

FOLDER = Path(__file__).parent / "rulings"


class Answer(NamedTuple):
    legal: bool | None
    after: bytes
    cited: frozenset[str]


def answer(rules: Rules, position: dict[str, Any], moves: list[dict[str, Any]]) -> Answer:
    at: Position[Any] = Position(rules, from_form(position, rules))
    cited: set[str] = set()
    legal: bool | None = None
    for said in moves:
        outcome = try_line(at, [from_json(said, at)])
        legal = outcome.verdict.legal
        cited |= {e.rule for e in outcome.events} | {b.rule for b in outcome.verdict.reasons}
        if not legal:
            break
        at = outcome.after
        at.events.clear()
    return Answer(legal, msgspec.json.encode(rules.dump(at.state)), frozenset(cited))


def all_cases(game: ResolvedGame) -> list[tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]]:
    cases = [(dict(r.position), list(r.moves), dict(r.set)) for r in game.rulings]
    for file in sorted(FOLDER.glob("warring_states_*.yaml")):
        for case in yaml.safe_load(file.read_text(encoding="utf-8")):
            cases.append((case["position"], case["moves"], case.get("set") or {}))
    return cases


@pytest.fixture(scope="module")
def found() -> tuple[ResolvedGame, set[str], set[str]]:
    """The game, the rules cited anywhere, and those whose absence changes an answer."""
    base = resolve_game("warring-states")
    games: dict[str, ResolvedGame] = {}
    without: dict[tuple[str, str], Rules] = {}
    cited: set[str] = set()
    flipped: set[str] = set()
    for position, moves, sets in all_cases(base):
        key = repr(sorted(sets.items()))
        game = games.setdefault(key, resolve_game("warring-states", sets=sets))
        before = answer(load_rules(game), position, moves)
        cited |= before.cited
        for rule in before.cited - flipped:
            if (key, rule) not in without:
                without[key, rule] = load_rules(msgspec.structs.replace(game, off=[rule]))
            after = answer(without[key, rule], position, moves)
            if (before.legal, before.after) != (after.legal, after.after):
                flipped.add(rule)
    return base, cited, flipped


def test_every_rule_is_cited_and_no_other(found: tuple[ResolvedGame, set[str], set[str]]) -> None:
    game, cited, _ = found
    judged = {rule.id for rule in game.rules.values() if rule.kept_by == "companion"}
    assert sorted(judged - cited) == []
    assert sorted(cited - set(game.rules)) == []


def test_every_rule_switched_off_changes_an_answer(found: tuple[ResolvedGame, set[str], set[str]]) -> None:
    game, _, flipped = found
    judged = {rule.id for rule in game.rules.values() if rule.kept_by == "companion"}
    assert sorted(judged - flipped) == []


def test_few_rules_are_left_to_the_table(found: tuple[ResolvedGame, set[str], set[str]]) -> None:
    """Shuffling, secrecy, what everybody can see: nothing the companion could judge."""
    game, _, _ = found
    assert [rule.id for rule in game.rules.values() if rule.kept_by == "table"] == [
        "WS-SETUP-3",
        "WS-SETUP-8",
        "WS-SETUP-11",
        "WS-INFO-1",
        "WS-INFO-2",
        "WS-INFO-3",
        "WS-DECK-1",
        "WS-CLASH-2",
        "WS-WIN-6",
    ]
