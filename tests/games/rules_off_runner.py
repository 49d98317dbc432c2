"""Citations are true: every rule that forbids changes a verdict when it is switched off, and every other rule is cited.

For each rule a case is looked for (see `case_runner`) that cites the rule, or says that it shows it (`about`), and
whose verdict, position afterwards or answer is another one without it.
"""

from __future__ import annotations

from typing import NamedTuple

import case_runner
import games
import msgspec

from companion.engine.language.unread import NotationError
from companion.engine.play.lines import CannotHappen
from companion.engine.play.position import Rules
from components.model import ResolvedGame


class Survey(NamedTuple):
    """The game, the rules cited anywhere, those named by a case, and those whose absence changes an answer."""

    game: ResolvedGame
    cited: set[str]
    named: set[str]
    flipped: set[str]

    @property
    def judged(self) -> set[str]:
        return {rule.id for rule in self.game.rules.values() if rule.kept_by == "companion"}

    @property
    def forbidding(self) -> set[str]:
        """Rules that can be switched off: those with words for a refusal."""
        rules = self.game.rules.values()
        return {rule.id for rule in rules if any(key.startswith("breaks.") for key in rule.words)}

    @property
    def left_to_the_table(self) -> list[str]:
        return [rule.id for rule in self.game.rules.values() if rule.kept_by == "table"]


def answered(done: case_runner.Run, rules: Rules) -> tuple[bool | None, bytes, bytes]:
    """The verdict, the position afterwards and the answer to the question of a case."""
    value = msgspec.json.encode(done.answer.value) if done.answer else b""
    return done.verdict and done.verdict.legal, msgspec.json.encode(rules.dump(done.after.state)), value


def survey(name: str) -> Survey:
    """Ask every case of a game with all rules; then, for each rule that forbids, those that cite it or are about it,
    without it, until one answers otherwise: first those that it refused."""
    cited: set[str] = set()
    named: set[str] = set()
    found = Survey(games.resolved(name), cited, named, set())
    shown_by: dict[str, list[tuple[bool, case_runner.Case, case_runner.Run]]] = {rule: [] for rule in found.forbidding}
    for case in case_runner.cases(name):
        if "fault" in case.said:
            continue
        done = case_runner.run(case, games.rules_with(name, case.sets, case.variants))
        cited |= done.cited
        named |= case.spoken_of
        refused_by = {breach.rule for breach in done.verdict.reasons} if done.verdict else set()
        for rule in (done.cited | set(case.said.get("about") or ())) & shown_by.keys():
            shown_by[rule].append((rule not in refused_by, case, done))
    for rule, shown in shown_by.items():
        if any(flips(rule, case, done) for _, case, done in sorted(shown, key=lambda one: one[0])):
            found.flipped.add(rule)
    return found


def flips(rule: str, case: case_runner.Case, done: case_runner.Run) -> bool:
    """True if a case has another answer without the rule."""
    rules, without = (games.rules_with(case.game, case.sets, case.variants, off=off) for off in (None, rule))
    try:
        return answered(case_runner.run(case, without), without) != answered(done, rules)
    except CannotHappen:  # nothing forbids it now, but it cannot be done: no answer, and no crash
        return False
    except NotationError:  # its line could be two things now: that is another answer
        return True
