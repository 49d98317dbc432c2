"""The pictures of a game's scenes: faces from the cache where nothing they depend on changed, drawn where it did."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import msgspec

from components.errors import DefinitionError, Problem
from components.model import ResolvedGame, ResolvedPiece
from components.phrasing import did_you_mean
from components.scene import Scene, Thing
from components.validate import Places as Lines
from generator.backends.svgpictures import Fragment, picture_svg
from generator.build.facecache import FaceCache, FaceKeys, Stored, load_face
from generator.build.fragments import FragmentCache
from generator.build.incremental import program_digest
from generator.build.places import Places
from generator.build.project import Layouts, read_layouts, read_scene_look
from generator.faces import svgpath
from generator.faces.display import DisplayList, Op, TextOp
from generator.faces.facemaker import FaceError, FaceMaker
from generator.faces.fonts import FontBook
from generator.faces.kit import Kit
from generator.paper.formats import Format
from generator.scenes.look import SceneLook
from generator.scenes.picture import Picture, compose, flat
from generator.scenes.staging import Lacking, Shown, Stage, Told, set_stage

LAYERS = {"card": 0.45, "aid": 0.45, "tile": 0.9, "board": 0.9}
"""Kind of piece -> how far each piece of a pile stands out below the one on it, mm."""
TOKEN = 1.0
"""The same for every other kind."""


class SceneMaker:
    """Draws the scenes of one resolved game in one ink (`normal` or `low`)."""

    def __init__(self, game: ResolvedGame, places: Places, ink: str = "normal", layouts: Layouts | None = None) -> None:
        self.game = game
        self.places = places
        self.ink = ink
        self.layouts = layouts or read_layouts(game.id, places)
        self.look = read_scene_look(game.id, places, self.layouts)
        self.kit = Kit(self.look.look, self.look.fonts, ink)
        self.cache = FaceCache(places.faces(game.id), self.layouts.look.root)
        self.fragments = FragmentCache(places.fragments(game.id))
        self.program = program_digest()
        self.keys = FaceKeys(game, self.layouts, self.program, ink, self.cache)
        self.pieces = {f"{piece.set}/{piece.id}": piece for piece in game.pieces}
        self.stored: dict[str, Stored] = {}
        self.drawn: dict[str, DisplayList] = {}
        self._shown: dict[Any, Shown] = {}
        self._maker: FaceMaker | None = None
        self._mats_drawn_by: FaceMaker | None = None

    @property
    def fonts(self) -> FontBook:
        """The fonts of the game's faces and of what is said about scenes."""
        return self.look.fonts

    def stage(self, scene: Scene, lines: Lines | None = None, first: int = 0) -> Stage:
        """Lay everything out. Raises SceneError and FaceError; `lines` knows the places of the scene's file, where its
        pieces begin with number `first`."""
        told = Told(lines, first)
        stage = set_stage(self.prepared(scene), self, told)
        told.end()
        return stage

    def prepared(self, scene: Scene) -> Scene:
        """The scene without what it hides, its rows as wide as the game says."""
        return hidden(msgspec.structs.replace(scene, width=scene.width or self.look.own.width))

    def picture(self, scene: Scene, lines: Lines | None = None, first: int = 0) -> Picture:
        """The picture of a scene. Raises as `stage` does."""
        told = Told(lines, first)
        scene = self.prepared(scene)
        stage = set_stage(scene, self, told)
        told.end()
        picture = compose(scene, stage, self.kit, self.look.design, told)
        told.end()
        return picture

    def keep(self) -> None:
        """Store what was drawn for the next time."""
        self.cache.save()
        self.fragments.save()

    def flat(self, picture: Picture) -> DisplayList:
        """The picture as one display list, e.g. for a page of a book or a PDF."""
        keys = {op.key for op in picture.ops if hasattr(op, "key")}
        return flat(picture, {key: self.face(key) for key in keys})

    def svg(self, picture: Picture) -> str:
        """The picture as an SVG document, each face once."""
        return picture_svg(picture, self._fragment, self._text)

    def face(self, key: str) -> DisplayList:
        """The display list of a face of a picture."""
        if key not in self.drawn:
            self.drawn[key] = load_face(self.stored[key])
        return self.drawn[key]

    def _fragment(self, key: str) -> Fragment:
        found = self.fragments.get(key)
        return found if found is not None else self._written(key, self.face(key).ops)

    def _text(self, op: TextOp) -> Fragment:
        total = hashlib.sha256(msgspec.msgpack.encode(op))
        total.update(self.fonts[op.font].digest.encode())
        key = f"t{total.hexdigest()[:20]}"
        found = self.fragments.get(key)
        return found if found is not None else self._written(key, [op])

    def _written(self, key: str, ops: list[Op]) -> Fragment:
        from generator.backends.svgfaces import fragment

        return self.fragments.put(key, fragment(ops, self.fonts))

    # --- what things show

    def shown(self, thing: Thing) -> Shown:
        """The face or mat that a thing shows. Raises Lacking, and FaceError for a face that cannot be drawn."""
        if bool(thing.piece) == bool(thing.mat):
            raise Lacking("piece" if thing.piece else "", "a thing is either a 'piece' or a 'mat'")
        known = (thing.piece, thing.side) if thing.piece else (thing.mat, repr(thing.fields))
        if known not in self._shown:
            self._shown[known] = self._piece(thing) if thing.piece else self._mat(thing)
        return self._shown[known]

    def _piece(self, thing: Thing) -> Shown:
        piece, side = self.find(thing)
        template = piece.back if side == "back" else piece.face
        key = f"{self.keys.key(piece, template)}{int(side == 'back')}"
        stored = self.cache.get(key)
        if stored is None:
            maker = self._maker = self._maker or self.layouts.faces(self.game, self.ink)
            face = maker.back(piece) if side == "back" else maker.front(piece)
            assert face is not None
            stored = self.cache.put(key, self.cache.stored(face, maker.pictures(template)))
            self.drawn[stored.hash] = face
        form = self.layouts.formats[piece.format]
        anchors = stored.anchors
        self.stored[stored.hash] = stored
        layer = LAYERS.get(piece.kind, TOKEN)
        cut = svgpath.to_d(outline(form))
        return Shown(stored.hash, form.w, form.h, cut, anchors, form.shape == "standee", layer)

    def find(self, thing: Thing) -> tuple[ResolvedPiece, str]:
        """The piece a thing names, and the side it shows. Raises Lacking."""
        name, side = thing.piece, thing.side or "front"
        if name.endswith("/*"):
            found = [piece for piece in self.game.pieces if piece.set == name[:-2]]
            side = thing.side or "back"
            if found and side == "front":
                raise Lacking("side", f"nobody knows which piece of '{name[:-2]}' it is: only its back can be shown")
        elif name in self.pieces:
            found = [self.pieces[name]]
        else:
            found = [piece for piece in self.game.pieces if piece.id == name]
            if len(found) > 1:
                which = " or ".join(f"{piece.set}/{piece.id}" for piece in found)
                raise Lacking("piece", f"'{name}' could be {which}")
        if not found:
            names = [*self.pieces, *(piece.id for piece in self.game.pieces)]
            raise Lacking("piece", f"the game has no piece '{name}'", did_you_mean(name, names))
        if side == "back" and not found[0].back:
            raise Lacking("side", f"{found[0].set}/{found[0].id} has no back")
        return found[0], side

    def _mat(self, thing: Thing) -> Shown:
        mats = self.look.own.mats
        if thing.mat not in mats:
            hint = (
                did_you_mean(thing.mat, mats, listing="there are") or f"name it in layouts/{self.game.id}/scenes.yaml"
            )
            raise Lacking("mat", f"there is no mat '{thing.mat}'", hint)
        mat = mats[thing.mat]
        for field in thing.fields:
            if field not in mat.fields:
                hint = did_you_mean(field, mat.fields, listing="there are")
                raise Lacking("fields", f"mat '{thing.mat}' has no field '{field}'", hint)
        fields = {**mat.fields, **thing.fields}
        key = hashlib.sha256(self._mats + repr((thing.mat, sorted(fields.items()))).encode()).hexdigest()[:32]
        stored = self.cache.get(key)
        if stored is None:
            maker, template = self._mat_maker(), self.look.templates[thing.mat]
            face = maker.draw_template(f"mat {thing.mat}", template, mat.w, mat.h, {"fields": fields})
            stored = self.cache.put(key, self.cache.stored(face, maker.pictures(f"mat {thing.mat}")))
        self.stored[stored.hash] = stored
        cut = svgpath.to_d(svgpath.rect(0, 0, mat.w, mat.h))
        return Shown(stored.hash, mat.w, mat.h, cut, stored.anchors, bare=mat.bare)

    @cached_property
    def _mats(self) -> bytes:
        """Digest of everything the mats depend on, more or less."""
        look = (self.look.look.theme, self.look.look.icons.icons, self.look.own)
        parts = {name: (part.args, part.items) for name, part in self.look.look.parts.items()}
        total = hashlib.sha256(msgspec.msgpack.encode((look, parts, self.ink, self.game.fingerprint)))
        total.update(f"{self.program} {self.fonts.digest}".encode())
        return total.digest()

    def _mat_maker(self) -> FaceMaker:
        if self._mats_drawn_by is None:
            look = self.look
            self._mats_drawn_by = FaceMaker(self.game, look.look, self.layouts.formats, look.fonts, self.ink)
        return self._mats_drawn_by


def check_mats(game: ResolvedGame, layouts: Layouts, scenes: SceneLook) -> Iterator[Problem]:
    """The problems that keep the mats of a game's scenes from being drawn with their own fields."""
    for ink in ("normal", "low"):
        maker = FaceMaker(game, scenes.look, layouts.formats, scenes.fonts, ink)
        for name, mat in scenes.own.mats.items():
            try:
                maker.draw_template(f"mat {name}", scenes.templates[name], mat.w, mat.h, {"fields": mat.fields})
            except FaceError as error:
                yield from error.problems


def outline(form: Format) -> svgpath.Path:
    """The cut of a piece, its upper left corner at the origin."""
    w, h = form.w, form.h
    if form.shape == "circle":
        return svgpath.ellipse(w / 2, h / 2, w / 2, h / 2)
    if form.shape == "hex":
        return svgpath.polygon([(w / 2, 0), (w, h / 4), (w, h * 3 / 4), (w / 2, h), (0, h * 3 / 4), (0, h / 4)])
    return svgpath.rect(0, 0, w, h, form.corner)


def hidden(scene: Scene) -> Scene:
    """The scene without the things that it hides; what lies on them is not drawn either."""
    if not scene.hide:
        return scene
    gone = set(scene.hide)

    def stays(thing: Thing) -> bool:
        return not gone & {thing.id, thing.piece, thing.mat} - {""}

    pieces = [thing if stays(thing) else msgspec.structs.replace(thing, count=0) for thing in scene.pieces]
    return msgspec.structs.replace(scene, pieces=pieces)


__all__ = ["DefinitionError", "SceneMaker", "hidden", "outline"]
