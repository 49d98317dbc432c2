"""Rows of icons with short labels, as they are made from effects: wrapped, shrunk to fit their box, aligned."""

from __future__ import annotations

from typing import Any

import msgspec

from generator.faces.arguments import Args, box, number, word
from generator.faces.display import Op
from generator.faces.faults import Fault
from generator.faces.kit import Kit
from generator.faces.text import TextBox, TextStyle, layout
from generator.paper.units import POINT

SMALLEST = 0.4
"""Icons are shrunk to this part of their size and no further."""
LABEL_GAP = 0.12
"""Between an icon and its label, as part of the icon's size."""


class _Item(msgspec.Struct, frozen=True):
    name: str
    label: str
    label_width: float
    """In mm at the scale that is tried."""
    width: float


def icon_colours(args: Args, kit: Kit) -> tuple[str, str, str]:
    """Colours of the roles ink, accent and paper; empty: the usual one."""
    accent, paper = (kit.colour(args[key], key) if key in args else "" for key in ("accent", "paper"))
    return kit.colour(args.get("colour", "ink")), accent, paper


def icon_row(args: Args, kit: Kit) -> list[Op]:
    """The `icons` element: as many rows as the box is high enough for, the whole in the middle of the box."""
    x, y, w, h = box(args)
    named = _named(args.get("value"))
    if not named:
        return []
    size = number(args, "size", h)
    gap = number(args, "gap", size * 0.25)
    align = word(args, "align", ("center", "left", "right"))
    style = _label_given(args, kit) if "label_style" in args else None
    colours = icon_colours(args, kit)
    scale = 1.0
    while True:
        side, space = size * scale, gap * scale
        items = [_measured(name, label, side, scale, style, kit) for name, label in named]
        rows = _rows(items, space, w)
        tall = len(rows) * side + (len(rows) - 1) * space
        if tall <= h + 1e-6 and all(_width(row, space) <= w + 1e-6 for row in rows):
            break
        scale -= 0.05
        if scale < SMALLEST - 1e-6:
            what = f"{len(named)} icons of {size:g} mm do not fit a box of {w:g} x {h:g} mm, even at {SMALLEST:.0%}"
            raise Fault("LAY-005", what, key="box")
    ops: list[Op] = []
    top = y + (h - tall) / 2
    for row in rows:
        used = _width(row, space)
        at = x + (w - used) / 2 if align == "center" else x + w - used if align == "right" else x
        for item in row:
            ops += kit.icon(item.name, at, top, side, *colours)
            if item.label and style is not None:
                label_at = (at + side * (1 + LABEL_GAP), top - side / 2)
                ops += _label(item, _label_style(style, scale), label_at, side * 2, kit)
            at += item.width + space
        top += side + space
    return ops


def _named(value: Any) -> list[tuple[str, str]]:
    """Names and labels of an `icons` value: records with `name` and `label`, or texts `name` and `name label`."""
    if value is not None and not isinstance(value, list | tuple):
        raise Fault("LAY-002", f"'value' must be a list of icons, found {value!r}", key="value")
    named = []
    for item in value or ():
        if isinstance(item, str):
            name, _, label = item.partition(" ")
            named.append((name, label.strip()))
        elif hasattr(item, "name") and hasattr(item, "label"):
            named.append((item.name, item.label))
        else:
            raise Fault("LAY-002", f"'value' must be a list of icons, found {item!r} in it", key="value")
    return named


def _label_given(args: Args, kit: Kit) -> TextStyle:
    """The style of the labels, in the `label_colour` where there is one."""
    colour = {"colour": args["label_colour"]} if "label_colour" in args else {}
    return kit.style({"style": args["label_style"], **colour})


def _label_style(style: TextStyle, scale: float) -> TextStyle:
    """The style at that scale, not smaller than its floor."""
    size = max(style.size * scale, style.min or style.size)
    return msgspec.structs.replace(style, size=size, min=0.0)


def _measured(name: str, label: str, side: float, scale: float, style: TextStyle | None, kit: Kit) -> _Item:
    if not label:
        return _Item(name, "", 0.0, side)
    if style is None:
        raise Fault("LAY-002", f"the icon label {label!r} needs a 'label_style'", key="label_style")
    font = kit.fonts[style.font]
    lacking = font.lacks(label)
    if lacking:
        raise Fault("LAY-006", f"font '{style.font}' has no '{lacking}' (icon label {label!r})", key="value")
    width = font.width(label, style.kern) * _label_style(style, scale).size * POINT
    return _Item(name, label, width, side * (1 + LABEL_GAP) + width)


def _rows(items: list[_Item], gap: float, limit: float) -> list[list[_Item]]:
    rows: list[list[_Item]] = [[]]
    for item in items:
        if rows[-1] and _width([*rows[-1], item], gap) > limit + 1e-6:
            rows.append([])
        rows[-1].append(item)
    return rows


def _width(row: list[_Item], gap: float) -> float:
    return sum(item.width for item in row) + gap * (len(row) - 1)


def _label(item: _Item, style: TextStyle, at: tuple[float, float], height: float, kit: Kit) -> list[Op]:
    x, y = at
    box = TextBox(x=x, y=y, width=item.label_width + 0.01, height=height, valign="middle")
    return layout(item.label, style, box, kit.fonts).ops
