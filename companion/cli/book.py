"""The rulebook as pictures of its pages, by the rules of the table. The generator is imported when it is opened."""

from __future__ import annotations

import hashlib
import io
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.engine.table.table import Table
    from components.model import ResolvedGame

DPI = 150.0
QUALITY = 70


class BookPages:
    """The books of the games that were asked for, made once for each fingerprint."""

    def __init__(self) -> None:
        self._one = threading.Lock()
        self._books: dict[str, tuple[Any, list[tuple[str, str]]]] = {}
        """Fingerprint -> the PDF, and digest and title of each page."""
        self._known: dict[str, tuple[str, int]] = {}
        self._drawn: dict[str, bytes] = {}

    def pages(self, table: Table) -> list[tuple[str, str]]:
        """Digest and title of each page; a book that was not asked for before takes some seconds. Raises
        DefinitionError."""
        game = table.rules.game
        with self._one:
            if game.fingerprint not in self._books:
                self._books[game.fingerprint] = self._made(game)
            return self._books[game.fingerprint][1]

    def face(self, digest: str) -> bytes | None:
        """A page as WebP."""
        with self._one:
            if digest not in self._drawn and digest in self._known:
                fingerprint, number = self._known[digest]
                page = self._books[fingerprint][0][number]
                content = io.BytesIO()
                page.render(scale=DPI / 72).to_pil().convert("RGB").save(content, "WEBP", quality=QUALITY, method=3)
                self._drawn[digest] = content.getvalue()
            return self._drawn.get(digest)

    def _made(self, game: ResolvedGame) -> tuple[Any, list[tuple[str, str]]]:
        import pypdfium2

        from companion.cli.common import Settings
        from generator.backends.pdf import write_pdf
        from generator.book.booklet import reading
        from generator.build.project import read_layouts
        from generator.cli.bookmaking import made_book
        from generator.cli.common import settings

        settings.choose(Settings.root)
        layouts = read_layouts(game.id, settings.places)
        book, fonts = made_book(game, layouts.papers["a4"], "normal", layouts=layouts)
        pages = {f"page-{n:02}": page for n, page in enumerate(book.pages, 1)}
        sheets = reading(list(pages), book.w, book.h, book.title)
        pdf = write_pdf(sheets, {**pages, **book.faces}, fonts=fonts, title=book.title)
        begins: dict[int, str] = {}
        for chapter, page in book.contents.items():
            begins.setdefault(page, chapter)
        rows = []
        for n in range(len(book.pages)):
            digest = hashlib.sha256(f"book {game.fingerprint} {n}".encode()).hexdigest()[:24]
            self._known[digest] = game.fingerprint, n
            rows.append((digest, begins.get(n + 1, "")))
        return pypdfium2.PdfDocument(pdf), rows


__all__ = ["BookPages"]
