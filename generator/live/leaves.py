"""The printer's output as the page shows it: sheets with their marks, pages of the rulebook, the table.

A sheet is sent as places for faces that the page has already, and one picture of its marks; a page of the book is one
picture. They are made from the files anew, apart from the desk, whenever somebody looks and something changed.
"""

from __future__ import annotations

import hashlib
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Literal

import msgspec

from components.errors import DefinitionError
from components.model import ResolvedGame
from components.phrasing import count
from components.web.site import Asked, Refused
from generator.build.drawing import Drawn, draw
from generator.build.incremental import program_digest
from generator.build.joins import Joins
from generator.build.options import Job
from generator.build.project import Layouts
from generator.build.selection import NoSuchPaper, known_paper
from generator.build.stages import stacks
from generator.faces.display import DisplayList, Op, UseOp, face_hash
from generator.faces.fonts import FontBook
from generator.live.asking import form
from generator.live.desk import Desk
from generator.live.pictures import NOTHING, face_picture
from generator.live.states import Files, State
from generator.sheets.impose import Document, impose
from generator.sheets.marks import FONT
from generator.sheets.sheets import Placement, Sheet

MOST_PICTURES = 400
"""Pictures of pages and marks that are kept."""
PATIENCE = 3.0
"""Seconds for which pages and sheets let the faces go first that somebody looks at."""
MOST_KEPT = 12
"""Sets of leaves that are kept: kinds, papers, inks."""


class Printed(msgspec.Struct, frozen=True):
    """Pages with their titles, the faces they use by key, and the fonts of all."""

    pages: list[tuple[str, DisplayList]]
    faces: dict[str, DisplayList]
    fonts: FontBook


Pages = Callable[[ResolvedGame, Layouts, str], Printed]
"""(game, layouts, ink) -> pages. Raises DefinitionError."""


class Wish(msgspec.Struct, frozen=True):
    """The leaf that somebody wants to see."""

    kind: Literal["sheets", "book", "table"]
    ink: Literal["normal", "low"] = "normal"
    paper: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,19}\Z")] = "a4"
    backs: Literal["long", "short", "gutterfold", "none"] = "long"


class Place(msgspec.Struct, frozen=True):
    """A face on a sheet. `box`: what is seen of it (left, top, width, height); `face_box`: the face with its bleed
    before it is turned about its middle. In mm of the sheet."""

    card: str
    back: bool
    face: str
    box: tuple[float, float, float, float]
    face_box: tuple[float, float, float, float]
    turn: int
    clip: str


class Leaf(msgspec.Struct, frozen=True):
    """One printed side, `w` x `h` mm. `picture` is the digest of what is drawn over its faces."""

    name: str
    title: str
    w: float
    h: float
    picture: str
    places: list[Place] = []


class Leaves(msgspec.Struct, frozen=True):
    """All sides of a kind. `fault`: why they are not those of the files as they are now."""

    kind: str
    leaves: list[Leaf]
    about: str = ""
    fault: str = ""


class LeafMaker:
    """Makes leaves when they are asked for. `pages`: what makes the pages of a kind, for `book` and `table`."""

    def __init__(self, desk: Desk, pages: dict[str, Pages]) -> None:
        self._desk = desk
        self._pages = pages
        self._lock = threading.Lock()
        self._pictures: OrderedDict[str, bytes | Callable[[], str]] = OrderedDict()
        """As they are sent, or what draws them."""
        self._kept: OrderedDict[Wish, tuple[int, Leaves]] = OrderedDict()
        self._files = Files(desk.id, desk.options, desk.places)
        self._read: tuple[int, State] | None = None

    def kinds(self) -> list[str]:
        return ["sheets", *self._pages]

    def ask(self, asked: Asked) -> Any:
        """The leaves as the files are now, or the last that could be made."""
        wish: Wish = form(asked.data, Wish)
        if wish.kind not in self.kinds():
            raise Refused("this game has no such pages here")
        with self._lock:
            self._desk.until_seen(PATIENCE)
            looked = self._desk.looked
            number, kept = self._kept.get(wish, (-1, Leaves(wish.kind, [])))
            if number != looked:
                try:
                    kept = self._made(wish, looked)
                except NoSuchPaper as error:
                    raise Refused(str(error)) from None
                except DefinitionError as error:
                    kept = msgspec.structs.replace(kept, fault="; ".join(one.what for one in error.problems[:3]))
                self._kept[wish] = looked, kept
            self._kept.move_to_end(wish)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return kept

    def picture(self, digest: str) -> bytes | None:
        """The SVG of a page or of the marks of a sheet, written when it is first looked at."""
        with self._lock:
            found = self._pictures.get(digest)
            if callable(found):
                found = self._pictures[digest] = zlib.compress(found().encode(), 1)
        return zlib.decompress(found) if found is not None else None

    def _made(self, wish: Wish, looked: int) -> Leaves:
        state = self._state(looked)
        if wish.kind != "sheets":
            printed = self._pages[wish.kind](state.game, state.layouts, wish.ink)
            leaves = [
                Leaf(f"{wish.kind}-{n:02}", title, page.w, page.h, self._drawn(page, printed.fonts, used=printed.faces))
                for n, (title, page) in enumerate(printed.pages, 1)
            ]
            return Leaves(wish.kind, leaves, count(len(leaves), "page" if wish.kind == "book" else "picture"))
        documents, drawn = self._sheets(state, wish)
        fonts = state.layouts.sheet_fonts
        leaves = [self._leaf(sheet, drawn, fonts, state) for document in documents for sheet in document.sheets]
        return Leaves(wish.kind, leaves, f"{count(sum(document.leaves for document in documents), 'sheet')} of paper")

    def _state(self, looked: int) -> State:
        """The files, read apart from those of the desk: fonts are not to be asked by two threads. They stay, since they
        know the words already."""
        if self._read is None or self._read[0] != looked:
            self._files.ask_for(self._desk.options)
            self._read = looked, self._files.read(self._read[1] if self._read else None)
        return self._read[1]

    def _sheets(self, state: State, wish: Wish) -> tuple[list[Document], Drawn]:
        """The sheets that `pnp build` would print."""
        options = msgspec.structs.replace(self._desk.options, paper=wish.paper, backs=wish.backs, ink=wish.ink)
        job = Job(game=state.game, options=options, places=self._desk.places, program=program_digest())
        layouts = state.layouts
        drawn = draw(job, layouts, state.game.pieces, wish.ink, lambda *_: None)
        copies = {f"{piece.set}/{piece.id}": piece.copies for piece in state.game.pieces}
        fonts, style = layouts.sheet_fonts, layouts.sheets
        stacked = stacks(state.game.pieces, drawn, copies, layouts.formats, Joins(drawn.faces, fonts, style))
        paper = known_paper(wish.paper, layouts.papers)
        return impose(state.game.title, stacked, paper, wish.backs, style, fonts[FONT]), drawn

    def _leaf(self, sheet: Sheet, drawn: Drawn, fonts: FontBook, state: State) -> Leaf:
        places = [self._place(placed, drawn, state) for placed in sheet.placements]
        over = self._marks(sheet.w, sheet.h, sheet.marks, fonts)
        return Leaf(sheet.name, sheet.title, sheet.w, sheet.h, over, places)

    def _place(self, placed: Placement, drawn: Drawn, state: State) -> Place:
        bleed = state.layouts.formats[state.pieces[placed.piece].format].bleed
        w, h = (placed.w, placed.h) if placed.turn % 180 == 0 else (placed.h, placed.w)
        x, y = placed.x + placed.w / 2 - w / 2 - bleed, placed.y + placed.h / 2 - h / 2 - bleed
        seen = placed.seen
        return Place(
            card=placed.piece,
            back=placed.reverse,
            face=self._desk.kept(drawn.faces[placed.face], state),
            box=(seen.x, seen.y, seen.w, seen.h),
            face_box=(x, y, w + 2 * bleed, h + 2 * bleed),
            turn=placed.turn,
            clip=placed.clip,
        )

    def _marks(self, w: float, h: float, marks: Iterable[Op], fonts: FontBook) -> str:
        return self._drawn(DisplayList(w, h, 0.0, list(marks)), fonts, paper="")

    def _drawn(
        self, page: DisplayList, fonts: FontBook, paper: str = "#ffffff", used: Mapping[str, DisplayList] = NOTHING
    ) -> str:
        """The digest by which the picture may now be asked for."""
        keys = sorted({op.key for op in page.ops if isinstance(op, UseOp)})
        faces = " ".join(f"{key} {face_hash(used[key])}" for key in keys)
        digest = hashlib.sha256(f"leaf {face_hash(page)} {faces} {fonts.digest} {paper}".encode()).hexdigest()[:20]
        if digest not in self._pictures:
            self._pictures[digest] = lambda: face_picture(page, fonts, paper=paper, used=used)
        self._pictures.move_to_end(digest)
        while len(self._pictures) > MOST_PICTURES:
            self._pictures.popitem(last=False)
        return digest
