"""Faces as small pictures, for what only a picture tells: the ground beneath a text, symmetry, ink."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pypdfium2
from PIL import Image, ImageChops, ImageFilter, ImageStat

from generator.backends.pdf import write_pdf
from generator.backends.png import pixels
from generator.backends.raster import image
from generator.faces.display import DisplayList
from generator.faces.fonts import FontBook
from generator.paper.units import INCH
from generator.sheets.sheets import Box, Placement, Sheet

DPI = 72.0
WHOLE = 1.0e5
"""More square mm than this are drawn at half the resolution: boards."""


def margin(face: DisplayList) -> float:
    """The part of the bleed (mm) that a picture with bleed shows: whole pixels."""
    return int(face.bleed * scale(face) + 1e-6) / scale(face)


def trimmed(picture: Image.Image, face: DisplayList) -> Image.Image:
    """A picture with bleed without it."""
    m = round(margin(face) * scale(face))
    return picture.crop((m, m, picture.width - m, picture.height - m))


def draw(faces: Mapping[str, DisplayList], fonts: FontBook, *, bleed: bool = False) -> dict[str, Image.Image]:
    """Every face, trimmed or with its bleed (`margin`), as a picture of `scale(face)` pixels in a mm."""
    if not faces:
        return {}
    sheets = []
    for key, face in faces.items():
        m = margin(face) if bleed else 0.0
        box = Box(0.0, 0.0, face.w + 2 * m, face.h + 2 * m)
        alone = Placement(face=key, x=m, y=m, w=face.w, h=face.h, bleed=(m, m, m, m))
        sheets.append(
            Sheet(name=key, title="", side="front", w=box.w, h=box.h, placements=(alone,), trim=box, bleed=box)
        )
    found: dict[str, Image.Image] = {}
    with pypdfium2.PdfDocument(write_pdf(sheets, faces, title="", fonts=fonts)) as document:
        for page, (key, face) in zip(document, faces.items(), strict=True):
            dpi = scale(face) * INCH
            m = margin(face) if bleed else 0.0
            found[key] = image(page, pixels(face.w + 2 * m, dpi), pixels(face.h + 2 * m, dpi))
    return found


def scale(face: DisplayList) -> float:
    """Pixels in a mm of the picture of a face."""
    return DPI / INCH / (2 if face.w * face.h > WHOLE else 1)


def bare(face: DisplayList) -> DisplayList:
    """A face without its texts."""
    from generator.faces.display import TextOp

    return msgspec.structs.replace(face, ops=[op for op in face.ops if not isinstance(op, TextOp)])


def most_frequent(picture: Image.Image, box: tuple[int, int, int, int]) -> tuple[int, int, int]:
    """The colour that most of a part of a picture has."""
    part = picture.crop(box)
    _, colour = max(part.getcolors(part.width * part.height) or [(0, (255, 255, 255))])
    assert isinstance(colour, tuple)
    return colour[0], colour[1], colour[2]


def ink(picture: Image.Image) -> float:
    """The ink of a picture: the mean sum of the four colours in per cent, if black takes over the common part of cyan,
    magenta and yellow."""
    mean = ImageStat.Stat(picture).mean
    red, green, blue = picture.split()
    black = 1 - ImageStat.Stat(ImageChops.lighter(ImageChops.lighter(red, green), blue)).mean[0] / 255
    return 100 * (3 - sum(mean) / 255 - 2 * black)


def thumbnail(picture: Image.Image) -> Image.Image:
    """A picture as it is seen from afar: cells of about 7 mm."""
    return picture.resize((max(2, picture.width // 20), max(2, picture.height // 20)), Image.Resampling.BOX)


def upside_down(picture: Image.Image) -> float:
    """The greatest difference of a picture, seen through cells of a mm, to itself turned by 180 degrees (of 255).

    A cell is compared with those around its counterpart: fine lines fall on other pixels when they are turned.
    """
    small = picture.convert("L").resize((max(2, picture.width // 3), max(2, picture.height // 3)), Image.Resampling.BOX)
    turned = small.rotate(180)
    lighter = ImageChops.subtract(small, turned.filter(ImageFilter.MaxFilter(3)))
    darker = ImageChops.subtract(turned.filter(ImageFilter.MinFilter(3)), small)
    return float(max(ImageStat.Stat(apart).extrema[0][1] for apart in (lighter, darker)))
