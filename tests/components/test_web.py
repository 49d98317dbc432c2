"""The server room against those it is not for: foreign pages, names that lead here, paths, large and slow requests."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from components.web.events import KEPT
from components.web.room import Room
from components.web.site import Asked, Refused, Site
from components.web.tickets import Tickets

DIGEST = "0123456789abcdef"


class Served:
    """A site that runs in a thread, and what was asked of it."""

    def __init__(self, folder: Path) -> None:
        self.tickets = Tickets()
        self.ana, self.bo = self.tickets.new("ana"), self.tickets.new("bo")
        self.faults: list[BaseException] = []
        self.heard: list[Any] = []
        page = folder / "page.html"
        page.write_text("<!doctype html><title>A page</title>")
        self.site = Site(self.tickets, self.faults.append)
        self.site.page("/", page)
        self.site.faces(lambda digest: b"<svg/>" if digest == DIGEST else None)
        self.site.ask("/who", lambda asked: asked.holder)
        self.site.say("/hear", self._hear, most=1000)
        self.site.say("/break", lambda asked: 1 / 0)
        self.room = Room(self.site)
        ready = threading.Event()
        self.thread = threading.Thread(target=self.room.run, args=(ready.set,))
        self.thread.start()
        assert ready.wait(10)

    def _hear(self, asked: Asked) -> Any:
        if asked.data == "no":
            raise Refused("not this")
        self.heard.append(asked.data)
        return {"heard": asked.data}

    def end(self) -> None:
        self.room.stop()
        self.thread.join(10)
        assert not self.thread.is_alive()

    def ask(
        self, method: str, path: str, body: bytes | None = None, ticket: str = "", **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Ask as our own page does, unless `headers` say otherwise (`_` for `-`)."""
        own = {"Host": f"127.0.0.1:{self.room.port}"}
        if method == "POST":
            own |= {"Origin": f"http://127.0.0.1:{self.room.port}", "Content-Type": "application/json"}
        if ticket:
            own["X-Ticket"] = ticket
        own |= {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None and "Transfer_Encoding" not in headers:
            own["Content-Length"] = str(len(body))
        head = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in own.items() if value)]
        # Head and body leave as one: a server that refuses the head may close before a body that comes later.
        with socket.create_connection(("127.0.0.1", self.room.port), timeout=10) as line:
            line.sendall("\r\n".join([*head, "", ""]).encode() + (body or b""))
            answer = http.client.HTTPResponse(line, method=method)
            try:
                answer.begin()
                return answer.status, dict(answer.getheaders()), answer.read()
            finally:
                answer.close()

    def raw(self, sent: bytes, seconds: float = 5) -> bytes:
        """What comes back for some bytes, until the server closes."""
        with socket.create_connection(("127.0.0.1", self.room.port), timeout=seconds) as line:
            line.sendall(sent)
            found = b""
            try:
                while part := line.recv(65536):
                    found += part
            except ConnectionResetError:
                pass
            return found


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    found = Served(tmp_path)
    yield found
    found.end()


def test_a_page_comes_with_what_a_browser_may_do_with_it(served: Served) -> None:
    status, headers, content = served.ask("GET", "/")
    assert (status, content) == (200, b"<!doctype html><title>A page</title>")
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "img-src 'self' data: blob:" in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers
    assert served.ask("GET", "/", If_None_Match=headers["etag"])[0] == 304


def test_only_a_ticket_opens_what_is_asked_and_said(served: Served) -> None:
    assert served.ask("GET", "/who", ticket=served.ana)[2] == b'"ana"'
    assert served.ask("GET", "/who", ticket=served.bo)[2] == b'"bo"'
    for ticket in ("", "x", served.ana[:-1], served.ana + "x"):
        status, _, content = served.ask("GET", "/who", ticket=ticket)
        assert status == 401 and b"whole link" in content
        assert served.ask("POST", "/hear", b"1", ticket=ticket)[0] == 401
        assert served.ask("GET", "/events", ticket=ticket)[0] == 401
    served.tickets.take_back(served.bo)
    assert served.ask("GET", "/who", ticket=served.bo)[0] == 401
    assert len(served.ana) >= 21 and served.ana not in served.room.address
    assert served.heard == []


@pytest.mark.parametrize(
    "host",
    ["evil.test", "evil.test:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.test:{port}", "", "[::1]:{port}"],
)
def test_a_name_that_only_leads_here_is_refused(served: Served, host: str) -> None:
    host = host.format(port=served.room.port)
    for path in ("/", "/who", f"/face/{DIGEST}.svg", "/events"):
        status, _, content = served.ask("GET", path, ticket=served.ana, Host=host)
        assert status in (400, 421) and b"ana" not in content and b"svg" not in content
    assert served.ask("POST", "/hear", b"1", ticket=served.ana, Host=host)[0] in (400, 421)
    assert served.heard == []


def test_localhost_is_a_name_of_ours(served: Served) -> None:
    assert served.ask("GET", "/who", ticket=served.ana, Host=f"localhost:{served.room.port}")[0] == 200


def test_two_hosts_are_refused(served: Served) -> None:
    own = f"127.0.0.1:{served.room.port}"
    answer = served.raw(f"GET / HTTP/1.1\r\nHost: {own}\r\nHost: evil.test\r\nConnection: close\r\n\r\n".encode())
    assert b" 400 " in answer[:20] or b" 421 " in answer[:20]


@pytest.mark.parametrize("origin", ["https://evil.test", "null", "http://127.0.0.1:1", "https://127.0.0.1:{port}", ""])
def test_a_page_of_another_site_can_say_nothing_even_with_a_ticket(served: Served, origin: str) -> None:
    origin = origin.format(port=served.room.port)
    assert served.ask("POST", "/hear", b"1", ticket=served.ana, Origin=origin)[0] == 403
    if origin:
        assert served.ask("GET", "/who", ticket=served.ana, Origin=origin)[0] == 403
    assert served.heard == []


def test_what_a_browser_says_of_the_page_counts(served: Served) -> None:
    for site in ("cross-site", "same-site"):
        assert served.ask("GET", "/who", ticket=served.ana, Sec_Fetch_Site=site)[0] == 403
    assert served.ask("GET", "/", Sec_Fetch_Site="none")[0] == 200


def test_a_preflight_allows_nothing(served: Served) -> None:
    status, headers, _ = served.ask("OPTIONS", "/hear", Origin="https://evil.test")
    assert status in (403, 405)
    assert not any(name.startswith("access-control") for name in headers)


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/face/../../pyproject.toml",
        "/face/..%2f..%2fpyproject.toml",
        "/face/" + "a" * 5000 + ".svg",
        "/face/%00%00%00%00%00%00%00%00%00.svg",
        "/page.html",
        "/static/page.html",
        "//evil.test/",
        "/who/",
        "/.git/config",
    ],
)
def test_no_path_leads_to_a_file(served: Served, path: str) -> None:
    status, _, content = served.ask("GET", path, ticket=served.ana)
    assert status in (307, 404), content
    assert b"root:" not in content and b"title" not in content


def test_faces_are_found_by_digest_alone_and_can_only_be_looked_at(served: Served) -> None:
    status, headers, content = served.ask("GET", f"/face/{DIGEST}.svg")
    assert (status, content, headers["content-type"]) == (200, b"<svg/>", "image/svg+xml")
    assert "sandbox" in headers["content-security-policy"] and "script-src" not in headers["content-security-policy"]
    assert served.ask("GET", "/face/ffffffffffffffff.svg")[0] == 404


def test_what_is_too_large_is_not_read(served: Served) -> None:
    assert served.ask("POST", "/hear", b'"' + b"x" * 900 + b'"', ticket=served.ana)[0] == 200
    assert served.ask("POST", "/hear", b'"' + b"x" * 1000 + b'"', ticket=served.ana)[0] == 413
    head = f"POST /hear HTTP/1.1\r\nHost: 127.0.0.1:{served.room.port}\r\nX-Ticket: {served.ana}\r\n"
    head += f"Origin: http://127.0.0.1:{served.room.port}\r\nContent-Type: application/json\r\n"
    assert b" 413 " in served.raw((head + "Content-Length: 99999999999\r\n\r\n").encode())[:20]
    chunks = "".join(f"{600:x}\r\n{'x' * 600}\r\n" for _ in range(3))
    assert b" 413 " in served.raw((head + f"Transfer-Encoding: chunked\r\n\r\n{chunks}0\r\n\r\n").encode())[:20]
    assert len(served.heard) == 1


@pytest.mark.parametrize(
    "body", [b"{", b"\xff\xfe", b"[" * 900, b'{"a": NaN}'], ids=["open", "no text", "deep", "no number"]
)
def test_what_is_no_json_is_refused(served: Served, body: bytes) -> None:
    status, _, content = served.ask("POST", "/hear", body, ticket=served.ana)
    assert status == 400 and "error" in json.loads(content)


def test_a_form_of_another_page_is_no_json(served: Served) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        assert served.ask("POST", "/hear", b"1", ticket=served.ana, Content_Type=kind)[0] == 415
    assert served.heard == []


def test_endless_and_garbled_heads_are_refused(served: Served) -> None:
    assert b" 400 " in served.raw(b"GET / HTTP/1.1\r\nX: " + b"x" * 100_000 + b"\r\n\r\n")[:20]
    assert b" 400 " in served.raw(b"\x16\x03\x01\x02\x00\x01\x00 hello\r\n\r\n")[:20]
    assert served.ask("GET", "/who", ticket=served.ana)[0] == 200


def test_who_says_nothing_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("components.web.room.SECONDS_FOR_HEAD", 0.2)
    monkeypatch.setattr("components.web.site.SLOW", 0.2)
    served = Served(tmp_path)
    try:
        own = f"Host: 127.0.0.1:{served.room.port}\r\n"
        assert served.raw(b"") == b""
        assert served.raw(f"GET / HTTP/1.1\r\n{own}X: ".encode()) == b""
        origin = f"Origin: http://127.0.0.1:{served.room.port}\r\nX-Ticket: {served.ana}\r\n"
        slow = f"POST /hear HTTP/1.1\r\n{own}{origin}Content-Type: application/json\r\nContent-Length: 5\r\n\r\n1"
        assert b" 408 " in served.raw(slow.encode())[:20]
        with socket.create_connection(("127.0.0.1", served.room.port), timeout=5) as line:
            whole = f"GET / HTTP/1.1\r\n{own}\r\n".encode()
            line.sendall(whole)  # a connection that is kept open may begin again, and then not go on
            assert line.recv(65536)
            line.sendall(whole[:20])
            while line.recv(65536):
                pass
    finally:
        served.end()


def test_a_bug_is_told_where_the_program_runs_and_not_on_the_page(served: Served) -> None:
    status, _, content = served.ask("POST", "/break", b"1", ticket=served.ana)
    assert status == 500 and b"division" not in content
    assert [type(fault) for fault in served.faults] == [ZeroDivisionError]
    assert served.ask("POST", "/hear", b'"no"', ticket=served.ana)[2] == b'{"error":"not this"}'


class Stream:
    """A page that listens, read event by event."""

    def __init__(self, served: Served, ticket: str, query: str = "") -> None:
        self.line = http.client.HTTPConnection("127.0.0.1", served.room.port, timeout=10)
        self.line.request("GET", f"/events{query}", headers={"X-Ticket": ticket})
        self.answer = self.line.getresponse()
        assert self.answer.status == 200

    def event(self) -> tuple[str, Any] | None:
        """The next event; None if the stream ended."""
        kind = ""
        while line := self.answer.readline():
            if line.startswith(b"event: "):
                kind = line[7:].strip().decode()
            if line.startswith(b"data: "):
                return kind, json.loads(line[6:])
        return None

    def close(self) -> None:
        self.answer.close()
        self.line.close()


def test_events_reach_every_page_and_secrets_only_one(served: Served) -> None:
    ana, bo = Stream(served, served.ana), Stream(served, served.bo)
    assert ana.event() == ("hello", {"run": served.site.events.run, "number": 0, "reset": True})
    bo.event()
    served.site.events.publish("hand", ["7"], to="ana")
    served.site.events.publish("turn", "bo")
    assert [ana.event(), ana.event()] == [("hand", ["7"]), ("turn", "bo")]
    assert bo.event() == ("turn", "bo")
    ana.close(), bo.close()


def test_pages_that_listen_are_shown_what_others_have_to_ask_for(served: Served) -> None:
    events = served.site.events
    ana, bo = Stream(served, served.ana), Stream(served, served.bo)
    ana.event(), bo.event()
    events.publish("changed", 1, now={"ana": b'["7 of stars"]'})
    assert (ana.event(), bo.event()) == (("changed", ["7 of stars"]), ("changed", 1))
    ana.close(), bo.close()
    late = Stream(served, served.ana, f"?run={events.run}&after=0")
    late.event()
    assert late.event() == ("changed", 1)
    late.close()


def test_a_page_that_was_away_is_told_what_it_missed(served: Served) -> None:
    events = served.site.events
    for n in range(5):
        events.publish("n", n, to="bo" if n == 3 else "")
    ana = Stream(served, served.ana, f"?run={events.run}&after=2")
    assert ana.event() == ("hello", {"run": events.run, "number": 5, "reset": False})
    assert [ana.event(), ana.event()] == [("n", 2), ("n", 4)]
    ana.close()
    for run, after in (("another", 2), (events.run, 99)):
        page = Stream(served, served.ana, f"?run={run}&after={after}")
        assert (page.event() or ("", {}))[1]["reset"] is True
        page.close()
    for n in range(KEPT + 1):
        events.publish("n", n)
    page = Stream(served, served.ana, f"?run={events.run}&after=2")
    assert (page.event() or ("", {}))[1]["reset"] is True
    page.close()


def test_a_page_that_does_not_read_does_not_fill_the_memory(served: Served) -> None:
    page = Stream(served, served.ana)
    for _ in range(60):
        for _ in range(20):
            served.site.events.publish("much", "x" * 20_000)
        time.sleep(0.005)
    waiting = time.monotonic() + 10
    while page.event() is not None:
        assert time.monotonic() < waiting
    page.close()


def test_a_busy_port_is_passed_over(served: Served) -> None:
    room = Room(Site(Tickets(), served.faults.append), port=served.room.port)
    assert room.moved and room.port > served.room.port
    room._socket.close()


PROGRAM = """
import signal
from components.web.room import Room
from components.web.site import Site
from components.web.tickets import Tickets
signal.signal(signal.SIGINT, signal.default_int_handler)  # a test that runs in the background inherits none
tickets = Tickets({"t" * 22: "ana"})
room = Room(Site(tickets, print))
try:
    room.run(lambda: print(room.port, flush=True))
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_ctrl_c_ends_it_in_order_with_pages_open() -> None:
    root = Path(__file__).resolve().parents[2]
    env = {**os.environ, "PYTHONPATH": str(root)}
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=pipe, stderr=pipe, text=True, env=env)
    pages: list[http.client.HTTPConnection] = []
    try:
        assert process.stdout is not None and process.stderr is not None
        port = int(process.stdout.readline())
        pages += [http.client.HTTPConnection("127.0.0.1", port, timeout=10) for _ in range(3)]
        answers = []
        for page in pages:
            page.request("GET", "/events", headers={"X-Ticket": "t" * 22})
            answers.append(page.getresponse())
            answers[-1].readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=10)
        assert (out.strip(), err) == ("stopped", "")
        for answer in answers:
            answer.read()  # ends in order, not cut
    finally:
        for page in pages:
            page.close()
        process.kill()
        process.wait()
        process.stdout.close(), process.stderr.close()  # type: ignore[union-attr]
