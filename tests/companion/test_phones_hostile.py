"""Whatever a page is sent, it answers in order: no fault of ours, and nothing recorded."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from command_line import Companion
from served import Straight, seated, serving, straight, told
from starlette.routing import Route

from companion.phones.chairs import GUEST, SEAT, WATCHER

NAMES = ("line", "told", "after", "move", "override", "verb", "table", "steps", "seat", "text", "words", "id", "piece")
MORE = ("field", "value", "reason", "n", "how", "lines", "name", "set", "people", "yes", "as", "in_words", "ticket")
ODD = ["%00", "%ff", "%F0%9D", "a" * 3000, "", "{}"]
"""In a query."""
SIGNS = ["\0", "\ud800"[:0], "‮", "é", "𝄞", "<script>", "{{7*7}}", "%s%n", "../../etc", "'; drop table", "[XX-1]"]


@pytest.fixture
def pages(companion: Companion, home: Path) -> Iterator[Straight]:
    assert companion("new", "orchard", "Mary", "Bo", "--table", "t").status == 0
    assert companion("do", "pass all").status == 0
    with straight(home / "tables" / "t.db") as found:
        yield found


def anything(rng: Random, deep: int = 0) -> Any:
    """Some JSON."""
    kind = rng.randrange(10 if deep < 4 else 6)
    if kind == 0:
        return rng.choice([None, True, False])
    if kind == 1:
        return rng.choice([0, -1, 3, 2**31, -(2**63), 10**30, 1.5, -0.0, 1e308])
    if kind < 6:
        return rng.choice([*SIGNS, "", "pick", "pear", "ana", "pick pear", "pass", "x" * rng.choice([5, 500, 5000])])
    if kind < 8:
        return [anything(rng, deep + 1) for _ in range(rng.randrange(5))]
    return {name: anything(rng, deep + 1) for name in rng.sample([*NAMES, "action", "fruit", "by", "add", "take"], 3)}


def a_saying(rng: Random) -> Any:
    """What a page might say, with anything in some of its places."""
    said: dict[str, Any] = {"told": told(rng.randrange(10**9)), "after": rng.randrange(9), "verb": "pick"}
    said |= {"line": "pikc pear", "steps": [{"take": "Pear"}], "move": {"action": "pick", "fruit": "Pear"}}
    for name in rng.sample([*NAMES, *MORE], 4):
        said[name] = anything(rng)
    return said if rng.random() < 0.8 else anything(rng)


def paths(pages: Straight, method: str) -> list[str]:
    """Whatever the site answers."""
    routes = [route for route in pages.app.routes if isinstance(route, Route) and method in (route.methods or ())]
    return [one.path for one in routes if one.path not in ("/events",) and "{" not in one.path]


def number(pages: Straight) -> int:
    return int(json.loads(pages.asks("/state", GUEST)[1])["number"])


def fuzz(pages: Straight, rng: Random, times: int) -> None:
    seat = json.loads(pages.asks("/state", GUEST)[1])["seats"][0]["seat"]
    before, posts = number(pages), paths(pages, "POST")
    assert len(posts) > 8
    for _ in range(times):
        path, said = rng.choice(posts), a_saying(rng)
        who = rng.choice([SEAT + seat, SEAT + seat, GUEST, WATCHER, SEAT + "gone"])
        status, answer = pages.asks(path, who, raw=json.dumps(said).encode())
        assert status in (200, 400, 403, 404, 409, 413), (path, said, answer)
        found = json.loads(answer)
        if number(pages) != before:  # by chance it was a fine thing to say
            assert status == 200, (path, said, found)
            before = number(pages)
        assert status == 200 or set(found) - {"meant"} == {"error"}, (path, said, found)
        assert b"Traceback" not in answer and b'.py"' not in answer
    for path in paths(pages, "GET"):
        for _ in range(times // 20):
            query = "&".join(f"{rng.choice(NAMES)}={rng.choice(ODD)}" for _ in "ab")
            status, answer = pages.asks(f"{path}?{query}", SEAT + seat)
            assert status in (200, 400, 404), (path, query, answer)


def test_anything_may_be_sent(pages: Straight) -> None:
    fuzz(pages, Random(1), 400)


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(2, 12))
def test_anything_may_be_sent_for_long(pages: Straight, seed: int) -> None:
    fuzz(pages, Random(seed), 4000)


def test_what_is_no_saying_at_all(pages: Straight) -> None:
    before, seat = number(pages), SEAT + json.loads(pages.asks("/state", GUEST)[1])["seats"][0]["seat"]
    deep, map_ = b"[" * 30_000 + b"]" * 30_000, b'{"a":' * 10_000 + b"1" + b"}" * 10_000
    bad = (b"\xff\xfe", b"{", deep, map_, b"NaN", b'"x"', b"", b"null", b"1e999")
    for path in paths(pages, "POST"):
        for raw in bad:
            status, answer = pages.asks(path, seat, raw=raw)
            assert status in (400, 409, 413), (path, raw[:20], answer)
        assert pages.asks(path, seat, raw=b'"' + b"x" * 70_000 + b'"')[0] == 413
        assert pages.asks(path, "", raw=b"{}")[0] in (400, 403)
    assert number(pages) == before


def test_strangers_are_kept_out(companion: Companion, home: Path) -> None:
    """Another name for the server, a page of another site, a ticket that opens nothing: nobody gets an answer."""
    assert companion("new", "orchard", "Mary", "Bo", "--table", "t").status == 0
    with serving(home / "tables" / "t.db") as served:
        mine = seated(served, served.asks("/state", served.chairs.of(GUEST))[1]["seats"][0]["seat"])
        own = served.room.address.rstrip("/")
        good = {"host": own.removeprefix("http://"), "origin": own, "x-ticket": mine}
        good["content-type"] = "application/json"
        bad: list[tuple[dict[str, str], int]] = [
            ({"host": "example.org"}, 421), ({"host": f"example.org:{served.room.port}"}, 421), ({"host": ""}, 421),
            ({"origin": "http://" + "example.org"}, 403), ({"origin": "null"}, 403), ({"origin": own + "0"}, 403),
            ({"origin": own.replace("http:", "https:")}, 403), ({"sec-fetch-site": "cross-site"}, 403),
            ({"x-ticket": ""}, 401), ({"x-ticket": mine[:-1]}, 401), ({"x-ticket": mine + "x"}, 401),
            ({"x-ticket": "\xff\xfe"}, 401), ({"content-type": "text/plain"}, 415),
            ({"content-length": "99999999"}, 413),
        ]  # fmt: skip
        said = json.dumps({"told": told(1), "line": "pass all"})
        for more, expected in bad:
            line = http.client.HTTPConnection("127.0.0.1", served.room.port, timeout=20)
            line.putrequest("POST", "/say", skip_host=True, skip_accept_encoding=True)
            headers = {"content-length": str(len(said)), **good, **more}
            for name, value in headers.items():
                line.putheader(name, value.encode("latin-1"))
            line.endheaders(said.encode())
            assert line.getresponse().status == expected, more
            line.close()
        assert served.asks("/state", mine)[1]["lines"] == 1
