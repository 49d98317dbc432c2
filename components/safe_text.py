"""Texts and numbers as people and files give them: which may enter, and how a text is printed safely."""

from __future__ import annotations

import re
from typing import Any

LONGEST_NAME = 80
"""Characters of a person's name or a seat's."""
LONGEST_TEXT = 2_000
"""Characters of a note, a reason or a line."""
LARGEST = 1_000_000
"""No number at a table is larger."""

_BREAKS = re.compile(r"\s*[\t-\r\x1c-\x1e\x85\u2028\u2029]+\s*")
"""Whatever some program takes for the end of a line, and tabs."""
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
"""Characters that steer a terminal, turn the direction of a line, or are half of one."""
_BEYOND_ASCII = re.compile(r"[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")
_COLOUR = re.compile(r"(\x1b\[(?!(?:[\d;]*;)?8[;m])[\d;]*m)")
"""Colour and weight, but nothing that hides what follows."""


class BadText(ValueError):
    """A text that cannot be kept; the message says why."""


def whole(text: str, most: int = LARGEST) -> int | None:
    """The whole number that a text of ASCII digits says; None for any other text, and for one above `most`."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(LARGEST))):
        return None
    number = int(text)
    return None if number > most else number


def too_large(value: Any) -> int | float | None:
    """A number in plain data that no table can have; None if there is none. (A name may be said that often.)"""
    if isinstance(value, int | float):
        return None if abs(value) <= LARGEST else value
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return next((found for part in parts if (found := too_large(part)) is not None), None)


def composed(text: str) -> str:
    """The text with each letter in its shortest form (NFC): two ways to write `é` are one."""
    if text.isascii():
        return text
    import unicodedata  # few texts need it

    return unicodedata.normalize("NFC", text)


def kept(text: str, what: str, longest: int = LONGEST_TEXT) -> str:
    """A text as it may be kept: composed, on one line, without space around it. `what` is what messages call it.

    Raises BadText for control characters and for more than `longest` characters.
    """
    text = composed(_BREAKS.sub(" ", text)).strip()
    if found := _CONTROLS.search(text):
        raise BadText(f"{what} cannot hold the control character U+{ord(found[0]):04X}; leave it out")
    if len(text) > longest:
        raise BadText(f"{what} has {len(text)} characters; at most {longest} are allowed")
    return text


def printable(text: str) -> str:
    """A text as it may go to a terminal: control characters are written out, all but ends of lines and colours."""
    if text.isascii() and text.isprintable():
        return text
    parts = _COLOUR.split(text)
    parts[::2] = [_CONTROLS.sub(_written, part) for part in parts[::2]]
    return "".join(parts)


def escaped_json(text: str) -> str:
    """The same JSON with the characters escaped that a terminal, or a reader of lines, may take for more than text."""
    return text if text.isascii() else _BEYOND_ASCII.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def one_line(text: str) -> str:
    """A text that comes from a name or a path, fit to stand inside a message."""
    return text if text.isprintable() else _CONTROLS.sub(_escaped, text)


def _written(found: re.Match[str]) -> str:
    return found[0] if found[0] == "\n" else _escaped(found)


def _escaped(found: re.Match[str]) -> str:
    return "\ufffd" if "\ud800" <= found[0] <= "\udfff" else found[0].encode("unicode_escape").decode()


__all__ = [
    "LARGEST",
    "LONGEST_NAME",
    "LONGEST_TEXT",
    "BadText",
    "composed",
    "escaped_json",
    "kept",
    "one_line",
    "printable",
    "too_large",
    "whole",
]
