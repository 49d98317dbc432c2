"""Requests of pages to set the record right: lines of the past, the position, the people, house rules.

What it would do is said first, as far as the one who asks may know; then everybody is told who did it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

from companion.engine.language.people import People
from companion.engine.language.unread import NotationError
from companion.engine.play.lines import try_line
from companion.engine.play.position import Position
from companion.engine.play.secrets import keeps_secret, seen_by
from companion.engine.table import houserules, mending
from companion.engine.table.amending import AmendKind
from companion.engine.table.history import Line
from companion.engine.table.logs import reasons_text
from companion.engine.table.migrating import migrate
from companion.engine.table.people import seat as seat_people
from companion.engine.table.private import known_line
from companion.engine.table.replaying import Reasons, in_words
from companion.engine.table.seen import shown_by
from companion.engine.table.table import Load, Table
from companion.engine.things.sealed import without_seals
from companion.phones import answers
from companion.phones.unread import unread
from components.errors import DefinitionError
from components.safe_text import one_line
from components.web.site import Refused

LONGEST = 4000
"""Characters of what is said."""
MOST = 3000
"""Fields of a position that are listed."""
HIDDEN = {"rule": "", "title": "", "text": "", "why": "It hangs on what others keep hidden."}
LARGEST = 1_000_000
"""No number of a position is beyond it."""
Tell = Callable[[Table, str, str, str], None]
"""Tells every page who did what: seat, word, what."""


class Mending:
    """The record of one table. `resolve` and `load`: how a game with other rules is had."""

    def __init__(self, resolve: houserules.Resolve | None, load: Load | None, tell: Tell) -> None:
        self.resolve, self.load, self.tell = resolve, load, tell

    # --- lines of the past -------------------------------------------------------------------------------------

    def undoing(self, table: Table, seat: str) -> dict[str, Any]:
        """The lines that an undo would take back, and the facts they have shown, which stay seen."""
        n = table.history.undoable
        line = next((one for one in table.history.lines if one.key == n), None)
        if n is None or line is None:
            return {"what": table.describe(n, table.named) if n is not None else "", "shown": []}
        known = known_line(line, table.position, seat)
        shown = shown_by(known, table.rules)
        return {
            "what": _words(known, table.position, table.named),
            "shown": [f"{place}: {_several(value)}" for place, value in shown.items()],
        }

    def amend(self, table: Table, seat: str, said: dict[str, Any]) -> Any:
        """A line was really another one, was forgotten, or never happened. Unless it is `sure`, nothing changes."""
        number, how, line = said.get("number"), said.get("how"), said.get("line", "")
        if not isinstance(number, int) or how not in ("replace", "insert", "drop"):
            raise Refused("which line of the log, and what of it?")
        if how != "drop" and not (isinstance(line, str) and 0 < len(line.strip()) <= LONGEST):
            raise Refused("say what really happened")
        text = line.strip() if how != "drop" else ""
        try:
            tried = mending.trial(table, number, cast("AmendKind", how), text, seat)
        except NotationError as error:
            raise unread(error, table.named) from None
        old = known_line(table.history.lines[number - 1], tried.earlier, seat)
        found: dict[str, Any] = {"line": _words(old, tried.earlier, table.named), "done": tried.found.done}
        if tried.found.outcome is not None:
            known = try_line(seen_by(tried.earlier, seat), tried.moves, typed=True)
            found["verdict"] = answers.verdict(table, known, tried.earlier)
            if known.done != tried.found.done:  # it hangs on what the seat may not know
                found["verdict"] = {"legal": tried.found.done, "line": tried.text, "events": [], "reasons": [HIDDEN]}
        found["stand"] = tried.found.stand
        found["fallen"] = [
            _fallen(fell.number, fell.line, fell.why, tried.earlier, table, seat) for fell in tried.found.fallen
        ]
        if tried.found.done and said.get("sure"):
            _still(table, said)
            mending.carry_out(table, tried)
            self.tell(
                table,
                seat,
                {"replace": "amended", "insert": "inserted before", "drop": "dropped"}[how],
                f"line {number}",
            )
            found["recorded"] = True
        return found

    # --- what lies there ---------------------------------------------------------------------------------------

    def fields(self, table: Table, seat: str) -> list[dict[str, Any]]:
        """Every number and word of the position that the seat may know and correct."""
        form = table.rules.dump(seen_by(table.position, seat).state)
        told = table.named.text
        rows = (
            {"field": ".".join(path), "label": told(" · ".join(path).replace("_", " ")), "value": value}
            for path, value in _scalars(form)
        )
        return [row for _, row in zip(range(MOST), rows, strict=False) if self._own(table, seat, row["field"])]

    def correct(self, table: Table, seat: str, said: dict[str, Any]) -> Any:
        """Set a field to what really lies on the table."""
        field, value, why = said.get("field"), said.get("value"), said.get("why")
        if not isinstance(field, str) or not isinstance(value, str | int | bool) or len(str(value)) > LONGEST:
            raise Refused("which field is really what?")
        if isinstance(value, int) and abs(value) > LARGEST:
            raise Refused(f"no number is beyond {LARGEST:,}")
        if not isinstance(why, str) or not why.strip():
            raise Refused("a correction needs a reason")
        if not self._own(table, seat, field):
            raise Refused("only whoever may know that can correct it", 403)
        _still(table, said)
        field = table.correct(field, value, why.strip()[:LONGEST])
        self.tell(table, seat, "corrected", field)
        return {"field": field, "broken": list(table.rules.check_whole(table.position.state))}

    @staticmethod
    def _own(table: Table, seat: str, field: str) -> bool:
        return not keeps_secret(table.position, field.split("."), seat)

    # --- people and rules --------------------------------------------------------------------------------------

    def people(self, table: Table, seat: str, said: dict[str, Any]) -> Any:
        """Change the people at the seats, from here on or from the start."""
        people = said.get("people")
        if not isinstance(people, dict) or not all(isinstance(name, str) for name in people.values()):
            raise Refused("who sits where?")
        _still(table, said)
        text = seat_people(table, people, rename=bool(said.get("rename")))
        self.tell(table, seat, "said", text)
        return {"what": text}

    def parameters(self, table: Table, seat: str) -> list[dict[str, Any]]:
        """The numbers of the rules that a house rule can change."""
        return houserules.numbers(table.rules.game)

    def house(self, table: Table, seat: str, said: dict[str, Any]) -> Any:
        """A house rule from a line on, or from now on. Unless it is `sure`, nothing changes."""
        name, value, since = said.get("name"), said.get("value"), said.get("from", "now")
        if self.resolve is None or self.load is None:
            raise Refused("the rules cannot be changed here", 404)
        if not isinstance(name, str) or not isinstance(value, str | int | bool) or len(f"{name}{value}") > 400:
            raise Refused("which number of the rules is what?")
        first = houserules.line_of(table, str(since))
        word = str(value).lower() if isinstance(value, bool) else str(value)
        try:
            books = houserules.others(table, first, [], [f"{name}={word}"], self.resolve, self.load)
        except DefinitionError as error:
            raise Refused(str(error)) from error
        found = migrate(table, books, dry_run=True, first=first)
        lines = table.history.lines
        rows = [
            {**_fallen(row.number, lines[row.number - 1], row.why, table.position, table, seat), "fallen": row.fallen}
            for row in found.differ
        ]
        told: dict[str, Any] = {"first": first, "stand": found.stand, "differ": rows, "remarks": found.remarks}
        if said.get("sure"):
            _still(table, said)
            migrate(table, books, dry_run=False, first=first)
            told |= {"recorded": True, "what": houserules.told(table, first)}
            self.tell(table, seat, "made a house rule", told["what"])
        return told


def _still(table: Table, said: dict[str, Any]) -> None:
    """Raises Refused if something has been said since the page last looked."""
    if said.get("after") != table.history.last:
        raise Refused("something has been said since: look again", 409)


def _words(line: Line, at: Position[Any], people: People) -> str:
    return one_line(without_seals(in_words(line, at, people)))


def _fallen(number: int, line: Line, why: Reasons, at: Position[Any], table: Table, seat: str) -> dict[str, Any]:
    """A line that would fall, as a seat may know it."""
    now, rules = table.position, table.rules
    if rules.dump(seen_by(now, seat).state) == rules.dump(now.state):
        reasons = [text.strip() for text in reasons_text(why, table.named)]
    else:  # why it falls may hang on what the seat may not know
        known = [rules.game.rules[row["rule"]] for row in why if row.get("rule") in rules.game.rules]
        reasons = [f"{rule.id} {rule.title}" for rule in known]
    return {"number": number, "text": _words(known_line(line, at, seat), at, table.named), "why": reasons}


def _several(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _scalars(form: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Everything in a form that is one number or word, with its path."""
    if isinstance(form, dict):
        for key, value in form.items():
            yield from _scalars(value, (*path, str(key)))
    elif isinstance(form, list):
        for n, value in enumerate(form):
            yield from _scalars(value, (*path, str(n)))
    elif isinstance(form, str | int):
        yield path, form


__all__ = ["Mending"]
