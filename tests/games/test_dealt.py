"""Dealt games of every game keep the laws, and so does what each seat holds."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest
from games import WAYS, Way

from companion.engine.play.moves import Move
from companion.lab.dealing import Open
from companion.lab.dealt import Dealt, View

DEALT = [
    way
    for way in WAYS
    if str(way)
    in (
        "orchard-2 farmers",
        "dynasties-basic",
        "dynasties-both",
        "xarkant-3 players",
        "tianxia-4 players",
        "warring-states-3 players",
        "great-wall-base",
        "great-wall-all modules",
    )
]


def dealt(way: Way, seed: int, most: int = 20_000) -> Dealt:
    """A dealt game from its set-up on, checked after each move."""
    game = Dealt.new(way.rules, seed, 0)
    assert game.make(way.rules.setup_move(way.seats, {})).legal
    for verdict in game.moves(most):
        if verdict.legal:
            game.at.events.clear()
            assert way.rules.check_whole(game.at.state) == [], verdict.move
            no_card_is_in_two_hands(game)
    return game


def no_card_is_in_two_hands(game: Dealt) -> None:
    game.dealer.settle(game.at)
    for name, hand in game.dealer.hands.items():
        for seat in game.at.seats:
            mine = game.dealer.hand(name, seat)
            left = Counter(hand.possible(game.at, seat))
            held = [card for other in game.at.seats for card in game.dealer.hand(name, other)]
            assert Counter(mine if hand.own else held) <= left or not hand.size(game.at, seat), (name, seat)


@pytest.mark.parametrize("way", DEALT, ids=str)
def test_dealt_games_keep_the_laws_and_end(way: Way) -> None:
    game = dealt(way, 5)
    assert way.rules.over(game.at.state)
    assert way.rules.score(game.at).ending is not None


class Last:
    """A player who takes the last of what it may choose from."""

    name = "last"

    def __init__(self) -> None:
        self.taken: list[tuple[str, ...]] = []

    def decide(self, view: View) -> None:
        return None

    def pick(self, view: View, move: Move, open: Open) -> Any:
        self.taken.append(open.options[-1])
        return open.options[-1]


@pytest.mark.parametrize(
    ("game", "hand", "dealt", "kept"), [("dynasties-both", "warlord", 3, 1), ("tianxia-4 players", "objective", 3, 2)]
)
def test_who_keeps_some_of_the_cards_dealt_chooses_them(game: str, hand: str, dealt: int, kept: int) -> None:
    way = next(way for way in DEALT if str(way) == game)
    one, players = Dealt.new(way.rules, 3, 0), {seat: Last() for seat in way.seats}
    assert one.make(way.rules.setup_move(way.seats, {})).legal
    while not all(one.dealer.hand(hand, seat) for seat in way.seats):
        move = one.next(players)
        assert move is not None and one.make(move).legal
    for seat, player in players.items():
        assert one.dealer.hand(hand, seat) == [*player.taken[0]] and len(player.taken[0]) == kept
        deck = one.dealer.decks[hand if hand == "objective" else f"{hand} {seat}"]
        assert len(deck) >= dealt - kept and not {*deck} & {*player.taken[0]}


def test_a_tactic_comes_from_the_hand_whichever_was_proposed() -> None:
    way = next(way for way in DEALT if str(way) == "great-wall-base")
    game = Dealt.new(way.rules, 1, 0)
    assert game.make(way.rules.setup_move(way.seats, {})).legal
    while way.rules.stage(game.at.state) != "summer.1":
        next(game.moves(1))
    clan = way.seats[0]
    game.at.state.own(clan).tactics, game.dealer.held["tactic", clan] = 2, ["T20", "T02"]
    proposed = way.rules.moves["play_tactic"](by=clan)
    (open,) = game.dealer.opens(game.at, proposed)
    assert [one.card for one in open.options] == ["T02"], "the other waits for an assault"
    move = game.complete(proposed, {}, clan)
    assert move is not None and game.make(move).legal
    assert game.dealer.hand("tactic", clan) == ["T20"]


@pytest.mark.parametrize("way", DEALT[1::2], ids=str)
def test_the_same_seed_is_the_same_game(way: Way) -> None:
    first, second = (dealt(way, 8, 120) for _ in range(2))
    assert msgspec.json.encode(first.at.state) == msgspec.json.encode(second.at.state)
    assert first.dealer.held == second.dealer.held
    assert dealt(way, 9, 120).at.state != first.at.state
