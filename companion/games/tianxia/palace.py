"""The palace: a step on a track, with its benefit (rules TX-TRACK)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.things.tracks import open_tracks
from companion.rules import Breach

from .catalogue import At, cat
from .gains import gain


def open_to(at: At, who: str) -> list[str]:
    """The tracks on which a player can still take a step."""
    return open_tracks(cat(at).tracks, at.state.player[who].tracks)


def bad_choice(at: At, who: str, banner: str) -> Iterator[Breach]:
    """A track may be chosen while it is not full; when all are full, any may, and the step is lost (TX-TRACK-3)."""
    free = open_to(at, who)
    if free and banner not in free:
        yield at.breach("TX-TRACK-3.full", player=who, track=banner, step=at.state.player[who].tracks[banner])


def step(at: At, who: str, banner: str) -> None:
    """One step, and what it gives (TX-TRACK-1)."""
    track, tracks = cat(at).tracks[banner], at.state.player[who].tracks
    if track.full(tracks[banner]):
        at.note("TX-TRACK-3.lost", player=who, track=banner)
        return
    tracks[banner] += 1
    at.note("TX-TRACK-1.step", player=who, track=banner, step=tracks[banner])
    gain(at, who, track.benefit(tracks[banner]), "TX-TRACK-1")


def step_any(at: At, who: str) -> None:
    """A step on a track of the player's choice; lost when all are full."""
    banner = at.choose("step_any", who, open_to(at, who), "TX-TRACK-3.step_any")
    if banner is None:
        at.note("TX-TRACK-3.all", player=who)
    else:
        step(at, who, banner)
