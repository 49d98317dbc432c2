"""Typed lines: read forgivingly, never ambiguously; written so that they read back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.engine.language import saying
from companion.engine.language.completion import completions
from companion.engine.language.notation import NotationError, read, write
from companion.engine.language.words import number, singular, tokens
from companion.engine.play.position import Position

At = Position[Any]


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("ana pick pear", {"action": "pick", "player": "ana", "fruit": "Pear"}),
        ("PICK Pear ana", {"action": "pick", "player": "ana", "fruit": "Pear"}),
        ("ana picks a pear", {"action": "pick", "player": "ana", "fruit": "Pear"}),
        ("draw gold", {"action": "pick", "fruit": "Golden Plum"}),
        ("pick plum", {"action": "pick", "fruit": "Golden Plum"}),
        ("pick green apple.", {"action": "pick", "fruit": "Green Apple"}),
        ("buy 2 ladders", {"action": "ladder", "n": 2}),
        ("buy two ladders for bo", {"action": "ladder", "player": "bo", "n": 2}),
        ("ladder", {"action": "ladder"}),
        ("lad 3", {"action": "ladder", "n": 3}),
        ("raid bo", {"action": "raid", "target": "bo"}),
        ("cai raids bo loudly", {"action": "raid", "player": "cai", "target": "bo", "loudly": True}),
        ("raid cai bo", {"action": "raid", "player": "cai", "target": "bo"}),
        ("raid target bo player cai", {"action": "raid", "player": "cai", "target": "bo"}),
        ("hand over red apple", {"action": "lose", "fruit": "Red Apple"}),
        ("done sad", {"action": "done", "mood": "sad"}),
        ("end turn", {"action": "done"}),
        (
            "ana swaps bo 2 pears for 1 plum and a red apple",
            {
                "action": "swap",
                "a": "ana",
                "b": "bo",
                "a_gives": {"Pear": 2},
                "b_gives": {"Golden Plum": 1, "Red Apple": 1},
            },
        ),
        (
            "swap ana bo pear, for pear",
            {"action": "swap", "a": "ana", "b": "bo", "a_gives": {"Pear": 1}, "b_gives": {"Pear": 1}},
        ),
        ('swap a=ana b=bo a_gives={"Pear": 2}', {"action": "swap", "a": "ana", "b": "bo", "a_gives": {"Pear": 2}}),
        ("pick player=ANA fruit=pear", {"action": "pick", "player": "ana", "fruit": "Pear"}),
    ],
)
def test_a_line_is_read(at: At, line: str, move: dict[str, Any]) -> None:
    (found,) = read(line, at)
    assert found.to_json() == move


def test_people_stand_for_their_seats(at: At) -> None:
    people = {"Mary Ann": "ana", "Bo": "cai", "Zed": "bo"}
    assert read("mary ann pick pear", at, people=people)[0].to_json()["player"] == "ana"
    assert read("zed lose red", at, people=people)[0].to_json()["player"] == "bo"
    # a seat's own name stays what it is, even if somebody else is called so
    assert read("bo lose red", at, people=people)[0].to_json()["player"] == "bo"


def test_people_may_be_called_like_a_word_of_the_game(at: At) -> None:
    people = {"Pear": "bo", "Storm": "cai", "Mary Ann": "ana"}
    assert read("ana pick pear", at, people=people)[0].to_json() == {"action": "pick", "player": "ana", "fruit": "Pear"}
    swap = read("pear swap ana pear for plum", at, people=people)[0].to_json()
    assert (swap["a"], swap["b"], swap["a_gives"]) == ("bo", "ana", {"Pear": 1})
    assert [move.name for move in read("storm bo", at, people=people)] == ["ladder", "raid"]
    assert read("raid pea", at, people=people)[0].to_json() == {"action": "raid", "target": "bo"}  # a beginning


def test_a_default_seat_acts_where_nobody_is_named(at: At) -> None:
    assert read("pick pear", at, me="cai")[0].to_json()["player"] == "cai"
    assert read("ana pick pear", at, me="cai")[0].to_json()["player"] == "ana"


def test_a_game_may_have_lines_of_its_own(at: At) -> None:
    assert [move.name for move in read("storm bo", at)] == ["ladder", "raid"]


def test_pass_all_closes_the_phase(at: At) -> None:
    at.state.phase = "market"
    for line in ("pass all", "Pas all", "everybody passes.", "all done"):
        assert [move.to_json()["player"] for move in read(line, at)] == ["ana", "bo", "cai"]
    at.state.phase = "turns"
    with pytest.raises(NotationError, match="no one can pass now"):
        read("pass all", at)


def test_an_unknown_verb_gets_the_nearest_and_what_is_legal(at: At) -> None:
    with pytest.raises(NotationError) as error:
        read("pikc pear", at)
    assert error.value.kind == "unreadable"
    assert "did you mean 'pick'" in str(error.value)
    assert error.value.nearest[0] == "ana pick Pear"


def test_an_unknown_argument_names_the_word_and_the_nearest(at: At) -> None:
    with pytest.raises(NotationError, match=r"'paer' cannot be read after 'pick'; did you mean 'pear'"):
        read("pick paer", at)
    with pytest.raises(NotationError, match=r"'gren' cannot be read after 'pick'; did you mean 'green apple'"):
        read("pick gren aple", at)
    with pytest.raises(NotationError, match=r"no argument 'fruits'; did you mean 'fruit'"):
        read("pick fruits=pear", at)
    with pytest.raises(NotationError, match=r"'many' is not a valid value for 'n'"):
        read("ladder n=many", at)


def test_one_word_too_many_is_not_offered_again(at: At) -> None:
    with pytest.raises(NotationError, match=r"'pear' is one word too many after 'pick'; usage: \[player\] pick FRUIT$"):
        read("pick pear pear", at)


def test_a_player_before_a_move_that_has_none_is_told_what_to_type(at: At) -> None:
    """Whose turn it is may be named all the same; anybody else did not do it."""
    assert at.rules.to_move(at.state) == ["ana"]
    (setup,) = read("ana setup", at)
    assert setup.name == "setup"
    with pytest.raises(NotationError) as error:
        read("bo setup", at)
    assert str(error.value) == "'setup' takes no player, and it is not bo's turn; type 'setup'"
    assert error.value.nearest == ["setup"]
    with pytest.raises(NotationError, match=r"takes no player, and it is not bo's turn; usage: setup"):
        read("bo setup pear pear", at)


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("a pear for me", {"action": "pick", "player": "ana", "fruit": "Pear"}),
        ("mine is the pear", {"action": "pick", "player": "ana", "fruit": "Pear"}),
        ("the pear is picked by ana", {"action": "pick", "player": "ana", "fruit": "Pear"}),
        ("well, that pear is for ana", {"action": "pick", "player": "ana", "fruit": "Pear"}),
        ("a pear to ana", "unread"),
        ("raided by cai", "unread"),
        ("no pear for me", "unread"),
        ("two pears for me", "unread"),
    ],
)
def test_words_may_stand_in_any_order_where_all_of_them_are_said(at: At, line: str, move: Any) -> None:
    if move == "unread":
        with pytest.raises(NotationError):
            read(line, at, me="ana")
    else:
        (found,) = read(line, at, me="ana")
        assert found.to_json() == move


@pytest.mark.parametrize(
    ("line", "left", "guesses"),
    [
        ("because of the wind ana picked the pear", ["because wind"], ["ana pick Pear"]),
        ("so nice, ana picks the pear", ["nice"], ["ana pick Pear"]),
        ("ana happily nibbles the pear", ["happily nibbles"], ["ana pick Pear"]),
        ("ana never nibbles the pear", [], []),
        ("ana picks the pear, bo too, alas", [], []),
        ("ana nibbles 2 pears", [], []),
        ("does ana happily nibble the pear?", [], []),
    ],
)
def test_what_cannot_be_read_whole_is_guessed_at_and_never_recorded(
    at: At, line: str, left: list[str], guesses: list[str]
) -> None:
    with pytest.raises(NotationError) as error:
        read(line, at)
    assert error.value.kind == "unreadable" and error.value.left == left
    assert [saying.short(move, at) for (move,) in error.value.ways] == guesses


@pytest.mark.parametrize("line", ["all", "everybody", "everybody else picks a pear", "the others pick a pear"])
def test_everybody_alone_says_nothing_and_others_need_somebody_beside_them(at: At, line: str) -> None:
    assert at.rules.to_move(at.state) == ["ana"]
    with pytest.raises(NotationError):
        read(line, at)


def test_an_unknown_person_is_called_so(at: At) -> None:
    with pytest.raises(NotationError, match="no player or seat is called 'mery'; did you mean 'Mary'"):
        read("mery pick pear", at, people={"Mary": "ana"})
    with pytest.raises(NotationError, match="no player or seat is called 'x'; seats: ana, bo, cai"):
        read("x pick pear", at)


def test_two_meanings_are_refused_with_both(at: At) -> None:
    # "l" may be ladder or lose: both are possible nowhere, or in several ways, so that nothing decides
    at.state.phase = "over"
    with pytest.raises(NotationError) as error:
        read("l", at)
    assert error.value.kind == "ambiguous"
    assert error.value.nearest == ["ladder", "lose"]


def test_what_is_legal_decides_between_equal_readings(at: At) -> None:
    assert read("l", at)[0].name == "ladder"
    at.state.raided = "bo"
    assert read("l", at)[0].name == "lose"


def test_an_exact_word_beats_a_beginning(at: At) -> None:
    assert read("pass", at)[0].name == "pass"
    assert read("p pear", at)[0].name == "pick"


def test_empty_and_endless_lines_are_refused(at: At) -> None:
    for line in ("", "   ", "...", "x" * 2001):
        with pytest.raises(NotationError):
            read(line, at)


@pytest.mark.parametrize(
    "line", ["pick " + "pear " * 60, "swap " + "2 pears ana bo for " * 12, "{" * 500, '"' * 7, "= = ="]
)
def test_strange_lines_end_in_an_error_and_not_in_a_hang(at: At, line: str) -> None:
    with pytest.raises(NotationError):
        read(line, at)


def test_every_legal_move_is_written_so_that_it_reads_back(at: At) -> None:
    legal = at.legal()
    assert len(legal) > 4
    for move in legal:
        assert read(write(move, at), at) == [move]


def test_a_move_that_words_cannot_say_is_written_exactly(at: At) -> None:
    setup = at.rules.moves["setup"](seats=("x y", "b"))  # type: ignore[call-arg]
    assert write(setup, at) == 'setup seats=["x y", "b"]'
    assert read(write(setup, at), at) == [setup]


def test_completion_offers_verbs_then_words(at: At) -> None:
    assert completions("", at)[:3] == ["pick", "ladder", "done"]
    assert "ana" in completions("", at)
    assert completions("pi", at) == ["pick"]
    assert completions("pick g", at) == ["green apple", "golden plum"]
    assert "loudly" in completions("ana raid ", at)
    assert completions("zed ", at, people={"Zed": "ana"})[0] == "pick"


def test_usage_shows_how_a_move_is_typed(at: At) -> None:
    assert saying.usage(at.rules.moves["ladder"]) == "[player] ladder N"


def test_tokens_keep_named_values_together() -> None:
    line = 'swap a_gives={"Red Apple": 2, "Pear": 1} b=bo, 3x/"two words"'
    assert [t.text for t in tokens(line)] == ["swap", '{"Red Apple": 2, "Pear": 1}', "bo", "3x", "two words"]
    assert [number(t) for t in ("3", "3x", "x3", "three", "3t", "²", "")] == [3, 3, 3, 3, None, None, None]
    assert [singular(w) for w in ("mines", "armies", "cities", "is", "glass", "passes")] == [
        "mine",
        "army",
        "city",
        "is",
        "glass",
        "pass",
    ]


FUZZ = settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
WORDS = [
    "pick",
    "swap",
    "ladder",
    "raid",
    "ana",
    "bo",
    "pear",
    "red",
    "for",
    "2",
    "three",
    "fruit=",
    "n=",
    "{",
    '"',
    "a_gives=",
]


@FUZZ
@given(line=st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)))
def test_any_line_is_read_or_refused(at: At, line: str) -> None:
    try:
        moves = read(line, at)
    except NotationError:
        return
    for move in moves:
        at.judge(move)


@FUZZ
@given(line=st.text(max_size=40))
def test_completion_never_fails(at: At, line: str) -> None:
    completions(line, at)
