"""The gate before every request: is it meant for this server, does it come from this server's own pages?

A page of another site can send requests to a local server, and a name of another site can be made to lead to it (DNS
rebinding). Both are told by the headers that a browser writes and a page cannot change: `Host` and `Origin`.
"""

from __future__ import annotations

from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""No script or style within a page, nothing from elsewhere, no page of others around ours."""
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
SAFE = ("GET", "HEAD")


class Gate:
    """Lets through what comes from our own pages, and marks every answer with what a browser may do with it."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self.app = app
        self.hosts = frozenset(hosts)
        """The values allowed in `Host`: name and port."""
        self.origins = frozenset(f"http://{host}" for host in self.hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return  # nothing else is spoken here

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        why = self.refused(scope["method"], Headers(scope=scope))
        if why:
            status = 421 if why.startswith("host") else 403
            await JSONResponse({"error": why}, status)(scope, receive, marked)
        else:
            await self.app(scope, receive, marked)

    def refused(self, method: str, headers: Headers) -> str:
        """The reason why a request is refused; empty if it may pass."""
        if headers.getlist("host") != [host for host in headers.getlist("host")[:1] if host.lower() in self.hosts]:
            return "host: this server has another name"
        if not headers.getlist("host"):
            return "host: the request does not say whom it is for"
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in self.origins:
            return "origin: the request comes from a page of another site"
        if origin is None and method not in SAFE:
            return "origin: the request does not say which page it comes from"
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return "origin: the request comes from a page of another site"
        return ""
