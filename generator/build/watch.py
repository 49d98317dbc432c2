"""Look at a game's files again and again, and build when one of them changed."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from components.loader import game_files, game_folder
from generator.build.places import Places, look_files


def state(game: str, places: Places) -> dict[Path, tuple[int, int]]:
    """Size and time of change of every file that defines the game or its look."""
    found: dict[Path, tuple[int, int]] = {}
    for file in (*game_files(game_folder(game, places.project)), *look_files(places, game)):
        try:
            info = file.stat()
        except OSError:
            continue
        found[file] = (info.st_size, info.st_mtime_ns)
    return found


def watch(game: str, places: Places, build: Callable[[], None], every: float, times: int = 0) -> None:
    """Call `build` now and after every change, looking every `every` seconds; at most `times` times, if not 0."""
    done = 0
    seen: dict[Path, tuple[int, int]] = {}
    while True:
        now = state(game, places)
        if now != seen:
            seen = now
            build()
            done += 1
            if done == times:
                return
        time.sleep(every)
