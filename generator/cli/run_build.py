"""Building one or several games, and what is told of it."""

from __future__ import annotations

from components.phrasing import count
from generator.build.incremental import build
from generator.build.options import Options
from generator.build.reports import Report
from generator.cli.common import (
    Progress,
    plain,
    settings,
    the_games,
)
from generator.cli.several import each


def run_build(games: list[str], every: bool, options: Options, *, as_json: bool, quiet: bool) -> None:
    """Build games and print the reports.

    Raises Usage, and whatever `build` raises; of several games, one that cannot be built does not keep back the others:
    its faults are printed, and SystemExit tells of them in the end.
    """
    chosen = the_games(games, every)
    reports: list[Report] = []

    def one(game: str) -> None:
        progress = Progress(game if several else "", quiet)
        try:
            report = build(game, options, settings.places, progress)
        finally:
            progress.end()
        reports.append(report)
        if not as_json:
            print(told(report), flush=True)

    several = every or len(chosen) > 1
    status = each(chosen, one)
    if as_json:
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
    if report.modules:
        added = [f"{module} {number}" for module, number in report.modules.items()]
        lines.append(f"  sheets that each module adds to the base game: {', '.join(added)}")
    width = max((len(file.name) for file in shown), default=0)
    for file in shown:
        inside = f"{count(file.pages, 'page')}, {count(file.pieces, 'piece')}, " if file.pages else ""
        what = (
            file.state if file.state != "kept" else "no longer needed, but kept because it was changed after the build"
        )
        lines.append(f"  {file.name:<{width}}  {inside}{what}")
    states = [file.state for file in report.files]
    tally = [f"{states.count(state):,} {state}" for state in ("written", "unchanged", "removed") if state in states]
    lines.append(f"  {report.folder}: {', '.join(tally) if tally else 'nothing to print'}")
    if report.throw_away:
        lines.append("  Throw away:")
        lines += [f"    {number} x {piece}" for piece, number in report.throw_away.items()]
    return "\n".join(lines)
