"""Rulings of Warring States Period, written from the rules and apart from the code."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import case_runner
import pytest


def pieces(form: dict[str, Any]) -> Counter[str]:
    """How many tokens and cards there are, counted on the position form alone."""
    players = form["players"].values()
    decks = form["decks"]
    campaign = (form.get("war") or {}).get("campaign") or {}

    def pile(deck: dict[str, Any]) -> int:
        named = deck["discard"]
        return deck["draw"] + (sum(named.values()) if isinstance(named, dict) else len(named))

    return Counter(
        {
            "provinces": sum(p["provinces"]["intact"] + p["provinces"]["razed"] for p in players),
            "event cards": pile(decks["event"]) + bool(form["event"]),
            "resource cards": pile(decks["resource"])
            + decks["resource"]["discard_unknown"]
            + sum(p["resource_hand"] + len(p["generals"]) for p in players),
            "battle cards": pile(decks["battle"])
            + decks["battle"]["discard_unknown"]
            + sum(p["battle_hand"] for p in players)
            + (0 if campaign.get("winner") else sum(1 for card in (campaign.get("destiny") or {}).values() if card)),
        }
    )


@pytest.mark.parametrize("case", case_runner.parameters("warring-states"))
def test_ruling(case: case_runner.Case, tmp_path: Path) -> None:
    case_runner.judge("warring-states", case, tmp_path, pieces)
