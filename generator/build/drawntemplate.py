"""A face as an SVG to go on drawing: what it shows as shapes, and a rectangle for each slot, named after it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from components.files import write_whole
from components.model import ResolvedGame, ResolvedPiece
from generator.backends.svgpictures import escape
from generator.build.options import Options
from generator.build.places import Places
from generator.build.project import read_layouts
from generator.faces.display import DisplayList, Matrix, PathOp, number
from generator.faces.facemaker import FaceMaker
from generator.faces.svgpath import multiply, parse, to_d, transform
from generator.faces.svgtemplate import GUIDES, SPARE
from generator.paper.formats import Format
from generator.proofing.extents import box_corners, placed

_SHOWN = re.compile(r"\{\{\s*piece\.(?:fields\.)?(\w+)\s*\}\}")
WORDS = ("text", "column", "icons")
"""Elements that fill slots: they are no part of the drawing."""
FREE = 6.0
"""Height in mm of a slot that has no place yet."""


def to_templates(game: ResolvedGame, options: Options, places: Places) -> list[Path]:
    """`template/<face>.svg` for each template of a front, as its first piece looks. Raises FaceError."""
    layouts = read_layouts(game.id, places)
    maker = layouts.faces(game, options.ink)
    made: list[Path] = []
    first: dict[str, ResolvedPiece] = {}
    for piece in game.pieces:
        first.setdefault(piece.face, piece)
    for name, piece in first.items():
        file = options.out / game.id / "template" / f"{name}.svg"
        write_whole(file, template_of(maker, piece, layouts.formats[piece.format]).encode(), below=options.out)
        made.append(file)
    return made


def template_of(maker: FaceMaker, piece: ResolvedPiece, fmt: Format) -> str:
    """The front of a piece as an SVG with its bleed, in mm."""
    maker.kit.origins = {}
    face = maker.front(piece)
    b = face.bleed
    onto: Matrix = (1.0, 0.0, 0.0, 1.0, b, b)
    shapes, slots = _parts(maker, face, onto)
    missing = [name for name in ("name", "text", *piece.fields) if name not in slots]
    spare = {
        name: Slot((b + fmt.safe, b + fmt.safe + n * (FREE + 1), face.w - 2 * fmt.safe, FREE))
        for n, name in enumerate(missing)
    }
    w, h = number(face.w + 2 * b), number(face.h + 2 * b)
    lines = ((b, b, face.w, face.h), (b + fmt.safe, b + fmt.safe, face.w - 2 * fmt.safe, face.h - 2 * fmt.safe))
    guides = "".join(f'<rect {_box(one)} fill="none" stroke="#d00000" stroke-width="0.15"/>\n' for one in lines)
    layer = 'inkscape:groupmode="layer" inkscape:label'
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
        f'width="{w}mm" height="{h}mm" viewBox="0 0 {w} {h}">\n<title>{escape(piece.name)}</title>\n'
        f'<g id="drawing" {layer}="drawing">\n{"".join(shapes)}</g>\n'
        f'<g id="slots" {layer}="slots">\n{_rects(slots)}</g>\n'
        f'<g id="{SPARE}" {layer}="{SPARE}" style="display:none">\n{_rects(spare)}</g>\n'
        f'<g id="{GUIDES}" {layer}="{GUIDES}">\n{guides}</g>\n</svg>\n'
    )


class Slot(NamedTuple):
    """A box in mm, and how the text in it looks."""

    box: tuple[float, float, float, float]
    style: str = ""
    align: str = "left"


def _rects(slots: Mapping[str, Slot]) -> str:
    anchors = {"center": "middle", "right": "end"}
    return "".join(
        f'<rect id="slot-{name}" inkscape:label="#{name}" {_box(slot.box)} fill="#888888" fill-opacity="0.25"'
        + (f' class="{slot.style}"' if slot.style else "")
        + (f' text-anchor="{anchors[slot.align]}"' if slot.align in anchors else "")
        + "/>\n"
        for name, slot in slots.items()
    )


def _parts(maker: FaceMaker, face: DisplayList, onto: Matrix) -> tuple[list[str], dict[str, Slot]]:
    """The shapes of a face, and the boxes of what shows something of the piece alone."""
    origins = maker.kit.origins or {}
    shapes: list[str] = []
    slots: dict[str, Slot] = {}
    for op, matrix in placed(face):
        origin = origins.get(id(op))
        if origin is not None and origin.box is not None:
            args: Any = origin.source.readable
            for step in origin.path:
                args = args[step]
            shown = _SHOWN.fullmatch(str(args.get("value", args.get("file", ""))).strip())
            if shown is not None and shown[1] not in slots:
                corners = box_corners(origin.box, multiply(onto, matrix))
                xs, ys = [x for x, _ in corners], [y for _, y in corners]
                box = (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
                style = str(args.get("style", args.get("label_style", "")))
                slots[shown[1]] = Slot(box, style, str(args.get("align", "left")))
        if isinstance(op, PathOp) and (origin is None or origin.kind not in WORDS):
            d = to_d(transform(parse(op.d), multiply(onto, matrix)))
            line = f' stroke="{op.stroke}" stroke-width="{number(op.width)}"' if op.stroke else ""
            rule = ' fill-rule="evenodd"' if op.evenodd else ""
            shapes.append(f'<path d="{d}" fill="{op.fill or "none"}"{line}{rule}/>\n')
    return shapes, slots


def _box(box: tuple[float, float, float, float]) -> str:
    names = ("x", "y", "width", "height")
    return " ".join(f'{name}="{number(value)}"' for name, value in zip(names, box, strict=True))


__all__ = ["template_of", "to_templates"]
