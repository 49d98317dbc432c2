"""Landscapes in ink: mountains, mist, trees and water painted with a brush. All parts are areas, to be filled.

A painting is made of layers: the far ones pale, the near ones dark, mist of the ground's colour between them.
Parts of one thing are drawn one over the other with the same box and seed.
"""

from __future__ import annotations

import math
import random
from functools import lru_cache

from generator.faces.ornaments import brush
from generator.faces.ornaments.brush import Point, chosen
from generator.faces.ornaments.fields import MAX_CELLS, Box
from generator.faces.svgpath import Path, polygon

Peak = tuple[float, float, float]
"""Place along the box, height and half width, as parts of the box (0 to 1)."""


@lru_cache(maxsize=128)
def _crest(
    w: float, h: float, seed: int, peaks: int, rough: float, lean: float, alone: bool
) -> tuple[list[Peak], list[Point]]:
    """The peaks of a range and its crest from left to right, y upward from the foot of the box."""
    if not 1 <= peaks <= 60:
        raise ValueError(f"a range has 1 to 60 peaks, found {peaks}")
    source = random.Random(seed)
    tops: list[Peak] = []
    for i in range(peaks):
        at = (i + 0.5 + source.uniform(-0.28, 0.28)) / peaks
        tops.append((at, source.uniform(0.55, 1.0), source.uniform(0.62, 0.95) / peaks))
    master = source.randrange(peaks)
    tops[master] = (tops[master][0], 1.0, tops[master][2] * 1.12)
    shoulders = [
        (at + side * half * source.uniform(0.35, 0.6), high * source.uniform(0.45, 0.72), half * 0.5)
        for at, high, half in tops
        for side in (-1, 1)
    ]
    steps = max(24, min(400, round(w / 0.7)))
    waves = [(source.uniform(0, 6.28), k) for k in (9, 17, 31, 57)]
    crest = []
    for k in range(steps + 1):
        u = k / steps
        high = 0.0
        for at, top, half in (*tops, *shoulders):
            far = (u - at) / half * (1 + lean * (1 if u > at else -1))
            if abs(far) < 1:
                high = max(high, top * (1 - abs(far)) ** 0.85 * (1 - 0.25 * far * far))
        shake = sum(math.sin(p + 6.28 * u * f * max(1.0, peaks / 3)) / f**0.5 for p, f in waves)
        high += rough * 0.075 * shake * (0.35 + high) + rough * source.uniform(-0.008, 0.008)
        if alone:
            high *= min(1.0, 5.5 * u, 5.5 * (1 - u))
        crest.append((u * w, max(0.0, high) * h))
    return tops, crest


def ridge(
    box: Box,
    seed: int = 1,
    peaks: int = 3,
    rough: float = 0.5,
    lean: float = 0.0,
    thick: float = 0.6,
    alone: bool = False,
    part: str = "body",
) -> Path:
    """Mountains over the whole width of the box, the highest as high as the box. The light comes from the left.

    `alone`: they stand in the plain, their flanks come down to it at both ends, and their foot is round.
    `part`: `body`; `shade`, the flanks away from the light; `folds`, strokes that fall from the crest; `edge`.
    """
    x, y, w, h = box
    chosen(part, ("body", "shade", "folds", "edge"))
    tops, crest = _crest(float(w), float(h), int(seed), int(peaks), float(rough), float(lean), bool(alone))
    foot = y + h
    line = [(x + a, foot - b) for a, b in crest]
    if part == "body":
        sag = [(x + w * k / 12, foot + 0.16 * h * math.sin(math.pi * k / 12)) for k in range(12, -1, -1)]
        return polygon([*line, *(sag if alone else [(x + w, foot), (x, foot)])])
    source = random.Random(seed * 31 + 7)
    if part == "edge":
        return _edge(line, thick, source)
    path: Path = []
    for at, top, half in tops:
        path += (
            _shade(line, box, at, half, source)
            if part == "shade"
            else _folds(line, box, (at, top, half), thick, source)
        )
    return path


def _edge(line: list[Point], thick: float, source: random.Random) -> Path:
    """The crest in strokes that swell where it falls to the right."""
    path: Path = []
    start = 0
    while start < len(line) - 2:
        long = source.randint(7, 22)
        piece = line[start : start + long + 1]
        if len(piece) > 2:
            path += brush.stroke(piece, thick * source.uniform(0.55, 1.25), brush.leaf, source, 0.3)
        start += long - source.randint(0, 2) if source.random() < 0.75 else long + 1
    return path


def _height(line: list[Point], box: Box, u: float) -> Point:
    """The point of the crest at a part of the width."""
    at = min(len(line) - 1, max(0, round(u * (len(line) - 1))))
    return line[at]


def _shade(line: list[Point], box: Box, at: float, half: float, source: random.Random) -> Path:
    """The flank to the right of a peak: from the crest down a spine that wanders."""
    _, y, w, h = box
    top = _height(line, box, at)
    last = min(1.0, at + half * 0.8)
    steps = 12
    slope = [_height(line, box, at + (last - at) * k / steps) for k in range(1, steps + 1)]
    lowest = max(range(steps), key=lambda k: slope[k][1])
    crest = [top, *slope[: lowest + 1]]
    end = crest[-1]
    deep = max(0.0, min(y + h, end[1] + (y + h - top[1]) * 0.12) - top[1])
    spine: list[Point] = []
    for k in range(1, 6):
        t = k / 6
        aside = half * w * (0.04 + 0.10 * t + (0.05 if k % 2 else -0.05) + source.uniform(-0.02, 0.02))
        spine.append((top[0] + aside + max(0.0, end[0] - top[0] - aside) * t**3, top[1] + deep * t))
    return polygon([*crest, *spine[::-1]])


def _folds(line: list[Point], box: Box, peak: Peak, thick: float, source: random.Random) -> Path:
    """Strokes down both flanks of a peak, longer and closer on the shaded side."""
    _, y, w, h = box
    at, _, half = peak
    path: Path = []
    wide = half * w
    count = max(5, min(26, round(wide / 1.3)))
    for side, share in ((1, 1.0), (-1, 0.55)):
        for k in range(round(count * share)):
            u = at + side * half * 0.92 * ((k + source.random()) / (count * share)) ** 0.85
            if not 0.0 <= u <= 1.0:
                continue
            sx, sy = _height(line, box, u)
            high = y + h - sy
            if high < h * 0.06:
                continue
            drop = high * source.uniform(0.12, 0.42) * (1.1 if side > 0 else 0.8)
            drift = side * wide * source.uniform(0.02, 0.2) * drop / max(high, 1e-6)
            sy += high * source.uniform(0.0, 0.22)
            path += brush.line(
                (sx + drift * 0.3, sy),
                (sx + drift + side * drop * 0.18, sy + drop),
                thick * source.uniform(0.5, 1.2),
                brush.fading,
                side * drop * 0.06,
            )
            if source.random() < 0.5:
                path += brush.line(
                    (sx + drift, sy + drop * 0.5), (sx + drift * 1.6, sy + drop * 1.25), thick * 0.45, brush.fading
                )
    return path


def mist(box: Box, seed: int = 1, bands: int = 5, thick: float = 3.0) -> Path:
    """Bands of mist that lie level through the box and thin out at their ends."""
    x, y, w, h = box
    source = random.Random(seed)
    path: Path = []
    for k in range(_some(bands, 80, "bands")):
        cy = y + h * (k + source.uniform(0.2, 0.8)) / bands
        long = w * source.uniform(0.35, 0.8)
        sx = x + source.uniform(-0.15, 1.0) * (w - long * 0.7)
        sway = thick * source.uniform(0.2, 0.6)
        phase = source.uniform(0, 6.28)
        points = [(sx + long * i / 14, cy + sway * math.sin(phase + i * 0.55)) for i in range(15)]
        path += brush.stroke(points, thick * source.uniform(0.5, 1.2), brush.leaf, source, 0.15)
    return path


def water(box: Box, seed: int = 1, rows: int = 10, thick: float = 0.35) -> Path:
    """Still water: short level strokes, small and close above, long and wide apart below."""
    x, y, w, h = box
    source = random.Random(seed)
    path: Path = []
    for k in range(_some(rows, 200, "rows")):
        near = (k + 0.5) / rows
        cy = y + h * near**1.5
        at = x - source.uniform(0, 6)
        while at < x + w:
            long = source.uniform(2.5, 6) * (0.5 + 1.6 * near)
            if source.random() < 0.62:
                dip = source.uniform(-0.2, 0.2) * thick
                lift = cy + source.uniform(-0.3, 0.3)
                path += brush.line((at, lift), (at + long, lift + dip), thick * (0.5 + near), brush.leaf, 0.25 * thick)
            at += long * source.uniform(1.0, 1.9)
        if len(path) > MAX_CELLS:
            raise ValueError("the water has too many strokes: take fewer rows")
    return path


def pine(box: Box, seed: int = 1, lean: float = 0.3, thick: float = 1.6, part: str = "needles") -> Path:
    """An old pine that grows from the foot of the box. `lean` (-1 to 1): where it leans.

    `part`: `trunk`, `needles` (fans of strokes) or `shade` (what lies under the fans).
    """
    x, y, w, h = box
    chosen(part, ("trunk", "needles", "shade"))
    source = random.Random(seed)
    spine = [(x + w / 2 - lean * w * 0.22, y + h)]
    for k in range(1, 6):
        t = k / 5
        spine.append((spine[0][0] + lean * w * 0.42 * t + source.uniform(-0.07, 0.07) * w, y + h - h * 0.88 * t))
    trunk = brush.smooth(spine, 5)
    path: Path = brush.stroke(trunk, thick * 1.6, lambda t: 1.0 - 0.72 * t, source, 0.35) if part == "trunk" else []
    pads: list[tuple[float, float, float]] = [(*trunk[-1], 0.24 * w)]
    for k in range(6):
        t = 0.36 + 0.58 * k / 5
        sx, sy = trunk[round(t * (len(trunk) - 1))]
        side = -1 if k % 2 else 1
        reach = w * source.uniform(0.24, 0.42) * (1.15 - 0.5 * t)
        ex, ey = sx + side * reach, sy - h * source.uniform(0.0, 0.07)
        if part == "trunk":
            bough = brush.smooth([(sx, sy), (sx + side * reach * 0.4, sy + h * 0.025), (ex, ey)], 5)
            path += brush.stroke(bough, thick * (0.85 - 0.5 * t), brush.fading, source, 0.3)
        pads += [(ex, ey, 0.2 * w), (sx + side * reach * 0.5, sy - h * 0.02, 0.16 * w)]
    for px, py, r in pads:
        if part == "needles":
            path += _fan(px, py, r, source)
        elif part == "shade":
            path += brush.blob(px, py - r * 0.12, r * 0.95, r * 0.36, source, 0.1, 12)
    return path


def _fan(x: float, y: float, r: float, source: random.Random) -> Path:
    """A cloud of needles: fans of strokes side by side."""
    path: Path = []
    for k in range(4):
        cx, cy = x + r * (-0.6 + 0.4 * k), y + r * (0.05 + 0.1 * abs(k - 1.5))
        for i in range(9):
            turn = math.pi * (1.08 + 0.84 * i / 8) + source.uniform(-0.06, 0.06)
            far = r * source.uniform(0.36, 0.5)
            end = (cx + far * math.cos(turn), cy + 0.8 * far * math.sin(turn))
            path += brush.line((cx, cy), end, r * 0.075, brush.fading)
    return path


def bamboo(box: Box, seed: int = 1, stems: int = 3, thick: float = 1.4, part: str = "leaves") -> Path:
    """Bamboo as high as the box. `part`: `stems` (jointed) or `leaves`."""
    x, y, w, h = box
    chosen(part, ("stems", "leaves"))
    source = random.Random(seed)
    path: Path = []
    for k in range(_some(stems, 40, "stems")):
        sx = x + w * (k + 0.5 + source.uniform(-0.18, 0.18)) / stems
        bend = w * source.uniform(-0.1, 0.1)
        high = h * source.uniform(0.82, 1.0)
        joints = source.randint(5, 7)
        wide = thick * source.uniform(0.75, 1.15)
        for i in range(joints):
            a, b = i / joints, (i + 1) / joints
            start = (sx + bend * a * a, y + h - high * a - 0.25)
            end = (sx + bend * b * b, y + h - high * b + 0.25)
            if part == "stems":
                path += brush.stroke(
                    [start, _mid(start, end), end], wide * (1 - 0.45 * a), lambda t: 1.0 - 0.28 * math.sin(math.pi * t)
                )
                path += brush.line((end[0] - wide * 0.6, end[1] - 0.2), (end[0] + wide * 0.6, end[1] - 0.2), wide * 0.3)
            elif i >= joints // 2:
                for _ in range(source.randint(2, 4)):
                    side = source.choice((-1, 1))
                    long = h * source.uniform(0.09, 0.16)
                    turn = source.uniform(0.15, 0.95)
                    tip = (end[0] + side * long * math.cos(turn), end[1] + long * math.sin(turn))
                    path += brush.line(end, tip, long * 0.2, brush.leaf, -side * long * 0.08)
    return path


def _mid(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def reeds(box: Box, seed: int = 1, count: int = 24, lean: float = 0.35, thick: float = 0.7) -> Path:
    """Reeds and grass from the foot of the box, bent by the wind; `lean` (-1 to 1) says where it blows."""
    x, y, w, h = box
    source = random.Random(seed)
    path: Path = []
    for _ in range(_some(count, 800, "reeds")):
        sx = x + source.random() * w
        high = h * source.uniform(0.35, 1.0)
        tip = sx + lean * high * source.uniform(0.5, 1.3)
        points = brush.smooth([(sx, y + h), (sx + (tip - sx) * 0.18, y + h - high * 0.6), (tip, y + h - high)], 5)
        path += brush.stroke(points, thick * source.uniform(0.6, 1.2), brush.fading)
    return path


def geese(box: Box, seed: int = 1, count: int = 5, size: float = 5.0) -> Path:
    """So many wild geese in line through the box, wings up or down, all flying to the left."""
    x, y, w, h = box
    source = random.Random(seed)
    path: Path = []
    many = _some(count, 60, "geese")
    for k in range(many):
        t = k / max(1, many - 1)
        cx, cy = x + w * t, y + h * (abs(2 * t - 0.7) / 1.3) + source.uniform(-0.05, 0.05) * h
        s = size * (0.8 + 0.3 * source.random())
        beat = source.choice((-1.0, -0.75, 0.5))
        path += brush.stroke(
            brush.smooth(
                [(cx - 0.62 * s, cy + 0.04 * s), (cx - 0.2 * s, cy - 0.03 * s), (cx + 0.3 * s, cy + 0.06 * s)], 4
            ),
            0.2 * s,
            lambda t: min(1.0, 0.25 + 1.8 * t) * (1.15 - t),
        )
        for side in (-0.16, 0.12):
            wing = [
                (cx + 0.02 * s, cy),
                (cx + (side + 0.1) * s, cy + 0.34 * s * beat),
                (cx + (0.42 + side) * s, cy + 0.62 * s * beat),
            ]
            path += brush.stroke(brush.smooth(wing, 4), 0.2 * s, brush.fading)
    return path


def rain(box: Box, seed: int = 1, angle: float = 68.0, gap: float = 3.0, thick: float = 0.3) -> Path:
    """Rain: slanting strokes; `angle` 90 falls straight down."""
    x, y, w, h = box
    if gap <= 0 or w * h / gap**2 > MAX_CELLS / 4:
        raise ValueError(f"strokes {gap:g} mm apart are too many: take a larger gap (or unit)")
    source = random.Random(seed)
    dx, dy = -math.cos(math.radians(angle)), math.sin(math.radians(angle))
    path: Path = []
    for _ in range(round(w * h / gap**2 * 0.55)):
        sx, sy = x + source.random() * w, y + source.random() * h
        long = source.uniform(2.0, 6.0)
        path += brush.line((sx, sy), (sx + dx * long, sy + dy * long), thick * source.uniform(0.5, 1.2), brush.leaf)
    return path


def fibres(box: Box, seed: int = 1, count: int = 60, long: float = 3.0, thick: float = 0.12) -> Path:
    """Fibres and specks in a sheet of handmade paper."""
    x, y, w, h = box
    source = random.Random(seed)
    path: Path = []
    for _ in range(_some(count, 4000, "fibres")):
        sx, sy, turn = x + source.random() * w, y + source.random() * h, source.uniform(0, 6.28)
        far = long * source.uniform(0.2, 1.0)
        end = (sx + far * math.cos(turn), sy + far * math.sin(turn))
        path += brush.line(
            (sx, sy), end, thick * source.uniform(0.6, 1.6), brush.leaf, far * source.uniform(-0.25, 0.25)
        )
    return path


def wash(box: Box, seed: int = 1, rough: float = 0.1, square: float = 0.0) -> Path:
    """A cloud of thin colour that fills the box, with a wandering edge; `square` (0 to 1): how much of its corners."""
    x, y, w, h = box
    if not 0 <= square <= 1:
        raise ValueError(f"'square' must be from 0 to 1, found {square:g}")
    source = random.Random(seed)
    points = []
    for k in range(30):
        turn = 2 * math.pi * k / 30
        cos, sin = math.cos(turn), math.sin(turn)
        power = 2 + 4 * square
        far = (abs(cos) ** power + abs(sin) ** power) ** (-1 / power) * (1 + source.uniform(-rough, rough))
        points.append((x + w / 2 * (1 + far * cos), y + h / 2 * (1 + far * sin)))
    return brush.closed(points)


def torn(box: Box, seed: int = 1, rough: float = 1.2) -> Path:
    """The box with an upper edge as of torn paper, straying `rough` mm up and down."""
    x, y, w, h = box
    source = random.Random(seed)
    steps = max(8, min(800, round(w / 0.9)))
    phases = [(source.uniform(0, 6.28), f) for f in (2.3, 5.1, 11.7)]
    top = []
    for k in range(steps + 1):
        u = k / steps
        sway = sum(math.sin(p + 6.28 * f * u) / (1 + i) for i, (p, f) in enumerate(phases)) / 1.8
        top.append((x + w * u, y + rough * (0.75 * sway + source.uniform(-0.25, 0.25))))
    return polygon([*top, (x + w, y + h), (x, y + h)])


def _some(value: int, most: int, what: str) -> int:
    if not 1 <= int(value) <= most:
        raise ValueError(f"there can be 1 to {most} {what}, found {value}")
    return int(value)
