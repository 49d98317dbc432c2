"""Outlines of pieces and signs as paths."""

from __future__ import annotations


def outline(w: float, h: float, shape: str, corner: float) -> str:
    """Path of a trimmed piece: a circle, a hexagon that stands on a corner, or a rectangle with round corners."""
    if shape == "hex":
        return f"M{w / 2:g} 0L{w:g} {h / 4:g}L{w:g} {3 * h / 4:g}L{w / 2:g} {h:g}L0 {3 * h / 4:g}L0 {h / 4:g}Z"
    return round_box(0, 0, w, h, min(w, h) / 2 if shape == "circle" else corner)


def round_box(x: float, y: float, w: float, h: float, r: float) -> str:
    """Path of a rectangle with corners of radius `r`; a circle where `r` is half of the sides."""
    k = r * (1 - 0.5523)
    right, bottom = x + w, y + h
    return (
        f"M{x + r:g} {y:g}L{right - r:g} {y:g}C{right - k:g} {y:g} {right:g} {y + k:g} {right:g} {y + r:g}"
        f"L{right:g} {bottom - r:g}C{right:g} {bottom - k:g} {right - k:g} {bottom:g} {right - r:g} {bottom:g}"
        f"L{x + r:g} {bottom:g}C{x + k:g} {bottom:g} {x:g} {bottom - k:g} {x:g} {bottom - r:g}"
        f"L{x:g} {y + r:g}C{x:g} {y + k:g} {x + k:g} {y:g} {x + r:g} {y:g}Z"
    )
