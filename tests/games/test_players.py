"""The lab's players: they see what their seat may know, they always decide alike, and looking ahead pays."""

from __future__ import annotations

from random import Random

import pytest
from games import WAYS, Way
from test_knowledge import otherwise

from companion.engine.play.playout import MOST_REFUSALS
from companion.games.xarkant.land import land
from companion.lab.chance import Chance
from companion.lab.dealt import Dealt, View
from companion.lab.players import NoSuchBot, Player, Restrained, Search, bot
from companion.lab.playing import checked, play

FIVE = (
    "dynasties-both",
    "xarkant-3 players",
    "tianxia-3 players",
    "warring-states-3 players",
    "great-wall-all modules",
)
SEEN = [way for way in WAYS if str(way) in (*FIVE, "orchard-2 farmers")]
WITH_HANDS = [way for way in SEEN if way.game in ("dynasties", "warring-states", "great-wall")]
QUICK = next(way for way in WAYS if str(way) == "xarkant-2 players")
FEW = 4
"""Decisions of a game that are looked at."""


def begun(way: Way, seed: int) -> Dealt:
    game = Dealt.new(way.rules, seed, 0, quiet=True)
    assert game.make(way.rules.setup_move(way.seats, {})).legal
    return game


def disguised(game: Dealt, seat: str) -> Dealt:
    """A table that looks the same to a seat, and is another."""
    seen = game.view(seat).at
    other = game.dealer.redealt(seen, seat, Chance("another truth"))
    return Dealt(otherwise(game.at, seat, Random(5)), other, Random(1))


def view(game: Dealt, seat: str, seed: int) -> View:
    return game.view(seat)._replace(rng=Random(seed))


@pytest.mark.parametrize("way", SEEN, ids=str)
def test_players_decide_alike_where_they_cannot_tell_the_difference(way: Way) -> None:
    players: tuple[Player, ...] = (Restrained(), bot_of("greedy"), Search(6))
    game, differed, looked = begun(way, 4), 0, 0
    for n, _ in enumerate(game.moves(240)):
        seats = way.rules.to_move(game.at.state)
        if n % 7 or not seats or looked == FEW:
            continue
        looked += 1
        seat = seats[0]
        other = disguised(game, seat)
        differed += other.dealer.held != game.dealer.held or other.at.state != game.at.state
        assert game.dealer.propose(game.at, Random(n)) == other.dealer.propose(other.at, Random(n))
        for player in players:
            decided = player.decide(view(game, seat, n))
            assert repr(decided) == repr(player.decide(view(other, seat, n))), player.name
    assert differed or str(way) in ("orchard-2 farmers", "xarkant-3 players")


@pytest.mark.parametrize("way", WITH_HANDS, ids=str)
def test_what_is_picked_from_a_hand_shows_nothing_of_the_others(way: Way) -> None:
    game, picked, in_a_row = begun(way, 6), 0, 0
    greedy = bot_of("greedy")
    while picked < 4 and in_a_row < MOST_REFUSALS:
        move = game.dealer.propose(game.at, game.rng(""))
        if move is not None:
            for open in [one for one in game.dealer.opens(game.at, move) if len(one.options) > 1][:1]:
                other = disguised(game, open.seat)
                mine = greedy.pick(view(game, open.seat, 3), move, open)
                assert greedy.pick(view(other, open.seat, 3), move, open) == mine
                picked += 1
        game.dealer.refused()
        in_a_row = in_a_row + 1 if next(game.moves(1), None) is None else 0
    assert picked == 4


def bot_of(name: str) -> Player:
    found = bot(name, lambda move, thing: thing == move.name)
    assert found is not None
    return found


def in_the_act_phase() -> Dealt:
    """A dealt game in which somebody is to act."""
    game = begun(QUICK, 5)
    for _ in game.moves(40):
        if game.at.state.phase == "act":
            break
    return game


def test_looking_ahead_pays() -> None:
    games = [play(QUICK.rules, QUICK.seats, ("greedy", "random")[:: 1 - 2 * (n % 2)], 1, n)[0] for n in range(6)]
    assert sum(game.won[n % 2] for n, game in enumerate(games)) >= 5


def test_a_search_plans_its_turn() -> None:
    """A stone more, and a church can be paid that scores at once: greedy takes what is most, a search the stone."""
    game = in_the_act_phase()
    s, seat = game.at.state, game.at.state.active
    s.player[seat].wheat, s.player[seat].wood, s.player[seat].stone = 5, 1, 2
    kinds = {}
    for player in (bot_of("greedy"), Search(24)):
        decided = player.decide(view(game, seat, 1))
        assert decided is not None and decided.move.name == "collect"
        kinds[player.name] = land(game.at).of[decided.move.at].kind  # type: ignore[attr-defined]
    assert kinds["search"] == "Q" != kinds["greedy"]


def test_passing_is_always_looked_at() -> None:
    """A game proposes it seldom, and the last wood is better kept than spent where each counts for points."""
    game = in_the_act_phase()
    s, seat = game.at.state, game.at.state.active
    me = s.player[seat]
    s.drawn[seat], me.wheat, me.wood, me.stone, me.churches = 0, 6, 6, 6, 0
    s.church_board["wood"] = s.church_board["wheat"] = [seat] * 3
    found = [bot_of("greedy").decide(view(game, seat, n)) for n in range(8)]
    assert {one.move.name for one in found if one} == {"pass"}


def test_the_same_seed_is_the_same_record() -> None:
    first, second = (play(QUICK.rules, QUICK.seats, ("search:4", "greedy"), 3, 2, most=24)[0] for _ in range(2))
    assert first == second
    assert play(QUICK.rules, QUICK.seats, ("search:4", "greedy"), 3, 3, most=24)[0] != first


def test_a_player_goes_without_what_it_shuns() -> None:
    bots = ("random without claim", "greedy without village")
    record, lines = play(QUICK.rules, QUICK.seats, bots, 1, 0, keep=True)
    made = {(move.name, getattr(move, "player", "")) for line in lines for move in line}
    assert record.end == "over"
    assert not made & {("claim", QUICK.seats[0]), ("village", QUICK.seats[1])}
    assert {name for name, _ in made} >= {"claim", "village", "collect"}


def test_only_what_is_held_is_offered() -> None:
    way = next(way for way in WITH_HANDS if way.game == "warring-states")
    game, offered, held = begun(way, 2), 0, 0
    for _ in game.moves(150):
        melds = [move for move in game.at.legal() if move.name == "meld"]
        offered += len(melds)
        held += sum(game.dealer.can_make(game.at, move) for move in melds)
    assert 0 < held < offered / 2


@pytest.mark.parametrize("name", ["genius", "search:", "search:0", "search:x", "greedy:4"])
def test_an_unknown_player_is_said(name: str) -> None:
    with pytest.raises(NoSuchBot, match="there is no bot"):
        checked([name])


def test_those_who_play_undealt_play_alone() -> None:
    checked(["undealt", "undealt without pass"])
    with pytest.raises(NoSuchBot, match="with its like"):
        checked(["undealt", "greedy"])
