"""`docs/engine-reference.md`: what `companion.rules` offers, made from the docstrings of its names."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from importlib import import_module
from itertools import pairwise
from textwrap import fill
from typing import Any, get_origin

import msgspec
from msgspec import Struct

from companion import rules as door

TITLES = {
    "play.rules": "The game",
    "play.phases": "Phases",
    "play.pending": "What is owed",
    "play.position": "Positions",
    "play.declared": "What a state says of its fields",
    "play.forms": "Position files",
    "play.faults": "Faults in positions",
    "play.moves": "Moves",
    "play.parts": "Turns made of steps",
    "play.domains": "The fields of a move",
    "play.seating": "Who sits where",
    "things.effects": "Effects of cards",
    "things.figures": "Figures with their sources",
    "things.sums": "Sums",
    "things.stores": "Stores and prices",
    "things.views": "The table in words",
    "things.scenes": "The table as a picture",
    "answers.ledger": "The score",
    "answers.queries": "Questions about figures",
}
"""Module of the engine -> heading, in the order in which one writes a rules module."""
INHERITED = ("Struct", "ABC", "object", "Protocol", "Generic", "NamedTuple", "tuple", "Exception", "ValueError")
SPECIAL = re.compile(r"_|.*__struct")
ROLE = re.compile(r"``|(?<!`):[a-z]+:`")
DEALING = ("Dealer", "Hand", "Open", "held", "fills", "adds")
"""What a game with hidden hands takes from `companion.lab.dealing`, which deals them in simulated games."""
MOST_SIGNS = 100
"""A signature of more signs is broken after each argument."""


def engine_reference(by_hand: str) -> str:
    """The page. `by_hand` is the sentence that warns those who would edit it. Raises LookupError if a name of
    `companion.rules` has no docstring, or a module no heading."""
    if missing := set(door.MODULES) ^ set(TITLES):
        raise LookupError(f"no heading, or no module: {', '.join(sorted(missing))}")
    out = [
        "# Reference of the engine",
        "",
        f"{by_hand} Everything here is imported from `companion.rules`, except for what deals hidden hands in "
        "simulated games: that is imported from `companion.lab.dealing`. [Adding a game](adding-a-game.md) tells in "
        "which order you need it.",
        "",
    ]
    sections = [(title, f"companion.engine.{module}", door.MODULES[module]) for module, title in TITLES.items()]
    sections.append(("Hidden hands in simulated games", "companion.lab.dealing", DEALING))
    for title, _, names in sections:
        out.append(f"- {title}: " + ", ".join(f"[`{name}`](#{name.lower()})" for name in names))
    for title, place, names in sections:
        out += ["", f"## {title}"]
        module = import_module(place)
        said = _attribute_docs(module)
        for name in names:
            thing = getattr(door, name) if name in door.__all__ else getattr(module, name)
            out += ["", f"### {name}", "", *_entry(name, thing, said.get(name, ""))]
    return "\n".join(out) + "\n"


def _entry(name: str, thing: Any, said: str) -> list[str]:
    """A class with what it offers, a function with its signature; a type or constant with what is `said` below it."""
    if get_origin(thing) is not None or not callable(thing):
        written = re.sub(r"(?:\w+\.)+(?=\w)", "", str(thing))
        return [f"`{written}`" + (f": {_prose(said)}" if said else "")]
    if not (doc := inspect.getdoc(thing)):
        raise LookupError(f"{name} has no docstring")
    if not inspect.isclass(thing):
        return [*_signature(name, thing), "", _prose(doc)]
    out = [*_bases(thing), *_fenced(_prose(doc)), *_made(name, thing)]
    if members := list(_members(thing)):
        out += ["", "| | |", "|---|---|", *(f"| {shown} | {told} |" for shown, told in members)]
    return out


def _made(name: str, kind: type) -> list[str]:
    """How one is written, with all its fields and their defaults; of an enumeration, what there is."""
    if issubclass(kind, Enum):
        return ["", *(f"- `{name}.{one.name}`: {one.value}" for one in kind)]
    if issubclass(kind, (door.Move, door.Rules, door.Position, Exception)) or kind.__name__ == "Dealer":
        return []
    given = list(inspect.signature(kind).parameters.values())
    defaults = {one.name: one.default for one in given if one.default is not one.empty}
    if issubclass(kind, Struct):
        for field in msgspec.structs.fields(kind):
            if field.default is not msgspec.NODEFAULT:
                defaults[field.name] = field.default
            elif field.default_factory is not msgspec.NODEFAULT:
                defaults[field.name] = field.default_factory()
    parts: list[str] = []
    for one in given:
        if one.kind is one.VAR_POSITIONAL or (one.kind is one.KEYWORD_ONLY and "*" not in "".join(parts)):
            parts.append("*" if one.kind is one.KEYWORD_ONLY else f"*{one.name}")
        if one.kind is one.VAR_KEYWORD:
            parts.append(f"**{one.name}")
        elif one.kind is not one.VAR_POSITIONAL:
            parts.append(one.name + (f"={_value(defaults[one.name])}" if one.name in defaults else ""))
    if not parts:
        return []
    line = f"{name}({', '.join(parts)})"
    return ["", "```text", *fill(line, MOST_SIGNS, subsequent_indent="    ").splitlines(), "```"]


def _value(default: Any) -> str:
    """A default as one writes it."""
    if isinstance(default, Enum):
        return str(default)
    return (
        repr(default).removeprefix("mappingproxy(").removesuffix(")") if isinstance(default, Mapping) else repr(default)
    )


def _bases(kind: type) -> list[str]:
    """From which of the door's classes it comes, in words."""
    bases = [base.__name__ for base in kind.__bases__ if base.__name__ in door.__all__]
    return [f"A subclass of {', '.join(f'[`{base}`](#{base.lower()})' for base in bases)}.", ""] if bases else []


def _members(kind: type) -> Iterator[tuple[str, str]]:
    """Fields, properties and methods with what is said of them, in the order of the source; those of the engine's own
    base classes too, if the door does not offer the base class itself."""
    told: dict[str, tuple[str, str]] = {}
    for base in reversed(kind.__mro__):
        if base.__name__ in INHERITED or (base is not kind and base.__name__ in door.__all__):
            continue
        docs = _attribute_docs(base)
        annotations = inspect.get_annotations(base)
        for name in dict.fromkeys((*annotations, *vars(base))):
            if name.startswith("_"):
                continue
            thing = inspect.getattr_static(base, name, None)
            if isinstance(thing, (staticmethod, classmethod)):
                thing = thing.__func__
            doc = docs.get(name, "")
            if isinstance(thing, property) or hasattr(thing, "func"):
                told[name] = (f"`{name}`", doc or _line(getattr(thing, "func", getattr(thing, "fget", thing))))
            elif inspect.isfunction(thing):
                told[name] = (f"`{_written(name, thing)}`".replace("|", "\\|"), _line(thing))
            elif name in annotations:
                told[name] = (f"`{name}`", doc)
    for shown, doc in told.values():
        if doc:
            yield shown, _cell(doc)


def _line(thing: Any) -> str:
    return inspect.getdoc(thing) or ""


def _written(name: str, thing: Any) -> str:
    """`name(a, b=…)`: arguments without their types, which would not fit the table."""
    shown: list[str] = []
    for at, parameter in enumerate(inspect.signature(thing).parameters.values()):
        if at == 0 and (parameter.name in ("self", "cls", "kind") or "." not in thing.__qualname__):
            continue  # a function of a module that is a method of the class takes it first, too
        star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        if parameter.kind == parameter.KEYWORD_ONLY and "*" not in "".join(shown):
            shown.append("*")
        shown.append(f"{star}{parameter.name}" + ("=…" if parameter.default is not parameter.empty else ""))
    return f"{name}({', '.join(shown)})"


def _signature(name: str, thing: Any) -> list[str]:
    """The whole signature with its types, fenced."""
    signature = inspect.signature(thing)
    line = f"{name}{signature}".replace("'", "")
    if len(line) > MOST_SIGNS:
        given = "".join(f"    {parameter},\n".replace("'", "") for parameter in signature.parameters.values())
        line = f"{name}(\n{given}) -> {signature.return_annotation}"
    return ["```python", line, "```"]


@cache
def _attribute_docs(thing: Any) -> dict[str, str]:
    """What stands as a string below the fields of a class or module."""
    try:
        body = ast.parse(inspect.cleandoc("\n" + inspect.getsource(thing))).body
    except (OSError, TypeError, SyntaxError):
        return {}
    if inspect.isclass(thing):
        body = body[0].body  # type: ignore[attr-defined]
    docs: dict[str, str] = {}
    for before, after in pairwise(body):
        said = after.value if isinstance(after, ast.Expr) else None
        if not (isinstance(said, ast.Constant) and isinstance(said.value, str)):
            continue
        targets = before.targets if isinstance(before, ast.Assign) else [getattr(before, "target", None)]
        docs |= {target.id: inspect.cleandoc(said.value) for target in targets if isinstance(target, ast.Name)}
    return docs


def _prose(doc: str) -> str:
    return ROLE.sub("`", doc)


def _fenced(doc: str) -> list[str]:
    """A docstring with its indented examples as fenced code."""
    out: list[str] = []
    inside = False
    for line in doc.splitlines():
        code = line.startswith("    ")
        if code != inside and line.strip():
            out += ["```python"] if code else ["```", ""]
            if not code and out[-3:-2] == [""]:
                del out[-3]
            inside = code
        out.append(line[4:] if code and inside else line)
    return [*out, "```"] if inside else out


def _cell(doc: str) -> str:
    return re.sub(r"\s+", " ", _prose(doc)).replace("|", "\\|")
