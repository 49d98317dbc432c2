"""The lines of `companion play` that set the record right: past lines, the people at the seats, and house rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Container

from companion.cli import common, people
from companion.cli.evening import page
from companion.engine.answers import answers
from companion.engine.table import houserules, mending
from companion.engine.table.amending import AmendKind
from companion.engine.table.corrections import counted
from companion.engine.table.migrating import migrate
from companion.engine.table.people import read, seat
from companion.engine.table.table import Table

HELP = """  amend N MOVE         line N was really MOVE (or: note TEXT)
  insert N MOVE        MOVE, or note TEXT, was forgotten before line N
  drop N               line N never happened
  correct FIELD VALUE because WHY    what lies there; or: Ann has 3 X, not 2
  people SEAT=NAME     who plays a seat from now on; rename OLD NEW mends a name
  house KEY=VALUE      a house rule from now on (or: from line N)"""

MOST = 6
"""Lines that would fall, told with their reasons before the question."""

_LINE = re.compile(r"([0-9]{1,9})[:,]?\s*(.*)")
_HAS = re.compile(r"(\S+) (?:only )?(?:has|have) ([0-9]{1,9}) ([^,]+?),? (?:and )?not ([0-9]{1,9})[.!]?", re.IGNORECASE)

_TAKES_OVER = re.compile(r"(\S+) takes over (?:(?:from|for|as) )?(\S+?)[.!]?", re.IGNORECASE)


class Mending:
    """The commands for one table. `yes` asks a question of yes or no, `ask` any other; both answer commands typed
    there. `tell_next` says what comes next."""

    def __init__(
        self, table: Table, ask: Callable[[str], str], yes: Callable[[str], bool], tell_next: Callable[[], None]
    ) -> None:
        self.table = table
        self.ask, self.yes, self.tell_next = ask, yes, tell_next

    def commands(self, verbs: Container[str]) -> dict[str, Callable[[str], None]]:
        """Word -> command. A word that is one of the game's own `verbs` stays a move where there is another way to say
        the command."""
        found: dict[str, Callable[[str], None]] = {
            "insert": lambda said: self._amend(said, "insert"),
            "drop": lambda said: self._amend(said, "drop"),
            "people": self.people,
            "rename": self.rename,
            "house": self.house,
            "summary": lambda _: self.summary(),
        }
        own = {word: command for word, command in found.items() if word not in verbs}
        return {"amend": self.amend, "note": self.note, **own}

    # --- lines of the past -------------------------------------------------------------------------------------

    def amend(self, said: str) -> None:
        """`amend 17 MOVE`, `amend 17 insert MOVE`, `amend 17 drop`."""
        number, _, rest = said.partition(" ")
        word, _, move = rest.strip().partition(" ")
        if word.lower() == "insert" and move.strip():
            self._amend(f"{number} {move}", "insert")
        elif word.lower() == "drop" and not move:
            self._amend(number, "drop")
        else:
            self._amend(said, "replace")

    def _amend(self, said: str, kind: AmendKind) -> None:
        """Say what an amendment would do to the later lines; if some would fall, ask; and do it."""
        found = _LINE.fullmatch(said.strip())
        if found is None or (not found[2]) != (kind == "drop"):
            raise common.Failure(
                "say which line of the log was really what: amend 14 MOVE, insert 14 MOVE (before it), or drop 14"
            )
        table = self.table
        tried = mending.trial(table, int(found[1]), kind, found[2])
        if (outcome := tried.found.outcome) is not None:
            common.say(common.coloured_verdict(answers.outcome_text(outcome, tried.earlier, people=table.named)))
        if not tried.found.done:
            common.say("  nothing recorded")
            return
        common.say(mending.fate(tried.found, tried.earlier, table.named, MOST))
        if tried.found.fallen and not self.yes("Record it?"):
            common.say("  nothing recorded")
            return
        common.say(mending.carry_out(table, tried))
        self.tell_next()

    def note(self, text: str) -> None:
        self.table.note(text)
        common.say(f"noted: {self.table.history.lines[-1].text}")

    def said(self, line: str) -> Callable[[], None] | None:
        """The action of a sentence that sets the record right: `dora has 2 armies, not 1`, where that is one field of
        the position, or `dora takes over from cem`. None for any other line."""
        if new := _TAKES_OVER.fullmatch(line.strip()):
            return lambda: self.people(f"{new[2]}={new[1]}")
        found = _HAS.fullmatch(line.strip())
        if found is None:
            return None
        names = {person.lower(): there for person, there in self.table.people.items()}
        there = names.get(found[1].lower()) or next(
            (known for known in self.table.seats if known.lower() == found[1].lower()), ""
        )
        fields = counted(self.table.position.state, there, found[3], int(found[4])) if there else []
        return (lambda: self.correct(fields[0], int(found[2]), "")) if len(fields) == 1 else None

    def correct(self, field: str, value: object, why: str) -> None:
        """Set a field to what really lies on the table; asks why, if nobody said it."""
        why = why or self.ask("  Why? ")
        if not why:
            raise common.Failure("a correction needs a reason: correct FIELD VALUE because WHY")
        field = self.table.correct(field, value, why)
        common.say(f"corrected: {field} = {value}")
        for law in self.table.rules.check_whole(self.table.position.state):
            common.remark(f"  ! the pieces do not add up: {law}")
        self.tell_next()

    # --- people and rules --------------------------------------------------------------------------------------

    def people(self, said: str) -> None:
        """`people`, or `people qin=dora`."""
        if said:
            common.say(seat(self.table, read(self.table, _pairs(said))))
        else:
            common.say(people.in_words(self.table))

    def rename(self, said: str) -> None:
        """`rename ann anna`, or `rename qin=ben chu=ann`."""
        words = said.split()
        pairs = ["=".join(words)] if len(words) == 2 and "=" not in said else _pairs(said)
        if not pairs:
            raise common.Failure("say who is really called what: rename ANN ANNA, or rename SEAT=NAME SEAT=NAME")
        common.say(seat(self.table, read(self.table, pairs), rename=True))

    def house(self, said: str) -> None:
        """`house army_cost=3`, or `house army_cost=3 from 17`: what would change is said first."""
        what, _, since = said.removeprefix("rule ").partition(" from ")
        sets = _pairs(what)
        if not sets:
            raise common.Failure("say which number changes: house KEY=VALUE (from now on), or house KEY=VALUE from N")
        table = self.table
        first = houserules.line_of(table, since.strip() or "now")
        books = houserules.others(table, first, [], sets, common.resolve, common.load)
        found = migrate(table, books, dry_run=True, first=first)
        common.say(houserules.in_words(found, first, table.named))
        if found.differ and not self.yes("Record it?"):
            common.say("  nothing recorded")
            return
        migrate(table, books, dry_run=False, first=first)
        common.say(houserules.told(table, first))
        self.tell_next()

    def summary(self) -> None:
        """The table on one page; of itself when the game ends."""
        common.say(page(self.table))


def _pairs(said: str) -> list[str]:
    """`a = b, c=d` as `a=b` texts."""
    return [pair for pair in re.split(r"[\s,]+", re.sub(r"\s*=\s*", "=", said.strip())) if pair]


__all__ = ["HELP", "Mending"]
