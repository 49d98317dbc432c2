"""The elements of face templates: each drawing key is one function from finished arguments to operations."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from generator import svgpath
from generator.display import POP, Op, PathOp, Push
from generator.expressions import nearest, printed
from generator.fonts import FontBook
from generator.layouts import Look, text_style
from generator.ornaments import CLIPPED, ORNAMENTS
from generator.svgpath import Path, to_d
from generator.text import PT, TextError, TextStyle, layout

Args = dict[str, Any]


class ElementError(Exception):
    """An element that cannot be drawn; the message says why."""


class Kit:
    """What elements draw with: the look of the game, its fonts, and the ink."""

    def __init__(self, look: Look, fonts: FontBook, ink: str) -> None:
        self.look = look
        self.fonts = fonts
        self.ink = ink
        self._colours: dict[str, str] = {}
        self._styles: dict[Any, TextStyle] = {}

    def colour(self, name: Any) -> str:
        found = self._colours.get(name) if isinstance(name, str) else None
        if found is None:
            try:
                found = self._colours[name] = self.look.colour(name, self.ink)
            except (KeyError, AttributeError):
                raise ElementError(f"no colour '{name}'{nearest(str(name), self.look.theme.colours)}") from None
            except ValueError as problem:
                raise ElementError(str(problem)) from None
        return found

    def style(self, args: Args) -> TextStyle:
        name = args.get("style")
        if name is None:
            raise ElementError("a text needs a 'style'")
        changes = tuple([(key, args[key]) for key in _STYLE_CHANGES if key in args])
        style = self._styles.get((name, changes))
        if style is None:
            if name not in self.look.theme.styles:
                raise ElementError(f"no style '{name}'{nearest(str(name), self.look.theme.styles)}")
            self.colour(dict(changes).get("colour", self.look.theme.styles[name].colour))
            style = text_style(self.look, name, self.ink, **dict(changes))
            self._styles[name, changes] = style
        return style

    def icon(
        self, name: str, x: float, y: float, size: float, ink: str, accent: str = "", paper: str = ""
    ) -> list[Op]:
        """An icon in finished colours. ElementError: no such icon."""
        if name not in self.look.icons:
            raise ElementError(f"no icon '{name}'{nearest(name, self.look.icons.icons)}")
        if not paper:
            paper = self.colour("paper") if "paper" in self.look.theme.colours else "#ffffff"
        return self.look.icons.draw(name, x, y, size, ink, accent or ink, paper)


_STYLE_CHANGES = ("colour", "size", "min", "leading", "case", "tracking", "font")

# --- reading arguments -------------------------------------------------------------------------------------------


def _number(args: Args, key: str, default: float | None = None) -> float:
    value = args.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ElementError(f"'{key}' must be a number, found {value!r}")
    return value


def _numbers(args: Args, key: str, count: int) -> list[float]:
    value = args.get(key)
    if not isinstance(value, list | tuple) or len(value) != count:
        raise ElementError(f"'{key}' must be a list of {count} numbers, found {value!r}")
    for item in value:
        if isinstance(item, bool) or not isinstance(item, int | float):
            raise ElementError(f"'{key}' must be a list of {count} numbers, found {value!r}")
    return list(value)


def _word(args: Args, key: str, choices: Sequence[str]) -> str:
    value = args.get(key, choices[0])
    if value not in choices:
        raise ElementError(f"'{key}' must be one of {', '.join(choices)}, found {value!r}")
    return str(value)


def _painted(path: Path, args: Args, kit: Kit) -> list[Op]:
    fill, stroke = kit.colour(args.get("fill", "none")), kit.colour(args.get("stroke", "none"))
    if not fill and not stroke:
        if "fill" not in args and "stroke" not in args:
            raise ElementError("nothing to paint: give 'fill' or 'stroke'")
        return []
    if not stroke:
        return [PathOp(to_d(path), fill, evenodd=bool(args.get("evenodd", False)))]
    return [
        PathOp(
            to_d(path),
            fill,
            stroke,
            _number(args, "width", 0.25),
            tuple(args.get("dash", ())),
            _word(args, "cap", ("butt", "round", "square")),
            _word(args, "join", ("miter", "round", "bevel")),
            bool(args.get("evenodd", False)),
        )
    ]


# --- shapes ------------------------------------------------------------------------------------------------------


def shape(kind: str, args: Args) -> Path:
    """The path of a shape element. ElementError for arguments that make none."""
    if kind == "rect":
        x, y, w, h = _numbers(args, "box", 4)
        return svgpath.rect(x, y, w, h, _number(args, "r", 0))
    if kind == "circle":
        cx, cy = _numbers(args, "at", 2)
        return svgpath.circle(cx, cy, _number(args, "r"))
    if kind == "ellipse":
        cx, cy = _numbers(args, "at", 2)
        return svgpath.ellipse(cx, cy, _number(args, "rx"), _number(args, "ry"))
    if kind == "line":
        return svgpath.polygon([_numbers(args, "from", 2), _numbers(args, "to", 2)], closed=False)
    if kind == "polygon":
        points = args.get("points")
        if not isinstance(points, list) or len(points) < 2:
            raise ElementError("'points' must be a list of at least two points")
        return svgpath.polygon(
            [_numbers({"points": point}, "points", 2) for point in points], closed=not args.get("open", False)
        )
    if kind == "regular":
        cx, cy = _numbers(args, "at", 2)
        sides = args.get("sides")
        if not isinstance(sides, int) or not 3 <= sides <= 360:
            raise ElementError(f"'sides' must be a whole number from 3 to 360, found {sides!r}")
        return svgpath.regular(cx, cy, _number(args, "r"), sides, _number(args, "turn", 0), _number(args, "star", 0))
    x, y = _numbers(args, "at", 2) if "at" in args else (0.0, 0.0)
    try:
        path = svgpath.parse(str(args.get("d", "")))
    except svgpath.PathDataError as problem:
        raise ElementError(str(problem)) from None
    return svgpath.transform(path, svgpath.placing(x, y, _number(args, "turn", 0), _number(args, "scale", 1)))


def _shape_element(kind: str) -> Callable[[Args, Kit], list[Op]]:
    return lambda args, kit: _painted(shape(kind, args), args, kit)


def _ornament(args: Args, kit: Kit) -> list[Op]:
    kind = args.get("kind")
    if kind not in ORNAMENTS:
        raise ElementError(f"no ornament '{kind}'{nearest(str(kind), ORNAMENTS)}")
    make = ORNAMENTS[kind]
    box = _numbers(args, "box", 4)
    own = {key: value for key, value in args.items() if key not in _PAINT and key not in ("kind", "box")}
    takes = list(inspect.signature(make).parameters)
    for key in own:
        if key not in takes:
            raise ElementError(f"ornament '{kind}' takes no '{key}'{nearest(key, [*takes, *_PAINT])}")
    try:
        path = make(box, **own)
    except (TypeError, ValueError, ArithmeticError) as problem:
        raise ElementError(f"ornament '{kind}': {problem}") from None
    painted = _painted(path, args, kit)
    if kind in CLIPPED and painted:
        return [Push(clip=to_d(svgpath.rect(*box))), *painted, POP]
    return painted


# --- text and icons ----------------------------------------------------------------------------------------------


def _text(args: Args, kit: Kit) -> list[Op]:
    x, y, w, h = _numbers(args, "box", 4)
    value = args.get("value")
    style = kit.style(args)
    block = layout(
        "" if value is None else printed(value),
        style,
        w,
        h,
        fonts=kit.fonts,
        x=x,
        y=y,
        align=_word(args, "align", ("left", "center", "right")),
        valign=_word(args, "valign", ("top", "middle", "bottom")),
        max_lines=args.get("max_lines"),
        icon=kit.icon,
    )
    return block.ops


def _icon(args: Args, kit: Kit) -> list[Op]:
    x, y, w, h = _numbers(args, "box", 4)
    side = min(w, h)
    ink, accent, paper = _icon_colours(args, kit)
    return kit.icon(str(args.get("name")), x + (w - side) / 2, y + (h - side) / 2, side, ink, accent, paper)


def _icon_colours(args: Args, kit: Kit) -> tuple[str, str, str]:
    """Colours of the roles ink, accent and paper; empty: the usual one."""
    accent, paper = (kit.colour(args[key]) if key in args else "" for key in ("accent", "paper"))
    return kit.colour(args.get("colour", "ink")), accent, paper


def _icon_items(value: Any) -> list[tuple[str, str]]:
    """Icons of an `icons` value: records with name and label, or texts `name` / `name label`."""
    items = []
    for item in value or ():
        if isinstance(item, str):
            name, _, label = item.partition(" ")
            items.append((name, label.strip()))
        else:
            items.append((item.name, item.label))
    return items


def _icons(args: Args, kit: Kit) -> list[Op]:
    x, y, w, h = _numbers(args, "box", 4)
    items = _icon_items(args.get("value"))
    if not items:
        return []
    size = _number(args, "size", h)
    gap = _number(args, "gap", size * 0.25)
    align = _word(args, "align", ("center", "left", "right"))
    style = kit.style({"style": args["label_style"]}) if "label_style" in args else None
    colours = _icon_colours(args, kit)
    for tenths in range(20, 7, -1):
        scale = tenths / 20
        blocks = [_label(label, style, scale, kit) for _, label in items]
        rows = _rows([size * scale + (label[0] + size * scale * 0.12 if label else 0) for label in blocks], gap * scale, w)
        tall = len(rows) * size * scale + (len(rows) - 1) * gap * scale
        if tall <= h + 1e-6 and all(used <= w + 1e-6 for _, _, used in rows):
            break
    else:
        raise ElementError(f"{len(items)} icons of {size:g} mm do not fit a box of {w:g} x {h:g} mm, even at 40 %")
    ops: list[Op] = []
    side = size * scale
    top = y + (h - tall) / 2
    for start, end, used in rows:
        at = x + (w - used) / 2 if align == "center" else x + w - used if align == "right" else x
        for (name, _), label in zip(items[start:end], blocks[start:end], strict=True):
            ops += kit.icon(name, at, top, side, *colours)
            at += side
            if label and style is not None:
                width, text, size_pt = label
                at += side * 0.12
                set_at = _resized(style, size_pt)
                ops += layout(text, set_at, width + 0.01, side * 2, fonts=kit.fonts, x=at, y=top - side / 2, valign="middle").ops
                at += width
            at += gap * scale
        top += side + gap * scale
    return ops


def _resized(style: TextStyle, size: float) -> TextStyle:
    import msgspec

    return msgspec.structs.replace(style, size=size, min=0.0)


def _label(label: str, style: TextStyle | None, scale: float, kit: Kit) -> tuple[float, str, float] | None:
    """Width in mm, text and size in pt of an icon's label."""
    if not label:
        return None
    if style is None:
        raise ElementError(f"the icon label {label!r} needs a 'label_style'")
    size = max(style.size * scale, min(style.min or style.size, style.size))
    try:
        width = kit.fonts[style.font].width(label, style.kern) * size * PT
    except KeyError:
        raise TextError(f"font '{style.font}' has no glyph for a character of {label!r}") from None
    return width + 0.05, label, size


def _rows(widths: list[float], gap: float, limit: float) -> list[tuple[int, int, float]]:
    rows: list[tuple[int, int, float]] = []
    start, used = 0, -gap
    for i, width in enumerate(widths):
        if used + gap + width > limit + 1e-6 and i > start:
            rows.append((start, i, used))
            start, used = i, -gap
        used += gap + width
    rows.append((start, len(widths), used))
    return rows


# --- the table ---------------------------------------------------------------------------------------------------

_PAINT = frozenset({"fill", "stroke", "width", "dash", "cap", "join", "evenodd"})
_STYLING = frozenset({"style", "colour", "size", "min", "leading", "case", "tracking", "font"})

SHAPES: dict[str, frozenset[str]] = {
    "rect": frozenset({"box", "r"}),
    "circle": frozenset({"at", "r"}),
    "ellipse": frozenset({"at", "rx", "ry"}),
    "line": frozenset({"from", "to"}),
    "polygon": frozenset({"points", "open"}),
    "regular": frozenset({"at", "r", "sides", "turn", "star"}),
    "path": frozenset({"d", "at", "scale", "turn"}),
}

DRAW: dict[str, Callable[[Args, Kit], list[Op]]] = {
    **{kind: _shape_element(kind) for kind in SHAPES},
    "ornament": _ornament,
    "text": _text,
    "icon": _icon,
    "icons": _icons,
}

ALLOWED: dict[str, frozenset[str] | None] = {
    **{kind: keys | _PAINT for kind, keys in SHAPES.items()},
    "ornament": None,
    "text": _STYLING | {"box", "value", "align", "valign", "max_lines"},
    "icon": frozenset({"name", "box", "colour", "accent", "paper"}),
    "icons": frozenset({"box", "value", "size", "gap", "label_style", "colour", "accent", "paper", "align"}),
}
"""Drawing key -> the arguments it takes; None: whatever the ornament takes."""
