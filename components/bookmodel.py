"""The typed model of `rulebook.yaml`: what the rulebook of a game says, in which order, with which pictures.

It arranges what stands elsewhere: rules and questions are named by their ids, pieces by `set/piece`, and an example is
a position with moves, whose figures and outcome the companion works out.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from components.scene import Scene


class Said(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Base of every record of a rulebook."""


class BookFile(Said, kw_only=True):
    """`rulebook.yaml`: the chapters of a rulebook, its quick reference and its index. A game without this file has a
    chapter for each section of its rules."""

    learn: list[Chapter] = []
    """The first part of the book, which teaches, in the order of a first evening. Rules stand there without their ids,
    and stand again in the second part."""
    chapters: list[Chapter]
    """The rules, in the order in which they are read; without `learn` the whole book. Sections no chapter prints come
    after the last of them."""
    reference: Reference | None = None
    """The piece on the back cover."""
    index: dict[str, list[str]] = {}
    """Term -> the forms in which rules speak of it; none: the term itself."""
    spare: list[str] = []
    """Pieces (`set/piece`, or `set/piece#back`) that fill pages left over in a booklet, each a page."""


class Reference(Said, kw_only=True):
    """A face that fills the back cover, usually a side of the player aid."""

    piece: str
    """`set/piece`."""
    side: Literal["front", "back"] = "front"
    """The side of it."""


class Chapter(Said, kw_only=True):
    """A heading and what stands below it."""

    title: str
    """Jinja2. Contents, outline and footer name it."""
    begins: Literal["here", "page", "left"] = "here"
    """The place where it begins: below what comes before it, on a new page, or on a left page, so that it opens a
    spread."""
    columns: Literal[1, 2] = 1
    """Columns of those of its parts that do not say it themselves."""
    when: str = ""
    """A Jinja2 expression: the chapter is printed only while it is true."""
    parts: list[Part]


class Part(Said, kw_only=True):
    """One part of a chapter. It has exactly one of the keys from `text` to `glossary`."""

    title: str = ""
    """A small heading above it; Jinja2."""
    columns: Literal[0, 1, 2] = 0
    """Columns it is set in; 0: as the chapter."""
    begins: Literal["here", "page", "left"] = "here"
    """As for a chapter."""
    when: str = ""
    """A Jinja2 expression: the part is printed only while it is true."""
    text: str = ""
    """Running text; Jinja2 with `**bold**` and `[icon]`. A new line begins a paragraph."""
    points: list[str] = []
    """Things to remember, one below the other, each with a mark; Jinja2."""
    overview: bool = False
    """The passages of `overview` in `game.yaml`."""
    rules: list[str] = []
    """Ids of rules, printed in this order. A rule stands in a book once."""
    section: str = ""
    """The rules of a section that no part names."""
    fine: bool = False
    """`rules` and `section` only: set small, title above text, the id at the end of the title's line."""
    steps: list[Step] = []
    """Numbered steps; the numbers are those of the call-outs of a `figure` near it."""
    strip: list[Stage] = []
    """The course of a turn, with icons, on a page of its own."""
    example: Example | None = None
    """A worked example: before, what is said, after."""
    figure: Figure | None = None
    """A picture of the table."""
    contents: list[BoxItem] = []
    """The contents of the box."""
    pictures: list[Pictured] = []
    """Pieces side by side with words below them; also pieces without copies, which are part of another piece."""
    table: Table | None = None
    """A table."""
    variants: list[str] = []
    """Ids of variants, each with its title and what it changes."""
    questions: list[str] = []
    """Ids of rulings, or `all` for those that no part names."""
    key: list[Sign] = []
    """Icons and what they mean, in two columns."""
    cards: list[str] = []
    """Sets whose pieces are listed with their texts, in two columns. Of pieces that belong to players, those of one."""
    line: str = ""
    """`cards` only: what stands in the list for a piece, Jinja2 with `**bold**`. `this` has its `name`, `text`, `id`,
    `fields` and `count` (copies); `says(…)` words a benefit that stands in a field. Left out: name, number and text."""
    glossary: dict[str, str] = {}
    """Term -> what it means; Jinja2. Sorted by the book."""
    seen: dict[str, list[str]] = {}
    """`questions` only: ruling -> places of the table (as in `crop` of a scene) that are pictured with it, as they
    are when the question comes up."""


class Step(Said, kw_only=True):
    """A numbered step: rules, or words of its own."""

    rules: list[str] = []
    """Ids of the rules that say it."""
    title: str = ""
    """Left out: the title of the first rule. Jinja2."""
    text: str = ""
    """Words before those of the rules; Jinja2."""
    then: str = ""
    """Words after them; Jinja2."""
    when: str = ""
    """A Jinja2 expression: the step is printed only while it is true."""


class Stage(Said, kw_only=True):
    """A stage of the strip of the turn."""

    title: str
    """Jinja2."""
    text: str
    """Jinja2."""
    icon: str = ""
    """An icon of the game's layout."""
    chapter: str = ""
    """The chapter that tells more; its page is printed."""
    when: str = ""
    """A Jinja2 expression: the stage is printed only while it is true."""


class Sign(Said, kw_only=True):
    """An icon and what it means."""

    icon: str = ""
    """An icon of the game's layout."""
    piece: str = ""
    """A piece instead, `set/piece` or `set/piece#back`."""
    text: str
    """Jinja2 with `**bold**`."""
    when: str = ""
    """A Jinja2 expression: the sign is printed only while it is true."""


class Figure(Said, kw_only=True):
    """A picture of the table."""

    scene: Scene
    """The pieces on the table. Its `caption` stands below it. Its call-outs stand beside it, each with a line to its
    part: their words, or without words the number of one of the `steps` near it."""
    aside: float = 30.0
    """Width of the words at each side of the picture, mm."""
    height: float = 0.0
    """Height in mm; 0: as high as the width of the column makes it, at most half a page."""


class Example(Said, kw_only=True):
    """A worked example. The companion plays it, words what happens and draws the table before and after; a move that
    is not what the example says, or a figure that differs, is an error."""

    title: str
    """Jinja2."""
    label: str = "Example"
    """The word before the title; Jinja2."""
    text: str = ""
    """The situation; Jinja2. In `text`, `say` and `then` a field of the position in braces prints its value after
    the moves, `{provinces.Tibet.white}`, or before them: `{was.provinces.Tibet.white}`."""
    scene: Scene = msgspec.field(default_factory=Scene)
    """The table before. The picture afterwards is cropped alike."""
    follows: str = ""
    """Title of an earlier example: it begins where that one ends, whatever its scene has for a `table`."""
    moves: list[Any] = []
    """The moves: in their JSON form, or lines as they are typed; lines come before moves. May be left out where
    `score` is asked for."""
    score: list[str] = []
    """Players whose score is told line by line, after the moves."""
    totals: dict[str, int] = {}
    """Player -> what the lines of the score must add up to."""
    say: str = ""
    """The same in words for people; Jinja2. Left out: the typed lines."""
    cards: list[str] = []
    """Pieces shown large between the pictures: `set/piece`."""
    legal: bool = True
    """True if the rules allow it. False: the reasons are printed."""
    expect: dict[str, Any] = {}
    """Fields of the position afterwards that must be so (partial, compared key by key)."""
    then: str = ""
    """The lesson; Jinja2."""
    rules: list[str] = []
    """Ids of the rules whose steps are told; none: all steps."""
    told: bool = True
    """True if the words of the rules tell the events; False: `say` and `then` tell them."""
    show: Literal["both", "before", "after", "none"] = "both"
    """The pictures to draw."""
    height: float = 0.0
    """Height of the pictures in mm; 0: as the width makes it, at most a third of a page."""


class BoxItem(Said, kw_only=True):
    """An item in the box: sets of pieces counted together, with a picture."""

    sets: list[str]
    """Sets that are counted."""
    module: str = ""
    """Only the pieces of this module. Left out: of sets that the base game has pieces in, those of the base game."""
    show: list[str] = []
    """Pieces pictured, `set/piece`, or `set/piece#back`; none: the first of the sets."""
    title: str = ""
    """Left out: the title of the first set. Jinja2."""
    text: str = ""
    """Their purpose; Jinja2."""
    when: str = ""
    """A Jinja2 expression: printed only while it is true."""


class Pictured(Said, kw_only=True):
    """A piece with words below it."""

    piece: str
    """`set/piece`, or `set/piece#back`."""
    height: float = 0.0
    """Height in mm; 0: as large as the piece, if there is room."""
    caption: str = ""
    """Jinja2."""


class Table(Said, kw_only=True):
    """A table: columns and rows of its own, or those in a field of a piece."""

    columns: list[str] = []
    """Headings; Jinja2."""
    rows: list[list[str]] = []
    """Cells; the first of a row is its label. Jinja2."""
    each: list[str] = []
    """Sets whose pieces have a row each, made as `row` says."""
    row: list[str] = []
    """`each` only: the cells of the row of a piece; Jinja2, with `this` and `says` as in `line` of a part."""
    of: str = ""
    """A piece whose field holds the table: `aid/player-aid#back.pairings`, with `columns`, `rows` (`label`, `cells`)
    and perhaps `legend`."""
    legend: str = ""
    """Words below it; Jinja2."""


CONTENTS = (
    "text", "points", "overview", "rules", "section", "steps", "strip", "example", "figure", "contents", "pictures",
    "table", "variants", "questions", "key", "cards", "glossary",
)  # fmt: skip
"""The keys of a part of which it has exactly one."""
