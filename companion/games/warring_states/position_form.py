"""Partial positions: what a position file may leave out, and the conservation laws of a whole one.

Left out is taken as it is after set-up, or worked out from what is given:

| left out | taken as |
|---|---|
| `seats` | the keys of `players`, else the two belligerents |
| `phase` | `war` if there is a `war`, else `event` |
| `active` | the first seat; `turn` 1 |
| a player | as after set-up: `setup.bu` Bu, the share of intact provinces, no units, no Battle cards |
| `armies`, `generals` of a player | those that `war` names as committed, engaged or lent, if there are any |
| `provinces.razed` or `.intact` beside the other | 0 |
| `resource_hand` | the cards of `resource_known`; in the Trade, Taxes and Build Phases, where neither is given and no Resource deck, the cards that the Income Phase gives |
| `battle_hand` | the cards of `battle_known`; in round `clash`, before the Destiny cards are shown, a hand just filled |
| `decks.*.draw` | all cards of the deck less those that lie elsewhere |
| `war` in phase `war` | a War Phase just begun: the active player's war turn |
| `war.turn_of` | the attacker of the campaign, else the first in war order who is not `done`; with all `done`, phase `end` |
| `war.done` | everybody before `war.turn_of` in war order |
| `campaign.round` | `casualties` with a winner, `clash` with Destiny cards shown, `ally` where nobody spoke, else `tactics` |
| `campaign.spoken` | everybody up to the last one who sent aid |
| `drawn` in phase `income` | those who hold Resource cards |
| open choices of an Event in phase `event` | worked out from the card and `event_target` |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, get_args

import msgspec

from companion.engine.play.position import Position, PositionError, Rules
from companion.engine.things.cards import discarded
from components.phrasing import suggest

from .campaign import speakers, war_order
from .catalogue import At, Catalogue, cards
from .effects import resolve
from .income import income
from .state import Campaign, Phase, State, Units, War, clockwise
from .tactics import hand_size


def complete(rules: Rules, partial: dict[str, Any]) -> State:
    """A whole state from a partial position (plain data whose keys have been checked against `State`).

    Raises `PositionError` for names no game has (a State, card or General) and for numbers below 0.
    """
    at: At = Position(rules, State(), quiet=True)
    data = _said(partial)
    said = {name: _said(p) for name, p in (data.get("players") or {}).items()}
    war = _said(data.get("war"))
    campaign = _said(war.get("campaign"))
    belligerents = [campaign.get("attacker"), campaign.get("defender")]
    seats = list(data.get("seats") or said or [name for name in belligerents if name])
    seats += [name for name in dict.fromkeys((*said, war.get("turn_of"), *belligerents)) if name and name not in seats]
    phase: Phase = data.get("phase") or ("war" if data.get("war") else "setup" if not seats else "event")
    active = data.get("active") or (seats[0] if seats and phase != "setup" else "")
    at_war = _at_war(war, campaign)
    plain = {
        **data,
        "seats": seats,
        "phase": phase,
        "active": active,
        "players": {seat: _player(at, len(seats), said.get(seat, {}), at_war.get(seat)) for seat in seats},
        "decks": {name: _deck(name, deck) for name, deck in _said(data.get("decks")).items()},
        "war": _war(war, campaign, active) if phase == "war" else None,
    }
    if phase == "setup":
        plain.setdefault("cutting", seats)
    _check_names(plain, list(said), war, campaign, cards(at))
    at.state = state = msgspec.convert(plain, State)
    _check_cards(state, cards(at))
    if state.war:
        _complete_war(at, state.war, war)
    if state.war and state.war.campaign:
        _complete_campaign(at, state.war.campaign, campaign, said)
    if phase == "income" and "drawn" not in data:
        state.drawn = [p for p in seats if state.players[p].resource_hand]
    decks = _said(data.get("decks"))
    if phase in ("trade", "taxes", "build") and "resource" not in decks:
        for seat in seats:
            if not {"resource_hand", "resource_known"} & set(said.get(seat, {})):
                state.players[seat].resource_hand = income(at, seat).total
    _complete_decks(at, decks)
    if phase == "event" and state.event and state.event_target and "owed" not in data:
        trial = at.copy()
        trial.quiet = True
        resolve(trial, target=True)
        state.owed = trial.state.owed
    return state


def _said(form: Any) -> dict[str, Any]:
    """What a mapping says; `null` says nothing."""
    return {key: value for key, value in (form or {}).items() if value is not None}


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


def _player(at: At, players: int, said: dict[str, Any], at_war: Units | None) -> dict[str, Any]:
    busy = at_war or Units()
    share = at["provinces.total"] // players
    provinces = {"intact": 0, "razed": 0, **said["provinces"]} if "provinces" in said else {"intact": share}
    left_out = {
        "bu": at["setup.bu"],
        "armies": max(at["setup.armies"], busy.armies),
        "generals": busy.generals,
        "resource_hand": sum((said.get("resource_known") or {}).values()),
        "battle_hand": len(said.get("battle_known") or []),
    }
    return {**left_out, **said, "provinces": provinces}


def _deck(name: str, said: Any) -> dict[str, Any]:
    """A deck as a record: a count may stand for its discard pile, and a list for amounts."""
    deck = _said(said)
    if isinstance(deck.get("discard"), int):
        deck["discard_unknown"] = deck.pop("discard")
    elif name == "resource" and isinstance(deck.get("discard"), list):
        deck["discard"] = dict(Counter(deck["discard"]))
    return deck


def _war(war: dict[str, Any], campaign: dict[str, Any], active: str) -> dict[str, Any]:
    found = {"turn_of": campaign.get("attacker") or active, **{k: v for k, v in war.items() if k != "campaign"}}
    if not campaign:
        return found
    attacker = campaign.get("attacker") or found["turn_of"]
    defender = campaign.get("defender")
    if not defender:
        raise PositionError("war.campaign.defender", "a campaign has a defender")
    if defender == attacker:
        raise PositionError("war.campaign.defender", f"{attacker} is the attacker already")
    destiny = campaign.get("destiny") or {}
    for seat in destiny:
        if seat not in (attacker, defender):
            raise PositionError(f"war.campaign.destiny.{seat}", f"{seat} is neither attacker nor defender")
    shown = any(card is not None for card in destiny.values())
    by_itself = "casualties" if campaign.get("winner") else "clash" if shown else "ally"
    destiny = {attacker: None, defender: None, **destiny}
    return {**found, "campaign": {"round": by_itself, **campaign, "attacker": attacker, "destiny": destiny}}


def _complete_war(at: At, war: War, said: dict[str, Any]) -> None:
    order = war_order(at)
    left = [p for p in order if p not in war.done]
    if not left and not war.campaign:
        at.state.phase, at.state.war = "end", None
    elif said.get("turn_of") is None and not war.campaign:
        war.turn_of = left[0]
    elif said.get("done") is None and war.turn_of in order:
        war.done = order[: order.index(war.turn_of)]


def _complete_campaign(at: At, c: Campaign, said: dict[str, Any], players: dict[str, dict[str, Any]]) -> None:
    state = at.state
    others = [p for p in clockwise(state, c.attacker) if p not in c.belligerents]
    if "spoken" not in said:
        sent = [i for i, p in enumerate(others) if any(a.player == p for a in c.allies) or p in c.recalled]
        c.spoken = others if c.round != "ally" else others[: sent[-1] + 1] if sent else []
    if c.round == "ally" and not speakers(at, c):
        c.round = "tactics"
    if "committed" not in said:
        p = state.players[c.attacker]
        c.committed = Units(list(p.generals), p.armies)
    for seat in c.belligerents if c.round == "clash" and not c.shown else ():
        hand = state.players[seat].battle_hand
        if not hand and "battle_hand" not in players.get(seat, {}):
            state.players[seat].battle_hand = hand_size(at, c, seat).total


def _lying(state: State) -> dict[str, int]:
    """Cards of each deck that lie outside its draw pile."""
    d, players = state.decks, state.players.values()
    campaign = state.war.campaign if state.war else None
    on_table = sum(1 for card in campaign.destiny.values() if card) if campaign else 0
    return {
        "event": discarded(d.event) + (state.event is not None),
        "resource": discarded(d.resource) + sum(p.resource_hand + len(p.generals) for p in players),
        "battle": discarded(d.battle) + sum(p.battle_hand for p in players) + on_table,
    }


def _complete_decks(at: At, said: dict[str, Any]) -> None:
    for name, lying in _lying(at.state).items():
        if _said(said.get(name)).get("draw") is None:
            getattr(at.state.decks, name).draw = max(0, cards(at).totals[name] - lying)


def _check_names(
    plain: dict[str, Any], players: list[str], war: dict[str, Any], campaign: dict[str, Any], cat: Catalogue
) -> None:
    """Raises PositionError for a seat that is no State, or is not at the table, and for a phase that does not exist."""
    seats: list[str] = plain["seats"]
    sides = {f"war.campaign.{side}": campaign.get(side) for side in ("attacker", "defender")}
    named = {f"players.{name}": name for name in players} | {"war.turn_of": war.get("turn_of")} | sides
    for path, name in [*named.items(), *(("seats", seat) for seat in seats)]:
        if name and name not in cat.states:
            raise PositionError(path, f"there is no State {name}; States: {', '.join(cat.states)}")
    for seat in seats:
        if seats.count(seat) > 1:
            raise PositionError("seats", f"{seat} sits at the table twice")
    for name in ("active", "event_target", "winner"):
        if (who := plain.get(name)) is not None and who not in seats and (who or name == "winner"):
            raise PositionError(name, f"{who or 'nobody'} is not at the table; seats: {', '.join(seats)}")
    if plain["phase"] not in get_args(Phase):
        raise PositionError("phase", f"there is no phase {plain['phase']}; phases: {', '.join(get_args(Phase))}")
    if plain["phase"] not in ("setup", "over") and not seats:
        raise PositionError("seats", f"nobody sits at the table in phase {plain['phase']}")


def _check_cards(state: State, cat: Catalogue) -> None:
    """Raises PositionError for a card or General that does not exist, and for numbers that cannot be."""
    if state.event is not None and state.event not in cat.events:
        raise PositionError("event", f"there is no Event {state.event}{suggest(state.event, cat.events, '')}")
    for seat, p in state.players.items():
        path = f"players.{seat}"
        _known(f"{path}.generals", p.generals, cat.generals)
        _known(f"{path}.resource_known", p.resource_known, cat.resources)
        _known(f"{path}.battle_known", p.battle_known, cat.battle)
        for field, n in {
            **_counts(p),
            "provinces.intact": p.provinces.intact,
            "provinces.razed": p.provinces.razed,
        }.items():
            if not 0 <= n <= 1_000_000:
                raise PositionError(f"{path}.{field}", f"{n} is {'below 0' if n < 0 else 'too large'}")
        if sum(p.resource_known.values()) > p.resource_hand:
            raise PositionError(f"{path}.resource_known", f"names more cards than the {p.resource_hand} in hand")
    _known("decks.event.discard", state.decks.event.discard, cat.events)
    _known("decks.resource.discard", state.decks.resource.discard, cat.resources)
    _known("decks.battle.discard", state.decks.battle.discard, cat.battle)
    c = state.war.campaign if state.war else None
    if c:
        _known("war.campaign.committed.generals", c.committed.generals, cat.generals)
        _known("war.campaign.destiny", [card for card in c.destiny.values() if card], cat.battle)
        for aid in c.allies:
            _known("war.campaign.allies.generals", aid.generals, cat.generals)
            _known("war.campaign.allies.player", [aid.player], state.players)


def _counts(p: Any) -> dict[str, int]:
    return {field: getattr(p, field) for field in ("bu", "armies", "resource_hand", "battle_hand")}


def _known(path: str, names: Iterable[str], allowed: Iterable[str]) -> None:
    for name in names:
        if name not in allowed:
            raise PositionError(path, f"there is no {name}{suggest(name, allowed, '')}")


def broken_laws(rules: Rules, state: State) -> list[str]:
    """Conservation laws a whole position breaks (empty: none)."""
    at: At = Position(rules, state, quiet=True)
    cat = cards(at)
    if not state.players:
        return []
    faults: list[str] = []
    d = state.decks
    tokens = sum(p.provinces.total for p in state.players.values())
    share = at["provinces.total"] // len(state.seats) * len(state.seats)
    if tokens != share and not at["elimination.at_zero_provinces"]:
        faults.append(f"{tokens} Province Tokens, not {share}")
    for name, lying in _lying(state).items():
        n = lying + getattr(d, name).draw
        if n != cat.totals[name]:
            faults.append(f"{n} {name.capitalize()} cards, not {cat.totals[name]}")
    if min(d.event.draw, d.resource.draw, d.battle.draw, d.resource.discard_unknown, d.battle.discard_unknown) < 0:
        faults.append("a deck has a count below 0")
    for seat, p in state.players.items():
        if min(*_counts(p).values(), p.provinces.intact, p.provinces.razed) < 0:
            faults.append(f"{seat} has a count below 0")
        if sum(p.resource_known.values()) > p.resource_hand or len(p.battle_known) > p.battle_hand:
            faults.append(f"{seat}: more cards known than held")
    for short, general in cat.generals.items():
        n = sum(p.generals.count(short) for p in state.players.values()) + d.resource.discard.get(general.card, 0)
        if n > cat.resources[general.card]:
            faults.append(f"{n} {general.card}s, and there are {cat.resources[general.card]}")
    if len(set(d.battle.discard)) != len(d.battle.discard):
        faults.append("a Battle card lies twice in the discard pile")
    if war := state.war:
        busy = war.engaged.armies + (war.campaign.committed.armies if war.campaign else 0)
        if busy > (armies := state.players[war.turn_of].armies):
            faults.append(f"{war.turn_of} has {armies} armies, and {busy} are at war")
    return faults
