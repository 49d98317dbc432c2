"""`check`: everything that can be wrong with a game and its look, found before anything is printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from components.book import Book, book_from
from components.checks import FurtherCheck, piece_place
from components.errors import DefinitionError, Problem, SetError, in_order
from components.files import digest, digest_all
from components.loader import Definition
from components.model import ResolvedGame, ResolvedPiece
from components.phrasing import did_you_mean
from components.resolve import resolve_game
from generator.book.design import BookLook
from generator.build.drawing import merged, relabelled
from generator.build.facecache import FaceCache, FaceKeys
from generator.build.incremental import program_digest
from generator.build.pieceplaces import with_places
from generator.build.places import Places, look_files
from generator.build.project import Layouts, read_book_look, read_layouts, read_scene_look
from generator.build.scenes import check_mats
from generator.build.unused import unused_styles
from generator.faces.facemaker import FaceError
from generator.faces.fonts import FontError
from generator.proofing.bars import Standard, read_standard
from generator.proofing.report import INKS, Memory, Row, Side, look_at_decks, look_over, problems
from generator.sheets.impose import ImposeError, Item, impose
from generator.sheets.marks import FONT

PAPERS = ("a4", "letter")
BOOKLET = (148.5, 210.0)
"""Width and height of the pages on which the rulebook is tried: those of a booklet of A4."""
UNPRINTED = "-"
"""Marks what was drawn, but not held to the bars."""


def check_game(
    name: str,
    places: Places,
    variants: Sequence[str] = (),
    sets: Mapping[str, Any] | None = None,
    reading: Sequence[FurtherCheck] = (),
) -> list[Problem]:
    """Every problem and warning of a game: its definition, its layouts and each face in both inks, in every variant,
    and in what `variants` together and `sets` make of it; what falls short of the bars of `layouts/checks.yaml` is a
    warning. `reading` are checks of the whole game where its files are in
    order. Raises SetError for variants and settings the game does not have."""
    from components.checks import check_game as check_definition

    try:
        layouts = read_layouts(name, places)
        scenes = read_scene_look(name, places, layouts)
        book = read_book_look(name, places, layouts)
        held = Faces(name, places, layouts, read_standard(name, places.layouts))
    except DefinitionError as error:
        return [*error.problems, *check_definition(name, places.project, reading=reading)]
    seen: set[Problem] = set()
    places_told: set[tuple[str, str, int, int]] = set()
    """The places at which the faces of the base game, or of an earlier variant, have a fault already."""
    books: list[tuple[ResolvedGame, Definition]] = []
    """The base game, if its files are in order."""

    def faces(definition: Definition, game: ResolvedGame) -> Iterable[Problem]:
        if not game.variants:
            books.append((game, definition))
        unknown = dict(unknown_names(definition, game, layouts))
        yield from unknown.values()
        drawn = [piece for piece in game.pieces if f"{piece.set}/{piece.id}" not in unknown]
        its_faces = held.check(msgspec.structs.replace(game, pieces=drawn))
        told = set(places_told)
        for problem in (*with_places(its_faces, definition), *check_mats(game, layouts, scenes)):
            place = (problem.code, problem.file, problem.line, problem.column)
            if problem not in seen and place not in told:
                seen.add(problem)
                places_told.add(place)
                yield problem

    try:
        found = check_definition(name, places.project, [faces], reading, places.resolved)
        if any(problem.severity == "error" for problem in found):
            return found
        for game, definition in books:
            found += [*held.fonts(book), *held.book(game, book_from(definition, game), book)]
            found += unused_styles(definition, places, {*book.design.styles, *scenes.design.styles})
        if any(problem.severity == "error" for problem in found):
            return in_order(found)
        if not variants and not sets:
            return in_order([*found, *held.short()])
        try:
            game = resolve_game(name, variants=variants, sets=sets, root=places.project, cache_dir=places.resolved)
        except SetError:
            raise
        except DefinitionError as error:
            return [*found, *error.problems]
        further = [problem for problem in held.check(game) if problem not in seen]
        return in_order([*found, *further, *held.short()])
    finally:
        held.remember()


def unknown_names(definition: Definition, game: ResolvedGame, layouts: Layouts) -> Iterator[tuple[str, Problem]]:
    """Pieces (`set/piece`) whose format or face template does not exist, each with the problem where it is named."""
    faces = layouts.look.faces
    for piece in game.pieces:
        for key, known in (("format", layouts.formats), ("face", faces), ("back", faces)):
            name = getattr(piece, key)
            if not name or name in known:
                continue
            what = f"there is no piece format '{name}'"
            hint = did_you_mean(name, known)
            if key != "format":
                what = f"there is no face template '{name}' ({layouts.look.place}/faces/{name}.yaml)"
                hint = hint or did_you_mean(name, known, listing="there are") or "write it"
            elif not hint:
                hint = "docs/formats.md lists the formats; one of your own goes into layouts/formats.yaml"
            source, path = piece_place(definition, piece.set, piece.id, key)
            yield f"{piece.set}/{piece.id}", source.problem("LAY-003", what, path, hint=hint)


class Faces:
    """Draws the faces of a game in both inks, variant after variant, and holds them to the bars. A face that depends on
    nothing that differs from an earlier variant is not drawn again."""

    def __init__(self, name: str, places: Places, layouts: Layouts, standard: Standard) -> None:
        self.name, self.places = name, places
        self.layouts = layouts
        self.standard = standard
        program = program_digest()
        mark = digest(repr((program, standard.bars)).encode())
        self.memory = Memory(places.checked(name), mark)
        self.program = program
        self.cache = FaceCache(places.templates(name), layouts.look.root)  # of templates; faces are not kept
        self.rows: list[Row] = []

    def check(self, game: ResolvedGame) -> Iterable[Problem]:
        """The problems that keep a game's faces from being drawn, or its pieces from sharing common papers. Findings
        below the bars are kept in `rows`."""
        sides: list[Side] = []
        faulty: dict[str, Sequence[Problem]] = {}
        alike: dict[str, list[ResolvedPiece]] = {}
        makers = {ink: self.layouts.faces(game, ink) for ink in INKS}
        keys: dict[str, dict[tuple[str, str], str]] = {ink: {} for ink in INKS}
        for ink, maker in makers.items():
            maker.kit.origins = {}
            maker_keys = FaceKeys(game, self.layouts, self.program, ink, self.cache)
            for piece in game.pieces:
                for back, template in enumerate((piece.face, piece.back)):
                    if not template:
                        continue
                    key = f"{maker_keys.key(piece, template)}{back}{'' if piece.copies else UNPRINTED}"
                    keys[ink][f"{piece.set}/{piece.id}", template] = key
                    if key in alike:
                        alike[key].append(piece)
                        continue
                    if self.memory.knows(key):
                        continue
                    self.memory.looked(key)
                    alike[key] = [piece]
                    try:
                        face = maker.back(piece) if back else maker.front(piece)
                    except FaceError as error:
                        faulty[key] = error.problems
                        continue
                    assert face is not None
                    sides.append(Side(key, alike[key], ink, template, bool(back), face))
        self.rows += look_over(sides, makers, self.layouts.formats, self.standard, self.memory)
        faults = [
            fault
            for key, found in faulty.items()
            for piece in alike[key]
            for fault in relabelled(found, alike[key][0], piece)
        ]
        yield from merged(dict.fromkeys(faults))
        if faults:
            return
        for ink, maker in makers.items():
            self.rows += look_at_decks(game, maker, keys[ink], ink, self.standard, self.memory)
        yield from self._papers(game)

    def _papers(self, game: ResolvedGame) -> Iterable[Problem]:
        layouts = self.layouts
        by_format: dict[str, list[Item]] = {}
        for piece in game.pieces:
            if piece.format in layouts.formats:
                by_format.setdefault(piece.format, []).append(Item(f"{piece.set}/{piece.id}", "front"))
        stacks = [(layouts.formats[name], items) for name, items in by_format.items()]
        alone = msgspec.structs.replace(layouts.sheets, share=False)
        try:
            font = layouts.sheet_fonts[FONT]
        except FontError as error:
            yield Problem(code=error.code, what=error.what, file="layouts/sheets.yaml")
            return
        said = repr((game.title, [(fmt, len(items)) for fmt, items in stacks], alone, font.digest))
        for paper in PAPERS:
            key = digest(f"papers {said} {layouts.papers[paper]}".encode())
            if self.memory.knows(key):
                continue
            self.memory.looked(key)
            try:
                impose(game.title, stacks, layouts.papers[paper], "none", alone, font)
            except ImposeError as error:
                yield from error.problems
            else:
                self.memory.fine(key)

    def fonts(self, book: BookLook) -> Iterable[Problem]:
        """Fonts of the faces, the sheets and the rulebook that no document can hold."""
        fonts = self.layouts.sheet_fonts.and_also(book.fonts.addresses)
        key = digest(f"fonts {fonts.digest}".encode())
        if self.memory.knows(key):
            return
        self.memory.looked(key)
        from generator.backends.pdffonts import not_embeddable

        sound = True
        for name, error in not_embeddable(fonts):
            sound = False
            what = f"font '{name}': {error.what}"
            yield Problem(code=error.code, what=what, file=f"{self.layouts.look.place}/theme.yaml")
        if sound:
            self.memory.fine(key)

    def book(self, game: ResolvedGame, content: Book, look: BookLook) -> Iterable[Problem]:
        """The problems that keep the rulebook from being set."""
        said = repr((game.fingerprint, look.design, look.own, look.look.theme, self.standard.bars))
        files = digest_all(look_files(self.places, self.name))
        key = digest(
            f"book {said} {files} {self.program} {content.source and digest(content.source.text.encode())}".encode()
        )
        if self.memory.knows(key):
            return
        self.memory.looked(key)
        from generator.book.rulebook import faults

        found = faults(game, *BOOKLET, look, content)
        yield from found
        if not found:
            self.memory.fine(key)

    def short(self) -> list[Problem]:
        """The findings below the bars that are not accepted, as warnings; and the acceptances that match nothing."""
        used: set[int] = set()
        found = problems(self.rows, self.standard, used)
        return [*found, *self.standard.unused(used)]

    def remember(self) -> None:
        """Keep what was found in order, whatever else was not."""
        self.memory.save()
        self.cache.save()
