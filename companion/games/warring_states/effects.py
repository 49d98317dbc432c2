"""The effects printed on Events: an operation for each verb of `effects.yaml` that happens at once (WS-EVENT).

What lasts (`modify`) is read by the rule it changes, with `at.value`. The skills printed on Generals (`battle_bonus`,
`redraw_weight`) are read in tactics and in the clash.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.engine.things.cards import put_away
from companion.rules import Op, Source

from .catalogue import At, cards, unit_words
from .state import Owed, clockwise
from .units import drop

ON_GENERALS = frozenset(("battle_bonus", "redraw_weight"))


def _scope(whom: Callable[[At], list[str]]) -> Op:
    """An operation that runs the effects inside it for each of some seats."""

    def hit(at: At, who: str, args: dict[str, Any], source: Source) -> None:
        for seat in whom(at):
            at.run(source.body, seat, source)

    return hit


def _tell(at: At, source: Source, what: str, player: str, n: int, lacking: str = "WS-EVENT-4", **facts: Any) -> None:
    """Say what an effect did to a player, or that there was nothing to do it with."""
    if n:
        at.note(source.piece.rule, at.rules.words("WS-EVENT-6", "says", what), player=player, n=n, **facts)
    else:
        at.note(f"{lacking}.{what}", player=player)


def _more_or_less(what: str, field: str, sign: int, lacking: str = "WS-EVENT-4") -> Op:
    """More or less of something, but never less than nothing, and no more armies than the supply has."""

    def change(at: At, who: str, args: dict[str, Any], source: Source) -> None:
        p = at.state.players[who]
        had = getattr(p, field)
        n = had if args["n"] == "all" else args["n"]
        if what == "gain_army" and (room := supply(at, who)) is not None:
            n = min(n, room)
        setattr(p, field, max(0, had + sign * n))
        _tell(at, source, what, who, abs(getattr(p, field) - had), lacking, **{field: getattr(p, field)})

    return change


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


def forbid_attack(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    p = at.state.players[who]
    _tell(at, source, "forbid_attack", who, not p.attack_banned, "WS-EVENT-12")
    p.attack_banned = True


def steal(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    """The active player chooses what is taken (WS-EVENT-9), but for armies, which are all alike."""
    s, what = at.state, args["what"]
    target = s.event_target or ""
    victim = s.players[target]
    has = {"army": victim.armies, "general": len(victim.generals), "province": victim.provinces.total}[what]
    n = min(args["n"], has)
    if not n:
        at.note("WS-EVENT-4.steal", target=target, thing="General" if what == "general" else what)
    elif what == "army":
        victim.armies -= n
        s.players[s.active].armies += n
        _tell(at, source, "steal_army", s.active, n, target=target)
    else:
        s.owed.append(Owed(s.active, "steal", what, n))
        at.note("WS-EVENT-9.owed", player=s.active, target=target)


OPS: dict[str, Op] = {
    "each_player": _scope(lambda at: clockwise(at.state, at.state.active)),
    "active_player": _scope(lambda at: [at.state.active]),
    "target_player": _scope(lambda at: [at.state.event_target or ""]),
    "lose_army": _more_or_less("lose_army", "armies", -1),
    "gain_army": _more_or_less("gain_army", "armies", 1, "WS-BUILD-6"),
    "lose_bu": _more_or_less("lose_bu", "bu", -1, "WS-EVENT-5"),
    "gain_bu": _more_or_less("gain_bu", "bu", 1),
    **{op.__name__: op for op in (lose_general, raze, forbid_attack, steal)},
}
WITH_TARGET = ("target_player", "steal")
"""Verbs that hit the chosen rival."""


def resolve(at: At, *, target: bool) -> None:
    """Carry out this turn's Event: the part that hits the chosen rival, or the part that needs no choice."""
    card = cards(at).events[at.state.event or ""]
    part = [effect for effect in card.effect if (effect.verb in WITH_TARGET) == target]
    at.run(part, at.state.active, Source(card, at.state.active))


# --- what comes and goes -----------------------------------------------------------------------------------------


def leave_play(at: At, seat: str, unit: str, rule: str) -> None:
    """An army goes back to the supply, a General to the Resource discard pile (WS-DECK-9)."""
    p = at.state.players[seat]
    if unit != "army" and unit not in p.generals:  # a loss that the table keeps against the rules
        return
    drop(p, unit)
    at.note(rule, at.rules.words("WS-DECK-9", "says", "loses"), player=seat, lost=unit_words(unit))
    if unit == "army":
        at.note("WS-DECK-9.army", player=seat, armies=p.armies)
    else:
        name = cards(at).generals[unit].card
        put_away(at.state.decks.resource, [name])
        at.note("WS-DECK-9.general", card=name)


def move_province(at: At, loser: str, taker: str, side: str | None) -> None:
    """A Province Token changes hands; it keeps its side. LookupError: no token was put up."""
    if not side:
        raise LookupError("province")
    for seat, n in ((loser, -1), (taker, 1)):
        land = at.state.players[seat].provinces
        setattr(land, side, getattr(land, side) + n)


def supply(at: At, seat: str) -> int | None:
    """Army Tokens the supply still has for `seat`; None: no limit (WS-BUILD-6)."""
    limit = at["army.supply_limit"]
    return None if limit is None else max(0, limit - at.state.players[seat].armies)
