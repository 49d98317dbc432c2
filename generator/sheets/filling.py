"""Pieces laid into a plan: the faces on the front of a leaf, each back where it lands behind its front, the marks.

Lengths in mm.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from generator.faces.display import Op
from generator.paper.formats import Format
from generator.sheets import marks
from generator.sheets.marks import SheetStyle
from generator.sheets.plan import EPS, Block, Mirror, Plan
from generator.sheets.sheets import Box, CutLine, Page, Placement, Strip, Turn, around

Bleed = tuple[float, float, float, float]
Leaf = tuple[Page, Page | None]
"""Front and back of a sheet of paper; the back may be white."""


class Item(msgspec.Struct, frozen=True):
    """A piece to be printed: its name `set/piece`, the keys of its faces (`back` empty: white) and how many.

    `sides` and `ends` are the colours along its left and right edges, and along its upper and lower ones, on both
    faces; empty where they are not flat.
    """

    piece: str
    front: str
    back: str = ""
    copies: int = 1
    sides: str = ""
    ends: str = ""


class Cut(msgspec.Struct, frozen=True):
    """A group that is cut out together: the outlines of flat pieces of one format, and the reach of bleed and crop
    marks."""

    block: Block
    trims: list[Box]

    @property
    def trim(self) -> Box:
        return around(self.trims)

    @property
    def bleed(self) -> Box:
        x, y = self.block.bleed
        return self.trim.grown(x, y, x, y)

    @property
    def reach(self) -> list[Box]:
        """The bleed, and what the crop marks take beside it and above and below: the corners are free."""
        x, y = self.block.crop
        bleed, trim = self.bleed, self.trim
        return [
            bleed,
            Box(bleed.x - x, trim.y, bleed.w + 2 * x, trim.h),
            Box(trim.x, bleed.y - y, trim.w, bleed.h + 2 * y),
        ]


def has_back(item: Item, fmt: Format) -> bool:
    """True if something is printed behind the piece. A standee shows its back on the front of the sheet."""
    return bool(item.back) and fmt.shape != "standee"


def fill(plan: Plan, items: Sequence[Sequence[Item]], style: SheetStyle) -> Leaf:
    """One leaf with the items of each block of the plan, as many as the block has slots, or fewer."""
    fronts: list[Placement] = []
    reverse: list[Placement] = []
    ahead: list[Cut] = []
    behind: list[Cut] = []
    mirror = plan.mirror
    for block, part in zip(plan.blocks, items, strict=True):
        slots = block.slots[: len(part)]
        ahead.append(Cut(block, list(slots)))
        for item, slot, bleed in zip(part, slots, _bleeds(block, slots), strict=True):
            fronts += _faces(block, item, slot, bleed)
            if mirror is not None and has_back(item, block.format):
                reverse.append(_behind(block, mirror, item, slot, bleed))
        if mirror is not None and any(has_back(item, block.format) for item in part):
            behind.append(Cut(block, [mirror.box(slot) for slot in slots]))
    lines = tuple(CutLine(slot, cut.block.format.shape, cut.block.format.corner) for cut in ahead for slot in cut.trims)
    if mirror is None or not behind:
        return _page(plan, fronts, ahead, None, style, lines), None
    if plan.folded:
        alone = len(plan.blocks) == 1
        cuts = [Cut(plan.blocks[0], ahead[0].trims + behind[0].trims)] if alone else ahead + behind
        return _page(plan, [*fronts, *reverse], cuts, mirror, style, lines), None
    front = _page(plan, fronts, ahead, mirror, style, lines)
    strip = Strip(mirror.box(plan.strip.box), plan.strip.upright)
    partings = tuple(mirror.line(ends) for ends in plan.partings)
    back = _page(msgspec.structs.replace(plan, strip=strip, partings=partings), reverse, behind, mirror, style)
    return front, msgspec.structs.replace(back, side="back", shows="back")


def apart(plan: Plan, items: list[Item], style: SheetStyle) -> list[Leaf]:
    """Fronts and backs on sheets of their own, to be glued together: the paper has no room for both beside a fold."""
    front, _ = fill(plan, [items], style)
    back, _ = fill(plan, [[Item(item.piece, item.back) for item in items]], style)
    placed = tuple(msgspec.structs.replace(placement, reverse=True) for placement in back.placements)
    return [
        (front, None),
        (msgspec.structs.replace(back, placements=placed, shows="backs, to be glued on", outlines=()), None),
    ]


def _bleeds(block: Block, slots: Sequence[Box]) -> list[Bleed]:
    """The visible bleed of each slot: half of the way to a neighbour and no more than exists, none across a shared cut,
    and at the ends as much as the block has room for."""
    x, y = block.bleed
    most = block.format.bleed
    if not block.columns:
        return [(x, y, x, y)] * len(slots)
    columns = {round(slot.x, 2): slot.x for slot in slots}
    rows = {round(slot.y, 2): slot.y for slot in slots}
    taken = {(round(slot.x, 2), round(slot.y, 2)) for slot in slots}
    bleeds: list[tuple[float, ...]] = []
    for slot in slots:
        column, row = round(slot.x, 2), round(slot.y, 2)
        beside = [at for key, at in columns.items() if (key, row) in taken]
        above = [at for key, at in rows.items() if (column, key) in taken]
        near = (
            [(slot.x - at - slot.w) / 2 for at in beside if at < slot.x - EPS],
            [(slot.y - at - slot.h) / 2 for at in above if at < slot.y - EPS],
            [(at - slot.right) / 2 for at in beside if at > slot.x + EPS],
            [(at - slot.bottom) / 2 for at in above if at > slot.y + EPS],
        )
        bleeds.append(
            tuple(min([*found, most]) if found else end for found, end in zip(near, (x, y, x, y), strict=True))
        )
    return [tuple(max(0.0, round(side, 9)) for side in bleed) for bleed in bleeds]  # type: ignore[misc]


def _faces(block: Block, item: Item, slot: Box, bleed: Bleed) -> list[Placement]:
    """The face, or the two faces of a standee, on the front of a sheet."""
    fmt = block.format
    if fmt.shape != "standee":
        return [_placed(fmt, item.front, item.piece, slot, block.turn, bleed)]
    over = min(fmt.bleed, fmt.foot)
    left, right = (bleed[1], bleed[3]) if block.turn == 90 else (bleed[0], bleed[2])
    upper = Box(0.0, fmt.foot, fmt.w, fmt.h), (left, over, right, 0.0)
    lower = Box(0.0, fmt.foot + fmt.h, fmt.w, fmt.h), (left, 0.0, right, over)
    found = []
    for face, turn, (box, margins) in ((item.back or item.front, 180, upper), (item.front, 0, lower)):
        where = _within(slot, box, block.turn, fmt.flat)
        seen = (margins[3], *margins[:3]) if block.turn == 90 else margins
        placed = _placed(fmt, face, item.piece, where, _turn(turn + block.turn), seen, reverse=turn == 180)
        found.append(placed)
    return found


def _behind(block: Block, mirror: Mirror, item: Item, slot: Box, bleed: Bleed) -> Placement:
    """The back of a piece, where it lands behind its front."""
    where = mirror.box(slot)
    turn = mirror.turn(block.turn)
    return _placed(block.format, item.back, item.piece, where, turn, mirror.bleed(bleed), reverse=True)


def _placed(
    fmt: Format, face: str, piece: str, box: Box, turn: Turn, bleed: Bleed, *, reverse: bool = False
) -> Placement:
    return Placement(
        face=face,
        piece=piece,
        x=box.x,
        y=box.y,
        w=box.w,
        h=box.h,
        turn=turn,
        bleed=bleed,
        clip="rect" if fmt.shape == "standee" else fmt.shape,
        reverse=reverse,
    )


def _turn(angle: int) -> Turn:
    turn: Turn = angle % 360  # type: ignore[assignment]
    return turn


def _within(slot: Box, box: Box, turn: Turn, flat: tuple[float, float]) -> Box:
    """The box of a part of a flat piece that lies in `slot`, upright or turned by 90 degrees."""
    if turn == 90:
        return Box(slot.x + flat[1] - box.bottom, slot.y + box.x, box.h, box.w)
    return Box(slot.x + box.x, slot.y + box.y, box.w, box.h)


def _page(
    plan: Plan,
    placements: list[Placement],
    cuts: list[Cut],
    mirror: Mirror | None,
    style: SheetStyle,
    outlines: tuple[CutLine, ...] = (),
) -> Page:
    """A page with its marks; `cuts` are the blocks of flat pieces on it, `mirror` is None if it has no back."""
    drawn: list[Op] = []
    folds: list[tuple[float, float, float, float]] = []
    for cut in cuts:
        if cut.block.columns:
            drawn += marks.crop_marks(cut.trims, cut.bleed, cut.block.crop, style)
        folds += [line for slot in cut.trims for line in _folds(cut.block, slot)]
    drawn += marks.outlines(placements, style)
    if any(cut.block.columns for cut in cuts):
        drawn += marks.ticks(placements, style)
    drawn += marks.fold_lines([*folds, *([plan.fold] if plan.fold and mirror else [])], style)
    drawn += marks.parting_lines(plan.partings, style)
    if mirror is not None:
        drawn += marks.registration(
            plan.printable, [*(box for cut in cuts for box in cut.reach), plan.strip.box], style
        )
    return Page(
        kind=kinds(cut.block.format for cut in cuts),
        side="front",
        w=plan.w,
        h=plan.h,
        placements=tuple(placements),
        marks=tuple(drawn),
        strip=plan.strip,
        trim=around([cut.trim for cut in cuts]),
        bleed=around([cut.bleed for cut in cuts]),
        shows="front and back" if plan.folded else "front",
        outlines=outlines,
    )


KINDS = 6
"""So many formats are named on a sheet; of more, the first few and how many others there are."""


def kinds(formats: Iterable[Format]) -> str:
    """The words for pieces of these formats in the name of a sheet."""
    titles = list(dict.fromkeys(fmt.title for fmt in formats))
    if len(titles) > KINDS:
        titles[KINDS - 1 :] = [f"{len(titles) - KINDS + 1} other kinds"]
    return ", ".join(titles)


def _folds(block: Block, slot: Box) -> list[tuple[float, float, float, float]]:
    """The fold lines of a standee that lies in `slot`."""
    lines = []
    for distance in block.format.folds:
        fold = _within(slot, Box(0.0, distance, block.format.w, 0.0), block.turn, block.format.flat)
        lines.append((fold.x, fold.y, fold.right, fold.bottom))
    return lines
