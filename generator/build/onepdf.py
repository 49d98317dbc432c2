"""One document of everything in print order, with an assembly sheet made from what lies on the sheets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

import msgspec

from components.model import BASE, ResolvedGame, ResolvedPiece
from components.phrasing import count, join_and, span
from generator.book.assembly import Added, Assembly, Deck, Part, Sleeves, Step, assembly_sheets
from generator.book.words import ranges, shown
from generator.build.options import Options
from generator.faces.fonts import FontBook
from generator.faces.richtext import plain
from generator.paper.formats import Format, Paper
from generator.sheets.impose import Document
from generator.sheets.marks import SheetStyle
from generator.sheets.sheets import Sheet
from generator.sheets.sleeves import sleeve_for

NAME = "everything"
Word = TypeVar("Word", bound=Hashable)
CARDS = "cards"
FIRST = ("boards", CARDS, "aids")
"""The documents that are printed first; the others follow in the order of their formats."""


def one_document(
    game: ResolvedGame,
    options: Options,
    documents: Sequence[Document],
    formats: dict[str, Format],
    paper: Paper,
    style: SheetStyle,
    fonts: FontBook,
    modules: Mapping[str, int] | None = None,
) -> Document:
    """All documents as one, the assembly sheet first. If any sheet has a back, every sheet gets one, so that the whole
    file can be sent to a duplex printer at once. `fonts` has those of the assembly sheet; `modules`: how many sheets
    each adds to the base game."""
    ordered = sorted(documents, key=lambda one: FIRST.index(one.name) if one.name in FIRST else len(FIRST))
    duplex = any(sheet.side == "back" for one in ordered for sheet in one.sheets)
    parts = [(one, _with_backs(one.sheets) if duplex else one.sheets) for one in ordered]
    start = 1
    while True:  # the pages that the assembly sheet names depend on how many it takes itself
        around = _Around(game, options, formats, paper, style, start, modules or {})
        leading = assembly_sheets(around.assembly(parts), paper, fonts)
        if duplex:
            leading = list(_with_backs(leading))
        else:
            leading = [msgspec.structs.replace(sheet, side="front") for sheet in leading]
        if len(leading) == start:
            break
        start = len(leading)
    sheets = (*leading, *(sheet for _, several in parts for sheet in several))
    leaves = sum(sheet.side == "front" for sheet in sheets)
    return Document(NAME, sheets, leaves, sum(one.pieces for one in ordered))


def _with_backs(sheets: Iterable[Sheet]) -> tuple[Sheet, ...]:
    """The sheets, a white back behind every front that has none."""
    found: list[Sheet] = []
    for sheet in sheets:
        if sheet.side == "front" and found and found[-1].side == "front":
            found.append(_white(found[-1]))
        found.append(sheet)
    if found and found[-1].side == "front":
        found.append(_white(found[-1]))
    return tuple(found)


def _white(front: Sheet) -> Sheet:
    name = f"{front.name.removesuffix('-front')}-back"
    return msgspec.structs.replace(front, name=name, side="back", placements=(), marks=(), outlines=())


def titled(game: ResolvedGame, module: str) -> str:
    """A module as the sheet names it: like the variant that brings it, or by its own id in words."""
    named = game.variant_names.get(module.replace("_", "-"))
    return named or module.replace("_", " ").replace("-", " ").capitalize()


def fronts(pages: list[int]) -> str:
    """Page numbers as `ranges` writes them; fronts whose backs stay white are `5–63, every second`."""
    if len(pages) > 3 and all(later - page == 2 for page, later in pairwise(pages)):
        return f"{pages[0]}–{pages[-1]}, every second"
    return ranges(pages)


class _Fold(NamedTuple):
    """Pieces of a format that are folded, and how."""

    what: str
    number: int
    how: str


class _Around:
    """Words about the sheets of a build; the first of them is page `start` + 1 of the file."""

    def __init__(
        self,
        game: ResolvedGame,
        options: Options,
        formats: dict[str, Format],
        paper: Paper,
        style: SheetStyle,
        start: int,
        modules: Mapping[str, int],
    ) -> None:
        self.game = game
        self.options = options
        self.formats = formats
        self.paper = paper
        self.style = style
        self.start = start
        self.modules = modules
        self.pieces: dict[str, ResolvedPiece] = {f"{piece.set}/{piece.id}": piece for piece in game.pieces}

    def assembly(self, parts: Sequence[tuple[Document, Sequence[Sheet]]]) -> Assembly:
        """Everything that the assembly sheet says about these parts."""
        at = self.start
        rows: list[Part] = []
        cuts: list[Step] = []
        folds: dict[tuple[str, str], int] = {}
        decks: dict[str, tuple[int, list[int]]] = {}
        for one, sheets in parts:
            numbers = range(at + 1, at + len(sheets) + 1)
            two_sided = any(sheet.side == "back" and sheet.placements for sheet in sheets)
            stock = self.style.stock.get(one.name, "")
            rows.append(Part(one.name, ranges(list(numbers)), one.leaves, two_sided, stock))
            steps = list(self._steps(sheets, at))
            cuts += [cut for cut, _ in steps]
            for _, folded in steps:
                if folded is not None:
                    folds[folded.what, folded.how] = folds.get((folded.what, folded.how), 0) + folded.number
            for n, sheet in enumerate(sheets):
                pages = list(numbers[n : n + _printed(sheets, n)])
                for title, number in self._begun(sheet, lambda piece: piece.set_title).items():
                    so_far, where = decks.get(title, (0, []))
                    decks[title] = so_far + number, where + pages
            at += len(sheets)
        if self.options.backs == "gutterfold":
            fold = "fold along the dashed line, glue, press, and only then cut"
            cuts.insert(0, Step("Sheets with a fold", "", fold))
        leaves = sum(one.leaves for one, _ in parts)
        return Assembly(
            title=self.game.title,
            about=self._about(sum(one.pieces for one, _ in parts), leaves),
            parts=rows,
            printing=self._printing(parts),
            cuts=cuts,
            folds=[Step(f"{what}: {number}", "", how) for (what, how), number in folds.items()],
            sleeves=list(self._sleeves(parts)),
            decks=[Deck(plain(title), number, f"p. {fronts(where)}") for title, (number, where) in decks.items()],
            modules=[Added(titled(self.game, name), number) for name, number in self.modules.items()],
            finally_=[f"The rulebook is a file of its own, a booklet to fold: pnp rulebook {self.game.id}"],
        )

    def _about(self, pieces: int, leaves: int) -> str:
        seats = self.options.players or len(self.options.seats)
        players = count(seats, "player") if seats else f"{span(*self.game.players)} players"
        variants = [f"variant {plain(variant)}" for variant in self.game.variants]
        modules = [titled(self.game, name) for name in self.options.modules or () if name != BASE]
        playing = "" if self.options.modules is None else join_and(modules) if modules else "the base game"
        changed = [f"{plain(name)} = {shown(value)}" for name, value in self.game.sets.items()]
        words = [players, playing, *variants, *changed, "low ink" if self.options.ink == "low" else ""]
        words.append("changed pieces only" if self.options.changed else "")
        said = ", ".join(word for word in words if word)
        return (
            f"Assembly sheet. For {said}: **{count(pieces, 'piece')}** on **{count(leaves, 'sheet')} of "
            f"{self.paper.title}**, besides this one. Page numbers are those of this file."
        )

    def _printing(self, parts: Sequence[tuple[Document, Sequence[Sheet]]]) -> list[str]:
        sheets = [sheet for _, several in parts for sheet in several]
        with_bar = next((n for n, sheet in enumerate(sheets, self.start + 1) if sheet.marks), self.start + 1)
        backs = {
            "long": "Print on both sides and flip on the long edge. Pages without a back stay white behind.",
            "short": "Print on both sides and flip on the short edge. Pages without a back stay white behind.",
            "gutterfold": "Print on one side. Fronts and backs lie beside a fold.",
            "none": "Print on one side. The pieces have no backs.",
        }[self.options.backs]
        bar = f"{self.style.scale_bar:g} mm"
        return [
            "Print at 100 % (“actual size”), never “fit”.",
            backs,
            f"Print page {with_bar} first and lay a ruler on a scale bar: it measures {bar}, or the dialogue "
            "scaled the page.",
        ]

    def _begun(self, sheet: Sheet, word: Callable[[ResolvedPiece], Word]) -> Counter[Word]:
        """The number of pieces of each sort that begin on a front: a board in pages does so on its first."""
        found: Counter[Word] = Counter()
        for placed in sheet.placements:
            if sheet.side == "front" and not placed.reverse and placed.piece in self.pieces:
                found[word(self.pieces[placed.piece])] += placed.begins
        return found

    def _sleeves(self, parts: Sequence[tuple[Document, Sequence[Sheet]]]) -> Iterator[Sleeves]:
        """For each size of card which sleeves fit, and how many cards of which decks go into them."""
        found: dict[str, Counter[str]] = {}
        for sheet in (sheet for _, sheets in parts for sheet in sheets):
            for (name, deck), number in self._begun(sheet, lambda piece: (piece.format, piece.set_title)).items():
                if self.formats[name].file == CARDS:
                    found.setdefault(name, Counter())[plain(deck)] += number
        for name, decks in found.items():
            fmt = self.formats[name]
            fits = sleeve_for(fmt.w, fmt.h, self.style.sleeves)
            how = f"{fits.w:g} x {fits.h:g} mm ({fits.name})" if fits else "none of the usual sizes fits"
            yield Sleeves(
                f"{fmt.w:g} x {fmt.h:g} mm: {decks.total()}",
                f"{how}; loosely" if fits and fits.loose else how,
                join_and([f"{deck} {number}" for deck, number in decks.items()]),
            )

    def _steps(self, sheets: Sequence[Sheet], before: int) -> Iterator[tuple[Step, _Fold | None]]:
        """For each format of a part how to cut it, and how to fold it."""
        counts: Counter[str] = Counter()
        where: dict[str, list[int]] = {}
        shared: list[int] = []
        in_pages: set[str] = set()
        for n, sheet in enumerate(sheets):
            pages = range(before + n + 1, before + n + 1 + _printed(sheets, n))
            here = self._begun(sheet, lambda piece: piece.format)
            counts += here
            for name in here:
                where.setdefault(name, []).extend(pages)
            if len(here) > 1:
                shared.extend(pages)
            in_pages |= {self.pieces[placed.piece].format for placed in sheet.placements if placed.window is not None}
        if shared:
            how = "hold several kinds: first cut along the long faint lines"
            yield Step("Shared sheets", fronts(shared), how), None
        for name, on in where.items():
            fmt = self.formats[name]
            known = f"{fmt.w:g}" in fmt.title or fmt.fold
            size = "" if known else f", {fmt.w:g} x {fmt.h:g} mm"
            what = f"{fmt.title[:1].upper()}{fmt.title[1:]}{size}"
            fold = fmt.fold or (_STANDEE if fmt.shape == "standee" else _HINGES if name in in_pages else "")
            yield (
                Step(f"{what}: {counts[name]}", fronts(on), _IN_PAGES if name in in_pages else _cutting(fmt)),
                _Fold(what, counts[name], fold) if fold else None,
            )


_IN_PAGES = "page A1 first; cut each further page at its left and upper marks, lay it along the dashed line, glue"
_HINGES = (
    "each page on a board of its own, with a gap beneath every fold (the sizes stand on its pages). Join the pages "
    "of a row; rows that are not joined lie against each other, and the board folds like a map"
)
_STANDEE = "front and back against each other, the feet outward"


def _cutting(fmt: Format) -> str:
    if fmt.shape == "circle":
        return "squares first, from crop mark to crop mark, then the circles from tick to tick"
    if fmt.shape == "hex":
        return "squares first, from crop mark to crop mark, then the corners"
    if fmt.folds or fmt.fold:
        return "score the dashed lines, then cut out along the outline"
    corners = f"; round the corners to {fmt.corner:g} mm" if fmt.corner >= 2 else ""
    return f"from crop mark to crop mark, one way, then the strips{corners}"


def _printed(sheets: Sequence[Sheet], n: int) -> int:
    """The number of printed sides of a sheet whose front is the n-th page."""
    return 1 + (n + 1 < len(sheets) and sheets[n + 1].side == "back" and bool(sheets[n + 1].placements))
