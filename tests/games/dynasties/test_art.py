"""The faces of Dynasties as a player judges them: readable, told apart without colour, and large enough to lie on."""

from __future__ import annotations

import math
from itertools import combinations, pairwise, product

import pytest
from PIL import Image

from components.model import ResolvedPiece
from components.resolve import resolve_game
from generator.faces.display import PathOp, TextOp
from generator.faces.facemaker import FaceMaker
from tests.generator import artkit
from tests.generator.artkit import INKS, Drawn, Point, art, difference, drawn, extent, points
from tests.generator.facekit import shipped

DYNASTIES = art("dynasties")


# --- decks -------------------------------------------------------------------------------------------------------

BACKS = ("action-white/6", "action-black/6", "warlord-white/st-1", "warlord-black/ks-1")


@pytest.mark.parametrize("ink", INKS)
def test_a_deck_has_one_back_and_no_two_are_alike(ink: str) -> None:
    for deck in ("action-white", "action-black", "warlord-white", "warlord-black", "tile"):
        artkit.assert_one_back(DYNASTIES, deck, ink)
    shown = {name: DYNASTIES.picture(DYNASTIES.back(name, ink), ink, 60.0) for name in BACKS}
    for one, other in combinations(shown, 2):
        assert difference(shown[one], shown[other]) > 12, f"{one} and {other} are alike in grey"


def test_nobody_mixes_these_cards_up_with_those_of_the_first_game() -> None:
    others = ("event/plague", "resource/mine", "battle/infantry", "state/qin")
    first = art("warring-states")
    theirs = [first.picture(first.back(name, "normal"), "normal", 60.0) for name in others]
    ours = [DYNASTIES.picture(DYNASTIES.back(name, "normal"), "normal", 60.0) for name in BACKS]
    for (mine, one), (name, other) in product(zip(BACKS, ours, strict=True), zip(others, theirs, strict=True)):
        assert difference(one, other) > 12, f"{mine} looks like {name} of Warring States Period"


@pytest.mark.parametrize("ink", INKS)
def test_the_light_and_the_dark_deck_hold_the_same_cards_and_look_unlike(ink: str) -> None:
    decks = {side: [p for p in DYNASTIES.game.pieces if p.set == f"action-{side}"] for side in ("white", "black")}
    for light, dark in zip(decks["white"], decks["black"], strict=True):
        assert (light.fields["label"], light.text) == (dark.fields["label"], dark.text)
        fronts = [DYNASTIES.picture(DYNASTIES.front(p, ink), ink, 60.0) for p in (light, dark)]
        assert difference(*fronts) > 10, f"{light.fields['label']}: the two decks are alike in grey ({ink})"


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("side", ["white", "black"])
def test_yellow_and_white_numbers_are_told_apart_without_colour(side: str, ink: str) -> None:
    """What lies round the numbers differs, in the middle as in the corner that a fanned hand shows."""
    k = 60 / 25.4
    shown = [DYNASTIES.front_picture(f"action-{side}/{n}", ink, 60.0) for n in (5, 8)]
    for x, y, w, h, r in ((0, 18, 63, 39, 13), (3, 3, 16, 15, 5)):
        parts = [image.crop((int(x * k), int(y * k), int((x + w) * k), int((y + h) * k))) for image in shown]
        hole = Image.new("L", (2 * int(r * k), 2 * int(r * k)))
        for part in parts:
            part.paste(hole.convert("RGB"), (part.width // 2 - hole.width // 2, part.height // 2 - hole.height // 2))
        assert difference(*parts) > 4, f"round the number at ({x}, {y}) both kinds look alike in grey"


def test_a_label_is_painted_in_strokes_of_the_brush_or_has_a_picture() -> None:
    icons = DYNASTIES.maker("normal").look.icons
    for p in DYNASTIES.game.pieces:
        if p.set.startswith("action"):
            label = p.fields["label"]
            signs = {"+": "plus", "-": "minus"}
            names = [f"brush-{signs.get(c, c)}" for c in label] if len(label) <= 2 else [label.lower()]
            assert all(name in icons for name in names), label


@pytest.mark.parametrize("ink", INKS)
def test_a_card_says_its_name_and_neither_its_path_nor_what_its_number_counts(ink: str) -> None:
    for p in DYNASTIES.game.pieces:
        if p.set.startswith(("action", "warlord")):
            printed = artkit.words(DYNASTIES.front(p, ink))
            assert p.name in printed, p.id
            assert "/" not in printed and "Counts" not in printed and ("-" not in p.id or p.id not in printed), printed


def test_ambush_and_rumour_are_painted_unlike_each_other() -> None:
    one, other = (DYNASTIES.front_picture(f"action-white/{card}", "low", 60.0) for card in ("plus-1", "minus-1"))
    assert difference(one, other) > 12


@pytest.mark.parametrize("side", ["white", "black"])
def test_no_face_of_a_deck_asks_for_more_than_45_percent_of_ink(side: str) -> None:
    """The mean sum of the four inks, black taking all that the three colours share."""
    for p in DYNASTIES.of_set(f"action-{side}"):
        for face in (DYNASTIES.front(p, "normal"), DYNASTIES.back(f"action-{side}/6", "normal")):
            found = artkit.ink_sum(DYNASTIES.picture(face, "normal", 60.0))
            assert found <= 0.45, f"{p.name}: {found:.0%}"


def test_every_warlord_has_a_picture_of_his_own() -> None:
    parts = DYNASTIES.maker("normal").look.parts
    pictures = [parts[f"portrait-{p.id}"] for p in DYNASTIES.game.pieces if p.set.startswith("warlord")]
    assert len(pictures) == 8
    assert all(one != other for one, other in combinations(pictures, 2))


# --- armies ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("kind", ["cube", "disc"])
def test_armies_of_the_two_sides_differ_without_colour(kind: str, ink: str) -> None:
    shown = [DYNASTIES.front_picture(f"{kind}/{side}", ink, 100.0) for side in ("white", "black")]
    assert difference(*shown) > 12, f"the {kind}s of both sides are alike in grey ({ink})"


def test_the_net_of_a_cube_folds_into_a_cube() -> None:
    """One closed outline of six squares and seven tabs, inside the piece; 12 edges, of which 7 are cut apart."""
    face = DYNASTIES.front(DYNASTIES.piece("cube/white"), "normal")
    layers = {layer: (op, matrix) for op, matrix, layer in drawn(face) if isinstance(op, PathOp) and layer}
    assert set(layers) == {"cut", "fold"}
    outline = points(*layers["cut"])
    assert layers["cut"][0].d.count("M") == 1 and layers["cut"][0].d.endswith("Z")
    assert all(0 <= x <= face.w and 0 <= y <= face.h for x, y in outline)
    shoelace = sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise([*outline, outline[0]]))
    tab = (10 + 7.2) / 2 * 3.4
    assert abs(shoelace) / 2 == pytest.approx(6 * 100 + 7 * tab, rel=0.01)
    folds = points(*layers["fold"])
    length = sum(math.dist(a, b) for a, b in zip(folds[::2], folds[1::2], strict=True))
    assert length == pytest.approx((5 + 7) * 10), "five folds between faces, seven at the tabs"


# --- the board ---------------------------------------------------------------------------------------------------


def board(**sets: object) -> tuple[ResolvedPiece, FaceMaker, list[Drawn]]:
    of = resolve_game("dynasties", sets=sets) if sets else DYNASTIES.game
    made = shipped("dynasties").faces(of) if sets else DYNASTIES.maker("normal")
    found = artkit.find(of, "board/board")
    return found, made, drawn(made.front(found))


def panes() -> dict[str, list[Point]]:
    """Each province's outline: the largest area painted in the colour of its terrain."""
    found, made, ops = board()
    outlines = {}
    for land in found.fields["provinces"]:
        colour = made.kit.colour(land["terrain"])
        areas = [(op, m) for op, m, _ in ops if isinstance(op, PathOp) and op.fill == colour and "C" not in op.d]
        outlines[land["name"]] = points(*max(areas, key=lambda area: math.prod(extent(*area)[2:])))
    return outlines


def along(outline: list[Point]) -> list[Point]:
    """Points every half millimetre along a closed outline."""
    found = []
    for (ax, ay), (bx, by) in pairwise([*outline, outline[0]]):
        steps = max(1, int(math.dist((ax, ay), (bx, by)) * 2))
        found += [(ax + (bx - ax) * i / steps, ay + (by - ay) * i / steps) for i in range(steps)]
    return found


def test_the_provinces_that_touch_are_those_that_border() -> None:
    rims = {name: along(outline) for name, outline in panes().items()}
    fields = DYNASTIES.piece("board/board").fields
    bordering = {frozenset(pair) for pair in fields["borders"]}
    for one, other in combinations(rims, 2):
        near = sum(min(math.dist(spot, there) for there in rims[other][::4]) < 7 for spot in rims[one][::4]) * 2
        if frozenset((one, other)) in bordering:
            assert near > 30, f"{one} and {other} border along only {near} mm"
        else:
            assert near == 0, f"{one} and {other} seem to touch"


def test_a_bridge_lies_on_every_border_and_nowhere_else() -> None:
    fields, made, ops = DYNASTIES.piece("board/board").fields, *board()[1:]
    seal = made.kit.colour("seal")
    decks = []
    for op, matrix, _ in ops:
        if isinstance(op, PathOp) and op.fill == seal and matrix != (1.0, 0.0, 0.0, 1.0, 0.0, 0.0):
            spots = points(op, matrix)
            if len(spots) == 4 and 15 < max(math.dist(a, b) for a, b in pairwise(spots)) < 20:
                decks.append((sum(x for x, _ in spots) / 4, sum(y for _, y in spots) / 4))
    rims = {name: along(outline) for name, outline in panes().items()}
    joined = []
    for deck in decks:
        far = {name: min(math.dist(deck, spot) for spot in rim) for name, rim in rims.items()}
        joined.append(frozenset(sorted(far, key=far.__getitem__)[:2]))
        assert sorted(far.values())[1] < 5, f"the bridge at {deck} ends in nothing"
    assert len(joined) == len(set(joined)) == len(fields["borders"])
    assert set(joined) == {frozenset(pair) for pair in fields["borders"]}


def squares(ops: list[Drawn], side: float, *, left: float = 0, right: float = 420) -> list[tuple[float, float]]:
    """Middles of upright squares of at least that side, and not much more, within a part of the board."""
    found = set()
    for op, matrix, _ in ops:
        if isinstance(op, PathOp) and op.fill:
            x, y, w, h = extent(op, matrix)
            if abs(w - h) < 0.05 and side <= w <= side + 4 and left <= x and x + w <= right:
                found.add((round(x + w / 2, 1), round(y + h / 2, 1)))
    return sorted(found)


def test_places_are_as_large_as_what_lies_on_them_and_2_mm_more() -> None:
    _, made, ops = board()
    size = made.formats
    assert len(squares(ops, size["standee-25x50"].w + 2, right=40)) == 9, "Dynasty track"
    assert len(squares(ops, size["standee-15x30"].w + 2, left=380)) == 21, "scoring track"
    assert len(squares(ops, size["tile30"].w + 2, left=40, right=380)) == 5, "tiles"
    assert len(squares(ops, 10 + 2, left=40, right=380)) >= 10, "marks, two in each province"
    brackets = [extent(op, m) for op, m, _ in ops if isinstance(op, PathOp) and op.width == 1.1 and "C" not in op.d]
    assert len(brackets) == 10, "five card places on either side"
    assert all(w >= size["poker"].w for _, _, w, _ in brackets)
    for row in (brackets[:5], brackets[5:]):
        lefts = sorted(x for x, *_ in row)
        assert all(b - a >= size["poker"].w + 4 for a, b in pairwise(lefts)), "cards lie 4 mm apart"


def test_no_two_spaces_of_the_scoring_track_overlap() -> None:
    stones = squares(board()[2], 17, left=380)
    assert min(math.dist(a, b) for a, b in combinations(stones, 2)) > 17.1


def test_the_tracks_are_as_long_as_the_rules_say() -> None:
    _, _, ops = board(**{"game.dynasties": 11, "track.red_distance": 7, "scoring.dynasties": [2, 5, 11]})
    assert len(squares(ops, 22, right=40)) == 11
    assert len(squares(ops, 16.8, left=380)) == 15
    words = [op.text for op, _, _ in ops if isinstance(op, TextOp)]
    assert words.count("SCORING") == 3


# --- house rules, variants, cover --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sets",
    [
        {"game.dynasties": 12, "scoring.dynasties": [4, 8, 12], "track.red_distance": 15, "warlord.max_dynasty": 12},
        {"game.dynasties": 1, "scoring.dynasties": [1, 1, 1], "track.red_distance": 1, "deploy.cards_per_province": 2},
        {"six.uses_per_province": 9, "six.illegal_value": 10, "plague.divide": 20, "plague.round": "up"},
        {"plague.divide": 3, "plague.minimum": 20, "draw.count": 20, "draw.bonus_count": 20, "draw.keep": 12},
        {"modifier.+3": {"offset": 9, "max_difference": 9, "cost": 9}, "armies.total": 100, "armies.set_aside": 12},
        {"expert.exchange_cards": [7, 8, 9, 10, "Plague", "+1", "-1", "+2", "+3"]},
    ],
    ids=lambda sets: ", ".join(sets),
)
def test_house_rules_with_other_numbers_still_fit(sets: dict[str, object]) -> None:
    artkit.assert_all_is_drawn(resolve_game("dynasties", sets=sets))


@pytest.mark.parametrize("variant", sorted(DYNASTIES.game.variant_names))
def test_every_variant_is_drawn(variant: str) -> None:
    artkit.assert_all_is_drawn(resolve_game("dynasties", variants=[variant]), "low")
