"""The pieces of Tianxia against its description: nothing missing, nothing twice, every figure where it belongs."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from typing import Any

import pytest

from components.model import ResolvedGame, ResolvedPiece
from components.resolve import resolve_game
from components.variants import parse_sets
from generator.paper.formats import load_formats

GAME = "tianxia"
COLOURS = ["white", "black", "purple", "orange"]

BOX = {
    "main-board": (1, 420, 594), "player-board": (4, 210, 148), "aid": (4, 95, 133.9), "building": (16, 40, 44),
    "figurine": (24, 22, 22), "one-time": (36, 22, 22), "cost-token": (20, 12, 12), "demand": (6, 22, 22),
    "ship": (16, 60, 38), "objective": (24, 63, 88), "attack": (12, 63, 88), "worker": (48, 12, 20),
    "neutral-worker": (12, 12, 20), "action-marker": (12, 18, 18), "turn-marker": (4, 15, 15),
    "score-marker": (4, 12, 12), "score-flag": (4, 20, 15), "palace-marker": (16, 10, 10),
    "wall": (24, 10, 14), "tower": (12, 12, 18), "crate": (48, 10, 10), "knot": (16, 14, 14), "nomad": (4, 18, 26),
    "sword": (4, 10, 18), "defence": (4, 12, 12),
    "round-marker": (1, 15, 15), "coin-1": (40, 18, 18), "coin-5": (20, 22, 22), "resource": (72, 12, 12),
    "good": (60, 12, 12),
}  # fmt: skip
"""Set -> pieces in the box, width and height in mm."""
PICTURED = {"region", "palace", "barge", "lane", "merchants"}
"""What the boards print, and a rulebook pictures by itself."""
OF_A_COLOUR = {
    "worker": 12, "action-marker": 3, "turn-marker": 1, "score-marker": 1, "score-flag": 1, "palace-marker": 4,
    "wall": 6, "tower": 3, "crate": 12, "knot": 4, "player-board": 1,
}  # fmt: skip
PARAMETERS = {
    "players.min": 2,
    "players.max": 4,
    "rounds": 4,
    "action_markers": 3,
    "stack.cost.coin_per_disc": 1,
    "governor.spaces_in_use": {2: 2, 3: 3, 4: 3},
    "governor.cost_token.wood": 1,
    "exchange.max_times": 4,
    "shipping.markers": 4,
    "shipping.min_deliveries": 1,
    "shipping.demand_goods": 1,
    "crates": 12,
    "workers": 12,
    "neutral_workers": 12,
    "soldier.cost.rice": 2,
    "soldier.strength": 1,
    "wall.strength": 1,
    "tower.strength": 2,
    "wall.cost.stone": [1, 1, 2, 2, 3, 3],
    "tower.cost.stone": [2, 3, 4],
    "section.slots": {"walls": 5, "towers": 2, "soldiers": 6},
    "barge.capacity": 3,
    "barge.cost.coin": 1,
    "barge.cost.coin_per_own_worker": 1,
    "barge.gain": 1,
    "barge.income_per_worker": 1,
    "free.marker.coin": 2,
    "figurine.step.cost.coin": 2,
    "figurine.steps_per_figurine": 1,
    "figurine.vp": [0, 1, 3, 6, 10, 15, 21],
    "palace.top_step": 8,
    "prestige.vp": [7, 4, 2],
    "soldier.returned.vp": 1,
    "victory.vp_per_governor": 1,
    "ravage.coin_per_strength": 1,
    "ravage.vp_per_strength": 3,
    "vp.floor": None,
    "nomad.march.top": 3,
    "nomad.base_strength": {2: 1, 3: 2, 4: 3},
    "nomad.strength.max": 15,
    "round_tiles.extra": 1,
    "objectives.dealt": 3,
    "objectives.kept": 2,
    "objectives.scored_max": 3,
    "leftovers.divisor": 5,
    "start.coin_by_seat": [5, 6, 7, 8],
    "start.stock": {"rice": 2, "wood": 3, "stone": 2},
    "home.income": {"coin": 3},
    "estate.income": [{"rice": 1}, {"wood": 1}, {"coin": 2}, {"any_good": 1}],
    "resources": ["rice", "wood", "stone"],
    "goods": ["salt", "silk", "lacquer"],
    "banners": ["crimson", "indigo", "gold", "jade"],
    "lanes": ["yiqu", "linhu", "loufan", "donghu"],
}
BUILDINGS = {
    "qin_granary": "River Granary; qin income 2 2; rice:2",
    "qin_barracks": "Conscript Barracks; qin passive 3 3; train",
    "chu_lacquer": "Lacquer Workshop; chu income 3 2; lacquer:1",
    "chu_pilots": "Pilots' Lodge; chu passive 2 1; ship",
    "wei_canal": "Canal Tollhouse; wei income 2 2; coin:2",
    "wei_customs": "Customs Hall; wei passive 2 2; delivery",
    "han_foundry": "Iron Foundry; han income 3 3; stone:1 coin:1",
    "han_masons": "Masons' Guild; han passive 3 1; fortify",
    "zhao_horses": "Horse Market; zhao income 2 2; coin:1 rice:1",
    "zhao_beacon": "Beacon Command; zhao passive 3 3; prestige",
    "zhou_treasury": "Royal Treasury; zhou income 4 2; coin:3",
    "zhou_heralds": "Heralds' Gate; zhou passive 3 1; stack",
    "yan_timber": "Timber Yard; yan income 2 2; wood:2",
    "yan_ferries": "Ferrymen's Guild; yan passive 3 3; barge",
    "qi_saltpans": "Salt Pans; qi income 3 2; salt:1 coin:1",
    "qi_academy": "Hall of Scholars; qi passive 3 1; pass",
}
SHIPS = {
    "heron": "- | coin:4 | coin:3 | vp:2",
    "egret": "- | vp:3 | coin:4",
    "tern": "- | coin:3 any_resource:1 | vp:2 | coin:3",
    "gull": "- | coin:1 step_any:1 | coin:4",
    "plover": "- | coin:2 objective:1 | vp:3 | coin:3",
    "swallow": "- | wood:3 | stone:3 | rice:3",
    "bittern": "- | vp:2 rice:1 | vp:2 stone:1 | vp:2 wood:1",
    "ibis": "salt:1 | vp:5 | coin:7 | coin:6",
    "sturgeon": "salt:1 | vp:3 bonus_tile:1 | coin:7",
    "osprey": "silk:1 | vp:6 | coin:8",
    "mandarin": "silk:1 | vp:7 | coin:6 | vp:4",
    "pelican": "lacquer:1 | vp:6 | vp:5 | coin:7",
    "falcon": "lacquer:1 | step_any:2 | vp:6",
    "kingfisher": "any_good:1 | vp:5 | coin:6 step_any:1",
    "cormorant": "any_good:1 | vp:4 objective:1 | coin:7 | vp:5",
    "goose": "any_good:2 | vp:9 | coin:10",
}
OBJECTIVES = {
    "O01": "Wall Warden; stone:2; walls:3; 5",
    "O02": "Twin Towers of State; stone:1 coin:1; towers:2; 6",
    "O03": "Standing Army; rice:2; soldiers:3; 6",
    "O04": "Long Frontier; rice:1 coin:2; sections:3; 6",
    "O05": "Great Bulwark; stone:2; walls:4 towers:1; 8",
    "O06": "Crimson Prefects; wood:1 coin:1; governors_crimson:2; 5",
    "O07": "Indigo Prefects; wood:1 coin:1; governors_indigo:2; 5",
    "O08": "Gold Prefects; wood:1 coin:1; governors_gold:2; 5",
    "O09": "Jade Prefects; wood:1 coin:1; governors_jade:2; 5",
    "O10": "Wide Rule; wood:2; regions_governed:4; 7",
    "O11": "Great Administrator; wood:2; governors:5; 7",
    "O12": "Steward of Stores; rice:1 wood:1; governors_income:3; 6",
    "O13": "Keeper of Statutes; coin:3; governors_passive:3; 6",
    "O14": "Harbour Network; any_good:1; ports_shipped:2; 5",
    "O15": "Bulk Trader; any_good:1; deliveries:4; 6",
    "O16": "Sea Magnate; coin:2; deliveries:6; 9",
    "O17": "Cabinet of Jades; coin:3; figurines:4; 6",
    "O18": "Gifts Well Placed; coin:2; figurines:2 used_tiles:2; 6",
    "O19": "Favours Called In; any_resource:2; used_tiles:4; 6",
    "O20": "Court Favourite; step_any:1; tracks:1@6; 6",
    "O21": "Balanced Counsel; step_any:1; tracks:4@3; 7",
    "O22": "Two Patrons; coin:2; tracks:2@5; 7",
    "O23": "Lord of the River; rice:1 stone:1; barge_workers:4; 6",
    "O24": "Sword and Seal; rice:1 wood:1; governors:3 soldiers:2; 7",
}
ATTACKS = {
    "A1": "1 3111 2111",
    "A2": "1 1131 1121",
    "A3": "1 1113 1112",
    "B1": "2 1212 1212",
    "B2": "2 2211 2211",
    "B3": "2 1122 1122",
    "C1": "3 2121 2222",
    "C2": "3 1212 2222",
    "C3": "3 1122 2222",
    "D1": "4 2322 2432",
    "D2": "4 3222 4223",
    "D3": "4 2233 2343",
}
ONE_TIME = {
    "purse": "6 coin:3",
    "sacks": "4 rice:2",
    "timber": "4 wood:2",
    "ashlar": "4 stone:2",
    "wares": "4 any_good:1",
    "petition": "4 step_any:1",
    "levy": "3 soldier:1",
    "envoy": "3 this_turn:no_stack_cost",
    "pilot": "2 this_turn:wave_allowed",
    "dossier": "2 objective:1",
}
PALACE = {
    "crimson": "Generals; - | rice:2 | stone:1 | vp:2 | soldier:1 | rice:1 stone:2 | vp:3 | objective:1; 0 0 1 2 3 "
    "5 7 9 12",
    "indigo": "Ministers; coin:1 | - | wood:2 | objective:1 | vp:3 | wood:2 coin:2 | objective:1 | vp:5; 0 0 1 2 3 "
    "5 7 9 12",
    "gold": "Merchants; coin:2 | any_good:1 | coin:2 | any_good:1 | coin:3 | any_good:2 | vp:3 | coin:5; 0 0 0 1 2 "
    "4 6 8 10",
    "jade": "Scholars; - | any_resource:1 | vp:1 | any_resource:2 | bonus_tile:1 | vp:3 | any_resource:2 | vp:4; 0 "
    "1 2 3 4 6 8 10 13",
}
REGIONS = {
    "qin": "Qin; crimson yiqu -; -; rice:1; qin_granary qin_barracks",
    "chu": "Chu; jade yiqu 4; wood:1 > lacquer:1; -; chu_lacquer chu_pilots",
    "wei": "Wei; indigo linhu 3; rice:1 > silk:1; -; wei_canal wei_customs",
    "han": "Han; gold linhu -; coin:1 > stone:1; -; han_foundry han_masons",
    "zhao": "Zhao; crimson loufan -; rice:1 > coin:2; stone:1; zhao_horses zhao_beacon",
    "zhou": "Zhou royal land; indigo loufan -; any_good:1 > coin:3; vp:1; zhou_treasury zhou_heralds",
    "yan": "Yan; jade donghu 1; -; wood:1; yan_timber yan_ferries",
    "qi": "Qi; gold donghu 2; coin:1 > salt:1; -; qi_saltpans qi_academy",
}
TRIGGERS = {
    "train": "soldier.cost.rice", "fortify": "fortify.piece.stone", "prestige": "prestige.strength",
    "stack": "stack.cost.coin", "barge": "barge.own_workers", "pass": "figurine.step.cost.coin",
}  # fmt: skip
"""What a red building changes -> the figure in which it is written."""


@cache
def game(players: int | None = None) -> ResolvedGame:
    return resolve_game(GAME, players=players)


def with_set(*sets: str) -> ResolvedGame:
    return resolve_game(GAME, sets=parse_sets(sets))


def pieces(set_name: str, resolved: ResolvedGame | None = None) -> list[ResolvedPiece]:
    return [p for p in (resolved or game()).pieces if p.set == set_name]


def by_id(set_name: str) -> dict[str, ResolvedPiece]:
    return {p.id: p for p in pieces(set_name)}


def amounts(benefit: dict[str, int]) -> str:
    return " ".join(f"{kind}:{n}" for kind, n in benefit.items())


def gains(piece: ResolvedPiece) -> str:
    """An effect that only gains, as the tables above write it."""
    return " ".join(f"{e.verb}:{e.args.get('n', e.args.get('what'))}" for e in piece.effect)


# --- the box -----------------------------------------------------------------------------------------------------


def test_the_box_holds_every_piece_in_its_size_and_nothing_else() -> None:
    formats = load_formats()
    found: Counter[str] = Counter()
    sizes: dict[str, set[tuple[float, float]]] = {}
    for p in game().pieces:
        found[p.set] += p.copies
        sizes.setdefault(p.set, set()).add((formats[p.format].w, formats[p.format].h))
    assert {name for name, n in found.items() if not n} == PICTURED
    assert {name: n for name, n in found.items() if n} == {name: n for name, (n, _, _) in BOX.items()}
    assert {name: size for name, size in sizes.items() if name not in PICTURED} == {
        name: {(w, h)} for name, (_, w, h) in BOX.items()
    }


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_smaller_table_uses_the_pieces_of_the_first_colours(players: int) -> None:
    for name, each in OF_A_COLOUR.items():
        found: Counter[str] = Counter()
        for p in pieces(name, game(players)):
            assert p.seat == p.fields["colour"]
            found[p.seat] += p.copies
        assert found == {colour: each if n < players else 0 for n, colour in enumerate(COLOURS)}, name
    assert sum(p.copies for p in pieces("aid", game(players))) == players
    shared = set(BOX) - set(OF_A_COLOUR) - {"aid"}
    assert {name: sum(p.copies for p in pieces(name, game(players))) for name in shared} == {
        name: BOX[name][0] for name in shared
    }


def test_round_pieces_are_round_and_standees_stand() -> None:
    formats = load_formats()
    shapes = {p.set: formats[p.format].shape for p in game().pieces}
    round_ones = {"cost-token", "action-marker", "turn-marker", "score-marker", "knot", "defence", "round-marker"}
    assert {name for name, shape in shapes.items() if shape == "circle"} == {*round_ones, "coin-1", "coin-5"}
    assert {name for name, shape in shapes.items() if shape == "standee"} == {"worker", "neutral-worker", "nomad"}


def test_walls_and_towers_are_numbered_in_the_order_of_building() -> None:
    for name, prices in (("wall", "wall.cost.stone"), ("tower", "tower.cost.stone")):
        for colour in COLOURS:
            numbers = [p.fields["number"] for p in pieces(name) if p.seat == colour]
            assert numbers == list(range(1, len(game().params[prices]) + 1))


# --- figures -----------------------------------------------------------------------------------------------------


def test_the_parameters_are_those_of_the_description() -> None:
    assert game().params == PARAMETERS
    assert all(about for about in game().param_about.values())


def test_buildings() -> None:
    for name, written in BUILDINGS.items():
        title, figures, does = written.split("; ")
        region, kind, wood, raid = figures.split()
        p = by_id("building")[name]
        f = p.fields
        assert (p.name, f["region"], f["kind"], f["wood"], f["raid"]) == (title, region, kind, int(wood), int(raid)), (
            name
        )
        assert (f["extra_wood"], f["open_from"]) == ([0, 1, 2], [2, 2, 3])
        if kind == "income":
            assert gains(p) == does
            continue
        [effect] = p.effect
        if does == "ship":
            assert (effect.verb, effect.args["what"]) == ("permit", "ship_wave")
        elif does == "delivery":
            assert (effect.verb, effect.args["when"], [e.verb for e in effect.body]) == ("when", "delivery", ["coin"])
        else:
            assert (effect.verb, effect.args["param"], abs(effect.args["by"])) == ("modify", TRIGGERS[does], 1)
    assert list(by_id("building")) == list(BUILDINGS)


def test_lanes_and_regions_agree_with_the_buildings() -> None:
    buildings = by_id("building")
    for lane in pieces("lane"):
        path = [buildings[name] for name in lane.fields["path"]]
        assert [(p.fields["lane"], p.fields["place"]) for p in path] == [(lane.id, n) for n in (1, 2, 3, 4)]
        assert sum(p.fields["raid"] for p in path) == 8
    for region in pieces("region"):
        assert [buildings[name].fields["region"] for name in region.fields["buildings"]] == [region.id] * 2
    assert [p.fields["number"] for p in pieces("lane")] == [1, 2, 3, 4]


def test_regions() -> None:
    found = {}
    for p in pieces("region"):
        f = p.fields
        exchange = f"{amounts(f['exchange']['give'])} > {amounts(f['exchange']['get'])}" if f["exchange"] else "-"
        place = f"{f['banner']} {f['lane']} {f['port'] or '-'}"
        found[p.id] = "; ".join((p.name, place, exchange, amounts(f["bubble"]) or "-", " ".join(f["buildings"])))
    assert found == REGIONS
    ports = sorted((p for p in pieces("region") if p.fields["port"]), key=lambda p: int(p.fields["port"]))
    assert [p.id for p in ports] == pieces("main-board")[0].fields["ports"]["order"]


def test_the_palace() -> None:
    found = {}
    for p in pieces("palace"):
        steps = " | ".join(amounts(step) or "-" for step in p.fields["steps"])
        found[p.id] = f"{p.fields['house']}; {steps}; {' '.join(map(str, p.fields['end_vp']))}"
        assert len(p.fields["steps"]) == len(p.fields["end_vp"]) - 1 == game().params["palace.top_step"]
    assert found == PALACE


def test_ships_and_demands() -> None:
    found = {}
    for p in pieces("ship"):
        found[p.id] = " | ".join((amounts(p.fields["extra"]) or "-", *map(amounts, p.fields["spaces"])))
    assert found == SHIPS
    assert {p.fields["good"]: p.copies for p in pieces("demand")} == {"salt": 2, "silk": 2, "lacquer": 2}


def test_bonus_tiles() -> None:
    assert {p.id: f"{p.copies} {gains(p)}" for p in pieces("one-time")} == ONE_TIME
    assert {p.id: p.copies for p in pieces("figurine")} == dict.fromkeys(
        ("tiger", "ox", "crane", "tortoise", "horse", "carp"), 4
    )
    assert len({p.back for name in ("figurine", "one-time") for p in pieces(name)}) == 1


def test_objectives() -> None:
    found = {}
    for p in pieces("objective"):
        asked = " ".join(
            f"{key}:{n}" if isinstance(n, int) else f"{key}:{n['count']}@{n['at_least']}"
            for key, n in p.fields["requires"].items()
        )
        found[p.id] = f"{p.name}; {gains(p)}; {asked}; {p.fields['vp']}"
        assert set(p.fields["requires"]) <= set(p.fields["words"])
    assert found == OBJECTIVES


def test_barges_and_merchants() -> None:
    assert [p.fields["product"] for p in pieces("barge")] == ["rice", "wood", "stone", "salt"]
    assert {p.id: (p.fields["spots"], p.fields["gain"]) for p in pieces("merchants")} == {
        "stall": (2, {"coin": 3}),
        "caravan": (3, {"any_good": 1, "step_any": 1}),
    }


def test_attack_cards() -> None:
    lanes = game().params["lanes"]
    found = {}
    for p in pieces("attack"):
        march, strength = ("".join(str(p.fields[what][lane]) for lane in lanes) for what in ("march", "strength"))
        found[p.id] = f"{p.fields['round']} {march} {strength}"
    assert found == ATTACKS


def test_every_game_has_one_battle_in_the_first_round_and_six_to_nine_in_all() -> None:
    cards = pieces("attack")
    top, lanes = game().params["nomad.march.top"], game().params["lanes"]
    for drawn in product(*([p for p in cards if p.fields["round"] == n] for n in (1, 2, 3, 4))):
        stands = dict.fromkeys(lanes, 0)
        battles = []
        for card in drawn:
            for lane in lanes:
                stands[lane] = min(top, stands[lane] + card.fields["march"][lane])
            battles.append([lane for lane in lanes if stands[lane] == top])
            stands |= dict.fromkeys(battles[-1], 0)
        assert len(battles[0]) == 1 and 6 <= sum(map(len, battles)) <= 9


# --- what the boards print follows the figures -----------------------------------------------------------------------


def test_boards_print_the_parameters() -> None:
    board, player = pieces("main-board")[0].fields, pieces("player-board")[0].fields
    assert (board["rounds"]["n"], board["round_tiles"]["n"], board["score_cells"]) == (4, 5, 100)
    assert (player["walls"]["cost"], player["towers"]["cost"]) == ([1, 1, 2, 2, 3, 3], [2, 3, 4])
    assert (player["manor"]["income"], len(player["estate"]["income"])) == ({"coin": 3}, 4)
    lane = pieces("lane")[0].fields
    assert (lane["march"], lane["strength"], lane["defence"]) == (3, 15, 15)
    assert lane["slots"] == {"walls": 5, "towers": 2, "soldiers": 6}


def test_house_rules_reach_boards_tiles_and_aid() -> None:
    other = with_set(
        "wall.cost.stone=[2, 2, 2, 2]", "home.income={coin: 4}", "tower.strength=3", "cost_token.wood=2", "rounds=3",
        "soldier.cost.rice=3", "spaces_in_use={2: 3, 3: 3, 4: 3}", "free.marker.coin=1", "ravage.vp_per_strength=2",
    )  # fmt: skip
    player: dict[str, Any] = pieces("player-board", other)[0].fields
    assert (player["walls"]["cost"], player["manor"]["income"]) == ([2, 2, 2, 2], {"coin": 4})
    assert pieces("lane", other)[0].fields["defence"] == 5 + 2 * 3 + 6
    assert pieces("cost-token", other)[0].fields["wood"] == 2
    assert pieces("building", other)[0].fields["open_from"] == [2, 2, 2]
    assert pieces("main-board", other)[0].fields["rounds"]["n"] == 3
    front, back = (pieces("aid", other)[0].fields[side] for side in ("front", "back"))
    assert "3 [rice] for each soldier" in front["turns"][1]["ways"][1]["text"]
    assert front["free"][0]["text"] == "Discard a marker: 1 coin."
    assert "1 coin or 2 points" in back["steps"][-1]["text"]


def test_the_overview_tells_the_game_with_its_figures() -> None:
    told = dict(game().overview)
    assert "after 4 rounds" in told["In short"] and "7, 4 and 2 points" in told["A battle"]
    assert "3 action markers" in dict(game().overview)["A turn"]
    assert "2 action markers" in dict(with_set("action_markers=2").overview)["A turn"]
