"""Spring: time, new hordes, the Khan's move, new advisors (rules GW-SPR, GW-GK-3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec

from companion.rules import Breach, PieceName

from . import decks
from .brought import in_play
from .catalogue import At, name_of
from .hand import Carriers, HordesUp
from .hordes import owe_hordes
from .reports import TableReport
from .year import end_if_triggered, new_year, next_step, set_trigger, unit


def slots(at: At) -> list[int]:
    """The numbers on the time track, from the start slot to the end."""
    return list(at["time_track"][at.state.side])


def more_hordes(at: At) -> list[tuple[str, str]]:
    """The parameters that say how many more horde cards come each Spring, and their rules."""
    return [module.more_hordes for module in in_play(at) if module.more_hordes]


def hordes_of_slot(at: At) -> int:
    """The number of horde cards that come at the slot of the time token (GW-SPR-2, GW-SPR-3)."""
    track, slot = slots(at), at.state.time_slot
    more = sum(int(at[name]) for name, _ in more_hordes(at))
    return track[slot] + more if slot < len(track) else 0


class AdvanceTime(TableReport, frozen=True):
    """The time token moves one slot forward; at the last slot the game ends."""

    words = ("time",)
    elsewhere = "GW-SPR-1"
    shame_to: Carriers = msgspec.field(default_factory=dict)
    revealed: HordesUp = ()

    def apply(self, at: At) -> None:
        s = at.state
        last = len(slots(at)) - 1
        s.time_slot = min(s.time_slot + 1, last)
        if s.time_slot == last:
            at.note("GW-END-6", slot=s.time_slot)
            set_trigger(at, "time")
            end_if_triggered(at)
            return
        new_year(at)
        due = hordes_of_slot(at)
        at.note("GW-SPR-1.moved", slot=s.time_slot, year=s.year, n=due)
        at.kept("GW-SPR-2", *(rule for _, rule in more_hordes(at)))
        unit(at, "spring.1")
        at.enter("spring.2")
        owe_hordes(at, due)


class RefreshAdvisors(TableReport, frozen=True):
    """The advisors on the left leave the track; new ones come from the deck."""

    words = ("refresh",)
    elsewhere = "GW-SPR-6"
    new: Annotated[tuple[str, ...], PieceName("advisor", many=True, after=("with",), secret=True)] = ()

    def new_options(self, at: At) -> list[tuple[str, ...]] | None:
        due = decks.drawable(at, "advisor", at["advisor.refresh"], self.leaving(at))
        return [tuple(self._may_come(at)[:due])] if due else None

    def things(self, at: At, field: str) -> list[str] | None:
        return self._may_come(at) if field == "new" else None

    def _may_come(self, at: At) -> list[str]:
        """The advisors that may come up: those of the pile only where the deck runs out and is renewed."""
        runs_out = decks.DECKS["advisor"].left(at.state) < at["advisor.refresh"]
        return [*decks.hidden(at, "advisor"), *([*at.state.advisor_discard, *self.leaving(at)] if runs_out else [])]

    def leaving(self, at: At) -> list[str]:
        """The advisors that are discarded."""
        return at.state.advisor_track[: at["advisor.refresh"]]

    def shows(self) -> dict[str, Any]:
        return {"advisor deck": list(self.new)}

    def forbidden(self, at: At) -> Iterator[Breach]:
        due = decks.drawable(at, "advisor", at["advisor.refresh"], self.leaving(at))
        if self.new and len(self.new) != due:
            yield at.breach("GW-SPR-6.number", n=len(self.new), due=due)
        s, deck = at.state, decks.DECKS["advisor"]
        pile = [*s.advisor_discard, *self.leaving(at)]
        yield from decks.impossible(at, "advisor", self.new, left=deck.left(s), pile=pile)

    def apply(self, at: At) -> None:
        s, gone = at.state, self.leaving(at)
        s.advisor_track = [*s.advisor_track[len(gone) :], *self.new]
        s.advisor_discard += gone
        decks.draw(at, "advisor", len(self.new))
        names = [[name_of(at, "advisor", card) for card in cards] for cards in (gone, self.new)]
        at.note("GW-SPR-6.refreshed", gone=names[0], new=names[1])
        next_step(at)


MOVES = {
    "spring.1": (AdvanceTime,),
    "spring.4": (RefreshAdvisors,),
}
