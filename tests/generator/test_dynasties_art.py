"""The faces of Dynasties as a player judges them: readable, told apart without colour, and large enough to lie on."""

from __future__ import annotations

import io
import math
from functools import lru_cache
from itertools import combinations, pairwise

import pytest
from PIL import Image, ImageChops, ImageStat

from components.model import ResolvedGame, ResolvedPiece
from components.resolve import resolve_game
from generator.backends.png import write_png
from generator.backends.svg import face_svg
from generator.display import DisplayList, Matrix, PathOp, Pop, Push, TextOp
from generator.faces import FaceMaker
from generator.svgpath import multiply

PT = 25.4 / 72
INKS = ("normal", "low")
WHITE = (255, 255, 255)
Point = tuple[float, float]
Drawn = tuple[PathOp | TextOp, Matrix, str]
"""An operation, the matrix from its own coordinates to the face's, and the layer it is in."""


@lru_cache
def game(name: str = "dynasties") -> ResolvedGame:
    return resolve_game(name)


@lru_cache
def maker(ink: str, name: str = "dynasties") -> FaceMaker:
    return FaceMaker(game(name), ink=ink)


def piece(name: str, of: ResolvedGame | None = None) -> ResolvedPiece:
    return next(p for p in (of or game()).pieces if f"{p.set}/{p.id}" == name)


def back(name: str, ink: str, game_id: str = "dynasties") -> DisplayList:
    drawn = maker(ink, game_id).back(piece(name, game(game_id)))
    assert drawn is not None
    return drawn


def faces(ink: str, pieces: list[ResolvedPiece]) -> list[tuple[str, DisplayList]]:
    """Every side of the pieces, named for messages."""
    found = []
    for p in pieces:
        found.append((f"{p.set}/{p.id} front", maker(ink).front(p)))
        reverse = maker(ink).back(p)
        if reverse is not None:
            found.append((f"{p.set}/{p.id} back", reverse))
    return found


def drawn(face: DisplayList) -> list[Drawn]:
    stack: list[tuple[Matrix, str]] = [((1.0, 0.0, 0.0, 1.0, 0.0, 0.0), "")]
    found: list[Drawn] = []
    for op in face.ops:
        if isinstance(op, Push):
            matrix, layer = stack[-1]
            stack.append((multiply(matrix, op.matrix), op.layer or layer))
        elif isinstance(op, Pop):
            stack.pop()
        elif isinstance(op, PathOp | TextOp):
            found.append((op, *stack[-1]))
    return found


def texts(face: DisplayList) -> list[tuple[TextOp, Matrix]]:
    return [(op, matrix) for op, matrix, _ in drawn(face) if isinstance(op, TextOp)]


def apply(matrix: Matrix, x: float, y: float) -> Point:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def points(op: PathOp, matrix: Matrix) -> list[Point]:
    """The points of a path, those that steer its curves too, on the face."""
    numbers = [float(n) for n in op.d.translate(str.maketrans("MLCZ", "    ")).replace(",", " ").split()]
    return [apply(matrix, x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]


def extent(op: PathOp, matrix: Matrix) -> tuple[float, float, float, float]:
    """Left, top, width and height of a path on the face."""
    xs, ys = zip(*points(op, matrix), strict=True)
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def picture(face: DisplayList, ink: str, dpi: float, game_id: str = "dynasties") -> Image.Image:
    svg = face_svg(face, maker(ink, game_id).fonts)
    return Image.open(io.BytesIO(write_png(svg, dpi))).convert("RGB")


def difference(one: Image.Image, other: Image.Image) -> float:
    """Mean difference in grey, 0 to 255."""
    return ImageStat.Stat(ImageChops.difference(one.convert("L"), other.convert("L"))).mean[0]


def luminance(colour: tuple[int, ...]) -> float:
    parts = [c / 255 for c in colour]
    r, g, b = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


# --- type --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ink", INKS)
def test_every_piece_is_drawn_and_its_type_is_large_enough(ink: str) -> None:
    for name, face in faces(ink, game().pieces):
        assert face.ops, name
        for op, matrix in texts(face):
            size = op.size / PT * math.hypot(matrix[0], matrix[1])
            assert size >= 5.99, f"{name}: {op.text!r} is {size:.1f} pt"


@pytest.mark.parametrize("ink", INKS)
def test_what_a_card_does_is_printed_in_full_and_at_least_7_pt(ink: str) -> None:
    for p in game().pieces:
        if not p.text:
            continue
        lines = texts(maker(ink).front(p))
        printed = " ".join(" ".join(op.text for op, _ in lines).split())
        for words in (p.text, *(p.fields.get(key, "") for key in ("after_word", "exchange_word", "window_word"))):
            assert words.replace("**", "") in printed, f"{p.set}/{p.id}: {words!r} not in {printed!r}"
        known = set(p.text.split())
        for op, _ in lines:
            if op.size / PT < 6.99:
                assert not known & set(op.text.split()), f"{p.set}/{p.id}: part of the effect is small: {op.text!r}"


def corners(op: TextOp, matrix: Matrix, ink: str) -> list[Point]:
    """The corners of a line of text, from cap height to baseline, in mm of the face."""
    width = maker(ink).fonts[op.font].width(op.text) * op.size + op.tracking * (len(op.text) - 1)
    return [apply(matrix, x, y) for x in (op.x, op.x + width) for y in (op.y - 0.7 * op.size, op.y)]


def test_text_keeps_clear_of_the_cut() -> None:
    for p in game().pieces:
        form = maker("normal").formats[p.format]
        for name, face in faces("normal", [p]):
            for op, matrix in texts(face):
                for x, y in corners(op, matrix, "normal"):
                    inside = form.safe <= x <= form.w - form.safe and form.safe <= y <= form.h - form.safe
                    assert inside, f"{name}: {op.text!r} reaches ({x:.1f}, {y:.1f}), into the margin of {form.safe} mm"


@pytest.mark.parametrize("ink", INKS)
def test_text_stands_out_from_its_ground(ink: str) -> None:
    dpi = 60.0
    k = dpi / 25.4
    looks: dict[tuple[object, ...], ResolvedPiece] = {}
    for p in game().pieces:
        looks.setdefault((p.set, p.fields.get("numeral"), p.fields.get("kind")), p)
    for name, face in faces(ink, list(looks.values())):
        bare = DisplayList(face.w, face.h, face.bleed, [op for op in face.ops if not isinstance(op, TextOp)])
        ground = picture(bare, ink, dpi)
        for op, matrix in texts(face):
            xs, ys = ([v * k for v in values] for values in zip(*corners(op, matrix, ink), strict=True))
            box = (max(0, int(min(xs))), max(0, int(min(ys))), int(max(xs)) + 1, int(max(ys)) + 1)
            under = ground.crop(box)
            _, colour = max(under.getcolors(under.width * under.height) or [])
            assert isinstance(colour, tuple)
            found = contrast(rgb(op.colour), colour)
            assert found >= 4.5, f"{name} ({ink}): {op.text!r} has a contrast of {found:.1f} on {colour}"


# --- decks -------------------------------------------------------------------------------------------------------

BACKS = ("action-white/6", "action-black/6", "warlord-white/st-1", "warlord-black/ks-1")


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("name", [*BACKS, "tile/a"])
def test_backs_look_the_same_upside_down(name: str, ink: str) -> None:
    upright = picture(back(name, ink), ink, 127.0)
    assert difference(upright, upright.transpose(Image.Transpose.ROTATE_180)) < 1.0


@pytest.mark.parametrize("ink", INKS)
def test_a_deck_has_one_back_and_no_two_are_alike(ink: str) -> None:
    for deck in ("action-white", "action-black", "warlord-white", "warlord-black", "tile"):
        alike = [maker(ink).back(p) for p in game().pieces if p.set == deck]
        assert alike and all(face == alike[0] for face in alike), f"the backs of {deck} give cards away"
    shown = {name: picture(back(name, ink), ink, 60.0) for name in BACKS}
    for one, other in combinations(shown, 2):
        assert difference(shown[one], shown[other]) > 12, f"{one} and {other} are alike in grey"


def test_nobody_mixes_these_cards_up_with_those_of_the_first_game() -> None:
    others = ("event/plague", "resource/mine", "battle/infantry", "state/qin")
    theirs = [picture(back(name, "normal", "warring-states"), "normal", 60.0, "warring-states") for name in others]
    ours = [picture(back(name, "normal"), "normal", 60.0) for name in BACKS]
    assert min(difference(one, other) for one in ours for other in theirs) > 12


@pytest.mark.parametrize("ink", INKS)
def test_the_light_and_the_dark_deck_hold_the_same_cards_and_look_unlike(ink: str) -> None:
    decks = {side: [p for p in game().pieces if p.set == f"action-{side}"] for side in ("white", "black")}
    for light, dark in zip(decks["white"], decks["black"], strict=True):
        assert (light.fields["label"], light.text) == (dark.fields["label"], dark.text)
        fronts = [picture(maker(ink).front(p), ink, 60.0) for p in (light, dark)]
        assert difference(*fronts) > 10, f"{light.fields['label']}: the two decks are alike in grey ({ink})"


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("side", ["white", "black"])
def test_yellow_and_white_numbers_are_told_apart_without_colour(side: str, ink: str) -> None:
    """What lies round the numbers differs, in the middle as in the corner that a fanned hand shows."""
    k = 60 / 25.4
    shown = [picture(maker(ink).front(piece(f"action-{side}/{n}")), ink, 60.0) for n in (5, 8)]
    for x, y, w, h, r in ((0, 18, 63, 39, 13), (3, 3, 16, 15, 5)):
        parts = [image.crop((int(x * k), int(y * k), int((x + w) * k), int((y + h) * k))) for image in shown]
        hole = Image.new("L", (2 * int(r * k), 2 * int(r * k)))
        for part in parts:
            part.paste(hole.convert("RGB"), (part.width // 2 - hole.width // 2, part.height // 2 - hole.height // 2))
        assert difference(*parts) > 4, f"round the number at ({x}, {y}) both kinds look alike in grey"


def test_a_label_is_painted_in_strokes_of_the_brush_or_has_a_picture() -> None:
    icons = maker("normal").look.icons
    for p in game().pieces:
        if p.set.startswith("action"):
            label = p.fields["label"]
            signs = {"+": "plus", "-": "minus"}
            names = [f"brush-{signs.get(c, c)}" for c in label] if len(label) <= 2 else [label.lower()]
            assert all(name in icons for name in names), label


def test_every_warlord_has_a_picture_of_his_own() -> None:
    icons = maker("normal").look.icons.icons
    pictures = [icons[f"warlord-{p.id}"] for p in game().pieces if p.set.startswith("warlord")]
    assert len(pictures) == 8
    assert all(one != other for one, other in combinations(pictures, 2))


def test_every_icon_of_an_effect_is_drawn_for_this_game() -> None:
    icons = maker("normal").look.icons
    for p in game().pieces:
        for icon in p.icons:
            assert icon.name in icons, f"{p.set}/{p.id}: no icon '{icon.name}'"


def test_low_ink_faces_are_mostly_white() -> None:
    for name in ("action-white/6", "action-black/6", "action-black/plague", "warlord-black/ks-3", "board/board"):
        pale, usual = (picture(maker(ink).front(piece(name)), ink, 60.0) for ink in ("low", "normal"))
        pixels = pale.width * pale.height
        white = sum(count for count, colour in pale.getcolors(pixels) or [] if colour == WHITE)
        assert white / pixels > 0.55, f"{name}: only {white / pixels:.0%} of the low-ink face is bare paper"
        covered = [255 - ImageStat.Stat(image.convert("L")).mean[0] for image in (pale, usual)]
        assert covered[0] < 0.75 * covered[1], f"{name}: low ink saves too little"


# --- armies ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("kind", ["cube", "disc"])
def test_armies_of_the_two_sides_differ_without_colour(kind: str, ink: str) -> None:
    shown = [picture(maker(ink).front(piece(f"{kind}/{side}")), ink, 100.0) for side in ("white", "black")]
    assert difference(*shown) > 12


def test_the_net_of_a_cube_folds_into_a_cube() -> None:
    """One closed outline of six squares and seven tabs, inside the piece; 12 edges, of which 7 are cut apart."""
    face = maker("normal").front(piece("cube/white"))
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
    of = resolve_game("dynasties", sets=sets) if sets else game()
    made = FaceMaker(of) if sets else maker("normal")
    found = piece("board/board", of)
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
    fields = piece("board/board").fields
    bordering = {frozenset(pair) for pair in fields["borders"]}
    for one, other in combinations(rims, 2):
        near = sum(min(math.dist(spot, there) for there in rims[other][::4]) < 7 for spot in rims[one][::4]) * 2
        if frozenset((one, other)) in bordering:
            assert near > 30, f"{one} and {other} border along only {near} mm"
        else:
            assert near == 0, f"{one} and {other} seem to touch"


def test_a_bridge_lies_on_every_border_and_nowhere_else() -> None:
    fields, made, ops = piece("board/board").fields, *board()[1:]
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
    tweaked = resolve_game("dynasties", sets=sets)
    drawer = FaceMaker(tweaked)
    for p in tweaked.pieces:
        drawer.front(p)
        drawer.back(p)


@pytest.mark.parametrize("variant", sorted(game().variant_names))
def test_every_variant_is_drawn(variant: str) -> None:
    played = resolve_game("dynasties", variants=[variant])
    drawer = FaceMaker(played, ink="low")
    for p in played.pieces:
        drawer.front(p)
        drawer.back(p)


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("size", [(148.5, 210.0), (139.7, 215.9)], ids=["half of A4", "half of letter"])
def test_the_rulebook_cover_fits_either_page_and_stays_off_its_edges(size: tuple[float, float], ink: str) -> None:
    names = {"title": game().title, "about": game().about, "players": game().players}
    printed = picture(maker(ink).draw("rulebook-cover", *size, 0.0, names), ink, 60.0)
    inverse = ImageChops.invert(printed.convert("L"))
    box = inverse.getbbox()
    assert box is not None
    left, top, right, bottom = box
    assert min(left, top, printed.width - right, printed.height - bottom) >= 6 * 60 / 25.4 - 1
    assert ImageStat.Stat(inverse).mean[0] < 255 * 0.2, "the cover asks a home printer for too much ink"
