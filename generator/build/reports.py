"""Reports on a build, for people and as JSON."""

from __future__ import annotations

from pathlib import Path

import msgspec

from components.model import ResolvedGame
from generator.build.manifest import Manifest
from generator.build.options import Options


class FileReport(msgspec.Struct, frozen=True, kw_only=True):
    """The result for one file: `written`, `unchanged` or `removed` (`kept`: not ours any more, left alone)."""

    name: str
    state: str
    pages: int = 0
    pieces: int = 0


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a build. `leaves`: sheets of paper; `pages`: printed sides; `pieces`: copies on them."""

    game: str
    title: str
    folder: str
    paper: str
    leaves: int
    pages: int
    pieces: int
    files: list[FileReport]
    modules: dict[str, int] = {}
    """Module -> how many sheets it adds to those of the base game; empty for a game without modules."""
    throw_away: dict[str, int] = {}
    """With `changed`: how many printed copies of which piece are no longer right."""
    seconds: float = 0.0


def report(
    game: ResolvedGame, options: Options, manifest: Manifest, folder: Path, done: list[FileReport], seconds: float
) -> Report:
    """The report of a build whose entries are in the manifest; `done`: the files that were touched."""
    entries = [manifest.builds[options.entry(kind)] for kind in options.formats]
    first = entries[0]
    touched = {file.name: file for file in done}
    files = [
        touched.pop(made.name, FileReport(name=made.name, state="unchanged", pages=made.pages, pieces=made.pieces))
        for entry in entries
        for made in entry.files
    ]
    return Report(
        game=game.id,
        title=game.title,
        folder=str(folder),
        paper=first.paper,
        leaves=first.leaves,
        pages=len(first.sheets),
        pieces=first.printed,
        files=[*files, *touched.values()],
        modules=first.modules,
        throw_away=first.throw_away,
        seconds=seconds,
    )
