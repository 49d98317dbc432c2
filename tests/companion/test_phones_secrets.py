"""Two games that a seat cannot tell apart give its pages the same bytes, whatever they ask."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import laws
import pytest
from games import EVERY_MODULE, SIDES, STATES, Way
from msgspec.structs import replace
from served import Straight, straight, told
from test_knowledge import otherwise

from companion.engine.decisions.menus import menu
from companion.engine.language.fields import fields
from companion.engine.play.domains import Domain, Seat, Tally
from companion.engine.play.moves import Move
from companion.engine.play.position import Position
from companion.engine.play.secrets import hidden, marked, seen_by
from companion.engine.table.table import Table
from companion.games import load_rules
from companion.phones.chairs import GUEST, SEAT, WATCHER

WAYS = [
    Way("dynasties", "both", SIDES, {"options.deck": "expert", "options.warlords": True}),
    Way("warring-states", "4 players", STATES[:4]),
    Way("great-wall", "all modules", ["bamboo", "plum", "pine"], EVERY_MODULE),
]
QUESTIONS = ("/complete?line=", "/complete?line=p", "/ask?words=secret+card", "/log", "/scene")
ALAS = "solemnly alas"
"""Words that are part of no move: a line with them is guessed at."""
TRIES = 40
Answers = list[tuple[str, bytes]]
"""What was asked, and the answer."""


class Twins:
    """One game played twice, otherwise in what one seat alone knows. `told`: what each other page was answered."""

    def __init__(self, way: Way, seed: int, folder: Path) -> None:
        self.way, self.rng = way, Random(seed)
        rules = way.rules
        self.paths = [folder / f"{seed}-{name}" / "t.db" for name in ("one", "other")]
        self.tables = []
        for path in self.paths:
            path.parent.mkdir()
            table, _ = Table.create(path, rules.game, load_rules, people=dict.fromkeys(way.seats, ""), name="t")
            assert table is not None
            self.tables.append(table)
        self.knowing: set[str] = set()
        """The seats that can tell the two apart."""
        self.compared = 0

    def play(self, most: int, forks: int) -> None:
        """Play on, both alike, but for `forks` moves of which a secret differs."""
        for _ in range(most):
            one, other = (table.position for table in self.tables)
            if one.rules.over(one.state):
                return
            for _ in range(TRIES):
                pair = self.forked() if forks and self.rng.random() < 0.5 else None
                if pair is not None:
                    forks -= 1
                    break
                one.chooser = self.rng.choice
                move = one.rules.propose(one, self.rng)
                verdict = one.judge(move) if move is not None else None
                if verdict is not None and verdict.legal and other.judge(verdict.move).legal:
                    pair = verdict.move, verdict.move
                    break
            if pair is None or len(knowing := self.knowing | self.learning(pair)) == len(self.way.seats):
                return
            self.knowing = knowing
            for table, said in zip(self.tables, pair, strict=True):
                assert table.do([said]).done

    def learning(self, pair: tuple[Move, Move]) -> set[str]:
        """The seats to which these moves show a difference."""
        after = []
        for table, move in zip(self.tables, pair, strict=True):
            here = table.position.copy()
            here.play(move)
            after.append(here)
        one, other = after
        seats = {seat for seat in self.way.seats if seen_by(one, seat).state != seen_by(other, seat).state}
        said = str(pair[1].to_json()) if pair[0] != pair[1] else ""
        return seats | {seat for seat in self.way.seats if seat in said}

    def forked(self) -> tuple[Move, Move] | None:
        """A move with two different secrets, legal each at its table; None: there is none now."""
        places = [one.position for one in self.tables]
        kinds = [
            (kind, field)
            for kind in places[0].rules.moves.values()
            for field in fields(kind)
            if marked(field.type) and field.domain is not None and len(field.path) == 1
        ]
        if not kinds:
            return None
        here, there = places
        for _ in range(TRIES):
            kind, field = self.rng.choice(kinds)
            assert field.domain is not None
            words = list(dict.fromkeys(field.domain.spoken(here).values()))
            said = [replace(self.begun(kind), **{field.path[0]: self.some(field.domain, words)})]
            if not here.judge(said[0]).legal:
                continue
            for _ in range(TRIES):
                said[1:] = [replace(said[0], **{field.path[0]: self.some(field.domain, words)})]
                if said[1] != said[0] and there.judge(said[1]).legal:
                    return said[0], said[1]
        return None

    def begun(self, kind: type[Move]) -> Move:
        """A move of some seat, with another if it takes two."""
        seats = self.rng.sample(self.way.seats, 2)
        names = [one.path[0] for one in fields(kind) if isinstance(one.domain, Seat)]
        return replace(kind(), **dict(zip(names, seats, strict=False)))

    def some(self, domain: Domain, words: list[Any]) -> Any:
        if isinstance(domain, Tally):
            return {self.rng.choice(words): 1}
        return tuple(self.rng.choices(words, k=self.rng.randint(1, 6))) if domain.many else self.rng.choice(words)

    def close(self) -> None:
        for table in self.tables:
            table.close()


def whatever(pages: Straight, seat: str, lines: list[str], asked: list[dict[str, Any]]) -> Answers:
    """Everything that the pages of a seat can be told."""
    holder = SEAT + seat if seat else GUEST
    found = [
        (path, pages.asks(path, holder)[1]) for path in ("/state", "/menu", *(QUESTIONS if seat else QUESTIONS[-2:]))
    ]
    if seat:
        found += [(f"/may {line}", pages.asks("/may", holder, {"line": line})[1]) for line in lines]
        found += guesses(pages, seat, lines)
        found += [(f"/field {one}", pages.asks("/field", holder, one)[1]) for one in asked]
    else:
        found.append(("watcher", pages.asks("/state", WATCHER)[1]))
    found.append(("shown", pages.pages.host.run(lambda table: pages.pages.shown_to(table, holder))))
    run = pages.pages.site.events.run.encode()
    return [(name, answer.replace(run, b"")) for name, answer in found]


def guesses(pages: Straight, seat: str, lines: list[str], asked: object = None) -> Answers:
    """The answers to lines that are guessed at, now and as amendments."""
    found: Answers = []
    last = max((row["number"] for row in json.loads(pages.asks("/log", SEAT + seat)[1])), default=0)
    for line in lines:
        for words in (f"{line} {ALAS}", f"{ALAS} {line}", f"{ALAS} {' '.join(line.split()[:-1])}"):
            found.append((words, pages.asks("/may", SEAT + seat, {"line": words})[1]))
        change = {"how": "replace", "number": last, "line": f"{line} {ALAS}"}
        found.append((f"amended: {line}", pages.asks("/amend", SEAT + seat, change)[1]))
    return [(words, answer) for words, answer in found if b'"meant"' in answer]


def walks(table: Table, seat: str, rng: Random) -> list[dict[str, Any]]:
    """The first two fields of every verb of a seat, as far as they are known from what it may know."""
    found: list[dict[str, Any]] = []
    for who in (seat, ""):
        offered = menu(table.position, who)
        for verb in (*offered.verbs, *offered.offers):
            found.append({"verb": verb.name, "table": not who, "steps": []})
            field = offered.next(verb.name)
            values = [one.value for one in getattr(field, "values", []) if not one.refused]
            if values:
                how = "add" if getattr(field, "kind", "") in ("several", "pairs") else "take"
                found.append({"verb": verb.name, "table": not who, "steps": [{how: rng.choice(values)}]})
    return found


def alike(ones: Answers, others: Answers) -> None:
    """Each answer is the same in both; the first difference is told in a few words."""
    assert len(ones) == len(others)
    for (name, one), (_, other) in zip(ones, others, strict=True):
        if one != other:
            place = next(
                (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
            )
            near = slice(max(0, place - 120), place + 60)
            pytest.fail(f"{name}: {one[near]!r} is not {other[near]!r}", pytrace=False)


def compare(way: Way, seed: int, folder: Path, most: int, forks: int) -> int:
    """How many answers were compared."""
    twins, number = Twins(way, seed, folder), count(1)
    twins.play(most, forks)
    ignorant = [seat for seat in way.seats if seat not in twins.knowing]
    differ = any(one.position.state != twins.tables[1].position.state for one in twins.tables[:1])
    rng = Random(seed)
    asked = {seat: walks(twins.tables[0], seat, rng) for seat in ignorant}
    at = twins.tables[0].position
    lines: list[str] = []
    for _ in range(6):
        move = at.rules.propose(at, rng)
        if move is not None:
            lines.append(twins.tables[0].named.line(move, at))
    twins.close()
    if not differ:
        return 0
    answers: list[Answers] = []
    for path in twins.paths:
        with straight(path) as pages:
            found = [one for seat in ("", *ignorant) for one in whatever(pages, seat, lines, asked.get(seat, []))]
            published: list[Any] = []
            pages.pages.site.events.publish = lambda *event, into=published, **_: into.append(event)  # type: ignore[method-assign,assignment,misc]
            for seat in ignorant[:1]:
                for how in ("/undo", "/undo", "/redo"):
                    n = json.loads(pages.asks("/state", GUEST)[1])["number"]
                    found.append((how, pages.asks(how, SEAT + seat, {"after": n})[1]))
                found += whatever(pages, seat, [], [])
                saying = {"told": told(next(number)), "line": "nothing of the kind"}
                found.append(("/say", pages.asks("/say", SEAT + seat, saying)[1]))
            found.append(("events", json.dumps(published).encode()))
            answers.append(found)
    alike(*answers)
    return len(answers[0])


def planted(at: Position[Any], seat: str, rng: Random) -> Position[Any]:
    """The same table where others hold what seats that play by chance do not say: a card, wherever one may be kept."""
    other = at.copy()
    for into, name, blank, _ in hidden(other, seat):
        if blank is None and not isinstance(into, dict):
            cards = [piece.id for piece in at.rules.game.pieces if piece.set.startswith("warlord")]
            setattr(into, name, rng.choice(cards))
    return other


def compare_positions(
    way: Way, seed: int, folder: Path, most: int, some: int, answered: Callable[..., Answers] | None = None
) -> int:
    """The same of positions that differ in all that somebody may not know; how many answers were compared."""
    compared, rng = 0, Random(seed)
    played = laws.positions(way.rules, way.seats, seed, most)[1:-1]
    found = [
        (at, move, other, seat)
        for at, move in played[::5]
        for seat in way.seats
        if (other := otherwise(planted(at, seat, rng), seat, rng)).state != at.state
    ]
    for n, (at, move, other, seat) in enumerate(rng.sample(found, min(some, len(found)))):
        answers = []
        for name, one in (("one", at), ("other", other)):
            path = folder / f"{seed}-{n}-{name}" / "t.db"
            path.parent.mkdir()
            table, _ = Table.create(
                path, way.rules.game, load_rules, people=dict.fromkeys(way.seats, ""), start=one.state, name="t"
            )
            assert table is not None
            with table:
                asked = walks(table, seat, Random(n))
                lines = [table.named.line(move, at)]
            with straight(path) as pages:
                answers.append((answered or whatever)(pages, seat, lines, asked))
        alike(*answers)
        compared += len(answers[0])
    return compared


@pytest.mark.parametrize("way", WAYS[::2], ids=str)
def test_pages_tell_a_seat_nothing_of_a_position(way: Way, home: Path, tmp_path: Path) -> None:
    assert compare_positions(way, 6, tmp_path, 100, 1) > 5


@pytest.mark.parametrize("way", WAYS[::2], ids=str)
def test_guesses_tell_a_seat_nothing_of_a_position(way: Way, home: Path, tmp_path: Path) -> None:
    assert compare_positions(way, 7, tmp_path, 60, 4, guesses) > 2


@pytest.mark.parametrize(("way", "seed"), [(WAYS[1], 1), (WAYS[2], 2)], ids=str)
def test_pages_tell_nobody_what_others_hold(way: Way, seed: int, home: Path, tmp_path: Path) -> None:
    assert compare(way, seed, tmp_path, 40, 2) > 20


@pytest.mark.torture
@pytest.mark.parametrize("way", WAYS[::2], ids=str)
def test_pages_tell_a_seat_nothing_of_many_positions(way: Way, home: Path, tmp_path: Path) -> None:
    assert sum(compare_positions(way, seed, tmp_path, 400, 20) for seed in range(100, 112)) > 1000


@pytest.mark.torture
@pytest.mark.parametrize("way", WAYS[1:], ids=str)
def test_pages_tell_nobody_what_others_hold_in_many_games(way: Way, home: Path, tmp_path: Path) -> None:
    compared = sum(compare(way, seed, tmp_path, 20 + seed * 3 % 300, 1 + seed % 4) for seed in range(100, 180))
    assert compared > 1000
