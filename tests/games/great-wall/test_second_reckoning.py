"""Hordes, shots, assaults, defeats and final scoring, reckoned a second time in random positions."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import games
import great_wall_by_hand as by_hand

from companion.engine.answers import queries
from companion.engine.language.jsonmoves import from_json
from companion.engine.language.positionfile import from_form
from companion.engine.play.lines import try_line
from companion.engine.play.position import Position

RULES = games.rules_with("great-wall")
CLANS = ["bamboo", "plum", "pine", "lotus", "willow"]
CARDS = {one.id: one.fields for one in RULES.game.pieces if one.set == "horde" and one.module == "base"}
BACKS = {one.id: one.fields["support"] for one in RULES.game.pieces if one.set == "advisor"}
TIMES = int(os.environ.get("TORTURE", "1"))
Form = dict[str, Any]
KINDS = ("wood", "stone", "gold", "chi")


# --- random positions ---------------------------------------------------------------------------------------------


def covered(rng: Random, card: str, left: dict[str, dict[str, int]], share: float) -> Form:
    """A horde card with wounds and soldiers on it, taken from what the clans have `left`."""
    spots: dict[str, str] = {}
    for spot in by_hand.spots_of(CARDS[card]["grid"]):
        if spot in spots or rng.random() > share:
            continue
        clan, unit = rng.choice(list(left)), rng.choice(list(by_hand.UNITS))
        beside = [f"{chr(ord(spot[0]) + 1)}{spot[1]}", f"{spot[0]}{int(spot[1]) + 1}"]
        mates = [one for one in beside if one in by_hand.spots_of(CARDS[card]["grid"]) and one not in spots]
        if rng.random() < 0.3 or not left[clan][unit]:
            spots[spot] = "wound"
            continue
        left[clan][unit] -= 1
        pair = unit == "horseman" and mates and rng.random() < 0.7
        number = sum(f"{clan}.horseman#" in what for what in spots.values()) // 2 + 1
        for one in (spot, mates[0]) if pair else (spot,):
            spots[one] = f"{clan}.{unit}#{number}" if pair else f"{clan}.{unit}"
    return {"card": card, "spots": spots}


def some(rng: Random, left: dict[str, int], unit: str, most: int) -> dict[str, int]:
    n = rng.randint(0, min(most, left[unit]))
    left[unit] -= n
    return {unit: n} if n else {}


def random_form(rng: Random, step: str, share: float = 0.5) -> Form:
    """A position in which a bit of everything lies."""
    clans = rng.sample(CLANS, rng.randint(3, 5))
    left = {clan: dict(by_hand.UNITS) for clan in clans}
    ids = rng.sample(list(CARDS), len(CARDS))
    form: Form = {"players": clans, "tea": rng.sample(clans, len(clans)), "step": step, "player": {}, "done": []}
    form["hordes"] = {
        section: [covered(rng, ids.pop(), left, share) for _ in range(rng.randint(0, 3))] for section in "LCR"
    }
    form["walls"] = {section: rng.randint(0, 4) for section in "LCR"}
    form["barricades"] = {section: rng.randint(0, 2) for section in "LCR"}
    form["artifacts"] = rng.sample([f"F{n:02}" for n in range(1, 15)], 3)
    advisors = rng.sample(list(BACKS), len(BACKS))
    for clan in clans:
        p: Form = {"honor": rng.randint(-5, 40), "res": {kind: rng.randint(0, 6) for kind in KINDS}}
        p["wall"] = {section: some(rng, left[clan], "archer", 2) for section in "LCR"}
        p["rest"] = {
            section: some(rng, left[clan], "spearman", 2) | some(rng, left[clan], "horseman", 1) for section in "LCR"
        }
        p["overseers"] = {one: rng.randint(0, 1) for one in ("lumber_camp", "quarry", "gold_mine")}
        left[clan]["spearman"] -= (markers := min(sum(p["overseers"].values()), left[clan]["spearman"]))
        p["overseers"] = dict(zip(p["overseers"], [1] * markers + [0] * 3, strict=False))
        p["shamed"] = {unit: rng.randint(0, min(2, n)) for unit, n in left[clan].items()}
        p["supply"] = {unit: n - p["shamed"][unit] for unit, n in left[clan].items()}
        if rng.random() < 0.2:
            p["shamed"] = {unit: n + p["supply"][unit] for unit, n in p["shamed"].items()}
            p["supply"] = dict.fromkeys(p["supply"], 0)
        p["claimed"] = [{"card": ids.pop(), "shame": rng.random() < 0.4} for _ in range(rng.randint(0, 3))]
        p["clerks_bought"], p["walls_built"] = rng.randint(0, 3), rng.randint(0, 12)
        p["support"] = [advisors.pop() for _ in range(rng.randint(0, 3))]
        p["active"] = []
        form["player"][clan] = p
    form["shame_pool"] = rng.choice([0, 1, 2, 3, 20])
    return form


def read(form: Form) -> Position[Any]:
    return Position(RULES, from_form(form, RULES), quiet=True)


def plain(at: Position[Any]) -> Form:
    return RULES.dump(at.state)


def report(at: Position[Any], said: Form) -> Position[Any]:
    """The position after a report, which must be legal."""
    outcome = try_line(at, [from_json(said, at)])
    reasons = [(one.rule, one.why) for one in outcome.verdict.reasons]
    assert outcome.verdict.legal, (said, reasons, outcome.verdict.needs)
    return outcome.after


def same(found: Form, wanted: Form, *fields: str) -> None:
    """Whether two positions agree in fields, and in all that the players have."""
    for field in fields:
        assert found[field] == wanted[field], field
    for clan, p in wanted["player"].items():
        for field in ("honor", "res", "claimed"):
            assert found["player"][clan][field] == p[field], (clan, field)
        for field in ("supply", "shamed"):
            assert counts(found["player"][clan][field]) == counts(p[field]), (clan, field)
        for field in ("rest", "wall"):
            for section in "LCR":
                here = found["player"][clan][field][section]
                assert counts(here) == counts(p[field][section]), (clan, field, section)


def counts(units: dict[str, int]) -> dict[str, int]:
    return {unit: n for unit, n in units.items() if n}


# --- the tests ----------------------------------------------------------------------------------------------------


def test_new_hordes_go_where_they_belong() -> None:
    rng = Random(1)
    for _ in range(60 * TIMES):
        form = random_form(rng, "spring.2")
        there = [card["card"] for section in "LCR" for card in form["hordes"][section]]
        claimed = [one["card"] for p in form["player"].values() for one in p["claimed"]]
        card = rng.choice([one for one in CARDS if one not in (*there, *claimed)])
        section = by_hand.place(form, CARDS[card]["mark"])
        at = read(form)
        move = from_json({"event": "reveal_horde", "card": card}, at)
        if section:
            found = plain(try_line(at, [move]).after)
            assert [one["card"] for one in found["hordes"][section]][-1] == card
        else:
            assert at.judge(move).legal is False


def test_the_walls_shoot_alike() -> None:
    rng = Random(2)
    for _ in range(60 * TIMES):
        section = rng.choice("LCR")
        form = random_form(rng, "winter.1") | {"section": section}
        at = read(form)
        form = plain(at)
        able = by_hand.targets(form, CARDS, section)
        while able and (clan := by_hand.shooter(form, section)):
            shoots = [one for one in at.legal() if one.name == "shoot" and one.section == section]  # type: ignore[attr-defined]
            assert {(one.by, one.card, one.spot) for one in shoots} == {(clan, *one) for one in able}  # type: ignore[attr-defined]
            at = at.copy()
            assert at.play(rng.choice(shoots)).legal
            form = plain(at)
            able = by_hand.targets(form, CARDS, section)


def test_assaults_are_reckoned_alike() -> None:
    rng = Random(3)
    for _ in range(120 * TIMES):
        at = read(random_form(rng, "winter.2") | {"section": "L"})
        for section in "LCR":
            form = plain(at)
            offence, defence, breached = by_hand.strengths(form, CARDS, section)
            asked = queries.answer({"query": "assault", "section": section}, at).value
            assert asked == {"offence": offence, "defence": defence, "held": not breached}
            said, wanted = by_hand.assault(form, CARDS, section, rng)
            at = report(at, said)
            same(plain(at), wanted, "shame_pool", "hordes", "breached", "walls", "barricades", "season")
            if wanted["season"] == "ended":
                break


def test_defeats_are_reckoned_alike() -> None:
    rng = Random(4)
    for _ in range(120 * TIMES):
        at = read(random_form(rng, "fall.3", share=rng.choice([0.9, 1.0])))
        while by_hand.complete(form := plain(at), CARDS):
            said, wanted = by_hand.defeat(form, CARDS, rng)
            at = report(at, said)
            same(plain(at), wanted, "hordes", "horde_discard")


def test_final_scores_are_reckoned_alike() -> None:
    rng = Random(5)
    for _ in range(120 * TIMES):
        at = read(random_form(rng, "ended"))
        asked = queries.answer({"query": "final_score"}, at).value
        assert asked == by_hand.final(plain(at), CARDS, BACKS)
        scored = plain(report(at, {"event": "final_score"}))
        assert {clan: p["honor"] for clan, p in scored["player"].items()} == asked["scores"]
