"""Citations are true: every rule that forbids changes a verdict when it is switched off, and every other rule is cited.

For each rule a case is looked for (see `case_runner`) that cites the rule, or says that it shows it (`about`), and
whose verdict, position afterwards or answer is another one without it.
"""

from __future__ import annotations

from contextlib import suppress
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
    """Ask every case of a game with all rules, and with each rule it cites switched off."""
    cited: set[str] = set()
    named: set[str] = set()
    flipped: set[str] = set()
    forbidding = Survey(games.resolved(name), cited, named, flipped).forbidding
    for case in case_runner.cases(name):
        if "fault" in case.said:
            continue
        rules = games.rules_with(name, case.sets, case.variants)
        done = case_runner.run(case, rules)
        before = answered(done, rules)
        cited |= done.cited
        named |= case.spoken_of
        for rule in ((done.cited | set(case.said.get("about") or ())) & forbidding) - flipped:
            without = games.rules_with(name, case.sets, case.variants, off=rule)
            with suppress(CannotHappen):  # nothing forbids it now, but it cannot be done: no answer, and no crash
                try:
                    after = answered(case_runner.run(case, without), without)
                except NotationError:  # its line could be two things now: that is another answer
                    flipped.add(rule)
                    continue
                if after != before:
                    flipped.add(rule)
    return Survey(games.resolved(name), cited, named, flipped)
