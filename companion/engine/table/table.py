"""A table: a journal with its position. Everything that happens at a table goes through here.

What is written is judged while the write lock is held, on the position of that moment: two processes on one table never
interleave wrongly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.engine.errors import CompanionError
from companion.engine.language import notation
from companion.engine.language.people import People
from companion.engine.play.lines import Outcome, try_line
from companion.engine.play.moves import Breach, Event, Move
from companion.engine.play.position import Position, Rules
from companion.engine.table import keys, refusals
from companion.engine.table.corrections import corrected, meant
from companion.engine.table.digests import Code, code_of, form_of, hash_of
from companion.engine.table.history import Entry, History, Line, fold, seated, with_line
from companion.engine.table.journal import About, Damaged, Journal, Last, OutOfDate, decoding, now
from companion.engine.table.logbook import Logbook, LogLine
from companion.engine.table.replaying import (
    Difference,
    Seen,
    first_difference,
    in_words,
    kept_text,
    plain,
    play_line,
    said_moves,
    steps_of,
    stopped,
    turned,
    words_of,
)
from companion.engine.table.seen import seen_otherwise
from companion.engine.table.texts import TableError, first_people, table_text
from companion.engine.things.sealed import learn, without_seals
from components.model import ResolvedGame
from components.safe_text import composed, one_line

Load = Callable[[ResolvedGame], Rules]


class Table:
    """An open table. Use `create` or `open`; close it, or use it in a `with` statement."""

    def __init__(self, journal: Journal, load: Load, *, glance: bool = False) -> None:
        self.journal = journal
        self.written: Callable[[], None] | None = None
        """Called when something has been recorded and is on the disk."""
        self._load = load
        self.entries: list[Entry] = []
        self._named: People | None = None
        self._logbook = Logbook()
        self._books: dict[str, Rules] = {}
        try:
            self.began = replace(journal.about(), table=journal.path.name.removesuffix(".db"))
            self.began.people = {seat: composed(person) for seat, person in self.began.people.items()}
            self.reload(glance=glance)
        except BaseException:
            journal.close()
            raise

    @classmethod
    def create(
        cls,
        path: Path,
        game: ResolvedGame,
        load: Load,
        *,
        people: dict[str, str],
        options: dict[str, Any] | None = None,
        start: Any = None,
        setup: Move | None = None,
        name: str = "",
        created: str = "",
    ) -> tuple[Table | None, Outcome | None]:
        """A new table in the file `path`, called `name` or like the file. `people`: seat -> person, in seat order;
        `created`: when, if not now.

        Without `start` the game's set-up (`setup`, or the one the game makes of seats and `options`) is played as the
        first line; if it is refused there is no table, and the outcome says why. With `start`, a state, the table
        begins there.
        """
        rules = load(game)
        outcome = None
        state = start
        if start is None:
            setup = setup or rules.setup_move(list(people), options or {})
            outcome = try_line(Position(rules, rules.new_state()), [setup])
            if not outcome.done:
                return None, outcome
            state = outcome.after.state
        people = first_people(people, rules.seats(state))
        about = About(
            table=name or path.stem,
            game=game.id,
            title=game.title,
            people=people,
            fingerprint=game.fingerprint,
            start=None if start is None else msgspec.to_builtins(start),
            created=created or now(),
        )
        last = state_after(Position(rules, state), 0 if outcome is None else 1, code_of(rules))
        entries = []
        if outcome is not None:
            first = Line(steps=steps_of(outcome), setup=True, state=hash_of(last.form))
            entries.append(Entry(1, about.created, "line", plain(first)))
        return cls(Journal.create(path, about, game, last, entries), load), outcome

    @classmethod
    def open(cls, path: Path, load: Load, *, glance: bool = False) -> Table:
        """The table in a file. `glance`: only to look at, so its position is what was stored, whatever code did."""
        return cls(Journal.open(path), load, glance=glance)

    def close(self) -> None:
        self.journal.close()

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- the position ------------------------------------------------------------------------------------------

    def reload(self, *, proof: bool = False, glance: bool = False) -> None:
        """Read the journal again, each entry with its checksum, and find the position.

        It is the one stored after the last entry, if the same code has stored it; then playing the lines through would
        lead there, and nobody needs to. Otherwise, and for `proof`, they are played. Raises OutOfDate if the rules
        stored in the journal belong to other code and today's cannot use them.
        """
        with self.journal.reading():
            self.entries = self.journal.entries()
            with decoding(self.journal.path):
                self.history: History = fold(self.entries, self.began.fingerprint)
            self._last = self.journal.last_state()
        undone = (entry.body.get("keys", {}) for entry in self.entries if entry.n in self.history.undone)
        for shown in (*undone, *(line.keys for line in self.history.lines)):
            learn(shown)
        keys.find(self.journal.path, self._last.form)
        if self._last.n != self.history.last:
            raise Damaged(self.journal.path, f"the entries after {self.history.last} are missing")
        self.rules = self.rules_of(self.history.fingerprint)
        with decoding(self.journal.path):
            self._seat()
        self._code = code_of(self.rules, Code(self._last.code, self._last.stamp))
        self._played = False
        if proof or not (glance or self._stands()):
            self.prove()
        else:
            self.differs: Difference | None = None
            self.position = self._stored()

    def rules_of(self, fingerprint: str) -> Rules:
        """The rules of that fingerprint, as the journal keeps them. A line of the log names those it stands under."""
        if fingerprint not in self._books:
            game = self.journal.game(fingerprint)
            try:
                self._books[fingerprint] = self._load(game)
            except CompanionError:
                raise
            except Exception as error:  # what a game was resolved to for other code
                raise OutOfDate(f"{self.journal.path}: an earlier version stored its rules") from error
        return self._books[fingerprint]

    def _seat(self) -> None:
        """Update the people at the seats."""
        self.about: About = replace(self.began, people=seated(self.began.people, self.history.lines))

    def _stands(self) -> bool:
        """True if the present code stored the position, and the last line led to it."""
        return self._last.code == self._code.digest and self._expected in ("", hash_of(self._last.form))

    @property
    def _expected(self) -> str:
        """The hash of the position after the last line that changed it."""
        return next((line.state for line in reversed(self.history.lines) if line.state), "")

    def _stored(self) -> Position[Any]:
        """The position as it is stored after the last entry."""
        with decoding(self.journal.path):
            return Position(self.rules, msgspec.json.decode(self._last.form, type=self.rules.state))

    def prove(self) -> None:
        """Play the lines through. If they no longer lead to what was stored, the position is what was stored: that is
        what lies on the table; `differs` then says where the rules' code of today goes another way."""
        if self._played:
            return
        self._played, self.differs = True, None
        lines, expected = self.history.lines, self._expected
        try:
            self.position = turned(self.replayed(lines), self.rules)
            same = not expected or hash_of(form_of(self.position.state)) == expected
        except Exception:  # lines that were judged by other code may meet anything
            same = False
        if not same:
            self.differs = first_difference(self.start(), lines, self.rules_of)
            self.position = self._stored()

    def start(self) -> Position[Any]:
        """The position before the first line, under the rules the table begins with."""
        rules = self.rules_of(self.history.begun)
        if self.began.start is None:
            return Position(rules, rules.new_state(), quiet=True)
        with decoding(self.journal.path):
            return Position(rules, msgspec.convert(self.began.start, rules.state), quiet=True)

    def replayed(self, lines: Sequence[Line], seen: Seen | None = None) -> Position[Any]:
        """The position after `lines`, the first ones of the table, as they were recorded, under the rules of the last.
        `seen` is shown the position after each move."""
        at = self.start()
        for line in lines:
            at = turned(at, self.rules_of(line.rules))
            play_line(at, line, seen)
        at.quiet = False
        return at

    @property
    def named(self) -> People:
        """The people at the seats now, for anything printed."""
        known = self._named
        if known is None or known.rules is not self.rules or known.people != self.about.people:
            known = self._named = People(self.rules, self.about.people)
        return known

    @property
    def seats(self) -> list[str]:
        """The seats of this table, in order."""
        return list(dict.fromkeys([*self.began.people, *self.position.seats]))

    @property
    def people(self) -> dict[str, str]:
        """Person -> seat."""
        return {person: seat for seat, person in self.about.people.items() if person}

    def read(self, text: str, me: str = "") -> list[Move]:
        """The moves a typed line means now. Raises NotationError."""
        return notation.read(text, self.position, people=self.people, me=me)

    def settled(self) -> None:
        """Raises TableError if today's code gives the lines of the table another result: they must be migrated
        first."""
        if self.differs is not None:
            raise TableError(f"{self.differs}; run `companion migrate` to go on (--dry-run shows what would change)")

    # --- play --------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read what other processes have written since."""
        if self.journal.last() != self.history.last:
            self.reload()

    def check(self, moves: list[Move], *, typed: bool = False, passed: bool = False) -> Outcome:
        """Judge `moves` without recording them. `typed`: in words, so what they leave open is asked (`try_line`)."""
        outcome = try_line(self.position, moves, typed=typed, passed=passed)
        outcome.events += self.remarks(outcome)
        return outcome

    def do(
        self,
        moves: list[Move],
        text: str = "",
        *,
        typed: bool = False,
        passed: bool = False,
        override: str = "",
        by: str = "",
        told: str = "",
    ) -> Outcome:
        """Judge `moves` as one line, and record it if all are legal or `override` says why the table keeps them.
        `typed`: they were said in words, so what they leave open is asked (`try_line`). `by`, `told`: the seat on whose
        page it was said, where another acts, and what the page called it (`Line`)."""
        override = table_text(override, "the reason")
        with self.writing():
            self.settled()
            outcome = try_line(self.position, moves, typed=typed, passed=passed, force=bool(override))
            remarks = self.remarks(outcome)
            outcome.events += remarks
            if outcome.done and outcome.steps:
                steps = steps_of(outcome)
                opened, unknown = keys.sealing(self.journal.path, steps, self._last.form, outcome.after)
                remarks += unknown
                outcome.events += unknown
                line = Line(
                    text=one_line(composed(kept_text(outcome, text, self.position))),
                    steps=steps,
                    override=override if outcome.broken else "",
                    broken=outcome.broken,
                    remarks=[r.what for r in remarks],
                    keys=opened,
                    by=by,
                    told=told,
                )
                self.record(line, outcome.after)
            elif outcome.verdict.legal is False:
                refusals.keep(self.journal, self.history.last, outcome.verdict)
        return outcome

    def note(self, text: str) -> None:
        """Add a note to the log. Raises TableError for one that says nothing, is too long or steers a terminal."""
        if not (text := table_text(text, "a note")):
            raise TableError("a note needs a text: note TEXT")
        with self.writing():
            self.record(Line(kind="note", text=text), self.position)

    def correct(self, field: str, value: Any, reason: str) -> str:
        """Set one field of the position to what is really on the table, and return its whole path; the log marks it.
        Raises PositionError."""
        reason = table_text(reason, "the reason")
        with self.writing():
            self.settled()
            after = self.position.copy()
            field = meant(self.position.state, field, self.people)
            after.state = corrected(self.rules, self.position.state, field, value)
            line = Line(kind="correct", field=field, value=value, override=reason)
            self.record(line, after)
        return field

    def undo(self, *, named: bool = False) -> str:
        """Undo the last line or change and return its description (`named`: with people for their seats). Raises
        TableError if there is none."""
        with self.writing():
            target = self.history.undoable
            if target is None:
                raise TableError("there is nothing to undo")
            what = self.describe(target, self.named if named else None)
            self.change("undo", {"target": target})
        return what

    def redo(self, *, named: bool = False) -> str:
        """Redo the last undone line or change and return its description (`named`: with people for their seats).
        Raises TableError if there is none."""
        with self.writing():
            if not self.history.redoable:
                raise TableError("there is nothing to redo; `companion log --all` shows undone lines")
            target = self.history.redoable[-1]
            self.change("redo", {"target": target})
        return self.describe(target, self.named if named else None)

    def again(self, entry: int) -> Outcome:
        """Play an undone line again, now. `entry`: its entry number in the full log. Raises TableError if it was not
        undone."""
        found = [e for e in self.entries if e.n == entry and e.kind == "line" and e.n in self.history.undone]
        if not found or found[0].body.get("kind", "move") != "move":
            raise TableError(f"entry {entry} has not been undone")
        line = msgspec.convert(found[0].body, Line)
        try:
            moves = said_moves(line, self.rules)
        except Exception as error:  # recorded under other rules
            raise TableError(f"entry {entry}: {stopped(line, error, self.rules, {})}") from error
        return self.do(moves, line.text)

    def evidence(self, breach: Breach) -> list[int]:
        """Numbers of the lines that name the card which a breach is about (`facts["card"]`)."""
        card = breach.facts.get("card")
        if not isinstance(card, str):
            return []
        lines = enumerate(self.history.lines, 1)
        return [number for number, line in lines if any(card in words_of(step["move"]) for step in line.steps)]

    # --- the log -----------------------------------------------------------------------------------------------

    def log(self) -> list[LogLine]:
        """The lines that count, each with its events, as far as today's code plays them as they were played."""
        return self._logbook.read(self)

    def describe(self, n: int, people: People | None = None) -> str:
        """An entry in a few words; `people` stand for their seats."""
        entry = next(e for e in self.entries if e.n == n)
        if entry.kind == "line":
            line = msgspec.convert(entry.body, Line)
            if line.kind == "note":
                return f"note: {line.text}"
            return without_seals(in_words(line, self.position, people))
        if entry.kind == "amend":
            return f"amendment of line {entry.body['number']}"
        return f"other rules from line {entry.body['from']} on" if "from" in entry.body else "move to other rules"

    # --- writing -----------------------------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the journal's write lock, with everything in it that others wrote meanwhile."""
        try:
            with self.journal.writing():
                self.refresh()
                before = self.history.last
                yield
        except BaseException:
            self.refresh()  # what was prepared may not be in the journal
            raise
        if self.written is not None and self.history.last != before:
            self.written()

    def record(self, line: Line, after: Position[Any]) -> None:
        """Write a line that leads to the position `after`; only inside `writing`. A line that does not change the
        position leaves it, and its hash, as they are."""
        body = plain(line)
        if line.kind in ("note", "people"):
            last = replace(self._last, n=self._last.n + 1)
        else:
            last = self._state(after, self._last.n + 1)
            body["state"] = hash_of(last.form)
        entry = self.journal.append("line", body)
        self.journal.keep_last(last)
        self.entries.append(entry)
        self.history = with_line(self.history, entry)
        self._seat()
        self._last = last
        self.position = Position(self.rules, after.state)

    def change(self, kind: str, body: dict[str, Any]) -> None:
        """Write an entry that changes which lines count, and read the table anew; only inside `writing`.

        Raises TableError if today's code goes another way than the lines that count then.
        """
        entry = self.journal.append(kind, body)
        self._last = replace(self._last, n=entry.n)
        self.journal.keep_last(self._last)
        self.reload(proof=True)
        self.settled()
        self._last = self._state(self.position, entry.n)
        self.journal.keep_last(self._last)

    def _state(self, at: Position[Any], n: int) -> Last:
        return state_after(at, n, self._code)

    def remarks(self, outcome: Outcome) -> list[Event]:
        """A remark for each hidden thing that is reported otherwise than it was seen before an undo."""
        if not self.history.undone or not any(step.move.shows() for step in outcome.steps):
            return []
        return seen_otherwise(self.entries, self.rules, outcome)


def state_after(at: Position[Any], n: int, code: Code) -> Last:
    """A position as a journal keeps it: the one after entry `n`, reached by this code."""
    return Last(n, code.digest, form_of(at.state), code.stamp)


__all__ = ["Load", "Table", "TableError", "state_after"]
