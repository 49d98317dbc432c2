"""The Jinja2 environment in which all templates of the project run, and what it does not let them do.

Templates come from anybody's YAML, so they may compute and choose, and nothing else. Statements are `if`, `for` and
`set`. Filters and tests are the listed ones. Attributes are the keys of mappings and the fields of records; texts and
numbers have none. Loops and `range` share a budget of steps, and texts and lists made by a template stay below a limit,
so that every template ends soon.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from functools import partial, wraps
from typing import Any, NoReturn, cast

import msgspec
from jinja2 import StrictUndefined, filters, nodes, pass_context
from jinja2.runtime import LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import missing
from jinja2.visitor import NodeTransformer

from components import phrasing
from components.phrasing import did_you_mean
from components.placeholders import PLURALS, TemplateFault

MAX_TEMPLATE = 20_000
MAX_OUTPUT = 100_000
MAX_STEPS = 20_000
MAX_ITEMS = 5_000
MAX_NUMBER = 10**15
NOT_FINITE = "template: the number is infinite, or not a number at all"

MAPPING_METHODS = ("get", "items", "keys", "values")
LOOP_FIELDS = (
    "changed", "cycle", "depth", "depth0", "first", "index", "index0", "last", "length", "nextitem", "previtem",
    "revindex", "revindex0",
)  # fmt: skip
STATEMENTS = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.Name, nodes.Const, nodes.Getattr, nodes.Getitem,
    nodes.Slice, nodes.Filter, nodes.Test, nodes.Call, nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not,
    nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow, nodes.Neg, nodes.Pos,
    nodes.Concat, nodes.CondExpr, nodes.Tuple, nodes.List, nodes.Dict, nodes.Pair, nodes.Keyword, nodes.If, nodes.For,
    nodes.Assign,
)  # fmt: skip
FILTERS = (
    "abs", "amounts", "capitalize", "count", "d", "default", "dictsort", "first", "float", "int", "items", "join",
    "join_and", "last", "length", "list", "lower", "map", "max", "min", "number_word", "plural", "reject",
    "rejectattr", "replace", "reverse", "round", "select", "selectattr", "signed", "sort", "string", "sum",
    "title", "trim", "unique", "upper",
)  # fmt: skip


class Missing(StrictUndefined):
    """A name that does not exist: any use but `is defined` and `default` raises a `TemplateFault` with near names."""

    __slots__ = ()

    def __init__(self, hint: str | None = None, obj: Any = None, name: Any = None, exc: Any = None) -> None:
        fault: Any = partial(_missing, name, obj)
        super().__init__(hint, obj if obj is not None else missing, name, fault)


def _missing(name: Any, obj: Any, _message: str | None = None) -> TemplateFault:
    if obj is None or obj is missing:
        return TemplateFault("DEF-020", f"unknown name '{name}'", needle=str(name or ""))
    names: Any = obj if isinstance(obj, Mapping) else getattr(obj, "parts", getattr(obj, "__struct_fields__", ()))
    hint = did_you_mean(name, names, listing="there is")
    return TemplateFault("DEF-020", f"'{name}' is not available here", hint, str(name))


Names = Mapping[str, Any]

_steps: ContextVar[int] = ContextVar("steps", default=MAX_STEPS)


def fresh_budget() -> None:
    """Every rendering starts with this many steps."""
    _steps.set(MAX_STEPS)


def _spend(number: int) -> None:
    left = _steps.get() - number
    if left < 0:
        raise TemplateFault("DEF-023", f"the loops of the template take more than {MAX_STEPS:,} steps", needle="for")
    _steps.set(left)


def _limited_range(*bounds: int) -> range:
    """`range`, paid for in steps."""
    try:
        numbers = range(*bounds)
        size = len(numbers)
    except OverflowError:
        size = MAX_STEPS + 1
    if size > MAX_STEPS:
        raise TemplateFault("DEF-023", f"range() goes over more than {MAX_STEPS:,} numbers", needle="range")
    _spend(size)
    return numbers


def _loop(value: Any) -> Any:
    """The values of a `for` loop: a sized value whose steps are paid for."""
    if isinstance(value, Mapping | list | tuple | str | range):
        _spend(len(value))
        return value
    return list(_paid(value))


def _paid(value: Any) -> Iterator[Any]:
    for item in value:
        _spend(1)
        yield item


def _sized(value: Any) -> Any:
    """A list or mapping made by a template; refused beyond `MAX_ITEMS`, counted through all levels."""
    left = MAX_ITEMS
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Mapping):
            inside: Any = item.values()
        elif isinstance(item, list | tuple):
            inside = item
        else:
            continue
        left -= len(inside)
        if left < 0:
            raise TemplateFault("DEF-023", f"the template makes a list of more than {MAX_ITEMS:,} entries")
        waiting.extend(inside)
    return value


def _text_limit(size: int) -> None:
    if size > MAX_OUTPUT:
        raise TemplateFault("DEF-023", f"the template makes a text of more than {MAX_OUTPUT:,} characters")


def printed(value: Any) -> str:
    """A value as text: `yes`/`no` for switches, `none` for nothing, whole decimals without `.0`."""
    if isinstance(value, str):
        return str(value)
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        if not math.isfinite(value):
            raise TemplateFault("DEF-024", NOT_FINITE)
        return str(int(value)) if value.is_integer() and abs(value) < MAX_NUMBER else f"{value:.12g}"
    if isinstance(value, int | StrictUndefined):
        return str(value)
    kind = "a mapping" if isinstance(value, Mapping) else "a list" if isinstance(value, list | tuple) else "this"
    raise TemplateFault("DEF-024", f"{kind} cannot be printed", "print one of its entries, or use `| join(', ')`")


def _concat(parts: list[Any]) -> str:
    texts = [printed(part) for part in parts]
    _text_limit(sum(map(len, texts)))
    return "".join(texts)


def _join(value: Any, d: str = "", attribute: Any = None) -> str:
    items = list(_paid(value))
    if attribute is not None:
        items = [environment.getitem(item, attribute) for item in items]
    texts = [printed(item) for item in items]
    _text_limit(sum(map(len, texts)) + len(str(d)) * len(texts))
    return str(d).join(texts)


def _join_and(value: Any, word: str = "and") -> str:
    return phrasing.join_and(list(map(printed, _paid(value))), word)


def _reading(function: Any) -> Any:
    """Marks a filter that takes the names of the template first: a Context, or any mapping of them."""
    function.reads_names = True
    return pass_context(function)


@_reading
def _amounts(names: Names, value: Any, none: str = "nothing") -> str:
    if not isinstance(value, Mapping):
        raise TemplateFault("DEF-024", "`amounts` needs a mapping", needle="amounts")
    _spend(len(value))
    counted = {printed(name): n if type(n) is int else printed(n) for name, n in value.items() if n}
    return phrasing.amounts(counted, none, names.get(PLURALS, {}))


@_reading
def _count(names: Names, number: Any, singular: str, plural_form: str = "") -> str:
    return phrasing.count(number, singular, plural_form or names.get(PLURALS, {}).get(singular, ""))


@_reading
def _plural(names: Names, number: Any, singular: str, plural_form: str = "") -> str:
    return phrasing.plural(number, singular, plural_form or names.get(PLURALS, {}).get(singular, ""))


def _replace(text: Any, old: str, new: str) -> str:
    plain = printed(text)
    _text_limit(len(plain) + (plain.count(old) if old else len(plain) + 1) * len(str(new)))
    return plain.replace(str(old), str(new))


def _round(value: Any, precision: int = 0, method: str = "common") -> Any:
    if abs(precision) > 12:
        raise TemplateFault("DEF-023", "round() takes at most 12 places", needle="round")
    return filters.do_round(value, precision, cast(Any, method))


def _charged(function: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that pays for the entries it is given."""
    place = 1 if hasattr(function, "jinja_pass_arg") else 0

    @wraps(function)
    def charged(*args: Any, **named: Any) -> Any:
        if len(args) > place and isinstance(args[place], Mapping | list | tuple | range):
            _spend(len(args[place]))
        return function(*args, **named)

    return charged


def _add(left: Any, right: Any) -> Any:
    total = left + right
    if isinstance(total, str):
        _text_limit(len(total))
    elif isinstance(total, list | tuple):
        _sized(total)
    return total


def _multiply(left: Any, right: Any) -> Any:
    if not isinstance(left, int | float) or not isinstance(right, int | float):
        hint = "a filter takes only the value next to it; use brackets: `(2 * n) | count(…)`"
        raise TemplateFault("DEF-024", "only numbers can be multiplied", hint, "*")
    return limited(left * right)


def _modulo(left: Any, right: Any) -> Any:
    if not isinstance(left, int | float):
        raise TemplateFault("DEF-024", "'%' takes numbers", "join texts with `~`", "%")
    return left % right


def _power(left: Any, right: Any) -> Any:
    numbers = isinstance(left, int | float) and isinstance(right, int | float)
    if not numbers or abs(right) > 64 or abs(left) > 1_000_000:
        raise TemplateFault("DEF-023", "the power is too large", needle="**")
    return limited(left**right)


def limited(value: Any) -> Any:
    if isinstance(value, int | float) and abs(value) > MAX_NUMBER:
        raise TemplateFault("DEF-023", f"a number above {MAX_NUMBER:,}")
    return value


class _Environment(ImmutableSandboxedEnvironment):
    """Attribute access by whitelist, limited operators."""

    intercepted_binops = frozenset({"+", "*", "%", "**"})
    default_binop_table: dict[str, Any] = {  # noqa: RUF012
        **ImmutableSandboxedEnvironment.default_binop_table, "+": _add, "*": _multiply, "%": _modulo, "**": _power,
    }  # fmt: skip

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, Mapping):
            if attribute in obj:
                return obj[attribute]
            if attribute in MAPPING_METHODS:
                return getattr(obj, attribute)
        elif isinstance(obj, msgspec.Struct):
            if attribute in obj.__struct_fields__:
                return getattr(obj, attribute)
        elif isinstance(obj, LoopContext):
            if attribute in LOOP_FIELDS:
                return getattr(obj, attribute)
        elif attribute in getattr(obj, "parts", ()):
            return obj.parts[attribute]
        elif isinstance(obj, StrictUndefined):
            fail(obj)
        elif not attribute.startswith("_") and hasattr(obj, attribute):
            hint = "use a filter, e.g. `| upper`" if isinstance(obj, str) else ""
            raise TemplateFault("DEF-022", f"'.{attribute}' is not allowed here", hint, attribute)
        if attribute.startswith("_"):
            raise TemplateFault("DEF-022", f"'{attribute}': names that begin with '_' are not allowed", "", attribute)
        return self.undefined(obj=obj, name=attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        if isinstance(obj, StrictUndefined):
            fail(obj)
        if isinstance(obj, Mapping) and not isinstance(argument, str):
            try:
                return obj[argument] if argument in obj else self.undefined(obj=obj, name=argument)
            except TypeError:
                return self.undefined(obj=obj, name=argument)
        if isinstance(obj, list | tuple | str | range) and isinstance(argument, int | slice):
            try:
                return obj[argument]
            except IndexError:
                return self.undefined(obj=obj, name=str(argument))
        return self.getattr(obj, str(argument))

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return not attr.startswith("_")

    def is_safe_callable(self, obj: Any) -> bool:
        """Functions that were given to the template, and the few methods `getattr` lets through."""
        if isinstance(obj, StrictUndefined):
            fail(obj)
        if isinstance(obj, types.FunctionType) or isinstance(getattr(obj, "__self__", None), Mapping | LoopContext):
            return True
        raise TemplateFault(
            "DEF-022", "this is not a function", "the functions are `range` and those given to the text"
        )


def fail(value: StrictUndefined) -> NoReturn:
    """Raise the `TemplateFault` of a missing name."""
    value._fail_with_undefined_error()


class _Limits(NodeTransformer):
    """Puts the limits into a parsed template: loops pay, lists are counted, `~` is checked."""

    def visit_For(self, node: nodes.For) -> nodes.Node:
        self.generic_visit(node)
        node.iter = _filter(cast(nodes.Expr, node.iter), "_loop")
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:
        self.generic_visit(node)
        return _filter(nodes.List(node.nodes, lineno=node.lineno), "_concat")

    def visit_CondExpr(self, node: nodes.CondExpr) -> nodes.Node:
        self.generic_visit(node)
        if node.expr2 is None:  # `{{ ',' if more }}` prints nothing otherwise
            node.expr2 = nodes.Const("", lineno=node.lineno)
        return node

    def visit_List(self, node: nodes.List) -> nodes.Node:
        self.generic_visit(node)
        return _filter(node, "_sized")

    visit_Dict = visit_List

    def visit_Tuple(self, node: nodes.Tuple) -> nodes.Node:
        self.generic_visit(node)
        return _filter(node, "_sized") if node.ctx == "load" else node


def _filter(node: nodes.Expr, name: str) -> nodes.Filter:
    return nodes.Filter(node, name, [], [], None, None, lineno=node.lineno)


def checked(tree: nodes.Template) -> nodes.Template:
    """Refuse what templates may not do (`TemplateFault`), then put the limits in. Changes and returns `tree`."""
    for node in _all(tree):
        if not isinstance(node, STATEMENTS) or (isinstance(node, nodes.For) and node.recursive):
            word = type(node).__name__.lower()
            what = f"'{word}' is not available in templates"
            raise TemplateFault("DEF-022", what, "`if`, `for` and `set` are", word)
        if isinstance(node, nodes.Const):
            limited(node.value)
        if isinstance(node, nodes.Name | nodes.Getattr):
            name = node.name if isinstance(node, nodes.Name) else node.attr
            if name.startswith("_"):
                what = f"'{name}': names that begin with '_' are not allowed"
                raise TemplateFault("DEF-022", what, needle=name)
        if isinstance(node, nodes.Filter | nodes.Test):
            known = FILTERS if isinstance(node, nodes.Filter) else environment.tests
            if node.name not in known:
                kind = "filter" if isinstance(node, nodes.Filter) else "test"
                hint = did_you_mean(node.name, known) or f"{kind}s: {', '.join(sorted(known))}"
                raise TemplateFault("DEF-022", f"there is no {kind} '{node.name}'", hint, node.name)
    done: nodes.Template = _Limits().visit(tree)
    return done


def _all(node: nodes.Node) -> Iterator[nodes.Node]:
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        waiting.extend(here.iter_child_nodes())


environment = _Environment(undefined=Missing, finalize=printed, autoescape=False, cache_size=0)
environment.globals = {"range": _limited_range}
environment.filters = {name: _charged(f) for name, f in environment.filters.items() if name in FILTERS} | {
    "count": _count, "plural": _plural, "number_word": phrasing.number_word, "signed": phrasing.signed,
    "round": _round, "join": _join, "join_and": _join_and, "replace": _replace, "string": printed,
    "amounts": _amounts, "_loop": _loop, "_sized": _sized, "_concat": _concat,
}  # fmt: skip
for _name in ("filter", "test"):
    environment.tests.pop(_name, None)
