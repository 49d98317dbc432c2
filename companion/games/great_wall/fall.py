"""A command card as it resolves: its icons one after the other, and in each location the clerks of each player in turn
(GW-FALL-5 to -7, GW-LOC-3 to -6, GW-CLERK-6).

What needs nobody's say happens by itself: a gain, the tea marker, the next location, the clerks that go home. What a
position does not say (`State.untold`) is taken from the first report that depends on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

from companion.engine.play.moves import Breach, Move
from companion.engine.things.figures import Source
from components.model import Effect

from .catalogue import At, cat, name_of
from .hooks import LOCATION_OPENS
from .passing import Pass
from .reports import Report
from .shame import owe_shame
from .state import Uses
from .year import ENDED, end_unit, in_tea_order, is_open

STEP = "fall.3"
CLERKS, ACTIVATE = "clerks", "activate"
DECIDED = (ACTIVATE, CLERKS, "attack", "march", "place_clerks")
"""Icons that wait for what a player decides; those of the front come later on every card."""


class Several(NamedTuple):
    """A location where a clerk does more than one thing: how many, the field that counts them, the rule, and what a
    card adds for the whole activation; `kind` is what a tactic adds."""

    per_clerk: str
    done: str
    rule: str
    kind: str
    extra: str = ""


SEVERAL = {
    "barracks": Several("barracks.recruits_per_clerk", "recruits_done", "GW-REC-1", "recruit"),
    "builders_encampment": Several("builders.builds_per_clerk", "builds_done", "GW-BUILD-1", "build"),
    "war_camp": Several(
        "war_camp.orders_per_clerk", "orders_done", "GW-CAMP-1", "order", extra="war_camp.orders_per_activation"
    ),
}


# --- icons --------------------------------------------------------------------------------------------------------


def in_step(at: At) -> bool:
    """Whether command cards are resolving, or nobody said which step it is."""
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
    """Whether every icon of the active card has resolved."""
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
            soon(at, "icon_done")


def active_piece(at: At) -> str:
    """The printed piece of the active card: the clan's own copy."""
    card, pieces = active_card(at), cat(at).of("command")
    own = (id for id, piece in pieces.items() if piece.fields.get("card", id) == card and piece.seat == at.state.active)
    return next(own, card if card in pieces else next(iter(pieces)))


def placers(at: At, who: str = "") -> list[str]:
    """Who places clerks: the active player, then the others in tea order; only those who have some (GW-CLERK-2), and
    `who` in any case."""
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
    """Whether an icon that somebody decides has begun: beast actions come before (GW-AB-3)."""
    s = at.state
    return bool(s.done or s.resolving) or s.icon > leading(at) or is_open(at, "icon")


def leading(at: At) -> int:
    """How many icons at the top of the active card need nobody's say."""
    return next((n for n, one in enumerate(icons(at)) if one.verb in DECIDED), len(icons(at)))


def soon(at: At, step: str, **args: Any) -> None:
    """A step that follows at once, or as soon as what is owed has been settled."""
    if at.rules.agenda(at.state):
        at.then(step, **args)
    else:
        at.rules.steps[step](at, **args)


# --- locations ----------------------------------------------------------------------------------------------------


def clerks_in(at: At, location: str) -> dict[str, int]:
    """Clan -> its clerks in a location."""
    return {clan: n for clan, n in at.state.locations.get(location, {}).items() if n}


def slots(at: At, location: str) -> int:
    """How many clerks a location holds (GW-CLERK-4); the Rat may take a slot (GW-RAT-11)."""
    taken = at.permits("rat_fills_slot", location=location) is not None
    return cat(at).locations[location].slots[at.state.side] - taken


def is_full(at: At, location: str) -> bool:
    return sum(clerks_in(at, location).values()) >= slots(at, location)


def next_location(at: At) -> None:
    """The step `next_location`: the next location resolves; after the last one the icon is done."""
    s = at.state
    if not s.queue:
        icon_done(at)
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
    soon(at, "open_location")


def open_location(at: At) -> None:
    """The step `open_location`: what modules bring before anybody uses a clerk there."""
    location = at.state.resolving
    for open_it in LOCATION_OPENS:
        open_it(at, location or "")
    soon(at, "users")


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
    """How many uses a player's clerks give there: one each, unless the Rat bites (GW-RAT-9, GW-RAT-10)."""
    fewer = at.state.allowed.get(clan, {}).get("fewer_uses", 0)
    return max(0, int(at.value("clerk_uses", clan, base=n, location=location, clerks=n)) - fewer)


def next_user(at: At) -> None:
    """The step `next_user`: the next player uses clerks; when all have, the clerks go home."""
    s = at.state
    while s.order and not left(at, s.order[0]):
        if finish(at, s.order[0]):
            at.then("next_user")
            return
    if not s.order:
        home(at)


def finish(at: At, clan: str) -> bool:
    """A player has finished all own clerks there, and what waits for that happens. Whether something is owed."""
    s = at.state
    location = s.resolving or ""
    s.order.remove(clan)
    at.trigger(f"resolve:{location}", clan, location=location)
    if location in cat(at).production:
        at.trigger("resolve:production", clan, location=location)
    at.trigger("resolve_here", clan, location=location)
    return bool(at.rules.agenda(s))


def home(at: At) -> None:
    """The location has resolved: its clerks go back to their owners, and the unit is over (GW-CLERK-6, GW-END-3)."""
    s = at.state
    location = s.resolving or ""
    back = clerks_in(at, location)
    for clan, n in back.items():
        s.own(clan).clerks.supply += n
    s.locations[location] = {}
    s.resolving = None
    s.clerk_uses.clear()
    at.note("GW-CLERK-6", location=name_of(at, "location", location), clerks=back)
    end_unit(at, location)
    if s.step != ENDED:
        next_location(at)


# --- uses of clerks -----------------------------------------------------------------------------------------------


def uses(at: At, clan: str, location: str = "") -> Uses:
    """What a player has done in the location. Somebody of whom the position does not say how many clerks are there has
    as many as there is room for."""
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
    """What cards add to the uses of the clerks in a location."""
    told = at.state.allowed.get(clan, {})
    if several.kind in told or not several.extra:
        return int(told.get(several.kind, 0))
    return int(at.value(several.extra, clan))


def left(at: At, clan: str, location: str = "") -> int:
    """How many clerks a player may still use there; recruits, builds or orders where a clerk gives several."""
    done, several = uses(at, clan, location), SEVERAL.get(location or at.state.resolving or "")
    if several is None:
        return max(0, done.clerks)
    per = int(at.value(several.per_clerk, clan))
    return int(max(0, done.clerks * per - getattr(done, several.done) % max(1, per)) + extra(at, clan, several))


def of_one_clerk(at: At, clan: str, location: str) -> int:
    """How many uses are left of one clerk: one, or the recruits, builds or orders of the clerk whose turn it is."""
    several = SEVERAL.get(location)
    if several is None:
        return 1
    per, done = int(at.value(several.per_clerk, clan)), uses(at, clan, location)
    return min(left(at, clan, location), per - getattr(done, several.done) % per if done.clerks else per)


def moment(at: At, clan: str, location: str) -> Iterator[Breach]:
    """Why a player cannot use a clerk in a location now: it does not resolve, nobody of the clan is there, or others
    come first (GW-LOC-5, GW-LOC-6)."""
    s = at.state
    facts = {"player": clan, "location": name_of(at, "location", location)}
    if s.resolving != location:
        found = of_kind(at, ACTIVATE)
        listed = found.args.get("list") if found else None
        known = bool(active_card(at)) and (found is None or (listed is not None and location not in listed))
        if s.unit_finished == location and not s.resolving:
            yield used_up(at, clan, location, 0)
        elif s.resolving or known or not is_open(at, "icon"):
            yield at.breach("GW-LOC-6.closed", **facts)
        return
    present = clerks_in(at, location)
    if clan and present and not present.get(clan):
        yield at.breach("GW-LOC-6.absent", **facts)
    elif clan and (order := users_left(at)) and order[0] != clan and (clan in order or left(at, clan)):
        yield at.breach(f"GW-LOC-5.{'turn' if clan in order else 'finished'}", first=order[0], **facts)


def users_left(at: At) -> list[str]:
    """Who has still to use clerks in the location that resolves, in tea order; empty where nobody said."""
    s = at.state
    if s.order or not s.resolving or is_open(at, "done"):
        return s.order
    return in_tea_order(at, [clan for clan in clerks_in(at, s.resolving) if clan not in s.done])


def too_many(at: At, clan: str, n: int = 1) -> Iterator[Breach]:
    """All clerks of a player there have been used (GW-LOC-6, GW-REC-1, GW-BUILD-1, GW-CAMP-1)."""
    location = at.state.resolving
    if clan and location and left(at, clan) < n:
        yield used_up(at, clan, location, left(at, clan))


def used_up(at: At, clan: str, location: str, n: int) -> Breach:
    """Nothing (or too little) is left of a player's clerks there."""
    several = SEVERAL.get(location)
    rule = several.rule if several else "GW-LOC-6"
    return at.breach(f"{rule}.used", player=clan, location=name_of(at, "location", location), left=n)


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


def use(at: At, clan: str, location: str, n: int = 1) -> Uses:
    """Use clerks: the record of what the player has done there, to be added to. `ends_use` follows."""
    tell_location(at, clan, location)
    done, several = at.state.clerk_uses[clan], SEVERAL.get(location)
    if several is None:
        done.clerks -= n
        return done
    per = int(at.value(several.per_clerk, clan))
    for _ in range(n):
        if done.clerks > 0:
            made = getattr(done, several.done) + 1
            setattr(done, several.done, made)
            done.clerks -= made % per == 0
        else:
            at.state.allowed.setdefault(clan, {})[several.kind] = extra(at, clan, several) - 1
    return done


def ends_use(at: At, clan: str) -> None:
    """A use is over: the next player follows if nothing is left to this one. A tactic in hand may still be played."""
    s = at.state
    if s.resolving and s.order[:1] == [clan] and not left(at, clan) and not may_wait(at, clan):
        soon(at, "next_user")


def may_wait(at: At, clan: str) -> bool:
    """Whether a player holds a tactic and one could be played in the location that resolves."""
    window = f"resolve:{at.state.resolving}"
    return bool(at.state.own(clan).tactics) and any(
        piece.fields.get("window") == window for piece in cat(at).of("tactic").values()
    )


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
    s.order = [one for one in s.order if s.own(one).clerks.supply > 0]
    if not s.order:
        icon_done(at)


def cannot_pass(at: At, clan: str) -> Iterator[Breach]:
    """Why a player has nothing to pass now."""
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
    """What `move` says has happened: the card before it is over, its own begins, the only possible order is activated,
    nothing more is done with what may be left."""
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
    if is_open(at, "icon") and move.name == "begin_card" and getattr(move, "spot", 0) != _spot_of(at, s.active):
        return kinds["end_card"]()
    if all_done(at):
        return kinds["end_card"]() if move.name != "end_card" and not may(at, who, opens) else None
    now = icon(at)
    if now is None or now.verb == opens or may(at, who, opens):
        return None
    later = opens in ("use", *DECIDED[: DECIDED.index(now.verb)]) if now.verb in DECIDED else False
    if now.verb == ACTIVATE and not s.queue:
        only = kinds[ACTIVATE]()
        verdict = at.judge(only) if opens == "use" or move.name in ("gain", "end_card") else None
        return only if verdict and verdict.legal and (opens == "use" or not verdict.move.order) else None  # type: ignore[attr-defined]
    waiting = s.order[0] if s.order else s.active
    return kinds["pass"](by=waiting) if later else None


def _spot_of(at: At, clan: str) -> int:
    """The spot of the track where a player's card lies."""
    return next((spot for spot, card in at.state.command_track.items() if card.player == clan), 0)


def may(at: At, clan: str, what: str) -> bool:
    """Whether a tactic or an icon still lets a player do something."""
    return at.state.allowed.get(clan, {}).get(what, 0) > 0


def spend(at: At, clan: str, what: str) -> None:
    """One of the things that a tactic or an icon allows has been done; after the last of an icon it is over."""
    s = at.state
    allowed = s.allowed.setdefault(clan, {})
    allowed[what] = allowed.get(what, 0) - 1
    now = icon(at)
    if allowed[what] <= 0 and in_step(at) and not s.resolving and now is not None and now.verb == what:
        soon(at, "icon_done")


def quiet(at: At, move: Move) -> Move | None:
    """Before a report of a later step: the last card is over."""
    return coming(at, move)


MOVES = {STEP: (Pass,)}
STEPS = {
    "icon_done": icon_done,
    "next_location": next_location,
    "open_location": open_location,
    "users": users,
    "next_user": next_user,
}
QUIET = {STEP: quiet}
PASSES = {STEP: passed}
PASS_CHECKS = {STEP: cannot_pass}

__all__ = [
    "ACTIVATE",
    "CLERKS",
    "MOVES",
    "PASSES",
    "PASS_CHECKS",
    "QUIET",
    "SEVERAL",
    "STEP",
    "STEPS",
    "FallReport",
    "active_card",
    "all_done",
    "begin_icon",
    "begun",
    "card_name",
    "clerks_in",
    "coming",
    "ends_use",
    "icon",
    "icons",
    "in_step",
    "is_full",
    "leading",
    "left",
    "may",
    "moment",
    "next_location",
    "next_spot",
    "of_kind",
    "of_one_clerk",
    "placed",
    "placers",
    "slots",
    "soon",
    "spend",
    "tell_icon",
    "tell_location",
    "to_act",
    "too_many",
    "use",
    "used_up",
    "uses",
]
