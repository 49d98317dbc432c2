"""Bleed of a face beyond its cut, up to the width that its format asks for: a print shop trims it there, and never
exactly.

The face is looked at as a picture. Along its edge, wherever much is printed just inside the cut, something has to be
printed at the outer end of the bleed as well. Lengths in mm.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

import msgspec
from PIL import ImageChops
from PIL.Image import Image

from generator.paper.formats import Format
from generator.proofing.finding import Finding

INSIDE = (0.1, 0.6, 1.2)
"""So far inside the cut it counts what is printed at all of these places: a ground, but no line along the cut."""
STEP = 0.7
"""Between two places that are looked at along the edge."""
RUN = 9
"""Places in a row that are looked at together: where all of them are printed on, something is printed beyond them."""
WHITE = 250
"""A pixel darker than this (of 255, in any colour) is printed on."""
SLACK = 0.15
"""Less of the bleed is not missed than that."""

Spot = tuple[float, float]


class Strip(msgspec.Struct, frozen=True):
    """A part of the cut: the places along it, and which way from each is outward."""

    places: list[tuple[Spot, Spot]]


class Looked(msgspec.Struct, frozen=True):
    """The pixels along a part of the cut, as places in the bytes of a picture: for each place those just inside, the
    one at the outer end of the bleed, and all of them outward, each with its distance."""

    inner: list[tuple[int, ...]]
    outer: list[int]
    outward: list[list[tuple[float, int]]]


def short_of_bleed(picture: Image, margin: float, scale: float, fmt: Format) -> Iterator[Finding]:
    """A finding if a face falls short of its bleed. `picture` shows it with `margin` mm around the cut, in `scale`
    pixels a mm."""
    if fmt.bleed <= 0:
        return
    red, green, blue = picture.split()[:3]
    darkest = ImageChops.darker(ImageChops.darker(red, green), blue).tobytes()
    least = min(_reach(part, darkest, margin) for part in _looked(fmt, margin, scale, picture.size))
    if least < margin - SLACK:
        what = f"the face is drawn {max(0.0, least):.1f} mm beyond its cut; the format has a bleed of {fmt.bleed:g} mm"
        yield Finding("LAY-037", what, "draw what reaches the cut on to the end of the bleed", margin - least)


@lru_cache(64)
def _looked(fmt: Format, margin: float, scale: float, size: tuple[int, int]) -> list[Looked]:
    """The pixels that are looked at on every picture of a format."""
    pixel = 1 / scale
    last = margin - 0.4 * pixel
    steps = [n * pixel for n in range(int(last / pixel) + 1)] + [last]

    def at(spot: Spot, out: Spot, far: float) -> int:
        x = min(size[0] - 1, max(0, int((spot[0] + out[0] * far + margin) * scale)))
        y = min(size[1] - 1, max(0, int((spot[1] + out[1] * far + margin) * scale)))
        return y * size[0] + x

    return [
        Looked(
            [tuple(at(*place, -deep) for deep in INSIDE) for place in strip.places],
            [at(*place, last) for place in strip.places],
            [[(step, at(*place, step)) for step in steps] for place in strip.places],
        )
        for strip in strips(fmt)
    ]


def _reach(part: Looked, darkest: bytes, margin: float) -> float:
    """The printed width beyond a part of the cut at its worst place."""
    outer = [darkest[at] < WHITE for at in part.outer]
    if all(outer):
        return margin
    inner = [all(darkest[at] < WHITE for at in places) for places in part.inner]
    least = margin
    for start in range(0, max(1, len(inner) - RUN + 1), RUN // 2):
        run = slice(start, start + RUN)
        if all(inner[run]) and not any(outer[run]):
            seen = [step for places in part.outward[run] for step, at in places if darkest[at] < WHITE]
            least = min(least, max(seen, default=0.0))
    return least


def strips(fmt: Format) -> Iterator[Strip]:
    """The cut of a piece, side by side, without its corners. A standee has none below: there its foot goes on."""
    if fmt.shape == "circle":
        r = fmt.w / 2
        count = max(RUN, int(2 * math.pi * r / STEP))
        outward = [(math.cos(2 * math.pi * n / count), math.sin(2 * math.pi * n / count)) for n in range(count)]
        yield Strip([((r + r * x, r + r * y), (x, y)) for x, y in outward])
        return
    w, h = fmt.w, fmt.h
    if fmt.shape == "hex":
        corners = [(w / 2, 0.0), (w, h / 4), (w, h * 3 / 4), (w / 2, h), (0.0, h * 3 / 4), (0.0, h / 4)]
    else:
        corners = [(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)]
    for n, (a, b) in enumerate(zip(corners, [*corners[1:], corners[0]], strict=True)):
        if fmt.shape == "standee" and n == 2:
            continue
        long = math.dist(a, b)
        along = ((b[0] - a[0]) / long, (b[1] - a[1]) / long)
        rest = min(fmt.corner + 1.0, long / 4)
        count = max(2, int((long - 2 * rest) / STEP))
        at = [rest + (long - 2 * rest) * n / (count - 1) for n in range(count)]
        yield Strip([((a[0] + along[0] * d, a[1] + along[1] * d), (along[1], -along[0])) for d in at])
