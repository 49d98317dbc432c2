"""Imposition: pieces to sheets. Every copy of every piece finds its place, and each back lands on its front.

Pieces of one format share sheets across decks; what full sheets leave over shares sheets with other formats of the same
document. The plan of a sheet (`plan.py`, `sharing.py`) says where pieces lie, `filling.py` lays them there; this module
decides what lies on which sheet, and names and numbers the sheets. Lengths in mm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from components.errors import DefinitionError, Problem
from generator.faces.fonts import Font
from generator.paper.formats import Format, Paper
from generator.paper.units import POINT
from generator.sheets import marks, poster
from generator.sheets.filling import Item, Leaf, apart, fill, has_back, kinds
from generator.sheets.marks import SheetStyle
from generator.sheets.plan import Plan, duplex, find_plan
from generator.sheets.sharing import Load, share
from generator.sheets.sheets import Backs, Page, Sheet, Strip

__all__ = ["Document", "ImposeError", "Item", "impose"]


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
    title: str,
    stacks: Sequence[tuple[Format, Sequence[Item]]],
    paper: Paper,
    backs: Backs,
    style: SheetStyle,
    font: Font | None = None,
) -> list[Document]:
    """Lay all pieces on sheets of `paper`: one document for each `Format.file`, in the order of `stacks`.

    `title` is the game's title, printed on every sheet; `font` is that of the style, if it is open already. A
    rectangle larger than the paper is cut into pages; any other piece that does not fit raises ImposeError.
    """
    font = font or marks.sheet_font(style)
    files: dict[str, list[tuple[Format, Sequence[Item]]]] = {}
    for fmt, items in stacks:
        files.setdefault(fmt.file, []).append((fmt, items))
    made: list[Document] = []
    for name, here in files.items():
        leaves = list(_leaves(title, here, paper, backs, style, font))
        if leaves:
            pieces = sum(item.copies for _, items in here for item in items)
            sheets = _numbered(name, title, leaves, paper, backs, style, font)
            made.append(Document(name, sheets, len(leaves), pieces))
    return made


LONE = 12
"""A piece so large that a sheet holds one of it leaves room beside it; that of more such pieces is not looked at."""


class _Rest(msgspec.Struct, frozen=True):
    """Pieces that do not fill the last sheet of their format. `plan` is that of this sheet and `place` where it would
    stand in the document."""

    plan: Plan
    items: list[Item]
    place: int

    @property
    def format(self) -> Format:
        return self.plan.blocks[0].format


def _leaves(
    title: str,
    stacks: Sequence[tuple[Format, Sequence[Item]]],
    paper: Paper,
    backs: Backs,
    style: SheetStyle,
    font: Font,
) -> Iterator[Leaf]:
    """The leaves of one document: those of each format, then those that formats share."""

    def name_length(formats: Iterable[Format]) -> float:
        """mm taken by the longest name of a sheet with pieces of these formats."""
        longest = _name(title, kinds(formats), "", 99, 99, "front and back", paper)
        return font.width(longest) * style.text * POINT

    rests: dict[Backs, list[_Rest]] = {}
    groups: list[list[Leaf]] = []
    for fmt, items in stacks:
        for mode, copies in _by_backs(fmt, items, backs):
            longest = name_length([fmt])
            plan = _plan(fmt, paper, mode, style, longest)
            if plan is None:
                groups.append(_otherwise(fmt, copies, paper, mode, style, longest, font))
                continue
            step = plan.holds
            for start in range(0, len(copies), step):
                part = copies[start : start + step]
                if len(part) < step or (step == 1 and len(copies) <= LONE):
                    rests.setdefault(mode, []).append(_Rest(plan, part, len(groups)))
                    groups.append([])
                else:
                    groups.append([fill(plan, [part], style)])
    together: list[Leaf] = []
    for mode, left in rests.items():
        loads = [Load(rest.format, len(rest.items)) for rest in left]
        shared, alone = share(loads, paper, style, mode, name_length(load.format for load in loads))
        for rest in (left[n] for n in alone):
            groups[rest.place].append(fill(rest.plan, [rest.items], style))
        queues = [iter(rest.items) for rest in left]
        for sheet in shared:
            blocks = zip(sheet.loads, sheet.plan.blocks, strict=True)
            parts = [[next(queues[n]) for _ in block.slots] for n, block in blocks]
            together.append(fill(sheet.plan, parts, style))
    for group in groups:
        yield from group
    yield from together


def _by_backs(fmt: Format, items: Sequence[Item], backs: Backs) -> Iterator[tuple[Backs, list[Item]]]:
    """Every copy of the items, those with backs first, in groups that may lie on one sheet, with how backs are printed
    there. A duplex sheet may have pieces without backs; a folded one would waste half of the paper for them."""
    two_sided = [item for item in items if has_back(item, fmt) for _ in range(item.copies)]
    one_sided = [item for item in items if not has_back(item, fmt) for _ in range(item.copies)]
    if backs == "gutterfold":
        groups: list[tuple[Backs, list[Item]]] = [("gutterfold", two_sided), ("none", one_sided)]
    else:
        groups = [(backs, [*two_sided, *one_sided])]
    for mode, copies in groups:
        if copies:
            yield mode, copies


def _plan(fmt: Format, paper: Paper, backs: Backs, style: SheetStyle, longest: float) -> Plan | None:
    """How pieces of a format lie on a leaf; None if the paper has not room for one, or not beside a fold."""
    plan = find_plan(fmt, paper, style, backs, longest)
    if plan is None and fmt.shape == "rect" and backs != "gutterfold":
        plan = find_plan(fmt, paper, style, backs, longest, tight=True)
    return plan


def _otherwise(
    fmt: Format, copies: list[Item], paper: Paper, backs: Backs, style: SheetStyle, longest: float, font: Font
) -> list[Leaf]:
    """The leaves of a format that has no plan: fronts and backs to be glued together, or boards in pages."""
    if backs == "gutterfold" and (plan := _plan(fmt, paper, "none", style, longest)) is not None:
        step = plan.holds
        return [
            leaf for start in range(0, len(copies), step) for leaf in apart(plan, copies[start : start + step], style)
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
        for page in poster.pages(fmt, face, item.piece, note, paper, style, longest, font)
    ]


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
                    outlines=page.outlines,
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
        outlines=(),
    )
