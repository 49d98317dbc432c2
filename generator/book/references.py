"""Words of a book that lead to a place in it: ids of rules, page numbers, lines of the contents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from generator.book.flow import FlowPage
from generator.faces.display import Op, TextOp
from generator.faces.fonts import FontBook
from generator.sheets.navigation import Link, Spot
from generator.sheets.sheets import Box

_PAGE = "page "
PAGE_NUMBER = re.compile(r"\d+")


def page_target(number: str) -> str:
    """The target of a page number: its page, from the top."""
    return f"{_PAGE}{number}"


def ids(names: Iterable[str]) -> re.Pattern[str]:
    """Finds the ids of rules where they stand in a text."""
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first)) or '(?!)'})(?![\w-])")


def leading_to(
    ops: Iterable[Op],
    words: re.Pattern[str],
    target: Callable[[str], str],
    fonts: FontBook,
    dx: float = 0.0,
    dy: float = 0.0,
) -> Iterator[tuple[Box, str]]:
    """The boxes of `words` in the texts among `ops` (moved by `dx, dy` mm), each with its target."""
    for op in ops:
        if isinstance(op, TextOp):
            for found in words.finditer(op.text):
                left, right = (_reach(op, at, fonts) for at in found.span())
                yield Box(op.x + left + dx, op.y - op.size + dy, right - left, op.size * 1.3), target(found.group())


def _reach(op: TextOp, count: int, fonts: FontBook) -> float:
    """The width of the first `count` characters."""
    kerned = sum(by for i, by in op.kerns if i < count)
    return fonts[op.font].width(op.text[:count], kern=False) * op.size + kerned + op.tracking * count


def spots(pages: Sequence[FlowPage], first: int, top: float) -> dict[str, Spot]:
    """The places of the anchors; `first`: the number of the first page, which begins `top` mm from its edge."""
    return {
        name: Spot(first - 1 + n, 0.0, top + placed.top - min(placed.top, 2.0))
        for n, one in enumerate(pages)
        for placed in one.placed
        for name in placed.block.anchors
    }


def links(
    pages: Sequence[FlowPage], first: int, left: Callable[[int], float], top: float, where: dict[str, Spot]
) -> Iterator[Link]:
    """The links of pages whose text begins at `left` (of the page's number) and `top`."""
    for number, one in enumerate(pages, first):
        for x, y, block, *_ in one.placed:
            for box, target in block.links:
                spot = Spot(int(target[len(_PAGE) :]) - 1) if target.startswith(_PAGE) else where.get(target)
                if spot is not None:
                    yield Link(number - 1, Box(left(number) + x + box.x, top + y + box.y, box.w, box.h), spot)
