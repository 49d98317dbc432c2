"""The faces of a game, from the cache where nothing they depend on changed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import msgspec

from components.errors import Problem
from components.model import ResolvedPiece
from components.processes import shared
from generator.build.facecache import FaceCache, FaceKeys, Stored
from generator.build.joins import reach
from generator.build.options import Job, Tell
from generator.build.pieceplaces import placed
from generator.build.project import Layouts
from generator.faces.edges import edge_colours
from generator.faces.facemaker import FaceError

QUICK = 0.08
"""So many seconds of work are not worth the start of other processes."""
PORTION = 12
"""Faces that a process draws in one go."""


class Drawn(msgspec.Struct):
    """The faces of a game: for each piece (`set/piece`) the hashes of front and back, and every face by its hash.

    `fronts`: of a piece whose copies have several looks the hash of each, the first of them as in `sides`.
    """

    sides: dict[str, tuple[str, str]]
    fronts: dict[str, list[str]]
    faces: dict[str, Stored]


class Side(NamedTuple):
    """One side of a piece in one of its looks, and the key of its face."""

    piece: ResolvedPiece
    back: bool
    look: int
    key: str

    @property
    def template(self) -> str:
        return self.piece.back if self.back else self.piece.face

    @property
    def deck(self) -> tuple[str, str, str]:
        """The key that all faces of a deck share."""
        return self.piece.set, self.template, self.piece.format


def draw(job: Job, layouts: Layouts, pieces: list[ResolvedPiece], ink: str, tell: Tell) -> Drawn:
    """Front and back of every piece. Raises FaceError with every problem of every piece."""
    tell(3, 0, len(pieces))
    cache = FaceCache(job.places.faces(job.game.id), layouts.look.root)
    keys = FaceKeys(job.game, layouts, job.program, ink, cache)
    sides = [
        Side(piece, back, look, f"{keys.key(piece, template)}{int(back)}{f'.{look}' if look else ''}")
        for piece in pieces
        for back, template in ((False, piece.face), (True, piece.back))
        if template
        for look in range(1 if back else keys.looks(piece))
    ]
    problems = _draw_missing([side for side in sides if cache.get(side.key) is None], job, layouts, ink, cache, tell)
    if problems:
        raise FaceError(placed(merged(problems), job.game.id, job.places.project))
    drawn = Drawn(sides={}, fronts={}, faces={})
    looks: dict[str, list[str]] = {}
    for side in sides:
        stored = cache.get(side.key)
        assert stored is not None
        drawn.faces[stored.hash] = stored
        name = f"{side.piece.set}/{side.piece.id}"
        if side.back:
            drawn.sides[name] = (looks[name][0], stored.hash)
        else:
            looks.setdefault(name, []).append(stored.hash)
            drawn.sides[name] = (looks[name][0], "")
    drawn.fronts = {name: fronts for name, fronts in looks.items() if len(fronts) > 1}
    cache.save()
    tell(3, len(pieces), len(pieces))
    return drawn


def _draw_missing(
    missing: list[Side], job: Job, layouts: Layouts, ink: str, cache: FaceCache, tell: Tell
) -> list[Problem]:
    """Draw faces that the cache lacks, put them there, and return what is wrong with the others."""
    maker = layouts.faces(job.game, ink)
    alike: dict[str, list[Side]] = {}
    for side in missing:
        alike.setdefault(side.key, []).append(side)
    missing = [sides[0] for sides in alike.values()]

    def drawn(sides: list[Side]) -> list[Stored | list[Problem]]:
        made: list[Stored | list[Problem]] = []
        for side in sides:
            try:
                face = maker.back(side.piece) if side.back else maker.front(side.piece, side.look)
            except FaceError as error:
                made.append(list(error.problems))
                continue
            assert face is not None
            near = reach(layouts.formats[side.piece.format], layouts.sheets)
            edges = edge_colours(face, near, layouts.fonts) if near >= 0 else ("", "", "", "")
            made.append(cache.stored(face, maker.pictures(side.template), near, edges))
        return made

    portions = _portions(missing, layouts)
    problems: dict[str, list[Problem]] = {}
    done = 0
    for n, made in _in_turn(drawn, portions, job.options.jobs):
        for side, one in zip(portions[n], made, strict=True):
            if isinstance(one, Stored):
                cache.put(side.key, one)
            else:
                problems[side.key] = one
        done += len(made)
        tell(3, done, len(missing))
    return [
        problem
        for key, found in problems.items()
        for side in alike[key]
        for problem in relabelled(found, alike[key][0].piece, side.piece)
    ]


def _in_turn(
    drawn: Callable[[list[Side]], list[Stored | list[Problem]]], portions: list[list[Side]], jobs: int
) -> Iterator[tuple[int, list[Stored | list[Problem]]]]:
    """The number of each portion with its faces; in other processes if the first, the slowest, says that it is worth
    their start."""
    if not portions:
        return
    start = time.perf_counter()
    yield 0, drawn(portions[0])
    rest = portions[1:]
    worth = (time.perf_counter() - start) * len(rest) > QUICK
    for n, made in shared(drawn, rest, jobs if worth else 1):
        yield n + 1, made


def relabelled(problems: Iterable[Problem], drawn: ResolvedPiece, other: ResolvedPiece) -> list[Problem]:
    """The problems of a piece's face, reworded for another piece with the same face."""
    label, own = f"{drawn.set}/{drawn.id}: ", f"{other.set}/{other.id}: "
    return [
        msgspec.structs.replace(problem, what=own + problem.what.removeprefix(label))
        if problem.what.startswith(label)
        else problem
        for problem in problems
    ]


def _portions(sides: list[Side], layouts: Layouts) -> list[list[Side]]:
    """The sides in portions for one process each: those of a deck together, for they share much, but not so many that
    others have to wait for them; the largest first."""
    decks: dict[tuple[str, str, str], list[Side]] = {}
    for side in sides:
        decks.setdefault(side.deck, []).append(side)
    step = max(map(len, decks.values()), default=1) if layouts.look.by_deck else PORTION
    portions = [deck[at : at + step] for deck in decks.values() for at in range(0, len(deck), step)]

    def area(portion: list[Side]) -> float:
        size = layouts.formats.get(portion[0].piece.format)
        return size.w * size.h * len(portion) if size else 0.0

    return sorted(portions, key=area, reverse=True)


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
