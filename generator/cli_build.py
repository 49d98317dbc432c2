"""The commands that make sheets: build, watch, calibrate."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from generator.build import Options, Report, build
from generator.cli_common import (
    AsJson,
    Game,
    Players,
    Progress,
    Sets,
    Usage,
    Variants,
    count,
    file_formats,
    game_ids,
    known_game,
    parsed_sets,
    plain,
    settings,
    words,
)

Paper = Annotated[str, typer.Option(help="Paper: a4, letter, a3, a5, legal, tabloid … (layouts/papers.yaml).")]
BacksOption = Annotated[
    Literal["long", "short", "gutterfold", "none"],
    typer.Option(help="Backs: duplex over the long or the short edge, beside a fold, or none."),
]
Out = Annotated[Path | None, typer.Option(help="Folder for the files. Default: output.", show_default=False)]
Ink = Annotated[Literal["normal", "low"], typer.Option(help="Faces as designed, or drawn with little ink.")]
Cut = Annotated[
    Literal["auto", "gutter", "shared"] | None,
    typer.Option(help="Gutters between pieces, shared cuts, or what takes least paper.", show_default=False),
]


def register(app: typer.Typer) -> None:
    """Add the commands of this module to `app`."""
    app.command("build")(build_command)
    app.command("watch")(watch)
    app.command("calibrate")(calibrate)


def build_command(
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME…", help="Games to build.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Build every game there is.")] = False,
    paper: Paper = "a4",
    backs: BacksOption = "long",
    format: Annotated[str, typer.Option(help="pdf, svg, png or several, separated by commas.")] = "pdf",
    players: Players = None,
    variant: Variants = None,
    set: Sets = None,
    ink: Ink = "normal",
    changed: Annotated[bool, typer.Option("--changed", help="Only pieces that differ from the printed ones.")] = False,
    only: Annotated[
        list[str] | None, typer.Option(metavar="KIND|DECK", help="Only this kind, deck or piece. Repeat for more.")
    ] = None,
    out: Out = None,
    jobs: Annotated[int, typer.Option(min=0, max=64, help="Drawings rasterised at once (PNG); 0: one per core.")] = 0,
    cut: Cut = None,
    dpi: Annotated[int, typer.Option(min=50, max=1200, help="Resolution of PNG sheets.")] = 300,
    json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> None:
    """Bring the printable sheets of games up to date.

    \b
    Examples:
      pnp build warring-states --paper letter --backs gutterfold
      pnp build --all
      pnp build warring-states --set army_cost=3 --changed
    """
    if every == bool(games):
        raise Usage(
            "build needs the name of a game, or --all" if not games else "give names of games or --all, not both"
        )
    import os

    options = Options(
        out=out if out is not None else settings.out,
        paper=paper.lower(),
        backs=backs,
        formats=file_formats(format),
        players=players,
        variants=words(variant),
        sets=parsed_sets(set),
        ink=ink,
        cut=cut or "",
        changed=changed,
        only=words(only),
        jobs=jobs or os.cpu_count() or 1,
        dpi=dpi,
    )
    reports = []
    for game in game_ids() if every else [known_game(name) for name in dict.fromkeys(games or [])]:
        progress = Progress(game if every or len(games or []) > 1 else "", quiet)
        try:
            reports.append(build(game, options, settings.project, progress))
        finally:
            progress.end()
    print(plain(reports if every or len(reports) > 1 else reports[0]) if json else "\n".join(map(told, reports)))


def told(report: Report) -> str:
    """A report as text."""
    lines = [
        f"{report.title}: {count(report.leaves, 'sheet')} of {report.paper}, {count(report.pages, 'page')}, "
        f"{count(report.pieces, 'piece')}, {report.seconds:.2f} s"
    ]
    shown = report.files if len(report.files) <= 12 else [f for f in report.files if f.state in ("removed", "kept")]
    width = max((len(file.name) for file in shown), default=0)
    for file in shown:
        inside = f"{count(file.pages, 'page')}, {count(file.pieces, 'piece')}, " if file.pages else ""
        what = file.state if file.state != "kept" else "no longer needed, but changed since: left alone"
        lines.append(f"  {file.name:<{width}}  {inside}{what}")
    states = [file.state for file in report.files]
    tally = [f"{states.count(state):,} {state}" for state in ("written", "unchanged", "removed") if state in states]
    lines.append(f"  {report.folder}: {', '.join(tally) if tally else 'nothing to print'}")
    if report.throw_away:
        lines.append("  Throw away:")
        lines += [f"    {number} x {piece}" for piece, number in report.throw_away.items()]
    return "\n".join(lines)


def watch(
    game: Game,
    paper: Paper = "a4",
    backs: BacksOption = "long",
    ink: Ink = "normal",
    variant: Variants = None,
    set: Sets = None,
    out: Out = None,
    every: Annotated[float, typer.Option(min=0.1, max=60, help="Seconds between two looks at the files.")] = 0.5,
    times: Annotated[int, typer.Option(min=0, help="Stop after so many builds; 0: never.", hidden=True)] = 0,
) -> None:
    """Build a game again whenever one of its files changes. Stop with Ctrl-C.

    \b
    Example:
      pnp watch warring-states --paper a4
    """
    from generator.watch import watch as follow

    options = Options(
        out=out if out is not None else settings.out,
        paper=paper.lower(),
        backs=backs,
        ink=ink,
        variants=words(variant),
        sets=parsed_sets(set),
    )

    def once() -> None:
        from generator.failures import explained

        try:
            print(told(build(known_game(game), options, settings.project, Progress(quiet=True))), flush=True)
        except Exception as error:
            known = explained(error)
            if known is None:
                raise
            print(known[0], file=sys.stderr, flush=True)

    follow(known_game(game), settings.project, once, every, times)


def calibrate(
    paper: Paper = "a4",
    backs: Annotated[Literal["long", "short"], typer.Option(help="How the printer turns the paper over.")] = "long",
    out: Out = None,
) -> None:
    """Make a page that shows how exactly the printer prints: scale, margins and the offset of the backs.

    \b
    Example:
      pnp calibrate --paper letter
    """
    from generator.calibrate import calibration
    from generator.make import known_paper

    folder = out if out is not None else settings.out
    file = calibration(known_paper(paper.lower(), settings.project), backs, folder)
    print(file)
