"""Templates in YAML texts: what they read, their text, their values. The environment itself is `components.sandbox`.

They are left to Jinja2, which takes a while to import: who has no template does without this module.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
from jinja2 import Template, nodes
from jinja2.exceptions import SecurityError, TemplateError, TemplateSyntaxError
from jinja2.runtime import Context, new_context

from components import sandbox
from components.interpreter import printer, worker
from components.phrasing import did_you_mean
from components.placeholders import PLURALS, Read, TemplateFault, ValuedNode, is_template
from components.sandbox import MAX_OUTPUT, MAX_TEMPLATE, environment, fresh_budget

T = TypeVar("T")

_WHOLE = re.compile(r"\s*\{\{((?:(?!\{\{|\}\}).)*)\}\}\s*\Z", re.DOTALL)
_KINDS = (
    ("'NoneType'", "nothing"), ('"NoneType"', "nothing"), ("instances of ", ""), ("'int'", "a number"),
    ('"int"', "a number"), ("'str'", "a text"), ('"str"', "a text"), (" to str", " to a text"), (" str ", " a text "),
    ("'float'", "a number"), ("'list'", "a list"), ("'dict'", "a mapping"), ("concatenate", "add"),
)  # fmt: skip


class Compiled(msgspec.Struct, frozen=True):
    """A template that was parsed and checked: what prints it piece by piece, or works it out."""

    run: Callable[[Mapping[str, Any]], Any]
    reads: tuple[Read, ...]


@lru_cache(8192)
def _compiled(text: str) -> Compiled:
    if len(text) > MAX_TEMPLATE:
        raise TemplateFault("DEF-023", f"a template of more than {MAX_TEMPLATE:,} characters")
    try:
        tree = environment.parse(text)
        found = tuple(dict.fromkeys(_reads(tree)))
        tree = sandbox.checked(tree)
        run = printer(tree) or _printer(tree)
    except TemplateSyntaxError as error:
        raise TemplateFault("DEF-021", f"template: {_syntax(error)}", needle=_near(text, error)) from None
    except (RecursionError, MemoryError, SyntaxError):  # the two last from compiling what Jinja2 wrote
        raise TemplateFault("DEF-023", "the template is nested too deeply") from None
    except ValueError:
        raise TemplateFault("DEF-023", "a number with too many digits") from None
    except TypeError as error:  # from working out constants, e.g. a mapping whose key is a list
        raise TemplateFault("DEF-024", f"template: {_plain_words(error)}") from None
    return Compiled(run, found)


def _syntax(error: TemplateSyntaxError) -> str:
    message = str(error.message or "it cannot be read").rstrip(".")
    if unknown := re.match(r"Encountered unknown tag '(\w+)'", message):
        return f"'{unknown.group(1)}' is not available; `if`, `for` and `set` are"
    if message == "unexpected '}'":
        return "a template ends with }}, and here a single } ends it"
    return message[:1].lower() + message[1:]


def _near(text: str, error: TemplateSyntaxError) -> str:
    """A piece of the template near the fault, to find its line in the file."""
    lines = text.splitlines()
    line = lines[error.lineno - 1] if 0 < error.lineno <= len(lines) else ""
    match = re.search(r"\{[{%#].*", line)
    return match.group()[:24].rstrip() if match else ""


def reads(text: str, *, expression: bool = False) -> tuple[Read, ...]:
    """The names a template reads from its surroundings. Raises `TemplateFault` if it cannot be used at all."""
    if expression:
        return _expression(text).reads
    return _compiled(text).reads if is_template(text) else ()


def render(text: str, names: Mapping[str, Any]) -> str:
    """The text of a template. Raises `TemplateFault`."""
    if not is_template(text):
        return text
    return _guarded(lambda: _output(_compiled(text), names), names)


def _output(compiled: Compiled, names: Mapping[str, Any]) -> str:
    size = 0
    chunks: list[str] = []
    for chunk in compiled.run(names):
        size += len(chunk)
        if size > MAX_OUTPUT:
            raise TemplateFault("DEF-023", f"the template prints more than {MAX_OUTPUT:,} characters", needle="{%")
        chunks.append(chunk)
    return _text("".join(chunks))


def _text(text: str) -> str:
    """The text, if it can be written down."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        what = f"the code U+{ord(text[error.start]):04X} is half a character"
        raise TemplateFault("DEF-024", f"template: {what}") from None
    return text


def _guarded(work: Callable[[], T], names: Mapping[str, Any]) -> T:
    """Run a template; whatever goes wrong in it comes out as a `TemplateFault`."""
    fresh_budget()
    try:
        return work()
    except TemplateFault as fault:
        if fault.code == "DEF-020" and not fault.hint:
            fault.hint = did_you_mean(fault.needle, names)
        raise
    except SecurityError as error:
        raise TemplateFault("DEF-022", f"not allowed in a template: {error}") from None
    except TemplateError as error:
        raise TemplateFault("DEF-024", f"template: {error}") from None
    except NameError as error:  # constants that are too large are compiled into names: inf, nan
        if error.name not in ("inf", "nan"):
            raise
        raise TemplateFault("DEF-024", sandbox.NOT_FINITE) from None
    except (ArithmeticError, TypeError, ValueError, LookupError, AttributeError, RecursionError, MemoryError) as error:
        raise TemplateFault("DEF-024", f"template: {_plain_words(error)}") from None


def _plain_words(error: BaseException) -> str:
    if isinstance(error, ZeroDivisionError):
        return "division by zero"
    message = str(error).splitlines()[0] if str(error) else type(error).__name__
    if message.startswith("unhashable"):
        return "a list or a mapping cannot be a key, nor be looked for among keys"
    for python, plain in _KINDS:
        message = message.replace(python, plain)
    return message


@lru_cache(4096)
def _expression(text: str) -> Compiled:
    if len(text) > MAX_TEMPLATE:
        raise TemplateFault("DEF-023", f"an expression of more than {MAX_TEMPLATE:,} characters")
    try:
        tree = environment.parse("{{" + text + "}}")
        output = tree.body[0] if len(tree.body) == 1 else None
        if not isinstance(output, nodes.Output) or len(output.nodes) != 1:
            raise TemplateFault("DEF-021", "not a single expression", needle=text.strip()[:24])
        found = tuple(dict.fromkeys(_reads(tree)))
        value = output.nodes[0]
        if isinstance(value, nodes.TemplateData):
            value = nodes.Const(value.data, lineno=1)
        body: list[nodes.Node] = [nodes.Assign(nodes.Name("result", "store", lineno=1), value, lineno=1)]
        assignment = nodes.Template(body, lineno=1)
        assignment.set_environment(environment)
        assignment = sandbox.checked(assignment)
        run = worker(assignment.body[0].node) or _worker(assignment)  # type: ignore[attr-defined]
    except TemplateSyntaxError as error:
        unit = re.fullmatch(r"(\d+) ?[^\W\d_]+", text.strip())
        hint = f"write the number alone: {unit[1]}" if unit else ""
        raise TemplateFault("DEF-021", f"expression: {_syntax(error)}", hint, text.strip()[:24]) from None
    except (RecursionError, MemoryError, SyntaxError):
        raise TemplateFault("DEF-023", "the expression is nested too deeply") from None
    except ValueError:
        raise TemplateFault("DEF-023", "a number with too many digits") from None
    except TypeError as error:  # from working out constants, e.g. a mapping whose key is a list
        raise TemplateFault("DEF-024", f"template: {_plain_words(error)}") from None
    return Compiled(run, found)


def evaluate(expression: str, names: Mapping[str, Any]) -> Any:
    """The value of an expression (without braces), with its type. Raises `TemplateFault`."""

    compiled = _expression(expression)
    return _guarded(lambda: _finished(compiled.run(names)), names)


def _finished(value: Any) -> Any:
    """A value fit for data: generators, ranges and pairs become lists, valued prefixes their value, at every level.

    Raises `TemplateFault` for a value that cannot be written down.
    """
    if isinstance(value, ValuedNode):
        return value.plain()
    if isinstance(value, sandbox.Missing):
        sandbox.fail(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int | float):
        if not math.isfinite(value):
            raise TemplateFault("DEF-024", sandbox.NOT_FINITE)
        return sandbox.limited(value)
    if isinstance(value, list | tuple | range | Iterator):
        return [_finished(item) for item in value]
    if isinstance(value, dict):
        for key in value:
            if isinstance(key, bool) or not isinstance(key, int | str):
                raise TemplateFault("DEF-024", "template: a key of a mapping must be a word or a whole number")
        return {_finished(key): _finished(item) for key, item in value.items()}
    return value


def native(text: str, names: Mapping[str, Any]) -> Any:
    """Like `render`, but a text that is exactly one `{{ expression }}` yields the value with its type."""
    whole = _WHOLE.match(text)
    if whole and not whole.group(1).startswith("-"):
        return evaluate(whole.group(1), names)
    return render(text, names)


# --- by way of Jinja2's code ----------------------------------------------------------------------------------------


def _printer(tree: nodes.Template) -> Callable[[Mapping[str, Any]], Iterator[str]]:
    """A printer that renders a template as Jinja2 does."""
    known = _known(tree)
    template = environment.from_string(tree)
    return lambda names: template.root_render_func(_context(template, known, names))


def _worker(assignment: nodes.Template) -> Callable[[Mapping[str, Any]], Any]:
    """An evaluator of the `result` that a template sets."""
    known = _known(assignment)
    template = environment.from_string(assignment)

    def work(names: Mapping[str, Any]) -> Any:
        context = _context(template, known, names)
        for _ in template.root_render_func(context):
            pass
        return context.vars["result"]

    return work


def _known(tree: nodes.Template) -> list[str]:
    """All names that stand in a template, and the one that filters read."""
    return list(dict.fromkeys([*(node.name for node in tree.find_all(nodes.Name)), PLURALS]))


def _context(template: Template, known: list[str], names: Mapping[str, Any]) -> Context:
    """A context with those of the `names` that are `known` in the template; copying all takes longer than most
    templates."""
    scope_ = {**environment.globals, **{name: names[name] for name in known if name in names}}
    return new_context(environment, None, template.blocks, scope_, shared=True)


# --- what a template reads -----------------------------------------------------------------------------------------


def _reads(tree: nodes.Node) -> Iterator[Read]:
    """The dotted names a template takes from outside; names it sets itself are left out."""
    own = {node.name for node in tree.find_all(nodes.Name) if node.ctx == "store"} | {"loop", "range", "true", "false"}

    def walk(node: nodes.Node, guarded: bool) -> Iterator[Read]:
        path = _dotted(node)
        if path is not None:
            if path[0] not in own and (not isinstance(node, nodes.Name) or node.ctx == "load"):
                yield Read(path, guarded)
            return
        asks = (isinstance(node, nodes.Test) and node.name in ("defined", "undefined")) or (
            isinstance(node, nodes.Filter) and node.name in ("default", "d")
        )
        for child in node.iter_child_nodes():
            # A method's name (`map.items()`) is no part of the data that is read.
            if isinstance(node, nodes.Call) and child is node.node and isinstance(child, nodes.Getattr):
                child = child.node
            yield from walk(child, guarded or asks)

    yield from walk(tree, False)


def _dotted(node: nodes.Node) -> tuple[str, ...] | None:
    if isinstance(node, nodes.Name):
        return (node.name,)
    if isinstance(node, nodes.Getattr):
        path = _dotted(node.node)
        return None if path is None else (*path, node.attr)
    if isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const) and isinstance(node.arg.value, str):
        path = _dotted(node.node)
        return None if path is None else (*path, node.arg.value)
    return None
