"""A tap is said once, however late its answer comes, or if none comes."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from command_line import Companion
from served import FLAGS, PATIENCE, Served, seated, serving, told

from companion.phones.chairs import GUEST
from tests.chromium import CHROMIUM

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser


@pytest.fixture
def table(companion: Companion, home: Path) -> Iterator[tuple[Served, Page]]:
    """A table and the page of Mary, whose turn it is."""
    from playwright.sync_api import sync_playwright

    assert companion("new", "orchard", "Mary", "Bo", "--table", "friday").status == 0
    assert companion("do", "pass all").status == 0
    with serving(home / "tables" / "friday.db") as served, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        first = served.asks("/state", served.chairs.of(GUEST))[1]["seats"][0]["seat"]
        page.goto(served.room.link(seated(served, first)))
        yield served, page
        browser.close()


def ladder(page: Page) -> None:
    """Mary puts a ladder together, and does not say it."""
    page.locator("#menu").get_by_role("button", name=re.compile("^ladder", re.I)).first.click()
    page.locator("#menu").get_by_role("button", name="1", exact=True).first.click()
    page.locator("#menu button.main").wait_for()


def ladders(page: Page) -> str:
    """The log of a page, after Mary has tapped "Say it" twice for one."""
    ladder(page)
    page.locator("#menu button.main").dblclick()
    page.get_by_role("heading", name="Done", exact=True).wait_for()
    page.get_by_role("button", name=re.compile("^pick", re.I)).first.wait_for(timeout=5000)
    assert page.locator("#menu button.main").count() == 0, "what has been said is not offered again"
    return page.locator("#lines").inner_text()


def test_what_has_been_said_is_not_offered_again(table: tuple[Served, Page]) -> None:
    """The table shows the move before its answer comes."""
    _, page = table

    def late(route: Route) -> None:
        answer = route.fetch()
        time.sleep(0.7)
        route.fulfill(response=answer)

    page.route("**/say", late)
    page.get_by_role("tab", name="Play").click()
    assert ladders(page).count("Mary ladder") == 1


def test_a_saying_without_an_answer_is_sent_again(table: tuple[Served, Page]) -> None:
    served, page = table
    sent: list[str] = []

    def lost(route: Route) -> None:
        sent.append(route.request.post_data_json["told"])
        answer = route.fetch()
        route.fulfill(response=answer) if len(sent) > 1 else route.abort()

    page.route("**/say", lost)
    before = served.host.run(lambda table: table.history.last)
    ladders(page)
    assert len(sent) == 2 and len(set(sent)) == 1
    assert served.host.run(lambda table: table.history.last) == before + 1


def test_a_half_said_move_falls_where_it_cannot_be_said_any_more(
    table: tuple[Served, Page], companion: Companion
) -> None:
    _, page = table
    page.get_by_role("tab", name="Play").click()
    ladder(page)
    assert companion("do", "Mary pick pear").status == 0
    page.get_by_text("The table has changed: “ladder · 1” cannot be said now.").wait_for(timeout=PATIENCE)
    assert page.locator("#menu").get_by_role("heading", name=re.compile("ladder")).count() == 0


def test_a_half_said_move_is_not_carried_over_to_something_else(companion: Companion, home: Path) -> None:
    """The card that was tapped for one province is not that of the next."""
    from playwright.sync_api import sync_playwright

    assert companion("new", "dynasties", "Ann", "Ben", "--table", "t").status == 0
    assert companion("do", "Ann ready", "Ben ready").status == 0
    with serving(home / "tables" / "t.db") as served, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        page.goto(served.room.link(seated(served, "black")))
        page.get_by_role("tab", name="Play").click()
        page.locator("#menu").get_by_role("button", name="reveal", exact=True).click()
        page.locator("#menu").get_by_text("Which card does Ann show in Xinjiang?").wait_for()
        page.locator("#menu").get_by_role("button", name="9", exact=True).click()
        page.locator("#menu").get_by_text("Which card does Ben show in Xinjiang?").wait_for()
        assert companion("do", "reveal Xinjiang 3 4").status == 0
        page.get_by_text("The table has changed: “reveal · 9” was about something else.").wait_for(timeout=PATIENCE)
        page.locator("#menu").get_by_role("button", name="reveal", exact=True).wait_for()
        browser.close()


def test_an_answer_settles_what_has_to_be_settled_first(companion: Companion, home: Path) -> None:
    """A move waits for a question that another move answers: the answer is recorded as that move."""
    assert companion("new", "dynasties", "Ann", "Ben", "--table", "t").status == 0
    assert companion("do", "Ann ready", "Ben ready", "reveal Xinjiang 1 9", "reveal Tibet 8 6").status == 0
    with serving(home / "tables" / "t.db") as served:
        mine = seated(served, "black")
        found = served.asks("/say", mine, {"told": told(1), "line": "reveal Qinghai 3 4"})[1]
        assert found["question"] == "Where does the mark come from?" and "Xinjiang" in found["answers"]
        said = {**found["form"], found["at"]: "Xinjiang"}
        found = served.asks("/say", mine, {"told": told(2), "move": said})[1]
        assert found["legal"] and found["recorded"]
