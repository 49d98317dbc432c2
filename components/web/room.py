"""Binding, running and ending in order: a server that Ctrl-C stops at once, pages open or not, and nobody holds up."""

from __future__ import annotations

import asyncio
import errno
import socket
import sys
from collections.abc import Callable
from types import FrameType

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from components.web.site import Site

LOOPBACK = "127.0.0.1"
NEXT = 20
"""So many ports above a busy one are tried."""
SECONDS_FOR_HEAD = 10.0
"""A connection that has not said what it wants by then is closed."""
MOST_CONNECTIONS = 400
ENDING = 2
"""Seconds that answers under way have when the server ends."""


class Room:
    """One server on one address. `port` 0 takes any; a busy one makes it take the next (`moved`)."""

    def __init__(self, site: Site, host: str = LOOPBACK, port: int = 0, names: tuple[str, ...] = ()) -> None:
        """Bind. `names`: by what else the server may be called. Raises OSError if no port is free."""
        self.site = site
        self._socket = _bound(host, port)
        self.host = host
        self.port: int = self._socket.getsockname()[1]
        self.moved = bool(port) and self.port != port
        known = ("localhost", LOOPBACK) if host == LOOPBACK else (_literal(host),)
        called = [f"{name}:{self.port}".lower() for name in (*known, *names)]
        app = site.app([*called, *(name.removesuffix(":80") for name in called)])
        config = uvicorn.Config(
            app,
            http=_Patience,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            limit_concurrency=MOST_CONNECTIONS,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=ENDING,
        )
        self._server = _Server(config, site)

    @property
    def address(self) -> str:
        """The address of the server, without a ticket."""
        return f"http://{_literal(self.host)}:{self.port}/"

    def link(self, ticket: str) -> str:
        """The link that opens the page for the holder of a ticket."""
        return f"{self.address}#{ticket}"

    def run(self, ready: Callable[[], None] | None = None) -> None:
        """Serve until `stop`, or until Ctrl-C, which is raised again when everything has ended."""
        self._server.ready = ready
        asyncio.run(self._server.serve([self._socket]))

    def stop(self) -> None:
        """End in order. May be called from any thread."""
        self._server.end()


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, site: Site) -> None:
        super().__init__(config)
        self.site = site
        self.ready: Callable[[], None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.site.events.begin()
        if self.ready is not None:
            self.ready()

    def end(self) -> None:
        self.should_exit = True
        self.site.events.close()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.site.events.close()  # or the server would wait for the pages that listen
        super().handle_exit(sig, frame)


class _Patience(H11Protocol):
    """The protocol of the server with an end to its patience: for what takes for ever to say what it wants, and for
    more connections than anybody needs."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
            return
        self._wait()

    def data_received(self, data: bytes) -> None:
        before = self.scope
        super().data_received(data)
        if self.scope is not before:
            self._heard()
        elif self._late is None and (self.cycle is None or self.cycle.response_complete):
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._heard()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._late = self.loop.call_later(SECONDS_FOR_HEAD, self._close)

    def _heard(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _close(self) -> None:
        self._late = None
        if not self.transport.is_closing():
            self.transport.close()


def _literal(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _bound(host: str, port: int) -> socket.socket:
    """A socket that listens on the first free port from `port` on."""
    for tried in range(port, port + (NEXT if port else 1)):
        found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
        if sys.platform != "win32":
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, tried))
            found.listen(128)
        except OSError as error:
            found.close()
            if error.errno not in (errno.EADDRINUSE, errno.EACCES) or tried == port + NEXT - 1 or not port:
                raise
            continue
        found.setblocking(False)
        return found
    raise OSError(errno.EADDRINUSE, f"no port from {port} to {port + NEXT - 1} is free")
