"""Faces: the pieces of a resolved game to display lists, by the face templates of its layout."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import replace

from components.errors import DefinitionError, Problem
from components.model import ResolvedGame, ResolvedPiece
from components.phrasing import did_you_mean
from components.placeholders import PLURALS
from generator.faces.anchors import take_anchors
from generator.faces.compiler import compile_template
from generator.faces.display import POP, DisplayList, Op, Push, endless
from generator.faces.drawers import Draw, Faulty
from generator.faces.faults import Fault
from generator.faces.fonts import FontBook
from generator.faces.kit import Kit
from generator.faces.look import Look, Template
from generator.paper.formats import Format


class FaceError(DefinitionError):
    """A face that cannot be drawn. Every problem names the piece, the element with its box, and the reason."""


def _sin(degrees: float) -> float:
    return math.sin(math.radians(degrees))


def _cos(degrees: float) -> float:
    return math.cos(math.radians(degrees))


def _sqrt(value: float) -> float:
    return math.sqrt(value)


MATHS: dict[str, Any] = {"sin": _sin, "cos": _cos, "sqrt": _sqrt, "pi": math.pi}
"""Functions for templates; angles in degrees, as everywhere in templates."""


def deck(game: ResolvedGame, piece: ResolvedPiece, template: str) -> list[ResolvedPiece]:
    """The pieces of a set, in one format, that have a side by this template."""
    return [
        other
        for other in game.pieces
        if other.set == piece.set and other.format == piece.format and template in (other.face, other.back)
    ]


class FaceMaker:
    """Draws the faces of one resolved game in one ink (`normal` or `low`)."""

    def __init__(
        self, game: ResolvedGame, look: Look, formats: Mapping[str, Format], fonts: FontBook, ink: str = "normal"
    ) -> None:
        self.game = game
        self.look = look
        self.formats = formats
        self.fonts = fonts
        self.kit = Kit(look, fonts, ink)
        self._shared = self._names()
        self._compiled: dict[tuple[Any, ...], tuple[Draw, dict[str, Any]]] = {}
        self._pictures: dict[str, set[str]] = {}
        self._alike = look.by_deck
        self._decks: dict[tuple[str, str, str], FaceMaker] = {}

    def renewed(self, game: ResolvedGame, same: Collection[str]) -> FaceMaker:
        """The same for a game that differs; `same` are the templates that read nothing which does. Those that show
        pictures are compiled anew, for the files may have changed."""
        maker = FaceMaker(game, self.look, self.formats, self.fonts, self.kit.ink)
        if not self._alike:
            maker.kit, maker._pictures = self.kit, self._pictures
            kept = {name for name in same if not self._pictures.get(name)}
            maker._compiled = {key: compiled for key, compiled in self._compiled.items() if key[0] in kept}
        return maker

    def front(self, piece: ResolvedPiece, look: int = 0) -> DisplayList:
        """The front of a piece; `look` says which of those its template has. Raises FaceError."""
        return self._face(piece, piece.face, look)

    def back(self, piece: ResolvedPiece) -> DisplayList | None:
        """The back of a piece, or None if it has none. Raises FaceError."""
        return self._face(piece, piece.back) if piece.back else None

    def pictures(self, template: str) -> set[str]:
        """The files of the project that the faces of a template have shown so far."""
        return self._pictures.setdefault(template, set())

    def draw(
        self, template_name: str, w: float, h: float, bleed: float, names: Mapping[str, Any], safe: float = 0.0
    ) -> DisplayList:
        """Any template at any size (mm), with `names` in scope besides the game's. Raises FaceError."""
        return self._draw(template_name, template_name, (w, h, bleed, safe), names)

    def draw_template(
        self, label: str, template: Template, w: float, h: float, names: Mapping[str, Any]
    ) -> DisplayList:
        """A template that stands in no file of `faces/`, at a size in mm. Raises FaceError, which calls it `label`."""
        return self._draw(label, template, (w, h, 0.0, 0.0), names)

    def _names(self) -> dict[str, Any]:
        """Names that mean the same for every piece."""
        game = self.game
        parameters: dict[str, Any] = {}
        if game.params:
            from components.placeholders import namespace

            parameters = namespace(game.params)
        return {
            **parameters,
            **MATHS,
            PLURALS: game.plurals,
            "params": game.params,
            "ink": self.kit.ink,
            "game": game,
            "rules": game.rules,
            "pieces": game.pieces,
            "seats": self.look.theme.seats,
        }

    def _face(self, piece: ResolvedPiece, template: str, look: int = 0) -> DisplayList:
        label = f"{piece.set}/{piece.id}"
        size = self.formats.get(piece.format)
        if size is None:
            hint = did_you_mean(piece.format, self.formats, listing="there are")
            what = f"{label}: there is no piece format '{piece.format}'"
            raise FaceError([Problem(code="LAY-003", what=what, hint=hint)])
        maker = self.of_deck(piece, template) if self._alike else self
        w, h, bleed, safe = (side / size.scale for side in (size.w, size.h, size.bleed, size.safe))
        names = {"piece": piece, "look": look, "copy": look + 1}
        return maker._draw(label, template, (w, h, bleed, safe), names, size.scale)

    def of_deck(self, piece: ResolvedPiece, template: str) -> FaceMaker:
        """A maker of the faces of a piece's deck: styles that have one size on a deck have the smallest one needed."""
        key = (piece.set, template, piece.format)
        if key not in self._decks:
            maker = self._plain()
            for other in deck(self.game, piece, template):
                with suppress(FaceError):  # told when it is drawn itself
                    maker._face(other, template)
            maker._pictures = self._pictures
            self._decks[key] = maker._plain(maker.kit.met) if maker.kit.met else maker
        return self._decks[key]

    def _plain(self, sizes: Mapping[str, float] = MappingProxyType({})) -> FaceMaker:
        """The same maker for one deck, with the `sizes` of some styles."""
        theme = self.look.theme
        styles = {
            name: replace(style, deck=style.deck and not sizes, size=sizes.get(name, style.size))
            for name, style in theme.styles.items()
        }
        look = replace(self.look, theme=replace(theme, styles=styles))
        maker = FaceMaker(self.game, look, self.formats, self.fonts, self.kit.ink)
        maker._alike, maker._pictures = False, self._pictures
        maker.kit.origins = self.kit.origins
        return maker

    def _draw(
        self,
        label: str,
        template: str | Template,
        size: tuple[float, float, float, float],
        names: Mapping[str, Any],
        scale: float = 1.0,
    ) -> DisplayList:
        """A face designed on `size` (width, height, bleed, safe margin) and printed `scale` times as large."""
        ops: list[Op] = []
        self.kit.pictures = self.pictures(template if isinstance(template, str) else label)
        try:
            draw, known = self._template(template, size, names)
            draw({**known, **names}, ops)
            if scale != 1:
                ops = [Push((scale, 0.0, 0.0, scale, 0.0, 0.0)), *ops, POP]
        except (Faulty, DefinitionError) as faulty:
            problems = [msgspec.structs.replace(p, what=f"{label}: {p.what}") for p in faulty.problems]
            raise FaceError(problems) from None
        try:
            ops, anchors = take_anchors(ops)
        except Fault as fault:
            raise FaceError([Problem(code=fault.code, what=f"{label}: {fault.what}", hint=fault.hint)]) from None
        if endless(ops):
            what = f"{label}: something is drawn without end, or at no place at all: numbers of the template run away"
            raise FaceError([Problem(code="LAY-002", what=what)])
        w, h, bleed, _ = (side * scale for side in size)
        return DisplayList(w, h, bleed, ops, anchors)

    def _template(
        self, template: str | Template, size: tuple[float, float, float, float], names: Mapping[str, Any]
    ) -> tuple[Draw, dict[str, Any]]:
        """The template compiled for a size, and the names that were known then; names given later are not."""
        key = (template if isinstance(template, str) else id(template), *size, *sorted(names))
        if key not in self._compiled:
            w, h, bleed, safe = size
            known = {**self._shared, "w": w, "h": h, "bleed": bleed, "safe": safe}
            for later in ("piece", *names):
                known.pop(later, None)
            opened = self.look.face(template) if isinstance(template, str) else template
            self._compiled[key] = (compile_template(opened, self.kit, known), known)
        return self._compiled[key]
