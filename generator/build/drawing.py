"""The faces of a game, from the cache where nothing they depend on changed."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from components.errors import Problem
from components.model import ResolvedPiece
from generator.build.facecache import FaceCache, FaceKeys, Stored
from generator.build.options import Job, Tell
from generator.build.project import Layouts
from generator.faces.facemaker import FaceError, FaceMaker


class Drawn(msgspec.Struct):
    """The faces of a game: for each piece (`set/piece`) the hashes of front and back, and every face by its hash.

    `fronts`: of a piece whose copies have several looks the hash of each, the first of them as in `sides`.
    """

    sides: dict[str, tuple[str, str]]
    fronts: dict[str, list[str]]
    faces: dict[str, Stored]


def draw(job: Job, layouts: Layouts, pieces: list[ResolvedPiece], ink: str, tell: Tell) -> Drawn:
    """Front and back of every piece. Raises FaceError with every problem of every piece."""
    cache = FaceCache(job.places.faces(job.game.id), layouts.look.root)
    keys = FaceKeys(job.game, layouts, job.program, ink, cache)
    maker: FaceMaker | None = None
    drawn = Drawn(sides={}, fronts={}, faces={})
    problems: list[Problem] = []
    for n, piece in enumerate(pieces):
        tell(3, n, len(pieces))
        sides = ["", ""]
        looks: list[str] = []
        wanted = [(0, piece.face, look) for look in range(keys.looks(piece))] + [(1, piece.back, 0)] * bool(piece.back)
        for side, template, look in wanted:
            key = f"{keys.key(piece, template)}{side}{f'.{look}' if look else ''}"
            stored = cache.get(key)
            if stored is None:
                maker = maker or layouts.faces(job.game, ink)
                try:
                    face = maker.back(piece) if side else maker.front(piece, look)
                except FaceError as error:
                    problems += error.problems
                    continue
                assert face is not None
                stored = cache.put(key, face, maker.pictures(template))
            drawn.faces[stored.hash] = stored
            if not look:
                sides[side] = stored.hash
            if not side:
                looks.append(stored.hash)
        if len(looks) > 1:
            drawn.fronts[f"{piece.set}/{piece.id}"] = looks
        drawn.sides[f"{piece.set}/{piece.id}"] = (sides[0], sides[1])
    if problems:
        raise FaceError(merged(problems))
    cache.save()
    tell(3, len(pieces), len(pieces))
    return drawn


def merged(problems: Iterable[Problem]) -> list[Problem]:
    """Problems that several pieces share, said once: a template that is wrong is wrong for the whole deck."""
    by_fault: dict[tuple[str, int, int, str], list[Problem]] = {}
    for problem in problems:
        _, _, fault = problem.what.partition(": ")
        by_fault.setdefault((problem.file, problem.line, problem.column, fault or problem.what), []).append(problem)
    found: list[Problem] = []
    for (*_, fault), alike in by_fault.items():
        pieces = list(dict.fromkeys(problem.what.partition(": ")[0] for problem in alike))
        more = f"{pieces[0]} and {len(pieces) - 1} more: {fault}" if len(pieces) > 1 else alike[0].what
        found.append(msgspec.structs.replace(alike[0], what=more))
    return found
