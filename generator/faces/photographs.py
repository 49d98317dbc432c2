"""Pictures made ready for paper: scaled to what a printer shows, turned upright, tinted, masked, cut into frames.

Telephones take pictures of 50 million pixels; a card shows one of them. What is drawn from here on is a PNG or JPEG of
at most `DPI`. The same file in the same size is worked on once in a run.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

import msgspec

from generator.paper.units import INCH

if TYPE_CHECKING:
    from PIL import Image

DPI = 300
"""More than this no printer at home shows."""
SPARE = 1.25
"""A picture with so many times more pixels than needed is scaled down."""
QUALITIES = (90, 82, 76)
"""Of JPEG, with half the colour resolution (see Pillow): the first that keeps within `DENSITY`. Fine grain, which makes
a file large, also hides what a lower quality costs."""
DENSITY = 0.33
"""Bytes for each pixel, at most: 60 photographs as large as poker cards make 19 MB."""
FORMATS = {"png": "PNG", "jpeg": "JPEG", "webp": "WEBP", "heic": "HEIF", "avif": "AVIF"}
EXTRA = "pip install 'tablewright[photos]'"


class Looks(msgspec.Struct, frozen=True, omit_defaults=True):
    """The changes that a template makes to a picture."""

    tint: str = ""
    """`#rrggbb`: the picture in shades of this colour, from it to white."""
    grey: bool = False
    mask: bytes = b""
    """A picture: where it is white this one is seen, where it is black it is not."""


PLAIN = Looks()


def pixels(mm: float) -> int:
    """So many pixels a length needs."""
    return max(1, round(mm / INCH * DPI))


@lru_cache(64)
def size_of(content: bytes, media: str) -> tuple[int, int]:
    """Width and height of a WebP, HEIC or AVIF as it is shown. ValueError for one that cannot be read."""
    wide, high = _opened(content, media).size
    return int(wide), int(high)


@lru_cache(128)
def ready(content: bytes, media: str, most: tuple[int, int], looks: Looks, *, cut: bool = False) -> tuple[bytes, str]:
    """The picture, upright, in at most so many pixels and changed as `looks` says, and its new media type; `cut`: only
    the middle of it, in the shape of `most`. ValueError for one that cannot be read."""
    from PIL import Image, ImageOps

    opened = _opened(content, media)
    if media == "jpeg":
        opened.draft(None, (max(most), max(most)))  # decodes a half, a quarter, an eighth, which is all that is needed
    lossless = media == "png" or (media == "webp" and content[12:16] == b"VP8L")
    picture: Image.Image = ImageOps.exif_transpose(_loaded(opened))
    picture = _in_srgb(picture)
    clear = picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info
    picture = picture.convert("RGBA" if clear else "L" if picture.mode in ("L", "1", "I;16") else "RGB")
    if picture.width > most[0] or picture.height > most[1]:
        k = min(1.0, max(most[0] / picture.width, most[1] / picture.height))
        size = max(1, round(picture.width * k)), max(1, round(picture.height * k))
        picture = picture.resize(size, Image.Resampling.LANCZOS)
    if cut:
        k = min(1.0, picture.width / most[0], picture.height / most[1])
        picture = ImageOps.fit(picture, (max(1, round(most[0] * k)), max(1, round(most[1] * k))))
    picture = _changed(picture, looks)
    if lossless or picture.mode == "RGBA":
        out = BytesIO()
        picture.save(out, "PNG")
        return out.getvalue(), "png"
    return _as_jpeg(picture), "jpeg"


def _as_jpeg(picture: Image.Image) -> bytes:
    for quality in QUALITIES:
        out = BytesIO()
        picture.save(out, "JPEG", quality=quality, subsampling="4:2:0", optimize=True)
        if out.tell() <= DENSITY * picture.width * picture.height:
            break
    return out.getvalue()


def _changed(picture: Image.Image, looks: Looks) -> Image.Image:
    from PIL import Image, ImageChops, ImageOps

    alpha = picture.getchannel("A") if picture.mode == "RGBA" else None
    if looks.grey or looks.tint:
        grey = picture.convert("L")
        picture = ImageOps.colorize(grey, looks.tint, "#ffffff") if looks.tint else grey.convert("RGB")
    if looks.mask:
        mask = _loaded(Image.open(BytesIO(looks.mask))).convert("L").resize(picture.size)
        alpha = mask if alpha is None else ImageChops.multiply(alpha, mask)
    if alpha is not None:
        picture = picture.convert("RGBA")
        picture.putalpha(alpha)
    return picture


def _in_srgb(picture: Image.Image) -> Image.Image:
    """The picture in the colours that everything else is in: telephones use wider ones."""
    profile = picture.info.get("icc_profile")
    if not profile or picture.mode not in ("RGB", "RGBA"):
        return picture
    from PIL import ImageCms

    try:
        own = ImageCms.ImageCmsProfile(BytesIO(profile))
        changed = ImageCms.profileToProfile(picture, own, ImageCms.createProfile("sRGB"), outputMode=picture.mode)
    except (ImageCms.PyCMSError, OSError, ValueError):
        return picture
    return changed or picture


@lru_cache(64)
def framed(content: bytes, media: str, size: tuple[int, int], cut: tuple[int, int, int, int], edge: int) -> bytes:
    """A frame of `size` pixels, as a PNG, made of a picture whose corners keep their shape: `cut` is how far its
    borders reach in (top, right, bottom, left, in its own pixels), `edge` how wide the top one becomes. ValueError."""
    from PIL import Image

    picture = _loaded(_opened(content, media)).convert("RGBA")
    top, right, bottom, left = cut
    w, h = picture.size
    if left + right >= w or top + bottom >= h:
        raise ValueError(f"has {w} x {h} pixels, and the borders of its frame {left + right} x {top + bottom}")
    k = edge / top if top else 1.0
    wide, high = size
    xs, ys = [0, left, w - right, w], [0, top, h - bottom, h]
    to_x = [0, round(left * k), wide - round(right * k), wide]
    to_y = [0, round(top * k), high - round(bottom * k), high]
    made = Image.new("RGBA", size)
    for i in range(3):
        for j in range(3):
            room = to_x[i + 1] - to_x[i], to_y[j + 1] - to_y[j]
            if min(room) > 0 and xs[i + 1] > xs[i] and ys[j + 1] > ys[j]:
                part = picture.crop((xs[i], ys[j], xs[i + 1], ys[j + 1]))
                made.paste(part.resize(room, Image.Resampling.LANCZOS), (to_x[i], to_y[j]))
    out = BytesIO()
    made.save(out, "PNG")
    return out.getvalue()


@lru_cache(256)
def gradient(start: str, end: str, opacity: tuple[float, float], side: str, across: int) -> bytes:
    """A PNG that goes from one colour to another, each so opaque, towards a side; `across` pixels in the other
    direction, for some programs let the edges of few large pixels fade."""
    from PIL import Image

    a, b = (tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5)) for colour in (start, end))
    steps = 256
    row = []
    for n in range(steps):
        t = n / (steps - 1)
        mixed = [round(x + (y - x) * t) for x, y in zip(a, b, strict=True)]
        row.append((*mixed, round(255 * (opacity[0] + (opacity[1] - opacity[0]) * t))))
    if side in ("up", "left"):
        row.reverse()
    upright = side in ("up", "down")
    picture = Image.new("RGBA", (1, steps) if upright else (steps, 1))
    picture.putdata(row)
    picture = picture.resize((across, steps) if upright else (steps, across))
    out = BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def _opened(content: bytes, media: str) -> Any:
    from PIL import Image, UnidentifiedImageError, features

    if media == "heic":
        try:
            from pillow_heif import register_heif_opener
        except ModuleNotFoundError:
            raise ValueError(f"is a HEIC; install what reads it ({EXTRA}), or save it as JPEG") from None
        register_heif_opener()
    if media == "avif" and not features.check("avif"):
        raise ValueError("is an AVIF, which the installed Pillow does not read: update it, or save the file as JPEG")
    try:
        return Image.open(BytesIO(content), formats=[FORMATS[media]])
    except UnidentifiedImageError:
        raise ValueError("is damaged: nothing in it can be read; save it again, as JPEG or PNG") from None
    except Exception as error:  # decoders raise whatever they like
        raise ValueError(f"is damaged: {error}") from None


def _loaded(opened: Any) -> Any:
    try:
        opened.load()
    except Exception as error:
        raise ValueError(f"is damaged: {error}") from None
    return opened


def four(value: float | Sequence[float]) -> tuple[float, float, float, float]:
    """Top, right, bottom and left, of one number or of four. ValueError."""
    if isinstance(value, int | float):
        return (value, value, value, value)
    top, right, bottom, left = value
    return (top, right, bottom, left)


__all__ = ["DPI", "PLAIN", "SPARE", "Looks", "four", "framed", "gradient", "pixels", "ready", "size_of"]
