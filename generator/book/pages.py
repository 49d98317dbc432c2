"""The pages around the text of a rulebook: cover, list of chapters, footers, pages for notes, back cover."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from components.bookmodel import Reference
from components.phrasing import count, span
from generator.book import flow
from generator.book.flow import Block, FlowPage
from generator.book.setter import Setter
from generator.book.shapes import outline, round_box
from generator.book.words import has_source, shown
from generator.faces.display import POP, DisplayList, Op, PathOp, Push
from generator.faces.richtext import plain
from generator.sheets.sheets import Box

BACK_MARGIN = 7.0
"""Around what the back cover shows."""


def cover(setter: Setter) -> DisplayList:
    """The first page: the game's own face template, or its title."""
    game, w, h = setter.game, setter.w, setter.h
    names = {"title": game.title, "about": game.about, "players": game.players}
    if setter.own.cover in setter.maker.look.faces:
        drawn = setter.maker.draw(setter.own.cover, w, h, 0.0, names)
        alt = f"Cover: {plain(game.title)}. {plain(game.about)}"
        return DisplayList(w, h, 0.0, [Push(role="Figure", alt=alt), *drawn.ops, POP])
    m = setter.design.margins
    width = w - 2 * m.inner
    title = setter.text(plain(game.title), "book-title", width, x=m.inner, y=h * 0.3)
    about = setter.text(
        f"{setter.marked(game.about)}\n{players(setter)}", "book-lead", width, x=m.inner, y=h * 0.3 + title.height + 8
    )
    rule = setter.line(m.inner, h * 0.3 + title.height + 4, w - m.inner, 0.4)
    return DisplayList(w, h, 0.0, [*title.ops, rule, *about.ops])


def players(setter: Setter) -> str:
    """The number of players, in words."""
    low, high = setter.game.players
    return count(low, "player") if low == high else f"{span(low, high)} players"


LEARN, LAW = "Learn to play", "The rules"
"""The parts of a book."""
BAND = 17.0
"""Height of the band that begins a part, mm."""


def part_block(setter: Setter, learn: bool) -> Block:
    """The beginning of a part of the book: a band with its title and what it is for."""
    title, about = (
        (LEARN, "From the box to the first game: read it in this order, or have somebody read it to you.")
        if learn
        else (LAW, "Every rule with its number, for looking things up. If the two parts differ, this one applies.")
    )
    accent = setter.kit.colour(setter.own.accent_colour)
    band = PathOp(d=round_box(0, 0, setter.column, BAND, 1.6), fill=accent)
    head = setter.text(title, "book-section", setter.column - 10, x=5, y=3.4, colour="#ffffff")
    said = setter.text(about, "book-small", setter.column - 10, x=5, y=3.4 + head.height + 2.6, colour="#ffffff")
    ops = (band, *head.ops, *said.ops)
    return Block(BAND, ops, before=6.0, keep=setter.design.section_needs, anchors=(title,))


def contents_block(setter: Setter, parts: Sequence[tuple[str, Sequence[str]]], pages: Mapping[str, int]) -> Block:
    """The chapters with their pages, in two columns: one for each part of the book, or both for one part. Below them
    what the sign of a decision means, where the book gives reasons."""
    columns, named = _columns(parts), any(part for part, _ in parts)
    pad = 4.0
    width = (setter.column - 2 * pad - flow.GUTTER) / 2
    head = setter.text("In this book", "book-head", setter.column, x=pad, y=pad, colour=setter.own.accent_colour)
    ops: list[Op] = list(head.ops)
    links: list[tuple[Box, str]] = []
    top = pad + head.height + 3.0
    bottom = top
    for column, (part, titles) in enumerate(columns):
        y = top
        x = pad + column * (width + flow.GUTTER)
        if named:
            heading = setter.text(f"**{part}**", "book-text", width)
            ops += setter.moved(heading.ops, x, y)
            y += heading.height + 2.0
        for title in titles:
            line = setter.text(plain(title), "book-text", width - 9)
            number = setter.text(str(pages.get(title, 0)), "book-text", width, align="right")
            ops += [Push((1.0, 0.0, 0.0, 1.0, x, y)), *line.ops, *number.ops, POP]
            links.append((Box(x, y - 0.8, width, line.height + 1.6), title))
            y += line.height + 1.5
        bottom = max(bottom, y - 1.5)
    if setter.reasons:
        marked = "that this edition added or settled; the" if has_source(setter.game) else "whose reason is told; the"
        note = setter.text(
            f"A diamond marks a rule {marked} reasons begin on page {pages.get(WHY, 0)}.",
            "book-small", setter.column - 2 * pad - 4, x=pad + 4, y=bottom + 3.2,
        )  # fmt: skip
        ops += [*note.ops, setter.diamond(pad + 1.1, bottom + 4.1)]
        bottom += 3.2 + note.height
    height = bottom + pad
    return Block(height, (setter.panel(setter.column, height), *ops), links=tuple(links))


def _columns(parts: Sequence[tuple[str, Sequence[str]]]) -> list[tuple[str, Sequence[str]]]:
    """The entries in each of the two columns of the contents."""
    if len(parts) > 1:
        return list(parts)
    titles = parts[0][1]
    half = -(-len(titles) // 2)
    return [("", titles[:half]), ("", titles[half:])]


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
    page = setter.text(f"**{number}**", "book-index", setter.column, y=y, x=left, align=outside, role="")
    title = plain(setter.game.title) + (f"  ·  {plain(chapter)}" if chapter else "")
    return [*page.ops, *setter.text(title, "book-foot", setter.column, y=y, x=left, align=inside).ops]


def spare_pages(setter: Setter, reference: Reference | None, pieces: Sequence[str]) -> Iterator[DisplayList]:
    """Pages for a booklet whose text does not fill its sheets: the other side of the quick reference, the pieces that
    the book names for it, then pages of ornament."""
    if (other := other_side(setter, reference)) is not None:
        yield other
    for name in pieces:
        piece, _, side = name.partition("#")
        made = _whole_page(setter, Reference(piece=piece, side="back" if side == "back" else "front"))
        if made is not None:
            yield made
    while True:
        yield endpaper(setter)


def endpaper(setter: Setter) -> DisplayList:
    """A page of the game's colour with a frame."""
    w, h = setter.w, setter.h
    ops: list[Op] = [PathOp(d=round_box(0, 0, w, h, 0.0), fill=setter.kit.colour(setter.own.panel_colour))]
    for inset, width in ((9.0, 0.6), (10.6, 0.2)):
        frame = round_box(inset, inset, w - 2 * inset, h - 2 * inset, 3.0)
        ops.append(PathOp(d=frame, stroke=setter.kit.colour(setter.own.accent_colour), width=width))
    return DisplayList(w, h, 0.0, ops)


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
    say = f"{game.credits}\n{variant}{house} Fingerprint of this edition: {game.fingerprint}."
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
    return DisplayList(w, h, 0.0, [Push(placing, clip=clip, role="Figure", alt=plain(piece.name)), *face.ops, POP])
