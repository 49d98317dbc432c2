"""`build`: from a game and options to files, doing only what has to be done.

This module is what a build with nothing to do needs and no more: it imports neither a YAML reader nor a template engine
nor a PDF library. The work itself is in `generator.build.stages`.
"""

from __future__ import annotations

import hashlib
import time
from pathlib import Path

from components.files import digest_all, digest_of
from components.model import ResolvedGame
from generator.build.manifest import BuildEntry, Manifest, inside, read_manifest, write_manifest
from generator.build.options import Job, Options, Tell
from generator.build.project import look_files
from generator.build.reports import Report, report

PROGRAM = Path(__file__).resolve().parents[1]


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
        from generator.build.stages import make

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
