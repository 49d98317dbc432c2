"""QR codes as one path, so that they print sharply at any size."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(512)
def qr_modules(value: str, level: str) -> tuple[tuple[bool, ...], ...]:
    """The rows of the code for a text, without the quiet zone around it. ValueError for a text that is too long.
    `level`: how much of it may be damaged: l 7 %, m 15 %, q 25 %, h 30 %."""
    import segno

    code = segno.make_qr(value, error=level, boost_error=False)
    return tuple(tuple(bool(module) for module in row) for row in code.matrix)


def qr_path(modules: tuple[tuple[bool, ...], ...], x: float, y: float, side: float) -> str:
    """Path data of the dark modules in the square of `side` mm at `x, y`, neighbours in a row as one."""
    k = side / len(modules)
    parts: list[str] = []
    for j, row in enumerate(modules):
        start = 0
        while start < len(row):
            end = start
            while end < len(row) and row[end]:
                end += 1
            if end > start:
                left, right, top, low = (
                    f"{value:.4f}" for value in (x + start * k, x + end * k, y + j * k, y + (j + 1) * k)
                )
                parts.append(f"M{left} {top}L{right} {top}L{right} {low}L{left} {low}Z")
            start = end + 1
    return "".join(parts)
