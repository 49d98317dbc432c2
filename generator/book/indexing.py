"""The index of a rulebook: the game's terms and the names of its pieces, in the order in which people count."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from generator.book.flow import Block
from generator.book.references import PAGE_NUMBER, leading_to, page_target
from generator.book.setter import Setter
from generator.book.words import plain, ranges
from generator.faces.display import TextOp

FORMS = ((3, "book-index"), (3, "book-small"), (2, "book-small"))
"""Columns and style of an index, the tightest first."""
ALIKE = 3
"""Pieces of a set that one rule governs have no entries of their own if there are more than these."""
_NUMBER = re.compile(r"(\d+)")


def human(term: str) -> list[tuple[int, int, str]]:
    """A key by which `Number 2` comes before `Number 10`, whatever the capitals."""
    return [
        (0, int(part), "") if part.isdigit() else (1, 0, part)
        for part in _NUMBER.split(term.casefold().lstrip("-−+ "))
        if part
    ]


def index_blocks(
    setter: Setter, terms: Mapping[str, list[str]], page_of: Mapping[str, int], form: tuple[int, str] = FORMS[0]
) -> Iterator[Block]:
    """A line for each term: the pages of the rules that speak of it, and of the piece that is called so. `form`: one
    of `FORMS`."""
    pages: dict[str, set[int]] = {}
    rules = [rule for rule in setter.rules.values() if rule.id in page_of]
    for term, forms in terms.items():
        words = re.compile("|".join(rf"\b{re.escape(form)}\b" for form in (forms or [term])), re.IGNORECASE)
        pages[term] = {page_of[r.id] for r in rules if words.search(f"{r.title} {r.text}")}
    spelt = {term.casefold(): term for term in pages}  # a term and a piece may differ in capitals only
    governed = Counter((piece.set, piece.rule) for piece in setter.game.pieces if piece.copies)
    for piece in setter.game.pieces:
        if piece.copies and piece.rule in page_of and governed[piece.set, piece.rule] <= ALIKE:
            name = spelt.setdefault(piece.name.casefold(), piece.name)
            pages.setdefault(name, set()).add(page_of[piece.rule])
    for piece in setter.game.pieces:
        if (anchor := f"set:{piece.set}") in page_of and piece.copies:
            pages.setdefault(spelt.setdefault(piece.set_title.casefold(), piece.set_title), set()).add(page_of[anchor])
    columns, style = form
    width = setter.width(columns)
    bold = setter.style(style).font_key("bold")
    for term in sorted(pages, key=human):
        if pages[term]:
            text = setter.text(f"{plain(term)}  **{ranges(sorted(pages[term]))}**", style, width)
            numbers = [op for op in text.ops if isinstance(op, TextOp) and op.font == bold]
            found = tuple(leading_to(numbers, PAGE_NUMBER, page_target, setter.maker.fonts))
            yield Block(text.height, tuple(text.ops), before=0.85, links=found, columns=columns)
