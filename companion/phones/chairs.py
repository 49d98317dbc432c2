"""Tickets and their rights: kept beside the table so that a restart keeps every phone, and its open questions.

A ticket stands for a seat, for somebody who has no seat yet and may take one, or for a spectator.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from companion.engine.table.shelf import SERVED
from components.files import write_whole
from components.web.tickets import Tickets

GUEST, WATCHER = "guest", "watcher"
"""Holders who have no seat: one may take one, the other only looks on."""
SEAT = "seat:"


class Served(Exception):
    """Another server has the table: each would forget the other's tickets."""


class Kept(msgspec.Struct):
    """The data that outlast the server: its port, every ticket with its holder, and the questions to the table."""

    port: int = 0
    tickets: dict[str, str] = {}
    board: Any = None


class Chairs:
    """The tickets of one table and what it is asked, in a file beside it that only this user can read."""

    def __init__(self, table: Path) -> None:
        """`table`: the file of the table. What is kept of an earlier server is used again."""
        self.file = table.parent / SERVED / f"{table.name.removesuffix('.db')}.json"
        kept = Kept()
        with suppress(OSError, msgspec.MsgspecError):
            kept = msgspec.json.decode(self.file.read_bytes(), type=Kept)
        self.port = kept.port
        self.board = kept.board
        """The notices before everybody, as plain data."""
        self.tickets = Tickets(kept.tickets)

    def of(self, holder: str) -> str:
        """The ticket of a holder: the one there is, or a new one."""
        known = next((ticket for ticket, who in self.tickets.held.items() if who == holder), "")
        return known or self.new(holder)

    def new(self, holder: str) -> str:
        """A new ticket. Raises OSError if it cannot be kept."""
        ticket = self.tickets.new(holder)
        self.keep()
        return ticket

    def renew(self) -> None:
        """No ticket of before opens anything any more. Raises OSError."""
        self.tickets.held.clear()
        self.keep()

    def lock_out(self, holder: str) -> None:
        """No ticket of that holder opens anything any more. Raises OSError."""
        for ticket in [ticket for ticket, who in self.tickets.held.items() if who == holder]:
            self.tickets.take_back(ticket)
        self.keep()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Be the only server of the table; one that is killed lets go of it. Raises Served."""
        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with closing(sqlite3.connect(self.file.with_suffix(".lock"), timeout=0, isolation_level=None)) as lock:
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError:
                raise Served(f"this table is served already, at port {self.port}") from None
            yield

    def keep(self) -> None:
        """Write everything down. Raises OSError."""
        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        content = msgspec.json.encode(Kept(self.port, self.tickets.held, self.board))
        write_whole(self.file, content, private=True)


def seat_of(holder: str) -> str:
    """The seat for which a ticket stands; "" for none."""
    return holder.removeprefix(SEAT) if holder.startswith(SEAT) else ""


__all__ = ["GUEST", "SEAT", "WATCHER", "Chairs", "Served", "seat_of"]
