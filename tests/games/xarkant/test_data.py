"""The third game's data against its description: nothing missing, nothing twice, every number where it belongs."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Any

import pytest

from components.checks import check_game
from components.effects import flat
from components.loader import load
from components.model import ResolvedGame, ResolvedPiece
from components.resolve import resolve_game
from components.variants import parse_sets

GAME = "xarkant"
COLOURS = ["red", "blue", "white", "black"]
KINDS = ["wheat", "wood", "stone"]

RULES = {
    "GAME": "G1 D2-7", "PREP": "G1-5 D6-7", "TILE": "G1 D2-3 G4-5 D6-7", "LAND": "D1 G2-5 D6-10", "DRAW": "G1-3 D4-5",
    "TURN": "G1-3 D4-5 G6 D7-9", "COLLECT": "G1-8 D9-11", "STORE": "G1-2 D3-7", "CLAIM": "G1-3 D4-5",
    "WORKSHOP": "G1-6 D7-8", "STATE": "G1 D2 G3 D4-6", "CHURCH": "G1-9 D10-11 G12 D13-14", "VILLAGE": "G1-5 D6-8",
    "TRADE": "G1 D2-7", "CLEAN": "D1-2 G3 D4", "END": "G1 D2-4", "SCORE": "G1-5 D6 G7 D8-12",
}  # fmt: skip
"""By topic: G the rules that are given, D those that are decided."""
HEADINGS = {
    "How to play", "Setup", "Definitions", "Action", "Pass", "Collect Resources", "Claim Land", "Place Workshop",
    "Place Church", "Place Village", "Trade", "Game End", "Victory Points",
}  # fmt: skip
PARAMETERS = {
    "players.min": 2, "players.max": 4, "token_supply": {"wheat": 30, "wood": 30, "stone": 30}, "discs_per_player": 4,
    "workshops_per_player": 5, "churches_per_player": 5, "popularity.tokens_per_player": 5, "popularity.start": 3,
    "popularity.max": 5, "popularity.min": 0, "villages": 6, "tiles": 10, "grid.rows": 3, "grid.cols": 3,
    "placement.order": [1, 2, 3, 4, 5, 6, 7, 8, 9], "storage.capacity": {"wheat": 6, "wood": 6, "stone": 6},
    "draw.count": "players", "drawer.passes": "each_phase", "collect.per_quadrant": 1, "collect.per_workshop": 1,
    "collect.owner_share": 1, "collect.popularity_bonus": {1: 1, 3: 2, 5: 3}, "overflow.popularity": 1,
    "workshop.cost": {"wheat": 1, "wood": 2}, "workshop.state.popularity": 2,
    "state.workshop_extra": [{"wheat": n} for n in (1, 1, 2, 2, 3, 3, 4, 4)], "state.workshop_slots_per_player": 2,
    "church.cost": {"wood": 1, "stone": 3}, "church_board.slots_per_track": {2: 3, 3: 4, 4: 5},
    "village.cost": {"wheat": 2, "stone": 1}, "trade.cost.popularity": 1, "trade.max_cubes": 3,
    "end.no_villages": True, "end.idle_rounds": 2, "vp.missing_popularity": -1, "vp.piece_in_play": 1,
    "vp.church_track_per_resource": 1, "vp.claimed_area_by_town": 2, "vp.claim_quadrant_other_church": 1,
    "vp.claim_quadrant_own_church": 2, "score.pieces_on": "all", "types.F.name": "field", "types.F.resource": "wheat",
    "types.W.name": "forest", "types.W.resource": "wood", "types.Q.name": "quarry", "types.Q.resource": "stone",
}  # fmt: skip
TILES = {
    "T01": "FF WW nw", "T02": "FF FW ne", "T03": "WW QQ nw", "T04": "WW WQ sw", "T05": "QQ FF ne", "T06": "QQ QF nw",
    "T07": "FW QF se", "T08": "WF WQ nw", "T09": "QW QF sw", "T10": "FQ FW sw",
}  # fmt: skip
"""North and south quadrants, and the one with the star."""
BOX = {
    "landscape": (10, "tile90"), "village": (6, "tile40"), "frame": (4, "strip270x15"), "state-board": (1, "a5-wide"),
    "church-board": (1, "a5-wide"), "player-board": (4, "a5-wide"), "aid": (4, "aid95"), "workshop": (20, "house15x18"),
    "church": (20, "church15x24"), "disc": (16, "token25"), "disc-card": (16, "mini"), "popularity": (20, "token15"),
    "resource": (90, "chit14"), "drawer": (1, "token30"),
}  # fmt: skip
SIZES = {
    "tile90": (90, 90), "tile40": (40, 40), "strip270x15": (270, 15), "a5-wide": (210, 148), "aid95": (95, 133.9),
    "house15x18": (15, 18), "church15x24": (15, 24), "token25": (25, 25), "mini": (44, 67), "token15": (15, 15),
    "chit14": (14, 14), "token30": (30, 30),
}  # fmt: skip
WORKED_EXAMPLES = [
    "collect-with-workshops", "buying-more", "overflow-of-two", "own-disc-closes-the-area", "star-two-ways",
    "star-larger-area", "draw-and-order", "after-the-last-disc", "state-board-workshop", "town-through-an-area",
    "village-splits-a-field", "village-beside-the-disc", "a-trade", "unused-disc-and-cleanup", "all-claimed",
    "final-scoring",
]  # fmt: skip


@cache
def game(players: int | None = None) -> ResolvedGame:
    return resolve_game(GAME, players=players)


def with_set(*sets: str, players: int | None = None) -> ResolvedGame:
    return resolve_game(GAME, sets=parse_sets(sets), players=players)


def pieces(set_name: str, resolved: ResolvedGame | None = None) -> list[ResolvedPiece]:
    return [p for p in (resolved or game()).pieces if p.set == set_name]


def fields(set_name: str, resolved: ResolvedGame | None = None) -> dict[str, Any]:
    return pieces(set_name, resolved)[0].fields


def counts(resolved: ResolvedGame) -> dict[str, int]:
    found: Counter[str] = Counter()
    for piece in resolved.pieces:
        found[piece.set] += piece.copies
    return dict(found)


# --- pieces ------------------------------------------------------------------------------------------------------


def test_the_box_holds_every_piece_in_its_size_and_nothing_else() -> None:
    box = [p for p in game().pieces if p.copies]
    assert {(p.set, p.format) for p in box} == {(name, form) for name, (_, form) in BOX.items()}
    assert {name: n for name, n in counts(game()).items() if n} == {name: number for name, (number, _) in BOX.items()}


@pytest.mark.parametrize(
    ("players", "each", "five", "four"), [(2, 2, 10, 8), (3, 3, 15, 12), (4, 4, 20, 16)], ids=["two", "three", "four"]
)
def test_a_smaller_table_uses_the_pieces_of_the_first_colours(players: int, each: int, five: int, four: int) -> None:
    used = counts(game(players))
    assert {used[name] for name in ("player-board", "aid")} == {each}
    assert {used[name] for name in ("workshop", "church", "popularity")} == {five}
    assert {used[name] for name in ("disc", "disc-card")} == {four}
    shared = ("landscape", "village", "frame", "state-board", "church-board", "resource", "drawer")
    assert {name: used[name] for name in shared} == {name: BOX[name][0] for name in shared}
    for name in ("player-board", "workshop", "church", "disc", "disc-card"):
        assert [p.fields["colour"] for p in pieces(name, game(players)) if p.copies] == COLOURS[:each]


def test_the_formats_are_as_large_as_they_are_called() -> None:
    from generator.paper.formats import load_formats

    found = load_formats()
    assert {name: (found[name].w, found[name].h) for name in SIZES} == SIZES


def quadrants(tile: ResolvedPiece) -> dict[str, str]:
    return {corner: tile.fields[corner] for corner in ("nw", "ne", "sw", "se")}


def test_the_landscape_tiles_are_those_of_the_list() -> None:
    found = {p.id: " ".join(("{nw}{ne}", "{sw}{se}", "{star}")).format(**p.fields) for p in pieces("landscape")}
    assert found == TILES


def test_fourteen_fields_thirteen_forests_thirteen_quarries_and_their_stars() -> None:
    tiles = pieces("landscape")
    assert Counter(kind for tile in tiles for kind in quadrants(tile).values()) == {"F": 14, "W": 13, "Q": 13}
    assert Counter(quadrants(tile)[tile.fields["star"]] for tile in tiles) == {"F": 4, "W": 3, "Q": 3}


def test_the_tiles_make_the_land_of_the_rulings() -> None:
    """Nine tiles as they were laid, turned clockwise: the land that the heading of the rulings draws."""
    laid = [
        ("T09", 90), ("T04", 0), ("T02", 0), ("T05", 270), ("T08", 0), ("T01", 0), ("T10", 180), ("T07", 90),
        ("T03", 270),
    ]  # fmt: skip
    tiles = {p.id: quadrants(p) for p in pieces("landscape")}
    rows = [""] * 6
    for cell, (name, turn) in enumerate(laid):
        ring = [tiles[name][corner] for corner in ("nw", "ne", "se", "sw")]
        steps = turn // 90
        nw, ne, se, sw = ring[-steps:] + ring[:-steps] if steps else ring
        rows[cell // 3 * 2] += nw + ne
        rows[cell // 3 * 2 + 1] += sw + se
    land = next(r.position["terrain"] for r in game().rulings if r.id == "collect-with-workshops")
    assert rows == land == ["QQWWFF", "FWWQFW", "QFWFFF", "QFWQWW", "WFQFWQ", "QFFWWQ"]
    assert fields("example")["rows"] == rows
    said = (load(GAME).folder / "rulings.yaml").read_text("utf-8")
    assert all(f"{n}  {'  '.join(row)}".replace("  ", " ") in said.replace("  ", " ") for n, row in enumerate(rows, 1))


def test_the_frame_names_columns_and_rows_of_the_land_there_is() -> None:
    assert [p.fields["marks"] for p in pieces("frame")] == [
        list("abcdef"),
        list("abcdef"),
        list("123456"),
        list("123456"),
    ]
    smaller = with_set("grid.rows=2", "grid.cols=1")
    assert [p.fields["marks"] for p in pieces("frame", smaller)] == [list("ab"), list("ab"), list("1234"), list("1234")]


# --- boards and aid ----------------------------------------------------------------------------------------------


def test_costs_on_the_boards_are_the_parameters() -> None:
    state, church, player = fields("state-board"), fields("church-board"), fields("player-board")
    assert state["village_cost"] == [["wheat", 2], ["stone", 1]]
    assert state["workshop_cost"] == player["workshops"]["cost"] == [["wheat", 1], ["wood", 2]]
    assert church["cost"] == player["churches"]["cost"] == [["wood", 1], ["stone", 3]]
    dear = with_set("workshop.cost.stone=1", "church.cost={wheat: 4, wood: 0}", "village.cost.wheat=3")
    assert fields("state-board", dear)["village_cost"] == [["wheat", 3], ["stone", 1]]
    assert fields("player-board", dear)["workshops"]["cost"] == [["wheat", 1], ["wood", 2], ["stone", 1]]
    assert fields("player-board", dear)["churches"]["cost"] == fields("church-board", dear)["cost"] == [["wheat", 4]]
    icons = {a["title"]: [i for i in a["icons"] if i] for a in fields("aid", dear)["front"]["actions"]}
    assert icons["Workshop"] == ["wheat 1", "wood 2", "stone 1"]
    assert (icons["Church"], icons["Village"]) == (["wheat 4"], ["wheat 3", "stone 1"])


def test_slots_of_the_boards_are_open_by_the_number_of_players() -> None:
    state, church = fields("state-board"), fields("church-board")
    assert [extra["wheat"] for extra in state["slots"]["extra"]] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert state["slots"]["open"] == {"two": 4, "three": 6, "four": 8}
    assert (church["slots"], church["open"]) == (5, {"two": 3, "three": 4, "four": 5})
    assert [track["kind"] for track in church["tracks"]] == KINDS
    wider = with_set("slots_per_track.4=6", "workshop_slots_per_player=1", "state.workshop_extra.0={stone: 2}")
    assert (fields("church-board", wider)["slots"], fields("church-board", wider)["open"]["four"]) == (6, 6)
    assert fields("state-board", wider)["slots"]["open"] == {"two": 2, "three": 3, "four": 4}
    assert fields("state-board", wider)["slots"]["extra"][0] == {"stone": 2}


def test_the_state_board_says_what_it_does() -> None:
    board = pieces("state-board")[0]
    assert board.text == "Gain 2 popularity at once."
    assert [(i.name, i.label) for i in board.icons] == [("popularity", "+2")]
    assert {e.verb for p in game().pieces for e in flat(p.effect)} == set(game().verbs)
    assert board.fields["villages"] == 6 and "last round" in board.fields["end_note"]
    assert fields("state-board", with_set("end.no_villages=false"))["end_note"] == ""
    assert board.fields["village_note"] and fields("state-board", with_set("villages=1"))["village_note"] == ""


def test_a_player_board_has_a_place_for_everything() -> None:
    for board in pieces("player-board"):
        f = board.fields
        assert (f["workshops"]["spots"], f["churches"]["spots"]) == (5, 5)
        assert (f["popularity"]["spots"], f["popularity"]["start"]) == (5, 3)
        assert f["storage"]["kinds"] == [{"kind": kind, "spaces": 6} for kind in KINDS]
        assert f["bonus"]["steps"] == [[1, 1], [3, 2], [5, 3]]
        assert f["discs"]["n"] == 4 and f["discs"]["aside"]
        assert len([line for line in f["ends"]["lines"] if line]) == 3
    other = fields("player-board", with_set("popularity_bonus={2: 2}", "capacity.wood=4", "end.no_villages=false"))
    assert other["bonus"]["steps"] == [[2, 2]]
    assert [kind["spaces"] for kind in other["storage"]["kinds"]] == [6, 4, 6]
    assert len([line for line in other["ends"]["lines"] if line]) == 2


def test_the_aid_has_every_action_the_round_the_end_and_the_points() -> None:
    front, back = fields("aid")["front"], fields("aid")["back"]
    titles = [action["title"] for action in front["actions"]]
    assert titles == ["Collect", "Claim", "Workshop", "Church", "Village", "Trade", "Pass"]
    assert [point["value"] for point in back["points"]] == ["\u22121", "+1", "+1", "+2", "+2", "+1"]
    assert len(back["end"]) == 3 and len(back["steps"]) == 4
    collect = front["actions"][0]["text"]
    assert "[field] [wheat], [forest] [wood], [quarry] [stone]" in collect
    assert "Pay 1, 3 or 5 [popularity] for 1, 2 or 3 more." in collect
    assert "Pay" not in fields("aid", with_set("popularity_bonus={}"))["front"]["actions"][0]["text"]


# --- rules and parameters ----------------------------------------------------------------------------------------


def catalogue() -> dict[str, str]:
    """Rule id -> given or decided, as `RULES` lists them."""
    found = {}
    for topic, runs in RULES.items():
        for run in runs.split():
            first, _, last = run[1:].partition("-")
            for n in range(int(first), int(last or first) + 1):
                found[f"XK-{topic}-{n}"] = {"G": "given", "D": "decided"}[run[0]]
    return found


def test_the_catalogue_has_every_rule_and_no_other() -> None:
    assert {rule.id: rule.origin for rule in game().rules.values()} == catalogue()
    assert len(catalogue()) == 131


def test_given_rules_name_their_source_and_decided_ones_their_reason() -> None:
    for rule in game().rules.values():
        assert rule.text.endswith("."), rule.id
        assert "  " not in rule.text and "{" not in rule.text and not re.search(r" [.,;]", rule.text), rule.id
        assert set(filter(None, rule.source.split(", "))) <= HEADINGS, rule.id
        assert rule.source if rule.origin == "given" else rule.reason, rule.id


def test_the_overview_tells_the_game_with_its_figures() -> None:
    told = dict(game().overview)
    about = ["In short", "The land", "A round", "A turn", "Example", "How it ends"]
    assert list(told) == about
    assert not re.search(r"  |[{]| [.,;]", " ".join(told.values()))
    dear = dict(with_set("workshop.cost={stone: 3}", "end.no_villages=false", "collect.per_quadrant=2").overview)
    assert "can pay 3 stone for" in dear["Example"] and "gains 10 wood" in dear["Example"]
    assert "village" in told["How it ends"] and "village" not in dear["How it ends"]


def test_almost_every_rule_is_kept_by_the_companion() -> None:
    assert [rule.id for rule in game().rules.values() if rule.kept_by == "table"] == ["XK-GAME-7"]


def test_rules_follow_the_order_of_the_sections() -> None:
    found = [rule.section for rule in game().rules.values()]
    assert list(dict.fromkeys(found)) == game().sections
    assert found == sorted(found, key=game().sections.index)


def test_no_rule_writes_down_a_number_that_a_parameter_holds() -> None:
    for rule in load(GAME).rules.rules:
        plain = re.sub(r"\{\{.*?\}\}|\{%.*?%\}|\bXK-[A-Z]+-\d+", "", rule.text, flags=re.DOTALL)
        if rule.id == "XK-LAND-1":  # the first row, and the name of the first quadrant
            plain = plain.replace("rows 1 to", "").replace("is a1", "")
        assert not re.search(r"\d", plain), rule.id


def test_every_parameter_of_the_description_is_there() -> None:
    assert game().params == PARAMETERS
    assert game().players == (2, 4)


@pytest.mark.parametrize(
    ("sets", "said"),
    [
        (["tiles=8"], "needs 9, but there are 8"),
        (["placement.order=[1, 2, 3]"], "each of the 9 cells"),
        (["placement.order=[1, 2, 3, 4, 5, 6, 7, 8, 8]"], "each of the 9 cells"),
        (["popularity.max=2"], "start with 3 popularity, but the board has 2"),
        (["tokens_per_player=2"], "there are only 2 tokens"),
        (["popularity.min=4"], "less than the least (4)"),
        (["workshop_slots_per_player=3"], "12 State Board slots are open, but only 8 have a price"),
        (["workshops_per_player=1"], "more than the 1 workshop each"),
        (["slots_per_track.3=2"], "fewer slots would be open"),
        (["popularity_bonus={9: 9}"], "nobody can ever pay more"),
        (["popularity_bonus={0: 1}"], "cost at least 1 popularity"),
        (["trade.cost.popularity=5", "popularity.max=4"], "nobody can ever trade"),
        (["villages=0"], "the first round would be the last"),
    ],
)
def test_figures_that_do_not_go_together_are_warned_of(sets: list[str], said: str) -> None:
    assert game().warnings == []
    assert said in " ".join(with_set(*sets).warnings)


def test_a_smaller_land_passes_over_the_cells_it_has_not() -> None:
    smaller = with_set("grid.rows=2")
    assert smaller.warnings == []
    assert "1, 2, 3, 4, 5, 6." in smaller.rules["XK-TILE-2"].text
    assert "Return the 4 remaining tiles to the box" in smaller.rules["XK-PREP-3"].text


def test_the_house_rule_counts_the_land_alone() -> None:
    land = resolve_game(GAME, variants=["land-only"])
    assert "on the State Board and on the Church Board are in play" in game().rules["XK-SCORE-9"].text
    assert "score on the land and in towns only" in land.rules["XK-SCORE-9"].text
    assert "on the land" in fields("aid", land)["back"]["points"][1]["text"]


# --- the whole ---------------------------------------------------------------------------------------------------


def test_the_definition_has_no_fault() -> None:
    assert check_game(GAME) == []


def test_all_worked_examples_are_rulings_and_many_more() -> None:
    ids = [r.id for r in game().rulings]
    assert len(WORKED_EXAMPLES) == 16 and set(WORKED_EXAMPLES) <= set(ids)
    assert len(ids) == len(set(ids)) >= 55


def test_rulings_read_well_and_are_decided() -> None:
    for ruling in game().rulings:
        assert ruling.question.endswith("?") and ruling.answer.endswith("."), ruling.id
        assert "  " not in ruling.question + ruling.answer, ruling.id
        assert not re.search(r" [.,;?]", ruling.question + ruling.answer), ruling.id
        assert ruling.moves or ruling.query, ruling.id
        assert not ruling.moves or ruling.legal is not None, ruling.id


@pytest.mark.parametrize(
    ("sets", "ruling", "words"),
    [
        (["collect.per_workshop=2"], "collect-with-workshops", "4 for the two workshops"),
        (["overflow.popularity=0"], "collect-with-workshops", "fit on your board."),
        (["popularity_bonus={2: 5}"], "steps-between", "Yes, for 5 more."),
        (["popularity_bonus={}"], "buying-more", "No, popularity buys nothing here."),
        (["vp.claim_quadrant_own_church=3"], "final-scoring", "The total is 40."),
        (["score.pieces_on=land"], "final-scoring", "so 3, which gives 3."),
        (["drawer.passes=each_round"], "who-draws-next", "The same player."),
        (["village.cost={stone: 2}"], "village-splits-a-field", "The village costs 2 stone."),
    ],
)
def test_a_changed_number_changes_the_answer(sets: list[str], ruling: str, words: str) -> None:
    assert words in next(r.answer for r in with_set(*sets).rulings if r.id == ruling)
