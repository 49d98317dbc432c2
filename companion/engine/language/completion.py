"""What can be typed next: the words that Tab completes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.engine.language.arguments import Books
from companion.engine.language.fields import fields
from companion.engine.language.notation import verbs_at
from companion.engine.language.saying import verbs
from companion.engine.language.words import tokens
from companion.engine.play.position import Position


def completions(line: str, at: Position[Any], *, people: Mapping[str, str] | None = None) -> list[str]:
    """Words that can stand where the cursor is, at the end of `line`."""
    head, typed = (line, "") if line[-1:].isspace() or not line else _cut(line)
    words = tokens(head)
    books = Books(at, people)
    kinds = {kind for _, kind, _, _ in verbs_at(words, books)} if words else set()
    found: list[str] = []
    if kinds:
        for kind in at.rules.moves.values():
            if kind in kinds:
                for field in fields(kind):
                    if field.domain is None:
                        found.append(f"{field.name}=")
                    else:
                        found += [" ".join(parts) for parts, _ in books[field].phrases]
    else:
        now = {type(move) for move in at.legal()}
        ordered = [k for k in at.rules.moves.values() if k in now] + [
            k for k in at.rules.moves.values() if k not in now
        ]
        found = [verbs(kind)[0] for kind in ordered]
        if not words:
            found += [seat.lower() for seat in at.seats] + [person.lower() for person in people or {}]
    return [word for word in dict.fromkeys(found) if word.lower().startswith(typed.lower())]


def _cut(line: str) -> tuple[str, str]:
    head, blank, typed = line.rpartition(" ")
    return head + blank, typed


__all__ = ["completions"]
