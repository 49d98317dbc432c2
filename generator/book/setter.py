"""The means to set every part of a rulebook: the look of the game, widths, and small blocks of text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from components.errors import Problem
from components.model import ResolvedGame, ResolvedPiece, ResolvedRule
from components.scene import Scene
from generator.book.design import BookLook
from generator.book.flow import Block, column_width
from generator.book.references import ids, leading_to
from generator.book.shapes import outline, round_box
from generator.book.told import Artist, Drawing
from generator.faces.display import POP, DisplayList, Op, PathOp, Push, UseOp
from generator.faces.facemaker import FaceError, FaceMaker
from generator.faces.faults import Fault
from generator.faces.outlines import outlined
from generator.faces.quotes import typographic
from generator.faces.richtext import parse, plain
from generator.faces.text import TextBlock, TextBox, TextStyle, layout
from generator.sheets.sheets import Box

DIVIDED = {"book-text", "book-say", "book-small", "book-fine", "book-reason", "book-cell", "book-call", "book-index"}
"""Styles of running text, whose long words may be divided."""
LANGUAGE = "en_GB"
"""Of all books, for the division of words."""
ROLES = {"book-title": "H1", "book-section": "H1", "book-head": "H2", "book-foot": "", "book-number": ""}
"""The roles of texts in these styles for screen readers; the others are paragraphs."""
_ICON = re.compile(r"\[([^\[\]\n]*)\]")


class Face(msgspec.Struct, frozen=True):
    """A face that pages use by its key: size in mm and outline."""

    key: str
    w: float
    h: float
    outline: str
    alt: str
    """Its contents, in words."""


class Setter:
    """Sets the parts of the book of one game on pages of `w` x `h` mm."""

    def __init__(self, game: ResolvedGame, w: float, h: float, look: BookLook, ink: str, artist: Artist | None) -> None:
        self.game = game
        self.w, self.h = w, h
        self.maker = FaceMaker(game, look.look, look.formats, look.fonts, ink)
        self.design = look.design
        self.own = look.own
        self.kit = self.maker.kit
        m = self.design.margins
        self.column = w - m.inner - m.outer
        self.indent = self.design.id_column + self.design.gap
        self.height = h - m.top - m.bottom
        self.rules: dict[str, ResolvedRule] = {
            rule.id: rule for rule in game.rules.values() if rule.printed and rule.id not in game.off
        }
        """The rules that hold in this edition and belong into its book."""
        self.ids = ids(self.rules)
        self.artist = artist
        self.trying = False
        """True while a book is set only to find what is wrong with it."""
        self.reasons = False
        """True if the book prints the reasons of rules, and a sign at those that have one."""
        self._faces: dict[str, Face] = {}
        self.used: dict[str, DisplayList] = {}
        """The faces that pages use, by key."""
        self.pieces: dict[str, ResolvedPiece] = {f"{piece.set}/{piece.id}": piece for piece in game.pieces}

    def left(self, number: int) -> float:
        """The left edge of a page's text, in mm."""
        m = self.design.margins
        return m.outer if number % 2 == 0 else m.inner

    def width(self, columns: int) -> float:
        """The width of one of so many columns."""
        return column_width(self.column, columns)

    # --- text ------------------------------------------------------------------------------------------------------

    def text(
        self,
        value: str,
        style: str,
        width: float,
        *,
        x: float = 0,
        y: float = 0,
        align: str = "left",
        colour: str = "",
        role: str | None = None,
    ) -> TextBlock:
        """Text in a column. `value` has markup; see `marked`. `role`: in the structure of the document, if not that
        of the style. Raises FaceError for what cannot be set."""
        args = {"style": style, "colour": colour} if colour else {"style": style}
        try:
            box = TextBox(x=x, y=y, width=width, align=align)
            own = self.kit.style(args)
            own = replace(own, hyphens=LANGUAGE) if style in DIVIDED else own
            made = layout(typographic(value), own, box, self.maker.fonts, self._icon)
        except Fault as fault:
            start = " ".join(value.split()[:8])
            raise FaceError(
                [Problem(code=fault.code, what=f"rulebook, “{start} …”: {fault.what}", hint=fault.hint)]
            ) from None
        role = ROLES.get(style, "P") if role is None else role
        return replace(made, ops=[Push(role=role), *made.ops, POP]) if role and made.ops else made

    def style(self, name: str) -> TextStyle:
        """A style by its name."""
        return self.kit.style({"style": name})

    def marked(self, text: str) -> str:
        """A text of the game with its markup; unknown icons, and marks without a partner, stand for themselves."""
        icons = self.kit.look.icons
        text = _ICON.sub(lambda found: found[0] if found[1].strip() in icons else f"[[{found[1]}]", text)
        try:
            parse(text)
        except Fault:
            return plain(text)
        return text

    def paragraphs(self, text: str, style: str, width: float, before: float, *, x: float = 0) -> list[Block]:
        """A block for each paragraph of a text."""
        made = []
        for line in text.split("\n"):
            if line.strip():
                made.append(self.block(self.text(self.marked(line), style, width, x=x), before))
        return made

    def block(self, text: TextBlock, before: float = 0.0) -> Block:
        """A block of text, ids of rules in it linked."""
        return Block(text.height, tuple(text.ops), before=before, links=self.cited(text.ops))

    def cited(self, ops: Iterable[Op], dx: float = 0.0, dy: float = 0.0) -> tuple[tuple[Box, str], ...]:
        """Ids of rules in these texts lead to the rules."""
        return tuple(leading_to(ops, self.ids, str, self.maker.fonts, dx, dy))

    def heading(self, text: str) -> Block:
        """The heading of a chapter, with a line below it."""
        made = self.text(self.marked(text), "book-section", self.column)
        y = made.height + 1.8
        return Block(
            y + 1.6,
            (*made.ops, self.line(0, y, self.column, 0.35)),
            before=self.design.section_gap,
            keep=self.design.section_needs,
            anchors=(text,),
            chapter=text,
        )

    def small_heading(self, text: str, width: float) -> Block:
        """A heading inside a chapter."""
        made = self.text(self.marked(text), "book-head", width, colour=self.own.accent_colour)
        return Block(made.height, tuple(made.ops), before=4.2, keep=16.0)

    def moved(self, ops: Sequence[Op], x: float, y: float) -> list[Op]:
        """Operations elsewhere."""
        return [Push((1.0, 0.0, 0.0, 1.0, x, y)), *ops, POP]

    # --- shapes ----------------------------------------------------------------------------------------------------

    def line(self, x1: float, y: float, x2: float, width: float) -> PathOp:
        """A level line in the game's colour for lines."""
        return PathOp(d=f"M{x1:g} {y:g}L{x2:g} {y:g}", stroke=self.kit.colour(self.own.rule_colour), width=width)

    def panel(self, w: float, h: float, colour: str = "", r: float = 1.6) -> PathOp:
        """The ground of an example."""
        fill = self.kit.colour(colour or self.own.panel_colour)
        return PathOp(d=round_box(0, 0, w, h, r), fill=fill, stroke=self.kit.colour(self.own.rule_colour), width=0.2)

    def numeral(self, number: str, x: float, y: float, r: float = 2.9) -> list[Op]:
        """A number in a disc with its middle at `x, y`."""
        accent = self.kit.colour(self.own.accent_colour)
        disc = PathOp(d=round_box(x - r, y - r, 2 * r, 2 * r, r), fill=accent)
        style = self.kit.style({"style": "book-number", "colour": "#ffffff", "size": r * 3.6, "min": 5.0})
        box = TextBox(x=x - r, y=y - r, width=2 * r, height=2 * r, align="center", valign="middle")
        return [disc, *layout(number, style, box, self.maker.fonts).ops]

    def diamond(self, x: float, y: float, r: float = 1.0) -> PathOp:
        """The sign of a rule that this edition decides."""
        d = f"M{x:g} {y - r:g}L{x + r:g} {y:g}L{x:g} {y + r:g}L{x - r:g} {y:g}Z"
        return PathOp(d=d, stroke=self.kit.colour(self.own.accent_colour), width=0.3)

    def _icon(self, name: str, x: float, y: float, size: float, colour: str, accent: str = "") -> list[Op]:
        drawn = self.kit.icon(name, x, y, size, colour, accent)
        return [Push(role="Span", alt=name.replace("-", " ")), *drawn, POP]

    # --- pictures --------------------------------------------------------------------------------------------------

    def drawing(self, artist: Artist, scene: Scene, w: float, h: float) -> Drawing:
        """A picture of the table; the faces it uses are kept for the document."""
        made = artist.scene(scene, w, h)
        self.used.update(made.faces)
        return made

    def face(self, name: str, *, unprinted: bool = False) -> Face | None:
        """A side of a piece (`set/piece`, `set/piece#back`); None if the edition has it not. `unprinted`: also of a
        piece without copies, which stands on another piece."""
        bare, _, side = name.partition("#")
        piece = self.pieces.get(bare)
        if piece is None or not (piece.copies or unprinted) or (side == "back" and not piece.back):
            return None
        if name not in self._faces:
            self._faces[name] = self._drawn(piece, side or "front")
        return self._faces[name]

    def _drawn(self, piece: ResolvedPiece, side: str) -> Face:
        """The face, its words as shapes: they are part of a picture, not of the text that is searched and copied."""
        name, form = f"{piece.set}/{piece.id}", self.maker.formats[piece.format]
        if self.artist is not None:
            key, shapes = self.artist.face(name, side)
        else:
            drawn = self.maker.back(piece) if side == "back" else self.maker.front(piece)
            assert drawn is not None
            key, shapes = f"{name}#{side}", drawn
            if not self.trying:  # nobody sees it
                shapes = replace(drawn, ops=outlined(drawn.ops, self.maker.fonts))
        self.used[key] = shapes
        alt = f"{plain(piece.name)}, {side}" if piece.back else plain(piece.name)
        return Face(key, shapes.w, shapes.h, outline(shapes.w, shapes.h, form.shape, form.corner), alt)

    def placed(self, face: Face, scale: float, x: float, y: float) -> list[Op]:
        """A face, smaller, in the outline of its piece."""
        placing = (scale, 0.0, 0.0, scale, x, y)
        edge = PathOp(d=face.outline, stroke=self.kit.colour("soft"), width=0.12 / scale)
        shown = Push(placing, clip=face.outline, role="Figure", alt=face.alt)
        return [shown, UseOp(face.key), POP, Push(placing), edge, POP]
