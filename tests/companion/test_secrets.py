"""What a seat may not know is in no output that another seat reads."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from command_line import Companion

from companion.cli.pages import page
from companion.engine.language.people import people_of
from companion.engine.play.position import Position
from companion.engine.play.secrets import seen_by, seen_form
from companion.engine.things import sealed
from companion.games import load_rules
from components.resolve import resolve_game

CARDS = ("C1", "C2", "C3", "C4", "C5", "C6")


SECRETS = {
    "great-wall": ["player.*.res.*", "chosen.*"],
    "warring-states": ["players.*.resource_known", "players.*.battle_known"],
    "dynasties": ["players.*.warlord.card"],
    "tianxia": [],
    "xarkant": [],
}
"""What only the seat in its path knows, as the briefs of the games say."""


@pytest.fixture(autouse=True)
def nothing_known() -> Iterator[None]:
    """Each test is a process of its own as far as keys are concerned."""
    sealed._keys.clear()
    yield
    sealed._keys.clear()


@pytest.fixture
def fall(companion: Companion, tmp_path: Path) -> Companion:
    """A table of The Great Wall at which command cards are chosen; pine has sealed C2."""
    file = tmp_path / "fall.yaml"
    file.write_text("{players: [pine, bamboo, plum], year: 1, season: fall, step: fall.1}")
    assert companion("new", "great-wall", "--position", str(file), "--table", "t").status == 0
    done = companion("do", "pine choose C2", "bamboo choose C4")
    assert done.status == 0, done.out + done.err
    sealed._keys.clear()
    return companion


def test_a_sealed_card_is_told_as_such_wherever_the_past_is_set_right(fall: Companion) -> None:
    """No digest is printed where a line is amended, dropped, undone or redone."""
    said = fall("play", stdin="amend 1 pine choose C3\nundo\nundo\nredo\ndrop 1\n").out
    assert "amended: line 1 was pine choose sealed\n" in said and "dropped: 1 pine choose sealed\n" in said
    assert "sealed:" not in said


def everything(companion: Companion, home: Path) -> str:
    """All that anybody can have of the table but by its owner's key: every answer, and the file itself."""
    said = [
        companion(*words)
        for words in (
            *(["show"], ["show", "--json"], ["show", "--json", "--seat", "plum"], ["log"], ["log", "--json"]),
            *(
                ["log", "--events"],
                ["export"],
                ["export", "--format", "yaml"],
                ["moves", "--json"],
                ["score", "--json"],
            ),
            *(["check", "plum choose C1", "--json"], ["log", "--all", "--json"]),
            *(["summary"], ["summary", "--json"], ["export", "--format", "text"], ["export", "--format", "bgstats"]),
        )
    ]
    assert all(one.status == 0 for one in said)
    return "".join(one.out + one.err for one in said) + (home / "tables" / "t.db").read_bytes().decode("latin-1")


def guessed(text: str) -> list[str]:
    """The cards that somebody finds who tries every card against every digest, with whatever stands in the text."""
    digests = set(re.findall(r"\b[0-9a-f]{64}\b", text))
    keys = {"", *re.findall(r"\b[0-9a-f]{8,63}\b", text), *re.findall(r"\b[0-9a-f]{16}(?=:)", text)}
    tried = ((card, key) for card in CARDS for key in keys)
    return [card for card, key in tried if sha256(f"{key}:{card}".encode()).hexdigest() in digests]


def test_a_sealed_card_cannot_be_guessed(fall: Companion, home: Path) -> None:
    text = everything(fall, home)
    assert len(set(re.findall(r"\b[0-9a-f]{64}\b", text))) >= 2  # the seals are there
    assert guessed(text) == []
    assert "choose C2" not in text and "choose C4" not in text
    known = "0123456789abcdef"  # what earlier versions wrote could be guessed
    assert guessed(f"{known}:{sha256(f'{known}:C2'.encode()).hexdigest()}") == ["C2"]


def test_the_key_lies_beside_the_table_for_its_user_alone(fall: Companion, home: Path) -> None:
    kept = [json.loads(file.read_text()) for file in sorted((home / "tables" / ".seals").iterdir())]
    assert sorted(key["seat"] for key in kept) == ["bamboo", "pine"]
    for place in [home / "tables" / ".seals", *(home / "tables" / ".seals").iterdir()]:
        assert stat.S_IMODE(place.stat().st_mode) & 0o077 == 0


def test_the_card_that_was_sealed_is_the_one_to_show(fall: Companion, home: Path) -> None:
    assert fall("do", "plum choose").status == 0
    other = fall("do", "reveal pine C3 bamboo C4 plum C1")
    assert (other.status, "GW-FALL-2" in other.out) == (1, True)
    shown = fall("do", "reveal pine C2 bamboo C4 plum C1")
    assert shown.status == 0, shown.out
    assert "cannot be compared" not in shown.out
    rows = [json.loads(row) for row in fall("export").out.splitlines()]
    keys = rows[-1]["keys"]
    assert len(keys) == 2
    seals = {row["steps"][0]["move"].get("card"): row["steps"][0]["move"]["by"] for row in rows[1:3]}
    for seal, key in keys.items():
        card = {"pine": "C2", "bamboo": "C4"}[seals[seal]]
        assert seal == f"sealed:{sha256(f'{key}:{card}'.encode()).hexdigest()}"


def test_keys_are_found_whatever_becomes_of_the_table(fall: Companion) -> None:
    for words in (
        ["migrate", "--set", "grid.full_board_shame=3", "--from", "now"],
        ["people", "pine=Ann"],
        ["rename", "t", "friday"],
        ["archive", "friday"],
        ["archive", "friday", "--undo"],
    ):
        told = fall(*words)
        assert told.status == 0, (words, told.err)
    assert fall("do", "plum choose").status == 0
    assert fall("do", "reveal pine C3 bamboo C4 plum C1").status == 1
    shown = fall("do", "reveal pine C2 bamboo C4 plum C1")
    assert (shown.status, "cannot be compared" in shown.out) == (0, False)


def test_an_amended_choice_is_sealed_like_any(fall: Companion, home: Path) -> None:
    tried = fall("amend", "1", "pine choose C3", "--dry-run")
    assert tried.status == 0, tried.err
    assert len(list((home / "tables" / ".seals").iterdir())) == 2  # nothing is kept of what is only tried
    said = fall("play", stdin="amend 1 pine choose C3\nlog\n")
    assert "amended: line 1 was pine choose sealed" in said.out, said.out + said.err
    sealed._keys.clear()
    text = everything(fall, home)
    assert guessed(text) == []
    assert "choose C3" not in text
    assert fall("do", "plum choose").status == 0
    assert fall("do", "reveal pine C2 bamboo C4 plum C1").status == 1
    assert fall("do", "reveal pine C3 bamboo C4 plum C1").status == 0


def test_what_was_shown_can_be_checked_anywhere(fall: Companion, home: Path, tmp_path: Path) -> None:
    assert fall("do", "plum choose", "reveal pine C2 bamboo C4 plum C1").status == 0
    text = fall("export").out
    for file in (home / "tables" / ".seals").iterdir():
        file.unlink()
    good, forged = tmp_path / "good.jsonl", tmp_path / "forged.jsonl"
    good.write_text(text)
    assert text.count('"pine": "C2"') == 1
    forged.write_text(text.replace('"pine": "C2"', '"pine": "C3"'))
    sealed._keys.clear()
    assert fall("import", str(good), "--table", "again").status == 0
    sealed._keys.clear()
    told = fall("import", str(forged), "--table", "forged")
    assert told.status == 2 and "is not legal" in told.err
    fall("undo", "--table", "again")
    sealed._keys.clear()
    assert fall("do", "reveal pine C3 bamboo C4 plum C1", "--table", "again").status == 1


def test_a_card_whose_key_is_elsewhere_is_shown_with_a_remark(fall: Companion, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    exported = fall("export")
    file.write_text(exported.out)
    with_keys = fall("export", "--with-keys")
    assert "whoever reads this can see 2 cards that nobody has shown yet" in with_keys.err
    assert guessed(exported.out) == [] and guessed(with_keys.out) == ["C2", "C4"]
    other = tmp_path / "keys.jsonl"
    other.write_text(with_keys.out)
    for name in (home / "tables" / ".seals").iterdir():
        name.unlink()
    sealed._keys.clear()
    assert fall("import", str(file), "--table", "away").status == 0
    assert fall("do", "plum choose", "reveal pine C3 bamboo C4 plum C1", "--table", "away").status == 0
    log = fall("log", "--table", "away").out
    assert "! what pine had sealed cannot be compared: its key is not on this machine" in log
    sealed._keys.clear()
    assert fall("import", str(other), "--table", "home").status == 0
    sealed._keys.clear()
    assert fall("do", "plum choose", "reveal pine C3 bamboo C4 plum C1", "--table", "home").status == 1


def test_a_card_sealed_by_an_earlier_version_is_shown(companion: Companion, tmp_path: Path) -> None:
    """Its key stands in front of it."""
    salt = "0123456789abcdef"
    seal = f"{salt}:{sha256(f'{salt}:C2'.encode()).hexdigest()}"
    file = tmp_path / "fall.json"
    form = {"players": ["pine", "bamboo", "plum"], "year": 1, "season": "fall", "step": "fall.1"}
    file.write_text(json.dumps({**form, "chosen": {"pine": seal, "bamboo": "", "plum": ""}}))
    assert companion("new", "great-wall", "--position", str(file), "--table", "t").status == 0
    assert companion("do", "reveal pine C3 bamboo C4 plum C1").status == 1
    assert companion("do", "reveal pine C2 bamboo C4 plum C1").status == 0


def test_a_key_that_cannot_be_kept_seals_nothing(fall: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "key")

    monkeypatch.setattr("companion.engine.table.keys.write_whole", full)
    told = fall("do", "plum choose C1")
    assert (told.status, "the key of a sealed choice cannot be kept: No space left" in told.err) == (2, True)
    assert fall("log", "--json").out.count('"choose_command"') == 2


def test_an_amended_choice_is_sealed_too(fall: Companion, home: Path) -> None:
    assert fall("amend", "1", "pine choose C5").status == 0
    assert guessed(everything(fall, home)) == []
    sealed._keys.clear()
    assert fall("do", "plum choose").status == 0
    assert fall("do", "reveal pine C2 bamboo C4 plum C1").status == 1
    assert fall("do", "reveal pine C5 bamboo C4 plum C1").status == 0


# --- what a seat may know of a position ----------------------------------------


def positions(game: str, rng: Random) -> Iterator[Position[Any]]:
    """Positions of random games, some of them with what people told of their hands."""
    variants = {"dynasties": ["warlords"], "great-wall": ["everything"]}.get(game, [])
    resolved = resolve_game(game, variants=variants)
    rules = load_rules(resolved)
    seats = {"dynasties": ["white", "black"], "warring-states": ["Qin", "Chu", "Zhao"]}
    for _ in range(2):
        at: Position[Any] = Position(rules, rules.new_state())
        assert at.play(rules.setup_move(seats.get(game, resolved.seats[:3]), {})).legal
        for turn in range(60):
            move = rules.propose(at, rng)
            if move is None:
                break
            if at.play(move).legal and turn % 6 == 5:
                yield at.copy()


def told_otherwise(at: Position[Any], game: str, seat: str, rng: Random) -> Position[Any]:
    """The same table with other secrets in the hands of everybody but `seat`."""
    form = msgspec.to_builtins(at.state)
    cards = {"resource_known": ["Mine", "City"], "battle_known": ["7T", "12T"], "card": ["ST-1", "KS-1"]}
    for path in SECRETS[game]:
        above, _, last = path.rpartition(".*" if path.endswith("*") else ".")
        for place, owner in places(form, above.rstrip(".").split("."), ""):
            keys = [key for key in place if key != seat and owner != seat] if path.endswith("*") else [last]
            for key in keys if owner != seat else []:
                if last == "resource_known":
                    place[key] = {rng.choice(cards[last]): rng.randint(1, 2)}
                elif last == "battle_known":
                    place[key] = [rng.choice(cards[last])]
                elif last == "card":
                    place[key] = (
                        rng.choice(cards[last]) if place["status"] == "held" and not place["armed"] else place[key]
                    )
                elif path == "chosen.*":
                    place[key] = sealed.seal(rng.choice(CARDS))
                else:
                    place[key] += rng.randint(0, 3)
    return Position(at.rules, msgspec.convert(form, at.rules.state))


def places(form: Any, way: list[str], owner: str) -> Iterator[tuple[dict[str, Any], str]]:
    """The mappings at the end of a path, each with the seat that `*` stood for first."""
    if not way:
        yield form, owner
    elif way[0] == "*":
        for key, inner in form.items():
            yield from places(inner, way[1:], owner or key)
    elif way[0] in form:
        yield from places(form[way[0]], way[1:], owner)


def answers(at: Position[Any], seat: str) -> str:
    """All that `show --seat` says."""
    seen = seen_by(at, seat)
    said = {"state": seen_form(at, seat), "to_move": at.rules.to_move(seen.state), "phase": at.rules.phase(seen.state)}
    return json.dumps(said) + page(seen, people_of({}), seat=seat)


@pytest.mark.parametrize("game", SECRETS)
def test_two_positions_that_a_seat_cannot_tell_apart_are_shown_alike(game: str) -> None:
    rng = Random(2)
    differed = seen = 0
    for at in positions(game, rng):
        if game == "great-wall" and at.state.step == "fall.1":
            at.state.chosen = {clan: sealed.seal(rng.choice(CARDS)) for clan in at.state.players[1:]}
        for seat in at.seats:
            other = told_otherwise(at, game, seat, rng)
            seen += 1
            differed += at.rules.dump(at.state) != at.rules.dump(other.state)
            assert answers(at, seat) == answers(other, seat)
            mine = seen_form(at, seat)
            assert set(mine) == set(at.rules.dump(at.state))  # no field is gone
            assert at.rules.to_move(seen_by(at, seat).state) == at.rules.to_move(at.state)
    assert seen > 20 and (differed > seen / 4 or not SECRETS[game])


def test_a_seat_sees_its_own_secrets_and_no_others(companion: Companion, tmp_path: Path) -> None:
    file = tmp_path / "p.yaml"
    file.write_text(
        "{players: [pine, bamboo, plum], year: 1, season: fall, step: fall.1,"
        " player: {pine: {res: {wood: 3}}, plum: {res: {gold: 2}}}}"
    )
    assert companion("new", "great-wall", "pine=Ann", "--position", str(file), "--table", "t").status == 0
    assert companion("do", "pine choose C2", "plum choose C3").status == 0
    whole = companion("show", "--json").json["state"]
    state = companion("show", "--json", "--seat", "ann").json["state"]
    assert state["player"]["pine"]["res"] == whole["player"]["pine"]["res"]
    assert state["player"]["pine"]["res"]["wood"] == 3
    assert state["player"]["plum"]["res"] == dict.fromkeys(whole["player"]["plum"]["res"])
    assert state["chosen"]["pine"] == whole["chosen"]["pine"] != ""
    assert state["chosen"]["plum"] is None
    told = companion("show", "--seat", "ann").out
    assert "Behind the screen of Ann: 3 wood" in told and "Behind the screen of plum" not in told


# --- what a seat may know of a log ----------------------------------------

LOGS = {
    "great-wall": (
        "{players: [pine, bamboo, plum], year: 1, season: fall, step: fall.1}",
        ["pine choose {}", "bamboo choose"],
        ("C1", "C5"),
    ),
    "warring-states": (
        "{seats: [Qin, Chu, Zhao], phase: income, active: Qin, players: {Qin: {}, Chu: {}, Zhao: {}}}",
        [
            '{{"action": "draw_income", "player": "Qin", "cards": ["{}"]}}',
            "draw chu",
            "draw zhao",
            '{{"action": "trade", "a": "Qin", "b": "Chu", "a_gives": {{"{}": 1}}, "b_gives": 1}}',
        ],
        ("Mine", "City"),
    ),
}
"""A position, what is said in it, and two words of which another seat must not know which was said."""


@pytest.mark.parametrize("game", LOGS)
def test_two_logs_that_a_seat_cannot_tell_apart_are_shown_alike(
    companion: Companion, tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.engine.table.journal.now", lambda: "2026-11-23T12:00:00+00:00")
    position, lines, words = LOGS[game]
    file = tmp_path / "p.yaml"
    file.write_text(position)
    told: dict[str, list[str]] = {}
    for word in words:
        home = tmp_path / word
        monkeypatch.setattr("companion.cli.common.Settings.home", home)
        assert companion("new", game, "--position", str(file), "--table", "t").status == 0
        for line in lines:
            done = companion("do", line.format(word) if "{}" in line else line)
            assert done.status == 0, (line, done.out, done.err)
        for undone in range(len(lines) + 1):
            for more in (["--json"], ["--events"], ["--all"], ["--all", "--json"]):
                seen = companion("log", "--seat", "plum" if game == "great-wall" else "Zhao", *more)
                assert seen.status == 0
                told.setdefault(word, []).append(seen.out)
            companion("undo" if undone < len(lines) else "redo")
        own = companion("log", "--json", "--seat", "pine" if game == "great-wall" else "Qin").out
        assert "sealed:" in own if game == "great-wall" else word in own
    one, other = told.values()
    assert one == other
    assert not any(word in text for word in words for text in one)


def test_a_correction_of_a_secret_is_seen_by_its_seat(companion: Companion, tmp_path: Path) -> None:
    file = tmp_path / "p.yaml"
    file.write_text(LOGS["great-wall"][0])
    assert companion("new", "great-wall", "--position", str(file), "--table", "t").status == 0
    for field in ("player.pine.res.gold", "year"):
        assert companion("correct", field, "7", "--reason", "I had miscounted 7 of them").status == 0
    own, other = (companion("log", "--seat", seat).out for seat in ("pine", "plum"))
    assert "correct player.pine.res.gold = 7" in own
    assert "correct player.pine.res.gold" in other and "gold = 7" not in other
    assert own.count("7 of them") == 2 and other.count("7 of them") == 1
    assert "correct year = 7" in other


def test_a_summary_is_worded_by_what_everybody_may_know(
    companion: Companion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is a page for all, and quotes the moves that took the most thought."""
    minutes = iter(range(0, 59, 2))
    for place in ("journal", "table"):
        monkeypatch.setattr(f"companion.engine.table.{place}.now", lambda: f"2026-11-23T12:{next(minutes):02}:00+00:00")
    position, lines, words = LOGS["warring-states"]
    file = tmp_path / "p.yaml"
    file.write_text(position)
    assert companion("new", "warring-states", "--position", str(file), "--table", "t").status == 0
    for line in lines:
        assert companion("do", line.format(words[0]) if "{}" in line else line).status == 0
    for told in (["summary"], ["summary", "--json"], ["export", "--format", "text"]):
        out = companion(*told).out
        assert "Qin draw" in out and words[0] not in out
