"""One game of the lab, played to its end."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from companion.engine.play.moves import Move, maker
from companion.engine.play.playout import MOST_REFUSALS, PlayoutError
from companion.engine.play.position import Position, Rules
from companion.lab.dealt import Dealt
from companion.lab.players import WITHOUT, NoSuchBot, bot
from companion.lab.record import End, GameRecord, Recorder

MOST = 20_000
"""Moves after which a game is cut."""
LOOKED_AT = 10
LISTED = 8
"""In one of so many games, the options of one of so many moves are listed, to count what was offered: listing them
takes longer than playing."""
UNDEALT = "undealt"
RANDOM = "random"


def play(
    rules: Rules,
    seats: Sequence[str],
    players: Sequence[str],
    seed: int,
    number: int,
    *,
    most: int = MOST,
    keep: bool = False,
) -> tuple[GameRecord, list[list[Move]]]:
    """A game of the bots in their seats: its record, and the moves of each line if they are kept."""
    if all(bot.partition(WITHOUT)[0] == UNDEALT for bot in players):
        return play_undealt(rules, seats, players, seed, number, most=most, keep=keep)
    return play_dealt(rules, seats, players, seed, number, most=most, keep=keep)


def checked(bots: Sequence[str]) -> None:
    """Raise NoSuchBot for a name that is none, or where only some play what was never dealt."""
    dealt = [bot for bot in bots if bot.partition(WITHOUT)[0] != UNDEALT]
    for one in dealt:
        bot(one, lambda move, thing: False)
    if dealt and len(dealt) < len(bots):
        raise NoSuchBot(f"{UNDEALT} plays with its like only; take `random` beside {dealt[0]}")


def play_dealt(
    rules: Rules,
    seats: Sequence[str],
    players: Sequence[str],
    seed: int,
    number: int,
    *,
    most: int = MOST,
    keep: bool = False,
) -> tuple[GameRecord, list[list[Move]]]:
    """A game in which a dealer holds the truth, and every player chooses from what it holds and may know.

    Raises PlayoutError where the set-up is refused, NoSuchBot."""
    recorder = Recorder(rules, seats, players, seed, number, keep=keep)

    def uses(move: Move, thing: str) -> bool:
        return move.role != "event" and thing in recorder.named(move)

    named = {seat: bot(name, uses) for seat, name in zip(seats, players, strict=True)}
    bots = {seat: player for seat, player in named.items() if player is not None}
    game = Dealt.new(rules, seed, number)
    at, record = game.at, recorder.record
    verdict = recorder.play(at, rules.setup_move(list(seats), {}))
    if not verdict.legal:
        reasons = "; ".join(b.why for b in verdict.reasons) or "it leaves out a choice"
        raise PlayoutError(f"the set-up is illegal: {reasons}", seed, [])
    game.made(verdict)
    in_a_row = record.moves = 0
    end: End = "cut"
    looked_at = number % LOOKED_AT == 0
    while record.moves < most:
        if rules.over(at.state):
            end = "over"
            break
        if in_a_row > MOST_REFUSALS:
            end = "stuck"
            break
        move = game.next(bots, in_a_row)
        if move is None:
            in_a_row += 1
            continue
        listed = None
        if looked_at and not in_a_row and record.moves % LISTED == LISTED - 1:
            listed = [one for one in at.legal() if game.dealer.can_make(at, one)]
        verdict = recorder.play(at, move, listed)
        game.made(verdict)
        in_a_row = 0 if verdict.legal else in_a_row + 1
    return recorder.end(at, end), recorder.moves or []


def play_undealt(
    rules: Rules,
    seats: Sequence[str],
    players: Sequence[str],
    seed: int,
    number: int,
    *,
    most: int = MOST,
    keep: bool = False,
) -> tuple[GameRecord, list[list[Move]]]:
    """A game of random proposals, in which what is drawn is anything that could come up: the quickest there is. A seat
    whose bot goes `without` something says something else instead, as long as the game proposes something else.

    Raises PlayoutError where the set-up is refused."""
    recorder = Recorder(rules, seats, players, seed, number, keep=keep)
    shunned = {seat: bot.partition(WITHOUT)[2] for seat, bot in zip(seats, players, strict=True) if WITHOUT in bot}
    rng = Random(f"{seed} {number}")
    at: Position[Any] = Position(rules, rules.new_state())
    at.chooser = rng.choice
    verdict = recorder.play(at, rules.setup_move(list(seats), {}))
    if not verdict.legal:
        reasons = "; ".join(b.why for b in verdict.reasons) or "it leaves out a choice"
        raise PlayoutError(f"the set-up is illegal: {reasons}", seed, [])
    record, in_a_row = recorder.record, 0
    end: End = "cut"
    record.moves = 0
    looked_at = number % LOOKED_AT == 0
    while record.moves < most:
        if rules.over(at.state):
            end = "over"
            break
        move = rules.propose(at, rng) if in_a_row <= MOST_REFUSALS else None
        if move is None:
            end = "stuck"
            break
        shuns = shunned.get(maker(move)) if shunned and move.role != "event" else None
        if shuns and in_a_row < MOST_REFUSALS // 2 and shuns in recorder.named(move):
            in_a_row += 1
            continue
        listed = at.legal() if looked_at and not in_a_row and record.moves % LISTED == LISTED - 1 else None
        in_a_row = 0 if recorder.play(at, move, listed).legal else in_a_row + 1
    return recorder.end(at, end), recorder.moves or []


__all__ = [
    "LISTED",
    "MOST",
    "RANDOM",
    "UNDEALT",
    "WITHOUT",
    "NoSuchBot",
    "checked",
    "play",
    "play_dealt",
    "play_undealt",
]
