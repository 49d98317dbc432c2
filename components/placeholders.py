"""Texts with holes: whether a text is a template, the names it may read, and what is wrong with one.

A text is a template if it contains `{{`, `{%` or `{#`. Parameters are written as they are named
(`{{ build.army_cost }}`); a parameter that is also a prefix of others prints its value. What runs templates is
`components.templates`; a game without any does not need it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

PLURALS = "_plurals"
"""Under this name the context of a template holds the plurals of the game's goods; templates cannot read it."""
_HOLE = re.compile(r"\{[{%#]")


def is_template(text: str) -> bool:
    """True if a text has to be rendered."""
    return _HOLE.search(text) is not None


class Read(msgspec.Struct, frozen=True):
    """A name that a template reads: `build.army_cost` as `("build", "army_cost")`."""

    path: tuple[str, ...]
    guarded: bool = False
    """The template asks first whether it is there (`is defined`, `default`)."""

    @property
    def name(self) -> str:
        return ".".join(self.path)


class TemplateFault(Exception):
    """A fault of a template: `code`, `what`, `hint`, and `needle`, the words in it that are at fault."""

    def __init__(self, code: str, what: str, hint: str = "", needle: str = "") -> None:
        super().__init__(what)
        self.code = code
        self.what = what
        self.hint = hint
        self.needle = needle


# --- parameters as names -------------------------------------------------------------------------------------------


class ValuedNode:
    """A parameter's value that is also the prefix of other parameters (`parts`)."""

    kind: ClassVar[type]
    """The value by itself."""
    parts: dict[str, Any]

    def plain(self) -> Any:
        """The value alone."""
        return self.kind(self)


class _IntNode(int, ValuedNode):
    kind = int


class _FloatNode(float, ValuedNode):
    kind = float


class _TextNode(str, ValuedNode):
    __slots__ = ("parts",)
    kind = str


def _valued(value: Any, parts: dict[str, Any]) -> Any:
    kinds: tuple[Any, ...] = (_IntNode, _FloatNode, _TextNode)
    for node_type in kinds:
        if isinstance(value, node_type.kind) and not isinstance(value, bool):
            node = node_type(value)
            node.parts = parts
            return node
    raise ValueError("only a number or a text can be the prefix of other parameters")


def namespace(params: Mapping[str, Any]) -> dict[str, Any]:
    """Flat dotted names as nested mappings: `build.army_cost` becomes `{"build": {"army_cost": …}}`.

    Raises ValueError where a value cannot also be a prefix (see DEF-055).
    """
    out: dict[str, Any] = {}
    for name in sorted(params, key=lambda n: n.count(".")):
        *path, last = name.split(".")
        at = out
        for part in path:
            inside = at.get(part)
            if isinstance(inside, ValuedNode):
                at = inside.parts
            elif isinstance(inside, dict):
                at = inside
            elif part in at:
                parts: dict[str, Any] = {}
                at[part] = _valued(inside, parts)
                at = parts
            else:
                at = at.setdefault(part, {})
        if last in at:
            raise ValueError(f"'{name}' stands for two things")
        value = params[name]
        at[last] = dict(value) if isinstance(value, dict) else value
    return out


def scope(params: Mapping[str, Any], players: int, modules: Sequence[str] = ()) -> dict[str, Any]:
    """The names that templates of a game see: its parameters, `params` (flat), `players` and `modules` (those in play).

    Raises ValueError as `namespace` does, and where a parameter takes one of the names that mean something else.
    """
    names = namespace(params)
    below = names.pop("players", {})
    if not isinstance(below, dict):
        raise ValueError("'players' is the number of players; give the parameter another name")
    for taken in ("params", "modules", "effect", "copies", "own", "piece", "body", "this", "says"):
        if taken in names:
            raise ValueError(f"'{taken}' means something else in templates; give the parameter another name")
    given = {"params": dict(params), "modules": list(modules)}
    return {**names, **given, "players": _valued(players, below) if below else players}
