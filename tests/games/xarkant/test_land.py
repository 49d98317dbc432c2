"""The land of Xarkant against a second reading of its rules: areas as networkx counts them, stars by trying everything.

The second reading is `xarkant_by_hand`, which shares nothing with the game's own code.
"""

from __future__ import annotations

from random import Random
from typing import Any

import games
import networkx as nx
from xarkant_by_hand import (
    CELLS,
    NAMES,
    TILES,
    TURNS,
    Land,
    graph,
    laid,
    neighbours,
    quadrants,
    rows,
    turns,
    villages_of,
)

from companion.engine.language.jsonmoves import from_json
from companion.engine.language.positionfile import from_form
from companion.engine.play.position import Position


def at(form: dict[str, Any]) -> Position[Any]:
    rules = games.rules_with("xarkant")
    return Position(rules, from_form({"players": ["ana", "bo"], **form}, rules))


def ask(here: Position[Any], query: str, **said: Any) -> Any:
    return here.rules.queries()[query](here, **said).value


def growing(rng: Random) -> tuple[Land, int, str]:
    """A land that was begun as the rules want it, the next cell and the tile that came up for it."""
    tiles = rng.sample(sorted(TILES), 10)
    land: Land = {}
    cell = rng.randint(1, 9)
    for i in range(1, cell):
        land.update(laid(i, tiles[i], rng.choice(turns(land, i, tiles[i])[0]))[0])
    return land, cell, tiles[0]


def scattered(rng: Random) -> tuple[Land, int, str]:
    """A land of letters thrown down at random up to the next cell: shapes that no tiles would make."""
    cell = rng.randint(1, 9)
    letters = rng.choice(("FWQ", "FW", "FFFQ"))
    land = {quadrant: rng.choice(letters) for i in range(1, cell) for quadrant in quadrants(i)}
    return land, cell, rng.choice(sorted(TILES))


def random_land(rng: Random) -> tuple[Land, dict[str, dict[str, str]]]:
    """A whole land with some villages, towns and buildings, and at most one disc in an area."""
    letters = rng.choice(("FWQ", "FW", "FFFW"))
    land = {quadrant: rng.choice(letters) for quadrant in CELLS}
    spots = rng.sample(CELLS, rng.randint(0, 6))
    pieces = {q: {"kind": "town", "owner": "bo"} if rng.random() < 0.3 else {"kind": "village"} for q in spots}
    discs = rng.randint(0, 4)
    for area in nx.connected_components(graph(land, set(spots))):
        if discs and rng.random() < 0.3:
            pieces[min(area)] = {"kind": rng.choice(("work", "claim")), "owner": "ana"}
            discs -= 1
        elif rng.random() < 0.1:
            pieces[min(area)] = {"kind": rng.choice(("workshop", "church")), "owner": "bo"}
    kept = {q: p for q, p in pieces.items() if p["kind"] not in ("workshop", "church", "town")}
    built = [q for q in pieces if q not in kept]
    return land, {**kept, **{q: pieces[q] for q in built[:5]}}


def same_areas(here: Position[Any], land: Land, pieces: dict[str, dict[str, str]]) -> None:
    """Every area the companion tells of is a connected component, and the other way round."""
    for area in nx.connected_components(graph(land, villages_of(pieces))):
        told = ask(here, "area", at=max(area))
        assert told["cells"] == sorted(area), rows(land)
        assert told["size"] == len(area)
        assert told["type"] == NAMES[land[max(area)]]
        assert told["occupied"] is any(pieces.get(q, {}).get("kind") in ("work", "claim") for q in area)


def test_the_turns_a_tile_may_take_are_those_found_by_trying_all() -> None:
    rng = Random(1)
    matching = 0
    for i in range(1500):
        land, cell, tile = (growing if i % 2 else scattered)(rng)
        told = ask(at({"phase": "setup", "terrain": rows(land)}), "rotations", cell=cell, tile=tile)
        legal, sizes = turns(land, cell, tile)
        assert list(told["legal"]) == legal, (rows(land), cell, tile)
        assert {int(turn): size for turn, size in told["sizes"].items()} == sizes, (rows(land), cell, tile)
        matching += len(legal) < len(sizes)
    assert matching > 100, "hardly a layout in which a match was too small"


def test_a_tile_is_refused_where_trying_all_turns_finds_a_better_one() -> None:
    rng = Random(2)
    said: dict[str, int] = {"legal": 0, "XK-TILE-4": 0, "XK-TILE-5": 0}
    for i in range(400):
        land, cell, tile = (growing if i % 2 else scattered)(rng)
        here = at({"phase": "setup", "terrain": rows(land)})
        legal, sizes = turns(land, cell, tile)
        for turn in TURNS:
            move = {"event": "place_tile", "cell": cell, "tile": tile, "rot": turn}
            verdict = here.judge(from_json(move, here))
            expected = "legal" if turn in legal else "XK-TILE-5" if turn in sizes else "XK-TILE-4"
            assert (verdict.reasons[0].rule if verdict.reasons else "legal") == expected, (rows(land), move)
            said[expected] += 1
    assert min(said.values()) > 20, said


def test_the_tile_laid_down_is_the_tile_turned() -> None:
    rng = Random(3)
    for _ in range(200):
        land, cell, tile = growing(rng)
        here = at({"phase": "setup", "terrain": rows(land)})
        turn = rng.choice(turns(land, cell, tile)[0])
        assert here.play(from_json({"event": "place_tile", "cell": cell, "tile": tile, "rot": turn}, here)).legal
        assert here.rules.dump(here.state)["terrain"] == rows({**land, **laid(cell, tile, turn)[0]})


def test_areas_are_the_connected_components_of_the_land() -> None:
    rng = Random(4)
    for _ in range(2000):
        land, pieces = random_land(rng)
        same_areas(at({"terrain": rows(land), "pieces": pieces}), land, pieces)


def test_a_village_takes_its_quadrant_out_of_the_land_at_once() -> None:
    """The village may be placed exactly where the words say so, and splits what it stands in."""
    rng = Random(5)
    placed = split = 0
    for _ in range(1000):
        land, pieces = random_land(rng)
        pieces = {q: piece for q, piece in pieces.items() if piece["kind"] != "claim"}
        pieces = dict(list(pieces.items())[:4])
        disc = next((q for q, piece in pieces.items() if piece["kind"] == "work"), None)
        if disc is None:
            continue
        spot = rng.choice(neighbours(disc))
        form = {"terrain": rows(land), "pieces": pieces, "drawer": "bo", "active": "ana"}
        here = at({**form, "player": {"ana": {"wheat": 2, "stone": 1}}})
        before = graph(land, villages_of(pieces))
        area = nx.node_connected_component(before, spot) if spot in before else set()
        occupied = any(pieces.get(q, {}).get("kind") == "work" for q in area)
        verdict = here.play(from_json({"action": "village", "player": "ana", "at": spot}, here))
        assert verdict.legal is (spot not in pieces and not occupied), (form, spot)
        if verdict.legal:
            pieces = {**pieces, spot: {"kind": "village"}}
            same_areas(here, land, pieces)
            placed += 1
            split += nx.number_connected_components(graph(land, villages_of(pieces))) > len(
                list(nx.connected_components(before))
            )
    assert placed > 100 and split > 20, (placed, split)
