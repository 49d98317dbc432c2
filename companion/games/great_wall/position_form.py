"""Partial positions: what a position file may leave out, and what cannot be (the fields: `state.py`)."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.engine.play.forms import Default, Form, Reading
from companion.engine.play.position import Rules

from .state import State


def players(at: Reading[State]) -> list[str]:
    return list(at.state.player)


FORM = Form(seats=Default("players", "those named anywhere", players))


def dump(rules: Rules, state: State) -> dict[str, Any]:
    """The position form."""
    form: dict[str, Any] = msgspec.to_builtins(state, str_keys=True)
    return form
