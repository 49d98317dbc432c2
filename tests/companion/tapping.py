"""Players by chance in a real browser: each on a phone, they tap what its page offers and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from random import Random
from typing import Any

from playwright.sync_api import Browser, Error, Page
from served import PATIENCE, Served

from companion.phones.chairs import GUEST, WATCHER

MOST_TAPS = 60
"""Taps after which a move that has not been said is given up."""
ROUNDS = 40
"""Moves that are given up, one after the other, before players are stuck."""
TAPPED = "#menu button, #menu summary"
OFFERED = """() => [...document.querySelectorAll('#menu button, #menu summary')].map((one, n) => ({
  n, text: one.innerText.trim(), kind: one.matches('summary') ? 'summary' : one.className,
  row: !!one.closest('.row'), offers: !!one.closest('.offers'),
  can: !one.disabled && one.getAttribute('aria-disabled') !== 'true' && !one.classList.contains('rule')
    && one.checkVisibility() && !one.matches('details[open] > summary') }))"""
NUMBER = "() => Number(document.documentElement.dataset.number ?? -1)"


Wishes = Mapping[str, float]
"""The beginning of a button -> how much rather than others it is tapped."""


class Phones:
    """A phone for each seat, and a screen that watches. `wishes`: those of the first seat, and those of the others."""

    def __init__(self, browser: Browser, served: Served, rng: Random, wishes: tuple[Wishes, Wishes] = ({}, {})) -> None:
        self.served, self.rng = served, rng
        self.wishes = wishes
        self.faults: list[str] = []
        self.taps: list[int] = []
        self.given_up: Counter[str] = Counter()
        seats = served.asks("/state", served.chairs.of(GUEST))[1]["seats"]
        self.pages: dict[str, Page] = {}
        for one in seats:
            page = self._opened(browser, GUEST, 360)
            page.get_by_role("button", name=one["person"], exact=True).click()
            page.locator("#typed").wait_for()
            self.pages[one["seat"]] = page
        self.screen = self._opened(browser, WATCHER, 1200)

    def _opened(self, browser: Browser, holder: str, width: int) -> Page:
        page = browser.new_context(viewport={"width": width, "height": 740}).new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.goto(self.served.room.link(self.served.chairs.of(holder)))
        page.locator("#seats li").first.wait_for()
        return page

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.served.asks("/state", self.served.chairs.of(GUEST))[1]
        return found

    def play(self, most: int) -> int:
        """Play until the game is over, or for `most` moves; how many were made. Raises AssertionError if stuck."""
        made = 0
        while made < most:
            state = self.state()
            if state["over"]:
                break
            seats = [one["seat"] for one in state["seats"] if one["awaited"]] or list(self.pages)
            others = [seat for seat in self.pages if seat not in seats]
            for n in range(ROUNDS):
                seat = self.rng.choice(seats if n < ROUNDS // 2 or not others else others)
                if self.moved(seat, state["number"]):
                    made += 1
                    break
            else:
                raise AssertionError(f"nobody can tap anything after {made} moves: {state['next']}; {self.given_up}")
        assert self.faults == []
        return made

    def moved(self, seat: str, number: int) -> bool:
        """Put a move together on a phone and say it."""
        page, path, taps = self.pages[seat], [], 0
        page.wait_for_function(f"n => ({NUMBER})() >= n", arg=number)
        for _ in range(MOST_TAPS):
            page.wait_for_function("() => !document.querySelector('main[aria-busy=true], .frozen')")
            offered = [one for one in page.evaluate(OFFERED) if one["can"]]
            chosen = self._chosen(offered, self.wishes[seat != next(iter(self.pages))])
            if chosen is None:
                break
            taps += 1
            path.append(chosen["text"])
            try:
                page.locator(TAPPED).nth(chosen["n"]).click(timeout=3000)
            except Error:
                continue  # the page has changed under the finger
            if "main" in chosen["kind"] or "last" in chosen["kind"]:
                page.locator("#answer .verdict, #answer .why").first.wait_for()
                if self.state()["number"] > number:
                    self.taps.append(taps)
                    return True
                path.append(page.locator("#answer").inner_text())
                break
        self.given_up[" > ".join(path[:3] + path[-1:])] += 1
        for _ in range(MOST_TAPS):
            back = page.locator("#menu button.back")
            if not back.count():
                break
            with suppress(Error):  # the page may change under the finger
                back.first.click(timeout=1000)
        return False

    def _chosen(self, offered: list[dict[str, Any]], wishes: Wishes) -> dict[str, Any] | None:
        main = [one for one in offered if "main" in one["kind"]]
        if main:
            return main[0]
        row = [one for one in offered if one["row"] and "back" not in one["kind"] and one["text"] not in ("−", "+")]
        values = [one for one in offered if not one["row"] and "less" not in one["kind"]]
        values = [one for one in values if not one["offers"]] or values
        if row and (not values or self.rng.random() < 0.5):
            return self.rng.choice(row)
        weights = [next((much for word, much in wishes.items() if one["text"].startswith(word)), 1.0) for one in values]
        return self.rng.choices(values, weights)[0] if values else None
