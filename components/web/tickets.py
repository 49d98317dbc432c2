"""Tickets: what a page shows with every request, so that knowing the address alone opens nothing."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from hmac import compare_digest

BYTES = 16
"""128 bits cannot be guessed."""


class Tickets:
    """The holders of tickets. A ticket stands in the fragment of a link, which browsers never send, and comes back in a
    header; several people may hold several, and each can be taken back."""

    def __init__(self, held: Mapping[str, str] | None = None) -> None:
        self.held = dict(held or {})
        """Ticket -> its holder."""

    def new(self, holder: str) -> str:
        """A new ticket for somebody."""
        ticket = secrets.token_urlsafe(BYTES)
        self.held[ticket] = holder
        return ticket

    def holder(self, shown: str) -> str | None:
        """Whose ticket that is; None: nobody's. It takes as long for a wrong ticket as for a right one."""
        found = None
        for ticket, holder in list(self.held.items()):
            if compare_digest(ticket.encode(), shown.encode()):
                found = holder
        return found

    def take_back(self, ticket: str) -> None:
        """The ticket opens nothing from now on."""
        self.held.pop(ticket, None)
