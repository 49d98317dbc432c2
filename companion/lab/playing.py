"""One game of the lab, played to its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from companion.engine.play.judging import Verdict
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


class Going(NamedTuple):
    """A game going on. `next` gives a move, or None for one that came to nothing, as so many before it did in a row;
    `made` hears what became of it; `held` says whether somebody has what a move takes."""

    at: Position[Any]
    next: Callable[[int], Move | None]
    made: Callable[[Verdict], None] = lambda verdict: None
    held: Callable[[Position[Any], Move], bool] = lambda at, move: True


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
    """A game of the bots in their seats: its record, and the moves of each line if they are kept.

    Raises PlayoutError where the set-up is refused, NoSuchBot."""
    recorder = Recorder(rules, seats, players, seed, number, keep=keep)
    begun = _undealt if all(name.partition(WITHOUT)[0] == UNDEALT for name in players) else _dealt
    at, following, made, held = begun(recorder, rules, dict(zip(seats, players, strict=True)), seed, number)
    verdict = recorder.play(at, rules.setup_move(list(seats), {}))
    if not verdict.legal:
        reasons = "; ".join(b.why for b in verdict.reasons) or "it leaves out a choice"
        raise PlayoutError(f"the set-up is illegal: {reasons}", seed, [])
    made(verdict)
    record = recorder.record
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
        move = following(in_a_row)
        if move is None:
            in_a_row += 1
            continue
        listed = None
        if looked_at and not in_a_row and record.moves % LISTED == LISTED - 1:
            listed = [one for one in at.legal() if held(at, one)]
        verdict = recorder.play(at, move, listed)
        made(verdict)
        in_a_row = 0 if verdict.legal else in_a_row + 1
    return recorder.end(at, end), recorder.moves or []


def checked(bots: Sequence[str]) -> None:
    """Raise NoSuchBot for an unknown name, or for a mix with bots that play what was never dealt."""
    dealt = [bot for bot in bots if bot.partition(WITHOUT)[0] != UNDEALT]
    for one in dealt:
        bot(one, lambda move, thing: False)
    if dealt and len(dealt) < len(bots):
        raise NoSuchBot(f"{UNDEALT} plays with its like only; take `random` beside {dealt[0]}")


def _dealt(recorder: Recorder, rules: Rules, seated: dict[str, str], seed: int, number: int) -> Going:
    """A dealer holds the truth, and every player chooses from what it holds and may know."""

    def uses(move: Move, thing: str) -> bool:
        return move.role != "event" and thing in recorder.named(move)

    bots = {seat: player for seat, name in seated.items() if (player := bot(name, uses)) is not None}
    game = Dealt.new(rules, seed, number)
    return Going(game.at, lambda in_a_row: game.next(bots, in_a_row), game.made, game.dealer.can_make)


def _undealt(recorder: Recorder, rules: Rules, seated: dict[str, str], seed: int, number: int) -> Going:
    """Random proposals, in which what is drawn is anything that could come up: the quickest there is. A seat whose bot
    goes `without` something says something else instead, as long as the game proposes something else."""
    shunned = {seat: name.partition(WITHOUT)[2] for seat, name in seated.items() if WITHOUT in name}
    rng = Random(f"{seed} {number}")
    at: Position[Any] = Position(rules, rules.new_state())
    at.chooser, at.asking = rng.choice, False

    def following(in_a_row: int) -> Move | None:
        move = rules.propose(at, rng)
        if move is None or not shunned or move.role == "event" or in_a_row >= MOST_REFUSALS // 2:
            return move
        shuns = shunned.get(maker(move))
        return None if shuns and shuns in recorder.named(move) else move

    return Going(at, following)


__all__ = ["LISTED", "MOST", "RANDOM", "UNDEALT", "WITHOUT", "NoSuchBot", "checked", "play"]
