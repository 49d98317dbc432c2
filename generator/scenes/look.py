"""The look of scenes: `layouts/scenes.yaml` and `layouts/<game>/scenes.yaml`, with the mats of a game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec

from generator.faces.compiler import FRAME
from generator.faces.fonts import FontBook
from generator.faces.look import Look, Shades, StyleFile, Template, called
from generator.paper.formats import Length, layout_files, read_layout

Width = Annotated[float, msgspec.Meta(ge=0, le=20)]


class SceneDesign(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`layouts/scenes.yaml`: lengths in mm of the picture."""

    fonts: dict[str, str]
    colours: dict[str, str | Shades]
    styles: dict[str, StyleFile]
    shadow: Width
    """The length of a shadow."""
    edge: Width
    """Width of the line around a piece."""
    number: Width
    """Radius of the disc of a call-out."""
    line: Width
    """Width of arrows and marks."""
    casing: Width
    """Light ground beyond them, on each side."""


class Mat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An area of the table, drawn as faces are, whose anchors are places for pieces. `fields` are what it prints."""

    about: str = ""
    w: Length
    h: Length
    fields: dict[str, Any] = {}
    """The default fields."""
    items: list[dict[str, Any]]

    @property
    def bare(self) -> bool:
        """True if it only names places."""
        return all(NAMING.issuperset(item) for item in self.items)


NAMING = {"anchor", *FRAME}
"""Keys of an item that draws nothing."""


class GameScenes(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`layouts/<game>/scenes.yaml`: the mats of a game, and what it draws otherwise than `layouts/scenes.yaml` says."""

    about: str = ""
    fonts: dict[str, str] = {}
    colours: dict[str, str | Shades] = {}
    styles: dict[str, StyleFile] = {}
    width: float = 0.0
    """Width of rows of things that have no place, where a scene says none."""
    mats: dict[str, Mat] = {}


class SceneLook(msgspec.Struct, frozen=True):
    """The look of a game's scenes. `look` and `fonts` are those of its faces with the additions that scenes need."""

    design: SceneDesign
    look: Look
    fonts: FontBook
    own: GameScenes
    templates: dict[str, Template]
    """The mats, as they are drawn."""


def load_scene_look(look: Look, layouts: Path, game_id: str, cache: Path | None) -> SceneLook:
    """Read `scenes.yaml` of the layouts and of a game. Raises DefinitionError."""
    design = read_layout(layout_files("scenes.yaml", layouts)[-1], SceneDesign)
    file = layouts / game_id / "scenes.yaml"
    own = GameScenes()
    templates: dict[str, Template] = {}
    if file.is_file():
        own, templates = _own(file, look.root)
    theme = msgspec.structs.replace(
        look.theme,
        fonts={**design.fonts, **look.theme.fonts, **own.fonts},
        colours={**design.colours, **look.theme.colours, **own.colours},
        styles={**design.styles, **look.theme.styles, **own.styles},
    )
    look = msgspec.structs.replace(look, theme=theme)
    return SceneLook(design, look, FontBook(theme.fonts, look.root, cache), own, templates)


def _own(file: Path, root: Path) -> tuple[GameScenes, dict[str, Template]]:
    from components.errors import DefinitionError
    from components.validate import convert_source
    from components.yamlsource import read_yaml

    source = read_yaml(file, called(file, root), root)
    own, problems = convert_source(source, GameScenes)
    if own is None or problems:
        raise DefinitionError(problems)
    templates = {name: Template(mat.items, {}, source, ("mats", name, "items")) for name, mat in own.mats.items()}
    return own, templates
