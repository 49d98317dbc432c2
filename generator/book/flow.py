"""Blocks of text and pictures poured into pages of one column, as for a book.

A block knows its height and draws itself with its upper left corner at the origin; the flow decides on which page it
stands and where. All lengths are mm, y downward.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from generator.faces.display import POP, Op, Push
from generator.sheets.sheets import Box


@dataclass(frozen=True, slots=True)
class Block:
    """Something that is never divided. `anchors` are names whose page is asked for later (contents, index); `links`
    are parts of the block that lead to an anchor."""

    height: float
    ops: tuple[Op, ...]
    before: float = 0.0
    """Space above it, dropped at the top of a page."""
    keep: float = 0.0
    """Room that must be left below it on the same page (a heading keeps with what follows)."""
    anchors: tuple[str, ...] = ()
    new_page: bool = False
    links: tuple[tuple[Box, str], ...] = ()


@dataclass(slots=True)
class FlowPage:
    """A page being filled: blocks with the height at which each begins."""

    blocks: list[tuple[float, Block]] = field(default_factory=list)
    used: float = 0.0


def pour(blocks: list[Block], height: float) -> list[FlowPage]:
    """Blocks to pages whose column is `height` mm high. Raises ValueError for a block higher than a page."""
    pages = [FlowPage()]
    for block in blocks:
        if block.height > height:
            raise ValueError(f"a block of {block.height:.1f} mm does not fit a page of {height:.1f} mm")
        page = pages[-1]
        before = block.before if page.blocks else 0.0
        if page.blocks and (block.new_page or page.used + before + block.height + block.keep > height):
            page = FlowPage()
            pages.append(page)
            before = 0.0
        top = page.used + before
        page.blocks.append((top, block))
        page.used = top + block.height
    return pages


def anchors(pages: list[FlowPage], first: int) -> dict[str, int]:
    """Name -> number of the page on which its block stands; the first page has number `first`."""
    return {name: first + i for i, page in enumerate(pages) for _, block in page.blocks for name in block.anchors}


def draw(page: FlowPage, x: float, y: float) -> list[Op]:
    """The operations of a page whose column begins at `x, y`."""
    ops: list[Op] = []
    for top, block in page.blocks:
        ops += [Push((1.0, 0.0, 0.0, 1.0, x, y + top)), *block.ops, POP]
    return ops
