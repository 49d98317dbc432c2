"""Amendments: change one line of a table's past and find the later lines that are no longer legal. Nothing is lost: an
amendment is an entry of the journal, and one undo reverses it."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from companion.engine.play.lines import Outcome, try_line
from companion.engine.play.moves import Move
from companion.engine.play.position import Position
from companion.engine.table.digests import form_of, hash_of
from companion.engine.table.history import Fallen, Line
from companion.engine.table.keys import sealing
from companion.engine.table.replaying import Reasons, judged_again, kept_text, plain, steps_of, turned
from companion.engine.table.table import Table
from companion.engine.table.texts import TableError, table_text
from components.phrasing import count
from components.safe_text import composed, one_line

AmendKind = Literal["replace", "drop", "insert"]


class Amended(msgspec.Struct, kw_only=True):
    """The result of an amendment. `outcome`: that of the new line (None when dropping). `done` is False if the new line
    was refused and nothing changed."""

    done: bool
    outcome: Outcome | None
    stand: int = 0
    """The number of later lines that are still legal."""
    fallen: list[Fallen] = []


def before(table: Table, number: int, kind: AmendKind, *, note: bool = False) -> Position[Any]:
    """The position in which line `number` was played. `note`: a note is said, not a move; each replaces only its like.
    Raises TableError if there is no such line to amend."""
    lines = table.history.lines
    if not 1 <= number <= len(lines):
        raise TableError(f"there is no line {number}; the log has {count(len(lines), 'line')}")
    if lines[number - 1].setup:
        raise TableError("the set-up cannot be amended; begin a new table instead")
    said = "note" if note else "move"
    if kind == "replace" and lines[number - 1].kind != said:
        raise TableError(f"line {number} is not a {said}; drop it, or insert a {said} before it")
    return turned(table.replayed(lines[: number - 1]), table.rules_of(lines[number - 1].rules))


def amend(
    table: Table,
    number: int,
    kind: AmendKind,
    moves: list[Move],
    text: str = "",
    *,
    note: str = "",
    typed: bool = False,
    passed: bool = False,
    override: str = "",
    dry_run: bool = False,
) -> Amended:
    """Replace or drop line `number`, or insert `moves` or a `note` before it, and judge again all that followed.

    Later lines that are no longer legal are set aside, with the reasons. A new line that is refused changes nothing,
    and `dry_run` only finds out what would become of the later ones.
    """
    override = table_text(override, "the reason")
    note = table_text(note, "a note")
    with table.writing():
        table.prove()
        table.settled()
        at = before(table, number, kind, note=bool(note))
        outcome: Outcome | None = None
        new: dict[str, Any] | None = None
        if note:
            new = plain(Line(kind="note", text=note))
        elif kind != "drop":
            outcome = try_line(at, moves, typed=typed, passed=passed, force=bool(override))
            if not outcome.done:
                return Amended(done=False, outcome=outcome)
            kept = one_line(composed(kept_text(outcome, text, at)))
            steps = steps_of(outcome)
            opened: dict[str, str] = {}
            if not dry_run:
                opened, _ = sealing(table.journal.path, steps, form_of(at.state), outcome.after)
            at = outcome.after
            reason = override if outcome.broken else ""
            state = hash_of(form_of(at.state))
            new = plain(Line(text=kept, steps=steps, override=reason, broken=outcome.broken, state=state, keys=opened))
        lines = table.history.lines
        later = lines[number - 1 :] if kind == "insert" else lines[number:]
        changed: dict[int, dict[str, Any]] = {}
        fell: dict[int, Reasons] = {}
        for line in later:
            again = judged_again(turned(at, table.rules_of(line.rules)), line)
            at = again.after
            if again.why is not None:
                fell[line.key] = again.why
            elif again.change:
                changed[line.key] = again.change
        body = {
            "at": lines[number - 1].key,
            "number": number,
            "how": kind,
            "line": new,
            "changed": {str(key): change for key, change in changed.items()},
            "fallen": {str(key): why for key, why in fell.items()},
        }
        if not dry_run:
            table.change("amend", body)
        first = number if kind == "insert" else number + 1
        fallen = [Fallen(line, first + i, fell[line.key]) for i, line in enumerate(later) if line.key in fell]
        return Amended(done=True, outcome=outcome, stand=len(later) - len(fallen), fallen=fallen)


__all__ = ["AmendKind", "Amended", "amend", "before"]
