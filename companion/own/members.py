"""Methods and attributes that a rules module declares or uses and nobody knows: `forbiden`, `crad_options`,
`self.crad`, `at.state.markt`.

Python takes a method with a slip in its name for one more method, and the engine never calls it. Found by reading the
module beside the classes it makes.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from companion.engine.language.spelling import meant_for
from companion.engine.play.moves import Move
from companion.engine.play.rules import Rules

Slipped = tuple[ast.expr | ast.stmt, str, str]
"""The place of a name, its fault, and the remedy."""
OPTIONS = "_options"


def unknown_members(tree: ast.AST, rules: Rules, used: Collection[str]) -> Iterator[Slipped]:
    """Members of the module's moves, state and rules that look like a name which the engine or the class knows, and are
    none. `used`: the names of all attributes that the module reads (`attributes_of`)."""
    known = _classes(rules)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and (kind := known.get(node.name)) is not None:
            yield from _declared(node, kind, used)
            yield from _read(node, kind)
    yield from _of_the_state(tree, rules)


def attributes_of(tree: ast.AST) -> set[str]:
    """The names of all attributes that a file reads, and its texts, by one of which it may read another."""
    read = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return read | {
        node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def _classes(rules: Rules) -> Mapping[str, type]:
    """The classes of a game by name: its moves with those above them, its state and its rules."""
    kinds = (*rules.moves.values(), type(rules), rules.state)
    return {one.__name__: one for kind in kinds for one in kind.__mro__ if not _is_the_engines(one)}


def _is_the_engines(kind: type) -> bool:
    return kind.__module__.startswith(("companion.engine", "msgspec", "builtins", "abc"))


def _declared(node: ast.ClassDef, kind: type, used: Collection[str]) -> Iterator[Slipped]:
    """The declarations in a class that are nearly a name the engine asks its kind for."""
    fields = set(getattr(kind, "__struct_fields__", ()))
    hooks = {name for one in kind.__mro__ if _is_the_engines(one) for name in _members(one)}
    for part in node.body:
        for name, place in _names(part):
            if name in hooks or name in fields or name in used or name.startswith("_"):
                continue
            if issubclass(kind, Move) and name.endswith(OPTIONS):
                field = name.removesuffix(OPTIONS)
                if field not in fields:
                    near = meant_for(field, fields, 1)
                    hint = f"did you mean '{near[0]}{OPTIONS}'?" if near else "it is called after a field of the move"
                    yield place, f"{node.name} has no field '{field}', so nobody calls '{name}'", hint
            elif near := meant_for(name, hooks - fields, 1):
                yield place, f"nobody uses '{name}' of {node.name}", f"did you mean '{near[0]}'?"


def _members(kind: type) -> set[str]:
    """The public methods and attributes of a class of the engine."""
    return {name for name in (*vars(kind), *getattr(kind, "__annotations__", ())) if not name.startswith("_")}


def _names(part: ast.stmt) -> Iterator[tuple[str, ast.expr | ast.stmt]]:
    """The names that a statement of a class declares, but for fields."""
    if isinstance(part, ast.FunctionDef):
        yield part.name, part
    elif isinstance(part, ast.Assign):
        yield from ((target.id, target) for target in part.targets if isinstance(target, ast.Name))


def _read(node: ast.ClassDef, kind: type) -> Iterator[Slipped]:
    """The names that a class reads of itself but does not have."""
    if hasattr(kind, "__getattr__"):
        return
    has = {name for one in kind.__mro__ for name in (*vars(one), *getattr(one, "__annotations__", ()))}
    has |= {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)}
    for one in ast.walk(node):
        if isinstance(one, ast.Attribute) and _is_called(one.value, "self") and one.attr not in has:
            yield one, f"{node.name} has no '{one.attr}'", _hint(one.attr, has)


def _of_the_state(tree: ast.AST, rules: Rules) -> Iterator[Slipped]:
    """Fields of the state that there are not: `at.state.markt`."""
    has = {*dir(rules.state), *rules.state.__struct_fields__}
    for one in ast.walk(tree):
        state = one.value if isinstance(one, ast.Attribute) else None
        if isinstance(state, ast.Attribute) and state.attr == "state" and _is_called(state.value, "at"):
            assert isinstance(one, ast.Attribute)
            if one.attr not in has:
                yield one, f"{rules.state.__name__} has no field '{one.attr}'", _hint(one.attr, has)


def _is_called(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _hint(name: str, known: set[str]) -> str:
    near = meant_for(name, sorted(one for one in known if not one.startswith("_")), 1)
    return f"did you mean '{near[0]}'?" if near else ""


__all__ = ["unknown_members"]
