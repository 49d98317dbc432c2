"""Random actions in random games, sensible or not, judged by the companion and by a second reading of the rules."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import games
import laws
import pytest
import xarkant_by_hand as by_hand

from companion.engine.answers import answers
from companion.engine.language.jsonmoves import from_json
from companion.engine.language.positionfile import from_form
from companion.engine.play.position import Position

SEATS = ["ana", "bo", "cai", "dan"]
TRIED = 10
"""Actions tried in each position."""


def a_bundle(rng: Random) -> dict[str, int]:
    kinds = rng.choices(by_hand.KINDS, k=rng.choice((0, 1, 1, 1, 2, 2, 3, 3, 4)))
    return dict(Counter(kinds))


def an_action(rng: Random, form: dict[str, Any]) -> dict[str, Any]:
    """Something somebody might say, more often than not the one whose turn it is."""
    player = form["active"] if form["active"] and rng.random() < 0.9 else rng.choice(form["players"])
    action = rng.choice(("collect", "claim", "workshop", "church", "church", "village", "trade", "pass"))
    move = {"action": action, "player": player}
    if action == "trade":
        return {**move, "give": a_bundle(rng), "take": a_bundle(rng)}
    if action == "pass":
        return move
    if action == "workshop":
        move["to"] = rng.choice(("land", "land", "state"))
    if action == "church":
        move["to"] = rng.choice(("land", "land", "village", "church_board"))
    if move.get("to") == "church_board":
        return {**move, "track": rng.choice(by_hand.KINDS)}
    if move.get("to") == "state":
        return move
    near = [n for q, p in form["pieces"].items() if p["kind"] == "work" for n in by_hand.neighbours(q)]
    villages = sorted(by_hand.villages_of(form["pieces"]))
    spots = villages if move.get("to") == "village" and villages else near
    move["at"] = rng.choice(spots) if spots and rng.random() < 0.6 else rng.choice([*by_hand.CELLS, "g1", "a7"])
    if action == "collect" and rng.random() < 0.5:
        move["pay_popularity"] = rng.choice((1, 2, 3, 4, 5))
    return move


def made_up(rng: Random, form: dict[str, Any]) -> dict[str, Any]:
    """The same position with other figures on the boards, so that more can be paid, and more overflows."""
    form = {**form, "player": {name: dict(board) for name, board in form["player"].items()}}
    for board in form["player"].values():
        board.update({kind: rng.choice((0, 1, 2, 3, 4, 5, 6, 6)) for kind in by_hand.KINDS})
        board["popularity"] = rng.randint(0, 5)
    return by_hand.with_supplies(form)


@pytest.mark.parametrize("players", (2, 3, 4))
def test_both_readings_judge_and_carry_out_alike(players: int) -> None:
    rules = games.rules_with("xarkant")
    rng = Random(players)
    said: Counter[str] = Counter()
    for seed in range(2):
        for at, _ in laws.positions(rules, SEATS[:players], seed + 100):
            if not at.state.players or at.state.phase == "setup":
                continue
            form = answers.plain(at.rules.dump(at.state))
            if rng.random() < 0.7:
                form = made_up(rng, form)
            here: Position[Any] = Position(rules, from_form(form, rules))
            for _ in range(TRIED):
                said[compare(here, form, an_action(rng, form))] += 1
    assert len(said) > 25, said
    assert said["legal"] > 150


def compare(here: Position[Any], form: dict[str, Any], said: dict[str, Any]) -> str:
    """The verdict both readings agree on: `legal`, or the rule that is told first."""
    move = from_json(said, here)
    after = here.copy()
    verdict = after.play(move)
    expected = by_hand.forbidden(form, said)
    told = [breach.rule for breach in verdict.reasons]
    assert told[:1] == ([expected] if expected else []), (form, said, told)
    assert verdict.legal is (expected is None), (form, said)
    wanted = by_hand.played(form, said) if expected is None else form
    assert answers.plain(here.rules.dump(after.state)) == wanted, said
    return expected or "legal"


def test_the_score_is_the_same_in_both_readings() -> None:
    """Every figure, in the positions of random games; and the ranking goes by the totals."""
    rules = games.rules_with("xarkant")
    seen: Counter[str] = Counter()
    for at, _ in [pair for seed in range(30, 40) for pair in laws.positions(rules, SEATS, seed)][::5]:
        form = at.rules.dump(at.state)
        totals = {}
        for player in form["players"]:
            wanted = by_hand.score(form, player)
            assert rules.queries()["score"](at, player=player).value == wanted
            assert rules.score(at).totals()[player] == wanted["total"]
            totals[player] = wanted["total"]
            seen.update(heading for heading, points in wanted.items() if points)
        ranking = rules.queries()["ranking"](at).value
        assert sorted(totals.values(), reverse=True) == [totals[player] for group in ranking for player in group]
    assert min(seen[heading] for heading in ("popularity", "pieces", "church_board", "towns", "claims")) > 10, seen
