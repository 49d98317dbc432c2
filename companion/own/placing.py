"""The place, in a game's files, of a fault that keeps a rules module from reading or following it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from companion.engine.play.unreadable import Unreadable
from components.checks import piece_place
from components.errors import DefinitionError, Problem
from components.loader import FILES, Definition, load
from components.model import ResolvedGame, ResolvedPiece

PathKey = tuple[Any, ...]


def problem_of(error: Unreadable, definition: Definition) -> Problem:
    """The fault in its place (see `at_place`)."""
    return at_place(definition, error.told, error.__cause__, error.piece, error.parameter)


def at_place(
    definition: Definition,
    told: str,
    error: BaseException | None,
    piece: ResolvedPiece | None = None,
    parameter: str = "",
) -> Problem:
    """A fault in the rules at the piece or parameter that the module was reading; else at the one place that says what
    it looked for in vain; else where the module is named."""
    source: Any = definition.source("game.yaml")
    path: PathKey = ("engine",)
    if piece is not None:
        with suppress(KeyError):  # of a piece that is written nowhere
            source, path = piece_place(definition, piece.set, piece.id)
    elif definition.game is not None and parameter in definition.game.parameters:
        path = ("parameters", parameter, "value")
    elif isinstance(error, KeyError) and error.args and isinstance(error.args[0], str):
        found = list(islice(_said(definition, error.args[0]), 2))
        if len(found) == 1:
            source, path = found[0]
    problem: Problem = source.problem("DEF-064", told, path)
    return problem


def placed(error: Unreadable, game: ResolvedGame, root: Path | None) -> Exception:
    """The fault with its place in the files at `root`, if the game still stands there as it was loaded."""
    try:
        definition = load(game.id, root)
    except DefinitionError:
        return error
    if "game.yaml" not in definition.sources or definition.problems:
        return error
    return DefinitionError([problem_of(error, definition)])


def _said(definition: Definition, word: str) -> Iterator[tuple[Any, PathKey]]:
    """The places where the parameters and pieces of a game have this word."""
    for name, source in definition.sources.items():
        if name == "game.yaml" or name not in FILES:
            for path in _inside(source.readable, word, ()):
                yield source, path


def _inside(data: Any, word: str, path: PathKey) -> Iterator[PathKey]:
    if data == word:
        yield path
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from _inside(value, word, (*path, key))


__all__ = ["at_place", "placed", "problem_of"]
