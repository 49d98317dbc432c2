"""`pnp build` once its words are understood. Imports neither typer nor anything else a quick build can do without."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from components.phrasing import count
from generator.build.incremental import build
from generator.build.options import Options
from generator.build.reports import Report
from generator.cli.common import (
    Progress,
    Usage,
    asked_seats,
    each,
    file_formats,
    game_ids,
    known_game,
    parsed_sets,
    plain,
    settings,
    words,
)


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What `pnp build` was asked: its arguments, by the names of its options (`every` is --all)."""

    games: list[str] = []
    every: bool = False
    paper: str = "a4"
    backs: Literal["long", "short", "gutterfold", "none"] = "long"
    format: str = "pdf"
    players: Annotated[int, msgspec.Meta(ge=1, le=99)] | None = None
    seats: list[str] = []
    variant: list[str] = []
    set: list[str] = []
    ink: Literal["normal", "low"] = "normal"
    changed: bool = False
    only: list[str] = []
    out: str | None = None
    jobs: Annotated[int, msgspec.Meta(ge=0, le=64)] = 0
    cut: Literal["auto", "gutter", "shared", "machine"] | None = None
    dpi: Annotated[int, msgspec.Meta(ge=50, le=1200)] = 300
    json: bool = False
    quiet: bool = False


def understood(arguments: list[str]) -> tuple[str | None, Request] | None:
    """The project (None: to be found) and the request of a plain `build` command line.

    None for anything else: a help text, an unusual spelling, a mistake. Those are left to typer, which takes 100 ms to
    get ready but knows what to say.
    """
    project: str | None = None
    if arguments[:1] == ["--project"] and len(arguments) > 1:
        project, arguments = arguments[1], arguments[2:]
    if arguments[:1] != ["build"]:
        return None
    found: dict[str, object] = {"games": []}
    lists: dict[str, list[str]] = {"games": []}
    rest = iter(arguments[1:])
    for word in rest:
        name = {"--all": "every", "-q": "quiet"}.get(word, word.removeprefix("--"))
        if not word.startswith("-"):
            lists["games"].append(word)
        elif name in FLAGS:
            found[name] = True
        elif name in LISTS or name in VALUES:
            value = next(rest, "-")
            if value.startswith("-"):
                return None
            if name in LISTS:
                lists.setdefault(name, []).append(value)
            else:
                found[name] = value
        else:
            return None
    try:
        return project, msgspec.convert(found | lists, Request, strict=False)
    except msgspec.ValidationError:
        return None


FLAGS = frozenset(("every", "changed", "json", "quiet"))
LISTS = frozenset(("seats", "variant", "set", "only"))
VALUES = frozenset(Request.__struct_fields__) - FLAGS - LISTS - {"games"}


def run_build(asked: Request) -> None:
    """Build what was asked for and print the reports.

    Raises Usage, and whatever `build` raises; of several games, one that cannot be built does not keep back the others:
    its faults are printed, and SystemExit tells of them in the end.
    """
    games = list(dict.fromkeys(asked.games))
    if asked.every == bool(games):
        raise Usage("give names of games or --all, not both" if games else "build needs the name of a game, or --all")
    options = Options(
        out=Path(asked.out) if asked.out is not None else settings.out,
        paper=asked.paper.lower(),
        backs=asked.backs,
        formats=file_formats(asked.format),
        players=asked.players,
        seats=asked_seats(asked.seats, asked.players),
        variants=words(asked.variant),
        sets=parsed_sets(asked.set),
        ink=asked.ink,
        cut=asked.cut or "",
        changed=asked.changed,
        only=words(asked.only),
        jobs=asked.jobs or os.cpu_count() or 1,
        dpi=asked.dpi,
    )
    reports: list[Report] = []

    def one(game: str) -> None:
        progress = Progress(game if several else "", asked.quiet)
        try:
            report = build(game, options, settings.places, progress)
        finally:
            progress.end()
        reports.append(report)
        if not asked.json:
            print(told(report), flush=True)

    chosen = game_ids() if asked.every else [known_game(name) for name in games]
    several = asked.every or len(chosen) > 1
    status = each(chosen, one)
    if asked.json:
        print(plain(reports if several else reports[0]))
    if status:
        raise SystemExit(status)


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
