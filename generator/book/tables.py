"""Tables and the strip of a turn as blocks of a rulebook."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from components.bookmodel import Stage, Table
from generator.book.flow import Block
from generator.book.setter import Setter
from generator.faces.display import POP, Op, PathOp, Push
from generator.sheets.sheets import Box

PAD = 1.5
WHOLE = 0.36
"""A table no higher than this part of a page is not divided between two."""
NUMERIC = 7
"""A column whose cells have no more characters than this is as narrow as they are, and centred."""


def table_blocks(setter: Setter, table: Table, width: float) -> Iterator[Block]:
    """A table as wide as its column, in one piece if it is no higher than `WHOLE`. ValueError: the field it names holds
    no table."""
    rows = _rows(setter, table, width)
    if sum(block.height for block in rows) > WHOLE * setter.height:
        yield from rows
        return
    ops: list[Op] = []
    links: list[tuple[Box, str]] = []
    y = 0.0
    for block in rows:
        ops += setter.moved(block.ops, 0.0, y)
        links += [(msgspec.structs.replace(box, y=box.y + y), to) for box, to in block.links]
        y += block.height
    yield Block(y, tuple(ops), before=3.0, links=tuple(links))


def _rows(setter: Setter, table: Table, width: float) -> list[Block]:
    """A block for the headings and for each row, so that a page may end between two rows."""
    columns, rows, legend = list(table.columns), [list(row) for row in table.rows], table.legend
    if table.of:
        columns, rows, legend = _of_piece(setter, table)
    used = [n for n in range(max(map(len, rows), default=0)) if any(n < len(row) and row[n] for row in rows)]
    rows = [[row[n] if n < len(row) else "" for n in used] for row in rows if row and any(row)]
    heads = [columns[n] if n < len(columns) else "" for n in used] if columns else []
    widths = _widths(setter, [heads, *rows], width)
    every = [heads, *rows] if heads else rows
    blocks: list[Block] = []
    ops: list[Op] = [setter.line(0, 0, width, 0.3)]
    links: list[tuple[Box, str]] = []
    y = 0.0
    for number, row in enumerate(every):
        head = bool(heads) and number == 0
        made, x, tall = [], 0.0, 0.0
        for n, cell in enumerate(row):
            centred = n > 0 and _narrow([r[n] for r in rows])
            said = setter.marked(cell)
            if head or n == 0:
                said = f"**{said}**" if said and "**" not in said else said
            text = setter.text(
                said, "book-cell", widths[n] - 2 * PAD, x=x + PAD, y=PAD, align="center" if centred else "left"
            )
            made += text.ops
            tall = max(tall, text.height)
            x += widths[n]
        tall += 2 * PAD
        if head or number % 2 == 0:
            colour = setter.own.tint_colour if head else setter.own.panel_colour
            ops.append(
                PathOp(
                    d=f"M0 {y:g}L{width:g} {y:g}L{width:g} {y + tall:g}L0 {y + tall:g}Z", fill=setter.kit.colour(colour)
                )
            )
        ops += [Push((1.0, 0.0, 0.0, 1.0, 0.0, y)), *made, POP]
        links += setter.cited(made, 0.0, y)
        y += tall
        last = number + 1 == len(every)
        if last:
            ops.append(setter.line(0, y, width, 0.3))
        if last and legend:
            text = setter.text(setter.marked(legend), "book-small", width, y=y + 1.6)
            ops += text.ops
            y += 1.6 + text.height
        blocks.append(Block(y, tuple(ops), before=0.0 if number else 3.0, links=tuple(links)))
        ops, links, y = [], [], 0.0
    if not heads or len(blocks) < 2:
        return blocks
    first = replace(blocks[0], keep=blocks[1].height)
    return [first, *(replace(block, head=first) for block in blocks[1:])]


def _of_piece(setter: Setter, table: Table) -> tuple[list[str], list[list[str]], str]:
    name, _, way = table.of.partition("#")
    found: Any = setter.pieces[name].fields if name in setter.pieces else {}
    for step in way.split("."):
        found = found.get(step) if isinstance(found, Mapping) else None
    if not isinstance(found, Mapping) or "rows" not in found:
        raise ValueError(f"the field '{way}' of {name} holds no table (columns, rows, legend)")
    rows = [
        [str(row.get("label", "")), *map(str, row.get("cells", []))]
        if isinstance(row, Mapping)
        else list(map(str, row))
        for row in found["rows"]
    ]
    labelled = any(isinstance(row, Mapping) for row in found["rows"])
    columns = [*([""] if labelled else []), *map(str, found.get("columns", []))]
    rows = [[cell if row[0] else "" for cell in row] for row in rows]
    return columns, rows, table.legend or str(found.get("legend", ""))


def _narrow(cells: Sequence[str]) -> bool:
    return all(len(cell) <= NUMERIC for cell in cells)


def _widths(setter: Setter, rows: Sequence[Sequence[str]], width: float) -> list[float]:
    """Widths of the columns: what short cells need, the rest by the length of what stands there."""
    count = max(map(len, rows), default=0)
    natural = []
    for n in range(count):
        cells = [setter.marked(row[n]) for row in rows if n < len(row) and row[n]]
        natural.append(
            max(
                (setter.text(f"**{c}**" if "**" not in c else c, "book-cell", 2000.0).width for c in cells), default=0.0
            )
            + 2 * PAD
            + 0.2
        )
    total = sum(natural)
    if total <= width:
        spare = (width - total) / max(count, 1)
        return [w + spare for w in natural]
    fixed = [min(w, width / count) for w in natural]
    spare, wanted = width - sum(fixed), [w - f for w, f in zip(natural, fixed, strict=True)]
    return [f + spare * w / sum(wanted) for f, w in zip(fixed, wanted, strict=True)]


def strip_block(setter: Setter, stages: Sequence[Stage], pages: Mapping[str, int], height: float) -> Block:
    """The course of a turn from top to bottom, drawn out to `height` mm: number, icon, what is done, where it is
    told."""
    width = setter.column
    rail, icon = 5.2, 13.0
    inner = 30.0
    made = []
    for stage in stages:
        title = setter.text(setter.marked(stage.title), "book-head", width - inner - 20)
        text = setter.text(setter.marked(stage.text), "book-text", width - inner - 4, y=title.height + 1.5)
        made.append((stage, [*title.ops, *text.ops], max(title.height + 1.5 + text.height, icon - 2)))
    pad = 3.2
    natural = sum(tall + 2 * pad for _, _, tall in made)
    gap = max(2.4, min(11.0, (height - natural) / max(len(made), 1)))
    ops: list[Op] = []
    links: list[tuple[Box, str]] = []
    accent, ground = setter.kit.colour(setter.own.accent_colour), setter.kit.colour(setter.own.panel_colour)
    y, middles = 0.0, []
    boxes: list[Op] = []
    for number, (stage, texts, tall) in enumerate(made, 1):
        full = tall + 2 * pad
        middle = y + full / 2
        middles.append(middle)
        boxes.append(Push((1.0, 0.0, 0.0, 1.0, 10.5, y)))
        boxes += [setter.panel(width - 10.5, full), POP]
        boxes += setter.numeral(str(number), rail, middle, 4.0)
        if stage.icon:
            boxes += setter.kit.icon(
                stage.icon, 13.2, middle - icon / 2, icon, setter.kit.colour("ink"), accent, ground
            )
        boxes += [Push((1.0, 0.0, 0.0, 1.0, inner, y + pad)), *texts, POP]
        if stage.chapter in pages or not pages:
            page = setter.text(
                f"page {pages.get(stage.chapter, 0)}", "book-foot", width - 3, y=y + pad, align="right",
                colour=setter.own.accent_colour,
            )  # fmt: skip
            boxes += page.ops
            links.append((Box(10.5, y, width - 10.5, full), stage.chapter))
        y += full + gap
    y -= gap
    if len(middles) > 1:
        ops.append(PathOp(d=f"M{rail:g} {middles[0]:g}L{rail:g} {middles[-1]:g}", stroke=accent, width=0.7))
    for upper, lower in itertools.pairwise(middles):
        tip = (upper + lower) / 2 + 1.2
        ops.append(
            PathOp(d=f"M{rail - 1.5:g} {tip - 2.2:g}L{rail + 1.5:g} {tip - 2.2:g}L{rail:g} {tip:g}Z", fill=accent)
        )
    return Block(y, (*ops, *boxes), before=2.0, links=tuple(links))


__all__ = ["strip_block", "table_blocks"]
