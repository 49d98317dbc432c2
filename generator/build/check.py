"""`check`: everything that can be wrong with a game and its look, found before anything is printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from components.checks import FurtherCheck, piece_place
from components.errors import DefinitionError, Problem, SetError
from components.loader import Definition
from components.model import ResolvedGame
from components.phrasing import did_you_mean
from components.resolve import resolve_game
from generator.build.drawing import merged
from generator.build.places import Places
from generator.build.project import Layouts, read_layouts
from generator.faces.facemaker import FaceError
from generator.faces.fonts import FontError
from generator.sheets.impose import ImposeError, Item, impose
from generator.sheets.marks import FONT

PAPERS = ("a4", "letter")


def check_game(
    name: str,
    places: Places,
    variants: Sequence[str] = (),
    sets: Mapping[str, Any] | None = None,
    reading: Sequence[FurtherCheck] = (),
) -> list[Problem]:
    """Every problem and warning of a game: its definition, its layouts and each face in both inks, in every variant,
    and in what `variants` together and `sets` make of it. `reading` are checks of the whole game where its files are in
    order. Raises SetError for variants and settings the game does not have."""
    from components.checks import check_game as check_definition

    try:
        layouts = read_layouts(name, places)
    except DefinitionError as error:
        return [*error.problems, *check_definition(name, places.project, reading=reading)]
    seen: set[Problem] = set()

    def faces(definition: Definition, game: ResolvedGame) -> Iterable[Problem]:
        unknown = dict(unknown_names(definition, game, layouts))
        yield from unknown.values()
        drawn = [piece for piece in game.pieces if f"{piece.set}/{piece.id}" not in unknown]
        for problem in check_faces(msgspec.structs.replace(game, pieces=drawn), layouts):
            if problem not in seen:
                seen.add(problem)
                yield problem

    problems = check_definition(name, places.project, [faces], reading)
    if (not variants and not sets) or any(problem.severity == "error" for problem in problems):
        return problems
    try:
        game = resolve_game(name, variants=variants, sets=sets, root=places.project, cache_dir=places.resolved)
    except SetError:
        raise
    except DefinitionError as error:
        return [*problems, *error.problems]
    return [*problems, *(problem for problem in check_faces(game, layouts) if problem not in seen)]


def unknown_names(definition: Definition, game: ResolvedGame, layouts: Layouts) -> Iterator[tuple[str, Problem]]:
    """Pieces (`set/piece`) whose format or face template does not exist, each with the problem where it is named."""
    faces = layouts.look.faces
    for piece in game.pieces:
        for key, known in (("format", layouts.formats), ("face", faces), ("back", faces)):
            name = getattr(piece, key)
            if not name or name in known:
                continue
            what = f"there is no piece format '{name}'"
            if key != "format":
                what = f"there is no face template '{name}' ({layouts.look.place}/faces/{name}.yaml)"
            source, path = piece_place(definition, piece.set, piece.id, key)
            hint = did_you_mean(name, known, listing="there are")
            yield f"{piece.set}/{piece.id}", source.problem("LAY-003", what, path, hint=hint)


def check_faces(game: ResolvedGame, layouts: Layouts) -> Iterable[Problem]:
    """What keeps the faces of a game from being drawn, in either ink, or its pieces from lying on common papers."""
    by_format: dict[str, list[Item]] = {}
    for piece in game.pieces:
        if piece.format in layouts.formats:
            by_format.setdefault(piece.format, []).append(Item(f"{piece.set}/{piece.id}", "front"))
    faults: list[Problem] = []
    for ink in ("normal", "low"):
        maker = layouts.faces(game, ink)
        for piece in game.pieces:
            for draw in (maker.front, maker.back):
                try:
                    draw(piece)
                except FaceError as error:
                    faults += error.problems
    yield from merged(dict.fromkeys(faults))
    stacks = [(layouts.formats[name], items) for name, items in by_format.items()]
    try:
        font = layouts.sheet_fonts[FONT]
    except FontError as error:
        yield Problem(code=error.code, what=error.what, file="layouts/sheets.yaml")
        return
    for paper in PAPERS:
        try:
            impose(game.title, stacks, layouts.papers[paper], "none", layouts.sheets, font)
        except ImposeError as error:
            yield from error.problems
