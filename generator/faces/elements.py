"""The elements of face templates: each drawing key is one function from finished arguments to operations."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import msgspec

from components.phrasing import did_you_mean
from generator.faces import curves, svgpath
from generator.faces.anchors import LAYS
from generator.faces.arguments import Args, box, name, number, numbers, only, radius, unknown, whole, word
from generator.faces.codes import BARCODES, bars, bars_path, checked, qr_modules, qr_path
from generator.faces.column import column
from generator.faces.display import POP, ImageOp, Op, PathOp, Place, Push, TextOp
from generator.faces.expressions import printed
from generator.faces.faults import Fault
from generator.faces.iconrow import icon_colours, icon_row
from generator.faces.kit import STYLE_CHANGES, Kit
from generator.faces.ornaments import CLIPPED, ORNAMENTS, STRAYING
from generator.faces.ornaments import arguments as ornament_arguments
from generator.faces.outlines import as_path
from generator.faces.photographs import Looks, framed, gradient, pixels
from generator.faces.pictures import KINDS, content_of, picture
from generator.faces.quotes import printable
from generator.faces.richtext import plain
from generator.faces.svgpath import Path, to_d
from generator.faces.text import TextBox, TextStyle, layout
from generator.paper.units import POINT

ANCHOR = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")
"""The names allowed for an anchor."""
ALIGN = ("left", "center", "right", "justify")
PAINT = ("fill", "stroke", "width", "dash", "cap", "join", "evenodd")

SHAPES: dict[str, tuple[str, ...]] = {
    "rect": ("box", "r"),
    "circle": ("at", "r"),
    "ellipse": ("at", "rx", "ry"),
    "line": ("from", "to"),
    "polygon": ("points", "open"),
    "regular": ("at", "r", "sides", "turn", "star"),
    "path": ("d", "at", "scale", "turn"),
}
"""Shapes and their arguments besides paint; a clip is one of them too."""


def shape(kind: str, args: Args) -> Path:
    """The path of a shape."""
    if kind == "rect":
        x, y, w, h = box(args)
        return svgpath.rect(x, y, w, h, number(args, "r", 0))
    if kind == "circle":
        cx, cy = numbers(args, "at", 2)
        return svgpath.circle(cx, cy, radius(args, "r"))
    if kind == "ellipse":
        cx, cy = numbers(args, "at", 2)
        return svgpath.ellipse(cx, cy, radius(args, "rx"), radius(args, "ry"))
    if kind == "line":
        return svgpath.polygon([numbers(args, "from", 2), numbers(args, "to", 2)], closed=False)
    if kind == "polygon":
        points = args.get("points")
        if not isinstance(points, list) or len(points) < 2:
            raise Fault("LAY-002", "'points' must be a list of at least two points", key="points")
        return svgpath.polygon([numbers({"points": p}, "points", 2) for p in points], not args.get("open", False))
    if kind == "regular":
        cx, cy = numbers(args, "at", 2)
        sides = whole(args, "sides", 3, 360)
        return svgpath.regular(cx, cy, radius(args, "r"), sides, number(args, "turn", 0), number(args, "star", 0))
    x, y = numbers(args, "at", 2) if "at" in args else (0.0, 0.0)
    try:
        path = svgpath.parse(str(args.get("d", "")))
    except svgpath.PathDataError as problem:
        raise Fault("LAY-002", str(problem), key="d") from None
    return svgpath.transform(path, svgpath.placing(x, y, number(args, "turn", 0), number(args, "scale", 1)))


def painted(d: str, args: Args, kit: Kit) -> list[Op]:
    """Path data in the paint of the element."""
    if "fill" not in args and "stroke" not in args:
        raise Fault("LAY-002", "nothing would be painted: give 'fill' or 'stroke'")
    fill, stroke = (kit.colour(args.get(key, "none"), key) for key in ("fill", "stroke"))
    evenodd = bool(args.get("evenodd", False)) and bool(fill)
    if not stroke:
        return [PathOp(d, fill, evenodd=evenodd)] if fill else []
    width = number(args, "width", 0.25)
    if width < 0:
        raise Fault("LAY-002", f"'width' must not be negative, found {width}", key="width")
    dash = numbers(args, "dash", 2) if args.get("dash") else []
    if dash and (min(dash) < 0 or sum(dash) <= 0):
        raise Fault("LAY-002", f"'dash' must be two lengths [on, off], found {dash}", key="dash")
    cap = word(args, "cap", ("butt", "round", "square"))
    join = word(args, "join", ("miter", "round", "bevel"))
    return [PathOp(d, fill, stroke, width, tuple(dash), cap, join, evenodd)]


def _shape(args: Args, kit: Kit, *, kind: str) -> list[Op]:
    return painted(to_d(shape(kind, args)), args, kit)


def _ornament(args: Args, kit: Kit) -> list[Op]:
    kind = name(args, "kind")
    if kind not in ORNAMENTS:
        raise unknown("ornament", kind, ORNAMENTS, "kind")
    edge = box(args)
    own = {key: value for key, value in args.items() if key not in PAINT and key not in ("kind", "box")}
    takes = ornament_arguments(kind) if own else []
    for key in own:
        if key not in takes:
            hint = did_you_mean(key, [*takes, *PAINT], listing="there are")
            raise Fault("LAY-001", f"ornament '{kind}' takes no '{key}'", hint, key)
    try:
        d = _path_data(kind, tuple(edge), msgspec.msgpack.encode(own))
    except (TypeError, ValueError, ArithmeticError) as problem:
        raise Fault("LAY-002", f"ornament '{kind}': {problem}") from None
    ops = painted(d, args, kit)
    if kind in CLIPPED and ops:
        return [Push(clip=to_d(svgpath.rect(*edge))), *ops, POP]
    return ops


@lru_cache(maxsize=1024)
def _path_data(kind: str, edge: tuple[float, ...], own: bytes) -> str:
    """An ornament as path data. Decks that differ in their colours share it. `own`: its own arguments, packed."""
    path = ORNAMENTS[kind](edge, **msgspec.msgpack.decode(own))
    return to_d(path, 2 if kind in STRAYING else 3)


def _text(args: Args, kit: Kit) -> list[Op]:
    x, y, w, h = box(args)
    value = args.get("value")
    if value is None or value == "":
        return []
    style = kit.style(args)
    within = TextBox(
        x=x,
        y=y,
        width=w,
        height=h,
        align=word(args, "align", ALIGN),
        valign=word(args, "valign", ("top", "middle", "bottom")),
        max_lines=whole(args, "max_lines", 1, 1000) if args.get("max_lines") is not None else None,
    )
    block = layout(kit.coloured(_said(value, style, kit)), style, within, kit.fonts, kit.icon)
    kit.was_set(style, block.size_used)
    return [*_below(block.ops, args, kit), *block.ops]


def _said(value: Any, style: TextStyle, kit: Kit) -> str:
    """A value as it is printed in a style, with the quotes and apostrophes of print."""
    return printable(printed(value), kit.fonts[style.font].lacks)


def _below(ops: list[Op], args: Args, kit: Kit) -> list[Op]:
    """The shadow and the outline of a text, which make it readable on a photograph."""
    shadow, outline = args.get("shadow"), args.get("outline")
    if not shadow and not outline:
        return []
    shapes = [as_path(op, kit.fonts) for op in ops if isinstance(op, TextOp)]
    found: list[Op] = []
    if shadow:
        if not isinstance(shadow, dict):
            raise Fault("LAY-002", "'shadow' needs a mapping", "shadow: {colour: ink, at: [0.3, 0.3]}", "shadow")
        only(shadow, ("colour", "at", "opacity", "width"))
        dx, dy = numbers(shadow, "at", 2) if "at" in shadow else (0.3, 0.3)
        colour, wide = kit.colour(shadow.get("colour", "#000000")), number(shadow, "width", 0)
        push = Push((1.0, 0.0, 0.0, 1.0, dx, dy), opacity=number(shadow, "opacity", 0.5))
        found += [push, *(_drawn(shape, colour, wide) for shape in shapes), POP]
    if outline:
        if not isinstance(outline, dict):
            raise Fault("LAY-002", "'outline' needs a mapping", "outline: {colour: paper, width: 0.4}", "outline")
        only(outline, ("colour", "width"))
        colour = kit.colour(outline.get("colour", "#ffffff"))
        found += [_drawn(shape, colour, number(outline, "width", 0.4)) for shape in shapes]
    return found


def _drawn(shape: PathOp, colour: str, width: float) -> PathOp:
    """A shape in one colour, `width` mm larger on every side."""
    if width <= 0:
        return PathOp(shape.d, colour)
    return PathOp(shape.d, colour, colour, 2 * width, cap="round", join="round")


def _column(args: Args, kit: Kit) -> list[Op]:
    x, y, w, h = box(args)
    texts = args.get("texts")
    if not isinstance(texts, list) or not all(isinstance(text, dict) for text in texts):
        raise Fault("LAY-002", "'texts' must be a list of mappings of arguments", key="texts")
    for text in texts:
        only(text, COLUMN_TEXT)
    shown = [
        (kit.coloured(_said(text["value"], style, kit)), style)
        for text in texts
        if text.get("value") not in (None, "")
        for style in [kit.style(text)]
    ]
    align, valign = word(args, "align", ALIGN), word(args, "valign", ("top", "middle", "bottom"))
    frame = TextBox(x=x, y=y, width=w, height=h, align=align, valign=valign)
    ops, sizes = column(shown, frame, number(args, "gap", 0), kit.fonts, kit.icon)
    for (_, style), size in zip(shown, sizes, strict=True):
        kit.was_set(style, size)
    return ops


def _icon(args: Args, kit: Kit) -> list[Op]:
    x, y, w, h = box(args)
    side = min(w, h)
    chosen = name(args, "name")
    if chosen not in kit.look.icons and "else" in args:
        chosen = name(args, "else")
    return kit.icon(chosen, x + (w - side) / 2, y + (h - side) / 2, side, *icon_colours(args, kit))


def _anchor(args: Args, _kit: Kit) -> list[Op]:
    x, y, w, h = box(args) if "box" in args else (*numbers(args, "at", 2), 0.0, 0.0)
    called = printed(args.get("name", ""))
    if not ANCHOR.fullmatch(called):
        raise Fault("LAY-002", f"'name' must be letters, digits, '-', '_', '.', found {called!r}", key="name")
    turn = number(args, "turn", 0)
    matrix = svgpath.placing(x + w / 2, y + h / 2, turn)
    return [Place(matrix, name=called, box=(-w / 2, -h / 2, w, h), lay=word(args, "lay", LAYS)), POP]


def _image(args: Args, kit: Kit) -> list[Op]:
    x, y, w, h = box(args)
    file = name(args, "file")
    kit.pictures.add(file)
    mask = b""
    if "mask" in args:
        kit.pictures.add(name(args, "mask"))
        mask = content_of(kit.look.root, name(args, "mask"))[0]
    tint = kit.colour(args["tint"], "tint") if "tint" in args else ""
    looks = Looks(tint, bool(args.get("grey", False)), mask)
    return picture(kit.look.root, file, (x, y, w, h), word(args, "fit", ("contain", "cover", "stretch")), looks)


def _slot(args: Args, kit: Kit) -> list[Op]:
    """Something of the piece, as what it is: icons, a picture, one icon, or a text."""
    x, y, w, h = box(args)
    value = args.get("value")
    if value is None or value == "" or value == []:
        return []
    colour = args.get("colour", "ink" if "ink" in kit.look.theme.colours else "#000000")
    if isinstance(value, list | tuple):
        row = {"box": [x, y, w, h], "value": value, "size": min(h, w), "label_style": name(args, "style")}
        return icon_row({**row, "colour": colour}, kit)
    if isinstance(value, str) and value.lower().endswith(KINDS) and "\n" not in value:
        kit.pictures.add(value)
        ops = picture(kit.look.root, value, (x, y, w, h), "cover")
        if "clip" not in args:
            return ops
        cut = svgpath.transform(svgpath.parse(name(args, "clip")), svgpath.placing(x, y, 0, number(args, "unit", 1)))
        return [Push(clip=to_d(cut)), *ops, POP]
    if isinstance(value, str) and value in kit.look.icons:
        side = min(w, h)
        return kit.icon(value, x + (w - side) / 2, y + (h - side) / 2, side, kit.colour(colour))
    shown = {key: item for key, item in args.items() if key not in ("clip", "unit")}
    return _text({"valign": "middle", **shown}, kit)


def _gradient(args: Args, kit: Kit) -> list[Op]:
    x, y, w, h = box(args)
    start, end = (kit.colour(args.get(key, "none"), key) for key in ("from", "to"))
    if not start and not end:
        raise Fault("LAY-002", "nothing would be painted: give 'from' or 'to'")
    levels = numbers(args, "opacity", 2) if "opacity" in args else [float(bool(start)), float(bool(end))]
    if not all(0 <= level <= 1 for level in levels):
        raise Fault("LAY-002", f"'opacity' must be two numbers between 0 and 1, found {levels}", key="opacity")
    towards = word(args, "towards", ("down", "up", "right", "left"))
    across = max(2, pixels(w if towards in ("up", "down") else h) // 2)
    made = gradient(start or end, end or start, (levels[0], levels[1]), towards, across)
    return [ImageOp(made, "png", x, y, w, h)]


def _frame(args: Args, kit: Kit) -> list[Op]:
    x, y, w, h = box(args)
    file = name(args, "file")
    kit.pictures.add(file)
    content, media = content_of(kit.look.root, file)
    borders = args.get("cut")
    cut = [number(args, "cut")] * 4 if isinstance(borders, int | float) else numbers(args, "cut", 4)
    edge = number(args, "edge")
    if min(cut) < 0 or cut[0] <= 0 or edge <= 0 or not (w > 0 and h > 0):
        raise Fault("LAY-002", "'cut' and 'edge' must be positive: the border in pixels, and how wide it becomes in mm")
    top, right, bottom, left = map(round, cut)
    try:
        made = framed(content, media, (pixels(w), pixels(h)), (top, right, bottom, left), pixels(edge))
    except ValueError as problem:
        raise Fault("LAY-007", f"the picture '{file}' {problem}", key="file") from None
    return [ImageOp(made, "png", x, y, w, h)]


def _qr(args: Args, kit: Kit) -> list[Op]:
    x, y, w, h = box(args)
    value = printed(args.get("value", ""))
    level = word(args, "level", ("m", "l", "q", "h"))
    if not value:
        return []
    try:
        modules = qr_modules(value, level)
    except ValueError as problem:
        raise Fault("LAY-002", f"this cannot become a QR code: {problem}", "shorten the text", "value") from None
    side = min(w, h)
    colour = kit.colour(args.get("colour", "#000000"))
    d = qr_path(modules, x + (w - side) / 2, y + (h - side) / 2, side)
    return [PathOp(d, colour)]


def _barcode(args: Args, kit: Kit) -> list[Op]:
    x, y, w, h = box(args)
    value = printed(args.get("value", ""))
    kind = word(args, "kind", tuple(BARCODES))
    if not value:
        return []
    try:
        found, modules = bars(kind, value)
    except ValueError as problem:
        hint = "quote the number: YAML drops zeros at its start" if isinstance(args["value"], int) else ""
        raise Fault("LAY-002", f"this cannot become a barcode: {problem}", hint, "value") from None
    code = BARCODES[kind]
    whole = code.left + modules + code.right
    if w / whole < code.module - 1e-6:
        what = f"the bars would be {w / whole:.2f} mm wide, and scanners need {code.module:g} mm"
        hint = f"a box {whole * code.module:.1f} mm wide holds them and the margins beside them"
        raise Fault("LAY-005", what, hint, "box")
    ops: list[Op] = []
    colour = args.get("colour", "#000000")
    if "style" in args:
        said = checked(value) if kind == "ean13" else value
        below = {
            "value": plain(said),
            "style": args["style"],
            "colour": colour,
            "align": "center",
            "valign": "bottom",
        }
        line = kit.style(args).size * POINT
        ops = _text({**below, "box": [x, y + h - line, w, line]}, kit)
        h -= line
    module = w / whole
    return [PathOp(bars_path(found, x + code.left * module, y, module, h), kit.colour(colour)), *ops]


def _curve(args: Args, kit: Kit) -> list[Op]:
    value = args.get("value")
    if value is None or value == "":
        return []
    align = word(args, "align", ("center", "left", "right"))
    if ("d" in args) == ("r" in args):
        raise Fault("LAY-002", "a curve needs either 'at' and 'r', a circle, or 'd', path data")
    if "d" in args:
        only(args, ("value", "style", "align", "d", *STYLE_CHANGES))
        try:
            along, length = curves.trace(svgpath.parse(str(args["d"])))
        except ValueError as problem:
            raise Fault("LAY-002", str(problem), key="d") from None
        shift = 0.0
    else:
        (x, y), r = numbers(args, "at", 2), number(args, "r")
        if r <= 0:
            raise Fault("LAY-002", f"'r' must be more than 0, found {r:g}", key="r")
        length = 2 * math.pi * r
        shift = {"left": 0.0, "center": length / 2, "right": length}[align]
        along = curves.circle(x, y, r, number(args, "turn", 0), bool(args.get("inward", False)))
    style = kit.style(args)
    text = kit.coloured(_said(value, style, kit))
    block = curves.set_along(text, style, lambda s, wide: along(s - shift, wide), length, align, kit.fonts, kit.icon)
    kit.was_set(style, block.size_used)
    return block.ops


DRAW: dict[str, Callable[[Args, Kit], list[Op]]] = {
    **{kind: partial(_shape, kind=kind) for kind in SHAPES},
    "ornament": _ornament,
    "text": _text,
    "column": _column,
    "icon": _icon,
    "icons": icon_row,
    "image": _image,
    "gradient": _gradient,
    "frame": _frame,
    "qr": _qr,
    "barcode": _barcode,
    "curve": _curve,
    "slot": _slot,
    "anchor": _anchor,
}
"""Drawing key -> function."""

COLUMN_TEXT = ("value", "style", *STYLE_CHANGES)
"""Arguments of one text of a column."""

ARGUMENTS: dict[str, tuple[str, ...] | None] = {
    **{kind: (*own, *PAINT) for kind, own in SHAPES.items()},
    "ornament": None,
    "text": ("box", "value", "style", "align", "valign", "max_lines", "outline", "shadow", *STYLE_CHANGES),
    "column": ("box", "texts", "gap", "align", "valign"),
    "icon": ("name", "else", "box", "colour", "accent", "paper"),
    "icons": ("box", "value", "size", "gap", "label_style", "label_colour", "colour", "accent", "paper", "align"),
    "image": ("file", "box", "fit", "tint", "grey", "mask"),
    "gradient": ("box", "from", "to", "opacity", "towards"),
    "frame": ("file", "box", "cut", "edge"),
    "qr": ("value", "box", "colour", "level"),
    "barcode": ("value", "box", "kind", "colour", "style"),
    "curve": ("value", "style", "align", "at", "r", "turn", "inward", "d", *STYLE_CHANGES),
    "slot": ("box", "value", "style", "align", "valign", "clip", "unit", *STYLE_CHANGES),
    "anchor": ("name", "box", "at", "turn", "lay"),
}
"""Drawing key -> the arguments it takes; None: whatever the ornament takes."""
