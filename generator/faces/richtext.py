"""The markup of printed text: `[icon]`, `**bold**`, `_italic_`, `[[` for a bracket, a newline ends a line; spans:
`[colour gold]…[/colour]`, `[size 1.4]…[/size]`, `[underline]…[/underline]`. Lines that begin with `- ` are items of
a list, and so are those that begin with `1. ` in a text of several lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from generator.faces.faults import Fault

_TOKEN = re.compile(r"\[\[|\[([^\[\]\n]*)\]|\*\*|_|[ \t]+|[^\[*_ \t]+|.", re.DOTALL)
_SPAN = re.compile(r"(colour|size) +(\S+)|(underline)|/(colour|size|underline)")
LARGEST = 4.0
"""So many times larger than the rest a span may be."""
_SPECIAL = re.compile(r"[\[*_\n\t<]|\A *[-•] ")
_TAG = re.compile(r"</?(?:b|i|u|em|strong|br) ?/?>", re.IGNORECASE)
_ITEM = re.compile(r"(?:([-•])|(\d{1,2}\.)) +(?=\S)")
BULLET = "•"


class Span(msgspec.Struct, frozen=True):
    """The style of some words where it differs: `colour` is `#rrggbb` or empty, `size` a factor."""

    colour: str = ""
    size: float = 1.0
    underline: bool = False


AS_IS = Span()


class Run(msgspec.Struct, frozen=True):
    """Characters in one face of the style, or (with `icon`) one inline icon."""

    text: str
    face: str = ""
    """`""`, `bold`, `italic` or `bold-italic`."""
    icon: bool = False
    span: Span = AS_IS


Word = tuple[Run, ...]
"""A part that no line break divides."""


class Paragraph(NamedTuple):
    """The words of a paragraph, and its mark (`•`, `1.`) if it is an item of a list."""

    words: list[Word]
    mark: str = ""


def parse(value: str, case: Callable[[str], str] | None = None) -> list[Paragraph]:
    """Text to paragraphs of words. Fault for markup that cannot be read.

    `case` is applied to everything that is printed, never to the names of icons.
    """
    if _SPECIAL.search(value) is None:
        shown = case(value) if case else value
        return [Paragraph([(Run(word),) for word in shown.split(" ") if word])]
    lines = [line.strip() for line in value.strip("\n").split("\n")]
    return [_paragraph(line, case, numbered=len(lines) > 1) for line in lines]


def _paragraph(line: str, case: Callable[[str], str] | None, *, numbered: bool) -> Paragraph:
    """A line as a paragraph, and as an item of a list if it begins like one; numbers count only if `numbered`."""
    item = _ITEM.match(line)
    if item is None or (item[2] and not numbered):
        return Paragraph(_words(line, case))
    return Paragraph(_words(line[item.end() :], case), item[2] or BULLET)


def _words(line: str, case: Callable[[str], str] | None) -> list[Word]:
    words: list[Word] = []
    runs: list[Run] = []
    bold = italic = False
    open_spans: list[tuple[str, Span]] = []
    """The spans around what comes, each with its name and what held before it."""
    span = AS_IS

    def add(text: str) -> None:
        face = "bold-italic" if bold and italic else "bold" if bold else "italic" if italic else ""
        shown = case(text) if case else text
        if runs and not runs[-1].icon and runs[-1].face == face and runs[-1].span == span:
            runs[-1] = Run(runs[-1].text + shown, face, span=span)
        else:
            runs.append(Run(shown, face, span=span))

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
            if (found := _SPAN.fullmatch(match.group(1).strip())) is None:
                runs.append(Run(match.group(1).strip(), "", icon=True, span=span))
            elif (ended := found.group(4)) is None:
                open_spans.append((found.group(1) or found.group(3), span))
                span = _opened(span, found, line)
            elif not open_spans or open_spans[-1][0] != ended:
                raise Fault("LAY-009", f"'[/{ended}]' closes nothing in {line!r}", "spans close in turn", "value")
            else:
                span = open_spans.pop()[1]
        elif "<" in token and (tag := _TAG.search(line)) is not None:
            hint = "write **bold**, _italic_, [underline]…[/underline]; a new line ends a line"
            raise Fault("LAY-009", f"'{tag.group()}' in {line!r} is HTML, which is printed as it stands", hint, "value")
        else:
            add(token)
    if runs:
        words.append(tuple(runs))
    if open_spans:
        what = f"'[{open_spans[-1][0]}]' is opened and not closed in {line!r}"
        raise Fault("LAY-009", what, f"close it with [/{open_spans[-1][0]}]", "value")
    if bold or italic:
        mark = "**" if bold else "_"
        raise Fault("LAY-009", f"'{mark}' is opened and not closed in {line!r}", key="value")
    return words


def _opened(span: Span, found: re.Match[str], line: str) -> Span:
    """The span that begins inside another one."""
    kind, value = found.group(1), found.group(2)
    if kind == "colour":
        return msgspec.structs.replace(span, colour=value if value.startswith("#") else "")
    if kind is None:
        return msgspec.structs.replace(span, underline=True)
    try:
        size = float(value)
    except ValueError:
        size = 0.0
    if not 0 < size <= LARGEST:
        what = f"'[size {value}]' in {line!r}: it is a factor of at most {LARGEST:g}, such as 1.5"
        raise Fault("LAY-009", what, key="value")
    return msgspec.structs.replace(span, size=size * span.size)


COLOUR = re.compile(r"\[colour +([^\]\s#]+) *\]")
"""A span in a colour that is named; `parse` takes `#rrggbb`, and leaves words in others as they are."""


def plain(text: str) -> str:
    """Text as it stands: no character of it is markup, not even that of HTML."""
    return _TAG.sub(lambda tag: tag.group().replace("<", "‹"), text.replace("[", "[[").replace("**", "* *"))
