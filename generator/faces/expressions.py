"""Values of face templates: numbers, texts and `{{ expressions }}`, worked out as early as possible.

A value that depends only on names known when the template is compiled (sizes, parameters, ink, the rules) becomes
`Fixed`; what depends on the piece becomes `Varying`, a function of the scope. Plain dotted names, which are most of
what templates use, are read without Jinja2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from components.phrasing import did_you_mean
from generator.faces.faults import Fault

Scope = Mapping[str, Any]


class Fixed(msgspec.Struct, frozen=True):
    value: Any


class Varying(msgspec.Struct, frozen=True):
    get: Callable[[Scope], Any]


Value = Fixed | Varying

_WHOLE = re.compile(r"\s*\{\{((?:(?!\{\{|\}\}).)*)\}\}\s*", re.DOTALL)
_HOLE = re.compile(r"\{\{((?:(?!\{\{|\}\}).)*)\}\}", re.DOTALL)
_DOTTED = re.compile(r"\s*([A-Za-z]\w*(?:\.[A-Za-z]\w*)*)\s*")
_LITERALS = {"true": True, "false": False, "none": None, "True": True, "False": False, "None": None}


def compile_value(raw: Any, known: Scope) -> Value:
    """Compile anything YAML can hold. `known` are the names whose values are the same for every piece."""
    if isinstance(raw, str):
        return _text(raw, known)
    if isinstance(raw, list):
        items = [compile_value(item, known) for item in raw]
        if all(isinstance(item, Fixed) for item in items):
            return Fixed([item.value for item in items if isinstance(item, Fixed)])
        getters = [getter(item) for item in items]
        return Varying(lambda scope: [get(scope) for get in getters])
    if isinstance(raw, dict):
        entries = {key: compile_value(item, known) for key, item in raw.items()}
        if all(isinstance(item, Fixed) for item in entries.values()):
            return Fixed({key: item.value for key, item in entries.items() if isinstance(item, Fixed)})
        table = [(key, getter(item)) for key, item in entries.items()]
        return Varying(lambda scope: {key: get(scope) for key, get in table})
    return Fixed(raw)


def compile_condition(raw: Any, known: Scope) -> Value:
    """Compile an `if:` or `each:`: a text is an expression, with or without the braces."""
    if isinstance(raw, str) and "{{" not in raw and "{%" not in raw:
        return compile_expression(raw, known)
    return compile_value(raw, known)


def names_read(raw: str, condition: bool = False) -> set[tuple[str, ...]]:
    """The dotted names that a value, or a `condition`, reads from its surroundings, as `compile_value` and
    `compile_condition` would read them; none for what they would refuse."""
    if not any(mark in raw for mark in ("{{", "{%", "{#")):
        return _reads(raw, whole=True) if condition else set()
    whole = _WHOLE.fullmatch(raw)
    if whole:
        return _reads(whole.group(1), whole=True)
    holes = _HOLE.split(raw)[1::2]
    if "{%" in raw or "{#" in raw or not all(_DOTTED.fullmatch(hole) for hole in holes):
        return _reads(raw, whole=False)
    return {name for hole in holes for name in _reads(hole, whole=True)}


def _reads(text: str, whole: bool) -> set[tuple[str, ...]]:
    match = _DOTTED.fullmatch(text) if whole else None
    if match is not None:
        return set() if match.group(1) in _LITERALS else {tuple(match.group(1).split("."))}
    from components.placeholders import TemplateFault
    from components.templates import reads

    try:
        return {read.path for read in reads(text, expression=whole)}
    except TemplateFault:
        return set()


def getter(value: Value) -> Callable[[Scope], Any]:
    """A function of the scope for either kind of value."""
    if isinstance(value, Varying):
        return value.get
    fixed = value.value
    return lambda _scope: fixed


def _text(raw: str, known: Scope) -> Value:
    if "{{" not in raw and "{%" not in raw and "{#" not in raw:
        return Fixed(raw)
    whole = _WHOLE.fullmatch(raw)
    if whole:
        return compile_expression(whole.group(1), known)
    pieces = _HOLE.split(raw)
    if "{%" not in raw and any("{{" in piece for piece in pieces[::2]):
        raise Fault("LAY-004", f"'{{{{' has no '}}}}' in '{raw}'", "an expression stands between {{ and }}")
    if "{%" in raw or "{#" in raw or not all(_DOTTED.fullmatch(hole) for hole in pieces[1::2]):
        return _jinja(raw, known, whole=False)
    parts = [compile_expression(piece, known) if i % 2 else Fixed(piece) for i, piece in enumerate(pieces)]
    getters = [getter(part) for part in parts]

    def joined(scope: Scope) -> str:
        return "".join([printed(get(scope)) for get in getters])

    return Fixed(joined(known)) if all(isinstance(part, Fixed) for part in parts) else Varying(joined)


def compile_expression(text: str, known: Scope) -> Value:
    """Compile one Jinja2 expression (without braces); its value keeps its type."""
    match = _DOTTED.fullmatch(text)
    if match is None:
        return _jinja(text, known, whole=True)
    name = match.group(1)
    if name in _LITERALS:
        return Fixed(_LITERALS[name])
    root, *path = name.split(".")
    if root in known:
        return Fixed(_walk(known[root], path, name))

    def look(scope: Scope) -> Any:
        try:
            value = scope[root]
        except KeyError:
            raise Fault("LAY-004", f"'{root}' is not defined", did_you_mean(root, scope)) from None
        return _walk(value, path, name) if path else value

    return Varying(look)


def _walk(value: Any, path: list[str], name: str) -> Any:
    """Keys of mappings and fields of records, and nothing else, as in the sandbox of the Jinja2 environment."""
    for part in path:
        if isinstance(value, Mapping):
            inside: Any = value
        elif isinstance(value, msgspec.Struct):
            if part in value.__struct_fields__:
                value = getattr(value, part)
                continue
            inside = value.__struct_fields__
        else:
            inside = getattr(value, "parts", {})
        if part not in inside:
            hint = did_you_mean(part, inside, listing="there are")
            raise Fault("LAY-004", f"'{name}' is not defined: there is no '{part}'", hint)
        value = inside[part]
    return value.plain() if hasattr(value, "plain") else value


def _jinja(text: str, known: Scope, whole: bool) -> Value:
    """Anything but plain names: left to the project's sandboxed Jinja2 environment."""
    from components.placeholders import TemplateFault
    from components.templates import evaluate, reads, render

    try:
        free = {read.path[0] for read in reads(text, expression=whole)}
    except TemplateFault as fault:
        raise _unusable(text, fault) from None

    def work_out(scope: Scope) -> Any:
        try:
            return evaluate(text, scope) if whole else render(text, scope)
        except TemplateFault as fault:
            raise _unusable(text, fault) from None

    return Fixed(work_out(known)) if free <= known.keys() else Varying(work_out)


def _unusable(text: str, fault: Any) -> Fault:
    return Fault("LAY-004", f"'{' '.join(text.split())}': {fault.what}", fault.hint)


def printed(value: Any) -> str:
    """A value as text, as the Jinja2 environment prints it."""
    if isinstance(value, str):
        return value
    if type(value) is int:
        return str(value)
    from components.placeholders import TemplateFault
    from components.sandbox import printed as print_other

    try:
        return print_other(value)
    except TemplateFault as fault:
        raise Fault("LAY-004", fault.what, fault.hint) from None
