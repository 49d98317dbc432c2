"""`check`: everything that can be wrong with a game and its look, found before anything is printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from components.checks import FurtherCheck, piece_place
from components.errors import DefinitionError, Problem, SetError
from components.loader import Definition
from components.model import ResolvedGame
from components.phrasing import did_you_mean
from components.resolve import resolve_game
from generator.build.drawing import merged
from generator.build.project import layouts_of
from generator.faces.facemaker import FaceError, FaceMaker
from generator.faces.fonts import FontError
from generator.paper.formats import Format, load_formats, load_papers
from generator.sheets.impose import ImposeError, Item, impose
from generator.sheets.marks import SheetStyle, load_style

PAPERS = ("a4", "letter")


def check_game(
    name: str,
    project: Path,
    variants: Sequence[str] = (),
    sets: Mapping[str, Any] | None = None,
    reading: Sequence[FurtherCheck] = (),
) -> list[Problem]:
    """Every problem and warning of a game: its definition, its layouts and each face in both inks, in every variant,
    and in what `variants` together and `sets` make of it. `reading` are checks of the whole game where its files are in
    order. Raises SetError for variants and settings the game does not have."""
    from components.checks import check_game as check_definition

    layouts = layouts_of(project)
    try:
        formats, style = load_formats(layouts), load_style(layouts)
        load_papers(layouts)
    except DefinitionError as error:
        return [*error.problems, *check_definition(name, project, reading=reading)]
    seen: set[Problem] = set()

    def faces(definition: Definition, game: ResolvedGame) -> Iterable[Problem]:
        unknown = dict(unknown_names(definition, game, layouts, formats))
        yield from unknown.values()
        drawn = [piece for piece in game.pieces if f"{piece.set}/{piece.id}" not in unknown]
        for problem in check_faces(msgspec.structs.replace(game, pieces=drawn), layouts, formats, style):
            if problem not in seen:
                seen.add(problem)
                yield problem

    problems = check_definition(name, project, [faces], reading)
    if (not variants and not sets) or any(problem.severity == "error" for problem in problems):
        return problems
    try:
        game = resolve_game(name, variants=variants, sets=sets, root=project)
    except SetError:
        raise
    except DefinitionError as error:
        return [*problems, *error.problems]
    changed = check_faces(game, layouts, formats, style)
    return [*problems, *(problem for problem in changed if problem not in seen)]


def unknown_names(
    definition: Definition, game: ResolvedGame, layouts: Path, formats: Mapping[str, Format]
) -> Iterator[tuple[str, Problem]]:
    """Pieces (`set/piece`) whose format or face template does not exist, each with the problem where it is named."""
    folder = layouts / game.id / "faces"
    faces = {path.stem for path in folder.glob("*.yaml")}
    for piece in game.pieces:
        for key, known in (("format", formats), ("face", faces), ("back", faces)):
            name = getattr(piece, key)
            if not name or name in known:
                continue
            what = f"there is no piece format '{name}'"
            if key != "format":
                what = f"there is no face template '{name}' (layouts/{game.id}/faces/{name}.yaml)"
            source, path = piece_place(definition, piece.set, piece.id, key)
            hint = did_you_mean(name, known, listing="there are")
            yield f"{piece.set}/{piece.id}", source.problem("LAY-003", what, path, hint=hint)


def check_faces(game: ResolvedGame, layouts: Path, formats: dict[str, Format], style: SheetStyle) -> Iterable[Problem]:
    """What keeps the faces of a game from being drawn, in either ink, or its pieces from lying on common papers."""
    place = f"layouts/{game.id}"
    by_format: dict[str, list[Item]] = {}
    for piece in game.pieces:
        if piece.format in formats:
            by_format.setdefault(piece.format, []).append(Item(f"{piece.set}/{piece.id}", "front"))
    faults: list[Problem] = []
    for ink in ("normal", "low"):
        try:
            maker = FaceMaker(game, layouts, ink)
        except DefinitionError as error:
            yield from error.problems
            return
        except FontError as error:
            yield Problem(code="LAY-003", what=str(error), file=place)
            return
        for piece in game.pieces:
            for draw in (maker.front, maker.back):
                try:
                    draw(piece)
                except FaceError as error:
                    faults += error.problems
    yield from merged(dict.fromkeys(faults))
    papers = load_papers(layouts)
    stacks = [(formats[name], items) for name, items in by_format.items()]
    for paper in PAPERS:
        try:
            impose(game.title, stacks, papers[paper], "none", style)
        except ImposeError as error:
            yield from error.problems
