"""A file read again after a save: where only entries of one long list changed, only these are parsed."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from components.yamlsource import Source

LONG = 50
"""Entries from which a list is worth the trouble."""
_ELSEWHERE = re.compile("(?:^|[\\s\\[{,:])\\*\\S|\r(?!\n)|[\x85\u2028\u2029]")
"""An alias, which may stand for a part that changed; a line break that only YAML knows."""
_ENTRY = re.compile(r" *- ")


def again(old: Source, raw: bytes, parse: Callable[[str, str], Source]) -> Source | None:
    """The file that was `old` and now says `raw`; None if it has to be parsed as a whole. `parse` reads a text, given
    what messages call it."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    before, lines = old.text.split("\n"), text.split("\n")
    if old.data is None or len(before) != len(lines) or _ELSEWHERE.search(text):
        return None
    first = next((n for n, line in enumerate(lines) if line != before[n]), 0)
    last = next((n for n in range(len(lines) - 1, -1, -1) if lines[n] != before[n]), 0)
    for key, starts in _lists(old):
        begin, end = bisect_right(starts, first) - 1, bisect_right(starts, last)
        if begin < 0 or end >= len(starts):
            continue
        dash = _ENTRY.match(lines[starts[begin]])
        if dash is None or not lines[starts[end]].startswith(dash[0]) or not before[starts[begin]].startswith(dash[0]):
            return None
        if any(line.startswith(("...", "---", "%")) for line in lines[starts[begin] : starts[end]]):
            return None  # the end of a document is the end of the list, too
        # below a key of its own, so that depth and lines are those of the file
        part = ["entries:", *lines[starts[begin] : starts[end]]]
        read = parse("\n" * (starts[begin] - 1) + "\n".join(part) + "\n", old.file)
        if read.data is None or list(read.data) != ["entries"] or not isinstance(read.data["entries"], list):
            return None
        return _spliced(old, text, key, slice(begin, end), read)
    return None


def _lists(source: Source) -> list[tuple[Any, list[int]]]:
    """The long lists under the keys of a file, each with the lines on which its entries begin."""
    if not isinstance(source.data, dict):
        return []
    spots = source.spots[1]
    found = []
    for key, value in source.data.items():
        if isinstance(value, list) and len(value) >= LONG:
            marks = [spot[0] if isinstance(spot, tuple) else spot for spot in spots[key][1][1]]
            found.append((key, [mark.line for mark in marks]))
    return found


def _spliced(old: Source, text: str, key: Any, where: slice, read: Source) -> Source:
    made = old.copied()
    made.text = text
    made.typed, made.beyond = {}, old.beyond or read.beyond
    made.data = made.readable = {**old.data, key: [*old.data[key]]}
    made.data[key][where] = read.data["entries"]
    key_mark, (mark, inside) = made.spots[1][key]
    inside = [*inside]
    inside[where] = read.spots[1]["entries"][1][1]
    made.spots[1][key] = (key_mark, (mark, inside))
    return made
