"""Setting text: measuring, wrapping, shrinking to fit, inline icons.

`layout` is the only entry. It works in millimetres with the metrics of the font that is embedded; type sizes of styles
are points, as designers give them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from generator.faces.breaking import Measured, Piece, Setting, broken, plain_word
from generator.faces.display import Op, PathOp, TextOp
from generator.faces.faults import Fault
from generator.faces.fonts import Font, FontBook
from generator.faces.richtext import AS_IS, Paragraph, Run, Span, Word, parse
from generator.faces.svgpath import rect, to_d
from generator.paper.units import POINT

STEP = 0.25
"""Text shrinks by this many points at a time."""
ICON_EM = 1.15
"""Height and width of an inline icon, in ems."""
UNDER, THIN = 0.12, 0.055
"""The distance of an underline below the baseline, and its thickness, in ems."""
ITEM_GAP = 0.45
"""Between the mark of a list and its words, in ems."""


class TextStyle(msgspec.Struct, frozen=True, kw_only=True):
    """A style of the theme. Sizes in pt, leading as a multiple of the size, tracking in ems."""

    name: str = ""
    font: str
    bold: str = ""
    italic: str = ""
    bold_italic: str = ""
    size: float
    min: float = 0.0
    """The floor; 0: the text is never shrunk."""
    leading: float = 1.2
    tracking: float = 0.0
    upper: bool = False
    colour: str = "#000000"
    accent: str = ""
    """Of inline icons; empty: as the text."""
    kern: bool = True
    hyphens: str = ""
    """The language in which long words may be divided at the ends of lines, such as `en_GB`; empty: they may not."""

    def font_key(self, face: str) -> str:
        """The font of a face of the style (`bold`, `italic`, `bold-italic`); by default `<font>-<face>`."""
        if not face:
            return self.font
        return {"bold": self.bold, "italic": self.italic}.get(face, self.bold_italic) or f"{self.font}-{face}"


class TextBlock(msgspec.Struct, frozen=True):
    """Text that was set: its operations, the width and height it takes (mm), lines, and the size used (pt)."""

    ops: list[Op]
    width: float
    height: float
    lines: int
    size_used: float


IconDrawer = Callable[[str, float, float, float, str, str], list[Op]]
"""`(name, x, y, size, colour, accent)` -> operations of the icon in the square at `x, y`. Fault: no such icon."""


class TextBox(msgspec.Struct, frozen=True, kw_only=True):
    """A box for text: its upper left corner and size in mm. `height` None: as high as the text becomes."""

    x: float = 0.0
    y: float = 0.0
    width: float
    height: float | None = None
    align: str = "left"
    """`left`, `center`, `right` or `justify`. Items of a list stand at the left."""
    valign: str = "top"
    """`top`, `middle` or `bottom`."""
    max_lines: int | None = None


class _Paragraph(NamedTuple):
    """A paragraph that has been measured; an item of a list has a mark, and stands `indent` ems to its right."""

    words: list[Measured]
    mark: Measured | None = None
    indent: float = 0.0


class _Line(NamedTuple):
    """A line of words: the mark before it, its indent in ems, and the kind of alignment it has."""

    words: list[Measured]
    mark: Measured | None
    indent: float
    align: str


class _Text(msgspec.Struct, frozen=True, kw_only=True):
    """A text with all it is set with. `base` is the font of its style, `space` the width of a space in ems."""

    paragraphs: list[_Paragraph]
    style: TextStyle
    base: Font
    space: float
    box: TextBox
    icon: IconDrawer | None


def layout(value: str, style: TextStyle, box: TextBox, fonts: FontBook, icon: IconDrawer | None = None) -> TextBlock:
    """Set `value` in the box.

    The size goes from `style.size` down to `style.min` in steps of a quarter point until everything fits. Raises
    Fault when it does not (naming the size it would need), or when a character or icon is missing.
    """
    base = fonts[style.font]
    text = _Text(
        paragraphs=_measure(parse(value, str.upper if style.upper else None), style, fonts),
        style=style,
        base=base,
        space=base.advance(" ") + style.tracking,
        box=box,
        icon=icon,
    )
    size = style.size
    floor = _floor(style)
    while (lines := _fit(text, size)) is None:
        if size <= floor:
            raise _no_room(text)
        size = max(floor, size - STEP)
    return _place(text, lines, size)


def _floor(style: TextStyle) -> float:
    """The smallest size text may be set in."""
    return min(style.min, style.size) or style.size


# --- measuring ---------------------------------------------------------------------------------------------------


def _measure(paragraphs: list[Paragraph], style: TextStyle, fonts: FontBook) -> list[_Paragraph]:
    base = fonts[style.font]
    marks = [_measure_word((Run(said.mark),), style, fonts, base) if said.mark else None for said in paragraphs]
    indent = max([mark.width + ITEM_GAP for mark in marks if mark], default=0.0)
    return [
        _Paragraph([_measure_word(word, style, fonts, base) for word in said.words], mark, indent if mark else 0.0)
        for said, mark in zip(paragraphs, marks, strict=True)
    ]


def _measure_word(word: Word, style: TextStyle, fonts: FontBook, base: Font) -> Measured:
    first = word[0]
    if len(word) == 1 and not first.icon and not first.face and first.span is AS_IS:
        try:
            return plain_word(first.text, base, style.kern, style.tracking)
        except KeyError:
            pass  # `base` lacks a character of it
    pieces = tuple([piece for run in word for piece in _measure_run(run, style, fonts)])
    return Measured(pieces, sum([piece.width for piece in pieces]))


def _measure_run(run: Run, style: TextStyle, fonts: FontBook) -> list[Piece]:
    """A run as one piece, or as several where its font lacks characters that a fallback font of the theme has."""
    if run.icon:
        return [Piece(run.text, None, ICON_EM * run.span.size + style.tracking, run.span)]
    key = style.font_key(run.face)
    if run.face and key not in fonts:
        what = f"style '{style.name}' has no {run.face} font"
        raise Fault("LAY-003", what, f"give the style '{run.face}: …', or add a font '{key}'", "style")
    font = fonts[key]
    try:
        width = font.width(run.text, style.kern)
    except KeyError:
        pieces = _with_fallback(run.text, font, style, fonts)
        return [Piece(one.text, one.font, one.width * run.span.size, run.span) for one in pieces]
    return [Piece(run.text, font, (width + style.tracking * len(run.text)) * run.span.size, run.span)]


def _with_fallback(text: str, font: Font, style: TextStyle, fonts: FontBook) -> list[Piece]:
    """Each character from the first font that has it: that of the style, then the fallback fonts in their order."""
    parts: list[tuple[Font, str]] = []
    for char in text:
        having = next((other for other in (font, *fonts.reserve) if not other.lacks(char)), None)
        if having is None:
            missing = [c for c in font.lacks(text) if all(other.lacks(c) for other in fonts.reserve)]
            names = ", ".join(f"'{c}' (U+{ord(c):04X})" for c in missing)
            hint = "name a font that has it under 'fallback' in theme.yaml"
            raise Fault("LAY-006", f"font '{font.key}' has no {names}, needed for {text!r}", hint, "value")
        if parts and parts[-1][0] is having:
            parts[-1] = having, parts[-1][1] + char
        else:
            parts.append((having, char))
    return [Piece(part, own, own.width(part, style.kern) + style.tracking * len(part)) for own, part in parts]


# --- wrapping ----------------------------------------------------------------------------------------------------


def _fit(text: _Text, size: float) -> list[_Line] | None:
    """The lines at `size` pt, or None when they do not fit."""
    style, box = text.style, text.box
    em = size * POINT
    limit = (box.width + 1e-6) / em + style.tracking
    setting = Setting(text.space, style.kern, style.tracking, style.hyphens, even=box.align == "center")
    lines: list[_Line] = []
    for words, mark, indent in text.paragraphs:
        found = broken(words, limit - indent, replace(setting, even=False) if mark else setting)
        if found is None:
            return None
        kind = "left" if mark and box.align != "justify" else box.align
        for n, line in enumerate(found):
            last = kind == "justify" and n + 1 == len(found)
            lines.append(_Line(line, None if n else mark, indent, "left" if last else kind))
    if box.max_lines is not None and len(lines) > box.max_lines:
        return None
    if box.height is not None and _block_height(text, len(lines), em) > box.height + 1e-6:
        return None
    return lines


def _block_height(text: _Text, lines: int, em: float) -> float:
    """From the capitals of the first line to the descenders of the last; 0 without lines."""
    if not lines:
        return 0.0
    metrics = text.base.metrics
    return em * ((metrics.cap - metrics.descender) / metrics.units + (lines - 1) * text.style.leading)


def _no_room(text: _Text) -> Fault:
    """That it does not fit, with the size that would."""
    box = text.box
    floor = _floor(text.style)
    said = f"{box.width:.1f} mm wide" + (f", {box.height:.1f} mm high" if box.height is not None else "")
    said += f", at most {box.max_lines} lines" if box.max_lines is not None else ""
    size = floor
    while size > STEP:
        size -= STEP
        if _fit(text, size) is not None:
            what = f"text does not fit ({said}): it would need {size:g} pt, the floor is {floor:g} pt"
            return Fault("LAY-005", what, _way_out(text.style), "value")
    return Fault("LAY-005", f"text does not fit at any size ({said})", _way_out(text.style), "value")


def _way_out(style: TextStyle) -> str:
    named = f" of the style '{style.name}'" if style.name else ""
    return f"shorten the text, make the box larger, or lower the `min`{named}"


# --- placing -----------------------------------------------------------------------------------------------------


def _place(text: _Text, lines: list[_Line], size: float) -> TextBlock:
    em = size * POINT
    style, box, metrics = text.style, text.box, text.base.metrics
    cap = em * metrics.cap / metrics.units
    taken = _block_height(text, len(lines), em)
    step = em * style.leading
    baseline = box.y + cap
    if box.height is not None and lines:
        if box.valign == "middle":
            # Capitals and figures look centred when their own height is, so the descenders do not count …
            baseline += (box.height - cap - (len(lines) - 1) * step) / 2
            # … unless they would leave the box.
            baseline = min(baseline, box.y + cap + box.height - taken)
        elif box.valign == "bottom":
            baseline += box.height - taken
    ops: list[Op] = []
    widest = 0.0
    for line in lines:
        words = sum([word.width for word in line.words]) + text.space * (len(line.words) - 1)
        used = em * (words - style.tracking) if line.words else 0.0
        left, room = box.x + em * line.indent, box.width - em * line.indent
        wider = 0.0
        if line.align == "center":
            left += (room - used) / 2
        elif line.align == "right":
            left = box.x + box.width - used
        elif line.align == "justify" and len(line.words) > 1:
            wider = (room - used) / (len(line.words) - 1) / em
            used = room
        widest = max(widest, em * line.indent + used)
        if line.mark:
            ops += _set_line(text, [line.mark], em, box.x, baseline)
        ops += _set_line(text, line.words, em, left, baseline, wider)
        baseline += step
    return TextBlock(ops, widest, taken, len(lines), size)


def _set_line(text: _Text, line: list[Measured], em: float, x: float, baseline: float, wider: float = 0.0) -> list[Op]:
    """The operations of one line: neighbouring words of one font become one run. Spaces are `wider` by so many ems."""
    style, space = text.style, text.space
    if {(piece.font, piece.span) for word in line for piece in word.pieces} == {(text.base, AS_IS)}:
        words = ["".join([piece.text for piece in word.pieces]) for word in line]
        return [_run(" ".join(words), text.base, style, em, (x, baseline), em * wider)]
    middle = baseline - em * text.base.metrics.cap / text.base.metrics.units / 2
    ops: list[Op] = []
    run: list[str] = []
    run_font: Font | None = None
    run_span = AS_IS
    run_x = at = x

    def close() -> None:
        if run and run_font is not None:
            ops.extend(_spanned("".join(run), run_font, style, em, (run_x, baseline), run_span, em * wider))
            run.clear()

    for n, word in enumerate(line):
        if n:
            at += em * (space + wider)
        for piece in word.pieces:
            if piece.font is None:
                close()
                run_font = None
                side = em * ICON_EM * piece.span.size
                drawn = replace(style, colour=piece.span.colour) if piece.span.colour else style
                ops.extend(_icon(piece.text, at, middle - side / 2, side, drawn, text.icon))
            else:
                starts_word = n > 0 and piece is word.pieces[0]
                own_space = piece.font.advance(" ") + style.tracking
                if piece.font is not run_font or piece.span != run_span or (starts_word and own_space != space):
                    close()
                    run_font, run_x, run_span = piece.font, at, piece.span
                elif starts_word:
                    run.append(" ")
                run.append(piece.text)
            at += em * piece.width
    close()
    return ops


def _spanned(
    text: str, font: Font, style: TextStyle, em: float, start: tuple[float, float], span: Span, wider: float
) -> list[Op]:
    """Words of one span from a point on the baseline, with spaces `wider` by so many mm, and the line under them."""
    if span is AS_IS:
        return [_run(text, font, style, em, start, wider)]
    style = replace(style, colour=span.colour or style.colour)
    em *= span.size
    ops: list[Op] = [_run(text, font, style, em, start, wider)]
    if span.underline:
        wide = em * (font.width(text, style.kern) + style.tracking * (len(text) - 1)) + wider * text.count(" ")
        line = rect(start[0], start[1] + UNDER * em, wide, THIN * em)
        ops.append(PathOp(to_d(line), style.colour))
    return ops


def _run(text: str, font: Font, style: TextStyle, em: float, start: tuple[float, float], wider: float) -> TextOp:
    """Text in one font, from a point on the baseline, with spaces `wider` by so many mm."""
    kerns = [(i, em * d) for i, d in (font.kern_list(text) if style.kern else [])]
    if wider:
        moved = dict(kerns)
        moved |= {i: moved.get(i, 0.0) + wider for i, char in enumerate(text) if char == " "}
        kerns = sorted(moved.items())
    return TextOp(
        font.key,
        round(em, 4),
        round(start[0], 3),
        round(start[1], 3),
        text,
        style.colour,
        round(em * style.tracking, 4),
        tuple([(i, round(d, 4)) for i, d in kerns]),
    )


def _icon(name: str, x: float, y: float, size: float, style: TextStyle, icon: IconDrawer | None) -> list[Op]:
    if icon is None:
        raise Fault("LAY-003", f"the icon '[{name}]' cannot be drawn here: no icons were given", key="value")
    return icon(name, x, y, size, style.colour, style.accent)
