"""Citations are true: every rule a game is judged by changes a verdict or a figure when it is switched off.

The cases are the game's rulings and its cases in `tests/companion/rulings/`. For each rule one case is looked for that
cites the rule and whose verdict (legal or not) or position afterwards is another one without it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import rulings_runner

from companion.engine.jsonmoves import from_json
from companion.engine.lines import try_line
from companion.engine.position import Position, Rules
from companion.engine.positionfile import from_form
from companion.games import load_rules
from components.model import ResolvedGame
from components.resolve import resolve_game


class Answer(NamedTuple):
    legal: bool | None
    after: bytes
    cited: frozenset[str]


class Survey(NamedTuple):
    """The game, the rules cited anywhere, and those whose absence changes an answer."""

    game: ResolvedGame
    cited: set[str]
    flipped: set[str]

    @property
    def judged(self) -> set[str]:
        return {rule.id for rule in self.game.rules.values() if rule.kept_by == "companion"}

    @property
    def left_to_the_table(self) -> list[str]:
        return [rule.id for rule in self.game.rules.values() if rule.kept_by == "table"]


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


def survey(name: str, pattern: str) -> Survey:
    """Ask every case of a game with all rules, and with each rule it cites switched off."""
    base = resolve_game(name)
    cases = [(dict(r.position), list(r.moves), dict(r.set)) for r in base.rulings]
    for _, case in rulings_runner.files(pattern):
        cases.append((case["position"], case["moves"], case.get("set") or {}))
    games: dict[str, ResolvedGame] = {}
    without: dict[tuple[str, str], Rules] = {}
    cited: set[str] = set()
    flipped: set[str] = set()
    for position, moves, sets in cases:
        key = repr(sorted(sets.items()))
        game = games.setdefault(key, resolve_game(name, sets=sets))
        before = answer(load_rules(game), position, moves)
        cited |= before.cited
        for rule in before.cited - flipped:
            if (key, rule) not in without:
                without[key, rule] = load_rules(msgspec.structs.replace(game, off=[rule]))
            after = answer(without[key, rule], position, moves)
            if (before.legal, before.after) != (after.legal, after.after):
                flipped.add(rule)
    return Survey(base, cited, flipped)
