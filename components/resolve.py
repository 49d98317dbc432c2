"""One game, one variant, every parameter known: `resolve_game`, from the cache where nothing changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from components import cache
from components.errors import DefinitionError, Problem, SetError
from components.loader import game_folder
from components.model import ResolvedGame
from components.phrasing import did_you_mean
from components.projects import own_project

if TYPE_CHECKING:
    from components.kept import Kept


def resolve_game(
    game_id: str,
    *,
    variants: Iterable[str] = (),
    sets: Mapping[str, Any] | None = None,
    root: Path | None = None,
    players: int | None = None,
    modules: Iterable[str] | None = None,
    cache_dir: Path | None = None,
    kept: Kept | None = None,
) -> ResolvedGame:
    """The resolved game `game_id` of the project at `root` (None: the installed project).

    `variants` are applied in order, then `sets` (parameter name -> value, see `components.variants`). `players` is the
    number of people at the table, for copies that depend on it; None counts what is in the box: of each piece the most
    that any number of players needs. `modules` are those in play beside the base game: of `game.yaml`, or brought by
    the variant made for them; None: all of `game.yaml`.
    `cache_dir` is where resolved games are kept (None: nowhere, it is worked out anew); `kept` is what a program that
    resolves the game again and again has of it.

    Raises `DefinitionError` with every problem of the files, or `SetError` if the game has no such variant, parameter,
    module, value or number of players.
    """
    names = list(variants)
    playing = None if modules is None else sorted(set(modules))
    folder = game_folder(game_id, root)
    store = cache.Cache(cache_dir) if cache_dir is not None else None
    project = own_project(root)
    key = cache.key(folder, names, sets or {}, players, project, playing) if store is not None else ""
    if store is not None and (game := store.get(key)) is not None:
        return game
    game = _resolve(game_id, names, sets or {}, root, players, playing, kept)
    game.project = project
    if store is not None:
        store.put(key, game)
    return game


def resolve_for_seats(
    game_id: str,
    seats: Iterable[str],
    *,
    variants: Iterable[str] = (),
    sets: Mapping[str, Any] | None = None,
    root: Path | None = None,
    modules: Iterable[str] | None = None,
    cache_dir: Path | None = None,
) -> ResolvedGame:
    """The game for these seats of its `game.yaml`, case apart: of what belongs to a seat only theirs is counted, of
    everything else what that many players need.

    Raises what `resolve_game` raises; `SetError` for seats the game does not have.
    """
    names = list(variants)
    playing = None if modules is None else list(modules)

    def resolved(players: int | None) -> ResolvedGame:
        return resolve_game(
            game_id, variants=names, sets=sets, root=root, players=players, modules=playing, cache_dir=cache_dir
        )

    box = resolved(None)
    chosen = _seats(box.seats, list(seats))
    game = resolved(len(chosen))
    in_box = {(piece.set, piece.id): piece.copies for piece in box.pieces}
    pieces = [
        msgspec.structs.replace(piece, copies=in_box[piece.set, piece.id] if piece.seat in chosen else 0)
        if piece.seat
        else piece
        for piece in game.pieces
    ]
    return msgspec.structs.replace(game, pieces=pieces)


def _seats(known: list[str], asked: list[str]) -> list[str]:
    by_low = {seat.lower(): seat for seat in known}
    found: list[str] = []
    for word in asked:
        seat = by_low.get(word.lower())
        if seat is None:
            what = f"there is no seat '{word}'" if known else f"this game names no seats ('{word}')"
            hint = did_you_mean(word, known, listing="seats") if known else ""
            raise SetError([Problem(code="DEF-061", what=what, hint=hint)])
        if seat in found:
            raise SetError([Problem(code="DEF-061", what=f"the seat '{seat}' is named twice")])
        found.append(seat)
    return found


def _resolve(
    game_id: str,
    variants: list[str],
    sets: Mapping[str, Any],
    root: Path | None,
    players: int | None,
    modules: list[str] | None,
    kept: Kept | None,
) -> ResolvedGame:
    # Imported here: a cache hit needs neither YAML nor Jinja2.
    from components.assemble import assemble
    from components.checks import check_definition
    from components.loader import load

    definition = load(game_id, root)
    problems = [*definition.problems, *check_definition(definition)]
    try:
        result = assemble(definition, variants=variants, sets=sets, players=players, modules=modules, kept=kept)
    except SetError as error:
        if problems:
            raise DefinitionError([*problems, *error.problems]) from None
        raise
    problems += result.problems
    if problems or result.game is None:
        raise DefinitionError(problems)
    return result.game
