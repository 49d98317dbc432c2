"""A table that begins on a page, and how phones find the machine that serves it."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from command_line import Companion
from served import FLAGS

from companion.cli import common
from companion.cli import serve as serving
from companion.cli.addresses import firewall, joining
from companion.cli.beginning import PageGames
from companion.phones.beginning import HOLDER, Beginning
from companion.phones.inviting import in_words
from components.web.room import Room
from components.web.site import Asked, Refused, Site
from components.web.tickets import Tickets
from tests.chromium import CHROMIUM

ORCHARD = re.compile("^Orchard")


@pytest.fixture
def begins(home: Path) -> Beginning:
    return Beginning(PageGames(), pytest.fail, lambda name: None)


def asks(begins: Beginning, work: Any, data: Any) -> Any:
    return begins._told(work)(Asked(HOLDER, data))


def test_a_table_begins_with_people_a_variant_and_a_house_rule(begins: Beginning, companion: Companion) -> None:
    games = asks(begins, lambda said: begins.games.offered(), {})
    game = next(one for one in games if one["id"] == "orchard")
    row = next(one for one in asks(begins, begins._numbers, {"game": "orchard"}) if type(one["value"]) is int)
    wanted = {
        "game": "orchard",
        "people": ["ana=Mary", "bo=", "cai="],
        "table": "sunday",
        "sets": [f"{row['name']}={row['value'] + 1}"],
    }
    wanted["variants"] = list(game["variants"])[:1]
    for bad in (
        None, [], {"game": 1}, {"game": "nothing"}, {**wanted, "extra": 1}, {**wanted, "sets": ["no.such=1"]},
        {**wanted, "variants": ["no"]}, {**wanted, "table": "../x"}, {**wanted, "people": ["ana=A", "ana=B"]},
        {**wanted, "position": "- no\n- mapping"}, {**wanted, "options": ["x"]}, {**wanted, "people": []},
    ):  # fmt: skip
        with pytest.raises(Refused):
            asks(begins, begins._begin, bad)
    assert asks(begins, begins._begin, wanted) == {"table": "sunday"}
    assert "Mary" in companion("people", "--table", "sunday").out
    with pytest.raises(Refused, match="already"):
        asks(begins, begins._begin, {**wanted, "table": "monday"})


def test_a_table_begins_from_a_position(begins: Beginning, companion: Companion) -> None:
    position = "seats: [ana, bo]\nfruit: {ana: {Pear: 2}}\n"
    wanted = {"game": "orchard", "people": ["ana=Mary"], "position": position, "table": "sunday"}
    assert asks(begins, begins._begin, wanted) == {"table": "sunday"}
    assert companion("show", "--json", "--table", "sunday").json["state"]["fruit"]["ana"] == {"Pear": 2}


def test_the_firewall_of_this_system(tmp_path: Path) -> None:
    def has(*names: str) -> Any:
        return lambda name: name if name in names else None

    assert firewall(80, "linux", tmp_path, has()) == []
    assert firewall(80, "linux", tmp_path, has("nft"))[0].startswith("sudo nft")
    (tmp_path / "run/firewalld").mkdir(parents=True)
    assert firewall(80, "linux", tmp_path, has("nft", "firewall-cmd"))[0] == "sudo firewall-cmd --add-port=80/tcp"
    (tmp_path / "etc/ufw").mkdir(parents=True)
    (tmp_path / "etc/ufw/ufw.conf").write_text("ENABLED=no\n")
    assert "ufw" not in firewall(80, "linux", tmp_path, has("ufw", "nft"))[0]
    (tmp_path / "etc/ufw/ufw.conf").write_text("ENABLED=yes\n")
    assert firewall(80, "linux", tmp_path, has("ufw", "nft")) == ["sudo ufw allow 80/tcp"]
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/version").write_text("Linux version 5.15 Microsoft-standard-WSL2")
    assert "mirrored" in firewall(80, "linux", tmp_path, has("ufw"))[0]
    assert "NetFirewallRule" in firewall(80, "win32")[1] and "unblockapp" in firewall(80, "darwin")[1]
    assert joining("") == "" and joining("Home;net:se:cret") == r"WIFI:T:WPA;S:Home\;net;P:se\:cret;;"
    assert in_words(joining("Home;net:se:cret")) == "Home;net, password: se:cret"
    assert in_words(joining("Open")) == "Open"


def test_a_new_address_and_nobody_who_comes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    room = Room(Site(Tickets(), pytest.fail))
    room.host = "192.168.1.2"
    for name in ("LOOK", "PATIENCE"):
        monkeypatch.setattr(serving, name, 0.01)
    addresses: Iterator[str] = iter(["192.168.1.2", "127.0.0.1", "192.168.1.2"])
    monkeypatch.setattr(serving, "own_address", lambda: next(addresses, "192.168.7.7"))
    ended = threading.Event()
    monkeypatch.setattr(room, "stop", ended.set)
    with serving._Watch(room, "192.168.1.2") as watch:
        assert ended.wait(20)
    assert watch.moved == "192.168.7.7"
    out = capsys.readouterr().out
    assert "Nobody has come yet" in out and str(room.port) in out and "192.168.7.7" in out
    room._socket.close()


@contextmanager
def running(site: Site) -> Iterator[Room]:
    room, ready = Room(site), threading.Event()
    thread = threading.Thread(target=room.run, args=(ready.set,))
    thread.start()
    try:
        assert ready.wait(20)
        yield room
    finally:
        room.stop()
        thread.join(20)


@pytest.mark.browser
def test_a_table_is_begun_by_taps(begins: Beginning) -> None:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import expect, sync_playwright

    with running(begins.site) as room, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_context(viewport={"width": 320, "height": 640}, bypass_csp=True).new_page()
        page.goto(room.link(begins.ticket))
        page.get_by_label(ORCHARD).check()
        page.get_by_label("Player 1").fill("Mary")
        page.get_by_text("House rules, a position").click()
        page.locator("#numbers summary").first.click()
        page.locator("#numbers button").first.click()
        page.get_by_role("button", name=": more").click()
        found = Axe().run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        page.get_by_role("button", name="Begin", exact=True).click()
        expect(page.get_by_text("begins…")).to_be_visible()
        browser.close()
    with common.opened(common.shelf().existing(begins.table)) as table:
        assert "Mary" in table.seats, "in this game people are their own seats"
        assert table.rules.game.sets, "a number of the rules was changed by taps"
