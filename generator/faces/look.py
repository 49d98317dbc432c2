"""The look of a game: its theme, icons, parts and face templates, read from `layouts/` and `layouts/<game>/`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from components.errors import DefinitionError, Problem
from components.phrasing import did_you_mean
from components.plainfiles import read_plain
from generator.faces.breaking import known_language, no_language
from generator.faces.fonts import FontError, font_file
from generator.faces.icons import Entry, IconSet
from generator.faces.text import TextStyle
from generator.paper.formats import LAYOUTS

if TYPE_CHECKING:
    from components.yamlsource import Source

Ink = Literal["normal", "low"]

MOST_LOOKS = 24
MOST_COPIES = 500
"""So many copies of a piece may have a face of their own; the ones beyond begin anew."""
_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}")


class Shades(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A colour with its variant for the low-ink face."""

    normal: str
    low: str


class StyleFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A style as it stands in `theme.yaml`; sizes in pt, leading in multiples of the size, tracking in ems."""

    font: str
    size: float
    min: float = 0.0
    leading: Annotated[float, msgspec.Meta(gt=0.4, le=5)] = 1.2
    tracking: float = 0.0
    case: Literal["upper", "none"] = "none"
    colour: str = "ink"
    accent: str = ""
    """Accent of inline icons; empty: the colour of the text."""
    bold: str = ""
    italic: str = ""
    bold_italic: str = ""
    kern: bool = True
    hyphens: str = ""
    """The language in which long words are divided at the ends of lines, such as `en_GB`; empty: they are not."""
    deck: bool = False
    """True if all texts of this style have one size on a whole deck: the smallest that any of them needs."""


class SeatFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The marks of a seat: a colour name, a pattern (an ornament or part) and an emblem (an icon)."""

    colour: str
    pattern: str = ""
    emblem: str = ""


class ThemeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`theme.yaml`. `fonts`: key -> `package:File.ttf` or a path inside the project."""

    about: str = ""
    fonts: dict[str, str]
    colours: dict[str, str | Shades]
    styles: dict[str, StyleFile]
    seats: dict[str, SeatFile] = {}
    fallback: list[str] = []
    """Fonts that are asked, in this order, for characters that the font of a style lacks."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A named group of elements; `args` are its argument names with their defaults (null: must be given)."""

    about: str = ""
    args: dict[str, Any] = {}
    items: list[dict[str, Any]]


class FaceFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A face template: elements, drawn in order. `looks`: in how many ways; copies of a piece take turns. `copies`:
    each copy has a face of its own, for serial numbers."""

    about: str = ""
    looks: int | Literal["copies"] = 1
    items: list[dict[str, Any]]


class Template(msgspec.Struct, frozen=True):
    """A face template or part with the source that knows its places; `path` leads to its elements."""

    items: list[dict[str, Any]]
    args: dict[str, Any]
    source: Any
    path: tuple[Any, ...]
    looks: int = 1


class Look(msgspec.Struct, frozen=True):
    """Everything a game's faces are drawn with. `root` is the project folder: images and fonts lie below it."""

    root: Path
    place: str
    """The name in messages of the folder of the game's layouts."""
    theme: ThemeFile
    icons: IconSet
    parts: dict[str, Template]
    faces: dict[str, bytes]
    """Name of a face template -> what its file says."""

    @property
    def by_deck(self) -> bool:
        """True if a face may depend on the others of its deck: some style has one size on all of them."""
        return any(style.deck for style in self.theme.styles.values())

    def colour(self, name: str, ink: str) -> str:
        """`#rrggbb` of a colour name (or of itself), empty for `none`. KeyError: no such colour; ValueError: none."""
        if name.startswith("#"):
            return _hex(name)
        if name in ("none", ""):
            return ""
        shades = self.theme.colours[name]
        return _hex(shades if isinstance(shades, str) else shades.low if ink == "low" else shades.normal)

    def face(self, name: str) -> Template:
        """The face template `name`. Raises DefinitionError."""
        file = f"{self.place}/faces/{name}.yaml"
        if name not in self.faces:
            hint = did_you_mean(name, self.faces, listing="there are") or f"write {name}.yaml"
            what = f"there is no face template '{name}'"
            raise DefinitionError([Problem(code="LAY-003", what=what, file=file, hint=hint)])
        if self.faces[name].lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
            return self._drawn(name)
        from components.yamlsource import yaml_of

        record, source = _record(yaml_of(self.faces[name], file), FaceFile)
        looks = MOST_COPIES if record.looks == "copies" else record.looks
        if record.looks != "copies" and not 1 <= looks <= MOST_LOOKS:
            what = f"there can be 1 to {MOST_LOOKS} looks, found {record.looks}"
            raise DefinitionError([source.problem("LAY-002", what, ("looks",), hint="or `copies`: one for each copy")])
        return Template(record.items, {}, source, ("items",), looks)

    def _drawn(self, name: str) -> Template:
        """A face template that is an SVG."""
        from components.yamlsource import Source
        from generator.faces.svgtemplate import items_of

        file = f"{self.place}/faces/{name}.svg"
        try:
            items = items_of(self.faces[name], self.theme.styles, self.theme.fonts)
        except ValueError as error:
            raise DefinitionError([Problem(code="LAY-007", what=f"the drawing {error}", file=file)]) from None
        return Template(items, {}, Source(file), ("items",))


def _hex(value: str) -> str:
    if not _COLOUR.fullmatch(value):
        raise ValueError(f"'{value}' is not a colour (#rrggbb)")
    digits = value[1:].lower()
    return "#" + ("".join(c + c for c in digits) if len(digits) == 3 else digits)


def called(file: Path, root: Path) -> str:
    """The name of a file in messages: its path from the project folder, if it lies there."""
    return file.relative_to(root).as_posix() if file.is_relative_to(root) else str(file)


def load_look(game_id: str, layouts: Path | None = None) -> Look:
    """Theme, icons, parts and templates of a game; its icons replace shared ones of the same name.

    Raises DefinitionError.
    """
    base = (layouts if layouts is not None else LAYOUTS).resolve()
    root, folder = base.parent, base / game_id
    theme, source = _read(folder / "theme.yaml", ThemeFile, root)
    _check(theme, source, root)
    icons: dict[str, Entry] = {}
    icon_sources: dict[str, Source] = {}
    for file in dict.fromkeys((LAYOUTS / "icons.yaml", base / "icons.yaml", folder / "icons.yaml")):
        if file.is_file():
            found, source = _read(file, dict[str, Entry], root if file.is_relative_to(base) else LAYOUTS.parent)
            icons |= found
            icon_sources |= dict.fromkeys(found, source)
    parts: dict[str, Template] = {}
    for file in (folder / "parts.yaml", *sorted((folder / "parts").glob("*.yaml"))):
        if file.is_file():
            records, source = _read(file, dict[str, Part], root)
            twice = [
                source.problem("LAY-002", f"there is a part '{name}' already", (name,))
                for name in records
                if name in parts
            ]
            if twice:
                raise DefinitionError(twice)
            parts |= {name: Template(part.items, part.args, source, (name, "items")) for name, part in records.items()}
    templates = sorted(file for file in (folder / "faces").glob("*.*") if file.suffix in (".yaml", ".svg"))
    faces = {file.stem: _content(file, root) for file in templates if file.suffix == ".yaml"}
    for file in templates:
        if file.suffix == ".svg" and file.stem in faces:
            what = f"there is a face template '{file.stem}.yaml', too"
            raise DefinitionError([Problem(code="LAY-002", what=what, file=called(file, root), hint="keep one")])
    faces |= {file.stem: _content(file, root) for file in templates if file.suffix == ".svg"}
    drawn = IconSet(icons, icon_sources, _icon_files((base / "icons", folder / "icons"), root))
    return Look(root=root, place=called(folder, root), theme=theme, icons=drawn, parts=parts, faces=faces)


def _icon_files(folders: Iterable[Path], root: Path) -> dict[str, tuple[str, bytes]]:
    """The SVG files in folders of icons, by the name they have as icons. Raises DefinitionError."""
    found: dict[str, tuple[str, bytes]] = {}
    for folder in folders:
        for file in sorted(folder.rglob("*.svg")) if folder.is_dir() else ():
            found[file.stem] = called(file, root), _content(file, root)
    return found


def _check(theme: ThemeFile, source: Source, root: Path) -> None:
    """Refuse names within the theme that lead nowhere, and values that are not colours."""
    problems: list[Problem] = []

    def known(kind: str, name: str, names: Any, path: tuple[Any, ...]) -> None:
        if name not in names:
            hint = did_you_mean(name, names, listing="there are")
            problems.append(source.problem("LAY-003", f"there is no {kind} '{name}'", path, hint=hint))

    for name, address in theme.fonts.items():
        try:
            font_file(address, root)
        except FontError as error:
            problems.append(source.problem(error.code, error.what, ("fonts", name), hint=error.hint))
    for name, shades in theme.colours.items():
        for key, value in [("", shades)] if isinstance(shades, str) else msgspec.structs.asdict(shades).items():
            if not _COLOUR.fullmatch(str(value)):
                path = ("colours", name, key) if key else ("colours", name)
                problems.append(source.problem("LAY-002", f"'{value}' is not a colour (#rrggbb)", path))
    for name, style in theme.styles.items():
        for key in ("font", "bold", "italic", "bold_italic"):
            if getattr(style, key):
                known("font", getattr(style, key), theme.fonts, ("styles", name, key))
        if not style.colour.startswith("#"):
            known("colour", style.colour, theme.colours, ("styles", name, "colour"))
        if style.hyphens and not known_language(style.hyphens):
            what, hint = no_language(style.hyphens)
            problems.append(source.problem("LAY-002", what, ("styles", name, "hyphens"), hint=hint))
        if not 0 <= style.min <= style.size:
            what = f"the floor of {style.min:g} pt is above the size of {style.size:g} pt"
            problems.append(source.problem("LAY-002", what, ("styles", name, "min")))
    for n, font in enumerate(theme.fallback):
        known("font", font, theme.fonts, ("fallback", n))
    for name, seat in theme.seats.items():
        known("colour", seat.colour, theme.colours, ("seats", name, "colour"))
    if problems:
        raise DefinitionError(problems)


def text_style(look: Look, name: str, ink: str, **changes: Any) -> TextStyle:
    """A style of the theme with its colour resolved and `changes` (fields of StyleFile) made. KeyError: none such."""
    style = look.theme.styles[name]
    if changes:
        style = msgspec.structs.replace(style, **changes)
    return TextStyle(
        name=name,
        font=style.font,
        bold=style.bold,
        italic=style.italic,
        bold_italic=style.bold_italic,
        size=style.size,
        min=style.min,
        leading=style.leading,
        tracking=style.tracking,
        upper=style.case == "upper",
        colour=look.colour(style.colour, ink),
        accent=look.colour(style.accent, ink) if style.accent else "",
        kern=style.kern,
        hyphens=style.hyphens,
    )


def _content(file: Path, root: Path) -> bytes:
    """The content of a face template, which is read when a piece needs it. Raises DefinitionError."""
    from components.yamlsource import MAX_BYTES

    try:
        return read_plain(file, MAX_BYTES, root)
    except OSError as error:
        what = f"the file cannot be read: {error.strerror}"
        raise DefinitionError([Problem(code="DEF-001", what=what, file=called(file, root))]) from None


def _read(file: Path, kind: Any, root: Path) -> tuple[Any, Source]:
    """A layout file as a record, and the source that knows its places. Raises DefinitionError."""
    from components.yamlsource import read_yaml

    return _record(read_yaml(file, called(file, root), root), kind)


def _record(source: Source, kind: Any) -> tuple[Any, Source]:
    from components.validate import convert_source

    record, problems = convert_source(source, kind)
    if record is None or problems:
        raise DefinitionError(problems)
    return record, source
