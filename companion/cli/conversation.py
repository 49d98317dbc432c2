"""The conversation at a table in `companion play`: commands, and lines that are moves."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from companion.cli import common, failing
from companion.cli.drafting import LEAVING
from companion.cli.mending import HELP as MENDING
from companion.cli.mending import Mending
from companion.cli.pages import next_line, overview, page
from companion.cli.prompting import Questions
from companion.cli.reference import Reference
from companion.cli.speech import ARTICLES, MAY, command_of
from companion.engine.answers import answers
from companion.engine.errors import CompanionError
from companion.engine.language import jsonmoves, notation, saying
from companion.engine.language.completion import completions
from companion.engine.play.lines import Outcome
from companion.engine.play.moves import Move
from companion.engine.play.parts import Turn
from companion.engine.table import course
from companion.engine.table.leaps import skips, waits_for
from companion.engine.table.logs import changes_json, log_text
from companion.engine.table.table import Table
from companion.engine.things.views import shortened
from components.safe_text import whole

Ask = Callable[[str], str]
"""Asks a question and returns the line typed; raises EOFError at the end of input."""

PROMPT = 26
"""Characters of a prompt before its `> `: most of a line is for what is typed."""

HELP = """Type each move as it happens, the way `moves` lists the legal ones; `;` parts
several, and the first that is not played stops the rest. Other commands:
  next                 what has to happen now
  moves [WORD]         list the legal moves
  ?WORD, help WORD     how to type a move
  check MOVE           is this legal? (records nothing); so does: can I MOVE?
  show [PART]          the table; one part of it, or what one player has
  log, score, summary  the log; the score so far; the table on one page
  undo [N], redo       undo or redo the last lines
  ! WHY                record the refused line all the same, with the reason
  note TEXT            add a note to the log
  why                  the rules of the last answer
  rule ID, ask WORDS   show one rule; search the rules
  query NAME WORDS     ask for a figure; `query` lists what can be asked
  as SEAT              act for SEAT from now on; `as -` for nobody
  do MOVE              play MOVE, even if it begins like a command
  leave, quit          drop a question or a turn; leave the table (it is saved)"""


EXACTLY = re.compile(r"\w+=")
"""A line that begins so says a move exactly (`correct field=…`), even if its verb is that of a command."""


class Conversation:
    """The conversation at one table. `ask` puts questions; results are printed."""

    def __init__(self, table: Table, ask: Ask) -> None:
        self.table = table
        self.ask: Ask = lambda question: failing.text_of(ask(question))
        self.me = ""
        self.refused: tuple[list[Move], str, bool] | None = None
        """The last line that was refused, for `! WHY`."""
        self.reference = Reference(table)
        self.questions = Questions(self)
        self.mending = Mending(table, self.questions.reason, self.questions.yes, self.tell_next)
        self.left = False
        """True if a question or a turn was left just now: `leave`, typed again, means the table."""
        self.waiting: list[str] = []
        """Lines typed where a question stood, which they did not answer: they are next."""

    def prompt(self) -> str:
        """The phase and who acts next, in front of the cursor: `build Ana> `."""
        at = self.table.position
        if at.rules.over(at.state):
            return "over> "
        phase = at.rules.stage(at.state).partition(".")[0] or "now"
        called = self.table.named.called
        seats = list(at.rules.to_move(at.state))
        who = f"as {called(self.me)}" if self.me else ", ".join(map(called, seats))
        if len(phase) + len(who) >= PROMPT and len(seats) > 1 and not self.me:
            who = "all" if len(seats) == len(at.seats) else f"{len(seats)} players"
        return f"{shortened(f'{phase} {who}'.strip(), PROMPT)}> "

    def completions(self, line: str) -> list[str]:
        """The words that Tab offers: answers to the open question, steps of the turn under way, or moves; commands
        where one begins."""
        asked, table = self.questions, self.table
        before = f"{asked.under_way}, " if asked.under_way else ""
        found = completions(before + line, table.position, people=table.people, answers=asked.open)
        if line and " " not in line:
            found += [word for word in self._commands() if len(word) > 1 and word.startswith(line.lower())]
        return list(dict.fromkeys(found))

    def run(self) -> None:
        """Read lines until the end of input or `quit`."""
        while True:
            line, last = "", self.table.history.last
            try:
                line = self.waiting.pop(0) if self.waiting else self.ask(self._prompt()).strip()
                last = self.table.history.last
                if self.left and line.lower() in LEAVING[:2]:
                    common.say("  nothing is open any more; `quit` leaves the table")
                    continue
                self.left = self.left and not line
                if line and not self.line(line):
                    return
            except EOFError:
                return
            except Exception as error:
                failing.tell(error, line, recorded=self.table.history.last != last)

    def _prompt(self) -> str:
        """The prompt; where it cannot be said, it is not, and the line is read all the same."""
        try:
            return self.prompt()
        except Exception as error:
            failing.tell(error, "(the prompt)", recorded=False)
            return "> "

    def line(self, line: str) -> bool:
        """Obey one line; False if it ends the conversation."""
        self.table.refresh()
        if self.quits(line):
            return False
        command = self.command(line)
        if command is not None:
            command()
        elif line[0] in "{[":
            self.json(line)
        else:
            self.one_by_one([part.strip() for part in line.split(";") if part.strip()])
        return True

    def one_by_one(self, parts: list[str]) -> None:
        """Play what stands between `;` in a line, up to the first that is not played."""
        for n, part in enumerate(parts, 1):
            self.table.refresh()
            try:
                played = self.play(part, alone=len(parts) == 1)
            except CompanionError:
                self._tell_rest(parts[n:])
                raise
            if not played:
                self._tell_rest(parts[n:])
                return

    def _tell_rest(self, parts: list[str]) -> None:
        if parts:
            common.remark(f"  not played: {'; '.join(parts)}")

    def quits(self, line: str) -> bool:
        """True if a line ends the conversation. A game's own verb `quit` does not."""
        return line.lower() == ":quit" or (command_of(line.lstrip(":")) == "quit" and line.lower() not in self._verbs())

    def _verbs(self) -> set[str]:
        return {verb for kind in self.table.rules.moves.values() for verb in saying.verbs(kind)}

    def command(self, line: str) -> Callable[[], None] | None:
        """The action of a line that is a command; None for a line that is a move."""
        if line[0] in "?!":
            line = f"{'help' if line[0] == '?' else '!'} {line[1:]}"
        word, _, rest = line.lstrip(":").partition(" ")
        word, rest = word.lower(), rest.strip()
        known = self._commands()
        verbs = self._verbs()
        if rest and line.lower() in verbs:
            return None
        if word == "show" and rest and (line[0] == ":" or self._is_shown(rest) or not self.is_move(line)):
            return lambda: self.show(rest)
        if word == "do" and rest:
            return lambda: self.one_by_one([rest])
        if word in verbs and (line.lower() == word if word in _WORDY else EXACTLY.match(rest)):
            return None
        if word in known and (
            line[0] == ":"
            or not rest
            or word not in _BARE
            or (word in ("undo", "redo") and not any(map(str.isalpha, rest)))
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
        return self.mending.said(line)

    def _is_shown(self, part: str) -> bool:
        """True if words name a part of the table, somebody who sits there, or a thing that it tells of."""
        at = self.table.position
        view = at.rules.view(at)
        return part.lower() in view.parts or bool(common.seated(at, part, self.table.named) or view.about(part))

    def is_move(self, text: str) -> bool:
        """True if a line states a move by a verb of its own."""
        try:
            return bool(self.table.read(text, self.me))
        except CompanionError:
            return False

    def forbidden(self, text: str) -> bool:
        """True, with a printed reason, if the rules forbid a line."""
        moves = self.table.read(text, self.me)
        outcome = self.table.check(moves, typed=True)
        if outcome.verdict.legal is not False:
            return False
        self.refused = moves, text, True
        self.check(text)
        return True

    def may(self, move: str, question: str) -> None:
        """Judge a move that is asked about; look anything else up in the rules."""
        try:
            self.check(move)
        except notation.NotationError:
            if not self.reference.looked_up(question):
                raise

    def _seat(self, name: str) -> str:
        """The seat that `I`, `we` or a name stands for; empty for a name that has no seat."""
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
            "h": self.help,
            "moves": self.moves,
            "check": self.check,
            "show": self.show,
            "log": lambda _: common.say(log_text(self.table.log(), changes_json(self.table))),
            "score": self.score,
            "undo": self.undo,
            "redo": self.redo,
            "why": self.reference.why,
            "correct": self.correct,
            "query": self.reference.query,
            "as": self.as_seat,
            "ask": self.reference.look,
            "rule": self.reference.rule,
            "!": self.keep,
            **self.mending.commands(self._verbs()),
        }

    # --- commands ----------------------------------------------------------------------------------------------

    def help(self, word: str) -> None:
        if word:
            self.reference.help(word)
        else:
            common.say(f"{HELP}\n{MENDING}")

    def moves(self, word: str) -> None:
        at = self.table.position
        legal = at.legal()
        people = self.table.named
        lines = [people.line(move, at) for move in legal] if word else overview(legal, at, people)
        for line in lines:
            if word.lower() in line.lower():
                common.say(line)

    def show(self, part: str) -> None:
        """The table, or a part of it: `show Ana`, `show land`."""
        common.say(page(self.table.position, self.table.named, part))

    def score(self, _: str) -> None:
        table = self.table
        marks = sum(line.marked for line in table.history.lines)
        common.say(answers.ledger_text(course.score(table), table.named, marks))

    def undo(self, many: str) -> None:
        for _ in range(_number("undo", many)):
            common.say(f"undone: {self.table.undo(named=True)}")
        self.tell_next()

    def redo(self, many: str) -> None:
        for _ in range(_number("redo", many)):
            common.say(f"redone: {self.table.redo(named=True)}")
        self.tell_next()

    def check(self, line: str) -> None:
        at = self.table.position
        outcome = self.table.check(self.table.read(line, self.me), typed=True)
        self.reference.cite(outcome)
        common.say(common.coloured_verdict(answers.outcome_text(outcome, at, people=self.table.named)))

    def correct(self, said: str) -> None:
        """`correct chu.bu 5 because a coin had rolled away`."""
        what, _, why = said.partition(" because ")
        field, _, value = what.strip().rstrip(",").replace("=", " ").partition(" ")
        if not value.strip():
            raise common.Failure("say which field is really what: correct FIELD VALUE because WHY")
        self.mending.correct(field, common.value_of(value.strip()), why.strip())

    def as_seat(self, name: str) -> None:
        self.me = "" if name in ("", "-") else common.seat_of(self.table.position, name, self.table.people)

    def keep(self, why: str) -> None:
        if self.refused is None:
            raise common.Failure("no line has been refused")
        if not why.strip():
            raise common.Failure("give a reason for keeping it: ! WHY")
        moves, text, typed = self.refused
        self.done(moves, text, typed=typed, override=why.strip())

    def go_on(self) -> None:
        """`start`, `next round`: the one thing that can happen now, if it needs no words of its own."""
        at = self.table.position
        legal = at.legal()
        if len(legal) == 1:
            self.play(notation.write(legal[0], at))
        else:
            self.tell_next()

    def tell_next(self) -> None:
        """Print the next thing to happen, and the seat that does it."""
        common.say(next_line(self.table.position, self.table.named))

    # --- playing -----------------------------------------------------------------------------------------------

    def json(self, line: str) -> None:
        """Play a move in its JSON form, or a list of them in order; answer what is a query."""
        for index, form in enumerate(jsonmoves.parse(line)):
            self.table.refresh()
            if "query" in form:
                self.reference.answered(form)
            elif not self.done([jsonmoves.from_json(form, self.table.position, index)], json.dumps(form), typed=False):
                return

    def play(self, text: str, *, alone: bool = True) -> bool:
        """Play one line. Asks for whatever it leaves out, whether everyone has passed where that would make it legal,
        and, of one typed `alone`, whether a guess is right. False if it was refused or dropped."""
        try:
            moves = self.table.read(text, self.me)
        except notation.NotationError as error:
            if (answer := self.answer(text)) is None:
                if error.kind != "ambiguous" and self.reference.asked(text):
                    return True
                if not error.ways or (error.kind != "ambiguous" and not alone):
                    raise
                chosen = self.questions.which(text, error)
                if not chosen:
                    return self.nothing_recorded() if chosen is None else False
                moves = chosen
            else:
                moves = [answer]
        if len(moves) == 1 and isinstance(turn := moves[0], Turn) and not turn.parts():
            drafted = self.questions.turn(turn)
            if drafted is None:
                return self.nothing_recorded()
            moves = [drafted]
        return self.done(moves, text)

    def nothing_recorded(self) -> bool:
        common.say("  nothing recorded")
        return False

    def done(self, moves: list[Move], text: str, *, typed: bool = True, override: str = "") -> bool:
        """Judge and record moves, with questions where they leave something open; whether they were recorded. `typed`:
        not as JSON, which may leave more to the rules. `override`: why they are kept against the rules."""
        passed = False
        if not override and (skipped := skips(self.table, moves)) and not self.questions.yes(f"{skipped} Go on?"):
            return self.nothing_recorded()
        while True:
            at = self.table.position
            outcome = self.table.do(moves, text, typed=typed, passed=passed, override=override)
            verdict = outcome.verdict
            if verdict.legal is None:
                completed = self.questions.choose(moves, outcome)
                if completed is None:
                    return self.nothing_recorded()
                moves = completed
                continue
            refused = verdict.legal is False and not passed and not override
            if refused and (asked := waits_for(outcome, self.table.named)) and self.questions.yes(asked):
                passed = True
                continue
            break
        self.refused = None if outcome.done else (moves, text, typed)
        self.tell(at, outcome)
        return outcome.done

    def tell(self, at: Any, outcome: Outcome) -> None:
        """The verdict on a line, and what has to happen after it, or instead of a move that nobody can make now."""
        self.reference.cite(outcome)
        text = answers.outcome_text(outcome, at, evidence=self.table.evidence, people=self.table.named)
        common.say(common.coloured_verdict(text))
        if outcome.done:
            self.refused = None
            if not at.rules.over(at.state) and self.table.rules.over(self.table.position.state):
                self.mending.summary()
        if outcome.done or not answers.nearest_legal(outcome.verdict.move, outcome.here):
            self.tell_next()

    def answer(self, text: str) -> Move | None:
        """The move that a line without a verb stands for, if only one fits: the open choice (`chu` for `target chu`), a
        result (`H12` for `horde H12 L`), or the one awaited report (`barracks ox` for `prepare barracks ox`)."""
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


_BARE = frozenset(("show", "log", "score", "undo", "redo"))
"""Commands that take no words: with words after them, the line may be a move."""
_WORDY = frozenset(("check", "note", "amend", "ask", "rule"))
"""Commands that say nothing without words: alone, the word is a move of that name."""


def _number(command: str, text: str) -> int:
    """The number of lines to undo or redo. Raises Failure for a word that is not a number."""
    if not (number := whole(text or "1", 999)):
        raise common.Failure(f"{text!r:.80} is not a number of lines: say `{command}`, or `{command} 3`")
    return number


__all__ = ["Conversation"]
