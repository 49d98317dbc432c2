"""Moves tried and work started on the live page."""

from __future__ import annotations

import http.client
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from livekit import Served, replace, until

from components.program import trust_of_user
from components.web.site import Asked, Refused
from generator.cli.common import settings
from generator.cli.judging import judge
from generator.cli.serve import _explained
from generator.live.moves import Moves
from generator.live.trying import Trying
from generator.live.work import KINDS


@pytest.fixture
def served(project: Path, shared_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(settings, "project", project)
    monkeypatch.setattr(settings, "trust", False)
    named = ["--project", str(project)]
    command, companion = ([sys.executable, "-m", f"{name}.cli", *named] for name in ("generator", "companion"))
    asked = {"command": command, "companion": companion}
    with Served(project, shared_cache, judge=judge, explained=_explained, **asked).running() as found:
        yield found


def judged(served: Served, line: str, **more: Any) -> Any:
    moves = Moves(Trying(served.desk), judge, _explained)
    return moves.judge(Asked("designer", {"line": line, "seats": ["ana", "bo"], **more}))


@pytest.fixture
def trusted(served: Served) -> None:
    (module,) = (served.project / "rules").glob("*.py")
    trust_of_user().remember(module)


@pytest.mark.usefixtures("trusted")
def test_a_move_is_judged_by_the_rules_on_the_page(served: Served) -> None:
    told = judged(served, "turn gust")
    assert told["legal"] is True and told["text"].startswith("OK: ")
    told = judged(served, "turn gust", before=["turn gust"] * 3)
    assert told["legal"] is False and "LW-WALK-3" in told["text"]
    assert judged(served, "nonsense of a kind")["legal"] is None
    assert "line 1 of what was played" in judged(served, "x", before=["never heard of it"])["text"]
    assert "cannot be read" in judged(served, "x", position="a: [")["text"]
    with pytest.raises(Refused):
        judged(served, "x", sets={"walk.goal": "many"})


def test_a_module_that_nobody_trusts_does_not_run(served: Served) -> None:
    (module,) = (served.project / "rules").glob("*.py")
    module.write_text(f"raise SystemExit('it ran')\n{module.read_text()}")
    with pytest.raises(Refused, match="trust"):
        judged(served, "ana gust")


def work(served: Served, **wish: Any) -> dict[str, Any]:
    """The last event of a piece of work."""
    told: list[dict[str, Any]] = []
    publish = served.live.work._publish
    served.live.work._publish = lambda kind, data: (told.append(data), publish(kind, data))
    served.live.work.start(Asked("designer", wish))
    return until(lambda: next((one for one in told if not one["running"]), None))


@pytest.mark.usefixtures("trusted")
def test_games_are_played_and_the_report_opens(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "playtest", ("playtest", "--games", "4", "--jobs", "1"))
    done = work(served, kind="playtest")
    assert done["status"] == 0, done
    (report,) = served.live.work.reports(None)
    assert report["name"] == done["report"]
    found = {file["name"]: file["at"] for file in report["files"]}
    line = http.client.HTTPConnection("127.0.0.1", served.room.port, timeout=10)
    line.request("GET", found["report.html"])
    answer = line.getresponse()
    assert b"4 games of " in answer.read()
    assert answer.headers["content-disposition"].startswith("inline"), "it opens in the browser"
    assert "sandbox" in answer.headers["content-security-policy"], "and nothing in it can run"
    line.close()


def test_sheets_are_made_and_can_be_opened_by_their_token_alone(served: Served) -> None:
    done = work(served, kind="sheets", paper="letter")
    assert done["status"] == 0 and done["sheets"] >= 1
    (file, *_) = done["files"]
    line = http.client.HTTPConnection("127.0.0.1", served.room.port, timeout=10)
    line.request("GET", file["at"])
    answer = line.getresponse()
    content = answer.read()
    assert content.startswith(b"%PDF") and answer.headers["content-type"] == "application/pdf"
    for at in ("/made/" + "x" * 22, "/made/..%2f..%2fgame.yaml", f"/made/{file['name']}"):
        line.request("GET", at)
        answer = line.getresponse()
        answer.read()
        assert answer.status == 404
    line.close()
    builds = served.live.work.builds(None)
    assert [build["changed"] for build in builds] == [0]
    looked = served.desk.looked
    replace(served.game / "lanterns.yaml", "name: Gust of Wind", "name: A Gust")
    until(lambda: served.desk.looked > looked and not served.desk.busy())
    assert [build["changed"] for build in served.live.work.builds(None)] == [1]


def test_reports_of_playtests_below_the_builds_are_offered(served: Served) -> None:
    folder = served.project / "output" / served.project.name / "more-light"
    assert served.live.work.reports(None) == []
    folder.mkdir(parents=True)
    (folder / "report.pdf").write_bytes(b"%PDF-1.4")
    assert served.live.work.reports(None) == [], "some other file of that name"
    (folder / "report.json").write_text("{}")
    (one,) = served.live.work.reports(None)
    assert one["name"] == "more-light" and abs(one["when"] - time.time()) < 600
    (file,) = one["files"]
    assert served.live.work.made(file["at"].rpartition("/")[2]).content == b"%PDF-1.4"
    assert served.live.work.reports(None) == [one]


def test_what_does_not_work_says_why(served: Served) -> None:
    done = work(served, kind="changed")
    assert done["status"] != 0 and "pnp printed" in done["says"]
    for wish in ({"kind": "init"}, {"kind": "sheets", "paper": "--out=/"}, {"kind": "sheets", "backs": "x"}, {}):
        with pytest.raises(Refused):
            served.live.work.start(Asked("designer", wish))
