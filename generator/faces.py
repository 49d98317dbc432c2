"""Faces: face templates and pieces to display lists.

A template is compiled once for each size: elements whose arguments are the same for every piece are drawn then, the rest
become functions of the piece.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from components.model import ResolvedGame, ResolvedPiece
from generator import svgpath
from generator.display import IDENTITY, POP, DisplayList, Op, Push
from generator.elements import ALLOWED, DRAW, SHAPES, Args, ElementError, Kit, shape
from generator.expressions import ExpressionError, Fixed, Scope, Varying, compile_condition, compile_value, getter, nearest
from generator.fonts import FontBook, FontError
from generator.formats import Format, load_formats
from generator.layouts import LayoutError, Look, load_look
from generator.richtext import MarkupError
from generator.text import TextError

Draw = Callable[[Scope, list[Op]], None]
LAYERS = ("art", "text", "cut", "fold")
MAX_DEPTH = 16


class FaceError(Exception):
    """A face that cannot be drawn. `problems`: every reason, each naming piece, element and cause."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


_FAULTS = (ElementError, ExpressionError, TextError, MarkupError, FontError, LayoutError)


class _Fault(Exception):
    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def _sin(degrees: float) -> float:
    return math.sin(math.radians(degrees))


def _cos(degrees: float) -> float:
    return math.cos(math.radians(degrees))


def _sqrt(value: float) -> float:
    return math.sqrt(value)


MATHS: dict[str, Any] = {"sin": _sin, "cos": _cos, "sqrt": _sqrt, "pi": math.pi}
"""Functions for templates; angles in degrees, as everywhere in templates."""


class FaceMaker:
    """Draws the faces of one resolved game."""

    def __init__(self, game: ResolvedGame, layouts: Path | None = None, ink: str = "normal") -> None:
        self.game = game
        self.look: Look = load_look(game.id, layouts)
        self.fonts = FontBook(self.look.theme.fonts, self.look.root)
        self.formats: dict[str, Format] = load_formats(layouts)
        self.kit = Kit(self.look, self.fonts, ink)
        self._known = self._shared_names(ink)
        self._compiled: dict[tuple[str, float, float, float, float], list[Draw]] = {}

    def _shared_names(self, ink: str) -> dict[str, Any]:
        game = self.game
        named: dict[str, Any] = {}
        if game.params:
            from components.templates import namespace

            named = namespace(game.params)
        return {
            **named,
            **MATHS,
            "params": game.params,
            "ink": ink,
            "game": game,
            "rules": game.rules,
            "pieces": game.pieces,
            "seats": self.look.theme.seats,
        }

    def front(self, piece: ResolvedPiece) -> DisplayList:
        """The front of a piece. Raises FaceError."""
        return self._face(piece, piece.face)

    def back(self, piece: ResolvedPiece) -> DisplayList | None:
        """The back of a piece, or None if it has none. Raises FaceError."""
        return self._face(piece, piece.back) if piece.back else None

    def _face(self, piece: ResolvedPiece, template: str) -> DisplayList:
        label = f"{piece.set}/{piece.id}"
        if piece.format not in self.formats:
            raise FaceError([f"{label}: no format '{piece.format}'{nearest(piece.format, self.formats)}"])
        size = self.formats[piece.format]
        return self._draw(label, template, (size.w, size.h, size.bleed, size.safe), {"piece": piece})

    def draw(self, template: str, w: float, h: float, bleed: float, names: Mapping[str, Any]) -> DisplayList:
        """Any template at any size (mm), with extra names in scope."""
        return self._draw(template, template, (w, h, bleed, 0.0), names)

    def _draw(
        self, label: str, template: str, size: tuple[float, float, float, float], names: Mapping[str, Any]
    ) -> DisplayList:
        w, h, bleed, safe = size
        known = {**self._known, "w": w, "h": h, "bleed": bleed, "safe": safe}
        key = (template, *size)
        draws = self._compiled.get(key)
        ops: list[Op] = []
        try:
            if draws is None:
                items = self.look.face(template).items
                draws = self._compiled[key] = _Compiler(self.kit, template).items(items, known, 0)
            scope = {**known, **names}
            faults: list[str] = []
            for draw in draws:
                try:
                    draw(scope, ops)
                except _Fault as fault:
                    faults += fault.problems
        except _Fault as fault:
            faults = fault.problems
        except _FAULTS as fault:
            faults = [str(fault)]
        if faults:
            raise FaceError([f"{label}: {problem}" for problem in faults])
        return DisplayList(w, h, bleed, ops)


class _Compiler:
    def __init__(self, kit: Kit, where: str) -> None:
        self.kit = kit
        self.where = where

    def items(self, items: list[dict[str, Any]], known: Scope, depth: int) -> list[Draw]:
        if depth > MAX_DEPTH:
            raise _Fault([f"{self.where}: parts and groups are nested deeper than {MAX_DEPTH}"])
        draws: list[Draw] = []
        faults: list[str] = []
        for n, item in enumerate(items, 1):
            try:
                draws.append(self.element(item, known, depth, f"{self.where} item {n}"))
            except _Fault as fault:
                faults += fault.problems
        if faults:
            raise _Fault(faults)
        return draws

    def element(self, item: dict[str, Any], known: Scope, depth: int, place: str) -> Draw:
        kinds = [key for key in item if key in KINDS]
        if len(kinds) != 1:
            unknown = [key for key in item if key not in KINDS and key not in _FRAME]
            hint = nearest(unknown[0], [*KINDS, *_FRAME]) if unknown else ""
            raise _Fault([f"{place}: an element has exactly one drawing key, found {', '.join(item)}{hint}"])
        kind = kinds[0]
        try:
            draw = self.drawing(kind, item, known, depth, place)
            return draw
        except _FAULTS as fault:
            raise _Fault([f"{place} ({kind}): {fault}"]) from None

    def drawing(self, kind: str, item: dict[str, Any], known: Scope, depth: int, place: str) -> Draw:
        frame = {key: item[key] for key in item if key in _FRAME}
        body = item[kind]
        if kind == "part" and isinstance(body, str):
            body = {"name": body} | {key: item[key] for key in item if key in ("with", "at", "turn", "scale")}
            item = {key: value for key, value in item.items() if key not in ("with", "at", "turn", "scale")}
        stray = [key for key in item if key != kind and key not in _FRAME]
        if stray:
            hint = nearest(stray[0], _FRAME)
            raise ElementError(f"'{stray[0]}' does not belong beside '{kind}'{hint}")
        loop = frame.get("each")
        inner_known = known
        if loop is not None:
            name = str(frame.get("as", "item"))
            inner_known = {key: value for key, value in known.items() if key not in (name, "index", f"{name}_index")}
        condition = compile_condition(frame["if"], inner_known) if "if" in frame else None
        if isinstance(condition, Fixed) and not condition.value:
            return _nothing
        if kind == "group":
            draw = self.group(body, inner_known, depth)
        elif kind == "part":
            draw = self.part(body, inner_known, depth)
        else:
            draw = self.leaf(kind, body, inner_known, place)
        if "layer" in frame:
            if frame["layer"] not in LAYERS:
                raise ElementError(f"no layer '{frame['layer']}' (there are: {', '.join(LAYERS)})")
            draw = _framed(Push(layer=frame["layer"]), draw)
        if isinstance(condition, Varying):
            draw = _when(condition.get, draw)
        if loop is not None:
            draw = _each(getter(compile_condition(loop, known)), name, draw)
        return draw

    def leaf(self, kind: str, body: Any, known: Scope, place: str) -> Draw:
        if not isinstance(body, dict):
            raise ElementError(f"needs a mapping of arguments, found {body!r}")
        allowed = ALLOWED[kind]
        if allowed is not None:
            for key in body:
                if key not in allowed:
                    raise ElementError(f"unknown argument '{key}'{nearest(str(key), allowed)}")
        fixed: Args = {}
        varying: list[tuple[str, Callable[[Scope], Any]]] = []
        for key, raw in body.items():
            value = compile_value(raw, known)
            if isinstance(value, Fixed):
                fixed[key] = value.value
            else:
                varying.append((key, value.get))
        make, kit = DRAW[kind], self.kit
        if not varying:
            ops = make(fixed, kit)
            return lambda _scope, out: out.extend(ops)

        def draw(scope: Scope, out: list[Op]) -> None:
            args = dict(fixed)
            try:
                for key, get in varying:
                    args[key] = get(scope)
                out.extend(make(args, kit))
            except _FAULTS as fault:
                box = f" box {args['box']}" if "box" in args else ""
                raise _Fault([f"{place} ({kind}{box}): {fault}"]) from None

        return draw

    def group(self, body: Any, known: Scope, depth: int) -> Draw:
        if not isinstance(body, dict):
            raise ElementError("a group needs a mapping with 'items'")
        for key in body:
            if key not in ("at", "turn", "scale", "clip", "items"):
                raise ElementError(f"unknown argument '{key}'{nearest(str(key), ['at', 'turn', 'scale', 'clip', 'items'])}")
        frame = compile_value({key: body[key] for key in body if key != "items"}, known)
        draws = self.items(body.get("items", []), known, depth + 1)
        return _placed(getter(frame), _all(draws))

    def part(self, body: Any, known: Scope, depth: int) -> Draw:
        if isinstance(body, str):
            body = {"name": body}
        for key in body:
            if key not in ("name", "with", "at", "turn", "scale"):
                raise ElementError(f"unknown argument '{key}'{nearest(str(key), ['name', 'with', 'at', 'turn', 'scale'])}")
        name = body.get("name")
        parts = self.kit.look.parts
        if name not in parts:
            raise ElementError(f"no part '{name}'{nearest(str(name), parts)}")
        part = parts[name]
        given = body.get("with", {})
        for key in given:
            if key not in part.args:
                raise ElementError(f"part '{name}' takes no '{key}'{nearest(key, part.args)}")
        missing = [key for key, default in part.args.items() if default is None and key not in given]
        if missing:
            raise ElementError(f"part '{name}' needs '{missing[0]}'")
        values = {key: compile_value(given.get(key, default), known) for key, default in part.args.items()}
        inner = {key: value for key, value in known.items() if key not in values}
        inner |= {key: value.value for key, value in values.items() if isinstance(value, Fixed)}
        table = [(key, getter(value)) for key, value in values.items()]
        draw_all = _all(_Compiler(self.kit, f"part {name}").items(part.items, inner, depth + 1))

        def draw(scope: Scope, out: list[Op]) -> None:
            draw_all({**scope, **{key: get(scope) for key, get in table}}, out)

        frame = compile_value({key: body[key] for key in body if key in ("at", "turn", "scale")}, known)
        return _placed(getter(frame), draw)


KINDS = (*DRAW, "group", "part")
_FRAME = ("if", "each", "as", "layer")


def _nothing(_scope: Scope, _out: list[Op]) -> None:
    return None


def _all(draws: list[Draw]) -> Draw:
    def draw(scope: Scope, out: list[Op]) -> None:
        for one in draws:
            one(scope, out)

    return draw


def _framed(push: Push, inner: Draw) -> Draw:
    def draw(scope: Scope, out: list[Op]) -> None:
        out.append(push)
        inner(scope, out)
        out.append(POP)

    return draw


def _when(condition: Callable[[Scope], Any], inner: Draw) -> Draw:
    def draw(scope: Scope, out: list[Op]) -> None:
        if condition(scope):
            inner(scope, out)

    return draw


def _each(values: Callable[[Scope], Any], name: str, inner: Draw) -> Draw:
    def draw(scope: Scope, out: list[Op]) -> None:
        for index, value in enumerate(values(scope)):
            inner({**scope, name: value, "index": index, f"{name}_index": index}, out)

    return draw


def _placed(frame: Callable[[Scope], Any], inner: Draw) -> Draw:
    def draw(scope: Scope, out: list[Op]) -> None:
        args = frame(scope)
        x, y = args.get("at", (0, 0))
        matrix = svgpath.placing(x, y, args.get("turn", 0), args.get("scale", 1))
        clip = args.get("clip")
        if matrix == IDENTITY and not clip:
            inner(scope, out)
            return
        d = ""
        if clip:
            (kind, clip_args), *more = clip.items()
            if more or kind not in SHAPES:
                raise ElementError(f"'clip' is one shape ({', '.join(SHAPES)})")
            d = svgpath.to_d(shape(kind, clip_args))
        out.append(Push(matrix, d))
        inner(scope, out)
        out.append(POP)

    return draw
