"""`build`: from a game and options to files, doing only what has to be done.

This module is what a build with nothing to do needs and no more: it imports neither a YAML reader nor a template engine
nor a PDF library. The work itself is in `generator.build.stages`.
"""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import TYPE_CHECKING

from components.files import digest_all, digest_of
from components.model import ResolvedGame
from generator.build.manifest import BuildEntry, Manifest, inside, read_manifest, write_manifest
from generator.build.options import Job, Options, Tell
from generator.build.places import Places, look_files
from generator.build.reports import FileReport, Report, report

if TYPE_CHECKING:
    from components.kept import Kept

GENERATOR = Path(__file__).resolve().parents[1]
COMPONENTS = GENERATOR.parent / "components"


def program_digest() -> str:
    """Digest of the program that draws and lays out: any change in it makes everything be made again."""
    own = [file for file in GENERATOR.rglob("*.py") if file.parent.name != "cli"]
    return digest_all([*own, *COMPONENTS.glob("*.py")])


def input_key(job: Job) -> str:
    """Digest of everything in components, layouts and options that the files of a build depend on."""
    look = digest_all(look_files(job.places, job.game.id))
    o = job.options
    said = repr((o.paper, o.backs, o.cut, o.ink, o.changed, o.only, o.seats, o.dpi, o.back_shift))
    total = hashlib.sha256(f"{job.game.fingerprint} {job.program} {look} {said}".encode())
    if o.changed:
        total.update(digest_of(job.places.record(job.game.id)).encode())
    return total.hexdigest()


def is_current(entry: BuildEntry | None, key: str, folder: Path, root: Path) -> bool:
    """True if a build of the manifest came from the same input and its files are unchanged. `root`: the folder from
    which the pictures and fonts of the project are named."""
    if entry is None or entry.key != key:
        return False
    for made in entry.files:
        file = inside(folder, made.name)
        if file is None or digest_of(file) != made.sha256:
            return False
    return all(digest_of(root / name) == sha256 for name, sha256 in entry.inputs.items())


def build(game_id: str, options: Options, places: Places, tell: Tell) -> Report:
    """Bring the files of a game up to date and say what was done.

    Raises DefinitionError (the game's YAML), FaceError and LayoutError (its faces), ImposeError (its sheets),
    NothingToBuild (`only` fits no piece), NoSuchPaper, NotPrinted (`changed`) and OSError.
    """
    started = time.perf_counter()
    tell(1, 0, 0)
    program = program_digest()
    tell(2, 0, 0)
    job = Job(game=resolve(game_id, options, places), options=options, places=places, program=program)
    key, folder, root = input_key(job), job.folder, places.layouts.resolve().parent
    manifest = read_manifest(folder, game_id)
    stale = [
        kind for kind in options.formats if not is_current(manifest.builds.get(options.entry(kind)), key, folder, root)
    ]
    done: list[FileReport] = []
    if stale:
        from generator.build.stages import make

        done = make(job, key, stale, manifest, tell)
    _to_the_end(manifest, [options.entry(kind) for kind in options.formats], folder, written=bool(stale))
    return report(job.game, options, manifest, folder, done, time.perf_counter() - started)


def resolve(game_id: str, options: Options, places: Places, kept: Kept | None = None) -> ResolvedGame:
    """The game as the options ask for it. `kept`: as for `resolve_game`."""
    from components.resolve import resolve_for_seats, resolve_game

    variants, sets = options.variants, options.sets
    root, cached = places.project, places.resolved
    if options.seats:
        return resolve_for_seats(
            game_id,
            options.seats,
            variants=variants,
            sets=sets,
            root=root,
            modules=options.modules,
            cache_dir=cached,
        )
    return resolve_game(
        game_id,
        variants=variants,
        sets=sets,
        root=root,
        players=options.players,
        modules=options.modules,
        cache_dir=cached,
        kept=kept,
    )


def _to_the_end(manifest: Manifest, names: list[str], folder: Path, *, written: bool) -> None:
    """The builds just asked for are the newest: put them last, and write the manifest if that changes it."""
    if not written and list(manifest.builds)[-len(names) :] == names:
        return
    for name in names:
        manifest.builds[name] = manifest.builds.pop(name)
    write_manifest(folder, manifest)
