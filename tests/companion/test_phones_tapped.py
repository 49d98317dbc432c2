"""Games played in a real browser by taps alone: a phone for each seat, and a screen that watches."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
from command_line import Companion
from served import CHROMIUM, NO_BROWSER, Served, serving

pytestmark = pytest.mark.skipif(bool(NO_BROWSER), reason=NO_BROWSER or "there is one")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
GAMES = {
    "orchard": ("Ann", "Ben", "Cem"),
    "xarkant": ("Ann", "Ben"),
    "warring-states": ("Ann", "Ben", "Cem"),
    "dynasties": ("Ann", "Ben"),
    "tianxia": ("Ann", "Ben"),
    "great-wall": ("Ann", "Ben", "Cem"),
}


def played(companion: Companion, home: Path, games: list[str], most: int, seed: int = 1) -> dict[str, int]:
    """How many moves were made in each game."""
    from playwright.sync_api import sync_playwright
    from tapping import Phones

    made = {}
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for game in games:
            assert companion("new", game, *GAMES[game], "--table", game).status == 0
            with serving(home / "tables" / f"{game}.db") as served:
                phones = Phones(browser, served, Random(seed))
                made[game] = phones.play(most)
                state = phones.state()
                everybody(phones, served, state["number"])
                taps = sorted(phones.taps)
                print(
                    game,
                    made[game],
                    "over" if state["over"] else "not over",
                    "taps",
                    taps[len(taps) // 2],
                    taps[-1],
                    phones.given_up,
                )
                for page in (*phones.pages.values(), phones.screen):
                    page.context.close()
        browser.close()
    return made


def everybody(phones: object, served: Served, number: int) -> None:
    """Every page, that of the screen too, comes to show the table as it is."""
    from tapping import Phones

    assert isinstance(phones, Phones)
    for page in (*phones.pages.values(), phones.screen):
        page.wait_for_function("n => Number(document.documentElement.dataset.number) === n", arg=number, timeout=5000)


def test_some_moves_of_a_game_are_tapped(companion: Companion, home: Path) -> None:
    assert played(companion, home, ["orchard"], 5) == {"orchard": 5}


@pytest.mark.torture
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_tapped(game: str, companion: Companion, home: Path) -> None:
    assert played(companion, home, [game], int(os.environ.get("MOVES", "3000")))
