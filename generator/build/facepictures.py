"""Faces as PNG files: each face once, in as many processes as there are, and again only if it changed.

A file is left as it is if what it shows has not changed since it was written and nobody has touched it since.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from components.files import digest, keep, kept, write_whole
from components.processes import shared
from generator.build.options import Tell
from generator.faces.display import DisplayList
from generator.faces.fonts import FontBook
from generator.paper.units import INCH
from generator.sheets.sheets import Box, Placement, Sheet

if TYPE_CHECKING:
    from PIL import Image

VERSION = "1"
"""Changes when the same faces give other files."""
PORTION = 6
"""So many pictures a process makes in one go: they share the subsets of their fonts."""
FINE = 4
"""So many times finer than the picture the edge of a transparent corner is drawn."""
COMPRESSION = 6
"""Of zlib."""


class Picture(msgspec.Struct, frozen=True):
    """A PNG to be made: faces (by their hashes) side by side in `columns`, `dpi` fine, in `rows` at least. One face
    alone may have its bleed, or transparent corners if its `shape` has any (`circle`, `hex`)."""

    faces: tuple[str, ...]
    dpi: float
    bleed: bool = False
    shape: str = "rect"
    columns: int = 1
    rows: int = 1

    @property
    def key(self) -> str:
        """A digest of the picture's contents."""
        return digest(repr((VERSION, msgspec.structs.astuple(self))).encode())


class Made(msgspec.Struct, array_like=True):
    """A file as it was written: the key of what it shows, its size, and when it was changed (ns)."""

    key: str
    size: int
    changed: int


def write_pictures(
    wanted: Mapping[Path, Picture],
    faces: Mapping[str, DisplayList],
    fonts: FontBook,
    *,
    below: Path,
    record: Path | None,
    jobs: int,
    tell: Tell,
) -> None:
    """Write every file that is not there as it should be. `record`: the file in which it is kept what was written;
    None: nothing is remembered. Raises OSError and Fault."""
    known = kept(record, dict[str, Made]) or {}
    missing = [file for file, picture in wanted.items() if not _stands(file, picture, known.get(str(file)))]
    by_key: dict[str, list[Path]] = {}
    for file in missing:
        by_key.setdefault(wanted[file].key, []).append(file)
    todo = [wanted[files[0]] for files in by_key.values()]
    done = len(wanted) - len(missing)
    tell(1, done, len(wanted))
    if todo:
        _load()
    portions = [todo[n : n + PORTION] for n in range(0, len(todo), PORTION)]
    for number, contents in shared(lambda portion: _drawn(portion, faces, fonts), portions, jobs):
        for picture, content in zip(portions[number], contents, strict=True):
            for file in by_key[picture.key]:
                write_whole(file, content, below=below)
                stat = file.stat()
                known[str(file)] = Made(picture.key, stat.st_size, stat.st_mtime_ns)
                done += 1
        tell(1, done, len(wanted))
    if missing:
        keep(record, known)


def _load() -> None:
    """Load what draws, before the work is shared out; where nothing changed, it is not needed."""
    import generator.backends.pdf
    import generator.backends.png
    import generator.backends.raster  # noqa: F401


def _stands(file: Path, picture: Picture, made: Made | None) -> bool:
    if made is None or made.key != picture.key:
        return False
    try:
        stat = file.stat()
    except OSError:
        return False
    return (stat.st_size, stat.st_mtime_ns) == (made.size, made.changed)


def _drawn(pictures: Sequence[Picture], faces: Mapping[str, DisplayList], fonts: FontBook) -> list[bytes]:
    """The PNG files of some pictures."""
    import pypdfium2

    from generator.backends.pdf import write_pdf
    from generator.backends.png import pixels, with_resolution
    from generator.backends.raster import image

    sheets = [_page(number, picture, faces) for number, picture in enumerate(pictures)]
    used = {key: faces[key] for picture in pictures for key in picture.faces}
    found: list[bytes] = []
    with pypdfium2.PdfDocument(write_pdf(sheets, used, title="", fonts=fonts)) as document:
        for page, sheet, picture in zip(document, sheets, pictures, strict=True):
            drawn = image(page, pixels(sheet.w, picture.dpi), pixels(sheet.h, picture.dpi))
            if picture.shape in ("circle", "hex") and not picture.bleed:
                drawn.putalpha(_outline(picture.shape, drawn.size))
            content = io.BytesIO()
            drawn.save(content, "PNG", compress_level=COMPRESSION)
            found.append(with_resolution(content.getvalue(), picture.dpi))
    return found


def _page(number: int, picture: Picture, faces: Mapping[str, DisplayList]) -> Sheet:
    """A page with the faces of a picture side by side."""
    first = faces[picture.faces[0]]
    m = first.bleed if picture.bleed else 0.0
    w, h = first.w, first.h
    placed = tuple(
        Placement(
            face=key,
            x=m + (n % picture.columns) * w,
            y=m + (n // picture.columns) * h,
            w=w,
            h=h,
            bleed=(m, m, m, m),
        )
        for n, key in enumerate(picture.faces)
    )
    box = Box(0.0, 0.0, picture.columns * w + 2 * m, picture.rows * h + 2 * m)
    return Sheet(name=str(number), title="", side="front", w=box.w, h=box.h, placements=placed, trim=box, bleed=box)


def _outline(shape: str, size: tuple[int, int]) -> Image.Image:
    """White where a piece of that shape is, with soft edges."""
    from PIL import Image, ImageDraw

    w, h = size[0] * FINE, size[1] * FINE
    mask = Image.new("L", (w, h), 0)
    draw = ImageDraw.Draw(mask)
    if shape == "circle":
        draw.ellipse((0, 0, w - 1, h - 1), fill=255)
    else:
        corners = ((w / 2, 0), (w, h / 4), (w, 3 * h / 4), (w / 2, h), (0, 3 * h / 4), (0, h / 4))
        draw.polygon(corners, fill=255)
    return mask.resize(size, Image.Resampling.LANCZOS)


def dpi_within(dpi: float, most: int, longest: float) -> float:
    """`dpi`, or as much less as keeps a side of `longest` mm within `most` pixels."""
    return min(dpi, most / longest * INCH)


__all__ = ["Picture", "dpi_within", "write_pictures"]
