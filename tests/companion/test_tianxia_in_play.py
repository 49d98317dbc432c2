"""Tianxia in `companion play`: what a step asks, whom a battle asks, what may be typed there, and a turn built step by
step."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from command_line import Companion, Result

from companion.games.tianxia.catalogue import Catalogue
from components.resolve import resolve_game

CATALOGUE = Catalogue(resolve_game("tianxia"))
CHOICES = {"any_good", "any_resource", "step_any", "soldier", "bonus_tile"}
LEVELS = [
    (name, level)
    for name, track in CATALOGUE.tracks.items()
    for level in range(1, track.top + 1)
    if CHOICES & set(track.benefit(level))
]
"""Every step of the palace that leaves a choice."""
PLACES = {"gold": "qi", "jade": "chu", "crimson": "zhao", "indigo": "wei"}
"""A region of each colour where goods are exchanged."""
RICH: dict[str, Any] = {"coin": 30, "wood": 20, "rice": 9, "stone": 9, "salt": 8}


class Played(Companion):
    """Tianxia for three, from a position."""

    folder: Path
    tables = 0

    def at(self, form: dict[str, Any], *typed: str) -> Result:
        """What a conversation says in which these lines are typed."""
        file = self.folder / "position.yaml"
        file.write_text(json.dumps({"players": ["ana", "bo", "cai"], **form}))
        self.tables += 1
        made = self("new", "tianxia", "--position", str(file), "--table", f"t{self.tables}")
        assert made.status == 0, made.err
        return self("play", stdin="".join(f"{line}\n" for line in typed))

    def moves(self) -> list[dict[str, Any]]:
        """The moves recorded at the table."""
        return [move for line in self("log", "--json").json["lines"] for move in line["moves"]]


@pytest.fixture
def play(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Played:
    monkeypatch.setattr("companion.cli.common.Settings.root", None)
    played = Played(capsys, monkeypatch)
    played.folder = tmp_path
    return played


@pytest.mark.parametrize(("track", "level"), LEVELS)
def test_a_palace_step_left_out_asks_and_each_answer_reaches_it(play: Played, track: str, level: int) -> None:
    form = {"player": {"ana": {**RICH, "tracks": {track: level - 1}}}}
    line = f"ana {PLACES[track]} exchange 1"
    asked = play.at(form, line).out
    options = next(text for text in asked.splitlines() if text.startswith("  ") and text.count(", ") > 1).split(", ")
    for option in [option.strip() for option in options][:4]:
        kind = next(iter(CHOICES & set(CATALOGUE.tracks[track].benefit(level))))
        answers = [option] * CATALOGUE.tracks[track].benefit(level)[kind]
        told = play.at(form, line, *answers)
        assert "OK" in told.out, told
        (move,) = play.moves()
        assert move["steps"][:2] == [{"exchange": 1}, {"track": True, "choose": {kind: answers}}]


TYPED = (
    *("next", "show", "why", "note ana thinks", "rule TX-GAME-5", "? region"),
    *("nonsense", "ana", "governor", "choose salt", "salt salt", "123", "²", "=", "[1]", "{", '{"a": 1}'),
)
"""Commands, and lines that say nothing there."""


@pytest.mark.parametrize("typed", TYPED)
def test_whatever_is_typed_at_a_question_of_a_step_the_answer_can_still_be_given(play: Played, typed: str) -> None:
    form = {"player": {"ana": {**RICH, "tracks": {"gold": 1}}}}
    told = play.at(form, "ana qi exchange 1", typed, "salt")
    assert told.status == 0 and "Which good does ana gain?" in told.out
    (move,) = play.moves()
    assert move["steps"][1] == {"track": True, "choose": {"any_good": ["salt"]}}


RAIDED = {
    "phase": "attack",
    "next_order": ["bo", "cai", "ana"],
    "nomads": {"loufan": {"march": 3, "strength": 11}},
    "player": {"ana": {"coin": 2}, "bo": {"coin": 9}},
    "buildings": {"zhao_horses": {"bonus": "ox"}},
}


def test_a_typed_battle_asks_for_the_tiles_that_come_up_and_what_each_player_pays_with(play: Played) -> None:
    told = play.at(RAIDED, "battle", "tiger", "purse", "show", "crane", "3", "2 coins", "bo 1").out
    asked = [line.strip() for line in told.splitlines() if "?" in line]
    assert [line for line in asked if "tile" in line][::3] == ["Which tile comes to the Beacon Command?"] * 1 + [
        "Which tile comes to the Heralds' Gate?"
    ]
    assert [line.split(": ")[1].split()[0] for line in asked if "coins?" in line] == ["ana", "bo"], (
        "cai has no coin to pay with"
    )
    (move,) = play.moves()
    assert move == {
        "event": "battle",
        "lane": "loufan",
        "replenish": {"zhao_beacon": "tiger", "zhou_treasury": "purse", "zhou_heralds": "crane"},
        "losses": {"ana": 2, "bo": 1},
    }
    assert "bo loses 1 coin and 6 points" in told and "cai loses no coins and 9 points" in told


def test_what_a_typed_battle_says_is_not_asked(play: Played) -> None:
    line = "battle refill beacon tiger treasury purse gate crane losses ana 0 bo 3"
    assert "OK" in play.at(RAIDED, line).out
    (move,) = play.moves()
    assert move["losses"] == {"ana": 0, "bo": 3}


def test_a_json_report_of_a_battle_keeps_its_defaults(play: Played) -> None:
    told = play.at(RAIDED, '{"event": "battle", "lane": "loufan"}').out
    assert "bo loses no coins and 9 points" in told and "The Royal Treasury does not get a tile" in told


def test_no_more_tiles_are_asked_for_than_there_are(play: Played) -> None:
    """Two tiles are left for three empty spots."""
    used = {tile: n for tile, n in CATALOGUE.tiles.items() if tile in CATALOGUE.one_time}
    used["purse"] -= 2
    here = Counter(RAIDED["buildings"]["zhao_horses"].values())
    figurines = [kind for kind in CATALOGUE.figurines for _ in range(CATALOGUE.tiles[kind] - here[kind])]
    form = {
        **RAIDED,
        "face_down": used,
        "round_tiles": figurines,
        "player": {"ana": {"used_tiles": sum(used.values())}},
    }
    told = play.at(form, "battle", "purse", "purse").out
    assert told.count("Which tile") == 2 and "The Heralds' Gate does not get a tile" in told


def test_who_shows_objective_cards_says_which_or_none(play: Played) -> None:
    form = {"phase": "end", "round": 4, "player": {"ana": {"objectives": 2}, "bo": {"objectives": 1}, "cai": {}}}
    told = play.at(form, "ana shows", "O01 O18", "bo shows", "none", "cai shows", "score")
    assert told.out.count("Which objective cards does") == 2, "cai has none"
    assert [(move["player"], move.get("objectives"), move.get("none")) for move in play.moves()] == [
        ("ana", ["O01", "O18"], None),
        ("bo", None, True),
        ("cai", None, None),
    ]
    assert "cannot be none" in play.at(form, "ana shows none O01").out


BUILDING = {"player": {"ana": {**RICH, "coin": 3, "tracks": {"gold": 1}}, "bo": {"coin": 4}}, "round_tiles": ["ox"]}


def test_a_step_typed_alone_asks_for_the_rest_of_it(play: Played) -> None:
    typed = ("ana qi", "governor", "chess", "salt pans", "2", "exchange", "9", "3", "track", "silk", "")
    told = play.at(BUILDING, *typed).out
    assert "In which building does ana install a governor? qi_saltpans, qi_academy" in told
    assert "'chess' neither answers the question nor is a step of this turn" in told
    assert "Which space does ana choose? 1, 2, 3" in told and "Which good does ana gain? salt, silk, lacquer" in told
    (move,) = play.moves()
    assert move["steps"] == [
        {"governor": "qi_saltpans", "space": 2},
        {"exchange": 3},
        {"track": True, "choose": {"any_good": ["silk"]}},
    ]


def test_a_turn_may_end_with_what_the_next_player_does(play: Played) -> None:
    told = play.at(
        BUILDING, "ana chu", "bo passes, take ox", "exchange 1", "bo passes, take ox", "ana chu", "leave"
    ).out
    assert "this turn has to end first" in told and "NO: " in told
    assert [move["turn"] for move in play.moves()] == ["region", "pass"]
    assert "nothing recorded" in told.split("OK")[-1]


def test_a_turn_without_further_steps_ends_by_itself(play: Played) -> None:
    form = {"player": {"ana": {"markers": 0, "discarded_markers": 3}}, "round_tiles": ["ox"]}
    told = play.at(form, "ana passes", "take ox").out
    assert "OK" in told
    (move,) = play.moves()
    assert move["steps"] == [{"tile": "ox"}]


def test_the_steps_of_a_turn_are_listed_and_each_is_explained(play: Played) -> None:
    told = play.at({}, "?region").out
    for step in ("track", "governor BUILDING SPACE", "exchange N", "recall stall|caravan"):
        assert f"\n      {step} " in told
    assert "`choose` after a step answers what it will ask" in told
    assert play.at({}, "?fortify").out == play.at({}, "? military").out, "the name of the turn may be left out"
    told = play.at({}, "?ship", "help install", "?zzz").out
    assert "ship port|yan|qi|wei|chu|wave DELIVERIES…" in told and "A step of region: type `?region`" in told
    assert "governor BUILDING SPACE" in told and "no move begins with 'zzz'" in told


def test_help_for_programs_lists_the_steps(play: Played) -> None:
    rows = {row["name"]: row for row in play("moves", "tianxia", "--help-moves", "--json").json["moves"]}
    assert [step["usage"] for step in rows["pass"]["steps"]][:2] == ["tile TILE", "buy crimson|indigo|gold|jade"]
    assert "steps" not in rows["battle"]


def test_a_step_that_leads_tells_what_it_brings_and_nothing_of_the_turn(play: Played) -> None:
    told = play.at(BUILDING, "ana barge rice", "discard marker", "leave").out
    listed = next(line for line in told.splitlines() if line.startswith("  discard marker"))
    assert listed.endswith("ana discards a marker and has 2 left; ana gains 2 coins")
    assert "  board                     Board the barge, before the free actions that follow." in told


def test_a_typed_line_without_its_palace_step_or_tile_is_asked_for_it(play: Played) -> None:
    form = {"player": {"ana": RICH, "bo": RICH}, "round_tiles": ["ox", "tiger"]}
    told = play.at(form, "ana fortify wall linhu", "jade", '{"turn": "military", "player": "bo", "action": "train",'
                   ' "steps": [{"soldier": "linhu"}]}').out  # fmt: skip
    assert "Which track does ana take the step on?" in told
    assert "TX-MIL-7" in told, "a report has to say it"
    assert play.moves()[0]["steps"] == [{"wall": "linhu"}, {"track": "jade"}]
    assert "which tile" in play("do", "bo passes").out.lower()


def test_a_forbidden_move_typed_at_a_question_leaves_the_question(play: Played) -> None:
    """Somebody who speaks out of turn takes nothing from the one who is asked; a legal line takes its place."""
    ana = {"phase": "action", "active": "ana", "player": {"ana": {**RICH, "tracks": {"gold": 1}}}}
    said = play.at(ana, "ana qi exchange 1", "bo barge rice", "silk")
    assert "It is bo's turn" not in said.out and "It is ana's turn, not bo's" in said.out
    assert said.out.count("Which good does ana gain?") == 2
    assert [move["region"] for move in play.moves()] == ["qi"]
    play.at(ana, "ana qi exchange 1", "ana qi exchange 2, track choose silk")
    assert [move["steps"][0]["exchange"] for move in play.moves()] == [2]


@pytest.mark.parametrize(
    ("thing", "told"), [("yiqu", "yiqu  0/3"), ("qi", "Salt Pans"), ("barges", "12 neutral workers")]
)
def test_whoever_asks_to_see_a_thing_records_nothing(play: Played, thing: str, told: str) -> None:
    """`show yiqu` shows the lane, even where an attack card with that name in its title could come up."""
    said = play.at({"phase": "setup", "round": 4}, f"show {thing}")
    assert told in said.out
    assert "OK" not in said.out
    assert not play.moves()


@pytest.mark.parametrize(
    ("said", "answers"), [("ana gains the silk", True), ("not silk", False), ("salt or silk", False)]
)
def test_an_answer_may_be_said_in_the_words_of_the_question(play: Played, said: str, answers: bool) -> None:
    """`Which good does ana gain?`: only words of the question may stand around the answer."""
    form = {"player": {"ana": {**RICH, "tracks": {"gold": 1}}}}
    told = play.at(form, "ana qi exchange 1", said, "")
    assert ("ana gains 1 silk" in told.out) is answers
    assert len(play.moves()) == answers
