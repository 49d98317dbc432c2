"""The record of one game that programs played: whole numbers only.

Sums of whole numbers are the same in any order, so nobody can tell from a result how many processes made it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import pairwise
from typing import Any, Literal

import msgspec

from companion.engine.play.domains import Count, Flag, Seat
from companion.engine.play.judging import Verdict
from companion.engine.play.moves import Breach, Move, arguments_of, maker
from companion.engine.play.position import Position, Rules
from companion.engine.table.digests import code_of
from companion.engine.things.effects import Op

VERSION = 2
"""Of the record. Records of different versions are not added up."""
ENDS = ("over", "stuck", "cut")
End = Literal["over", "stuck", "cut"]


class Use(msgspec.Struct, array_like=True):
    """The number of times that something came up in one game, or in many."""

    offered: int = 0
    """Decisions in which it could be chosen, among those whose options were listed (`GameRecord.listed`)."""
    used: int = 0
    refused: int = 0
    """Proposals that were refused: with it, or by it (a rule)."""
    games: int = 0
    """Games in which it was used."""
    seats: int = 0
    """Seats that used it, game by game, of games that ended."""
    won: int = 0
    """Those of them that won."""

    def add(self, other: Use) -> None:
        self.offered += other.offered
        self.used += other.used
        self.refused += other.refused
        self.games += other.games
        self.seats += other.seats
        self.won += other.won


Uses = dict[str, Use]
"""Name -> how often it came up."""


class GameRecord(msgspec.Struct, kw_only=True):
    """One game. What is said by seat stands in the order of `seats`.

    `seed`, `number`, `players` and the rules are enough to play it again, move for move.
    """

    version: int = VERSION
    seed: int
    number: int
    """The number of the game in the seed; the first is 0."""
    seats: tuple[str, ...]
    players: tuple[str, ...]
    """The bot in each seat."""
    rules: str
    """Fingerprint of the rules (`fingerprint`)."""
    end: End
    """`over`; `stuck`: nobody could do anything; `cut`: too many moves."""
    phase: str = ""
    """The phase in which it got stuck or was cut."""
    won: tuple[int, ...] = ()
    """1 for each winner; several may share the win."""
    scores: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    """1 for the best; level seats share one."""
    moves: int = 0
    rounds: int = 0
    """0 where the game counts none."""
    refused: int = 0
    """Proposals that were not legal."""
    decisions: int = 0
    """Moves that a seat made, rather than chance or the table."""
    listed: int = 0
    """Decisions whose options were listed; what follows is of those."""
    forced: int = 0
    """With one option only."""
    options: int = 0
    """Options in all."""
    most_options: int = 0
    course: tuple[tuple[int, ...], ...] = ()
    """The score at the end of each round in which it is counted."""
    counted: tuple[int, ...] = ()
    """Those rounds."""
    cards: Uses = {}
    """By `set/name`: pieces named in moves."""
    moves_by: Uses = {}
    """By kind of move."""
    effects: Uses = {}
    """By verb of an effect that was carried out."""
    cited: Uses = {}
    """By id of a rule. `used`: it made something happen."""

    @property
    def lead_changes(self) -> int:
        """The number of times that the sole lead passed to another seat, round by round and at the end."""
        ahead = [_leader(scores) for scores in (*self.course, self.scores)]
        alone = [seat for seat in ahead if seat is not None]
        return sum(a != b for a, b in pairwise(alone))

    @property
    def drama(self) -> int:
        """The winner's largest deficit at the end of a round, in points; 0 where nobody won alone."""
        if sum(self.won) != 1:
            return 0
        winner = self.won.index(1)
        return max((max(scores) - scores[winner] for scores in self.course if scores), default=0)


def fingerprint(rules: Rules) -> str:
    """The dependencies of a lab game besides its seed and its players: the resolved game and the code of its rules."""
    return f"{rules.game.fingerprint}-{code_of(rules).digest}"


def _leader(scores: Sequence[int]) -> int | None:
    best = max(scores, default=0)
    return scores.index(best) if scores and scores.count(best) == 1 else None


class Recorder:
    """Plays the moves of one game and keeps its record. `keep`: the moves too, so that it can be made a table.

    The position must not be quiet, since the rules that made something happen are read from its events.
    """

    def __init__(
        self, rules: Rules, seats: Sequence[str], players: Sequence[str], seed: int, number: int, *, keep: bool = False
    ) -> None:
        self.rules = rules
        self.record = GameRecord(
            seed=seed,
            number=number,
            seats=tuple(seats),
            players=tuple(players),
            rules=fingerprint(rules),
            end="cut",
        )
        self.moves: list[list[Move]] | None = [] if keep else None
        """The moves of each line, if they are kept; the first line is the set-up."""
        self._names, self._ran = _watched(rules)
        self._seats = {seat: i for i, seat in enumerate(seats)}
        self._counts = {kind: _Counts() for kind in ("cards", "moves_by", "effects", "cited")}
        self._course: list[tuple[int, ...]] = []
        self._counted: list[int] = []
        self._reached = 0

    def play(self, at: Position[Any], move: Move, options: Sequence[Move] | None = None) -> Verdict:
        """Judge a move, carry it out if it is legal, and count it. `options`: the legal moves that its seat chose from,
        if they were listed."""
        self._ran.clear()
        verdict = at.judge(move)
        if not verdict.legal:
            self._refused(verdict)
            return verdict
        if options is not None:
            self._offered(options)
        if verdict.after is None:
            self._ran.clear()
        at.carry_out(verdict)
        self._made(at, [*verdict.presumed, verdict.move], self._seat(verdict.move))
        if self.moves is not None and not verdict.done_already:
            self.moves.append([*verdict.presumed, verdict.move])
        return verdict

    def saw(self, at: Position[Any], move: Move) -> None:
        """Carry out a move that was judged when it was recorded, and count it."""
        self._ran.clear()
        at.perform(move)
        self._made(at, [move], self._seat(move))

    def end(self, at: Position[Any], end: End) -> GameRecord:
        """The record, once the game has ended."""
        made, rules = self.record, self.rules
        made.end = end
        made.course, made.counted = tuple(self._course), tuple(self._counted)
        made.rounds = rules.stretch(at.state)
        if end != "over":
            made.phase = rules.stage(at.state) or rules.phase(at.state)
        ledger = rules.score(at)
        totals, place = ledger.totals(), 1
        ranks: dict[str, int] = {}
        for group in ledger.ranking:
            ranks |= dict.fromkeys(group, place)
            place += len(group)
        winners = ledger.ending.winners if end == "over" and ledger.ending else ()
        made.won = tuple(int(seat in winners) for seat in made.seats)
        made.scores = tuple(totals.get(seat, 0) for seat in made.seats)
        made.ranks = tuple(ranks.get(seat, len(made.seats)) for seat in made.seats)
        for kind, counts in self._counts.items():
            setattr(made, kind, counts.summed(made.won if end == "over" else ()))
        return made

    def pieces(self, move: Move) -> Iterable[str]:
        """The pieces named in a move, as `set/name`, each once."""
        names = self._names
        found: dict[str, None] = {}
        for field in _telling(type(move)):
            value = getattr(move, field)
            for word in (value,) if type(value) is str else _words(value) if value else ():
                if (name := names.get(word)) is not None:
                    found[name] = None
        return found

    def named(self, move: Move) -> set[str]:
        """The names that can identify a move: its kind and the pieces in it."""
        return {move.name, *self.pieces(move)}

    def _seat(self, move: Move) -> int:
        return self._seats.get(maker(move), -1)

    def _made(self, at: Position[Any], moves: list[Move], who: int) -> None:
        """Count moves that have been carried out, the last of them that of the seat `who`."""
        counts = self._counts
        moves_by, cards, cited = counts["moves_by"].used, counts["cards"].used, counts["cited"].used
        for made in moves:
            by = who if made is moves[-1] else self._seat(made)
            moves_by[made.name, by] += 1
            for name in self.pieces(made):
                cards[name, by] += 1
        if self._ran:
            for verb, n in self._ran.items():
                counts["effects"].used[verb, who] += n
        for event in at.events:
            cited[event.rule, who] += 1
        at.events.clear()
        self.record.moves += 1
        self.record.decisions += who >= 0
        self._look(at)

    def _offered(self, options: Sequence[Move]) -> None:
        record, counts = self.record, self._counts
        record.listed += 1
        record.forced += len(options) == 1
        record.options += len(options)
        record.most_options = max(record.most_options, len(options))
        for name in {move.name for move in options}:
            counts["moves_by"].of(name).offered += 1
        for name in {name for move in options for name in self.pieces(move)}:
            counts["cards"].of(name).offered += 1

    def _refused(self, verdict: Verdict) -> None:
        self.record.refused += 1
        counts = self._counts
        counts["moves_by"].of(verdict.move.name).refused += 1
        for name in self.pieces(verdict.move):
            counts["cards"].of(name).refused += 1
        for rule in _rules_of(verdict.reasons):
            counts["cited"].of(rule).refused += 1

    def _look(self, at: Position[Any]) -> None:
        """Keep the score where a round has passed."""
        past, self._reached = self._reached, self.rules.stretch(at.state)
        if 0 < past < self._reached and not self.rules.over(at.state):
            ledger = self.rules.scored(at)
            if ledger is not None:
                totals = ledger.totals()
                self._counted.append(past)
                self._course.append(tuple(totals.get(seat, 0) for seat in self.record.seats))


class _Counts:
    """The number of times that things came up in a game, and the seats that used them."""

    def __init__(self) -> None:
        self.uses: Uses = {}
        self.used: defaultdict[tuple[str, int], int] = defaultdict(int)
        """Name and seat (-1: none) -> how often; added to `uses` once the game has ended."""

    def of(self, name: str) -> Use:
        if (found := self.uses.get(name)) is None:
            found = self.uses[name] = Use()
        return found

    def summed(self, won: Sequence[int]) -> Uses:
        """By name. `won`: seat by seat; none of a game that did not end, whose users could not win."""
        for (name, seat), n in self.used.items():
            use = self.of(name)
            use.used += n
            use.games = 1
            if won and seat >= 0:
                use.seats += 1
                use.won += won[seat]
        return {name: self.uses[name] for name in sorted(self.uses)}


def _rules_of(reasons: Iterable[Breach]) -> set[str]:
    return {reason.rule for reason in reasons}


def _words(value: Any) -> Iterator[str]:
    """Every text in the fields of a move, the steps of a turn included."""
    if type(value) is str:
        yield value
    elif isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            if (inner := getattr(value, field)) is not None and type(inner) is not int:
                yield from _words(inner)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _words(key)
            yield from _words(inner)
    elif isinstance(value, tuple | list):
        for inner in value:
            yield from _words(inner)


@cache
def _telling(kind: type[Move]) -> tuple[str, ...]:
    """The fields of a kind of move in which a piece may be named."""
    silent = Seat | Count | Flag
    return tuple(one.name for one in arguments_of(kind) if not isinstance(one.domain, silent))


def _watched(rules: Rules) -> tuple[dict[str, str], Counter[str]]:
    """The shared data of a game's recorders: the names of its pieces, and the runs of each operation of an effect."""
    found: tuple[dict[str, str], Counter[str]] | None = rules.__dict__.get("_watched")
    if found is None:
        ran: Counter[str] = Counter()
        rules.ops = {verb: _counted(verb, op, ran) for verb, op in rules.ops.items()}
        found = rules.__dict__["_watched"] = _names(rules), ran
    return found


def _names(rules: Rules) -> dict[str, str]:
    """Name of a piece, as the moves use it -> `set/name`. Where two sets share a name, the first has it."""
    found: dict[str, str] = {}
    for set_name in dict.fromkeys(piece.set for piece in rules.game.pieces):
        with suppress(KeyError):  # a game need not name what no move speaks of
            for name in rules.names(set_name):
                found.setdefault(name, f"{set_name}/{name}")
    return found


def _counted(verb: str, op: Op, ran: Counter[str]) -> Op:
    def run(*given: Any) -> None:
        ran[verb] += 1
        op(*given)

    return run


__all__ = ["ENDS", "VERSION", "End", "GameRecord", "Recorder", "Use", "Uses", "fingerprint"]
