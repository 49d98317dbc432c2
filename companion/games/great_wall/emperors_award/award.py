"""The Emperor's Award goes to whoever has claimed the most horde cards of a year (rules GW-EA)."""

from __future__ import annotations

from typing import Any

from components.model import ResolvedPiece

from ..base.catalogue import At, Catalogue
from ..base.state import State
from ..base.year import first_in_tea


def award_moves(at: At) -> None:
    """The step `award_moves`, after the end check: ties by tea order; if nobody claimed any, it stays (GW-EA-2)."""
    s = at.state
    most = max(p.claims_this_year for p in s.player.values())
    if not most:
        at.note("GW-EA-2.stays")
        return
    s.award = first_in_tea(at, [clan for clan, p in s.player.items() if p.claims_this_year == most])
    at.note("GW-EA-2.taken", player=s.award, n=most)


def held(catalogue: Catalogue, s: State, piece: ResolvedPiece) -> list[tuple[str, Any]]:
    """The card works for whoever holds the figure (GW-EA-3, GW-EA-4)."""
    return [(s.award, "")] if s.award else []


def line(at: At) -> str:
    return f"Emperor's Award: {at.state.award or 'nobody'}"


BEARERS = {"award": held}
STEPS = {"award_moves": award_moves}
