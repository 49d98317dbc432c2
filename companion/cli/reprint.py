"""The pieces to print again under other rules. The generator draws both, and is imported only when needed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.lab.results import Reprint
    from components.model import ResolvedGame
    from generator.build.manifest import PieceEntry
    from generator.build.places import Places


def reprints(before: ResolvedGame, after: ResolvedGame) -> list[Reprint] | None:
    """The pieces whose printed faces or copies differ; None for a game that cannot be drawn, which `pnp check` says."""
    import platformdirs

    from companion.cli.common import Settings
    from companion.lab.results import Reprint
    from components.errors import DefinitionError
    from components.projects import project_root
    from generator.build.places import Places
    from generator.build.printed import compare

    if before.fingerprint == after.fingerprint:
        return []
    cache = Path(platformdirs.user_cache_dir("tablewright", appauthor=False))
    own = Path(before.project) if before.project else project_root()
    places = Places(project=Settings.root if Settings.named and Settings.root else own, cache=cache)
    try:
        found = compare(_entries(before, places), _entries(after, places))
    except (DefinitionError, OSError):
        return None
    return [Reprint(piece=one.piece, kind=one.kind, copies=one.to_print, says=one.says) for one in found]


def _entries(game: ResolvedGame, places: Places) -> list[PieceEntry]:
    """The pieces as they would be printed in normal ink."""
    from generator.build.changes import entries
    from generator.build.drawing import draw
    from generator.build.incremental import program_digest
    from generator.build.options import Job, Options
    from generator.build.project import read_layouts

    layouts = read_layouts(game.id, places)
    job = Job(game=game, options=Options(out=places.project / "output"), places=places, program=program_digest())
    return entries(game.pieces, draw(job, layouts, game.pieces, "normal", lambda *_: None))


__all__ = ["reprints"]
