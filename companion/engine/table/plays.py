"""A table as a play: who sat where, who won by how much, how long it took, and which moves took the most thought."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import pairwise
from typing import Any

import msgspec

from companion.engine.answers.ledger import Ledger
from companion.engine.language.people import People
from companion.engine.table.digests import checksum
from companion.engine.table.history import sat
from companion.engine.table.private import known_lines
from companion.engine.table.replaying import said_moves
from companion.engine.table.table import Table

PAUSE = 30 * 60
"""Seconds without a line after which nobody was playing."""


class Seated(msgspec.Struct, kw_only=True):
    """The result of one seat. `person`: at the seat in the end; `before`: those who sat there earlier."""

    seat: str
    person: str
    before: list[str]
    place: int
    """1 for the best; level seats share one."""
    score: int
    won: bool


class Thought(msgspec.Struct, kw_only=True):
    """A line that came after a long time. `seconds`: how long nothing was said before it."""

    line: int
    seat: str
    text: str
    words: str
    """The text with people for their seats."""
    seconds: int


class Play(msgspec.Struct, kw_only=True):
    """A table as a play. `began`, `ended`: when the first and the last line were said; `seconds`: how long of that was
    played, without pauses."""

    id: str
    """The same for a table under another name, or imported."""
    table: str
    game: str
    title: str
    variants: list[str]
    began: str
    ended: str
    seconds: int
    lines: int
    moves: int
    over: bool
    reason: str
    """The reason why the game ended."""
    unit: str
    overrides: int
    seats: list[Seated]

    @property
    def winners(self) -> list[Seated]:
        return [seated for seated in self.seats if seated.won]


def play_of(table: Table, ledger: Ledger | None = None) -> Play:
    """A table as a play. `ledger`: its score, if that is known."""
    ledger = ledger or table.rules.score(table.position)
    about, lines = table.began, table.history.lines
    over = table.rules.over(table.position.state)
    winners = ledger.ending.winners if over and ledger.ending else ()
    stands = ledger.stands()
    there = sat(about.people, lines)
    places = {seat: place for place, group in _placed(ledger.ranking) for seat in group}
    seats = [
        Seated(
            seat=seat,
            person=person_at(table, seat),
            before=[person for _, person in there.get(seat, [])[:-1] if person],
            place=places.get(seat, len(places) + 1),
            score=stands.totals.get(seat, 0),
            won=seat in winners,
        )
        for seat in table.seats
    ]
    stamps = [entry.when for entry in table.entries]
    return Play(
        id=checksum(f"{about.game} {about.created} {sorted(about.people.items())}", b"").hex(),
        table=about.table,
        game=about.game,
        title=about.title,
        variants=list(table.rules.game.variants),
        began=stamps[0] if stamps else about.created,
        ended=stamps[-1] if stamps else about.created,
        seconds=sum(gap for gap in gaps([about.created, *stamps]) if gap <= PAUSE),
        lines=len(lines),
        moves=sum(line.kind == "move" and not line.setup for line in lines),
        over=over,
        reason=ledger.ending.reason if over and ledger.ending else "",
        unit=stands.unit,
        overrides=sum(line.marked for line in lines),
        seats=seats,
    )


def person_at(table: Table, seat: str) -> str:
    """The person at a seat now; where the people are the seats, the seat itself."""
    person = table.about.people.get(seat, "")
    return person or ("" if seat in table.rules.game.seats else seat)


def _placed(ranking: Iterable[tuple[str, ...]]) -> list[tuple[int, tuple[str, ...]]]:
    place, found = 1, []
    for group in ranking:
        found.append((place, group))
        place += len(group)
    return found


def gaps(stamps: list[str]) -> list[int]:
    """Seconds between moments that follow each other; 0 where a stamp tells no time, or an earlier one."""
    times = [_time(stamp) for stamp in stamps]
    return [max(0, int((b - a).total_seconds())) if a and b else 0 for a, b in pairwise(times)]


def _time(stamp: str) -> datetime | None:
    try:
        return datetime.fromisoformat(stamp).astimezone()
    except (ValueError, OverflowError):
        return None


def thoughts(table: Table, most: int = 3) -> list[Thought]:
    """The moves before which the table thought longest, the longest first, without pauses; worded by what everybody may
    know, since a summary is for all."""
    stamps = [table.began.created, *(entry.when for entry in table.entries)]
    waited = dict(zip((entry.n for entry in table.entries), gaps(stamps), strict=True))
    log = [entry for entry in known_lines(table.log(), table.position) if entry.line.kind == "move"]
    log = [entry for entry in log if not entry.line.setup]
    times = {entry.number: waited.get(entry.line.key, 0) for entry in log}
    longest = sorted((entry for entry in log if 0 < times[entry.number] <= PAUSE), key=lambda e: -times[e.number])
    return [
        Thought(line=e.number, seat=_mover(e.line, table), text=e.text, words=e.words, seconds=times[e.number])
        for e in longest[:most]
    ]


def _mover(line: Any, table: Table) -> str:
    """The seat who makes the first move of a line; "" if nobody alone does."""
    from companion.engine.play.moves import maker

    try:
        return next(map(maker, said_moves(line, table.rules_of(line.rules))), "")
    except Exception:  # recorded by other code
        return ""


def bgstats(play: Play, people: People) -> dict[str, Any]:
    """A play in the form that the app BG Stats takes; `people` stand for their seats in what it says."""
    scores = [seated.score for seated in sorted(play.seats, key=lambda seated: seated.place)]
    began = _time(play.began)
    return {
        "sourceName": "Tablewright",
        "sourcePlayId": play.id,
        "playDate": f"{began:%Y-%m-%d %H:%M:%S}" if began else "",
        "durationMin": round(play.seconds / 60),
        "board": ", ".join(play.variants),
        "comments": people.text(play.reason),
        "game": {
            "name": play.title,
            "sourceGameId": play.game,
            "highestWins": scores == sorted(scores, reverse=True) or scores != sorted(scores),
            "noPoints": not any(scores),
        },
        "players": [
            {
                "name": seated.person or seated.seat,
                "sourcePlayerId": (seated.person or seated.seat).lower(),
                "role": seated.seat,
                "startPlayer": False,
                "score": seated.score,
                "rank": seated.place,
                "winner": seated.won,
            }
            for seated in play.seats
        ],
    }


# --- many plays ----------------------------------------------------------------------------------------------------


class Tally(msgspec.Struct, kw_only=True):
    """The record of one person: in one game, or in all (then without scores, which no two games share)."""

    person: str
    plays: int = 0
    finished: int = 0
    wins: int = 0
    mean: float | None = None
    """Of the scores of finished games."""
    best: int | None = None
    seats: dict[str, int] = {}
    seconds: int = 0


class GameTally(msgspec.Struct, kw_only=True):
    """The record of one game. `length`: the mean of the finished ones in seconds; `scores`: their unit."""

    game: str
    title: str
    plays: int
    finished: int
    seconds: int
    length: int | None
    unit: str
    people: list[Tally]


def tallies(plays: list[Play]) -> list[Tally]:
    """Person by person, those who have played most first. Only finished games have winners and scores."""
    found: dict[str, Tally] = {}
    scores: dict[str, list[int]] = {}
    for play in plays:
        for seated in play.seats:
            if not seated.person:
                continue
            key = seated.person.casefold()
            tally = found.setdefault(key, Tally(person=seated.person, seats={}))
            tally.plays += 1
            tally.finished += play.over
            tally.wins += seated.won
            tally.seconds += play.seconds
            tally.seats[seated.seat] = tally.seats.get(seated.seat, 0) + 1
            if play.over:
                scores.setdefault(key, []).append(seated.score)
    for key, made in scores.items():
        found[key].mean, found[key].best = round(sum(made) / len(made), 1), max(made)
    return sorted(found.values(), key=lambda tally: (-tally.plays, -tally.wins, tally.person.casefold()))


def by_game(plays: list[Play]) -> list[GameTally]:
    """Game by game, the one played most first."""
    found: list[GameTally] = []
    for game in dict.fromkeys(play.game for play in plays):
        those = [play for play in plays if play.game == game]
        finished = [play for play in those if play.over]
        found.append(
            GameTally(
                game=game,
                title=those[-1].title,
                plays=len(those),
                finished=len(finished),
                seconds=sum(play.seconds for play in those),
                length=round(sum(play.seconds for play in finished) / len(finished)) if finished else None,
                unit=next((play.unit for play in finished), ""),
                people=tallies(those),
            )
        )
    return sorted(found, key=lambda tally: (-tally.plays, tally.title))


__all__ = ["PAUSE", "GameTally", "Play", "Seated", "Tally", "Thought", "bgstats", "by_game", "gaps", "person_at"]
__all__ += ["play_of", "tallies", "thoughts"]
