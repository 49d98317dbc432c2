"""What the effects printed on Events do: an operation for each verb of `effects.yaml` that happens at once (WS-EVENT).

What lasts (`modify`) is read by the rule it changes, with `at.value`. The skills printed on Generals (`battle_bonus`,
`redraw_weight`) are read in tactics and in the clash.
"""

from __future__ import annotations

from typing import Any

from companion.engine.things.effects import Op, Source

from .catalogue import At, cards, unit_words
from .state import Owed, clockwise

ON_GENERALS = frozenset(("battle_bonus", "redraw_weight"))


def _tell(at: At, source: Source, what: str, player: str, n: int, lacking: str = "WS-EVENT-4", **facts: Any) -> None:
    """Say what an effect did to a player, or that there was nothing to do it with."""
    if n:
        at.note(source.piece.rule, at.rules.words("WS-EVENT-6", "says", what), player=player, n=n, **facts)
    else:
        at.note(f"{lacking}.{what}", player=player)


# --- who is hit --------------------------------------------------------------------------------------------------


def each_player(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    for seat in clockwise(at.state, who):
        at.run(source.body, seat, source)


def active_player(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    at.run(source.body, at.state.active, source)


def target_player(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    """Waits for the rival to be chosen (WS-EVENT-3)."""
    if at.state.event_target:
        at.run(source.body, at.state.event_target, source)


# --- what happens to them ----------------------------------------------------------------------------------------


def lose_army(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    p = at.state.players[who]
    lost = p.armies if args["n"] == "all" else min(args["n"], p.armies)
    p.armies -= lost
    _tell(at, source, "lose_army", who, lost, armies_left=p.armies)


def lose_general(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    """The loser chooses which (WS-EVENT-8)."""
    n = min(args["n"], len(at.state.players[who].generals))
    at.note("WS-EVENT-8.owed" if n else "WS-EVENT-4.lose_general", player=who, n=n)
    if n:
        at.state.owed.append(Owed(who, "lose_general", "general", n))


def raze(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    p = at.state.players[who].provinces
    n = min(args["n"], p.intact)
    p.intact -= n
    p.razed += n
    _tell(at, source, "raze", who, n, "WS-EVENT-7", intact=p.intact, razed=p.razed)


def gain_bu(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    at.state.players[who].bu += args["n"]
    _tell(at, source, "gain_bu", who, args["n"], bu=at.state.players[who].bu)


def lose_bu(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    p = at.state.players[who]
    paid = min(args["n"], p.bu)
    p.bu -= paid
    _tell(at, source, "lose_bu", who, paid, "WS-EVENT-5", bu=p.bu)


def gain_army(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    p = at.state.players[who]
    room = supply(at, who)
    n = args["n"] if room is None else min(args["n"], room)
    p.armies += n
    _tell(at, source, "gain_army", who, n, "WS-BUILD-6", armies=p.armies)


def forbid_attack(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    p = at.state.players[who]
    _tell(at, source, "forbid_attack", who, not p.attack_banned, "WS-EVENT-12")
    p.attack_banned = True


def steal(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    """The active player chooses what is taken (WS-EVENT-9), but for armies, which are all alike."""
    s = at.state
    if not s.event_target:
        return
    victim, thief, what = s.players[s.event_target], s.players[s.active], args["what"]
    has = {"army": victim.armies, "general": len(victim.generals), "province": victim.provinces.total}[what]
    n = min(args["n"], has)
    if not n:
        at.note("WS-EVENT-4.steal", target=s.event_target, thing="General" if what == "general" else what)
    elif what == "army":
        victim.armies -= n
        thief.armies += n
        _tell(at, source, "steal_army", s.active, n, target=s.event_target)
    else:
        s.owed.append(Owed(s.active, "steal", what, n))
        at.note("WS-EVENT-9.owed", player=s.active, target=s.event_target)


AT_ONCE: tuple[Op, ...] = (
    *(each_player, active_player, target_player, lose_army, lose_general, raze),
    *(gain_bu, lose_bu, gain_army, forbid_attack, steal),
)
OPS: dict[str, Op] = {op.__name__: op for op in AT_ONCE}
WITH_TARGET = ("target_player", "steal")
"""Verbs that hit the chosen rival."""


def resolve(at: At, *, target: bool) -> None:
    """Carry out this turn's Event: the part that hits the chosen rival, or the part that needs no choice."""
    card = cards(at).events[at.state.event or ""]
    part = [effect for effect in card.piece.effect if (effect.verb in WITH_TARGET) == target]
    at.run(part, at.state.active, Source(card.piece, at.state.active))


# --- units that come and go --------------------------------------------------------------------------------------


def general_leaves(at: At, seat: str, general: str, rule: str) -> None:
    """A General leaves play for the Resource discard pile (WS-DECK-9)."""
    p = at.state.players[seat]
    if general not in p.generals:  # kept against the rules
        return
    name = cards(at).generals[general].card
    p.generals.remove(general)
    pile = at.state.decks.resource.discard
    pile[name] = pile.get(name, 0) + 1
    at.note(rule, at.rules.words("WS-DECK-9", "says", "loses"), player=seat, general=general, lost=unit_words(general))
    at.note("WS-DECK-9.general", card=name)


def supply(at: At, seat: str) -> int | None:
    """Army Tokens the supply still has for `seat`; None: no limit (WS-BUILD-6)."""
    limit = at["army.supply_limit"]
    return None if limit is None else max(0, limit - at.state.players[seat].armies)
