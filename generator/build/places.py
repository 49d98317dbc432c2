"""The folders a command works with, and the files in them that sheets depend on."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from components.plainfiles import is_plain
from components.projects import project_root
from generator.paper.formats import LAYOUTS


class Places(msgspec.Struct, frozen=True, kw_only=True):
    """The folders a command works with. The command line chooses them; nothing below it looks for folders."""

    project: Path
    """Holds `components/` and `layouts/`."""
    cache: Path | None = None
    """The folder of files that may be thrown away: resolved games, drawn faces, metrics of fonts. None: nothing is
    kept."""
    epoch: int | None = None
    """The date of documents, in seconds since 1970; None: that of the newest file they were made from."""
    records: Path = Path()
    """The folder of records that must be kept: the printed pieces."""

    @property
    def layouts(self) -> Path:
        """The folder with the project's layouts; the package's own if the project has none."""
        folder = self.project / "layouts"
        return folder if folder.is_dir() else LAYOUTS

    def kept(self, what: str) -> Path | None:
        """The folder of the cache for `what`."""
        return self.cache / what if self.cache is not None else None

    def _of_game(self, what: str, game: str, ending: str) -> Path | None:
        """A file of the cache for one game of this project."""
        folder = self.kept(what)
        return folder / f"{game}-{_mark(self.project)}{ending}" if folder is not None else None

    @property
    def resolved(self) -> Path | None:
        """The folder of resolved games."""
        return self.kept("resolved")

    def faces(self, game: str) -> Path | None:
        """The file of a game's drawn faces, kept between builds."""
        return self._of_game("faces", game, ".msgpack")

    def fragments(self, game: str) -> Path | None:
        """The file with the SVG of a game's faces, for pictures of its table."""
        return self._of_game("faces", game, ".svg.msgpack")

    def tabletop(self, game: str) -> Path | None:
        """The file with the pictures from which pages put a table together."""
        return self._of_game("faces", game, ".webp.msgpack")

    def checked(self, game: str) -> Path | None:
        """The file with the keys of faces that `check` found in order."""
        return self._of_game("checked", game, ".msgpack")

    def told(self, game: str) -> Path | None:
        """The file with the keys of examples and positions that the companion played without a fault."""
        return self._of_game("checked", game, ".told.msgpack")

    def templates(self, game: str) -> Path | None:
        """The file in which `check` keeps the dependencies of a game's face templates."""
        return self._of_game("checked", game, ".templates.msgpack")

    def exported(self, game: str) -> Path | None:
        """The file that records the written pictures of a game's faces."""
        return self._of_game("exported", game, ".msgpack")

    def counted(self, game: str) -> Path | None:
        """The file that records the number of sheets for a game's pieces, with a module more or less."""
        return self._of_game("sheets", game, ".msgpack")

    def record(self, game: str) -> Path:
        """The record of a game's printed pieces. Games of different projects have records of their own."""
        own = self.project.resolve() == project_root()
        return self.records / (f"{game}.json" if own else f"{game}-{_mark(self.project)}.json")


def _mark(project: Path) -> str:
    return hashlib.sha256(str(project.resolve()).encode()).hexdigest()[:8]


def dated(places: Places, game: str) -> int:
    """The date of a document of a game: that of its newest file, if none is set."""
    if places.epoch is not None:
        return places.epoch
    own = (places.project / "components" / game).rglob("*.yaml")
    return max((int(file.stat().st_mtime) for file in (*own, *look_files(places, game))), default=0)


def look_files(places: Places, game: str) -> list[Path]:
    """Every layout file that the sheets of a game may depend on: the shared ones and the game's own."""
    found: set[Path] = set()
    for base in {LAYOUTS, places.layouts.resolve()}:
        files = (*base.glob("*.yaml"), *(base / game).rglob("*"))
        found.update(file for file in files if is_plain(file, base.parent))
    return sorted(found)
