"""Hints for a file that is not YAML: the slips of beginners, recognised by the lines around the fault."""

from __future__ import annotations

import re
from collections.abc import Callable

TEMPLATE = re.compile(r"(?:^\s*-|[:\[,])\s*\{\{")
COLOUR = re.compile(r"[:\[{,]\s*#[0-9a-fA-F]{3,8}\b")
COLON = re.compile(r"(?:^\s*(?:- )?|[,{]\s*)[\w.-]+:\s+[^\s\"'{\[|>&*!][^,}\]]*?:(?:\s|$)")
APOSTROPHE = re.compile(r":\s*'[^']*'\w")
ENTRY = re.compile(r"\s+[\w.-]+:(?:\s|$)")
FAR = 40
"""So many lines before a fault are looked at."""

Line = Callable[[int], str]
"""Number (from 1) -> the line, "" beyond the end."""


def hint_for(line: Line, number: int, what: str, began: tuple[int, int] | None) -> str:
    """A hint on how to mend a fault in a line; "" if nothing is recognised. `began`: line and column (from 1) of the
    node being read when it was met."""
    text = line(number)
    first = max(began[0] if began else number, number - FAR, 1)
    near = [line(n) for n in range(first, number + 1)]
    if "\t" in text:
        return "indent with spaces, not with tabs"
    if "quoted scalar" in what and began:
        return f"the quotation mark in line {began[0]} has no partner"
    if any(map(TEMPLATE.search, near[-2:])):
        return 'put a template in quotes: "{{ … }}"'
    if any(map(COLOUR.search, near)):
        return 'put a colour in quotes: "#1c2b33"; without them, # begins a comment'
    before = [n for n in range(max(1, number - 3), number) if COLOUR.search(line(n))]
    if "flow" in what and before:
        return f'put the colour in line {before[-1]} in quotes: "#1c2b33"; without them, # begins a comment'
    if any(map(APOSTROPHE.search, near[-2:])):
        return "put a text with an apostrophe in double quotes"
    if "mapping values" in what and ENTRY.match(text) and _indent(text) > _indent(line(number - 1)):
        return f"it is indented by {_indent(text)}, the line before it by {_indent(line(number - 1))}"
    if "mapping values" in what or any(map(COLON.search, near[-2:])):
        return "put a text that contains a colon in quotes"
    if "cannot start any token" in what or "alias" in what:
        return "put a text that begins with a special character in quotes"
    if began and re.search(r"expected ',' or '[]}]'", what):
        sign = "]" if "']'" in what else "}"
        return f"a comma is missing, or the {sign} of the bracket that opens in line {began[0]}"
    if began and "expected ':'" in what:
        return f"line {began[0]} is not `key: value`; put a space after the colon"
    odd = next((n for n in range(max(1, number - FAR), number) if line(n).count('"') % 2), 0)
    if odd and "expected" in what:
        return f"the quotation mark in line {odd} has no partner"
    if began and "block" in what:
        return _indented(line, number, began)
    return ""


def _indented(line: Line, number: int, began: tuple[int, int]) -> str:
    """A hint on the odd indentation of a line in a mapping or list that began at a place."""
    here = _indent(line(number))
    there = began[1] - 1
    if line(number).lstrip().startswith("- "):
        others = (n for n in range(number - 1, max(0, number - FAR), -1) if line(n).lstrip().startswith("- "))
        if beside := next((n for n in others if _indent(line(n)) != here), 0):
            return f"it is indented by {here}, the entry of the list in line {beside} by {_indent(line(beside))}"
        return ""
    if here != there:
        return f"it is indented by {here}, the entry beside it in line {began[0]} by {there}"
    return "a key needs a colon and a space after it: `key: value`"


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


__all__ = ["hint_for"]
