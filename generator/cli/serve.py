"""The command that serves the designer's live page."""

from __future__ import annotations

import os
import sys
import webbrowser
from typing import Annotated

import typer

from components.program import STOPPED
from components.web import LIBRARIES
from generator.cli.common import Usage, asked_modules, parsed_sets, settings, the_game, words
from generator.cli.options import Game, Modules, Players, Sets, Variants

PORT = 8710


def serve(
    game: Game = "",
    port: Annotated[
        int, typer.Option(min=0, max=65_500, help="Port on this machine; a busy one makes it take the next. 0: any.")
    ] = PORT,
    no_open: Annotated[bool, typer.Option("--no-open", help="Only print the address; do not open a browser.")] = False,
    variant: Variants = None,
    set: Sets = None,
    modules: Modules = None,
    players: Players = None,
) -> None:
    """Show every face of a game in a browser, and update it whenever you save. Stop with Ctrl-C.

    The page is for this machine alone: it needs the whole address, including the part after the #.

    \b
    Examples:
      pnp serve warring-states
      pnp serve --port 9000 --no-open
    """
    try:
        from components.web.room import Room
        from generator.cli.bookmaking import book_pages, table_pages
        from generator.cli.judging import judge
        from generator.live.site import Live
    except ModuleNotFoundError as error:
        if error.name not in LIBRARIES:
            raise
        raise Usage(
            "the live page needs a few more libraries; install them with: pip install 'tablewright[serve]'"
        ) from None
    from components.yamlsource import remember_files
    from generator.build.options import Options

    options = Options(
        out=settings.out,
        variants=words(variant),
        sets=parsed_sets(set),
        modules=asked_modules(modules),
        players=players,
    )
    remember_files()
    project = ("--project", str(settings.project))
    live = Live(
        the_game(game),
        options,
        settings.places,
        _failed,
        judge=judge,
        explained=_explained,
        pages={"book": book_pages, "table": table_pages},
        command=[sys.executable, "-m", "generator.cli", *project],
        companion=[sys.executable, "-m", "companion.cli", *project],
    )
    room = Room(live.site, port=port)
    link = room.link(live.ticket)

    def ready() -> None:
        if room.moved:
            print(f"Port {port} is busy; this is {room.port}.")
        print(f"{live.desk.id}: {link}\nStop with Ctrl-C.", flush=True)
        if not no_open and _has_browser():
            webbrowser.open(link)

    try:
        live.run(room, ready)
    except KeyboardInterrupt:
        print("Stopped.")
        raise typer.Exit(STOPPED) from None


def _has_browser() -> bool:
    """True if a browser would open a window in front of the designer."""
    if os.environ.get("SSH_CONNECTION") or os.environ.get("SSH_TTY"):
        return False
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _explained(error: Exception) -> str | None:
    """The message for a failure that a person can mend; None for any other."""
    from generator.cli.failures import explained

    told = explained(error)
    return told.message if told is not None else None


def _failed(error: BaseException) -> None:
    """A fault of ours, met while a page was served."""
    from components.program import report

    report("pnp", "pnp serve", error)
