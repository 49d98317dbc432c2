"""A number that a piece says twice: in a field that is printed and in its effect. Where the two differ, the card
promises something else than the companion does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from components.effects import flat
from components.errors import Problem
from components.loader import Definition
from components.model import ResolvedGame, ResolvedPiece

FEWEST = 4
"""So many pieces have to repeat a number before one that differs is a slip."""
VALUES = 3
"""So many different numbers they have: cards of one price repeat nothing."""
MORE_OFTEN = 4
"""So many times more pieces repeat it than do not."""
Key = tuple[str, str]
"""A verb and its argument."""


def differing(definition: Definition, game: ResolvedGame) -> Iterator[Problem]:
    """A warning for each piece in which a field is another number than the argument of its effect that the same field
    repeats on the other pieces of the set."""
    resolved = {(piece.set, piece.id): piece for piece in game.pieces}
    for file, piece_set in definition.sets.items():
        rows = [
            (index, numbers, args)
            for index, piece in enumerate(piece_set.pieces)
            if (found := resolved.get((piece_set.set, piece.id))) is not None
            for numbers, args in [(_numbers(piece.fields), _arguments(found))]
            if numbers and args
        ]
        for field in dict.fromkeys(field for _, numbers, _ in rows for field in numbers):
            for key in dict.fromkeys(key for _, _, args in rows for key in args):
                both = [(n, numbers[field], args[key]) for n, numbers, args in rows if field in numbers and key in args]
                slips = [(n, said, done) for n, said, done in both if said != done]
                if not slips or not _repeats([said for _, said, done in both if said == done], len(slips)):
                    continue
                verb, argument = key
                for n, said, done in slips:
                    what = f"'{field}' says {said}, and '{verb}' {done}, in piece '{piece_set.pieces[n].id}'"
                    hint = (
                        f"on the other pieces they are the same; write it once, for the whole set: "
                        f'`fields: {{{field}: "{{{{ own.{verb}.{argument} }}}}"}}`'
                    )
                    place = ("pieces", n, "fields", field)
                    yield replace(
                        definition.source(file).problem("DEF-080", what, place, hint=hint), severity="warning"
                    )


def _repeats(same: list[int], slips: int) -> bool:
    return len(same) >= max(FEWEST, MORE_OFTEN * slips) and len(set(same)) >= VALUES


def _numbers(fields: dict[str, object]) -> dict[str, int]:
    return {name: value for name, value in fields.items() if isinstance(value, int) and not isinstance(value, bool)}


def _arguments(piece: ResolvedPiece) -> dict[Key, int]:
    """The numbers in the effect of a piece, of verbs that stand in it once."""
    effects = list(flat(piece.effect))
    often = Counter(effect.verb for effect in effects)
    return {
        (effect.verb, name): value
        for effect in effects
        if often[effect.verb] == 1
        for name, value in effect.args.items()
        if isinstance(value, int) and not isinstance(value, bool)
    }


__all__ = ["differing"]
