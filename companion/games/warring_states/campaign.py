"""The state of a war: who may still speak, which units are free, when a campaign is over (rules WS-WAR, WS-ALLY, WS-CAS)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from .catalogue import At, named_units
from .state import Campaign, Face, Side, Units, War
from .zones import clockwise, discard_battle


def war_of(at: At) -> War | None:
    return at.state.war if at.state.phase == "war" else None


def campaign_of(at: At) -> Campaign | None:
    war = war_of(at)
    return war.campaign if war else None


def missing(wanted: Iterable[str], have: Iterable[str]) -> list[str]:
    """What of `wanted` is not in `have`, copies counted."""
    return list((Counter(wanted) - Counter(have)).elements())


def unengaged(at: At, war: War) -> Units:
    """Own units of the player whose war turn it is that fight in no campaign of this war turn (WS-WAR-10)."""
    p = at.state.players[war.turn_of]
    busy = Counter(war.engaged.generals) if at.on("WS-WAR-10") else Counter()
    armies = war.engaged.armies if at.on("WS-WAR-10") else 0
    if war.campaign:
        busy.update(war.campaign.committed.generals)
        armies += war.campaign.committed.armies
    return Units(list((Counter(p.generals) - busy).elements()), max(0, p.armies - armies))


# --- Ally Segment ------------------------------------------------------------------------------------------------


def speakers(at: At, c: Campaign) -> list[str]:
    """Who has still to speak in the Ally Segment, in order (WS-ALLY-3)."""
    if c.round != "ally":
        return []
    others = [p for p in clockwise(at.state, c.attacker) if p not in (c.attacker, c.defender)]
    return [p for p in others if p not in c.spoken]


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
    c.destiny = {c.attacker: None, c.defender: None}
    c.winner = None
    c.losses = 0
    if not at.on("WS-TACT-10"):
        for seat in (c.attacker, c.defender):
            discard_battle(at, seat, (), at.state.players[seat].battle_hand)
    at.note("WS-TACT-1", f"battle {c.battle}: Tactics Round", battle=c.battle)
    if sides := provincial_sides(at, c):
        at.note("WS-PROV-1", f"{c.defender} has no unit: one of its provinces acts as an army", sides=sides)


def allied_units(c: Campaign, side: Side) -> list[tuple[str, list[str], int]]:
    """(owner, Generals, armies) of the allied units on a side."""
    return [(a.player, a.generals, a.armies) for a in c.allies if a.side == side]


# --- Provincial Army ---------------------------------------------------------------------------------------------


def provincial_sides(at: At, c: Campaign) -> list[Face]:
    """Sides of tokens the defender may put up as Provincial Army; empty when none acts (WS-PROV-1..3)."""
    p = at.state.players[c.defender]
    if p.has_unit or not at.on("WS-PROV-1"):
        return []
    if not at.on("WS-PROV-2") and allied_units(c, "defender"):
        return []
    sides: list[Face] = []
    if p.provinces.intact:
        sides.append("intact")
    if p.provinces.razed and at["provincial.razed_allowed"] and (at.on("WS-PROV-3") or not sides):
        sides.append("razed")
    return sides


def provincial_open(at: At, c: Campaign) -> list[Face]:
    """The same, as long as it has not been settled for this battle (WS-PROV-8)."""
    fought = c.round == "casualties" and c.winner == "attacker"
    waiting = c.provincial_army is None and (c.round in ("tactics", "clash") or fought)
    return provincial_sides(at, c) if waiting else []


# --- Casualties --------------------------------------------------------------------------------------------------


def loser_of(c: Campaign) -> str | None:
    return None if c.winner is None else c.defender if c.winner == "attacker" else c.attacker


def losable(at: At, c: Campaign) -> list[str]:
    """Units the loser may give up, each kind once (WS-CAS-2, WS-CAS-3); empty with a Provincial Army."""
    loser = loser_of(c)
    if loser is None or (c.winner == "attacker" and c.provincial_army):
        return []
    units = Units(at.state.players[loser].generals, at.state.players[loser].armies)
    if loser == c.attacker and at.on("WS-CAS-3"):
        units = c.committed
    kinds = [*(["army"] if units.armies else []), *sorted(set(units.generals))]
    return kinds if at.on("WS-CAS-2") else kinds[:1]


def loss_suffered(at: At, c: Campaign) -> None:
    """A unit or a token is gone: more to lose, or on to the attacker's decision."""
    c.losses += 1
    if c.losses < at["casualty.units"] and c.provincial_army is None and losable(at, c):
        return
    decide(at, c)


def decide(at: At, c: Campaign) -> None:
    """The battle is over; the attacker decides, unless the campaign ends by itself (WS-CAS-7)."""
    c.round = "decide"
    p = at.state.players[c.defender]
    if not at.on("WS-CAS-7"):
        return
    if not p.has_unit and not p.provinces.total:
        close_campaign(at, f"{c.defender} has neither unit nor province left")
    elif not may_fight_on(at, c):
        close_campaign(at, f"{c.attacker} no longer has the units for another battle")


def may_fight_on(at: At, c: Campaign) -> bool:
    """Committed units plus those not engaged still make a General and an Army (WS-CAS-5)."""
    war = war_of(at)
    if war is None:
        return False
    free = unengaged(at, war)
    generals, armies = len(c.committed.generals) + len(free.generals), c.committed.armies + free.armies
    return bool(generals >= at["war.min_generals"] and armies >= at["war.min_armies"])


def close_campaign(at: At, why: str = "") -> None:
    """End the campaign: allies go home, the attacker's units stay engaged until his war turn ends."""
    war = war_of(at)
    if war is None or war.campaign is None:
        return
    c = war.campaign
    at.note("WS-CAS-7", f"the campaign against {c.defender} ends" + (f": {why}" if why else ""), defender=c.defender)
    if c.allies:
        at.note("WS-ALLY-10", "allied units go home", players=[a.player for a in c.allies])
        if not at.on("WS-ALLY-10"):
            _keep_allies(at, c)
    war.fought.append(c.defender)
    if at.on("WS-WAR-10"):
        war.engaged.generals += c.committed.generals
        war.engaged.armies += c.committed.armies
        at.note(
            "WS-WAR-10",
            f"{named_units(c.committed.generals, c.committed.armies)} of {c.attacker} stay engaged until the war turn ends",
            engaged={"generals": list(war.engaged.generals), "armies": war.engaged.armies},
        )
    war.campaign = None


def _keep_allies(at: At, c: Campaign) -> None:
    """With WS-ALLY-10 off: lent units stay with the player they helped."""
    for aid in c.allies:
        owner, helped = at.state.players[aid.player], at.state.players[c.principal(aid.side)]
        owner.armies -= aid.armies
        helped.armies += aid.armies
        for general in aid.generals:
            owner.generals.remove(general)
            helped.generals.append(general)
