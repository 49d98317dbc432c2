"""Soldiers in the sections of the wall, paid or free (rules TX-TRAIN), and what every piece of a section shares."""

from __future__ import annotations

from companion.engine.things.slots import first_free, put

from .catalogue import ROWS, At, cat
from .state import Section


def strength_of(at: At, kind: str) -> int:
    """The strength of a wall, tower or soldier in its section."""
    return int(at[f"{kind}.strength"])


def standing(row: list[str | None]) -> list[str]:
    """The owners of the pieces that stand in a row, from the left."""
    return [owner for owner in row if owner is not None]


def defence(at: At, section: Section) -> int:
    """The strength of a section's pieces: its defence marker (TX-BAT-11)."""
    return sum(strength_of(at, kind) * len(standing(getattr(section, row))) for kind, row in ROWS.items())


def next_space(at: At, lane: str, kind: str) -> int | None:
    """The leftmost empty space for a kind of piece; None if its row is full."""
    row = ROWS[kind]
    return first_free(getattr(at.state.sections[lane], row), at["section.slots"][row])


def place(at: At, who: str, lane: str, kind: str) -> int:
    """Put a piece on the leftmost empty space and move the defence marker. The number of the space."""
    section = at.state.sections[lane]
    row: list[str | None] = getattr(section, ROWS[kind])
    slot = next_space(at, lane, kind) or len(row) + 1  # a full row, against the rules
    put(row, slot, who)
    section.defence += strength_of(at, kind)
    return slot


def free_soldiers(at: At, who: str, n: int, rule: str) -> None:
    """Soldiers without a price, each where the player wants; lost without a worker or a space (TX-TRAIN-9)."""
    for _ in range(n):
        p = at.state.player[who]
        lanes = [lane for lane in cat(at).lanes if next_space(at, lane, "soldier")] if p.workers else []
        lane = at.choose("soldier", who, lanes, "TX-TRAIN-9.soldier")
        if lane is None:
            at.note("TX-TRAIN-9.lost", player=who)
            continue
        p.workers -= 1
        slot = place(at, who, lane, "soldier")
        at.kept("TX-TRAIN-5")
        at.note("TX-TRAIN-9.placed", player=who, lane=lane, slot=slot, defence=at.state.sections[lane].defence)
