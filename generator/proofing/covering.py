"""Texts and icons of a face that something drawn later covers: an emblem cut by a panel, a word crossed by a line.

Each face is compared with itself as it looks with its texts and icons drawn last. What differs was covered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

import msgspec
from PIL import ImageChops
from PIL.Image import Image

from generator.faces import svgpath
from generator.faces.display import POP, DisplayList, ImageOp, Matrix, Op, PathOp, Pop, Push, TextOp
from generator.faces.kit import Origin
from generator.proofing.extents import box_corners, placed
from generator.proofing.finding import Finding
from generator.proofing.pictures import WHOLE, scale

LEAST = 0.5
"""So many square mm of a text or icon have to be covered."""
CHANGED = 60
"""A pixel that differs by more than this (of 255) was covered."""
SEAL = 1.0
"""So far around a text or icon its own ground may cover another."""
Rect = tuple[float, float, float, float]


def covered(face: DisplayList, seen: Image, raised: Image, origins: Mapping[int, Origin]) -> Iterator[Finding]:
    """The texts and icons that something covers. `seen` is the picture of the face, `raised` that of `on_top`."""
    grey = ImageChops.difference(seen, raised).convert("L")
    changed = grey.point([0] * (CHANGED + 1) + [1] * (255 - CHANGED))
    if changed.getbbox() is None:
        return
    k = scale(face)

    def pixels(box: Rect, more: float = 0.0) -> tuple[int, int, int, int]:
        """The part of a box that lies on the picture; empty for one beside it."""
        left, top, right, bottom = box
        w, h = changed.size
        x, y = min(w, max(0, int((left - more) * k))), min(h, max(0, int((top - more) * k)))
        return x, y, max(x, min(w, int((right + more) * k) + 1)), max(y, min(h, int((bottom + more) * k) + 1))

    def area(picture: Image, box: Rect) -> float:
        return sum(picture.crop(pixels(box)).tobytes()) / k / k

    standing = _standing(face, origins)
    for origin, box in standing:
        if area(changed, box) < LEAST:
            continue
        alone = changed.copy()
        for _, other in standing:
            if other != box and _meet(box, other):
                alone.paste(0, pixels(other, SEAL))
        if (found := area(alone, box)) >= LEAST:
            what = f"{found:.1f} square mm of this '{origin.kind}' are covered by what is drawn after it"
            yield Finding("LAY-041", what, "draw it later, or make room for it", found, origin)


def _standing(face: DisplayList, origins: Mapping[int, Origin]) -> list[tuple[Origin, Rect]]:
    """Each text and icon with the box around it."""
    found: dict[object, tuple[Origin, Rect]] = {}
    for op, matrix in placed(face):
        origin = origins.get(id(op))
        if origin is not None and origin.box is not None and _stands(op, origin):
            found.setdefault((origin.place, origin.box, matrix), (origin, _around(origin.box, matrix)))
    return list(found.values())


def _meet(a: Rect, b: Rect) -> bool:
    return a[0] < b[2] + SEAL and a[2] > b[0] - SEAL and a[1] < b[3] + SEAL and a[3] > b[1] - SEAL


def on_top(face: DisplayList, origins: Mapping[int, Origin]) -> DisplayList | None:
    """The face with its texts and icons drawn once more, over everything else; None: nothing is drawn over them."""
    groups: list[Push] = []
    again: list[Op] = []
    for op in face.ops:
        if isinstance(op, Push):
            groups.append(op)
        elif isinstance(op, Pop):
            groups.pop()
        elif (origin := origins.get(id(op))) is not None and _stands(op, origin):
            again += [*groups, op, *([POP] * len(groups))]
    if not again or not _overlaps(face, origins):
        return None
    return msgspec.structs.replace(face, ops=[*face.ops, *again])


def _stands(op: Op, origin: Origin) -> bool:
    return isinstance(op, TextOp) or origin.kind == "icon"


def _overlaps(face: DisplayList, origins: Mapping[int, Origin]) -> bool:
    """True if the box of anything drawn comes over the box of a text or icon drawn before it."""
    if face.w * face.h > WHOLE:
        return True  # to compare the boxes of a board takes longer than to draw it
    boxes: dict[object, Rect] = {}
    for op, matrix in placed(face):
        origin = origins.get(id(op))
        own_key = (origin.place, origin.box, matrix) if origin is not None else None
        if origin is not None and origin.box is not None and _stands(op, origin):
            boxes[own_key] = _around(origin.box, matrix)
        elif boxes and isinstance(op, PathOp | ImageOp):
            own = _bounds(op.d) if isinstance(op, PathOp) else (op.x, op.y, op.x + op.w, op.y + op.h)
            left, top, right, bottom = _around((own[0], own[1], own[2] - own[0], own[3] - own[1]), matrix)
            for key, a in boxes.items():  # an icon within a text is part of it
                if key != own_key and left < a[2] and right > a[0] and top < a[3] and bottom > a[1]:
                    return True
    return False


@lru_cache(4096)
def _bounds(d: str) -> Rect:
    """The box around all points and handles of path data."""
    numbers = svgpath.numbers(d)
    return min(numbers[0::2]), min(numbers[1::2]), max(numbers[0::2]), max(numbers[1::2])


def _around(box: Rect, matrix: Matrix) -> Rect:
    """The upright box around a box of a group, on the face."""
    corners = box_corners(box, matrix)
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)
