"""Backs that a printer laid beside their fronts: cut at the trim, all backs of a deck still look alike."""

from __future__ import annotations

import io
import re
from functools import cache
from itertools import product

import msgspec
import pytest
from artkit import art
from PIL import Image, ImageChops, ImageStat
from sheetkit import overlap

from generator.backends.png import write_png
from generator.backends.svg import write_svg
from generator.build.joins import Joins
from generator.faces.display import DisplayList, face_hash
from generator.paper.formats import load_papers, sort_formats
from generator.sheets.impose import Item, impose
from generator.sheets.marks import SheetStyle, load_style
from generator.sheets.sheets import Placement, Sheet

GAMES = ("warring-states", "dynasties", "xarkant")
SHIFT = 1.5
SHIFTS = [(x * SHIFT, y * SHIFT) for x, y in product((-1, 0, 1), (-1, 0, 1)) if x or y]
DPI = 24
ALIKE = 1.0
"""Mean difference of two pictures, of 255, that may come of rounding; two marked backs differ by 30 and more."""
STYLE = load_style()


class Printed:
    """The sheets of a game as they are imposed, and what is needed to draw them."""

    def __init__(self, game_id: str, ink: str, paper: str, style: SheetStyle) -> None:
        game, maker = art(game_id).game, art(game_id).maker(ink)
        formats = maker.formats
        self.faces: dict[str, DisplayList] = {}
        self.fonts = maker.fonts
        joins = Joins(self.faces.__getitem__, self.fonts, style)
        stacks: dict[str, list[Item]] = {}
        for piece in game.pieces:
            front, back = self._key(maker.front(piece)), self._key(maker.back(piece))
            if piece.copies:
                sides, ends = joins.of(formats[piece.format], front, back)
                item = Item(f"{piece.set}/{piece.id}", front, back, piece.copies, sides, ends)
                stacks.setdefault(piece.format, []).append(item)
        ordered = [(formats[name], stacks[name]) for name in sort_formats(stacks, formats)]
        documents = impose(game.title, ordered, load_papers()[paper], "long", style)
        self.backs = [sheet for document in documents for sheet in document.sheets if sheet.side == "back"]

    def _key(self, face: DisplayList | None) -> str:
        if face is None:
            return ""
        self.faces[key := face_hash(face)] = face
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
def printed(game: str, ink: str = "normal", paper: str = "a4", cut: str = "auto") -> Printed:
    return Printed(game, ink, paper, msgspec.structs.replace(STYLE, cut=cut))


@pytest.mark.parametrize("game", GAMES)
def test_backs_of_a_deck_look_alike_when_the_printer_shifts_them(game: str) -> None:
    made = printed(game)
    assert made.worst(made.hiding()[0], 2) < ALIKE


def test_cuts_shared_by_patterned_backs_would_mark_them() -> None:
    made = printed("dynasties", cut="shared")
    assert made.worst(made.hiding()[0], 2) > 20 * ALIKE


@pytest.mark.torture
@pytest.mark.parametrize(("game", "ink", "paper"), list(product(GAMES, ("normal", "low"), ("a4", "letter", "a3"))))
def test_backs_look_alike_on_every_sheet(game: str, ink: str, paper: str) -> None:
    made = printed(game, ink, paper)
    worst = {sheet.name: made.worst(sheet, 4) for sheet in made.hiding()}
    assert {name: found for name, found in worst.items() if found >= ALIKE} == {}
