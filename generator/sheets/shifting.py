"""Backs moved against what a printer does to them, as the calibration page measured it. Lengths in mm."""

from __future__ import annotations

import msgspec

from generator.faces.display import POP, Push
from generator.sheets.impose import Document
from generator.sheets.sheets import Box, Placement, Sheet


def against(documents: list[Document], shift: tuple[float, float]) -> list[Document]:
    """The documents for a printer that prints backs `shift` mm too far right and too far down (seen from the back):
    their backs, with all their marks, are printed as much further left and up."""
    if shift == (0.0, 0.0):
        return documents
    return [
        msgspec.structs.replace(one, sheets=tuple(_moved(s, shift) if s.side == "back" else s for s in one.sheets))
        for one in documents
    ]


def _moved(sheet: Sheet, shift: tuple[float, float]) -> Sheet:
    dx, dy = -shift[0], -shift[1]
    marks = (Push((1.0, 0.0, 0.0, 1.0, dx, dy)), *sheet.marks, POP) if sheet.marks else ()
    placements = tuple(_placed(placed, dx, dy) for placed in sheet.placements)
    trim, bleed = _box(sheet.trim, dx, dy), _box(sheet.bleed, dx, dy)
    return msgspec.structs.replace(sheet, placements=placements, marks=marks, trim=trim, bleed=bleed)


def _placed(placed: Placement, dx: float, dy: float) -> Placement:
    window = _box(placed.window, dx, dy) if placed.window is not None else None
    return msgspec.structs.replace(placed, x=placed.x + dx, y=placed.y + dy, window=window)


def _box(box: Box, dx: float, dy: float) -> Box:
    return Box(box.x + dx, box.y + dy, box.w, box.h)
