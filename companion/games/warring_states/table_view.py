"""The table as text: what a player would see on it, in few lines."""

from __future__ import annotations

from components.phrasing import count

from .campaign import campaign_of, losable, loser_of, provincial_open, speakers, unengaged, war_of
from .catalogue import At, cards, named_units
from .ending import controlled
from .events import awaits_target, stealable, targets
from .frame import PHASE_WORDS
from .income_trade import entitlement, to_draw
from .state import Campaign
from .totals import battle_total, hand_size, redraws, spell


def heading(at: At) -> str:
    """`turn 3, Build Phase, Chu active`."""
    s = at.state
    if s.phase == "setup":
        return "set-up"
    if s.phase == "over":
        return f"over: {s.winner} has won"
    return f"turn {s.turn}, {PHASE_WORDS[s.phase]}, {s.active} active"


def awaited(at: At) -> str:
    """What has to happen next, in one sentence."""
    s = at.state
    if s.phase == "setup":
        left = [p for p in s.cutting if p not in s.cuts]
        return f"{', '.join(left)} to cut the Battle deck" if left else "nobody is seated yet"
    if s.phase == "event":
        if s.event is None:
            return f"{s.active} turns over the top Event"
        if awaits_target(at):
            return f"{s.active} names a rival: {', '.join(targets(at))}"
        return "; ".join(
            f"{o.player} chooses the {o.what} {'taken: ' + ', '.join(stealable(at, o)) if o.choice == 'steal' else 'lost: ' + ', '.join(s.players[o.player].generals)}"
            for o in s.owed
        )
    if s.phase == "income":
        return ", ".join(f"{p} draws {entitlement(at, p)[0]}" for p in to_draw(at))
    if s.phase in ("trade", "taxes", "build"):
        return f"not done yet: {', '.join(p for p in s.seats if p not in s.passed)}"
    if s.phase == "war":
        return _war_awaits(at)
    return "the End Phase" if s.phase == "end" else "nothing: the game is over"


def _war_awaits(at: At) -> str:
    war, c = war_of(at), campaign_of(at)
    if war is None:
        return ""
    if c is None:
        free = unengaged(at, war)
        return f"war turn of {war.turn_of}, with {named_units(free.generals, free.armies)} free: attack, or end"
    if c.round == "ally":
        return f"{speakers(at, c)[0]} sends aid or declines"
    if len(sides := provincial_open(at, c)) > 1:
        return f"{c.defender} chooses the province that acts: {' or '.join(sides)}"
    if c.round == "tactics":
        return _tactics_awaits(at, c)
    if c.round == "clash":
        return "the winner is established, unless an ally recalls" if c.shown else "both show a Destiny card"
    if c.round == "casualties":
        units = losable(at, c)
        return (
            f"{loser_of(c)} loses {' or '.join(units)}"
            if units
            else f"{c.attacker} takes the {c.provincial_army} province"
        )
    return f"{c.attacker} attacks again, or stops"


def _tactics_awaits(at: At, c: Campaign) -> str:
    parts = []
    for p in (c.attacker, c.defender):
        if not at.state.players[p].battle_hand:
            parts.append(f"{p} fills to {hand_size(at, c, p)[0]}")
        elif p in c.just_filled and (n := redraws(at, c, p)[0]):
            parts.append(f"{p} may redraw {n}")
    return ", then ".join(parts) or "both show a Destiny card"


def table_text(at: At) -> str:
    """The whole table."""
    s = at.state
    lines = [heading(at)]
    if s.event:
        card = cards(at).events[s.event]
        lines.append(f"Event: {card.name}. {card.text}" + (f" ({s.event_target})" if s.event_target else ""))
    if s.players:
        lines += ["", *_players(at)]
    if (c := campaign_of(at)) is not None:
        lines += ["", *_campaign(at, c)]
    d = s.decks
    lines += [
        "",
        f"decks: Event {d.event.draw} + {len(d.event.discard)} discarded, Resource {d.resource.draw} + {d.resource.discard_count}, "
        f"Battle {d.battle.draw} + {d.battle.discard_count}",
        f"next: {awaited(at)}",
    ]
    return "\n".join(lines)


def _players(at: At) -> list[str]:
    s = at.state
    rows = [("", "tokens", "intact", "razed", "Bu", "armies", "cards", "battle", "Generals")]
    for seat in s.seats:
        p = s.players[seat]
        known = ", ".join(f"{n} {name}" for name, n in p.resource_known.items())
        rows.append(
            (
                ("> " if seat == s.active else "  ") + seat,
                str(controlled(at, p)),
                str(p.provinces.intact),
                str(p.provinces.razed),
                str(p.bu),
                str(p.armies),
                str(p.resource_hand),
                str(p.battle_hand),
                ", ".join(p.generals)
                + (" [may not attack]" if p.attack_banned else "")
                + (f" (holds {known})" if known else ""),
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    out = []
    for row in rows:
        cells = [
            row[0].ljust(widths[0]),
            *(cell.rjust(w) for cell, w in zip(row[1:-1], widths[1:-1], strict=True)),
            row[-1],
        ]
        out.append("  ".join(cells).rstrip())
    return out


def _campaign(at: At, c: Campaign) -> list[str]:
    lines = [f"{c.attacker} against {c.defender}, battle {c.battle}, {c.round}"]
    for side in ("attacker", "defender"):
        card = c.destiny.get(c.principal(side))
        total, sums = battle_total(at, c, side, cards(at).battle[card] if card else None)
        before = "" if card else " before the Destiny card"
        terms = [line for line in sums if line.rule != "WS-CLASH-7" or (card is None and c.shown)]
        lines.append(f"  {c.principal(side)}: {spell(terms)} = {total}{before}")
    if c.allies:
        lines.append(
            "  aid: "
            + "; ".join(f"{a.player} lends {named_units(a.generals, a.armies)} to the {a.side}" for a in c.allies)
        )
    if c.committed.generals and at.state.war and at.state.war.fought:
        lines.append(
            f"  fought before in this war turn: {', '.join(at.state.war.fought)} ({count(len(at.state.war.fought), 'campaign')})"
        )
    return lines


__all__ = ["awaited", "heading", "table_text"]
