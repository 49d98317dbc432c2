"""Partial positions: what a position file may leave out, and the conservation laws of a whole one.

Left out is taken as it is after set-up, or worked out from what is given:

| left out | taken as |
|---|---|
| `seats` | the keys of `players`, else the two belligerents |
| `phase` | `war` if there is a `war`, else `event` |
| `active` | the first seat; `turn` 1 |
| a player | as after set-up: `setup.bu` Bu, the share of intact provinces, no units, no cards |
| `armies`, `generals` of a player | those that `war` names as committed, engaged or lent, if there are any |
| `provinces.razed` or `.intact` beside the other | 0 |
| `resource_hand` | the cards of `resource_known` |
| `battle_hand` | the cards of `battle_known`; in round `clash`, before the Destiny cards are shown, a hand just filled |
| `decks.*.draw` | all cards of the deck less those that lie elsewhere; `discard_unknown`: `discard_count` less the named ones |
| `war` in phase `war` | a War Phase just begun: the active player's war turn |
| `war.turn_of` | the attacker of the campaign, else the first in war order who is not `done`; with all `done`, phase `end` |
| `war.done` | everybody before `war.turn_of` in war order |
| `campaign.round` | `casualties` with a winner, `clash` with Destiny cards shown, `ally` where nobody spoke, else `tactics` |
| `campaign.spoken` | everybody up to the last one who sent aid |
| `drawn` in phase `income` | those who hold Resource cards |
| open choices of an Event in phase `event` | worked out from the card and `event_target` |
"""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from companion.engine.play.position import Position, PositionError, Rules
from components.model import ResolvedGame
from components.phrasing import suggest

from .campaign import speakers
from .catalogue import At, Catalogue, cards
from .effects import resolve_target
from .frame import war_order
from .state import Campaign, Phase, State, Units, War, copy_state
from .totals import hand_size
from .zones import clockwise


def complete(rules: Rules, partial: dict[str, Any]) -> State:
    """A whole state from a partial position (plain data whose keys have been checked against `State`).

    Raises `PositionError` for names no game has (a State, card or General) and for numbers below 0.
    """
    game = rules.game
    cat: Catalogue = rules.catalogue  # type: ignore[attr-defined]
    data = {k: v for k, v in partial.items() if v is not None}
    war = data.get("war") or {}
    campaign = war.get("campaign") or {}
    seats = list(
        data.get("seats")
        or data.get("players")
        or [c for c in (campaign.get("attacker"), campaign.get("defender")) if c]
    )
    named = {f"players.{name}": name for name in data.get("players") or {}}
    named["war.turn_of"] = war.get("turn_of")
    named |= {f"war.campaign.{side}": campaign.get(side) for side in ("attacker", "defender")}
    for path, name in named.items():
        if name and name not in cat.states:
            raise PositionError(path, f"there is no State {name}; States: {', '.join(cat.states)}")
        if name and name not in seats:
            seats.append(name)
    phase: Phase = data.get("phase") or ("war" if war else "setup" if not seats else "event")
    if phase not in get_args(Phase):
        raise PositionError("phase", f"there is no phase {phase}; phases: {', '.join(get_args(Phase))}")
    share = game.params["provinces.total"] // max(1, len(seats))
    at_war = _at_war(war, campaign)
    players = {
        seat: _player(game, share, (data.get("players") or {}).get(seat) or {}, f"players.{seat}", at_war.get(seat))
        for seat in seats
    }
    plain: dict[str, Any] = {
        **{k: v for k, v in data.items() if k not in ("decks", "war", "players")},
        "seats": seats,
        "phase": phase,
        "players": players,
        "active": data.get("active") or (seats[0] if seats and phase != "setup" else ""),
        "decks": _decks(data.get("decks") or {}),
    }
    if phase == "war":
        plain["war"] = _war(war, campaign, plain["active"])
    if phase == "setup" and seats and "cutting" not in data:
        plain["cutting"] = list(seats)
    state = msgspec.convert(plain, State)
    _check_names(state, cat)
    at: At = Position(rules, state, quiet=True)
    if state.war:
        _complete_war(at, state.war, war)
    if state.war and state.war.campaign:
        _complete_campaign(at, state.war.campaign, campaign, data.get("players") or {})
    if phase == "income" and "drawn" not in data:
        state.drawn = [p for p in seats if state.players[p].resource_hand]
    _complete_decks(state, cat, data.get("decks") or {})
    if phase == "event" and state.event and state.event_target and "owed" not in data:
        trial: At = Position(rules, copy_state(state), quiet=True)
        resolve_target(trial, cat.events[state.event], state.event_target)
        state.owed = trial.state.owed
    return state


def _at_war(war: dict[str, Any], campaign: dict[str, Any]) -> dict[str, Units]:
    """Player -> the units that a position's war says are committed, engaged or lent."""
    attacker = campaign.get("attacker") or war.get("turn_of")
    named = [(attacker, campaign.get("committed")), (war.get("turn_of") or attacker, war.get("engaged"))]
    named += [(aid.get("player"), aid) for aid in campaign.get("allies") or []]
    found: dict[str, Units] = {}
    for player, units in named:
        if player and units:
            has = found.setdefault(player, Units())
            has.generals += units.get("generals") or []
            has.armies += units.get("armies") or 0
    return found


def _player(
    game: ResolvedGame, share: int, said: dict[str, Any], path: str, at_war: Units | None = None
) -> dict[str, Any]:
    p = {k: v for k, v in said.items() if v is not None}
    provinces = p.get("provinces")
    p["provinces"] = {"intact": share, "razed": 0} if provinces is None else {"intact": 0, "razed": 0, **provinces}
    p.setdefault("bu", game.params["setup.bu"])
    p.setdefault("armies", max(game.params["setup.armies"], at_war.armies if at_war else 0))
    p.setdefault("generals", list(at_war.generals) if at_war else [])
    p.setdefault("resource_hand", sum((p.get("resource_known") or {}).values()))
    p.setdefault("battle_hand", len(p.get("battle_known") or []))
    for field, n in (*p.items(), *p["provinces"].items()):
        if isinstance(n, int) and n < 0:
            raise PositionError(f"{path}.{field}", f"{n} is below 0")
    return p


def _decks(said: dict[str, Any]) -> dict[str, Any]:
    """The decks as records, without the read-only `discard_count`; counts may stand for lists."""
    decks: dict[str, Any] = {}
    for name, deck in said.items():
        d = {k: v for k, v in (deck or {}).items() if v is not None}
        total = d.pop("discard_count", None)
        pile = d.get("discard")
        if isinstance(pile, int):
            d["discard_unknown"], d["discard"] = pile, {} if name == "resource" else []
        elif name == "resource" and isinstance(pile, list):
            d["discard"] = {card: pile.count(card) for card in pile}
        if total is not None and name != "event":
            named = d.get("discard") or []
            d.setdefault(
                "discard_unknown", max(0, total - (sum(named.values()) if isinstance(named, dict) else len(named)))
            )
        decks[name] = d
    return decks


def _war(war: dict[str, Any], campaign: dict[str, Any], active: str) -> dict[str, Any]:
    w = {k: v for k, v in war.items() if k != "campaign" and v is not None}
    if campaign:
        said = {k: v for k, v in campaign.items() if v is not None}
        attacker = said.get("attacker") or w.get("turn_of") or active
        if not said.get("defender"):
            raise PositionError("war.campaign.defender", "a campaign has a defender")
        if said["defender"] == attacker:
            raise PositionError("war.campaign.defender", f"{attacker} is the attacker already")
        for seat in said.get("destiny") or {}:
            if seat not in (attacker, said["defender"]):
                raise PositionError(f"war.campaign.destiny.{seat}", f"{seat} is neither attacker nor defender")
        said["attacker"] = attacker
        said["destiny"] = {attacker: None, said["defender"]: None, **(said.get("destiny") or {})}
        if "round" not in said:
            shown = any(card is not None for card in said["destiny"].values())
            said["round"] = "casualties" if said.get("winner") else "clash" if shown else "ally"
        w["campaign"] = said
        w.setdefault("turn_of", attacker)
    w.setdefault("turn_of", active)
    return w


def _complete_war(at: At, war: War, said: dict[str, Any]) -> None:
    order = war_order(at)
    left = [p for p in order if p not in war.done]
    if not left and not war.campaign:
        at.state.phase, at.state.war = "end", None
    elif said.get("turn_of") is None and not war.campaign:
        war.turn_of = left[0]
    elif said.get("done") is None and war.turn_of in order:
        war.done = order[: order.index(war.turn_of)]


def _complete_campaign(at: At, c: Campaign, said: dict[str, Any], players: dict[str, Any]) -> None:
    state = at.state
    others = [p for p in clockwise(state, c.attacker) if p not in (c.attacker, c.defender)]
    if "spoken" not in said:
        sent = [i for i, p in enumerate(others) if any(a.player == p for a in c.allies) or p in c.recalled]
        c.spoken = others[: sent[-1] + 1] if sent and c.round == "ally" else [] if c.round == "ally" else others
    if c.round == "ally" and not speakers(at, c):
        c.round = "tactics"
    if "committed" not in said:
        p = state.players[c.attacker]
        c.committed = Units(list(p.generals), p.armies)
    for seat in (c.attacker, c.defender):
        if (
            c.round == "clash"
            and not c.shown
            and (players.get(seat) or {}).get("battle_hand") is None
            and not state.players[seat].battle_hand
        ):
            state.players[seat].battle_hand = hand_size(at, c, seat)[0]


def _complete_decks(state: State, cat: Catalogue, said: dict[str, Any]) -> None:
    d = state.decks
    players = state.players.values()
    on_table = 0
    if state.war and state.war.campaign:
        on_table = sum(1 for card in state.war.campaign.destiny.values() if card)
    if (said.get("event") or {}).get("draw") is None:
        d.event.draw = max(0, cat.event_total - len(d.event.discard) - (state.event is not None))
    if (said.get("resource") or {}).get("draw") is None:
        held = sum(p.resource_hand + len(p.generals) for p in players)
        d.resource.draw = max(0, cat.resource_total - held - d.resource.discard_count)
    if (said.get("battle") or {}).get("draw") is None:
        d.battle.draw = max(
            0, cat.battle_total - sum(p.battle_hand for p in players) - d.battle.discard_count - on_table
        )


def _check_names(state: State, cat: Catalogue) -> None:
    for seat in state.seats:
        if seat not in cat.states:
            raise PositionError("seats", f"there is no State {seat}; States: {', '.join(cat.states)}")
        if state.seats.count(seat) > 1:
            raise PositionError("seats", f"{seat} sits at the table twice")
    for name, value in (("active", state.active), ("event_target", state.event_target), ("winner", state.winner)):
        if value and value not in state.players:
            raise PositionError(name, f"{value} is not at the table; seats: {', '.join(state.seats)}")
    if state.event is not None and state.event not in cat.events:
        raise PositionError("event", f"there is no Event {state.event}{suggest(state.event, cat.events, '')}")
    for seat, p in state.players.items():
        _known(f"players.{seat}.generals", p.generals, cat.generals)
        _known(f"players.{seat}.resource_known", p.resource_known, cat.resources)
        _known(f"players.{seat}.battle_known", p.battle_known, cat.battle)
        if sum(p.resource_known.values()) > p.resource_hand:
            raise PositionError(
                f"players.{seat}.resource_known", f"names more cards than the {p.resource_hand} in hand"
            )
    _known("decks.event.discard", state.decks.event.discard, cat.events)
    _known("decks.resource.discard", state.decks.resource.discard, cat.resources)
    _known("decks.battle.discard", state.decks.battle.discard, cat.battle)
    if state.war and state.war.campaign:
        c = state.war.campaign
        _known("war.campaign.committed.generals", c.committed.generals, cat.generals)
        _known("war.campaign.destiny", [card for card in c.destiny.values() if card], cat.battle)
        for aid in c.allies:
            _known("war.campaign.allies.generals", aid.generals, cat.generals)
            _known("war.campaign.allies.player", [aid.player], state.players)


def _known(path: str, names: Any, allowed: Any) -> None:
    for name in names:
        if name not in allowed:
            raise PositionError(path, f"there is no {name}{suggest(name, allowed, '')}")


def broken_laws(rules: Rules, state: State) -> list[str]:
    """Conservation laws a whole position breaks (empty: none)."""
    at: At = Position(rules, state, quiet=True)
    cat = cards(at)
    if state.phase == "setup" and not state.players:
        return []
    faults: list[str] = []
    d = state.decks
    players = state.players.values()
    eliminated = rules.game.params["elimination.at_zero_provinces"]
    share = rules.game.params["provinces.total"] // len(state.seats) * len(state.seats)
    tokens = sum(p.provinces.total for p in players)
    if tokens != share and not eliminated:
        faults.append(f"{tokens} Province Tokens, not {share}")
    on_table = [
        card for card in (state.war.campaign.destiny.values() if state.war and state.war.campaign else ()) if card
    ]
    sums = {
        "Event": (d.event.draw + len(d.event.discard) + (state.event is not None), cat.event_total),
        "Resource": (
            d.resource.draw + d.resource.discard_count + sum(p.resource_hand + len(p.generals) for p in players),
            cat.resource_total,
        ),
        "Battle": (
            d.battle.draw + d.battle.discard_count + sum(p.battle_hand for p in players) + len(on_table),
            cat.battle_total,
        ),
    }
    faults += [f"{n} {name} cards, not {total}" for name, (n, total) in sums.items() if n != total]
    unseen = (d.resource.discard_unknown, d.battle.discard_unknown)
    if min(d.event.draw, d.resource.draw, d.battle.draw, *unseen) < 0:
        faults.append("a deck has a count below 0")
    for seat, p in state.players.items():
        counts = (p.bu, p.armies, p.resource_hand, p.battle_hand, p.provinces.intact, p.provinces.razed)
        if min(counts) < 0:
            faults.append(f"{seat} has a count below 0")
        if sum(p.resource_known.values()) > p.resource_hand or len(p.battle_known) > p.battle_hand:
            faults.append(f"{seat}: more cards known than held")
    for short, general in cat.generals.items():
        n = sum(p.generals.count(short) for p in players) + d.resource.discard.get(general.card, 0)
        if n > cat.resources[general.card]:
            faults.append(f"{n} {general.card}s, and there are {cat.resources[general.card]}")
    if len(set(d.battle.discard)) != len(d.battle.discard):
        faults.append("a Battle card lies twice in the discard pile")
    if state.war:
        p = state.players[state.war.turn_of]
        c = state.war.campaign
        busy = state.war.engaged.armies + (c.committed.armies if c else 0)
        if busy > p.armies:
            faults.append(f"{state.war.turn_of} has {p.armies} armies, and {busy} are at war")
    return faults


__all__ = ["broken_laws", "complete"]
