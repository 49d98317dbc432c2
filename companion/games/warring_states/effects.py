"""What the effects printed on the cards do. Every verb of `effects.yaml` stands in exactly one of the tables below:

- `INSTANT`: carried out the moment the Event is resolved on a player;
- `LASTING`: read by the rule that it changes, for as long as the Event lies face up (see `lasting`);
- `SCOPES`: say who is hit or how long, and hold other verbs;
- `ON_GENERALS`: printed on Generals, read in tactics and in the clash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from components.model import Effect
from components.phrasing import count

from .catalogue import At, EventCard, armies, cards
from .state import Owed, Player
from .zones import clockwise

Executor = Callable[[At, str, dict[str, Any], str], None]
"""(position, player hit, arguments, rule id of the card)."""


def _lose_army(at: At, seat: str, args: dict[str, Any], rule: str) -> None:
    p = at.state.players[seat]
    lost = p.armies if args["n"] == "all" else min(args["n"], p.armies)
    p.armies -= lost
    _as_far_as_possible(
        at, rule, seat, f"loses {armies(lost)}", lost, f"{seat} has no army to lose", armies_left=p.armies
    )


def _lose_general(at: At, seat: str, args: dict[str, Any], rule: str) -> None:
    p = at.state.players[seat]
    n = min(args["n"], len(p.generals))
    if not n:
        _as_far_as_possible(at, rule, seat, "", 0, f"{seat} has no General to lose")
    elif at.on("WS-EVENT-8"):
        at.state.owed.append(Owed(seat, "lose_general", "general", n))
        at.note("WS-EVENT-8", f"{seat} loses {count(n, 'General')} of their choice", player=seat, n=n)
    else:
        for general in p.generals[:n]:
            lose_general(at, seat, general, rule)


def _raze(at: At, seat: str, args: dict[str, Any], rule: str) -> None:
    p = at.state.players[seat].provinces
    n = min(args["n"], p.intact) if at.on("WS-EVENT-7") else 0
    p.intact -= n
    p.razed += n
    _as_far_as_possible(
        at,
        rule,
        seat,
        f"flips {count(n, 'province')} to razed",
        n,
        f"{seat} has no intact province",
        "WS-EVENT-7",
        intact=p.intact,
        razed=p.razed,
    )


def _gain_bu(at: At, seat: str, args: dict[str, Any], rule: str) -> None:
    p = at.state.players[seat]
    p.bu += args["n"]
    at.note(rule, f"{seat} receives {args['n']} Bu", player=seat, bu=p.bu)


def _lose_bu(at: At, seat: str, args: dict[str, Any], rule: str) -> None:
    p = at.state.players[seat]
    paid = min(args["n"], p.bu) if at.on("WS-EVENT-5") else args["n"]
    p.bu -= paid
    _as_far_as_possible(at, rule, seat, f"pays {paid} Bu", paid, f"{seat} has no Bu to pay", "WS-EVENT-5", bu=p.bu)


def _gain_army(at: At, seat: str, args: dict[str, Any], rule: str) -> None:
    p = at.state.players[seat]
    n = args["n"] if (room := supply(at, seat)) is None else min(args["n"], room)
    p.armies += n
    at.note(rule, f"{seat} receives {armies(n)} free", player=seat, armies=p.armies)


def _forbid_attack(at: At, seat: str, args: dict[str, Any], rule: str) -> None:
    p = at.state.players[seat]
    if p.attack_banned:
        at.note("WS-EVENT-12", f"{seat} is under a ban already; a second one adds nothing", player=seat)
        return
    p.attack_banned = at.on("WS-EVENT-11")
    at.note(rule, f"{seat} may not attack", player=seat)
    at.cite("WS-EVENT-11", f"the ban covers the next war turn of {seat}", player=seat)


INSTANT: dict[str, Executor] = {
    "lose_army": _lose_army,
    "lose_general": _lose_general,
    "raze": _raze,
    "gain_bu": _gain_bu,
    "lose_bu": _lose_bu,
    "gain_army": _gain_army,
    "forbid_attack": _forbid_attack,
}
LASTING = ("extra_income_cards", "meld_multiplier", "troop_destiny_bonus", "general_bt_bonus")
SCOPES = ("each_player", "active_player", "target_player", "this_turn", "steal")
ON_GENERALS = ("battle_bonus", "redraw_weight")


def _as_far_as_possible(
    at: At, rule: str, seat: str, done: str, amount: int, lacking: str, because: str = "WS-EVENT-4", **facts: Any
) -> None:
    if amount:
        at.note(rule, f"{seat} {done}", player=seat, n=amount, **facts)
    else:
        at.note(because, lacking, player=seat)
        if because != "WS-EVENT-4":
            at.cite("WS-EVENT-4", "nothing else is lost instead", player=seat)


# --- resolving an Event ------------------------------------------------------------------------------------------


def resolve_open(at: At, card: EventCard) -> None:
    """Apply the parts of a freshly revealed Event that need no choice of target."""
    s = at.state
    if not at.on(card.rule):
        return
    at.note(card.rule, f"{card.name}: {card.text}", card=card.name)
    for effect in card.effects:
        if effect.verb == "each_player":
            seats = [p for p in clockwise(s, s.active) if p != s.active or at.on("WS-EVENT-6")]
            for seat in seats:
                _apply(at, seat, effect.body, card.rule)
            if any(e.verb in INSTANT for e in effect.body):
                at.cite("WS-EVENT-6", "every player is hit, the active one included", players=seats)
        elif effect.verb == "active_player" and at.on("WS-EVENT-2"):
            _apply(at, s.active, effect.body, card.rule)
            at.cite("WS-EVENT-2", f"the Event speaks to {s.active}, the active player", player=s.active)


def resolve_target(at: At, card: EventCard, target: str) -> None:
    """Apply the parts of an Event that hit the chosen rival."""
    s = at.state
    if not at.on(card.rule):
        return
    in_vain = not touches(at, card, target)
    for effect in card.effects:
        if effect.verb == "target_player":
            if at.on("WS-EVENT-4") or all(_touches(at.state.players[target], e) for e in effect.body):
                _apply(at, target, effect.body, card.rule)
        elif effect.verb == "steal":
            _steal(at, effect, target, card.rule)
    if in_vain:
        at.note("WS-EVENT-10", f"{card.name} has nothing to take hold of with {target}", target=target)
    s.event_target = target


def _apply(at: At, seat: str, body: tuple[Effect, ...], rule: str) -> None:
    for effect in body:
        if effect.verb in INSTANT:
            INSTANT[effect.verb](at, seat, effect.args, rule)


def _steal(at: At, effect: Effect, target: str, rule: str) -> None:
    s = at.state
    victim, thief = s.players[target], s.players[s.active]
    what = effect.args["what"]
    if what == "army":
        n = min(effect.args["n"], victim.armies)
        victim.armies -= n
        thief.armies += n
        _as_far_as_possible(at, rule, s.active, f"takes {armies(n)} from {target}", n, f"{target} has no army to take")
        return
    has = len(victim.generals) if what == "general" else victim.provinces.total
    n = min(effect.args["n"], has)
    if n:
        s.owed.append(Owed(s.active, "steal", what, n))
        at.note("WS-EVENT-9", f"{s.active} chooses what to take from {target}", player=s.active, taken=what, n=n)
    else:
        at.note("WS-EVENT-4", f"{target} has no {what} to take", target=target)


def touches(at: At, card: EventCard, target: str) -> bool:
    """True if `card` would change anything for `target`."""
    victim = at.state.players[target]
    for effect in card.effects:
        if effect.verb == "steal" and _has(victim, effect.args["what"]):
            return True
        if effect.verb == "target_player" and any(_touches(victim, e) for e in effect.body):
            return True
    return False


def _has(p: Player, what: str) -> bool:
    return p.armies > 0 if what == "army" else bool(p.generals) if what == "general" else p.provinces.total > 0


def _touches(p: Player, effect: Effect) -> bool:
    if effect.verb == "lose_army":
        return p.armies > 0
    if effect.verb == "lose_general":
        return bool(p.generals)
    if effect.verb == "raze":
        return p.provinces.intact > 0
    if effect.verb == "lose_bu":
        return p.bu > 0
    if effect.verb == "forbid_attack":
        return not p.attack_banned
    return True


def lasting(at: At, verb: str, seat: str) -> Iterator[tuple[dict[str, Any], str]]:
    """(arguments, rule id of the Event) of each effect `verb` that this turn's Event has for `seat` (WS-TURN-4)."""
    s = at.state
    if s.event is None or s.phase in ("end", "over") or not at.on("WS-TURN-4"):
        return
    card = cards(at).events.get(s.event)
    if card is None or card.rule in at.off:
        return
    for scope in card.effects:
        for effect in scope.body:
            if effect.verb != verb:
                continue
            who = effect.args.get("who", scope.verb)
            if who == "active_player" and (seat != s.active or not at.on("WS-EVENT-2")):
                continue
            if who == "target_player" and seat != s.event_target:
                continue
            yield effect.args, card.rule


# --- units that come and go --------------------------------------------------------------------------------------


def lose_general(at: At, seat: str, general: str, rule: str) -> None:
    """A General leaves play for the Resource discard pile (WS-DECK-9)."""
    p = at.state.players[seat]
    if general not in p.generals:
        return
    p.generals.remove(general)
    at.note(rule, f"{seat} loses the {cards(at).generals[general].card}", player=seat, general=general)
    if at.on("WS-DECK-9"):
        name = cards(at).generals[general].card
        pile = at.state.decks.resource.discard
        pile[name] = pile.get(name, 0) + 1
        at.note("WS-DECK-9", "the General goes to the Resource discard pile", card=name)


def supply(at: At, seat: str) -> int | None:
    """Army Tokens the supply still has for `seat`; None: as many as he likes (WS-BUILD-6)."""
    limit = at["army.supply_limit"]
    return None if limit is None else max(0, limit - at.state.players[seat].armies)
