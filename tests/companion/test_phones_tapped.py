"""Games played in a real browser by taps alone: a phone for each seat, and a screen that watches."""

from __future__ import annotations

import os
import re
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from command_line import Companion
from served import FLAGS, PATIENCE, Served, serving

from companion.phones.chairs import GUEST
from tests.chromium import CHROMIUM

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
GAMES = {
    "orchard": ("Ann", "Ben", "Cem"),
    "xarkant": ("Ann", "Ben"),
    "warring-states": ("Ann", "Ben", "Cem"),
    "dynasties": ("Ann", "Ben"),
    "tianxia": ("Ann", "Ben"),
    "great-wall": ("Ann", "Ben", "Cem"),
}


SHORTER = {"warring-states": ("--set", "victory.provinces=8")}
"""A house rule with which players by chance, who take from each other what they have won, come to an end."""
UNLIKELY = dict.fromkeys(("Trade", "Exchange", "Declare", "Buy", "Meld", "Deploy", "Send aid"), 0.01)
WISHES = {
    "warring-states": (
        {"Declare": 60, "Attack again": 60, "Deploy": 40, "Buy army": 10, "Meld": 8, "Pass": 0.3}
        | {"Trade": 0.01, "Exchange": 0.05, "End": 0.05},
        {"Pass": 40, **UNLIKELY},
    )
}
"""Somebody who conquers and others who let it happen, so that a game by the rules comes to an end."""


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
                phones = Phones(browser, served, Random(seed), WISHES.get(game, ({}, {})))
                made[game] = phones.play(most)
                state = phones.state()
                everybody(phones, served, state["number"])
                taps = sorted(phones.taps)
                print(
                    game,
                    made[game],
                    [f"{one['person']} {one['total']}" for one in state.get("score", {}).get("places", [])],
                    "over" if state["over"] else "not over",
                    "taps",
                    taps[len(taps) // 2],
                    taps[len(taps) * 95 // 100],
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
        page.wait_for_function(
            "n => Number(document.documentElement.dataset.number) === n", arg=number, timeout=PATIENCE
        )


def test_some_moves_of_a_game_are_tapped(companion: Companion, home: Path) -> None:
    assert played(companion, home, ["orchard"], 5) == {"orchard": 5}


BUTTON = re.compile(r'button "((?:[^"\\\\]|\\\\.)+)"(?! \[disabled\])')
FOLDED = re.compile(r"- group: (.+)")
NOT_A_MOVE = re.compile(r"Back|[A-Z]{2,}-.*|one .* less|less|more")


def read_out(page: Page) -> tuple[list[str], list[str]]:
    """The names of the buttons of the menu that a screen reader says, and what is folded up."""
    said = [
        line.replace("''", "'") if line.lstrip().startswith("- '") else line
        for line in page.locator("#menu").aria_snapshot().split("\n")
    ]
    names = [found[1].replace('\\"', '"') for line in said if (found := BUTTON.search(line))]
    folded = [found[1].strip('"') for line in said if (found := FOLDED.search(line))]
    return [name for name in names if not NOT_A_MOVE.fullmatch(name)], folded


LIVE = """() => { const live = document.getElementById('live'); window.heard = [];
  new MutationObserver((all) => all.forEach((one) => one.addedNodes.forEach((said) => heard.push(said.textContent))))
    .observe(live, { childList: true }) }"""
FOCUSED = """inside => { const one = document.activeElement;
  return one.closest(inside) && (one.getAttribute('aria-label') ?? one.textContent) }"""
ANSWERED = """n => Number(document.documentElement.dataset.number) > n
  || document.querySelector('#answer .bad, #answer .open')"""
MOST_TABS = 400


def bare(text: str) -> str:
    return "".join(text.split())


def press(page: Page, name: str, inside: str = "body") -> None:
    """Go by Tab to what a screen reader calls so, and press Enter; never a mouse. `inside`: the part of the page."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if bare(page.evaluate(FOCUSED, inside) or "") == bare(name):
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"no Tab leads to {name!r}: {page.locator('body').aria_snapshot()}")


def settled(page: Page, number: int) -> None:
    page.wait_for_function("n => Number(document.documentElement.dataset.number) >= n", arg=number)
    page.wait_for_function("() => !document.querySelector('main[aria-busy=true], .frozen')")


def heard(
    companion: Companion, home: Path, game: str, most: int, *before: str, shorter: tuple[str, ...] | None = None
) -> str:
    """What a screen reader says at the end of a game that is played by roles and names alone, with a keyboard, from the
    lines `before`. `shorter`: house rules, of which long games have some."""
    from playwright.sync_api import sync_playwright

    rng, begun = Random(4), 1 + len(before)
    house = SHORTER.get(game, ()) if shorter is None else shorter
    assert companion("new", game, *GAMES[game], *house, "--table", "t").status == 0
    assert not before or companion("do", *before).status == 0
    with serving(home / "tables" / "t.db") as served, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        pages = {}
        for one in served.asks("/state", served.chairs.of(GUEST))[1]["seats"]:
            pages[one["seat"]] = page = browser.new_context().new_page()
            page.set_default_timeout(PATIENCE)
            page.goto(served.room.link(served.chairs.of(GUEST)))
            page.get_by_role("heading", name="Who are you?").wait_for()
            press(page, page.locator("#sit").get_by_role("button").filter(has_text=one["person"]).inner_text())
            page.get_by_role("button", name="May I?").wait_for()
            settled(page, 0)
            page.evaluate(LIVE)
        for _ in range(most):
            state = served.asks("/state", served.chairs.of(GUEST))[1]
            if state["over"]:
                break
            awaited = [one["seat"] for one in state["seats"] if one["awaited"]]
            page = pages[rng.choice(awaited or list(pages))]
            settled(page, state["number"])
            if answers := page.locator("#answer .open .value").all_inner_texts():  # what was said asks for something
                press(page, rng.choice(answers), "#answer")
                page.wait_for_function(ANSWERED, arg=state["number"])
                continue
            names, folded = read_out(page)
            if folded and (not names or rng.random() < 0.1):
                press(page, rng.choice(folded), "#menu")
                names = read_out(page)[0]
            name = "Say it" if "Say it" in names else rng.choice(names or ["Back"])
            press(page, name, "#menu")
            page.wait_for_function("() => document.activeElement.closest('#menu, #answer')")
            if name.endswith(("Say it", "and say it")):
                page.wait_for_function(ANSWERED, arg=state["number"])
        number = served.asks("/state", served.chairs.of(GUEST))[1]["number"]
        for page in pages.values():
            settled(page, number)
            said = " ".join(page.evaluate("() => heard"))
            told = served.asks("/log", page.evaluate("() => location.hash.slice(1)"))[1]
            lines = [row["text"].replace("_", " ") for row in told if row["number"] > begun]
            assert [one for one in lines if one not in said] == []
        words = said + str(page.locator("main").aria_snapshot())
        browser.close()
    return words


def test_a_short_game_is_played_by_what_a_screen_reader_says(companion: Companion, home: Path) -> None:
    rounds = [line for fruit in ("pear", "red apple", "green apple") for line in ("pass all", *[f"pick {fruit}"] * 3)]
    assert re.search("The game is over.* won", heard(companion, home, "orchard", 400, *rounds))


def test_dynasties_is_played_to_its_score_by_what_a_screen_reader_says(companion: Companion, home: Path) -> None:
    """All kinds of questions: cards that others may show, an order, the source of a mark; from the first line on."""
    three = ("--set", "game.dynasties=3", "--set", "scoring.dynasties=[1, 2, 3]")
    assert re.search("The game is over.* won", heard(companion, home, "dynasties", 400, shorter=three))


@pytest.mark.torture
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_what_a_screen_reader_says(game: str, companion: Companion, home: Path) -> None:
    assert re.search("won|The score", heard(companion, home, game, int(os.environ.get("TAPS", "20000"))))


@pytest.mark.torture
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_tapped(game: str, companion: Companion, home: Path) -> None:
    assert played(companion, home, [game], int(os.environ.get("MOVES", "3000")))
