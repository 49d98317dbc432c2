"""Papers and piece formats: the shapes and sizes of `layouts/papers.yaml` and `layouts/formats.yaml`.

All lengths are millimetres. `Format.w` and `Format.h` are always the size of *one face*, which is what a face template
draws on; `Format.flat` is the size of the piece as it lies on the sheet before it is folded.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import msgspec

LAYOUTS = Path(__file__).resolve().parent.parent / "layouts"
"""The layouts that come with the package: papers, formats, sheets, icons and the faces of the games."""

Shape = Literal["rect", "circle", "hex", "standee"]


class Paper(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A paper, upright: `w` <= `h`. Nothing that matters is printed in the outermost `margin`."""

    name: str = ""
    title: str
    w: float
    h: float
    margin: float


class Format(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A piece format. `w` x `h` is one trimmed face; `bleed` is drawn beyond the cut, `safe` kept free inside it."""

    name: str = ""
    title: str
    file: str
    shape: Shape
    w: float
    h: float
    bleed: float
    safe: float
    corner: float = 0.0
    foot: float = 0.0

    @property
    def flat(self) -> tuple[float, float]:
        """Width and height of the cut piece lying flat. A standee is a column: foot, back (head down), front, foot."""
        if self.shape == "standee":
            return self.w, 2 * (self.h + self.foot)
        return self.w, self.h

    @property
    def folds(self) -> tuple[float, ...]:
        """Distances of the fold lines from the upper edge of the flat piece; all run from side to side."""
        if self.shape != "standee":
            return ()
        ridge = self.foot + self.h
        return (self.foot, ridge, ridge + self.h) if self.foot else (ridge,)


def read_layout(file: Path, key: str) -> dict[str, dict[str, Any]]:
    """The mapping below `key` of a layout file. Raises DefinitionError with the place of whatever is wrong."""
    import yaml

    data = yaml.safe_load(file.read_text(encoding="utf-8"))
    found: dict[str, dict[str, Any]] = data[key]
    return found


def layout_files(name: str, layouts: Path | None = None) -> list[Path]:
    """Where the shared layout file `name` is read from: the package's own, then a project's own, which wins."""
    files = [LAYOUTS / name]
    if layouts is not None and layouts.resolve() != LAYOUTS and (layouts / name).is_file():
        files.append(layouts / name)
    return files


def load_papers(layouts: Path | None = None) -> dict[str, Paper]:
    """All papers by name; those of `layouts/papers.yaml` in a project replace the package's of the same name."""
    return {
        name: msgspec.convert(data | {"name": name}, Paper)
        for file in layout_files("papers.yaml", layouts)
        for name, data in read_layout(file, "papers").items()
    }


def load_formats(layouts: Path | None = None) -> dict[str, Format]:
    """All piece formats by name; a project's `layouts/formats.yaml` replaces the package's of the same name."""
    return {
        name: msgspec.convert(data | {"name": name}, Format)
        for file in layout_files("formats.yaml", layouts)
        for name, data in read_layout(file, "formats").items()
    }


def sort_formats(names: Iterable[str], formats: dict[str, Format]) -> list[str]:
    """Format names in the order in which the formats are listed, which is the order of the sheets in a document."""
    order = {name: n for n, name in enumerate(formats)}
    return sorted(set(names), key=lambda name: order[name])
