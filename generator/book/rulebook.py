"""The rulebook of a game: rules, figures, cards, rulings and index, set as pages. Everything is read from the game.

    ResolvedGame + layouts/rulebook.yaml + layouts/<game>/rulebook.yaml -> Book (pages as display lists) -> PDF

What is printed beside a rule: its id, and whether the source gives it (disc) or we decided it (diamond).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from components.errors import Problem
from components.model import ResolvedGame, ResolvedPiece, ResolvedRule, ResolvedRuling
from components.phrasing import span
from generator.book import flow
from generator.book.flow import Block, FlowPage
from generator.book.references import PAGE_NUMBER, ids, leading_to, links, page_target, spots
from generator.book.shapes import outline, round_box
from generator.book.words import plain, ranges, shown
from generator.faces.display import POP, DisplayList, Op, PathOp, Push, TextOp
from generator.faces.facemaker import FaceError, FaceMaker
from generator.faces.faults import Fault
from generator.faces.fonts import FontBook
from generator.faces.look import Look, Shades, StyleFile, ThemeFile
from generator.faces.outlines import outlined
from generator.faces.text import TextBlock, TextBox, TextStyle, layout
from generator.paper.formats import Format, layout_files, read_layout
from generator.sheets.navigation import Entry, Navigation
from generator.sheets.sheets import Box

INDEX_COLUMNS = 2


class Margins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    top: float
    bottom: float
    inner: float
    outer: float


class Design(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`layouts/rulebook.yaml`: lengths in mm. `fonts`, `colours` and `styles` hold unless the game's theme has one of
    the same name."""

    margins: Margins
    id_column: float
    gap: float
    rule_gap: float
    section_gap: float
    section_needs: float
    illustration: float
    fonts: dict[str, str]
    colours: dict[str, str | Shades]
    styles: dict[str, StyleFile]

    def completed(self, theme: ThemeFile) -> ThemeFile:
        """The theme with what it lacks to set a book."""
        return msgspec.structs.replace(
            theme,
            fonts={**self.fonts, **theme.fonts},
            colours={**self.colours, **theme.colours},
            styles={**self.styles, **theme.styles},
        )


class Picture(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A piece pictured by itself, `height` mm high, with words below it."""

    piece: str
    height: float
    caption: str = ""


class GameBook(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`layouts/<game>/rulebook.yaml`, all of it optional: pieces pictured at the head of sections, colours, cover."""

    cover: str = ""
    rule_colour: str = "ink"
    given_colour: str = "ink"
    decided_colour: str = "ink"
    illustrations: dict[str, list[str | Picture]] = {}
    """Section (also `Overview` and `Questions`) -> what is pictured at its head."""
    index: dict[str, list[str]] = {}
    """Term -> forms in which rules speak of it (none: the term itself)."""


class BookLook(msgspec.Struct, frozen=True):
    """How the rulebook of a game looks. `look` and `fonts` are those of its faces, with what a book needs besides."""

    design: Design
    own: GameBook
    look: Look
    formats: Mapping[str, Format]
    fonts: FontBook


def load_book_look(
    look: Look, formats: Mapping[str, Format], layouts: Path, game_id: str, cache: Path | None
) -> BookLook:
    """Read `rulebook.yaml` of the layouts and of a game. Raises DefinitionError."""
    design = read_layout(layout_files("rulebook.yaml", layouts)[-1], Design)
    file = layouts / game_id / "rulebook.yaml"
    own = read_layout(file, GameBook) if file.is_file() else GameBook()
    look = msgspec.structs.replace(look, theme=design.completed(look.theme))
    return BookLook(design, own, look, formats, FontBook(look.theme.fonts, look.root, cache))


class Book(msgspec.Struct, frozen=True):
    """Pages of `w` x `h` mm, their number a multiple of 4."""

    title: str
    w: float
    h: float
    pages: list[DisplayList]
    contents: dict[str, int]
    """Heading -> page number."""
    navigation: Navigation
    """Of the pages, one after the other."""


def make_book(game: ResolvedGame, w: float, h: float, look: BookLook, ink: str = "normal") -> Book:
    """The rulebook of `game` on pages of `w` x `h` mm. Raises FaceError or DefinitionError where text cannot be set."""
    return _Binder(game, w, h, look, ink).bind()


class _Binder:
    def __init__(self, game: ResolvedGame, w: float, h: float, look: BookLook, ink: str) -> None:
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
        self.page_of: dict[str, int] = {}
        self.ids = ids(rule.id for rule in self._rules())

    # --- the whole -------------------------------------------------------------------------------------------------

    def bind(self) -> Book:
        """Two passes: the second knows the page numbers that contents and index print."""
        body = flow.pour(list(self._body()), self.height)
        for _ in range(2):
            front = flow.pour(self._contents(), self.height)
            first = 2 + len(front)
            self.page_of = flow.anchors(body, first)
            index = flow.pour(self._index(), self.height)
            self.page_of["Index"] = first + len(body)
        flowed = [*front, *body, *index]
        pages = [self._cover(), *self._numbered(flowed, 2)]
        while len(pages) % 4 != 3:
            pages.append(self._empty(len(pages) + 1))
        pages.append(self._colophon())
        heads = {s: self.page_of[s] for s in self._headings() if s in self.page_of}
        return Book(
            f"{self.game.title}: rules", self.w, self.h, pages, heads, self._navigation(flowed, heads, len(pages))
        )

    def _navigation(self, flowed: list[FlowPage], heads: Mapping[str, int], count: int) -> Navigation:
        where = spots(flowed, 2, self.design.margins.top)
        return Navigation(
            outline=tuple(Entry(head, where[head]) for head in heads),
            labels=tuple(str(number) for number in range(1, count + 1)),
            links=tuple(links(flowed, 2, self._left, self.design.margins.top, where)),
        )

    def _left(self, number: int) -> float:
        """Where the column of a page begins."""
        m = self.design.margins
        return m.outer if number % 2 == 0 else m.inner

    def _numbered(self, pages: list[FlowPage], first: int) -> Iterator[DisplayList]:
        m = self.design.margins
        for i, page in enumerate(pages):
            number = first + i
            left = self._left(number)
            ops = [*flow.draw(page, left, m.top), *self._foot(number, left)]
            yield DisplayList(self.w, self.h, 0.0, ops)

    def _foot(self, number: int, left: float) -> list[Op]:
        y = self.h - self.design.margins.bottom + 5
        outside, inside = ("left", "right") if number % 2 == 0 else ("right", "left")
        page = self._text(str(number), "book-id", self.column, y=y, x=left, align=outside)
        title = self._text(self.game.title, "book-foot", self.column, y=y, x=left, align=inside)
        return [*page.ops, *title.ops]

    def _empty(self, number: int) -> DisplayList:
        m = self.design.margins
        left = self._left(number)
        head = self._text("Notes", "book-head", self.column, x=left, y=m.top)
        lines = [
            self._line(left, y, left + self.column, 0.12) for y in range(int(m.top) + 14, int(self.h - m.bottom), 8)
        ]
        return DisplayList(self.w, self.h, 0.0, [*head.ops, *lines, *self._foot(number, left)])

    def _cover(self) -> DisplayList:
        names = {"title": self.game.title, "about": self.game.about, "players": self.game.players}
        if self.own.cover in self.maker.look.faces:
            return self.maker.draw(self.own.cover, self.w, self.h, 0.0, names)
        m = self.design.margins
        width = self.w - 2 * m.inner
        title = self._text(self.game.title, "book-title", width, x=m.inner, y=self.h * 0.3)
        about = self._text(
            f"{self.game.about}\n{span(*self.game.players)} players",
            "book-lead",
            width,
            x=m.inner,
            y=self.h * 0.3 + title.height + 8,
        )
        rule = self._line(m.inner, self.h * 0.3 + title.height + 4, self.w - m.inner, 0.4)
        return DisplayList(self.w, self.h, 0.0, [*title.ops, rule, *about.ops])

    def _colophon(self) -> DisplayList:
        m = self.design.margins
        variant = f" Variant: {', '.join(self.game.variants)}." if self.game.variants else ""
        changed = "".join(f" {name} = {shown(value)}." for name, value in self.game.sets.items())
        say = (
            f"Made from the game's own data, which the companion judges by, too.{variant}{changed}\n"
            f"Fingerprint of this edition: {self.game.fingerprint}\n{self.game.credits}"
        )
        block = self._text(say.strip(), "book-small", self.column, x=m.outer)
        top = self.h - m.bottom - block.height
        return DisplayList(self.w, self.h, 0.0, [Push((1.0, 0.0, 0.0, 1.0, 0.0, top)), *block.ops, POP])

    # --- contents and body -----------------------------------------------------------------------------------------

    def _sections(self) -> list[str]:
        used = {rule.section for rule in self._rules()}
        return [section for section in self.game.sections if section in used]

    def _headings(self) -> list[str]:
        """What the contents list, if it is there."""
        return ["Overview", *self._sections(), "Questions", "Pieces", "Figures", "Index"]

    def _rules(self) -> list[ResolvedRule]:
        """The rules that hold in this edition and belong into its book."""
        return [rule for rule in self.game.rules.values() if rule.printed and rule.id not in self.game.off]

    def _contents(self) -> list[Block]:
        blocks = [self._underlined(self._text("Contents", "book-section", self.column))]
        for name in self._headings():
            if name in self.page_of or not self.page_of:
                entry = self._text(name, "book-text", self.column - 12)
                number = self._text(str(self.page_of.get(name, 0)), "book-text", self.column, align="right")
                line = Box(0.0, -0.8, self.column, entry.height + 1.6)
                blocks.append(Block(entry.height, (*entry.ops, *number.ops), before=1.7, links=((line, name),)))
        marks = self._text(
            "Beside each rule stands its id. A disc marks a rule that the published rules sheet gives; a diamond marks "
            "one that we decided where the sheet is silent or unclear, with the reason below it.",
            "book-small",
            self.column - 8,
            x=8,
        )
        signs = (self._sign("given", 1.5, 1.2), self._sign("decided", 1.5, 5.2))
        blocks.append(Block(max(marks.height, 7), (*marks.ops, *signs), before=8))
        return blocks

    def _body(self) -> Iterator[Block]:
        chapters: list[tuple[str, list[Block]]] = [
            ("Overview", [self._passage(title, text) for title, text in self.game.overview])
        ]
        rules = self._rules()
        for section in self._sections():
            chapters.append((section, [self._rule(rule) for rule in rules if rule.section == section]))
        chapters.append(("Questions", [self._ruling(ruling) for ruling in self.game.rulings if ruling.printed]))
        first = True
        for title, blocks in chapters:
            if blocks:
                pictures = list(self._pictured(self.own.illustrations.get(title, [])))
                yield self._heading(title, new_page=first, pictured=pictures[0].height if pictures else 0.0)
                yield from pictures
                yield from blocks
                first = False
        yield from self._pieces()
        yield from self._figures()

    def _heading(self, text: str, new_page: bool = False, pictured: float = 0.0) -> Block:
        block = self._underlined(self._text(text, "book-section", self.column))
        return Block(
            block.height,
            block.ops,
            before=self.design.section_gap,
            keep=self.design.section_needs + pictured,
            anchors=(text,),
            new_page=new_page,
        )

    def _passage(self, title: str, text: str) -> Block:
        return self._block(self._text(f"**{plain(title)}.** {plain(text)}", "book-text", self.column), before=2.6)

    def _rule(self, rule: ResolvedRule) -> Block:
        width = self.column - self.indent
        text = self._text(f"**{plain(rule.title)}.** {plain(rule.text)}", "book-text", width, x=self.indent)
        ident = self._text(rule.id, "book-id", self.design.id_column - 3.2, x=3.2)
        said = list(text.ops)
        height = max(text.height, ident.height)
        if rule.reason:
            reason = self._text(plain(rule.reason), "book-reason", width, x=self.indent, y=text.height + 1.3)
            said += reason.ops
            height = max(height, text.height + 1.3 + reason.height)
        ops = (self._sign(rule.origin, 1.0, 1.15), *ident.ops, *said)
        return Block(height, ops, before=self.design.rule_gap, anchors=(rule.id,), links=self._cited(said))

    def _ruling(self, ruling: ResolvedRuling) -> Block:
        question = self._text(f"**{plain(ruling.question)}**", "book-text", self.column)
        answer = self._text(plain(ruling.answer), "book-text", self.column, y=question.height + 1.3)
        cited = self._text(", ".join(ruling.rules), "book-small", self.column, y=question.height + answer.height + 2.6)
        height = question.height + answer.height + cited.height + 2.6
        ops = (*question.ops, *answer.ops, *cited.ops)
        return Block(height, ops, before=3.4, anchors=(f"ruling:{ruling.id}",), links=self._cited(ops))

    def _pieces(self) -> Iterator[Block]:
        """What is in the box: every set with its pieces, copies and printed effects."""
        yield self._heading("Pieces")
        sets: dict[str, list[ResolvedPiece]] = {}
        for piece in self.game.pieces:
            if piece.copies:
                sets.setdefault(piece.set, []).append(piece)
        for pieces in sets.values():
            total = sum(piece.copies for piece in pieces)
            head = self._text(f"{plain(pieces[0].set_title)} ({total})", "book-head", self.column)
            yield Block(head.height, tuple(head.ops), before=3.6, keep=12, anchors=(f"set:{pieces[0].set_title}",))
            without_text = [p for p in pieces if not p.text]
            if without_text:
                names = ", ".join(f"{plain(p.name)}{f' ×{p.copies}' if p.copies > 1 else ''}" for p in without_text)
                yield self._block(self._text(names, "book-small", self.column), before=1.4)
            for piece in pieces:
                if piece.text:
                    copies = f" ×{piece.copies}" if piece.copies > 1 else ""
                    line = f"**{plain(piece.name)}{copies}** {plain(piece.text)}"
                    yield self._block(self._text(line, "book-small", self.column), before=1.0)

    def _figures(self) -> Iterator[Block]:
        """Every parameter with its value in this edition, unless all rules that depend on it are left out."""
        yield self._heading("Figures")
        whole = {name for name in self.game.sets if name in self.game.params}
        parts = [name for name in self.game.sets if name not in whole]  # entries of a mapping or a list
        rules = {rule.id for rule in self._rules()}
        for name, value in self.game.params.items():
            of = self.game.param_rules.get(name)
            if of and rules.isdisjoint(of):
                continue
            changed = name in whole or any(part.startswith(f"{name}.") for part in parts)
            star = " (changed)" if changed else ""
            figure = self._text(f"**{shown(value)}**{star}", "book-small", 30)
            said = re.sub(r"`([^`]*)`", "“\\1”", self.game.param_about.get(name, ""))
            about = self._text(f"{plain(said)} {plain(name)}", "book-small", self.column - 34, x=34)
            yield Block(max(figure.height, about.height), (*figure.ops, *about.ops), before=1.2, anchors=(name,))

    # --- index -----------------------------------------------------------------------------------------------------

    def _index(self) -> list[Block]:
        """The game's terms and the names of its pieces, alphabetically, in columns, with the pages of the rules that
        speak of them."""
        pages: dict[str, set[int]] = {}
        rules = [rule for rule in self.game.rules.values() if rule.id in self.page_of]
        for term, forms in self.own.index.items():
            words = re.compile("|".join(rf"\b{re.escape(form)}\b" for form in (forms or [term])), re.IGNORECASE)
            pages[term] = {self.page_of[r.id] for r in rules if words.search(f"{r.title} {r.text}")}
        spelt = {term.casefold(): term for term in pages}  # a term and a piece may differ in capitals only
        for piece in self.game.pieces:
            if piece.copies and piece.rule in self.page_of:
                name = spelt.setdefault(piece.name.casefold(), piece.name)
                pages.setdefault(name, set()).add(self.page_of[piece.rule])
        for name in dict.fromkeys(piece.set_title for piece in self.game.pieces):
            if (anchor := f"set:{name}") in self.page_of:
                pages.setdefault(spelt.get(name.casefold(), name), set()).add(self.page_of[anchor])
        entries = [(term, ranges(sorted(found))) for term, found in pages.items() if found]
        entries.sort(key=lambda entry: entry[0].casefold())
        gap = 6.0
        width = (self.column - gap * (INDEX_COLUMNS - 1)) / INDEX_COLUMNS
        lines = [self._text(f"{plain(title)}  **{where}**", "book-index", width) for title, where in entries]
        head = self._heading("Index", new_page=True)
        blocks = [Block(head.height, head.ops, anchors=head.anchors)]
        bold = self._style("book-index").font_key("bold")
        while lines:
            room = self.height - (head.height + 4 if len(blocks) == 1 else 0)
            ops: list[Op] = []
            refs: list[tuple[Box, str]] = []
            tallest = 0.0
            for column in range(INDEX_COLUMNS):
                y = 0.0
                while lines and y + lines[0].height <= room:
                    x = column * (width + gap)
                    ops += [Push((1.0, 0.0, 0.0, 1.0, x, y)), *lines[0].ops, POP]
                    numbers = [op for op in lines[0].ops if isinstance(op, TextOp) and op.font == bold]
                    refs += leading_to(numbers, PAGE_NUMBER, page_target, self.maker.fonts, x, y)
                    y += lines.pop(0).height + 1.0
                tallest = max(tallest, y)
            height = min(tallest, room)
            blocks.append(Block(height, tuple(ops), before=4, new_page=len(blocks) > 1, links=tuple(refs)))
        return blocks

    # --- small parts -----------------------------------------------------------------------------------------------

    def _text(
        self, value: str, style: str, width: float, *, x: float = 0, y: float = 0, align: str = "left"
    ) -> TextBlock:
        try:
            return layout(value, self._style(style), TextBox(x=x, y=y, width=width, align=align), self.maker.fonts)
        except Fault as fault:
            start = " ".join(value.split()[:8])
            raise FaceError(
                [Problem(code=fault.code, what=f"rulebook, “{start} …”: {fault.what}", hint=fault.hint)]
            ) from None

    def _style(self, name: str) -> TextStyle:
        return self.kit.style({"style": name})

    def _block(self, text: TextBlock, before: float = 0.0) -> Block:
        return Block(text.height, tuple(text.ops), before=before, links=self._cited(text.ops))

    def _cited(self, ops: Iterable[Op]) -> tuple[tuple[Box, str], ...]:
        """Ids of rules in these texts lead to the rules."""
        return tuple(leading_to(ops, self.ids, str, self.maker.fonts))

    def _underlined(self, text: TextBlock) -> Block:
        """A heading with a line below it."""
        y = text.height + 1.6
        return Block(y + 2.4, (*text.ops, self._line(0, y, self.column, 0.35)))

    def _line(self, x1: float, y: float, x2: float, width: float) -> PathOp:
        return PathOp(d=f"M{x1:g} {y:g}L{x2:g} {y:g}", stroke=self.kit.colour(self.own.rule_colour), width=width)

    def _sign(self, origin: str, x: float, y: float) -> PathOp:
        """A disc for a given rule, a diamond for a decided one; different in shape and colour."""
        r = 0.9
        if origin == "given":
            d = round_box(x - r, y - r, 2 * r, 2 * r, r)
            return PathOp(d=d, fill=self.kit.colour(self.own.given_colour))
        r *= 1.15
        d = f"M{x:g} {y - r:g}L{x + r:g} {y:g}L{x:g} {y + r:g}L{x - r:g} {y:g}Z"
        return PathOp(d=d, stroke=self.kit.colour(self.own.decided_colour), width=0.35)

    def _pictured(self, pictures: list[str | Picture]) -> Iterator[Block]:
        """The very pieces, smaller: those that are only named in rows, the others each by itself.

        Their words are drawn as shapes: they are part of a picture, not of the text that is searched and copied.
        """
        yield from self._rows([name for name in pictures if isinstance(name, str)])
        for picture in pictures:
            if isinstance(picture, Picture):
                for face, form in self._drawn([picture.piece]):
                    scale = min(picture.height / face.h, self.column / face.w)
                    caption = self._text(picture.caption, "book-small", self.column, y=face.h * scale + 1.6)
                    height = face.h * scale + (1.6 + caption.height if picture.caption else 0.0)
                    ops = (*self._placed(face, form, scale, 0.0, 0.0), *caption.ops)
                    yield Block(height, ops, before=1.5, keep=14)

    def _drawn(self, names: list[str]) -> list[tuple[DisplayList, Format]]:
        found = [p for name in names for p in self.game.pieces if f"{p.set}/{p.id}" == name]
        return [(self.maker.front(piece), self.maker.formats[piece.format]) for piece in found]

    def _rows(self, names: list[str]) -> Iterator[Block]:
        """Pieces side by side, as many as the column takes: a board as wide as it, small tokens at their own size."""
        drawn = self._drawn(names)
        tall = self.design.illustration
        small = all(face.h <= tall for face, _ in drawn)
        row: list[tuple[DisplayList, Format, float, float]] = []
        x = 0.0
        for face, form in drawn:
            scale = 1.0 if small else min(tall / (88 if face.h > 60 else 60), self.column / face.w)
            if row and x + face.w * scale > self.column + 1e-6:
                yield self._row(row)
                row, x = [], 0.0
            row.append((face, form, scale, x))
            x += face.w * scale + 5
        if row:
            yield self._row(row)

    def _row(self, row: list[tuple[DisplayList, Format, float, float]]) -> Block:
        tall = max(face.h * scale for face, _, scale, _ in row)
        ops = [
            op for face, form, scale, x in row for op in self._placed(face, form, scale, x, (tall - face.h * scale) / 2)
        ]
        return Block(tall, tuple(ops), before=1.5, keep=14)

    def _placed(self, face: DisplayList, form: Format, scale: float, x: float, y: float) -> list[Op]:
        clip = outline(face.w, face.h, form.shape, form.corner)
        return [Push((scale, 0.0, 0.0, scale, x, y), clip=clip), *outlined(face.ops, self.maker.fonts), POP]


__all__ = ["Book", "BookLook", "load_book_look", "make_book"]
