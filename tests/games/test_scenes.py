"""Every game says its table as a scene: at every position of random games it can be laid, nothing is lost, and what
players keep secret shows its back."""

from __future__ import annotations

import os
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from games import GAMES, WAYS, Way, each, rules_with
from laws import positions

from companion.engine.decisions.fields import Field
from companion.engine.decisions.menus import Menu
from companion.engine.language.positionfile import from_form
from companion.engine.play.position import Position, Rules
from companion.engine.play.secrets import seen_by
from components.model import ResolvedGame
from components.projects import project_root
from components.scene import Scene, Thing
from generator.build.places import Places
from generator.build.scenes import SceneMaker
from generator.scenes.staging import Stage
from tests.generator.facekit import shipped

DRAWN = [way for way in WAYS if way.game in GAMES and type(rules_with(way.game)).scene is not Rules.scene]
EVERY = 7
"""Each so many positions of a game are laid."""
POINTED = 100
"""So many places to which menus point are looked up."""

WHOLE = {
    "dynasties": ("action-white", "action-black", "disc", "board", "pawn-dynasty", "pawn-score"),
    "great-wall": (
        *("main-board", "clerk", "spearman", "archer", "horseman", "tea-marker", "honor-marker", "time-token"),
        "shame-token",
    ),
    "tianxia": (
        *("main-board", "player-board", "building", "worker", "neutral-worker", "wall", "tower", "action-marker"),
        *("knot", "palace-marker", "score-marker", "turn-marker", "nomad", "sword", "defence", "round-marker"),
    ),
    "warring-states": ("event", "resource", "battle", "province"),
    "xarkant": ("disc", "workshop", "church", "village", "resource", "popularity", "frame"),
}
"""Game -> sets whose pieces all lie on the table all the time, from set-up on."""
SECRET = {
    "dynasties": ("#hand", "#deck"),
    "great-wall": ("#tactics", "#tactic", "#advisor.deck", "#relic", "#rat"),
    "tianxia": ("#objectives", "#used"),
    "warring-states": ("-deck", "#resources", "#battle"),
    "xarkant": ("#tiles",),
}
"""Game -> endings of places where nobody may see which pieces lie there."""


_makers: dict[Way, SceneMaker] = {}


def made(game: ResolvedGame) -> SceneMaker:
    """Faces that one of them has drawn and saved need not be drawn by another."""
    places = Places(project=project_root(), cache=Path(os.environ["TABLEWRIGHT_TEST_FACES"]))
    return SceneMaker(game, places, layouts=shipped(game.id))


def maker(way: Way) -> SceneMaker:
    if way not in _makers:
        for other in _makers.values():
            other.cache.save()
        _makers[way] = made(way.rules.game)
    return _makers[way]


def scene_at(at: Position[Any]) -> Scene:
    scene = at.rules.scene(at)
    assert scene is not None
    return scene


@cache
def tables(way: Way) -> list[tuple[Position[Any], Scene]]:
    """Some positions of a random game with their scenes, the first after set-up and the last among them."""
    found = [at for at, _ in positions(way.rules, way.seats, seed=5)][1:]
    return [(at, scene_at(at)) for at in {id(at): at for at in (*found[::EVERY], found[-1])}.values()]


def lying(stage: Stage, scene: Scene) -> Counter[str]:
    """Set -> pieces in the picture."""
    found: Counter[str] = Counter()
    for piece in stage.laid:
        thing = scene.pieces[piece.thing]
        if thing.piece:
            found[thing.piece.partition("/")[0]] += piece.count
    return found


def test_every_game_says_its_table() -> None:
    assert WHOLE.keys() == SECRET.keys() == {way.game for way in DRAWN}


@pytest.mark.parametrize("way", each(DRAWN), ids=str)
def test_a_table_where_nobody_sits_has_a_picture(way: Way) -> None:
    maker(way).stage(scene_at(Position(way.rules, way.rules.new_state())))


@pytest.mark.parametrize("way", each(DRAWN), ids=str)
def test_every_position_can_be_laid_and_no_piece_is_lost(way: Way) -> None:
    drawn, at_first = maker(way), None
    for at, scene in tables(way):
        stage = drawn.stage(scene)
        there = lying(stage, scene)
        said: Counter[str] = Counter()
        for thing in scene.pieces:
            said[thing.piece.partition("/")[0]] += thing.count
        assert there == Counter({name: n for name, n in said.items() if name and n}), at.rules.phase(at.state)
        whole = {name: there[name] for name in WHOLE[way.game]}
        at_first = at_first or whole
        assert whole == at_first, at.rules.phase(at.state)


@pytest.mark.parametrize("game", sorted(WHOLE))
def test_what_a_menu_points_to_is_on_the_table(game: str) -> None:
    """A place for a value is a thing or place of the scene; most games have some for what is chosen on the board."""
    way = next(way for way in reversed(DRAWN) if way.game == game)
    drawn, met = maker(way), 0
    for at, _ in positions(way.rules, way.seats, seed=5)[1:-1:2]:
        for seat in at.rules.to_move(at.state) or [""]:
            places = pointed_to(at, seat) if met < POINTED else set()
            stage = drawn.stage(scene_at(seen_by(at, seat))) if places else None
            for place in places:
                met += 1
                assert stage is not None
                assert place in stage.areas, place
    assert met


def pointed_to(at: Position[Any], seat: str) -> set[str]:
    """The places of the values of each verb's first fields."""
    found: set[str] = set()
    menu = Menu(at, seat)
    for verb in (*menu.verbs, *menu.offers):
        came_to = menu.next(verb.name) if verb.standing == "incomplete" else None
        while isinstance(came_to, Field) and came_to.kind != "steps":
            found |= {value.place for value in came_to.values if value.place}
            legal = [value.value for value in came_to.values if not value.refused]
            came_to = came_to.take(legal[0]) if legal and came_to.kind in ("one", "number") else None
    return found


@pytest.mark.parametrize("way", each(DRAWN), ids=str)
def test_what_is_secret_shows_its_back(way: Way) -> None:
    met = 0
    for _, scene in tables(way):
        for thing in scene.pieces:
            if isinstance(thing.at, str) and thing.at.endswith(SECRET[way.game]) and thing.piece:
                met += 1
                assert thing.piece.endswith("/*"), thing
    assert met


def test_a_scene_does_not_tell_what_the_table_was_told_in_confidence() -> None:
    rules = rules_with("warring-states")
    form = {"players": {"Qin": {"resource_hand": 2, "battle_hand": 1}, "Chu": {}}, "active": "Qin", "phase": "trade"}
    told: dict[str, Any] = {**form, "players": {**form["players"]}}  # type: ignore[dict-item]
    told["players"]["Qin"] = {
        "resource_hand": 2,
        "battle_hand": 1,
        "resource_known": {"Mine": 2},
        "battle_known": ["Spears"],
    }
    plain, known = (Position(rules, from_form(said, rules)) for said in (form, told))
    assert scene_at(plain) == scene_at(known)


@pytest.mark.parametrize("game", WHOLE)
def test_the_position_of_every_ruling_can_be_laid(game: str) -> None:
    """Partial positions as they are: a figure may begin with any of them."""
    first = next(way for way in DRAWN if way.game == game)
    for ruling in first.rules.game.rulings:
        if ruling.position:
            rules = rules_with(game, ruling.set, ruling.variants)
            at = Position(rules, from_form(dict(ruling.position), rules))
            drawn = maker(first) if rules is rules_with(game) else made(rules.game)
            assert drawn.stage(scene_at(at)).laid, ruling.id
            drawn.cache.save()


@pytest.mark.parametrize("game", WHOLE)
def test_a_table_is_drawn_alike_whatever_was_drawn_before(game: str) -> None:
    way = next(way for way in DRAWN if way.game == game)
    _, scene = tables(way)[-1]
    fresh = made(way.rules.game)
    alone = fresh.svg(fresh.picture(scene))
    after = maker(way)
    after.svg(after.picture(tables(way)[0][1]))
    assert after.svg(after.picture(scene)) == alone
    assert alone.count("<use ") > len([thing for thing in scene.pieces if thing.piece]) / 2


@pytest.mark.parametrize("game", WHOLE)
def test_pieces_lie_within_the_mats_and_boards_of_their_table(game: str) -> None:
    """Nothing sticks out of the picture: the table is as large as what lies on it."""
    for way in [way for way in DRAWN if way.game == game]:
        _, scene = tables(way)[-1]
        stage = maker(way).stage(scene)
        mats = [piece.area.bounds for piece in stage.laid if piece.depth == 0]
        left, top = min(b[0] for b in mats) - 10, min(b[1] for b in mats) - 10
        right, bottom = max(b[2] for b in mats) + 10, max(b[3] for b in mats) + 10
        for piece in stage.laid:
            x0, y0, x1, y1 = piece.area.bounds
            assert left <= x0 and top <= y0 and x1 <= right and y1 <= bottom, scene.pieces[piece.thing]


def test_pieces_in_a_place_with_room_do_not_cover_each_other() -> None:
    way = next(way for way in DRAWN if way.game == "xarkant" and len(way.seats) == 4)
    for _, scene in tables(way):
        stage = maker(way).stage(scene)
        boxes = [piece.area.bounds for piece in stage.laid if scene.pieces[piece.thing].at == "table#bag"]
        for i, (left, top, right, bottom) in enumerate(boxes):
            for other in boxes[:i]:
                apart = right <= other[0] + 0.1 or other[2] <= left + 0.1 or bottom <= other[1] + 0.1
                assert apart or other[3] <= top + 0.1


def test_hidden_things_take_along_what_lies_on_them() -> None:
    way = next(way for way in DRAWN if way.game == "xarkant")
    _, scene = tables(way)[0]
    player = way.seats[0]
    hidden = Scene(pieces=scene.pieces, hide=[player])
    full, less = maker(way).stage(scene), maker(way).stage(hidden)
    gone = {piece.thing for piece in full.laid} - {piece.thing for piece in less.laid}
    assert {scene.pieces[n].at for n in gone if scene.pieces[n].at} == {
        thing.at for thing in scene.pieces if str(thing.at).startswith(f"{player}#")
    }
    assert Thing(piece="disc/red") not in hidden.pieces
