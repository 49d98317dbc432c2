"""A location as it resolves: its players in tea order, what is left of their clerks, the clerks that go home (GW-LOC-4 to
-6, GW-CLERK-6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.rules import Breach, Source

from .brought import FEWER, modules
from .catalogue import At, cat, name_of
from .icons import ACTIVATE, STEP, active_card, icon_done, of_kind, tell_icon
from .shame import owe_shame
from .state import Uses
from .year import ENDED, end_unit, in_tea_order, is_open


class Several(NamedTuple):
    """The uses of a clerk in a location: how many things, the field that counts them, the rule, and the bonus of a card
    for the whole activation; `kind` is the bonus of a tactic."""

    per_clerk: str
    done: str
    rule: str
    kind: str
    extra: str = ""

    def per(self, at: At, clan: str) -> int:
        """The number of things that one clerk does."""
        return max(1, int(at.value(self.per_clerk, clan))) if self.per_clerk else 1

    def made(self, done: Uses) -> int:
        """The number of them already done."""
        return int(getattr(done, self.done)) if self.done else 0


ONE = Several("", "", "GW-LOC-6", "clerk")
"""A clerk does one thing."""
SEVERAL = {
    "barracks": Several("barracks.recruits_per_clerk", "recruits_done", "GW-REC-1", "recruit"),
    "builders_encampment": Several("builders.builds_per_clerk", "builds_done", "GW-BUILD-1", "build"),
    "war_camp": Several(
        "war_camp.orders_per_clerk", "orders_done", "GW-CAMP-1", "order", extra="war_camp.orders_per_activation"
    ),
}


def gives(location: str | None) -> Several:
    """The uses of a clerk in a location."""
    return SEVERAL.get(location or "", ONE)


# --- locations ----------------------------------------------------------------------------------------------------


def clerks_in(at: At, location: str) -> dict[str, int]:
    """Clan -> its clerks in a location."""
    return {clan: n for clan, n in at.state.locations.get(location, {}).items() if n}


def slots(at: At, location: str) -> int:
    """The number of clerks that a location holds (GW-CLERK-4); the Rat may take a slot (GW-RAT-11)."""
    return cat(at).locations[location].slots[at.state.side] - (taken_by(at, location) is not None)


def taken_by(at: At, location: str) -> Source | None:
    """The source that takes a slot of a location: the Rat may (GW-RAT-11)."""
    return at.permits("rat_fills_slot", location=location) if location == at.state.rat.at else None


def free_slots(at: At, location: str) -> int:
    return slots(at, location) - sum(clerks_in(at, location).values())


def is_full(at: At, location: str) -> bool:
    return free_slots(at, location) <= 0


def next_location(at: At) -> None:
    """The step `next_location`: the next location resolves; after the last one the icon is done."""
    s = at.state
    if not s.queue:
        if not s.rest_later:
            icon_done(at)
        s.rest_later = False
        return
    s.resolving = location = s.queue.pop(0)
    at.ends("activation")
    name = name_of(at, "location", location)
    at.note("GW-LOC-4.begins", location=name)
    if location in s.advanced:
        s.advanced.remove(location)
        if others := [clan for clan in clerks_in(at, location) if clan != s.active]:
            at.note("GW-LOC-8.shamed", player=s.active, others=others, n=len(others), location=name)
            owe_shame(at, {s.active or "": at["advanced.shame"]}, "GW-LOC-8")
        else:
            at.kept("GW-LOC-9")
    at.then("open_location")


def open_location(at: At) -> None:
    """The step `open_location`: what modules bring before anybody uses a clerk there."""
    location = at.state.resolving
    for module in modules(at):
        module.location_opens(at, location or "")
    at.then("users")


def users(at: At) -> None:
    """The step `users`: the players with clerks there, in tea order; each clerk gives one use (GW-LOC-5, GW-LOC-6)."""
    s = at.state
    location = s.resolving or ""
    present = clerks_in(at, location)
    s.order = in_tea_order(at, present)
    s.clerk_uses = {clan: Uses(clerks=uses_of(at, clan, location, n)) for clan, n in present.items()}
    at.kept("GW-LOC-5", "GW-LOC-6")
    next_user(at)


def uses_of(at: At, clan: str, location: str, n: int) -> int:
    """The number of uses that a player's clerks have there: one each, unless the Rat bites (GW-RAT-9, GW-RAT-10)."""
    fewer = at.state.allowed.get(clan, {}).get(FEWER, 0)
    return max(0, int(at.value("clerk_uses", clan, base=n, location=location, clerks=n)) - fewer)


def next_user(at: At) -> None:
    """The step `next_user`: the next player uses clerks; when all have, the clerks go home."""
    s = at.state
    if not s.order:
        home(at)
    elif not left(at, s.order[0]):
        finish(at, s.order[0])
        at.then("next_user")


def finish(at: At, clan: str) -> None:
    """A player has finished all own clerks there, and what waits for that happens."""
    s = at.state
    location = s.resolving or ""
    s.order.remove(clan)
    at.trigger(f"resolve:{location}", clan, location=location)
    if location in cat(at).production:
        at.trigger("resolve:production", clan, location=location)
    at.trigger("resolve_here", clan, location=location)


def home(at: At) -> None:
    """The location has resolved: its clerks go back to their owners, and the unit is over (GW-CLERK-6, GW-END-3)."""
    s = at.state
    location = s.resolving or ""
    back = clerks_in(at, location)
    for clan, n in back.items():
        s.own(clan).clerks.supply += n
    s.locations[location] = {}
    s.resolved.append(location)
    s.resolving = None
    s.clerk_uses.clear()
    at.note("GW-CLERK-6", location=name_of(at, "location", location), clerks=back)
    end_unit(at, location)
    if s.step != ENDED:
        next_location(at)


# --- uses of clerks -----------------------------------------------------------------------------------------------


def uses(at: At, clan: str, location: str = "") -> Uses:
    """A player's uses so far in the location. If the position leaves the number of clerks open, there are as many as
    fit."""
    s = at.state
    if clan in s.clerk_uses:
        return s.clerk_uses[clan]
    location = location or s.resolving or ""
    present = clerks_in(at, location)
    if not location or (present and clan not in present):
        return Uses()
    n = present[clan] if present else cat(at).locations[location].slots[s.side]
    return Uses(clerks=uses_of(at, clan, location, n))


def extra(at: At, clan: str, several: Several) -> int:
    """The uses that cards add to those of the clerks in a location."""
    told = at.state.allowed.get(clan, {})
    if several.kind in told or not several.extra:
        return int(told.get(several.kind, 0))
    return int(at.value(several.extra, clan))


def left(at: At, clan: str, location: str = "") -> int:
    """The number of clerks a player may still use there; recruits, builds or orders where a clerk gives several."""
    done, what = uses(at, clan, location), gives(location or at.state.resolving)
    return max(0, done.clerks * what.per(at, clan) - what.made(done)) + extra(at, clan, what)


def of_one_clerk(at: At, clan: str, location: str) -> int:
    """The number of uses left of one clerk: one, or the recruits, builds or orders of the clerk whose turn it is."""
    done, what = uses(at, clan, location), gives(location)
    per, made = what.per(at, clan), what.made(done)
    return min(left(at, clan, location), per - made % per if made < done.clerks * per else per)


def moment(at: At, clan: str, location: str) -> Iterator[Breach]:
    """The reasons why a player cannot use a clerk in a location now: it does not resolve, the clan has none there, or
    others come first (GW-LOC-5, GW-LOC-6)."""
    s = at.state
    if not location:
        yield at.breach("GW-LOC-6.nowhere")
        return
    facts = {"player": clan, "location": name_of(at, "location", location)}
    if s.resolving != location:
        found = of_kind(at, ACTIVATE)
        listed = found.args.get("list") if found else None
        known = bool(active_card(at)) and (found is None or (listed is not None and location not in listed))
        if location in s.resolved and not s.resolving:
            yield used_up(at, clan, location, 0)
            return
        if s.resolving:
            yield at.breach("GW-LOC-6.elsewhere", **facts, resolving=name_of(at, "location", s.resolving))
            return
        if known or not is_open(at, "icon"):
            yield at.breach("GW-LOC-6.closed", **facts)
            return
    present = clerks_in(at, location)
    if clan and present and not present.get(clan):
        yield at.breach("GW-LOC-6.absent", **facts)
    elif clan and (order := users_left(at)) and order[0] != clan and (clan in order or left(at, clan)):
        yield at.breach(f"GW-LOC-5.{'turn' if clan in order else 'finished'}", first=order[0], **facts)


def users_left(at: At) -> list[str]:
    """The clans that still have clerks to use in the location that resolves, in tea order; all of them if the order is
    not known."""
    s = at.state
    if s.order or not s.resolving or is_open(at, "done"):
        return s.order
    return in_tea_order(at, [clan for clan in clerks_in(at, s.resolving) if clan not in s.done])


def too_many(at: At, clan: str, n: int = 1) -> Iterator[Breach]:
    """All clerks of a player there have been used (GW-LOC-6, GW-REC-1, GW-BUILD-1, GW-CAMP-1)."""
    location = at.state.resolving
    if clan and location and (has := left(at, clan)) < n:
        idled, rule = idle(at, clan, location)
        if idled and has + idled * gives(location).per(at, clan) >= n:
            yield idles(at, clan, location, idled, rule)
        else:
            yield used_up(at, clan, location, has)


def idle(at: At, clan: str, location: str) -> tuple[int, str]:
    """The number of a player's clerks that a module keeps from work there, and the rule."""
    n, fewer = clerks_in(at, location).get(clan, 0), at.state.allowed.get(clan, {}).get(FEWER, 0)
    if fewer:
        return fewer, "".join(module.idled_by for module in modules(at))
    figure = at.value("clerk_uses", clan, base=n, location=location, clerks=n)
    return n - int(figure), next(iter(figure.rules), "")


def idles(at: At, clan: str, location: str, n: int, rule: str) -> Breach:
    """Clerks of a player are kept from work there."""
    facts = {"player": clan, "location": name_of(at, "location", location), "n": n}
    return at.breach(f"{gives(location).rule}.idled", rule, **facts)


def used_up(at: At, clan: str, location: str, n: int) -> Breach:
    """Nothing (or too little) is left of a player's clerks there."""
    return at.breach(f"{gives(location).rule}.used", player=clan, location=name_of(at, "location", location), left=n)


def tell_location(at: At, clan: str, location: str) -> None:
    """A report says which location resolves and who acts there, where that was open."""
    s = at.state
    if s.resolving is None:
        tell_icon(at, ACTIVATE)
        s.resolving = location
        if not s.step:
            at.rules.set_stage(s, STEP)
    if clan not in s.clerk_uses:
        s.clerk_uses[clan] = uses(at, clan)
    if not s.order:
        after = users_left(at) or in_tea_order(at, {clan, *clerks_in(at, location)})
        s.order = after[after.index(clan) :]


def use(at: At, clan: str, location: str, n: int = 1) -> None:
    """Use clerks: what the player has done there is counted. `ends_use` follows."""
    tell_location(at, clan, location)
    done, what = at.state.clerk_uses[clan], gives(location)
    for _ in range(n):
        if what.made(done) < done.clerks * what.per(at, clan):
            if what.done:
                setattr(done, what.done, what.made(done) + 1)
            else:
                done.clerks -= 1
        else:
            at.state.allowed.setdefault(clan, {})[what.kind] = extra(at, clan, what) - 1


def ends_use(at: At, clan: str) -> None:
    """A use is over: the next player follows if nothing is left to this one. A tactic in hand may still be played."""
    s = at.state
    if s.resolving and s.order[:1] == [clan] and not left(at, clan) and not may_wait(at, clan):
        at.then("next_user")


def may_wait(at: At, clan: str) -> bool:
    """True if a player holds a tactic that could be played in the location that resolves: none has been played there
    yet, and not all of its kind have been used (GW-CARD-4)."""
    s, window = at.state, f"resolve:{at.state.resolving}"
    if not s.own(clan).tactics or s.played_this_unit.get(clan):
        return False
    return any(
        piece.fields.get("window") == window and card not in s.tactic_discard
        for card, piece in cat(at).of("tactic").items()
    )


STEPS = {
    "next_location": next_location,
    "open_location": open_location,
    "users": users,
    "next_user": next_user,
}
