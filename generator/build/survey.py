"""The list of games, each in a few words."""

from __future__ import annotations

import msgspec

from generator.build.places import Places


class Survey(msgspec.Struct, frozen=True, kw_only=True):
    """A game in a few words; `problem` says why it cannot be used."""

    id: str
    title: str = ""
    players: tuple[int, int] = (0, 0)
    pieces: int = 0
    decks: list[str] = []
    variants: list[str] = []
    problem: str = ""


def survey(name: str, places: Places) -> Survey:
    """The game `name` of a project, whether or not its files are in order."""
    from components.errors import DefinitionError
    from components.phrasing import count
    from components.resolve import resolve_game

    try:
        game = resolve_game(name, root=places.project, cache_dir=places.resolved)
    except DefinitionError as error:
        return Survey(
            id=name, problem=f"{count(len(error.problems), 'error')} in its files; to see them: pnp check {name}"
        )
    return Survey(
        id=name,
        title=game.title,
        players=game.players,
        pieces=sum(piece.copies for piece in game.pieces),
        decks=list(dict.fromkeys(piece.set for piece in game.pieces)),
        variants=list(game.variant_names),
    )
