"""Tables that are served for tests: over HTTP in a thread, or to handlers called straight."""

from __future__ import annotations

import asyncio
import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.types import Message

from companion.cli import common
from companion.phones.chairs import GUEST, Chairs
from companion.phones.host import Host
from companion.phones.site import NOTHING, TablePages
from companion.phones.ways import Ways
from components.web.room import Room

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PATIENCE = 120_000
"""Milliseconds for which a page is waited for, on a machine that has much else to do."""


class Served:
    """A table that is served in a thread."""

    def __init__(self, path: Path, ways: Ways = NOTHING) -> None:
        self.faults: list[BaseException] = []
        self.chairs = Chairs(path)
        self.host = Host(path, lambda: common.opened(path))
        self.pages = TablePages(self.host, self.chairs, self.faults.append, ways)
        self.room = Room(self.pages.site)
        self.pages.inviting.address = self.room.address

    def asks(self, path: str, ticket: str, data: Any = None) -> tuple[int, Any]:
        """The status and the answer to a GET, or to a POST with `data`."""
        line = http.client.HTTPConnection("127.0.0.1", self.room.port, timeout=20)
        headers = {"x-ticket": ticket, "origin": self.room.address.rstrip("/"), "content-type": "application/json"}
        if data is None:
            line.request("GET", path, headers=headers)
        else:
            line.request("POST", path, json.dumps(data), headers=headers)
        answer = line.getresponse()
        found = answer.status, json.loads(answer.read())
        line.close()
        return found


@contextmanager
def serving(path: Path, ways: Ways = NOTHING) -> Iterator[Served]:
    served = Served(path, ways)
    ready = threading.Event()
    thread = threading.Thread(target=served.room.run, args=(ready.set,))
    with served.host:
        thread.start()
        assert ready.wait(20)
        try:
            yield served
        finally:
            served.room.stop()
            thread.join(20)
    assert not thread.is_alive() and served.faults == []


def seated(served: Served, seat: str) -> str:
    """The ticket of a seat, taken by a guest."""
    status, found = served.asks("/sit", served.chairs.of(GUEST), {"seat": seat})
    assert status == 200
    return str(found["ticket"])


class Straight:
    """Pages that are asked without a network; answers are bytes as they would be sent."""

    def __init__(self, pages: TablePages) -> None:
        self.pages = pages
        self.app = pages.site.app(["localhost"])
        self.runner = asyncio.Runner()

    def asks(self, path: str, holder: str, data: Any = None, raw: bytes | None = None) -> tuple[int, bytes]:
        """The status and the answer to a GET of a holder, or to a POST with `data`, or of the bytes `raw`."""
        path, _, query = path.partition("?")
        body = raw if raw is not None else b"" if data is None else json.dumps(data).encode()
        post = data is not None or raw is not None
        said = {"host": "localhost", "origin": "http://localhost", "x-ticket": self.pages.chairs.of(holder)}
        said |= {"content-type": "application/json", "content-length": str(len(body))}
        scope = {
            "type": "http",
            "method": "POST" if post else "GET",
            "path": path,
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in said.items()],
        }
        answer: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            answer.append(message)

        self.runner.run(self.app(scope, receive, send))
        return answer[0]["status"], b"".join(one.get("body", b"") for one in answer[1:])

    def close(self) -> None:
        self.runner.close()


@contextmanager
def straight(path: Path, **more: Any) -> Iterator[Straight]:
    """The pages of a table, without a server; no fault of ours may happen."""
    faults: list[BaseException] = []
    with Host(path, lambda: common.opened(path)) as host:
        found = Straight(TablePages(host, Chairs(path), faults.append, **more))
        try:
            yield found
        finally:
            found.close()
    assert faults == []


def told(n: int) -> str:
    """What a page calls its n-th saying."""
    return f"{n:016x}"
