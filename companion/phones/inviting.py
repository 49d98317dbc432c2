"""Links: codes to scan on every page, and locking out a phone."""

from __future__ import annotations

import re
from typing import Any

from companion.engine.table.table import Table
from companion.phones.chairs import GUEST, SEAT, WATCHER, Chairs
from companion.phones.host import Host
from components.web.site import Asked, Refused


class Inviting:
    """The links of a table. `address`: where the server is, known once it has bound."""

    def __init__(self, host: Host, chairs: Chairs, wifi: str) -> None:
        self.host, self.chairs, self.wifi = host, chairs, wifi
        self.address = ""

    def links(self, asked: Asked, seat: str) -> Any:
        """Links to join, to watch and, for who sits, to that seat; each with its code."""
        if asked.holder == WATCHER:
            raise Refused("this link is for watching", 403)
        wanted = [("To join the table", GUEST), ("To watch, or for a screen in the middle", WATCHER)]
        if seat:
            called = self.host.run(lambda table: table.named.called(seat))
            wanted.append((f"The seat of {called}, on another phone", SEAT + seat))
        links = [(title, self._link(holder)) for title, holder in wanted]
        found = [{"title": title, "link": link, "code": _code(link)} for title, link in links]
        if self.wifi:
            found.insert(0, {"title": "To join the Wi-Fi", "link": in_words(self.wifi), "code": _code(self.wifi)})
        return found

    def _link(self, holder: str) -> str:
        return f"{self.address}#{self.chairs.of(holder)}"

    def lock_out(self, table: Table, seat: str, said: dict[str, Any]) -> Any:
        """The links of a seat open nothing any more; whoever sits there takes it again by the table's link."""
        other = said.get("seat")
        if other not in table.seats:
            raise Refused("there is no such seat")
        self.chairs.lock_out(SEAT + str(other))
        return {"what": f"the phones of {table.named.called(str(other))} are locked out"}


def in_words(wifi: str) -> str:
    """The network and the password in the text of a code that joins a Wi-Fi."""
    said = {key: re.sub(r"\\(.)", r"\1", value) for key, value in re.findall(r"([SP]):((?:\\.|[^\\;])*);", wifi)}
    return said.get("S", "") + (f", password: {said['P']}" if "P" in said else "")


def _code(text: str) -> str:
    """A QR code as a picture that stands in a page."""
    import segno

    return str(segno.make(text, error="m").svg_data_uri(scale=4, border=3, light="#fff"))


__all__ = ["Inviting", "in_words"]
