"""A line of the past set right: what would become of the later lines is said before it is done."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.engine.language import notation, saying
from companion.engine.language.people import People
from companion.engine.play.moves import Move
from companion.engine.play.position import Position
from companion.engine.play.secrets import seen_by
from companion.engine.table.amending import Amended, AmendKind, amend, before
from companion.engine.table.logs import fallen_json, reasons_text
from companion.engine.table.replaying import in_words
from companion.engine.table.table import Table
from components.phrasing import count, plural


class Trial(msgspec.Struct, kw_only=True):
    """An amendment that was tried and changed nothing."""

    number: int
    kind: AmendKind
    text: str
    """The moves that really happened."""
    moves: list[Move]
    note: str
    """The note, if it is not a move."""
    gone: str
    """The line as it stands, in words."""
    earlier: Position[Any]
    """The position in which it was said."""
    found: Amended


def trial(table: Table, number: int, kind: AmendKind, text: str, me: str = "") -> Trial:
    """Find out what an amendment would do. `me`: the seat that says so; its line is read as far as it may know. Raises
    TableError, NotationError."""
    note = noted(table, text)
    earlier = before(table, number, kind, note=bool(note))
    gone = in_words(table.history.lines[number - 1], earlier, table.named)
    known = seen_by(earlier, me) if me else earlier
    moves = notation.read(text, known, people=table.people, me=me) if kind != "drop" and not note else []
    found = amend(table, number, kind, moves, text, note=note, dry_run=True, typed=True)
    return Trial(number=number, kind=kind, text=text, moves=moves, note=note, gone=gone, earlier=earlier, found=found)


def noted(table: Table, text: str) -> str:
    """The note that a line says which stands for one of the past (`note TEXT`); empty if it says a move."""
    word, _, note = text.strip().partition(" ")
    verbs = {verb for kind in table.rules.moves.values() for verb in saying.verbs(kind)}
    return note.strip() if word.lower() == "note" and "note" not in verbs else ""


def carry_out(table: Table, tried: Trial) -> str:
    """Do what was tried, and tell it."""
    amend(table, tried.number, tried.kind, tried.moves, tried.text, note=tried.note, typed=True)
    if tried.kind == "insert":
        return f"inserted before line {tried.number + 1}: {tried.gone}"
    return (
        f"dropped: {tried.number} {tried.gone}"
        if tried.kind == "drop"
        else (f"amended: line {tried.number} was {tried.gone}")
    )


def fallen(done: Amended, before: Any, people: People | None = None) -> list[dict[str, Any]]:
    """The lines that an amendment sets aside; `before`: the position in which it was made. `people` stand for their
    seats."""
    return fallen_json(done.fallen, {f.line.key: in_words(f.line, before, people) for f in done.fallen})


def fate(done: Amended, before: Any, people: People, most: int = 0) -> str:
    """The effect of an amendment on the later lines: how many stand, and which fall for what reasons (`most`: only of
    so many)."""
    fell = fallen(done, before, people)
    if not fell and not done.stand:
        return "No lines come after it."
    if not fell:
        return f"{count(done.stand, 'later line')} still {plural(done.stand, 'stands', 'stand')}."
    stand = f"{count(done.stand, 'later line')} still {plural(done.stand, 'stands', 'stand')}; " if done.stand else ""
    falls = f"{plural(len(fell), 'this one is', 'these are')} no longer legal:"
    out = [f"{stand}{falls if stand else falls[0].upper() + falls[1:]}"]
    for row in fell[: most or None]:
        out += [f"  {row['number']} {row['text']}", *reasons_text(row["why"], people)]
    if most and len(fell) > most:
        out.append(f"  … and {len(fell) - most} more")
    return "\n".join(out)


__all__ = ["Trial", "carry_out", "fallen", "fate", "noted", "trial"]
