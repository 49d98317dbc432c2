"""Events from the server to its pages: one numbered stream, read with `fetch`, so that a ticket can go with it.

A page that was away says which event it saw last and is sent what it missed; if that is no longer kept, it is told to
begin anew (`reset`).
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import msgspec

KEPT = 512
"""Events that are kept for pages that were away."""
WAITING = 256
"""Events that may wait for a page that does not read; then its stream ends, and it asks for what it missed."""
PING = 10.0
"""Seconds of silence after which a page is told that the server is still there."""
MOST = 200
"""Streams at a time."""
PADDING = b":" + b" " * 2048 + b"\n\n"
"""Some programs between server and page pass nothing on before they have read so much."""


class Event(msgspec.Struct, frozen=True):
    """One event, as it is sent. `to`: the holder of a ticket who alone may see it; empty: everybody."""

    number: int
    wire: bytes
    to: str = ""


def _wire(number: int, kind: str, data: bytes) -> bytes:
    return f"id: {number}\nevent: {kind}\ndata: ".encode() + data + b"\n\n"


class _Reader:
    def __init__(self, holder: str) -> None:
        self.holder = holder
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(WAITING)

    def give(self, wire: bytes) -> None:
        try:
            self.queue.put_nowait(wire)
        except asyncio.QueueFull:
            self.end()

    def end(self) -> None:
        while not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(None)


class Events:
    """The stream. `publish` may be called from any thread; everything else belongs to the server's."""

    def __init__(self) -> None:
        self.run = secrets.token_hex(4)
        """Tells the numbers of this run of the server from those of another."""
        self.last = 0
        self.began = 0
        """The number of streams begun."""
        self._kept: deque[Event] = deque(maxlen=KEPT)
        self._readers: set[_Reader] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: deque[tuple[str, bytes, str, dict[str, bytes]]] = deque()
        self._closed = False

    @property
    def readers(self) -> int:
        """The number of pages that listen."""
        return len(self._readers)

    @property
    def holders(self) -> set[str]:
        """Whose pages listen."""
        return {reader.holder for reader in list(self._readers)}

    def publish(self, kind: str, data: Any, to: str = "", now: Mapping[str, bytes] | None = None) -> None:
        """Tell every page, or only that of one holder. `data` is anything that can be JSON. `now`: holder -> JSON that
        the pages which listen now get instead; those that come later get `data`, and ask."""
        self._waiting.append((kind, msgspec.json.encode(data), to, dict(now or {})))
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._flush)

    def begin(self) -> None:
        """The server's loop runs: from now on events are sent as they come, after an earlier one ended, too."""
        self._closed = False
        self._loop = asyncio.get_running_loop()
        self._flush()

    def close(self) -> None:
        """End every stream in order. May be called from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._end)

    def _end(self) -> None:
        self._closed = True
        for reader in self._readers:
            reader.end()

    def _flush(self) -> None:
        while self._waiting:
            kind, data, to, now = self._waiting.popleft()
            self.last += 1
            event = Event(self.last, _wire(self.last, kind, data), to)
            self._kept.append(event)
            wires = {holder: _wire(self.last, kind, own) for holder, own in now.items()}
            for reader in self._readers:
                if to in ("", reader.holder):
                    reader.give(wires.get(reader.holder, event.wire))

    def full(self) -> bool:
        """True if nobody else can listen now."""
        return self._closed or len(self._readers) >= MOST

    async def stream(self, holder: str, run: str, after: int, still: Callable[[], bool]) -> AsyncIterator[bytes]:
        """The events for a page after `after` of `run`; `still`: true as long as its ticket is good."""
        reader = _Reader(holder)
        oldest = self._kept[0].number if self._kept else self.last + 1
        missed = [event for event in self._kept if event.number > after and event.to in ("", holder)]
        known = run == self.run and oldest - 1 <= after <= self.last
        self._readers.add(reader)
        self.began += 1
        try:
            yield PADDING
            hello = msgspec.json.encode({"run": self.run, "number": self.last, "reset": not known}).decode()
            yield f"event: hello\ndata: {hello}\n\n".encode()
            for old in missed if known else ():
                yield old.wire
            while not self._closed:
                wire: bytes | None
                try:
                    async with asyncio.timeout(PING):
                        wire = await reader.queue.get()
                except TimeoutError:
                    if not still():
                        return
                    yield b": still here\n\n"
                    continue
                if wire is None or not still():
                    return
                yield wire
        finally:
            self._readers.discard(reader)
