"""Options of a build: its contents and its form."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec

from components.model import ResolvedGame
from generator.build.places import Places
from generator.sheets.sheets import Backs

FORMATS = ("pdf", "svg", "png")
ONE_PDF = "one-pdf"
"""The kind of file that `--one-pdf` makes in place of a PDF for each document."""
STAGES = ("load", "resolve", "faces", "sheets", "files")
Tell = Callable[[int, int, int], None]
"""Called with the number of the stage (from 1), how much of it is done, and of how much (0: not counted)."""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """Options of a build. The caller has checked the names in them; `out` holds all games' folders."""

    out: Path
    paper: str = "a4"
    backs: Backs = "long"
    formats: tuple[str, ...] = ("pdf",)
    players: int | None = None
    seats: tuple[str, ...] = ()
    modules: tuple[str, ...] | None = None
    """The modules to print beside the base game; None: all."""
    variants: tuple[str, ...] = ()
    sets: dict[str, Any] = {}
    ink: str = "normal"
    back_shift: tuple[float, float] | None = None
    """The shift right and down of printed backs, seen from the back (mm); None: that of `sheets.yaml`."""
    cut: Literal["", "auto", "gutter", "shared", "machine"] = ""
    changed: bool = False
    only: tuple[str, ...] = ()
    jobs: int = 1
    dpi: int = 300

    @property
    def label(self) -> str:
        """The label that sets this build's files apart from others, e.g. `a4-long-low`."""
        words = [self.paper, self.backs, self.cut, "low" if self.ink == "low" else "", *self.variants]
        words += [
            f"{self.players}p" if self.players else "",
            *map(str.lower, self.seats),
            *(self.modules or ()),
            *self.only,
            "changed" if self.changed else "",
        ]
        return "-".join(word.replace("/", "-") for word in words if word)

    def entry(self, kind: str) -> str:
        """The name of the manifest's entry for files of one kind (`pdf`, `one-pdf`, `svg`, `png`)."""
        return f"{self.label}.{kind}"


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A game to be drawn and laid out. `program`: digest of the code that does it."""

    game: ResolvedGame
    options: Options
    places: Places
    program: str

    @property
    def folder(self) -> Path:
        """The folder for the files of the game."""
        return self.options.out / self.game.id
