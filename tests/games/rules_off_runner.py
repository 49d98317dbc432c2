"""Citations are true: every rule a game is judged by changes a verdict or a figure when it is switched off.

The cases are the game's rulings and its cases in `tests/games/cases/`. For each rule one case is looked for that
cites the rule (or says that it shows it: `about`) and whose verdict, position afterwards or answer to a query is
another one without it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import case_runner
import msgspec

from companion.engine.language.jsonmoves import from_json
from companion.engine.language.positionfile import from_form
from companion.engine.play.lines import try_line
from companion.engine.play.position import Position, Rules
from companion.games import load_rules
from components.model import ResolvedGame
from components.resolve import resolve_game


class Answer(NamedTuple):
    legal: bool | None
    after: bytes
    cited: frozenset[str]
    value: bytes = b""
    """What a query of the case was answered."""

    def is_that_of(self, other: Answer) -> bool:
        return (self.legal, self.after, self.value) == (other.legal, other.after, other.value)


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


def answer(
    rules: Rules, position: dict[str, Any], moves: list[dict[str, Any]], query: dict[str, Any] | None = None
) -> Answer:
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
    value = b""
    if query is not None:
        figures = rules.queries()[query["query"]](at, **{k: v for k, v in query.items() if k != "query"})
        value = msgspec.json.encode(figures.value)
        cited |= set(figures.rules)
    return Answer(legal, msgspec.json.encode(rules.dump(at.state)), frozenset(cited), value)


def survey(name: str) -> Survey:
    """Ask every case of a game with all rules, and with each rule it cites switched off."""
    base = resolve_game(name)
    cases: list[tuple[Any, ...]] = [(dict(r.position), list(r.moves), dict(r.set), None, ()) for r in base.rulings]
    for _, case in case_runner.files(name):
        shown = case.get("about") or ()
        cases.append((case["position"], case.get("moves") or [], case.get("set") or {}, case.get("query"), shown))
    games: dict[str, ResolvedGame] = {}
    without: dict[tuple[str, str], Rules] = {}
    cited: set[str] = set()
    flipped: set[str] = set()
    for position, moves, sets, query, shown in cases:
        key = repr(sorted(sets.items()))
        game = games.setdefault(key, resolve_game(name, sets=sets))
        before = answer(load_rules(game), position, moves, query)
        cited |= before.cited
        for rule in (before.cited | set(shown)) - flipped:
            if (key, rule) not in without:
                without[key, rule] = load_rules(msgspec.structs.replace(game, off=[rule]))
            after = answer(without[key, rule], position, moves, query)
            if not before.is_that_of(after):
                flipped.add(rule)
    return Survey(base, cited, flipped)
