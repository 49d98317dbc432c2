"""Rulings of Xarkant, written from its rules, nearly all before its code was read (the files say which were not)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import case_runner
import pytest

from components.resolve import resolve_game

GAME = "xarkant"


def pieces(form: dict[str, Any]) -> Counter[str]:
    """Discs, buildings, villages and tokens, wherever they are, counted on the position form alone."""
    found: Counter[str] = Counter()
    for owner, player in form["player"].items():
        found[f"{owner}'s discs"] += sum(form[place].get(owner, 0) for place in ("bag", "drawn", "aside"))
        found[f"{owner}'s workshops"] += player["workshops"]
        found[f"{owner}'s churches"] += player["churches"]
        found["popularity"] += player["popularity"]
        found.update({kind: player[kind] for kind in ("wheat", "wood", "stone")})
    for piece in form["pieces"].values():
        kind = {"work": "discs", "claim": "discs", "workshop": "workshops"}.get(piece["kind"], "churches")
        if piece["kind"] in ("village", "town"):
            found["villages"] += 1
        if piece["kind"] != "village":
            found[f"{piece['owner']}'s {kind}"] += 1
    found.update(f"{owner}'s workshops" for owner in form["state_board"]["workshops"])
    found.update(f"{owner}'s churches" for track in form["church_board"].values() for owner in track)
    found["villages"] += form["state_board"]["villages"]
    found["popularity"] += form["popularity_supply"]
    found.update(form["supply"])
    return found


@pytest.mark.parametrize("case", case_runner.parameters(GAME))
def test_ruling(case: case_runner.Case, tmp_path: Path) -> None:
    case_runner.judge("xarkant", case, tmp_path, pieces)


def test_every_rule_has_a_case() -> None:
    """Also those the companion leaves to the table: what it does must not be against them."""
    spoken_of: set[str] = set()
    for _, case in case_runner.files(GAME):
        spoken_of |= {case.get("forbidden_by", ""), *case.get("rules", ()), *case.get("about", ())}
    assert sorted(set(resolve_game("xarkant").rules) - spoken_of) == []


def test_cases_are_told_apart_by_their_names() -> None:
    names = [(path.stem, case["id"]) for path, case in case_runner.files(GAME)]
    assert len(names) == len(set(names))
