"""Overlays: variants and `--set` on top of a game's definition.

`--set key=value` takes a parameter (see `components.parameters`) and a value as it would stand in YAML. The key
`rules.ID` switches a rule: `--set rules.WS-TRADE-4=off`, `=on`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from components.bounds import numbers_beyond
from components.errors import Problem, SetError
from components.loader import Definition
from components.model import BASE, GameFile, Piece, PieceSetFile, Rule
from components.parameters import Parameters, in_files
from components.phrasing import did_you_mean

PathKey = tuple[Any, ...]


class Origin(msgspec.Struct, frozen=True):
    """The origin of an entry: a file of the definition, and the path in it."""

    file: str
    path: PathKey


class PlacedRule(msgspec.Struct):
    rule: Rule
    origin: Origin


class PlacedPiece(msgspec.Struct):
    piece: Piece
    origin: Origin


class PlacedSet(msgspec.Struct):
    """A piece set after overlays: its file's record and the pieces that are left, by id."""

    head: PieceSetFile
    origin: Origin
    pieces: dict[str, PlacedPiece]


class Overlaid(msgspec.Struct):
    """A definition with its variants and settings applied; nothing is rendered yet."""

    params: Parameters
    rules: dict[str, PlacedRule]
    sets: dict[str, PlacedSet]
    off: list[str]
    modules: list[str]
    variants: list[str]
    """As asked for."""
    given: dict[str, Any]
    """The changes by `--set`, by full name."""
    problems: list[Problem]


def written_set(key: str, value: Any) -> str:
    """A setting as it is written after `--set`."""
    plain = isinstance(value, str) and re.fullmatch(r"[A-Za-z]\w*", value)
    return f"{key}={value if plain else json.dumps(value)}"


def parse_sets(texts: Iterable[str]) -> dict[str, Any]:
    """`["army_cost=3", "tax.bronze={bu: 4}"]` as `{"army_cost": 3, …}`. Raises `SetError`.

    The value is read as YAML: a number, true or false, a word, a quoted text, `[…]` or `{…}`.
    """
    from components.yamlsource import parse_yaml

    out: dict[str, Any] = {}
    problems: list[Problem] = []
    for text in texts:
        key, equals, value = text.partition("=")
        key = key.strip()
        source = parse_yaml(value, f"--set {key}")
        if not equals or not key:
            hint = "write it as name=value, e.g. --set army_cost=3"
            problems.append(Problem(code="DEF-052", what=f"--set '{text}' has no value", hint=hint))
        elif source.problems:
            reason = source.problems[0].what
            problems.append(Problem(code="DEF-052", what=f"--set {key}: the value '{value}' cannot be read ({reason})"))
        else:
            out[key] = source.data
    if problems:
        raise SetError(problems)
    return out


def overlay(
    definition: Definition,
    game: GameFile,
    variants: Iterable[str],
    sets: Mapping[str, Any],
    modules: Iterable[str] | None = None,
) -> Overlaid:
    """Apply variants in order (what they extend first), then the settings. `modules`: as for `resolve_game`.

    Faults inside variant files are collected in `problems`. Raises `SetError` for a variant, module or setting that
    does not fit.
    """
    playing, brought = chosen_modules(definition, game, game.modules if modules is None else modules)
    names = list(dict.fromkeys([*brought, *variants]))
    check_names(definition, names)
    out = Overlaid(Parameters(game.parameters), {}, {}, [], playing, names, {}, [])
    for i, rule in enumerate(definition.rules.rules):
        out.rules[rule.id] = PlacedRule(rule, Origin("rules.yaml", ("rules", i)))
    for file, head in definition.sets.items():
        pieces = {p.id: PlacedPiece(p, Origin(file, ("pieces", i))) for i, p in enumerate(head.pieces)}
        out.sets[head.set] = PlacedSet(head, Origin(file, ()), pieces)
    for name in in_order(definition, names):
        _apply(definition, name, out)
    _apply_sets(out, sets)
    return out


def chosen_modules(definition: Definition, game: GameFile, asked: Iterable[str]) -> tuple[list[str], list[str]]:
    """The modules of `game.yaml` that stay in play, and the variants that bring the others of `asked`. Raises
    `SetError` for a module the game does not have."""
    asked = [name for name in dict.fromkeys(asked) if name != BASE]
    brought: list[str] = []
    problems = []
    for name in asked:
        bringing = [variant for variant in definition.variants.values() if name in variant.modules]
        if bringing and name not in game.modules:
            brought.append(min(bringing, key=lambda one: (len(one.modules) + len(one.extends), one.id)).id)
        elif name not in game.modules:
            there = {*game.modules, *(module for one in definition.variants.values() for module in one.modules)}
            hint = did_you_mean(name, sorted(there - {BASE}), listing="modules")
            what = f"there is no module '{name}'"
            problems.append(Problem(code="DEF-068", what=what, hint=hint or "this game has none beside its base"))
    if problems:
        raise SetError(problems)
    return [module for module in game.modules if module in (BASE, *asked)], brought


def check_names(definition: Definition, names: Iterable[str]) -> None:
    """Raise `SetError` for a variant the game does not have (nothing is said of one whose file is broken)."""
    problems = []
    for name in names:
        if name not in definition.variants and f"variants/{name}.yaml" not in definition.broken:
            hint = did_you_mean(name, definition.variants, listing="variants") or "this game has no variants"
            problems.append(Problem(code="DEF-048", what=f"there is no variant '{name}'", hint=hint))
    if problems:
        raise SetError(problems)


def in_order(definition: Definition, names: Iterable[str]) -> list[str]:
    """The variants with those they extend before them, each once. Cycles end where they close (see `cycle`)."""
    out: list[str] = []

    def add(name: str, above: tuple[str, ...]) -> None:
        variant = definition.variants.get(name)
        if variant is None or name in out or name in above:
            return
        for base in variant.extends:
            add(base, (*above, name))
        out.append(name)

    for name in names:
        add(name, ())
    return out


def cycle(definition: Definition, name: str) -> list[str]:
    """The variants from `name` back to itself along `extends`, or an empty list."""
    waiting = [[name]]
    seen: set[str] = set()
    while waiting:
        way = waiting.pop()
        variant = definition.variants.get(way[-1])
        for base in variant.extends if variant else ():
            if base == name:
                return [*way, base]
            if base not in seen:
                seen.add(base)
                waiting.append([*way, base])
    return []


def _apply(definition: Definition, name: str, out: Overlaid) -> None:
    variant = definition.variants[name]
    file = f"variants/{name}.yaml"
    source = definition.source(file)

    def say(code: str, what: str, path: PathKey, *, hint: str = "", key: bool = True) -> None:
        out.problems.append(source.problem(code, what, path, hint=hint, key=key))

    out.modules += [m for m in variant.modules if m not in out.modules]
    for i, module in enumerate(variant.remove_modules):
        if module in out.modules and module != BASE:
            out.modules.remove(module)
        else:
            there = [name for name in out.modules if name != BASE]
            hint = did_you_mean(module, there, listing="modules in play") or "the game has none beside its base"
            say("DEF-044", f"there is no module '{module}' to take out", ("remove_modules", i), hint=hint, key=False)
    for key, value in variant.parameters.items():

        def say_value(code: str, what: str, path: PathKey, *, hint: str = "", key: str = key) -> None:
            code = in_files(code)
            say(code, what, ("parameters", key, *path), hint=hint, key=code == "DEF-057")

        out.params.assign(key, value, say_value)
    for i, rule in enumerate(variant.rules):
        out.rules[rule.id] = PlacedRule(rule, Origin(file, ("rules", i)))
    for i, rule_id in enumerate(variant.rules_off):
        if rule_id not in out.rules:
            if "rules.yaml" in definition.broken:
                continue
            say("DEF-040", f"there is no rule '{rule_id}'", ("rules_off", i), hint=did_you_mean(rule_id, out.rules))
        elif not out.rules[rule_id].rule.breaks:
            what = f"{rule_id} forbids nothing, so it cannot be switched off"
            say("DEF-065", what, ("rules_off", i), hint=governs(out, rule_id))
        elif rule_id not in out.off:
            out.off.append(rule_id)
    for i, what in enumerate(variant.remove_pieces):
        set_name, slash, piece_id = what.partition("/")
        placed = out.sets.get(set_name)
        if placed is None:
            if not definition.may_have_set(set_name):
                hint = _sets_hint(set_name, out)
                say("DEF-047", f"there is no piece set '{set_name}'", ("remove_pieces", i), hint=hint)
        elif not slash:
            del out.sets[set_name]
        elif placed.pieces.pop(piece_id, None) is None:
            hint = did_you_mean(piece_id, placed.pieces)
            say("DEF-047", f"the set '{set_name}' has no piece '{piece_id}'", ("remove_pieces", i), hint=hint)
    for set_name, pieces in variant.pieces.items():
        if set_name not in out.sets:
            if not definition.may_have_set(set_name):
                hint = _sets_hint(set_name, out)
                say("DEF-047", f"there is no piece set '{set_name}'", ("pieces", set_name), hint=hint)
            continue
        for i, piece in enumerate(pieces):
            origin = Origin(file, ("pieces", set_name, i))
            out.sets[set_name].pieces[piece.id] = PlacedPiece(piece, origin)


def _sets_hint(name: str, out: Overlaid) -> str:
    return did_you_mean(name, out.sets, listing="sets")


def _apply_sets(out: Overlaid, sets: Mapping[str, Any]) -> None:
    problems: list[Problem] = []
    before = dict(out.params.changed)
    out.params.changed.clear()
    for key, value in sets.items():

        def say(code: str, what: str, path: PathKey, *, hint: str = "", key: str = key) -> None:
            code = "DEF-052" if code == "DEF-045" else code
            problems.append(Problem(code=code, what=f"--set {key}: {what}", hint=hint))

        if wrong := list(numbers_beyond({key: value})):
            say("DEF-052", wrong[0][1], ())
        elif key.startswith("rules."):
            _switch(out, key, value, say)
        else:
            out.params.assign(key, value, say)
    if problems:
        raise SetError(problems)
    out.given |= out.params.changed
    out.params.changed = before | out.params.changed


def governs(out: Overlaid, rule_id: str) -> str:
    """The way to change a rule that does something rather than forbid: its parameters, else its module, else
    its words."""
    rule = out.rules[rule_id].rule
    named = [name for name, parameter in out.params.declared.items() if rule_id in parameter.rules]
    if named:
        return f"change what governs it: {', '.join(named)}"
    if rule.module != "base":
        return f"leave out the module '{rule.module}' (`remove_modules` of a variant)"
    return "a variant may word it anew under `rules`"


def _switch(out: Overlaid, key: str, value: Any, say: Any) -> None:
    rule_id = key.removeprefix("rules.")
    state = {"off": False, "on": True, False: False, True: True}.get(value) if isinstance(value, str | bool) else None
    if rule_id not in out.rules:
        say("DEF-050", f"there is no rule '{rule_id}'", (), hint=did_you_mean(rule_id, out.rules))
    elif state is None:
        say("DEF-052", f"a rule is `on` or `off`, found '{value}'", ())
    elif not state and not out.rules[rule_id].rule.breaks:
        say("DEF-066", f"{rule_id} forbids nothing, so it cannot be switched off", (), hint=governs(out, rule_id))
    else:
        out.off = [r for r in out.off if r != rule_id] + ([] if state else [rule_id])
        out.given[key] = "on" if state else "off"
