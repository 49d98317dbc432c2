"""How soon a designer sees what was saved: the live page in a real browser, against its bars.

    python benchmarks/live_speed.py [great-wall] [--saves 20] [--cards 10000]

A server in a process of its own serves a copy of the game to Chromium (driven by Playwright). Files are saved as
editors save them, by way of another name; the time runs from the save until the face stands on the page. Then the same
with a made-up deck of 10,000 cards.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from measure import PNP, memory, private_env, processor, record
from print_synthetic import make_project

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")
REST = 5.0
"""Seconds at rest."""
PATIENCE = 600_000
"""Milliseconds."""
TRIED = 12
"""Parameters that are tried."""
TRY = """async ([ticket, name, value]) => {
  const begun = performance.now();
  const answer = await fetch("/try", {method: "POST", headers: {"X-Ticket": ticket, "Content-Type": "application/json"},
    body: JSON.stringify({sets: {[name]: value}})});
  const told = await answer.json();
  if (!answer.ok) return null;
  await Promise.all(Object.values(told.faces).flatMap(Object.values).filter((one) => one.after).map((one) => {
    const image = new Image(); image.src = `/face/${one.after}.svg`; return image.decode().catch(() => {}); }));
  return [told.cards.length, performance.now() - begun];
}"""
FILTER = """async () => {
  const search = document.getElementById("search"), begun = performance.now();
  search.value = "number 77"; search.dispatchEvent(new Event("input"));
  const before = document.getElementById("count").textContent;
  while (document.getElementById("count").textContent === before) await new Promise((go) => setTimeout(go, 2));
  document.body.getBoundingClientRect();
  return performance.now() - begun;
}"""
LETTERS = "ABCDEFGHIJ"
"""Ends of the names that are saved."""
Row = tuple[str, float, float, str]
"""What was measured, what was found, the bar, and the unit."""


@contextmanager
def served(project: Path, game: str, env: dict[str, str]) -> Iterator[tuple[int, str]]:
    """The process and the link of a server."""
    command = [*PNP, "--project", str(project), "serve", game, "--port", "0", "--no-open"]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        found = re.search(r"http\S+", server.stdout.readline())
        assert found, "the server does not say its address"
        try:
            yield server.pid, found[0]
        finally:
            server.terminate()


class Page:
    """A page of the browser, and what is sent to it."""

    def __init__(self, browser: Any, link: str) -> None:
        self.ticket = link.partition("#")[2]
        self.context = browser.new_context(viewport={"width": 1440, "height": 900})
        self.page = self.context.new_page()
        self.sent = 0
        self.kinds: dict[str, str] = {}
        self.without_faces = 0
        wire = self.context.new_cdp_session(self.page)
        wire.send("Network.enable")
        wire.on(
            "Network.requestWillBeSent", lambda told: self.kinds.update({told["requestId"]: told["request"]["url"]})
        )
        wire.on("Network.dataReceived", self._received)
        self.page.goto(link)
        self.page.locator(".tile img").first.wait_for(timeout=PATIENCE)

    def _asked(self, told: dict[str, Any]) -> None:
        self.kinds[told["requestId"]] = told["request"]["url"]

    def _received(self, told: dict[str, Any]) -> None:
        self.sent += told["encodedDataLength"]
        if "/face/" not in self.kinds.get(told["requestId"], ""):
            self.without_faces += told["encodedDataLength"]

    def settled(self) -> None:
        """Wait until every face is drawn."""
        self.page.wait_for_timeout(1000)
        idle = "() => !document.getElementById('status').textContent.startsWith('drawing')"
        self.page.wait_for_function(idle, timeout=PATIENCE)
        self.page.wait_for_timeout(1000)

    def first_paint(self) -> float:
        return float(self.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))

    def save(self, file: Path, text: str, patience: int = PATIENCE) -> float:
        """Save a file; milliseconds until a face has changed. Raises Playwright's TimeoutError if none does."""
        self.page.evaluate("performance.clearMarks()")
        beside = file.with_name(f".{file.name}.swp")
        beside.write_text(text, encoding="utf-8")
        begun = time.time() * 1000
        os.replace(beside, file)
        marks = "performance.getEntriesByName('face-changed')"
        self.page.wait_for_function(f"() => {marks}.length > 0", timeout=patience)
        at: float = self.page.evaluate(f"performance.timeOrigin + {marks}[0].startTime")
        return at - begun


def shown_name(page: Page, folder: Path) -> tuple[str, Path]:
    """The first name that stands on its card, and the file that says it."""
    from playwright.sync_api import TimeoutError as NotInTime

    names = page.page.evaluate("[...document.querySelectorAll('.tile .name')].map((one) => one.firstChild.textContent)")
    for name in names:
        for file in sorted(folder.glob("*.yaml")):
            text = file.read_text(encoding="utf-8")
            if f"name: {name}\n" in text:
                try:
                    page.save(file, text.replace(f"name: {name}\n", f"name: {name[:-1]}X\n", 1), 10_000)
                except NotInTime:
                    continue
                finally:
                    file.write_text(text, encoding="utf-8")
                    page.settled()
                return name, file
    sys.exit("no card in view says its name")


def saves(page: Page, folder: Path, number: int) -> tuple[list[float], list[int]]:
    """Milliseconds and bytes of saves that change the name of the first card."""
    name, file = shown_name(page, folder)
    text = file.read_text(encoding="utf-8")
    took, sent = [], []
    for n in range(number):
        before = page.sent
        changed = text.replace(f"name: {name}\n", f"name: {name[:-1]}{LETTERS[n % len(LETTERS)]}\n", 1)
        took.append(page.save(file, changed))
        page.page.wait_for_timeout(400)
        sent.append(page.sent - before)
    page.save(file, text)
    return took, sent


def parameter(page: Page) -> float:
    """Milliseconds until the faces in view stand as another value of a parameter makes them: of those that were tried,
    the one that changes most pieces."""
    found = page.page.evaluate(
        "(ticket) => fetch('/parameters', {headers: {'X-Ticket': ticket}}).then((one) => one.json())", page.ticket
    )
    numbers = [value for one in found for value in one["values"] if value["value"].isdigit()]
    step = max(1, len(numbers) // TRIED)
    tried = [page.page.evaluate(TRY, [page.ticket, one["name"], str(int(one["value"]) + 1)]) for one in numbers[::step]]
    return float(max(filter(None, tried))[1])


def of_game(browser: Any, game: str, folder: Path, number: int) -> Iterator[Row]:
    project = folder / "project"
    for part in ("components", "layouts"):
        (project / part).mkdir(parents=True)
    shutil.copytree(ROOT / "components" / game, project / "components" / game)
    shutil.copytree(ROOT / "layouts", project / "layouts", dirs_exist_ok=True)
    with served(project, game, private_env(folder)) as (pid, link):
        page = Page(browser, link)
        page.settled()
        again = Page(browser, link)
        yield f"{game}: first paint", again.first_paint(), 500, "ms"
        yield "the page without faces", again.without_faces / 1000, 60, "kB"
        again.context.close()
        took, sent = saves(page, project / "components" / game, number)
        yield "from save to face, median", statistics.median(took), 150, "ms"
        yield "from save to face, 95th of 100", sorted(took)[int(len(took) * 0.95) - 1], 500, "ms"
        yield "sent for a save, most", max(sent) / 1000, 30, "kB"
        yield "a parameter tried", parameter(page), 400, "ms"
        page.page.wait_for_timeout(2000)
        before = processor(pid)
        time.sleep(REST)
        yield "processor at rest", (processor(pid) - before) / REST * 100, 1, "%"
        yield "memory", memory(pid), 250, "MB"


def of_many(browser: Any, cards: int, folder: Path, number: int) -> Iterator[Row]:
    project = folder / "many"
    make_project(project, cards)
    with served(project, "synthetic", private_env(folder)) as (_, link):
        page = Page(browser, link)
        page.settled()
        took, _ = saves(page, project / "components" / "synthetic", number)
        yield f"{cards:,} cards: from save to face, median", statistics.median(took), 1000, "ms"
        yield "search", float(page.page.evaluate(FILTER)), 100, "ms"


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="great-wall")
    parser.add_argument("--saves", type=int, default=20)
    parser.add_argument("--cards", type=int, default=10_000)
    asked = parser.parse_args()
    if not CHROMIUM:
        sys.exit("no Chromium on this machine")
    lines = ["| | found | bar | |", "|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as name, sync_playwright() as run:
        browser = run.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        folder = Path(name)
        every = (of_game(browser, asked.game, folder, asked.saves), of_many(browser, asked.cards, folder, asked.saves))
        for rows in every:
            for what, found, bar, unit in rows:
                lines.append(
                    f"| {what} | {found:.3g} {unit} | {bar:g} {unit} | {'met' if found <= bar else 'MISSED'} |"
                )
                print(lines[-1], flush=True)
        browser.close()
    lines += ["", f"{asked.saves} saves each; load of the machine before: {os.getloadavg()[2]:.1f}."]
    record("live", "The designer's live page", lines)


if __name__ == "__main__":
    main()
