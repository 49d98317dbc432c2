"""The rulebook of a game as pages, with what plays its examples and draws its pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from components.phrasing import count, join_and
from components.program import remark
from generator.cli.common import settings

if TYPE_CHECKING:
    from components.book import Book as Content
    from components.model import ResolvedGame
    from components.scene import Scene
    from components.validate import Places as Lines
    from generator.book.rulebook import Book
    from generator.book.told import Teller
    from generator.build.project import Layouts
    from generator.faces.display import DisplayList
    from generator.faces.fonts import FontBook
    from generator.live.leaves import Printed
    from generator.paper.formats import Paper

SCENES = "scenes"
"""The folder of a game with scenes of its designer's own."""
TABLE = 420.0
"""The largest side of a picture of the table, mm."""


def made_book(
    game: ResolvedGame,
    paper: Paper,
    ink: str,
    *,
    layouts: Layouts | None = None,
    reasons: bool = False,
    players: int | None = None,
) -> tuple[Book, FontBook]:
    """The book, a page half of `paper`, and its fonts. `layouts` are read if they are not given. `reasons` and
    `players` as for `make_book`. Raises what `make_book` raises, and DefinitionError."""
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
        players=players,
    )
    studio.figures.keep()
    return book, look.fonts


def _teller(game: ResolvedGame, content: Content | None) -> Teller | None:
    """A player of a book's examples. None if nothing can play them: then standard error tells what is left out, and
    why."""
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
    """The table after set-up for each number of players, as the companion describes it, and the scenes in the folder
    `scenes` of the game. Raises DefinitionError, also if nothing describes the table and there is no scene."""
    from companion.own.modules import NotTrusted
    from components.loader import game_folder
    from components.scene import Played, Scene, read_scene
    from components.validate import NoPlaces
    from generator.cli.figures import Figures
    from generator.live.leaves import Printed
    from generator.scenes.picture import nested
    from generator.scenes.staging import SceneError

    figures = Figures(game, settings.places, ink, layouts)
    pages: list[tuple[str, DisplayList]] = []
    faces: dict[str, DisplayList] = {}

    def add(title: str, scene: Scene, lines: Lines | None = None) -> None:
        picture, maker = figures.picture(scene, TABLE, TABLE, lines)
        drawn, keys = nested(picture)
        pages.append((title, drawn))
        faces.update({key: maker.face(key) for key in keys})

    own = sorted((game_folder(game.id, settings.places.project) / SCENES).glob("*.yaml"))
    low, high = game.players
    try:
        for n in range(low, high + 1):
            seats = (game.seats or [f"seat{seat}" for seat in range(1, n + 1)])[:n]
            add(f"Set up for {count(n, 'player')}", Scene(table=Played(seats=seats)))
    except NotTrusted as error:
        if not own:
            raise SceneError([NoPlaces().problem("SCN-005", str(error), ("table",))]) from None
    except SceneError:
        if not own:
            raise
    for file in own:
        scene, source = read_scene(file, file.relative_to(settings.places.project).as_posix(), settings.places.project)
        add(scene.title or file.stem, scene, source)
    figures.keep()
    return Printed(pages, faces, figures.maker(game).fonts)


__all__ = ["book_pages", "made_book", "table_pages"]
