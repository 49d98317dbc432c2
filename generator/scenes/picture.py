"""A stage to a picture: pieces with shadows and edges, cropped and scaled, with everything that is said about them.

Scene + Stage + design -> Picture: operations in mm, faces by their keys
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from components.scene import Scene
from generator.faces import svgpath
from generator.faces.display import POP, DisplayList, Matrix, Op, PathOp, Push, UseOp
from generator.faces.faults import Fault
from generator.faces.kit import Kit
from generator.scenes.look import SceneDesign
from generator.scenes.overlay import Overlay, find
from generator.scenes.staging import FOOT, LAYERS, Laid, Stage, Told, around

WIDE = 190.0
"""In a picture wider than this (mm), what is said about pieces grows with it: it is looked at from farther away."""
LABEL = 4.5
"""Room for a label below the lowest piece, mm."""
Bounds = tuple[float, float, float, float]


class FaceOp(msgspec.Struct, frozen=True):
    """A face by its key, cut out along its outline, its upper left corner at the origin; `edge`: the line around it."""

    key: str
    outline: str
    edge: str = ""
    """Colour; empty: none (a mat)."""
    width: float = 0.0


class Picture(msgspec.Struct, frozen=True):
    """A drawing: size in mm, and operations in drawing order."""

    title: str
    text: str
    """Its contents, in words: for a screen reader."""
    w: float
    h: float
    ops: list[Op | FaceOp]
    seen: Bounds = (0.0, 0.0, 0.0, 0.0)
    """The part of the table that is shown: left, top, right, bottom in mm of the table."""
    called: tuple[Bounds, ...] = ()
    """The area that each call-out names, in mm of the picture, if the program that shows it draws them (`beside`)."""


def compose(scene: Scene, stage: Stage, kit: Kit, design: SceneDesign, told: Told) -> Picture:
    """Draw a scene. What is wrong with its words and references goes to `told`; the caller ends it."""
    left, top, right, bottom = seen(scene, stage, told)
    if not scene.crop and any(thing.label for thing in scene.pieces):
        bottom += LABEL * max(1.0 / scene.scale, _unit(right - left))
    scale = scene.scale
    w, h = (right - left) * scale, (bottom - top) * scale
    ground = "" if scene.ground == "none" else _ground(scene.ground, kit, told)
    onto: Matrix = (scale, 0.0, 0.0, scale, -left * scale, -top * scale)
    unit = _unit(w)
    shrunk: Matrix = (onto[0] / unit, 0.0, 0.0, onto[3] / unit, onto[4] / unit, onto[5] / unit)
    over = Overlay(scene, stage, kit, design, shrunk, (w / unit, h / unit), told)
    larger = Push(svgpath.placing(scale=unit))
    everything: list[Op | FaceOp] = []
    frame = svgpath.to_d(svgpath.rect(0, 0, w, h))
    if ground:
        everything.append(PathOp(frame, ground))
    everything += [Push(clip=frame), Push(onto)]
    for piece in stage.laid:
        everything += lay(piece, kit, design, scale, bool(ground))
    everything += [POP, larger, *over.labels(), *over.badges(), *over.rulers()]
    everything += [*over.marks(), *over.arrows(), *over.notes()]
    called: tuple[Bounds, ...] = ()
    if scene.beside:
        called = tuple(_times(over.box(area), unit) for area in over.named() if area is not None)
    else:
        everything += over.calls()
    everything += [POP, POP]
    words, below = over.words(w / unit)
    if words:
        paper = svgpath.to_d(svgpath.rect(0, h, w, below * unit))
        everything += [PathOp(paper, kit.colour("scene-page")), Push(svgpath.placing(0, h, 0, unit)), *words, POP]
    text = ". ".join(over.said)
    return Picture(scene.title, text, w, h + below * unit, everything, (left, top, right, bottom), called)


def _times(box: Bounds, by: float) -> Bounds:
    left, top, right, bottom = box
    return left * by, top * by, right * by, bottom * by


def _unit(w: float) -> float:
    """The scale, compared with a page, of all annotations in a picture `w` mm wide."""
    return float(max(1.0, (w / WIDE) ** 0.75))


def _ground(name: str, kit: Kit, told: Told) -> str:
    try:
        return kit.colour(name, "ground")
    except Fault as fault:
        told.say(("ground",), fault.what, fault.hint, fault.code)
        return "#ffffff"


def seen(scene: Scene, stage: Stage, told: Told) -> Bounds:
    """The part of the table that is shown, with its margin."""
    m = scene.margin
    crop = scene.crop
    if isinstance(crop, list) and crop and not any(isinstance(value, str) for value in crop):
        if len(crop) == 4:
            x, y, w, h = (float(value) for value in crop)
            if w > 0 and h > 0:
                return x - m, y - m, x + w + m, y + h + m
        told.say(("crop",), f"a part of the table is [x, y, w, h], found {crop}", code="SCN-004")
        return 0.0, 0.0, 1.0, 1.0
    spots = [crop] if isinstance(crop, str) else [str(spot) for spot in crop]
    areas = []
    for n, spot in enumerate(spots):
        if spot == "":
            continue
        path = ("crop",) if isinstance(crop, str) else ("crop", n)
        area = find(stage, spot, told, path)
        if area is not None:
            areas.append(area)
    if not areas:
        areas = [piece.area for piece in stage.laid if not piece.shown.bare]
        areas += [stage.areas[call.at] for call in scene.calls if isinstance(call.at, str) and call.at in stage.areas]
    if not areas:
        return -m, -m, m, m
    left, top, right, bottom = around(areas).bounds
    areas += [piece.area for piece in stage.laid if piece.shown.stands and _foot_in(piece, (left, top, right, bottom))]
    left, top, right, bottom = around(areas).bounds
    return left - m, top - m, right + m, bottom + m


def _foot_in(piece: Laid, bounds: Bounds) -> bool:
    """True if a piece stands within these bounds: then all of it is shown, up to its head."""
    left, top, right, bottom = bounds
    foot = piece.y + piece.shown.h / 2 - FOOT
    return left <= piece.x <= right and top <= foot <= bottom


def lay(piece: Laid, kit: Kit, design: SceneDesign, scale: float, ground: bool) -> Iterator[Op | FaceOp]:
    """The operations of one piece, or of a pile: shadow, the edges of the pieces below, the face with its edge."""
    shown = piece.shown
    own = svgpath.multiply(svgpath.placing(piece.x, piece.y, piece.turn), svgpath.placing(-shown.w / 2, -shown.h / 2))
    if not shown.layer:  # a mat is drawn on the table
        yield from (Push(own), FaceOp(shown.key, shown.outline), POP)
        return
    layers = min(piece.count - 1, LAYERS)
    deep = layers * shown.layer
    fall = max(design.shadow, 0.35 * design.shadow / scale)
    shade = kit.colour("scene-table-shadow" if piece.depth == 0 and ground else "scene-shadow")
    edge = kit.colour("scene-edge")
    width = max(design.edge, 0.08 / scale)
    lowest = svgpath.multiply(svgpath.placing(deep + fall, deep + 1.2 * fall), own)
    yield from (Push(lowest), PathOp(shown.outline, shade), POP)
    for n in range(layers, 0, -1):
        moved = svgpath.multiply(svgpath.placing(n * shown.layer, n * shown.layer), own)
        yield from (Push(moved), PathOp(shown.outline, kit.colour("scene-layer"), edge, width), POP)
    yield from (Push(own), FaceOp(shown.key, shown.outline, edge, width), POP)


def flat(picture: Picture, faces: Mapping[str, DisplayList]) -> DisplayList:
    """The picture as one display list: every face drawn where it lies."""
    ops: list[Op] = []
    for op in picture.ops:
        if isinstance(op, FaceOp):
            ops += face_ops(op, faces[op.key].ops)
        else:
            ops.append(op)
    return DisplayList(picture.w, picture.h, 0.0, ops)


def nested(picture: Picture) -> tuple[DisplayList, list[str]]:
    """The picture as a display list that uses its faces by their keys, and these keys."""
    ops: list[Op] = []
    keys: dict[str, None] = {}
    for op in picture.ops:
        if isinstance(op, FaceOp):
            ops += face_ops(op, [UseOp(op.key)])
            keys[op.key] = None
        else:
            ops.append(op)
    return DisplayList(picture.w, picture.h, 0.0, ops), list(keys)


def face_ops(op: FaceOp, drawn: Sequence[Op]) -> list[Op]:
    """A face within its outline, and the line around it."""
    ops: list[Op] = [Push(clip=op.outline), *drawn, POP]
    if op.edge:
        ops.append(PathOp(op.outline, "", op.edge, op.width))
    return ops
