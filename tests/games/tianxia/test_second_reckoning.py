"""Income, battles and final scoring, worked out a second time in random positions: written ones, and those of games."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import games
import laws
import pytest
import tianxia_by_hand as by_hand

from companion.engine.language.positionfile import from_form
from companion.engine.play.position import Position

RULES = games.rules_with("tianxia")
SEATS = ["ana", "bo", "cai", "dee"]
CARDS = {piece.id: piece for piece in RULES.game.pieces if piece.set == "objective"}
TIMES = int(os.environ.get("TORTURE", "1"))


def row(rng: Random, seats: list[str], most: int, gaps: bool = False) -> list[str | None]:
    """So many owners at most, some of them missing."""
    return [None if gaps and rng.random() < 0.3 else rng.choice(seats) for _ in range(rng.randint(0, most))]


def random_form(rng: Random) -> dict[str, Any]:
    """A position in which a bit of everything lies."""
    seats = SEATS[: rng.randint(2, 4)]
    spaces = 2 if len(seats) == 2 else 3
    form: dict[str, Any] = {"players": seats, "round": 4, "player": {}, "buildings": {}, "sections": {}, "nomads": {}}
    for building in by_hand.RAID:
        if rng.random() < 0.5:
            form["buildings"][building] = {"governors": row(rng, seats, spaces, gaps=True)}
    for lane in by_hand.LANES:
        form["sections"][lane] = {
            "walls": row(rng, seats, 5),
            "towers": row(rng, seats, 2),
            "soldiers": row(rng, seats, 6, gaps=True),
        }
        form["nomads"][lane] = {"march": rng.randint(0, 3), "strength": rng.randint(0, 15)}
    form["barges"] = {barge: row(rng, [*seats, "grey"], 3) for barge in ("rice", "wood", "stone", "salt")}
    form["ports"] = {port: {"markers": row(rng, seats, 2)} for port in ("yan", "qi")}
    for who in seats:
        form["player"][who] = {
            **{kind: rng.randint(0, 9) for kind in by_hand.STOCK},
            "vp": rng.randint(-9, 60),
            "tracks": {banner: rng.randint(0, 8) for banner in by_hand.PALACE},
            "figurines": rng.sample(["tiger", "ox", "crane", "tortoise", "horse", "carp"], rng.randint(0, 6)),
            "used_tiles": rng.randint(0, 5),
            "delivered": rng.randint(0, 9),
            "workers": 0,
        }
    return form


def compare(at: Position[Any], rng: Random) -> None:
    """Every query of a position, reckoned a second time."""
    form, ask = at.rules.dump(at.state), at.rules.queries()
    for lane in by_hand.LANES:
        assert ask["battle"](at, lane).value == by_hand.battle(form, lane)
        assert ask["prestige"](at, lane).value == by_hand.battle(form, lane)["prestige"]
    for who in at.seats:
        assert ask["income"](at, who).value == by_hand.income(form, who)
        n = rng.randint(0, 5) if who in at.state.untold_hands else min(3, form["player"][who]["objectives"])
        cards = rng.sample(list(CARDS), n)
        shown = [(CARDS[card].fields["requires"], CARDS[card].fields["vp"]) for card in cards]
        assert ask["score"](at, who, cards).value == by_hand.score(form, who, shown)
        for card in rng.sample(list(CARDS), 3):
            assert ask["objective"](at, who, card).value is by_hand.fulfilled(form, who, CARDS[card].fields["requires"])


def written(seed: int, n: int) -> None:
    rng = Random(seed)
    for _ in range(n):
        compare(Position(RULES, from_form(random_form(rng), RULES), quiet=True), rng)


def test_written_positions_are_reckoned_alike() -> None:
    written(1, 200)


def test_positions_of_games_are_reckoned_alike() -> None:
    for seed, n in ((1, 2), (2, 3), (3, 4)):
        for at, _ in laws.positions(RULES, SEATS[:n], seed)[3::4]:
            compare(at, Random(seed))


def test_a_battle_is_fought_as_it_was_foretold() -> None:
    """What the query says before is what the event does."""
    fought = 0
    for seed in range(6):
        for at, move in laws.positions(RULES, SEATS[:3], seed):
            if move.name != "battle" or at.state.phase != "attack":
                continue
            told, after = at.rules.queries()["battle"](at, move.lane).value, at.copy()
            assert after.play(move).legal
            gained = {who: after.state.player[who].vp - at.state.player[who].vp for who in at.seats}
            expected = dict.fromkeys(at.seats, 0)
            for rank in told["prestige"]:
                expected[rank["player"]] += rank["vp"]
            for who in told["returned"]:
                expected[who] += 1
            if told["victory_bonus"]:
                expected[told["prestige"][0]["player"]] += told["victory_bonus"]
            for who in at.seats if told["ravage"] else ():
                spent = at.state.player[who].coin - after.state.player[who].coin
                expected[who] -= 3 * (told["ravage"] - spent)
            assert gained == expected
            fought += 1
    assert fought > 20


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(100, 100 + 10 * TIMES))
def test_thousands_of_written_positions_are_reckoned_alike(seed: int) -> None:
    written(seed, 500)
