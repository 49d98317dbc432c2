"""Arrangements of several pieces in one place: pure geometry, in mm from the middle of the place."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

GAPS = (3.0, 2.0, 1.2, 0.6, 0.0)
"""Between pieces: the largest with which all fit is taken."""
FAN_STEP = 0.36
"""Of a card's width: so far from one card of a fan to the next, where there is room."""
FAN_TURN, FAN_SPAN = 5.0, 40.0
"""Degrees from one card of a fan to the next, and of the whole fan, at most."""

Size = tuple[float, float]


class Lying(msgspec.Struct, frozen=True):
    """The position of one piece: its middle, and its turn beside its own."""

    x: float
    y: float
    turn: float = 0.0


def lie(way: str, sizes: Sequence[Size], w: float, h: float) -> list[Lying]:
    """The positions of pieces of these sizes in a place `w` x `h`, one after the other, in a way of `anchors.LAYS`.

    They cover one another only where there is no room for all.
    """
    if not sizes:
        return []
    if way == "pile":
        return [Lying(0.0, 0.0) for _ in sizes]
    if way == "row":
        return [Lying(at, 0.0) for at in line([size[0] for size in sizes], w)]
    if way == "column":
        return [Lying(0.0, at) for at in line([size[1] for size in sizes], h)]
    return fan(sizes, w) if way == "fan" else spread(sizes, w, h)


def line(lengths: Sequence[float], room: float) -> list[float]:
    """Middles of pieces in a line: beside each other, or evenly over each other where the room is too short."""
    total = sum(lengths)
    between = len(lengths) - 1
    gap = next((gap for gap in GAPS if total + gap * between <= room), None)
    if gap is None:
        return _pressed(lengths, room)
    at = -(total + gap * between) / 2
    middles = []
    for length in lengths:
        middles.append(at + length / 2)
        at += length + gap
    return middles


def _pressed(lengths: Sequence[float], room: float) -> list[float]:
    """Middles at even distances from one end of the room to the other, every piece inside it."""
    first, last = (lengths[0] - room) / 2, (room - lengths[-1]) / 2
    found = []
    for n, length in enumerate(lengths):
        even = first + (last - first) * n / max(1, len(lengths) - 1)
        most = max(0.0, (room - length) / 2)
        found.append(min(max(even, -most), most))
    return found


def fan(sizes: Sequence[Size], room: float) -> list[Lying]:
    """Cards held like a hand: turned a little against each other, the middle one highest."""
    n = len(sizes)
    if n == 1:
        return [Lying(0.0, 0.0)]
    wide = max(size[0] for size in sizes)
    step = min(FAN_STEP * wide, max(0.0, room - 1.15 * wide) / (n - 1))
    turn = min(FAN_TURN, FAN_SPAN / n)
    found = []
    for i in range(n):
        away = i - (n - 1) / 2
        drop = abs(away) * step * abs(away) * turn * 0.0087  # as on a circle: half the angle in radians
        found.append(Lying(away * step, drop, away * turn))
    low = sum(piece.y for piece in found) / n
    return [Lying(piece.x, piece.y - low, piece.turn) for piece in found]


def spread(sizes: Sequence[Size], w: float, h: float) -> list[Lying]:
    """In rows beside each other; a row more where they do not fit, over each other where nothing else helps."""
    for gap in GAPS:
        rows = wrapped([size[0] for size in sizes], w, gap)
        if _fits(rows, sizes, w, h, gap):
            return _in_rows(rows, sizes, gap, gap, w)
    return _squeezed(sizes, w, h)


def wrapped(lengths: Sequence[float], room: float, gap: float) -> list[list[int]]:
    """The pieces of each row: as few rows as the room allows, and those of about equal length."""
    rows = _greedy(lengths, room, gap)
    low, high = max(lengths), max(room, max(lengths))
    for _ in range(12):
        middle = (low + high) / 2
        if len(_greedy(lengths, middle, gap)) == len(rows):
            high = middle
        else:
            low = middle
    return _greedy(lengths, high, gap)


def _greedy(lengths: Sequence[float], room: float, gap: float) -> list[list[int]]:
    rows: list[list[int]] = []
    used = 0.0
    for i, length in enumerate(lengths):
        if rows and used + gap + length <= room + 1e-6:
            rows[-1].append(i)
            used += gap + length
        else:
            rows.append([i])
            used = length
    return rows


def _fits(rows: list[list[int]], sizes: Sequence[Size], w: float, h: float, gap: float) -> bool:
    high = sum(max(sizes[i][1] for i in row) for row in rows) + gap * (len(rows) - 1)
    return high <= h + 1e-6 and all(sizes[i][0] <= w + 1e-6 for row in rows for i in row)


def _in_rows(rows: list[list[int]], sizes: Sequence[Size], gap: float, below: float, room: float) -> list[Lying]:
    """The middles of the pieces of each row, `below` between rows (negative: they overlap)."""
    highs = [max(sizes[i][1] for i in row) for row in rows]
    y = -(sum(highs) + below * (len(rows) - 1)) / 2
    found = [Lying(0.0, 0.0)] * len(sizes)
    for row, high in zip(rows, highs, strict=True):
        widths = [sizes[i][0] for i in row]
        long = sum(widths) + gap * (len(row) - 1)
        at = [-long / 2 + sum(widths[:k]) + gap * k + widths[k] / 2 for k in range(len(row))]
        if long > room:
            at = line(widths, room)
        for i, x in zip(row, at, strict=True):
            found[i] = Lying(x, y + high / 2)
        y += high + below
    return found


def _squeezed(sizes: Sequence[Size], w: float, h: float) -> list[Lying]:
    """Rows that overlap as little as they can: as many as leave most of each piece to be seen."""
    n = len(sizes)
    wide, high = max(size[0] for size in sizes), max(size[1] for size in sizes)
    best, rows_of_best = -1.0, 1
    for rows in range(1, n + 1):
        columns = -(-n // rows)
        across = min(1.0, (w - wide) / ((columns - 1) * wide)) if columns > 1 else 1.0
        down = min(1.0, (h - high) / ((rows - 1) * high)) if rows > 1 else 1.0
        if min(across, down) > best + 1e-9:
            best, rows_of_best = min(across, down), rows
    columns = -(-n // rows_of_best)
    parted = [list(range(at, min(n, at + columns))) for at in range(0, n, columns)]
    total = sum(max(sizes[i][1] for i in row) for row in parted)
    below = min(0.0, (h - total) / (len(parted) - 1)) if len(parted) > 1 else 0.0
    return _in_rows(parted, sizes, 0.0, max(below, -0.9 * high), w)
