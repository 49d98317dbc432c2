"""The door to a project's layouts: they are read here, once, into plain records, and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from components.model import ResolvedGame
from generator.build.places import Places
from generator.faces.facemaker import FaceMaker
from generator.faces.fonts import FontBook
from generator.faces.look import Look, load_look
from generator.paper.formats import Format, Paper, load_formats, load_papers
from generator.scenes.look import SceneLook, load_scene_look
from generator.sheets.marks import FONT, SheetStyle, load_style

if TYPE_CHECKING:
    from generator.book.rulebook import BookLook


class Layouts(msgspec.Struct, frozen=True, kw_only=True):
    """The look of a game, and the places of its pieces on paper."""

    papers: dict[str, Paper]
    formats: dict[str, Format]
    sheets: SheetStyle
    look: Look
    fonts: FontBook
    """The fonts of the game's theme."""

    def faces(self, game: ResolvedGame, ink: str = "normal") -> FaceMaker:
        """A maker of the faces of `game` in an ink (`normal` or `low`)."""
        return FaceMaker(game, self.look, self.formats, self.fonts, ink)

    @property
    def sheet_fonts(self) -> FontBook:
        """The fonts of the theme and that of the texts on sheets."""
        return self.fonts.and_also({FONT: self.sheets.font})


def read_layouts(game: str, places: Places) -> Layouts:
    """The layouts of a game. Raises DefinitionError with everything that is wrong in a file."""
    look = load_look(game, places.layouts)
    return Layouts(
        papers=load_papers(places.layouts),
        formats=load_formats(places.layouts),
        sheets=load_style(places.layouts),
        look=look,
        fonts=FontBook(look.theme.fonts, look.root, places.kept("fonts"), look.theme.fallback),
    )


def read_book_look(game: str, places: Places, layouts: Layouts | None = None) -> BookLook:
    """The look of a game's rulebook. Raises DefinitionError as `read_layouts` does."""
    from generator.book.rulebook import load_book_look

    layouts = layouts or read_layouts(game, places)
    return load_book_look(layouts.look, layouts.formats, places.layouts, game, places.kept("fonts"))


def read_scene_look(game: str, places: Places, layouts: Layouts) -> SceneLook:
    """The look of a game's scenes. Raises DefinitionError as `read_layouts` does."""
    return load_scene_look(layouts.look, places.layouts, game, places.kept("fonts"))


def read_papers(places: Places) -> dict[str, Paper]:
    """The papers of a project by name. Raises DefinitionError."""
    return load_papers(places.layouts)
