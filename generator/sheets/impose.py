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
from generator.sheets.plan import Plan, Stock, duplex, find_plan
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
    """Pieces that do not fill the last sheet of their format, and `place`: where it would stand in the document."""

    sheet: Filled
    place: int

    @property
    def items(self) -> list[Item]:
        return self.sheet.items

    @property
    def format(self) -> Format:
        return self.sheet.plan.blocks[0].format


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
        for mode, several in _by_backs(fmt, items, backs):
            decks = by_deck(several) if mode != "none" else [several]
            longest = name_length([fmt])
            plan = _plan(fmt, paper, mode, style, longest, _stock(decks))
            if plan is None:
                everything = [item for deck in decks for item in deck]
                groups.append(_otherwise(fmt, everything, paper, mode, style, longest, font))
                continue
            for sheet in rows_of(plan, decks):
                if sheet.full and not (plan.holds == 1 and sum(map(len, decks)) <= LONE):
                    groups.append([fill(sheet.plan, [sheet.items], style)])
                else:
                    rests.setdefault(mode, []).append(_Rest(sheet, len(groups)))
                    groups.append([])
    together: list[Leaf] = []
    for mode, left in rests.items():
        stocks = [_stock(by_deck(rest.items) if mode != "none" else [rest.items]) for rest in left]
        loads = [Load(rest.format, stock.decks, stock.alike) for rest, stock in zip(left, stocks, strict=True)]
        shared, alone = share(loads, paper, style, mode, name_length(load.format for load in loads))
        for rest in (left[n] for n in alone):
            groups[rest.place].append(fill(rest.sheet.plan, [rest.items], style))
        for sheet_plan, parts in ((sheet.plan, sheet.parts) for sheet in shared):
            taken = [left[n].items[start : start + count] for n, start, count in parts]
            together.append(fill(sheet_plan, taken, style))
    for group in groups:
        yield from group
    yield from together


def by_deck(copies: Iterable[Item]) -> list[list[Item]]:
    """The copies in decks: pieces that look alike from behind and unlike from the front, in the order in which the
    decks first appear. All pieces that hide nothing are one deck."""
    copies = list(copies)
    fronts: dict[str, set[str]] = {}
    for item in copies:
        fronts.setdefault(item.back, set()).add(item.front)
    decks: dict[str, list[Item]] = {}
    for item in copies:
        decks.setdefault(item.back if len(fronts[item.back]) > 1 else "", []).append(item)
    return list(decks.values())


def _alike(decks: Sequence[Sequence[Item]]) -> tuple[bool, bool]:
    """Whether the pieces of each deck are of one colour along their sides, and along their ends."""
    sides = all(deck[0].sides and {item.sides for item in deck} == {deck[0].sides} for deck in decks)
    ends = all(deck[0].ends and {item.ends for item in deck} == {deck[0].ends} for deck in decks)
    return bool(sides), bool(ends)


def _stock(decks: Sequence[Sequence[Item]]) -> Stock:
    return Stock(tuple(map(len, decks)), _alike(decks))


class Filled(msgspec.Struct, frozen=True):
    """A sheet and the pieces that lie on it; `full`: another would not hold more of them."""

    plan: Plan
    items: list[Item]
    full: bool


def rows_of(plan: Plan, decks: Sequence[Sequence[Item]]) -> Iterator[Filled]:
    """The sheets that all pieces take: row by row, each deck beginning a row unless the plan lets them mix."""
    (block,) = plan.blocks
    if block.mixed:
        copies = [item for deck in decks for item in deck]
        for start in range(0, len(copies), plan.holds):
            part = copies[start : start + plan.holds]
            yield Filled(plan, part, len(part) == plan.holds)
        return
    step = block.columns
    rows = [(n, list(deck[i : i + step])) for n, deck in enumerate(decks) for i in range(0, len(deck), step)]
    here: list[tuple[int, list[Item]]] = []
    for n, row in [*rows, (-1, [])]:
        begun = _breaks([*here, (n, row)])
        if here and (not row or len(here) == block.rows or len(begun) > block.breaks):
            taken = block.taking([len(part) for _, part in here], _breaks(here))
            yield Filled(plan.holding(taken), [item for _, part in here for item in part], bool(row))
            here = []
        here.append((n, row))


def _breaks(rows: Sequence[tuple[int, list[Item]]]) -> list[int]:
    """The rows with which another deck begins."""
    return [at for at in range(1, len(rows)) if rows[at][0] != rows[at - 1][0]]


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


def _plan(
    fmt: Format, paper: Paper, backs: Backs, style: SheetStyle, longest: float, stock: Stock | None = None
) -> Plan | None:
    """How pieces of a format lie on a leaf; None if the paper has not room for one, or not beside a fold."""
    plan = find_plan(fmt, paper, style, backs, longest, stock)
    if plan is None and fmt.shape == "rect" and backs != "gutterfold":
        plan = find_plan(fmt, paper, style, backs, longest, stock, tight=True)
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
