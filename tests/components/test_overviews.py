"""The overviews of the rulebooks: as long as a page, true with every variant and every figure."""

from __future__ import annotations

import re
from typing import Any

import pytest

from components.loader import list_games, load
from components.resolve import resolve_game


def overview(game_id: str, *variants: str, **sets: Any) -> dict[str, str]:
    return dict(resolve_game(game_id, variants=variants, sets=sets).overview)


@pytest.mark.parametrize("game_id", list_games())
def test_every_game_is_told_in_a_few_passages(game_id: str) -> None:
    for variants in ((), *((name,) for name in load(game_id).variants)):
        told = overview(game_id, *variants)
        assert 4 <= len(told) <= 7
        assert "Example" in told and "How it ends" in told
        for text in told.values():
            assert text.endswith(".")
            assert not re.search(r"  |[{]| [.,;]", text), text


def test_warring_states_is_told_with_its_figures() -> None:
    told = overview("warring-states")
    assert "A player with 15 provinces" in told["In short"]
    assert "that makes 7. Wu has 2 armies and shows a card of 5" in told["Example"]
    assert "so Qin gives up 1 unit" in told["Example"]
    sets = {"war.min_armies": 3, "clash.tie_winner": "attacker", "victory.razed_count": False, "build.army_cost": 4}
    other = overview("warring-states", "siege", "active-only-wars", "short-game", **sets)
    assert "A player with 11 provinces" in other["In short"]
    assert "does not count for victory" in other["The land"]
    assert "only the active player may attack" in other["War"] and "intact provinces" in other["War"]
    assert "that makes 8. Wu has 3 armies" in other["Example"] and "so Wu gives up" in other["Example"]
    assert "An army costs 4 Bu" in other["Example"]


def test_dynasties_is_told_with_its_figures() -> None:
    told = overview("dynasties")
    assert "Dynasties 3, 6 and 9" in told["In short"] and "halves the armies" in told["The cards"]
    other = overview("dynasties", **{"plague.divide": 3, "track.red_distance": 12, "six.uses_per_province": 2})
    assert "province by 3" in other["The cards"] and "twice in a game" in other["The cards"]
    assert "12 spaces from the centre" in other["How it ends"]


@pytest.mark.parametrize(
    ("variants", "expert", "warlords"),
    [
        ((), True, True),
        (("basic",), False, False),
        (("expert",), True, False),
        (("warlords",), False, True),
        (("expert", "warlords"), True, True),
    ],
)
def test_dynasties_tells_of_what_is_in_the_edition(variants: tuple[str, ...], expert: bool, warlords: bool) -> None:
    told = " ".join(overview("dynasties", *variants).values())
    assert ("+3" in told) is expert
    assert ("acts once" in told) is warlords
    assert ("Play the basic game without them first" in told) is (not variants)
