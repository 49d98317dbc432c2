"""Imposition: pieces to sheets. Every copy of every piece finds its place, and each back lands on its front.

Pieces of one format share sheets across decks. The plan of a sheet (`generator.plan`) says where pieces lie; here the
plans are filled, mirrored for the backs, marked and numbered. Lengths in mm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from components.errors import DefinitionError, Problem
from generator import marks, poster
from generator.display import Op
from generator.fonts import Font
from generator.formats import Format, Paper
from generator.marks import POINT, SheetStyle
from generator.plan import Mirror, Plan, duplex, find_plan
from generator.sheets import Backs, Box, Page, Placement, Sheet, Strip, Turn, around

Bleed = tuple[float, float, float, float]
Leaf = tuple[Page, Page | None]
"""Front and back of a sheet of paper; the back may be white."""


class Item(msgspec.Struct, frozen=True):
    """A piece to be printed: its name `set/piece`, the keys of its faces (`back` empty: white) and how many."""

    piece: str
    front: str
    back: str = ""
    copies: int = 1


class Document(msgspec.Struct, frozen=True):
    """One printed document: `sheets` are its printed sides in printing order, `leaves` its sheets of paper, `pieces`
    the number of copies on them."""

    name: str
    sheets: tuple[Sheet, ...]
    leaves: int
    pieces: int


class ImposeError(DefinitionError):
    """A piece that cannot be laid on the paper."""


def impose(
    title: str, stacks: Sequence[tuple[Format, Sequence[Item]]], paper: Paper, backs: Backs, style: SheetStyle
) -> list[Document]:
    """Lay all pieces on sheets of `paper`: one document for each `Format.file`, in the order of `stacks`.

    `title` is the game's title, printed on every sheet. A rectangle larger than the paper is cut into pages; any other
    piece that does not fit raises ImposeError.
    """
    font = marks.sheet_font(style)
    leaves: dict[str, list[Leaf]] = {}
    count: Counter[str] = Counter()
    for fmt, items in stacks:
        pages = leaves.setdefault(fmt.file, [])
        longest = font.width(_name(title, fmt.title, "", 99, 99, "front and back", paper)) * style.text * POINT
        count[fmt.file] += sum(item.copies for item in items)
        two_sided = [item for item in items if _has_back(item, fmt, backs)]
        one_sided = [item for item in items if not _has_back(item, fmt, backs)]
        for part, mode in ((two_sided, backs), (one_sided, "none")):
            copies = [item for item in part for _ in range(item.copies)]
            if copies:
                pages += _lay_out(fmt, copies, paper, mode, style, longest)
    return [
        Document(name, _numbered(name, title, pages, paper, backs, style, font), len(pages), count[name])
        for name, pages in leaves.items()
        if pages
    ]


def _has_back(item: Item, fmt: Format, backs: Backs) -> bool:
    return bool(item.back) and backs != "none" and fmt.shape != "standee"


def _lay_out(
    fmt: Format, copies: list[Item], paper: Paper, backs: Backs, style: SheetStyle, longest: float
) -> list[Leaf]:
    """The leaves of all copies of one format."""
    plan = find_plan(fmt, paper, style, backs, longest)
    if plan is not None:
        step = len(plan.slots)
        return [_fill(plan, copies[start : start + step], style) for start in range(0, len(copies), step)]
    if backs == "gutterfold" and (plan := find_plan(fmt, paper, style, "none", longest)) is not None:
        step = len(plan.slots)
        return [
            leaf for start in range(0, len(copies), step) for leaf in _apart(plan, copies[start : start + step], style)
        ]
    if fmt.shape != "rect":
        w, h = fmt.flat
        what = f"{fmt.title}: {w:g} x {h:g} mm do not fit on {paper.title}"
        raise ImposeError([Problem(code="LAY-020", what=what, hint="choose a larger --paper")])
    return [
        (page, None)
        for item in copies
        for face, note in ((item.front, ""), (item.back, "back"))
        if face and (not note or backs != "none")
        for page in poster.pages(fmt, face, item.piece, note, paper, style, longest)
    ]


# --- filling a plan ----------------------------------------------------------------------------------------------


def _fill(plan: Plan, items: list[Item], style: SheetStyle) -> Leaf:
    """One leaf with as many pieces as the plan has slots, or fewer."""
    slots = plan.slots[: len(items)]
    fronts: list[Placement] = []
    reverse: list[Placement] = []
    for item, slot, bleed in zip(items, slots, _bleeds(plan, slots), strict=True):
        fronts += _faces(plan, item, slot, bleed)
        if plan.mirror is not None and item.back:
            reverse.append(_behind(plan, plan.mirror, item, slot, bleed))
    if plan.folded:
        assert plan.mirror is not None
        both = [*slots, *(plan.mirror.box(slot) for slot in slots)]
        return _page(plan, [*fronts, *reverse], both, plan.strip, style), None
    front = _page(plan, fronts, list(slots), plan.strip, style)
    if plan.mirror is None:
        return front, None
    strip = Strip(plan.mirror.box(plan.strip.box), plan.strip.upright)
    behind = [plan.mirror.box(slot) for slot in slots]
    back = _page(plan, reverse, behind, strip, style)
    return front, msgspec.structs.replace(back, side="back", shows="back")


def _apart(plan: Plan, items: list[Item], style: SheetStyle) -> list[Leaf]:
    """Fronts and backs on sheets of their own, to be glued together: the paper has no room for both beside a fold."""
    front, _ = _fill(plan, items, style)
    back, _ = _fill(plan, [Item(item.piece, item.back) for item in items], style)
    placed = tuple(msgspec.structs.replace(placement, reverse=True) for placement in back.placements)
    return [(front, None), (msgspec.structs.replace(back, placements=placed, shows="backs, to be glued on"), None)]


def _bleeds(plan: Plan, slots: Sequence[Box]) -> list[Bleed]:
    """How much of each slot's bleed is seen: all of it in a gutter, none across a cut that is shared."""
    x, y = plan.bleed
    if plan.gap:
        return [(x, y, x, y)] * len(slots)
    taken = {(round(slot.x, 2), round(slot.y, 2)) for slot in slots}
    found: list[Bleed] = []
    for slot in slots:
        left = (round(slot.x - slot.w, 2), round(slot.y, 2)) in taken
        above = (round(slot.x, 2), round(slot.y - slot.h, 2)) in taken
        right = (round(slot.right, 2), round(slot.y, 2)) in taken
        below = (round(slot.x, 2), round(slot.bottom, 2)) in taken
        found.append((0.0 if left else x, 0.0 if above else y, 0.0 if right else x, 0.0 if below else y))
    return found


def _faces(plan: Plan, item: Item, slot: Box, bleed: Bleed) -> list[Placement]:
    """The face, or the two faces of a standee, on the front of a sheet."""
    fmt = plan.format
    if fmt.shape != "standee":
        return [_placed(plan, item.front, item.piece, slot, plan.turn, bleed)]
    over = min(fmt.bleed, fmt.foot)
    upper = Box(0.0, fmt.foot, fmt.w, fmt.h), (fmt.bleed, over, fmt.bleed, 0.0)
    lower = Box(0.0, fmt.foot + fmt.h, fmt.w, fmt.h), (fmt.bleed, 0.0, fmt.bleed, over)
    found = []
    for face, turn, (box, margins) in ((item.back or item.front, 180, upper), (item.front, 0, lower)):
        where = _within(slot, box, plan.turn, fmt.flat)
        seen = (margins[3], *margins[:3]) if plan.turn == 90 else margins
        placed = _placed(plan, face, item.piece, where, _turn(turn + plan.turn), seen, reverse=turn == 180)
        found.append(placed)
    return found


def _behind(plan: Plan, mirror: Mirror, item: Item, slot: Box, bleed: Bleed) -> Placement:
    """The back of a piece, where it lands behind its front."""
    where = mirror.box(slot)
    return _placed(plan, item.back, item.piece, where, mirror.turn(plan.turn), mirror.bleed(bleed), reverse=True)


def _placed(
    plan: Plan, face: str, piece: str, box: Box, turn: Turn, bleed: Bleed, *, reverse: bool = False
) -> Placement:
    shape = plan.format.shape
    return Placement(
        face=face,
        piece=piece,
        x=box.x,
        y=box.y,
        w=box.w,
        h=box.h,
        turn=turn,
        bleed=bleed,
        clip="rect" if shape == "standee" else shape,
        reverse=reverse,
    )


def _turn(angle: int) -> Turn:
    turn: Turn = angle % 360  # type: ignore[assignment]
    return turn


def _within(slot: Box, box: Box, turn: Turn, flat: tuple[float, float]) -> Box:
    """Where a part of a flat piece lies when the piece lies in `slot`, upright or turned by 90 degrees."""
    if turn == 90:
        return Box(slot.x + flat[1] - box.bottom, slot.y + box.x, box.h, box.w)
    return Box(slot.x + box.x, slot.y + box.y, box.w, box.h)


def _page(plan: Plan, placements: list[Placement], trims: list[Box], strip: Strip, style: SheetStyle) -> Page:
    """A page with its marks; `trims` are the outlines of the flat pieces on it."""
    fmt = plan.format
    trim = around(trims)
    x, y = plan.bleed
    bleed = trim.grown(x, y, x, y)
    drawn: list[Op] = []
    if fmt.shape in ("rect", "standee"):
        drawn += marks.crop_marks(trims, bleed, plan.crop, style)
    else:
        drawn += marks.outlines(placements, style)
    folds = [line for slot in trims for line in _folds(plan, slot)]
    drawn += marks.fold_lines([*folds, *([plan.fold] if plan.fold else [])], style)
    if plan.mirror is not None:
        reach = bleed.grown(plan.crop[0], plan.crop[1], plan.crop[0], plan.crop[1])
        drawn += marks.registration(plan.printable, [reach, strip.box], style)
    return Page(
        kind=fmt.title,
        side="front",
        w=plan.w,
        h=plan.h,
        placements=tuple(placements),
        marks=tuple(drawn),
        strip=strip,
        trim=trim,
        bleed=bleed,
        shows="front and back" if plan.folded else "front",
    )


def _folds(plan: Plan, slot: Box) -> list[tuple[float, float, float, float]]:
    """The fold lines of a standee that lies in `slot`."""
    lines = []
    for distance in plan.format.folds:
        fold = _within(slot, Box(0.0, distance, plan.format.w, 0.0), plan.turn, plan.format.flat)
        lines.append((fold.x, fold.y, fold.right, fold.bottom))
    return lines


# --- names and numbers -------------------------------------------------------------------------------------------


def _name(game: str, kind: str, note: str, number: int, of: int, side: str, paper: Paper) -> str:
    words = [game, kind, note, f"sheet {number} of {of}", side, paper.title, "print at 100 %"]
    return " · ".join(word for word in words if word)


def _numbered(
    name: str, title: str, leaves: list[Leaf], paper: Paper, backs: Backs, style: SheetStyle, font: Font
) -> tuple[Sheet, ...]:
    """The leaves of document `name`, numbered and named.

    If any has a back, every leaf gets one, so that fronts stay fronts in a duplex printer.
    """
    duplexed = any(back is not None for _, back in leaves)
    sheets: list[Sheet] = []
    digits = len(str(len(leaves)))
    for number, (front, back) in enumerate(leaves, 1):
        sides = [front]
        if duplexed:
            sides.append(back if back is not None else _white(front, backs))
        for page in sides:
            label = _name(title, page.kind, page.note, number, len(leaves), page.shows, paper)
            sheets.append(
                Sheet(
                    name=f"{name}-{number:0{max(2, digits)}d}-{page.side}",
                    title=label,
                    side=page.side,
                    w=page.w,
                    h=page.h,
                    placements=page.placements,
                    marks=(*page.marks, *(marks.strip_marks(page.strip, label, font, style) if page.strip else ())),
                    trim=page.trim,
                    bleed=page.bleed,
                )
            )
    return tuple(sheets)


def _white(front: Page, backs: Backs) -> Page:
    """The back of a sheet whose pieces have none."""
    mirror = duplex(front.w, front.h, backs)
    return msgspec.structs.replace(
        front,
        side="back",
        shows="back, left white",
        placements=(),
        marks=(),
        strip=Strip(mirror.box(front.strip.box), front.strip.upright) if front.strip else None,
        trim=mirror.box(front.trim),
        bleed=mirror.box(front.bleed),
    )
