"""A report as one page of A4: what stands out, the figures and the plots."""

from __future__ import annotations

import io
import textwrap

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from companion.lab.page import footer, numbers, under
from companion.lab.plots import COLOURS, STYLE, Plot, plots, typeface
from companion.lab.results import Report

A4 = (210 / 25.4, 297 / 25.4)
MOST_FINDINGS = 12
COLUMNS = 2
MARGIN, WIDTH, GAP = 0.06, 0.415, 0.05
"""Parts of the page's width: its margin, a column of plots, and between two of them."""
HEAD, FOOT = 0.022, 0.046
"""Parts of the page's height: above a plot for its title, and below it."""
MOST_PLOTS = 8
LINE = 0.0135
"""Height of a line of text, as a part of the page."""


def pdf(report: Report) -> bytes:
    """The page as PDF: the same bytes for the same report."""
    family = typeface().get_name()
    with matplotlib.rc_context({**STYLE, "font.family": family}):
        from matplotlib import font_manager

        for weight in ("Regular", "Semibold"):
            font_manager.fontManager.addfont(str(typeface(weight).get_file()))
        sheet = Figure(figsize=A4, facecolor="white")
        top = _head(sheet, report)
        top = _findings(sheet, report, top)
        bottom = _foot(sheet, report)
        shown = plots(report)[:MOST_PLOTS]
        rows = max(1, -(-len(shown) // COLUMNS))
        height = min((top - bottom) / rows, 0.2)
        for n, plot in enumerate(shown):
            row, column = divmod(n, COLUMNS)
            _plot(sheet, plot, MARGIN + column * (WIDTH + GAP), top - row * height, height)
        out = io.BytesIO()
        said = {"Title": f"{report.title}: playtest", "Creator": "Tablewright", "Producer": None, "CreationDate": None}
        sheet.savefig(out, format="pdf", metadata=said)
    return out.getvalue()


def _plot(sheet: Figure, plot: Plot, left: float, top: float, height: float) -> None:
    """A plot under its title, whose labels begin where the title does; a legend has a line of its own."""
    sheet.text(left, top, plot.title, fontproperties=typeface("Semibold"), fontsize=9.5, va="top")
    axes = sheet.add_axes((left, top - height + FOOT, WIDTH, height - FOOT - HEAD))
    plot.draw(axes)
    tall = height - FOOT - HEAD - (LINE if axes.get_legend() is not None else 0)
    box = axes.get_tightbbox(FigureCanvasAgg(sheet).get_renderer())
    room = left - sheet.transFigure.inverted().transform((box.x0, box.y0))[0] if box is not None else 0.0
    axes.set_position((left + room, top - height + FOOT, WIDTH - room, tall))


def _head(sheet: Figure, report: Report) -> float:
    sheet.text(0.06, 0.955, report.title, fontproperties=typeface("Semibold"), fontsize=20, va="top")
    y = 0.925
    for line in textwrap.wrap(under(report), 105):
        sheet.text(0.06, y, line, fontproperties=typeface(), fontsize=9.5, color=COLOURS["soft"], va="top")
        y -= LINE
    shown = list(numbers(report))
    y -= 0.012
    for n, (name, value, more) in enumerate(shown):
        x = 0.06 + n * 0.88 / max(len(shown), 1)
        sheet.text(x, y, name, fontproperties=typeface(), fontsize=8, color=COLOURS["soft"], va="top")
        sheet.text(x, y - 0.012, value, fontproperties=typeface("Semibold"), fontsize=13, va="top")
        for i, line in enumerate(textwrap.wrap(more, 20)[:2]):
            where = y - 0.031 - i * 0.0095
            sheet.text(x, where, line, fontproperties=typeface(), fontsize=7, color=COLOURS["soft"], va="top")
    return y - 0.065


def _findings(sheet: Figure, report: Report, top: float) -> float:
    sheet.text(0.06, top, "What stands out", fontproperties=typeface("Semibold"), fontsize=11, va="top")
    y = top - 0.019
    shown, more = report.findings[:MOST_FINDINGS], len(report.findings) - MOST_FINDINGS
    if more > 0:
        shown[-1:] = [f"{more + 1} more: see report.html"]
    for finding in shown or ["Nothing that so many games could show."]:
        for n, line in enumerate(textwrap.wrap(finding, 125)):
            sheet.text(0.06, y, "•" if n == 0 else "", fontproperties=typeface(), fontsize=9, va="top")
            sheet.text(0.075, y, line, fontproperties=typeface(), fontsize=9, va="top")
            y -= LINE
    return y - 0.01


def _foot(sheet: Figure, report: Report) -> float:
    lines = [line for said in footer(report) for line in textwrap.wrap(said, 150)]
    for n, line in enumerate(reversed(lines)):
        y = 0.03 + n * 0.0105
        sheet.text(0.06, y, line, fontproperties=typeface(), fontsize=7, color=COLOURS["soft"])
    return 0.03 + len(lines) * 0.0105 + 0.02


__all__ = ["pdf"]
