"""Tracks with benefits on their steps: how far a marker can go, what it gains on the way, what its place is worth at
the end. Knows no game.

A marker is the number of its step, 0 being the start, so that it can stand in a state and in a position file as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

NOTHING: Mapping[str, int] = {}


class Track(msgspec.Struct, frozen=True):
    """A track as printed. `benefits[k - 1]` is what step k gives when it is reached, `worth[k]` what standing on step k
    is worth in the end."""

    name: str
    benefits: tuple[Mapping[str, Any], ...]
    worth: tuple[int, ...] = ()
    top: int | None = None
    """The last step, where it is not the last one printed."""

    @property
    def last(self) -> int:
        return len(self.benefits) if self.top is None else self.top

    def full(self, step: int) -> bool:
        """True if a marker on this step can go no further."""
        return step >= self.last

    def benefit(self, step: int) -> Mapping[str, Any]:
        """The benefit of a step; empty at the start and where nothing is printed."""
        return self.benefits[step - 1] if 0 < step <= len(self.benefits) else NOTHING

    def worth_of(self, step: int) -> int:
        """The final worth of a place; a place beyond the last printed one counts as the last."""
        return printed_at(self.worth, step)


def moved(step: int, by: int, last: int) -> int:
    """The step of a marker after `by` steps; steps beyond the last are lost."""
    return max(0, min(step + by, last))


def open_tracks(tracks: Mapping[str, Track], markers: Mapping[str, int]) -> list[str]:
    """The tracks on which a marker can still go on."""
    return [name for name, track in tracks.items() if not track.full(markers.get(name, 0))]


def printed_at(values: Sequence[int], n: int) -> int:
    """The printed value for n pieces (`0, 1, 3, 6`); for more than are printed, the last; 0 if none are printed."""
    return values[min(n, len(values) - 1)] if values else 0


__all__ = ["Track", "moved", "open_tracks", "printed_at"]
