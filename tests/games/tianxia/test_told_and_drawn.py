"""What Tianxia says and draws of written positions, piece by piece and figure by figure."""

from __future__ import annotations

from typing import Any

import games
import pytest

from companion.engine.answers.queries import answer
from companion.engine.language.jsonmoves import from_json
from companion.engine.language.positionfile import from_form
from companion.engine.play.lines import Outcome, try_line
from companion.engine.play.position import Position

RULES = games.rules_with("tianxia")
AFLOAT = {"qi": {"demand": "salt", "ship": "heron"}}


def table(**form: Any) -> Position[Any]:
    return Position(RULES, from_form({"players": ["ana", "bo"], **form}, RULES))


def after(form: dict[str, Any], move: dict[str, Any]) -> Outcome:
    at = table(**form)
    return try_line(at, [from_json(move, at)])


def told(form: dict[str, Any], move: dict[str, Any]) -> list[str]:
    """The lines for the table, or why the move is forbidden."""
    outcome = after(form, move)
    return [*(event.what for event in outcome.events if not event.aside), *(b.why for b in outcome.verdict.reasons)]


# --- drawn ---------------------------------------------------------------------------------------------------------

WRITTEN = {
    "round": 2,
    "turn_order": ["bo", "ana"],
    "next_order": ["bo"],
    "attack_card": "B1",
    "round_tiles": ["ox", "purse"],
    "buildings": {"qin_granary": {"governors": ["ana"], "cost_tokens": 2, "bonus": "tiger"}},
    "sections": {"yiqu": {"walls": ["ana", "bo", "ana"], "towers": ["bo"], "soldiers": [None, "ana"]}},
    "nomads": {"yiqu": {"march": 2, "strength": 7}},
    "barges": {"rice": ["grey", "ana"]},
    "regions": {"zhao": {"discs": ["bo", "ana"]}},
    "military": {"train": {"discs": ["ana"]}},
    "ports": {"yan": {"demand": "salt", "ship": "heron", "crates": {2: "bo"}, "markers": ["ana"]}},
    "player": {
        "ana": {
            "vp": -3,
            "coin": 7,
            "salt": 2,
            "rice": 1,
            "tiles": ["purse"],
            "used_tiles": 1,
            "figurines": ["crane"],
            "merchants": {"caravan": 2},
            "tracks": {"gold": 3},
            "markers": 0,
            "objectives": 2,
        },
        "bo": {"vp": 104},
    },
}
DRAWN = """
figurine/tiger building-qin_granary#bonus 1
worker/white building-qin_granary#space.1 1
cost-token/wood building-qin_granary#cost 2
nomad/yiqu board#yiqu.march.2 1
sword/yiqu board#yiqu.strength.7 1
defence/shield board#yiqu.defence.6 1
wall/white-1 board#yiqu.wall.1 1
wall/black-1 board#yiqu.wall.2 1
wall/white-2 board#yiqu.wall.3 1
tower/black-1 board#yiqu.tower.1 1
worker/white board#yiqu.soldier.2 1
action-marker/black board#zhao.markers 1
action-marker/white board#zhao.markers 1
action-marker/white board#train 1
neutral-worker/grey board#barge.rice.1 1
worker/white board#barge.rice.2 1
ship/heron board#port.yan.ship 1
crate/black ship-yan#space.2 1
demand/salt board#port.yan.demand 1
knot/white board#port.yan.knots 1
round-marker/round board#round.2 1
figurine/ox board#tiles.1 1
one-time/purse board#tiles.2 1
turn-marker/black board#next.1 1
turn-marker/white board#now.2 1
attack/B1 table#attack 1
neutral-worker/grey table#grey 11
score-marker/white board#score.97 1
palace-marker/white board#palace.gold.3 1
score-marker/black board#score.4 1
wall/white-3 ana#wall.3 1
wall/white-6 ana#wall.6 1
tower/white-1 ana#tower.1 1
tower/black-2 bo#tower.2 1
knot/white ana#estate.2 1
knot/white ana#estate.4 1
knot/black bo#estate.1 1
worker/white ana#merchant.caravan.1 1
worker/white ana#merchant.caravan.2 1
figurine/crane ana#figurine.crane 1
one-time/purse ana#tiles 1
one-time/* ana#used 1
worker/white ana#supply 7
crate/black bo#crates 11
action-marker/white stock-ana#discarded 1
action-marker/black stock-bo#markers 2
objective/* stock-ana#objectives 2
coin-5/coin stock-ana#coin 1
coin-1/coin stock-ana#coin 2
score-flag/white stock-ana#flag 1
score-flag/black stock-bo#flag 1
resource/rice stock-ana#rice 1
good/salt stock-ana#salt 2
"""


REST = {
    *(f"building/{name} board#{name} 1" for name in RULES.names("building")),
    *(f"nomad/{lane} board#{lane}.march.0 1" for lane in ("linhu", "loufan", "donghu")),
    *(f"sword/{lane} board#{lane}.strength.1 1" for lane in ("linhu", "loufan", "donghu")),
    *(f"defence/shield board#{lane}.defence.0 1" for lane in ("linhu", "loufan", "donghu")),
    *(f"palace-marker/white board#palace.{track}.0 1" for track in ("crimson", "indigo", "jade")),
    *(f"palace-marker/black board#palace.{track}.0 1" for track in ("crimson", "indigo", "gold", "jade")),
    *(f"wall/black-{n} bo#wall.{n} 1" for n in (2, 3, 4, 5, 6)),
    *("wall/white-4 ana#wall.4 1", "wall/white-5 ana#wall.5 1"),
    *("tower/black-3 bo#tower.3 1", "tower/white-2 ana#tower.2 1", "tower/white-3 ana#tower.3 1"),
    *("knot/white ana#estate.3 1", *(f"knot/black bo#estate.{n} 1" for n in (2, 3, 4))),
    *("crate/white ana#crates 12", "worker/black bo#supply 12"),
    *("main-board/board table#board 1", "player-board/white table#player.1 1", "player-board/black table#player.2 1"),
}
"""What lies there besides, as at the beginning."""


def drawn(**form: Any) -> list[str]:
    """Every piece of the picture: its name, its place and how many there are."""
    return [f"{thing.piece} {thing.at} {thing.count}" for thing in RULES.scene(table(**form)).pieces if thing.piece]


def test_every_piece_lies_where_the_position_says_and_nothing_else_does() -> None:
    assert sorted(drawn(**WRITTEN)) == sorted({*DRAWN.split("\n"), *REST} - {""})
    sides = {thing.piece: thing.side for thing in RULES.scene(table(**WRITTEN)).pieces if "flag" in thing.at}
    assert sides == {"score-flag/white": "back", "score-flag/black": "front"}


@pytest.mark.parametrize(
    ("points", "cell", "flag"), [(-1, 99, ["back"]), (0, 0, []), (1, 1, []), (99, 99, []), (100, 0, ["front"])]
)
def test_a_flag_lies_below_nothing_and_from_a_hundred(points: int, cell: int, flag: list[str]) -> None:
    pieces = RULES.scene(table(player={"ana": {"vp": points}})).pieces
    assert [thing.at for thing in pieces if thing.piece == "score-marker/white"] == [f"board#score.{cell}"]
    assert [thing.side for thing in pieces if thing.piece == "score-flag/white"] == flag


def test_each_player_has_a_board_of_the_own_colour_beside_the_stock() -> None:
    pieces = RULES.scene(table(players=["ana", "bo", "cai", "dee"])).pieces
    boards = [(thing.piece, thing.id, thing.at, thing.label) for thing in pieces if "player-board" in thing.piece]
    colours = zip(("white", "black", "purple", "orange"), ("ana", "bo", "cai", "dee"), range(1, 5), strict=True)
    assert boards == [(f"player-board/{colour}", who, f"table#player.{n}", who) for colour, who, n in colours]
    stock = [(thing.id, thing.at) for thing in pieces if thing.mat == "stock"]
    assert stock == [(f"stock-{who}", f"table#stock.{n}") for n, who in enumerate(("ana", "bo", "cai", "dee"), 1)]


def test_what_is_counted_by_the_handful_lies_in_a_pile() -> None:
    lies = {thing.piece: thing.lay for thing in RULES.scene(table(**WRITTEN)).pieces if thing.lay}
    assert lies == {"cost-token/wood": "pile", "objective/*": "pile"}


def test_who_is_in_no_turn_order_yet_keeps_the_marker() -> None:
    places = [thing.at for thing in RULES.scene(table(phase="prepare")).pieces if "turn-marker" in thing.piece]
    assert places == ["stock-ana#flag", "stock-bo#flag"]


# --- told ----------------------------------------------------------------------------------------------------------

AWAITED = [
    (
        {"phase": "prepare"},
        "the turn order, bonus tiles, the demands and the ships (type: prepare order ana bo)",
        "preparation",
    ),
    ({"phase": "setup"}, "3 bonus tiles (type: tiles) and the attack card of round 1", "round 1, round set-up"),
    ({"phase": "setup", "attack_card": "A1"}, "3 bonus tiles (type: tiles)", "round 1, round set-up"),
    ({"phase": "income"}, "everybody takes income", "round 1, the income phase"),
    ({"active": "bo"}, "bo takes a turn", "round 1, the action phase, bo to act"),
    ({"phase": "attack", "nomads": {"linhu": {"march": 3}}}, "the battle of Linhu", "round 1, the attack phase"),
    ({"phase": "attack"}, "clean-up with the ships that come up", "round 1, the attack phase"),
    ({"phase": "attack", "round": 4}, "ana and bo show what objective cards score", "round 4, the attack phase"),
    ({"phase": "end", "round": 4, "scored": {"ana": []}}, "bo shows what", "final scoring"),
    ({"phase": "end", "round": 4, "scored": {"ana": [], "bo": []}}, "the game is over", "over: all"),
]


@pytest.mark.parametrize(("form", "awaits", "heading"), AWAITED)
def test_each_phase_says_what_has_to_happen(form: dict[str, Any], awaits: str, heading: str) -> None:
    at = table(**form)
    assert awaits in RULES.awaits(at)
    assert RULES.phase(at.state).startswith(heading)


def test_a_knot_says_which_slot_it_uncovers() -> None:
    ship = {
        "turn": "region",
        "player": "ana",
        "region": "qi",
        "steps": [{"ship": "port", "deliveries": [{"space": 1}]}],
    }
    lines = told({"player": {"ana": {"salt": 1, "ship_markers": 2}}, "ports": AFLOAT}, ship)
    assert "ana moors a shipping marker at Qi; slot 3 of the estate is uncovered" in lines
    assert "ana pays 1 salt and covers space 1 of the Heron" in lines


def test_only_free_spaces_are_offered_for_a_delivery() -> None:
    ship = {"turn": "region", "player": "ana", "region": "qi", "steps": [{"ship": "port"}]}
    asked = after({"player": {"ana": {"salt": 1}}, "ports": {"qi": {**AFLOAT["qi"], "crates": {2: "bo"}}}}, ship)
    assert [str(one) for one in asked.verdict.needs[0].options] == ["1", "3"]


def test_goods_of_choice_are_counted() -> None:
    give = {"turn": "region", "player": "ana", "region": "zhou"}
    exchange = {"exchange": 3, "choose": {"give": ["salt", "silk", "salt"]}}
    assert "ana gives 2 salt and 1 silk" in told(
        {"player": {"ana": {"salt": 2, "silk": 1}}}, {**give, "steps": [exchange]}
    )


def test_the_price_of_the_next_wall_is_named() -> None:
    build = {"turn": "military", "player": "ana", "action": "fortify", "steps": [{"wall": "yiqu"}]}
    assert told({"player": {"ana": {"walls_built": 2}}}, build) == ["ana has 0 stone, and wall 3 costs 2"]


def test_a_nomad_stops_only_where_steps_are_lost() -> None:
    form = {"phase": "setup", "round": 2, "round_tiles": ["ox", "ox", "ox"]}
    card = {"event": "attack_card", "card": "B1"}
    assert not [line for line in told({**form, "nomads": {"linhu": {"march": 1}}}, card) if "stop" in line]
    stopped = after({**form, "nomads": {"linhu": {"march": 2}}}, card)
    assert [event.facts["n"] for event in stopped.events if event.rule == "TX-RSET-4"] == [1]


def test_tiles_that_are_elsewhere_are_counted() -> None:
    form = {"phase": "setup", "box": {"ox": 2}, "player": {"bo": {"figurines": ["ox"]}}}
    lines = told(form, {"event": "round_tiles", "tiles": ["ox", "ox", "purse"]})
    assert lines == ["The ox tile cannot have come up 2 times: of 4 copies, 3 are known to be elsewhere"]
    lines = told({**form, "box": {"ox": 3}}, {"event": "round_tiles", "tiles": ["ox", "ox", "purse"]})
    assert lines == ["The ox tile cannot have come up 2 times: of 4 copies, 4 are known to be elsewhere"]


SHOWN = """
round 2, the action phase
turn order: bo, ana
passed: bo
tiles below the round track: ox purse
attack card: B1
       points  coin  rice  wood  stone  salt  silk  lacquer  cards
  ana      -3     7     1     .      .     2     .        .      2
  bo      104     .     .     .      .     .     .        .      .
      workers markers knots crates tracks      merchants owns
  ana       7       .     3     12 c0 i0 g3 j0 s0 c2     purse (1 used) and
                                                         crane
  bo       12       2     4     11 c0 i0 g0 j0 s0 c0     -
          march  strength  defence  walls       towers  soldiers
  yiqu    2/3           7        6  ana bo ana  bo      _ ana
  linhu   0/3           1        .  -           -       -
  loufan  0/3           1        .  -           -       -
  donghu  0/3           1        .  -           -       -
Regions, with markers, governors and [bonus tiles]
  Qin (crimson) <>; River Granary +2: ana _ _ [tiger]; Conscript Barracks: _ _ _
  Chu (jade) <>; Lacquer Workshop: _ _ _; Pilots' Lodge: _ _ _
  Wei (indigo) <>; Canal Tollhouse: _ _ _; Customs Hall: _ _ _
  Han (gold) <>; Iron Foundry: _ _ _; Masons' Guild: _ _ _
  Zhao (crimson) <bo ana>; Horse Market: _ _ _; Beacon Command: _ _ _
  Zhou royal land (indigo) <>; Royal Treasury: _ _ _; Heralds' Gate: _ _ _
  Yan (jade) <>; Timber Yard: _ _ _; Ferrymen's Guild: _ _ _
  Qi (gold) <>; Salt Pans: _ _ _; Hall of Scholars: _ _ _
Military: fortify <>, train <ana>
Harbour: Yan wants salt: Heron, crates 2 bo; knots ana; Qi: no ship; Wei: no ship; Chu: no ship; the wave space: no ship
Barges: rice grey ana, wood -, stone -, salt -; 11 neutral workers left
next: anybody who has not passed takes a turn (region, fortify or train, barge, pass)
"""


def test_the_table_is_shown_in_rows() -> None:
    assert [line.rstrip() for line in RULES.show(table(**WRITTEN)).splitlines()] == SHOWN.strip("\n").split("\n")
    assert "nobody is seated yet" in RULES.show(Position(RULES, RULES.new_state()))


def test_a_player_without_tiles_owns_those_that_were_used() -> None:
    text = RULES.show(table(player={"ana": {"used_tiles": 2}}))
    assert "  (2 used)\n" in text


def test_a_card_that_another_has_shown_cannot_score() -> None:
    form = {"phase": "end", "round": 4, "scored": {"bo": ["O01"]}, "player": {"ana": {"objectives": 1}}}
    shown = after(form, {"event": "score", "player": "ana", "objectives": ["O01"]})
    assert [breach.rule for breach in shown.verdict.reasons] == ["TX-OBJ-4"]


def test_cards_that_were_shown_count_as_held() -> None:
    at = table(phase="end", round=4, scored={"ana": ["O01"]}, player={"ana": {"objectives": 1}})
    assert answer({"query": "score", "player": "ana", "objectives": ["O01", "O02"]}, at).value["objectives"] == 0


def test_a_price_says_its_rules() -> None:
    at = table(buildings={"zhou_treasury": {"cost_tokens": 2}})
    asked = {"query": "governor_cost", "player": "ana", "building": "zhou_treasury", "space": 1}
    assert answer(asked, at).rules == ["TX-GOV-2", "TX-GOV-10"]


# --- listed --------------------------------------------------------------------------------------------------------


def test_what_lacks_in_preparation_is_listed() -> None:
    whole = {building: {"bonus": "purse"} for building in ("qin_granary", "qin_barracks", "chu_lacquer")}
    legal = table(phase="prepare", turn_order=["ana", "bo"], buildings=whole).legal()
    assert {tuple(move.to_json()["bonus"]) for move in legal} == {("chu_pilots",)}


def test_turns_are_listed_down_to_the_last_coin() -> None:
    at = table(active="ana", player={"ana": {"coin": 1, "rice": 1, "stone": 1}}, regions={"zhao": {"discs": ["bo"]}})
    turns = {tuple(move.to_json().get(key, "") for key in ("turn", "region", "action", "barge")) for move in at.legal()}
    assert {("region", "zhao", "", ""), ("military", "", "fortify", ""), ("barge", "", "", "salt")} <= turns


# --- laws ----------------------------------------------------------------------------------------------------------


def broken(change: str, value: Any = 1) -> list[str]:
    """The laws that a position breaks in which one thing was changed by hand."""
    at = table(player={"ana": {"objectives": 1}, "bo": {"objectives": 1}})
    *path, last = change.split(".")
    here: Any = at.state
    for step in path:
        here = here[step] if isinstance(here, dict) else getattr(here, step)
    if isinstance(here, dict):
        here[last] = value
    else:
        setattr(here, last, value)
    return RULES.check_whole(at.state)


LAWS = [
    ("player.ana.workers", 13, ["ana has 13 workers, not 12"]),
    ("player.ana.crates", 11, ["ana has 11 crates, not 12"]),
    ("player.ana.walls_built", 1, ["ana has 1 walls, not 0"]),
    ("player.ana.coin", -1, ["player.ana.coin: -1 is less than 0"]),
    ("player.ana.figurines", ["ox", "ox"], ["player.ana.figurines: ox is named twice"]),
    ("player.ana.objectives", 24, ["there are 25 objective cards, not 24"]),
    ("neutral_workers", 11, ["there are 11 neutral workers, not 12"]),
    ("discarded_ships", ["gull", "gull"], ["there are 2 gull ships, not 1"]),
    ("box", {"ox": 5}, ["there are 5 ox tiles, not 4"]),
    ("round_tiles", ["ox"] * 5, ["there are 5 ox tiles, not 4"]),
    ("face_down", {"purse": 1}, ["named are 1 used tiles, not 0"]),
    ("sections.yiqu.defence", 1, ["the defence marker of yiqu is at 1, not 0"]),
    ("sections.yiqu.towers", [None] * 3, ["yiqu has 3 towers, not 2"]),
]


@pytest.mark.parametrize(("change", "value", "laws"), LAWS)
def test_a_broken_law_is_told_with_its_figures(change: str, value: Any, laws: list[str]) -> None:
    assert broken(change, value) == laws


def test_a_barge_has_three_places() -> None:
    at = table()
    at.state.barges["rice"] = ["grey"] * 4
    at.state.neutral_workers = 8
    assert RULES.check_whole(at.state) == ["on the rice barge are 4 workers, not 3"]


def test_nothing_lies_on_the_table_before_anybody_sits_there() -> None:
    empty = RULES.dump(RULES.new_state())
    assert not any(value for key, value in empty.items() if key not in ("round", "phase"))
