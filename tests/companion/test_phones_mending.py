"""Setting the record right on pages: what it would do is said first, and others agree where the rules are broken."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from command_line import Companion
from served import FLAGS, Served, seated, serving, told

from companion.cli import common
from companion.cli.book import BookPages
from companion.cli.evening import page as summary
from companion.phones.chairs import GUEST, WATCHER, Chairs
from companion.phones.ways import Ways
from tests.chromium import CHROMIUM

WAYS = Ways(resolve=common.resolve, load=common.load, summary=summary, wifi="WIFI:T:nopass;S:Home;;")


@pytest.fixture
def table(friday: Companion, home: Path) -> Path:
    assert friday("do", "ana picks pear").status == 0
    return home / "tables" / "friday.db"


def number(served: Served) -> int:
    return int(served.asks("/state", served.chairs.of(GUEST))[1]["number"])


def lines(served: Served, ticket: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = served.asks("/log", ticket)[1]
    return found


def test_an_amendment_says_first_what_it_would_do(table: Path, friday: Companion) -> None:
    assert friday("do", "bo picks pear").status == 0
    with serving(table, WAYS) as served:
        bo = seated(served, "bo")
        row = next(one for one in lines(served, bo) if "pear" in one["text"].lower())
        before = number(served)
        change = {"number": row["number"], "how": "replace", "line": "ana picks red apple", "after": before}
        found = served.asks("/amend", bo, change)[1]
        assert found["done"] and found["verdict"]["legal"] and found["stand"] == 1 and found["fallen"] == []
        assert number(served) == before, "nothing was recorded yet"
        assert served.asks("/amend", bo, {**change, "sure": True, "after": before - 1})[0] == 409
        assert served.asks("/amend", bo, {**change, "sure": True})[1]["recorded"]
        assert "red apple" in lines(served, bo)[row["number"] - 1]["text"].lower()
        refused = served.asks("/amend", bo, {**change, "line": "cai picks pear", "after": number(served)})[1]
        assert not refused["done"] and refused["verdict"]["reasons"][0]["rule"]
        drop = {"number": row["number"], "how": "drop", "sure": True, "after": number(served)}
        assert served.asks("/amend", bo, drop)[1]["fallen"], "it was no longer Bo's turn"
        for bad in ({}, {"number": "x", "how": "drop"}, {"number": 1, "how": "burn"}, {"number": 10**9, "how": "drop"}):
            assert served.asks("/amend", bo, bad)[0] == 400
        assert served.asks("/amend", served.chairs.of(WATCHER), drop)[0] == 403


def test_an_undo_tells_what_it_would_take_back(table: Path) -> None:
    with serving(table, WAYS) as served:
        ana = seated(served, "ana")
        found = served.asks("/undoing", ana)[1]
        assert "pear" in found["what"].lower() and isinstance(found["shown"], list)
        assert served.asks("/undo", ana, {"after": number(served)})[1]["what"] == found["what"]


def test_what_lies_there_is_corrected_for_a_reason(table: Path) -> None:
    with serving(table, WAYS) as served:
        ana = seated(served, "ana")
        field = next(one for one in served.asks("/fields", ana)[1] if one["field"] == "fruit.ana.Pear")
        assert field["value"] == 1 and "Mary" in field["label"]
        change = {"field": field["field"], "value": 2, "after": number(served)}
        assert served.asks("/correct", ana, change)[0] == 400
        assert served.asks("/correct", ana, {**change, "why": "one lay under the table"})[0] == 200
        assert lines(served, ana)[-1]["kept"] == "one lay under the table"
        for bad in (
            {"field": "no.such", "value": 1},
            {"field": "fruit.ana.Pear", "value": []},
            {"field": 1, "value": 1},
        ):
            assert served.asks("/correct", ana, {**bad, "why": "x", "after": number(served)})[0] == 400
        assert "Pear = 2" in served.asks("/undoing", ana)[1]["what"]


def test_people_change_and_phones_are_locked_out(table: Path, friday: Companion) -> None:
    with serving(table, WAYS) as served:
        ana, bo = seated(served, "ana"), seated(served, "bo")
        swap = {"people": {"ana": "Ben", "bo": "Mary"}, "after": number(served)}
        assert served.asks("/people", ana, swap)[0] == 200
        assert [one["person"] for one in served.asks("/state", ana)[1]["seats"]][:2] == ["Ben", "Mary"]
        assert served.asks("/people", ana, {"people": {"ana": "Mary"}, "after": number(served)})[0] == 400
        assert served.asks("/people", ana, {"people": ["x"], "after": number(served)})[0] == 400
        assert served.asks("/lock-out", ana, {"seat": "bo"})[0] == 200
        assert served.asks("/state", bo)[0] == 401 and served.asks("/state", seated(served, "bo"))[0] == 200
        links = served.asks("/links", ana)[1]
        assert len(links) == 4 and all(one["code"].startswith("data:image/svg+xml") for one in links)
        assert served.asks("/links", served.chairs.of(WATCHER))[0] == 403
    assert "Ben" in friday("people").out


def test_a_house_rule_from_now_on(table: Path) -> None:
    with serving(table, WAYS) as served:
        ana = seated(served, "ana")
        row = next(one for one in served.asks("/parameters", ana)[1] if isinstance(one["value"], int))
        rule = {"name": row["name"], "value": row["value"] + 1, "after": number(served)}
        found = served.asks("/house", ana, rule)[1]
        assert found["differ"] == [] and "recorded" not in found
        assert row["name"] in served.asks("/house", ana, {**rule, "sure": True})[1]["what"]
        now = served.asks("/parameters", ana)[1]
        assert next(one for one in now if one["name"] == row["name"])["value"] == row["value"] + 1
        for bad in (
            {"name": "no.such", "value": 1},
            {"name": row["name"], "value": [1]},
            {"name": row["name"], "value": 1, "from": "x"},
        ):
            assert served.asks("/house", ana, {**bad, "after": number(served)})[0] == 400


def test_a_line_against_the_rules_needs_the_consent_of_the_others(table: Path, friday: Companion) -> None:
    with serving(table, WAYS) as served:
        ana, bo, cai = (seated(served, seat) for seat in ("ana", "bo", "cai"))
        served.pages.board.present = lambda: {"ana", "bo", "cai"}
        before = number(served)
        wish = {"line": "cai picks pear", "why": "we were quick"}
        assert served.asks("/propose", ana, {"line": "bo picks pear", "why": "x"})[0] == 400, "that is legal"
        assert served.asks("/propose", ana, {"line": "cai picks pear"})[0] == 400, "a reason is needed"
        assert served.asks("/propose", ana, wish)[1]["waits_for"] == ["Ben", "cai"]
        [shown] = served.asks("/state", bo)[1]["board"]["proposals"]
        assert shown["asks_me"] and shown["reasons"] and shown["why"] == "we were quick"
        assert served.asks("/consent", bo, {"id": "x", "yes": True})[0] == 409
        assert served.asks("/consent", bo, {"id": shown["id"], "yes": True})[1] == {}
        assert number(served) == before
        assert served.asks("/consent", cai, {"id": shown["id"], "yes": True})[1]["recorded"]
        assert lines(served, bo)[-1]["kept"] == "we were quick"
        served.asks("/propose", ana, {"line": "ana picks pear", "why": "again"})
        [shown] = served.asks("/state", cai)[1]["board"]["proposals"]
        assert served.asks("/consent", cai, {"id": shown["id"], "yes": False})[1] == {}
        assert served.asks("/state", bo)[1]["board"]["proposals"] == []
        said = {"told": told(5), "line": "ana picks pear", "override": "because"}
        assert served.asks("/say", ana, said)[1]["recorded"] is False, "nobody overrides alone"


def test_a_dispute_shows_both_rules_to_everybody(table: Path) -> None:
    with serving(table, WAYS) as served:
        ana, bo = seated(served, "ana"), seated(served, "bo")
        rules = [
            one["id"]
            for one in served.asks("/ask?words=pick fruit".replace(" ", "%20"), ana)[1]
            if one["kind"] == "rule"
        ]
        assert served.asks("/dispute", ana, {"words": "I may", "rule": rules[0]})[0] == 200
        assert served.asks("/dispute", bo, {"words": "You may not", "rule": rules[1]})[0] == 200
        sides = served.asks("/state", served.chairs.of(WATCHER))[1]["board"]["dispute"]
        assert [(one["by"], one["rule"]["id"]) for one in sides] == [("Mary", rules[0]), ("Ben", rules[1])]
        assert served.asks("/dispute", bo, {"words": "", "rule": "XX-9"})[0] == 400
        assert served.asks("/dispute", bo, {"settled": "Ben is right"})[0] == 200
        assert served.asks("/state", ana)[1]["board"]["dispute"] == []
        assert "Ben is right" in lines(served, ana)[-1]["text"]


def test_what_the_table_is_asked_outlasts_a_restart(table: Path) -> None:
    with serving(table, WAYS) as served:
        ana, bo = seated(served, "ana"), seated(served, "bo")
        served.pages.board.present = lambda: {"ana", "bo"}
        before = number(served)
        served.asks("/propose", ana, {"line": "cai picks pear", "why": "we were quick"})
        served.asks("/dispute", ana, {"words": "I may"})
    assert Chairs(table).file.stat().st_mode & 0o077 == 0
    with serving(table, WAYS) as served:
        board = served.asks("/state", bo)[1]["board"]
        assert [one["words"] for one in board["dispute"]] == ["I may"]
        assert served.asks("/consent", bo, {"id": board["proposals"][0]["id"], "yes": True})[1]["recorded"]
        assert number(served) == before + 1
    with serving(table, WAYS) as served:
        assert served.asks("/state", bo)[1]["board"]["proposals"] == []


def played_to_the_end(table: Any) -> None:
    rng = Random(1)
    while not table.rules.over(table.position.state):
        legal = table.position.legal()
        assert table.do([rng.choice(legal)], "").done


def test_the_evening_on_one_page(table: Path) -> None:
    class Leaves:
        def pages(self, table: Any) -> list[tuple[str, str]]:
            return [("a" * 24, "Cover")]

        def face(self, digest: str) -> bytes | None:
            return b"RIFF" if digest == "a" * 24 else None

    with serving(table, Ways(summary=summary, book=Leaves())) as served:
        ana = seated(served, "ana")
        rule = served.asks("/say", ana, {"told": told(1), "line": "cai picks pear"})[1]["reasons"][0]["rule"]
        found = served.asks("/evening", served.chairs.of(WATCHER))[1]
        assert found["rules"][0]["id"] == rule and found["score"]["places"] and found["course"][-1]["title"] == "Now"
        assert served.asks("/export?form=text", ana)[0] == 400, "a score may tell what somebody hides"
        served.host.run(played_to_the_end)
        assert "Orchard" in served.asks("/export?form=text", ana)[1]["text"]
        assert "players" in served.asks("/export?form=bgstats", ana)[1]["text"]
        assert served.asks("/evening", ana)[1]["course"][-1]["title"] == "End"
        assert served.asks("/export?form=exe", ana)[0] == 400 and served.asks("/house", ana, {})[0] == 404
        assert served.asks("/book", ana)[1] == [{"face": "a" * 24, "title": "Cover"}]


def test_the_rulebook_of_a_game_of_ones_own_is_paged(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common.Settings, "root", own)
    game = common.resolve("fief-drift", None, None)
    book = BookPages()
    pages = book.pages(SimpleNamespace(rules=SimpleNamespace(game=game)))  # type: ignore[arg-type]
    assert len(pages) > 3 and any(title for _, title in pages)
    assert (book.face(pages[0][0]) or b"")[8:12] == b"WEBP" and book.face("0" * 24) is None
    monkeypatch.setattr(common.Settings, "root", own / "no")
    with pytest.raises(common.Failure, match="could not be made"):
        BookPages().pages(SimpleNamespace(rules=SimpleNamespace(game=game)))  # type: ignore[arg-type]


def test_what_a_change_would_do_tells_no_secret(companion: Companion, home: Path, tmp_path: Path) -> None:
    """Two tables that differ in what Qin drew answer Zhao alike, whatever Zhao tries to amend."""
    position = "{seats: [Qin, Chu, Zhao], phase: income, active: Qin, players: {Qin: {}, Chu: {}, Zhao: {}}}"
    (tmp_path / "p.yaml").write_text(position)
    tries: list[tuple[str, int, str]] = [("drop", n, "") for n in (1, 2, 3)]
    tries += [("insert", 3, line) for line in ("qin draw 6 city", "zhao draw", "qin trade chu mine for 1", "nonsense")]
    tries += [("replace", 1, "qin draw city"), ("replace", 2, "chu draw 6 mine"), ("replace", 3, "pass")]
    answers = []
    for word in ("Mine", "City"):
        assert companion("new", "warring-states", "--position", str(tmp_path / "p.yaml"), "--table", word).status == 0
        draw = '{"action": "draw_income", "player": "Qin", "cards": ["%s"]}' % word  # noqa: UP031
        for line in (draw, "draw chu", "draw zhao"):
            assert companion("do", line, "--table", word).status == 0
        with serving(home / "tables" / f"{word}.db", WAYS) as served:
            zhao = seated(served, "Zhao")
            found = [served.asks("/amend", zhao, {"number": n, "how": how, "line": line}) for how, n, line in tries]
            found += [served.asks(path, zhao) for path in ("/undoing", "/fields")]
            evening = served.asks("/evening", zhao)[1]
            answers.append([*found, evening["score"], evening["course"]])
    assert answers[0] == answers[1]


@pytest.mark.browser
def test_every_sheet_opens_and_is_accessible(table: Path) -> None:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import expect, sync_playwright

    with serving(table, WAYS) as served, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_context(viewport={"width": 320, "height": 640}, bypass_csp=True).new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(served.room.link(seated(served, "ana")))
        page.get_by_role("tab", name="More").click()
        for name in ("The evening", "Links", "People", "Something lies otherwise", "House rule", "Ask the table"):
            page.get_by_role("button", name=name, exact=True).click()
            expect(page.locator("#sheet h2").first).to_be_visible()
            assert page.evaluate("document.getElementById('sheet').scrollWidth") <= 320
            if name in ("The evening", "People", "House rule"):
                found = Axe().run(page).response["violations"]
                assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], name
            page.get_by_role("button", name="Close").click()
        page.get_by_role("tab", name="Log").click()
        page.get_by_role("button", name="Set line").first.click()
        page.get_by_role("button", name="It never happened").click()
        page.get_by_role("button", name="Record it").click()
        expect(page.get_by_text("Recorded. One undo takes it back.").first).to_be_visible()
        browser.close()
        assert wrong == []
