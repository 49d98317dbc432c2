"""`companion play`: a table as a conversation. One line for each move; the companion asks for what a line leaves
out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

from companion.cli import common
from companion.cli.drafting import put_together
from companion.engine.answers import answers
from companion.engine.answers import ask as asking
from companion.engine.errors import CompanionError
from companion.engine.language import jsonmoves, notation
from companion.engine.language.arguments import normal
from companion.engine.language.fields import Field, build, fields, value_of
from companion.engine.play.lines import Outcome, everybody_passed
from companion.engine.play.moves import Choice, Count, Move, Tally
from companion.engine.play.parts import STEPS, Turn
from companion.engine.table.logs import log_text
from companion.engine.table.table import Table
from components.program import Told

Ask = Callable[[str], str]
"""Asks a question and returns the line typed; raises EOFError at the end of input."""

HELP = """Type each move as it happens, the way `moves` lists the legal ones. Other commands:
  moves [WORD]      list the legal moves                ?WORD, help WORD  how to type a move
  check MOVE        is this legal? (records nothing)    ask WORDS         search the rules
  show, log, score  position, log, score so far         rule ID           show one rule
  undo, redo        undo or redo the last line          note TEXT         add a note to the log
  as SEAT           act for SEAT from now on; `as -` for nobody
  ! WHY             record the refused line all the same, with the reason
  quit              leave the table; it is saved"""


class Conversation:
    """The conversation at one table. `ask` puts questions; results are printed."""

    def __init__(self, table: Table, ask: Ask) -> None:
        self.table = table
        self.ask = ask
        self.me = ""
        self.refused: tuple[list[Move], str] | None = None
        """The last line that was refused, for `! WHY`."""

    def prompt(self) -> str:
        """The phase and who acts next, in front of the cursor."""
        at = self.table.position
        waiting = at.rules.to_move(at.state)
        who = "the game is over" if at.rules.over(at.state) else ", ".join(waiting) if len(waiting) < 4 else "everyone"
        mine = f" as {self.me}" if self.me else ""
        return f"{at.rules.phase(at.state)} [{who}]{mine}> "

    def run(self) -> None:
        """Read lines until the end of input or `quit`."""
        while True:
            try:
                line = self.ask(self.prompt()).strip()
            except EOFError:
                return
            if not line:
                continue
            try:
                if not self.line(line):
                    return
            except EOFError:
                return
            except CompanionError as error:
                common.remark(Told(str(error), error.status, error.kind, error.more()).text)

    def line(self, line: str) -> bool:
        """Obey one line; False if it ends the conversation."""
        self.table.refresh()
        if line[0] == "?":
            line = f":help {line[1:]}"
        elif line[0] == "!":
            line = f":! {line[1:]}"
        word, _, rest = line.lstrip(":").partition(" ")
        command = self._commands().get(word.lower())
        theirs = {verb for kind in self.table.rules.moves.values() for verb in notation.verbs(kind)}
        if word.lower() in ("quit", "exit"):
            return False
        if command is not None and (line.startswith(":") or word.lower() not in theirs):
            command(rest.strip())
        else:
            for part in line.split(";"):
                if part.strip():
                    self.play(part.strip())
        return True

    def _commands(self) -> dict[str, Callable[[str], None]]:
        return {
            "help": self.help,
            "moves": self.moves,
            "check": self.check,
            "show": lambda _: common.say(self.table.rules.show(self.table.position)),
            "log": lambda _: common.say(log_text(self.table.log())),
            "score": self.score,
            "undo": lambda _: common.say(f"undone: {self.table.undo()}"),
            "redo": lambda _: common.say(f"redone: {self.table.redo()}"),
            "note": self.table.note,
            "as": self.as_seat,
            "ask": self.look,
            "rule": self.rule,
            "!": self.keep,
        }

    # --- commands ----------------------------------------------------------------------------------------------

    def help(self, word: str) -> None:
        if not word:
            common.say(HELP)
            return
        for kind in self.table.rules.moves.values():
            if any(verb.startswith(word.lower()) for verb in notation.verbs(kind)):
                example = f"\n    e.g. {kind.example}" if kind.example else ""
                common.say(f"{notation.usage(kind)}\n    {' '.join((kind.__doc__ or '').split())}{example}")

    def moves(self, word: str) -> None:
        at = self.table.position
        legal = at.legal()
        lines = [notation.write(move, at) for move in legal] if word else notation.overview(legal, at)
        for line in lines:
            if word.lower() in line.lower():
                common.say(line)

    def score(self, _: str) -> None:
        table = self.table
        marks = sum(line.marked for line in table.history.lines)
        common.say(answers.ledger_text(table.rules.score(table.position), table.about.people, marks))

    def check(self, line: str) -> None:
        at = self.table.position
        outcome = self.table.check(self.table.read(line, self.me))
        common.say(common.coloured_verdict(answers.outcome_text(outcome, at)))

    def as_seat(self, name: str) -> None:
        self.me = "" if name in ("", "-") else common.seat_of(self.table.position, name, self.table.people)

    def look(self, words: str) -> None:
        for found in asking.search(self.table.rules.game, words):
            common.say(f"{found.id}  {found.title}\n    {found.text}")

    def rule(self, rule_id: str) -> None:
        rule = asking.view(self.table.rules.game, rule_id).rule
        common.say(f"{rule.id}  {rule.title}\n    {rule.text}")

    def keep(self, why: str) -> None:
        if self.refused is None:
            raise common.Failure("no line has been refused")
        if not why.strip():
            raise common.Failure("give a reason for keeping it: ! WHY")
        moves, text = self.refused
        before = self.table.position
        outcome = self.table.do(moves, text, override=why.strip())
        common.say(common.coloured_verdict(answers.outcome_text(outcome, before)))
        if outcome.done:
            self.refused = None

    # --- playing -----------------------------------------------------------------------------------------------

    def play(self, text: str) -> None:
        """Play one line. Asks for whatever it leaves out and, where that would make it legal, whether everyone has
        passed."""
        try:
            moves = self.table.read(text, self.me)
        except notation.NotationError:
            answer = self.answer(text)
            if answer is None:
                raise
            moves = [answer]
        if len(moves) == 1 and isinstance(turn := moves[0], Turn) and not turn.parts():
            drafted = put_together(turn, self.table.position, self.ask, self.table.people)
            if drafted is None:
                common.say("  nothing recorded")
                return
            moves = [drafted]
        passed = False
        while True:
            before = self.table.position
            outcome = self.table.do(moves, text, passed=passed)
            verdict = outcome.verdict
            if verdict.legal is None:
                completed = self.choose(moves, outcome)
                if completed is None:
                    common.say("  nothing recorded")
                    return
                moves = completed
                continue
            if verdict.legal is False and not passed:
                helps = everybody_passed(outcome.here, verdict.move)[0] is not None
                if helps and self.ask("  Has everyone passed? [y/N] ").strip().lower() in ("y", "yes"):
                    passed = True
                    continue
            break
        self.refused = None if outcome.done else (moves, text)
        text = answers.outcome_text(outcome, before, evidence=self.table.evidence)
        common.say(common.coloured_verdict(text))

    def answer(self, text: str) -> Move | None:
        """The open choice that a single word answers (`chu` for `target chu`), if there is exactly one."""
        seats = {person.lower(): seat.lower() for person, seat in self.table.people.items()}
        words = {text.lower(), seats.get(text.lower(), "")}
        fit = [
            move
            for move in self.table.position.legal()
            if move.role == "choice" and words & {str(value).lower() for value in move.to_json().values()}
        ]
        return fit[0] if len(fit) == 1 else None

    def choose(self, moves: list[Move], outcome: Outcome) -> list[Move] | None:
        """Ask for the first choice left out. The line with the answer in it, or None if the user gave none."""
        choice = outcome.verdict.needs[0]
        common.say(f"  {choice.of + ': ' if choice.of else ''}{choice.question}")
        if choice.options:
            common.say(f"  {', '.join(map(str, choice.options))}")
        while True:
            answer = self.ask("  ? ").strip()
            if not answer:
                return None
            if choice.move:
                self.play(f"{choice.move} {answer}" if not answer.startswith(choice.move) else answer)
                return moves
            try:
                move = self._with(outcome.verdict.move, choice, answer)
            except CompanionError as error:
                common.remark(f"  {error}; press Enter to cancel")
                continue
            return [*moves[: outcome.index], move, *moves[outcome.index + 1 :]]

    def _with(self, move: Move, choice: Choice, answer: str) -> Move:
        """The move with the answer to a choice in its field. Raises CompanionError if it does not answer the
        question."""
        if choice.field.startswith(f"{STEPS}["):
            form = jsonmoves.answered(move.to_json(), choice.field, _option(answer, choice.options))
            return jsonmoves.from_json(form, self.table.position)
        kind = type(move)
        field = next((f for f in fields(kind) if choice.field in (f.name, f.path[-1])), None)
        if field is None or self._said_otherwise(field, choice, answer):
            lead = field.domain.lead[:1] if field is not None and field.domain is not None else ()
            line = " ".join([notation.explicit(move), *lead, answer])
            try:
                return self.table.read(line, self.me)[0]
            except notation.NotationError:
                raise common.Failure(f"{answer!r} does not answer the question") from None
        parts = [p.strip() for p in answer.split(",")] if field.many else [answer]
        seats = {person.lower(): seat for person, seat in self.table.people.items()}
        if field.domain is not None and field.domain.people:
            parts = [seats.get(part.lower(), part) for part in parts]
        values = [_option(part, choice.options) for part in parts]
        values = [normal(field, value, self.table.position) for value in values]
        if isinstance(field.domain, Count):
            values = [int(value) if str(value).isdigit() else value for value in values]
        said = {f.path: value_of(move, f) for f in fields(kind) if value_of(move, f) != f.default}
        try:
            answered = build(kind, {**said, field.path: values if field.many else values[0]})
        except ValueError:
            raise common.Failure(f"{answer!r} does not answer the question") from None
        return jsonmoves.from_json(answered.to_json(), self.table.position)  # refuses words nobody knows

    def _said_otherwise(self, field: Field, choice: Choice, answer: str) -> bool:
        """Whether an answer is to be read like the end of a line: numbers with names, or what goes into another field
        (the quadrant, where the question was for a quadrant or a board)."""
        if isinstance(field.domain, Tally):
            return True
        if field.domain is None or not field.domain.loose:
            return False
        at = self.table.position
        return normal(field, _option(answer, choice.options), at) not in field.domain.spoken(at).values()


def _option(text: str, options: list[Any]) -> Any:
    """The option that a typed answer begins, if there is exactly one; otherwise the text itself."""
    exact = [option for option in options if str(option).lower() == text.lower()]
    begun = [option for option in options if str(option).lower().startswith(text.lower())]
    fit = exact or begun
    return fit[0] if len(fit) == 1 else text


def play(table: common.TableName = "") -> None:
    """Play at a table in a conversation: type the moves, complete them with Tab, type `?` for help.

    Example: companion play --table friday
    """
    with common.open_table(table) as at:
        if sys.stdin.isatty() and sys.stdout.isatty():
            _with_prompt(at)
        else:
            Conversation(at, _plain).run()


def _plain(prompt: str) -> str:
    """The next line of standard input, where that is not a terminal."""
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def _with_prompt(table: Table) -> None:
    """The conversation on a terminal, with completion, history and a status line."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.document import Document

    class Words(Completer):
        def get_completions(self, document: Document, complete_event: object) -> Iterable[Completion]:
            line = document.text_before_cursor
            typed = line.rpartition(" ")[2]
            for word in notation.completions(line, table.position, people=table.people):
                yield Completion(word, start_position=-len(typed))

    prompts: PromptSession[str] = PromptSession(completer=Words(), complete_while_typing=False)
    talk = Conversation(table, lambda question: prompts.prompt(question))
    common.say(f"{table.about.title}, table {table.about.table}. Type ? for help, quit to leave.")
    while True:
        try:
            talk.run()
            return
        except KeyboardInterrupt:
            continue


__all__ = ["Conversation", "play"]
