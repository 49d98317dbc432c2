"""Backs that a printer laid beside their fronts: cut at the trim, all backs of a deck still look alike.

Every sheet is judged by its data (which faces and lines would be seen on each piece); a few are drawn and compared as
well.
"""

from __future__ import annotations

import io
import re
from functools import cache
from itertools import product
from pathlib import Path

import msgspec
import pytest
from artkit import art
from PIL import Image, ImageChops, ImageStat
from sheetkit import overlap

from generator.backends.png import write_png
from generator.backends.svg import write_svg
from generator.build.facecache import FaceCache, Stored
from generator.build.joins import Joins
from generator.faces.display import DisplayList, PathOp, face_hash
from generator.faces.edges import edge_colours
from generator.faces.fonts import FontBook
from generator.paper.formats import load_papers, sort_formats
from generator.sheets.impose import Item, impose
from generator.sheets.marks import TICK, SheetStyle, load_style
from generator.sheets.sheets import Backs, Box, Placement, Sheet

GAMES = ("warring-states", "dynasties", "xarkant", "tianxia")
SHIFT = 1.5
SHIFTS = [(x * SHIFT, y * SHIFT) for x, y in product((-1, 0, 1), (-1, 0, 1)) if x or y]
DPI = 24
ALIKE = 1.0
"""Mean difference of two pictures, of 255, that may come of rounding; two marked backs differ by 10 and more."""
STYLE = load_style()
CACHE = FaceCache(None, Path())
"""Stores the faces in memory only."""


class Printed:
    """The sheets of a game as they are imposed, and what is needed to draw them."""

    def __init__(self, game_id: str, ink: str, paper: str, style: SheetStyle, backs: Backs = "long") -> None:
        game, maker = art(game_id).game, art(game_id).maker(ink)
        formats = maker.formats
        self.faces: dict[str, DisplayList] = {}
        self.fonts = maker.fonts
        self.stored: dict[str, Stored] = {}
        joins = Joins(self.stored, self.fonts, style)
        stacks: dict[str, list[Item]] = {}
        for piece in game.pieces:
            front, back = self._key(art(game_id).front(piece, ink)), self._key(art(game_id).reverse(piece, ink))
            if piece.copies and not piece.instead_of:
                sides, ends = joins.of(formats[piece.format], front, back)
                item = Item(f"{piece.set}/{piece.id}", front, back, piece.copies, sides, ends)
                stacks.setdefault(piece.format, []).append(item)
        ordered = [(formats[name], stacks[name]) for name in sort_formats(stacks, formats)]
        documents = impose(game.title, ordered, load_papers()[paper], backs, style)
        whole = [sheet for document in documents for sheet in document.sheets if sheet.side == "front"]
        self.leaves = sum(not any(placed.window for placed in sheet.placements) for sheet in whole)
        self.backs = [sheet for document in documents for sheet in document.sheets if sheet.side == "back"]

    def _key(self, face: DisplayList | None) -> str:
        if face is None:
            return ""
        self.faces[key := face_hash(face)] = face
        self.stored[key] = CACHE.stored(face, set())
        return key

    def hiding(self) -> list[Sheet]:
        """The sheets of backs on which several pieces look alike, those with most decks first."""
        return sorted(
            (s for s in self.backs if len({p.face for p in s.placements}) < len(s.placements)),
            key=lambda s: (s.placements[0].clip != "rect", -len({p.face for p in s.placements})),
        )

    def worst(self, sheet: Sheet, most: int = 1000) -> float:
        """The greatest difference between two backs of a deck, over all shifts; at `most` so many backs of each."""
        shown: dict[tuple[float, float], list[tuple[str, Image.Image]]] = {shift: [] for shift in SHIFTS}
        for placed in chosen(sheet, most):
            near = [other for other in sheet.placements if meets(placed, other)]
            alone = msgspec.structs.replace(sheet, placements=tuple(near), marks=())
            drawing = write_svg(alone, {other.face: self.faces[other.face] for other in near}, fonts=self.fonts)
            for shift in SHIFTS:
                shown[shift].append((placed.face, picture(drawing, placed, shift)))
        return max(unlike(pictures) for pictures in shown.values())


def chosen(sheet: Sheet, most: int) -> list[Placement]:
    """So many pieces of each face: those whose neighbours differ most, first."""
    by_face: dict[str, list[Placement]] = {}
    for placed in sheet.placements:
        by_face.setdefault(placed.face, []).append(placed)
    several = [alike for alike in by_face.values() if len(alike) > 1]
    for alike in several:
        alike.sort(key=lambda p: -len({o.face for o in sheet.placements if meets(p, o)}))
    return [placed for alike in several for placed in (*alike[: most - 1], *alike[most - 1 :][-1:])]


def meets(a: Placement, b: Placement) -> bool:
    """Whether a shift can bring one of them into the outline of the other."""
    return overlap(a.trim.grown(SHIFT, SHIFT, SHIFT, SHIFT), b.seen)


def picture(drawing: str, placed: Placement, shift: tuple[float, float]) -> Image.Image:
    """What a piece shows if its sheet of backs was printed `shift` mm off."""
    x, y = placed.x - shift[0], placed.y - shift[1]
    size = f'width="{placed.w:g}mm" height="{placed.h:g}mm" viewBox="{x:.4f} {y:.4f} {placed.w:g} {placed.h:g}"'
    end = drawing.index(">", drawing.index("<svg"))
    head = re.sub(r'(?<=\s)(width|height|viewBox)="[^"]*"', "", drawing[:end])
    content = write_png(head.replace("<svg", f"<svg {size}", 1) + drawing[end:], DPI)
    return Image.open(io.BytesIO(content)).convert("RGB")


def unlike(shown: list[tuple[str, Image.Image]]) -> float:
    """The greatest mean difference between two pictures of one face."""
    first: dict[str, Image.Image] = {}
    worst = 0.0
    for face, image in shown:
        other = first.setdefault(face, image)
        for box in strips(image):
            difference = ImageChops.difference(image.crop(box), other.crop(box))
            worst = max(worst, *ImageStat.Stat(difference).mean)
    return worst


def strips(image: Image.Image) -> list[tuple[int, int, int, int]]:
    """The rims of a picture, where a neighbour would show, and the whole of it."""
    w, h = image.size
    return [(0, 0, w, 1), (0, h - 1, w, h), (0, 0, 1, h), (w - 1, 0, w, h), (0, 0, w, h)]


@cache
def printed(game: str, ink: str = "normal", paper: str = "a4", cut: str = "auto", backs: Backs = "long") -> Printed:
    return Printed(game, ink, paper, msgspec.structs.replace(STYLE, cut=cut), backs)


@pytest.mark.parametrize(("game", "most"), [("dynasties", 9), ("tianxia", 14), ("warring-states", 18), ("xarkant", 10)])
def test_a_game_takes_few_sheets_besides_its_board(game: str, most: int) -> None:
    assert printed(game).leaves <= most


@pytest.mark.torture
def test_the_largest_game_takes_few_sheets_besides_its_boards() -> None:
    assert printed("great-wall").leaves <= 45


NEAR = [(x * SHIFT / 2, y * SHIFT / 2) for x, y in product(range(-2, 3), range(-2, 3))]
"""Every shift that is looked at: none, by half, and by the whole, in all directions."""


class Looks:
    """What can be seen on the backs of one sheet, read from its data."""

    def __init__(self, sheet: Sheet, faces: dict[str, DisplayList], fonts: FontBook) -> None:
        self.sheet, self.faces, self.fonts = sheet, faces, fonts
        self.lines = [ends for op in sheet.marks if isinstance(op, PathOp) for ends in segments(op.d)]
        self.flat: dict[str, bool] = {}

    def around(self, placed: Placement) -> tuple[list[Placement], list[tuple[float, float, float, float]]]:
        """The other pieces and the lines that a shift may bring into a piece."""
        reach = placed.trim.grown(SHIFT, SHIFT, SHIFT, SHIFT)
        others = [other for other in self.sheet.placements if other is not placed and overlap(other.seen, reach)]
        lines = [line for line in self.lines if crosses(line, reach)]
        if placed.clip != "rect":  # its own outline and ticks: every piece of the kind has the same
            own = placed.trim.grown(TICK, TICK, TICK, TICK)
            lines = [(x1, y1, x2, y2) for x1, y1, x2, y2 in lines if not own.holds(Box(x1, y1, x2 - x1, y2 - y1), 0.1)]
        return others, lines

    def of(
        self,
        placed: Placement,
        shift: tuple[float, float],
        others: list[Placement],
        lines: list[tuple[float, float, float, float]],
    ) -> tuple[object, ...]:
        """What a piece that is cut out where its back should have been shows, besides its own back: parts of others,
        white, lines. Empty: nothing."""
        hole = Box(placed.x - shift[0], placed.y - shift[1], placed.w, placed.h)
        found: list[object] = []
        if placed.clip != "rect":
            if (shift[0] ** 2 + shift[1] ** 2) ** 0.5 > min(placed.bleed) + 1e-6:
                found.append("beyond its bleed")
        elif not placed.seen.holds(hole):
            bare = [other for other in others if overlap(other.seen, hole)]
            same = all(other.face == placed.face for other in bare) and self.is_flat(placed.face)
            if not same or not covered(hole, [placed, *bare]):
                found.append(("others", tuple(sorted((o.face, o.turn, *apart(o, placed)) for o in bare))))
        for line in lines:
            if crosses(line, hole):
                ends = zip(line, (placed.x, placed.y) * 2, strict=True)
                found.append(tuple(round(at - origin, 1) + 0.0 for at, origin in ends))
        return tuple(sorted(map(repr, found)))

    def is_flat(self, face: str) -> bool:
        """Whether all four edges of a face are of one colour: then its neighbour may go on where it ends."""
        if face not in self.flat:
            colours = edge_colours(self.faces[face], SHIFT, self.fonts)
            self.flat[face] = all(colours) and colours[0] == colours[2] and colours[1] == colours[3]
        return self.flat[face]

    def decks(self) -> dict[str, list[Placement]]:
        """The pieces of the sheet by the back they show, where several show one."""
        decks: dict[str, list[Placement]] = {}
        for placed in self.sheet.placements:
            decks.setdefault(placed.face, []).append(placed)
        return {face: deck for face, deck in decks.items() if len(deck) > 1}


def crosses(line: tuple[float, float, float, float], box: Box) -> bool:
    """Whether a line comes into a box, by more than a hair."""
    x1, y1, x2, y2 = line
    hair = 0.02
    return (
        max(abs(x2 - x1), abs(y2 - y1)) > hair
        and min(x1, x2) < box.right - hair
        and max(x1, x2) > box.x + hair
        and min(y1, y2) < box.bottom - hair
        and max(y1, y2) > box.y + hair
    )


def apart(other: Placement, placed: Placement) -> tuple[float, float]:
    return round(other.x - placed.x, 2), round(other.y - placed.y, 2)


def covered(hole: Box, placements: list[Placement]) -> bool:
    """Whether the hole is full of what these show: looked at on a fine grid."""
    steps = [(hole.x + hole.w * u / 24, hole.y + hole.h * v / 24) for u in range(25) for v in range(25)]
    return all(any(p.seen.holds(Box(x, y, 0.0, 0.0)) for p in placements) for x, y in steps)


def segments(d: str) -> list[tuple[float, float, float, float]]:
    """The lines of path data, curves as the lines between their ends."""
    found: list[tuple[float, float, float, float]] = []
    at = start = (0.0, 0.0)
    for kind, numbers in re.findall(r"([MLCZ])([^MLCZ]*)", straight(d)):
        values = [float(word) for word in re.findall(r"-?[\d.]+", numbers)]
        end = list(start) if kind == "Z" else values[-2:]
        if kind == "M":
            start = (end[0], end[1])
        else:
            found.append((*at, end[0], end[1]))
        at = (end[0], end[1])
    return found


def straight(d: str) -> str:
    """Path data without `H` and `V`, which only the cut line of a rectangle has."""
    return "" if "H" in d else d


def marked(made: Printed) -> dict[str, set[tuple[object, ...]]]:
    """The decks, by sheet and shift, whose backs do not look alike, with the looks there are."""
    found: dict[str, set[tuple[object, ...]]] = {}
    for sheet in made.backs:
        looks = Looks(sheet, made.faces, made.fonts)
        for face, deck in looks.decks().items():
            near = [(placed, *looks.around(placed)) for placed in deck]
            for shift in NEAR:
                several = {looks.of(placed, shift, others, lines) for placed, others, lines in near}
                if len(several) > 1:
                    found[f"{sheet.name} {face} {shift}"] = several
    return found


@pytest.mark.parametrize(("game", "paper"), list(product(GAMES, ("a4", "letter", "a3"))))
def test_all_backs_of_a_deck_look_alike_on_every_sheet_however_the_printer_shifts_them(game: str, paper: str) -> None:
    assert marked(printed(game, paper=paper)) == {}


@pytest.mark.parametrize("game", GAMES)
def test_backs_look_alike_in_low_ink_and_turned_over_the_short_edge(game: str) -> None:
    assert marked(printed(game, "low")) == {}
    assert marked(printed(game, backs="short")) == {}


def test_the_data_show_what_cuts_shared_by_patterned_backs_would_do() -> None:
    assert len(marked(printed("dynasties", cut="shared"))) > 20


@pytest.mark.parametrize("game", GAMES)
def test_backs_of_a_deck_look_alike_when_the_printer_shifts_them(game: str) -> None:
    made = printed(game)
    assert made.worst(made.hiding()[0], 2) < ALIKE


def test_cuts_shared_by_patterned_backs_would_mark_them() -> None:
    made = printed("dynasties", cut="shared")
    assert max(made.worst(sheet, 2) for sheet in made.hiding()[:2]) > 10 * ALIKE


@pytest.mark.torture
@pytest.mark.parametrize(("game", "ink", "paper"), list(product(GAMES, ("normal", "low"), ("a4", "letter", "a3"))))
def test_backs_look_alike_on_every_sheet(game: str, ink: str, paper: str) -> None:
    made = printed(game, ink, paper)
    worst = {sheet.name: made.worst(sheet, 4) for sheet in made.hiding()}
    assert {name: found for name, found in worst.items() if found >= ALIKE} == {}
