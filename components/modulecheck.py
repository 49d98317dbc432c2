"""Checks on how the base game mentions modules: in a game whose modules are printed beside it, pieces know nothing of
them, and rules name the module they speak of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from components.assemble import assemble
from components.errors import Problem
from components.loader import Definition
from components.model import BASE, ResolvedGame, ResolvedPiece, ResolvedRule

_CLAUSE = re.compile(r"(?<=[.;:!?])\s+")
Place = Callable[[Definition, str, str], tuple[object, tuple[object, ...]]]


def speaking_of_modules(definition: Definition, game: ResolvedGame, place: Place) -> Iterator[Problem]:
    """A warning for each printed piece of the base game that says something else beside the modules, and for each rule
    with a clause that stands there for a module without naming it, or modules at all. `place` says where a piece is
    written."""
    modules = [module for module in game.modules if module != BASE]
    if not modules:
        return
    alone = assemble(definition, modules=()).game
    if alone is None:
        return
    pieces = {(piece.set, piece.id): piece for piece in alone.pieces}
    for piece in game.pieces:
        other = pieces.get((piece.set, piece.id))
        if piece.module == BASE and piece.copies and other is not None and _said(piece) != _said(other):
            what = f"'{piece.set}/{piece.id}' is of the base game and says something else beside modules"
            hint = "let it speak of the base game alone, and give the module a card of its own"
            source, path = place(definition, piece.set, piece.id)
            yield replace(source.problem("DEF-082", what, path, hint=hint), severity="warning")  # type: ignore[attr-defined]
    source = definition.source("rules.yaml")
    places = {rule.id: n for n, rule in enumerate(definition.rules.rules)}
    for rule in game.rules.values():
        if rule.module != BASE or rule.id not in alone.rules or rule.id not in places:
            continue
        for clause in _added(rule, alone.rules[rule.id]):
            if not any(_letters(module) in _letters(clause) for module in (*modules, "module")):
                what = f"rule '{rule.id}' says of a module, without naming it: '{clause}'"
                path = ("rules", places[rule.id], "text")
                hint = f"name it, as in '; with {modules[0].replace('_', ' ').title()}, …'"
                yield replace(source.problem("DEF-082", what, path, hint=hint), severity="warning")


def _said(piece: ResolvedPiece) -> object:
    """The face of a piece as data, apart from its pictures."""
    return piece.name, piece.text, piece.fields, piece.copies


def _added(rule: ResolvedRule, alone: ResolvedRule) -> list[str]:
    """The clauses of a rule that the base game alone does not have."""
    known = {_letters(clause) for clause in _CLAUSE.split(alone.text)}
    return [clause for clause in _CLAUSE.split(rule.text) if _letters(clause) not in known]


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())
