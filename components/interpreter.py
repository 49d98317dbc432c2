"""Simple templates worked out from their syntax trees, without the detour by way of Python code.

Most templates are a name, a sum or a choice, and are rendered a few times: writing and compiling code for them, as
Jinja2 does, takes far longer than working them out. What is worked out here gives what Jinja2 gives, with the same
environment, names, filters and limits; loops, assignments and the rarer expressions are left to Jinja2.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from jinja2 import nodes
from jinja2.runtime import new_context
from jinja2.utils import _PassArg

from components.sandbox import environment, printed

Names = Mapping[str, Any]
Work = Callable[[Names], Any]
"""Works out a value in a scope of names."""
Print = Callable[[Names, list[str]], None]
"""Adds what is printed to a list."""

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "gt": operator.gt,
    "gteq": operator.ge,
    "lt": operator.lt,
    "lteq": operator.le,
    "in": lambda a, b: a in b,
    "notin": lambda a, b: a not in b,
}
_SIGNS: dict[type[nodes.Node], Callable[[Any], Any]] = {
    nodes.Neg: operator.neg,
    nodes.Pos: operator.pos,
    nodes.Not: operator.not_,
}
_OPERATORS = (nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow)


class _Beyond(Exception):
    """Something that is left to Jinja2."""


def printer(tree: nodes.Template) -> Callable[[Names], Iterator[str]] | None:
    """A printer of a checked template (`sandbox.checked`), piece by piece; None: Jinja2 has to do it."""
    try:
        prints = _printing(tree.body)
    except _Beyond:
        return None

    def pieces(names: Names) -> Iterator[str]:
        out: list[str] = []
        for each in prints:
            each(names, out)
            yield from out
            out.clear()

    return pieces


def worker(tree: nodes.Node) -> Work | None:
    """An evaluator of a checked expression; None: Jinja2 has to do it."""
    try:
        return _work(tree)
    except _Beyond:
        return None


# --- statements --------------------------------------------------------------------------------------------------


def _printing(body: Iterable[nodes.Node]) -> list[Print]:
    prints: list[Print] = []
    for node in body:
        if isinstance(node, nodes.Output):
            prints += [_shown(part) for part in node.nodes]
        elif isinstance(node, nodes.If):
            prints.append(_choice(node))
        else:
            raise _Beyond
    return prints


def _shown(node: nodes.Node) -> Print:
    if isinstance(node, nodes.TemplateData):
        data = node.data
        return lambda _names, out: out.append(data)
    work = _work(node)
    return lambda names, out: out.append(printed(work(names)))


def _choice(node: nodes.If) -> Print:
    ways = [(_work(way.test), _printing(way.body)) for way in (node, *node.elif_)]
    other = _printing(node.else_)

    def show(names: Names, out: list[str]) -> None:
        chosen = next((prints for test, prints in ways if test(names)), other)
        for each in chosen:
            each(names, out)

    return show


# --- expressions -------------------------------------------------------------------------------------------------


def _work(node: nodes.Node) -> Work:
    kind = type(node)
    if isinstance(node, nodes.Const):
        return _constant(node.value)
    if isinstance(node, nodes.Name):
        return _named(node.name)
    if isinstance(node, nodes.Getattr):
        get_of, of, attribute = environment.getattr, _work(node.node), node.attr
        return lambda names: get_of(of(names), attribute)
    if isinstance(node, nodes.Getitem) and not isinstance(node.arg, nodes.Slice):
        get_item, of, arg = environment.getitem, _work(node.node), _work(node.arg)
        return lambda names: get_item(of(names), arg(names))
    if kind in _SIGNS:
        sign, of = _SIGNS[kind], _work(node.node)  # type: ignore[attr-defined]
        return lambda names: sign(of(names))
    if isinstance(node, _OPERATORS):
        act, left, right = environment.binop_table[node.operator], _work(node.left), _work(node.right)
        return lambda names: act(left(names), right(names))
    if isinstance(node, nodes.And):
        left, right = _work(node.left), _work(node.right)
        return lambda names: left(names) and right(names)
    if isinstance(node, nodes.Or):
        left, right = _work(node.left), _work(node.right)
        return lambda names: left(names) or right(names)
    if isinstance(node, nodes.Compare):
        return _compared(_work(node.expr), [(_COMPARE[operand.op], _work(operand.expr)) for operand in node.ops])
    if isinstance(node, nodes.CondExpr) and node.expr2 is not None:
        test, one, other = _work(node.test), _work(node.expr1), _work(node.expr2)
        return lambda names: one(names) if test(names) else other(names)
    if isinstance(node, nodes.List):
        items = [_work(item) for item in node.items]
        return lambda names: [item(names) for item in items]
    if isinstance(node, nodes.Tuple):
        items = [_work(item) for item in node.items]
        return lambda names: tuple([item(names) for item in items])
    if isinstance(node, nodes.Filter | nodes.Test | nodes.Call):
        return _called(node)
    raise _Beyond


def _constant(value: Any) -> Work:
    return lambda _names: value


def _named(name: str) -> Work:
    if name == "self":  # the template itself, to Jinja2
        raise _Beyond
    given, missing = environment.globals, environment.undefined

    def work(names: Names) -> Any:
        try:
            return names[name]
        except KeyError:
            return given[name] if name in given else missing(name=name)

    return work


def _compared(first: Work, others: Sequence[tuple[Callable[[Any, Any], Any], Work]]) -> Work:
    if len(others) == 1:
        ((compare, second),) = others
        return lambda names: compare(first(names), second(names))

    def work(names: Names) -> Any:
        left, result = first(names), True
        for compare, other in others:
            right = other(names)
            result = compare(left, right)
            if not result:
                break
            left = right
        return result

    return work


def _called(node: nodes.Filter | nodes.Test | nodes.Call) -> Work:
    if node.node is None or node.dyn_args is not None or node.dyn_kwargs is not None:
        raise _Beyond
    of = _work(node.node)
    args = [_work(arg) for arg in node.args]
    named = [(str(pair.key), _work(pair.value)) for pair in node.kwargs if isinstance(pair, nodes.Keyword)]
    if isinstance(node, nodes.Call):
        # Jinja2 refuses what is not safe to be called
        def call(names: Names) -> Any:
            function, given = of(names), [arg(names) for arg in args]
            context = new_context(environment, None, {}, {}, shared=True)
            return environment.call(context, function, *given, **{key: value(names) for key, value in named})

        return call
    function: Any = (environment.filters if isinstance(node, nodes.Filter) else environment.tests)[node.name]
    passed = _PassArg.from_obj(function)
    reads_names = getattr(function, "reads_names", False)
    if passed not in (None, _PassArg.environment) and not reads_names:
        raise _Beyond
    fixed = (environment,) if passed is _PassArg.environment else ()

    def work(names: Names) -> Any:
        value, first = of(names), (names,) if reads_names else fixed
        given = [arg(names) for arg in args]
        return function(*first, value, *given, **{key: worth(names) for key, worth in named})

    return work
