"""Display lists and sheets to SVG."""

from __future__ import annotations

from base64 import b64encode

from generator.display import IDENTITY, DisplayList, ImageOp, Op, PathOp, Pop, Push, TextOp, number
from generator.fonts import FontBook
from generator.svgpath import to_d, transform


def face_svg(dl: DisplayList, fonts: FontBook, bleed: bool = False) -> str:
    """One face as an SVG document of its own, trimmed or with its bleed."""
    m = dl.bleed if bleed else 0.0
    w, h = dl.w + 2 * m, dl.h + 2 * m
    body = "".join(_op(op, fonts) for op in dl.ops)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{number(w)}mm" '
        f'height="{number(h)}mm" viewBox="{number(-m)} {number(-m)} {number(w)} {number(h)}">'
        f'<rect x="{number(-m)}" y="{number(-m)}" width="{number(w)}" height="{number(h)}" fill="#ffffff"/>{body}</svg>'
    )


_clips = 0


def _op(op: Op, fonts: FontBook) -> str:
    global _clips
    if isinstance(op, PathOp):
        stroke = ""
        if op.stroke:
            stroke = f' stroke="{op.stroke}" stroke-width="{number(op.width)}" stroke-linecap="{op.cap}" stroke-linejoin="{op.join}"'
            if op.dash:
                stroke += f' stroke-dasharray="{" ".join(map(number, op.dash))}"'
        rule = ' fill-rule="evenodd"' if op.evenodd else ""
        return f'<path d="{op.d}" fill="{op.fill or "none"}"{rule}{stroke}/>'
    if isinstance(op, TextOp):
        font = fonts[op.font]
        kerns = dict(op.kerns)
        x, out = op.x, []
        for i, char in enumerate(op.text):
            out.append(to_d(transform(font.outline(char), (op.size, 0, 0, op.size, x, op.y))))
            x += font.em_advances[char] * op.size + op.tracking + kerns.get(i, 0.0)
        return f'<path d="{"".join(out)}" fill="{op.colour}"/>'
    if isinstance(op, ImageOp):
        return f'<image x="{op.x}" y="{op.y}" width="{op.w}" height="{op.h}" preserveAspectRatio="none" xlink:href="data:image/{op.media};base64,{b64encode(op.content).decode()}"/>'
    if isinstance(op, Push):
        attributes = ""
        before = ""
        if op.matrix != IDENTITY:
            attributes += f' transform="matrix({",".join(f"{v:.6g}" for v in op.matrix)})"'
        if op.clip:
            _clips += 1
            before = f'<clipPath id="c{_clips}"><path d="{op.clip}"/></clipPath>'
            attributes += f' clip-path="url(#c{_clips})"'
        return f"<g{attributes}>{before}"
    assert isinstance(op, Pop)
    return "</g>"
