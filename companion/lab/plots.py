"""The plots of a report, each a small picture that can be read on a phone; drawn with matplotlib (extra `lab`).

They are drawn in the light colours of the page. In SVG the colours become names of the page's own, so that the plots
follow it into the dark; in a PDF they stay.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from functools import cache
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
from matplotlib import font_manager
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

from companion.lab.results import Change, Comparison, Estimate, FigureLine, PlaceLine, Report, SideReport, UseLine

COLOURS = {
    "sheet": "#fffffe",
    "ink": "#1d1b18",
    "soft": "#5c5850",
    "line": "#d5d0c5",
    "accent": "#14557b",
    "bad": "#a81d12",
    "two": "#8a5a00",
    "three": "#1d6b35",
    "four": "#6b3a8a",
    "five": "#7b1450",
}
"""Name of a colour on the page -> its light value, each used for nothing else."""
SERIES = ("accent", "two", "three", "four", "five")
MARKS = ("o", "s", "^", "D", "v")
SIZE = (3.7, 2.35)
"""Inches; at 72 points an inch a plot fills a phone at its own size."""
MOST_BARS = 40
MOST_ROWS = 10
Axes = Any
"""matplotlib says too little of its types to check them."""


class Plot(NamedTuple):
    """A picture of a report: what it is called, what a reader who cannot see it is told, and who draws it."""

    title: str
    told: str
    draw: Callable[[Axes], None]


def plots(report: Report) -> list[Plot]:
    """The plots that there is something to show in."""
    side = report.sides[0]
    found = [_places("Wins by seat", side.seats, side.fair)]
    if side.bots:
        found.append(_places("Wins by player", side.bots, side.fair))
    lines = {line.name: line for line in side.figures}
    found += [
        _spread(lines[name], title)
        for name, title in (("moves", "Length in moves"), ("rounds", "Length in rounds"))
        if name in lines and lines[name].most > lines[name].least
    ][:2]
    if len(side.course) > 1:
        found.append(_course(side, report))
    if "margin" in lines and lines["margin"].most:
        found.append(_spread(lines["margin"], f"Lead of the winner in {report.unit}"))
    worth = [line for line in side.cards if line.won is not None]
    if worth:
        found.append(_worth(worth, side.fair))
    swept = _swept(report)
    if swept:
        found.append(_sweep([side, *swept]))
    values = {one.name for one in swept}
    for comparison in [one for one in report.comparisons if one.name not in values][:3]:
        found += _changes(comparison)
    return found


def svg(plot: Plot, number: int) -> str:
    """A plot as an `<svg>` element that takes its colours, its fonts and its width from the page."""
    with matplotlib.rc_context({**STYLE, "svg.fonttype": "none", "svg.hashsalt": f"plot {number}"}):
        figure = Figure(figsize=SIZE, layout="constrained")
        plot.draw(figure.add_subplot())
        out = io.StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r"<style.*?</style>", "", text, flags=re.S)
    text = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1)
    text = re.sub(r"font: (?:(\w+) )?([\d.]+)px [^;\"]*", r"font-size: \2px", text)
    text = re.sub(r"font-family: [^;\"]*;? ?", "", text)
    for name, colour in COLOURS.items():
        text = text.replace(colour, f"var(--{name})")
    return text.replace("<svg", '<svg role="img" aria-hidden="true" stroke-linejoin="round"', 1).strip()


STYLE: dict[str, Any] = {
    "font.size": 8.5,
    "axes.edgecolor": COLOURS["line"],
    "axes.labelcolor": COLOURS["soft"],
    "text.color": COLOURS["ink"],
    "text.parse_math": False,
    "xtick.color": COLOURS["soft"],
    "ytick.color": COLOURS["ink"],
    "xtick.labelsize": 8,
    "ytick.labelsize": 8.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "figure.facecolor": COLOURS["sheet"],
    "axes.facecolor": "none",
    "pdf.fonttype": 42,
}


@cache
def typeface(weight: str = "Regular") -> font_manager.FontProperties:
    """The typeface of printed pages."""
    import font_source_sans_pro

    folder = Path(font_source_sans_pro.__file__).parent / "files"
    return font_manager.FontProperties(fname=str(folder / f"SourceSansPro-{weight}.ttf"))


# --- what is drawn ---------------------------------------------------------------------------------------------------


def _places(title: str, places: Sequence[PlaceLine], fair: float) -> Plot:
    told = "; ".join(f"{place.name} {place.share.value:.1%}" for place in places)

    def draw(axes: Axes) -> None:
        _intervals(axes, [(p.name, p.share, p.stands_out) for p in places], 100)
        axes.axvline(100 * fair, color=COLOURS["soft"], linewidth=0.8, linestyle=(0, (3, 3)), zorder=1)
        axes.set_xlabel("% of games won; dashed: a fair share")

    return Plot(title, told, draw)


def _worth(lines: Sequence[UseLine], fair: float) -> Plot:
    shown = sorted(lines, key=lambda line: (-abs(_won(line).value - fair), line.name))[:MOST_ROWS]
    shown.sort(key=lambda line: (-_won(line).value, line.name))
    told = "; ".join(f"{line.title} {_won(line).value:.1%}" for line in shown)

    def draw(axes: Axes) -> None:
        _intervals(axes, [(line.title, _won(line), line.stands_out) for line in shown], 100)
        axes.axvline(100 * fair, color=COLOURS["soft"], linewidth=0.8, linestyle=(0, (3, 3)), zorder=1)
        axes.set_xlabel("% of its users that won")

    return Plot("Who used it, and won", told, draw)


def _won(line: UseLine) -> Estimate:
    assert line.won is not None
    return line.won


def _spread(line: FigureLine, title: str) -> Plot:
    counts = {int(value): n for value, n in line.counts.items()}
    step = -(-(line.most - line.least + 1) // MOST_BARS)
    bars: dict[int, int] = {}
    for value, n in counts.items():
        start = (value - line.least) // step * step + line.least
        bars[start] = bars.get(start, 0) + n

    def draw(axes: Axes) -> None:
        axes.bar(
            [start + (step - 1) / 2 for start in bars],
            [*bars.values()],
            width=step * 0.86,
            color=COLOURS["accent"],
            linewidth=0,
        )
        axes.axvline(line.median, color=COLOURS["bad"], linewidth=1)
        axes.set_xlabel(f"red: the median, {line.median:,}; from {line.least:,} to {line.most:,}")
        axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        axes.tick_params(axis="y", labelcolor=COLOURS["soft"], labelsize=8)
        axes.set_ylabel("games")
        axes.grid(axis="y", color=COLOURS["line"], linewidth=0.6)
        axes.set_axisbelow(True)

    return Plot(title, f"median {line.median}, from {line.least} to {line.most}", draw)


def _course(side: SideReport, report: Report) -> Plot:
    rows = side.course
    names = [place.name for place in side.seats]
    told = f"at the end of round {side.counted[-1]}: " + "; ".join(
        f"{name} {score:.1f}" for name, score in zip(names, rows[-1], strict=False)
    )

    def draw(axes: Axes) -> None:
        rounds = side.counted
        for i, name in enumerate(names):
            axes.plot(
                rounds,
                [row[i] for row in rows],
                color=COLOURS[SERIES[i % len(SERIES)]],
                marker=MARKS[i % len(MARKS)],
                markersize=3.5,
                linewidth=1.3,
                label=name,
            )
        axes.set_xlabel("end of round")
        axes.set_ylabel(report.unit if len(report.unit) < 24 else "score")
        axes.xaxis.set_major_locator(FixedLocator(rounds) if len(rounds) <= 8 else MaxNLocator(8, integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(5))
        axes.tick_params(axis="y", labelcolor=COLOURS["soft"], labelsize=8)
        axes.grid(axis="y", color=COLOURS["line"], linewidth=0.6)
        _legend(axes, len(names))

    return Plot("Mean score, round by round", told, draw)


def _changes(comparison: Comparison) -> list[Plot]:
    found = []
    wins = [change for change in comparison.changes if change.kind in ("restricted", "wins")]
    if wins:
        found.append(_moved(f"Wins: {comparison.name}", wins, 100, "points of the share of wins"))
    shown = [change for change in comparison.changes if change.kind == "figures" and change.before]
    relative = [(change.title, _part(change), change.stands_out) for change in shown]
    if relative:
        told = "; ".join(f"{title} {found.value:+.1%}" for title, found, _ in relative)

        def draw(axes: Axes) -> None:
            _intervals(axes, relative, 100)
            axes.axvline(0, color=COLOURS["soft"], linewidth=0.8, linestyle=(0, (3, 3)), zorder=1)
            axes.set_xlabel("% of what it was")

        found.append(Plot(f"What else changed: {comparison.name}", told, draw))
    return found


def _part(change: Change) -> Estimate:
    """A difference as a part of what was before."""
    before, difference = abs(change.before or 1.0), change.difference
    low, high = (None if end is None else end / before for end in (difference.low, difference.high))
    return Estimate(difference.value / before, low, high)


def _moved(title: str, changes: Sequence[Change], scale: float, unit: str) -> Plot:
    told = "; ".join(f"{change.title} {scale * change.difference.value:+.1f}" for change in changes)

    def draw(axes: Axes) -> None:
        _intervals(axes, [(c.title, c.difference, c.stands_out) for c in changes], scale)
        axes.axvline(0, color=COLOURS["soft"], linewidth=0.8, linestyle=(0, (3, 3)), zorder=1)
        axes.set_xlabel(unit)

    return Plot(title, told, draw)


def _value_of(side: SideReport) -> float:
    """The value that a side of a sweep has, where it is a number; the game as it is comes first without one."""
    try:
        return float(side.name.partition("=")[2].partition(" ")[0])
    except ValueError:
        return -inf


def _swept(report: Report) -> list[SideReport]:
    """The sides that have another value of one and the same parameter; none unless there are several."""
    found = [side for side in report.sides[1:] if "=" in side.name]
    return found if len(found) > 1 and len({side.name.partition("=")[0] for side in found}) == 1 else []


def _sweep(those: Sequence[SideReport]) -> Plot:
    sides = sorted(those, key=_value_of)
    names = [place.name for place in sides[0].seats]
    told = "; ".join(
        f"{side.name}: " + ", ".join(f"{place.name} {place.share.value:.1%}" for place in side.seats) for side in sides
    )

    def draw(axes: Axes) -> None:
        at = range(len(sides))
        for i, name in enumerate(names):
            shares = [side.seats[i].share for side in sides]
            axes.errorbar(
                [x + 0.07 * (i - (len(names) - 1) / 2) for x in at],
                [100 * share.value for share in shares],
                yerr=[
                    [100 * (share.value - (share.value if share.low is None else share.low)) for share in shares],
                    [100 * ((share.value if share.high is None else share.high) - share.value) for share in shares],
                ],
                color=COLOURS[SERIES[i % len(SERIES)]],
                marker=MARKS[i % len(MARKS)],
                markersize=4,
                linewidth=1.2,
                label=name,
            )
        axes.set_xticks(list(at), [(side.name.partition("=")[2] or side.name).replace(" (", "\n(") for side in sides])
        axes.set_ylabel("% of games won")
        axes.set_xlabel(sides[-1].name.partition("=")[0])
        axes.tick_params(axis="y", labelcolor=COLOURS["soft"], labelsize=8)
        axes.grid(axis="y", color=COLOURS["line"], linewidth=0.6)
        _legend(axes, len(names))

    return Plot("Wins by value", told, draw)


def _intervals(axes: Axes, rows: Sequence[tuple[str, Estimate, bool]], scale: float) -> None:
    """A dot with its interval in each row, the first on top."""
    for y, (_, found, stands_out) in enumerate(reversed(rows)):
        colour = COLOURS["bad" if stands_out else "accent"]
        if found.low is not None and found.high is not None:
            axes.plot([scale * found.low, scale * found.high], [y, y], color=colour, linewidth=2.2, alpha=0.45)
        axes.plot(
            [scale * found.value], [y], marker="D" if stands_out else "o", markersize=5, color=colour, linestyle=""
        )
    axes.set_yticks(range(len(rows)), [_short(name) for name, *_ in reversed(rows)])
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.grid(axis="x", color=COLOURS["line"], linewidth=0.6)
    axes.set_axisbelow(True)
    axes.xaxis.set_major_locator(MaxNLocator(6))


def _legend(axes: Axes, n: int) -> None:
    """The names of the series in a row above the plot."""
    axes.legend(
        frameon=False,
        fontsize=8,
        ncols=min(5, n),
        handlelength=1.4,
        columnspacing=1,
        loc="lower right",
        bbox_to_anchor=(1, 0.97),
        borderpad=0,
    )


def _short(name: str) -> str:
    return name if len(name) <= 26 else f"{name[:25]}…"


__all__ = ["COLOURS", "STYLE", "Axes", "Plot", "plots", "svg", "typeface"]
