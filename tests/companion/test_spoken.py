"""Lines as people say them: other words for a verb, several things in one line, names run together, questions."""

from __future__ import annotations

from typing import Any

import pytest
from command_line import Companion

from companion.engine.language.notation import NotationError, near, read
from companion.engine.language.words import Phrasebook, tokens
from companion.engine.play.moves import acting, made_by
from companion.engine.play.position import Position
from companion.games import load_rules
from components.resolve import resolve_game

At = Position[Any]
ALL = {
    "xarkant": ("red=Ana", "blue=Bo"),
    "dynasties": ("white=Ann", "black=Ben"),
    "warring-states": ("Qin=Ann", "Chu=Ben", "Zhao=Cem"),
    "tianxia": ("ana=Ann", "bo=Ben"),
    "great-wall": ("pine=Ann", "bamboo=Ben", "plum=Cem"),
}


@pytest.fixture
def friday(companion: Companion) -> Companion:
    """A table of three, in the first round of turns."""
    assert companion("new", "orchard", "ana=Mary", "bo=Ben", "cai", "--table", "friday").status == 0
    assert companion("do", "pass all").status == 0
    return companion


@pytest.fixture
def companion(home: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Companion:
    return Companion(capsys, monkeypatch)


def at_the_table(name: str, form: dict[str, Any]) -> At:
    from companion.engine.language.positionfile import from_form

    rules = load_rules(resolve_game(name))
    return Position(rules, from_form(form, rules))


def said(line: str, at: At, people: dict[str, str] | None = None) -> list[dict[str, Any]]:
    return [move.to_json() for move in read(line, at, people=people)]


# --- names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("groundswell", "Ground Swell"),
        ("ground-swell", "Ground Swell"),
        ("ground the swell", "Ground Swell"),
        ("glow worm", "Glow-worm"),
        ("glowworm", "Glow-worm"),
        ("three mines", "3 mines"),
        ("scholars lamp", "Scholar's Lamp"),
    ],
)
def test_a_name_may_be_written_together_or_apart(typed: str, value: str) -> None:
    names = ("Ground Swell", "Glow-worm", "3 mines", "Scholar's Lamp", "Swell")
    line = tokens(typed)
    found = Phrasebook({name: name for name in names}).matches(line, 0)
    assert [match.value for match in found if match.length == len(line)] == [value]


# --- verbs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ana picked a pear", "ana pick pear"),
        ("ana drew a pear", "ana draw pear"),
        ("ana takes a pear", "ana pick pear"),
        ("ana buys ladder", "ana buy ladder"),
        ("ana wants to raid bo", "ana raid bo"),
        ("ana's pick is a pear", "ana pick pear"),
        ("please raid bo", "raid bo"),
    ],
)
def test_other_words_for_a_verb(at: At, typed: str, meant: str) -> None:
    assert read(typed, at) == read(meant, at)


@pytest.mark.parametrize("line", ["ana frobnicates a pear", "ana puts", "ana will", "wants", "i"])
def test_what_says_nothing_is_still_refused(at: At, line: str) -> None:
    with pytest.raises(NotationError):
        read(line, at)


def test_several_things_in_one_line(at: At) -> None:
    line = "ana buys 2 ladders and raids bo loudly"
    assert read(line, at) == [*read("ana buy 2 ladders", at), *read("ana raid bo loudly", at)]
    assert read("ladder 1, then raid bo", at) == [*read("ladder 1", at), *read("raid bo", at)]
    assert [move.to_json().get("a") for move in read("ana swap bo 2 pears for 1 plum and 1 pear", at)] == ["ana"]
    with pytest.raises(NotationError):
        read("ana buys 2 ladders and sings", at)


def test_a_seat_before_a_report_announces_what_it_shows() -> None:
    at = at_the_table("dynasties", {"dynasty": 2, "phase": "battles", "provinces": {"Xinjiang": {"white": 2}}})
    people = {"Ann": "white", "Ben": "black"}
    wanted = said("reveal tibet 6 3", at)
    for line in (
        "white reveals 6 in tibet, black 3",
        "black shows 3 in tibet, white 6",
        "ann shows a 6 in tibet, ben shows 3",
        "reveal tibet: white 6, black 3",
    ):
        assert said(line, at, people) == wanted, line


def test_letters_may_be_written_together() -> None:
    at = at_the_table("dynasties", {"phase": "setup"})
    assert said("tiles egcia", at) == said("tiles E G C I A", at)


def test_a_number_alone_looks_like_the_code_that_ends_with_it() -> None:
    book = Phrasebook({code: code for code in ("h36", "h136", "h3", "night")})
    assert book.nearest("36") == ["h36"] and book.nearest("45") == []


def test_a_line_with_named_values_is_no_command(companion: Companion) -> None:
    companion("new", "great-wall", "pine", "bamboo", "plum", "--table", "t")
    done = companion("play", stdin="correct field=player.pine.honor value=5 reason=miscounted\n")
    assert done.out.startswith("OK: correct") and "unknown field" not in done.err


def test_a_verb_of_several_words_may_hold_an_article() -> None:
    terrain = ["WWQFFW", "QWQQFF", "QFQFFF", "QFFWWQ", "WFQQWQ", "WFFWWQ"]
    at = at_the_table("xarkant", {"players": ["ana", "bo"], "terrain": terrain})
    assert said("ana builds a village on b4", at) == said("ana village b4", at)
    assert said("ana puts a church on the village b1", at) == said("ana church village b1", at)


@pytest.mark.parametrize(
    ("name", "form", "typed", "meant"),
    [
        ("warring-states", {"phase": "taxes"}, "qin melds mine mine mine", "qin meld 3 mines"),
        ("warring-states", {"phase": "taxes"}, "qin melds city, mine, agriculture", "qin meld each"),
        ("warring-states", {"phase": "build"}, "qin puts steadfast into play", "qin deploy steadfast"),
        ("warring-states", {"phase": "build"}, "qin deploys steadfast general", "qin deploy steadfast"),
        ("great-wall", {"season": "spring"}, "time passes", "time"),
        ("great-wall", {"season": "summer"}, "pine takes the honor back", "pine reclaim honor"),
        ("great-wall", {"season": "fall"}, "pine places none", "pine place"),
        ("great-wall", {}, "pine advisors A19 active, A08 support", "pine advisors active A19 support A08"),
        ("great-wall", {}, "pine advisors A19 support, A08 active", "pine advisors active A08 support A19"),
        ("great-wall", {}, "pine advisors A19 support A08", "pine advisors active A19 support A08"),
    ],
)
def test_words_of_a_move_as_people_say_it(name: str, form: dict[str, Any], typed: str, meant: str) -> None:
    where = "players" if name == "great-wall" else "seats"
    at = at_the_table(name, {where: [pair.partition("=")[0] for pair in ALL[name]], **form})
    assert said(typed, at) == said(meant, at)


def test_of_a_secret_report_one_is_shown_and_it_is_legal(at: At) -> None:
    shown = [line for line in near("xyzzy", at, 9) if "pick" in line]
    assert len(shown) == 1 and at.judge(read(shown[0], at)[0]).legal
    assert near("pick plumm", at)[0] == "ana pick Golden Plum"


# --- questions and commands in `play` --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("what can I do?", ""),
        ("status", "next:"),
        ("now what?", "next:"),
        ("who's turn is it", "next:"),
        ("why", "nothing has been judged yet"),
        ("how do I win", "this is not a move; the rules say:\n"),
        ("what happens when there is a tie?", "this is not a move; the rules say:\n"),
        ("rule win", "\n    "),
    ],
)
def test_what_people_ask_is_answered_in_every_game(companion: Companion, name: str, typed: str, told: str) -> None:
    companion("new", name, *ALL[name], "--table", "t")
    result = companion("play", stdin=f"{typed}\nbye\nnever read\n")
    assert told in result.out and result.out
    assert result.err in ("", "table t\n")


def test_why_shows_the_rules_of_the_last_answer(friday: Companion) -> None:
    out = friday("play", stdin="raid bo\nwhy\nladder 1\nwhy?\n").out
    assert "OR-RAID-1  " in out.partition("OK:")[0] and "OR-LADDER-1  " in out.partition("OK:")[2]


def test_a_field_is_corrected_in_play(friday: Companion) -> None:
    told = friday("play", stdin="correct coins.ana 2 because one rolled away\nlog\n")
    assert "corrected: coins.ana = 2" in told.out and "corrected: one rolled away" in told.out
    assert "the pieces do not add up" in told.err
    asked = friday("play", stdin="correct coins.ana 3\nfound it\ncorrect coins.ana 4\n\ncorrect coins\n")
    assert "corrected: coins.ana = 3" in asked.out and "corrected: coins.ana = 4" not in asked.out
    assert "a correction needs a reason" in asked.err and "which field is really what" in asked.err


def test_a_correction_among_the_moves_names_its_command(friday: Companion) -> None:
    told = friday("do", "correct coins.ana 2")
    assert told.status != 0 and 'run: companion correct coins.ana 2 --reason "WHY"' in told.err
    told = friday("do", "correct coins.ana 2, because one rolled away")
    assert 'run: companion correct coins.ana 2 --reason "one rolled away"' in told.err


def test_a_query_needs_no_word_of_its_own(friday: Companion) -> None:
    assert friday("play", stdin="ladder_cost 2\n").out == friday("play", stdin="query ladder_cost 2\n").out
    assert "this is not a move" not in friday("play", stdin="what is the ladder_cost 2?\n").out


def test_a_question_is_answered_while_another_is_open(friday: Companion) -> None:
    out = friday("play", stdin="ladder 1\nraid\nhow do I win\nbo\n").out
    assert "this is not a move; the rules say:" in out


KHAN = ["base", "genghis_khan"]
CAME_UP = [
    ("great-wall", {"game": {"step": "spring.4", "players": ["pine", "plum", "bamboo"]}}),
    ("great-wall", {"game": {"step": "setup", "players": ["pine", "plum", "bamboo"], "modules": KHAN}}),
    ("tianxia", {"phase": "setup", "players": ["ana", "bo"]}),
]


@pytest.mark.parametrize(("game", "form"), CAME_UP)
@pytest.mark.parametrize("line", ["all", "both", "everything", "tiles all", "refresh both", "skills all"])
def test_all_never_stands_for_cards_that_nobody_named(game: str, form: dict[str, Any], line: str) -> None:
    """Of more cards or tiles than come up, `both` would have to choose."""
    with pytest.raises(NotationError):
        read(line, at_the_table(game, form))


OVER = [
    (
        "warring-states",
        {"phase": "over", "winner": "Qin", "players": {"Qin": {"provinces": {"intact": 15}}, "Chu": {}}},
    ),
    ("dynasties", {"phase": "over", "winner": "white"}),
    ("xarkant", {"phase": "end", "players": ["ana", "bo"]}),
    ("tianxia", {"phase": "end", "players": ["ana", "bo"], "scored": {"ana": [], "bo": []}}),
    ("great-wall", {"game": {"season": "ended", "scored": True, "players": ["pine", "plum", "bamboo"]}}),
]


@pytest.mark.parametrize(("game", "form"), OVER)
def test_after_the_end_every_refusal_says_who_has_won(game: str, form: dict[str, Any]) -> None:
    """A turn of steps and a move of the table like any other."""
    at = at_the_table(game, form)
    acts = [kind for kind in at.rules.moves.values() if acting(kind) and kind().role in ("action", "event")]
    said = [at.judge(made_by(kind, at.seats[0])).reasons for kind in acts]
    refused = [reasons[0].why for reasons in said if reasons]
    assert len(refused) > 3
    assert all(why.startswith("The game is over") and " won" in why for why in refused), refused


def test_what_to_say_is_said_even_where_cards_are_sealed() -> None:
    """No example can be given of cards that nobody may know yet."""
    at = at_the_table("great-wall", {"game": {"step": "fall.1", "players": ["pine", "plum", "bamboo"]}})
    for seat in at.seats:
        assert at.play(read(f"{seat} choose C3", at)[0]).legal
    assert "say reveal, and each player with a card" in at.rules.awaits(at)
