"""The rulebook of one edition of a game: `rulebook.yaml` with today's numbers, without what the edition leaves out.

rulebook.yaml (`BookFile`) + ResolvedGame -> Book
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from components.bookmodel import BookFile, BoxItem, Chapter, Part, Reference, Table
from components.effects import Vocabulary
from components.errors import DefinitionError, Problem
from components.loader import Definition, game_folder
from components.model import ResolvedGame, ResolvedPiece, VariantFile, VocabularyFile
from components.projects import project_root
from components.texts import Texts

if TYPE_CHECKING:
    from components.yamlsource import Source

FILE = "rulebook.yaml"
T = TypeVar("T")
PathKey = tuple[Any, ...]
FOR_EACH = {"when", "line", "row"}
"""Fields that are no texts as they stand: a condition, and what is printed once for each piece."""
LINE = "**{{ this.name }}**{% if this.count > 1 %} ×{{ this.count }}{% endif %}  {{ this.text }}"
"""The default line of a piece in a list."""


class PlacedPart(msgspec.Struct, frozen=True):
    """A part of a chapter, and where it stands in the file."""

    part: Part
    path: PathKey = ()
    lines: list[str] = []
    """The lines of a list of pieces."""


class BookChapter(msgspec.Struct, frozen=True, kw_only=True):
    """A chapter as it is printed."""

    title: str
    begins: str = "here"
    columns: int = 1
    learn: bool = False
    """True if it belongs to the part of the book that teaches."""
    parts: list[PlacedPart]


class Book(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a rulebook. `source` knows the places of its parts; None: the game has no `rulebook.yaml`."""

    chapters: list[BookChapter]
    reference: Reference | None = None
    index: dict[str, list[str]] = {}
    spare: list[str] = []
    variants: dict[str, tuple[str, str, dict[str, Any]]] = {}
    """Id of a variant -> its title, what it changes, and the parameters it sets, for those that the book tells of."""
    source: Any = None

    def problem(self, code: str, what: str, path: PathKey, hint: str = "") -> Problem:
        """A problem in the file of the book, with its place."""
        if self.source is None:
            return Problem(code=code, what=what, hint=hint)
        found: Problem = self.source.problem(code, what, path, hint=hint)
        return found


def book_of(game: ResolvedGame, root: Path | None = None) -> Book:
    """The book of an edition of a game. Raises `DefinitionError` with everything that is wrong in its file."""
    root = root or project_root()
    path = game_folder(game.id, root) / FILE
    if not path.is_file():
        return default_book(game)
    from components.validate import convert_source
    from components.yamlsource import read_yaml

    source = read_yaml(path, path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path), root)
    written, problems = convert_source(source, BookFile)
    if written is None or problems:
        raise DefinitionError(problems)
    book, problems = edition(written, source, game)
    if problems:
        raise DefinitionError(problems)
    named = {name for chapter in book.chapters for placed in chapter.parts for name in placed.part.variants}
    return msgspec.structs.replace(book, variants=dict(_variants(path.parent, named, root))) if named else book


def book_from(definition: Definition, game: ResolvedGame) -> Book:
    """The book of an edition whose files were read already, and are in order."""
    if definition.book is None:
        return default_book(game)
    book, _ = edition(definition.book, definition.source(FILE), game)
    return msgspec.structs.replace(
        book,
        variants={
            name: (variant.title, variant.about, variant.parameters) for name, variant in definition.variants.items()
        },
    )


def _variants(folder: Path, named: set[str], root: Path) -> Iterator[tuple[str, tuple[str, str, dict[str, Any]]]]:
    """The descriptions in the files of these variants. Raises `DefinitionError`."""
    from components.validate import convert_source
    from components.yamlsource import read_yaml

    for name in sorted(named):
        variant, problems = convert_source(read_yaml(folder / "variants" / f"{name}.yaml", inside=root), VariantFile)
        if variant is None or problems:
            raise DefinitionError(problems)
        yield name, (variant.title, variant.about, variant.parameters)


def edition(written: BookFile, source: Source, game: ResolvedGame) -> tuple[Book, list[Problem]]:
    """The book as this edition of the game prints it, and what is wrong with its texts."""
    problems: list[Problem] = []
    work = _Edition(source, Texts(game.params, _names(game), problems), game.pieces)
    chapters = [
        BookChapter(
            title=work.texts.text(chapter.title, source, (*path, "title")),
            begins=chapter.begins,
            columns=chapter.columns,
            learn=path[0] == "learn",
            parts=[
                PlacedPart(work.rendered(part, at), at, list(work.lines(part, at)))
                for n, part in enumerate(chapter.parts)
                for at in [(*path, "parts", n)]
                if work.printed(part, at)
            ],
        )
        for chapter, path in _chapters(written)
        if work.printed(chapter, path)
    ]
    made = Book(
        chapters=[chapter for chapter in chapters if chapter.parts],
        reference=written.reference,
        index=written.index,
        spare=written.spare,
        source=source,
    )
    return made, problems


def default_book(game: ResolvedGame) -> Book:
    """The book of a game without a `rulebook.yaml`: the box, its sections, its questions."""
    sets = dict.fromkeys(piece.set for piece in game.pieces if piece.copies)
    items = [BoxItem(sets=[name]) for name in sets]
    chapters = [BookChapter(title="In the box", parts=[PlacedPart(Part(contents=items))])] if items else []
    if game.overview:
        chapters.insert(0, BookChapter(title="Overview", parts=[PlacedPart(Part(overview=True))]))
    chapters += [BookChapter(title=name, parts=[PlacedPart(Part(section=name))]) for name in game.sections]
    if game.rulings:
        chapters.append(BookChapter(title="Questions", columns=2, parts=[PlacedPart(Part(questions=["all"]))]))
    return Book(chapters=chapters)


def _names(game: ResolvedGame) -> dict[str, Any]:
    """The names that a book's texts can use: parameters, players, modules, and the pieces."""
    from components.placeholders import TemplateFault, scope

    texts: dict[str, str] = {}
    counts: dict[str, int] = {}
    for piece in game.pieces:
        texts[f"{piece.set}/{piece.id}"] = piece.text
        counts[f"{piece.set}/{piece.id}"] = piece.copies
        counts[piece.set] = counts.get(piece.set, 0) + piece.copies

    def looked_up(found: Mapping[str, Any], what: str) -> Any:
        def look(name: str) -> Any:
            if name not in found:
                raise TemplateFault("DEF-047", f"there is no {what} '{name}'", "", str(name))
            return found[name]

        return look

    names = scope(game.params, game.players[1], game.modules)
    names.update(effect=looked_up(texts, "piece"), copies=looked_up(counts, "piece or set"), own={})
    vocabulary = Vocabulary(VocabularyFile(verbs=game.verbs))

    def says(benefit: Mapping[str, Any]) -> str:
        """A benefit of a field in words, as part of a sentence."""
        tree = vocabulary.parse(dict(benefit), lambda *args, **more: None)
        said = (vocabulary.phrase((effect,), names).rstrip(".") for effect in tree)
        return ", ".join(f"{words[:1].lower()}{words[1:]}" for words in said)

    names["says"] = says
    return names


def listed(pieces: Sequence[ResolvedPiece], sets: Sequence[str]) -> Iterator[tuple[ResolvedPiece, int]]:
    """The pieces of these sets that a list names, with how many there are: those alike once, of those that players own
    the pieces of one player, and pieces without copies only where their whole set stands on another piece."""
    for name in sets:
        mine = [piece for piece in pieces if piece.set == name]
        mine = [piece for piece in mine if piece.copies] or mine
        owner = mine[0].seat if mine else ""
        found: dict[tuple[str, str, str], tuple[ResolvedPiece, int]] = {}
        for piece in (piece for piece in mine if piece.seat == owner):
            key = piece.name, piece.text, repr(piece.fields)
            first, copies = found.get(key, (piece, 0))
            found[key] = first, copies + piece.copies
        yield from found.values()


def _seen(piece: ResolvedPiece, count: int) -> dict[str, Any]:
    """A piece as `this` in the template of a list."""
    text = " ".join(piece.text.split())
    return {"id": piece.id, "name": piece.name, "text": text, "fields": piece.fields, "count": count}


class _Edition:
    """Puts numbers into the texts of records and drops what is not printed."""

    def __init__(self, source: Source, texts: Texts, pieces: Sequence[ResolvedPiece]) -> None:
        self.source = source
        self.texts = texts
        self.pieces = pieces

    def printed(self, record: Any, path: PathKey) -> bool:
        """True if the `when` of a record holds, or it has none."""
        when = getattr(record, "when", "")
        return not when or bool(self.texts.expression(when, self.source, (*path, "when")))

    def rendered(self, record: T, path: PathKey) -> T:
        """A record with its texts rendered and what its edition leaves out dropped."""
        changed = {}
        for name in record.__struct_fields__:  # type: ignore[attr-defined]
            value = getattr(record, name)
            if name not in FOR_EACH:
                changed[name] = self._value(value, (*path, name))
        if isinstance(record, Table) and record.each:
            changed["rows"] += list(self._rows(record, path))
        made: T = msgspec.structs.replace(record, **changed)  # type: ignore[type-var]
        return made

    def lines(self, part: Part, path: PathKey) -> Iterator[str]:
        """The printed lines of a list of pieces."""
        for piece, count in listed(self.pieces, part.cards):
            with self.texts.naming("this", _seen(piece, count)):
                yield self.texts.text(part.line or LINE, self.source, (*path, "line" if part.line else "cards"))

    def _rows(self, table: Table, path: PathKey) -> Iterator[list[str]]:
        """The rows that a table has for pieces."""
        for piece, count in listed(self.pieces, table.each):
            with self.texts.naming("this", _seen(piece, count)):
                yield [self.texts.text(cell, self.source, (*path, "row", n)) for n, cell in enumerate(table.row)]

    def _value(self, value: Any, path: PathKey) -> Any:
        if isinstance(value, str):
            return self.texts.text(value, self.source, path)
        if isinstance(value, dict):
            return self.texts.value(value, self.source, path)
        if isinstance(value, msgspec.Struct):
            return self.rendered(value, path)
        if isinstance(value, list):
            return [self._value(item, (*path, i)) for i, item in enumerate(value) if self.printed(item, (*path, i))]
        return value


def _chapters(written: BookFile) -> Iterator[tuple[Chapter, PathKey]]:
    """The chapters of both parts with their paths in the file."""
    for name in ("learn", "chapters"):
        for i, chapter in enumerate(getattr(written, name)):
            yield chapter, (name, i)


def parts_of(written: BookFile) -> Iterator[tuple[Part, PathKey]]:
    """Every part of the chapters as written, with its path in the file."""
    for chapter, path in _chapters(written):
        for n, part in enumerate(chapter.parts):
            yield part, (*path, "parts", n)


__all__ = ["Book", "BookChapter", "PlacedPart", "book_of", "default_book", "edition", "parts_of"]
