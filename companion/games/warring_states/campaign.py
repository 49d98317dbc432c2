"""The state of a war: who may still speak, which units are free, when a campaign is over (rules WS-WAR, WS-ALLY, WS-CAS)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from .catalogue import At, units
from .state import Campaign, Face, Units, War, clockwise


def war_order(at: At) -> list[str]:
    """Who has a war turn this turn, in order (WS-WAR-1, WS-WAR-2)."""
    s = at.state
    return [s.active] if at["war.turns"] == "active_only" else clockwise(s, s.active)


def acting(at: At) -> list[str]:
    """Who has to act in the War Phase."""
    war, c = war_of(at), campaign_of(at)
    if war is None or c is None or c.round == "decide":
        return [war.turn_of] if war else []
    if c.round == "ally":
        return speakers(at, c)
    return [c.loser or ""] if c.round == "casualties" else list(c.belligerents)


def war_of(at: At) -> War | None:
    return at.state.war if at.state.phase == "war" else None


def campaign_of(at: At) -> Campaign | None:
    war = war_of(at)
    return war.campaign if war else None


def missing(wanted: Iterable[str], have: Iterable[str]) -> list[str]:
    """What of `wanted` is not in `have`, copies counted."""
    return list((Counter(wanted) - Counter(have)).elements())


def choosable(has: Iterable[str]) -> list[tuple[str, ...]]:
    """Every choice among Generals, none included, each listed once."""
    found: dict[tuple[str, ...], None] = {(): None}
    for general in sorted(has):
        found |= {(*some, general): None for some in found}
    return list(found)


def unengaged(at: At, war: War) -> Units:
    """Own units of the player whose war turn it is that fight in no campaign of this war turn (WS-WAR-10)."""
    p = at.state.players[war.turn_of]
    here = war.campaign.committed if war.campaign else Units()
    generals = missing(p.generals, [*war.engaged.generals, *here.generals])
    return Units(generals, max(0, p.armies - war.engaged.armies - here.armies))


def enough(at: At, generals: int, armies: int) -> bool:
    """Whether so many units can wage war (WS-WAR-5)."""
    return bool(generals >= at["war.min_generals"] and armies >= at["war.min_armies"])


# --- Ally Segment ------------------------------------------------------------------------------------------------


def speakers(at: At, c: Campaign) -> list[str]:
    """Who has still to speak in the Ally Segment, in order (WS-ALLY-3)."""
    if c.round != "ally":
        return []
    return [p for p in clockwise(at.state, c.attacker) if p not in (*c.belligerents, *c.spoken)]


def spoke(at: At, c: Campaign, player: str) -> None:
    """`player` has spoken; after the last one the first battle begins."""
    c.spoken.append(player)
    if not speakers(at, c):
        start_battle(at, c)


def start_battle(at: At, c: Campaign) -> None:
    """Begin a battle with its Tactics Round (WS-TACT-1)."""
    c.round = "tactics"
    c.provincial_army = None
    c.just_filled = []
    c.destiny = dict.fromkeys(c.belligerents)
    c.winner = None
    c.losses = 0
    at.note("WS-TACT-1", battle=c.battle)
    if sides := provincial_sides(at, c):
        at.note("WS-PROV-1", defender=c.defender, sides=sides)


# --- Provincial Army ---------------------------------------------------------------------------------------------


def provincial_sides(at: At, c: Campaign) -> list[Face]:
    """Sides of tokens the defender may put up as Provincial Army; empty when none acts (WS-PROV-1..3)."""
    p = at.state.players[c.defender]
    if p.has_unit:
        return []
    sides: list[Face] = ["intact"] if p.provinces.intact else []
    return [*sides, "razed"] if p.provinces.razed and at["provincial.razed_allowed"] else sides


def provincial_open(at: At, c: Campaign) -> list[Face]:
    """The same, as long as it has not been settled for this battle (WS-PROV-8)."""
    fought = c.round == "casualties" and c.winner == "attacker"
    waiting = c.provincial_army is None and (c.round in ("tactics", "clash") or fought)
    return provincial_sides(at, c) if waiting else []


# --- Casualties --------------------------------------------------------------------------------------------------


def losable(at: At, c: Campaign) -> list[str]:
    """Units the loser may give up, each kind once (WS-CAS-2, WS-CAS-3); empty with a Provincial Army."""
    if c.loser is None or c.conquered:
        return []
    has = c.committed if c.loser == c.attacker else at.state.players[c.loser]
    return [*(["army"] if has.armies else []), *sorted(set(has.generals))]


def loss_suffered(at: At, c: Campaign) -> None:
    """A unit or a token is gone: more to lose, or on to the attacker's decision (WS-CAS-1)."""
    c.losses += 1
    if c.losses >= at["casualty.units"] or c.conquered or not losable(at, c):
        decide(at, c)


def decide(at: At, c: Campaign) -> None:
    """The battle is over; the attacker decides, unless the campaign ends by itself (WS-CAS-7)."""
    c.round = "decide"
    p = at.state.players[c.defender]
    if not p.has_unit and not p.provinces.total:
        close_campaign(at, "nothing_left")
    elif not may_fight_on(at, c):
        close_campaign(at, "no_units")


def may_fight_on(at: At, c: Campaign) -> bool:
    """Committed units plus those not engaged still make a General and an army (WS-CAS-5)."""
    war = war_of(at)
    free = unengaged(at, war) if war else Units()
    return enough(at, len(c.committed.generals) + len(free.generals), c.committed.armies + free.armies)


def close_campaign(at: At, why: str = "stops") -> None:
    """End the campaign: allies go home, the attacker's units stay engaged until the war turn ends."""
    war = war_of(at)
    if war is None or war.campaign is None:
        return
    c = war.campaign
    at.note(f"WS-CAS-7.{why}", attacker=c.attacker, defender=c.defender)
    if c.allies:
        at.note("WS-ALLY-10", players=[a.player for a in c.allies])
    war.fought.append(c.defender)
    war.engaged.generals += c.committed.generals
    war.engaged.armies += c.committed.armies
    engaged = {"generals": list(war.engaged.generals), "armies": war.engaged.armies}
    staying = units(c.committed.generals, c.committed.armies)
    if staying:
        at.note("WS-WAR-10", attacker=c.attacker, units=staying, engaged=engaged)
    war.campaign = None
