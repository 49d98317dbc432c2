"""The rulebook of a game as pages, with what plays its examples and draws its pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from components.phrasing import count, join_and
from components.program import remark
from generator.cli.common import settings

if TYPE_CHECKING:
    from components.book import Book as Content
    from components.model import ResolvedGame
    from generator.book.rulebook import Book
    from generator.book.told import Teller
    from generator.build.project import Layouts
    from generator.faces.display import DisplayList
    from generator.faces.fonts import FontBook
    from generator.live.leaves import Printed
    from generator.paper.formats import Paper

TABLE = 420.0
"""The largest side of a picture of the table, mm."""


def made_book(
    game: ResolvedGame, paper: Paper, ink: str, *, layouts: Layouts | None = None, reasons: bool = False
) -> tuple[Book, FontBook]:
    """The book, a page half of `paper`, and its fonts. `layouts` are read if they are not given. Raises what
    `make_book` raises, and DefinitionError."""
    from components.book import book_of
    from generator.book.rulebook import make_book
    from generator.build.project import read_book_look, read_layouts
    from generator.cli.telling import Studio

    places = settings.places
    layouts = layouts or read_layouts(game.id, places)
    look = read_book_look(game.id, places, layouts)
    studio = Studio(game, places, ink, layouts)
    text = book_of(game, places.project)
    book = make_book(
        game,
        max(paper.w, paper.h) / 2,
        min(paper.w, paper.h),
        look,
        ink,
        content=text,
        tell=_teller(game, text),
        artist=studio,
        reasons=reasons,
    )
    studio.figures.keep()
    return book, look.fonts


def _teller(game: ResolvedGame, content: Content | None) -> Teller | None:
    """What plays the examples of a book. None: nothing can, and standard error says what is left out, and why."""
    from companion.own.modules import NotTrusted
    from generator.book.told import asked
    from generator.cli.telling import teller

    missing = [one.what for one in asked(content).values()] if content is not None else []
    why = "no rules module plays them"
    try:
        tell = teller(game, settings.places)
    except NotTrusted as error:
        tell, why = None, str(error)
    if tell is None and missing:
        remark(f"{game.id}: left out: {join_and(missing)}: {why}")
    return tell


def book_pages(game: ResolvedGame, layouts: Layouts, ink: str) -> Printed:
    """The pages of the book, titled by the chapter that begins there."""
    from generator.live.leaves import Printed

    book, fonts = made_book(game, layouts.papers["a4"], ink, layouts=layouts)
    begins: dict[int, str] = {}
    for chapter, page in book.contents.items():
        begins.setdefault(page, chapter)
    pages = [(f"Page {n}" + (f": {begins[n]}" if n in begins else ""), page) for n, page in enumerate(book.pages, 1)]
    return Printed(pages, book.faces, fonts)


def table_pages(game: ResolvedGame, layouts: Layouts, ink: str) -> Printed:
    """The table after set-up for each number of players, as the companion describes it. Raises SceneError, also if
    nothing describes the table."""
    from companion.own.modules import NotTrusted
    from components.scene import Played, Scene
    from components.validate import NoPlaces
    from generator.cli.figures import Figures
    from generator.live.leaves import Printed
    from generator.scenes.picture import nested
    from generator.scenes.staging import SceneError

    figures = Figures(game, settings.places, ink, layouts)
    maker = figures.maker(game)
    pages: list[tuple[str, DisplayList]] = []
    faces: dict[str, DisplayList] = {}
    low, high = game.players
    for n in range(low, high + 1):
        seats = (game.seats or [f"seat{seat}" for seat in range(1, n + 1)])[:n]
        try:
            picture, _ = figures.picture(Scene(table=Played(seats=seats)), TABLE, TABLE)
        except NotTrusted as error:
            raise SceneError([NoPlaces().problem("SCN-005", str(error), ("table",))]) from None
        drawn, keys = nested(picture)
        pages.append((f"Set up for {count(n, 'player')}", drawn))
        faces |= {key: maker.face(key) for key in keys}
    figures.keep()
    return Printed(pages, faces, maker.fonts)


__all__ = ["book_pages", "made_book", "table_pages"]
