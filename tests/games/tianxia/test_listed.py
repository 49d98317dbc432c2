"""What Tianxia lists: the turns that can be taken, as far as they are worth listing, and in few lines for the table."""

from __future__ import annotations

from typing import Any

import games
import pytest

from companion.engine.language import listing, notation
from companion.engine.language.positionfile import from_form
from companion.engine.play.lines import try_line
from companion.engine.play.position import Position

RULES = games.rules_with("tianxia")


def table(**form: Any) -> Position[Any]:
    return Position(RULES, from_form({"players": ["ana", "bo", "cai"], **form}, RULES))


def listed(kind: str = "", **form: Any) -> list[str]:
    """The legal moves as they are typed, of a kind of turn."""
    at = table(**form)
    lines = [notation.write(move, at) for move in at.legal()]
    return [line.removeprefix(f"ana {kind}").strip(" ,") for line in lines if kind in line]


def told(**form: Any) -> list[str]:
    at = table(**form)
    return listing.overview(at.legal(), at)


RICH = {
    "active": "ana",
    "player": {"ana": {"coin": 4, "wood": 4, "stone": 2, "rice": 3, "salt": 1, "silk": 1, "figurines": ["ox"]}},
    "regions": {"zhao": {"discs": ["bo", "cai"]}},
    "round_tiles": ["ox", "purse", "carp"],
    "ports": {"yan": {"demand": "salt", "ship": "heron", "crates": {1: "bo"}}},
    "barges": {"rice": ["ana", "bo", "cai"]},
    "buildings": {"qin_granary": {"governors": ["bo"]}},
    "sections": {"yiqu": {"walls": ["bo"] * 5}},
}


def test_region_turns_show_one_way_for_each_action() -> None:
    assert listed("region", **RICH) == [
        *("qin, governor qin_granary 2", "qin, governor qin_barracks 1"),
        *("chu, governor chu_lacquer 1", "chu, governor chu_pilots 1", "chu, exchange 4"),
        *("wei, governor wei_canal 1", "wei, governor wei_customs 1", "wei, exchange 3"),
        *("han, governor han_foundry 1", "han, governor han_masons 1", "han, exchange 4"),
        *("zhao, governor zhao_horses 1", "zhao, governor zhao_beacon 1", "zhao, exchange 3"),
        *("zhou, governor zhou_treasury 1", "zhou, governor zhou_heralds 1"),
        "zhou, exchange 2 choose salt, track, bubble",
        *("yan, governor yan_timber 1", "yan, governor yan_ferries 1", "yan, ship port 2"),
        *("qi, governor qi_saltpans 1", "qi, governor qi_academy 1", "qi, exchange 4"),
    ]


def test_military_turns_show_each_piece_in_each_lane_with_room() -> None:
    assert listed("military", **RICH) == [
        *(f"fortify, track crimson, wall {lane}" for lane in ("linhu", "loufan", "donghu")),
        *(f"fortify, track crimson, tower {lane}" for lane in ("yiqu", "linhu", "loufan", "donghu")),
        *(f"train, track crimson, soldier {lane}" for lane in ("yiqu", "linhu", "loufan", "donghu")),
    ]


def test_barges_and_passing_are_listed_in_full() -> None:
    barges = ["rice own pushed stall", "rice own pushed caravan", "wood own", "stone own", "salt own"]
    assert listed("barge", **RICH) == barges
    bought = [f"tile purse, buy {track}" for track in ("crimson", "indigo", "gold", "jade")]
    assert listed("pass", **RICH) == ["tile purse", "tile carp", *bought]


def test_who_owns_all_figurines_on_offer_takes_none() -> None:
    form = {"active": "ana", "round_tiles": ["ox"], "player": {"ana": {"coin": 2, "figurines": ["ox"]}}}
    assert listed("pass", **form) == ["", "buy crimson", "buy indigo", "buy gold", "buy jade"]
    assert "ana pass: buy up to 1 palace step" in told(**form)
    assert told(active="ana")[0] == "ana pass"


SHORT: list[tuple[dict[str, Any], set[str]]] = [
    ({"coin": 1}, {"han, exchange 1", "qi, exchange 1"}),
    ({"wood": 1}, {"chu, exchange 1"}),
    ({"wood": 2, "workers": 0}, {"chu, exchange 2"}),
    ({"salt": 1}, {"zhou, exchange 1", "yan, ship port 2"}),
    ({"salt": 1, "crates": 0, "delivered": 12}, {"zhou, exchange 1"}),
    ({"salt": 1, "ship_markers": 0}, {"zhou, exchange 1"}),
    ({"silk": 1}, {"zhou, exchange 1"}),
    ({"rice": 1, "markers": 0}, set()),
    ({"coin": 5}, {"han, exchange 4", "qi, exchange 4"}),
]


@pytest.mark.parametrize(("ana", "turns"), SHORT)
def test_only_what_can_be_paid_is_listed(ana: dict[str, Any], turns: set[str]) -> None:
    ports = {"yan": {"demand": "salt", "ship": "heron", "crates": {1: "bo"}}}
    assert set(listed("region", active="ana", ports=ports, player={"ana": ana})) == turns


def test_what_stands_at_the_wall_is_counted() -> None:
    """The last piece, the last stone, the last rice, the last worker."""
    walls = {lane: {"walls": ["ana"]} for lane in ("yiqu", "linhu", "loufan")}
    assert listed("wall", active="ana", sections=walls, player={"ana": {"stone": 1}}) == []
    assert len(listed("wall", active="ana", sections=walls, player={"ana": {"stone": 2}})) == 4
    all_built = {"yiqu": {"walls": ["ana"] * 5}, "linhu": {"walls": ["ana"]}}
    assert listed("wall", active="ana", sections=all_built, player={"ana": {"stone": 9}}) == []
    assert len(listed("soldier", active="ana", player={"ana": {"rice": 2}})) == 4
    assert listed("soldier", active="ana", player={"ana": {"rice": 1}}) == []
    assert listed("soldier", active="ana", player={"ana": {"rice": 2, "workers": 0}}) == []
    full = {"tracks": dict.fromkeys(("crimson", "indigo", "gold", "jade"), 8)}
    assert "train, soldier yiqu" in listed("military", active="ana", player={"ana": {"rice": 2, **full}})


def test_while_nobody_said_whose_turn_it_is_the_first_in_order_stands_for_all() -> None:
    turns = listed(
        "", turn_order=["bo", "cai", "ana"], round_tiles=["ox"], player={"bo": {"rice": 2}, "cai": {"rice": 2}}
    )
    assert {turn.split()[0] for turn in turns if "barge" not in turn} == {"bo"}
    assert {turn.split()[1].strip(",") for turn in turns} == {"region", "military", "pass"}


def test_the_turns_are_told_in_few_lines() -> None:
    assert told(**RICH)[:-1] == [
        "ana qin: governor qin_granary 2 or governor qin_barracks 1",
        "ana chu: governor chu_lacquer 1, governor chu_pilots 1 or exchange 4",
        "ana wei: governor wei_canal 1, governor wei_customs 1 or exchange 3",
        "ana han: governor han_foundry 1, governor han_masons 1 or exchange 4",
        "ana zhao (pay 2 coins): governor zhao_horses 1, governor zhao_beacon 1 or exchange 3",
        "ana zhou: governor zhou_treasury 1, governor zhou_heralds 1 or exchange 2",
        "ana yan: governor yan_timber 1, governor yan_ferries 1 or ship port 2",
        "ana qi: governor qi_saltpans 1, governor qi_academy 1 or exchange 4",
        "ana fortify: track …, then wall or tower in a lane",
        "ana train: track …, then soldier in a lane",
        "ana barge rice (pay 2 coins): 1 rice",
        "ana barge wood (pay 1 coin): 1 wood",
        "ana barge stone (pay 1 coin): 1 stone",
        "ana barge salt (pay 1 coin): 1 salt",
        "ana pass: take a tile, then buy up to 1 palace step",
        "with any turn: discard marker, use, discard, empty, recall",
    ]


def test_a_player_without_anything_may_pass() -> None:
    assert told(active="ana", round_tiles=["ox"])[0] == "ana pass: take a tile"


def test_a_stack_at_the_wall_is_told() -> None:
    lines = told(active="ana", military={"train": {"discs": ["bo"]}}, player={"ana": {"coin": 1, "rice": 2}})
    assert "ana train (pay 1 coin): track …, then soldier in a lane" in lines


def test_a_table_with_other_figures_is_told_with_its_own() -> None:
    rules = games.rules_with("tianxia", {"barge.gain": 2})
    at = Position(rules, from_form({"players": ["ana", "bo"], "active": "ana", "player": {"ana": {"coin": 1}}}, rules))
    assert "ana barge rice (pay 1 coin): 2 rice" in listing.overview(at.legal(), at)


def test_other_moves_are_told_as_they_are_typed() -> None:
    assert told(phase="income") == ["income"]
    assert told(phase="attack", nomads={"linhu": {"march": 3}}) == ["battle linhu"]


BUSY = {
    "active": "ana",
    "player": {
        "ana": {
            **dict.fromkeys(("coin", "rice", "wood", "stone"), 9),
            "salt": 2,
            "tiles": ["purse", "purse", "envoy"],
            "objectives": 1,
            "figurines": ["ox"],
            "merchants": {"stall": 2, "caravan": 1},
        }
    },
    "round_tiles": ["ox", "purse", "carp"],
    "barges": {"rice": ["bo", "bo", "bo"]},
    "buildings": {"qin_granary": {"governors": ["bo"]}},
    "ports": {"yan": {"demand": "salt", "ship": "heron", "crates": {1: "bo"}}, "wave": {"ship": "tern"}},
}
LANES, TRACKS = ["yiqu", "linhu", "loufan", "donghu"], ["crimson", "indigo", "gold", "jade"]
ASKED = [
    ("ana region", "region", ["qin", "chu", "wei", "han", "zhao", "zhou", "yan", "qi"]),
    ("ana zhao exchange", "steps[0].exchange", ["1", "2", "3", "4"]),
    ("ana qin governor", "steps[0].governor", ["qin_granary", "qin_barracks"]),
    ("ana qin governor granary", "steps[0].space", ["2", "3"]),
    ("ana chu governor lacquer", "steps[0].space", ["1", "2", "3"]),
    ("ana yan ship", "steps[0].deliveries", ["2", "3"]),
    ("ana military", "action", ["fortify", "train"]),
    ("ana fortify wall", "steps[0].wall", LANES),
    ("ana fortify tower", "steps[0].tower", LANES),
    ("ana train soldier", "steps[0].soldier", LANES),
    ("ana train track", "steps[0].track", TRACKS),
    ("ana barge", "barge", ["rice", "wood", "stone", "salt"]),
    ("ana barge rice", "pushed_to", ["stall", "caravan"]),
    ("ana pass, take", "steps[0].tile", ["purse", "carp"]),
    ("ana pass, take purse, buy", "steps[1].buy", TRACKS),
    ("ana barge wood, use", "steps[0].tile", ["purse", "envoy"]),
    ("ana barge wood, recall", "steps[0].row", ["stall", "caravan"]),
]


@pytest.mark.parametrize(("line", "field", "options"), ASKED)
def test_what_a_line_leaves_open_is_asked_with_what_may_be_said(line: str, field: str, options: list[str]) -> None:
    at = table(**BUSY)
    asked = try_line(at, notation.read(line, at)).verdict.needs
    assert [(choice.field, [str(option) for option in choice.options]) for choice in asked] == [(field, options)]
