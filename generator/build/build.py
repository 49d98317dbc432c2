"""`build`: from a game and options to files, doing only what has to be done.

This module is what a build with nothing to do needs and no more: it imports neither a YAML reader nor a template engine
nor a PDF library. The work itself is in `generator.build.make`.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec

from components.files import digest_all, digest_of
from components.model import ResolvedGame
from generator.build.manifest import BuildEntry, Manifest, inside, read_manifest, write_manifest
from generator.paper.formats import LAYOUTS
from generator.sheets.sheets import Backs

FORMATS = ("pdf", "svg", "png")
PROGRAM = Path(__file__).resolve().parents[1]
STAGES = ("load", "resolve", "faces", "sheets", "files")
Tell = Callable[[int, int, int], None]
"""Called with the number of the stage (from 1), how much of it is done, and of how much (0: not counted)."""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What to build and how. Whoever makes the options checks the names in them; `out` holds all games' folders."""

    out: Path
    paper: str = "a4"
    backs: Backs = "long"
    formats: tuple[str, ...] = ("pdf",)
    players: int | None = None
    seats: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    sets: dict[str, Any] = {}
    ink: str = "normal"
    cut: Literal["", "auto", "gutter", "shared"] = ""
    changed: bool = False
    only: tuple[str, ...] = ()
    jobs: int = 1
    dpi: int = 300

    @property
    def label(self) -> str:
        """What tells the files of this build from those of another, e.g. `a4-long-low`."""
        words = [self.paper, self.backs, self.cut, "low" if self.ink == "low" else "", *self.variants]
        words += [
            f"{self.players}p" if self.players else "",
            *map(str.lower, self.seats),
            *self.only,
            "changed" if self.changed else "",
        ]
        return "-".join(word.replace("/", "-") for word in words if word)

    def entry(self, kind: str) -> str:
        """The name of the manifest's entry for files of one kind (`pdf`, `svg`, `png`)."""
        return f"{self.label}.{kind}"


class FileReport(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one file: `written`, `unchanged` or `removed` (`kept`: not ours any more, left alone)."""

    name: str
    state: str
    pages: int = 0
    pieces: int = 0


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What a build did. `leaves`: sheets of paper; `pages`: printed sides; `pieces`: copies on them."""

    game: str
    title: str
    folder: str
    paper: str
    leaves: int
    pages: int
    pieces: int
    files: list[FileReport]
    throw_away: dict[str, int] = {}
    """With `changed`: how many printed copies of which piece are no longer right."""
    seconds: float = 0.0


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A build that has something to do."""

    game: ResolvedGame
    options: Options
    project: Path
    folder: Path
    key: str
    program: str
    kinds: tuple[str, ...]


def layouts_of(project: Path) -> Path:
    """The folder with a project's layouts; the package's own if the project has none."""
    folder = project / "layouts"
    return folder if folder.is_dir() else LAYOUTS


def look_files(project: Path, game_id: str) -> list[Path]:
    """Every layout file that the sheets of a game may depend on: the shared ones and the game's own."""
    found: set[Path] = set()
    for base in {LAYOUTS, layouts_of(project).resolve()}:
        found.update(file for file in base.glob("*.yaml") if file.is_file())
        found.update(file for file in (base / game_id).rglob("*") if file.is_file())
    return sorted(found)


def program_digest() -> str:
    """Digest of the program that draws and lays out: any change in it makes everything be made again."""
    return digest_all(file for file in PROGRAM.rglob("*.py") if file.parent.name != "cli")


def input_key(game: ResolvedGame, options: Options, project: Path, program: str) -> str:
    """Digest of everything that the files of a build depend on."""
    look = digest_all(look_files(project, game.id))
    o = options
    said = repr((o.paper, o.backs, o.cut, o.ink, o.changed, o.only, o.seats, o.dpi))
    total = hashlib.sha256(f"{game.fingerprint} {program} {look} {said}".encode())
    if options.changed:
        from generator.build.printed import record_file

        total.update(digest_of(record_file(project, game.id)).encode())
    return total.hexdigest()


def is_current(entry: BuildEntry | None, key: str, folder: Path) -> bool:
    """Whether a build of the manifest came from the same input and its files are still there as they were written."""
    if entry is None or entry.key != key:
        return False
    for made in entry.files:
        file = inside(folder, made.name)
        if file is None or digest_of(file) != made.sha256:
            return False
    return True


def build(game_id: str, options: Options, project: Path, tell: Tell) -> Report:
    """Bring the files of a game up to date and say what was done.

    Raises DefinitionError (the game's YAML), FaceError and LayoutError (its faces), ImposeError (its sheets),
    NothingToBuild (`only` fits no piece) and OSError.
    """
    started = time.perf_counter()
    tell(1, 0, 0)
    folder = options.out / game_id
    program = program_digest()
    tell(2, 0, 0)
    game = resolve(game_id, options, project)
    key = input_key(game, options, project, program)
    manifest = read_manifest(folder, game_id)
    stale = tuple(
        kind for kind in options.formats if not is_current(manifest.builds.get(options.entry(kind)), key, folder)
    )
    if stale:
        from generator.build.make import make

        job = Job(game=game, options=options, project=project, folder=folder, key=key, program=program, kinds=stale)
        done = make(job, manifest, tell)
    else:
        done = []
    _to_the_end(manifest, [options.entry(kind) for kind in options.formats], folder, written=bool(stale))
    return report(game, options, manifest, folder, done, time.perf_counter() - started)


def resolve(game_id: str, options: Options, project: Path) -> ResolvedGame:
    """The game as the options ask for it."""
    from components.resolve import resolve_for_seats, resolve_game

    if options.seats:
        return resolve_for_seats(game_id, options.seats, variants=options.variants, sets=options.sets, root=project)
    return resolve_game(game_id, variants=options.variants, sets=options.sets, root=project, players=options.players)


def _to_the_end(manifest: Manifest, names: list[str], folder: Path, *, written: bool) -> None:
    """The builds just asked for are the newest: put them last, and write the manifest if that changes it."""
    if not written and list(manifest.builds)[-len(names) :] == names:
        return
    for name in names:
        manifest.builds[name] = manifest.builds.pop(name)
    write_manifest(folder, manifest)


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
        throw_away=first.throw_away,
        seconds=seconds,
    )
