"""Worked examples in a rulebook: the table before, what is said, what happens, the table after."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import msgspec

from components.bookmodel import Example
from components.scene import Scene
from generator.book.figures import bare, scene_ops
from generator.book.flow import Block
from generator.book.setter import Face, Setter
from generator.book.told import Artist, Drawing, Told, with_facts
from generator.book.words import joined
from generator.faces.display import POP, DisplayList, Op, PathOp, Push
from generator.faces.richtext import plain
from generator.sheets.sheets import Box

PAD = 3.4
"""Of the panel of an example."""
ARROW = 7.0
"""Width of the arrow between two pictures."""
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

SCORE, AMOUNT = 96.0, 20.0
"""The lines of a score are no wider than this, mm, and what each brings has so much of it."""

AFTER = "After"
"""The title of a picture of the end, alone or after another."""


class Pane(NamedTuple):
    """A picture of the table."""

    name: str
    picture: DisplayList
    alt: str
    """Its contents, in words."""


Panes = Sequence[Pane]
_CARD_ID = re.compile(r" \(([A-Z]\d{1,3})\)")
"""The id of a card behind its name, or what is printed on the card like one (`T4`)."""
_CARD_FIRST = re.compile(r"^[A-Z]\d{1,3} (?=[A-Z])")
"""The id of a card before its name, in a line of a score."""
_SUMS = {" x ": " × ", " - ": " − "}
"""Signs of sums as they are printed."""
_MINUS = re.compile(r"(?<![\w-])-(?=\d)")


def example_block(
    setter: Setter, example: Example, told: Told, artist: Artist | None, width: float, teaching: bool = False
) -> Block:
    """A worked example in its panel: the situation, pictures before and after with what is shown between them, what is
    said, what happens, what to learn. Cards alone stand beside the words. `teaching`: without the ids of rules."""
    panes = _panes(setter, example, told, artist)
    cards = [found for name in example.cards if (found := setter.face(name))]

    def made(size: float) -> Block:
        return _example(setter, example, told, panes, cards, width, size, teaching)

    return replace(made(1.0), sized=made if panes or cards else None)


def _example(
    setter: Setter, example: Example, told: Told, panes: Panes, cards: Sequence[Face], width: float, size: float,
    teaching: bool,
) -> Block:  # fmt: skip
    """A worked example, its pictures `size` times as large as usual."""
    page = _Panel(setter, width)
    label = setter.text(plain(example.label.upper()), "book-label", page.inner, y=0.9, colour=setter.own.accent_colour)
    head = setter.text(setter.marked(example.title), "book-head", page.inner - label.width - 3, x=label.width + 3)
    page.put([*label.ops, *head.ops], head.height, 2.2)
    most = example.height * size
    stacked = _stacked(setter, panes, cards, example.height, page.inner)
    beside = bool(cards) and (not panes or stacked)
    top, tall = page.y, 0.0
    if beside and not panes:
        tall = _put_cards(setter, page, cards, BESIDE * size)
    page.words(with_facts(example.text, told.facts), "book-text", 2.4)
    if panes:
        lay = _one_below_the_other if stacked else _side_by_side
        pictures, high = lay(setter, panes, [] if beside else cards, most, page.inner, size)
        page.put(pictures, high, 2.6)
        if beside:
            top, tall = page.y, _put_cards(setter, page, cards, BELOW * size)
    page.words(with_facts(example.say, told.facts) or "; ".join(f"“{line}”" for line in told.said), "book-say", 2.0)
    if example.told:
        _put_sentences(page, list(_in_words(setter, example, told)), top + tall)
    for _, line in told.score:
        made, height = _line(setter, line, min(page.inner - page.left, SCORE))
        page.put(made, height, 1.0)
    if example.then:
        page.y += 1.4 if told.score else 0.0
        page.words(with_facts(example.then, told.facts), "book-text", 1.6)
    if not teaching and (example.told or example.rules) and (cited := ", ".join(_cited(example, told))):
        ids = setter.text(cited, "book-id", page.inner - page.left, align="right")
        page.put(ids.ops, ids.height, 0.8, setter.cited(ids.ops))
    if beside:
        page.y = max(page.y, top + tall + 1.1)
        page.narrow(0.0)
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
        """Indent whatever follows by `left` mm."""
        self.left = left

    def put(self, ops: Sequence[Op], height: float, below: float, links: Sequence[tuple[Box, str]] = ()) -> None:
        """Operations with their upper left corner at the origin, and what is left free below them."""
        x = PAD + self.left
        self.ops += [Push((1.0, 0.0, 0.0, 1.0, x, self.y)), *ops, POP]
        self.links += [(msgspec.structs.replace(box, x=box.x + x, y=box.y + self.y), to) for box, to in links]
        self.y += height + below

    def high(self, text: str, style: str) -> float:
        """The height of a text at this place, in mm."""
        return self.setter.text(self.setter.marked(text), style, self.inner - self.left).height

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


def _put_sentences(page: _Panel, said: list[str], foot: float) -> None:
    """Running text: beside the cards, which end at `foot`, as much of it as has room there; the rest below them."""
    while said and page.left:
        fits = len(said)
        while fits and page.y + page.high(" ".join(said[:fits]), "book-text") > foot + 1.0:
            fits -= 1
        page.words(" ".join(said[:fits]), "book-text", 1.6)
        said = said[fits:]
        if said:
            page.narrow(0.0)
            page.y = max(page.y, foot + 1.6)
    page.words(" ".join(said), "book-text", 1.6)


def _in_words(setter: Setter, example: Example, told: Told) -> Iterator[str]:
    """The events of an example, in sentences. Cards are called by their names, without their ids."""
    ids = {piece.id for piece in setter.game.pieces}
    named = (
        _CARD_ID.sub(lambda found: "" if found[1] in ids else found[0], words) for _, words in _steps(example, told)
    )
    said = [plain(_MINUS.sub("−", words.strip())) for words in named]
    for words in joined(said):
        yield f"{words[:1].upper()}{words[1:]}{'' if words[-1:] in '.?!' else '.'}"


def _cited(example: Example, told: Told) -> list[str]:
    """The rules that it is about, or by which it happens, each once."""
    events = example.rules or [rule for rule, _ in told.steps]
    return list(dict.fromkeys(rule for rule in (*events, *(rule for rule, _ in told.score)) if rule))


def _steps(example: Example, told: Told) -> Iterator[tuple[str, str]]:
    """The events of an example: the ids of rules, and the words for each."""
    wanted = set(example.rules)
    for rule, words in told.steps:
        if not wanted or rule in wanted:
            yield rule, words


def _line(setter: Setter, words: str, width: float) -> tuple[list[Op], float]:
    """A line of a score and its height: what counts at the left, what it brings at the right; of the last line, the
    total, all in bold."""
    for typed, printed in _SUMS.items():
        words = words.replace(typed, printed)
    what, _, sum_ = plain(_MINUS.sub("−", _CARD_FIRST.sub("", words))).partition(": ")
    how, equals, brings = sum_.rpartition(" = ")
    said = f"{what[:1].upper()}{what[1:]}"
    if equals:
        said += f": {how}" if how.lstrip("+") != brings.lstrip("+") else ""
    else:
        said, brings = f"**{said}**", f"**{brings}**"
    right = setter.text(brings, "book-small", width, align="right")
    text = setter.text(said, "book-small", width - AMOUNT)
    return [*text.ops, *right.ops], max(text.height, 2.6)


def _panes(setter: Setter, example: Example, told: Told, artist: Artist | None) -> Panes:
    """The table before and after, as far as the example shows it."""
    if artist is None:
        return []
    scenes = []
    if told.before is not None and example.show in ("both", "before"):
        scenes.append(("Before", bare(example.scene, told.before)))
    if told.after is not None and example.show in ("both", "after"):
        scenes.append((AFTER, bare(example.scene, told.after)))
    drawn = [(name, setter.drawing(artist, scene, LARGE, LARGE), scene) for name, scene in scenes]
    crop = _all_seen([drawing for _, drawing, _ in drawn])
    panes = []
    for name, drawing, scene in drawn:
        same = drawing if drawing.seen == crop else setter.drawing(artist, _cropped(scene, crop), LARGE, LARGE)
        panes.append(Pane(name, same.drawn, f"The table {name.lower()}: {plain(example.title)}"))
    return panes


def _all_seen(drawn: Sequence[Drawing]) -> tuple[float, float, float, float]:
    """The part of the table that is seen in any of these: both pictures show it, so that the eye can compare them."""
    lefts, tops, rights, bottoms = zip(*(drawing.seen for drawing in drawn), strict=True) if drawn else ((0.0,),) * 4
    return min(lefts), min(tops), max(rights), max(bottoms)


def _cropped(scene: Scene, crop: tuple[float, float, float, float]) -> Scene:
    left, top, right, bottom = crop
    return msgspec.structs.replace(scene, crop=[left, top, right - left, bottom - top], margin=0.0)


def _put_cards(setter: Setter, page: _Panel, cards: Sequence[Face], most: float) -> float:
    """Cards at the left of the words that follow, no higher than `most` mm; how high they are."""
    across = sum(face.w / face.h for face in cards)
    tall = min(most, (page.inner * 0.45) / across)
    ops: list[Op] = []
    used = _cards(setter, cards, 0.0, 0.0, tall, ops)
    page.ops += [Push((1.0, 0.0, 0.0, 1.0, PAD, page.y)), *ops, POP]
    page.narrow(used + 1.0)
    return tall


def _stacked(setter: Setter, panes: Panes, cards: Sequence[Face], most: float, width: float) -> bool:
    """True if the table before is to stand above the table after, because wide pictures become much larger that way."""
    if not panes or min(pane.picture.w / pane.picture.h for pane in panes) < WIDE:
        return False
    across, gaps = _across(panes, cards)
    beside = min(most or setter.design.example_height, (width - gaps) / across)
    return _each_high(setter, panes, most, width) >= STACKED * beside


def _across(panes: Panes, cards: Sequence[Face]) -> tuple[float, float]:
    """The width of pictures and cards beside each other, each 1 mm high, and the space between them."""
    gaps = ARROW * max(len(panes) - 1, 0) + (3.0 * (len(cards) + 1) if cards else 0.0)
    return sum(pane.picture.w / pane.picture.h for pane in panes) + sum(face.w / face.h for face in cards), gaps


def _each_high(setter: Setter, panes: Panes, most: float, width: float, size: float = 1.0) -> float:
    """The height of each of several pictures one below the other, which together are not much higher than one."""
    room = most or setter.design.example_height * STACK_HIGH * size
    return min(room / len(panes), *(width * pane.picture.h / pane.picture.w for pane in panes))


def _side_by_side(
    setter: Setter, panes: Panes, cards: Sequence[Face], most: float, width: float, size: float
) -> tuple[list[Op], float]:
    """The table before and after, and pieces between them, all of one height; their operations and that height."""
    labelled = 3.6 if len(panes) > 1 or panes[0].name == AFTER else 0.0
    wide, gaps = _across(panes, cards)
    usual = setter.design.example_height
    if size >= 1.0 and wide * usual + gaps < NARROW * width:
        usual = min(usual * TALLER, (NARROW * width - gaps) / wide)
    tall = min(most or usual * size, (width - gaps) / wide)
    ops: list[Op] = []
    x = max((width - tall * wide - gaps) / 2, 0.0)
    for n, (name, picture, alt) in enumerate(panes):
        if n:
            x = _between(setter, cards, x, labelled, tall, ops)
        scale = tall / picture.h
        label = setter.text(name if labelled else "", "book-label", 60.0, x=x, colour="soft")
        ops += [*label.ops, *scene_ops(setter, picture, scale, x, labelled, alt)]
        x += picture.w * scale
    if len(panes) < 2:
        _cards(setter, cards, x + 3.0, labelled, tall, ops)
    return ops, tall + labelled


def _one_below_the_other(
    setter: Setter, panes: Panes, _cards: Sequence[Face], most: float, width: float, size: float
) -> tuple[list[Op], float]:
    """The table before, an arrow, the table after; their operations and the height of all."""
    tall = _each_high(setter, panes, most, width, size)
    ops: list[Op] = []
    y = 0.0
    for n, (name, picture, alt) in enumerate(panes):
        scale = tall / picture.h
        x = (width - picture.w * scale) / 2
        if n:
            y += 1.6
            ops.append(_arrow_down(setter, width / 2, y))
        if len(panes) > 1:
            label = setter.text(name, "book-label", 60.0, x=x, y=y, colour="soft")
            ops += label.ops
            y += 3.6
        ops += scene_ops(setter, picture, scale, x, y, alt)
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
