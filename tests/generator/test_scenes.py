"""Scenes: anchors gathered from templates, pieces laid in places, references, what is said about pieces, and files."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.dom import minidom

import pytest
from facekit import difference, game, items, layouts_in, maker, piece, project, rendered
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from components.errors import DefinitionError
from components.scene import Arrow, Call, Mark, Note, Scene, Thing, read_scene, scene_key
from generator.build.figures import figure, scene_file
from generator.build.places import Places
from generator.build.project import read_scene_look
from generator.build.scenes import SceneMaker, check_mats
from generator.faces.display import Anchor, PathOp, Push, TextOp, face_hash
from generator.faces.facemaker import FaceError
from generator.scenes.faults import CODES
from generator.scenes.laying import lie
from generator.scenes.picture import seen
from generator.scenes.staging import Area, Laid, Shown, Stage
from generator.scenes.staging import Told as Faults

BOARD = items(
    """
rect: {box: [0, 0, 210, 148], fill: paper}
{each: [north, south], as: land, anchor: {name: "{{ land }}.armies", box: ["{{ 10 + 100 * land_index }}", 20, 80, 60]}}
group: {at: [200, 140], turn: 180, items: [{anchor: {name: far, box: [0, 0, 20, 10], lay: row}}]}
part: {name: spot, at: [40, 100], scale: 2}
"""
)
PARTS = """
spot:
  items:
    - circle: {at: [0, 0], r: 5, fill: accent}
    - anchor: {name: spot, at: [0, 0], lay: pile}
"""
TOKEN = items("circle: {at: [10, 10], r: 12, fill: accent}")
CARD = items("rect: {box: [-3, -3, 69, 94], fill: paper}")
BACK = items("rect: {box: [-3, -3, 69, 94], fill: accent}")
MATS = """
mats:
  hand:
    w: 200
    h: 90
    fields: {name: nobody}
    items:
      - text: {box: [0, 0, 100, 8], style: body, value: "{{ fields.name }}"}
      - {anchor: {name: cards, box: [0, 0, 200, 90], lay: fan}}
"""
PIECES = [
    piece(id="board", set="board", kind="board", format="a5-wide", face="board"),
    piece(id="red", set="army", kind="token", format="token20", face="token", back="token"),
    piece(id="blue", set="army", kind="token", format="token20", face="token"),
    piece(id="one", set="card", face="card", back="back"),
    piece(id="two", set="card", face="card", back="back"),
]


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> SceneMaker:
    root = tmp_path_factory.mktemp("demo")
    folder = project(root, CARD, parts=PARTS, board=BOARD, token=TOKEN, back=BACK)
    (folder / "demo" / "scenes.yaml").write_text(MATS, encoding="utf-8")
    return SceneMaker(game(pieces=PIECES), Places(project=root, cache=root / "cache"), layouts=layouts_in(folder))


def staged(scenes: SceneMaker, *things: Thing, **more: object) -> Stage:
    return scenes.stage(Scene(pieces=list(things), **more))  # type: ignore[arg-type]


def refused(scenes: SceneMaker, text: str, tmp_path: Path) -> str:
    """What drawing the scene in a file says against it."""
    file = tmp_path / "scene.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DefinitionError) as caught:
        said, lines = read_scene(file, "scene.yaml")
        scenes.picture(said, lines)
    return str(caught.value)


# --- anchors -----------------------------------------------------------------------------------------------------


def test_anchors_go_through_loops_groups_and_parts(scenes: SceneMaker) -> None:
    shown = scenes.shown(Thing(piece="board"))
    assert shown.anchors == {
        "north.armies": Anchor(50, 50, 80, 60),
        "south.armies": Anchor(150, 50, 80, 60),
        "far": Anchor(190, 135, 20, 10, 180.0, "row"),
        "spot": Anchor(40, 100, 0, 0, 0.0, "pile"),
    }


def test_anchors_draw_nothing_and_make_no_face_stale(tmp_path: Path) -> None:
    plain = maker(tmp_path / "a", "items:\n  - circle: {at: [5, 5], r: 3, fill: ink}\n").front(piece())
    text = """items:
  - circle: {at: [5, 5], r: 3, fill: ink}
  - group: {at: [1, 1], items: [{group: {turn: 5, items: [{anchor: {name: a, at: [0, 0]}}]}}]}
"""
    named = maker(tmp_path / "b", text).front(piece())
    assert named.anchors and named.ops == plain.ops
    assert face_hash(named) == face_hash(plain)


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("anchor: {name: a, at: [0, 0]}\nanchor: {name: a, at: [5, 5]}", "two anchors are called 'a'"),
        ("anchor: {name: a b, at: [0, 0]}", "'name' must be letters, digits"),
        ("anchor: {name: a, at: [0, 0], lay: heap}", "'lay' cannot be 'heap'"),
        ("anchor: {name: a}", "'at' must be a list of 2 numbers"),
    ],
)
def test_an_anchor_that_cannot_be(tmp_path: Path, template: str, said: str) -> None:
    with pytest.raises(FaceError, match=re.escape(said)):
        maker(tmp_path, items(template)).front(piece())


# --- laying ------------------------------------------------------------------------------------------------------

SIZES = st.lists(st.sampled_from([(20.0, 20.0), (10.0, 10.0), (25.0, 15.0)]), min_size=1, max_size=24)


@settings(max_examples=200, deadline=None)
@given(SIZES, st.floats(40, 200), st.floats(30, 150))
def test_pieces_spread_over_a_place_cover_each_other_only_without_room(
    sizes: list[tuple[float, float]], w: float, h: float
) -> None:
    boxes = []
    for (a, b), at in zip(sizes, lie("spread", sizes, w, h), strict=True):
        boxes.append((at.x - a / 2, at.y - b / 2, at.x + a / 2, at.y + b / 2))
        assert -w / 2 - 1e-6 <= boxes[-1][0] and boxes[-1][2] <= w / 2 + 1e-6, "it sticks out at a side"
    wide, high = max(size[0] for size in sizes), max(size[1] for size in sizes)
    if (w // wide) * (h // high) >= len(sizes):  # a grid of the largest would do
        for i, one in enumerate(boxes):
            for other in boxes[:i]:
                apart = one[2] <= other[0] + 1e-6 or other[2] <= one[0] + 1e-6
                assert apart or one[3] <= other[1] + 1e-6 or other[3] <= one[1] + 1e-6
        assert all(-h / 2 - 1e-6 <= box[1] and box[3] <= h / 2 + 1e-6 for box in boxes)


def test_a_row_too_long_for_its_place_overlaps_evenly() -> None:
    at = [piece.x for piece in lie("row", [(60.0, 90.0)] * 5, 180, 90)]
    assert at[0] == pytest.approx(-60) and at[-1] == pytest.approx(60)
    assert {round(b - a, 6) for a, b in pairwise(at)} == {30.0}


def test_a_fan_is_symmetric_and_its_middle_is_highest() -> None:
    cards = lie("fan", [(63.0, 88.0)] * 5, 200, 90)
    assert [round(card.turn, 3) for card in cards] == [-10, -5, 0, 5, 10]
    assert cards[2].y == min(card.y for card in cards)
    assert cards[0].x == pytest.approx(-cards[4].x) and cards[0].y == pytest.approx(cards[4].y)


def test_pieces_at_one_place_share_it_and_turn_with_it(scenes: SceneMaker) -> None:
    stage = staged(
        scenes,
        Thing(piece="board", at=[0, 0], turn=90),
        Thing(piece="army/red", count=2, at="board#north.armies"),
        Thing(piece="army/blue", count=1, at="board#north.armies"),
    )
    board, *armies = stage.laid
    assert [piece.count for piece in armies] == [1, 1, 1] and {piece.turn for piece in armies} == {90.0}
    # the board is turned clockwise about its middle: what lay to the right of it now lies below
    assert {round(piece.x, 3) for piece in armies} == {24.0}
    assert sorted(round(piece.y, 3) for piece in armies) == [-78.0, -55.0, -32.0]
    assert (board.x, board.y) == (0, 0)


def test_a_pile_is_one_with_its_number(scenes: SceneMaker) -> None:
    board = Thing(piece="board", at=[0, 0])
    stage = staged(
        scenes, board, Thing(piece="card/*", count=9, at="board#spot"), Thing(piece="card/one", at="board#spot")
    )
    assert [(piece.thing, piece.count) for piece in stage.laid] == [(0, 1), (2, 10)]
    picture = scenes.picture(Scene(pieces=[board, Thing(piece="card/*", count=9, at=[0, 0])]))
    assert "×9" in [op.text for op in picture.ops if isinstance(op, TextOp)]


def test_things_without_a_place_lie_in_rows(scenes: SceneMaker) -> None:
    things = [Thing(piece=name) for name in ("card/one", "card/two", "army/red")]
    assert [(piece.x, piece.y) for piece in staged(scenes, *things, width=300, gap=10).laid] == [
        (-51.5, 44),
        (21.5, 44),
        (73, 44),
    ]
    narrow = staged(scenes, *things, width=100, gap=10).laid
    assert [round(piece.y) for piece in narrow] == [44, 142, 142]


def test_rows_lie_below_what_lies_at_points(scenes: SceneMaker) -> None:
    board, card = staged(scenes, Thing(piece="card/one"), Thing(piece="board", at=[40, 0]), gap=10).laid[::-1]
    if board.thing == 0:
        board, card = card, board
    assert card.x == 40 and card.area.bounds[1] == pytest.approx(board.area.bounds[3] + 10)


def test_what_is_hidden_takes_along_what_lies_on_it(scenes: SceneMaker) -> None:
    things = [Thing(piece="board"), Thing(piece="army/red", at="board#far"), Thing(piece="card/one")]
    assert [piece.thing for piece in staged(scenes, *things, hide=["board"]).laid] == [2]


# --- faults ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("thing", "said"),
    [
        ("{piece: army/rad}", "2:13: error SCN-001: the game has no piece 'army/rad'.*did you mean 'army/red'"),
        ("{piece: blue, at: bord#far}", "2:23: error SCN-003: nothing is called 'bord'.*did you mean 'board'"),
        ("{piece: blue, at: board#fare}", "2:23: error SCN-003: 'board' has no place 'fare'.*did you mean 'far'"),
        ("{piece: blue, side: back}", "2:25: error SCN-001: army/blue has no back"),
        ("{piece: card/*, side: front}", "error SCN-001: nobody knows which piece of 'card' it is"),
        ("{mat: hande}", "2:11: error SCN-001: there is no mat 'hande'.*did you mean 'hand'"),
        ("{mat: hand, fields: {nam: x}}", "mat 'hand' has no field 'nam'.*did you mean 'name'"),
        ("{piece: blue, mat: hand}", "a thing is either a 'piece' or a 'mat'"),
        ("{piece: blue, id: x, at: x}", "things lie on one another in a circle"),
        ("{piece: blue, cuont: 2}", "2:19: error DEF-010: unknown key 'cuont'.*did you mean 'count'"),
        ("{piece: blue, id: a#b}", "2:23: error SCN-002: 'a#b': an id has no '#'"),
    ],
)
def test_a_wrong_thing_is_told_with_its_place(scenes: SceneMaker, tmp_path: Path, thing: str, said: str) -> None:
    text = f"pieces:\n  - {thing}\n  - {{piece: board, id: board}}\n"
    assert re.search(said, refused(scenes, text, tmp_path), re.DOTALL)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("calls: [{at: board#nort.armies}]", "2:14: error SCN-003: 'board' has no place 'nort.armies'"),
        ("arrows: [{from: board, to: boat}]", "2:28: error SCN-003: nothing is called 'boat'"),
        ("crop: [board, baord]", "2:15: error SCN-003: nothing is called 'baord'"),
        ("crop: [1, 2, 3]", "2:7: error SCN-004: a part of the table is"),
        ("ground: tabel", "2:9: error LAY-003: there is no colour 'tabel'"),
        ("caption: '[nothing]'", "2:10: error LAY-003: there is no icon 'nothing'"),
        ("scale: 0", "expected more than 0"),
    ],
)
def test_what_is_said_wrongly_is_told_with_its_place(scenes: SceneMaker, tmp_path: Path, more: str, said: str) -> None:
    found = refused(scenes, f"pieces: [{{piece: board, id: board}}]\n{more}\n", tmp_path)
    assert re.search(said, found, re.DOTALL), found


def test_every_code_stands_in_the_page_for_designers() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "scenes.md").read_text(encoding="utf-8")
    for code, entry in CODES.items():
        assert f"| {code} | {entry.title} | {entry.text} |" in page


@pytest.mark.parametrize(
    ("right", "wrong", "line", "said"),
    [
        ("fields.name", "fields.nane", 8, "'fields.nane' is not defined"),
        ("lay: fan", "lay: heap", 9, "'lay' cannot be 'heap'"),
    ],
)
def test_check_draws_the_mats(tmp_path: Path, right: str, wrong: str, line: int, said: str) -> None:
    folder = project(tmp_path, CARD)
    (folder / "demo" / "scenes.yaml").write_text(MATS.replace(right, wrong), encoding="utf-8")
    layouts = layouts_in(folder)
    look = read_scene_look("demo", Places(project=tmp_path), layouts)
    found = {(problem.file, problem.line, problem.what) for problem in check_mats(game(), layouts, look)}
    ((file, at, what),) = found
    assert (file, at) == ("layouts/demo/scenes.yaml", line)
    assert what.startswith("mat hand: ") and said in what


# --- pictures ----------------------------------------------------------------------------------------------------


def told(**more: object) -> Scene:
    return Scene(
        title="A <board>",
        caption="Words below.",
        pieces=[
            Thing(piece="board", id="board", at=[0, 0], label="The board"),
            Thing(piece="army/red", count=3, at="board#north.armies"),
            Thing(mat="hand", id="hand", at=[0, 140], fields={"name": "Ana & Bo"}),
            Thing(piece="card/*", count=4, at="hand#cards"),
        ],
        calls=[Call(at="board#north.armies", text="Armies."), Call(at="hand", text="A hand.")],
        arrows=[Arrow(from_="hand", to="board#south.armies", text="to here")],
        marks=[Mark(at="board#far")],
        notes=[Note(at=[0, 80], text="A note")],
        **more,  # type: ignore[arg-type]
    )


def test_a_picture_is_the_same_bytes_and_says_what_it_shows(scenes: SceneMaker) -> None:
    drawing = scene_file(scenes, told(legend=True), "svg")
    assert scene_file(scenes, told(legend=True), "svg") == drawing
    document = minidom.parseString(drawing)
    assert document.getElementsByTagName("title")[0].firstChild.data == "A <board>"  # type: ignore[union-attr]
    words = document.getElementsByTagName("desc")[0].firstChild.data  # type: ignore[union-attr]
    for said in ("Words below.", "The board", "1: Armies.", "2: A hand.", "to here", "A note"):
        assert said in words
    # each face once: board, army, mat, back of a card
    assert drawing.count(b'<g id="face') == 4 and drawing.count(b'<use xlink:href="#face') == 9


def test_svg_and_pdf_look_alike(scenes: SceneMaker) -> None:
    from io import BytesIO

    scene = told(legend=True, scale=0.5)
    png = Image.open(BytesIO(scene_file(scenes, scene, "png", 80))).convert("RGB")
    pdf = rendered(scene_file(scenes, scene, "pdf"), 80)
    assert abs(png.width - pdf.width) <= 1 and abs(png.height - pdf.height) <= 1
    assert difference(png, pdf.resize(png.size)) < 3


def test_a_crop_shows_its_part_in_the_scale_asked_for(scenes: SceneMaker) -> None:
    whole, part = scenes.picture(told()), scenes.picture(told(crop="board#north.armies", margin=5, scale=0.5))
    assert part.w == pytest.approx((80 + 10) * 0.5) and part.w < whole.w
    pushes = [op for op in part.ops if isinstance(op, Push) and op.matrix[0] == 0.5]
    assert len(pushes) == 1  # pieces are scaled, what is said about them is not
    listed = scenes.picture(told(crop=["board#north.armies", "board#south.armies"], margin=0))
    assert listed.w == pytest.approx(180)
    boxed = scenes.picture(Scene(pieces=[Thing(piece="board", at=[0, 0])], crop=[-10, -5, 20, 10], margin=0))
    assert (boxed.w, boxed.h) == (20, 10)


def test_a_crop_shows_those_who_stand_in_it_up_to_their_heads() -> None:
    """A standee is taller than the place for its foot; one that stands outside does not widen the picture."""
    tall = Shown(key="worker", w=10, h=40, outline="", stands=True, layer=1.0)
    inside, outside = Laid(0, tall, 50, 30, 0, 0), Laid(1, tall, 90, 30, 0, 0)
    stage = Stage([inside, outside], {"barge": Area(50, 46, 20, 10, 0)})
    left, top, right, bottom = seen(Scene(crop="barge", margin=2), stage, Faults(None))
    assert (left, top, right, bottom) == pytest.approx((38, 8, 62, 53))


def test_a_bare_mat_is_shown_as_far_as_something_lies_there() -> None:
    """A mat that only names places does not widen the picture, but a call-out on it does."""
    mat = Laid(0, Shown(key="mat", w=800, h=600, outline="", bare=True), 400, 300, 0, 0)
    board = Laid(1, Shown(key="board", w=200, h=100, outline="", layer=1.0), 100, 50, 0, 0)
    stage = Stage([mat, board], {"table#later": Area(300, 50, 20, 20, 0)})
    assert seen(Scene(margin=5), stage, Faults(None)) == pytest.approx((-5, -5, 205, 105))
    called = Scene(margin=5, calls=[Call(at="table#later")])
    assert seen(called, stage, Faults(None)) == pytest.approx((-5, -5, 315, 105))
    assert seen(Scene(margin=5), Stage([mat], {}), Faults(None)) == pytest.approx((-5, -5, 5, 5))


def test_a_figure_fits_its_page_and_leaves_the_call_outs_to_it(scenes: SceneMaker) -> None:
    made = figure(scenes, told(), 90, 70)
    assert made.drawn.w <= 90.01 and made.drawn.h <= 72
    assert made.calls == ["Armies.", "A hand."] and made.title == "A <board>"
    small = figure(scenes, Scene(pieces=[Thing(piece="army/red")]), 90, 70)
    assert small.drawn.w == pytest.approx(36)  # life-size, with its margin
    assert any(isinstance(op, PathOp) for op in made.drawn.ops)


def test_call_outs_do_not_cover_each_other(scenes: SceneMaker) -> None:
    scene = Scene(pieces=[Thing(piece="board", id="board")], calls=[Call(at="board#far") for _ in range(6)])
    numbers = [op for op in scenes.picture(scene).ops if isinstance(op, TextOp) and op.text in "123456"]
    places = [(op.x, op.y) for op in numbers]
    assert len(places) == 6
    assert all(abs(a[0] - b[0]) > 4 or abs(a[1] - b[1]) > 4 for i, a in enumerate(places) for b in places[:i])


def test_equal_scenes_have_equal_keys() -> None:
    assert scene_key(told()) == scene_key(told()) != scene_key(told(scale=0.9))


def test_fragments_and_faces_are_kept(scenes: SceneMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    drawing = scene_file(scenes, told(), "svg")
    again = SceneMaker(scenes.game, scenes.places, layouts=scenes.layouts)
    monkeypatch.setattr("generator.faces.facemaker.FaceMaker._draw", None)
    monkeypatch.setattr("generator.backends.svgfaces.fragment", None)
    assert scene_file(again, told(), "svg") == drawing
