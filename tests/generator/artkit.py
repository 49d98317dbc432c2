"""What tests of a game's art share: its faces, what is drawn on them, and the bars that every face has to meet."""

from __future__ import annotations

import io
import math
import os
from collections.abc import Callable, Collection, Iterable
from functools import cache
from pathlib import Path

import msgspec
from PIL import Image, ImageChops, ImageDraw, ImageStat

from components.model import ResolvedGame, ResolvedPiece
from components.resolve import resolve_game
from generator.backends.png import by_resvg, pixels, write_png
from generator.backends.svg import face_svg
from generator.faces.display import DisplayList, Matrix, PathOp, Pop, Push, TextOp, face_hash
from generator.faces.facemaker import FaceMaker
from generator.faces.quotes import typographic
from generator.faces.svgpath import multiply
from generator.paper.units import INCH, POINT
from tests.generator.facekit import shipped

INKS = ("normal", "low")
COVER_SIZES = [(148.5, 210.0), (139.7, 215.9)]
"""Pages of a booklet on A4 and on letter."""
WHITE = (255, 255, 255)
Point = tuple[float, float]
Drawn = tuple[PathOp | TextOp, Matrix, str]
"""An operation, the matrix from its own coordinates to the face's, and the layer it is in."""


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(DisplayList)


def stored(key: str, make: Callable[[], bytes]) -> bytes:
    """What `make` gives, made once for all processes of a test run (the folder is named by `tests/conftest.py`)."""
    file = Path(os.environ["TABLEWRIGHT_TEST_FACES"]) / key.replace("/", "-")
    if not file.is_file():
        half = file.with_name(f"{file.name}.{os.getpid()}")
        half.write_bytes(make())
        half.replace(file)
    return file.read_bytes()


def rendered(svg: str, face: DisplayList, dpi: float) -> bytes:
    """A face as PNG by resvg, several times as fast as cairosvg; `test_png` and `test_svg` hold renderers together."""
    return by_resvg(svg, pixels(face.w, dpi), pixels(face.h, dpi))


class Art:
    """The art of one game, with the pieces of its box in either ink."""

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self._game: ResolvedGame | None = None
        self._makers: dict[str, FaceMaker] = {}

    @property
    def game(self) -> ResolvedGame:
        if self._game is None:
            self._game = resolve_game(self.game_id)
        return self._game

    def maker(self, ink: str) -> FaceMaker:
        if ink not in self._makers:
            self._makers[ink] = shipped(self.game_id).faces(self.game, ink)
        return self._makers[ink]

    def piece(self, name: str) -> ResolvedPiece:
        """The piece `set/id`."""
        return find(self.game, name)

    def of_set(self, name: str) -> list[ResolvedPiece]:
        return [p for p in self.game.pieces if p.set == name]

    def front(self, p: ResolvedPiece, ink: str) -> DisplayList:
        """The front of a piece; drawn once in a test run."""
        key = f"{self.game.fingerprint}-{ink}-{p.set}-{p.id}-front"
        return _decoder.decode(stored(key, lambda: _encoder.encode(self.maker(ink).front(p))))

    def reverse(self, p: ResolvedPiece, ink: str) -> DisplayList | None:
        """The back of a piece, None if it has none; drawn once in a test run."""
        if not p.back:
            return None
        key = f"{self.game.fingerprint}-{ink}-{p.set}-{p.id}-back"
        return _decoder.decode(stored(key, lambda: _encoder.encode(self.maker(ink).back(p))))

    def back(self, name: str, ink: str) -> DisplayList:
        drawn = self.reverse(self.piece(name), ink)
        assert drawn is not None, f"{name} has no back"
        return drawn

    def faces(self, ink: str, pieces: Iterable[ResolvedPiece] | None = None) -> list[tuple[str, DisplayList]]:
        """Every side of the pieces (None: all), named for messages."""
        found = []
        for p in self.game.pieces if pieces is None else pieces:
            found.append((f"{p.set}/{p.id} front", self.front(p, ink)))
            reverse = self.reverse(p, ink)
            if reverse is not None:
                found.append((f"{p.set}/{p.id} back", reverse))
        return found

    def picture(self, face: DisplayList, ink: str, dpi: float) -> Image.Image:
        """A face as pixels; rendered once in a test run."""
        key = f"{self.game_id}-{face_hash(face)}-{dpi}"
        png = stored(key, lambda: rendered(face_svg(face, self.maker(ink).fonts), face, dpi))
        return Image.open(io.BytesIO(png)).convert("RGB")

    def front_picture(self, name: str, ink: str, dpi: float) -> Image.Image:
        return self.picture(self.front(self.piece(name), ink), ink, dpi)

    def corners(self, op: TextOp, matrix: Matrix, ink: str) -> list[Point]:
        """The corners of a line of text, from cap height to baseline, in mm of the face."""
        width = self.maker(ink).fonts[op.font].width(op.text) * op.size + op.tracking * (len(op.text) - 1)
        return [apply(matrix, x, y) for x in (op.x, op.x + width) for y in (op.y - 0.7 * op.size, op.y)]


@cache
def art(game_id: str) -> Art:
    """The art of a game, drawn once for all tests."""
    return Art(game_id)


def find(game: ResolvedGame, name: str) -> ResolvedPiece:
    """The piece `set/id` of a game."""
    return next(p for p in game.pieces if f"{p.set}/{p.id}" == name)


# --- what is on a face -------------------------------------------------------------------------------------------


def drawn(face: DisplayList) -> list[Drawn]:
    """Paths and texts of a face, in the order in which they are drawn."""
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


def points_high(op: TextOp, matrix: Matrix) -> float:
    """The size of a text as printed, in points."""
    return op.size / POINT * math.hypot(matrix[0], matrix[1])


def words(face: DisplayList) -> str:
    """All that is printed on a face, with single spaces."""
    return " ".join(" ".join(op.text for op, _ in texts(face)).split())


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


# --- pictures and colours ----------------------------------------------------------------------------------------


def difference(one: Image.Image, other: Image.Image) -> float:
    """Mean difference in grey, 0 to 255."""
    return ImageStat.Stat(ImageChops.difference(one.convert("L"), other.convert("L"))).mean[0]


def ink_sum(image: Image.Image) -> float:
    """How much ink a face takes, the four colours added up: 0 to 4. Black takes all that the three colours share."""
    mean = ImageStat.Stat(image).mean
    brightest = ImageChops.lighter(ImageChops.lighter(*image.split()[:2]), image.split()[2])
    black = 1 - ImageStat.Stat(brightest).mean[0] / 255
    return 3 - sum(mean) / 255 - 2 * black


def inked(image: Image.Image) -> float:
    """`ink_sum` of what is cut out of a round face."""
    inside = Image.new("L", image.size)
    ImageDraw.Draw(inside).ellipse((0, 0, image.width - 1, image.height - 1), fill=255)
    share = ImageStat.Stat(inside).mean[0] / 255
    return ink_sum(Image.composite(image, Image.new("RGB", image.size, "white"), inside)) / share


def luminance(colour: tuple[int, ...]) -> float:
    parts = [c / 255 for c in colour]
    r, g, b = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


# --- the bars every game has to meet -----------------------------------------------------------------------------


def assert_type_is_large_enough(game: Art, ink: str) -> None:
    """Every side of every piece has something on it and no type under 6 pt."""
    for name, face in game.faces(ink):
        assert face.ops, name
        for op, matrix in texts(face):
            size = points_high(op, matrix)
            assert size >= 5.99, f"{name}: {op.text!r} is {size:.1f} pt"


def assert_effects_are_printed(game: Art, ink: str, also: Collection[str] = ()) -> None:
    """What a piece of the box does is printed in full, and nothing of it under 7 pt; so are the fields named by
    `also`."""
    for p in game.game.pieces:
        if not p.text or not p.copies:
            continue
        face = game.front(p, ink)
        printed = words(face)
        for sentence in (p.text, *(p.fields.get(key, "") for key in also)):
            assert typographic(sentence.replace("**", "")) in printed, (
                f"{p.set}/{p.id}: {sentence!r} not in {printed!r}"
            )
        known = set(p.text.split())
        for op, matrix in texts(face):
            if points_high(op, matrix) < 6.99:
                assert not known & set(op.text.split()), f"{p.set}/{p.id}: part of the effect is small: {op.text!r}"


def assert_text_keeps_clear_of_the_cut(game: Art) -> None:
    """Of all that is printed and cut; what a rulebook pictures only has no copies."""
    for p in (p for p in game.game.pieces if p.copies):
        form = game.maker("normal").formats[p.format]
        for name, face in game.faces("normal", [p]):
            for op, matrix in texts(face):
                for x, y in game.corners(op, matrix, "normal"):
                    if form.shape == "circle":
                        inside = math.hypot(x - form.w / 2, y - form.h / 2) <= form.w / 2 - form.safe
                    else:
                        inside = form.safe <= x <= form.w - form.safe and form.safe <= y <= form.h - form.safe
                    assert inside, f"{name}: {op.text!r} reaches ({x:.1f}, {y:.1f}), into the margin of {form.safe} mm"


def one_of_each(pieces: Iterable[ResolvedPiece], look: Callable[[ResolvedPiece], object]) -> list[ResolvedPiece]:
    """The first piece of each look."""
    found: dict[object, ResolvedPiece] = {}
    for p in pieces:
        found.setdefault(look(p), p)
    return list(found.values())


def assert_text_stands_out(game: Art, ink: str, pieces: list[ResolvedPiece], dpi: float = 60.0) -> None:
    """Text has a contrast of 4.5:1 to the most frequent colour under each of its lines."""
    k = dpi / INCH
    for name, face in game.faces(ink, pieces):
        if not texts(face):
            continue
        bare = DisplayList(face.w, face.h, face.bleed, [op for op in face.ops if not isinstance(op, TextOp)])
        ground = game.picture(bare, ink, dpi)
        for op, matrix in texts(face):
            xs, ys = ([v * k for v in values] for values in zip(*game.corners(op, matrix, ink), strict=True))
            box = (max(0, int(min(xs))), max(0, int(min(ys))), int(max(xs)) + 1, int(max(ys)) + 1)
            under = ground.crop(box)
            _, colour = max(under.getcolors(under.width * under.height) or [])
            assert isinstance(colour, tuple)
            found = contrast(rgb(op.colour), colour)
            assert found >= 4.5, f"{name} ({ink}): {op.text!r} has a contrast of {found:.1f} on {colour}"


def assert_same_upside_down(game: Art, name: str, ink: str) -> None:
    svg = face_svg(game.back(name, ink), game.maker(ink).fonts)
    upright = Image.open(io.BytesIO(write_png(svg, 127.0))).convert("RGB")  # as printed: here resvg's edges count
    assert difference(upright, upright.transpose(Image.Transpose.ROTATE_180)) < 1.0


def assert_one_back(game: Art, deck: str, ink: str) -> DisplayList:
    """The back that all pieces of a set share."""
    backs = [game.reverse(p, ink) for p in game.of_set(deck)]
    assert backs and all(face == backs[0] for face in backs), f"the backs of {deck} give cards away"
    assert backs[0] is not None
    return backs[0]


def assert_icons_are_drawn(game: Art) -> None:
    """Every icon of an effect exists for this game."""
    icons = game.maker("normal").look.icons
    for p in game.game.pieces:
        for icon in p.icons:
            assert icon.name in icons, f"{p.set}/{p.id}: no icon '{icon.name}'"


def assert_low_ink_is_mostly_white(game: Art, names: Iterable[str], dpi: float = 60.0) -> None:
    """More than 55 % of a low-ink face is bare paper, and it takes a quarter less ink than the normal face. Finer lines
    want more `dpi`, or they blur into the paper between them."""
    for name in names:
        pale, usual = (game.front_picture(name, ink, dpi) for ink in ("low", "normal"))
        pixels = pale.width * pale.height
        white = sum(count for count, colour in pale.getcolors(pixels) or [] if colour == WHITE)
        assert white / pixels > 0.55, f"{name}: only {white / pixels:.0%} of the low-ink face is bare paper"
        covered = [255 - ImageStat.Stat(image.convert("L")).mean[0] for image in (pale, usual)]
        assert covered[0] < 0.75 * covered[1], f"{name}: low ink saves too little"


def assert_all_is_drawn(resolved: ResolvedGame, ink: str = "normal", sets: Collection[str] = ()) -> None:
    """Every side of every piece can be drawn (of the sets named, if any): all texts fit."""
    maker = shipped(resolved.id).faces(resolved, ink)
    for p in resolved.pieces:
        if not sets or p.set in sets:
            maker.front(p)
            maker.back(p)


def assert_cover_fits(game: Art, size: tuple[float, float], ink: str) -> None:
    """The cover of the rulebook stays 5 mm off the edges of the page, as far as a printer at home reaches, and asks for
    little ink."""
    names = {"title": game.game.title, "about": game.game.about, "players": game.game.players}
    printed = game.picture(game.maker(ink).draw("rulebook-cover", *size, 0.0, names), ink, 60.0)
    inverse = ImageChops.invert(printed.convert("L"))
    box = inverse.getbbox()
    assert box is not None
    left, top, right, bottom = box
    assert min(left, top, printed.width - right, printed.height - bottom) >= 5 * 60 / INCH - 1
    most = 0.25 if ink == "normal" else 0.2
    assert ImageStat.Stat(inverse).mean[0] < 255 * most, "the cover asks a home printer for too much ink"
