"""Many records added up: of one side of a comparison (`Sums`), and of what changed between two sides (`Pairs`).

All are sums of whole numbers, so they are the same in whatever order games come in, and take the room of one record
however many there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from companion.lab.record import GameRecord, Use, Uses

KINDS = ("cards", "moves_by", "effects", "cited")
"""The fields in which a record counts what came up."""
KEPT = 5
"""So many games of each kind that is out of the ordinary are named."""
WIN = 60
"""A win, which two to six players can share in whole parts."""
Tail = list[tuple[int, int]]
"""(figure, number of the game), the most extraordinary first."""


class Total(msgspec.Struct, array_like=True):
    """A figure summed: how often, its sum and that of its squares."""

    n: int = 0
    sum: int = 0
    squares: int = 0

    def see(self, value: int) -> None:
        self.n += 1
        self.sum += value
        self.squares += value * value

    def add(self, other: Total) -> None:
        self.n += other.n
        self.sum += other.sum
        self.squares += other.squares


class Spread(msgspec.Struct, array_like=True):
    """The number of times that each value of a figure came up."""

    counts: dict[int, int] = {}

    def see(self, value: int) -> None:
        self.counts[value] = self.counts.get(value, 0) + 1

    def add(self, other: Spread) -> None:
        for value, n in other.counts.items():
            self.counts[value] = self.counts.get(value, 0) + n

    @property
    def total(self) -> Total:
        items = self.counts.items()
        return Total(
            sum(self.counts.values()),
            sum(value * n for value, n in items),
            sum(value * value * n for value, n in items),
        )

    def at(self, percent: int) -> int:
        """The value below or at which so many of a hundred lie."""
        left = -(-sum(self.counts.values()) * percent // 100)
        for value in sorted(self.counts):
            left -= self.counts[value]
            if left <= 0:
                return value
        return max(self.counts, default=0)


class Place(msgspec.Struct, kw_only=True):
    """The results of a seat, or of a bot wherever it sat."""

    games: int = 0
    wins: int = 0
    alone: int = 0
    """Wins that were not shared."""
    rank: Total = msgspec.field(default_factory=Total)
    score: Total = msgspec.field(default_factory=Total)

    def see(self, won: int, alone: bool, rank: int, score: int) -> None:
        self.games += 1
        self.wins += won
        self.alone += won and alone
        self.rank.see(rank)
        self.score.see(score)

    def add(self, other: Place) -> None:
        self.games += other.games
        self.wins += other.wins
        self.alone += other.alone
        self.rank.add(other.rank)
        self.score.add(other.score)


FIGURES = ("moves", "rounds", "decisions", "margin", "lead_changes", "drama", "refused")
"""Figures of a game whose spread is kept; the words for them are in `measures.py`."""


class Sums(msgspec.Struct, kw_only=True):
    """Many games of one side."""

    games: int = 0
    ends: dict[str, int] = {}
    phases: dict[str, int] = {}
    """`stuck: PHASE` or `cut: PHASE` -> games."""
    ties: int = 0
    """Games that were won by several."""
    seats: dict[str, Place] = {}
    bots: dict[str, Place] = {}
    figures: dict[str, Spread] = {}
    listed: int = 0
    forced: int = 0
    options: int = 0
    most_options: int = 0
    course: list[list[Total]] = []
    """Round by round in which it is counted, the score of each seat."""
    counted: list[int] = []
    """Those rounds."""
    cards: Uses = {}
    moves_by: Uses = {}
    effects: Uses = {}
    cited: Uses = {}
    wins: int = 0
    """Of all seats together."""
    places: int = 0
    """Seats, game by game, of games that ended."""
    tails: dict[str, Tail] = {}

    def see(self, record: GameRecord) -> None:
        """Add a game. Scores, places and wins are those of games that ended."""
        self.games += 1
        self.ends[record.end] = self.ends.get(record.end, 0) + 1
        for name, value in figures_of(record).items():
            self.figures.setdefault(name, Spread()).see(value)
        self.listed += record.listed
        self.forced += record.forced
        self.options += record.options
        self.most_options = max(self.most_options, record.most_options)
        for kind in KINDS:
            _add_uses(getattr(self, kind), getattr(record, kind))
        for name, value in _extremes(record):
            self._keep(name, [(value, record.number)])
        if record.end != "over":
            phase = f"{record.end}: {record.phase or 'play'}"
            self.phases[phase] = self.phases.get(phase, 0) + 1
            return
        winners = sum(record.won)
        self.wins += winners
        self.places += len(record.seats)
        self.ties += winners > 1
        rows = zip(record.seats, record.players, record.won, record.ranks, record.scores, strict=True)
        for seat, bot, won, rank, score in rows:
            self.seats.setdefault(seat, Place()).see(won, winners == 1, rank, score)
            self.bots.setdefault(bot, Place()).see(won, winners == 1, rank, score)
        for n, scores in enumerate(record.course):
            if n == len(self.course):
                self.course.append([Total() for _ in scores])
                self.counted.append(record.counted[n])
            for total, score in zip(self.course[n], scores, strict=True):
                total.see(score)

    def add(self, other: Sums) -> None:
        """Add the games of another sum."""
        self.games += other.games
        for mine, theirs in ((self.ends, other.ends), (self.phases, other.phases)):
            for name, n in theirs.items():
                mine[name] = mine.get(name, 0) + n
        for name in ("ties", "listed", "forced", "options", "wins", "places"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.most_options = max(self.most_options, other.most_options)
        for known, more in ((self.seats, other.seats), (self.bots, other.bots)):
            for name, place in more.items():
                known.setdefault(name, Place()).add(place)
        for name, spread in other.figures.items():
            self.figures.setdefault(name, Spread()).add(spread)
        for n, row in enumerate(other.course):
            if n == len(self.course):
                self.course.append([Total() for _ in row])
                self.counted.append(other.counted[n])
            for total, further in zip(self.course[n], row, strict=True):
                total.add(further)
        for kind in KINDS:
            _add_uses(getattr(self, kind), getattr(other, kind))
        for name, tail in other.tails.items():
            self._keep(name, tail)

    def _keep(self, name: str, tail: Tail) -> None:
        merged = sorted({*self.tails.get(name, ()), *tail}, key=lambda one: (-one[0], one[1]))
        self.tails[name] = merged[:KEPT]


def figures_of(record: GameRecord) -> dict[str, int]:
    """The figures of a game; those of the score only where it ended, or is kept by round."""
    found = {
        "moves": record.moves,
        "rounds": record.rounds,
        "decisions": record.decisions,
        "refused": record.refused,
    }
    if record.end == "over":
        scores = sorted(record.scores, reverse=True)
        found["margin"] = scores[0] - scores[1] if len(scores) > 1 else 0
        if record.course:
            found |= {"lead_changes": record.lead_changes, "drama": record.drama}
    return found


def _extremes(record: GameRecord) -> Iterator[tuple[str, int]]:
    """The features that a game may be named for, with their strength. Stuck and cut games come in order of number."""
    if record.end != "over":
        yield record.end, 0
        return
    figures = figures_of(record)
    yield "longest", record.moves
    yield "shortest", -record.moves
    yield "widest", figures["margin"]
    if figures.get("drama"):
        yield "turned", figures["drama"]


def _add_uses(mine: Uses, theirs: Uses) -> None:
    for name, use in theirs.items():
        if (known := mine.get(name)) is None:
            known = mine[name] = Use()
        known.add(use)


class Pairs(msgspec.Struct, kw_only=True):
    """The changes from one side to the other, game by game of the same number."""

    games: int = 0
    figures: dict[str, Total] = {}
    """Of a figure, the second side's less the first's."""
    scores: dict[str, Total] = {}
    """The same of the score of each seat."""
    won: dict[str, Total] = {}
    """Seat -> how much more of a game it won, in parts of `WIN`: a win may be shared."""
    focus: Total = msgspec.field(default_factory=Total)
    """The same of the player whose seat goes round."""
    uses: dict[str, dict[str, Total]] = {}
    """Kind and name of what came up -> how much more often it was used in a game."""
    same: int = 0
    """Games that went alike on both sides, to the last move."""

    def see(self, one: GameRecord, other: GameRecord, focus: int) -> None:
        """Add a pair of games of the same number; `focus`: the seat of the player whose seat goes round."""
        self.games += 1
        before, after = figures_of(one), figures_of(other)
        for name in before.keys() & after.keys():
            self.figures.setdefault(name, Total()).see(after[name] - before[name])
        for kind in KINDS:
            uses, mine, theirs = self.uses.setdefault(kind, {}), getattr(one, kind), getattr(other, kind)
            for name in mine.keys() | theirs.keys():
                first, second = mine.get(name), theirs.get(name)
                change = (second.used if second else 0) - (first.used if first else 0)
                if change:
                    uses.setdefault(name, Total()).see(change)
        self.same += _alike(one) == _alike(other)
        for i, seat in enumerate(one.seats):
            more = _won(other, i) - _won(one, i)
            self.won.setdefault(seat, Total()).see(more)
            if i == focus:
                self.focus.see(more)
            if one.end == other.end == "over":
                self.scores.setdefault(seat, Total()).see(other.scores[i] - one.scores[i])

    def add(self, other: Pairs) -> None:
        """Add the pairs of another sum."""
        self.games += other.games
        self.same += other.same
        self.focus.add(other.focus)
        for mine, theirs in (
            (self.figures, other.figures),
            (self.scores, other.scores),
            (self.won, other.won),
            *((self.uses.setdefault(kind, {}), uses) for kind, uses in other.uses.items()),
        ):
            for name, total in theirs.items():
                mine.setdefault(name, Total()).add(total)


def _won(record: GameRecord, seat: int) -> int:
    return WIN // sum(record.won) if record.won and record.won[seat] else 0


def _alike(record: GameRecord) -> tuple[int, Sequence[int], Uses]:
    return record.moves, record.scores, record.moves_by


class Portion(msgspec.Struct, kw_only=True):
    """Some games of a run: the sums of each side, and the pairs of each further side with the first."""

    sides: list[Sums]
    pairs: list[Pairs]

    def add(self, other: Portion) -> None:
        for mine, theirs in zip(self.sides, other.sides, strict=True):
            mine.add(theirs)
        for pair, further in zip(self.pairs, other.pairs, strict=True):
            pair.add(further)


def nothing(sides: int) -> Portion:
    """The sums of no games."""
    return Portion(sides=[Sums() for _ in range(sides)], pairs=[Pairs() for _ in range(sides - 1)])


__all__ = ["FIGURES", "KEPT", "KINDS", "WIN", "Pairs", "Place", "Portion", "Spread", "Sums", "Tail", "Total"]
__all__ += ["figures_of", "nothing"]
