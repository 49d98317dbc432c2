"""How soon everybody knows: eight phones and a hundred who watch, all told of every tap.

    python benchmarks/phones_speed.py great-wall Ann Ben Cem

A server in a process of its own serves a table to clients in this one. One phone says what is legal; the time runs from
its tap until each phone has its state and its menu anew, and until the last who watches has the table. It also says
what the server takes at rest.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import statistics
import sys
import tempfile
import time
from random import Random
from typing import Any

from measure import memory, processor

PHONES, WATCHERS, TAPS = 8, 100, 40
IDLE = 5.0
"""Seconds at rest."""
AT_REST = 0.05
"""Seconds of processor in a second below which a server has nothing left to prepare."""


class Client:
    """A page: one connection for what it asks, one for events."""

    def __init__(self, port: int, ticket: str) -> None:
        self.port, self.ticket = port, ticket
        self.line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.changed = asyncio.Event()
        self.shown = 0
        """Bytes of the table that was shown to it last."""

    def head(self, method: str, path: str, size: int = 0) -> bytes:
        at = f"127.0.0.1:{self.port}"
        return (
            f"{method} {path} HTTP/1.1\r\nhost: {at}\r\norigin: http://{at}\r\nx-ticket: {self.ticket}\r\n"
            f"accept-encoding: gzip\r\ncontent-type: application/json\r\ncontent-length: {size}\r\n\r\n"
        ).encode()

    async def asks(self, path: str, data: Any = None, *, plain: bool = True) -> Any:
        body = b"" if data is None else json.dumps(data).encode()
        if self.line is None or self.line[0].at_eof():  # the server hangs up on who says nothing for seconds
            self.line = await asyncio.open_connection("127.0.0.1", self.port, limit=2**22)
        reader, writer = self.line
        head = self.head("GET" if data is None else "POST", path, len(body))
        writer.write((head.replace(b"accept-encoding: gzip\r\n", b"") if plain else head) + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        found = re.search(rb"content-length: (\d+)", answer, re.I)
        assert found, answer
        content = await reader.readexactly(int(found[1]))
        return json.loads(content) if plain else content

    async def listen(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**22)
        writer.write(self.head("GET", "/events?run=&after=0"))
        while line := await reader.readline():
            if line.startswith(b"data: ") and b'"state"' in line:
                self.shown = len(line)
                self.changed.set()


async def measure(port: int, guest: str, watcher: str, pid: int) -> None:
    first = Client(port, guest)
    seats = [one["seat"] for one in (await first.asks("/state"))["seats"]]
    held = [(await first.asks("/sit", {"seat": seats[n % len(seats)]}))["ticket"] for n in range(PHONES)]
    phones, watchers = [Client(port, ticket) for ticket in held], [Client(port, watcher) for _ in range(WATCHERS)]
    streams = [asyncio.create_task(one.listen()) for one in (*phones, *watchers)]
    for one in (*phones, *watchers):
        await one.asks("/state")
    while True:  # the faces of the table are drawn ahead
        rest = processor(pid)
        await asyncio.sleep(1)
        if processor(pid) - rest < AT_REST:
            break
    rest = processor(pid)
    await asyncio.sleep(IDLE)
    print(f"at rest: {100 * (processor(pid) - rest) / IDLE:.1f} % of a processor, {memory(pid):.0f} MB")
    rng, ready, seen, verdicts, worked = Random(1), [], [], [], []
    for _ in range(TAPS):
        told = await phones[0].asks("/say", {"told": secrets.token_hex(8), "line": "zzzz"})
        legal = told["error"].partition("legal now: ")[2].split(" | ")
        for one in (*phones, *watchers):
            one.changed.clear()
        start, before = time.perf_counter(), processor(pid)
        looks = [asyncio.create_task(look(one, start)) for one in phones]
        others = [asyncio.create_task(look(one, start)) for one in watchers]
        teller = Client(port, held[0])
        said = await teller.asks("/say", {"told": secrets.token_hex(8), "line": rng.choice(legal)})
        verdicts.append(time.perf_counter() - start)
        if not said.get("recorded"):
            for task in (*looks, *others):
                task.cancel()
            continue
        ready += await asyncio.gather(*looks)
        seen += await asyncio.gather(*others)
        worked.append(processor(pid) - before)
    for name, found in (
        ("verdict", verdicts),
        ("a phone's table and menu", ready),
        ("the table of those who watch", seen),
    ):
        found.sort()
        most = found[int(len(found) * 0.95)]
        print(f"{name}: median {1000 * statistics.median(found):.0f} ms, p95 {1000 * most:.0f} ms")
    print(f"processor per tap: mean {1000 * statistics.mean(worked):.0f} ms, most {1000 * max(worked):.0f} ms")
    print(f"after {len(ready) // PHONES} moves: {memory(pid):.0f} MB; load {os.getloadavg()[0]:.1f}")
    for stream in streams:
        stream.cancel()


async def look(client: Client, start: float) -> float:
    await client.changed.wait()
    return time.perf_counter() - start


async def main(game: str, people: list[str]) -> None:
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "TABLEWRIGHT_HOME": home, "NO_COLOR": "1"}
        command = [sys.executable, "-m", "companion.cli"]
        made = await asyncio.create_subprocess_exec(*command, "new", game, *people, "--table", "t", env=env)
        assert await made.wait() == 0
        server = await asyncio.create_subprocess_exec(
            *command, "serve", "t", "--host", "127.0.0.1", env=env, stdout=asyncio.subprocess.PIPE
        )
        assert server.stdout is not None
        links: list[tuple[str, str]] = []
        while len(links) < 2:
            links += re.findall(r"//127\.0\.0\.1:(\d+)/#(\S+)", (await server.stdout.readline()).decode())
        try:
            await measure(int(links[0][0]), links[0][1], links[1][1], server.pid)
        finally:
            server.terminate()
            await server.wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2:]))
