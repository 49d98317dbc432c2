"""The year: tea order, resolution units, the triggers of the end, and the step that comes next (GW-TEA, GW-END).

A resolution unit ends with `unit(at, name)`. What is owed in it (shame, losses) is settled first; then the limits of the
unit are free again and, if a trigger of the end was met, the game is over (GW-END-3 to -5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.engine.play.phases import go_on
from companion.rules import Breach

from .catalogue import At, by_players
from .state import SECTIONS, Trigger

ENDED = "ended"
UNITS = frozenset(
    f"{season}.{n}" for season, last in (("spring", 5), ("summer", 6), ("fall", 4)) for n in range(1, last + 1)
)
UNITS -= {"fall.3"}
"""Steps that are resolution units as a whole (GW-END-3)."""
REACHED: dict[Trigger, str] = {
    "walls": "the walls are finished",
    "shame": "the shame pool is empty",
    "time": "the time token is on the last slot",
    "khan": "Genghis Khan is defeated",
}
"""A trigger of the end as people say it."""


# --- tea order ----------------------------------------------------------------------------------------------------


def in_tea_order(at: At, clans: Iterable[str] | None = None) -> list[str]:
    """Clans (all of them) from the top of the tea pile down, as it was when the unit began (GW-TEA-1, GW-TEA-5)."""
    order = at.state.unit_tea or at.state.tea
    if clans is None:
        return list(order)
    wanted = set(clans)
    return [clan for clan in order if clan in wanted]


def first_in_tea(at: At, clans: Iterable[str]) -> str:
    """The winner of a tie (GW-TEA-6)."""
    return in_tea_order(at, clans)[0]


def raise_tea(at: At, clan: str, n: int) -> None:
    """Move a marker up `n` places in the pile; the unit that is running keeps its order (GW-TEA-4, GW-TEA-5)."""
    s = at.state
    if not s.unit_tea:
        s.unit_tea = list(s.tea)
    place = s.tea.index(clan)
    s.tea.remove(clan)
    s.tea.insert(max(0, place - n), clan)


def is_last(at: At, clan: str) -> bool:
    """True if a clan's marker lies at the bottom of the pile."""
    return at.state.tea[-1] == clan


# --- who acts in a step -------------------------------------------------------------------------------------------


def to_act(at: At) -> list[str]:
    """The clans that still have to act in the step, in tea order: the first of them alone if the position tells which
    have acted, otherwise any of them."""
    left = [clan for clan in in_tea_order(at) if clan not in at.state.done]
    return left if "done" in at.state.untold else left[:1]


def all_done(at: At) -> bool:
    """True if every player has acted in the step."""
    return len(set(at.state.done)) >= len(at.state.players)


def has_acted(at: At, clan: str) -> None:
    """A player has acted in the step."""
    if clan not in at.state.done:
        at.state.done.append(clan)


def wrong_turn(at: At, clan: str, order: list[str], rule: str) -> Iterator[Breach]:
    """A breach of `rule` (`breaks.turn`) unless `clan` is the first of `order`, or nobody said who has acted."""
    if clan and order and clan != order[0] and "done" not in at.state.untold:
        yield at.worded(f"{rule}.turn", "{player} does not act now; {seats} does", player=clan, seats=order[:1])


# --- units and the end --------------------------------------------------------------------------------------------


def unit(at: At, name: str) -> None:
    """A resolution unit is over, once everything owed in it is settled (GW-END-3)."""
    if at.rules.agenda(at.state):
        at.then("unit", name=name)
    else:
        end_unit(at, name)


def end_unit(at: At, name: str) -> None:
    """The step `unit`: limits are free again, and the game ends if a trigger was met."""
    s = at.state
    s.unit_finished = name
    s.played_this_unit.clear()
    s.effects_now.clear()
    s.carriers_left.clear()
    s.allowed.clear()
    s.unit_tea.clear()
    at.ends("unit")
    end_if_triggered(at)


def set_trigger(at: At, trigger: Trigger) -> None:
    """A trigger of the end is met; the first one stays (GW-END-4)."""
    if at.state.end_trigger is None:
        at.state.end_trigger = trigger
        at.note("GW-END-4.triggered", trigger=REACHED[trigger])


def look_at_walls(at: At) -> None:
    """The end, if enough sections stand at the highest level (GW-END-1)."""
    top = sum(at.state.walls[section] >= at["wall.max_level"] for section in SECTIONS)
    if top >= by_players(at, "walls_to_end"):
        set_trigger(at, "walls")


def look_at_pool(at: At) -> None:
    """The end, if the shame pool is empty (GW-END-2)."""
    if at.state.shame_pool <= 0:
        set_trigger(at, "shame")


def end_if_triggered(at: At) -> bool:
    """Go to final scoring if the end was triggered; nothing else of the year happens (GW-END-5). Whether it ends."""
    s = at.state
    if s.end_trigger is None or s.step == ENDED:
        return s.step == ENDED
    s.agenda.clear()
    s.queue.clear()
    s.order.clear()
    at.note("GW-END-5.over", trigger=REACHED[s.end_trigger])
    at.enter(ENDED)
    return True


def new_year(at: At) -> None:
    """Reset the counts of the year, with Spring step 1 (GW-CARD-8)."""
    at.ends("year")
    at.state.led.clear()
    for p in at.state.player.values():
        p.claims_this_year = p.saves_this_year = 0
        p.shots_done = dict.fromkeys(SECTIONS, 0)


def next_step(at: At) -> None:
    """The running step is over, once what is owed in it has been settled; the next one begins."""
    at.then("next_step")


def leave_step(at: At) -> None:
    """The step `next_step`."""
    if at.state.step in UNITS:
        end_unit(at, at.state.step)
    if at.state.step != ENDED:
        go_on(at)


def end_of_step(at: At) -> None:
    """End a step in which everybody has acted (`Phase.run`)."""
    end_unit(at, at.state.step)


# --- whether the year has to be told ------------------------------------------------------------------------------


def is_open(at: At, what: str) -> bool:
    """True if the position left something open, which then never forbids."""
    return what in at.state.untold


def tell_step(at: At, step: str) -> None:
    """A report says which step it is, where that was open."""
    if not at.state.step:
        at.state.season, at.state.step = step.partition(".")[0], step  # type: ignore[assignment]


STEPS = {"unit": end_unit, "next_step": leave_step}
