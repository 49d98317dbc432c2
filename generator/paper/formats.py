"""Papers and piece formats: the shapes and sizes of `layouts/papers.yaml` and `layouts/formats.yaml`.

All lengths are millimetres. `Format.w` and `Format.h` are always the size of *one face*, which is what a face template
draws on; `Format.flat` is the size of the piece as it lies on the sheet before it is folded.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import msgspec

LAYOUTS = Path(__file__).resolve().parents[2] / "layouts"
"""The layouts that come with the package: papers, formats, sheets, icons and the faces of the games."""

Shape = Literal["rect", "circle", "hex", "standee"]
Length = Annotated[float, msgspec.Meta(gt=0, le=2000)]
Margin = Annotated[float, msgspec.Meta(ge=0, le=50)]
FileName = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[a-z0-9][a-z0-9-]{0,39}(?!\n)$",
        description="1 to 40 small letters (a to z), digits and '-', beginning with a letter or digit",
    ),
]
"""The name of the file that a format is printed into."""
T = TypeVar("T")


class Paper(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A paper, upright: `w` <= `h`.

    Cuts, marks and texts keep off the edge by `margin`; bleed may go on beyond it. `reach`: what printers leave white.
    """

    name: str = ""
    title: str
    w: Length
    h: Length
    margin: Margin
    reach: Margin = 4.2


class Format(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A piece format. `w` x `h` is one trimmed face; `bleed` is drawn beyond the cut, `safe` kept free inside it.

    `fold` says how a flat piece is folded whose fold lines its face draws itself. Templates draw on a face of `w` and
    `h` divided by `scale`, which is then printed that much smaller.
    """

    name: str = ""
    title: str
    file: FileName
    shape: Shape
    w: Length
    h: Length
    bleed: Margin
    safe: Margin
    corner: Margin = 0.0
    foot: Margin = 0.0
    fold: str = ""
    scale: Annotated[float, msgspec.Meta(ge=0.5, le=2)] = 1.0

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


class PapersFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`papers.yaml`."""

    papers: dict[str, Paper]


class FormatsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`formats.yaml`."""

    formats: dict[str, Format]


def read_layout(file: Path, kind: type[T], root: Path | None = None) -> T:
    """A layout file as a record. `root` is the project's folder; None: the one above the folder of the file. Raises
    DefinitionError with the place of everything that is wrong in it."""
    from components.errors import DefinitionError
    from components.validate import convert_source
    from components.yamlsource import read_yaml

    inside = root or file.parent.parent
    shown = file.relative_to(inside).as_posix() if file.is_relative_to(inside) else str(file)
    source = read_yaml(file, shown, inside=inside)
    record, problems = convert_source(source, kind)
    if record is None or problems:
        raise DefinitionError(problems)
    return record


def layout_files(name: str, layouts: Path | None = None) -> list[Path]:
    """The files from which the shared layout `name` is read: the package's own, then a project's own, which wins."""
    files = [LAYOUTS / name]
    if layouts is not None and layouts.resolve() != LAYOUTS and (layouts / name).is_file():
        files.append(layouts / name)
    return files


def load_papers(layouts: Path | None = None) -> dict[str, Paper]:
    """All papers by name; a project's `layouts/papers.yaml` replaces the package's of the same name."""
    return {
        name: msgspec.structs.replace(paper, name=name)
        for file in layout_files("papers.yaml", layouts)
        for name, paper in read_layout(file, PapersFile).papers.items()
    }


def load_formats(layouts: Path | None = None) -> dict[str, Format]:
    """All piece formats by name; a project's `layouts/formats.yaml` replaces the package's of the same name."""
    return {
        name: msgspec.structs.replace(fmt, name=name)
        for file in layout_files("formats.yaml", layouts)
        for name, fmt in read_layout(file, FormatsFile).formats.items()
    }


def sort_formats(names: Iterable[str], formats: dict[str, Format]) -> list[str]:
    """Format names in the order in which the formats are listed, which is the order of the sheets in a document."""
    order = {name: n for n, name in enumerate(formats)}
    return sorted(set(names), key=lambda name: order[name])
