"""One game, one variant, every parameter known: `resolve_game`, from the cache where nothing changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from components import cache
from components.errors import DefinitionError, SetError
from components.loader import game_folder
from components.model import ResolvedGame


def resolve_game(
    game_id: str,
    *,
    variants: Iterable[str] = (),
    sets: Mapping[str, Any] | None = None,
    root: Path | None = None,
    players: int | None = None,
    cache_dir: Path | None = None,
    use_cache: bool = True,
) -> ResolvedGame:
    """The resolved game `game_id` of the project at `root` (None: the installed project).

    `variants` are applied in order, then `sets` (parameter name -> value, see `components.variants`). `players` is the
    number of people at the table, for copies that depend on it; None counts what is in the box (the largest number).
    `cache_dir` is where resolved games are kept (None: the user's cache folder); `use_cache` False works it out anew.

    Raises `DefinitionError` with every problem of the files, or `SetError` if the game has no such variant, parameter,
    value or number of players.
    """
    names = list(variants)
    folder = game_folder(game_id, root)
    store = cache.Cache(cache_dir) if use_cache else None
    key = cache.key(folder, names, sets or {}, players)
    if store is not None and (game := store.get(key)) is not None:
        return game
    game = _resolve(game_id, names, sets or {}, root, players)
    if store is not None:
        store.put(key, game)
    return game


def _resolve(
    game_id: str, variants: list[str], sets: Mapping[str, Any], root: Path | None, players: int | None
) -> ResolvedGame:
    # Imported here: a cache hit needs neither YAML nor Jinja2.
    from components.assemble import assemble
    from components.checks import check_definition
    from components.loader import load

    definition = load(game_id, root)
    problems = [*definition.problems, *check_definition(definition)]
    try:
        result = assemble(definition, variants=variants, sets=sets, players=players)
    except SetError as error:
        if problems:
            raise DefinitionError([*problems, *error.problems]) from None
        raise
    problems += result.problems
    if problems or result.game is None:
        raise DefinitionError(problems)
    return result.game
