"""Pictures in faces: PNG and JPEG as they are, WebP, HEIC and AVIF made into one of these, SVG as paths.

Only files inside the project are read, of bounded size.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache
from io import BytesIO
from itertools import islice
from pathlib import Path

from components.phrasing import did_you_mean
from components.plainfiles import read_plain
from generator.faces import svgpath
from generator.faces.display import POP, ImageOp, Matrix, Op, Push
from generator.faces.faults import Fault
from generator.faces.photographs import PLAIN, SPARE, Looks, pixels, ready
from generator.faces.photographs import size_of as size_decoded

KINDS = (".png", ".jpg", ".jpeg", ".webp", ".heic", ".heif", ".avif", ".svg")
MAX_BYTES = 32 * 1024 * 1024
MAX_PIXELS = 64_000_000
"""The size of telephone photographs, and a little more."""
BRANDS = {b"heic": "heic", b"heix": "heic", b"heim": "heic", b"mif1": "heic", b"msf1": "heic", b"avif": "avif"}
"""Of ISO base media files that hold pictures (bytes 8 to 11), and their media types."""
DRAWN = ("png", "jpeg")
"""The formats that PDF and SVG hold unchanged; the others are converted to one of these."""


def project_file(root: Path, file: str) -> Path:
    """A file below the project folder `root`, symbolic links followed. Fault: outside, or not there."""
    base = root.resolve()
    try:
        path = (base / file).resolve()
        inside = path.is_relative_to(base)
        there = inside and path.is_file()
    except (OSError, ValueError):
        inside, there = True, False
    if not inside:
        raise Fault("LAY-007", f"the picture '{file}' lies outside the project", "copy it into the project", "file")
    if not there:
        raise Fault("LAY-007", f"there is no picture '{file}' in the project", _nearest(base, file), "file")
    return path


def _nearest(base: Path, file: str) -> str:
    """The pictures of the project most like a name, or where they may be."""
    if "://" in file:
        return "save the picture in the project, and name its file"
    if (base / file).is_dir():
        return "this is a folder: name a file in it"
    there = (
        path for part in ("", "*/", "*/*/", "*/*/*/") for path in base.glob(f"{part}*") if path.suffix.lower() in KINDS
    )
    known = {path.relative_to(base).as_posix() for path in islice(there, 500)}
    inside = [name for name in known if Path(name).name.lower() == Path(file).name.lower()]
    same = [name for name in inside if name.lower() == file.lower()]
    like = same or ([] if did_you_mean(file, known) else inside)
    found = f"did you mean '{min(like)}'?" if like else did_you_mean(file, known)
    return found or "paths begin at the project's folder"


Rect = tuple[float, float, float, float]


def picture(root: Path, file: str, box: Rect, fit: str = "contain", looks: Looks = PLAIN) -> list[Op]:
    """The picture in the box: whole and in its own shape (`contain`), so large that it fills the box and is cut off by
    it (`cover`), or stretched (`stretch`). A photograph is turned as its camera was held (EXIF), and scaled down to
    what paper shows."""
    path = project_file(root, file)
    stat = path.stat()
    if stat.st_size > MAX_BYTES:
        what = f"the picture '{file}' is larger than {MAX_BYTES // 1024 // 1024} MiB"
        raise Fault("LAY-007", what, "save it with fewer pixels", "file")
    try:
        content = _content(path, stat.st_mtime_ns)
        if path.suffix.lower() == ".svg":
            from generator.faces.svgpicture import drawing, svg_size

            if looks != PLAIN:
                raise ValueError("is a drawing: 'tint', 'grey' and 'mask' are for photographs")
            return fitted(svg_size(content), box, fit, lambda x, y, w, h: drawing(content, x, y, w, h))
        media, size = _media(content)
        turned = orientation(content) if media == "jpeg" else 1
        shown = size[::-1] if turned > 4 else size
        most = _needed(shown, box, fit)
        if looks != PLAIN or media not in DRAWN or (shown[0] > SPARE * most[0] and shown[1] > SPARE * most[1]):
            if fit == "cover" and box[2] > 0 and box[3] > 0:  # what the box cuts off need not be printed
                made, kind = ready(content, media, (pixels(box[2]), pixels(box[3])), looks, cut=True)
                return [ImageOp(made, kind, *box)]
            made, kind = ready(content, media, most, looks)
            return fitted(shown, box, fit, lambda x, y, w, h: [ImageOp(made, kind, x, y, w, h)])
        _check_decodes(content, media)
        upright = without_orientation(content) if turned != 1 else content
        return fitted(shown, box, fit, lambda x, y, w, h: _turned(upright, media, turned, (x, y, w, h)))
    except ValueError as problem:
        raise Fault("LAY-007", f"the picture '{file}' {problem}", key="file") from None


def content_of(root: Path, file: str) -> tuple[bytes, str]:
    """A photograph of the project and its media type. Fault where it cannot be taken."""
    path = project_file(root, file)
    try:
        content = _content(path, path.stat().st_mtime_ns)
        return content, _media(content)[0]
    except ValueError as problem:
        raise Fault("LAY-007", f"the picture '{file}' {problem}", key="file") from None


def _needed(size: tuple[float, float], box: Rect, fit: str) -> tuple[int, int]:
    """So many pixels a picture of that shape needs in a box."""
    _, _, w, h = box
    if fit == "stretch" or not (w > 0 and h > 0):
        return pixels(abs(w)), pixels(abs(h))
    k = (max if fit == "cover" else min)(w / size[0], h / size[1])
    return pixels(k * size[0]), pixels(k * size[1])


@lru_cache(64)
def _content(path: Path, _changed: int) -> bytes:
    return read_plain(path, MAX_BYTES)


def fitted(
    size: tuple[float, float], box: Rect, fit: str, draw: Callable[[float, float, float, float], list[Op]]
) -> list[Op]:
    """The operations of `draw` in the box that a picture of this size (any unit) needs to fit another box."""
    x, y, w, h = box
    if fit == "stretch" or not (w > 0 and h > 0 and size[0] > 0 and size[1] > 0):
        return draw(x, y, w, h)
    k = (max if fit == "cover" else min)(w / size[0], h / size[1])
    wide, high = k * size[0], k * size[1]
    ops = draw(x + (w - wide) / 2, y + (h - high) / 2, wide, high)
    if fit != "cover" or not ops:
        return ops
    return [Push(clip=svgpath.to_d(svgpath.rect(x, y, w, h))), *ops, POP]


def _turned(content: bytes, media: str, turned: int, box: Rect) -> list[Op]:
    """A picture whose EXIF orientation is `turned`, upright in the box."""
    x, y, w, h = box
    if turned == 1:
        return [ImageOp(content, media, x, y, w, h)]
    right, low = x + w, y + h
    matrices: dict[int, Matrix] = {
        2: (-w, 0, 0, h, right, y),
        3: (-w, 0, 0, -h, right, low),
        4: (w, 0, 0, -h, x, low),
        5: (0, h, w, 0, x, y),
        6: (0, h, -w, 0, right, y),
        7: (0, -h, -w, 0, right, low),
        8: (0, -h, w, 0, x, low),
    }
    return [Push(matrices[turned]), ImageOp(content, media, 0.0, 0.0, 1.0, 1.0), POP]


def orientation(content: bytes) -> int:
    """The EXIF orientation of a JPEG (TIFF tag 0x0112), 1 to 8; 1 where none can be read."""
    return _orientation(content)[0]


def without_orientation(content: bytes) -> bytes:
    """The JPEG with its EXIF orientation set to 1: whoever draws it shall not turn it once more."""
    turned, at, order = _orientation(content)
    return content if turned == 1 else content[:at] + struct.pack(f"{order}H", 1) + content[at + 2 :]


def _orientation(content: bytes) -> tuple[int, int, str]:
    """The orientation, where its two bytes stand in the file, and their order (of `struct`)."""
    at = 2
    while at + 10 < len(content) and content[at] == 0xFF and content[at + 1] != 0xDA:
        (length,) = struct.unpack(">H", content[at + 2 : at + 4])
        if content[at + 1] == 0xE1 and content[at + 4 : at + 10] == b"Exif\0\0":
            return _in_tiff(content, at + 10, at + 2 + length)
        at += 2 + length
    return 1, 0, "<"


def _in_tiff(content: bytes, start: int, end: int) -> tuple[int, int, str]:
    order = {b"II": "<", b"MM": ">"}.get(content[start : start + 2], "")
    tiff = content[start:end]
    try:
        (first,) = struct.unpack_from(f"{order}I", tiff, 4)
        (count,) = struct.unpack_from(f"{order}H", tiff, first)
        for at in range(first + 2, first + 2 + 12 * count, 12):
            tag, _, _, value = struct.unpack_from(f"{order}HHIH", tiff, at)
            if order and tag == 0x0112 and 1 <= value <= 8:
                return int(value), start + at + 8, order
    except struct.error:
        pass
    return 1, 0, "<"


@lru_cache(64)
def _check_decodes(content: bytes, media: str) -> None:
    """ValueError for a picture that cannot be shown: whatever a decoder meets in it, a sheet would meet later."""
    from PIL import Image

    try:
        with Image.open(BytesIO(content), formats=[media.upper()]) as opened:
            opened.load()
    except Exception as error:  # decoders raise whatever they like
        raise ValueError(f"is damaged: {error}") from None


def _media(content: bytes) -> tuple[str, tuple[float, float]]:
    """The media type (`png`, `jpeg`, `webp`, `heic`, `avif`), and the size in pixels. ValueError for anything else and
    for pictures with too many pixels."""
    if content[:8] == b"\x89PNG\r\n\x1a\n" and content[12:16] == b"IHDR" and len(content) >= 24:
        w, h = struct.unpack(">II", content[16:24])
        _check_size(w, h)
        return "png", (w, h)
    if content[:3] == b"\xff\xd8\xff":
        size = _jpeg_size(content)
        _check_size(*size)
        return "jpeg", size
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "webp", _checked(size_decoded(content, "webp"))
    if content[4:8] == b"ftyp" and content[8:12] in BRANDS:
        media = BRANDS[content[8:12]]
        return media, _checked(size_decoded(content, media))
    raise ValueError("is neither PNG nor JPEG nor WebP nor HEIC nor AVIF nor SVG: save it as PNG or JPEG")


def pixels_of(content: bytes) -> tuple[int, int]:
    """Width and height of a PNG or JPEG, as it is stored."""
    wide, high = _media(content)[1]
    return int(wide), int(high)


def _checked(size: tuple[int, int]) -> tuple[int, int]:
    _check_size(*size)
    return size


def _check_size(w: int, h: int) -> None:
    if not 0 < w * h <= MAX_PIXELS:
        raise ValueError(f"has {w} x {h} pixels: more than {MAX_PIXELS:,} are not taken; save it with fewer")


def _jpeg_size(content: bytes) -> tuple[int, int]:
    at = 2
    while at + 9 < len(content) and content[at] == 0xFF:
        marker = content[at + 1]
        (length,) = struct.unpack(">H", content[at + 2 : at + 4])
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            h, w = struct.unpack(">HH", content[at + 5 : at + 9])
            return w, h
        at += 2 + length
    raise ValueError("is a JPEG without a size")
