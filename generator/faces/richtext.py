"""The markup of printed text: `[icon]`, `**bold**`, `_italic_`, `[[` for a bracket, a newline ends a line."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from generator.faces.faults import Fault

_TOKEN = re.compile(r"\[\[|\[([^\[\]\n]*)\]|\*\*|_|[ \t]+|[^\[*_ \t]+|.", re.DOTALL)
_SPECIAL = re.compile(r"[\[*_\n\t]")


class Run(msgspec.Struct, frozen=True):
    """Characters in one face of the style, or (with `icon`) one inline icon."""

    text: str
    face: str = ""
    """`""`, `bold`, `italic` or `bold-italic`."""
    icon: bool = False


Word = tuple[Run, ...]
"""What is never divided by a line break."""


def parse(value: str, case: Callable[[str], str] | None = None) -> list[list[Word]]:
    """Text to paragraphs of words. Fault for markup that cannot be read.

    `case` is applied to everything that is printed, never to the names of icons.
    """
    if _SPECIAL.search(value) is None:
        shown = case(value) if case else value
        return [[(Run(word),) for word in shown.split(" ") if word]]
    return [_paragraph(line.strip(), case) for line in value.strip("\n").split("\n")]


def _paragraph(line: str, case: Callable[[str], str] | None) -> list[Word]:
    words: list[Word] = []
    runs: list[Run] = []
    bold = italic = False

    def add(text: str) -> None:
        face = "bold-italic" if bold and italic else "bold" if bold else "italic" if italic else ""
        shown = case(text) if case else text
        if runs and not runs[-1].icon and runs[-1].face == face:
            runs[-1] = Run(runs[-1].text + shown, face)
        else:
            runs.append(Run(shown, face))

    for match in _TOKEN.finditer(line):
        token = match.group()
        if token.isspace():
            if runs:
                words.append(tuple(runs))
                runs = []
        elif token == "**":
            bold = not bold
        elif token == "_":
            before, after = line[: match.start()][-1:], line[match.end() :][:1]
            if before.isalnum() and after.isalnum():
                add(token)
            else:
                italic = not italic
        elif token == "[[":
            add("[")
        elif token == "[":
            raise Fault("LAY-009", f"'[' without ']' in {line!r}", "write '[[' for a bracket", "value")
        elif match.group(1) is not None:
            runs.append(Run(match.group(1).strip(), "", icon=True))
        else:
            add(token)
    if runs:
        words.append(tuple(runs))
    if bold or italic:
        mark = "**" if bold else "_"
        raise Fault("LAY-009", f"'{mark}' is opened and not closed in {line!r}", key="value")
    return words
