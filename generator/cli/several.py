"""The same work for several games: the faults of one do not keep back the others."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TypeVar

from components.program import remark
from generator.cli.failures import explained

R = TypeVar("R")


def ahead(games: Sequence[str], work: Callable[[str], R]) -> Callable[[str], R | None]:
    """The results for several games worked on at once, one on each core; None for one that failed: it is done again
    where its fault can be reported."""
    from components.processes import shared

    def attempt(game: str) -> R | None:
        try:
            return work(game)
        except Exception:
            return None

    done: dict[str, R | None] = {}
    coming = shared(attempt, games, os.cpu_count() or 1) if len(games) > 1 else iter(())

    def result(game: str) -> R | None:
        while game not in done:
            number, found = next(coming, (-1, None))
            if number < 0:
                return None
            done[games[number]] = found
        return done[game]

    return result


def each(games: Sequence[str], work: Callable[[str], None]) -> int:
    """Do the work for every game and return the exit status of the worst fault, 0 for none.

    If there are several games, the faults of one are printed and the others are still done; what is wrong with the
    command, and so with every game alike, is said once. Raises what the work for a single game raises.
    """
    if len(games) == 1:
        work(games[0])
        return 0
    status = 0
    said: set[str] = set()
    for game in games:
        try:
            work(game)
        except Exception as error:
            known = explained(error)
            if known is None:
                raise
            status = max(status, known.status)
            if known.message not in said:
                said.add(known.message)
                remark(known.message)
    return status
