"""While a command card resolves: who acts, what passing means, and what goes without saying (GW-FALL-5 to -7).

A report says by being made that what must come before it has happened: the card before it is over, its own begins, the
only possible order is activated, nothing more is done with what may be left.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from companion.rules import Breach, Move

from .catalogue import At
from .icons import ACTIVATE, DECIDED, STEP, all_done, icon, icon_done, in_step, next_spot
from .locations import SEVERAL, clerks_in, left, next_user, tell_location, users_left
from .reports import Pass, Report
from .year import is_open

# --- who acts, passing, and what goes without saying ----------------------------------------------------------------


def to_act(at: At) -> list[str]:
    """Whose decision is awaited while the cards resolve."""
    s = at.state
    if s.order:
        return s.order[:1]
    if s.resolving:
        return users_left(at)[:1] or list(clerks_in(at, s.resolving)) or list(s.players)
    if s.active and not is_open(at, "icon"):
        return [s.active]
    spot = next_spot(at) if not s.active else None
    return [s.command_track[spot].player] if spot else list(s.players)


def passed(at: At, clan: str) -> None:
    """A player does nothing more: in the location, with the clerks of the icon, or with the icon itself."""
    s = at.state
    if s.resolving:
        tell_location(at, clan, s.resolving)
        several = SEVERAL.get(s.resolving)
        if left(at, clan):
            at.note("GW-GEN-4.passed", player=clan)
        s.clerk_uses[clan].clerks = 0
        s.allowed[clan] = {several.kind: 0} if several else {}
        next_user(at)
    elif clan in s.order:
        placed(at, clan)
    elif s.active:
        s.allowed.pop(clan, None)
        icon_done(at)


def placed(at: At, clan: str) -> None:
    """A player has placed clerks for the icon, or none; after the last one the icon is done (GW-CLERK-2)."""
    s = at.state
    if clan in s.order:
        s.order = s.order[s.order.index(clan) + 1 :]
    s.done.append(clan)
    if not s.order:
        icon_done(at)


def cannot_pass(at: At, clan: str) -> Iterator[Breach]:
    """The reasons why a player cannot pass now."""
    s = at.state
    expected = to_act(at)
    if clan and expected and clan not in expected:
        yield at.breach("GW-FALL-6.turn", player=clan, first=expected[0])
    elif not s.resolving and not s.order and (s.active is None or all_done(at)):
        yield at.breach("GW-GEN-4.nothing", step="the end of a command card")


class FallReport(Report, frozen=True):
    """A report while a command card resolves."""

    opens: ClassVar[str] = ""
    """The kind of icon it belongs to."""

    def presumes(self, at: At) -> Move | None:
        return coming(at, self) or super().presumes(at)


def coming(at: At, move: Move) -> Move | None:
    """The next move that `move` implies: the card before it is over, its own begins, the only possible order is
    activated, an optional use is left."""
    s, kinds = at.state, at.rules.moves
    if not in_step(at) or s.agenda:
        return None
    who = getattr(move, "by", "")
    opens = getattr(move, "opens", "")
    if s.resolving:
        first = s.order[0] if s.order else ""
        waits = first and (who != first or not opens) and not left(at, first)
        return kinds["pass"](by=first) if waits else None
    if s.active is None:
        spot = next_spot(at)
        return kinds["begin_card"](spot=spot) if spot and move.name != "begin_card" else None
    if is_open(at, "icon") and move.name == "begin_card" and getattr(move, "spot", 0) != spot_of(at, s.active):
        return kinds["end_card"]()
    if all_done(at):
        return kinds["end_card"]() if move.name != "end_card" and not may(at, who, opens) else None
    now = icon(at)
    if now is None or now.verb == opens or may(at, who, opens):
        return None
    later = opens in ("use", *DECIDED[: DECIDED.index(now.verb)]) if now.verb in DECIDED else False
    if now.verb == ACTIVATE and not s.queue:
        only = kinds[ACTIVATE]()
        verdict = at.expected(only) if opens == "use" or move.name in ("gain", "end_card") else None
        return only if verdict and verdict.legal and (opens == "use" or not verdict.move.order) else None  # type: ignore[attr-defined]
    waiting = s.order[0] if s.order else s.active
    return kinds["pass"](by=waiting) if later else None


def spot_of(at: At, clan: str) -> int:
    """The spot of the track where a player's card lies."""
    return next((spot for spot, card in at.state.command_track.items() if card.player == clan), 0)


def may(at: At, clan: str, what: str) -> bool:
    """True if a tactic or an icon still allows a player something."""
    return at.state.allowed.get(clan, {}).get(what, 0) > 0


def spend(at: At, clan: str, what: str) -> None:
    """One of the things that a tactic or an icon allows has been done; after the last of an icon it is over."""
    s = at.state
    allowed = s.allowed.setdefault(clan, {})
    allowed[what] = allowed.get(what, 0) - 1
    now = icon(at)
    if allowed[what] <= 0 and in_step(at) and not s.resolving and now is not None and now.verb == what:
        at.then("icon_done")


def quiet(at: At, move: Move) -> Move | None:
    """Before a report of a later step: the last card is over."""
    return coming(at, move)


MOVES = {STEP: (Pass,)}
QUIET = {STEP: quiet}
PASSES = {STEP: passed}
PASS_CHECKS = {STEP: cannot_pass}
