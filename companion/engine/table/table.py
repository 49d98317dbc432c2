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

from companion.engine.errors import CompanionError
from companion.engine.language import notation
from companion.engine.language.jsonmoves import recorded
from companion.engine.play.lines import Outcome, try_line
from companion.engine.play.moves import Breach, Event, Move
from companion.engine.play.position import Position, Rules
from companion.engine.table.corrections import corrected
from companion.engine.table.digests import Code, code_of, form_of, hash_of
from companion.engine.table.history import Entry, History, Line, fold, with_line
from companion.engine.table.journal import About, Damaged, Journal, Last, OutOfDate, decoding, now
from companion.engine.table.replaying import (
    Difference,
    first_difference,
    in_words,
    kept_text,
    plain,
    play_line,
    said_moves,
    steps_of,
    stopped,
    words_of,
)
from components.model import ResolvedGame

Load = Callable[[ResolvedGame], Rules]


class TableError(CompanionError):
    """Something the table cannot do now, e.g. undo with nothing to undo."""


class LogLine(msgspec.Struct, kw_only=True):
    """One line of the log: its number, where the game stood, what was said, what happened and how it is marked."""

    number: int
    when: str
    phase: str
    line: Line
    text: str
    moves: list[dict[str, Any]]
    events: list[Event]


class Table:
    """An open table. Use `create` or `open`; close it, or use it in a `with` statement."""

    def __init__(self, journal: Journal, load: Load) -> None:
        self.journal = journal
        self._load = load
        self.entries: list[Entry] = []
        try:
            self.about = journal.about()
            self.reload()
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
    ) -> tuple[Table | None, Outcome | None]:
        """A new table in the file `path`, called `name` or like the file. `people`: seat -> person, in seat order.

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
        about = About(
            table=name or path.stem,
            game=game.id,
            title=game.title,
            people=people,
            fingerprint=game.fingerprint,
            start=None if start is None else msgspec.to_builtins(start),
            created=now(),
        )
        last = state_after(Position(rules, state), 0 if outcome is None else 1, code_of(rules))
        entries = []
        if outcome is not None:
            first = Line(steps=steps_of(outcome), setup=True, state=hash_of(last.form))
            entries.append(Entry(1, about.created, "line", plain(first)))
        return cls(Journal.create(path, about, game, last, entries), load), outcome

    @classmethod
    def open(cls, path: Path, load: Load) -> Table:
        return cls(Journal.open(path), load)

    def close(self) -> None:
        self.journal.close()

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- the position ------------------------------------------------------------------------------------------

    def reload(self, *, proof: bool = False) -> None:
        """Read the journal again, each entry with its checksum, and find the position.

        It is the one stored after the last entry, if the same code has stored it; then playing the lines through would
        lead there, and nobody needs to. Otherwise, and for `proof`, they are played. Raises OutOfDate if the rules
        stored in the journal belong to other code and today's cannot use them.
        """
        with self.journal.reading():
            self.entries = self.journal.entries()
            with decoding(self.journal.path):
                self.history: History = fold(self.entries, self.about.fingerprint)
            game = self.journal.game(self.history.fingerprint)
            self._last = self.journal.last_state()
        if self._last.n != self.history.last:
            raise Damaged(self.journal.path, f"the entries after {self.history.last} are missing")
        try:
            self.rules = self._load(game)
        except CompanionError:
            raise
        except Exception as error:  # what a game was resolved to for other code
            raise OutOfDate(f"{self.journal.path}: an earlier version stored its rules") from error
        self._code = code_of(self.rules, Code(self._last.code, self._last.stamp))
        self._played = False
        if proof or not self._stands():
            self.prove()
        else:
            self.differs: Difference | None = None
            self.position = self._stored()

    def _stands(self) -> bool:
        """Whether the code of today stored the position, and it is the one to which the last line led."""
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
            self.position = self.replayed(lines)
            same = not expected or hash_of(form_of(self.position.state)) == expected
        except Exception:  # lines that were judged by other code may meet anything
            same = False
        if not same:
            self.differs = first_difference(self.start(), lines)
            self.position = self._stored()

    def start(self, rules: Rules | None = None) -> Position[Any]:
        """The position before the first line."""
        rules = rules or self.rules
        if self.about.start is None:
            return Position(rules, rules.new_state(), quiet=True)
        return Position(rules, msgspec.convert(self.about.start, rules.state), quiet=True)

    def replayed(self, lines: Sequence[Line]) -> Position[Any]:
        """The position after `lines`, as they were recorded."""
        at = self.start()
        for line in lines:
            play_line(at, line)
        at.quiet = False
        return at

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

    def check(self, moves: list[Move], *, passed: bool = False) -> Outcome:
        """Judge `moves` without recording them."""
        outcome = try_line(self.position, moves, passed=passed)
        outcome.events += self.remarks(outcome)
        return outcome

    def do(self, moves: list[Move], text: str = "", *, passed: bool = False, override: str = "") -> Outcome:
        """Judge `moves` as one line, and record it if all are legal or `override` says why the table keeps them."""
        with self.writing():
            self.settled()
            outcome = try_line(self.position, moves, passed=passed, force=bool(override))
            remarks = self.remarks(outcome)
            outcome.events += remarks
            if outcome.done and outcome.steps:
                line = Line(
                    text=kept_text(outcome, text, self.position),
                    steps=steps_of(outcome),
                    override=override if outcome.broken else "",
                    broken=outcome.broken,
                    remarks=[r.what for r in remarks],
                )
                self._record(plain(line), outcome.after)
        return outcome

    def note(self, text: str) -> None:
        """Add a note to the log."""
        with self.writing():
            self._record(plain(Line(kind="note", text=text)), self.position)

    def correct(self, field: str, value: Any, reason: str) -> None:
        """Set one field of the position to what is really on the table; the log marks it. Raises PositionError."""
        with self.writing():
            self.settled()
            after = self.position.copy()
            after.state = corrected(self.rules, self.position.state, field, value)
            line = Line(kind="correct", field=field, value=value, override=reason)
            self._record(plain(line), after)

    def undo(self) -> str:
        """Undo the last line or change and return its description. Raises TableError if there is none."""
        with self.writing():
            target = self.history.undoable
            if target is None:
                raise TableError("there is nothing to undo")
            what = self.describe(target)
            self.change("undo", {"target": target})
        return what

    def redo(self) -> str:
        """Redo the last undone line or change and return its description. Raises TableError if there is none."""
        with self.writing():
            if not self.history.redoable:
                raise TableError("there is nothing to redo; `companion log --all` shows undone lines")
            target = self.history.redoable[-1]
            self.change("redo", {"target": target})
        return self.describe(target)

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
        """The lines that count, each with its events; without events from the first line that today's code plays
        otherwise."""
        self.prove()
        at = self.start()
        at.quiet = False
        found: list[LogLine] = []
        for number, line in enumerate(self.history.lines, 1):
            at.events = []
            phase = self.rules.phase(at.state)
            text = in_words(line, at)
            if self.differs is None or number < self.differs.number:
                play_line(at, line)
            moves = [step["move"] for step in line.steps]
            found.append(
                LogLine(number=number, when=line.when, phase=phase, line=line, text=text, moves=moves, events=at.events)
            )
        return found

    def describe(self, n: int) -> str:
        """An entry in a few words."""
        entry = next(e for e in self.entries if e.n == n)
        if entry.kind == "line":
            return in_words(msgspec.convert(entry.body, Line), self.position)
        if entry.kind == "amend":
            return f"amendment of line {entry.body['number']}"
        return "move to other rules"

    # --- writing -----------------------------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the journal's write lock, with everything in it that others wrote meanwhile."""
        try:
            with self.journal.writing():
                self.refresh()
                yield
        except BaseException:
            self.refresh()  # what was prepared may not be in the journal
            raise

    def _record(self, body: dict[str, Any], after: Position[Any]) -> None:
        """Write a line that leads to the position `after`. A note leaves the position, and its hash, as they are."""
        if body.get("kind") == "note":
            last = msgspec.structs.replace(self._last, n=self._last.n + 1)
        else:
            last = self._state(after, self._last.n + 1)
            body["state"] = hash_of(last.form)
        entry = self.journal.append("line", body)
        self.journal.keep_last(last)
        self.entries.append(entry)
        self.history = with_line(self.history, entry)
        self._last = last
        self.position = Position(self.rules, after.state)

    def change(self, kind: str, body: dict[str, Any]) -> None:
        """Write an entry that changes which lines count, and read the table anew; only inside `writing`.

        Raises TableError if today's code goes another way than the lines that count then.
        """
        entry = self.journal.append(kind, body)
        self._last = msgspec.structs.replace(self._last, n=entry.n)
        self.journal.keep_last(self._last)
        self.reload(proof=True)
        self.settled()
        self._last = self._state(self.position, entry.n)
        self.journal.keep_last(self._last)

    def _state(self, at: Position[Any], n: int) -> Last:
        return state_after(at, n, self._code)

    # --- what was seen stays seen ------------------------------------------------------------------------------

    def remarks(self, outcome: Outcome) -> list[Event]:
        """A remark for each hidden thing that is reported otherwise than it was seen before an undo."""
        if not self.history.undone or not any(step.move.shows() for step in outcome.steps):
            return []
        seen = self._seen_and_taken_back()
        found: list[Event] = []
        for step in outcome.steps:
            for place, value in step.move.shows().items():
                before = seen.get(place, [])
                if before:
                    known, entry = before.pop(0)
                    if known != value:
                        what = f"{place}: {_said(known)} was seen there before the undo; now it is {_said(value)}"
                        facts = {"place": place, "seen": known, "now": value, "entry": entry}
                        found.append(Event("", what, facts, warns=True))
        return found

    def _recorded(self, line: Line) -> list[Move]:
        """The moves of a line; none if they were recorded under other rules and today's do not know them."""
        try:
            return [recorded(step["move"], self.rules.moves, self.rules.move_keys) for step in line.steps]
        except (KeyError, msgspec.ValidationError):
            return []

    def _seen_and_taken_back(self) -> dict[str, list[tuple[Any, int]]]:
        """Place -> what was seen there in lines taken back and has not come up again, first seen first."""
        seen: dict[str, list[tuple[Any, int]]] = {}
        shown: dict[int, list[tuple[str, Any]]] = {}
        for entry in self.entries:
            if entry.kind == "line":
                line = msgspec.convert(entry.body, Line)
                shown[entry.n] = [pair for move in self._recorded(line) for pair in move.shows().items()]
                for place, _ in shown[entry.n]:
                    del seen.get(place, [])[:1]
            elif entry.kind == "undo":
                for place, value in reversed(shown.get(entry.body["target"], [])):
                    seen.setdefault(place, []).insert(0, (value, entry.body["target"]))
            elif entry.kind == "redo":
                for place, known in seen.items():
                    seen[place] = [pair for pair in known if pair[1] != entry.body["target"]]
        return seen


def state_after(at: Position[Any], n: int, code: Code) -> Last:
    """A position as a journal keeps it: the one after entry `n`, reached by this code."""
    return Last(n, code.digest, form_of(at.state), code.stamp)


def _said(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def unswitchable(game: ResolvedGame) -> list[str]:
    """The rules a table was begun without and that cannot be switched off: a rule that forbids nothing (it has no
    `breaks`) goes by its parameters. Where no rule of a game has `breaks` yet, none is named."""
    forbids = {id for id, rule in game.rules.items() if any(key.startswith("breaks.") for key in rule.words)}
    return [rule for rule in game.off if forbids and rule not in forbids]


__all__ = ["Load", "LogLine", "Table", "TableError", "state_after", "unswitchable"]
