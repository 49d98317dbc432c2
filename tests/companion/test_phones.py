"""The table on phones: what pages ask and say, over HTTP and in a real browser."""

from __future__ import annotations

import json
import re
import stat
import threading
from pathlib import Path
from random import Random
from typing import Any

import pytest
from command_line import Companion
from served import FLAGS, seated, serving, straight, told

from companion.cli import common
from companion.phones.chairs import GUEST, SEAT, WATCHER, Chairs
from companion.phones.chairs import Served as Taken
from companion.phones.host import Host
from companion.phones.site import TablePages
from companion.phones.ways import Ways
from components.web.site import Asked, Ready
from tests.chromium import CHROMIUM


@pytest.fixture
def friday(companion: Companion, home: Path) -> Path:
    """A table of the toy game where the farmers Mary and Bo take turns."""
    assert companion("new", "orchard", "Mary", "Bo", "--table", "friday").status == 0
    assert companion("do", "pass all").status == 0
    return home / "tables" / "friday.db"


def test_a_guest_takes_a_seat_and_plays(friday: Path, companion: Companion) -> None:
    with serving(friday) as served:
        guest = served.chairs.of(GUEST)
        state = served.asks("/state", guest)[1]
        seats = [one["seat"] for one in state["seats"]]
        assert state["may_sit"] and not any(one["you"] for one in state["seats"])
        assert served.asks("/say", guest, {"told": told(1), "line": "pick pear"})[0] == 403
        mine = seated(served, state["seats"][0]["seat"])
        found = served.asks("/say", mine, {"told": told(1), "line": "pick pear", "after": state["number"]})[1]
        assert found["legal"] and found["recorded"] and found["between"] == 0
        other = served.asks("/state", seated(served, seats[1]))[1]
        assert other["number"] == state["number"] + 1 and other["log"][-1]["text"] == found["line"]
        assert found["line"] in companion("log").out


def test_people_who_sit_by_their_names_have_the_colours_of_their_pieces(companion: Companion, home: Path) -> None:
    assert companion("new", "xarkant", "Ann", "Ben", "--table", "t").status == 0
    ways = Ways(colours={"red": "#b0402b", "blue": "#3d6a93", "white": "#faf6ea"})
    with straight(home / "tables" / "t.db", ways=ways) as pages:
        found = json.loads(pages.asks("/state", GUEST)[1])
    assert found["colours"] == {"Ann": ["red", "#b0402b"], "Ben": ["blue", "#3d6a93"]}


def test_who_watches_says_nothing(friday: Path) -> None:
    with serving(friday) as served:
        watcher = served.chairs.of(WATCHER)
        assert served.asks("/state", watcher)[1]["may_sit"] is False
        for path, data in (("/sit", {"seat": "ana"}), ("/say", {"told": told(1), "line": "pick pear"}), ("/undo", {})):
            assert served.asks(path, watcher, data)[0] == 403
        assert served.asks("/state", "no ticket")[0] == 401


def test_the_same_saying_is_recorded_once_even_after_a_restart(friday: Path) -> None:
    with serving(friday) as served:
        state = served.asks("/state", served.chairs.of(GUEST))[1]
        mine = seated(served, state["seats"][0]["seat"])
        saying = {"told": told(7), "line": "pick pear", "after": state["number"]}
        first = served.asks("/say", mine, saying)
        assert first == served.asks("/say", mine, saying)
        assert served.asks("/state", mine)[1]["number"] == state["number"] + 1
    with serving(friday) as served:
        assert served.asks("/say", mine, saying)[1]["recorded"], "the ticket and the saying are known"
        assert served.asks("/state", mine)[1]["number"] == state["number"] + 1
    assert stat.S_IMODE(Chairs(friday).file.stat().st_mode) == 0o600


def test_a_table_has_one_server(friday: Path) -> None:
    """Two would forget each other's tickets; one that ends, or dies, lets go."""
    with Chairs(friday).alone(), pytest.raises(Taken, match="served already"), Chairs(friday).alone():
        pass
    with Chairs(friday).alone():
        pass


def test_two_taps_at_once_and_a_stale_one(friday: Path) -> None:
    """Both are judged one after the other; what another said in between is told."""
    with serving(friday) as served:
        state = served.asks("/state", served.chairs.of(GUEST))[1]
        seats = [one["seat"] for one in state["seats"]]
        tickets = [seated(served, seat) for seat in seats]
        found: list[Any] = []

        def tap(n: int) -> None:
            line = {"told": told(n), "line": f"{seats[0]} pick pear", "after": state["number"]}
            found.append(served.asks("/say", tickets[n % 2], line)[1])

        threads = [threading.Thread(target=tap, args=(n,)) for n in range(8)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        done = [one for one in found if one["legal"]]
        after = served.asks("/state", tickets[0])[1]
        assert len(done) == after["number"] - state["number"] == 1, "a farmer picks once in a turn"
        later = served.asks(
            "/say", tickets[1], {"told": told(99), "line": f"{seats[1]} pick pear", "after": state["number"]}
        )[1]
        assert later["legal"] and later["between"] == 1


def test_who_acts_for_another_is_named_in_the_log(friday: Path, companion: Companion) -> None:
    with serving(friday) as served:
        state = served.asks("/state", served.chairs.of(GUEST))[1]
        first, second = (one["seat"] for one in state["seats"])
        saying = {"told": told(3), "line": f"{first} pick pear", "after": state["number"]}
        assert served.asks("/say", seated(served, second), saying)[1]["legal"]
        state = served.asks("/state", served.chairs.of(GUEST))[1]
        assert state["log"][-1]["by"] == state["seats"][1]["person"]


def test_undo_takes_back_only_what_the_page_shows(friday: Path, companion: Companion) -> None:
    with serving(friday) as served:
        mine = seated(served, served.asks("/state", served.chairs.of(GUEST))[1]["seats"][0]["seat"])
        before = served.asks("/state", mine)[1]["number"]
        assert companion("do", "pick pear").status == 0
        status, found = served.asks("/undo", mine, {"after": before})
        assert (status, found) == (409, {"error": "something has been said since: look again"})
        now = served.asks("/state", mine)[1]["number"]
        assert now == before + 1, "what the terminal says is on every page"
        assert served.asks("/undo", mine, {"after": now})[0] == 200


def test_what_cannot_be_read_or_found_is_told(friday: Path) -> None:
    with serving(friday) as served:
        mine = seated(served, served.asks("/state", served.chairs.of(GUEST))[1]["seats"][0]["seat"])
        status, found = served.asks("/say", mine, {"told": told(5), "line": "pikc pear"})
        assert status == 400 and "did you mean" in found["error"]
        assert {"line": "Mary pick Pear", "left": "pikc"}.items() <= found["meant"][0].items()
        hostile: list[tuple[str, Any]] = [
            ("/say", {"line": "pick pear"}), ("/say", {"told": "zz", "line": "x"}), ("/say", []),
            ("/say", {"told": told(6)}), ("/say", {"told": told(8), "line": "pikc", "after": "x"}),
            ("/field", {"verb": "nothing"}), ("/field", {"verb": "pick", "steps": [{"take": {}}]}),
            ("/field", {"verb": "pick", "steps": [{"__init__": 1}]}), ("/field", {"verb": "pick", "steps": "x"}),
            ("/sit", {"seat": "../x"}), ("/sit", {"seat": ["a"]}), ("/rule?id=XX-1", None), ("/undo", {"after": "x"}),
        ]  # fmt: skip
        for path, data in hostile:
            assert served.asks(path, mine, data)[0] in (400, 403, 404, 409), path
        assert served.asks("/may", mine, {"line": "pick pear"})[1]["legal"] in (True, False)
        assert served.asks("/ask?words=fruit", mine)[1]
        assert served.asks("/complete?line=p", mine)[1]


# --- every game, by what the pages offer -----------------------------------------------------------------------------

GAMES = {
    "warring-states": ("Ann", "Ben", "Cem"),
    "dynasties": ("Ann", "Ben"),
    "xarkant": ("Ann", "Ben"),
    "tianxia": ("Ann", "Ben"),
    "great-wall": ("Ann", "Ben", "Cem"),
}


def read(answer: Any) -> Any:
    """What a handler answers, whether or not it is ready to be sent."""
    return json.loads(answer.content) if isinstance(answer, Ready) else answer


class Tapper:
    """Plays by taps alone, through the handlers of the pages."""

    def __init__(self, pages: TablePages, rng: Random) -> None:
        self.pages, self.rng, self.n = pages, rng, 0
        self.taps: list[int] = []

    def holder(self, seat: str, data: Any) -> Asked:
        return Asked(SEAT + seat, data)

    def turn(self) -> bool:
        """Make one move that some page offers; False if the game is over."""
        pages = self.pages
        look = pages._asked(pages._state)
        state = read(look(Asked(GUEST, {})))
        if state["over"]:
            return False
        seats = [one["seat"] for one in state["seats"]]
        self.rng.shuffle(seats)
        for seat in seats:
            menu = read(pages._asked(pages._menu)(self.holder(seat, {})))
            verbs = [(verb, table) for table in (False, True) for verb in menu["table" if table else "own"]["verbs"]]
            self.rng.shuffle(verbs)
            for verb, table in verbs:
                possible = verb["standing"] in ("legal", "incomplete")
                if possible and any(self.says(seat, verb["verb"], table) for _ in range(8)):
                    return True
        return False

    def says(self, seat: str, verb: str, table: bool) -> bool:
        steps: list[dict[str, Any]] = []
        taps = 2  # the verb, and "Say it"
        for _ in range(24):
            found = self.pages._seated(self.pages._field)(
                self.holder(seat, {"verb": verb, "table": table, "steps": steps})
            )
            said = found.get("said") or (found.get("ready") if self.rng.random() < 0.7 else None)
            if said:
                if not said["legal"]:
                    return False
                self.n += 1
                data = {"told": told(self.n), "move": said["move"], "line": said["line"]}
                answer = self.pages._seated(self.pages._say)(self.holder(seat, data))
                self.taps.append(taps)
                return bool(answer["legal"])
            field, taps = found["field"], taps + 1
            if (ways := found.get("whole", {}).get("ways")) and (not field["enough"] or self.rng.random() < 0.3):
                steps += self.rng.choice(ways)["steps"]
                continue
            if (later := found.get("later")) and self.rng.random() < 0.5:
                steps += self.rng.choice(later)["steps"]
                continue
            legal = [one["value"] for one in field["values"] if one["legal"]]
            ends = field.get("enough") and (field["kind"] != "steps" or not legal or self.rng.random() < 0.7)
            if ends:
                steps.append({"done": True})
            elif field["optional"] and (not legal or self.rng.random() < 0.5):
                steps.append({"leave": True})
            elif legal:
                steps.append({"add" if field["kind"] in ("several", "pairs") else "take": self.rng.choice(legal)})
            else:
                return False
        return False


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_by_taps_alone(name: str, companion: Companion, home: Path, tmp_path: Path) -> None:
    assert companion("new", name, *GAMES[name], "--table", "t").status == 0
    path = home / "tables" / "t.db"
    with Host(path, lambda: common.opened(path)) as host:
        tapper = Tapper(TablePages(host, Chairs(path), pytest.fail), Random(3))
        for n in range(12):
            assert tapper.turn() or host.run(lambda table: table.rules.over(table.position.state)), f"stuck after {n}"
        assert sorted(tapper.taps)[len(tapper.taps) // 2] <= 6
    assert companion("show").status == 0


def test_no_answer_tells_what_a_seat_may_not_know(companion: Companion, home: Path, tmp_path: Path) -> None:
    """Two tables that differ in what Qin drew give everybody else the same bytes."""
    position = "{seats: [Qin, Chu, Zhao], phase: income, active: Qin, players: {Qin: {}, Chu: {}, Zhao: {}}}"
    (tmp_path / "p.yaml").write_text(position)
    seen: dict[str, list[bytes]] = {}
    for word in ("Mine", "City"):
        assert companion("new", "warring-states", "--position", str(tmp_path / "p.yaml"), "--table", word).status == 0
        lines = ['{"action": "draw_income", "player": "Qin", "cards": ["%s"]}' % word, "draw chu"]  # noqa: UP031
        assert all(companion("do", line, "--table", word).status == 0 for line in lines)
        path = home / "tables" / f"{word}.db"
        with Host(path, lambda path=path: common.opened(path)) as host:  # type: ignore[misc]
            pages = TablePages(host, Chairs(path), pytest.fail)
            for holder in (SEAT + "Zhao", GUEST, WATCHER):
                record = [pages._of_table(pages.mending.fields), pages._of_table(pages.mending.undoing)]
                own = [pages._menu] if holder.startswith(SEAT) else []
                for handler in (pages._state, pages._log, pages.evening.summary, *record, *own):
                    found = read(pages._asked(handler)(Asked(holder, {})))
                    if isinstance(found, dict):
                        for changing in ("run", "table", "number", "seconds"):
                            found.pop(changing, None)
                        # how long somebody thought is the machine's affair
                        assert word not in json.dumps(found.pop("thoughts", []))
                    seen.setdefault(word, []).append(json.dumps(found).encode())
            for line in ("qin trade chu mine for 1", "qin discards mine, city", "draw zhao"):
                found = pages._seated(pages._may)(Asked(SEAT + "Zhao", {"line": line}))
                seen[word].append(json.dumps(found).encode())
            assert word in json.dumps(read(pages._asked(pages._state)(Asked(SEAT + "Qin", {}))))
            published: list[Any] = []
            pages.site.events.publish = lambda *event, into=published, **_: into.append(event)  # type: ignore[method-assign,assignment,misc]
            for how in (pages._undo, pages._undo, pages._redo):
                number = host.run(lambda table: table.history.last)
                pages._seated(how)(Asked(SEAT + "Chu", {"after": number}))
            seen[word].append(json.dumps(published).encode())
            assert [event[1]["what"] for event in published if event[0] == "told"] == [
                "Chu draw 6",
                "Qin draw 6",
                "Qin draw 6",
            ]
    one, other = seen.values()
    assert one == other


# --- a real browser --------------------------------------------------------------------------------------------------


@pytest.mark.browser
def test_two_phones_at_one_table(friday: Path, companion: Companion) -> None:
    """Scan, sit, tap: the other phone shows it; a refusal is told with its rule; the terminal is heard, too."""
    from playwright.sync_api import expect, sync_playwright

    with serving(friday) as served, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        wrong: list[str] = []
        phones = []
        for name in ("Mary", "Bo"):
            page = browser.new_context(viewport={"width": 320, "height": 640}).new_page()
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.goto(served.room.link(served.chairs.of(GUEST)))
            page.get_by_role("button", name=name, exact=True).click()
            expect(page.get_by_text(f"you are {name}", exact=False)).to_be_visible()
            phones.append(page)
        mary, bo = phones
        assert mary.title().startswith("● Your turn") and not bo.title().startswith("●")
        assert mary.evaluate("document.documentElement.scrollWidth") <= 320, "nothing runs out of a narrow phone"
        mary.get_by_role("button", name=re.compile("^pick", re.I)).first.click()
        mary.get_by_role("button", name="Pear", exact=True).click()
        mary.locator("#menu button.main").click()
        expect(mary.get_by_role("heading", name="Done", exact=True)).to_be_visible()
        bo.get_by_role("tab", name="Log").click()
        expect(bo.locator("#lines .said").first).to_contain_text("pick Pear")
        mary.locator("#line").fill("pick p")
        mary.locator("#words button").first.click()
        assert len(mary.locator("#line").input_value()) > len("pick p")
        mary.locator("#line").fill("pick pear")
        mary.locator("#typed").get_by_role("button", name="Say it").click()
        expect(mary.get_by_role("heading", name="No", exact=True)).to_be_visible()
        mary.locator("#answer button.rule").first.click()
        expect(mary.locator("#sheet h2").first).to_be_visible()
        mary.get_by_role("button", name="Close").click()
        bo.get_by_role("tab", name="Play").click()
        bo.locator("#line").fill("happily nibbles the pear")
        bo.locator("#typed").get_by_role("button", name="Say it").click()
        guess = bo.locator("#answer").get_by_role("button", name=re.compile("Bo pick Pear"))
        expect(guess).to_contain_text("not heard: “happily nibbles”")
        guess.click()
        expect(bo.get_by_role("heading", name="Done", exact=True)).to_be_visible()
        bo.get_by_role("tab", name="Log").click()
        assert companion("note", "tea").status == 0
        expect(bo.locator("#lines .said").first).to_contain_text("tea")
        served.chairs.renew()
        bo.reload()
        expect(bo.get_by_role("alert")).to_contain_text("opens nothing any more")
        browser.close()
        assert wrong == []


@pytest.mark.browser
def test_every_view_is_accessible(friday: Path) -> None:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    with serving(friday) as served, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for scheme, width in (("light", 390), ("dark", 1280)):
            context = browser.new_context(
                color_scheme=scheme, viewport={"width": width, "height": 800}, bypass_csp=True
            )  # type: ignore[arg-type]
            page = context.new_page()
            page.goto(served.room.link(served.chairs.of(GUEST)))
            page.get_by_role("button", name="Mary", exact=True).click()
            page.get_by_role("button", name=re.compile("^pick", re.I)).first.wait_for()
            for view in ("Play", *(["Table"] if width < 1024 else []), "Log", "Rules"):  # beside the others where wide
                page.get_by_role("tab", name=view).click()
                found = Axe().run(page).response["violations"]
                assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], (scheme, view)
        browser.close()
