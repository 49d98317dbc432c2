"""The visible part of a face on a sheet."""

from __future__ import annotations

from generator.faces import svgpath
from generator.sheets.sheets import Placement


def clip_shape(placement: Placement) -> svgpath.Path:
    """The shape a placed face is clipped to, besides its window: the trim shape grown by the visible bleed."""
    box = placement.trim.grown(*placement.bleed)
    cx, cy = box.x + box.w / 2, box.y + box.h / 2
    if placement.clip == "circle":
        return svgpath.ellipse(cx, cy, box.w / 2, box.h / 2)
    if placement.clip == "hex":
        high, low = box.y + box.h / 4, box.bottom - box.h / 4
        right = [(cx, box.y), (box.right, high), (box.right, low)]
        return svgpath.polygon([*right, (cx, box.bottom), (box.x, low), (box.x, high)])
    return svgpath.rect(box.x, box.y, box.w, box.h)
