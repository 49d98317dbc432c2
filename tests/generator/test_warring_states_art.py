"""The faces of Warring States as a player judges them: everything is drawn, readable, and told apart without colour."""

from __future__ import annotations

import io
from functools import lru_cache
from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from components.model import ResolvedGame, ResolvedPiece
from components.resolve import resolve_game
from generator.backends.png import write_png
from generator.backends.svg import face_svg
from generator.display import DisplayList, Matrix, Pop, Push, TextOp
from generator.faces import FaceMaker
from generator.svgpath import multiply

PT = 25.4 / 72
INKS = ("normal", "low")
WHITE = (255, 255, 255)


@lru_cache
def game() -> ResolvedGame:
    return resolve_game("warring-states")


@lru_cache
def maker(ink: str) -> FaceMaker:
    return FaceMaker(game(), ink=ink)


def piece(name: str) -> ResolvedPiece:
    return next(p for p in game().pieces if f"{p.set}/{p.id}" == name)


def faces(ink: str, pieces: list[ResolvedPiece]) -> list[tuple[str, DisplayList]]:
    """Every side of the pieces, named for messages."""
    found = []
    for p in pieces:
        found.append((f"{p.set}/{p.id} front", maker(ink).front(p)))
        back = maker(ink).back(p)
        if back is not None:
            found.append((f"{p.set}/{p.id} back", back))
    return found


def one_of_each_look() -> list[ResolvedPiece]:
    """One piece for every face template and kind (category, type, State …), which is all that changes its grounds."""
    looks: dict[tuple[object, ...], ResolvedPiece] = {}
    for p in game().pieces:
        kind = p.fields.get("category") or p.fields.get("type") or p.fields.get("colour")
        looks.setdefault((p.set, p.face, p.back, kind), p)
    return list(looks.values())


def texts(face: DisplayList) -> list[tuple[TextOp, Matrix]]:
    """Text operations, each with the matrix from its own coordinates to the face's."""
    stack: list[Matrix] = [(1.0, 0.0, 0.0, 1.0, 0.0, 0.0)]
    found = []
    for op in face.ops:
        if isinstance(op, Push):
            stack.append(multiply(stack[-1], op.matrix))
        elif isinstance(op, Pop):
            stack.pop()
        elif isinstance(op, TextOp):
            found.append((op, stack[-1]))
    return found


def picture(face: DisplayList, ink: str, dpi: float) -> Image.Image:
    svg = face_svg(face, maker(ink).fonts)
    return Image.open(io.BytesIO(write_png(svg, dpi))).convert("RGB")


def luminance(colour: tuple[int, ...]) -> float:
    parts = [c / 255 for c in colour]
    r, g, b = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


@pytest.mark.parametrize("ink", INKS)
def test_every_piece_is_drawn_and_its_type_is_large_enough(ink: str) -> None:
    smallest: dict[str, float] = {}
    for name, face in faces(ink, game().pieces):
        for op, matrix in texts(face):
            size = op.size / PT * (matrix[0] ** 2 + matrix[1] ** 2) ** 0.5
            smallest[name] = min(size, smallest.get(name, size))
            assert size >= 5.99, f"{name}: {op.text!r} is {size:.1f} pt"
    assert {p.set for p in game().pieces} <= {name.partition("/")[0] for name in smallest}


@pytest.mark.parametrize("ink", INKS)
def test_what_a_card_does_is_printed_in_full_and_at_least_7_pt(ink: str) -> None:
    for p in game().pieces:
        if not p.text:
            continue
        lines = texts(maker(ink).front(p))
        printed = " ".join(op.text for op, _ in lines)
        assert p.text.replace("**", "") in " ".join(printed.split()), f"{p.set}/{p.id}: {p.text!r} not in {printed!r}"
        words = set(p.text.split())
        for op, _ in lines:
            if op.size / PT < 6.99:
                assert not words & set(op.text.split()), f"{p.set}/{p.id}: part of the effect is small: {op.text!r}"


def corners(op: TextOp, matrix: Matrix, ink: str) -> list[tuple[float, float]]:
    """The corners of a line of text, from cap height to baseline, in mm of the face."""
    a, b, c, d, e, f = matrix
    width = maker(ink).fonts[op.font].width(op.text) * op.size + op.tracking * (len(op.text) - 1)
    own = [(x, y) for x in (op.x, op.x + width) for y in (op.y - 0.7 * op.size, op.y)]
    return [(a * x + c * y + e, b * x + d * y + f) for x, y in own]


def test_text_keeps_clear_of_the_cut() -> None:
    for p in game().pieces:
        form = maker("normal").formats[p.format]
        for name, face in faces("normal", [p]):
            for op, matrix in texts(face):
                for x, y in corners(op, matrix, "normal"):
                    if form.shape == "circle":
                        inside = ((x - form.w / 2) ** 2 + (y - form.h / 2) ** 2) ** 0.5 <= form.w / 2 - form.safe
                    else:
                        inside = form.safe <= x <= form.w - form.safe and form.safe <= y <= form.h - form.safe
                    assert inside, f"{name}: {op.text!r} reaches ({x:.1f}, {y:.1f}), into the margin of {form.safe} mm"


@pytest.mark.parametrize("ink", INKS)
def test_text_stands_out_from_its_ground(ink: str) -> None:
    dpi = 80.0
    k = dpi / 25.4
    for name, face in faces(ink, one_of_each_look()):
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


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("name", ["event/plague", "resource/mine", "battle/infantry", "state/qin"])
def test_card_backs_look_the_same_upside_down(name: str, ink: str) -> None:
    back = maker(ink).back(piece(name))
    assert back is not None
    upright = picture(back, ink, 127.0)
    turned = upright.transpose(Image.Transpose.ROTATE_180)
    assert ImageStat.Stat(ImageChops.difference(upright, turned).convert("L")).mean[0] < 1.0


@pytest.mark.parametrize("ink", INKS)
def test_decks_have_one_back_each_and_no_two_alike(ink: str) -> None:
    backs: dict[str, Image.Image] = {}
    for deck in ("event", "resource", "battle", "state"):
        drawn = [maker(ink).back(p) for p in game().pieces if p.set == deck]
        assert drawn and all(face == drawn[0] for face in drawn), f"the backs of {deck} give cards away"
        assert drawn[0] is not None
        backs[deck] = picture(drawn[0], ink, 60.0).convert("L")
    for one, other in combinations(backs, 2):
        different = ImageStat.Stat(ImageChops.difference(backs[one], backs[other])).mean[0]
        assert different > 12, f"{one} and {other} are alike in grey"


@pytest.mark.parametrize("ink", INKS)
def test_armies_of_two_states_differ_without_colour(ink: str) -> None:
    """Light and dark of the rims, whichever is which, differ in more than a sixth of their area."""
    ring = Image.new("1", (157, 157))
    ring.paste(1, (0, 0, 157, 157))
    middle = [(x, y) for x in range(157) for y in range(157) if not 60**2 <= (x - 78) ** 2 + (y - 78) ** 2 <= 76**2]
    for spot in middle:
        ring.putpixel(spot, 0)
    rims: dict[str, list[bool]] = {}
    for p in game().pieces:
        if p.set == "army":
            grey = picture(maker(ink).front(p), ink, 200.0).convert("L").resize((157, 157))
            shades = grey.tobytes()
            low, high = min(shades), max(shades)
            values = zip(shades, ring.convert("L").tobytes(), strict=True)
            rims[p.id] = [value > (low + high) / 2 for value, kept in values if kept]
    assert len(rims) == len(game().seats)
    for one, other in combinations(rims, 2):
        share = sum(a != b for a, b in zip(rims[one], rims[other], strict=True)) / len(rims[one])
        assert min(share, 1 - share) > 1 / 6, f"{one} and {other} have rims that are alike in grey"


def test_states_differ_in_pattern_emblem_letters_and_seal() -> None:
    seats = maker("normal").look.theme.seats
    assert list(seats) == game().seats
    states = [p.fields for p in game().pieces if p.set == "state"]
    for what in (
        [seat.pattern for seat in seats.values()],
        [seat.emblem for seat in seats.values()],
        [state["initial"] for state in states],
        [state["seal_sides"] for state in states],
    ):
        assert len(set(what)) == len(what) == len(game().seats)


@pytest.mark.parametrize("ink", INKS)
def test_a_razed_province_is_not_taken_for_an_intact_one(ink: str) -> None:
    token = piece("province/province")
    front, back = maker(ink).front(token), maker(ink).back(token)
    assert back is not None
    pictures = [picture(face, ink, 100.0).convert("L") for face in (front, back)]
    assert ImageStat.Stat(ImageChops.difference(*pictures)).mean[0] > 25


def test_every_battle_card_has_a_picture_of_its_own() -> None:
    drawn = {}
    icons = maker("normal").look.icons.icons
    for p in game().pieces:
        if p.set == "battle":
            drawn[p.id] = icons[f"battle-{p.id}"]
    assert all(one != other for one, other in combinations(drawn.values(), 2))


def test_every_icon_of_an_effect_is_drawn_for_this_game() -> None:
    icons = maker("normal").look.icons
    for p in game().pieces:
        for icon in p.icons:
            assert icon.name in icons, f"{p.set}/{p.id}: no icon '{icon.name}'"


def test_low_ink_faces_are_mostly_white() -> None:
    for name in ("event/plague", "resource/city", "battle/spears", "battle/ambush", "state/qin"):
        pale, usual = (picture(maker(ink).front(piece(name)), ink, 60.0) for ink in ("low", "normal"))
        pixels = pale.width * pale.height
        white = sum(count for count, colour in pale.getcolors(pixels) or [] if colour == WHITE)
        assert white / pixels > 0.55, f"{name}: only {white / pixels:.0%} of the low-ink face is bare paper"
        covered = [255 - ImageStat.Stat(image.convert("L")).mean[0] for image in (pale, usual)]
        assert covered[0] < 0.75 * covered[1], f"{name}: low ink saves too little"


@pytest.mark.parametrize(
    "sets",
    [
        {"build.army_cost": 12, "build.general_cost": 12, "tax.bronze": {"cards": 12, "bu": 12}, "tax.pair.bu": 10},
        {"income.base": 12, "income.provinces_per_card": 1, "victory.razed_count": False, "army.supply_limit": 12},
        {"tactics.base_hand": 12, "tactics.redraw_per_general": 3, "war.min_armies": 12, "casualty.units": 2},
        {"war.turns": "active_only", "war.reinforce_between_battles": False, "tactics.cards_per_army": 0},
    ],
    ids=lambda sets: ", ".join(sets),
)
def test_house_rules_with_larger_numbers_still_fit(sets: dict[str, object]) -> None:
    tweaked = resolve_game("warring-states", sets=sets)
    drawer = FaceMaker(tweaked)
    for p in tweaked.pieces:
        if p.set in ("aid", "resource"):
            drawer.front(p)
            drawer.back(p)


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("size", [(148.5, 210.0), (139.7, 215.9)], ids=["half of A4", "half of letter"])
def test_the_rulebook_cover_fits_either_page_and_stays_off_its_edges(size: tuple[float, float], ink: str) -> None:
    names = {"title": game().title, "about": game().about, "players": game().players}
    cover = maker(ink).draw("rulebook-cover", *size, 0.0, names)
    printed = picture(cover, ink, 60.0)
    inverse = ImageChops.invert(printed.convert("L"))
    box = inverse.getbbox()
    assert box is not None
    margin = 6 * 60 / 25.4
    left, top, right, bottom = box
    assert min(left, top, printed.width - right, printed.height - bottom) >= margin - 1
    assert ImageStat.Stat(inverse).mean[0] < 255 * 0.2, "the cover asks a home printer for too much ink"
