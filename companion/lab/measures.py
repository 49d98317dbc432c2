"""The results of a run: shares, means and differences with their intervals, and the striking ones among them.

All of it is plain data, made from the sums alone; the terminal, the page and the files show it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import isfinite
from typing import Any

import msgspec

from companion.engine.play.position import Position, Rules
from companion.lab import statistics
from companion.lab.playing import WITHOUT
from companion.lab.record import Use, fingerprint
from companion.lab.results import (
    FIGURES,
    TAILS,
    Change,
    Comparison,
    Estimate,
    FigureLine,
    Game,
    PlaceLine,
    Report,
    SideReport,
    UseLine,
)
from companion.lab.runs import Kept, Plan, program
from companion.lab.statistics import CONFIDENCE, Interval, deviation, holm, surprise
from companion.lab.sums import WIN, Pairs, Place, Portion, Spread, Sums, Total
from components.model import BASE

Row = tuple[str, str, float | None, float | None, Callable[[float], Interval]]
"""Name, title, figure before and after, and the interval of the difference at a confidence."""
FEWEST_USERS = 30
"""So many seats must have used a piece before its worth is spoken of."""


class Method(msgspec.Struct, frozen=True):
    """The statistics to use. `looked`: the run may have stopped because of what it showed, so they must hold all the
    same."""

    looked: bool = False

    def share(self, hits: int, n: int, confidence: float = CONFIDENCE) -> Interval:
        return (statistics.sequence_share if self.looked else statistics.share)(hits, n, confidence)

    def mean(self, total: Total, confidence: float = CONFIDENCE, n: int | None = None) -> Interval:
        made = statistics.sequence_mean if self.looked else statistics.mean
        return made(total.n if n is None else n, total.sum, total.squares, confidence)

    def change(self, won: Total, n: int, confidence: float = CONFIDENCE) -> Interval:
        """The difference of two shares of wins."""
        if not self.looked:
            return statistics.paired_share(won.sum / WIN, won.squares / WIN**2, n, confidence)
        found = statistics.sequence_mean(n, won.sum, won.squares, confidence)
        return Interval(found.value / WIN, found.low / WIN, found.high / WIN, n)


def measured(plan: Plan, kept: Kept, asked: int, *, complete: bool, looked: bool) -> Report:
    """The results of a plan as far as it was played; `findings.py` adds the findings."""
    portion, method = kept.portion, Method(looked)
    first = plan.sides[0].rules
    sides = [
        side_report(side.name, side.rules, side.players, sums, plan.seats, method)
        for side, sums in zip(plan.sides, portion.sides, strict=True)
    ]
    comparisons = [
        Comparison(
            name=side.name,
            games=pairs.games,
            same=pairs.same,
            changes=_changes(plan, portion, n, method),
        )
        for n, (side, pairs) in enumerate(zip(plan.sides[1:], portion.pairs, strict=True), 1)
    ]
    return Report(
        program=program(),
        game=first.game.id,
        title=first.game.title,
        unit=unit(first),
        players=len(plan.seats),
        seed=plan.seed,
        games=kept.games,
        asked=asked,
        complete=complete,
        looked=looked,
        most=plan.most,
        sides=sides,
        comparisons=comparisons,
        findings=[],
    )


def unit(rules: Rules) -> str:
    """The unit of the score, in words."""
    try:
        return rules.score(Position(rules, rules.new_state(), quiet=True)).unit
    except Exception:  # a table that is not set up need not have a score
        return "points"


def exact_enough(plan: Plan, wanted: float) -> Callable[[Portion], bool]:
    """A test that is true if the interval of every seat's wins, or of their changes, is at most `wanted` on either
    side."""
    method = Method(looked=True)

    def enough(portion: Portion) -> bool:
        if portion.pairs:
            found = [method.change(won, pairs.games) for pairs in portion.pairs for won in pairs.won.values()]
        else:
            sums = portion.sides[0]
            found = [method.share(place.wins, place.games) for place in sums.seats.values()]
        return bool(found) and all(interval.half <= wanted for interval in found)

    return enough


# --- one side ------------------------------------------------------------------------------------------------------


def side_report(
    name: str, rules: Rules, players: Sequence[str], sums: Sums, seats: Sequence[str], method: Method
) -> SideReport:
    """The results of one side."""
    game = rules.game
    fair = sums.wins / sums.places if sums.places else 1 / len(seats)
    titles = _Titles(rules)
    over = sums.ends.get("over", 0)
    course = [row for row in sums.course if row and row[0].n * 2 >= over]
    return SideReport(
        name=name,
        variants=list(game.variants),
        sets={key: str(value) for key, value in game.sets.items()},
        rules=fingerprint(rules),
        players=list(players),
        games=sums.games,
        ends=_sorted(sums.ends),
        phases=_sorted(sums.phases),
        ties=_estimate(method.share(sums.ties, over)),
        draws=over - sums.ties - sum(place.alone for place in sums.seats.values()),
        fair=_round(fair),
        seats=_places([(seat, sums.seats.get(seat, Place())) for seat in seats], fair, method),
        bots=_places(sorted(sums.bots.items()), fair, method) if len(set(players)) != 1 else [],
        figures=[
            _figure(name, sums.figures[name], method)
            for name in FIGURES
            if name in sums.figures and any(sums.figures[name].counts)
        ],
        branching=_round(sums.options / sums.listed) if sums.listed else None,
        forced=_round(sums.forced / sums.listed) if sums.listed else None,
        course=[[_round(total.sum / total.n) for total in row] for row in course],
        counted=sums.counted[: len(course)],
        cards=_uses(sums.cards, sums, titles.piece, fair, method),
        moves=_uses(sums.moves_by, sums, titles.move, fair, method),
        effects=_uses(sums.effects, sums, titles.plain, fair, method),
        cited=_uses(sums.cited, sums, titles.rule, fair, method, judged=False),
        never=_never(rules, sums, seats),
        worth_a_look=[
            Game(why=why, number=n, figure=abs(figure)) for why in TAILS for figure, n in sums.tails.get(why, ())[:3]
        ],
    )


class _Titles:
    """Name -> (title, group)."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def piece(self, name: str) -> tuple[str, str]:
        group, _, title = name.partition("/")
        return title, group

    def move(self, name: str) -> tuple[str, str]:
        return name.replace("_", " "), ""

    def plain(self, name: str) -> tuple[str, str]:
        return name, ""

    def rule(self, name: str) -> tuple[str, str]:
        known = self.rules.game.rules.get(name)
        return (known.title, known.section) if known else (name, "")


def _places(places: Iterable[tuple[str, Place]], fair: float, method: Method) -> list[PlaceLine]:
    rows = list(places)
    chances = holm([surprise(place.wins, place.games, fair) for _, place in rows])
    return [
        PlaceLine(
            name=name,
            games=place.games,
            wins=place.wins,
            share=_estimate(found := method.share(place.wins, place.games)),
            fair=_round(fair),
            stands_out=chance < 1 - CONFIDENCE and found.excludes(fair),
            rank=_estimate(method.mean(place.rank)),
            score=_estimate(method.mean(place.score)),
            deviation=_round(deviation(place.score.n, place.score.sum, place.score.squares)),
        )
        for (name, place), chance in zip(rows, chances, strict=True)
    ]


def _figure(name: str, spread: Spread, method: Method) -> FigureLine:
    total = spread.total
    mean = method.mean(total)
    return FigureLine(
        name=name,
        title=FIGURES[name],
        mean=_estimate(Interval(mean.value, max(0.0, mean.low), mean.high, mean.n)),  # no figure of a game is negative
        deviation=_round(deviation(total.n, total.sum, total.squares)),
        least=min(spread.counts),
        tenth=spread.at(10),
        median=spread.at(50),
        ninth=spread.at(90),
        most=max(spread.counts),
        counts={str(value): spread.counts[value] for value in sorted(spread.counts)},
    )


def _uses(
    uses: dict[str, Use],
    sums: Sums,
    titled: Callable[[str], tuple[str, str]],
    fair: float,
    method: Method,
    *,
    judged: bool = True,
) -> list[UseLine]:
    """The things used, most used first. The test of whether their users win more or less than their share is corrected
    for the number of tests."""
    names = sorted(uses, key=lambda name: (-uses[name].used, name))
    asked = [name for name in names if judged and uses[name].seats >= FEWEST_USERS]
    chances = dict(zip(asked, holm([surprise(uses[n].won, uses[n].seats, fair) for n in asked]), strict=True))
    found = []
    for name in names:
        use, (title, group) = uses[name], titled(name)
        won = method.share(use.won, use.seats) if name in chances else None
        found.append(
            UseLine(
                name=name,
                title=title,
                group=group,
                offered=use.offered,
                used=use.used,
                refused=use.refused,
                games=_estimate(method.share(use.games, sums.games)),
                users=use.seats,
                won=_estimate(won) if won else None,
                stands_out=won is not None and chances[name] < 1 - CONFIDENCE and won.excludes(fair),
            )
        )
    return found


def _never(rules: Rules, sums: Sums, seats: Sequence[str]) -> dict[str, list[str]]:
    """The things never used: pieces, of sets with others in use; rules, divided into those that report an event and
    those that only refuse."""
    game = rules.game
    playing = _modules(rules, seats)
    used = {name.partition("/")[0]: name for name, use in sums.cards.items() if use.used}
    away = {*game.seats}  # a piece named like a seat is that player's, who may not take part
    away |= {name.partition("/")[2] for name, use in sums.cards.items() if use.used}  # or a name that two sets share
    away |= {name for piece in game.pieces if piece.module not in playing for name in (piece.name, piece.id)}
    pieces = [f"{group}/{name}" for group in sorted(used) for name in rules.names(group) if name not in away]
    verbs = {effect.verb for piece in game.pieces if piece.module in playing for effect in piece.effect}
    in_force = [rule for rule in game.rules.values() if rule.module in playing and rule.id not in game.off]
    speaking = {rule.id: {key.partition(".")[0] for key in rule.words} for rule in in_force}
    silent = {rule: words for rule, words in speaking.items() if rule not in sums.cited}
    made = ("action", "choice", "free")
    kinds = [
        name for name, kind in rules.moves.items() if kind.role in made and rules.brought.get(kind, BASE) in playing
    ]
    return {
        "cards": pieces,
        "moves": [name for name in kinds if not (use := sums.moves_by.get(name)) or not use.used],
        "effects": sorted(verbs & rules.ops.keys() - {name for name, use in sums.effects.items() if use.used}),
        "rules": [rule for rule, words in silent.items() if "says" in words],
        "refusals": [rule for rule, words in silent.items() if "breaks" in words and "says" not in words],
    }


def _modules(rules: Rules, seats: Sequence[str]) -> set[str]:
    """The modules that such a table plays with, the base game among them."""
    at: Position[Any] = Position(rules, rules.new_state(), quiet=True)
    try:
        at.play(rules.setup_move(list(seats), {}))
        return {BASE, *rules.modules(at.state)}
    except Exception:  # evenings may begin from a position, or with seats that no set-up takes
        return {BASE, *rules.game.modules}


# --- two sides -----------------------------------------------------------------------------------------------------


def _changes(plan: Plan, portion: Portion, number: int, method: Method) -> list[Change]:
    """The changes from the first side to another; in each kind corrected for the number of tests."""
    first, other, pairs = portion.sides[0], portion.sides[number], portion.pairs[number - 1]
    n, titles = pairs.games, _Titles(plan.sides[number].rules)
    found: list[Change] = []

    def add(kind: str, rows: Sequence[Row]) -> None:
        level = 1 - (1 - CONFIDENCE) / max(len(rows), 1)
        for name, title, before, after, interval in rows:
            found.append(
                Change(
                    kind=kind,
                    name=name,
                    title=title,
                    before=None if before is None else _round(before),
                    after=None if after is None else _round(after),
                    difference=_estimate(interval(CONFIDENCE)),
                    stands_out=interval(level).excludes(0.0),
                )
            )

    if any(WITHOUT in bot for bot in plan.sides[number].players):
        bot, without, thing = plan.sides[number].players[0].partition(WITHOUT)
        focus = [("focus", f"{bot}{without}{thing.rpartition('/')[2]}", None, None, _changed(method, pairs.focus, n))]
        add("restricted", focus)
    add(
        "wins",
        [
            (seat, seat, _ratio(first.seats, seat), _ratio(other.seats, seat), _changed(method, won, n))
            for seat in plan.seats
            if (won := pairs.won.get(seat)) is not None
        ],
    )
    add(
        "scores",
        [
            (seat, seat, _mean(first.seats, seat), _mean(other.seats, seat), _moved(method, total))
            for seat in plan.seats
            if (total := pairs.scores.get(seat)) is not None
        ],
    )
    add(
        "figures",
        [
            (name, FIGURES[name], _average(first, name), _average(other, name), _moved(method, total))
            for name in FIGURES
            if (total := pairs.figures.get(name)) is not None and (total.squares or _average(first, name))
        ],
    )
    for kind, title in (("cards", titles.piece), ("moves_by", titles.move), ("effects", titles.plain)):
        add(kind, _used(pairs, kind, first, other, title, n, method))
    return found


def _used(
    pairs: Pairs, kind: str, first: Sums, other: Sums, title: Callable[[str], tuple[str, str]], n: int, method: Method
) -> list[Row]:
    """The uses of each thing per game, before and after."""

    def rate(sums: Sums, name: str) -> float:
        use = getattr(sums, kind).get(name)
        return use.used / sums.games if use and sums.games else 0.0

    return [
        (name, title(name)[0], rate(first, name), rate(other, name), _moved(method, total, n))
        for name, total in sorted(pairs.uses.get(kind, {}).items())
        if total.n >= FEWEST_USERS
    ]


def _changed(method: Method, won: Total, n: int) -> Callable[[float], Interval]:
    return lambda confidence: method.change(won, n, confidence)


def _moved(method: Method, total: Total, n: int | None = None) -> Callable[[float], Interval]:
    return lambda confidence: method.mean(total, confidence, n)


def _ratio(seats: dict[str, Place], seat: str) -> float | None:
    place = seats.get(seat)
    return place.wins / place.games if place and place.games else None


def _mean(seats: dict[str, Place], seat: str) -> float | None:
    place = seats.get(seat)
    return place.score.sum / place.score.n if place and place.score.n else None


def _average(sums: Sums, name: str) -> float | None:
    total = sums.figures[name].total if name in sums.figures else Total()
    return total.sum / total.n if total.n else None


def _sorted(counts: dict[str, int]) -> dict[str, int]:
    return {name: counts[name] for name in sorted(counts)}


def _round(value: float) -> float:
    """Six digits: what lies beyond may differ from one machine to another."""
    return round(value, 6) + 0.0


def _estimate(found: Interval) -> Estimate:
    low, high = (_round(end) if isfinite(end) else None for end in (found.low, found.high))
    return Estimate(_round(found.value), low, high)


__all__ = ["Method", "exact_enough", "measured", "side_report", "unit"]
