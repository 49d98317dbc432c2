"""Face templates drawn in Inkscape, Figma or any other program that writes SVG.

What is drawn is drawn; an element whose name begins with `#` is a slot for something of the piece, and texts may hold
`{{ … }}`. The drawing becomes the elements of a face template as they would stand in YAML, so everything else (fitting,
faults, dependencies) is the same.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from xml.etree import ElementTree

from generator.faces.display import Matrix, Op, PathOp, Pop, Push
from generator.faces.svgpath import bounds, multiply, transform
from generator.faces.svgpicture import _START, _SVG, SHAPES, Walker, inherited, read_tree, style_of, view_box

ACROSS = 1000.0
"""Units across the drawing: fine enough for path data that is rounded to thousandths."""
LABEL = "{http://www.inkscape.org/namespaces/inkscape}label"
GUIDES, SPARE = "guides", "spare"
"""Layers that are not printed: the lines of the cut and the like; slots nobody uses yet."""
OWN = {"name": "name", "title": "name", "text": "text", "flavour": "flavour", "flavor": "flavour", "rule": "rule",
       "icons": "icons", "copies": "copies", "id": "id", "set": "set_title", "set_title": "set_title"}  # fmt: skip
"""Slots that are no fields: what of the piece they show."""
CAP, LINE = 0.72, 1.3
"""Height of capitals and of a line, in ems, for texts without a box."""
ALIGNED = {"middle": "center", "end": "right"}
FLOOR = 0.7
"""The smallest scale of a text in a drawing."""
CURES = {
    "image": "take the picture out, put its file into the project and draw a rectangle named '#art' in its place",
    "foreignObject": "write the text with the text tool, in its simple form",
    "flowRoot": "turn the flowed text into a text, or draw a rectangle named after its slot",
    "filter": "take the effect off; a shadow can be a shape of its own",
    "use": "unlink the clone",
    "style": "save as plain SVG, with presentation attributes",
    "linearGradient": "use a plain colour",
}


class Slot(NamedTuple):
    """The place for a part of the piece, in units of the drawing: the corner of its box, its turn, its size, its
    contents, the look of its text (arguments of a text), and the path it is cut to (none: a rectangle)."""

    corner: tuple[float, float]
    turn: float
    size: tuple[float, float]
    value: str
    style: str
    look: dict[str, Any]
    clip: str = ""


class Face(Walker):
    """Reads a drawing: operations, with slots among them."""

    def __init__(self, styles: Iterable[str], fonts: Mapping[str, str], wide: float) -> None:
        super().__init__([])
        self.parts: list[Op | Slot] = self.ops  # type: ignore[assignment]
        self.styles, self.fonts, self.wide = list(styles), fonts, wide

    def element(self, element: ElementTree.Element, matrix: Matrix, paint: dict[str, str], depth: int) -> None:
        tag = element.tag.removeprefix(_SVG) if isinstance(element.tag, str) else ""
        called = named(element)
        if called.lower() in (GUIDES, SPARE):
            return
        try:
            if called.startswith("#") and tag in (*SHAPES, "g", "text", "image"):
                self._slot(element, tag, called, matrix, paint)
                return
            if tag == "text":
                inner = multiply(matrix, self.moved(element))
                self._text(element, inner, inherited(element, paint), _value_of(element), "")
                return
            if tag in CURES and tag not in ("style", "linearGradient", "filter"):
                raise ValueError(f"has a '{tag}', which cannot be kept; {CURES[tag]}")
            super().element(element, matrix, paint, depth)
        except ValueError as error:
            said = str(error)
            cure = next((f"; {how}" for what, how in CURES.items() if f"'{what}'" in said and how not in said), "")
            if "url(" in said:
                cure = "; use a plain colour, or draw the gradient in the YAML of a template"
            where = f" ({called or tag})" if called and called not in said else ""
            raise ValueError(f"{said}{cure}{where}") from None

    def _slot(self, element: ElementTree.Element, tag: str, called: str, matrix: Matrix, paint: dict[str, str]) -> None:
        word = re.sub(r"[\s-]+", "_", called.lstrip("#").strip().lower())
        base = re.sub(r"_?\d+$", "", word)
        word = base if base in OWN else word
        if not re.fullmatch(r"[a-z]\w*", word):
            raise ValueError(f"has a slot '{called}', which is not a name: use letters, digits and '_'")
        shown = f"{{{{ piece.{OWN[word]} }}}}" if word in OWN else (
            f"{{{{ piece.fields['{word}'] if '{word}' in piece.fields else '' }}}}"
        )  # fmt: skip
        alike = {word, *(other for other, own in OWN.items() if own == OWN.get(word))}
        style = next((name for name in self.styles if _plain(name) in map(_plain, alike)), "")
        inner = multiply(matrix, self.moved(element))
        paint = inherited(element, paint)
        if tag == "text":
            self._text(element, inner, paint, shown, style)
            return
        look: dict[str, Any] = {}
        box = element
        if tag == "g":
            shapes = [one for one in element.iter() if _tag(one) in SHAPES]
            texts = [one for one in element.iter() if _tag(one) == "text"]
            if not shapes:
                raise ValueError(f"has a group '{called}' without a shape that says how large the slot is")
            box = shapes[0]
            inner = multiply(inner, self.moved(box))
            if texts:
                look = self._look(texts[0], inherited(texts[0], paint), _scale(inner))
        tag = _tag(box)
        if tag == "image":
            x, y, w, h = (float(box.get(key, "0")) for key in ("x", "y", "width", "height"))
        else:
            x, y, w, h = bounds(SHAPES[tag](box))
        if not (w > 0 and h > 0):
            raise ValueError(f"has a slot '{called}' without a size")
        if anchor := style_of(box, "text-anchor"):
            look = {**look, "align": ALIGNED.get(anchor, "left")}
        style = next((name for name in box.get("class", "").split() if name in self.styles), style)
        corner, turn, k = _placed(inner, x, y)
        clip = ""
        if tag not in ("rect", "image"):
            from generator.faces.svgpath import to_d

            clip = to_d(transform(SHAPES[tag](box), (k, 0.0, 0.0, k, -x * k, -y * k)))
        self.parts.append(Slot(corner, turn, (w * k, h * k), shown, style, look, clip))

    def _text(
        self, element: ElementTree.Element, matrix: Matrix, paint: Mapping[str, str], value: str, style: str
    ) -> None:
        """A text where it begins. It has no box, so it may be as wide as the drawing leaves room for."""
        first = next((one for one in element.iter() if _tag(one) == "tspan" and one.get("x")), element)
        x, y = _first(first.get("x") or element.get("x")), _first(first.get("y") or element.get("y"))
        look = self._look(element, inherited(element, dict(paint)), _scale(matrix))
        corner, turn, _ = _placed(matrix, x, y)
        em, lines = look["em"], value.count("\n") + 1
        left = corner[0]
        room = {"left": self.wide - left, "right": left, "center": 2 * min(left, self.wide - left)}[look["align"]]
        wide = max(room * 0.97, em)
        shift = {"left": 0.0, "right": wide, "center": wide / 2}[look["align"]]
        top = (shift * math.cos(math.radians(turn)), shift * math.sin(math.radians(turn)))
        up = (CAP * em * math.sin(math.radians(turn)), -CAP * em * math.cos(math.radians(turn)))
        at = (corner[0] - top[0] + up[0], corner[1] - top[1] + up[1])
        self.parts.append(Slot(at, turn, (wide, LINE * em * lines), value, style, {**look, "valign": "top"}))

    def _look(self, element: ElementTree.Element, paint: Mapping[str, str], scale: float) -> dict[str, Any]:
        """The look of a text in the drawing: size (in units), colour, alignment, font."""

        def said(name: str) -> str:
            inside = [one for one in element.iter() if _tag(one) == "tspan"]
            return next((found for one in (*inside, element) if (found := style_of(one, name))), "")

        size = re.fullmatch(r"\s*([\d.]+)(px)?\s*", said("font-size") or "16")
        if size is None:
            raise ValueError(f"has a text of the size '{said('font-size')}'; give it in px")
        align = ALIGNED.get(said("text-anchor"), "left")
        look: dict[str, Any] = {"em": float(size[1]) * scale, "align": align}
        fill = said("fill") or paint["fill"]
        if fill.startswith("#"):
            look["colour"] = fill
        if font := self._font(said("font-family"), said("font-weight"), said("font-style")):
            look["font"] = font
        return look

    def _font(self, family: str, weight: str, slant: str) -> str:
        """The font of the theme whose file is of that family, weight and slant; "" if there is none."""
        wanted = _plain(family.split(",")[0])
        keys = [key for key, address in self.fonts.items() if wanted and wanted in _plain(address)]
        bold = weight in ("bold", "600", "700", "800", "900")
        fit = [
            key
            for key in keys
            if ("bold" in self.fonts[key].lower()) is bold
            and bool(re.search(r"it(alic)?\.ttf", self.fonts[key].lower())) is (slant == "italic")
        ]
        return (fit or keys or [""])[0]

    def moved(self, element: ElementTree.Element) -> Matrix:
        """The transformation of the element itself."""
        from generator.faces.svgpicture import matrix_of

        return matrix_of(element.get("transform", ""))


def items_of(content: bytes, styles: Iterable[str], fonts: Mapping[str, str]) -> list[dict[str, Any]]:
    """The elements of a face template that a drawing stands for. ValueError (to follow `the drawing …`) if something in
    it cannot be kept. The drawing is as large as the face is trimmed, or with its bleed, whichever fits better."""
    root = read_tree(content)
    left, top, width, height = view_box(root)
    k = ACROSS / width
    high = height * k
    face = Face(styles, fonts, ACROSS)
    face.element(root, (k, 0.0, 0.0, k, -left * k, -top * k), dict(_START), 0)
    let = {
        "with_bleed": f"{{{{ (((w + 2 * bleed) / (h + 2 * bleed) - {width / height}) | abs) "
        f"< ((w / h - {width / height}) | abs) }}}}",
        "k": f"{{{{ (w + 2 * bleed if with_bleed else w) / {ACROSS:g} }}}}",
        "ox": "{{ -bleed if with_bleed else 0 }}",
        "oy": f"{{{{ -bleed if with_bleed else (h - {high} * k) / 2 }}}}",
    }
    default = next((name for name in ("body", *styles) if name in styles), "")
    return [{"let": let}, *_items(face.parts, default)]


def _items(parts: Iterable[Op | Slot], default: str) -> list[dict[str, Any]]:
    out: list[list[dict[str, Any]]] = [[]]
    faint: list[float] = []
    for part in parts:
        if isinstance(part, Slot):
            out[-1].append(_slot_item(part, default))
        elif isinstance(part, PathOp):
            paint: dict[str, Any] = {"fill": part.fill or "none", "stroke": part.stroke or "none"}
            if part.stroke:
                paint |= {"width": f"{{{{ {part.width} * k }}}}", "cap": part.cap, "join": part.join}
                if part.dash:
                    paint["dash"] = [f"{{{{ {length} * k }}}}" for length in part.dash[:2]]
            if part.evenodd:
                paint["evenodd"] = True
            at = ["{{ ox }}", "{{ oy }}"]
            out[-1].append({"path": {"d": part.d, "at": at, "scale": "{{ k }}", **paint}})
        elif isinstance(part, Push):
            faint.append(part.opacity)
            out.append([])
        elif isinstance(part, Pop):
            inside, opacity = out.pop(), faint.pop()
            out[-1].append({"group": {"items": inside}, "opacity": opacity})
    return out[0]


def _slot_item(slot: Slot, default: str) -> dict[str, Any]:
    (x, y), (w, h) = slot.corner, slot.size
    look = {key: value for key, value in slot.look.items() if key != "em"}
    args: dict[str, Any] = {
        "box": [0, 0, f"{{{{ {w} * k }}}}", f"{{{{ {h} * k }}}}"],
        "value": slot.value,
        "style": slot.style or default,
        **look,
    }
    if "em" in slot.look:
        points = slot.look["em"] * 72 / 25.4
        args |= {"size": f"{{{{ {points} * k }}}}", "min": f"{{{{ {FLOOR * points} * k }}}}"}
    if slot.clip:
        args["clip"] = slot.clip
        args["unit"] = "{{ k }}"
    at = [f"{{{{ ox + {x} * k }}}}", f"{{{{ oy + {y} * k }}}}"]
    return {"group": {"items": [{"slot": args}], "at": at, "turn": slot.turn}}


def named(element: ElementTree.Element) -> str:
    """The name of an element: what Inkscape calls it, or its id, which is what Figma calls its layers."""
    label, own = element.get(LABEL, ""), element.get("id", "")
    found = label if label.startswith("#") or not own.startswith("#") else own
    return (found or own).strip()


def _tag(element: ElementTree.Element) -> str:
    return element.tag.removeprefix(_SVG) if isinstance(element.tag, str) else ""


def _value_of(element: ElementTree.Element) -> str:
    """The words of a text; lines that a program wrote as parts of their own are lines."""
    lines = [one for one in element if _tag(one) == "tspan"]
    if len(lines) > 1 and all(one.get("y") or one.get("dy") for one in lines[1:]):
        return "\n".join(" ".join("".join(one.itertext()).split()) for one in lines)
    return " ".join("".join(element.itertext()).split())


def _first(text: str | None) -> float:
    return float((text or "0").replace(",", " ").split()[0])


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", text.lower())


def _scale(matrix: Matrix) -> float:
    return math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))


def _placed(matrix: Matrix, x: float, y: float) -> tuple[tuple[float, float], float, float]:
    """A point after the transformation, the turn of everything in degrees, and its scale."""
    a, b, c, d, e, f = matrix
    turn = math.degrees(math.atan2(b, a))
    return (a * x + c * y + e, b * x + d * y + f), round(turn, 4), _scale(matrix)


__all__ = ["GUIDES", "SPARE", "items_of"]
