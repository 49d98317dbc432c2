"""Partial positions: what a position file may leave out, and what cannot be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from companion.engine.play.faults import PositionError
from companion.engine.things.cards import discarded
from companion.rules import Default, Fault, Form, Reading

from .campaign import speakers, the_campaign, turns_left, war_order
from .catalogue import At, cards
from .effects import resolve
from .income import income
from .laws import at_war, contradictions, lying
from .state import BattleDeck, EventDeck, Owed, Provinces, ResourceDeck, Round, State, Units, War, clockwise
from .tactics import hand_size
from .units import minus

DISCARD_COUNT = "discard_count"
"""The size of a discard pile, named and unnamed cards together."""


def dump(state: State) -> dict[str, Any]:
    """The position form: every field, with the size of each discard pile beside it."""
    form: dict[str, Any] = msgspec.to_builtins(state)
    for name, deck in state.decks.piles().items():
        form["decks"][name][DISCARD_COUNT] = discarded(deck)
    return form


# --- short forms --------------------------------------------------------------------------------------------------


def pile(said: dict[str, Any]) -> dict[str, Any]:
    """A count may stand for a discard pile; the size of the whole pile says how many of its cards have no name."""
    named, size = said.get("discard"), said.get(DISCARD_COUNT)
    if type(named) is int:
        return {**{key: value for key, value in said.items() if key != "discard"}, "discard_unknown": named}
    if type(size) is int and said.get("discard_unknown") is None:
        known = named.values() if isinstance(named, dict) else [1] * len(named or ())
        return {**said, "discard_unknown": max(0, size - sum(n for n in known if type(n) is int))}
    return said


def resource_pile(said: dict[str, Any]) -> dict[str, Any]:
    """The same; the cards may be listed one by one, too."""
    named = said.get("discard")
    return pile({**said, "discard": dict(Counter(map(str, named)))} if isinstance(named, list) else said)


# --- what is left out ---------------------------------------------------------------------------------------------


def seats(at: At) -> list[str]:
    s, c = at.state, at.state.campaign
    belligerents = c.belligerents if c else ()
    named = (*(s.seats or s.players or belligerents), *s.players, s.war.turn_of if s.war else "", *belligerents)
    return [name for name in dict.fromkeys(named) if name]


def turn_of(at: At) -> str:
    """The first in war order who is not done; where everybody is, nobody has a war turn any more."""
    c, done = at.state.campaign, at.state.war.done if at.state.war else []
    return c.attacker if c else next((p for p in war_order(at) if p not in done), at.state.active)


def done(at: At) -> list[str]:
    order, turn = war_order(at), at.state.war.turn_of if at.state.war else ""
    return order[: order.index(turn)] if turn in order else []


def uncommitted(at: At) -> Units:
    p, war = at.state.players.get(the_campaign(at).attacker), at.state.war
    return minus(p, war.engaged) if p and war else Units()


def battle_round(at: At) -> Round:
    c = the_campaign(at)
    return "casualties" if c.winner else "clash" if c.shown else "ally" if speakers(at) else "tactics"


def spoken(at: At) -> list[str]:
    c = the_campaign(at)
    others = [p for p in clockwise(at.state, c.attacker) if p not in c.belligerents]
    sent = [i for i, p in enumerate(others) if p in c.recalled or any(aid.player == p for aid in c.allies)]
    return others if c.round != "ally" else others[: sent[-1] + 1] if sent else []


def resource_hand(at: Reading[State], player: str) -> int:
    """Nobody said which cards or how many: in the phases after it, what the Income Phase gives."""
    known = at.state.players[player].resource_known
    told = at.said("players", player, "resource_known") or at.said("decks", "resource")
    dealt = at.state.phase in ("trade", "taxes", "build") and not told
    return income(at, player).total if dealt else sum(known.values())


def battle_hand(at: At, player: str) -> int:
    known, c = len(at.state.players[player].battle_known), at.state.campaign
    about_to_clash = c and c.round == "clash" and not c.shown and player in c.belligerents
    return hand_size(at, c, player).total if c and about_to_clash and not known else known


def owed(at: At) -> list[Owed]:
    s = at.state
    if s.phase != "event" or not (s.event and s.event_target):
        return []
    trial = at.copy()
    trial.quiet = True
    resolve(trial, target=True)
    return trial.state.owed


def settle(at: At) -> None:
    """A war turn that nobody has left ends the War Phase; an Ally Segment in which nobody can speak is over."""
    s, c = at.state, at.state.campaign
    wrong = [Fault(("players", seat, field), what) for seat, field, what in contradictions(at)]
    if wrong:
        raise PositionError(wrong[0].path, wrong[0].what, faults=wrong)
    if c is not None:
        c.destiny = {**dict.fromkeys(c.belligerents), **c.destiny}
        c.round = "tactics" if c.round == "ally" and not speakers(at) else c.round
    elif s.phase == "war" and not turns_left(at):
        s.phase, s.war = "end", None


def cannot_be(at: Reading[State]) -> Iterator[Fault]:
    s, c = at.state, at.state.campaign
    if s.phase not in ("setup", "over") and not s.seats:
        yield Fault(("seats",), f"nobody sits at the table in phase {s.phase}")
    if s.war and at.said("phase") and s.phase != "war":
        yield Fault(("war",), f"there is a war, but the phase is {s.phase}")
    for i, one in enumerate(s.owed):
        if s.event is None or (one.choice == "steal" and s.event_target is None):
            what = "an Event with a target" if s.event else "an Event"
            yield Fault(("owed", i), f"a choice is owed by {what}, which the position does not name")
    attacker = c.attacker or s.war.turn_of if c and s.war else ""
    if c and c.defender == attacker:
        yield Fault(("war", "campaign", "defender"), f"{attacker} is the attacker already")
    for seat in c.destiny if c and attacker else ():
        if seat not in (attacker, c.defender if c else ""):
            yield Fault(("war", "campaign", "destiny", seat), f"{seat} is neither attacker nor defender")


FORM = Form(
    seats=Default("seats", "the keys of `players`, else the belligerents; whoever is named besides sits there, too", seats),
    defaults=(
        Default("phase", "`war` if there is a `war`, else `event`; `setup` without seats", lambda at: "war" if at.state.war else "event"),
        Default("active", "the first seat", lambda at: "" if at.state.phase == "setup" else at.seats[0]),
        Default("war", "in phase `war` a War Phase just begun", lambda at: War() if at.state.phase == "war" else None),
        Default("war.campaign.attacker", "whoever has the war turn, else the active player", lambda at: at.state.war.turn_of or at.state.active),
        Default("war.turn_of", "the attacker of the campaign, else the first in war order who is not `done`; with all `done`, phase `end`", turn_of),
        Default("war.done", "everybody before `turn_of` in war order", done),
        Default("players.*.bu", "", "setup.bu"),
        Default("players.*.provinces", "the share of intact provinces after set-up", lambda at, _: Provinces(at["provinces.total"] // len(at.seats))),
        Default("players.*.armies", "`setup.armies`, or those that `war` names as committed, engaged or lent, if they are more", lambda at, p: max(at["setup.armies"], at_war(at.state, p).armies)),
        Default("players.*.generals", "those that `war` names as committed, engaged or lent", lambda at, p: at_war(at.state, p).generals),
        Default("war.campaign.committed", "all units of the attacker that are not engaged", uncommitted),
        Default("war.campaign.round", "`casualties` with a winner, `clash` with a Destiny card shown, `ally` while somebody may speak, else `tactics`", battle_round),
        Default("war.campaign.spoken", "everybody up to the last one who sent aid; after round `ally` everybody", spoken),
        Default("players.*.resource_hand", "the cards of `resource_known`; in the Trade, Taxes and Build Phases, where neither that nor a Resource deck is given, what the Income Phase gives", resource_hand),
        Default("players.*.battle_hand", "the cards of `battle_known`; in round `clash`, before the Destiny cards are shown, a hand just filled", battle_hand),
        Default("drawn", "in phase `income` those who hold Resource cards", lambda at: [p for p in at.seats if at.state.phase == "income" and at.state.players[p].resource_hand]),
        Default("cutting", "in phase `setup` everybody", lambda at: list(at.seats) if at.state.phase == "setup" else []),
        *(Default(f"decks.{name}.draw", "all cards of the deck but those that lie elsewhere", lambda at, deck=name: max(0, sum(cards(at).copies[deck].values()) - lying(at.state)[deck])) for name in ("event", "resource", "battle")),
        Default("owed", "in phase `event` what the card and `event_target` leave to choose", owed),
    ),
    readings={EventDeck: pile, ResourceDeck: resource_pile, BattleDeck: pile},
    faults=cannot_be,
    settle=settle,
)  # fmt: skip
