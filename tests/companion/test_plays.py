"""The end of an evening: the summary, the play for BG Stats, and statistics over all tables."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest
from command_line import Companion

from companion.cli.evening import span
from companion.engine.language.people import People
from companion.engine.table import journal
from companion.engine.table.plays import Play, Seated, bgstats, by_game, gaps, play_of, tallies, thoughts
from companion.engine.table.table import Table
from companion.games import load_rules
from components.model import ResolvedGame


class Clock:
    """Time that passes as the test says."""

    def __init__(self) -> None:
        self.minutes = 0.0

    def __call__(self) -> str:
        hours, rest = divmod(self.minutes, 60)
        return f"2026-11-20T{int(hours):02}:{int(rest):02}:{round(rest % 1 * 60):02}+00:00"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(journal, "now", made)
    monkeypatch.setattr("companion.engine.table.table.now", made)
    return made


def finished(table: Table, seed: int) -> Table:
    """The table, played to its end."""
    rng = Random(seed)
    while not table.rules.over(table.position.state):
        move = table.rules.propose(table.position, rng)
        assert move is not None
        table.do([move])
    return table


@pytest.fixture
def shelf(home: Path, game: ResolvedGame, clock: Clock) -> Path:
    """Three tables of Mary, Ben and Zed: two finished ones, one of them with other seats, and one begun."""
    seated = ({"ana": "Mary", "bo": "Ben"}, {"ana": "Ben", "bo": "mary"}, {"ana": "Mary", "bo": "Zed"})
    for number, people in enumerate(seated):
        clock.minutes = number * 60
        path = home / "tables" / f"t{number}.db"
        made, _ = Table.create(path, game, load_rules, people=people)
        assert made is not None
        with made:
            clock.minutes += 10
            made.do(made.read("pass all"))
            if number < 2:
                clock.minutes += 10
                finished(made, number)
    return home


def test_time_is_counted_without_pauses(game: ResolvedGame, tmp_path: Path, clock: Clock) -> None:
    made, _ = Table.create(tmp_path / "t.db", game, load_rules, people={"ana": "Mary", "bo": ""})
    assert made is not None
    with made as table:
        for minutes, line in ((2, "pass all"), (20, "pick pear"), (31, "pick pear"), (3.5, "pass all")):
            clock.minutes += minutes
            assert table.do(table.read(line), line).done
        clock.minutes += 5
        table.note("tea")
        play = play_of(table)
        assert play.seconds == round((2 + 20 + 3.5 + 5) * 60)
        longest = [(thought.line, thought.seconds) for thought in thoughts(table)]
        assert longest == [(3, 20 * 60), (5, 210), (2, 120)]
        assert thoughts(table)[0].seat == "ana"
        assert (play.lines, play.moves, play.over) == (6, 4, False)


def test_stamps_that_tell_no_time_take_none() -> None:
    stamps = [f"2026-11-20T10:00:{seconds}+00:00" for seconds in ("00", "x", "05", "00", "02")]
    assert gaps(stamps) == [0, 0, 0, 2]
    assert [span(n) for n in (5, 60, 3599, 3600, 7500)] == ["5 s", "1 min", "1 h 0 min", "1 h 0 min", "2 h 5 min"]


def test_a_finished_table_on_one_page(shelf: Path, companion: Companion) -> None:
    told = companion("summary", "--table", "t0")
    form = companion("summary", "--table", "t0", "--json").json
    score = companion("score", "--table", "t0", "--json").json
    assert {seat["seat"]: seat["score"] for seat in form["seats"]} == score["totals"]
    assert form["winners"] == list(score["ending"]["winners"])
    names = {"ana": "Mary", "bo": "Ben"}
    assert f"{' and '.join(names[seat] for seat in form['winners'])} won. {score['ending']['reason']}" in told.out
    assert "20 min of play" in told.out
    assert "10 min before line 2: Mary pass; Ben pass" in told.out
    assert companion("export", "--format", "text", "--table", "t0").out == told.out


def test_the_course_of_the_score_is_drawn_as_far_as_the_ledger_knows_it(
    shelf: Path, companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stage(msgspec.Struct):
        title: str
        totals: dict[str, int]

    stages = (Stage("Round 1", {"ana": 3, "bo": 12}), Stage("Round 2", {"ana": 5, "bo": 12}))
    monkeypatch.setattr("companion.cli.evening._course", lambda ledger: list(stages))
    out = companion("summary", "--table", "t2").out.splitlines()
    at = next(n for n, line in enumerate(out) if line.startswith("Round 1"))
    assert out[at - 1 : at + 2] == [
        "         Mary  Zed",
        "Round 1     3   12",
        "Round 2     5   12",
    ]
    assert out[at + 2].startswith("Now ")


def test_the_summary_comes_of_itself_when_a_game_ends(shelf: Path, companion: Companion) -> None:
    last = companion("log", "--table", "t0", "--json").json["lines"][-1]["text"]
    companion("undo", "--table", "t0")
    before = companion("play", "t0", stdin="note tea\n").out
    assert "Orchard, table t0" not in before
    ended = companion("play", "t0", stdin=f"{last}\nnote tea\n").out
    assert ended.count("Orchard, table t0") == 1
    assert " won. " in ended


def test_a_play_for_bg_stats(shelf: Path, companion: Companion) -> None:
    told = companion("export", "--format", "bgstats", "--table", "t0")
    play = json.loads(told.out)
    score = companion("score", "--table", "t0", "--json").json
    assert set(play) == {
        *("sourceName", "sourcePlayId", "playDate", "durationMin", "board", "comments", "game", "players")
    }
    assert (play["sourceName"], play["durationMin"]) == ("Tablewright", 20)
    assert play["game"] == {"name": "Orchard", "sourceGameId": "orchard", "highestWins": True, "noPoints": False}
    assert {row["role"]: row["score"] for row in play["players"]} == score["totals"]
    assert {row["role"] for row in play["players"] if row["winner"]} == set(score["ending"]["winners"])
    assert sorted(row["name"] for row in play["players"]) == ["Ben", "Mary"]
    link = urlsplit(told.err.splitlines()[-1])
    assert (link.scheme, link.netloc, link.path) == ("https", "app.bgstatsapp.com", "/createPlay.html")
    assert json.loads(parse_qs(link.query)["data"][0]) == play
    assert "nobody has won yet" in companion("export", "--format", "bgstats", "--table", "t2").err


def test_a_play_is_told_with_the_names_of_people() -> None:
    nobody = Play(
        id="x", table="t", game="g", title="G", variants=[], began="", ended="", seconds=0, lines=1, moves=1,
        over=True, reason="red has no disc to return", unit="points", overrides=0, seats=[],
    )  # fmt: skip
    assert bgstats(nobody, People(None, {"red": "Ana"}))["comments"] == "Ana has no disc to return"


def test_the_lowest_score_may_win() -> None:
    nobody = People(None, {})

    def play(*scores: int) -> Play:
        seats = [
            Seated(seat=f"s{n}", person="", before=[], place=n, score=score, won=n == 1)
            for n, score in enumerate(scores, 1)
        ]
        return Play(
            id="x", table="t", game="g", title="G", variants=[], began="", ended="", seconds=0, lines=1, moves=1,
            over=True, reason="", unit="points", overrides=0, seats=seats,
        )  # fmt: skip

    assert bgstats(play(9, 4, 1), nobody)["game"]["highestWins"] is True
    assert bgstats(play(1, 4, 9), nobody)["game"]["highestWins"] is False
    assert bgstats(play(4, 4), nobody)["game"]["highestWins"] is True
    assert bgstats(play(0, 0), nobody)["game"]["noPoints"] is True


def test_statistics_count_every_table(shelf: Path, companion: Companion) -> None:
    companion("archive", "t1")
    found = companion("stats", "--json").json
    assert (found["plays"], found["finished"], found["problems"]) == (3, 2, [])
    (orchard,) = found["games"]
    assert (orchard["plays"], orchard["finished"], orchard["length"]) == (3, 2, 20 * 60)
    by_name = {row["person"]: row for row in orchard["people"]}
    assert set(by_name) == {"Mary", "Ben", "Zed"}  # `mary` is Mary
    assert (by_name["Mary"]["plays"], by_name["Mary"]["finished"]) == (3, 2)
    assert by_name["Mary"]["seats"] == {"ana": 2, "bo": 1}
    scores = {
        name: [companion("score", "--json", "--table", name).json["totals"][seat]]
        for name, seat in (("t0", "ana"), ("t2", "ana"))
    }
    companion("archive", "t1", "--undo")
    both = [*scores["t0"], companion("score", "--json", "--table", "t1").json["totals"]["bo"]]
    assert (by_name["Mary"]["mean"], by_name["Mary"]["best"]) == (round(sum(both) / 2, 1), max(both))
    wins = sum(len(companion("summary", "--json", "--table", name).json["winners"]) for name in ("t0", "t1"))
    assert sum(row["wins"] for row in orchard["people"]) == wins
    assert by_name["Zed"] | {"person": "", "seconds": 0} == {
        "person": "",
        "plays": 1,
        "finished": 0,
        "wins": 0,
        "mean": None,
        "best": None,
        "seats": {"bo": 1},
        "seconds": 0,
    }
    out = companion("stats", "orchard").out
    assert "Orchard: 3 plays, 2 finished, 20 min each" in out
    assert "  Zed: 1 play, none finished, as bo" in out


def test_copies_and_tables_without_moves_do_not_count(shelf: Path, companion: Companion, tmp_path: Path) -> None:
    companion("new", "orchard", "ana=Mary", "bo=Ben", "--table", "empty")
    companion("export", "--table", "t0", "--out", str(tmp_path / "t0.jsonl"))
    assert companion("import", str(tmp_path / "t0.jsonl"), "--table", "copy").status == 0
    assert companion("stats", "--json").json["plays"] == 3
    assert companion("stats", "xarkant", "--json").json["plays"] == 0


def test_a_table_that_cannot_be_read_is_told_and_the_others_count(shelf: Path, companion: Companion) -> None:
    (shelf / "tables" / "t0.db").write_bytes(b"no table at all")
    found = companion("stats", "--json")
    assert found.status == 1
    assert found.json["plays"] == 2
    assert [row["table"] for row in found.json["problems"]] == ["t0"]
    assert "! t0: " in companion("stats").err


def test_statistics_of_a_game_there_is_not(companion: Companion) -> None:
    refused = companion("stats", "orchart")
    assert (refused.status, "did you mean 'orchard'" in refused.err) == (2, True)


def test_nothing_is_counted_twice_and_people_of_all_games_are_together(shelf: Path) -> None:
    plays = []
    for name in ("t0", "t1", "t2"):
        with Table.open(shelf / "tables" / f"{name}.db", load_rules) as table:
            plays.append(play_of(table))
    other = msgspec.structs.replace(plays[0], game="other", title="Other")
    games = by_game([*plays, other])
    assert [(tally.game, tally.plays) for tally in games] == [("orchard", 3), ("other", 1)]
    assert {tally.person: tally.plays for tally in tallies([*plays, other])} == {"Mary": 4, "Ben": 3, "Zed": 1}
