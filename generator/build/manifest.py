"""`output/<game>/manifest.json`: what a build made, so that the next one knows what it may leave alone.

One entry for each build that was asked for (paper, backs, ink … and output format), because building for Letter must
not take away the A4 sheets.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from components.files import write_whole
from components.plainfiles import read_plain
from generator.build.sealed import sealed, unsealed

VERSION = 2
NAME = "manifest.json"


class PieceEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A piece as it is on the table once the build is printed. `says`: what it shows, for people to compare."""

    piece: str
    copies: int
    front: str
    back: str = ""
    format: str = ""
    says: dict[str, Any] = {}


class SheetEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One printed side: where it is and how many of each piece lie on it."""

    name: str
    title: str
    side: str
    file: str
    page: int
    pieces: dict[str, int]


class FileEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One file. `key` stands for everything it was made from."""

    name: str
    sha256: str
    key: str
    pages: int
    pieces: int = 0


class BuildEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One build. `key` stands for all input and options.

    `pieces` are what lies on the table once this is printed; `whole`: all of the game's, not only those asked for.
    `printed` counts the copies on the sheets; `throw_away` the copies of earlier prints that they replace.
    """

    key: str
    fingerprint: str
    options: dict[str, Any]
    paper: str
    leaves: int
    printed: int
    whole: bool
    files: list[FileEntry]
    sheets: list[SheetEntry]
    pieces: list[PieceEntry]
    modules: dict[str, int] = {}
    """Module -> sheets it adds to the base game."""
    throw_away: dict[str, int] = {}
    inputs: dict[str, str] = {}
    """Files of the project outside of its components and layouts that the build used, with their digests."""


class Manifest(msgspec.Struct, kw_only=True):
    """All builds of a game in one folder, the newest last."""

    version: int = VERSION
    game: str
    title: str = ""
    builds: dict[str, BuildEntry] = {}
    digest: str = ""
    """Of everything else in it: a manifest that was changed by anybody but us is not trusted."""


def read_manifest(folder: Path, game: str) -> Manifest:
    """The manifest in `folder`; an empty one if there is none, or it was damaged or changed."""
    found = None
    with suppress(OSError):
        found = unsealed(read_plain(folder / NAME), Manifest)
    if found is None or found.version != VERSION or found.game != game:
        return Manifest(game=game)
    return found


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest whole, with its digest; `folder` is the game's, in the folder of all games' output."""
    write_whole(folder / NAME, sealed(manifest), below=folder.parent)


def inside(folder: Path, name: str) -> Path | None:
    """The file `name` of a manifest, or None if the name leads out of the folder (somebody edited the manifest)."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        return None
    file = folder.joinpath(*path.parts)
    return file if file.resolve().is_relative_to(folder.resolve()) else None
