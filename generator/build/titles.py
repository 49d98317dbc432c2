"""Titles for the readers of a build's files: of a PDF, its outline and the labels of its pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generator.build.options import Options
from generator.sheets.navigation import Entry, Navigation, Spot
from generator.sheets.sheets import Backs, Sheet

BACKS: dict[Backs, str] = {
    "long": "long edge",
    "short": "short edge",
    "gutterfold": "gutterfold",
    "none": "fronts only",
}
_CUTS = {"gutter": "full gutters", "shared": "shared cuts", "machine": "for a cutting machine"}


def document_title(game: str, document: str, paper: str, options: Options) -> str:
    """`Dynasties: cards, A4, long edge`: all that tells the document from others of the game."""
    words = [document.replace("-", " "), paper, BACKS[options.backs], _CUTS.get(options.cut, "")]
    words += ["low ink" if options.ink == "low" else "", *options.variants]
    words += [f"{options.players} players" if options.players else "", *options.seats, *options.only]
    words.append("changed pieces" if options.changed else "")
    return f"{game}: {', '.join(word for word in words if word)}"


def sheets_navigation(sheets: Sequence[Sheet], decks: Mapping[str, str]) -> Navigation:
    """An entry for each sheet of paper that names what lies on it, and labels such as `3 back`.

    `decks`: the title of the set of each piece (`set/piece`).
    """
    two_sided = any(sheet.side == "back" for sheet in sheets)
    entries: list[Entry] = []
    labels: list[str] = []
    for page, sheet in enumerate(sheets):
        if sheet.side == "front":
            here = dict.fromkeys(decks[placed.piece] for placed in sheet.placements if placed.piece in decks)
            what = " · ".join(here) or sheet.title
            entries.append(Entry(f"Sheet {len(entries) + 1}: {what}", Spot(page)))
        labels.append(f"{len(entries)} {sheet.side}" if two_sided else str(len(entries)))
    return Navigation(tuple(entries), tuple(labels))
