"""A contact sheet: every face of a game on a few pages, small, in rows by set. Lengths in mm."""

from __future__ import annotations

from collections.abc import Iterator

from components.model import ResolvedGame, ResolvedPiece
from generator.backends.pdf import write_pdf
from generator.build.places import Places
from generator.build.project import read_layouts
from generator.faces import svgpath
from generator.faces.display import POP, DisplayList, Op, PathOp, Push
from generator.faces.fonts import Font
from generator.paper.formats import Format, Paper
from generator.paper.units import POINT
from generator.sheets.clipping import clip_shape
from generator.sheets.marks import FONT, text
from generator.sheets.sheets import Box, Placement, Sheet

MARGIN = 10.0
HIGHEST, WIDEST = 44.0, 60.0
"""No face is shown larger than this."""
GAP = 3.0
LABEL = 6.0
"""Type size of the names, in points."""
HEAD = 9.0
INK = "#000000"


def contact_sheet(game: ResolvedGame, places: Places, ink: str, paper: str) -> tuple[bytes, list[tuple[float, float]]]:
    """All faces of a game as a PDF, and the sizes of its pages. Raises FaceError and LayoutError."""
    layouts = read_layouts(game.id, places)
    maker = layouts.faces(game, ink)
    fonts = layouts.sheet_fonts
    page = _Page(layouts.papers[paper], fonts[FONT])
    shown: set[tuple[str, str]] = set()
    for name in dict.fromkeys(piece.set for piece in game.pieces if piece.copies):
        pieces = [piece for piece in game.pieces if piece.set == name and piece.copies]
        page.heading(pieces[0].set_title)
        for piece in pieces:
            for label, face in _sides(piece, maker.front(piece), maker.back(piece), shown):
                page.add(face, layouts.formats[piece.format], label)
    sheets = page.sheets(f"{game.title} · contact sheet{' · low ink' * (ink == 'low')}")
    content = write_pdf(sheets, {}, fonts=fonts, title=f"{game.title}: contact sheet")
    return content, [(sheet.w, sheet.h) for sheet in sheets]


def _sides(
    piece: ResolvedPiece, front: DisplayList, back: DisplayList | None, shown: set[tuple[str, str]]
) -> Iterator[tuple[str, DisplayList]]:
    """The front, and the back where it was not shown for an earlier piece of the set."""
    from generator.faces.display import face_hash

    yield f"{piece.id} x {piece.copies}" if piece.copies > 1 else piece.id, front
    if back is not None and (key := (piece.set, face_hash(back))) not in shown:
        shown.add(key)
        if face_hash(front) != key[1]:
            yield "back", back


class _Page:
    """Rows of faces, poured onto pages of one paper."""

    def __init__(self, paper: Paper, font: Font) -> None:
        self.paper = paper
        self.font = font
        self.pages: list[list[Op]] = [[]]
        self.x, self.y, self.high = MARGIN, MARGIN + 6.0, 0.0

    def heading(self, title: str) -> None:
        """The name of a set, on a line of its own."""
        self._break()
        size = HEAD * POINT
        if self.y + size + GAP + HIGHEST > self.paper.h - MARGIN:
            self._next()
        self.pages[-1].append(text(self.font, title, MARGIN, self.y + size, size, INK))
        self.y += size + GAP

    def add(self, face: DisplayList, fmt: Format, label: str) -> None:
        """One face with its name beneath."""
        k = min(1.0, HIGHEST / face.h, WIDEST / face.w)
        size = LABEL * POINT
        w, h = k * face.w, k * face.h
        wide = max(w, self.font.width(label) * size)
        if self.x + wide > self.paper.w - MARGIN and self.x > MARGIN:
            self._break()
        if self.y + h + 1.5 * size > self.paper.h - MARGIN:
            self._next()
        clip = "rect" if fmt.shape == "standee" else fmt.shape
        shape = svgpath.to_d(clip_shape(Placement(face="", x=0.0, y=0.0, w=face.w, h=face.h, clip=clip)))
        self.pages[-1] += [
            Push((k, 0.0, 0.0, k, self.x, self.y), clip=shape),
            *face.ops,
            POP,
            Push((k, 0.0, 0.0, k, self.x, self.y)),
            PathOp(d=shape, stroke="#8a8a8a", width=0.1 / k),
            POP,
            text(self.font, label, self.x, self.y + h + 1.2 * size, size, INK),
        ]
        self.x += wide + GAP
        self.high = max(self.high, h + 1.5 * size)

    def _break(self) -> None:
        if self.x > MARGIN:
            self.x, self.y, self.high = MARGIN, self.y + self.high + GAP, 0.0

    def _next(self) -> None:
        self.pages.append([])
        self.x, self.y, self.high = MARGIN, MARGIN + 6.0, 0.0

    def sheets(self, title: str) -> list[Sheet]:
        """The pages, each with a title and its number."""
        whole = Box(0.0, 0.0, self.paper.w, self.paper.h)
        size = HEAD * POINT
        return [
            Sheet(
                name=f"contact-{n:02}",
                title=title,
                side="front",
                w=whole.w,
                h=whole.h,
                placements=(),
                marks=(*ops, text(self.font, f"{title} · {n} of {len(self.pages)}", MARGIN, MARGIN + size, size, INK)),
                trim=whole,
                bleed=whole,
            )
            for n, ops in enumerate(self.pages, 1)
        ]
