"""`companion play` at a table with cards in the other hand: commands, slips, questions, and what comes next."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command_line import Companion


@pytest.fixture
def companion(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Companion:
    return Companion(capsys, monkeypatch)


@pytest.fixture
def friday(companion: Companion) -> Companion:
    """A table of three, in the first round of turns."""
    assert companion("new", "orchard", "ana=Mary", "bo=Ben", "cai", "--table", "friday").status == 0
    assert companion("do", "pass all").status == 0
    return companion


def games(companion: Companion, name: str) -> Companion:
    """A table of a game of the program."""
    seats = {
        "xarkant": ("red=Ana", "blue=Bo", "white=Cem", "black=Dee"),
        "dynasties": ("white=Ann", "black=Ben"),
        "warring-states": ("Qin=Ann", "Chu=Ben", "Zhao=Cem", "Wu=Dan", "Qi=Eva", "Yan=Fay", "Han=Gil"),
        "tianxia": ("ana=Ann", "bo=Ben", "cai=Cem"),
        "great-wall": ("pine=Ann", "bamboo=Ben", "plum=Cem"),
    }
    assert companion("new", name, *seats[name], "--table", "t").status == 0
    return companion


ALL = ["xarkant", "dynasties", "warring-states", "tianxia", "great-wall"]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("score", "The game is not over."),
        ("show", "next:"),
        ("help", "undo or redo the last lines"),
        ("log", "setup"),
        ("next", "next:"),
        ("who is winning?", "The game is not over."),
        ("whose turn is it", "next:"),
        ("who's next", "next:"),
    ],
)
def test_commands_and_natural_questions_work_in_every_game(
    companion: Companion, name: str, typed: str, said: str
) -> None:
    result = games(companion, name)("play", stdin=f"{typed}\n")
    assert said in result.out
    assert result.err in ("", "table t\n")


@pytest.mark.parametrize("name", ALL)
def test_what_a_terminal_shows_fits_its_width(companion: Companion, name: str) -> None:
    shown = games(companion, name)("show").out.splitlines()
    assert max(map(len, shown)) <= 100
    assert all(len(line) <= 80 for line in shown if "  " not in line.strip())


@pytest.mark.parametrize("name", ALL)
def test_next_calls_people_by_their_names(companion: Companion, name: str) -> None:
    said = games(companion, name)("play", stdin="next\n").out
    assert "Ann" in said or "come up" in said or "tile" in said
    assert "(type" in said or "(" not in said, "the person alone"


def test_the_line_that_next_suggests_can_be_typed(companion: Companion, tmp_path: Path) -> None:
    """People's names stand in the sentence, not in what is to be typed, and one may be called like another's seat."""
    position = tmp_path / "fall.yaml"
    position.write_text("{game: great-wall, step: fall.2, tea: [pine, bamboo, plum], done: []}")
    companion("new", "great-wall", "pine=Ana", "bamboo=Pine", "plum=Cai", "--position", str(position))
    for said in (companion("play", stdin="next\n").out, companion("show").out):
        line = " ".join(said.partition("next: ")[2].split())
        assert line == "Ana places the command card (type: Ana spot 1)"


def test_a_slip_in_a_pair_names_the_value(companion: Companion) -> None:
    failed = games(companion, "tianxia")("play", stdin="prepare bonus qin_granary tigre chu_pilots ox\n").err
    assert "'tigre' cannot be read after 'qin_granary'; did you mean 'tiger'?" in failed


def test_a_command_card_chosen_in_secret_stands_nowhere(companion: Companion, tmp_path: Path) -> None:
    position = tmp_path / "fall.yaml"
    position.write_text("{game: great-wall, step: fall.1, tea: [pine, bamboo, plum]}")
    companion("new", "great-wall", "pine=Ana", "bamboo=Bo", "plum=Cai", "--position", str(position))
    said = companion("play", stdin="pine choose C3\nbamboo choose C1\namend 2 bamboo choose C4\n").out
    assert said.startswith("OK: Ana choose sealed\n")
    kept = companion("log", "--json").out + companion("log").out + companion("export").out
    assert "choose" in kept and not re.search(r"choose C\d", kept)
    assert "C4" not in said
    assert companion("check", "reveal pine C3 bamboo C4 plum C1").status == 0
    assert companion("check", "reveal pine C2 bamboo C4 plum C1").status == 1


def test_one_word_answers_what_comes_up(companion: Companion) -> None:
    said = games(companion, "great-wall")("play", stdin="H12\nhorde H13\n").out
    assert "OK: horde H12 L\n" in said
    assert "OK: horde H13 C\n" in said


def test_what_chance_lays_out_needs_no_verb(companion: Companion) -> None:
    said = games(companion, "tianxia")(
        "play", stdin="prepare order white black purple\nlacquer tiger, iron foundry ox\n"
    ).out
    assert "OK: prepare bonus chu_lacquer tiger han_foundry ox\n" in said, "by a word of a name or by all of it"


def test_a_letter_that_names_a_place_does_not_begin_a_verb(companion: Companion, tmp_path: Path) -> None:
    """`L` is a section of the wall; it does not say `leave`."""
    position = tmp_path / "fall.yaml"
    position.write_text(
        "{game: great-wall, step: fall.3, active: pine, active_card: C3, resolving: barracks, "
        "tea: [pine, bamboo, plum], locations: {barracks: {pine: 1}}, hordes: {L: [], C: [], R: []}}"
    )
    companion("new", "great-wall", "pine=Ana", "bamboo=Bo", "plum=Cai", "--position", str(position))
    said = companion("do", "L")
    assert said.status == 2
    assert "'L' alone is too short to be a verb" in said.err
    assert companion("do", "leave").status == 0


def test_help_leaves_out_modules_that_are_not_in_play(companion: Companion) -> None:
    said = games(companion, "great-wall")("play", stdin="?place\n").out
    assert "[by] place TO…" in said
    assert "place rat" not in said


def test_a_list_that_holds_examples_says_so(companion: Companion, tmp_path: Path) -> None:
    """The list names one spot of H14; the others are legal, too."""
    position = tmp_path / "fall.yaml"
    position.write_text(
        "{game: great-wall, step: fall.3, active: pine, active_card: C3, resolving: war_camp, "
        "tea: [pine, bamboo, plum], locations: {war_camp: {pine: 1}}, "
        "hordes: {L: [], C: [], R: [{card: H14, spots: {}}]}, player: {pine: {rest: {R: {spearman: 1}}}}}"
    )
    companion("new", "great-wall", "pine=Ana", "bamboo=Bo", "plum=Cai", "--position", str(position))
    assert "\nexamples only: attack; leave out the end" in companion("moves").out
    assert companion("moves", "--json").json["examples_only"] == ["attack"]
    assert companion("check", "pine attack spearman R H14 c3").status == 0


def test_a_move_called_like_a_command_is_played(companion: Companion, tmp_path: Path) -> None:
    """`check` alone asks nothing, and The Great Wall has a move of that name."""
    position = tmp_path / "winter.yaml"
    position.write_text("{game: great-wall, step: winter.1.shots, tea: [pine, bamboo, plum], hordes: {L: []}}")
    companion("new", "great-wall", "pine=Ana", "bamboo=Bo", "plum=Cai", "--position", str(position))
    assert "OK: check\n" in companion("play", stdin="check\n").out


def test_every_recorded_line_says_what_comes_next(friday: Companion) -> None:
    out = friday("play", stdin="pick pear\n").out
    assert out.splitlines()[-1] == "next: Ben"


def test_undo_takes_a_number(friday: Companion) -> None:
    friday("do", "pick pear", "pick plum", "pick pear")
    out = friday("play", stdin="undo 2\n").out
    assert out.count("undone: ") == 2
    assert friday("log").out.count("pick") == 1
    assert "redone: Ben pick Golden Plum" in friday("play", stdin="redo\n").out
    assert "is not a number of lines" in friday("play", stdin=":undo x\n").err


def test_what_others_would_have_said_is_asked_by_name(companion: Companion, tmp_path: Path) -> None:
    """Before a move that waits for somebody, the companion asks whether they have said what it waits for; a move that
    fails by something else is refused without a question."""
    file = tmp_path / "war.yaml"
    file.write_text(
        "{phase: war, active: Qin, players: {Qin: {armies: 2, generals: [Daring]}, Chu: {armies: 1}, Yan: {armies: 3}}}"
    )
    companion("new", "warring-states", "Qin=Ann", "Chu=Ben", "Yan=Cem", "--table", "t", "--position", str(file))
    asked = companion("play", stdin="ann attack ben daring 2\nfill ann\ny\n")
    assert "Has this happened: Cem decline?" in asked.out + asked.err
    assert "Cem sends no units" in asked.out and "Ann fill 6" in companion("log").out
    companion("undo")
    refused = companion("play", stdin="cem aid defender 9\n")
    assert "NO: " in refused.out and "Has " not in refused.out + refused.err


def test_nobody_gives_up_a_wish_for_a_move_that_is_refused_all_the_same(companion: Companion, tmp_path: Path) -> None:
    eve = tmp_path / "eve.yaml"
    eve.write_text("{players: [pine, bamboo, plum], tea: [pine, bamboo, plum], step: fall.1}")
    companion("new", "great-wall", "pine=Ana", "bamboo=Bo", "plum=Cai", "--table", "t", "--position", str(eve))
    played = companion(
        *("do", "reveal ana C4 bo C5 cai C2", "ana spot 1", "bo spot 2", "cai spot 3", "begin"),
        *("ana places 2 clerks in the quarry and 2 in the barracks", "bo pass", "cai pass"),
    )
    assert played.status == 0, played.out + played.err
    assert "NO: Ana recruit archer" in companion("do", "ana recruits an archer on the wall in the centre").out
    assert "Does Bo place clerks first, or pass?\n  Bo pass, pass all\n" in companion("play", stdin="ana gathers\n").out


def test_a_question_of_yes_or_no_swallows_no_line(companion: Companion) -> None:
    companion("new", "orchard", "ana", "bo", "--table", "t")
    result = companion("play", stdin="pick pear\nshow\n")
    assert "Has everyone passed?" not in result.err
    assert "ana: 3 coins" in result.out  # `show` was obeyed
    assert companion("log").out.count("\n") == 2  # and nothing was recorded


def test_a_question_may_be_asked_about(friday: Companion) -> None:
    out = friday("play", stdin="pick\nshow\n?ladder\npear\n").out
    assert out.count("What came out?") == 3
    assert "Mary: 3 coins" in out
    assert "OK: Mary pick Pear" in out


def test_a_question_may_be_left_by_another_move(friday: Companion) -> None:
    out = friday("play", stdin="pick\nladder\n").out
    assert "nothing recorded" in out
    assert "OK: Mary ladder" in out


def test_a_question_may_be_left(friday: Companion) -> None:
    assert "nothing recorded" in friday("play", stdin="pick\n\n").out
    assert "nothing recorded" in friday("play", stdin="pick\nleave\n").out


def test_json_is_taken(friday: Companion) -> None:
    out = friday("play", stdin='{"action": "pick", "player": "ana", "fruit": "Pear"}\n').out
    assert "OK: Mary pick Pear" in out
    assert "this is not JSON" in friday("play", stdin='{"action"\n').err


def test_can_i_is_a_question(friday: Companion) -> None:
    out = friday("play", stdin="can I buy a ladder?\nmay ben buy a ladder?\n").out
    assert "OK: Mary ladder" in out and "NO: Ben ladder" in out
    assert "ladder" not in friday("log").out


def test_the_verb_of_a_game_can_always_be_said(friday: Companion) -> None:
    assert "OK: Mary ladder" in friday("play", stdin="do ladder\n").out


def test_a_line_of_the_past_is_amended(friday: Companion) -> None:
    friday("do", "pick pear", "pick pear")
    result = friday("play", stdin="amend 3 ana pick plum\namend 4 drop\namend x\n")
    assert "OK: Mary pick Golden Plum" in result.out
    assert "say which line" in result.err


def test_a_table_is_named_and_a_game_is_told_apart(friday: Companion) -> None:
    assert friday("play", "friday", stdin="next\n").status == 0
    refused = friday("play", "xarkant", stdin="")
    assert refused.status == 2
    assert "companion new xarkant" in refused.err


@pytest.mark.parametrize("words", ["both ready", "all done", "everybody passes"])
def test_everybody_is_done_at_once(companion: Companion, words: str) -> None:
    companion("new", "orchard", "ana", "bo", "--table", "t")
    assert companion("do", words).status == 0


def test_somebody_is_done(companion: Companion) -> None:
    companion("new", "dynasties", "white=Ann", "black=Ben", "--table", "t")
    assert "Ann has laid" in companion("do", "ann ready").out
    assert companion("do", "ben done").status in (0, 2)


def test_nearest_moves_are_those_of_the_same_player(friday: Companion) -> None:
    refused = friday("do", "bo pick pear", "--json")
    assert all(row["move"].get("player") == "bo" for row in refused.json["nearest"])


# --- around moves ---------------------------------------------------------------------------------------------------


def test_a_line_of_several_stops_at_the_first_that_is_not_played(friday: Companion) -> None:
    result = friday("play", stdin="bo pick pear; ana pick plum; ana ladder\n")
    assert "NO: Ben pick Pear" in result.out and "OK" not in result.out
    assert "not played: ana pick plum; ana ladder" in result.err
    result = friday("play", stdin="pikc pear; ana pick plum\n")
    assert "OK" not in result.out and "not played: ana pick plum" in result.err
    assert friday("log").out.count("\n") == 4  # set-up and passing, with their headings


def test_passing_all_over_a_phase_nobody_has_acted_in_is_asked(companion: Companion) -> None:
    games(companion, "warring-states")
    companion("correct", "phase", '"taxes"', "--reason", "to try it")
    said = companion("play", stdin="pass all\npass all\nnext\nn\n").out
    assert "This passes the Build Phase for Ann, Ben" in said and "they can still" in said
    again = said.count("next: Ann, Ben, Cem, Dan, Eva, Fay and Gil can still build")
    assert again == 2, "`next` is obeyed, and the question put again"
    assert said.count("Go on?") == 2 and "nothing recorded" in said
    assert "build" in companion("show", "--json").json["state"]["phase"]
    assert "The War Phase begins" in companion("play", stdin="pass all\ny\n").out


def test_passing_all_where_somebody_has_acted_is_not_asked(companion: Companion) -> None:
    games(companion, "warring-states")
    companion("correct", "phase", '"taxes"', "--reason", "to try it")
    assert "Go on?" not in companion("play", stdin="pass all\nann army\npass all\n").out


def test_do_passes_all_and_says_what_it_leapt_over(companion: Companion) -> None:
    games(companion, "warring-states")
    companion("correct", "phase", '"taxes"', "--reason", "to try it")
    assert companion("do", "pass all").err in ("", "table t\n")
    second = companion("do", "pass all")
    assert second.status == 0
    assert "This passes the Build Phase" in second.err and "companion undo" in second.err


COMMANDS = ("show", "next", "note it rains", "?ladder", "log", "score", "why", "ask ladder", "rule OR-LADDER-1", "h")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_in_a_question_is_obeyed_and_the_question_stays(friday: Companion, command: str) -> None:
    alone = friday("play", stdin=f"{command}\n").out.splitlines()
    result = friday("play", stdin=f"pick\n{command}\npear\n")
    assert alone[0] in result.out or command == "why"
    assert result.out.count("What came out?") == 2
    assert "OK: Mary pick Pear" in result.out
    assert not result.err


@pytest.fixture
def battle(companion: Companion, tmp_path: Path) -> Companion:
    """Ben has lost a battle, and has still to say which unit goes."""
    eve = tmp_path / "eve.yaml"
    eve.write_text(
        "{phase: war, active: Qin, players: {Qin: {armies: 2, generals: [Daring]}, "
        "Chu: {armies: 1, generals: [Steadfast]}, Zhao: {armies: 3}}}"
    )
    companion("new", "warring-states", "Qin=Ann", "Chu=Ben", "Zhao=Cem", "--table", "t", "--position", str(eve))
    played = companion(
        "do", "ann attack ben daring 2", "cem decline", "fill ann", "fill ben", "clash 12T 7S", "resolve"
    )
    assert played.status == 0, played.out + played.err
    return companion


@pytest.mark.parametrize("command", COMMANDS)
def test_so_it_is_at_the_question_of_another_move(battle: Companion, command: str) -> None:
    """The attacker stops, but first the loser gives up a unit."""
    command = command.replace("OR-LADDER-1", "WS-CAS-1").replace("ladder", "army")
    result = battle("play", stdin=f"stop\n{command}\narmy\n")
    assert result.out.count("Which unit does Ben lose?") == 2
    assert "OK: Ben lose army" in result.out and "OK: Ann stop" in result.out
    assert not result.err


def test_a_wrong_answer_to_the_question_of_another_move_is_asked_again(battle: Companion) -> None:
    result = battle("play", stdin="stop\nbanana\narmy\n")
    assert "banana" in result.err and "OK: Ben lose army" in result.out


def test_a_line_is_judged_again_where_a_command_changed_the_table(friday: Companion) -> None:
    friday("do", "pick plum")
    out = friday("play", stdin="pick\nundo\npear\n").out
    assert "Ben: What came out?" in out and "Mary: What came out?" in out
    assert "OK: Mary pick Pear" in out


TURN = """
{players: [ana, bo, cai], phase: action, active: ana, turn_order: [ana, bo, cai],
 player: {ana: {coin: 5, rice: 3, wood: 3, stone: 2}}}
"""


@pytest.fixture
def turn(companion: Companion, tmp_path: Path) -> Companion:
    """Ann is to take a turn of Tianxia."""
    position = tmp_path / "turn.yaml"
    position.write_text(TURN)
    companion("new", "tianxia", "ana=Ann", "bo=Ben", "cai=Cem", "--table", "t", "--position", str(position))
    return companion


@pytest.mark.parametrize("command", ["show", "next", "note it rains", "?region", "log", "score", "ask worker", "h"])
def test_so_it_is_in_a_turn_under_way(turn: Companion, command: str) -> None:
    alone = turn("play", stdin=f"{command}\n").out.splitlines()
    result = turn("play", stdin=f"ann zhao\n{command}\nexchange 1\ntrack\ndone\n")
    assert alone[0] in result.out
    assert "OK: Ann region zhao, exchange 1, track" in result.out
    assert "is not a step" not in result.out and not result.err


def test_who_leaves_a_turn_twice_does_not_leave_the_table(turn: Companion) -> None:
    out = turn("play", stdin="ann zhao\nleave\nleave\nscore\n").out
    assert "nothing recorded" in out and "`quit` leaves the table" in out
    assert "The game is not over." in out, "the conversation goes on"
    assert "not over" not in turn("play", stdin="ann zhao\nquit\nscore\n").out
    assert "not over" not in turn("play", stdin="leave\nscore\n").out


def test_who_leaves_a_question_twice_does_not_leave_the_table(friday: Companion) -> None:
    assert "The game is not over." in friday("play", stdin="pick\nleave\nleave\nscore\n").out


def test_a_note_is_answered(friday: Companion) -> None:
    assert "noted: it rains\n" in friday("play", stdin="note it rains\n").out
    assert "a note needs a text: note TEXT" in friday("play", stdin="note\n").err


def test_h_is_help(friday: Companion) -> None:
    assert friday("play", stdin="h\n").out == friday("play", stdin="help\n").out


def test_words_of_a_game_that_begin_like_a_command_are_a_move(companion: Companion, tmp_path: Path) -> None:
    position = tmp_path / "winter.yaml"
    position.write_text("{game: great-wall, step: winter.1.shots, tea: [pine, bamboo, plum], hordes: {L: []}}")
    companion("new", "great-wall", "pine=Ana", "bamboo=Bo", "plum=Cai", "--position", str(position))
    assert "OK: check\n" in companion("play", stdin="check hordes\n").out


def test_a_part_of_the_table_is_shown(turn: Companion) -> None:
    shown = turn("play", stdin="show harbour\n").out
    assert "Harbour:" in shown and "coin" not in shown
    mine = turn("play", stdin="show ann\n").out
    assert mine.startswith("Ann (ana)\n") and "coin: 5" in mine and "Harbour" not in mine
    assert "not a part of this table; show land, wall" in turn("play", stdin="show banana\n").err
    assert turn("show", "harbour").out.endswith(shown)


def test_what_only_one_player_sees_is_shown_for_that_player(companion: Companion) -> None:
    games(companion, "great-wall")
    assert "Behind the screen of Ann" in companion("play", stdin="show ann\n").out
    assert "Behind the screen" not in companion("play", stdin="show\n").out


def test_the_war_turn_is_marked(battle: Companion) -> None:
    battle("play", stdin="stop\narmy\nend\n")
    assert "\n> Ben (Chu)" in battle("show").out


def test_complaints_and_suggestions_name_people(friday: Companion) -> None:
    result = friday("play", stdin="pikc pear\n")
    assert "did you mean 'pick'?" in result.err and "  1  Mary pick Pear\n" in result.out


@pytest.mark.parametrize("command", ["do", "check"])
def test_so_does_a_command_and_json_keeps_the_seats(friday: Companion, command: str) -> None:
    result = friday(command, "pikc pear")
    assert "Mary pick Pear" in result.err
    assert friday(command, "pikc pear", "--json").json["error"]["nearest"][0] == "ana pick Pear"


def test_examples_of_what_to_type_name_people(battle: Companion) -> None:
    """Usages say `qin trade chu 2 for 1` of Ann and Ben."""
    help_ = battle("play", stdin="?trade\n").out
    assert "e.g. Ann trade Ben 2 for 1" in help_
    told = battle("play", stdin="nobody trade anything\n").err
    assert told.splitlines()[0].endswith("seats: Ann, Ben, Cem")


def test_a_person_called_like_the_seat_of_another_is_told_apart(companion: Companion) -> None:
    companion("new", "orchard", "ana=Mary", "bo=Ben", "cai=Bo", "--table", "t")
    companion("do", "pass all", "ana pick pear", "ben pick pear")
    said = companion("do", "cai pick pear").out
    assert "OK: Bo (cai) pick Pear" in said and "Bo (cai) picks a Pear" in said


def test_a_person_called_like_a_verb_is_typed_by_the_seat(companion: Companion) -> None:
    companion("new", "orchard", "ana=Ladder", "bo", "--table", "t")
    companion("do", "pass all")
    assert "ana pick Pear" in companion("moves").out
    assert "Ladder picks a Pear" in companion("do", "ana pick pear").out


READINGS = "  'ana puts a disc on e1' could mean:\n  1  Ana collect e1\n  2  Ana claim e1\n"


@pytest.fixture
def act(companion: Companion, tmp_path: Path) -> Companion:
    """A table of Xarkant at which Ana has discs to lay."""
    position = tmp_path / "act.yaml"
    land = "[QQWWFF, FWWQFW, QFWFFF, QFWQWW, WFQFWQ, QFFWWQ]"
    position.write_text(f"players: [red, blue]\nterrain: {land}\ndrawer: blue\ndrawn: {{red: 2, blue: 1}}\n", "utf-8")
    assert companion("new", "xarkant", "red=Ana", "blue=Bo", "--position", str(position)).status == 0
    return companion


def test_of_two_ways_to_read_a_line_one_is_picked_by_its_number(act: Companion) -> None:
    said = act("play", stdin="ana puts a disc on e1\n2\n").out
    assert READINGS in said and "OK: Ana claim e1" in said
    assert "claim e1" in act("log").out


def test_a_guess_is_recorded_when_it_is_picked_and_not_before(act: Companion) -> None:
    said = act("play", stdin="ana proudly plants her flag on e1 and claims it\n\nlog\n").out
    assert "  1  Ana claim e1\n" in said and "nothing recorded" in said and "OK:" not in said
    said = act("play", stdin="ana proudly plants her flag on e1 and claims it\n1\n").out
    assert "OK: Ana claim e1" in said


def test_commands_are_obeyed_while_a_line_could_mean_two_things(act: Companion) -> None:
    said = act("play", stdin="ana puts a disc on e1\nnext\n3\n1\n")
    assert said.out.count(READINGS) == 3 and "next: Ana acts with 2 discs left" in said.out
    assert "'3' is not one of them" in said.err + said.out
    assert "OK: Ana collect e1" in said.out


def test_undo_in_such_a_question_has_the_line_read_again(act: Companion) -> None:
    said = act("play", stdin="ana collect b2\nana puts a disc on e1\nundo\n2\n").out
    assert said.index("undone: Ana collect b2") < said.rindex(READINGS) < said.index("OK: Ana claim e1")
    assert "nothing recorded" not in said


def test_another_move_or_nothing_drops_a_line_that_could_mean_two_things(act: Companion) -> None:
    said = act("play", stdin="ana puts a disc on e1\nana claims b2\nana puts a disc on e1; ana passes\n\n")
    assert "OK: Ana claim b2" in said.out and "not played: ana passes" in said.err
    assert said.out.count("nothing recorded") == 2
