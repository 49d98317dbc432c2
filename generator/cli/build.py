"""The commands that make sheets: build, watch, calibrate."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Literal

import typer

from generator.build import incremental
from generator.build.options import ONE_PDF, Options
from generator.cli.common import (
    Progress,
    Usage,
    asked_modules,
    asked_seats,
    file_formats,
    parsed_sets,
    settings,
    the_game,
    words,
    written,
)
from generator.cli.options import (
    AsJson,
    BackShift,
    BacksOption,
    Cut,
    Game,
    Ink,
    Modules,
    Out,
    Paper,
    Players,
    Seats,
    Sets,
    Variants,
)
from generator.cli.run_build import run_build, told

MOST_SHIFT = 5.0
"""A back that is further off its front (mm) was fed askew, and no shift mends it."""


def build(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAME…", help="Games to build. Default: the only one.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Build all games.")] = False,
    paper: Paper = "a4",
    backs: BacksOption = "long",
    format: Annotated[str, typer.Option(help="pdf, svg, png or several, separated by commas.")] = "pdf",
    players: Players = None,
    seats: Seats = None,
    modules: Modules = None,
    variant: Variants = None,
    set: Sets = None,
    ink: Ink = "normal",
    changed: Annotated[
        bool, typer.Option("--changed", help="Build only pieces that differ from the printed ones.")
    ] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="KIND|DECK", help="Build only this kind, deck or piece. Repeat for more."),
    ] = None,
    one_pdf: Annotated[
        bool, typer.Option("--one-pdf", help="One PDF of everything in print order, with an assembly sheet.")
    ] = False,
    out: Out = None,
    jobs: Annotated[
        int, typer.Option(min=0, max=64, help="How many processes draw and write at the same time; 0: one per core.")
    ] = 0,
    cut: Cut = None,
    back_shift: BackShift = None,
    dpi: Annotated[int, typer.Option(min=50, max=1200, help="Resolution of PNG sheets.")] = 300,
    json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not show progress.")] = False,
) -> None:
    """Make or update the printable sheets of games.

    \b
    Examples:
      pnp build warring-states --paper letter --backs gutterfold
      pnp build --all
      pnp build dynasties --one-pdf
      pnp build great-wall --modules black_powder,rat --players 4
      pnp build warring-states --set army_cost=3 --changed
    """
    options = Options(
        out=out if out is not None else settings.out,
        paper=paper.lower(),
        backs=backs,
        formats=_kinds(file_formats(format), one_pdf),
        players=players,
        seats=asked_seats(seats, players),
        modules=asked_modules(modules),
        variants=words(variant),
        sets=parsed_sets(set),
        ink=ink,
        cut=cut or "",
        back_shift=_shift(back_shift),
        changed=changed,
        only=words(only),
        jobs=jobs or os.cpu_count() or 1,
        dpi=dpi,
    )
    run_build(games or [], every, options, as_json=json, quiet=quiet)


def _shift(said: str | None) -> tuple[float, float] | None:
    """`RIGHT,DOWN` as two numbers. Raises Usage."""
    if said is None:
        return None
    try:
        right, down = (float(word) for word in said.split(","))
    except ValueError:
        right = down = MOST_SHIFT + 1
    if not (abs(right) <= MOST_SHIFT and abs(down) <= MOST_SHIFT):
        raise Usage(f"--back-shift takes two numbers of at most {MOST_SHIFT:g} mm, e.g. 0.8,-0.5; found '{said}'")
    return right, down


def _kinds(formats: tuple[str, ...], one_pdf: bool) -> tuple[str, ...]:
    """The kinds of file to make. Raises Usage if there is no PDF among them that could be the one."""
    if one_pdf and "pdf" not in formats:
        raise Usage("--one-pdf makes a PDF: add pdf to --format")
    return tuple(ONE_PDF if one_pdf and kind == "pdf" else kind for kind in formats)


def watch(
    game: Game = "",
    paper: Paper = "a4",
    backs: BacksOption = "long",
    ink: Ink = "normal",
    variant: Variants = None,
    set: Sets = None,
    out: Out = None,
    every: Annotated[float, typer.Option(min=0.1, max=60, help="Seconds between checks of the files.")] = 0.5,
    times: Annotated[int, typer.Option(min=0, help="Stop after this many builds; 0: never.", hidden=True)] = 0,
) -> None:
    """Rebuild a game whenever one of its files changes. Stop with Ctrl-C.

    \b
    Example:
      pnp watch warring-states --paper a4
    """
    from generator.build.watch import watch as follow

    options = Options(
        out=out if out is not None else settings.out,
        paper=paper.lower(),
        backs=backs,
        ink=ink,
        variants=words(variant),
        sets=parsed_sets(set),
    )

    game = the_game(game)

    def once() -> None:
        from generator.cli.failures import explained

        try:
            print(told(incremental.build(the_game(game), options, settings.places, Progress(quiet=True))), flush=True)
        except Exception as error:
            known = explained(error)
            if known is None:
                raise
            print(known[0], file=sys.stderr, flush=True)

    follow(game, settings.places, once, every, times)


def calibrate(
    paper: Paper = "a4",
    backs: Annotated[
        Literal["long", "short"], typer.Option(help="Edge over which the printer turns the paper.")
    ] = "long",
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Make a page to measure your printer: scale, margins and the offset of the backs.

    \b
    Example:
      pnp calibrate --paper letter
    """
    from generator.build.calibrate import calibration
    from generator.build.project import read_papers
    from generator.build.selection import known_paper
    from generator.faces.fonts import FontBook

    folder = out if out is not None else settings.out
    chosen = known_paper(paper.lower(), read_papers(settings.places))
    fonts = FontBook({}, settings.project, settings.places.kept("fonts"))
    file = calibration(chosen, backs, folder, fonts)
    print(written(folder, [file], paper=chosen.title, backs=backs) if json else file)
