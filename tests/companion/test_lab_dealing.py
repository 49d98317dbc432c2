"""The lab's dealer: chance in streams, decks that are real, and games in which what is reported came from the truth."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest

from companion.engine.play.moves import Move
from companion.engine.play.position import Rules
from companion.lab.chance import Chance
from companion.lab.dealing import Dealer, dealer_of
from companion.lab.dealt import Dealt

pytestmark = pytest.mark.lab

CARDS = {"ox": 2, "pig": 1, "hen": 3}


def dealer(rules: Rules, seed: int = 1) -> Dealer:
    return Dealer(rules, Chance(seed))


def test_chance_is_named_not_counted() -> None:
    chance = Chance(7, 0)
    asked = [chance.number("deck", n, seat) for n in range(3) for seat in ("", "ana", "bo")]
    assert len(set(asked)) == 9
    assert Chance(7, 0).number("deck", 2, "bo") == asked[-1]
    assert Chance(7, 1).number("deck", 2, "bo") != asked[-1]


def test_chance_is_the_same_in_any_process() -> None:
    asked = "c = Chance(7, 'x'); print(c.number('a', 1, 'b'), c.stream('a').random())"
    said = f"from companion.lab.chance import Chance; {asked}"
    printed = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True).stdout
    chance = Chance(7, "x")
    assert printed.split() == [str(chance.number("a", 1, "b")), str(chance.stream("a").random())]
    assert chance.number("a", 1, "b") == 2061024314168080990


def test_a_deck_gives_every_card_once(rules: Rules) -> None:
    one = dealer(rules)
    left, came = Counter(CARDS), []
    for _ in range(6):
        card = one.one("deck", left)
        left[card] -= 1
        came.append(card)
    assert Counter(came) == Counter(CARDS)
    assert one.one("deck", left, "none") == "none"


def test_a_deck_that_has_run_out_is_shuffled_in_the_middle_of_a_draw(rules: Rules) -> None:
    one = dealer(rules)
    first = one.deal("deck", CARDS, 5)
    back = Counter(CARDS)
    drawn = one.deal("deck", back, 3, on=True)
    assert [drawn[0]] == list((Counter(CARDS) - Counter(first)).elements())
    assert Counter(drawn) <= back


def test_another_card_leaves_the_order_of_the_others_as_it_is(rules: Rules) -> None:
    few = dealer(rules).deal("deck", CARDS, 6)
    more = dealer(rules).deal("deck", {**CARDS, "cow": 2}, 8)
    assert [card for card in more if card != "cow"] == few


def test_what_was_refused_comes_up_again(rules: Rules) -> None:
    one = dealer(rules)
    first, rolled = one.deal("deck", CARDS, 2), one.roll("die", 6)
    one.refused()
    assert (one.deal("deck", CARDS, 2), one.roll("die", 6)) == (first, rolled)


def test_cards_and_dice_come_up_evenly(rules: Rules) -> None:
    cards = Counter(Dealer(rules, Chance(n)).one("deck", CARDS) for n in range(1200))
    dice = Counter(dealer(rules, n).roll("die", 6) for n in range(1200))
    assert all(abs(cards[card] - 200 * n) < 90 for card, n in CARDS.items())
    assert all(abs(dice[side] - 200) < 70 for side in range(6))


def played(rules: Rules, seats: list[str], seed: int) -> tuple[Dealt, list[Move]]:
    game, moves = Dealt.new(rules, seed, 0), []
    assert game.make(rules.setup_move(seats, {})).legal
    for verdict in game.moves(20_000):
        if verdict.legal:
            moves.append(verdict.move)
    return game, moves


def test_a_game_without_a_dealer_of_its_own_is_dealt_from_what_can_come_up(rules: Rules) -> None:
    assert dealer_of(rules) is Dealer
    game, moves = played(rules, ["ana", "bo"], 3)
    assert rules.over(game.at.state)
    copies: dict[str, int] = rules.copies  # type: ignore[attr-defined]
    assert Counter(move.fruit for move in moves if move.name == "pick") == copies  # type: ignore[attr-defined]
    assert played(rules, ["ana", "bo"], 3)[1] == moves
    assert played(rules, ["ana", "bo"], 4)[1] != moves
