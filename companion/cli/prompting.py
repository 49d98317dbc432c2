"""The questions of `companion play` while a line is open: choices left out, yes or no, the steps of a turn.

A command is obeyed wherever it is typed, and the question put again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.cli import common
from companion.cli.drafting import LEAVING, put_together
from companion.cli.questions import option, with_answer, within
from companion.cli.speech import QUESTION
from companion.engine.errors import CompanionError
from companion.engine.language.unread import NotationError
from companion.engine.play.lines import Outcome
from companion.engine.play.moves import Choice, Move
from companion.engine.play.parts import Turn

if TYPE_CHECKING:
    from companion.cli.conversation import Conversation

MOST = 20
"""Possibilities listed with a question."""
LONG = 29
"""Characters of a prompt; what is longer stands in a line above it."""
OF_TURNS = frozenset(("", "?", "back", "undo", "done", "leave", "cancel"))
"""Words for a turn under way, even if they name a command."""


class Questions:
    """The questions of a conversation."""

    def __init__(self, talk: Conversation) -> None:
        self.talk = talk
        self.open: list[str] = []
        """The possible answers to the question that stands."""
        self.under_way = ""
        """The turn that is being put together, as far as it goes; "" if there is none."""

    def yes(self, question: str) -> bool:
        """True for yes. Any line other than yes or no counts as no, and is obeyed next."""
        common.say(f"  {question}")
        while True:
            said = self.talk.ask("  [y/N] ").strip()
            if said.lower() in ("", "y", "yes", "n", "no"):
                return said.lower() in ("y", "yes")
            if (command := self.talk.command(said)) is None:
                self.talk.waiting.append(said)
                return False
            self._obey(command)
            common.say(f"  {question}")

    def reason(self, question: str) -> str:
        """An answer in free words; "" if none is given. Only a word alone is a command: a reason may begin like one."""
        while True:
            said = self.talk.ask(question).strip()
            if said.lower() in ("", *LEAVING[:2]):
                return ""
            if self.talk.quits(said):
                self.talk.waiting.append(said)
                return ""
            command = self.talk.command(said) if said[0] in ":?" or " " not in said else None
            if command is None:
                return said
            self._obey(command)

    def turn(self, turn: Turn) -> Turn | None:
        """A turn put together step by step; None if it was left."""
        table = self.talk.table
        try:
            drafted = put_together(turn, table.position, self._step, table.named, self.talk.waiting)
        finally:
            self.under_way = ""
        self.talk.left = drafted is None
        return drafted

    def _step(self, prompt: str) -> str:
        """The next line that is said to a turn under way."""
        before, self.under_way = "", prompt.strip().removesuffix("…").rstrip(" ,")
        while True:
            if len(prompt) > LONG and prompt != before:
                common.say(f"  {prompt.strip()}")
                before = prompt
            said = self.talk.ask(prompt if len(prompt) <= LONG else "  step> ").strip()
            if said.lower() in OF_TURNS:
                return said
            if self.talk.quits(said):
                self.talk.waiting.append(said)
                return "leave"
            if (command := self.talk.command(said)) is None:
                return said
            self._obey(command)

    def choose(self, moves: list[Move], outcome: Outcome) -> list[Move] | None:
        """Ask for the first choice left out. Return the line with the answer in it, or None without an answer.

        A command is obeyed and the question asked again. A line that is not an answer but a move comes next, unless the
        rules forbid it: then that is printed, and the question stands.
        """
        choice, talk = outcome.verdict.needs[0], self.talk
        self.open = talk.table.named.options(choice)
        try:
            return self._chosen(moves, outcome, choice)
        finally:
            self.open = []

    def _chosen(self, moves: list[Move], outcome: Outcome, choice: Choice) -> list[Move] | None:
        talk, lines = self.talk, len(self.talk.table.entries)
        self._put(choice)
        seats = dict(zip(map(str.lower, self.open), choice.options, strict=True))
        while True:
            said = talk.ask("  ? ").strip()
            said = str(seats.get(said.lower(), said))
            if not said or said.lower() in LEAVING[:2]:
                talk.left = bool(said)
                return None
            if talk.quits(said):
                talk.waiting.append(said)
                return None
            command = None if option(said, choice.options) in choice.options else talk.command(said)
            if command is not None:
                self._obey(command)
                if len(talk.table.entries) != lines:
                    return moves  # the table is no longer as it was: the line is judged again
                self._put(choice)
                continue
            if option(said, choice.options) not in choice.options:
                named, who = talk.table.named, choice.of
                said = within(said, choice, named.asked(choice), {who.lower(), named.called(who).lower()})
            try:
                if choice.move:
                    answers = option(said, choice.options) in choice.options
                    line = said if not answers and talk.is_move(said) else f"{choice.move} {said}"
                    talk.play(line, alone=False)  # a guess at an answer would swallow the next one
                    return moves
                move = with_answer(talk.table, outcome.verdict.move, choice, said, talk.me)
            except CompanionError as error:
                if talk.is_move(said):
                    if talk.forbidden(said):
                        self._put(choice)
                        continue
                    talk.waiting.append(said)
                    return None
                if QUESTION.fullmatch(said) and (talk.reference.figure(said) or talk.reference.looked_up(said)):
                    self._put(choice)
                else:
                    common.remark(f"  {error}; press Enter to cancel, `?` for help")
                continue
            return [*moves[: outcome.index], move, *moves[outcome.index + 1 :]]

    def which(self, text: str, error: NotationError) -> list[Move] | None:
        """Ask by number which reading of a line, or which guess at it, was meant; None if none was.

        A command is obeyed and the question asked again; if the table has changed meanwhile, the line is read again
        (and an empty list is returned). A line that is a move comes next.
        """
        talk, lines, ways = self.talk, len(self.talk.table.entries), error.ways
        self.open = [str(n) for n in range(1, len(ways) + 1)]
        try:
            while True:
                self._put_readings(text, error)
                said = talk.ask("  ? ").strip()
                if said in self.open:
                    return ways[int(said) - 1]
                if not said or said.lower() in LEAVING[:2]:
                    talk.left = bool(said)
                    return None
                if talk.quits(said):
                    talk.waiting.append(said)
                    return None
                if (command := talk.command(said)) is not None:
                    self._obey(command)
                    if len(talk.table.entries) != lines:
                        talk.waiting.insert(0, text)
                        return []
                elif talk.is_move(said):
                    talk.waiting.append(said)
                    return None
                elif not (QUESTION.fullmatch(said) and (talk.reference.figure(said) or talk.reference.looked_up(said))):
                    common.remark(f"  {said!r:.80} is not one of them; type a number, or press Enter to cancel")
        finally:
            self.open = []

    def _put_readings(self, text: str, error: NotationError) -> None:
        if error.kind == "ambiguous":
            common.say(f"  {text!r:.80} could mean:")
        else:
            common.remark(self.talk.table.named.text(str(error)))
            common.say("  Is this meant? Type its number; Enter records nothing:")
        for n, reading in enumerate(error.nearest, 1):
            common.say(f"  {n}  {self.talk.table.named.as_typed(reading)}")
            if left := "".join(error.left[n - 1 : n]):
                common.say(f"     not heard: {left!r:.60}")

    def _obey(self, command: Callable[[], None]) -> None:
        """A command in the middle of a question; what is wrong with it ends neither."""
        stood = self.open, self.under_way
        try:
            command()
        except CompanionError as error:
            common.remark(f"  {error}")
        self.open, self.under_way = stood

    def _put(self, choice: Choice) -> None:
        people = self.talk.table.named
        question = people.asked(choice)
        who = people.called(choice.of) if choice.of else ""
        common.say(f"  {who}: {question}" if who and who not in question else f"  {question}")
        if self.open:
            more = f" … and {len(self.open) - MOST} more" if len(self.open) > MOST else ""
            common.say(f"  {', '.join(self.open[:MOST])}{more}")


__all__ = ["Questions"]
