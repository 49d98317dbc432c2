"""Whose fault it is: the cards that a problem of a file concerns, and the place on a face where it shows."""

from __future__ import annotations

import re

from components.errors import Problem
from generator.build.places import Places
from generator.faces.display import DisplayList
from generator.faces.facemaker import FaceError
from generator.faces.kit import Origin
from generator.live.cards import Slot
from generator.live.origins import corners, with_origins
from generator.live.states import State
from generator.proofing.extents import Spot, box_corners, placed

_BOX = re.compile(r"in box \[([-\d., ]+)\]")


def blamed(problem: Problem, state: State, game: str, places: Places) -> set[str]:
    """The cards that a problem of a file concerns, as far as the file tells: all of a theme, those of a template, those
    of a piece set; of other files none, for nobody can say."""
    parts = problem.file.split("/")
    name = parts[-1]
    if "layouts" in parts and len(parts) > 1:
        if parts[-2] == "faces":
            template = name.removesuffix(".yaml")
            return {id_ for id_, piece in state.pieces.items() if template in (piece.face, piece.back)}
        return set(state.pieces)
    if "components" in parts:
        return {id_ for id_ in state.pieces if id_.partition("/")[0] in _sets(name, places, game)}
    return set()


def _sets(file: str, places: Places, game: str) -> set[str]:
    """The sets whose pieces stand in a file, whether or not it can be read: what it says, else what it is called."""
    path = places.project / "components" / game / file
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    said = re.findall(r"^set: *[\"']?([\w-]+)", text, re.MULTILINE)
    return {*said, file.rpartition(".")[0]}


def boxes(good: tuple[DisplayList, State] | None, slot: Slot, problem: Problem) -> list[Spot]:
    """The corners of the place on the last good face that the element at fault draws: what a person looks for."""
    if good is None or not problem.line:
        return []
    _, state = good
    piece = state.pieces.get(slot.id)
    if piece is None:
        return []
    try:
        face, origins = with_origins(state, slot)
    except FaceError:
        return []
    spots: list[Spot] = []
    for op, matrix in placed(face):
        origin = origins.get(id(op))
        if origin is None or origin.source.file != problem.file:
            continue
        first, _ = origin.source.at(origin.path[:-1])
        last = max(first, origin.source.at(origin.path)[0])
        if first <= problem.line and (problem.line <= last or _same(origin, problem)):
            if origin.box is not None:
                return _around(box_corners(origin.box, matrix))
            spots += corners(op, matrix, state.layouts.fonts)
    if spots:
        return _around(spots)
    found = _BOX.search(problem.what)
    if found:
        numbers = [float(word) for word in found[1].split(",")]
        if len(numbers) == 4:
            return _around(box_corners((numbers[0], numbers[1], numbers[2], numbers[3]), (1, 0, 0, 1, 0, 0)))
    return []


def _same(origin: Origin, problem: Problem) -> bool:
    """True if a problem lies on one of the lines of an element."""
    source, path = origin.source, origin.path
    body = source.data
    for step in path:
        body = body[step]
    lines = [source.at((*path, key))[0] for key in body] if isinstance(body, dict) else []
    return problem.line in lines or (bool(lines) and source.at(path)[0] <= problem.line <= max(lines))


def _around(spots: list[Spot]) -> list[Spot]:
    """The corners of the upright box around some places."""
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    return [(min(xs), min(ys)), (max(xs), min(ys)), (max(xs), max(ys)), (min(xs), max(ys))]
