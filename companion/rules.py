"""The parts of a rules module, in one import: `from companion.rules import Move, Phase, Position, Rules`.

Each name is loaded from its module when it is first asked for. `rules.pyi` lists the same names for editors and type
checkers.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

MODULES = {
    "answers.ledger": ("Ending", "Ledger", "Line", "TieBreak", "ranked"),
    "answers.queries": ("QueryError",),
    "play.declared": ("Each", "Named", "Number", "Once", "Seated", "Secret"),
    "play.domains": ("Brings", "Count", "Domain", "Flag", "OneOf", "Pairs", "PieceName", "Seat", "Tally", "Unspoken"),
    "play.faults": ("Fault",),
    "play.forms": ("Default", "Form", "Reading"),
    "play.moves": ("Breach", "ByItself", "ByPlayer", "Choice", "Move", "Options", "Reported"),
    "play.parts": ("UNSAID", "Part", "Parts", "Turn"),
    "play.pending": ("Task",),
    "play.phases": ("Phase", "Who"),
    "play.position": ("Position",),
    "play.rules": ("Answer", "Rules", "later"),
    "play.seating": ("Seating",),
    "things.effects": ("Op",),
    "things.figures": ("Figure", "Source"),
    "things.scenes": ("Row", "table", "things"),
    "things.stores": ("lacking",),
    "things.sums": ("Sum",),
    "things.views": ("Columns", "Grid", "Lines", "View", "grid", "lines"),
}
"""Module of the engine -> the names that a rules module takes from it."""

_HOME = {name: module for module, names in MODULES.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"companion.rules has no {name!r}; it has {', '.join(__all__)}")
    value = globals()[name] = getattr(import_module(f"companion.engine.{_HOME[name]}"), name)
    return value


def __dir__() -> list[str]:
    return __all__
