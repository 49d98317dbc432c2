"""Lines that nobody should type in `companion play`: each gets an answer, and none ends the conversation."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from command_line import Companion

SEATS = {
    "orchard": ("ana=Ann", "bo=Ben", "cai=Cem"),
    "xarkant": ("red=Ann", "blue=Ben"),
    "dynasties": ("white=Ann", "black=Ben"),
    "warring-states": ("Qin=Ann", "Chu=Ben", "Zhao=Cem"),
    "tianxia": ("ana=Ann", "bo=Ben"),
    "great-wall": ("pine=Ann", "bamboo=Ben", "plum=Cem"),
}
COMMANDS = (
    *(
        "undo",
        "redo",
        "amend",
        "amend 1",
        "amend 2",
        "note",
        "correct",
        "correct seats.",
        "query",
        "check",
        "as",
        "rule",
    ),
    *("ask", "help", "?", "moves", "why", "!", "do", "can I", "show", "log", "score", "next", "go on", "how many", ""),
)
WORDS = (
    *("²", "٣", "-1", "0", "1", "99999999999999999999", "1e400", "[1]", "{}", "[{}]", "[[[[", '{"a":', "nan", "null"),
    *(
        '{"action": 1}',
        '{"action": ["x"]}',
        '{"event": {"a": 1}}',
        '{"query": 1}',
        '{"query": "score", "at": "²"}',
        '"',
    ),
    *(
        "ann",
        "Zoe\u0301",
        "\x1b[2J",
        "a\u2028b",
        "\x85",
        "a=b",
        "=",
        "x=²",
        "players.²",
        ";",
        ";;",
        "drop",
        "all",
        "pass all",
    ),
    *("because", "0 because x", "1 drop", "because because", "\ud7ff", "\U0010ffff", "'", "x" * 3000, "(", "%s", "{0}"),
)


def nasty(rng: Random, n: int) -> list[str]:
    """Lines of a command and words that do not belong together."""
    return [" ".join([rng.choice(COMMANDS), *rng.choices(WORDS, k=rng.randint(0, 3))]).strip() for _ in range(n)]


@pytest.mark.parametrize("game", SEATS)
def test_no_line_ends_the_conversation(companion: Companion, game: str) -> None:
    assert companion("new", game, *SEATS[game], "--table", "t").status == 0
    lines = nasty(Random(7), 120)
    told = companion("play", "--table", "t", stdin="\n".join([*lines, "note the end"]) + "\n")
    assert told.status == 0
    assert "a bug in the program" not in told.err, told.err
    assert companion("log", "--json").json["lines"][-1]["text"] == "the end"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("undo ²", "'²' is not a number of lines"),
        ("undo 99999999999999999999", "is not a number of lines"),
        ("amend ² x", "say which line of the log was really what"),
        ("correct seats.² ana because x", "'²' is not one of its places"),
        ("[1]", "expected an object with the move's name, found 1"),
        ('[{"action": "pass"}, "pass"]', "move 2: expected an object"),
        ('{"action": ["pass"]}', "no move is called ['pass']"),
        ("note \x1b[2J", "a note cannot hold the control character U+001B"),
        ("note " + "x" * 3000, "a note has 3000 characters; at most 2000 are allowed"),
        ("note", "a note needs a text"),
        ('{"action": "ladder", "player": "ana", "n": 1e300}', "1e+300 is more than anything at a table"),
        ("check ana pick fruit=99999999999", "99999999999 is more than anything at a table"),
        ("note caf\udce9", "this line is not UTF-8 text"),
    ],
)
def test_what_is_wrong_with_a_line_is_told(friday: Companion, line: str, said: str) -> None:
    told = friday("play", stdin=f"{line}\nnote still here\n")
    assert (told.status, said in told.err) == (0, True), told.err
    assert friday("log", "--json").json["lines"][-1]["text"] == "still here"


def test_a_line_without_end_ends_the_conversation(friday: Companion) -> None:
    told = friday("play", stdin="note one\n" + "x" * (3 * 2**20) + "\nnote two\n")
    assert (told.status, "a line of the input has more than 2 MiB" in told.err) == (2, True)
    assert [row["text"] for row in friday("log", "--json").json["lines"][-1:]] == ["one"]


def test_an_answer_to_a_step_that_was_presumed_does_not_end_the_conversation(
    companion: Companion, tmp_path: Path
) -> None:
    file = tmp_path / "p.yaml"
    file.write_text("{players: [ana, bo, cai], player: {ana: {coin: 30, salt: 8, tracks: {gold: 1}}}}")
    assert companion("new", "tianxia", "--position", str(file), "--table", "t").status == 0
    told = companion("play", stdin="ana qi exchange 1\nsilk\n\nnote still here\n")
    assert told.status == 0
    assert "still here" in companion("log").out


def test_a_fault_of_ours_costs_a_line(friday: Companion, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from companion.cli.conversation import Conversation

    monkeypatch.setattr("platformdirs.user_log_dir", lambda *_, **__: str(tmp_path))

    def broken(*_: object) -> None:
        raise IndexError("list index out of range")

    monkeypatch.setattr(Conversation, "score", broken)
    told = friday("play", stdin="score\nnote still here\n")
    assert told.status == 0
    assert "a bug in the program, not a mistake in your files: IndexError: list index out of range" in told.err
    assert "companion-fault.txt; please report them" in told.err
    assert "Nothing is recorded for this line" in told.err
    assert friday("log", "--json").json["lines"][-1]["text"] == "still here"
    monkeypatch.setattr(Conversation, "tell", broken)
    told = friday("play", stdin="ana pick pear\n")
    assert "The line is recorded." in told.err
    monkeypatch.setattr(Conversation, "prompt", broken)
    assert friday("play", stdin="note one\nnote two\n").status == 0
    assert [row["text"] for row in friday("log", "--json").json["lines"][-2:]] == ["one", "two"]


def test_ways_to_read_a_line_name_people_and_are_told_once(companion: Companion) -> None:
    """In the names of those who sit there, and not again as if they were legal."""
    assert companion("new", "warring-states", "Ann", "Ben", "Cem", "--table", "t").status == 0
    told = companion("play", stdin="ann cuts 12T, ben 5T, cem 3S\nann draws, ben draws\n")
    assert "says too much at once: type 'reveal' first, then the rest" in told.err
    said = "reveal barbarian\neverybody draws\nann sells a city and a mine and buys 2 armies\n"
    asked = "".join(companion("play", stdin=said).out.partition("could mean:")[1:])
    assert "1  Ann trade 1 City 1 Mine; Ann army 2\n" in asked and "Qin" not in asked and "legal now" not in asked
