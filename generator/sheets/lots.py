"""Pieces of one format on sheets of their own: decks and lots that lie together, and the plan that takes least paper.

Lengths in mm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

import msgspec

from generator.paper.formats import Format, Paper
from generator.sheets.filling import Item
from generator.sheets.marks import SheetStyle
from generator.sheets.plan import Plan, Stock, find_plan
from generator.sheets.sharing import Load, turned_too
from generator.sheets.sheets import Backs


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


def by_kind(copies: Iterable[Item]) -> list[list[Item]]:
    """The copies in lots of equal pieces; those that hide something, in decks."""
    lots: dict[tuple[str, str], list[Item]] = {}
    for deck in by_deck(copies):
        secret = hides(deck)
        for item in deck:
            lots.setdefault(("", item.back) if secret else (item.front, item.back), []).append(item)
    return list(lots.values())


def decks_of(copies: list[Item], mode: Backs, lots: bool) -> list[list[Item]]:
    """The copies in lots that must not lie in a row with others."""
    if lots:
        return by_kind(copies)
    return by_deck(copies) if mode != "none" else [copies]


def hides(deck: Sequence[Item]) -> bool:
    """True if the pieces look alike from behind and unlike from the front."""
    return bool(deck[0].back) and len({item.back for item in deck}) == 1 < len({item.front for item in deck})


def _alike(decks: Sequence[Sequence[Item]]) -> tuple[bool, bool]:
    """True if the pieces of each deck have one colour along their sides; and the same for their ends."""
    sides = all(deck[0].sides and {item.sides for item in deck} == {deck[0].sides} for deck in decks)
    ends = all(deck[0].ends and {item.ends for item in deck} == {deck[0].ends} for deck in decks)
    return bool(sides), bool(ends)


def _narrow(deck: Sequence[Item]) -> bool:
    """True if all pieces look alike: from behind, or on both sides."""
    one_back = len({item.back for item in deck}) == 1
    return one_back and (bool(deck[0].back) or len({item.front for item in deck}) == 1)


def stock_of(decks: Sequence[Sequence[Item]]) -> Stock:
    return Stock(tuple(map(len, decks)), _alike(decks), all(map(_narrow, decks)))


class Filled(msgspec.Struct, frozen=True):
    """A sheet and the pieces that lie on it; `full`: another would not hold more of them."""

    plan: Plan
    items: list[Item]
    full: bool

    @property
    def parts(self) -> list[list[Item]]:
        """The pieces of each block of the plan."""
        ends = list(accumulate(len(block.slots) for block in self.plan.blocks))
        return [self.items[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def rows_of(plan: Plan, decks: Sequence[Sequence[Item]]) -> Iterator[Filled]:
    """The sheets that all pieces take: row by row, each deck beginning a row unless the plan lets them mix."""
    block = plan.blocks[0]
    if block.mixed or len(plan.blocks) > 1:
        copies = [item for deck in decks for item in deck]
        for start in range(0, len(copies), plan.holds):
            part = copies[start : start + plan.holds]
            sheet = Filled(plan, part, len(part) == plan.holds)
            used = plan.blocks[: sum(map(bool, sheet.parts))]
            yield msgspec.structs.replace(sheet, plan=msgspec.structs.replace(plan, blocks=used))
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


class Laid(msgspec.Struct, frozen=True):
    """All pieces of a format on sheets of their own; `lots`: in lots of equal pieces."""

    sheets: list[Filled]
    lots: bool

    @property
    def cost(self) -> tuple[int, float]:
        """Sheets, and the part of the last one that is used."""
        last = self.sheets[-1]
        return len(self.sheets), len(last.items) / last.plan.holds


def laid_out(
    fmt: Format, paper: Paper, mode: Backs, style: SheetStyle, longest: float, copies: list[Item]
) -> Laid | None:
    """The pieces of a format on as little paper as may be: in any order, or equal ones together, which may then lie
    closer. None if there is no room for even one."""
    best: Laid | None = None
    for lots in (False, True):
        decks = decks_of(copies, mode, lots)
        if lots and decks == decks_of(copies, mode, False):
            break
        stock = stock_of(decks)
        if mode == "none":
            stock = msgspec.structs.replace(stock, narrow=all(map(_narrow, by_deck(copies))))
        stocks = [stock]
        if len(decks) > 1 and not lots:  # as many as may be, whatever remains of each deck
            stocks.append(msgspec.structs.replace(stock, decks=()))
        for plan in (plan_for(fmt, paper, mode, style, longest, one) for one in stocks):
            laid = Laid(_tail(list(rows_of(plan, decks)), fmt, paper, mode, style, longest), lots) if plan else None
            if laid is not None and (best is None or laid.cost < best.cost):
                best = laid
        if best is not None and len(best.sheets) > 1 and not lots and fmt.shape == "rect":
            for sheets in _thrifty(fmt, paper, mode, style, longest, decks, stock):
                if len(sheets) < len(best.sheets):
                    best = Laid(sheets, lots)
    return best


def _thrifty(
    fmt: Format, paper: Paper, mode: Backs, style: SheetStyle, longest: float, decks: list[list[Item]], stock: Stock
) -> Iterator[list[Filled]]:
    """Ways to lay pieces that are worth their trouble only where they take fewer sheets: rows of several decks, with
    little bleed at the edges of the sheet; some pieces turned; some decks close together on sheets of their own."""
    plan = plan_for(fmt, paper, mode, style, longest, stock, close=True)
    if plan is not None and plan.blocks[0].mixed:
        yield list(rows_of(plan, decks))
    load = Load(fmt, stock.decks, stock.alike, stock.narrow)
    plan = turned_too(load, paper, style, mode, longest)
    if plan is not None:
        yield list(rows_of(plan, decks))
    near = [deck for deck in decks if _narrow(deck)]
    close, loose = (plan_for(fmt, paper, mode, style, longest, Stock(narrow=narrow)) for narrow in (True, False))
    if len(near) > 1 and close is not None and loose is not None and loose.blocks[0].mixed:
        yield _by_rows(near, [deck for deck in decks if not _narrow(deck)], close, loose)


def _by_rows(near: list[list[Item]], others: list[list[Item]], close: Plan, loose: Plan) -> list[Filled]:
    """Whole rows of `near` decks on sheets where they lie `close`; what remains of them and the `others` on `loose`
    ones, where decks mix."""
    step = close.blocks[0].columns
    near = sorted(near, key=lambda deck: -(len(deck) // step))

    def laid(lines: int) -> list[Filled]:
        here: list[list[Item]] = []
        rest: list[list[Item]] = []
        for deck in near:
            most = min(lines, len(deck) // step)
            lines -= most
            here, rest = [*here, deck[: most * step]], [*rest, deck[most * step :]]
        return [*rows_of(close, [deck for deck in here if deck]), *rows_of(loose, [*rest, *others])]

    return min((laid(lines) for lines in range(1 + sum(len(deck) // step for deck in near))), key=len)


def _tail(
    sheets: list[Filled], fmt: Format, paper: Paper, mode: Backs, style: SheetStyle, longest: float
) -> list[Filled]:
    """The sheets, the last two as one where their pieces have room on it with the whole bleed about each."""
    if len(sheets) > 1 and not sheets[-1].plan.blocks[0].mixed:
        loose = plan_for(fmt, paper, mode, style, longest)
        items = [*sheets[-2].items, *sheets[-1].items]
        if loose is not None and len(items) <= loose.holds and loose.blocks[0].mixed:
            return [*sheets[:-2], Filled(loose, items, len(items) == loose.holds)]
    return sheets


def plan_for(
    fmt: Format,
    paper: Paper,
    backs: Backs,
    style: SheetStyle,
    longest: float,
    stock: Stock | None = None,
    close: bool = False,
) -> Plan | None:
    """The plan for pieces of a format on a leaf; None if the paper has no room for one, or not beside a fold."""
    plan = find_plan(fmt, paper, style, backs, longest, stock, close=close)
    if plan is None and fmt.shape == "rect" and backs != "gutterfold":
        beyond = max(0.0, paper.margin - paper.reach)
        for room in (0.0, beyond):
            plan = plan or find_plan(fmt, paper, style, backs, longest, stock, tight=True, beyond=room)
    return plan
