"""Sheets that pieces of several formats share: what full sheets leave over, as blocks that are cut apart first.

Each block is a grid of one format with crop marks of its own, so that no mark of one points through another. Blocks are
laid so that straight cuts from edge to edge part them (the first of such cuts across the whole sheet, the next across
what it left, and so on). Lengths in mm.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

import msgspec

from generator.paper.formats import Format, Paper
from generator.sheets import packing
from generator.sheets.marks import SheetStyle
from generator.sheets.plan import Block, Ground, Plan, cuts, grounds, least_edge, turned_size, turns
from generator.sheets.sheets import Backs, Box, Turn, around

FRAGMENT = 4
"""Where pieces of one format are spread over several sheets, each place takes at least one part in so many of them."""

MARKS = 0.75
"""The part of the room for crop marks that they take, so that those of neighbouring blocks do not meet."""

Parting = tuple[float, float, float, float]


class Load(msgspec.Struct, frozen=True):
    """So many pieces of a format that do not fill a sheet."""

    format: Format
    count: int


class Shared(msgspec.Struct, frozen=True):
    """A sheet of several blocks: block n holds the next pieces of load number `loads[n]`."""

    plan: Plan
    loads: tuple[int, ...]


def share(
    loads: Sequence[Load], paper: Paper, style: SheetStyle, backs: Backs, name_length: float
) -> tuple[list[Shared], list[int]]:
    """The fewest sheets for all loads: those that are shared, and which loads are better left on a sheet of their own.

    Among equal numbers gutters are preferred to shared cuts, whole loads to parts on several sheets, and fewer parts to
    more. Where sharing saves no paper, nothing is shared. `backs` is `none` for pieces that have none; `name_length`:
    mm taken by the longest sheet name.
    """
    best: _Try | None = None
    if style.share and any(load.format != loads[0].format for load in loads):
        for tried in _tries(loads, paper, style, backs, name_length):
            if tried.leaves < len(loads) and (best is None or tried.key < best.key):
                best = tried
                if best.leaves == 1:
                    break
    if best is None:
        return [], list(range(len(loads)))
    whole = best.whole(loads)
    shared = [
        _planned(best.ground, sheet, loads, best.gutter, style) for sheet in best.sheets if sheet.owner not in whole
    ]
    return shared, sorted({*best.alone, *whole})


def _tries(loads: Sequence[Load], paper: Paper, style: SheetStyle, backs: Backs, name_length: float) -> Iterator[_Try]:
    """Arrangements of all loads, the better liked ones first."""
    for gutter, parts, columns in product((True, False), (False, True), (False, True)):
        for ground in grounds(paper, style, backs, name_length):
            yield _arrange(loads, ground, gutter, parts, columns, style)


class _Patch(msgspec.Struct, frozen=True):
    """`count` pieces of load `load` in `columns` x `rows`, turned by `turn`; `box` holds marks and bleed, too."""

    load: int
    count: int
    columns: int
    rows: int
    turn: Turn
    box: Box


class _Draft(msgspec.Struct):
    """A sheet being laid out: what lies on it, which rectangles are free, and the cuts that part them, each with the
    rectangle beyond it (a cut with nothing beyond it is none)."""

    free: list[Box]
    patches: list[_Patch] = []
    cuts: list[tuple[Parting, Box]] = []

    @property
    def owner(self) -> int:
        """The load that has this sheet for itself, -1 if there are several."""
        return self.patches[0].load if len(self.patches) == 1 else -1

    def put(self, patch: _Patch, rect: Box, columns: bool) -> None:
        """Lay the patch into the corner of a free rectangle and part what is left by straight cuts."""
        self.patches.append(patch)
        self.free.remove(rect)
        box = patch.box
        tall, wide = (rect.h, box.w) if columns else (box.h, rect.w)
        beside = Box(box.right, rect.y, rect.right - box.right, tall)
        below = Box(rect.x, box.bottom, wide, rect.bottom - box.bottom)
        self.cuts.append(((box.right, rect.y, box.right, rect.y + tall), beside))
        self.cuts.append(((rect.x, box.bottom, rect.x + wide, box.bottom), below))
        self.free += [beside, below]


class _Try(msgspec.Struct):
    """All loads on sheets of one kind; `alone` are those that need a sheet of their own."""

    ground: Ground
    gutter: bool
    parts: bool
    sheets: list[_Draft] = []
    alone: list[int] = []

    @property
    def leaves(self) -> int:
        return len(self.sheets) + len(self.alone)

    @property
    def key(self) -> tuple[int, bool, bool, int]:
        """The smaller, the better."""
        return self.leaves, not self.gutter, self.parts, sum(len(sheet.patches) for sheet in self.sheets)

    def whole(self, loads: Sequence[Load]) -> set[int]:
        """Loads that came to lie on a sheet of their own with all their pieces."""
        return {s.owner for s in self.sheets if s.owner >= 0 and s.patches[0].count == loads[s.owner].count}


def _arrange(
    loads: Sequence[Load], ground: Ground, gutter: bool, parts: bool, columns: bool, style: SheetStyle
) -> _Try:
    """The loads, largest first, each where it leaves least room unused; `parts`: a load may be divided; `columns`: what
    is left beside a block goes on to the bottom, else what is left below it goes on to the right."""
    tried = _Try(ground, gutter, parts)
    area = [load.count * load.format.flat[0] * load.format.flat[1] for load in loads]
    for n in sorted(range(len(loads)), key=lambda n: -area[n]):
        fmt, left = loads[n].format, loads[n].count
        fragment = math.ceil(left / FRAGMENT)
        while left:
            found = _place(tried, n, fmt, left, columns, style)
            if found is None and parts:
                found = _place(tried, n, fmt, left, columns, style, at_least=min(left, fragment))
            if found is not None:
                draft, patch, rect = found
                draft.put(patch, rect, columns)
                left -= patch.count
                continue
            fresh = _patch(n, fmt, left, ground.half, gutter, columns, style)
            if fresh is None or (fresh.count < left and not parts):
                tried.alone.append(n)
                break
            tried.sheets.append(_Draft([ground.half]))
    return tried


def _place(
    tried: _Try, n: int, fmt: Format, count: int, columns: bool, style: SheetStyle, at_least: int = 0
) -> tuple[_Draft, _Patch, Box] | None:
    """The first sheet with room for all pieces, in its smallest rectangle that holds them; with `at_least`, the place
    that holds most of them, if it holds so many."""
    best: tuple[tuple[float, ...], tuple[_Draft, _Patch, Box]] | None = None
    for order, draft in enumerate(tried.sheets):
        for rect in draft.free:
            patch = _patch(n, fmt, count, rect, tried.gutter, columns, style)
            if patch is None or patch.count < (at_least or count):
                continue
            key = (-patch.count, order, rect.w * rect.h)
            if best is None or key < best[0]:
                best = key, (draft, patch, rect)
    return best[1] if best else None


def _patch(n: int, fmt: Format, count: int, rect: Box, gutter: bool, columns: bool, style: SheetStyle) -> _Patch | None:
    """As many of `count` pieces as the corner of the rectangle takes, in as little room as may be."""
    best: tuple[tuple[float, ...], _Patch] | None = None
    for turn in turns(fmt):
        w, h, edge, gap = _sizes(fmt, turn, gutter, style)
        across, down = packing.fits(rect.w - 2 * edge, w, gap), packing.fits(rect.h - 2 * edge, h, gap)
        if not across or not down:
            continue
        taken = min(count, across * down)
        if columns:
            across = math.ceil(taken / down)
            down = math.ceil(taken / across)
        else:
            down = math.ceil(taken / across)
            across = math.ceil(taken / down)
        box = Box(rect.x, rect.y, across * (w + gap) - gap + 2 * edge, down * (h + gap) - gap + 2 * edge)
        key = (-taken, box.w * box.h, turn)
        if best is None or key < best[0]:
            best = key, _Patch(n, taken, across, down, turn, box)
    return best[1] if best else None


def _sizes(fmt: Format, turn: Turn, gutter: bool, style: SheetStyle) -> tuple[float, float, float, float]:
    """Width and height of a piece that is turned so, the room for bleed and crop marks around its block, the gap."""
    w, h = turned_size(fmt, turn)
    apart = _apart(fmt, gutter, style)
    return w, h, sum(least_edge(fmt, apart, style)), 2 * fmt.bleed if apart else 0.0


def _apart(fmt: Format, gutter: bool, style: SheetStyle) -> bool:
    """Whether this format lies with gutters where those are wished for as far as it takes them."""
    possible = cuts(fmt, style)
    return possible[0] if gutter else possible[-1]


def _planned(ground: Ground, draft: _Draft, loads: Sequence[Load], gutter: bool, style: SheetStyle) -> Shared:
    """The draft as a plan, moved to the middle of what the sheet has room for."""
    used = around([patch.box for patch in draft.patches])
    half = ground.half
    dx, dy = half.x + (half.w - used.w) / 2 - used.x, half.y + (half.h - used.h) / 2 - used.y
    blocks: list[Block] = []
    for patch in draft.patches:
        fmt = loads[patch.load].format
        apart = _apart(fmt, gutter, style)
        bleed, crop = least_edge(fmt, apart, style)
        w, h, edge, gap = _sizes(fmt, patch.turn, gutter, style)
        x, y = patch.box.x + dx + edge, patch.box.y + dy + edge
        spots = ((n % patch.columns, n // patch.columns) for n in range(patch.count))
        slots = tuple(Box(x + column * (w + gap), y + row * (h + gap), w, h) for column, row in spots)
        blocks.append(Block(fmt, slots, patch.turn, gap, (bleed, bleed), (MARKS * crop, MARKS * crop)))
    partings = [
        (x1 + dx, y1 + dy, min(x2, used.right) + dx, min(y2, used.bottom) + dy)
        for (x1, y1, x2, y2), beyond in draft.cuts
        if any(beyond.holds(patch.box) for patch in draft.patches)
    ]
    return Shared(ground.plan(blocks, partings), tuple(patch.load for patch in draft.patches))
