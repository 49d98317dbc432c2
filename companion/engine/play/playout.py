"""Random playouts: games played by proposing, judging and carrying out moves, with or without the laws checked."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.engine.errors import CompanionError
from companion.engine.play.forms import misfit
from companion.engine.play.moves import Move, made_by
from companion.engine.play.options import plan
from companion.engine.play.position import Position, Rules

MOST_MOVES = 100_000
MOST_REFUSALS = 200
"""A playout counts as stuck after this many refused proposals in a row."""


TRIES = 8
"""So many moves of a kind are drawn before another one is tried."""

Proposer = Callable[[Any, Random], Move | None]
"""(position, chance) -> a move."""


def drawn(move: Move, at: Position[Any], rng: Random) -> Move | None:
    """`move` with every field that was left out given one of its options by chance; None: a field has none."""
    for name, default, _ in plan(type(move))[1]:
        if getattr(move, name) != default or (options := move.options(at, name)) is None:
            continue
        values = options if isinstance(options, Sequence) else list(options)
        if not values:
            return None
        move = replace(move, **{name: rng.choice(values)})
    return move


def by_chance(
    at: Position[Any],
    rng: Random,
    kinds: Mapping[type[Move], float],
    own: Mapping[type[Move], Proposer] = MappingProxyType({}),
    who: str = "",
    *,
    sure: bool = False,
) -> Move | None:
    """A move that is probably legal: of the kind that is owed first, or else one of `kinds` (kind -> how often), made
    by `who`, with options drawn by chance. `own` draws moves whose options do not say everything. `sure`: where there
    are options a move is mostly legal, so its verdict comes soon enough. None: nothing can be done.
    """
    owed = next(iter(at.rules.agenda(at.state)), None)
    left = {at.rules.moves[owed.move]: 1.0} if owed else dict(kinds)
    sure = sure or (len(left) == 1 and not owed)
    while left:
        kind = rng.choices([*left], [*left.values()])[0] if len(left) > 1 else next(iter(left))
        move = _likely(made_by(kind, owed.who if owed else who), at, rng, own.get(kind), sure)
        if move is not None:
            return move
        del left[kind]
    legal = [move for move in at.legal() if type(move) not in at.rules.anytime]
    return rng.choice(legal) if legal else None


def _likely(start: Move, at: Position[Any], rng: Random, own: Proposer | None, sure: bool) -> Move | None:
    """A move that the rules do not forbid, as far as it was begun; None if several draws found none. `sure`: it need
    not be asked about."""
    if not sure and own is None and at.refuses(start):
        return None
    for _ in range(TRIES):
        move = own(at, rng) if own else drawn(start, at, rng)
        if move is None or sure or move == start or not at.refuses(move):
            return move
    return None


class PlayoutError(CompanionError):
    """A playout broke a law. The seed, the moves and the message are enough to reproduce it."""

    kind = "law"
    status = 1

    def __init__(self, what: str, seed: int, moves: list[Move], method: str = "apply") -> None:
        super().__init__(f"seed {seed}, {after(moves)}: {what}")
        self.method = method
        """The function of the last of the moves that broke the law."""
        self.what = what
        self.seed = seed
        self.moves = moves


def after(moves: list[Move]) -> str:
    """After how many moves something happened, and the last of them."""
    last = f", the last of them {msgspec.json.encode(moves[-1].to_json()).decode()}" if moves else ""
    return f"after {len(moves)} moves{last}"


class Playout(msgspec.Struct, kw_only=True):
    """One game played at random. `end` is `over`, `stuck` (nothing legal was proposed) or `cut` (too many moves)."""

    seed: int
    moves: int
    refused: int
    end: str
    winners: list[str]
    seconds: float
    stuck: str = ""
    """The phase in which nothing legal was proposed."""


class Statistics(msgspec.Struct, kw_only=True):
    """Many playouts together. `length` is (shortest, median, longest) in moves; `rate`: moves per second, each with its
    verdict."""

    games: int
    players: int
    ends: dict[str, int]
    wins: dict[str, int]
    length: tuple[int, int, int]
    moves: int
    refused: int
    seconds: float
    rate: float
    stuck: dict[str, int] = {}
    """Phase -> games in which nothing legal was proposed there."""


def play_out(
    rules: Rules, seats: list[str], seed: int, *, laws: bool = False, most: int = MOST_MOVES
) -> tuple[Playout, Position[Any]]:
    """Play one game from set-up to its end. With `laws`, check after every move that no piece is lost or gained; raises
    PlayoutError. Whatever else goes wrong bears a note of the moves it followed."""
    played: list[Move] = []
    try:
        return _played_out(rules, seats, seed, laws, most, played)
    except CompanionError:
        raise
    except Exception as error:
        error.add_note(after(played))
        raise


def _played_out(
    rules: Rules, seats: list[str], seed: int, laws: bool, most: int, played: list[Move]
) -> tuple[Playout, Position[Any]]:
    rng = Random(seed)
    at: Position[Any] = Position(rules, rules.new_state(), quiet=not laws)
    at.chooser = rng.choice
    setup = rules.setup_move(seats, {})
    began = time.perf_counter()
    verdict = at.play(setup)
    if not verdict.legal:
        reasons = "; ".join(b.why for b in verdict.reasons) or "it leaves out a choice"
        raise PlayoutError(f"the set-up is illegal: {reasons}", seed, [])
    played.append(verdict.move)
    moves, refused, in_a_row, end = 0, 0, 0, "cut"
    propose, judge, carry_out, over = rules.propose, at.judge, at.carry_out, rules.over
    while moves < most:
        if over(at.state):
            end = "over"
            break
        move = propose(at, rng)
        if move is None:
            end = "stuck"
            break
        before = msgspec.msgpack.encode(at.state) if laws else b""
        verdict = judge(move)
        if laws and msgspec.msgpack.encode(at.state) != before:
            raise PlayoutError("judging a move changed the position", seed, [*played, move], "forbidden")
        if not verdict.legal:
            refused += 1
            in_a_row += 1
            if in_a_row > MOST_REFUSALS:
                end = "stuck"
                break
            continue
        in_a_row = 0
        again = Position(rules, rules.copy(at.state), quiet=True) if laws and not verdict.presumed else None
        carry_out(verdict)
        if again is not None and not getattr(verdict.move, "choose", None):
            again.replay([verdict.move])
            if msgspec.msgpack.encode(again.state) != msgspec.msgpack.encode(at.state):
                what = "the same move, carried out twice, gives two results; what chance brings is said by a move"
                raise PlayoutError(what, seed, [*played, verdict.move], "apply")
        moves += 1
        played.append(verdict.move)
        if laws:
            at.events.clear()
            broken = [told] if (told := misfit(at.state)) else rules.check_whole(at.state)
            if broken:
                raise PlayoutError("; ".join(broken), seed, played)
    seconds = time.perf_counter() - began
    winners: list[str] = []
    if end == "over":
        ending = rules.score(at).ending
        winners = list(ending.winners) if ending else []
    stuck = (rules.phase(at.state) or getattr(at.state, "phase", "")) if end == "stuck" else ""
    made = Playout(seed=seed, moves=moves, refused=refused, end=end, winners=winners, seconds=seconds, stuck=stuck)
    return made, at


def simulate(rules: Rules, seats: list[str], games: int, seed: int, *, laws: bool = False) -> Statistics:
    """`games` playouts with the seeds `seed`, `seed + 1`, …"""
    played = [play_out(rules, seats, seed + i, laws=laws)[0] for i in range(games)]
    lengths = sorted(p.moves for p in played)
    moves = sum(lengths)
    seconds = sum(p.seconds for p in played)
    wins = Counter(winner for p in played for winner in p.winners)
    return Statistics(
        games=games,
        players=len(seats),
        ends=dict(Counter(p.end for p in played)),
        wins={seat: wins[seat] for seat in seats},
        length=(lengths[0], lengths[len(lengths) // 2], lengths[-1]) if lengths else (0, 0, 0),
        moves=moves,
        refused=sum(p.refused for p in played),
        seconds=seconds,
        rate=moves / seconds if seconds else 0.0,
        stuck=dict(Counter(p.stuck for p in played if p.end == "stuck")),
    )


__all__ = ["Playout", "PlayoutError", "Proposer", "Statistics", "by_chance", "drawn", "play_out", "simulate"]
