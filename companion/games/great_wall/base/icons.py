"""The icons of a command card, one after the other (GW-FALL-5 to -7).

What needs nobody's say happens by itself. What a position does not say (`State.untold`) is taken from the first report
that depends on it.
"""

from __future__ import annotations

from companion.rules import Source
from components.model import Effect

from .catalogue import At, cat
from .year import ENDED, end_unit, in_tea_order, is_open

STEP = "fall.3"
CLERKS, ACTIVATE = "clerks", "activate"
DECIDED = (ACTIVATE, CLERKS, "attack", "march", "place_clerks")
"""Icons that wait for what a player decides; those of the front come later on every card."""


def in_step(at: At) -> bool:
    """True if command cards are resolving, or the step is not known."""
    return at.state.step in ("", STEP)


def next_spot(at: At) -> int | None:
    """The first spot of the track whose card has not resolved (GW-FALL-5)."""
    return next((spot for spot, card in sorted(at.state.command_track.items()) if not card.resolved), None)


def active_card(at: At) -> str:
    """The command card that resolves; "" where the position does not say which."""
    s = at.state
    on_track = (one.card for one in s.command_track.values() if one.player == s.active and not one.resolved)
    return s.active_card or next(on_track, "")


def icons(at: At) -> tuple[Effect, ...]:
    """The icons of the active card, from top to bottom."""
    return cat(at).commands.get(active_card(at), ())


def card_name(at: At, card: str) -> str:
    """The printed name of a command card."""
    pieces = cat(at).of("command").values()
    return next((piece.name for piece in pieces if piece.fields.get("card", piece.id) == card), card)


def icon(at: At) -> Effect | None:
    """The icon that is resolving; None if all are done, or nobody said which."""
    s = at.state
    found = icons(at)
    return found[s.icon] if s.active and not is_open(at, "icon") and s.icon < len(found) else None


def all_done(at: At) -> bool:
    """True if every icon of the active card has resolved."""
    s = at.state
    return bool(s.active) and not is_open(at, "icon") and not s.resolving and s.icon >= len(icons(at))


def of_kind(at: At, verb: str) -> Effect | None:
    """The icon of this kind that is resolving or, where nobody said which one is, that may be; None if it cannot be."""
    if not is_open(at, "icon"):
        found = icon(at)
        return found if found is not None and found.verb == verb else None
    return next((one for one in icons(at) if one.verb == verb), None)


def tell_icon(at: At, verb: str) -> None:
    """A report says which icon is resolving, where that was open."""
    s = at.state
    if is_open(at, "icon"):
        s.untold.remove("icon")
        found = [n for n, one in enumerate(icons(at)) if one.verb == verb]
        s.icon = found[0] if found else s.icon


def begin_icon(at: At) -> None:
    """Begin the icon that has been reached; what needs nobody's say resolves at once (GW-FALL-6)."""
    s = at.state
    found = icon(at)
    if found is None:
        return
    if found.verb == CLERKS:
        s.done.clear()
        s.order = placers(at)
        if not s.order:
            icon_done(at)
    elif found.verb != ACTIVATE:
        piece = cat(at).of("command")[active_piece(at)]
        at.run([found], s.active or "", Source(piece, s.active or ""))
        if found.verb not in DECIDED:
            at.then("icon_done")


def active_piece(at: At) -> str:
    """The printed piece of the active card: the clan's own copy."""
    card, pieces = active_card(at), cat(at).of("command")
    own = (id for id, piece in pieces.items() if piece.fields.get("card", id) == card and piece.seat == at.state.active)
    return next(own, card if card in pieces else next(iter(pieces)))


def placers(at: At, who: str = "") -> list[str]:
    """The clans that place clerks: the active player, then the others in tea order; only those who have some
    (GW-CLERK-2), and `who` in any case."""
    s = at.state
    seats = [s.active or "", *(clan for clan in in_tea_order(at) if clan != s.active)]
    return [clan for clan in seats if clan and clan not in s.done and (clan == who or s.own(clan).clerks.supply > 0)]


def icon_done(at: At) -> None:
    """The step `icon_done`: the unit is over, and the next icon begins (GW-END-3). A tactic played at the last icon
    counts for it until the card is over (GW-CARD-4)."""
    s = at.state
    played = dict(s.played_this_unit) if s.icon == len(icons(at)) - 1 else {}
    s.order.clear()
    s.done.clear()
    end_unit(at, f"{active_card(at)} {s.icon + 1}")
    if s.step == ENDED:
        return
    s.played_this_unit.update(played)
    s.icon += 1
    begin_icon(at)


def begun(at: At) -> bool:
    """True if an icon that a player decides has begun: beast actions come before (GW-AB-3)."""
    s = at.state
    return bool(s.done or s.resolving) or s.icon > leading(at) or is_open(at, "icon")


def leading(at: At) -> int:
    """The number of icons at the top of the active card that need no decision."""
    return next((n for n, one in enumerate(icons(at)) if one.verb in DECIDED), len(icons(at)))


STEPS = {"icon_done": icon_done}
