"""The offer of a server: pages, their requests (GET) and reports (POST), faces by digest, and one stream of events."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from components.web.events import Events
from components.web.gate import Gate
from components.web.tickets import Tickets

TICKET = "x-ticket"
"""The header with the ticket."""
MOST_BODY = 1024 * 1024
"""Bytes that a page may send at once."""
SLOW = 10.0
"""Seconds in which it has to arrive."""
MEDIA = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
}
LEVEL = 5
"""The compression level of answers: more takes longer and saves little."""
SMALL = 1000
"""Bytes of an answer that is not worth packing."""
FACE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox"
"""A face that is opened by itself is a picture and nothing else; a report is a page that nothing runs in."""

MADE_POLICY = "frame-ancestors 'none'; script-src 'none'"
"""Of a file that is handed out; more would keep browsers from showing a PDF."""


class Refused(Exception):
    """A request that cannot be granted; the page shows the message. `more`: further data beside it."""

    def __init__(self, message: str, status: int = 400, **more: Any) -> None:
        super().__init__(message)
        self.status = status
        self.more = more


class Asked(msgspec.Struct, frozen=True):
    """A request of a page: who asks, and what it says (of a GET, its query as texts)."""

    holder: str
    data: Any = None


class Made(msgspec.Struct, frozen=True):
    """A file that the program made, and by what name it is saved."""

    content: bytes
    media: str
    name: str


class Ready:
    """An answer that many ask for, made ready to be sent once."""

    def __init__(self, data: Any) -> None:
        self.content = msgspec.json.encode(data)

    @cached_property
    def packed(self) -> bytes:
        """The same, packed by gzip."""
        return gzip.compress(self.content, LEVEL)


Handler = Callable[[Asked], Any]
"""Answers a request with something that can be JSON, or is `Ready`. It runs in a thread of its own; it may raise
`Refused`."""


class Site:
    """The offer of one server. Only the paths given here exist; none of them leads to a file."""

    def __init__(self, tickets: Tickets, failed: Callable[[BaseException], None]) -> None:
        self.tickets = tickets
        self.events = Events()
        self._failed = failed
        """Told of every fault of ours, which a page only learns happened."""
        self._routes = [Route("/events", self._listen, methods=["GET"])]

    def page(self, path: str, file: Path) -> None:
        """Serve a file of the program at `path`, as it is now."""
        content = file.read_bytes()
        mark = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
        headers = {"cache-control": "no-cache", "etag": mark}

        async def answer(request: Request) -> Response:
            if request.headers.get("if-none-match") == mark:
                return Response(status_code=304, headers=headers)
            return Response(content, media_type=MEDIA[file.suffix], headers=headers)

        self._routes.append(Route(path, answer, methods=["GET"]))

    def faces(self, find: Callable[[str], bytes | None], ending: str = ".svg") -> None:
        """Serve pictures that everybody may see, at `/face/<digest>.svg` (or another ending of `MEDIA`); `find` is None
        for a digest of none."""

        async def answer(request: Request) -> Response:
            digest = request.path_params["digest"]
            if not (16 <= len(digest) <= 64 and digest.isalnum() and digest.isascii()):
                return _json({"error": "there is no such face"}, 404)
            try:
                content = await run_in_threadpool(find, digest)
            except Exception as error:
                self._failed(error)
                return _json({"error": "the face cannot be drawn"}, 500)
            if content is None:
                return _json({"error": "there is no such face"}, 404)
            headers = {"cache-control": "public, max-age=31536000, immutable", "content-security-policy": FACE_POLICY}
            return Response(content, media_type=MEDIA[ending], headers=headers)

        self._routes.append(Route(f"/face/{{digest}}{ending}", answer, methods=["GET"]))

    def made(self, find: Callable[[str], Made | None]) -> None:
        """Hand out files that the program made, at `/made/<token>`: a token opens one file, and nobody can guess it."""

        async def answer(request: Request) -> Response:
            found = await run_in_threadpool(find, request.path_params["token"])
            if found is None:
                return _json({"error": "there is nothing here"}, 404)
            name = "".join(sign if sign.isascii() and (sign.isalnum() or sign in "-_.") else "_" for sign in found.name)
            page = found.media == MEDIA[".html"]
            how = "inline" if page or found.media in ("application/pdf", "image/png") else "attachment"
            policy = FACE_POLICY if page else MADE_POLICY
            headers = {"content-disposition": f'{how}; filename="{name}"', "content-security-policy": policy}
            return Response(found.content, media_type=found.media, headers=headers)

        self._routes.append(Route("/made/{token}", answer, methods=["GET"]))

    def ask(self, path: str, handler: Handler) -> None:
        """Answer GET requests of ticket holders at `path`."""

        async def answer(request: Request) -> Response:
            return await self._answered(request, handler, dict(request.query_params))

        self._routes.append(Route(path, answer, methods=["GET"]))

    def say(self, path: str, handler: Handler, most: int = MOST_BODY) -> None:
        """Answer POST requests of ticket holders at `path`, whose bodies are JSON of at most so many bytes."""

        async def answer(request: Request) -> Response:
            holder = self._holder(request)
            if holder is None:
                return _NO_TICKET()
            try:
                data = await _body(request, most)
            except Refused as error:
                return _json({"error": str(error)}, error.status, close=True)
            return await self._answered(request, handler, data)

        self._routes.append(Route(path, answer, methods=["POST"]))

    def app(self, hosts: Iterable[str]) -> Starlette:
        """The site as an application for a server that is called by any of `hosts` (name and port)."""
        return Starlette(
            routes=self._routes,
            middleware=[
                Middleware(Gate, hosts=hosts),
                Middleware(GZipMiddleware, minimum_size=SMALL, compresslevel=LEVEL),
            ],
            exception_handlers={404: _missing, 405: _missing},
        )

    def _holder(self, request: Request) -> str | None:
        return self.tickets.holder(request.headers.get(TICKET, ""))

    async def _answered(self, request: Request, handler: Handler, data: Any) -> Response:
        holder = self._holder(request)
        if holder is None:
            return _NO_TICKET()
        try:
            found = await run_in_threadpool(handler, Asked(holder, data))
            return _ready(found, request) if isinstance(found, Ready) else _json(found)
        except Refused as error:
            return _json({"error": str(error), **error.more}, error.status)
        except Exception as error:
            self._failed(error)
            return _json({"error": "a bug in the program: the terminal says more"}, 500)

    async def _listen(self, request: Request) -> Response:
        holder = self._holder(request)
        if holder is None:
            return _NO_TICKET()
        if self.events.full():
            return _json({"error": "too many pages are open"}, 503)
        after = request.query_params.get("after", "")
        number = int(after) if after.isascii() and after.isdigit() and len(after) < 16 else 0
        run = request.query_params.get("run", "")
        stream = self.events.stream(holder, run, number, lambda: self._holder(request) is not None)
        return StreamingResponse(stream, media_type="text/event-stream", headers={"cache-control": "no-store"})


def _NO_TICKET() -> Response:
    return _json({"error": "open the whole link that the terminal shows, including the part after the #"}, 401)


def _json(data: Any, status: int = 200, *, close: bool = False) -> Response:
    headers = {"connection": "close"} if close else None
    return Response(msgspec.json.encode(data), status, media_type="application/json", headers=headers)


def _ready(found: Ready, request: Request) -> Response:
    headers = {"vary": "accept-encoding"}
    if len(found.content) < SMALL or "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(found.content, media_type="application/json", headers=headers)
    return Response(found.packed, media_type="application/json", headers={**headers, "content-encoding": "gzip"})


async def _missing(_request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    return _json({"error": "there is nothing here" if status == 404 else "this cannot be done here"}, status)


async def _body(request: Request, most: int) -> Any:
    """The JSON of a request. Raises Refused for what is too large, too slow or no JSON."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Refused("send JSON", 415)
    too_large = Refused(f"more than {most} bytes", 413)
    said = request.headers.get("content-length", "0")
    if not said.isdigit() or int(said) > most:
        raise too_large
    content = b""
    try:
        async with asyncio.timeout(SLOW):
            async for chunk in request.stream():
                content += chunk
                if len(content) > most:
                    raise too_large
    except TimeoutError:
        raise Refused("the request took too long", 408) from None
    except ClientDisconnect:
        raise Refused("the page went away") from None
    try:
        return msgspec.json.decode(content) if content else None
    except msgspec.DecodeError as error:
        raise Refused(f"this is not JSON: {error}") from None
    except RecursionError:
        raise Refused("this is nested too deeply") from None
