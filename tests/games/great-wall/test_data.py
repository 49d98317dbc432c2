"""The pieces of The Great Wall against its description: nothing missing or twice, every figure where it belongs."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import combinations

import pytest

from components.effects import flat
from components.model import ResolvedGame, ResolvedPiece
from components.resolve import resolve_for_seats, resolve_game
from generator.paper.formats import load_formats

GAME = "great-wall"
CLANS = ["bamboo", "plum", "pine", "lotus", "willow"]
MODULES = ["black_powder", "genghis_khan", "ancient_beasts", "rat", "iron_dragon", "emperors_award"]

BOX = {
    "main-board": (2, 800, 560), "time-token": (1, 25, 25), "shame-token": (50, 18, 18), "artifact": (14, 63, 88),
    "horde": (40, 94.5, 75.6), "command": (30, 63, 88), "general": (15, 70, 120), "advisor": (30, 63, 88),
    "tactic": (24, 63, 88), "resource-1": (160, 16, 16), "resource-5": (40, 16, 16), "clerk": (40, 14, 14),
    "spearman": (50, 16, 16), "archer": (20, 16, 16), "horseman": (10, 36, 16), "tea-marker": (5, 22, 22),
    "honor-marker": (5, 16, 16), "lap-plate": (5, 30, 20), "screen": (5, 280, 150), "barricade": (27, 30, 8),
    "wall-tile": (15, 100, 15), "wound": (60, 12, 12), "breach-marker": (3, 20, 20), "track-cover": (1, 63, 88),
    "aid": (5, 134.0, 190.1),
}  # fmt: skip
"""Set of the base game -> pieces in the box, width and height in mm. The two faces of the board are two pieces."""
OF_MODULES = {
    "special-chit": (12, 16, 16), "tank-chit": (3, 36, 16), "help-powder": (5, 63, 88), "tower": (4, 30, 30),
    "machine": (6, 30, 30), "khan-standee": (1, 30, 50), "khan": (2, 94.5, 75.6), "skill": (8, 60, 80),
    "bannerman": (5, 16, 16), "help-khan": (5, 63, 88), "beast-standee": (5, 25, 40), "beast": (5, 63, 88),
    "beast-marker": (5, 12, 12), "relic": (12, 63, 88), "rat-standee": (1, 25, 25), "rat-card": (12, 63, 88),
    "dragon-tile": (1, 140, 95), "dragon-card": (12, 63, 88), "dragon-standee": (1, 40, 40), "award": (1, 63, 88),
    "award-standee": (1, 25, 40), "help-beasts": (1, 63, 88), "help-rat": (1, 63, 88), "help-dragon": (1, 63, 88),
    "help-award": (1, 63, 88),
}  # fmt: skip
PICTURED = {"support", "soldier", "special-unit", "location", "beast-level", "breath", "bite"}
"""What other pieces print, and a rulebook pictures by itself."""
BY_PLAYERS = {
    "shame-token": (30, 40, 50), "command": (18, 24, 30), "clerk": (24, 32, 40), "spearman": (30, 40, 50),
    "archer": (12, 16, 20), "horseman": (6, 8, 10), "tea-marker": (3, 4, 5), "honor-marker": (3, 4, 5),
    "lap-plate": (3, 4, 5), "screen": (3, 4, 5), "aid": (3, 4, 5), "horde": (40, 40, 40), "main-board": (1, 1, 1),
    "bannerman": (3, 4, 5), "help-khan": (3, 4, 5), "help-powder": (3, 4, 5), "beast-marker": (3, 4, 5),
}  # fmt: skip
"""Set -> pieces for 3, 4 and 5 players."""
PARAMETERS = {
    "players.min": 3, "players.max": 5, "shame.pool_per_player": 10, "shame.remove_chi": 2, "shame.unable_loss": 5,
    "shame.pool_empty_loss": 5, "shame.final_loss": 5, "advanced.shame": 1, "save_soldier.chi": 2,
    "reclaim.honor_per_card": 2, "defeat.participation_honor": 2, "defeat.archer_honor": 2, "barricade.defence": 2,
    "barricade.honor": 2, "barricade.setup_per_section": 9, "barricade.max_per_section": 9,
    "barricade.cost": {"wood": 1, "stone": 1}, "wall.max_level": 5,
    "wall.cost": {
        1: {"wood": 1, "stone": 1}, 2: {"wood": 1, "stone": 2}, 3: {"wood": 1, "stone": 3}, 4: {"wood": 2, "stone": 3},
        5: {"wood": 2, "stone": 3, "gold": 1},
    },
    "wall.shooters_per_player": 2, "walls_to_end": {3: 2, 4: 3, 5: 3}, "setup.first_row_cards": 3,
    "setup.extra_hordes": {3: 0, 4: 1, 5: 2}, "setup.artifacts": 3,
    "time_track": {"A": [0, 0, 1, 1, 1, 2, 2, 2, 0], "B": [0, 1, 1, 2, 2, 2, 3, 3, 0]}, "bp.horde_bonus": 1,
    "advisor.track_slots": 4, "advisor.refresh": 2, "advisor.active_max": 3, "advisor.support_max": 3,
    "clerks.start": 5, "clerks.embassy": 3, "command.clerks_active": 4, "command.clerks_other": 2,
    "production.yield": {"wood": 3, "stone": 3, "gold": 2},
    "overseer.cost": {1: {"gold": 1}, 2: {"gold": 1, "chi": 1}, 3: {"gold": 2, "chi": 1}},
    "overseer.income": {0: 0, 1: 1, 2: 2, 3: 3}, "barracks.recruits_per_clerk": 2,
    "recruit.spearman.cost": {"wood": 1, "gold": 1}, "recruit.archer.cost": {"wood": 2, "gold": 1},
    "recruit.horseman.cost": {"wood": 1, "stone": 1, "gold": 2}, "recruit.bomber.cost": {"wood": 1, "gold": 2},
    "recruit.crossbowman.cost": {"wood": 2, "gold": 1}, "recruit.flamethrower.cost": {"gold": 2, "chi": 1},
    "recruit.tank.cost": {"wood": 1, "stone": 1, "gold": 2}, "recruit.monk.cost": {"gold": 1, "chi": 3},
    "war_camp.orders_per_clerk": 3, "war_camp.orders_per_activation": 0, "builders.builds_per_clerk": 2,
    "tea_house.chi": 3, "embassy.clerk_cost": [2, 3, 4], "embassy.advisor_cost": [1, 2, 3, 4],
    "warehouse.max_per_clerk": 3, "warehouse.honor": 1,
    "warehouse_capacity": {"A": {"wood": 4, "stone": 4, "gold": 2}, "B": {"wood": 6, "stone": 6, "gold": 3}},
    "tactic.hand_limit": 4, "tower.honor_per_unbreached": 2, "tower.shame_per_breached": 1, "machine.honor": 2,
    "machine.max_per_section": 2, "gk.power": {"A": 3, "B": 4}, "gk.lethality": 1, "gk.honor": 12,
    "gk.bannerman_attackers": 2, "gk.bannerman_cost": {"gold": 1}, "beast.upgrade_cost": {2: {"chi": 2}, 3: {"chi": 3}},
    "beast.upgrade_honor": {2: 2, 3: 3}, "beast.actions_per_card": 1, "dragon.appease": {"chi": 2}, "award.honor": 4,
}  # fmt: skip
"""The parameters of the description; the game has more for what it writes without a name."""
LOCATIONS = {
    "lumber_camp": "Lumber Camp; red 2 3 wood", "quarry": "Quarry; red 2 3 stone",
    "gold_mine": "Gold Mine; red 2 3 gold",
    "builders_encampment": "Builders' Encampment; red 2 3 -", "barracks": "Barracks; red 3 4 -",
    "tea_house": "Tea House; green 3 4 -", "embassy": "Embassy; green 2 3 -", "warehouse": "Warehouse; green 2 3 -",
    "war_camp": "War Camp; green 3 4 -", "scholars_hall": "Scholars' Hall; green 2 3 -",
}  # fmt: skip
COMMANDS = {
    "C1": "Harvest Levy: clerks 4 2 | activate lumber_camp quarry gold_mine | gain goods 1",
    "C2": "Masons' Drum: gain stone 1 | clerks 4 2 | activate builders_encampment quarry warehouse",
    "C3": "Call to Arms: clerks 4 2 | activate barracks lumber_camp war_camp",
    "C4": "Silk and Tea: tea 1 | clerks 4 2 | activate tea_house embassy scholars_hall",
    "C5": "Sally at Dawn: attack 1 rest | clerks 4 2 | activate war_camp gold_mine barracks",
    "C6": "Imperial Seal: clerks 5 2 | activate 2 True",
}
HORDES = {
    "H01": "Dust Outriders; V.V/.V./... 3 10 none L 2",
    "H02": "Reed Skirmishers; VV./..V/... 3 10 none C 2",
    "H03": "Saltpan Scouts; .V./.V./.V. 3 10 none R 2",
    "H04": "Goatherd Levies; V../.V./..V 3 10 none L 2",
    "H05": "Thornbush Slingers; V../VV./... 3 10 none C 2",
    "H06": "Ashen Pickets; V.V/.V./... 3 11 none R 3",
    "H07": "Hollow Drum Runners; VV./..V/... 3 11 none L 3",
    "H08": "Wolfskin Trackers; .V./.V./.V. 3 11 none C 3",
    "H09": "Broken Yoke Band; V../.V./..V 3 11 none R 3",
    "H10": "Lantern Thieves; V../VV./... 3 11 none L 3",
    "H11": "Rope-Hook Climbers; .V./.V./.V. 3 10 ladder C 3",
    "H12": "Night Ladder Crew; V.V/.V./... 3 11 ladder R 4",
    "H13": "Red Scarf Riders; VV./VV./... 4 10 none L 3",
    "H14": "Marmot Hill Raiders; V.V/.../V.V 4 10 none C 3",
    "H15": "Winter Pasture Lancers; .V./V.V/.V. 4 10 none R 3",
    "H16": "Copper Ring Bowmen; VVV/.V./... 4 21 none L 4",
    "H17": "Long Grass Ambush; VV./.VV/... 4 21 none C 4",
    "H18": "Twin Ford Reavers; VV./VV./... 4 21 none R 4",
    "H19": "Grey Mare Company; V.V/.../V.V 4 21 none L 4",
    "H20": "Bone Whistle Chasers; .V./V.V/.V. 4 21 none C 4",
    "H21": "Kettle Drum Vanguard; V.V/.V./V.V 5 21 none R 5",
    "H22": "Smoke Signal Rangers; .V./VVV/.V. 5 21 none L 5",
    "H23": "Sable Hood Archers; VVV/V.V/... 5 21 none C 5",
    "H24": "Felt Tent Veterans; VV./VV./..V 5 21 none R 5",
    "H25": "Pole-and-Plank Gang; VVV/.V./... 4 11 ladder L 5",
    "H26": "Siege Stair Bearers; VV./.VV/... 4 11 ladder C 5",
    "H27": "Iron Stirrup Lancers; V.V/.V./V.V 5 32 none R 6",
    "H28": "Black Pitcher Guard; .V./VVV/.V. 5 32 none L 6",
    "H29": "Hawk Standard Host; VV./VV./..V 5 32 none C 6",
    "H30": "Frost River Crossers; VVV/VVV/... 6 31 none R 6",
    "H31": "Vulture Gully Marauders; VVV/.../VVV 6 31 none L 6",
    "H32": "Bronze Mask Infantry; V.V/VVV/.V. 6 32 none C 7",
    "H33": "Thunder Herd Drovers; VV./VVV/..V 6 32 none R 7",
    "H34": "Nine Pennant Cavalry; VVV/.../VVV 6 32 none L 7",
    "H35": "Tall Stair Storm; .V./VVV/.V. 5 21 ladder C 6",
    "H36": "Hundred Rung Assault; VVV/V.V/... 5 21 ladder R 6",
    "H37": "Chariots of the Red Sun; VVV/.V./VVV 7 42 none L 8",
    "H38": "Steppe Princes' Retinue; VVV/VVV/V.. 7 43 none C 9",
    "H39": "Golden Bridle Guard; VVV/.V./VVV 7 43 none R 9",
    "H40": "Avalanche Host; VVV/V.V/VVV 8 53 none L 10",
    "H41": "Oxhide Ram Crew; VV./VV./... 4 11 ram L 5",
    "H42": "Bronze-Shod Ram; VVV/.V./... 4 11 ram C 5",
    "H43": "Boar-Head Ram; .V./VVV/.V. 5 21 ram R 6",
    "H44": "Gatebreaker Company; VVV/V.V/... 5 22 ram L 7",
    "H45": "Counterweight Crew; .V./.V./.V. 3 10 trebuchet C 3",
    "H46": "Stone-Arm Engineers; V.V/.V./... 3 11 trebuchet R 4",
    "H47": "Boulder Cart Train; V.V/.../V.V 4 10 trebuchet L 4",
    "H48": "Sky-Arm Battery; .V./V.V/.V. 4 11 trebuchet C 5",
    "H49": "Scaling Tower Push; V.V/.V./V.V 5 21 ladder R 6",
    "H50": "Grapnel Volley Band; VV./.VV/... 4 11 ladder L 5",
    "H51": "Powder Thieves; .V./V.V/.V. 4 10 none C 3",
    "H52": "Fire Arrow Host; V.V/VVV/.V. 6 32 none R 7",
}
GENERALS = {
    "G01": "Lady Swift Heron; 15 wood:2 stone:1 gold:1 chi:1",
    "G02": "Old Flint; 14 wood:1 stone:2 gold:1 chi:1",
    "G03": "Captain Ember Shield; 13 wood:1 gold:3 chi:1",
    "G04": "Mistress of Kilns; 12 wood:2 stone:2 gold:1 chi:1",
    "G05": "Rider Cold Spring; 11 wood:1 stone:1 gold:3 chi:1",
    "G06": "Archivist Plumseed; 10 wood:2 stone:1 gold:2 chi:1",
    "G07": "Warden Grey Carp; 9 wood:2 stone:2 gold:2 chi:1",
    "G08": "Quartermaster Reed; 8 wood:2 stone:1 gold:3 chi:1",
    "G09": "Brother Quiet Bell; 7 wood:2 stone:1 gold:2 chi:2",
    "G10": "Drover Big Millet; 6 wood:3 stone:2 gold:2 chi:1",
    "G11": "Mason Under-Moon; 5 wood:2 stone:3 gold:2 chi:1",
    "G12": "Bowyer Long Shade; 4 wood:4 stone:1 gold:2 chi:1",
    "G13": "Prefect Salt Ledger; 3 wood:3 stone:3 gold:2 chi:1",
    "G14": "Widow Iron Comb; 2 wood:3 stone:2 gold:2 chi:2",
    "G15": "Ferryman Two Oars; 1 wood:3 stone:2 gold:3 chi:1",
}
ADVISORS = {
    "A01": "Timber Warden; stone",
    "A02": "Stone Reader; wood",
    "A03": "Ore Sifter; chi",
    "A04": "Tea Steward; gold",
    "A05": "Drill Sergeant; wood",
    "A06": "Fletcher; shield",
    "A07": "Horse Breeder; stone",
    "A08": "Scaffold Boss; chi",
    "A09": "Barricade Captain; seal",
    "A10": "Carter of the Stores; gold",
    "A11": "Envoy of Small Gifts; seal",
    "A12": "War Scout; shield",
    "A13": "Tactician; wood",
    "A14": "Field Surgeon; seal",
    "A15": "Confessor; stone",
    "A16": "Herald of Victories; shield",
    "A17": "Ransom Broker; chi",
    "A18": "Spoils Master; seal",
    "A19": "Watch Commander; gold",
    "A20": "Keeper of Signal Fires; shield",
    "A21": "Wall Singer; wood",
    "A22": "Burier of Heroes; stone",
    "A23": "Keeper of Seals; gold",
    "A24": "Road Engineer; chi",
    "A25": "Foreman of Foremen; seal",
    "A26": "Second Usher; wood",
    "A27": "First Usher; stone",
    "A28": "Night Marcher; chi",
    "A29": "Armourer; gold",
    "A30": "Patient Rival; shield",
}
TACTICS = {
    "T01": "Extra Rations; summer_income",
    "T02": "Hidden Purse; summer_income",
    "T03": "Deep Breath; summer_income",
    "T04": "Forced March; own_card",
    "T05": "Sudden Sally; own_card",
    "T06": "Loose Stones; assault",
    "T07": "False Banners; assault",
    "T08": "Shield Roof; loss",
    "T09": "Fire Arrows; firing",
    "T10": "Oil Cauldrons; firing",
    "T11": "Borrowed Hands; own_card",
    "T12": "Quick Masons; resolve:builders_encampment",
    "T13": "Recruiting Tour; resolve:barracks",
    "T14": "Generous Gift; resolve:warehouse",
    "T15": "Shared Cup; resolve:tea_house",
    "T16": "Whispered Favour; order",
    "T17": "Face Saved; shame",
    "T18": "Penance; summer_shame",
    "T19": "Ladder Hooks; assault",
    "T20": "Heroic Stand; assault",
    "T21": "Trophy Poles; defeat",
    "T22": "Rival's Respect; defeat",
    "T23": "Baited Trail; own_card",
    "T24": "Imperial Messenger; resolve:embassy",
}
RAT = {
    "RC01": "Full Bellies; most:clerks_placed toll_goods",
    "RC02": "Idle Hands; fewest:clerks_placed idle_clerk",
    "RC03": "Crowded Tents; most:soldiers_in_rest toll_chi",
    "RC04": "Empty Tents; fewest:soldiers_in_rest fills_slot",
    "RC05": "Long Quivers; most:shooters_on_wall toll_goods",
    "RC06": "Loud Boasts; most:claimed_cards idle_clerk",
    "RC07": "Bare Shelves; fewest:claimed_cards fills_slot",
    "RC08": "Bowed Heads; most:shame_tokens toll_chi",
    "RC09": "Bright Banners; most:honor toll_goods",
    "RC10": "Dim Banners; fewest:honor fills_slot",
    "RC11": "Busy Yards; most:overseer_levels_total idle_clerk",
    "RC12": "Last Cup; lowest:tea toll_chi",
}
DRAGON = {
    "D01": "Slow Coil; 1 scorch 2",
    "D02": "Long Glide; 2 scorch 3",
    "D03": "Ember Rain; 1 char 3",
    "D04": "Falling Sparks; 2 char 2",
    "D05": "Grinding Scales; 1 rust 3",
    "D06": "Rusted Tail; 2 rust 4",
    "D07": "Shadow of Wings; 1 panic 3",
    "D08": "Iron Roar; 2 panic 4",
    "D09": "Wall of Smoke; 1 smoke 2",
    "D10": "Low Cloud; 2 smoke 2",
    "D11": "Shed Scales; 1 hoard 2",
    "D12": "Golden Trail; 2 hoard 3",
}


@cache
def game(players: int | None = None) -> ResolvedGame:
    return resolve_game(GAME, players=players)


def pieces(set_name: str, players: int | None = None) -> list[ResolvedPiece]:
    return [piece for piece in game(players).pieces if piece.set == set_name]


def spots(piece: ResolvedPiece) -> int:
    return sum(row.count("V") for row in piece.fields["grid"])


# --- what is in the box ------------------------------------------------------------------------------------------


def test_the_box() -> None:
    formats = load_formats()
    base: Counter[str] = Counter()
    for piece in resolve_game(GAME, modules=[]).pieces:
        base[piece.set] += piece.copies
    assert {name: n for name, n in base.items() if n} == {name: n for name, (n, _, _) in BOX.items()}
    full: Counter[str] = Counter()
    for piece in game().pieces:
        full[piece.set] += piece.copies
    wanted = {**BOX, **OF_MODULES}
    counted = {name: n for name, (n, _, _) in wanted.items()} | {"horde": 52}
    assert {name: n for name, n in full.items() if n} == counted
    assert {name for name, n in full.items() if not n} == PICTURED
    for piece in game().pieces:
        if piece.set in wanted:
            form = formats[piece.format]
            assert (form.w, form.h) == wanted[piece.set][1:], piece.set


@pytest.mark.parametrize("players", [3, 4, 5])
def test_pieces_by_the_number_of_players(players: int) -> None:
    found: Counter[str] = Counter()
    for piece in game(players).pieces:
        found[piece.set] += piece.copies
    wanted = {name: by[players - 3] for name, by in BY_PLAYERS.items()} | {
        "horde": 52,
        "track-cover": int(players == 4),
    }
    assert {name: found[name] for name in wanted} == wanted
    boards = {piece.id for piece in pieces("main-board", players) if piece.copies}
    assert boards == ({"A"} if players == 3 else {"B"})


def test_pieces_of_the_clans_that_play() -> None:
    chosen = resolve_for_seats(GAME, ["willow", "plum", "lotus"])
    assert {piece.seat for piece in chosen.pieces if piece.seat and piece.copies} == {"willow", "plum", "lotus"}
    assert sum(piece.copies for piece in chosen.pieces if piece.set == "spearman") == 30
    assert [piece.id for piece in chosen.pieces if piece.set == "special-chit" and piece.copies] == [
        "bomber",
        "flamethrower",
        "monk",
    ]


def test_each_module_brings_its_own_pieces_and_nothing_else() -> None:
    base = {(piece.set, piece.id) for piece in resolve_game(GAME, modules=[]).pieces}
    for one, other in combinations(MODULES, 2):
        both = {(p.set, p.id) for p in resolve_game(GAME, modules=[one, other]).pieces}
        first = {(p.set, p.id) for p in resolve_game(GAME, modules=[one]).pieces}
        second = {(p.set, p.id) for p in resolve_game(GAME, modules=[other]).pieces}
        assert base < first
        assert base < second
        assert first & second == base
        assert both == first | second


def test_parameters() -> None:
    params = game().params
    assert {name: params[name] for name in PARAMETERS} == PARAMETERS
    assert all(game().param_rules[name] for name in params)


def test_a_wall_level_earns_what_it_costs() -> None:
    honor = [sum(cost.values()) for cost in game().params["wall.cost"].values()]
    assert honor == [2, 3, 4, 5, 6]


# --- cards -------------------------------------------------------------------------------------------------------


def test_horde_cards() -> None:
    for piece in pieces("horde"):
        f = piece.fields
        told = (
            f"{'/'.join(f['grid'])} {spots(piece)} {f['power']}{f['lethality']} {f['keyword']} {f['mark']} {f['honor']}"
        )
        assert f"{piece.name}; {told}" == HORDES[piece.id]
        assert f["honor"] == spots(piece) + f["lethality"] - 1 + (f["keyword"] != "none")
        assert [len(row) for row in f["grid"]] == [3, 3, 3]
        assert (piece.module == "black_powder") == (int(piece.id[1:]) > 40)
    assert [piece.id for piece in pieces("horde")] == list(HORDES)


def test_totals_of_the_base_deck() -> None:
    deck = [piece for piece in resolve_game(GAME, modules=[]).pieces if piece.set == "horde"]
    powers = [piece.fields["power"] for piece in deck]
    assert (len(deck), sum(map(spots, deck)), sum(powers), max(powers)) == (40, 180, 80, 5)
    assert Counter(piece.fields["keyword"] for piece in deck) == {"none": 34, "ladder": 6}
    assert Counter(piece.fields["mark"] for piece in deck) == {"L": 14, "C": 13, "R": 13}
    assert sum(sorted(powers)[-3:]) == 13, "nine barricades hold any three of them in the first year"
    added = [piece for piece in pieces("horde") if piece.module == "black_powder"]
    assert Counter(piece.fields["mark"] for piece in added) == {"L": 4, "C": 4, "R": 4}


def test_generals() -> None:
    for piece in pieces("general"):
        start = " ".join(f"{kind}:{n}" for kind, n in piece.fields["start"].items())
        assert f"{piece.name}; {piece.fields['tea']} {start}" == GENERALS[piece.id]
    assert sorted(piece.fields["tea"] for piece in pieces("general")) == list(range(1, 16))
    by_tea = sorted(pieces("general"), key=lambda piece: piece.fields["tea"])
    starts = [sum(piece.fields["start"].values()) for piece in by_tea]
    assert starts[:3] == [9, 9, 9]
    assert starts[-3:] == [5, 5, 5]
    assert starts == sorted(starts, reverse=True)


def test_advisors() -> None:
    for piece in pieces("advisor"):
        assert f"{piece.name}; {piece.fields['support']}" == ADVISORS[piece.id]
    supports = {piece.id: piece.text for piece in pieces("support")}
    assert Counter(piece.fields["support"] for piece in pieces("advisor")) == dict.fromkeys(supports, 5)
    assert all(piece.fields["back"] == supports[piece.fields["support"]] for piece in pieces("advisor"))


def test_tactics() -> None:
    assert {piece.id: f"{piece.name}; {piece.fields['window']}" for piece in pieces("tactic")} == TACTICS
    assert all(piece.fields["window"] in piece.fields["windows"] for piece in pieces("tactic"))


def test_command_cards() -> None:
    found = {}
    for piece in pieces("command"):
        icons = []
        for effect in piece.effect:
            words = [effect.verb]
            for value in effect.args.values():
                words += (
                    [f"{k} {n}" for k, n in value.items()]
                    if isinstance(value, dict)
                    else (value if isinstance(value, list) else [str(value)])
                )
            icons.append(" ".join(words))
        found[piece.id] = f"{piece.name}: {' | '.join(icons)}"
        assert piece.fields["card"] == piece.id.partition("-")[0]
        assert piece.seat == piece.fields["colour"] == piece.id.partition("-")[2]
    assert found == {f"{card}-{clan}": COMMANDS[card] for clan in CLANS for card in COMMANDS}


def test_every_location_is_on_a_command_card() -> None:
    places = [
        place
        for card in COMMANDS.values()
        for place in re.findall(r"[a-z]+_[a-z]+|quarry|barracks|embassy|warehouse", card)
    ]
    on = Counter(places)
    assert set(on) == set(LOCATIONS)
    red = [place for place, said in LOCATIONS.items() if " red " in said]
    assert [place for place in red if on[place] < 2] == ["builders_encampment"]


def test_locations() -> None:
    found = {}
    for piece in pieces("location"):
        f = piece.fields
        found[piece.id] = f"{piece.name}; {f['kind']} {f['slots']['A']} {f['slots']['B']} {f['resource'] or '-'}"
    assert found == LOCATIONS


# --- pieces of modules -------------------------------------------------------------------------------------------


def test_khan_and_skills() -> None:
    khan = {p.id: (spots(p), p.fields["power"], p.fields["lethality"], p.fields["honor"]) for p in pieces("khan")}
    assert khan == {"A": (4, 3, 1, 12), "B": (6, 4, 1, 12)}
    grids = {piece.id: piece.fields["grid"][0] for piece in pieces("skill")}
    assert grids == {
        **dict.fromkeys(["K01", "K02", "K03", "K07"], "VV."),
        **dict.fromkeys(["K04", "K05", "K06", "K08"], "V.V"),
    }


def test_rat_cards() -> None:
    found = {p.id: f"{p.name}; {p.fields['who']}:{p.fields['of']} {p.fields['bite']}" for p in pieces("rat-card")}
    assert found == RAT
    bites = {piece.id: piece.text for piece in pieces("bite")}
    assert Counter(piece.fields["bite"] for piece in pieces("rat-card")) == dict.fromkeys(bites, 3)
    assert all(piece.fields["bite_text"] == bites[piece.fields["bite"]] for piece in pieces("rat-card"))


def test_dragon_cards() -> None:
    found = {
        p.id: f"{p.name}; {p.fields['move']} {p.fields['breath']} {p.fields['honor']}" for p in pieces("dragon-card")
    }
    assert found == DRAGON
    breaths = {piece.id: piece.text for piece in pieces("breath")}
    assert Counter(piece.fields["breath"] for piece in pieces("dragon-card")) == dict.fromkeys(breaths, 2)
    assert all(piece.fields["breath_text"] == breaths[piece.fields["breath"]] for piece in pieces("dragon-card"))


def test_beasts() -> None:
    levels = {piece.id: piece.text for piece in pieces("beast-level")}
    assert set(levels) == {f"B{beast}-{level}" for beast in range(1, 6) for level in range(1, 4)}
    for beast in pieces("beast"):
        assert beast.fields["levels"] == [levels[f"{beast.id}-{level}"] for level in (1, 2, 3)]
    assert [piece.fields["place"] for piece in pieces("beast")] == [
        "production",
        "green",
        "section",
        "section",
        "section",
    ]
    names = {piece.id: piece.name for piece in pieces("beast")}
    assert {piece.id: piece.name for piece in pieces("beast-standee")} == names


def test_special_units_belong_to_their_clans() -> None:
    found = {p.fields["clan"]: (p.id, p.fields["shooter"], p.fields["spots"]) for p in pieces("special-unit")}
    assert found == {
        "bamboo": ("crossbowman", True, 1),
        "plum": ("flamethrower", False, 1),
        "pine": ("tank", False, 2),
        "lotus": ("monk", False, 1),
        "willow": ("bomber", True, 1),
    }
    chits = {piece.id: piece.seat for piece in [*pieces("special-chit"), *pieces("tank-chit")]}
    assert chits == {unit: clan for clan, (unit, _, _) in found.items()}


# --- effects -----------------------------------------------------------------------------------------------------


def test_every_card_that_does_something_says_what() -> None:
    cards = {"advisor", "support", "general", "tactic", "artifact", "command"}
    speaking = cards | {"skill", "relic", "machine", "special-unit", "beast-level", "breath", "bite"}
    for piece in game().pieces:
        if piece.set in speaking:
            assert piece.effect, piece.id
            assert re.fullmatch(r"[A-Z0-9].*[.]", piece.text), piece.text
            assert "None" not in piece.text
            assert "  " not in piece.text


def test_every_word_of_the_vocabulary_is_used() -> None:
    used = {effect.verb for piece in game().pieces for effect in flat(piece.effect)}
    assert set(game().verbs) <= used


def test_limits_and_ends_of_figures() -> None:
    for piece in game().pieces:
        for effect in flat(piece.effect):
            if effect.verb == "modify" and (effect.args.get("by") or 0) < 0:
                assert effect.args["min"] == 0, f"{piece.id} could bring {effect.args['param']} below 0"


# --- modules -----------------------------------------------------------------------------------------------------


def test_variants_say_what_new_tables_play() -> None:
    def usual(*variants: str) -> list[str]:
        params = resolve_game(GAME, variants=variants).params
        return [name.removeprefix("play.") for name, value in params.items() if name.startswith("play.") and value]

    assert usual() == []
    assert usual("rat", "black-powder") == ["black_powder", "rat"]
    assert usual("everything") == MODULES
    assert resolve_game(GAME, variants=["few-barricades"]).params["barricade.setup_per_section"] == 3
