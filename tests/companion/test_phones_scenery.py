"""The table as a picture on pages: faces by digest, where things lie, and what a touch offers."""

from __future__ import annotations

import gzip
import http.client
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from command_line import Companion
from served import FLAGS, PATIENCE, Served, seated, serving

from companion.cli import common
from companion.cli.picture import Land
from companion.engine.play.position import Rules
from companion.engine.play.secrets import seen_by
from companion.phones.chairs import GUEST, SEAT, WATCHER, Chairs
from companion.phones.host import Host
from companion.phones.scenery import about
from companion.phones.site import TablePages
from companion.phones.ways import Ways
from components.web.site import Asked
from tests.chromium import CHROMIUM


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def table(friday: Companion, home: Path) -> Path:
    assert friday("do", "pick pear").status == 0
    return home / "tables" / "friday.db"


def face(served: Served, digest: str) -> tuple[int, bytes]:
    line = http.client.HTTPConnection("127.0.0.1", served.room.port, timeout=20)
    line.request("GET", f"/face/{digest}.webp")
    answer = line.getresponse()
    found = answer.status, answer.read()
    line.close()
    return found


def test_the_first_faces_are_drawn_by_a_process_of_their_own(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    land = Land()
    with common.opened(table) as opened:
        land.ahead(seen_by(opened.position, ""))
    monkeypatch.setattr("generator.build.tabletop.Tabletop._drawn", lambda *_: pytest.fail("it is drawn here"))
    with serving(table, Ways(drawing=land)) as served:
        lying = served.asks("/scene", served.chairs.of(GUEST))[1]
        assert lying["faces"] and {face(served, mark)[0] for mark, _ in lying["faces"]} == {200}


def test_faces_are_pictures_by_what_they_show(table: Path) -> None:
    land = Land()
    with serving(table, Ways(drawing=land)) as served:
        guest = served.chairs.of(GUEST)
        assert face(served, "0" * 24)[0] == 404
        lying = served.asks("/scene", guest)[1]
        assert lying["laid"] and all(row[0] < len(lying["faces"]) for row in lying["laid"])
        assert all(row[1] < len(lying["things"]) for row in lying["laid"])
        first = [face(served, mark) for mark, _ in lying["faces"]]
        assert {status for status, _ in first} == {200}
        assert all(picture.startswith(b"RIFF") and picture[8:12] == b"WEBP" for _, picture in first)
        mark = lying["faces"][0][0]
        assert face(served, f"{mark}L")[1][8:12] == b"WEBP", "the same, larger"
        assert face(served, "../../x")[0] == 404 == face(served, f"{mark}LL")[0]
    land.keep()
    again = Land()
    with serving(table, Ways(drawing=again)) as served:
        assert face(served, mark)[0] == 404, "no table has shown it yet"
        assert served.asks("/scene", guest)[1]["laid"] == lying["laid"]
        assert face(served, mark) == first[0]


def test_a_touch_tells_what_a_piece_is_and_what_can_be_done(table: Path, rules: Rules) -> None:
    with serving(table, Ways(drawing=Land())) as served:
        guest = served.chairs.of(GUEST)
        mine = seated(served, "ana")
        lying = served.asks("/scene", mine)[1]
        found = [served.asks("/piece", mine, {"thing": name, "piece": piece})[1] for name, piece, _ in lying["things"]]
        assert any(one["name"] for one in found)
        can = [row for one in found for row in one["can"]]
        for row in can:
            step = {"verb": row["verb"], "table": row["table"], "steps": [{row["how"]: row["value"]}]}
            assert served.asks("/field", mine, step)[0] == (200 if row["legal"] else 400)
        places = served.asks("/places", mine, {"names": [row["place"] for row in can] + ["no such"]})[1]
        assert set(places) == {row["place"] for row in can}
        for ticket in (guest, served.chairs.of(WATCHER)):
            name, piece, _ = lying["things"][0]
            assert served.asks("/piece", ticket, {"thing": name, "piece": piece})[1]["can"] == []
        for path, data in (("/places", {"names": "x"}), ("/places", {"names": [1]}), ("/piece", []), ("/piece", {})):
            assert served.asks(path, mine, data)[0] == 400
    assert about(rules, "nothing/at all") == {"name": "", "set": "", "text": "", "rules": []}


def test_what_lies_there_tells_no_secret_and_a_move_sends_little(
    companion: Companion, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two tables that differ in what Qin drew look the same; and what a move adds is small."""
    monkeypatch.setattr(common.Settings, "root", None)
    position = "{seats: [Qin, Chu, Zhao], phase: income, active: Qin, players: {Qin: {}, Chu: {}, Zhao: {}}}"
    (tmp_path / "p.yaml").write_text(position)
    seen, land = [], Land()
    for word in ("Mine", "City"):
        assert companion("new", "warring-states", "--position", str(tmp_path / "p.yaml"), "--table", word).status == 0
        line = '{"action": "draw_income", "player": "Qin", "cards": ["%s"]}' % word  # noqa: UP031
        assert companion("do", line, "--table", word).status == 0
        path = home / "tables" / f"{word}.db"
        with Host(path, lambda path=path: common.opened(path)) as host:  # type: ignore[misc]
            pages = TablePages(host, Chairs(path), pytest.fail, Ways(drawing=land))
            asks = pages._asked(pages.scenery.scene)
            seen.append([asks(Asked(holder, {})) for holder in (SEAT + "Qin", SEAT + "Zhao", GUEST, WATCHER)])
            known = {mark for mark, _ in seen[-1][0]["faces"]}
            sent: list[int] = []
            rng = Random(1)

            def move(table: Any, rng: Random = rng) -> None:
                table.do([rng.choice(table.position.legal())], "")

            for _ in range(6 if word == "Mine" else 0):
                host.run(move)
                lying = asks(Asked(GUEST, {}))
                new = [mark for mark, _ in lying["faces"] if mark not in known]
                known |= set(new)
                pictures = [land.face(mark) or b"" for mark in new]
                sent.append(len(gzip.compress(json.dumps(lying).encode())) + sum(map(len, pictures)))
            assert max(sent, default=0) <= 60_000
    assert seen[0] == seen[1]
    places = land.areas(["Qin", "state", "coin-5/coin-5"])
    assert places.keys() == {"Qin"}, "what lies in several places is nowhere in particular"


@pytest.mark.browser
def test_the_table_is_moved_touched_and_chosen_from(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.games.orchard.Orchard.places", {"fruit": "{seat}#crates"})
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import expect, sync_playwright

    with serving(table, Ways(drawing=Land())) as served, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_context(viewport={"width": 320, "height": 640}, bypass_csp=True).new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(served.room.link(seated(served, "bo")))
        page.get_by_role("tab", name="Table").click()
        expect(page.locator(".piece").first).to_be_visible(timeout=PATIENCE)
        before = page.locator(".lying").get_attribute("style")
        page.get_by_role("button", name="Closer").click()
        page.locator(".view").press("ArrowLeft")
        assert page.locator(".lying").get_attribute("style") != before
        page.get_by_role("button", name="The whole table").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        page.locator(".piece").last.click()
        expect(page.locator("#sheet h2").first).to_be_visible()
        expect(page.locator("#sheet img")).to_be_visible(timeout=PATIENCE)
        page.keyboard.press("Escape")
        expect(page.locator("#sheet")).to_be_hidden()
        page.get_by_role("tab", name="Play").click()
        page.get_by_role("button", name=re.compile("^pick", re.I)).first.click()
        page.get_by_role("button", name="Show it on the table").click()
        expect(page.locator(".asked").first).to_be_visible()
        found = Axe().run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
        page.locator(".asked").first.click()
        page.locator("#sheet").get_by_role("button", name="Pear").click()
        expect(page.locator("#menu h2").first).to_contain_text("Pear")
        browser.close()
        assert wrong == []
