"""The words by which people say moves, from the glossary of a game."""

from __future__ import annotations

from collections.abc import Iterable

from companion.engine.play.moves import Move
from companion.engine.play.parts import parts_of
from components.model import ResolvedGame


def with_steps(kinds: Iterable[type[Move]]) -> list[type[Move]]:
    """Kinds of moves, and behind them the steps of those that are turns, each once."""
    moves = [*kinds]
    steps = (step for kind in moves if (domain := parts_of(kind)) for step in domain.every)
    return [*dict.fromkeys((*moves, *steps))]


def join_glossary(kinds: Iterable[type[Move]], game: ResolvedGame) -> None:
    """Give moves and their steps the verbs and examples of a game's glossary; they are the same at every table."""
    for kind in with_steps(kinds):
        name = kind.name or kind.__name__
        kind.example = game.move_examples.get(name, kind.example)
        if said := game.move_verbs.get(name):
            kind.words = tuple(dict.fromkeys((*kind.words, *said)))


__all__ = ["join_glossary", "with_steps"]
