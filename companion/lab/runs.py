"""Many games: shared among processes in portions, added up as they come, kept so that nothing is played twice.

A game depends on its seed, its number, its rules and its players alone, and sums are whole numbers. So the result is
the same for one process or sixteen, stopped and resumed or not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion.engine.play.position import Rules
from companion.engine.table.digests import checksum
from companion.lab import playing
from companion.lab.record import VERSION, GameRecord, fingerprint
from companion.lab.sums import Portion, nothing
from components.files import write_whole
from components.processes import shared

PORTION = 10
"""Games that are played in one go."""
LOOK = 200
"""A run that stops by itself is looked at after so many games, in order of number."""
MOST_AT_ONCE = 50_000
LONG = 2.0
"""Seconds of a first game that tell how long the others will take."""
KEEP_EVERY = 10.0
"""Seconds after which what was played is kept."""
Ranges = list[tuple[int, int]]
"""(first, one past the last), in order, apart from one another."""


@cache
def program() -> str:
    """The version of Tablewright, and a digest of the lab's own code: of the players above all."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        known = version("tablewright")
    except PackageNotFoundError:
        known = "unknown"
    files = sorted(Path(__file__).parent.glob("*.py"))
    return f"{known}-{checksum('lab', b''.join(file.read_bytes() for file in files)).hex()}"


Parts = Sequence[tuple[int, int]]
"""Portions: the first game and one past the last of each."""
Share = Callable[[Parts], Iterator[tuple[int, Portion]]]
"""Has portions played, and gives the number of each with its sums, in any order."""


class Side(NamedTuple):
    """One side of a comparison. `players`: the bots; the first of them takes each seat in turn, the others follow."""

    name: str
    rules: Rules
    players: tuple[str, ...]


class Plan(NamedTuple):
    """The games to play. `most`: moves after which a game is cut."""

    sides: tuple[Side, ...]
    seats: tuple[str, ...]
    seed: int
    most: int

    @property
    def digest(self) -> str:
        """A name for everything that the games of the plan depend on."""
        sides = [(side.name, fingerprint(side.rules), side.players) for side in self.sides]
        said = msgspec.json.encode([VERSION, program(), sides, self.seats, self.seed, self.most])
        return checksum("plan", said).hex()

    def seated(self, side: Side, number: int) -> tuple[str, ...]:
        """The bots by seat in a game."""
        n = len(self.seats)
        return tuple(side.players[(seat - number) % n] for seat in range(n))

    def game(self, side: int, number: int) -> GameRecord:
        """Play one game."""
        one = self.sides[side]
        return playing.play(one.rules, self.seats, self.seated(one, number), self.seed, number, most=self.most)[0]

    def portion(self, first: int, last: int) -> Portion:
        """Play the games from `first` to before `last` on every side."""
        made = nothing(len(self.sides))
        for number in range(first, last):
            records = [self.game(side, number) for side in range(len(self.sides))]
            for sums, record in zip(made.sides, records, strict=True):
                sums.see(record)
            for pairs, record in zip(made.pairs, records[1:], strict=True):
                pairs.see(records[0], record, number % len(self.seats))
        return made


class Kept(msgspec.Struct, kw_only=True):
    """The games of a plan played so far."""

    plan: str
    done: Ranges = []
    portion: Portion

    @property
    def games(self) -> int:
        return sum(last - first for first, last in self.done)

    def take(self, first: int, last: int, portion: Portion) -> None:
        """Add games that have been played."""
        self.portion.add(portion)
        merged: Ranges = []
        for one in sorted([*self.done, (first, last)]):
            if merged and merged[-1][1] == one[0]:
                merged[-1] = (merged[-1][0], one[1])
            else:
                merged.append(one)
        self.done = merged

    def missing(self, games: int) -> Iterator[tuple[int, int]]:
        """The portions of the first so many games that are still to be played."""
        at = 0
        for first, last in [*self.done, (games, games)]:
            while at < min(first, games):
                end = min((at // PORTION + 1) * PORTION, first, games)
                yield at, end
                at = end
            at = max(at, last)

    def encoded(self) -> bytes:
        return msgspec.json.encode(msgspec.to_builtins(self, str_keys=True), order="sorted")


def begun(plan: Plan, file: Path | None = None) -> Kept:
    """The games of a plan kept in a file, or none yet. A file that cannot be read counts as missing."""
    if file is not None:
        try:
            found = msgspec.json.decode(file.read_bytes(), type=Kept)
        except (OSError, msgspec.DecodeError):
            pass
        else:
            if found.plan == plan.digest:
                return found
    return Kept(plan=plan.digest, portion=nothing(len(plan.sides)))


class Progress(NamedTuple):
    """The progress of a run. `left`: seconds that the rest will probably take; None: unknown."""

    done: int
    games: int
    left: float | None


def run(
    plan: Plan,
    kept: Kept,
    games: int,
    *,
    jobs: int = 1,
    share: Share | None = None,
    enough: Callable[[Portion], bool] | None = None,
    told: Callable[[Progress], None] = lambda progress: None,
    file: Path | None = None,
) -> bool:
    """Play what is missing of the first `games` games and add it to `kept`; whether they were all played.

    `enough` is asked after every `LOOK` games whether that will do. `share` has portions played
    elsewhere than in `jobs` processes of this machine. `file`: where to keep what was played, so that a
    run that was stopped (KeyboardInterrupt, which is not passed on) can be resumed.
    """
    step = LOOK if enough is not None else MOST_AT_ONCE
    watch = _Watch(kept, games, jobs, told)

    def here(parts: Parts) -> Iterator[tuple[int, Portion]]:
        return shared(lambda part: plan.portion(*part), parts, jobs)

    try:
        for goal in (*range(step, games, step), games):
            parts = list(kept.missing(goal))
            if parts and not watch.played:  # the first game, then its portion, show how long the rest will take
                first, last = parts.pop(0)
                for part in ((first, first + 1), (first + 1, last)):
                    _take(kept, [part] if part[0] < part[1] else [], here, watch, file, alone=True)
            _take(kept, parts, share or here, watch, file)
            if enough is not None and enough(kept.portion):
                break
        return True
    except KeyboardInterrupt:
        return False
    finally:
        if file is not None and watch.played:
            _keep(kept, file)


def _take(kept: Kept, parts: Parts, share: Share, watch: _Watch, file: Path | None, *, alone: bool = False) -> None:
    for n, portion in share(parts):
        kept.take(*parts[n], portion)
        if watch.see(parts[n][1] - parts[n][0], alone) and file is not None:
            _keep(kept, file)


def _keep(kept: Kept, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, kept.encoded())


class _Watch:
    """Tells how far a run is, and when it is time to keep what was played."""

    def __init__(self, kept: Kept, games: int, jobs: int, told: Callable[[Progress], None]) -> None:
        self.kept, self.games, self.jobs, self.told = kept, games, jobs, told
        self.played = 0
        self._saved = self._since = time.monotonic()
        self._alone = 0

    def see(self, games: int, alone: bool) -> bool:
        """So many more games were played, `alone` by one process; whether to keep them now."""
        now = time.monotonic()
        begins = not self.played
        self.played += games
        if alone:
            pace = (now - self._since) / games / self.jobs
            self._since, self._alone = now, self.played
        else:
            pace = (now - self._since) / (self.played - self._alone)
        done = self.kept.games
        if not begins or pace * self.jobs > LONG:  # a short first game tells how long it takes to begin, no more
            self.told(Progress(done, self.games, pace * max(0, self.games - done)))
        if now - self._saved < KEEP_EVERY:
            return False
        self._saved = now
        return True


__all__ = ["LOOK", "PORTION", "Kept", "Parts", "Plan", "Progress", "Share", "Side", "begun", "program", "run"]
