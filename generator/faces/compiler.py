"""Face templates to functions that draw: what depends on no piece is drawn while compiling, the rest piece by piece.

Faults are collected, not thrown one by one: a `Faulty` carries a problem, with its place, for everything found wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from components.errors import Problem
from generator.faces import arguments
from generator.faces.arguments import Args
from generator.faces.cells import CELLS, cells
from generator.faces.display import POP, Op, Push
from generator.faces.drawers import (
    NOTHING,
    Constant,
    Draw,
    Faulty,
    bound,
    each,
    faint,
    framed,
    placing_push,
    rounds,
    sequence,
    when,
)
from generator.faces.elements import ARGUMENTS, DRAW
from generator.faces.expressions import Fixed, Scope, Value, compile_condition, compile_value, getter
from generator.faces.faults import Fault
from generator.faces.kit import Calls, Kit
from generator.faces.look import Template

PathKey = tuple[Any, ...]

LAYERS = ("art", "text", "cut", "fold")
MAX_DEPTH = 16
MAX_UNROLLED = 500
"""An `each` over so many values that are known in advance is compiled for each of them."""
FRAME = ("if", "each", "as", "let", "layer", "opacity")
"""Keys beside the drawing key."""
PLACING = ("at", "turn", "scale")
KINDS = (*DRAW, "group", "part", *CELLS)
"""Drawing keys."""


def compile_template(template: Template, kit: Kit, known: Scope, depth: int = 0, calls: Calls = ()) -> Draw:
    """A function that draws the template's elements. `known` are names whose values are the same for every piece,
    `calls` the elements that draw this part."""
    return _Compiler(template, kit, calls).items(template.items, template.path, known, depth)


class _Compiler:
    def __init__(self, template: Template, kit: Kit, calls: Calls) -> None:
        self.template = template
        self.kit = kit
        self.calls = calls

    def faulty(self, fault: Fault, path: PathKey, about: str = "") -> Faulty:
        """The fault with its place: at the argument it names, or at the element."""
        where = (*path, fault.key) if fault.key else path
        what = f"{about}: {fault.what}" if about else fault.what
        return Faulty([self.template.source.problem(fault.code, what, where, hint=fault.hint)])

    def items(self, items: list[dict[str, Any]], path: PathKey, known: Scope, depth: int, first: int = 0) -> Draw:
        """The elements from number `first` on; a `let` by itself names values for all that follow it."""
        draws: list[Draw] = []
        problems: list[Problem] = []
        for n, item in enumerate(items[first:], first):
            try:
                if isinstance(item, dict) and set(item) == {"let"}:
                    rest = partial(self.items, items, path, depth=depth, first=n + 1)
                    draws.append(self.letting(item["let"], (*path, n), known, rest))
                    break
                draws.append(self.element(item, (*path, n), known, depth))
            except Faulty as faulty:
                problems += faulty.problems
        if problems:
            raise Faulty(problems)
        return sequence(draws)

    def letting(self, let: Any, path: PathKey, known: Scope, draw_with: Callable[[Scope], Draw]) -> Draw:
        """A drawing by `draw_with` with the names of a `let` in scope; each value may use the names before it."""
        inner = dict(known)
        values: list[tuple[str, Value]] = []
        where = (*path, "let")
        if not isinstance(let, dict) or not all(isinstance(name, str) and name.isidentifier() for name in let):
            what = f"'let' needs a mapping of names to values, found {let!r}"
            raise self.faulty(Fault("LAY-002", what, "a name is made of letters, digits and '_'"), where)
        for name, raw in let.items():
            try:
                value = compile_value(raw, inner)
            except Fault as fault:
                raise self.faulty(fault, (*where, name)) from None
            values.append((name, value))
            inner.pop(name, None)
            if isinstance(value, Fixed):
                inner[name] = value.value
        body = draw_with(inner)
        if isinstance(body, Constant):
            return body

        def draw(scope: Scope, out: list[Op]) -> None:
            names = dict(scope)
            for name, value in values:
                try:
                    names[name] = getter(value)(names)
                except Fault as fault:
                    raise self.faulty(fault, (*where, name)) from None
            body(names, out)

        return draw

    def element(self, item: Any, path: PathKey, known: Scope, depth: int) -> Draw:
        try:
            kind, body, frame = _parts_of(item)
        except Fault as fault:
            raise self.faulty(fault, path) from None
        inside = (*path, kind)
        try:
            if depth > MAX_DEPTH:
                raise Fault("LAY-008", f"parts and groups are nested deeper than {MAX_DEPTH}")
            if frame.get("layer", "art") not in LAYERS:
                raise arguments.unknown("layer", frame["layer"], LAYERS)
            if "each" not in frame:
                return self.once(kind, body, frame, path, known, depth)
            names = [name.strip() for name in str(frame.get("as", "item")).split(",")]
            values = compile_condition(frame["each"], known)
            if isinstance(values, Fixed):
                scopes = list(rounds(values.value, names))
                if len(scopes) <= MAX_UNROLLED:
                    unrolled = [(own, self.once(kind, body, frame, path, {**known, **own}, depth)) for own in scopes]
                    return sequence([bound(own, draw) for own, draw in unrolled])
            hidden = {*names, "index", f"{names[0]}_index"}
            inner = {key: value for key, value in known.items() if key not in hidden}
            draw = self.once(kind, body, frame, path, inner, depth)
            return self.guarded(each(getter(values), names, draw), (*path, "each"))
        except Fault as fault:
            raise self.faulty(fault, inside, kind) from None

    def once(self, kind: str, body: Any, frame: Args, path: PathKey, known: Scope, depth: int) -> Draw:
        """An element without its `each`."""
        if "let" in frame:
            bare = {key: value for key, value in frame.items() if key != "let"}
            return self.letting(
                frame["let"], path, known, lambda inner: self.once(kind, body, bare, path, inner, depth)
            )
        condition = compile_condition(frame["if"], known) if "if" in frame else Fixed(True)
        if isinstance(condition, Fixed) and not condition.value:
            return NOTHING
        draw = self.drawing(kind, body, (*path, kind), known, depth)
        if "layer" in frame:
            draw = framed(Push(layer=frame["layer"]), draw)
        if "opacity" in frame:
            draw = faint(compile_value(frame["opacity"], known), draw)
            draw = draw if isinstance(draw, Constant) else self.guarded(draw, (*path, "opacity"))
        if not isinstance(condition, Fixed):
            draw = self.guarded(when(condition.get, draw), (*path, "if"))
        return draw

    def guarded(self, draw: Draw, path: PathKey) -> Draw:
        """`draw`, with a place for faults that no element inside has given one."""

        def run(scope: Scope, out: list[Op]) -> None:
            try:
                draw(scope, out)
            except Fault as fault:
                raise self.faulty(fault, path) from None

        return run

    def drawing(self, kind: str, body: Any, path: PathKey, known: Scope, depth: int) -> Draw:
        if not isinstance(body, dict):
            raise Fault("LAY-002", f"needs a mapping of arguments, found {body!r}")
        if kind == "group":
            return self.group(body, path, known, depth)
        if kind == "part":
            return self.part(body, path, known, depth)
        if kind in CELLS:
            return self.cells(kind, body, path, known, depth)
        allowed = ARGUMENTS[kind]
        if allowed is not None:
            arguments.only(body, allowed)
        return self.leaf(kind, body, path, known)

    def leaf(self, kind: str, body: Args, path: PathKey, known: Scope) -> Draw:
        fixed: Args = {}
        varying: list[tuple[str, Callable[[Scope], Any]]] = []
        for key, raw in body.items():
            value = compile_value(raw, known)
            if isinstance(value, Fixed):
                fixed[key] = value.value
            else:
                varying.append((key, value.get))
        make, kit = DRAW[kind], self.kit
        source = self.template.source
        if not varying:
            return Constant(kit.note(make(fixed, kit), source, path, kind, fixed, self.calls))

        def draw(scope: Scope, out: list[Op]) -> None:
            args = fixed.copy()
            try:
                for key, get in varying:
                    args[key] = get(scope)
                out.extend(kit.note(make(args, kit), source, path, kind, args, self.calls))
            except Fault as fault:
                box = f" in box {args['box']}" if "box" in args else ""
                raise self.faulty(fault, path, f"{kind}{box}") from None

        return draw

    def group(self, body: Args, path: PathKey, known: Scope, depth: int) -> Draw:
        arguments.only(body, (*PLACING, "clip", "items"))
        items = body.get("items", [])
        if not isinstance(items, list):
            raise Fault("LAY-002", "'items' must be a list of elements", key="items")
        inner = self.items(items, (*path, "items"), known, depth + 1)
        frame = compile_value({key: value for key, value in body.items() if key != "items"}, known)
        return self.placed(frame, inner, path)

    def cells(self, kind: str, body: Args, path: PathKey, known: Scope, depth: int) -> Draw:
        """Elements in the cells of a `grid` or of `rows`: each its own, or all of them in a cell for every entry."""
        arguments.only(body, (*CELLS[kind], "over", "as", "items"))
        items = body.get("items", [])
        if not isinstance(items, list):
            raise Fault("LAY-002", "'items' must be a list of elements", key="items")
        names = [name.strip() for name in str(body.get("as", "item")).split(",")]
        hidden = {"cell"} | ({*names, "index", f"{names[0]}_index"} if "over" in body else set())
        inner = {key: value for key, value in known.items() if key not in hidden}
        place = (*path, "items")
        draws = [self.element(item, (*place, n), inner, depth + 1) for n, item in enumerate(items)]
        if "over" in body:
            draws = [self.items(items, place, inner, depth + 1)]
        over = compile_condition(body["over"], known) if "over" in body else None
        frame = compile_value({key: body[key] for key in CELLS[kind] if key in body}, known)

        def draw(scope: Scope, out: list[Op]) -> None:
            own = list(rounds(getter(over)(scope), names)) if over is not None else [{} for _ in draws]
            made = cells(kind, getter(frame)(scope), len(own))
            for n, (x, y, w, h) in enumerate(made[: len(own)]):
                out.append(Push((1.0, 0.0, 0.0, 1.0, x, y)))
                draws[0 if over is not None else n]({**scope, **own[n], "cell": {"w": w, "h": h}}, out)
                out.append(POP)

        return self.guarded(draw, path)

    def part(self, body: Args, path: PathKey, known: Scope, depth: int) -> Draw:
        arguments.only(body, ("name", "with", *PLACING))
        given = body.get("with") or {}
        if not isinstance(given, dict):
            raise Fault("LAY-002", "'with' must be a mapping of arguments", key="with")
        frame = compile_value({key: body[key] for key in PLACING if key in body}, known)
        name = compile_value(body.get("name"), known)
        if isinstance(name, Fixed):
            return self.placed(frame, self.called_part(name.value, given, known, path, depth), path)
        made: dict[Any, Draw] = {}
        get_name = name.get

        def draw(scope: Scope, out: list[Op]) -> None:
            called = arguments.name({"name": get_name(scope)}, "name")
            if called not in made:
                made[called] = self.called_part(called, given, known, path, depth)
            made[called](scope, out)

        return self.placed(frame, self.guarded(draw, path), path)

    def called_part(self, name: Any, given: Args, known: Scope, path: PathKey, depth: int) -> Draw:
        """The elements of a part, drawn with its own arguments in scope."""
        name = arguments.name({"name": name}, "name")
        parts = self.kit.look.parts
        if name not in parts:
            raise arguments.unknown("part", name, parts, "name")
        part = parts[name]
        arguments.only(given, part.args)
        missing = [key for key, default in part.args.items() if default is None and key not in given]
        if missing:
            raise Fault("LAY-002", f"part '{name}' needs '{missing[0]}'", key="with")
        values = {key: compile_value(given.get(key, default), known) for key, default in part.args.items()}
        inner = {key: value for key, value in known.items() if key not in values}
        inner |= {key: value.value for key, value in values.items() if isinstance(value, Fixed)}
        body = compile_template(part, self.kit, inner, depth + 1, (*self.calls, (self.template.source, path)))
        if isinstance(body, Constant):
            return body
        table = [(key, getter(value)) for key, value in values.items()]
        return lambda scope, out: body({**scope, **{key: get(scope) for key, get in table}}, out)

    def placed(self, frame: Value, inner: Draw, path: PathKey) -> Draw:
        """`inner` moved, turned, scaled and clipped as the frame says."""
        if isinstance(frame, Fixed):
            push = placing_push(frame.value)
            return framed(push, inner) if push is not None else inner
        get = frame.get

        def draw(scope: Scope, out: list[Op]) -> None:
            push = placing_push(get(scope))
            (framed(push, inner) if push is not None else inner)(scope, out)

        return self.guarded(draw, path)


def _parts_of(item: Any) -> tuple[str, Any, dict[str, Any]]:
    """Drawing key, its arguments, and the keys beside it."""
    if not isinstance(item, dict):
        raise Fault("LAY-001", f"an element must be a mapping, found {item!r}")
    kinds = [key for key in item if key in KINDS]
    if len(kinds) != 1:
        stray = [key for key in item if key not in KINDS and key not in FRAME]
        if stray and not kinds:
            raise arguments.unknown("element", stray[0], (*KINDS, *FRAME))
        raise Fault("LAY-001", f"an element has exactly one drawing key, found {', '.join(map(str, kinds)) or 'none'}")
    kind = kinds[0]
    body = item[kind]
    beside = {key: value for key, value in item.items() if key != kind}
    if kind == "part" and isinstance(body, str):
        own = ("with", *PLACING)
        body = {"name": body, **{key: value for key, value in beside.items() if key in own}}
        beside = {key: value for key, value in beside.items() if key not in own}
    arguments.only(beside, FRAME)
    return kind, body, beside
