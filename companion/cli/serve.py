"""`companion serve`: the table on every phone."""

from __future__ import annotations

import re
import socket
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli import common
from components.program import report
from components.web import LIBRARIES

if TYPE_CHECKING:
    from companion.cli.picture import Land
    from companion.phones.host import Host
    from companion.phones.ways import Ways

LOOPBACK = "127.0.0.1"


def serve(
    table: Annotated[
        str, typer.Argument(metavar="[TABLE]", help="The table. Default: the one used last.", show_default=False)
    ] = "",
    host: Annotated[
        str,
        typer.Option("--host", help="The address at which phones find this machine. Default: asked for.", metavar="IP"),
    ] = "",
    port: Annotated[int, typer.Option("--port", help="Port; a busy one makes it take the next.", min=0, max=65535)] = 0,
    wifi: Annotated[
        str, typer.Option("--wifi", help="Also show a code that joins this Wi-Fi.", metavar="NAME:PASSWORD")
    ] = "",
    new_links: Annotated[
        bool, typer.Option("--new-links", help="Every link and phone of before is locked out.")
    ] = False,
) -> None:
    """Bring a table to everybody's phone.

    Shows a code to scan. Phones need the same Wi-Fi and nothing from the internet; the terminal, other commands and all
    phones play at the same table. Ctrl-C ends it; the table is saved with every line.

    Example: companion serve friday
    """
    try:
        from companion.phones.chairs import GUEST, WATCHER, Chairs
        from companion.phones.host import Host
        from companion.phones.site import TablePages
        from components.web.room import Room
    except ModuleNotFoundError as error:
        if error.name not in LIBRARIES:
            raise
        raise common.Failure(
            f"pages need {error.name}, which is not installed: pip install 'tablewright[serve]'"
        ) from None

    shelf = common.shelf()
    path = shelf.existing(table or shelf.last())
    chairs = Chairs(path)
    if new_links:
        chairs.renew()
    host = host or _asked_host()
    with Host(path, lambda: common.opened(path)) as shared:
        land = _land(shared)
        ways = _ways(land, wifi)
        pages = TablePages(shared, chairs, _failed, ways)
        try:
            room = Room(pages.site, host, port or chairs.port or 8137)
        except OSError as error:
            raise common.Failure(f"nothing can be served at {host}: {error.strerror}") from None
        chairs.port = room.port
        pages.inviting.address = room.address
        guest, watcher = chairs.of(GUEST), chairs.of(WATCHER)
        chairs.keep()
        _welcome(room.link(guest), room.link(watcher), host, room.moved, ways.wifi)
        try:
            room.run()
        finally:
            if land is not None:
                land.keep()


def _failed(error: BaseException) -> None:
    """A fault of ours costs one answer of one page."""
    saved = report("companion", "companion serve", error)
    common.remark(f"The details are in {saved}; please report them.")


def _land(shared: Host) -> Land | None:
    """What draws the table, for a game that has a scene."""
    from companion.cli.picture import Land

    return Land() if shared.run(lambda table: table.rules.scene(table.position) is not None) else None


def _ways(land: Land | None, wifi: str) -> Ways:
    """What pages may do with what only the command line knows."""
    from companion.cli.book import BookPages
    from companion.cli.evening import page
    from companion.phones.ways import Ways

    book, joins = BookPages(), _joining(wifi)
    return Ways(drawing=land, resolve=common.resolve, load=common.load, summary=page, book=book, wifi=joins)


def _joining(wifi: str) -> str:
    """What a code says that joins a Wi-Fi: `NAME` or `NAME:PASSWORD`."""
    if not wifi:
        return ""
    name, _, password = (re.sub(r"([\\;,:\"])", r"\\\1", part) for part in wifi.partition(":"))
    return f"WIFI:T:{'WPA' if password else 'nopass'};S:{name};{f'P:{password};' if password else ''};"


def _asked_host() -> str:
    """The address of this machine that phones can reach; on a terminal the host confirms it."""
    found = own_address()
    if found == LOOPBACK or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return found
    common.say(f"Everybody in the network of {found} will be able to reach this table by its link.")
    said = typer.prompt("Serve it there? (y: yes, n: only on this machine, or another address)", default="y").strip()
    if said.lower() in ("y", "yes"):
        return found
    return LOOPBACK if said.lower() in ("n", "no") else said


def own_address() -> str:
    """The address of the network interface through which this machine reaches others; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return LOOPBACK


def _welcome(link: str, watch: str, host: str, moved: bool, wifi: str) -> None:
    """The code, the address, and what to do if no phone finds it."""
    import segno

    if moved:
        common.remark("the usual port is busy; another one is used, so links of before do not work")
    if wifi:
        common.say("This joins the Wi-Fi:")
        segno.make(wifi, error="m").terminal(compact=True, border=2)
    common.say("Scan this, or type the address into a phone's browser:")
    segno.make(link, error="m").terminal(compact=True, border=2)
    common.say(f"  {link}")
    common.say(f"  to watch only: {watch}")
    if host == LOOPBACK:
        common.remark("only this machine can open it; --host IP serves a network")
    else:
        common.say("Phones need the same Wi-Fi as this machine. If none gets through, a firewall may be in the way, or")
        common.say("the Wi-Fi keeps guests apart: open a hotspot on one phone, join it with this machine, serve again.")
    common.say("Ctrl-C ends it.")


__all__ = ["own_address", "serve"]
