"""The state of a war: who may still speak, which units are free, when a campaign is over (rules WS-WAR, WS-ALLY, WS-CAS)."""

from __future__ import annotations

from .catalogue import At
from .state import Aid, Campaign, Face, Units, War, clockwise
from .units import Force, in_words, kinds, minus, size, together


def the_war(at: At) -> War:
    """The War Phase going on. LookupError: another phase is."""
    if war := at.state.war:
        return war
    raise LookupError("war")


def the_campaign(at: At) -> Campaign:
    """The war being fought. LookupError: none is."""
    if c := at.state.campaign:
        return c
    raise LookupError("war")


def war_order(at: At) -> list[str]:
    """The players with a war turn this turn, in order (WS-WAR-1, WS-WAR-2)."""
    s = at.state
    return [s.active] if at["war.turns"] == "active_only" else clockwise(s, s.active)


def turns_left(at: At) -> list[str]:
    """Whose war turn is still to be ended, in order."""
    war = at.state.war
    return [player for player in war_order(at) if player not in war.done] if war else []


def acting(at: At) -> list[str]:
    """The players who have to act in the War Phase."""
    c = at.state.campaign
    if c is None or c.round == "decide":
        return [at.state.war.turn_of] if at.state.war else []
    if c.round == "ally":
        return speakers(at)
    return [c.loser or ""] if c.round == "casualties" else list(c.belligerents)


def unengaged(at: At) -> Units:
    """Own units of the player whose war turn it is that fight in no campaign of this war turn (WS-WAR-10)."""
    war = the_war(at)
    return minus(at.state.players[war.turn_of], war.engaged, war.campaign.committed if war.campaign else Units())


def enough(at: At, force: Force) -> bool:
    """True if a force has enough units to wage war (WS-WAR-5)."""
    return bool(len(force.generals or ()) >= at["war.min_generals"] and (force.armies or 0) >= at["war.min_armies"])


# --- Ally Segment ------------------------------------------------------------------------------------------------


def speakers(at: At) -> list[str]:
    """The seats that still have to speak in the Ally Segment, in order (WS-ALLY-3)."""
    c = at.state.campaign
    if c is None or c.round != "ally":
        return []
    return [p for p in clockwise(at.state, c.attacker) if p not in (*c.belligerents, *c.spoken)]


def awaited_helpers(at: At) -> list[str]:
    """Those of them who have units to send; where nobody has, all."""
    asked = speakers(at)
    return [player for player in asked if at.state.players[player].has_unit] or asked


def lent(at: At, player: str = "", *, beaten: bool = False) -> list[Aid]:
    """Units that are away in the war: those of a player, or all; `beaten`: on the side that lost the battle."""
    c = at.state.campaign
    found = [aid for aid in c.allies if player in ("", aid.player)] if c else []
    return [aid for aid in found if c and c.winner and aid.side == c.losing] if beaten else found


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


def provincial_open(at: At) -> list[Face]:
    """The same, as long as it has not been settled for this battle (WS-PROV-8)."""
    c = at.state.campaign
    if c is None or c.provincial_army is not None:
        return []
    fought = c.round == "casualties" and c.winner == "attacker"
    return provincial_sides(at, c) if c.round in ("tactics", "clash") or fought else []


# --- Casualties --------------------------------------------------------------------------------------------------


def losable(at: At) -> list[str]:
    """Units the loser may give up, each kind once (WS-CAS-2, WS-CAS-3); empty with a Provincial Army."""
    c = at.state.campaign
    if c is None or c.loser is None or c.conquered:
        return []
    return kinds(c.committed if c.loser == c.attacker else at.state.players[c.loser])


def loss_suffered(at: At, c: Campaign) -> None:
    """A unit or a token is gone: more to lose, or on to the attacker's decision (WS-CAS-1)."""
    c.losses += 1
    if c.losses >= at["casualty.units"] or c.conquered or not losable(at):
        decide(at, c)


def decide(at: At, c: Campaign) -> None:
    """The battle is over; the attacker decides, unless the campaign ends by itself (WS-CAS-7)."""
    c.round = "decide"
    if at.state.players[c.defender].has_nothing:
        close_campaign(at, "nothing_left")
    elif not may_fight_on(at, c):
        close_campaign(at, "no_units")


def may_fight_on(at: At, c: Campaign) -> bool:
    """Committed units plus those not engaged still make a General and an army (WS-CAS-5)."""
    return enough(at, together(c.committed, unengaged(at)))


def close_campaign(at: At, why: str = "stops") -> None:
    """End the campaign: allies go home, the attacker's units stay engaged until the war turn ends."""
    war, c = the_war(at), the_campaign(at)
    at.note(f"WS-CAS-7.{why}", attacker=c.attacker, defender=c.defender)
    if c.allies:
        at.note("WS-ALLY-10", players=[a.player for a in c.allies])
    war.fought.append(c.defender)
    war.engaged = together(war.engaged, c.committed)
    if size(c.committed):
        at.note("WS-WAR-10", attacker=c.attacker, units=in_words(c.committed))
    war.campaign = None
