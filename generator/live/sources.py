"""From a mark on a face to the lines behind it: the element of its template, what calls that, and whatever it reads:
the fields of the piece, its effect with the verbs, parameters, rules, styles and colours."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from components.checks import piece_place
from components.loader import Definition
from components.model import Effect, ResolvedPiece
from components.yamlsource import Source, read_yaml
from generator.faces.dependencies import CONDITIONS
from generator.faces.display import ImageOp, Op, TextOp
from generator.faces.expressions import names_read
from generator.faces.kit import Origin
from generator.live.states import State

Name = tuple[str, ...]
PathKey = tuple[Any, ...]
MOST_VALUE = 120
"""Characters of a value that are shown."""
MOST_OTHERS = 6
"""Other pieces that are named for one mark."""
OF_EFFECT = ("text", "icons", "effect")
"""The parts of a piece made from its effect, unless it has its own."""


class Line(msgspec.Struct, frozen=True):
    """A place in a file of the project, and what stands there."""

    what: str
    file: str
    line: int
    column: int
    excerpt: str = ""
    value: str = ""


class Behind(msgspec.Struct, frozen=True):
    """The source of a mark. `calls`: the elements that call the part it stands in, the outermost first."""

    kind: str
    says: str
    element: Line
    calls: list[Line]
    reads: list[Line]


def behind(op: Op, origin: Origin, piece: ResolvedPiece, state: State, definition: Definition) -> Behind:
    """The source of a mark on a piece's face."""
    levels = [*origin.calls, (origin.source, origin.path)]
    names = sorted(_Scopes(levels).read())
    says = op.text if isinstance(op, TextOp) else "a picture" if isinstance(op, ImageOp) else ""
    finder = _Finder(piece, state, definition, says)
    reads = [line for name in names for line in finder.lines(name)]
    reads += finder.look(levels[-1])
    calls = [_line(f"calls part {_called(source, path)}", source, path[:-1]) for source, path in origin.calls]
    return Behind(origin.kind, says, _line(origin.kind, *_element(levels[-1])), calls, list(dict.fromkeys(reads)))


def _element(level: tuple[Source, PathKey]) -> tuple[Source, PathKey]:
    """The element of a drawing key."""
    return level[0], level[1][:-1]


def _line(what: str, source: Source, path: PathKey, value: Any = None, *, key: bool = False) -> Line:
    """A place in a source, wherever that took it from (a row of a table)."""
    found = source.problem("", "", path, key=key)
    return Line(what, found.file, found.line, found.column, found.excerpt.strip()[:MOST_VALUE], _shown(value))


def _shown(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else msgspec.json.encode(value, enc_hook=str).decode()
    return text if len(text) <= MOST_VALUE else text[: MOST_VALUE - 1] + "…"


def _at(source: Source, path: PathKey) -> Any:
    """The value at a path; None if there is nothing."""
    value: Any = source.readable
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _called(source: Source, path: PathKey) -> str:
    body = _at(source, path)
    return str(body.get("name") if isinstance(body, dict) else body)


class _Scopes:
    """Follows names from an element outward: through `each`, `let`, cells and the arguments of parts, to names that
    mean the same everywhere in a template."""

    def __init__(self, levels: list[tuple[Source, PathKey]]) -> None:
        self._levels = levels
        self._seen: set[tuple[Name, int, PathKey, bool]] = set()

    def read(self) -> set[Name]:
        """The names that the innermost element reads, and those of the condition under which it is drawn."""
        source, path = self._levels[-1]
        level = len(self._levels) - 1
        body = _at(source, path)
        item = _at(source, path[:-1])
        found = self._outer(_names("", body), level, path[:-1])
        if isinstance(item, dict) and "if" in item:
            found |= self._outer(_names("if", item["if"]), level, path[:-1])
        return found

    def _outer(self, names: Iterable[Name], level: int, path: PathKey, *, around: bool = False) -> set[Name]:
        return {name for own in names for name in self._follow(own, level, path, around)}

    def _follow(self, name: Name, level: int, path: PathKey, around: bool) -> set[Name]:
        """The names behind one that is used in the element at `path`; `around`: not one that the element makes."""
        if (name, level, path, around) in self._seen:
            return set()
        self._seen.add((name, level, path, around))
        source = self._levels[level][0]
        at = path
        while at:
            item = _at(source, at)
            if isinstance(item, dict) and not (around and at == path):
                bound = self._bound(name, item, level, at)
                if bound is not None:
                    return bound
            if isinstance(at[-1], int):  # what a `let` before it names
                for n in range(at[-1] - 1, -1, -1):
                    before = _at(source, (*at[:-1], n))
                    if isinstance(before, dict) and set(before) == {"let"} and name[0] in before["let"]:
                        return self._let(before["let"][name[0]], name, level, (*at[:-1], n))
            at = at[:-1]
        return self._argument(name, level)

    def _bound(self, name: Name, item: dict[str, Any], level: int, at: PathKey) -> set[Name] | None:
        """The names behind one that an element defines; None if it does not define it."""
        if isinstance(item.get("let"), dict) and name[0] in item["let"]:
            return self._let(item["let"][name[0]], name, level, at)
        rounds = [(item["each"], item.get("as", "item"))] if "each" in item else []
        rounds += [
            (body["over"], body.get("as", "item"))
            for body in item.values()
            if isinstance(body, dict) and "over" in body
        ]
        for values, called in rounds:
            names = [word.strip() for word in str(called).split(",")]
            if name[0] in (*names, "index", f"{names[0]}_index"):
                return self._outer(_names("each", values), level, at, around=True)
        return None

    def _argument(self, name: Name, level: int) -> set[Name]:
        """A name that nothing in its template explains: an argument of the part, what its caller knows, or a name of
        the game."""
        if level == 0:
            return {name}
        source, path = self._levels[level]
        args = _at(source, (path[0], "args"))
        caller, call = self._levels[level - 1]
        if isinstance(args, dict) and name[0] in args:
            body = _at(caller, call)
            item = _at(caller, call[:-1])
            given = body.get("with") if isinstance(body, dict) else item.get("with") if isinstance(item, dict) else None
            given = given if isinstance(given, dict) else {}
            return self._value(given.get(name[0], args[name[0]]), name, level - 1, call[:-1])
        return self._follow(name, level - 1, call[:-1], False)

    def _let(self, value: Any, name: Name, level: int, at: PathKey) -> set[Name]:
        """The names behind a `let`: those before it in the same `let`, and its own name as it was outside."""
        outside = {own for own in _names("", value) if own[0] == name[0]}
        return self._value(value, name, level, at, outside) | self._outer(outside, level, at, around=True)

    def _value(self, value: Any, name: Name, level: int, path: PathKey, without: Collection[Name] = ()) -> set[Name]:
        names = _names("", value)
        if len(names) == 1 and isinstance(value, str) and value.strip("{} ") == ".".join(next(iter(names))):
            names = {(*next(iter(names)), *name[1:])}
        return self._outer(names - set(without), level, path)


def _names(key: str, value: Any) -> set[Name]:
    """Every dotted name that a value reads; not those of elements inside a group."""
    if isinstance(value, dict):
        return {name for k, inner in value.items() if k != "items" for name in _names(str(k), inner)}
    if isinstance(value, list):
        return {name for inner in value for name in _names("", inner)}
    return names_read(value, condition=key in CONDITIONS) if isinstance(value, str) else set()


class _Finder:
    """Finds the lines that say what a name means."""

    def __init__(self, piece: ResolvedPiece, state: State, definition: Definition, says: str) -> None:
        self._piece = piece
        self._says = says
        self._game = state.game
        self._look = state.layouts.look
        self._definition = definition

    def lines(self, name: Name) -> Iterator[Line]:
        if name[0] == "piece":
            yield from self._of_piece(name[1:])
        elif name[0] == "rules" and len(name) > 1:
            yield from self._rule(name[1])
        elif name[0] == "game" and len(name) > 1:
            source = self._definition.source("game.yaml")
            if _at(source, name[1:2]) is not None:
                yield _line(f"game.{name[1]}", source, name[1:2], getattr(self._game, name[1], None))
        elif name[0] == "pieces":
            yield from self._named()
        elif name[0] == "seats":
            yield from self._theme(("seats",), "seats")
        else:
            yield from self._parameter(name[1:] if name[0] == "params" else name)

    # --- the piece

    def _of_piece(self, path: Name) -> Iterator[Line]:
        if not path:
            yield from self._said((), "the piece")
            return
        value: Any = self._piece
        for step in path[:2]:
            value = value.get(step) if isinstance(value, dict) else getattr(value, step, None)
        key = path[0]
        if key == "fields" and len(path) > 1:
            yield from self._said(("fields", path[1]), f"piece.fields.{path[1]}", value)
            return
        found = list(self._said((key,), f"piece.{key}", value if not isinstance(value, tuple) else None))
        yield from found
        if key in OF_EFFECT and (key == "effect" or not found):
            yield from self._said(("effect",), "its effect")
            for effect in _verbs(self._piece.effect):
                yield from self._verb(effect)
        if key == "rule" and self._piece.rule:
            yield from self._rule(self._piece.rule)
        if key in ("set_title", "set"):
            yield from self._head("title" if key == "set_title" else "set", f"piece.{key}")

    def _named(self) -> Iterator[Line]:
        """Other pieces whose words a text shows."""
        words = " ".join(self._says.split())
        found = 0
        for other in self._game.pieces:
            name = f"{other.set}/{other.id}"
            if other is self._piece or len(words) < 2 or found == MOST_OTHERS:
                continue
            if len(other.name) > 1 and other.name.lower() in words.lower():
                yield from self._said(("name",), f"name of {name}", other.name, other)
            elif words in other.text:
                yield from self._said(("effect",) if other.effect else ("text",), f"text of {name}", other.text, other)
            elif any(words in str(value) for value in other.fields.values()):
                yield from self._said(("fields",), f"fields of {name}", None, other)
            else:
                continue
            found += 1

    def _said(self, key: PathKey, what: str, value: Any = None, piece: ResolvedPiece | None = None) -> Iterator[Line]:
        """The line where the piece gives a value, or its set for all of its pieces."""
        piece = piece or self._piece
        try:
            source, path = piece_place(self._definition, piece.set, piece.id)
        except KeyError:
            return
        if _at(source, (*path, *key)) is not None:
            yield _line(what, source, (*path, *key), value)
        elif key:
            yield from self._head(key, what, value)

    def _head(self, key: PathKey | str, what: str, value: Any = None) -> Iterator[Line]:
        key = (key,) if isinstance(key, str) else key
        for name, head in self._definition.sets.items():
            source = self._definition.source(name)
            if head.set == self._piece.set and _at(source, key) is not None:
                yield _line(f"{what}, of the whole set", source, key, value)

    def _verb(self, verb: str) -> Iterator[Line]:
        source = self._definition.sources.get("effects.yaml")
        found = _at(source, ("verbs", verb)) if source is not None else None
        if source is None or found is None:
            return
        yield _line(f"effect {verb}", source, ("verbs", verb), key=True)
        for name in sorted(_names("", found)):
            yield from self._parameter(name)

    # --- the game

    def _rule(self, rule_id: str) -> Iterator[Line]:
        source = self._definition.sources.get("rules.yaml")
        for i, rule in enumerate(self._definition.rules.rules):
            if rule.id == rule_id and source is not None:
                known = self._game.rules.get(rule_id)
                yield _line(f"rule {rule_id}", source, ("rules", i), known.title if known else None)

    def _parameter(self, name: Name) -> Iterator[Line]:
        dotted = ".".join(name)
        known = [word for word in self._game.params if word == dotted or dotted.startswith(f"{word}.")]
        known = known or [word for word in self._game.params if word.startswith(f"{dotted}.")]
        source = self._definition.source("game.yaml")
        for word in known:
            changed = ", as set for this page" if word in self._game.sets else ""
            yield _line(f"parameter {word}{changed}", source, ("parameters", word), self._game.params[word], key=True)
            for rule_id in self._game.param_rules.get(word, []):
                yield from self._rule(rule_id)

    # --- the look

    def look(self, level: tuple[Source, PathKey]) -> Iterator[Line]:
        """Style, colours and icon that an element names."""
        body = _at(*level)
        if not isinstance(body, dict):
            return
        for key in ("style", "label_style", "bold"):
            if isinstance(body.get(key), str):
                yield from self._theme(("styles", body[key]), f"style {body[key]}")
        for key in ("fill", "stroke", "colour", "accent"):
            if isinstance(body.get(key), str):
                yield from self._theme(("colours", body[key]), f"colour {body[key]}")
        if level[1][-1] == "icon" and isinstance(body.get("name"), str):
            source = self._look.icons.sources.get(body["name"])
            if source is not None:
                yield _line(f"icon {body['name']}", source, (body["name"],), key=True)

    def _theme(self, path: PathKey, what: str) -> Iterator[Line]:
        file = f"{self._look.place}/theme.yaml"
        source = read_yaml(Path(self._look.root) / file, file, self._look.root)
        if _at(source, path) is not None:
            yield _line(what, source, path, key=True)


def _verbs(effects: Iterable[Effect]) -> list[str]:
    """The verbs of an effect, each once, in order."""
    found: dict[str, None] = {}
    for effect in effects:
        found[effect.verb] = None
        found |= dict.fromkeys(_verbs(effect.body))
    return list(found)
