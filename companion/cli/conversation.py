"""The conversation at a table in `companion play`: commands, and lines that are moves."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from companion.cli import common
from companion.cli.drafting import LEAVING, put_together
from companion.cli.pages import fitted, next_line, page
from companion.cli.questions import with_answer
from companion.cli.reference import Reference
from companion.cli.speech import ARTICLES, MAY, QUESTION, command_of
from companion.engine.answers import answers
from companion.engine.errors import CompanionError
from companion.engine.language import jsonmoves, notation, saying
from companion.engine.play.lines import Outcome, everybody_passed
from companion.engine.play.moves import Choice, Move
from companion.engine.play.parts import Turn
from companion.engine.table.amending import AmendKind, amend, before
from companion.engine.table.logs import fallen_json, log_text
from companion.engine.table.replaying import in_words
from companion.engine.table.table import Table
from components.program import Told

Ask = Callable[[str], str]
"""Asks a question and returns the line typed; raises EOFError at the end of input."""

MOST = 20
"""Possibilities listed with a question."""

HELP = """Type each move as it happens, the way `moves` lists the legal ones; `;` parts several. Other commands:
  moves [WORD]      list the legal moves                ?WORD, help WORD  how to type a move
  check MOVE        is this legal? (records nothing)    ask WORDS         search the rules
  can I MOVE?       the same, as people ask it          rule ID           show one rule
  show, log, score  position, log, score so far         note TEXT         add a note to the log
  undo [N], redo    undo or redo the last lines         amend N MOVE      line N was really MOVE (or: drop)
  why               the rules of the last answer        correct FIELD VALUE, because WHY   what really lies there
  as SEAT           act for SEAT from now on; `as -` for nobody
  do MOVE           play MOVE, even if it begins like a command
  ! WHY             record the refused line all the same, with the reason
  next              what has to happen now              quit              leave the table; it is saved
  query NAME WORDS  ask for a figure; `query` lists what can be asked"""


EXACTLY = re.compile(r"\w+=")
"""A line that begins so says a move exactly (`correct field=…`), even if its verb is that of a command."""


class Conversation:
    """The conversation at one table. `ask` puts questions; results are printed."""

    def __init__(self, table: Table, ask: Ask) -> None:
        self.table = table
        self.ask = ask
        self.me = ""
        self.refused: tuple[list[Move], str] | None = None
        """The last line that was refused, for `! WHY`."""
        self.reference = Reference(table)
        self.waiting: list[str] = []
        """Lines typed where a question stood, which they did not answer: they are next."""

    def prompt(self) -> str:
        """The phase and who acts next, in front of the cursor."""
        at = self.table.position
        seats = at.rules.to_move(at.state)
        who = "the game is over" if at.rules.over(at.state) else self.called(seats) if len(seats) < 4 else "everyone"
        mine = f" as {self.me}" if self.me else ""
        return f"{at.rules.phase(at.state)} [{who}]{mine}> "

    def called(self, seats: Iterable[str]) -> str:
        """Seats with the names of the people who sit there."""
        people = self.table.about.people
        return ", ".join(f"{people[seat]} ({seat})" if people.get(seat) else seat for seat in seats)

    def run(self) -> None:
        """Read lines until the end of input or `quit`."""
        while True:
            try:
                line = self.waiting.pop(0) if self.waiting else self.ask(self.prompt()).strip()
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
        if self._quits(line):
            return False
        command = self.command(line)
        if command is not None:
            command()
        elif line[0] in "{[":
            self.json(line)
        else:
            for part in line.split(";"):
                if part.strip():
                    self.play(part.strip())
        return True

    def _quits(self, line: str) -> bool:
        """Whether a line ends the conversation; a game's own verb does not."""
        return line.lower() == ":quit" or (command_of(line.lstrip(":")) == "quit" and line.lower() not in self._verbs())

    def _verbs(self) -> set[str]:
        return {verb for kind in self.table.rules.moves.values() for verb in saying.verbs(kind)}

    def command(self, line: str) -> Callable[[], None] | None:
        """What a line that is a command does; None for a line that is a move."""
        if line[0] in "?!":
            line = f"{'help' if line[0] == '?' else '!'} {line[1:]}"
        word, _, rest = line.lstrip(":").partition(" ")
        word, rest = word.lower(), rest.strip()
        known = self._commands()
        verbs = self._verbs()
        if word == "do" and rest:
            return lambda: self.play(rest)
        if word in verbs and (line.lower() == word if word in _WORDY else EXACTLY.match(rest)):
            return None
        if word in known and (
            line[0] == ":" or not rest or word not in _BARE or (word in ("undo", "redo") and rest.isdigit())
        ):
            return lambda: known[word](rest)
        if line.lower() in verbs:
            return None
        meant = {"next": self.tell_next, "go on": self.go_on}.get(said := command_of(line))
        if meant is not None:
            return meant
        if said in known:
            return lambda: known[said]("")
        if (asked := MAY.fullmatch(line)) and (seat := self._seat(asked[1])):
            return lambda: self.may(f"{seat} {ARTICLES.sub('', asked[2])}", line)
        return None

    def may(self, move: str, question: str) -> None:
        """A move asked about; what is no move is looked up in the rules."""
        try:
            self.check(move)
        except notation.NotationError:
            if not self.reference.looked_up(question):
                raise

    def _seat(self, name: str) -> str:
        """The seat somebody means who asks for `I`, `we` or a name; empty if it is none."""
        at = self.table.position
        if name.lower() in ("i", "we"):
            return self.me or next(iter(at.rules.to_move(at.state)), "")
        try:
            return common.seat_of(at, name, self.table.people)
        except common.Failure:
            return ""

    def _commands(self) -> dict[str, Callable[[str], None]]:
        return {
            "help": self.help,
            "moves": self.moves,
            "check": self.check,
            "show": lambda _: common.say(page(self.table.position, self.table.about.people)),
            "log": lambda _: common.say(log_text(self.table.log())),
            "score": self.score,
            "undo": self.undo,
            "redo": self.redo,
            "why": self.reference.why,
            "note": self.table.note,
            "correct": self.correct,
            "amend": self.amend,
            "query": self.reference.query,
            "as": self.as_seat,
            "ask": self.reference.look,
            "rule": self.reference.rule,
            "!": self.keep,
        }

    # --- commands ----------------------------------------------------------------------------------------------

    def help(self, word: str) -> None:
        if word:
            self.reference.help(word)
        else:
            common.say(HELP)

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

    def undo(self, many: str) -> None:
        for _ in range(_number(many)):
            common.say(f"undone: {self.table.undo()}")
        self.tell_next()

    def redo(self, many: str) -> None:
        for _ in range(_number(many)):
            common.say(f"redone: {self.table.redo()}")
        self.tell_next()

    def amend(self, said: str) -> None:
        number, _, move = said.partition(" ")
        if not number.isdigit() or not move.strip():
            raise common.Failure("say which line of the log was really what: amend 14 MOVE, or amend 14 drop")
        kind: AmendKind = "drop" if move.strip() == "drop" else "replace"
        earlier = before(self.table, int(number), kind)
        moves = notation.read(move, earlier, people=self.table.people) if kind == "replace" else []
        done = amend(self.table, int(number), kind, moves, move)
        if done.outcome is not None:
            common.say(common.coloured_verdict(answers.outcome_text(done.outcome, earlier)))
        texts = {f.line.key: in_words(f.line, earlier) for f in done.fallen}
        for row in fallen_json(done.fallen, texts):
            common.say(f"  no longer legal: {row['number']} {row['text']}")
        if done.done:
            self.tell_next()

    def check(self, line: str) -> None:
        at = self.table.position
        outcome = self.table.check(self.table.read(line, self.me))
        self.reference.cite(outcome)
        common.say(common.coloured_verdict(answers.outcome_text(outcome, at)))

    def correct(self, said: str) -> None:
        """`correct chu.bu 5 because a coin had rolled away`."""
        what, _, why = said.partition(" because ")
        field, _, value = what.strip().rstrip(",").replace("=", " ").partition(" ")
        if not value.strip():
            raise common.Failure("say which field is really what: correct FIELD VALUE because WHY")
        why = why.strip() or self.ask("  Why? ").strip()
        if not why:
            raise common.Failure("a correction needs a reason: correct FIELD VALUE because WHY")
        self.table.correct(field, common.value_of(value.strip()), why)
        common.say(f"corrected: {field} = {value.strip()}")
        for law in self.table.rules.check_whole(self.table.position.state):
            common.remark(f"  ! the pieces do not add up: {law}")
        self.tell_next()

    def as_seat(self, name: str) -> None:
        self.me = "" if name in ("", "-") else common.seat_of(self.table.position, name, self.table.people)

    def keep(self, why: str) -> None:
        if self.refused is None:
            raise common.Failure("no line has been refused")
        if not why.strip():
            raise common.Failure("give a reason for keeping it: ! WHY")
        moves, text = self.refused
        self.tell(self.table.position, self.table.do(moves, text, override=why.strip()))

    def go_on(self) -> None:
        """`start`, `next round`: the one thing that can happen now, if it needs no words of its own."""
        at = self.table.position
        legal = at.legal()
        if len(legal) == 1:
            self.play(notation.write(legal[0], at))
        else:
            self.tell_next()

    def tell_next(self) -> None:
        """What has to happen now, and who has to do it."""
        common.say(next_line(self.table.position, self.table.about.people))

    # --- playing -----------------------------------------------------------------------------------------------

    def json(self, line: str) -> None:
        """Play a move in its JSON form, or a list of them in order; answer what is a query."""
        try:
            said: Any = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise common.Failure(f"this is not JSON: {error}") from None
        for index, form in enumerate(said if isinstance(said, list) else [said]):
            self.table.refresh()
            if isinstance(form, dict) and "query" in form:
                self.reference.answered(form)
            elif not self.done([jsonmoves.from_json(form, self.table.position, index)], json.dumps(form)):
                return

    def play(self, text: str) -> None:
        """Play one line. Asks for whatever it leaves out and, where that would make it legal, whether everyone has
        passed."""
        try:
            moves = self.table.read(text, self.me)
        except notation.NotationError:
            answer = self.answer(text)
            if answer is None:
                if self.reference.figure(text) or (QUESTION.fullmatch(text) and self.reference.looked_up(text)):
                    return
                raise
            moves = [answer]
        if len(moves) == 1 and isinstance(turn := moves[0], Turn) and not turn.parts():
            drafted = put_together(turn, self.table.position, self.ask, self.table.people)
            if drafted is None:
                common.say("  nothing recorded")
                return
            moves = [drafted]
        self.done(moves, text)

    def done(self, moves: list[Move], text: str) -> bool:
        """Judge and record moves, with questions where they leave something open; whether they were recorded."""
        passed = False
        while True:
            at = self.table.position
            outcome = self.table.do(moves, text, passed=passed)
            verdict = outcome.verdict
            if verdict.legal is None:
                completed = self.choose(moves, outcome)
                if completed is None:
                    common.say("  nothing recorded")
                    return False
                moves = completed
                continue
            if verdict.legal is False and not passed:
                helps = everybody_passed(outcome.here, verdict.move)[0] is not None
                if helps and self.yes("  Has everyone passed? [y/N] "):
                    passed = True
                    continue
            break
        self.refused = None if outcome.done else (moves, text)
        self.tell(at, outcome)
        return outcome.done

    def tell(self, at: Any, outcome: Outcome) -> None:
        """The verdict on a line, and what has to happen after it, or instead of a move that nobody can make now."""
        self.reference.cite(outcome)
        text = answers.outcome_text(outcome, at, evidence=self.table.evidence)
        common.say(common.coloured_verdict(text))
        if outcome.done:
            self.refused = None
        if outcome.done or not answers.nearest_legal(outcome.verdict.move, outcome.here):
            self.tell_next()

    def answer(self, text: str) -> Move | None:
        """What a line without a verb means, if it can mean one thing only: the open choice (`chu` for `target chu`),
        what came up (`H12` for `horde H12 L`), or the one report that is awaited (`barracks ox` for `prepare barracks
        ox`)."""
        seats = {person.lower(): seat.lower() for person, seat in self.table.people.items()}
        words = {text.lower(), seats.get(text.lower(), "")}
        at = self.table.position
        every = at.legal()
        legal = [move for move in every if type(move) not in self.table.rules.anytime]
        fit = [
            move
            for move in legal
            if move.role in ("choice", "event") and words & {str(value).lower() for value in move.to_json().values()}
        ]
        if len(fit) == 1:
            return fit[0]
        kinds = list(dict.fromkeys(type(move) for move in legal or every))
        meant: list[Move] = []
        for kind in kinds if len(kinds) == 1 else [kind for kind in kinds if kind.role == "event"]:
            with suppress(notation.NotationError):
                meant += self.table.read(f"{saying.verbs(kind)[0]} {text}", self.me)
        fit = [move for move in meant if at.judge(move).legal] or meant
        return fit[0] if len(fit) == 1 else None

    # --- questions ---------------------------------------------------------------------------------------------

    def yes(self, question: str) -> bool:
        """The answer to a question of yes or no. Any other line is none: it is obeyed next."""
        said = self.ask(question).strip()
        if said.lower() not in ("", "y", "yes", "n", "no"):
            self.waiting.append(said)
        return said.lower() in ("y", "yes")

    def choose(self, moves: list[Move], outcome: Outcome) -> list[Move] | None:
        """Ask for the first choice left out. The line with the answer in it, or None if the user gave none.

        A command is obeyed and the question put again; a line that is no answer but a move of its own is next.
        """
        choice = outcome.verdict.needs[0]
        self._put(choice)
        while True:
            said = self.ask("  ? ").strip()
            if not said or said.lower() in LEAVING:
                return None
            if choice.move:
                self.play(f"{choice.move} {said}" if not said.startswith(choice.move) else said)
                return moves
            try:
                move = with_answer(self.table, outcome.verdict.move, choice, said, self.me)
            except CompanionError as error:
                command = self.command(said)
                if command is not None:
                    command()
                    self._put(choice)
                elif self._is_move(said) or self._quits(said):
                    self.waiting.append(said)
                    return None
                elif QUESTION.fullmatch(said) and (self.reference.figure(said) or self.reference.looked_up(said)):
                    self._put(choice)
                else:
                    common.remark(f"  {error}; press Enter to cancel, `?` for help")
                continue
            return [*moves[: outcome.index], move, *moves[outcome.index + 1 :]]

    def _put(self, choice: Choice) -> None:
        common.say(f"  {self.called([choice.of]) + ': ' if choice.of else ''}{choice.question}")
        if choice.options:
            more = f" … and {len(choice.options) - MOST} more" if len(choice.options) > MOST else ""
            common.say(fitted(f"  {', '.join(map(str, choice.options[:MOST]))}{more}"))

    def _is_move(self, text: str) -> bool:
        """Whether a line says a move by a verb of its own."""
        try:
            return bool(self.table.read(text, self.me))
        except CompanionError:
            return False


_BARE = frozenset(("show", "log", "score", "undo", "redo"))
"""Commands that take no words: with words after them, the line may be a move."""
_WORDY = frozenset(("check", "note", "amend", "ask", "rule"))
"""Commands that say nothing without words: alone, the word is a move of that name."""


def _number(text: str) -> int:
    """How many lines to undo; a word that is no number is refused."""
    if text and not (text.isdigit() and 1 <= int(text) <= 999):
        raise common.Failure(f"{text!r} is not a number of lines: say `undo`, or `undo 3`")
    return int(text or 1)


__all__ = ["Conversation"]
