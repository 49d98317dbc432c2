"""Nothing is lost and nothing is doubled, whatever happens between phones and the table: taps sent twice and by two at
once, connections cut, the server killed and started anew, a terminal that plays along."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from command_line import Companion

from companion.cli import common
from companion.phones.chairs import GUEST, Chairs
from companion.phones.host import Host

PEOPLE = ("Qin", "Wu", "Chu", "Qi", "Yan", "Zhao", "Han")
PAGES = 8
ENV = {**os.environ, "NO_COLOR": "1"}


class Server:
    """`companion serve` in a process of its own, which may die at any moment."""

    def __init__(self, home: Path, toy: Path, table: str) -> None:
        self.home, self.toy, self.table, self.deaths = home, toy, table, 0
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.start()

    def start(self) -> None:
        command = [
            sys.executable,
            "-c",
            BEGIN,
            str(self.home),
            str(self.toy),
            "serve",
            self.table,
            "--host",
            "127.0.0.1",
        ]
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port)], env=ENV, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(r"//127\.0\.0\.1:(\d+)/#", line):
                self.port = int(found[1])
                break
        self.reader = threading.Thread(target=self.process.stdout.read, daemon=True)
        self.reader.start()

    def kill(self) -> None:
        self.end(signal.SIGKILL)
        self.deaths += 1

    def gone(self) -> None:
        """Let go of a server that a failed test leaves."""
        if self.process.poll() is None:
            self.end(signal.SIGKILL)

    def end(self, how: int) -> None:
        assert self.process.stdout is not None
        self.process.send_signal(how)
        self.process.wait(30)
        self.reader.join(10)
        self.process.stdout.close()

    def line(self, path: str, ticket: str, data: Any = None, through: int = 0) -> http.client.HTTPConnection:
        """A connection on which something has been asked; `through`: the port of a proxy."""
        line = http.client.HTTPConnection("127.0.0.1", through or self.port, timeout=30)
        at = f"127.0.0.1:{self.port}"
        headers = {"host": at, "x-ticket": ticket, "origin": f"http://{at}", "content-type": "application/json"}
        try:
            line.request("GET" if data is None else "POST", path, data and json.dumps(data), headers=headers)
        except BaseException:
            line.close()
            raise
        return line

    def asks(self, path: str, ticket: str, data: Any = None, *, through: int = 0, cut: bool = False) -> tuple[int, Any]:
        """Status and answer; `cut`: hang up before the answer comes. Raises OSError or HTTPException."""
        with contextlib.closing(self.line(path, ticket, data, through)) as line:
            if cut:
                raise OSError("cut")
            answer = line.getresponse()
            return answer.status, json.loads(answer.read())


BEGIN = """
import sys
from pathlib import Path
home, toy, *arguments = sys.argv[1:]
import companion.games
companion.games.__path__.append(toy + "/games")
from companion.cli.common import Settings
Settings.home, Settings.root = Path(home), Path(toy)
from companion.cli.main import main
sys.exit(main(arguments))
"""


class Cutter(threading.Thread):
    """A TCP proxy before the server that cuts connections in the middle, whatever they carry. It ends with `end`."""

    def __init__(self, server: Server, end: threading.Event) -> None:
        super().__init__()
        self.server, self.end, self.rng, self.cuts = server, end, Random(0), 0
        self.door = socket.create_server(("127.0.0.1", 0))
        self.door.settimeout(0.2)
        self.port = self.door.getsockname()[1]

    def run(self) -> None:
        with self.door:
            while not self.end.is_set():
                with contextlib.suppress(OSError):
                    near = self.door.accept()[0]
                    threading.Thread(target=self.carry, args=(near, self.rng.expovariate(1 / 8)), daemon=True).start()

    def carry(self, near: socket.socket, seconds: float) -> None:
        """Carry a connection for some seconds at most."""
        stop = time.monotonic() + seconds
        with near, contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.server.port)) as far:
            other = {near: far, far: near}
            while time.monotonic() < stop and not self.end.is_set():
                for one in select.select([near, far], [], [], 0.2)[0]:
                    if not (data := one.recv(2048)):
                        return
                    other[one].sendall(data)
            self.cuts += 1
            near.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # reset, not closed


class Page(threading.Thread):
    """Listens to the table as pages do: `shown` is the last state it was sent or asked for."""

    def __init__(self, server: Server, ticket: str, through: int, end: threading.Event) -> None:
        super().__init__(daemon=True)
        self.server, self.ticket, self.through, self.end = server, ticket, through, end
        self.known = ("", 0)
        self.shown: dict[str, Any] = {}

    def run(self) -> None:
        while not self.end.is_set():
            with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
                self.listen()
            time.sleep(0.1)

    def listen(self) -> None:
        run, after = self.known
        with contextlib.closing(
            self.server.line(f"/events?run={run}&after={after}", self.ticket, None, self.through)
        ) as line:
            answer, event = line.getresponse(), dict[str, str]()
            while not self.end.is_set():
                said = answer.readline().decode()
                if not said:
                    return
                name, _, text = said.rstrip("\n").partition(": ")
                if said != "\n":
                    event[name] = text
                    continue
                if "event" in event:
                    self.heard(event["event"], json.loads(event["data"]), int(event.get("id", 0)))
                event.clear()

    def heard(self, kind: str, data: Any, number: int) -> None:
        if kind == "hello":
            self.known = data["run"], data["number"] if data["reset"] else self.known[1]
        else:
            self.known = self.known[0], number or self.known[1]
        self.shown = data.get("state") or self.server.asks("/state", self.ticket, through=self.through)[1]


class Phone(threading.Thread):
    """Says one thing after the other, each until it is answered, some of them twice; knows what was recorded."""

    def __init__(self, server: Server, ticket: str, through: int, seed: int, end: threading.Event) -> None:
        super().__init__()
        self.server, self.ticket, self.rng, self.end = server, ticket, Random(seed), end
        self.through = through
        self.recorded: list[str] = []
        self.said = 0
        self.known: list[str] = []
        """Lines that were legal a moment ago."""
        self.wrong: list[Any] = []

    def run(self) -> None:
        while not self.end.is_set():
            try:
                self.say()
            except Exception as error:
                self.wrong.append(repr(error))
                return

    def say(self) -> None:
        name = f"{self.rng.getrandbits(64):016x}"
        twice = self.rng.random() < 0.3
        said = {"told": name, "line": self.something(name)}
        while True:
            try:
                if twice:
                    other = threading.Thread(target=self.again, args=(said,))
                    other.start()
                status, found = self.server.asks(
                    "/say", self.ticket, said, through=self.through, cut=self.rng.random() < 0.1
                )
                if twice:
                    other.join()
                break
            except (OSError, http.client.HTTPException, ValueError):
                time.sleep(0.05)
        self.said += 1
        if status not in (200, 400, 409):
            self.wrong.append((status, found))
        elif status == 200 and found.get("recorded"):
            self.recorded.append(name)
        else:
            self.known = list(found.get("legal_instead", ()))

    def something(self, name: str) -> str:
        """A line that was legal a moment ago: a server names some where it cannot read one, or refuses one."""
        if self.known:
            return self.known.pop(self.rng.randrange(len(self.known)))
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
            found = self.server.asks("/say", self.ticket, {"told": name, "line": "zzzz"})[1]
            legal = found.get("error", "").partition("legal now: ")[2]
            if legal:
                self.known = legal.split(" | ")
                return self.something(name)
        return "pass"

    def again(self, said: Any) -> None:
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
            self.server.asks("/say", self.ticket, said, through=self.through)


@pytest.mark.torture
def test_nothing_is_lost_and_nothing_doubled(companion: Companion, home: Path, toy: Path) -> None:
    most, kills = int(os.environ.get("LINES", "10000")), int(os.environ.get("KILLS", "50"))
    stop = time.monotonic() + float(os.environ.get("SECONDS_OF_CHAOS", "3600"))
    done = Counter[str]()
    while done["lines"] < most and time.monotonic() < stop:  # one game after the other
        name = f"t{done['tables']}"
        with contextlib.ExitStack() as ends:
            assert companion("new", "warring-states", *PEOPLE, "--table", name).status == 0
            server = Server(home, toy, name)
            ends.callback(server.gone)
            done += chaos(server, companion, ends, most - done["lines"], every=max(1, most // kills), stop=stop)
        print(f"{dict(done)}: 0 lost, 0 doubled, no page differs")


def chaos(
    server: Server, companion: Companion, ends: contextlib.ExitStack, most: int, every: int, stop: float
) -> Counter[str]:
    """What happened in one game, or in `most` lines of it, or until `stop`; the server is killed after `every` line of
    so many. `ends`: what has to end whatever happens."""
    path = server.home / "tables" / f"{server.table}.db"
    chairs = Chairs(path)
    seats = [one["seat"] for one in server.asks("/state", chairs.of(GUEST))[1]["seats"]]
    end = threading.Event()
    tickets = [
        server.asks("/sit", chairs.of(GUEST), {"seat": seats[n % len(seats)]})[1]["ticket"] for n in range(PAGES)
    ]
    cutter = Cutter(server, far := threading.Event())
    phones = [Phone(server, ticket, cutter.port, n, end) for n, ticket in enumerate(tickets)]
    listening = [Page(server, ticket, cutter.port, far) for ticket in tickets]
    for one in (cutter, *phones, *listening):
        one.start()
    ends.callback(end.set)
    ends.callback(far.set)
    typed = counted = 0
    over = False
    while counted < most and not over and time.monotonic() < stop:
        time.sleep(0.5)
        typed += companion("note", f"typed {typed}").status == 0
        counted = sum(len(phone.recorded) for phone in phones)
        if counted >= (server.deaths + 1) * every:
            server.kill()
            server.start()
        assert [phone.wrong for phone in phones if phone.wrong] == []
        with contextlib.suppress(OSError):  # a machine may have too much to do
            over = server.asks("/state", chairs.of(GUEST))[1]["over"]
    end.set()
    for phone in phones:
        phone.join(60)
    assert [phone.wrong for phone in phones if phone.wrong] == []
    on_page = server.asks("/state", chairs.of(GUEST))[1]
    late = time.monotonic() + 60
    for page in listening:
        while page.shown != (asked := server.asks("/state", page.ticket)[1]) and time.monotonic() < late:
            time.sleep(0.2)
        assert page.shown == asked, "a page shows something else"
    far.set()
    cutter.join(10)
    assert cutter.cuts
    server.end(signal.SIGINT)
    with Host(path, lambda: common.opened(path)) as host:
        lines = host.run(lambda table: [line.told for line in table.history.lines if line.told])
        notes = host.run(lambda table: [line.text for line in table.history.lines if line.kind == "note"])
        state = host.run(lambda table: table.history.last)
        host.run(lambda table: table.prove())
        assert host.run(lambda table: table.differs) is None
    answered = [name for phone in phones for name in phone.recorded]
    assert len(lines) == len(set(lines)), "doubled"
    assert set(answered) <= set(lines), "lost"
    assert on_page["number"] == state
    assert sum(text.startswith("typed") for text in notes) == typed
    said = sum(phone.said for phone in phones)
    return Counter(
        tables=1, lines=len(lines), said=said, typed=typed, kills=server.deaths, cuts=cutter.cuts, pages=len(listening)
    )
