"""The design of rulebooks: `layouts/rulebook.yaml` for all games, `layouts/<game>/rulebook.yaml` for one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from generator.faces.fonts import FontBook
from generator.faces.look import Look, Shades, StyleFile, ThemeFile
from generator.paper.formats import Format, layout_files, read_layout


class Margins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of a page, in mm. `inner` is the side of the fold."""

    top: float
    bottom: float
    inner: float
    outer: float


class Design(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`layouts/rulebook.yaml`: lengths in mm. `fonts`, `colours` and `styles` hold unless the game's theme has one of
    the same name."""

    margins: Margins
    id_column: float
    """Beside the text, for the ids of rules and the numbers of steps."""
    gap: float
    """Between that column and the text."""
    rule_gap: float
    """Above a rule."""
    section_gap: float
    """Above the heading of a chapter."""
    section_needs: float
    """A chapter does not begin with less room than this below its heading."""
    box_picture: tuple[float, float]
    """Width and height of a picture in the list of what is in the box."""
    example_height: float
    """Largest height of the pictures of an example."""
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


class GameBook(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`layouts/<game>/rulebook.yaml`, all of it optional: cover and colours (names of the game's theme)."""

    cover: str = ""
    """Face template of the cover."""
    rule_colour: str = "ink"
    """Of the lines below headings."""
    accent_colour: str = "book-accent"
    """Of numbers, signs and small headings."""
    panel_colour: str = "book-panel"
    """Ground of examples."""
    tint_colour: str = "book-tint"
    """Ground of tables and of what is pictured."""


class BookLook(msgspec.Struct, frozen=True):
    """The look of a game's rulebook. `look` and `fonts` are those of its faces, with what a book needs besides."""

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
    own = read_layout(file, GameBook, layouts.parent) if file.is_file() else GameBook()
    look = msgspec.structs.replace(look, theme=design.completed(look.theme))
    return BookLook(design, own, look, formats, FontBook(look.theme.fonts, look.root, cache, look.theme.fallback))
