"""The verbs of `components/xarkant/effects.yaml`, executed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .catalogue import At
from .storage import gain_popularity

Executor = Callable[[At, str, Mapping[str, Any]], None]


def _gain_popularity(at: At, player: str, args: Mapping[str, Any]) -> None:
    gained = gain_popularity(at, player, int(args["n"]))
    at.note("XK-STATE-3", f"{player} gains {gained} popularity from the supply", player=player, popularity=gained)


EXECUTORS: dict[str, Executor] = {"gain_popularity": _gain_popularity}


def carry_out(at: At, player: str, effect: Mapping[str, Mapping[str, Any]]) -> None:
    """Do what a printed effect says, verb by verb."""
    for verb, args in effect.items():
        EXECUTORS[verb](at, player, args)


__all__ = ["EXECUTORS", "carry_out"]
