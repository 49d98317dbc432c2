"""The commands about what lies on the table: printed, diff."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from components.phrasing import count
from generator.cli.common import (
    Progress,
    Usage,
    asked_modules,
    asked_seats,
    parsed_sets,
    plain,
    settings,
    the_game,
    words,
)
from generator.cli.options import AsJson, Game, Modules, Players, Seats, Sets, Variants


def printed(
    game: Game = "",
    build: Annotated[
        str, typer.Option(metavar="NAME", help="The build that was printed, e.g. a4-long. Default: the newest.")
    ] = "",
    out: Annotated[Path | None, typer.Option(help="Folder of the build. Default: output.", show_default=False)] = None,
    show: Annotated[bool, typer.Option("--show", help="Only show the record.")] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Delete the record.")] = False,
    json: AsJson = False,
) -> None:
    """Record that you have printed the sheets of the newest build.

    \b
    Examples:
      pnp printed warring-states
      pnp printed warring-states --build letter-gutterfold
    """
    from generator.build import printed as book
    from generator.build.manifest import read_manifest

    game = the_game(game)
    if forget:
        was = book.forget(settings.places, game)
        print(f"{game}: {'forgotten' if was else 'nothing was recorded'}")
        return
    if show:
        found = book.read_printed(settings.places, game)
    else:
        builds = read_manifest((out or settings.out) / game, game).builds
        chosen = [name for name in builds if not build or name == build or name.rpartition(".")[0] == build]
        if not chosen:
            have = ", ".join(dict.fromkeys(name.rpartition(".")[0] for name in builds))
            raise Usage(
                f"{game} has no build '{build}'; builds: {have}"
                if builds and build
                else f"{game} has not been built yet; build and print it first: pnp build {game}"
            )
        found = book.record(settings.places, game, builds[chosen[-1]])
    copies = sum(piece.copies for piece in found.pieces)
    if json:
        print(plain({"version": book.BARE, "game": found.game, "ink": found.ink, "pieces": found.pieces}))
        return
    print(f"{game}: {count(copies, 'piece')} on the table ({len(found.pieces)} different), ink {found.ink}")


class Difference(msgspec.Struct, kw_only=True):
    """The report of `pnp diff --json`."""

    game: str
    changes: list[dict[str, object]]
    throw_away: int
    to_print: int


def diff(
    game: Game = "",
    players: Players = None,
    seats: Seats = None,
    modules: Modules = None,
    variant: Variants = None,
    set: Sets = None,
    json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not show progress.")] = False,
) -> None:
    """Show which printed pieces are out of date, and what has changed on them.

    \b
    Example:
      pnp diff warring-states --set army_cost=3
    """
    from generator.build.changes import all_changes
    from generator.build.incremental import program_digest, resolve
    from generator.build.options import Job, Options
    from generator.build.printed import read_printed

    game = the_game(game)
    ink = read_printed(settings.places, game).ink
    options = Options(
        out=settings.out,
        players=players,
        seats=asked_seats(seats, players),
        modules=asked_modules(modules),
        variants=words(variant),
        sets=parsed_sets(set),
        ink=ink,
        changed=True,
    )
    resolved = resolve(game, options, settings.places)
    job = Job(game=resolved, options=options, places=settings.places, program=program_digest())
    progress = Progress(quiet=quiet)
    found = all_changes(job, progress)
    progress.end()
    away, fresh = sum(c.throw_away for c in found), sum(c.to_print for c in found)
    if json:
        rows = [
            {"piece": c.piece, "kind": c.kind, "old": c.old, "new": c.new, "says": c.says, "throw_away": c.throw_away}
            for c in found
        ]
        print(plain(Difference(game=game, changes=rows, throw_away=away, to_print=fresh)))
        return
    for change in found:
        copies = f"{change.old} -> {change.new}" if change.old != change.new else count(change.new, "copy", "copies")
        print(f"{change.kind:<8} {change.piece} ({copies})")
        for line in change.says:
            print(f"           {line}")
    if not found:
        print(f"{game}: all printed pieces are up to date")
    else:
        asked = [f"--players {players}"] if players else [f"--seats {','.join(options.seats)}"] if options.seats else []
        asked += [f"--modules {','.join(options.modules)}"] if options.modules else []
        asked += [f"--variant {name}" for name in words(variant)] + [f"--set {shlex.quote(text)}" for text in set or ()]
        again = " ".join(["pnp build", game, *asked, "--changed"])
        print(f"{game}: {count(away, 'copy', 'copies')} to throw away, {fresh:,} to print: {again}")
