"""The pages around the text of a rulebook: cover, list of chapters, footers, pages for notes, back cover."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from components.bookmodel import Reference
from components.phrasing import count, span
from generator.book import flow
from generator.book.flow import Block, FlowPage
from generator.book.setter import Setter
from generator.book.shapes import outline
from generator.book.words import has_source, plain, shown
from generator.faces.display import POP, DisplayList, Op, Push
from generator.sheets.sheets import Box

BACK_MARGIN = 7.0
"""Around what the back cover shows."""


def cover(setter: Setter) -> DisplayList:
    """The first page: the game's own face template, or its title."""
    game, w, h = setter.game, setter.w, setter.h
    names = {"title": game.title, "about": game.about, "players": game.players}
    if setter.own.cover in setter.maker.look.faces:
        return setter.maker.draw(setter.own.cover, w, h, 0.0, names)
    m = setter.design.margins
    width = w - 2 * m.inner
    title = setter.text(plain(game.title), "book-title", width, x=m.inner, y=h * 0.3)
    about = setter.text(
        f"{setter.marked(game.about)}\n{players(setter)}", "book-lead", width, x=m.inner, y=h * 0.3 + title.height + 8
    )
    rule = setter.line(m.inner, h * 0.3 + title.height + 4, w - m.inner, 0.4)
    return DisplayList(w, h, 0.0, [*title.ops, rule, *about.ops])


def players(setter: Setter) -> str:
    """How many play."""
    low, high = setter.game.players
    return count(low, "player") if low == high else f"{span(low, high)} players"


def contents_block(setter: Setter, titles: Sequence[str], pages: Mapping[str, int], signs: bool) -> Block:
    """The chapters with their pages, in two columns; below them what the sign of a decision means."""
    pad = 4.0
    width = (setter.column - 2 * pad - flow.GUTTER) / 2
    head = setter.text("In this book", "book-head", setter.column, x=pad, y=pad, colour=setter.own.accent_colour)
    ops: list[Op] = list(head.ops)
    links: list[tuple[Box, str]] = []
    top = pad + head.height + 3.0
    half = -(-len(titles) // 2)
    lines = [setter.text(plain(title), "book-text", width - 9) for title in titles]
    bottom = top
    for column in range(2):
        y = top
        x = pad + column * (width + flow.GUTTER)
        for title, line in list(zip(titles, lines, strict=True))[column * half : (column + 1) * half]:
            number = setter.text(str(pages.get(title, 0)), "book-text", width, align="right")
            ops += [Push((1.0, 0.0, 0.0, 1.0, x, y)), *line.ops, *number.ops, POP]
            links.append((Box(x, y - 0.8, width, line.height + 1.6), title))
            y += line.height + 1.5
        bottom = max(bottom, y - 1.5)
    if signs:
        marked = "that this edition added or settled; the" if has_source(setter.game) else "whose reason is told; the"
        note = setter.text(
            "The id beside a rule is the one the companion quotes when it judges a move. A diamond marks a rule "
            f"{marked} reasons begin on page {pages.get(WHY, 0)}.",
            "book-small", setter.column - 2 * pad - 4, x=pad + 4, y=bottom + 3.2,
        )  # fmt: skip
        ops += [*note.ops, setter.diamond(pad + 1.1, bottom + 4.1)]
        bottom += 3.2 + note.height
    height = bottom + pad
    return Block(height, (setter.panel(setter.column, height), *ops), links=tuple(links))


WHY = "Reasons for the rules"
"""The appendix."""


def numbered(setter: Setter, pages: Sequence[FlowPage], first: int) -> Iterator[DisplayList]:
    """The pages with their footers."""
    names = flow.chapters(pages, first)
    for number, page in enumerate(pages, first):
        left = setter.left(number)
        ops = [*flow.draw(page, left, setter.design.margins.top), *foot(setter, number, left, names[number])]
        yield DisplayList(setter.w, setter.h, 0.0, ops)


def foot(setter: Setter, number: int, left: float, chapter: str) -> list[Op]:
    """Page number outside, game and chapter inside."""
    y = setter.h - setter.design.margins.bottom + 5.5
    outside, inside = ("left", "right") if number % 2 == 0 else ("right", "left")
    page = setter.text(f"**{number}**", "book-index", setter.column, y=y, x=left, align=outside)
    title = plain(setter.game.title) + (f"  ·  {plain(chapter)}" if chapter else "")
    return [*page.ops, *setter.text(title, "book-foot", setter.column, y=y, x=left, align=inside).ops]


def notes(setter: Setter, number: int) -> DisplayList:
    """A page with lines, where the booklet needs one more."""
    m = setter.design.margins
    left = setter.left(number)
    head = setter.text("Notes", "book-head", setter.column, x=left, y=m.top)
    lines: list[Op] = []
    for y in range(14, int(setter.height), 8):
        lines += [Push((1.0, 0.0, 0.0, 1.0, left, m.top + y)), setter.line(0, 0, setter.column, 0.12), POP]
    return DisplayList(setter.w, setter.h, 0.0, [*head.ops, *lines, *foot(setter, number, left, "")])


def colophon(setter: Setter) -> Block:
    """Whom the game owes what, what was changed, and the fingerprint of the edition."""
    game = setter.game
    variant = f" Edition: {', '.join(game.variant_names.get(v, v) for v in game.variants)}." if game.variants else ""
    changed = ""
    for name in dict.fromkeys(_whole(name, game.params) for name in game.sets if not name.startswith("rules.")):
        about = game.param_about.get(name, name).rstrip(".")
        changed += f" {about}: {shown(game.params.get(name))}."
    if off := [rule for rule in game.off if rule in game.rules]:
        changed += f" Without the rule{'s' * (len(off) > 1)} {', '.join(off)}."
    house = f" House rules of this edition:{changed}" if changed else ""
    say = (
        f"{game.credits}\nMade from the same data by which the companion judges.{variant}{house} "
        f"Fingerprint of this edition: {game.fingerprint}."
    )
    said = setter.text(setter.marked(say.strip()), "book-reason", setter.column, y=2.4)
    return Block(said.height + 2.4, (setter.line(0, 0, setter.column, 0.2), *said.ops), before=4.0)


def _whole(name: str, params: Mapping[str, object]) -> str:
    """The parameter that a setting changes, or changes an entry of."""
    while name not in params and "." in name:
        name = name.rpartition(".")[0]
    return name


def back_cover(setter: Setter, reference: Reference | None, below: Block | None) -> DisplayList:
    """The last page: the quick reference as large as the page allows, or `below` at its foot."""
    w, h = setter.w, setter.h
    filled = _whole_page(setter, reference) if reference is not None else None
    if filled is not None:
        return filled
    m = setter.design.margins
    ops: list[Op] = []
    if below is not None:
        ops = [Push((1.0, 0.0, 0.0, 1.0, m.outer, h - m.bottom - below.height)), *below.ops, POP]
    return DisplayList(w, h, 0.0, ops)


def other_side(setter: Setter, reference: Reference | None) -> DisplayList | None:
    """The side of the quick reference that the back cover does not show, for a page that would be empty."""
    if reference is None:
        return None
    side: Literal["front", "back"] = "front" if reference.side == "back" else "back"
    return _whole_page(setter, Reference(piece=reference.piece, side=side))


def _whole_page(setter: Setter, reference: Reference) -> DisplayList | None:
    """A side of a piece as large as the page allows; None if the edition has it not."""
    piece = setter.pieces.get(reference.piece)
    if piece is None or not piece.copies:
        return None
    face = setter.maker.back(piece) if reference.side == "back" else setter.maker.front(piece)
    if face is None:
        return None
    w, h = setter.w, setter.h
    form = setter.maker.formats[piece.format]
    scale = min((w - 2 * BACK_MARGIN) / face.w, (h - 2 * BACK_MARGIN) / face.h)
    placing = (scale, 0.0, 0.0, scale, (w - face.w * scale) / 2, (h - face.h * scale) / 2)
    clip = outline(face.w, face.h, form.shape, form.corner)
    return DisplayList(w, h, 0.0, [Push(placing, clip=clip), *face.ops, POP])
