"""Sizes of Battle hands, redraws, and the Battle Total with the sum behind it (rules WS-TACT, WS-CLASH)."""

from __future__ import annotations

from typing import NamedTuple

from components.phrasing import count

from .campaign import allied_units
from .catalogue import BONUS_RULE, At, BattleCard, cards
from .catalogue import armies as army_words
from .effects import lasting
from .state import Campaign, Side


class Line(NamedTuple):
    """One line of a sum."""

    rule: str
    words: str
    n: int


def hand_size(at: At, c: Campaign, player: str) -> tuple[int, list[Line]]:
    """Cards to which an empty Battle hand is filled (WS-TACT-4, -5, WS-PROV-4)."""
    p = at.state.players[player]
    per = at["tactics.cards_per_army"]
    own = p.armies if at.on("WS-TACT-5") or player != c.attacker else c.committed.armies
    lines = [Line("WS-TACT-4", "base", at["tactics.base_hand"]), Line("WS-TACT-5", army_words(own), own * per)]
    if player == c.defender and c.provincial_army and at["provincial.counts_for_hand"] and at.on("WS-PROV-4"):
        lines.append(Line("WS-PROV-4", "Provincial Army", per))
    if any(a.armies for a in c.allies) and player in (c.attacker, c.defender):
        lent = 0 if at.on("WS-ALLY-9") else sum(a.armies for a in c.allies if c.principal(a.side) == player)
        lines.append(Line("WS-ALLY-9", "allied armies", lent * per))
    return (sum(line.n for line in lines) if at.on("WS-TACT-4") else p.battle_hand), lines


def redraws(at: At, c: Campaign, player: str) -> tuple[int, list[Line]]:
    """Battle cards a player may exchange after filling (WS-TACT-6..8)."""
    generals = at.state.players[player].generals
    if player == c.attacker and not at.on("WS-TACT-8"):
        generals = c.committed.generals
    per = at["tactics.redraw_per_general"] if at.on("WS-TACT-6") else 0
    lines = []
    for general in generals:
        weight = cards(at).generals[general].redraw_weight if at.on("WS-TACT-7") else 1
        lines.append(Line("WS-TACT-6" if weight == 1 else "WS-TACT-7", general, weight * per))
    if lent := sum(len(a.generals) for a in c.allies if c.principal(a.side) == player):
        lines.append(Line("WS-ALLY-9", "allied Generals", 0 if at.on("WS-ALLY-9") else lent * per))
    return sum(line.n for line in lines), lines


def battle_total(at: At, c: Campaign, side: Side, card: BattleCard | None) -> tuple[int, list[Line]]:
    """Battle Total of a side with its Destiny card, and the lines that make it up (WS-CLASH-3)."""
    player = c.principal(side)
    p = at.state.players[player]
    lines: list[Line] = []
    if side == "attacker" and at.on("WS-CLASH-17"):
        generals, armies = c.committed.generals, c.committed.armies
    elif side == "defender" and not at.on("WS-WAR-6"):
        generals, armies = [], 0
    else:
        generals, armies = p.generals, p.armies
    lines.append(Line("WS-CLASH-3", count(len(generals), "General"), _counted(at, generals)))
    lines.append(Line("WS-CLASH-3", army_words(armies), armies))
    if side == "defender" and c.provincial_army:
        lines.append(Line("WS-PROV-4", "Provincial Army", 1 if at.on("WS-PROV-4") else 0))
    present = [(player, general) for general in generals]
    if side == "attacker" and not at.on("WS-CLASH-13"):
        present = [(player, general) for general in p.generals]
    for ally, lent, n in allied_units(c, side):
        if at.on("WS-ALLY-7"):
            lines.append(Line("WS-ALLY-7", f"units of {ally}", _counted(at, lent) + n))
        present += [(ally, general) for general in lent]
    if not at.on("WS-CLASH-3"):
        lines = []
    lines.append(_destiny(at, card))
    lines += _skills(at, side, player, present, card)
    lines += _event_bonuses(at, player, present, card)
    return sum(line.n for line in lines), lines


def _counted(at: At, generals: list[str]) -> int:
    """Each General counts 1, whatever his card says about tactics (WS-CLASH-16)."""
    if at.on("WS-CLASH-16"):
        return len(generals)
    return sum(cards(at).generals[g].redraw_weight for g in generals)


def _destiny(at: At, card: BattleCard | None) -> Line:
    if card is None:
        return Line("WS-CLASH-7", "no Destiny card", at["clash.empty_hand_value"] if at.on("WS-CLASH-7") else 0)
    return Line("WS-CLASH-3", str(card), card.value)


def _skills(at: At, side: Side, player: str, present: list[tuple[str, str]], card: BattleCard | None) -> list[Line]:
    lines = []
    for owner, general in present:
        if owner != player and not (at["allies.bonuses_apply"] and at.on("WS-ALLY-8")):
            continue
        for when, bt in cards(at).generals[general].bonuses:
            key, value = next(iter(when.items()))
            holds = side == value if key == "side" else card is not None and card.kind == value
            rule = BONUS_RULE[key, value]
            if holds and at.on(rule):
                lines.append(Line(rule, f"{general} General" + (f" of {owner}" if owner != player else ""), bt))
                if owner != player:
                    lines.append(Line("WS-ALLY-8", "the skill works for the side it helps", 0))
    if len([line for line in lines if line.n]) > 1:
        if not at.on("WS-CLASH-12"):
            return [max(lines, key=lambda line: line.n)]
        lines.append(Line("WS-CLASH-12", "bonuses add up", 0))
    return lines


def _event_bonuses(at: At, player: str, present: list[tuple[str, str]], card: BattleCard | None) -> list[Line]:
    lines = []
    if at.on("WS-CLASH-14"):
        for owner, general in present:
            for args, rule in lasting(at, "general_bt_bonus", owner):
                lines.append(Line("WS-CLASH-14", f"{at.state.event}: {general} General", args["n"]))
                lines += [Line(rule, f"{at.state.event} is in force", 0), Line("WS-TURN-4", "all turn", 0)]
    if card is not None and card.kind == "T" and at.on("WS-CLASH-15"):
        for args, rule in lasting(at, "troop_destiny_bonus", player):
            lines.append(Line("WS-CLASH-15", f"{at.state.event}: Troops card", args["n"]))
            lines.append(Line(rule, f"{at.state.event} is in force", 0))
    return lines


def spell(lines: list[Line]) -> str:
    """`2 (2 Generals) + 1 (1 army) + 9 (Feign Retreat (S9))`."""
    return " + ".join(f"{line.n} ({line.words})" for line in lines if line.n) or "0"
