"""Hints on how to write a number: what stands there in words, with a unit, with a sign or with a fraction."""

from __future__ import annotations

import math
import re

from components.phrasing import number_said

ERRORS = ("#REF!", "#DIV/0!", "#N/A", "#VALUE!", "#NAME?", "#NUM!", "#NULL!")
"""The texts that spreadsheet programs write into a cell whose formula fails."""


PLAYERS = (
    "name a parameter, `players.{end}: {{value: {n}, …}}` under `parameters`, and write `{end}_players: players.{end}`"
)


def figure_for(text: str) -> str:
    """A hint on how to write a number that was written in words; "" without one."""
    word = text.strip().lower()
    said = 0 if word == "zero" else number_said(word)
    if said is not None:
        return f"write {said}"
    if re.fullmatch(r"\d{1,3}([, '\u2019]\d{3})+", text.strip()):
        return f"write {re.sub(r'[^0-9]', '', text)}"
    if measured := re.fullmatch(r"(\d+(?:\.\d+)?)\s*(?:mm|pt|°|deg)", word):
        return f"write {measured[1]}, without the unit"
    if text.strip().upper() in ERRORS:
        return "the formula of this cell fails: mend it in the spreadsheet"
    if re.fullmatch(r"\d+(\.\d+)?\s*%", text.strip()):
        return f"write {text.strip().rstrip('% ')}, without the sign"
    if text.strip().startswith("{{"):
        return "a template cannot stand here: write the number"
    return ""


def whole_near(value: float) -> str:
    """A hint on the whole numbers beside one with a decimal point."""
    return f"write {value:g}" if value.is_integer() else f"write {math.floor(value)} or {math.ceil(value)}"


def decimal(text: str) -> str:
    """A number as YAML takes it: `,5` as `0.5`."""
    return re.sub(r"(?<!\d)\.", "0.", text.strip().replace(",", "."))
