"""How a game looks: its theme, icons, parts and face templates, read from `layouts/` and `layouts/<game>/`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

from generator.expressions import nearest
from generator.formats import LAYOUTS
from generator.icons import IconSet, IconShape
from generator.text import TextStyle

Ink = Literal["normal", "low"]


class LayoutError(Exception):
    """A layout file that cannot be used; the message begins with the file."""


class Shades(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A colour with its variant for the low-ink face."""

    normal: str
    low: str


class StyleFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A style as it stands in `theme.yaml`; sizes in pt, leading in multiples of the size, tracking in ems."""

    font: str
    size: float
    min: float = 0.0
    leading: float = 1.2
    tracking: float = 0.0
    case: Literal["upper", "none"] = "none"
    colour: str = "ink"
    bold: str = ""
    italic: str = ""
    bold_italic: str = ""
    kern: bool = True


class SeatFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a seat is told apart: a colour name, a pattern (an ornament or part) and an emblem (an icon)."""

    colour: str
    pattern: str = ""
    emblem: str = ""


class ThemeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`theme.yaml`."""

    about: str = ""
    fonts: dict[str, str]
    colours: dict[str, str | Shades]
    styles: dict[str, StyleFile]
    seats: dict[str, SeatFile] = {}


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A named group of elements; `args` are its argument names with their defaults (None: must be given)."""

    about: str = ""
    args: dict[str, Any] = {}
    items: list[dict[str, Any]]


class FaceFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A face template."""

    about: str = ""
    items: list[dict[str, Any]]


class Look(msgspec.Struct):
    """Everything a game's faces are drawn with. `root` is the project folder: images and fonts lie below it."""

    root: Path
    folder: Path
    theme: ThemeFile
    icons: IconSet
    parts: dict[str, Part]

    def colour(self, name: str, ink: str) -> str:
        """`#rrggbb` of a colour name (or of itself), empty for `none`. KeyError: no such colour."""
        if name.startswith("#"):
            return _hex(name)
        if name in ("none", ""):
            return ""
        shades = self.theme.colours[name]
        return _hex(shades if isinstance(shades, str) else shades.low if ink == "low" else shades.normal)

    def face(self, name: str) -> FaceFile:
        """The face template `name`. Raises LayoutError if there is none."""
        file = self.folder / "faces" / f"{name}.yaml"
        if not file.is_file():
            known = [path.stem for path in (self.folder / "faces").glob("*.yaml")]
            raise LayoutError(f"{self.folder / 'faces'}: no face template '{name}'{nearest(name, known)}")
        return _read(file, FaceFile)


def _hex(value: str) -> str:
    digits = value[1:]
    if value[:1] != "#" or len(digits) not in (3, 6) or any(c not in "0123456789abcdefABCDEF" for c in digits):
        raise ValueError(f"'{value}' is not a colour (#rrggbb)")
    return "#" + ("".join(c + c for c in digits) if len(digits) == 3 else digits).lower()


def load_look(game_id: str, layouts: Path | None = None) -> Look:
    """Theme, icons and parts of a game. Icons of the game replace shared ones of the same name."""
    base = layouts if layouts is not None else LAYOUTS
    folder = base / game_id
    if not (folder / "theme.yaml").is_file():
        raise LayoutError(f"{folder}: the game has no theme.yaml")
    icons: dict[str, list[IconShape]] = {}
    for file in (LAYOUTS / "icons.yaml", base / "icons.yaml", folder / "icons.yaml"):
        if file.is_file():
            icons |= _read(file, dict[str, list[IconShape]])
    parts = folder / "parts.yaml"
    return Look(
        root=base.resolve().parent,
        folder=folder,
        theme=_read(folder / "theme.yaml", ThemeFile),
        icons=IconSet(icons),
        parts=_read(parts, dict[str, Part]) if parts.is_file() else {},
    )


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
        kern=style.kern,
    )


def _read(file: Path, type_: Any) -> Any:
    import yaml

    try:
        return msgspec.convert(yaml.safe_load(file.read_text(encoding="utf-8")), type_)
    except (yaml.YAMLError, msgspec.ValidationError) as problem:
        raise LayoutError(f"{file}: {problem}") from None
