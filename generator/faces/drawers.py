"""Functions that draw, and how they are put together: one after the other, in a frame, on a condition, in rounds.

A `Faulty` raised while drawing carries a problem, with its place, for everything found wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from components.errors import Problem
from generator.faces import arguments, svgpath
from generator.faces.arguments import Args
from generator.faces.display import IDENTITY, POP, Op, Push
from generator.faces.elements import SHAPES, shape
from generator.faces.expressions import Fixed, Scope, Value
from generator.faces.faults import Fault

Draw = Callable[[Scope, list[Op]], None]


class Faulty(Exception):
    """Everything that is wrong with a template, or with one piece in it."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(problem.what for problem in problems))
        self.problems = problems


class Constant:
    """Draws the same operations for every piece."""

    def __init__(self, ops: list[Op]) -> None:
        self.ops = ops

    def __call__(self, _scope: Scope, out: list[Op]) -> None:
        out.extend(self.ops)


NOTHING = Constant([])


def sequence(draws: list[Draw]) -> Draw:
    """One after the other; neighbours that are constant are joined."""
    joined: list[Draw] = []
    for draw in draws:
        last = joined[-1] if joined else None
        if isinstance(draw, Constant) and isinstance(last, Constant):
            joined[-1] = Constant([*last.ops, *draw.ops])
        else:
            joined.append(draw)
    if not joined:
        return NOTHING
    if len(joined) == 1:
        return joined[0]

    def run(scope: Scope, out: list[Op]) -> None:
        problems: list[Problem] = []
        for draw in joined:
            try:
                draw(scope, out)
            except Faulty as faulty:
                problems += faulty.problems
        if problems:
            raise Faulty(problems)

    return run


def framed(push: Push, inner: Draw) -> Draw:
    if isinstance(inner, Constant):
        return Constant([push, *inner.ops, POP]) if inner.ops else inner

    def draw(scope: Scope, out: list[Op]) -> None:
        out.append(push)
        inner(scope, out)
        out.append(POP)

    return draw


def faint(opacity: Value, inner: Draw) -> Draw:
    """`inner` as a whole, only so opaque."""
    if isinstance(opacity, Fixed):
        push = _fainter(opacity.value)
        return framed(push, inner) if push.opacity < 1 else inner

    def draw(scope: Scope, out: list[Op]) -> None:
        framed(_fainter(opacity.get(scope)), inner)(scope, out)

    return draw


def _fainter(opacity: Any) -> Push:
    value = arguments.number({"opacity": opacity}, "opacity")
    if not 0 <= value <= 1:
        raise Fault("LAY-002", f"'opacity' must be between 0 (not seen) and 1 (opaque), found {value:g}")
    return Push(opacity=value)


def when(condition: Callable[[Scope], Any], inner: Draw) -> Draw:
    def draw(scope: Scope, out: list[Op]) -> None:
        if condition(scope):
            inner(scope, out)

    return draw


def bound(own: dict[str, Any], inner: Draw) -> Draw:
    """`inner` with the names of its round in scope, for values that need them together with the piece."""
    return inner if isinstance(inner, Constant) else lambda scope, out: inner({**scope, **own}, out)


def each(values: Callable[[Scope], Any], names: list[str], inner: Draw) -> Draw:
    def draw(scope: Scope, out: list[Op]) -> None:
        for own in rounds(values(scope), names):
            inner({**scope, **own}, out)

    return draw


def rounds(values: Any, names: list[str]) -> Iterator[dict[str, Any]]:
    """For every value the names it adds: its own name (or several that it is taken apart into), and its number."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise Fault("LAY-002", f"'each' goes through a list or a mapping, found {values!r}")
    if isinstance(values, Mapping) and len(names) == 2:
        values = values.items()
    for index, value in enumerate(values):
        if len(names) == 1:
            own = {names[0]: value}
        else:
            try:
                own = dict(zip(names, value, strict=True))
            except (TypeError, ValueError):
                raise Fault("LAY-002", f"'as' has {len(names)} names, but an entry is {value!r}") from None
        yield {**own, "index": index, f"{names[0]}_index": index}


def _scales(args: Args) -> tuple[float, float]:
    """The scale of the content across and down: `scale` is one number or two."""
    if isinstance(args.get("scale"), list):
        across, down = arguments.numbers(args, "scale", 2)
        return across, down
    scale = arguments.number(args, "scale", 1)
    return scale, scale


def placing_push(args: Args) -> Push | None:
    """The group that the arguments of a group or part ask for, or None when nothing moves."""
    x, y = arguments.numbers(args, "at", 2) if "at" in args else (0.0, 0.0)
    matrix = svgpath.placing(x, y, arguments.number(args, "turn", 0), *_scales(args))
    clip = args.get("clip")
    if clip is None:
        return None if matrix == IDENTITY else Push(matrix)
    if not isinstance(clip, dict) or len(clip) != 1 or next(iter(clip)) not in SHAPES:
        raise Fault("LAY-002", "'clip' must be exactly one shape", f"one of {', '.join(SHAPES)}", "clip")
    ((kind, clip_args),) = clip.items()
    if not isinstance(clip_args, dict):
        raise Fault("LAY-002", f"the {kind} of 'clip' needs a mapping of arguments", key="clip")
    arguments.only(clip_args, SHAPES[kind])
    return Push(matrix, svgpath.to_d(shape(kind, clip_args)))
