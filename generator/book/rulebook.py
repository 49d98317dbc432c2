"""The rulebook of a game, set as pages: chapters with rules and worked examples, questions, reasons, index.

    ResolvedGame + rulebook.yaml + layouts/rulebook.yaml + layouts/<game>/rulebook.yaml -> Book (pages as display lists)

What is said stands in the game; `rulebook.yaml` says in which order. Examples and figures are positions: `tell` plays
them and `artist` draws them (`generator.book.told`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import msgspec

from components.book import Book as Content
from components.book import BookChapter, PlacedPart, default_book
from components.bookmodel import Example, Figure, Part
from components.errors import DefinitionError, Problem
from components.model import ResolvedGame, ResolvedRule, ResolvedRuling
from components.phrasing import number_word
from components.scene import Played, Scene
from generator.book import flow, pages
from generator.book.design import BookLook, Design, GameBook, load_book_look
from generator.book.examples import example_block
from generator.book.figures import figure_block
from generator.book.flow import Block, FlowPage
from generator.book.indexing import FORMS, index_blocks, index_entries, number_entries
from generator.book.lists import card_blocks, glossary_blocks, key_blocks, point_blocks
from generator.book.pieces import box_blocks, pictured
from generator.book.pouring import SMALLER, Pourer
from generator.book.references import links, spots
from generator.book.rules import question_block, reason_blocks, rule_blocks, step_blocks, told_blocks
from generator.book.setter import Setter
from generator.book.tables import strip_block, table_blocks
from generator.book.told import Artist, Teller, Told, asked
from generator.book.words import has_source
from generator.faces.display import DisplayList
from generator.faces.faults import Fault
from generator.faces.richtext import plain
from generator.sheets.navigation import Entry, Navigation, Spot

COVERS = 2
"""Pages of a booklet before and after what is poured."""
SHORT = 0.6
"""An index takes a page more if it fills more than this part of the last."""
SEEN = 34.0
"""Height of the picture of a question, mm."""


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
    faces: dict[str, DisplayList] = {}
    """The faces that the pages use, by key."""
    left_out: list[str] = []
    """Examples that do not hold under house rules (`--set`), and why."""


def make_book(
    game: ResolvedGame,
    w: float,
    h: float,
    look: BookLook,
    ink: str = "normal",
    *,
    content: Content | None = None,
    tell: Teller | None = None,
    artist: Artist | None = None,
    reasons: bool = False,
    players: int | None = None,
) -> Book:
    """The rulebook of `game` on pages of `w` x `h` mm. `content` None: that of a game without `rulebook.yaml`;
    `reasons`: with an appendix of why rules are as they are; `players`: the number it is printed for, None for all.

    Raises FaceError or DefinitionError where something cannot be set, or an example does not hold.
    """
    setter = Setter(game, w, h, look, ink, artist)
    setter.reasons = reasons and any(rule.reason for rule in setter.rules.values())
    return _Binder(setter, content or default_book(game), tell, players).bind()


def faults(game: ResolvedGame, w: float, h: float, look: BookLook, content: Content | None = None) -> list[Problem]:
    """The problems that keep the rulebook of `game` from being set: cover, texts, tables and pictures of pieces, but
    not the companion's examples. Nothing is poured into pages, which takes longest."""
    try:
        binder = _Binder(Setter(game, w, h, look, "normal", None), content or default_book(game), None)
        binder.setter.trying = True
        binder.try_all()
    except DefinitionError as error:
        return list(error.problems)
    except Fault as fault:
        return [Problem(code=fault.code, what=fault.what, hint=fault.hint, file=f"{look.look.place}/rulebook.yaml")]
    return binder.problems


class _Binder:
    def __init__(self, setter: Setter, content: Content, tell: Teller | None, players: int | None = None) -> None:
        self.setter = setter
        self.players = players
        self.content = content
        self.tell = tell
        self.problems: list[Problem] = []
        self.left_out: list[str] = []
        self.told_of = asked(content)
        self.tales: dict[tuple[object, ...], Told | None] = {}
        self.named = _named(content.chapters)
        self.heads = self._heads()
        self.pictured = {name for chapter in content.chapters for p in chapter.parts for name in p.part.questions}

    def bind(self) -> Book:
        """The body is poured first; the index and whatever else prints page numbers get them from it."""
        setter = self.setter
        body = list(self._body())
        titles = [block.chapter for block in body if block.chapter]
        if self.problems:
            raise DefinitionError(self.problems)
        front = _late(lambda numbers: pages.contents_block(setter, self._divided([*titles, "Index"]), numbers))
        colophon = pages.colophon(setter)
        flowed = self._poured([front, *body], [colophon] if self.content.reference is not None else [])
        numbers = flow.anchors(flowed, 2)
        flowed = flow.with_numbers(flowed, numbers)
        done = [pages.cover(setter), *pages.numbered(setter, flowed, 2)]
        spare = pages.spare_pages(setter, self.content.reference, self.content.spare)
        while len(done) % 4 != 3:
            done.append(next(spare))
        done.append(pages.back_cover(setter, self.content.reference, colophon))
        heads = {title: numbers[title] for title in [*titles, "Index"] if title in numbers}
        title = f"{setter.game.title}: rules"
        navigation = self._navigation(flowed, heads, len(done))
        return Book(title, setter.w, setter.h, done, heads, navigation, setter.used, self.left_out)

    def try_all(self) -> None:
        """Set everything once, wherever it would stand. Faults in parts are kept with their places."""
        setter, reference = self.setter, self.content.reference
        body = list(self._body())
        titles = [block.chapter for block in body if block.chapter]
        pages.contents_block(setter, self._divided(titles), {})
        somewhere = dict.fromkeys([*setter.rules, *(f"set:{piece.set}" for piece in setter.game.pieces)], 1)
        list(index_blocks(setter, index_entries(setter, self.content.index, somewhere, self.heads), FORMS[0]))
        pages.cover(setter)
        for _ in range(3):
            next(pages.spare_pages(setter, reference, self.content.spare))
        pages.back_cover(setter, reference, pages.colophon(setter))

    def _poured(self, body: Sequence[Block], last: Sequence[Block]) -> list[FlowPage]:
        """The pages of the body with the index after them, and `last` after that. The index has the form that leaves
        the fewest empty pages in a booklet of as few sheets as possible, and fills its last page best."""
        pourer = Pourer(self.setter.height, self.setter.column, 2)
        way = pourer.pour(body)
        numbers = flow.anchors(pourer.pages(way), 2)
        entries = index_entries(self.setter, self.content.index, numbers, self.heads)
        families = number_entries(self.setter, numbers) if self.content.index else []
        found: list[list[FlowPage]] = []
        for form in FORMS:
            index = list(index_blocks(self.setter, entries, form))
            further = [self.setter.heading("Index"), *index] if index else []
            if families:
                further += self._titled("Rules by their numbers", list(index_blocks(self.setter, families, form)))
            found.append(pourer.pages(pourer.pour([*further, *last], way)))
            if not index:
                break

        def sheets(pages: Sequence[FlowPage]) -> int:
            return -(-(len(pages) + COVERS) // 4)

        least, fewest = min(map(sheets, found)), min(map(len, found))
        enough = self.setter.height * SHORT
        fit = (one for one in found if sheets(one) == least and (len(one) == fewest or one[-1].used > enough))
        return max(fit, key=lambda one: (len(one), one[-1].used))

    def _navigation(self, flowed: list[FlowPage], heads: Mapping[str, int], count: int) -> Navigation:
        top = self.setter.design.margins.top
        where = spots(flowed, 2, top)
        return Navigation(
            outline=tuple(self._outline(heads, where)),
            labels=tuple(str(number) for number in range(1, count + 1)),
            links=tuple(links(flowed, 2, self.setter.left, top, where)),
        )

    def _divided(self, titles: Sequence[str]) -> list[tuple[str, list[str]]]:
        """The titles of chapters under those of the parts of the book; under an empty title where it has one part."""
        learn = {chapter.title for chapter in self.content.chapters if chapter.learn}
        if not learn:
            return [("", list(titles))]
        return [
            (pages.LEARN, [title for title in titles if title in learn]),
            (pages.LAW, [title for title in titles if title not in learn]),
        ]

    def _outline(self, heads: Mapping[str, int], where: Mapping[str, Spot]) -> Iterator[Entry]:
        for part, titles in self._divided(list(heads)):
            if part and titles:
                yield Entry(part, where[part])
            for title in titles:
                yield Entry(title, where[title], level=int(bool(part)))

    # --- chapters --------------------------------------------------------------------------------------------------

    def _body(self) -> Iterator[Block]:
        parts = any(chapter.learn for chapter in self.content.chapters)
        before: bool | None = None
        for chapter in [*self.content.chapters, *self._further()]:
            blocks = list(self._chapter(chapter))
            if blocks:
                head = self.setter.heading(chapter.title)
                if parts and chapter.learn is not before:
                    before = chapter.learn
                    yield pages.part_block(self.setter, before)
                    head = replace(head, new_page=False)
                else:
                    head = replace(head, new_page=chapter.begins == "page", left_page=chapter.begins == "left")
                first = blocks[0]
                if first.floats:  # a heading is not left alone while its picture waits
                    least = min(first.before + flow.resized(first, SMALLER[-1]).height, self.setter.height - 20.0)
                    head = replace(head, keep=max(head.keep, least))
                    blocks[0] = replace(first, floats=False)
                yield head
                yield from blocks
        if self.setter.reasons:
            yield self.setter.heading(pages.WHY)
            intro = "Why these rules are as they are:"
            if has_source(self.setter.game):
                intro = "Where the source of the game is silent or leaves a choice, this edition decides, for these "
                intro += "reasons:"
            yield self.setter.block(self.setter.text(intro, "book-text", self.setter.column), 2.0)
            yield from reason_blocks(self.setter)

    def _further(self) -> Iterator[BookChapter]:
        """Sections whose rules no chapter prints."""
        sections = {p.part.section for chapter in self.content.chapters for p in chapter.parts}
        for name in self.setter.game.sections:
            if name not in sections and any(self._rules_of(name)):
                yield BookChapter(title=name, parts=[PlacedPart(Part(section=name))])

    def _rules_of(self, section: str) -> Iterator[ResolvedRule]:
        """The rules of a section that no part names."""
        for rule in self.setter.rules.values():
            if rule.section == section and rule.id not in self.named:
                yield rule

    def _heads(self) -> dict[str, str]:
        """Each heading of the law, and the first rule below it."""
        found: dict[str, str] = {}
        for chapter in self.content.chapters:
            parts = [placed.part for placed in chapter.parts if not chapter.learn]
            firsts = [(part.title, next(self._printed(part), "")) for part in parts]
            below = [(title, first) for title, first in firsts if first]
            for title, first in [(chapter.title, below[0][1]), *below] if below else []:
                if title:
                    found.setdefault(title, first)
        return found

    def _printed(self, part: Part) -> Iterator[str]:
        """The ids of the rules that a part prints."""
        yield from (name for name in part.rules if name in self.setter.rules)
        if part.section:
            yield from (rule.id for rule in self._rules_of(part.section))

    def _chapter(self, chapter: BookChapter) -> Iterator[Block]:
        used = 13.0
        """Height of what stands above a strip, which takes the rest of its page."""
        if seated := self._seated(chapter):
            said = f"**{number_word(seated).capitalize()} players are at the table here, not "
            said += f"{number_word(self.players)}.** Moves are made in the same way."
            yield self.setter.block(self.setter.text(self.setter.marked(said), "book-text", self.setter.column), 2.4)
        for placed in chapter.parts:
            part = placed.part
            columns = part.columns or chapter.columns
            blocks = list(self._part(placed, columns, used, chapter.learn))
            if columns > 1 and len(blocks) == 1:
                blocks = list(
                    self._part(placed, 1, used, chapter.learn)
                )  # one block alone would leave the other column empty
            self._too_high(placed, blocks)
            if not blocks:
                continue
            if part.title:
                blocks = self._titled(part.title, blocks)
            if part.begins != "here":
                blocks[0] = replace(blocks[0], new_page=part.begins == "page", left_page=part.begins == "left")
            used += sum(block.height + block.before for block in blocks)
            yield from blocks

    def _seated(self, chapter: BookChapter) -> int:
        """The number of players in a round that a chapter plays move by move, if this edition is for another number;
        otherwise 0."""
        examples = [(placed.path, placed.part.example) for placed in chapter.parts if placed.part.example is not None]
        followed = {example.follows for _, example in examples}
        for path, example in examples if chapter.learn and self.players is not None else []:
            told = self._told((*path, "example")) if example.title in followed else None
            if told is not None and told.players not in (0, self.players):
                return told.players
        return 0

    def _titled(self, title: str, blocks: list[Block]) -> list[Block]:
        """Blocks below a small heading, which stays with the first of them."""
        head, first = self.setter.small_heading(title, self.setter.column), blocks[0]
        needs = min(first.before + first.height + first.keep + 0.5, self.setter.height - 20.0)
        head = replace(head, keep=max(head.keep, needs))
        return [head, replace(first, floats=False), *blocks[1:]]

    def _part(self, placed: PlacedPart, columns: int, used: float, learn: bool = False) -> Iterator[Block]:
        """The blocks of a part. Faults in it are kept with their place."""
        part, setter = placed.part, self.setter
        width = setter.width(columns)
        made: list[Block] = []
        if part.text:
            made = setter.paragraphs(part.text, "book-text" if columns == 1 else "book-small", width, 2.4)
        elif part.points:
            made = list(point_blocks(setter, part.points, width, "book-text" if columns == 1 else "book-small"))
        elif part.key:
            made = key_blocks(setter, part.key, columns)
        elif part.cards:
            made = list(card_blocks(setter, placed.lines, columns))
        elif part.glossary:
            made = list(glossary_blocks(setter, part.glossary, columns))
        elif part.overview:
            for title, text in setter.game.overview:
                said = f"**{plain(title)}.** {setter.marked(text)}"
                made.append(setter.block(setter.text(said, "book-text", width), 2.6))
        elif part.rules:
            rules = [setter.rules[name] for name in part.rules if name in setter.rules]
            made = told_blocks(setter, rules, columns) if learn else rule_blocks(setter, rules, columns, part.fine)
        elif part.section:
            made = rule_blocks(setter, list(self._rules_of(part.section)), columns, part.fine)
        elif part.steps:
            made = step_blocks(setter, part.steps, learn)
        elif part.strip:
            stages, room = part.strip, setter.height - used
            made = [_late(lambda numbers: strip_block(setter, stages, numbers, room))]
        elif part.contents:
            made = list(box_blocks(setter, part.contents))
        elif part.pictures:
            made = list(pictured(setter, part.pictures, width))
        elif part.variants:
            for name in part.variants:
                title, about, changed = self.content.variants[name]
                figures = "".join(
                    f" {plain(setter.game.param_about[key]).rstrip('.')}: {value}."
                    for key, value in changed.items()
                    if isinstance(value, int) and not isinstance(value, bool)
                )
                said = f"**{plain(title)}.** {setter.marked(about)}{figures}"
                made.append(setter.block(setter.text(said, "book-text", width), 2.6))
        elif part.questions:
            made = list(self._questions(part, columns))
        elif part.table:
            try:
                made = list(table_blocks(setter, part.table, width))
            except ValueError as error:
                self._fault("DEF-072", str(error), (*placed.path, "table", "of"))
        elif part.example:
            made = list(self._example(part.example, (*placed.path, "example"), width, learn))
        elif part.figure:
            made = list(self._figure(part.figure, (*placed.path, "figure"), width))
        as_they_are = bool(part.steps or part.strip or part.contents)
        yield from made if as_they_are else (replace(block, columns=columns) for block in made)

    def _too_high(self, placed: PlacedPart, blocks: Sequence[Block]) -> None:
        """A fault for a part of which something fits no page."""
        most = max((block.height for block in blocks), default=0.0)
        if most > self.setter.height:
            what = f"this part needs {most:.0f} mm, and a page has {self.setter.height:.0f} mm"
            self._fault("DEF-073", what, placed.path)

    def _questions(self, part: Part, columns: int) -> Iterator[Block]:
        for ruling in self.setter.game.rulings:
            wanted = ruling.id in part.questions or ("all" in part.questions and ruling.id not in self.pictured)
            if wanted and ruling.printed:
                crop = part.seen.get(ruling.id)
                picture = self._seen(ruling, crop, self.setter.width(columns)) if crop else None
                yield question_block(self.setter, ruling, columns, picture)

    def _seen(self, ruling: ResolvedRuling, crop: Sequence[str], width: float) -> Block | None:
        """The table that a ruling is about, as it is when the question comes up."""
        artist = self.setter.artist
        if artist is None:
            return None
        table = Played(position=ruling.position, set=ruling.set, variants=list(ruling.variants))
        figure = Figure(scene=Scene(table=table, crop=list(crop), margin=4.0), height=SEEN)
        return figure_block(self.setter, figure, artist, width)

    # --- what the companion tells ----------------------------------------------------------------------------------

    def _told(self, path: tuple[object, ...]) -> Told | None:
        """The companion's account of the example or figure at a path, or None where it cannot be printed; faults are
        kept with their place."""
        if path not in self.tales:
            self.tales[path] = self._tale(path)
        return self.tales[path]

    def _tale(self, path: tuple[object, ...]) -> Told | None:
        one = self.told_of.get(path)
        if one is None:
            return Told()
        if self.tell is None:
            return None
        told = Told(faults=[one.fault]) if one.fault else self.tell(one.ask)
        if not told.faults:
            return told
        if self.setter.game.sets:
            self.left_out.append(f"{one.what}: {'; '.join(told.faults)}")
        else:
            for fault in told.faults:
                self._fault("DEF-072", f"{one.what}: {fault}", path)
        return None

    def _fault(self, code: str, what: str, path: tuple[object, ...]) -> None:
        self.problems.append(self.content.problem(code, what, path))

    def _example(self, example: Example, path: tuple[object, ...], width: float, learn: bool) -> Iterator[Block]:
        told = self._told(path)
        if told is not None:
            yield example_block(self.setter, example, told, self.setter.artist, width, learn)

    def _figure(self, figure: Figure, path: tuple[object, ...], width: float) -> Iterator[Block]:
        told = self._told(path)
        artist = self.setter.artist
        seen = told is not None and (figure.scene.table is None or told.before is not None)
        if seen and artist is not None:
            yield figure_block(self.setter, figure, artist, width)


def _late(make: Callable[[Mapping[str, int]], Block]) -> Block:
    """A block that prints page numbers."""
    return replace(make({}), late=make)


def _named(chapters: Sequence[BookChapter]) -> set[str]:
    """The rules that parts name."""
    found: set[str] = set()
    for chapter in chapters:
        for placed in chapter.parts if not chapter.learn else []:
            found.update(placed.part.rules)
            for step in placed.part.steps:
                found.update(step.rules)
    return found


__all__ = ["Book", "BookLook", "Design", "GameBook", "load_book_look", "make_book"]
