"""Pages of a book laid on sheets: one after the other for reading, or two beside each other as a booklet to fold.

A booklet is one section: sheet k of n carries, outside, the pages 4n-2k+2 and 2k-1 and, inside, 2k and 4n-2k+1
(numbered from 1). Print it on both sides, flipped over the short edge, fold the pile in the middle and staple.
"""

from __future__ import annotations

from generator.faces.display import POP, Op, PathOp, Push
from generator.sheets.navigation import Entry, Link, Navigation, Spot
from generator.sheets.sheets import Box, Placement, Sheet


def reading(pages: list[str], w: float, h: float, title: str) -> list[Sheet]:
    """One sheet for each page (`pages`: keys of the faces), as large as the page."""
    box = Box(0.0, 0.0, w, h)
    return [
        Sheet(
            name=f"page-{n:02}",
            title=f"{title}, page {n}",
            side="front",
            w=w,
            h=h,
            placements=(Placement(face=face, x=0.0, y=0.0, w=w, h=h),),
            trim=box,
            bleed=box,
        )
        for n, face in enumerate(pages, 1)
    ]


def order(count: int) -> list[tuple[int, int]]:
    """(left, right) page numbers of each printed side of a booklet of `count` pages (a multiple of 4), fronts and backs
    in turn."""
    sides: list[tuple[int, int]] = []
    for k in range(count // 4):
        sides.append((count - 2 * k, 1 + 2 * k))
        sides.append((2 + 2 * k, count - 1 - 2 * k))
    return sides


def booklet(pages: list[str], w: float, h: float, title: str) -> list[Sheet]:
    """Sheets twice as wide as the pages. Raises ValueError if their number is not a multiple of 4."""
    if len(pages) % 4:
        raise ValueError(f"a booklet has a multiple of 4 pages, not {len(pages)}")
    sheets: list[Sheet] = []
    box = Box(0.0, 0.0, 2 * w, h)
    for i, (left, right) in enumerate(order(len(pages))):
        inside = i % 2 == 1
        number = i // 2 + 1
        sheets.append(
            Sheet(
                name=f"booklet-{number:02}-{'back' if inside else 'front'}",
                title=f"{title}, sheet {number}, {'inside' if inside else 'outside'}",
                side="back" if inside else "front",
                w=2 * w,
                h=h,
                placements=tuple(
                    Placement(face=pages[n - 1], x=x, y=0.0, w=w, h=h) for n, x in ((left, 0.0), (right, w))
                ),
                marks=() if inside else _fold(w, h),
                trim=box,
                bleed=box,
            )
        )
    return sheets


def folded(navigation: Navigation, w: float) -> Navigation:
    """The navigation of the pages (each `w` mm wide) as it is in the booklet that they make."""
    lies = {
        number - 1: (side, x)
        for side, pair in enumerate(order(len(navigation.labels)))
        for number, x in zip(pair, (0.0, w), strict=True)
    }

    def moved(spot: Spot) -> Spot:
        side, x = lies[spot.page]
        return Spot(side, spot.x + x, spot.y)

    links = []
    for link in navigation.links:
        side, x = lies[link.page]
        box = Box(link.box.x + x, link.box.y, link.box.w, link.box.h)
        links.append(Link(side, box, moved(link.to)))
    label = navigation.labels
    return Navigation(
        outline=tuple(Entry(entry.title, moved(entry.to)) for entry in navigation.outline),
        labels=tuple(f"{label[left - 1]}, {label[right - 1]}" for left, right in order(len(label))),
        links=tuple(links),
    )


def _fold(x: float, h: float) -> tuple[Op, ...]:
    """Two short dashed lines that show where to fold."""
    paths = [
        PathOp(d=f"M{x:g} {y1:g}L{x:g} {y2:g}", stroke="#8a8a8a", width=0.15, dash=(0.8, 0.8))
        for y1, y2 in ((2.0, 6.0), (h - 6.0, h - 2.0))
    ]
    return (Push((1.0, 0.0, 0.0, 1.0, 0.0, 0.0), layer="fold"), *paths, POP)


__all__ = ["booklet", "folded", "order", "reading"]
