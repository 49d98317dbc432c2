"""Sheets of several blocks that are cut apart first: of what full sheets of several formats leave over, or of one
format, some of whose pieces are turned.

Each block is a grid of one format with crop marks of its own, so that no mark of one points through another. Blocks are
laid so that straight cuts from edge to edge part them (the first of such cuts across the whole sheet, the next across
what it left, and so on). Lengths in mm.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import count, permutations, product

import msgspec

from generator.paper.formats import Format, Paper
from generator.sheets import packing
from generator.sheets.marks import SheetStyle
from generator.sheets.plan import (
    Block,
    Ground,
    Plan,
    cuts,
    grounds,
    joined,
    least_bleed,
    staggered,
    turned_size,
    turns,
)
from generator.sheets.sheets import Backs, Box, Turn, around

FRAGMENT = 4
"""If pieces of one format are spread over several sheets, each place takes at least one part in so many of them."""

CROP = 1.8
"""The room for crop marks around a block (mm)."""
MARKS = 0.75
"""The part of the room for crop marks that they take, so that those of neighbouring blocks do not meet."""

Parting = tuple[float, float, float, float]


class Load(msgspec.Struct, frozen=True):
    """Pieces of a format that do not fill a sheet: how many of each deck, in order, and whether those of a deck are
    `alike` along their sides and ends, and of one back (`plan.Stock`)."""

    format: Format
    decks: tuple[int, ...]
    alike: tuple[bool, bool] = (False, False)
    narrow: bool = False

    count: int = 0
    """Of all decks; made from them."""

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "count", sum(self.decks))

    def rows(self, start: int, count: int, columns: int, mixed: bool) -> list[int]:
        """The rows that `count` pieces from number `start` on take; each deck (unless `mixed`) begins one."""
        parts: list[int] = []
        first = 0
        for deck in [self.count] if mixed else self.decks:
            part = min(first + deck, start + count) - max(first, start)
            parts += [columns] * (part // columns) + [part % columns] * (part % columns > 0) if part > 0 else []
            first += deck
        return parts

    def lines(self, start: int, count: int, columns: int, mixed: bool) -> int:
        """The number of rows that these pieces take."""
        if mixed or len(self.decks) == 1:
            return -(-count // columns)
        lines = first = 0
        for deck in self.decks:
            part = min(first + deck, start + count) - max(first, start)
            lines += -(-part // columns) if part > 0 else 0
            first += deck
        return lines

    def most(self, start: int, columns: int, rows: int, mixed: bool) -> int:
        """The number of pieces, from number `start` on, that fit so many rows."""
        if mixed or len(self.decks) == 1:
            return min(self.count - start, columns * rows)
        taken = first = 0
        for deck in self.decks:
            part = first + deck - max(first, start)
            if part > 0:
                taken += min(part, columns * rows)
                rows -= -(-part // columns)
                if rows <= 0:
                    break
            first += deck
        return taken


class Shared(msgspec.Struct, frozen=True):
    """A sheet of several blocks. `parts`: the number of the load in each block, its first piece there, how many."""

    plan: Plan
    parts: tuple[tuple[int, int, int], ...]


def share(
    loads: Sequence[Load],
    paper: Paper,
    style: SheetStyle,
    backs: Backs,
    name_length: float,
    enough: int = 1,
    most: int | None = None,
) -> tuple[list[Shared], list[int]]:
    """The fewest sheets for all loads: those that are shared, and which loads are better left on a sheet of their own.

    Among equal numbers gutters are preferred to shared cuts, whole loads to parts on several sheets, and fewer parts to
    more. Where sharing saves no paper, nothing is shared. `backs` is `none` for pieces that have none; `name_length`:
    mm taken by the longest sheet name; `enough`: no fewer sheets are looked for; `most`: more are of no use.
    """
    best: _Try | None = None
    area = sum(load.count * load.format.flat[0] * load.format.flat[1] for load in loads)
    enough = max(enough, math.ceil(area / (paper.w * paper.h * (0.5 if backs == "gutterfold" else 1.0))))
    limit = len(loads) - 1 if most is None else min(most, len(loads) - 1)
    if style.share and any(load.format != loads[0].format for load in loads):
        # the better liked ones first
        ways = (_Way(*way) for way in product((True, False), (False, True), (False, True), (False, True)))
        for way, ground in (
            (way, ground)
            for way in ways
            if way.parts or not way.even
            for ground in grounds(paper, style, backs, name_length)
        ):
            tried = _arrange(loads, ground, way, style, limit)
            if tried is not None and (best is None or tried.key < best.key):
                best, limit = tried, tried.leaves
                if best.leaves <= enough:
                    break
    if best is None:
        return [], list(range(len(loads)))
    whole = best.whole(loads)
    shared = [
        _planned(best.ground, sheet, loads, best.gutter, style) for sheet in best.sheets if sheet.owner not in whole
    ]
    return shared, sorted({*best.alone, *whole})


class _Patch(msgspec.Struct, frozen=True):
    """`count` pieces of load `load`, from number `start` on, in `rows` of so many, turned by `turn`; `box` holds marks
    and bleed, too."""

    load: int
    start: int
    count: int
    rows: tuple[int, ...]
    turn: Turn
    box: Box


class _Draft(msgspec.Struct):
    """A sheet being laid out: its pieces, its free rectangles, and the cuts that part them, each with the rectangle
    beyond it (one with nothing beyond it is not cut)."""

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


class _Way(msgspec.Struct, frozen=True):
    """A way to lay loads: with the whole bleed (`gutter`); in `parts`, and `even` where only the last row would not be
    whole; what is left beside a block goes on to the bottom (`columns`), else what is left below it goes on to the
    right."""

    gutter: bool
    parts: bool
    even: bool
    columns: bool


class _Try(msgspec.Struct):
    """All loads on sheets of one kind; `alone` are those that need a sheet of their own."""

    ground: Ground
    gutter: bool
    parts: bool
    even: bool = False
    sheets: list[_Draft] = []
    alone: list[int] = []
    lies: list[list[tuple[Turn, _Lie]]] = []
    """The possible arrangements of each load's pieces."""
    refused: set[tuple[int, float, float]] = set()
    """Loads and sizes of rectangles that hold none of them."""

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


def _arrange(loads: Sequence[Load], ground: Ground, way: _Way, style: SheetStyle, limit: int) -> _Try | None:
    """The loads, largest first, each where it leaves least room unused. None: more than `limit` sheets."""
    parts, columns = way.parts, way.columns
    lies = [[(turn, _sizes(load, turn, way.gutter, style)) for turn in turns(load.format)] for load in loads]
    tried = _Try(ground, way.gutter, parts, way.even, lies=lies)
    area = [load.count * load.format.flat[0] * load.format.flat[1] for load in loads]
    for n in sorted(range(len(loads)), key=lambda n: -area[n]):
        load, left = loads[n], loads[n].count
        fragment = math.ceil(left / FRAGMENT)
        while left:
            found = _place(tried, n, load, left, columns)
            if found is None and parts:
                found = _place(tried, n, load, left, columns, at_least=min(left, fragment))
            if found is not None:
                draft, patch, rect = found
                draft.put(patch, rect, columns)
                left -= patch.count
                continue
            fresh = _patch(n, load, left, ground.half, tried, columns)
            if fresh is None or (fresh.count < left and not parts):
                tried.alone.append(n)
            else:
                tried.sheets.append(_Draft([ground.half]))
            if tried.leaves > limit:
                return None
            if fresh is None or (fresh.count < left and not parts):
                break
    return tried


def _place(
    tried: _Try, n: int, load: Load, count: int, columns: bool, at_least: int = 0
) -> tuple[_Draft, _Patch, Box] | None:
    """The first sheet with room for all pieces, in its smallest rectangle that holds them; with `at_least`, the place
    that holds most of them, if it holds so many."""
    best: tuple[tuple[float, ...], tuple[_Draft, _Patch, Box]] | None = None
    for order, draft in enumerate(tried.sheets):
        for rect in draft.free:
            if (n, rect.w, rect.h) in tried.refused:
                continue
            patch = _patch(n, load, count, rect, tried, columns)
            if patch is None:
                tried.refused.add((n, rect.w, rect.h))
            if patch is None or patch.count < (at_least or count):
                continue
            key = (-patch.count, order, rect.w * rect.h)
            if best is None or key < best[0]:
                best = key, (draft, patch, rect)
    return best[1] if best else None


def _patch(n: int, load: Load, count: int, rect: Box, tried: _Try, columns: bool) -> _Patch | None:
    """As many of the last `count` pieces as the corner of the rectangle takes, in as little room as may be."""
    best: tuple[tuple[float, ...], _Patch] | None = None
    start = load.count - count
    for turn, lie in tried.lies[n]:
        across = packing.fits(rect.w - 2 * lie.edge, lie.w, lie.gap[0])
        down = packing.fits(rect.h - 2 * lie.edge, lie.h, lie.gap[1])
        if not across or not down:
            continue
        taken = load.most(start, across, down, lie.mixed)
        most = down if columns else load.lines(start, taken, across, lie.mixed)
        least = max(1, math.ceil(taken / most))
        across = next(c for c in range(least, across + 1) if load.lines(start, taken, c, lie.mixed) <= most)
        rows = load.rows(start, taken, across, lie.mixed)
        if tried.even and len(rows) > 1 and rows[-1] < across:
            taken -= rows.pop()
        w, h = across * (lie.w + lie.gap[0]) - lie.gap[0], len(rows) * (lie.h + lie.gap[1]) - lie.gap[1]
        box = Box(rect.x, rect.y, w + 2 * lie.edge, h + 2 * lie.edge)
        key = (-taken, box.w if columns else box.h, turn)
        if best is None or key < best[0]:
            best = key, _Patch(n, start, taken, tuple(rows), turn, box)
    return best[1] if best else None


class _Lie(msgspec.Struct, frozen=True):
    """The arrangement of a load's pieces in a block: their size, and the distances between them and around the
    block."""

    w: float
    h: float
    gap: tuple[float, float]
    bleed: float
    crop: float
    mixed: bool
    edge: float
    """Bleed and crop marks together."""


def _sizes(load: Load, turn: Turn, gutter: bool, style: SheetStyle, room: float = CROP) -> _Lie:
    """The arrangement of the pieces in this turn: with their whole bleed (`gutter`), or with as little as possible, and
    with so much `room` for crop marks."""
    fmt = load.format
    w, h = turned_size(fmt, turn)
    possible, white = cuts(fmt, style, load.alike, turn), joined(fmt, turn)
    whole = gutter and possible[0] == white
    bleed = fmt.bleed if whole else least_bleed(fmt, style, load.narrow)
    shared = white if whole or len(load.decks) > 1 else possible[-1]
    gap = tuple(0.0 if joint else 2 * bleed for joint in shared)
    crop = 0.0 if staggered(fmt, style) else max(room, style.crop_min)
    mixed = white[0] or (bleed >= fmt.bleed and shared == white)
    return _Lie(w, h, (gap[0], gap[1]), bleed, crop, mixed, bleed + crop)


def turned_too(load: Load, paper: Paper, style: SheetStyle, backs: Backs, name_length: float) -> Plan | None:
    """The sheet that holds most pieces of a format if some of them are turned: rows that go right across it, and below
    or beside them rows of turned ones. With the whole bleed if as many fit with it; if all are of one deck, else with
    less. None: they do not fit both ways."""
    best: tuple[tuple[float, ...], Plan] | None = None
    gutters = (True, False) if len(load.decks) == 1 else (True,)
    for gutter, room, ground in product(gutters, (CROP, style.crop_min), grounds(paper, style, backs, name_length)):
        lies = [(turn, _sizes(load, turn, gutter, style, room)) for turn in turns(load.format)]
        if len(load.decks) > 1 and not all(lie.mixed for _, lie in lies):
            continue
        for columns, (one, other) in product((False, True), permutations(lies, 2)):
            for lines in count(1):
                draft = _Draft([ground.half])
                first = _rows_across(one, ground.half, 0, columns, lines)
                if first is None:
                    break
                draft.put(first, ground.half, columns)
                left = draft.free[0 if columns else 1]
                second = _rows_across(other, left, first.count, columns)
                if second is None:
                    continue
                draft.put(second, left, columns)
                key = (first.count + second.count, gutter, room, first.count)
                if best is None or key > best[0]:
                    best = key, _planned(ground, draft, [load], gutter, style, room).plan
    return best[1] if best else None


def _rows_across(kind: tuple[Turn, _Lie], rect: Box, start: int, columns: bool, lines: int = 0) -> _Patch | None:
    """As many pieces as the rectangle takes, or so many `lines` of them (from top to bottom if they are `columns`)."""
    turn, lie = kind
    across = packing.fits(rect.w - 2 * lie.edge, lie.w, lie.gap[0])
    down = packing.fits(rect.h - 2 * lie.edge, lie.h, lie.gap[1])
    if not across * down or lines > (across if columns else down):
        return None
    if lines:
        across, down = (lines, down) if columns else (across, lines)
    w, h = across * (lie.w + lie.gap[0]) - lie.gap[0], down * (lie.h + lie.gap[1]) - lie.gap[1]
    box = Box(rect.x, rect.y, w + 2 * lie.edge, h + 2 * lie.edge)
    return _Patch(0, start, across * down, (across,) * down, turn, box)


def _planned(
    ground: Ground, draft: _Draft, loads: Sequence[Load], gutter: bool, style: SheetStyle, room: float = CROP
) -> Shared:
    """The draft as a plan, moved to the middle of what the sheet has room for."""
    used = around([patch.box for patch in draft.patches])
    half = ground.half
    dx, dy = half.x + (half.w - used.w) / 2 - used.x, half.y + (half.h - used.h) / 2 - used.y
    blocks: list[Block] = []
    for patch in draft.patches:
        lie = _sizes(loads[patch.load], patch.turn, gutter, style, room)
        x, y = patch.box.x + dx + lie.edge, patch.box.y + dy + lie.edge
        slots = tuple(
            Box(x + column * (lie.w + lie.gap[0]), y + row * (lie.h + lie.gap[1]), lie.w, lie.h)
            for row, count in enumerate(patch.rows)
            for column in range(count)
        )
        crop = min(lie.crop, max(style.crop_min, MARKS * lie.crop))
        columns = max(patch.rows) if lie.crop else 0
        bleed = lie.bleed, lie.bleed
        blocks.append(Block(loads[patch.load].format, slots, patch.turn, bleed, (crop, crop), columns))
    partings = [
        (x1 + dx, y1 + dy, min(x2, used.right) + dx, min(y2, used.bottom) + dy)
        for (x1, y1, x2, y2), beyond in draft.cuts
        if any(beyond.holds(patch.box) for patch in draft.patches)
    ]
    parts = tuple((patch.load, patch.start, patch.count) for patch in draft.patches)
    return Shared(ground.plan(blocks, partings), parts)
