"""Imposition: pieces to sheets. Every copy of every piece finds its place, and each back lands on its front.

Pieces of one format share sheets across decks; what full sheets leave over shares sheets with other formats of the same
document, and of others where that saves more paper. The plan of a sheet (`plan.py`, `sharing.py`) says where pieces
lie, `filling.py` lays them there; this module decides what lies on which sheet, and names and numbers the sheets.
Lengths in mm.
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
from generator.sheets.lots import Filled, by_deck, decks_of, hides, laid_out, plan_for, stock_of
from generator.sheets.marks import SheetStyle
from generator.sheets.plan import Plan, duplex, find_plan
from generator.sheets.sharing import Load, share
from generator.sheets.sheets import Backs, Page, Sheet, Strip

__all__ = ["Document", "ImposeError", "Item", "impose", "leaves"]


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
    return [
        Document(name, _numbered(name, title, here, paper, backs, style, font), len(here), _pieces(here))
        for name, here in _leaves(title, stacks, paper, backs, style, font).items()
        if here
    ]


def leaves(
    title: str,
    stacks: Sequence[tuple[Format, Sequence[Item]]],
    paper: Paper,
    backs: Backs,
    style: SheetStyle,
    font: Font,
) -> int:
    """The number of sheets of paper that the same pieces take. Raises ImposeError."""
    return sum(map(len, _leaves(title, stacks, paper, backs, style, font).values()))


def _leaves(
    title: str,
    stacks: Sequence[tuple[Format, Sequence[Item]]],
    paper: Paper,
    backs: Backs,
    style: SheetStyle,
    font: Font,
) -> dict[str, list[Leaf]]:
    """The leaves of each document."""
    files: dict[str, list[tuple[Format, Sequence[Item]]]] = {}
    for fmt, items in stacks:
        shown = msgspec.structs.replace(fmt, bleed=min(fmt.bleed, style.bleed))
        files.setdefault(fmt.file, []).append((shown, items))
    laid = {name: _lay(title, here, paper, backs, style, font) for name, here in files.items()}
    together: dict[str, list[Leaf]] = {}
    for stock in dict.fromkeys(_paper_of(name, style) for name in laid) if style.share else ():
        alike = {name: file for name, file in laid.items() if _paper_of(name, style) == stock}
        leaves, names = _among_files(alike, title, paper, style, font)
        together.setdefault(MIXED if style.share == "all" else "-".join(names), []).extend(leaves)
    for file in laid.values():
        _settle(file, title, paper, style, font)
    found = {name: [*(leaf for group in file.groups for leaf in group), *file.shared] for name, file in laid.items()}
    for name, leaves in together.items():
        found[name] = [*found.get(name, []), *leaves]
    return found


def _paper_of(file: str, style: SheetStyle) -> str:
    """The paper that a document's pieces are printed on, as far as it is known: pieces on the same paper share sheets,
    or all pieces if the style says so."""
    return "" if style.share == "all" else style.stock.get(file, file)


def _pieces(leaves: Iterable[Leaf]) -> int:
    """The number of pieces that begin on these leaves: a board in pages does so on its first, a standee has two
    faces."""
    return sum(placed.begins for front, _ in leaves for placed in front.placements if not placed.reverse)


MIXED = "mixed"
"""The document of sheets with pieces of several files, whatever these are printed on. Of files that are printed on the
same it is called after them: `tiles-tokens`."""
LONE = 12
"""A piece so large that a sheet holds one of it leaves room beside it; that of more such pieces is not looked at."""


class _Rest(msgspec.Struct, frozen=True):
    """Pieces that do not fill the last sheet of their format, and `place`: where it would stand in the document.
    `apart`: others of their deck lie on full sheets, and they have to be printed on the same paper. `lots`: equal
    pieces lie together, closer than others."""

    sheet: Filled
    place: int
    apart: bool
    lots: bool = False

    @property
    def items(self) -> list[Item]:
        return self.sheet.items

    @property
    def format(self) -> Format:
        return self.sheet.plan.blocks[0].format


class _File(msgspec.Struct):
    """One document being laid out: the full sheets, format by format, and what they leave over."""

    groups: list[list[Leaf]] = []
    rests: dict[Backs, list[_Rest]] = {}
    shared: list[Leaf] = []
    """Sheets with pieces of several of its formats."""


def _lay(
    title: str,
    stacks: Sequence[tuple[Format, Sequence[Item]]],
    paper: Paper,
    backs: Backs,
    style: SheetStyle,
    font: Font,
) -> _File:
    """The full sheets of one document."""
    file = _File()
    for fmt, items in stacks:
        for mode, several in _by_backs(fmt, items, backs):
            longest = _name_length(title, [fmt], paper, style, font)
            laid = laid_out(fmt, paper, mode, style, longest, several)
            if laid is None:
                everything = [item for deck in by_deck(several) for item in deck]
                file.groups.append(_otherwise(fmt, everything, paper, mode, style, longest, font))
                continue
            for sheet in laid.sheets:
                if sheet.full and not (sheet.plan.holds == 1 and len(several) <= LONE):
                    file.groups.append([fill(sheet.plan, sheet.parts, style)])
                else:
                    hidden = {deck[0].back: len(deck) for deck in by_deck(several) if hides(deck)}
                    here = {deck[0].back: len(deck) for deck in by_deck(sheet.items)}
                    apart = any(back in here and here[back] < number for back, number in hidden.items())
                    file.rests.setdefault(mode, []).append(_Rest(sheet, len(file.groups), apart, laid.lots))
                    file.groups.append([])
    return file


def _name_length(title: str, formats: Iterable[Format], paper: Paper, style: SheetStyle, font: Font) -> float:
    """mm taken by the longest name of a sheet with pieces of these formats."""
    longest = _name(title, kinds(formats), "", 99, 99, "front and back", paper)
    return font.width(longest) * style.text * POINT


_Solved = tuple[list[tuple[Plan, list[list[Item]], list[int]]], list[int]]
"""Shared sheets (plan, pieces of its blocks, numbers of the rests they come from) and the rests that stay alone."""


def _solve(
    rests: Sequence[_Rest],
    mode: Backs,
    title: str,
    paper: Paper,
    style: SheetStyle,
    font: Font,
    enough: int = 1,
    most: int | None = None,
) -> _Solved:
    """The best way for rests to share sheets; fewer than `enough` are not looked for, more than `most` are useless.
    Lots of equal pieces lie closer if that saves paper."""
    best: _Solved = [], list(range(len(rests)))
    kinds: list[list[list[Item]]] = []
    for lots in (False, True):
        before, kinds = kinds, [decks_of(rest.items, mode, rest.lots or lots) for rest in rests]
        stocks = [stock_of(decks) for decks in kinds]
        if kinds == before or (lots and len(best[0]) + len(best[1]) <= enough):
            break
        loads = [
            Load(rest.format, stock.decks, stock.alike, stock.narrow) for rest, stock in zip(rests, stocks, strict=True)
        ]
        longest = _name_length(title, (load.format for load in loads), paper, style, font)
        fewer = min(most or len(rests), len(best[0]) + len(best[1]) - 1)
        shared, alone = share(loads, paper, style, mode, longest, enough, fewer if lots else most)
        if len(shared) + len(alone) < len(best[0]) + len(best[1]):
            items = [[item for deck in decks for item in deck] for decks in kinds]
            sheets = [
                (
                    sheet.plan,
                    [items[n][start : start + count] for n, start, count in sheet.parts],
                    [n for n, _, _ in sheet.parts],
                )
                for sheet in shared
            ]
            best = sheets, alone
    return best


def _settle(file: _File, title: str, paper: Paper, style: SheetStyle, font: Font) -> None:
    """Lay what the full sheets of a document left over."""
    for mode, rests in file.rests.items():
        sheets, alone = _solve(rests, mode, title, paper, style, font)
        for rest in (rests[n] for n in alone):
            file.groups[rest.place].append(fill(rest.sheet.plan, rest.sheet.parts, style))
        file.shared += [fill(plan, parts, style) for plan, parts, _ in sheets]
    file.rests = {}


def _among_files(
    laid: dict[str, _File], title: str, paper: Paper, style: SheetStyle, font: Font
) -> tuple[list[Leaf], list[str]]:
    """Sheets with pieces of several documents, where that saves paper: taken from what the documents left over. And the
    names of these documents.

    What hides something stays together where they may be printed on different papers: cards on two kinds of paper could
    be told apart.
    """
    together: list[Leaf] = []
    names: set[str] = set()
    for mode in dict.fromkeys(mode for file in laid.values() for mode in file.rests):
        movable = {
            name: rests
            for name, file in laid.items()
            if (rests := [rest for rest in file.rests.get(mode, []) if style.share != "all" or not rest.apart])
        }
        if len(movable) < 2:
            continue
        alone_in = {name: _solve(rests, mode, title, paper, style, font) for name, rests in movable.items()}
        costs = {name: len(sheets) + len(alone) for name, (sheets, alone) in alone_in.items()}
        pool = sorted(movable, key=lambda name: -costs[name])
        best = _solve([rest for name in pool for rest in movable[name]], mode, title, paper, style, font)
        total = len(best[0]) + len(best[1])
        if total >= sum(costs.values()):
            continue
        for name in list(pool):  # what saves nothing by it stays with its own document
            fewer = [other for other in pool if other != name]
            rests = [rest for other in fewer for rest in movable[other]]
            tried = _solve(rests, mode, title, paper, style, font, total - costs[name], total - costs[name])
            if len(fewer) > 1 and len(tried[0]) + len(tried[1]) + costs[name] <= total:
                pool, best, total = fewer, tried, len(tried[0]) + len(tried[1])
        own = [(laid[name], rest) for name in pool for rest in movable[name]]
        for plan, parts, numbers in best[0]:
            files = list({id(own[n][0]): own[n][0] for n in numbers}.values())
            leaf = fill(plan, parts, style)
            (together if len(files) > 1 else files[0].shared).append(leaf)
            names |= {name for name in pool if any(laid[name] is file for file in files)} if len(files) > 1 else set()
        for file, rest in (own[n] for n in {n for _, _, numbers in best[0] for n in numbers}):
            file.rests[mode] = [other for other in file.rests[mode] if other is not rest]
    return together, [name for name in laid if name in names]


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


def _otherwise(
    fmt: Format, copies: list[Item], paper: Paper, backs: Backs, style: SheetStyle, longest: float, font: Font
) -> list[Leaf]:
    """The leaves of a format that has no plan: fronts and backs to be glued together, or boards in pages."""
    if backs == "gutterfold" and (plan := plan_for(fmt, paper, "none", style, longest)) is not None:
        step = plan.holds
        return [
            leaf for start in range(0, len(copies), step) for leaf in apart(plan, copies[start : start + step], style)
        ]
    if fmt.shape != "rect":
        w, h = fmt.flat
        what = f"{fmt.title}: {w:g} x {h:g} mm do not fit on {paper.title}"
        raise ImposeError([Problem(code="LAY-020", what=what, hint="choose a larger --paper")])
    whole = poster.oversize(fmt, paper)
    plan = find_plan(fmt, whole, style, backs, longest) if whole is not None else None
    if whole is not None and plan is not None:
        note = f"page of {whole.w:g} x {whole.h:g} mm"
        return [_noted(fill(plan, [[item]], style), note) for item in copies]
    return [
        (page, None)
        for item in copies
        for face, note in ((item.front, ""), (item.back, "back"))
        if face and (not note or backs != "none")
        for page in poster.pages(fmt, face, item.piece, note, paper, style, longest, font)
    ]


def _noted(leaf: Leaf, note: str) -> Leaf:
    front, back = (msgspec.structs.replace(page, note=note) if page is not None else None for page in leaf)
    assert front is not None
    return front, back


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
