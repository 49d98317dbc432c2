"""Setting text: measuring, wrapping, shrinking to fit, inline icons.

`layout` is the only entry. It works in millimetres with the metrics of the font that is embedded; type sizes of styles
are points, as designers give them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from generator.faces.display import Op, PathOp, TextOp
from generator.faces.faults import Fault
from generator.faces.fonts import Font, FontBook
from generator.faces.richtext import AS_IS, Run, Span, Word, parse
from generator.faces.svgpath import rect, to_d
from generator.paper.units import POINT

STEP = 0.25
"""Text shrinks by this many points at a time."""
ICON_EM = 1.15
"""Height and width of an inline icon, in ems."""
UNDER, THIN = 0.12, 0.055
"""The distance of an underline below the baseline, and its thickness, in ems."""
SHORT_LAST = 0.22
"""A last line of one word narrower than this part of the box is a widow."""
LONG = 8
"""A word of fewer letters is not divided."""
RAGGED = 0.12
"""Nor is one whose line lacks less than this part of its width."""
MOST_WORDS = 20_000
"""So many measured words are kept."""


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


Divisions = Callable[[str], list[int]]
"""The places at which a word may be divided, as numbers of letters before them."""


class _Piece(msgspec.Struct, frozen=True):
    """A run with its width at a size of one em; `font` is None for an icon."""

    text: str
    font: Font | None
    width: float
    span: Span = AS_IS


class _Measured(msgspec.Struct, frozen=True):
    pieces: tuple[_Piece, ...]
    width: float


class TextBox(msgspec.Struct, frozen=True, kw_only=True):
    """A box for text: its upper left corner and size in mm. `height` None: as high as the text becomes."""

    x: float = 0.0
    y: float = 0.0
    width: float
    height: float | None = None
    align: str = "left"
    """`left`, `center` or `right`."""
    valign: str = "top"
    """`top`, `middle` or `bottom`."""
    max_lines: int | None = None


class _Text(msgspec.Struct, frozen=True, kw_only=True):
    """A text with all it is set with. `base` is the font of its style, `space` the width of a space in ems."""

    paragraphs: list[list[_Measured]]
    style: TextStyle
    base: Font
    space: float
    box: TextBox
    icon: IconDrawer | None
    divisions: Divisions | None = None


def layout(
    value: str,
    style: TextStyle,
    box: TextBox,
    fonts: FontBook,
    icon: IconDrawer | None = None,
    divisions: Divisions | None = None,
) -> TextBlock:
    """Set `value` in the box. `divisions`: where words may be divided at the end of a line; None: nowhere.

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
        divisions=divisions,
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


def _measure(paragraphs: list[list[Word]], style: TextStyle, fonts: FontBook) -> list[list[_Measured]]:
    base = fonts[style.font]
    return [[_measure_word(word, style, fonts, base) for word in paragraph] for paragraph in paragraphs]


def _measure_word(word: Word, style: TextStyle, fonts: FontBook, base: Font) -> _Measured:
    first = word[0]
    if len(word) == 1 and not first.icon and not first.face and first.span is AS_IS:
        try:
            return _plain(first.text, base, style.kern, style.tracking)
        except KeyError:
            pass  # `base` lacks a character of it
    pieces = tuple([piece for run in word for piece in _measure_run(run, style, fonts)])
    return _Measured(pieces, sum([piece.width for piece in pieces]))


@lru_cache(MOST_WORDS)
def _plain(text: str, font: Font, kern: bool, tracking: float) -> _Measured:
    """A word in the font of its style; most are, and come again and again. KeyError: the font lacks a character."""
    width = font.width(text, kern) + tracking * len(text)
    return _Measured((_Piece(text, font, width),), width)


def _measure_run(run: Run, style: TextStyle, fonts: FontBook) -> list[_Piece]:
    """A run as one piece, or as several where its font lacks characters that a fallback font of the theme has."""
    if run.icon:
        return [_Piece(run.text, None, ICON_EM * run.span.size + style.tracking, run.span)]
    key = style.font_key(run.face)
    if run.face and key not in fonts:
        what = f"style '{style.name}' has no {run.face} font"
        raise Fault("LAY-003", what, f"give the style '{run.face}: …', or add a font '{key}'", "style")
    font = fonts[key]
    try:
        width = font.width(run.text, style.kern)
    except KeyError:
        pieces = _with_fallback(run.text, font, style, fonts)
        return [_Piece(one.text, one.font, one.width * run.span.size, run.span) for one in pieces]
    return [_Piece(run.text, font, (width + style.tracking * len(run.text)) * run.span.size, run.span)]


def _with_fallback(text: str, font: Font, style: TextStyle, fonts: FontBook) -> list[_Piece]:
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
    return [_Piece(part, own, own.width(part, style.kern) + style.tracking * len(part)) for own, part in parts]


# --- wrapping ----------------------------------------------------------------------------------------------------

_Line = list[_Measured]


def _fit(text: _Text, size: float) -> list[_Line] | None:
    """The lines at `size` pt, or None when they do not fit."""
    style, box = text.style, text.box
    em = size * POINT
    limit = (box.width + 1e-6) / em + style.tracking
    lines: list[_Line] = []
    for words in text.paragraphs:
        if text.divisions is not None and box.align != "center":
            words = _divided(text, words, limit)
        widths = [word.width for word in words]
        if widths and max(widths) > limit:
            return None
        for start, end in _breaks(widths, text.space, limit, even=box.align == "center"):
            lines.append(words[start:end])
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


def _breaks(widths: list[float], space: float, limit: float, even: bool) -> list[tuple[int, int]]:
    """The first and last words of the lines. Greedy; then without a widow, or (`even`) with lines of like width."""
    found = _greedy(widths, space, limit)
    if len(found) < 2:
        return found
    if even:
        narrow, wide = max(widths), limit
        for _ in range(8):
            middle = (narrow + wide) / 2
            if len(_greedy(widths, space, middle)) > len(found):
                narrow = middle
            else:
                wide = middle
        return _greedy(widths, space, wide)
    (start, end), (last, stop) = found[-2:]
    if stop - last == 1 and end - start > 2 and widths[last] < SHORT_LAST * limit:
        found[-2:] = [(start, end - 1), (end - 1, stop)]
    return found


def _greedy(widths: list[float], space: float, limit: float) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    start, used = 0, -space
    for i, width in enumerate(widths):
        if used + space + width > limit and i > start:
            found.append((start, i))
            start, used = i, -space
        used += space + width
    found.append((start, len(widths)))
    return found


def _divided(text: _Text, words: list[_Measured], limit: float) -> list[_Measured]:
    """The words, long ones divided where a line would end much too early without it."""
    assert text.divisions is not None
    made: list[_Measured] = []
    used = -text.space
    for n, word in enumerate(words):
        room = limit - used - text.space
        if word.width > room:
            parts = _parts(text, word, room) if n + 1 < len(words) and room > RAGGED * limit else None
            if parts is not None:
                made.append(parts[0])
                word = parts[1]
            used = -text.space
        made.append(word)
        used += text.space + word.width
    return made


def _parts(text: _Text, word: _Measured, room: float) -> tuple[_Measured, _Measured] | None:
    """A word in two parts of which the first fits with its hyphen; None for one that is not to be divided."""
    assert text.divisions is not None
    said = word.pieces[0].text if len(word.pieces) == 1 else ""
    letters = said.rstrip(".,:;!?)’”")
    if len(letters) < LONG or not letters.isalpha() or not letters.islower():
        return None
    style, font = text.style, word.pieces[0].font
    assert font is not None
    for at in reversed(text.divisions(letters)):
        first = _plain(f"{said[:at]}-", font, style.kern, style.tracking)
        if first.width <= room:
            return first, _plain(said[at:], font, style.kern, style.tracking)
    return None


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
        words = sum([word.width for word in line]) + text.space * (len(line) - 1)
        used = em * (words - style.tracking) if line else 0.0
        widest = max(widest, used)
        left = box.x
        if box.align == "center":
            left += (box.width - used) / 2
        elif box.align == "right":
            left = box.x + box.width - used
        ops += _set_line(text, line, em, left, baseline)
        baseline += step
    return TextBlock(ops, widest, taken, len(lines), size)


def _set_line(text: _Text, line: _Line, em: float, x: float, baseline: float) -> list[Op]:
    """The operations of one line: neighbouring words of one font become one run."""
    style, space = text.style, text.space
    if {(piece.font, piece.span) for word in line for piece in word.pieces} == {(text.base, AS_IS)}:
        words = ["".join([piece.text for piece in word.pieces]) for word in line]
        return [_run(" ".join(words), text.base, style, em, (x, baseline))]
    middle = baseline - em * text.base.metrics.cap / text.base.metrics.units / 2
    ops: list[Op] = []
    run: list[str] = []
    run_font: Font | None = None
    run_span = AS_IS
    run_x = at = x

    def close() -> None:
        if run and run_font is not None:
            ops.extend(_spanned("".join(run), run_font, style, em, (run_x, baseline), run_span))
            run.clear()

    for n, word in enumerate(line):
        if n:
            at += em * space
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


def _spanned(text: str, font: Font, style: TextStyle, em: float, start: tuple[float, float], span: Span) -> list[Op]:
    """Words of one span from a point on the baseline, and the line under them."""
    if span is AS_IS:
        return [_run(text, font, style, em, start)]
    style = replace(style, colour=span.colour or style.colour)
    em *= span.size
    ops: list[Op] = [_run(text, font, style, em, start)]
    if span.underline:
        wide = em * (font.width(text, style.kern) + style.tracking * (len(text) - 1))
        line = rect(start[0], start[1] + UNDER * em, wide, THIN * em)
        ops.append(PathOp(to_d(line), style.colour))
    return ops


def _run(text: str, font: Font, style: TextStyle, em: float, start: tuple[float, float]) -> TextOp:
    """Text in one font, from a point on the baseline."""
    kerns = font.kern_list(text) if style.kern else []
    return TextOp(
        font.key,
        round(em, 4),
        round(start[0], 3),
        round(start[1], 3),
        text,
        style.colour,
        round(em * style.tracking, 4),
        tuple([(i, round(em * d, 4)) for i, d in kerns]),
    )


def _icon(name: str, x: float, y: float, size: float, style: TextStyle, icon: IconDrawer | None) -> list[Op]:
    if icon is None:
        raise Fault("LAY-003", f"the icon '[{name}]' cannot be drawn here: no icons were given", key="value")
    return icon(name, x, y, size, style.colour, style.accent)
