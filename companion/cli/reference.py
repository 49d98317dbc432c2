"""The look-ups of `companion play`: how to type a move, rules and rulings, figures. Nothing here changes the table."""

from __future__ import annotations

from typing import Any

from companion.cli import common
from companion.cli.speech import QUESTION
from companion.engine.answers import answers
from companion.engine.answers import ask as asking
from companion.engine.answers.asked import typed, usages
from companion.engine.answers.queries import answer as answer_to
from companion.engine.errors import CompanionError
from companion.engine.language import saying
from companion.engine.play.lines import Outcome
from companion.engine.play.moves import Move
from companion.engine.table.table import Table
from components.model import BASE
from components.phrasing import join_and

MOST = 20
"""Rules shown at once."""
OTHERS = 6
"""Other ways to begin a step, of those it has."""


class Reference:
    """The rules of one table, and its figures as they are now."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.cited: list[str] = []
        """The rules of the last answer, for `why`."""

    def cite(self, outcome: Outcome) -> None:
        """Keep the rules on which an answer rests."""
        verdict = outcome.verdict
        rules = [breach.rule for breach in verdict.reasons] + [choice.rule for choice in verdict.needs]
        rules += [event.rule for event in outcome.events if not event.aside]
        self.cited = list(dict.fromkeys(filter(None, rules))) or self.cited

    def why(self, _: str = "") -> None:
        """The rules of the last answer."""
        if not self.cited:
            common.say("nothing has been judged yet; `ask WORDS` searches the rules")
        for rule_id in self.cited[:MOST]:
            self.rule(rule_id)

    def rule(self, said: str) -> None:
        """A rule by its id, or those that fit some words."""
        try:
            rule = asking.view(self.table.rules.game, said).rule
        except asking.NoSuchRule:
            found = asking.searched_instead(self.table.rules.game, said, common.cache_folder("asked"))
            if not found:
                raise
            self._say(found)
            return
        common.say(f"{rule.id}  {rule.title}\n    {rule.text}")

    def look(self, words: str) -> None:
        """The rules and rulings that fit some words."""
        if not self._found(words, 5):
            common.say("no rule and no ruling has these words")

    def asked(self, text: str) -> bool:
        """Answer what asks for a figure or about the rules; whether it does."""
        return self.figure(text) or bool(QUESTION.fullmatch(text) and self.looked_up(text))

    def looked_up(self, question: str) -> bool:
        """Look up a question that is not a move; True if anything was found."""
        return self._found(question, 3, "this is not a move; the rules say:")

    def _found(self, words: str, most: int, before: str = "") -> bool:
        found = asking.search(self.table.rules.game, words, most, common.cache_folder("asked"))
        if found and before:
            common.say(before)
        self._say(found)
        return bool(found)

    def _say(self, found: list[asking.Found]) -> None:
        for one in found:
            common.say(f"{one.id}  {one.title}\n    {one.text}")

    def help(self, word: str) -> None:
        """Print how to type the moves that begin with a word, or else the steps of turns that do."""
        at, word = self.table.position, word.lower()
        kinds = [kind for kind in self.table.rules.moves.values() if self._in_play(kind)]
        found = [kind for kind in kinds if saying.begins_with(kind, word, at)]
        for kind in found:
            common.say(self.table.named.examples(saying.explained(kind, at)))
        if not found and not self._steps(kinds, word):
            common.say(f"no move begins with {word!r}; `moves` lists what is legal, `ask {word}` searches the rules")

    def _steps(self, kinds: list[type[Move]], word: str) -> bool:
        """Print how to type the steps that begin with a word, and in which turns; False if none do."""
        turns: dict[saying.StepWords, list[str]] = {}
        for kind in kinds:
            for step in saying.steps_of(kind, self.table.position):
                if any(said.startswith(word) for said in step.words):
                    turns.setdefault(step, []).append(saying.verbs(kind)[0])
        for step, names in turns.items():
            others = step.words[1:][:OTHERS]
            also = f" Also: {', '.join(others)}." if others else ""
            common.say(f"{step.usage}\n    {step.about}{also}\n    A step of {join_and(names)}: type `?{names[0]}`")
        return bool(turns)

    def _in_play(self, kind: type[Move]) -> bool:
        """True if the rule that governs a kind of move is in play here, and not in a module left out."""
        rules = self.table.rules
        return rules.brought.get(kind, BASE) in (BASE, *rules.modules(self.table.position.state))

    # --- figures -----------------------------------------------------------------------------------------------

    def query(self, said: str) -> None:
        """Answer a question about figures; without words, list what can be asked."""
        at = self.table.position
        if said:
            self.answered(typed(said, at, self.table.people))
        else:
            common.say("\n".join(usages(at)) or "this game has no queries")

    def answered(self, question: dict[str, Any]) -> None:
        """Answer a query in its JSON form."""
        common.say(answers.query_text(question["query"], answer_to(question, self.table.position)))

    def figure(self, text: str) -> bool:
        """Answer a line that is a query without the word `query` (`area e2`, `how big is the area at e2`); whether it
        was one."""
        names = self.table.rules.queries()
        words = text.rstrip("?").split()
        at = next((n for n, word in enumerate(words) if word.lower() in names), None)
        if at is None or (at > 0 and not QUESTION.fullmatch(text)):
            return False
        try:
            question = typed(" ".join([words[at].lower(), *words[at + 1 :]]), self.table.position, self.table.people)
            self.answered(question)
        except CompanionError:
            return False
        return True


__all__ = ["Reference"]
