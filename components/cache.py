"""Resolved games kept on disk, as msgpack, under a key made from everything they depend on.

A file that cannot be read or does not decode counts as absent and is written anew. Files are written under a temporary
name and renamed; the oldest go when there are more than `MAX_FILES`.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from components.learning import learnt
from components.loader import game_files, game_folder
from components.model import MODEL_VERSION, ResolvedGame
from components.plainfiles import read_plain
from components.projects import own_project

MAX_FILES = 64

_SUFFIX = ".resolved"


def encode_game(game: ResolvedGame) -> bytes:
    """A resolved game as msgpack (JSON would turn whole-number keys into text)."""
    return msgspec.msgpack.encode(game)


def decode_game(data: bytes) -> ResolvedGame:
    """The game `encode_game` was given. Raises `msgspec.DecodeError` (or its `ValidationError`)."""
    return msgspec.msgpack.decode(data, type=learnt(ResolvedGame))


def key(
    folder: Path,
    variants: list[str],
    sets: Mapping[str, Any],
    players: int | None,
    project: str = "",
    modules: list[str] | None = None,
) -> str:
    """A name for one resolution: the content of the game's files and of this package, the variants, modules and
    settings, and the project if it is the user's own."""
    said = repr((MODEL_VERSION, project, folder.name, variants, players, sorted_sets(sets), modules))
    digest = hashlib.sha256(said.encode())
    sources = sorted(Path(__file__).parent.glob("*.py"))
    root = folder.parent.parent
    for path in sources:
        digest.update(f"\0{path.name}\0{path.parent.name}\0".encode() + path.read_bytes())
    for path in (*game_files(folder), *sorted(folder.glob("**/*.yml"))):
        digest.update(f"\0{path.name}\0{path.parent.name}\0".encode())
        with suppress(OSError):  # of what nobody reads, the name is enough
            digest.update(read_plain(path, inside=root))
    return digest.hexdigest()[:40]


def sorted_sets(sets: Mapping[str, Any]) -> str:
    """Settings as text in which order matters only between names that may overlap."""
    return repr(list(sets.items()))


class Cache:
    """A folder of resolved games. A folder that cannot be read or written does no harm."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> ResolvedGame | None:
        """The game kept under `key`, or None."""
        path = self.folder / (key + _SUFFIX)
        try:
            data = path.read_bytes()
            if hashlib.sha256(data[32:]).digest() != data[:32]:
                return None
            game = decode_game(data[32:])
        except (OSError, msgspec.DecodeError):
            return None
        with suppress(OSError):
            os.utime(path)
        return game

    def has(self, key: str) -> bool:
        """True if a game is kept under `key`."""
        return (self.folder / (key + _SUFFIX)).is_file()

    def put(self, key: str, game: ResolvedGame) -> None:
        """Keep a game under `key`."""
        from components.files import write_whole  # not needed for a hit

        data = encode_game(game)
        with suppress(OSError):
            content = hashlib.sha256(data).digest() + data
            write_whole(self.folder / (key + _SUFFIX), content, below=self.folder)
            self.prune()

    def prune(self, keep: int = MAX_FILES) -> None:
        """Remove all but the `keep` files used last, and unfinished files over an hour old."""
        from components.files import HOUR, UNFINISHED

        kept: list[tuple[float, Path]] = []
        for path in self.folder.iterdir():
            with suppress(OSError):
                used = path.stat().st_mtime
                if path.suffix == _SUFFIX:
                    kept.append((used, path))
                elif path.suffix == UNFINISHED and used < time.time() - HOUR:
                    path.unlink()
        for _, path in sorted(kept, reverse=True)[keep:]:
            with suppress(OSError):
                path.unlink()


class Keeper:
    """Keeps a base game that was resolved without the cache, under the key its files had before they were read."""

    def __init__(self, game_id: str, root: Path | None, folder: Path) -> None:
        self.project = own_project(root)
        self.key = key(game_folder(game_id, root), [], {}, None, self.project)
        self.cache = Cache(folder)

    def keep(self, game: ResolvedGame | None) -> None:
        """Keep it, unless it is there."""
        if game is not None and not self.cache.has(self.key):
            self.cache.put(self.key, msgspec.structs.replace(game, project=self.project))


def fingerprint(game: ResolvedGame) -> str:
    """The first 16 hex digits of the SHA-256 of a resolved game (of all but the glossary with its questions and ways
    to say moves, and the list of variants on offer)."""
    # Keys as text: only such mappings can be put in order.
    content = msgspec.to_builtins(
        msgspec.structs.replace(game, fingerprint="", variant_names={}, project=""), str_keys=True
    )
    for found_by in ("glossary", "questions", "move_verbs", "move_examples", "ways"):
        del content[found_by]  # a word more to find a rule by leaves the rules as they are
    return hashlib.sha256(msgspec.json.encode(content, order="deterministic")).hexdigest()[:16]
