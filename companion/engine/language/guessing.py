"""Guesses at a line that cannot be read whole: always asked, never recorded unasked.

What people tell beside a move (a reason, a sigh) is a part of the line without a number; the rest may be a move.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from companion.engine.language.beside import MOST_PARTS, Read, after_one
from companion.engine.language.clauses import Speakers
from companion.engine.language.freely import TELLING, is_about
from companion.engine.language.unread import NotationError
from companion.engine.language.words import number
from companion.engine.play.lines import try_line
from companion.engine.play.moves import Move
from companion.engine.play.position import Position

REASON = re.compile(r"(?:^|[,;.!]?\s+)(?:because|since|thanks to|so that|cause)\b[^,;.!]*", re.IGNORECASE)
"""Why something is done."""
SO = re.compile(r"[,;.]?\s+so\s+", re.IGNORECASE)
"""What stands between a reason and what is done."""


def guessed(
    line: str,
    parts: list[str],
    at: Position[Any],
    speakers: Speakers,
    read: Read,
    guesses: Callable[[str], tuple[str, list[list[Move]]]],
) -> tuple[str, list[list[Move]]]:
    """The unread part of a line, and the readings of the rest; none that the rules forbid. `guesses` reads a text as
    one thing, without some of its words."""
    left, ways = guesses(line)
    if ways:
        return left, ways
    for aside, text in _without_asides(line, parts, speakers):
        if not speakers.all_named([aside]) <= speakers.all_named([text]):
            continue  # somebody would be left out
        with suppress(NotationError):
            moves = read(text, at)
            if try_line(at, moves, typed=True).verdict.legal:
                return aside, [moves]
        left, ways = guesses(text)
        if ways:
            return f"{aside} … {left}" if left else aside, ways
    return "", []


def _without_asides(line: str, parts: list[str], speakers: Speakers) -> Iterator[tuple[str, str]]:
    """(what may be told beside a move, the line without it): its reasons, or a part without a number."""
    if (told := REASON.sub("", line).strip(" ,;.!")) and told != line:
        yield " ".join(found[0].strip(" ,;.!") for found in REASON.finditer(line)), told
    for found in SO.finditer(line):
        yield line[: found.start()], line[found.end() :]
    for n, part in enumerate(parts) if 1 < len(parts) <= MOST_PARTS else ():
        words = speakers.books.words(part)
        telling = any(number(word.text) is not None or word.text in TELLING for word in words)
        if not telling and not is_about(words, speakers.books):
            yield part, ", ".join([*parts[:n], *after_one(parts, n, speakers)])


__all__ = ["guessed"]
