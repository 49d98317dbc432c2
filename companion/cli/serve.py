"""`companion serve`: the table on every phone."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli import common
from companion.cli.addresses import LOOPBACK, firewall, joining, own_address
from components.program import report
from components.web import LIBRARIES

if TYPE_CHECKING:
    from companion.cli.picture import Land
    from companion.phones.chairs import Chairs
    from companion.phones.host import Host
    from companion.phones.ways import Ways
    from components.web.room import Room
    from components.web.site import Site

PORT = 8137
PATIENCE = 30.0
"""Seconds without a visitor after which the firewall is spoken of."""
LOOK = 5.0
"""Seconds between looks at the address of this machine."""


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
    new: Annotated[bool, typer.Option("--new", help="Begin a new table, on a page.")] = False,
    new_links: Annotated[bool, typer.Option("--new-links", help="Lock out all earlier links and phones.")] = False,
) -> None:
    """Bring a table to everybody's phone.

    Shows a code to scan. Phones need the same Wi-Fi and nothing from the internet; the terminal, other commands and all
    phones play at the same table. Ctrl-C ends it; the table is saved with every line.

    Without a table, or with --new, it opens a page on which anybody can begin one.

    Example: companion serve friday
    """
    try:
        from companion.phones.chairs import GUEST, WATCHER, Chairs
        from companion.phones.host import Host
        from companion.phones.site import TablePages
    except ModuleNotFoundError as error:
        if error.name not in LIBRARIES:
            raise
        raise common.Failure(
            f"pages need {error.name}, which is not installed: pip install 'tablewright[serve]'"
        ) from None

    shelf = common.shelf()
    known = not host
    host = host or _asked_host()
    if new or not (table or shelf.names()):
        chairs, path = _begun(host, port, wifi)
        port = chairs.port
    else:
        path = shelf.existing(table or shelf.last())
        chairs = Chairs(path)
    if new_links:
        chairs.renew()
    with _alone(chairs), Host(path, lambda: common.opened(path)) as shared:
        land = _land(shared)
        ways = _ways(shared, land, wifi)
        if land is not None:
            threading.Thread(target=_ahead, args=(shared, land), name="faces", daemon=True).start()
        pages = TablePages(shared, chairs, _failed, ways)
        try:
            while host:
                room = _room(pages.site, host, port or chairs.port or PORT)
                chairs.port = room.port
                pages.inviting.address = room.address
                guest, watcher = chairs.of(GUEST), chairs.of(WATCHER)
                chairs.keep()
                _welcome(room.link(guest), room.link(watcher), host, room.moved, ways.wifi)
                with _Watch(room, host if known else "") as watch:
                    room.run()
                host = watch.moved
        finally:
            if land is not None:
                land.keep()


def _room(site: Site, host: str, port: int) -> Room:
    from components.web.room import Room

    try:
        return Room(site, host, port)
    except OSError as error:
        raise common.Failure(f"nothing can be served at {host}: {error.strerror}") from None


class _Watch:
    """Looks after a room while it runs: nobody comes, or this machine gets another address (`host`: that it has; "": it
    does not matter)."""

    def __init__(self, room: Room, host: str) -> None:
        self.room, self.host = room, host
        self.moved = ""
        """The new address, if the room ended because of it."""
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._look, name="address", daemon=True)

    def __enter__(self) -> _Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _look(self) -> None:
        waited = 0.0
        while not self._end.wait(LOOK):
            waited += LOOK
            if waited >= PATIENCE > waited - LOOK and not self.room.site.events.began and self.room.host != LOOPBACK:
                _nobody_comes(self.room.port)
            if self.host and self.host != LOOPBACK and (now := own_address()) not in (self.host, LOOPBACK):
                self.moved = now
                common.say(f"This machine is at {now} now; phones need the new code.")
                self.room.stop()
                return


def _nobody_comes(port: int) -> None:
    common.say("Nobody has come yet. A phone in the same Wi-Fi that finds nothing meets a firewall; to let it through:")
    for line in firewall(port) or [f"allow incoming connections for TCP port {port}"]:
        common.say(f"  {line}")
    common.say("If the Wi-Fi keeps guests apart, open a hotspot on one phone and let this machine join it.")


def _begun(host: str, port: int, wifi: str) -> tuple[Chairs, Path]:
    """A table that somebody begins on a page; whoever did holds a ticket for it."""
    from companion.cli.beginning import PageGames
    from companion.phones.beginning import Beginning
    from companion.phones.chairs import GUEST, Chairs

    def stop(name: str) -> None:
        threading.Timer(0.3, room.stop).start()  # the page hears that it has begun

    begins = Beginning(PageGames(), _failed, stop)
    room = _room(begins.site, host, port or PORT)
    common.say("Begin a table on this page; everybody joins by the code that it shows then.")
    _welcome(room.link(begins.ticket), "", host, room.moved, joining(wifi))
    room.run()
    path = common.shelf().existing(begins.table)
    chairs = Chairs(path)
    chairs.tickets.held[begins.ticket] = GUEST
    chairs.port = room.port
    return chairs, path


@contextmanager
def _alone(chairs: Chairs) -> Iterator[None]:
    """One table has one server."""
    from companion.phones.chairs import Served

    try:
        with chairs.alone():
            yield
    except Served as error:
        raise common.Failure(f"{error}: end that server first, or serve another table") from None


def _failed(error: BaseException) -> None:
    """A fault of ours costs one answer of one page."""
    saved = report("companion", "companion serve", error)
    common.remark(f"The details are in {saved}; please report them.")


def _land(shared: Host) -> Land | None:
    """The drawing of the table, for a game with a scene; else None."""
    from companion.cli.picture import Land

    return Land() if shared.run(lambda table: table.rules.scene(table.position) is not None) else None


def _ahead(shared: Host, land: Land) -> None:
    """Draw the faces of the table before the first phone asks for them."""
    from companion.engine.play.secrets import seen_by

    with suppress(Exception):  # told to whoever asks for the table
        at = shared.run(lambda table: seen_by(table.position, ""))
        land.ahead(at)
        lying = land.lying(at)
        for digest, _ in (lying or {}).get("faces", ()):
            land.face(digest)
        land.keep()  # a server that is killed has kept them


def _ways(shared: Host, land: Land | None, wifi: str) -> Ways:
    """The services that only the command line can give to pages."""
    from companion.cli.book import BookPages
    from companion.cli.evening import page
    from companion.cli.picture import colours
    from companion.phones.ways import Ways

    book, joins = BookPages(), joining(wifi)
    return Ways(
        drawing=land,
        resolve=common.resolve,
        load=common.load,
        summary=page,
        book=book,
        wifi=joins,
        colours=colours(shared.run(lambda table: table.rules.game), land),
    )


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
    if watch:
        common.say(f"  to watch only, or for a screen in the middle: {watch}")
    if host == LOOPBACK:
        common.remark("only this machine can open it; --host IP serves a network")
    else:
        common.say("Phones need the same Wi-Fi as this machine. If none gets through, a firewall may be in the way, or")
        common.say("the Wi-Fi keeps guests apart: open a hotspot on one phone, join it with this machine, serve again.")
    common.say("Ctrl-C ends it.")


__all__ = ["own_address", "serve"]
