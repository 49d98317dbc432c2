"""The table as text: what a player would see on it, in few lines."""

from __future__ import annotations

from companion.engine.things.cards import discarded
from companion.rules import Columns, View, grid, lines
from components.phrasing import count, join_and

from .campaign import awaited_helpers, losable, provincial_open, the_war, unengaged
from .catalogue import At, cards
from .clash import SIDES, battle_total
from .ending import controlled
from .events import pending_choice
from .state import Campaign
from .tactics import hand_size, redraws
from .units import Force, in_words


def heading(at: At) -> str:
    """`turn 3, Build Phase, Chu active`."""
    s = at.state
    if s.phase == "setup":
        return "set-up"
    if s.phase == "over":
        return f"over: {s.winner} has won" if s.winner else "over"
    return f"turn {s.turn}, {at.now.removeprefix('the ')}, {s.active} active"


# --- what has to happen next -------------------------------------------------------------------------------------


def event_awaits(at: At) -> str:
    s = at.state
    pending = pending_choice(at)
    for choice in at.judge(pending).needs if pending else ():
        return f"{choice.question} {join_and(choice.options, 'or')}"
    owed = [f"{o.player} chooses the {o.what}" for o in s.owed]
    return "; ".join(owed) if pending else f"{s.active} turns over the top Event"


def war_awaits(at: At) -> str:
    c = at.state.campaign
    if c is None:
        return f"{the_war(at).turn_of}, with {_list(unengaged(at))} free, attacks or ends the war turn"
    if len(sides := provincial_open(at)) > 1:
        return f"{c.defender} chooses the province that acts: {' or '.join(sides)}"
    if c.round == "ally":
        return f"{awaited_helpers(at)[0]} sends aid or declines"
    if c.round == "tactics":
        return _tactics_awaits(at, c)
    if c.round == "clash":
        return "the winner is established, unless an ally recalls" if c.shown else "both show a Destiny card"
    if c.round == "decide":
        return f"{c.attacker} attacks again or stops"
    kinds = ["an army" if kind == "army" else kind for kind in losable(at)]
    return f"{c.loser} loses {' or '.join(kinds)}" if kinds else f"{c.attacker} takes the {c.provincial_army} province"


def _tactics_awaits(at: At, c: Campaign) -> str:
    parts = []
    for p in c.belligerents:
        if not at.state.players[p].battle_hand:
            parts.append(f"{p} fills to {hand_size(at, c, p).total}")
        elif p in c.just_filled and (n := redraws(at, p).total):
            parts.append(f"{p} may redraw {n}")
    return ", then ".join(parts) or "both show a Destiny card"


def beside(at: At, seat: str) -> str:
    """The other known facts about a player: Generals, a ban, cards certainly in hand."""
    p = at.state.players[seat]
    known = ", ".join(f"{n} {name}" for name, n in p.resource_known.items())
    parts = (", ".join(p.generals), "[may not attack]" if p.attack_banned else "", f"(holds {known})" if known else "")
    return " ".join(filter(None, parts))


PLAYERS: Columns = {
    "tokens": lambda at, seat: controlled(at, at.state.players[seat]),
    "intact": "players.*.provinces.intact",
    "razed": "players.*.provinces.razed",
    "Bu": "players.*.bu",
    "armies": "players.*.armies",
    "cards": "players.*.resource_hand",
    "battle": "players.*.battle_hand",
    "Generals": beside,
}


def table(at: At) -> View:
    """The whole table."""
    s = at.state
    event = ""
    if s.event:
        card = cards(at).events[s.event]
        event = f"\nEvent: {card.name}. {card.text}" + (f" ({s.event_target})" if s.event_target else "")
    c = s.campaign
    piles = ", ".join(f"{name.capitalize()} {pile.draw} + {discarded(pile)}" for name, pile in s.decks.piles().items())
    sections = (
        grid(at, s.seats, PLAYERS, s.war.turn_of if s.war else s.active) if s.seats else lines(),
        lines(*(_campaign(at, c) if c else ())),
        lines(f"decks (draw + discard): {piles}"),
    )
    return View(heading(at) + event, sections, at.rules.awaits(at))


def _campaign(at: At, c: Campaign) -> list[str]:
    lines = [f"{c.attacker} against {c.defender}, battle {c.battle}, {c.round}"]
    for side in SIDES:
        before = "" if c.destiny.get(c.principal(side)) or c.shown else " before the Destiny card"
        lines.append(f"  {c.principal(side)}: {battle_total(at, c, side)}{before}")
    aid = [f"{a.player} lends {_list(a)} to the {a.side}" for a in c.allies]
    fought = the_war(at).fought
    before_this = f"  fought before in this war turn: {', '.join(fought)} ({count(len(fought), 'campaign')})"
    return [*lines, *([f"  aid: {'; '.join(aid)}"] if aid else []), *([before_this] if fought else [])]


def _list(force: Force) -> str:
    return join_and(in_words(force)) or "nothing"
