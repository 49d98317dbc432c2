"""Rulings of a game, written from its rules and apart from the code: each a position, moves, a verdict.

A case says what a table would say: a position as sparse as a person writes it, the moves in the order played (the last
one is the question), the verdict, the rules that have to be cited (reasons of a refusal, steps of a legal line) and
what has to stand afterwards. Whatever happens, no piece may appear or vanish.

| key | meaning |
|---|---|
| `set` | parameters of the case's own |
| `legal` | the verdict on the last move; may be left out where a query is all that is asked |
| `rules`, `forbidden_by`, `not_rules` | ids that are cited, that comes first among the reasons, that is no reason |
| `expect` | a part of the position afterwards; `null`: nothing is there |
| `needs` | fields or moves the answer asks for |
| `query`, `value` | a question about figures after the moves, and a part of its answer |
| `about` | ids the case shows at work without their being cited |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from companion.engine.answers import answers
from companion.engine.language.jsonmoves import from_json
from companion.engine.language.positionfile import read_position
from companion.engine.play.lines import Outcome, try_line
from companion.engine.play.position import Position, Rules
from companion.games import load_rules
from components.resolve import resolve_game

FOLDER = Path(__file__).parent / "cases"

Case = dict[str, Any]

_rules: dict[str, Rules] = {}


def rules_with(game: str, sets: dict[str, Any]) -> Rules:
    """The rules of a game with some of its parameters set; the same object for the same settings."""
    key = repr((game, sorted(sets.items())))
    if key not in _rules:
        _rules[key] = load_rules(resolve_game(game, sets=sets))
    return _rules[key]


@cache
def files(game: str) -> list[tuple[Path, Case]]:
    """(file, case) for every case in the files of `cases/<game>/`. Read once; nobody may change them."""
    found = sorted((FOLDER / game).glob("*.yaml"))
    return [(path, case) for path in found for case in yaml.safe_load(path.read_text(encoding="utf-8"))]


def parameters(game: str) -> list[Any]:
    """The cases of a game, to parametrize a test with."""
    return [pytest.param(case, id=f"{path.stem}-{case['id']}") for path, case in files(game)]


def ask(game: str, case: Case, folder: Path) -> tuple[Position[Any], Outcome | None]:
    """The position of a case before its moves, and what became of them. All but the last have to be legal."""
    rules = rules_with(game, case.get("set") or {})
    file = folder / "position.yaml"
    file.write_text(yaml.safe_dump(case["position"], sort_keys=False), encoding="utf-8")
    before: Position[Any] = Position(rules, read_position(file, rules))
    here = before.copy()
    outcome: Outcome | None = None
    for index, said in enumerate(case.get("moves", ())):
        outcome = try_line(here, [from_json(said, here, index)])
        outcome.events[:0] = here.events
        if index < len(case["moves"]) - 1:
            why = [breach.why for breach in outcome.verdict.reasons] or outcome.verdict.needs
            assert outcome.verdict.legal, f"move {index + 1}, {said}, is not the one in question: {why}"
        here = outcome.after
        here.events = list(outcome.events)
    return before, outcome


def differences(expected: Any, found: Any, path: str = "") -> list[str]:
    """Where `found` is not what was expected; mappings may hold more, Generals lie in no order."""
    if isinstance(expected, dict) and isinstance(found, dict) and (expected or not found):
        return [
            line
            for key, value in expected.items()
            if value is not None or key in found
            for line in differences(value, found.get(key, "(missing)"), f"{path}.{key}")
        ]
    if isinstance(expected, list) and isinstance(found, list):
        if path.endswith((".generals", ".removed")):
            expected, found = sorted(expected), sorted(found)
        elif len(expected) == len(found):
            return [
                line
                for i, (a, b) in enumerate(zip(expected, found, strict=True))
                for line in differences(a, b, f"{path}[{i}]")
            ]
    return [] if expected == found else [f"{path.lstrip('.')}: expected {expected}, found {found}"]


def judge(game: str, case: Case, folder: Path, pieces: Callable[[dict[str, Any]], Counter[str]]) -> None:
    """Ask a case and compare everything it says. `pieces` counts the pieces of a position form."""
    before, outcome = ask(game, case, folder)
    after = before if outcome is None else outcome.after
    if outcome is not None:
        judge_verdict(case, before.rules, outcome)
    if "query" in case:
        said = {key: value for key, value in case["query"].items() if key != "query"}
        answer = before.rules.queries()[case["query"]["query"]](after, **said)
        wrong = differences(answers.plain(case["value"]), answers.plain(answer.value))
        assert not wrong, f"{case['title']}: {'; '.join(wrong)}"
        assert answer.rules and set(answer.rules) <= set(before.rules.game.rules)

    form = before.rules.dump(after.state)
    if "expect" in case:
        wrong = differences(case["expect"], form)
        assert not wrong, f"{case['title']}: {'; '.join(wrong)}"
    if before.state.players:
        assert pieces(form) == pieces(before.rules.dump(before.state))
    if not before.rules.check_whole(before.state):
        assert not before.rules.check_whole(after.state)


def judge_verdict(case: Case, rules: Rules, outcome: Outcome) -> None:
    """Compare the verdict on the last move, the rules it cites and what it asks for."""
    verdict = outcome.verdict
    said = [f"{breach.rule}: {breach.why}" for breach in verdict.reasons]
    assert verdict.legal is case["legal"], f"{case['title']}: {said or verdict.needs or 'legal'}"

    cited = [step.rule for step in (outcome.events if verdict.legal else verdict.reasons)]
    missing = [rule for rule in case.get("rules", ()) if rule not in cited]
    assert not missing, f"{case['title']}: {missing} not among {cited}"
    assert set(cited) <= set(rules.game.rules), "a rule is cited that is not in the rulebook"
    assert not set(case.get("not_rules", ())) & {breach.rule for breach in verdict.reasons}, said
    if "forbidden_by" in case:
        assert cited[:1] == [case["forbidden_by"]], f"{case['title']}: {said}"

    needed = {word for choice in verdict.needs for word in (choice.field, choice.move)}
    assert set(case.get("needs", ())) <= needed, f"needs {verdict.needs}"
