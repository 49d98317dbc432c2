"""The shape of `rulings.yaml`: questions that came up, with their answers and positions that show them."""

# No `from __future__ import annotations`: msgspec reads them whenever a command begins, and texts take it long.

from typing import Any

import msgspec


class Ruling(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A question that came up, its answer, and a position that shows it: run as a test, found by `ask`, printed as
    FAQ."""

    id: str
    question: str
    """As somebody at the table would ask; Jinja2."""
    answer: str
    """Jinja2."""
    rules: list[str]
    """Ids of the rules that decide it."""
    position: dict[str, Any] = {}
    """A position file; what it leaves out takes its default."""
    moves: list[dict[str, Any]] = []
    """JSON form of moves, played in order; the verdict is that of the last."""
    legal: bool | None = None
    """True if the last move is legal; `null`: a choice is missing. Left out if there are no moves."""
    query: dict[str, Any] = {}
    """A question about figures, in its JSON form, asked after the moves (of which there may be none)."""
    value: Any = None
    """The answer to the question: plain data; mappings may hold more."""
    expect: dict[str, Any] = {}
    """Fields of the position after the moves that matter (partial, compared key by key)."""
    set: dict[str, Any] = {}
    """Parameters as given with `--set`, for the position."""
    variants: list[str] = []
    """Variants the position is played with."""


class RulingsFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """`rulings.yaml`: questions that came up."""

    rulings: list[Ruling]
