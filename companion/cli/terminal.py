"""The size of the terminal, and texts broken between words to fit it."""

from __future__ import annotations

import re
import shutil
import sys

WIDTH, TALL = 80, 24
"""Columns and rows of a terminal that does not say what it has."""
ENDLESS = 1_000
"""Rows of a file: as many as it takes."""
_PAINT = re.compile(r"\x1b\[[0-9;]*m")
_COLUMNS = re.compile(r"(?<=\S) {2,}(?=\S)")
LEAST = 24
"""Characters that a column needs for words to be broken inside it."""


def size() -> tuple[int, int]:
    """Columns and rows of the terminal; of a file, those of one that scrolls."""
    if not sys.stdout.isatty():
        return WIDTH, ENDLESS
    there = shutil.get_terminal_size((WIDTH, TALL))
    return max(there.columns, LEAST), there.lines


def fitted(text: str, width: int = 0) -> str:
    """Long lines broken between words. What follows goes below the last column of its line, or below its beginning."""
    width = width or size()[0]
    return "\n".join(part for line in text.split("\n") for part in _broken(line, width))


def _broken(line: str, width: int) -> list[str]:
    if _wide(line) <= width:
        return [line]
    start = len(line) - len(line.lstrip())
    columns = [gap.end() for gap in _COLUMNS.finditer(line) if gap.end() <= width - LEAST]
    indent = " " * (columns[-1] if columns else max(start, 4))
    lines, rest = [], line
    least = len(indent)
    while _wide(rest) > width:
        cut = _cut(rest, width, least)
        if cut < 0:
            break
        lines.append(rest[:cut].rstrip())
        rest = indent + rest[cut:].lstrip()
    return [*lines, rest]


def _cut(line: str, width: int, least: int) -> int:
    """The index of the blank at which a line is broken: the last before the width, or else the first after it; -1:
    nowhere."""
    blanks = [blank.start() for blank in re.finditer(" ", line) if line[: blank.start()].strip()]
    blanks = [blank for blank in blanks if blank > least] or blanks
    fit = [blank for blank in blanks if _wide(line[:blank]) <= width]
    return fit[-1] if fit else blanks[0] if blanks else -1


def _wide(text: str) -> int:
    return len(_PAINT.sub("", text))


__all__ = ["ENDLESS", "TALL", "WIDTH", "fitted", "size"]
