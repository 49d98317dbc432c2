"""A safe subset of SVG as path operations: groups, basic shapes, paths, transformations and plain paint.

What an SVG could do beyond drawing is refused by name rather than ignored: document types, entities, scripts, links,
embedded pictures, style sheets. Texts have to be turned into paths first.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from xml.etree import ElementTree

from generator.faces import svgpath
from generator.faces.display import POP, Matrix, Op, PathOp, Pop, Push
from generator.faces.svgpath import Path, multiply, to_d, transform

MAX_ELEMENTS = 5_000
MAX_DEPTH = 40
SMALLEST = 1e-6
"""Width and height of the smallest view box."""
FARTHEST = 1e12
"""Whatever transformations together do, nothing is drawn larger or farther away."""
CURES = {
    "text": "turn it into a path (in Inkscape: Path, Object to Path)",
    "image": "a picture inside a drawing stays a file of its own: put it on the face with `image`",
    "use": "unlink the clone (in Inkscape: Edit, Clone, Unlink Clone)",
    "style": "save it as plain SVG, with presentation attributes",
    "clip-path": "cut the shape itself",
    "mask": "cut the shape itself",
    "filter": "take the effect off; a shadow can be a shape of its own",
    "linearGradient": "use a plain colour",
    "radialGradient": "use a plain colour",
    "pattern": "use a plain colour",
}
"""Unsupported parts of a picture -> the remedy."""
_SVG = "{http://www.w3.org/2000/svg}"
_IGNORED = ("title", "desc", "metadata", "defs")
_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(px)?\s*")
_TRANSFORM = re.compile(r"\s*,?\s*(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)")
_COLOURS = {
    "black": "#000000", "white": "#ffffff", "red": "#ff0000", "green": "#008000", "blue": "#0000ff",
    "yellow": "#ffff00", "gray": "#808080", "grey": "#808080", "none": "", "transparent": "",
}  # fmt: skip
_PAINT = (
    "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "fill-rule",
    "visibility", "fill-opacity", "stroke-opacity",
)  # fmt: skip
_START = {"fill": "#000000", "stroke": "none", "stroke-width": "1", "stroke-linecap": "butt",
          "stroke-linejoin": "miter", "stroke-dasharray": "none", "fill-rule": "nonzero",
          "visibility": "visible", "fill-opacity": "1", "stroke-opacity": "1"}  # fmt: skip


def svg_ops(content: bytes, x: float, y: float, w: float, h: float) -> list[Op]:
    """The picture stretched to the box, clipped to it. ValueError (to follow `the picture 'x' …`) if it is refused."""
    root = read_tree(content)
    left, top, width, height = view_box(root)
    matrix = (w / width, 0.0, 0.0, h / height, x - left * w / width, y - top * h / height)
    ops: list[Op] = []
    Walker(ops).element(root, matrix, dict(_START), 0)
    return [Push(clip=to_d(svgpath.rect(x, y, w, h))), *ops, POP] if ops else []


def drawing(content: bytes, x: float, y: float, w: float, h: float) -> list[Op]:
    """The same of a picture that draws something; ValueError for one that does not."""
    ops = svg_ops(content, x, y, w, h)
    if all(isinstance(op, Push | Pop) for op in ops):
        raise ValueError("draws nothing: it is empty, or all that is in it is hidden or without paint")
    return ops


def svg_size(content: bytes) -> tuple[float, float]:
    """Width and height of the picture's view box. ValueError as `svg_ops` raises it."""
    _, _, width, height = view_box(read_tree(content))
    return width, height


def read_tree(content: bytes) -> ElementTree.Element:
    """The elements of an SVG. ValueError as `svg_ops` raises it."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8 text") from None
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ValueError("has a document type or entities, which are not taken: save it as plain SVG")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as problem:
        raise ValueError(f"is not XML: {problem}") from None
    if root.tag != f"{_SVG}svg":
        raise ValueError("is not an SVG: its root is not 'svg'")
    return root


def view_box(root: ElementTree.Element) -> tuple[float, float, float, float]:
    """Left, top, width and height of what an SVG shows. ValueError as `svg_ops` raises it."""
    box = root.get("viewBox")
    if box is None:
        if not (root.get("width") and root.get("height")):
            raise ValueError("has neither a viewBox nor a width and a height: save it again from the drawing program")
        left, top = 0.0, 0.0
        width, height = _length(root, "width", None), _length(root, "height", None)
    else:
        try:
            left, top, width, height = (_plain(v) for v in box.replace(",", " ").split())
        except ValueError:
            raise ValueError(f"has the viewBox '{box}', which is not four numbers") from None
    if not (width >= SMALLEST and height >= SMALLEST):
        raise ValueError(f"has {'a viewBox' if box is not None else 'a width and height'} without a size")
    return left, top, width, height


def _length(element: ElementTree.Element, name: str, default: float | None = 0.0) -> float:
    text = element.get(name)
    if text is None and default is not None:
        return default
    try:
        return _plain(text or "")
    except ValueError:
        raise ValueError(f"has {name}='{text}' where a plain number is needed") from None


class Walker:
    """Goes through the elements of an SVG and collects what they draw."""

    def __init__(self, ops: list[Op]) -> None:
        self.ops = ops
        self.count = 0

    def element(self, element: ElementTree.Element, matrix: Matrix, paint: dict[str, str], depth: int) -> None:
        self.count += 1
        if self.count > MAX_ELEMENTS or depth > MAX_DEPTH:
            raise ValueError(f"has more than {MAX_ELEMENTS:,} elements or {MAX_DEPTH} levels")
        if not isinstance(element.tag, str) or not element.tag.startswith(_SVG):
            return  # an editor's own notes
        name = element.tag.removeprefix(_SVG)
        if name in _IGNORED:
            return
        if _hidden(element):
            return
        if name not in ("svg", "g") and name not in SHAPES:
            raise ValueError(f"has a '{name}', which is not taken: {CURES.get(name, 'keep to paths and basic shapes')}")
        paint = inherited(element, paint)
        if name == "svg" and depth:
            raise ValueError("has an 'svg' inside, which is not taken")
        if "transform" in element.attrib:
            matrix = multiply(matrix, matrix_of(element.attrib["transform"]))
            if not all(abs(value) <= FARTHEST for value in matrix):
                told = element.attrib["transform"][:40]
                raise ValueError(f"has the transformation '{told}', which leads out of sight")
        faint = _opacity(element, "opacity")
        if faint < 1:
            self.ops.append(Push(opacity=faint))
        self._inside(element, name, matrix, paint, depth)
        if faint < 1:
            self.ops.append(POP)

    def _inside(
        self, element: ElementTree.Element, name: str, matrix: Matrix, paint: dict[str, str], depth: int
    ) -> None:
        if name in SHAPES:
            try:
                path = SHAPES[name](element)
            except svgpath.PathDataError as problem:
                raise ValueError(f"has a {name} that cannot be read: {problem}") from None
            self._painted(transform(path, matrix), matrix, paint)
            return
        for child in element:
            self.element(child, matrix, paint, depth + 1)

    def _painted(self, path: Path, matrix: Matrix, paint: dict[str, str]) -> None:
        """A shape; its fill and its line apart, where one of them is not opaque."""
        fill, stroke = (_number_of(paint[f"{kind}-opacity"], f"{kind}-opacity") for kind in ("fill", "stroke"))
        if fill >= 1 and stroke >= 1:
            self._paint(path, matrix, paint)
            return
        for opacity, other in ((fill, "stroke"), (stroke, "fill")):
            if opacity > 0:
                self.ops.append(Push(opacity=opacity))
                self._paint(path, matrix, {**paint, other: "none"})
                self.ops.append(POP)

    def _paint(self, path: Path, matrix: Matrix, paint: Mapping[str, str]) -> None:
        if paint["visibility"] in ("hidden", "collapse"):
            return
        fill, stroke = _colour(paint["fill"]), _colour(paint["stroke"])
        if not path or not (fill or stroke):
            return
        scale = math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
        evenodd = paint["fill-rule"] == "evenodd" and bool(fill)
        if not stroke:
            self.ops.append(PathOp(to_d(path), fill, evenodd=evenodd))
            return
        dashes = [] if paint["stroke-dasharray"] == "none" else paint["stroke-dasharray"].replace(",", " ").split()
        dash = tuple([round(_plain(v) * scale, 3) for v in (dashes * 2 if len(dashes) % 2 else dashes)])
        cap, join = paint["stroke-linecap"], paint["stroke-linejoin"]
        if cap not in ("butt", "round", "square") or join not in ("miter", "round", "bevel"):
            raise ValueError(f"has the line ends '{cap}' or corners '{join}', which are not taken")
        width = round(_plain(paint["stroke-width"]) * scale, 3)
        self.ops.append(PathOp(to_d(path), fill, stroke, width, dash, cap, join, evenodd))


def style_of(element: ElementTree.Element, name: str) -> str:
    """A property as the element itself gives it: in its style, or as an attribute."""
    for declaration in element.get("style", "").split(";"):
        key, _, value = declaration.partition(":")
        if key.strip() == name:
            return value.strip()
    return element.get(name, "")


def _opacity(element: ElementTree.Element, name: str) -> float:
    return _number_of(style_of(element, name) or "1", name)


def _number_of(text: str, name: str) -> float:
    """A number between 0 and 1, or a percentage."""
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise ValueError(f"has {name}='{text[:40]}' where a number is needed") from None
    return min(1.0, max(0.0, value))


def _hidden(element: ElementTree.Element) -> bool:
    """True if an element with all its contents is switched off, as drawing programs do with layers."""
    return style_of(element, "display") == "none"


def inherited(element: ElementTree.Element, paint: dict[str, str]) -> dict[str, str]:
    """The paint of an element, with what it takes from those around it. ValueError for effects."""
    own = {name: element.attrib[name] for name in _PAINT if name in element.attrib}
    for declaration in element.get("style", "").split(";"):
        name, colon, value = declaration.partition(":")
        if colon and name.strip() in _PAINT:
            own[name.strip()] = value.strip()
    for name in ("clip-path", "mask", "filter", "mix-blend-mode"):
        if (style_of(element, name) or "none") not in ("none", "normal"):
            raise ValueError(f"uses '{name}', which is not taken: {CURES.get(name, 'take the effect off')}")
    return {**paint, **{name: value for name, value in own.items() if value != "inherit"}}


def _colour(value: str) -> str:
    value = value.strip().lower()
    if value in _COLOURS:
        return _COLOURS[value]
    if re.fullmatch(r"#[0-9a-f]{6}", value):
        return value
    if re.fullmatch(r"#[0-9a-f]{3}", value):
        return "#" + "".join(c + c for c in value[1:])
    raise ValueError(f"has the paint '{value}', which is not a plain colour (#rrggbb)")


def _plain(text: str) -> float:
    """A number without a unit (or in px), within the bounds that path data has."""
    match = _NUMBER.fullmatch(text)
    value = float(match.group(1)) if match is not None else math.nan
    if not abs(value) <= svgpath.LARGEST:
        raise ValueError(f"has the length '{text[:40]}' where a plain number up to {svgpath.LARGEST:,} is needed")
    return value


def matrix_of(text: str) -> Matrix:
    """The matrix of a `transform`. ValueError for one that cannot be read."""
    matrix: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    if _TRANSFORM.sub("", text).strip():
        raise ValueError(f"has the transformation '{text[:40]}', which cannot be read")
    for name, inside in _TRANSFORM.findall(text):
        values = [_plain(v) for v in inside.replace(",", " ").split()]
        matrix = multiply(matrix, _step(name, values, text))
    return matrix


def _step(name: str, values: list[float], text: str) -> Matrix:
    match name, values:
        case "matrix", [a, b, c, d, e, f]:
            return (a, b, c, d, e, f)
        case "translate", [x, *rest] if len(rest) <= 1:
            return (1.0, 0.0, 0.0, 1.0, x, rest[0] if rest else 0.0)
        case "scale", [x, *rest] if len(rest) <= 1:
            return (x, 0.0, 0.0, rest[0] if rest else x, 0.0, 0.0)
        case "rotate", [turn]:
            return svgpath.placing(turn=turn)
        case "rotate", [turn, x, y]:
            return multiply(svgpath.placing(x, y, turn), (1.0, 0.0, 0.0, 1.0, -x, -y))
        case "skewX", [angle]:
            return (1.0, 0.0, math.tan(math.radians(angle)), 1.0, 0.0, 0.0)
        case "skewY", [angle]:
            return (1.0, math.tan(math.radians(angle)), 0.0, 1.0, 0.0, 0.0)
    raise ValueError(f"has the transformation '{text[:40]}', which cannot be read")


def _rect(e: ElementTree.Element) -> Path:
    radius = _length(e, "rx", _length(e, "ry"))
    return svgpath.rect(_length(e, "x"), _length(e, "y"), _length(e, "width"), _length(e, "height"), radius)


def _points(e: ElementTree.Element, closed: bool) -> Path:
    values = [_plain(v) for v in e.get("points", "").replace(",", " ").split()]
    if len(values) % 2:
        raise ValueError("has a polygon with half a point")
    return svgpath.polygon([values[i : i + 2] for i in range(0, len(values), 2)], closed) if values else []


SHAPES: dict[str, Callable[[ElementTree.Element], Path]] = {
    "path": lambda e: svgpath.parse(e.get("d", "")),
    "rect": _rect,
    "circle": lambda e: svgpath.circle(_length(e, "cx"), _length(e, "cy"), _length(e, "r")),
    "ellipse": lambda e: svgpath.ellipse(_length(e, "cx"), _length(e, "cy"), _length(e, "rx"), _length(e, "ry")),
    "line": lambda e: [
        ("M", _length(e, "x1"), _length(e, "y1")),
        ("L", _length(e, "x2"), _length(e, "y2")),
    ],
    "polyline": lambda e: _points(e, closed=False),
    "polygon": lambda e: _points(e, closed=True),
}
