"""Every pair of cards of Dynasties against the table of its rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import games
import pytest
import yaml

from companion.engine.language.jsonmoves import from_json
from companion.engine.language.positionfile import from_form
from companion.engine.play.lines import try_line
from companion.engine.play.position import Position

TABLE = yaml.safe_load((Path(__file__).parent / "pairs.yaml").read_text(encoding="utf-8"))
LABELS = TABLE["columns"]
EXPERT_ONLY = {"+2", "+3"}
COST = {"+2": 1, "+3": 2}
DECKS = ("basic", "expert")


def fought(deck: str, white: str, black: str, holder: str, armies: int) -> dict[str, Any]:
    """The position after the two cards met in Qinghai, where `holder` had some armies; all is paid from the reserve."""
    rules = games.rules_with("dynasties")
    form = {"options": {"deck": deck}, "phase": "battles", "dynasty": 2, "provinces": {"Qinghai": {holder: armies}}}
    at: Position[Any] = Position(rules, from_form(form, rules))
    moves: list[dict[str, Any]] = [{"action": "reveal", "province": "Qinghai", "white": white, "black": black}]
    for side, card in (("white", white), ("black", black)):
        if card == "6" and side == holder and armies:
            moves.append({"action": "pay_mark", "player": side, "source": "reserve"})
        if card in COST and side == holder and armies:
            moves.append({"action": "pay_cost", "player": side, "sources": {"reserve": COST[card]}})
    for said in moves:
        outcome = try_line(at, [from_json(said, at)])
        assert outcome.done, (said, outcome.verdict)
        at = outcome.after
    return rules.dump(at.state)


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("white", LABELS)
def test_every_pair_of_cards(deck: str, white: str) -> None:
    """Each pair meets in an empty province and in one that either side holds with a few and with many armies."""
    asked = 0
    for black, entry in zip(LABELS, TABLE["rows"][white], strict=True):
        if deck == "basic" and EXPERT_ONLY & {white, black}:
            continue
        for holder, armies in (("white", 0), ("white", 3), ("black", 3), ("white", 7), ("black", 7)):
            expected = {"white": 0, "black": 0}
            expected[holder] = armies
            if entry == "P":
                expected[holder] = armies // 2
            elif entry != "o":
                winner, loser = ("white", "black") if entry[0] == "W" else ("black", "white")
                removed = min(int(entry[1:]), expected[loser])
                expected[loser] -= removed
                expected[winner] += int(entry[1:]) - removed
            form = fought(deck, white, black, holder, armies)
            there = form["provinces"]["Qinghai"]
            where = f"{white} against {black}, {holder} {armies}"
            assert {side: there[side] for side in expected} == expected, where
            for side, card in (("white", white), ("black", black)):
                player = form["players"][side]
                assert there["marks"][side] == (card == "6"), where
                assert player["out"] == COST.get(card, 0), where
                start = 18 if deck == "expert" else 21
                assert player["reserve"] == start - expected[side] - (card == "6") - COST.get(card, 0), where
            asked += 1
    assert asked == (75 if deck == "expert" else 0 if white in EXPERT_ONLY else 65)


def test_the_table_of_pairs_is_whole_and_fair() -> None:
    """Fifteen by fifteen, and seen from the other side the same."""
    assert len(LABELS) == 15
    turned = {"W": "B", "B": "W"}
    for white in LABELS:
        assert len(TABLE["rows"][white]) == 15
        for i, black in enumerate(LABELS):
            entry = TABLE["rows"][white][i]
            back = TABLE["rows"][black][LABELS.index(white)]
            assert back == turned.get(entry[0], entry[0]) + entry[1:]
