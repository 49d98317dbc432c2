"""Steps that are visibly over in a position that does not say how far they have got: a later report begins the next one.

While the game is played a step ends by itself, with the last player who acts in it. A position may show a step in which
everybody has acted, or nobody can: that never forbids what comes after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.engine.play.phases import current
from companion.rules import Breach

from . import firing
from .catalogue import At
from .reports import TableReport, is_over
from .year import ENDED, all_done, end_of_step, in_tea_order, is_open


def all_revealed(at: At) -> bool:
    """True if everybody's command card lies open, before its player or on the track."""
    s = at.state
    return {*s.revealed, *on_track(at)} >= set(s.players)


def all_placed(at: At) -> bool:
    """True if everybody's command card lies on the track."""
    return all_done(at) or on_track(at) >= set(at.state.players)


def all_resolved(at: At) -> bool:
    """True if all command cards lie on the track and have resolved."""
    s = at.state
    return not s.active and on_track(at) >= set(s.players) and all(card.resolved for card in s.command_track.values())


def to_place(at: At) -> list[str]:
    """Whose command card does not lie on the track, in tea order: the first of them alone where the position says who
    has acted, otherwise any of them."""
    left = [clan for clan in in_tea_order(at) if clan not in {*at.state.done, *on_track(at)}]
    return left if is_open(at, "done") else left[:1]


def on_track(at: At) -> set[str]:
    """Whose command cards lie on the track."""
    return {card.player for card in at.state.command_track.values()}


SEEN_OVER: dict[str, Callable[[At], bool]] = {
    "summer.1": all_done,
    "summer.2": all_done,
    "summer.3": all_done,
    "summer.4": all_done,
    "fall.1": all_revealed,
    "fall.2": all_placed,
    "fall.3": all_resolved,
    "winter.1.banners": lambda at: True,
    "winter.1.start": lambda at: not firing.attackers(at),
}
"""Phase -> whether it is over as far as one can see. Nobody has to lead an attack before the shots."""


class NextStep(TableReport, frozen=True):
    """Begin the next step, where everybody has acted in the running one. It goes without saying."""

    elsewhere = "GW-END-3"
    words = ("next step",)

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not is_over(at):
            yield at.breach("GW-END-3.running", step=at.now)

    def apply(self, at: At) -> None:
        phase = current(at)
        (phase.run if phase and phase.run else end_of_step)(at)
        if at.state.step != ENDED:
            at.then("next_step")


MOVES = dict.fromkeys(SEEN_OVER, (NextStep,))
