"""Pictures in a rulebook: pieces, the table, worked examples, what is in the box."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from components.bookmodel import BoxItem, Example, Figure, Pictured
from components.model import ResolvedPiece
from components.phrasing import count
from components.scene import Played, Scene
from generator.book.flow import Block
from generator.book.setter import Face, Setter
from generator.book.shapes import round_box
from generator.book.told import Artist, Told
from generator.book.words import plain
from generator.faces.display import POP, DisplayList, Op, PathOp, Push
from generator.sheets.sheets import Box

PAD = 3.4
"""Of the panel of an example."""
ARROW = 7.0
"""Width of the arrow between two pictures."""
MOST = 0.62
"""A picture of the table takes no more than this part of a page's height."""

_MINUS = re.compile(r"(?<![\w-])-(?=\d)")
LARGE = 150.0
"""Pictures of examples are drawn no larger than this, and scaled to their place."""
BESIDE = 40.0
"""Cards beside the words of an example are no higher than this."""
BELOW = 30.0
"""And where pictures of the table stand above them, than this."""
WIDE = 2.4
"""Pictures so many times as wide as high may stand one below the other …"""
STACKED = 1.3
"""… if that makes them so much larger."""
STACK_HIGH = 1.6
"""Pictures one below the other are together so much higher than one may be alone."""
NARROW, TALLER = 0.5, 1.4
"""Pictures that would take less than this part of the width may be so much higher."""


# --- pieces ----------------------------------------------------------------------------------------------------------


def pictured(setter: Setter, pictures: Sequence[Pictured], width: float) -> Iterator[Block]:
    """Pieces side by side, words below each, as many in a row as there is room for."""
    row: list[tuple[list[Op], float, float]] = []
    x = 0.0
    gap = 4.0
    for picture in pictures:
        found = setter.face(picture.piece, unprinted=True)
        if found is None:
            continue
        face = found
        scale = min((picture.height or face.h) / face.h, width / face.w, (setter.height - 20) / face.h)
        wide = max(face.w * scale, 16.0 if picture.caption else 0.0)
        if row and x + wide > width + 1e-6:
            yield _row(row, (width - x + gap) / 2)
            row, x = [], 0.0
        ops: list[Op] = setter.placed(face, scale, x + (wide - face.w * scale) / 2, 0.0)
        words: list[Op] = []
        low = 0.0
        if picture.caption:
            text = setter.text(setter.marked(picture.caption), "book-small", wide, x=x, align="center")
            words, low = text.ops, text.height
        row.append(([*ops, Push((1.0, 0.0, 0.0, 1.0, 0.0, face.h * scale + 1.8)), *words, POP], face.h * scale, low))
        x += wide + gap
    if row:
        yield _row(row, (width - x + gap) / 2)


def _row(row: Sequence[tuple[list[Op], float, float]], left: float) -> Block:
    """Pieces on one line, which begins so far from the left."""
    tall = max(high for _, high, _ in row)
    low = max(words for _, _, words in row)
    ops: list[Op] = []
    for made, high, _ in row:
        ops += [Push((1.0, 0.0, 0.0, 1.0, left, tall - high)), *made, POP]
    return Block(tall + (1.8 + low if low else 0.0), tuple(ops), before=3.0, floats=True)


def box_blocks(setter: Setter, items: Sequence[BoxItem]) -> Iterator[Block]:
    """What is in the box: a picture, how many, what they are called, what they are for; in two columns."""
    width = setter.width(2)
    wide, tall = setter.design.box_picture
    for item in items:
        pieces = [p for p in setter.game.pieces if p.set in item.sets and p.copies]
        if not pieces:
            continue
        number = sum(piece.copies for piece in pieces)
        drawn = [found for name in item.show or [f"{pieces[0].set}/{pieces[0].id}"] if (found := setter.face(name))]
        ops: list[Op] = _heap(setter, drawn, wide, tall)
        x = wide + 3.4
        total = setter.text(str(number), "book-count", 16.0, x=x, colour=setter.own.accent_colour)
        named = f"**{setter.marked(item.title) or plain(pieces[0].set_title)}**"
        beside = x + total.width + 2.0
        title = setter.text(named, "book-text", width - beside, x=beside, y=0.6)
        y = max(total.height, title.height) + 1.5
        said = item.text or _named(pieces)
        text = setter.text(setter.marked(said), "book-small", width - x, x=x, y=y)
        ops += [*total.ops, *title.ops, *text.ops]
        anchors = tuple(f"set:{name}" for name in item.sets)
        yield Block(max(tall, y + text.height), tuple(ops), before=3.4, anchors=anchors, columns=2)


def _named(pieces: Sequence[ResolvedPiece]) -> str:
    """The pieces of a set by their names, where they are few."""
    names = [f"{p.name}{f' ×{p.copies}' if p.copies > 1 else ''}" for p in pieces]
    if len(names) == 1:
        return ""
    return ", ".join(plain(name) for name in names) if len(names) <= 12 else f"{count(len(names), 'kind')}."


def _heap(setter: Setter, drawn: Sequence[Face], wide: float, tall: float) -> list[Op]:
    """Pieces in a box of `wide` x `tall` mm, one over the other."""
    if not drawn:
        return []
    n = len(drawn)
    shift = 0.0 if n == 1 else min(0.34, 0.8 / (n - 1))
    largest_w = max(face.w for face in drawn)
    largest_h = max(face.h for face in drawn)
    total_w, total_h = largest_w * (1 + shift * (n - 1)), largest_h * (1 + 0.12 * (n - 1))
    scale = min(wide / total_w, tall / total_h, 1.0)
    left, top = (wide - total_w * scale) / 2, (tall - total_h * scale) / 2
    ops: list[Op] = []
    for i, face in enumerate(drawn):
        x = left + (largest_w * shift * i + (largest_w - face.w) / 2) * scale
        y = top + (largest_h * 0.12 * i + (largest_h - face.h) / 2) * scale
        ops += setter.placed(face, scale, x, y)
    return ops


# --- the table -------------------------------------------------------------------------------------------------------


def scene_ops(setter: Setter, picture: DisplayList, scale: float, x: float, y: float) -> list[Op]:
    """A picture of the table, smaller, with round corners."""
    clip = round_box(0, 0, picture.w, picture.h, 1.4 / scale)
    edge = PathOp(d=clip, stroke=setter.kit.colour(setter.own.rule_colour), width=0.2 / scale)
    placing = (scale, 0.0, 0.0, scale, x, y)
    return [Push(placing, clip=clip), *picture.ops, POP, Push(placing), edge, POP]


def figure_block(setter: Setter, figure: Figure, artist: Artist, width: float) -> Block:
    """A picture of the table with words below it."""
    picture = setter.drawing(
        artist, bare(figure.scene, figure.scene.table), width, figure.height or setter.height * MOST
    )
    scale = min(width / picture.w, 1.0)
    high = picture.h * scale
    ops = scene_ops(setter, picture, scale, (width - picture.w * scale) / 2, 0.0)
    if figure.scene.caption:
        words = setter.text(setter.marked(figure.scene.caption), "book-small", width, y=high + 2.0)
        ops += words.ops
        high += 2.0 + words.height
    return Block(high, tuple(ops), before=3.0, floats=True)


def bare(scene: Scene, table: Played | None) -> Scene:
    """A scene of the book upon a table; its caption is set by the book."""
    return msgspec.structs.replace(scene, table=table, caption="")


# --- worked examples -------------------------------------------------------------------------------------------------


def example_block(setter: Setter, example: Example, told: Told, artist: Artist | None, width: float) -> Block:
    """A worked example in its panel: the situation, pictures before and after with what is shown between them, what is
    said, what happens, what to learn. Cards alone stand beside the words."""
    page = _Panel(setter, width)
    label = setter.text("EXAMPLE", "book-label", page.inner, y=0.9, colour=setter.own.accent_colour)
    head = setter.text(setter.marked(example.title), "book-head", page.inner - label.width - 3, x=label.width + 3)
    page.put([*label.ops, *head.ops], head.height, 2.2)
    panes = _panes(setter, example, told, artist)
    cards = [found for name in example.cards if (found := setter.face(name))]
    stacked = _stacked(setter, panes, cards, example.height, page.inner)
    beside = bool(cards) and (not panes or stacked)
    top, tall = page.y, 0.0
    if beside and not panes:
        tall = _put_cards(setter, page, cards, BESIDE)
    page.words(example.text, "book-text", 2.4)
    if panes:
        lay = _one_below_the_other if stacked else _side_by_side
        pictures, high = lay(setter, panes, [] if beside else cards, example.height, page.inner)
        page.put(pictures, high, 2.6)
        if beside:
            top, tall = page.y, _put_cards(setter, page, cards, BELOW)
    page.words(example.say or "; ".join(f"“{line}”" for line in told.said), "book-say", 2.0)
    for rule, words in _steps(example, told):
        if page.left and page.y >= top + tall:
            page.narrow(0.0)  # below the cards there is room for the whole width
        made, height = _step(setter, rule, words, page.inner - page.left)
        page.put(made, height, 1.1, setter.cited(made))
    if beside:
        page.y = max(page.y, top + tall + 1.1)
        page.narrow(0.0)
    if example.then:
        page.y += 0.9
        page.words(example.then, "book-text", 1.1)
    return page.block()


class _Panel:
    """The panel of an example, filled from above."""

    def __init__(self, setter: Setter, width: float) -> None:
        self.setter = setter
        self.width = width
        self.inner = width - 2 * PAD
        self.left = 0.0
        self.y = PAD
        self.ops: list[Op] = []
        self.links: list[tuple[Box, str]] = []

    def narrow(self, left: float) -> None:
        """What follows stands so far from the left."""
        self.left = left

    def put(self, ops: Sequence[Op], height: float, below: float, links: Sequence[tuple[Box, str]] = ()) -> None:
        """Operations with their upper left corner at the origin, and what is left free below them."""
        x = PAD + self.left
        self.ops += [Push((1.0, 0.0, 0.0, 1.0, x, self.y)), *ops, POP]
        self.links += [(msgspec.structs.replace(box, x=box.x + x, y=box.y + self.y), to) for box, to in links]
        self.y += height + below

    def words(self, text: str, style: str, below: float) -> None:
        """Text, if there is any."""
        if text:
            made = self.setter.text(self.setter.marked(text), style, self.inner - self.left)
            self.put(made.ops, made.height, below, self.setter.cited(made.ops))

    def block(self) -> Block:
        """The panel, as high as what stands in it."""
        height = self.y + PAD - 1.1
        ops = (self.setter.panel(self.width, height), *self.ops)
        return Block(height, ops, before=3.4, links=tuple(self.links), floats=True)


def _steps(example: Example, told: Told) -> Iterator[tuple[str, str]]:
    """What happens: the ids of rules, and what the companion says of each."""
    wanted = set(example.rules)
    for rule, words in told.steps:
        if not wanted or rule in wanted:
            yield rule, words


def _step(setter: Setter, rule: str, words: str, width: float) -> tuple[list[Op], float]:
    """A line of what happens with the id of its rule at the right; its operations and its height."""
    ident = setter.text(rule, "book-id", width, y=0.35, align="right")
    text = setter.text(plain(_MINUS.sub("−", words)), "book-small", width - 4.0 - ident.width - 3.0, x=4.0)
    tick = PathOp(d=round_box(0.6, 0.6, 1.3, 1.3, 0.65), fill=setter.kit.colour(setter.own.accent_colour))
    return [tick, *text.ops, *ident.ops], max(text.height, 2.6)


def _panes(setter: Setter, example: Example, told: Told, artist: Artist | None) -> list[tuple[str, DisplayList]]:
    """The table before and after, as far as the example shows it."""
    if artist is None:
        return []
    panes = []
    if told.before is not None and example.show in ("both", "before"):
        panes.append(("Before", setter.drawing(artist, bare(example.scene, told.before), LARGE, LARGE)))
    if told.after is not None and example.show in ("both", "after"):
        panes.append(("After", setter.drawing(artist, bare(example.scene, told.after), LARGE, LARGE)))
    return panes


def _put_cards(setter: Setter, page: _Panel, cards: Sequence[Face], most: float) -> float:
    """Cards at the left of the words that follow, no higher than `most` mm; how high they are."""
    across = sum(face.w / face.h for face in cards)
    tall = min(most, setter.design.example_height, (page.inner * 0.45) / across)
    ops: list[Op] = []
    used = _cards(setter, cards, 0.0, 0.0, tall, ops)
    page.ops += [Push((1.0, 0.0, 0.0, 1.0, PAD, page.y)), *ops, POP]
    page.narrow(used + 1.0)
    return tall


def _stacked(
    setter: Setter, panes: Sequence[tuple[str, DisplayList]], cards: Sequence[Face], most: float, width: float
) -> bool:
    """Whether the table before stands above the table after: where wide pictures become much larger that way."""
    if not panes or min(picture.w / picture.h for _, picture in panes) < WIDE:
        return False
    across, gaps = _across(panes, cards)
    beside = min(most or setter.design.example_height, (width - gaps) / across)
    return _each_high(setter, panes, most, width) >= STACKED * beside


def _across(panes: Sequence[tuple[str, DisplayList]], cards: Sequence[Face]) -> tuple[float, float]:
    """How wide pictures and cards beside each other are, each 1 mm high, and the space between them."""
    gaps = ARROW * max(len(panes) - 1, 0) + (3.0 * (len(cards) + 1) if cards else 0.0)
    return sum(p.w / p.h for _, p in panes) + sum(face.w / face.h for face in cards), gaps


def _each_high(setter: Setter, panes: Sequence[tuple[str, DisplayList]], most: float, width: float) -> float:
    """The height of each of several pictures one below the other, which together are not much higher than one."""
    room = most or setter.design.example_height * STACK_HIGH
    return min(room / len(panes), *(width * picture.h / picture.w for _, picture in panes))


def _side_by_side(
    setter: Setter, panes: Sequence[tuple[str, DisplayList]], cards: Sequence[Face], most: float, width: float
) -> tuple[list[Op], float]:
    """The table before and after, and pieces between them, all of one height; their operations and that height."""
    labelled = 3.6 if len(panes) > 1 else 0.0
    wide, gaps = _across(panes, cards)
    usual = setter.design.example_height
    if wide * usual + gaps < NARROW * width:
        usual = min(usual * TALLER, (NARROW * width - gaps) / wide)
    tall = min(most or usual, (width - gaps) / wide)
    ops: list[Op] = []
    x = max((width - tall * wide - gaps) / 2, 0.0)
    for n, (name, picture) in enumerate(panes):
        if n:
            x = _between(setter, cards, x, labelled, tall, ops)
        scale = tall / picture.h
        label = setter.text(name if len(panes) > 1 else "", "book-label", 60.0, x=x, colour="soft")
        ops += [*label.ops, *scene_ops(setter, picture, scale, x, labelled)]
        x += picture.w * scale
    if len(panes) < 2:
        _cards(setter, cards, x + 3.0, labelled, tall, ops)
    return ops, tall + labelled


def _one_below_the_other(
    setter: Setter, panes: Sequence[tuple[str, DisplayList]], _cards: Sequence[Face], most: float, width: float
) -> tuple[list[Op], float]:
    """The table before, an arrow, the table after; their operations and the height of all."""
    tall = _each_high(setter, panes, most, width)
    ops: list[Op] = []
    y = 0.0
    for n, (name, picture) in enumerate(panes):
        scale = tall / picture.h
        x = (width - picture.w * scale) / 2
        if n:
            y += 1.6
            ops.append(_arrow_down(setter, width / 2, y))
        if len(panes) > 1:
            label = setter.text(name, "book-label", 60.0, x=x, y=y, colour="soft")
            ops += label.ops
            y += 3.6
        ops += scene_ops(setter, picture, scale, x, y)
        y += tall
    return ops, y


def _arrow_down(setter: Setter, x: float, top: float) -> PathOp:
    """The arrow from the table before to the table after below it."""
    d = f"M{x - 2.6:g} {top:g}L{x + 2.6:g} {top:g}L{x:g} {top + 2.6:g}Z"
    return PathOp(d=d, fill=setter.kit.colour(setter.own.accent_colour))


def _between(setter: Setter, cards: Sequence[Face], x: float, top: float, tall: float, ops: list[Op]) -> float:
    """Cards that are shown, and the arrow from before to after."""
    if cards:
        x = _cards(setter, cards, x + 3.0, top, tall, ops)
    middle, accent = top + tall / 2, setter.kit.colour(setter.own.accent_colour)
    a = x + 1.4
    b = x + ARROW - 1.4
    ops.append(
        PathOp(
            d=f"M{a:g} {middle - 0.6:g}L{b - 2:g} {middle - 0.6:g}L{b - 2:g} {middle - 1.9:g}L{b:g} {middle:g}"
            f"L{b - 2:g} {middle + 1.9:g}L{b - 2:g} {middle + 0.6:g}L{a:g} {middle + 0.6:g}Z",
            fill=accent,
        )
    )
    return x + ARROW


def _cards(setter: Setter, cards: Sequence[Face], x: float, top: float, tall: float, ops: list[Op]) -> float:
    for face in cards:
        scale = tall / face.h
        ops += setter.placed(face, scale, x, top)
        x += face.w * scale + 3.0
    return x
