"""The rulebook as pictures of its pages, by the rules of the table.

The generator makes it in a process of its own (`python -m companion.cli.book`): it takes some seconds and more memory
than all else that `companion serve` does.
"""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import msgspec

from companion.cli.common import Failure, Settings
from components.cache import decode_game, encode_game

if TYPE_CHECKING:
    from companion.engine.table.table import Table
    from components.model import ResolvedGame

DPI = 150.0
QUALITY = 70
PATIENCE = 180
"""Seconds after which a book is given up."""


class Made(msgspec.Struct):
    """A book: its PDF, the title of the chapter that begins on each page, and what is wrong if there is none."""

    pdf: bytes = b""
    titles: list[str] = []
    problem: str = ""


class BookPages:
    """The books of the games that were asked for, made once for each fingerprint."""

    def __init__(self) -> None:
        self._one = threading.Lock()
        self._books: dict[str, tuple[Any, list[tuple[str, str]]]] = {}
        """Fingerprint -> the PDF, and digest and title of each page."""
        self._known: dict[str, tuple[str, int]] = {}
        self._drawn: dict[str, bytes] = {}

    def pages(self, table: Table) -> list[tuple[str, str]]:
        """Digest and title of each page; a book that was not asked for before takes some seconds. Raises Failure."""
        game = table.rules.game
        with self._one:
            if game.fingerprint not in self._books:
                self._books[game.fingerprint] = self._opened(game)
            return self._books[game.fingerprint][1]

    def face(self, digest: str) -> bytes | None:
        """A page as WebP."""
        with self._one:
            if digest not in self._drawn and digest in self._known:
                fingerprint, number = self._known[digest]
                page = self._books[fingerprint][0][number]
                content = io.BytesIO()
                page.render(scale=DPI / 72).to_pil().convert("RGB").save(content, "WEBP", quality=QUALITY, method=3)
                page.close()
                self._drawn[digest] = content.getvalue()
            return self._drawn.get(digest)

    def _opened(self, game: ResolvedGame) -> tuple[Any, list[tuple[str, str]]]:
        import pypdfium2

        command = [sys.executable, "-m", "companion.cli.book", str(Settings.root or "")]
        try:
            said = subprocess.run(command, input=encode_game(game), capture_output=True, timeout=PATIENCE, check=True)
            made = msgspec.msgpack.decode(said.stdout, type=Made)
        except (OSError, subprocess.SubprocessError, msgspec.MsgspecError):
            raise Failure("the rulebook could not be made; `pnp rulebook` says why") from None
        if made.problem:
            raise Failure(made.problem)
        rows = []
        for n, title in enumerate(made.titles):
            digest = hashlib.sha256(f"book {game.fingerprint} {n}".encode()).hexdigest()[:24]
            self._known[digest] = game.fingerprint, n
            rows.append((digest, title))
        return pypdfium2.PdfDocument(made.pdf), rows


def make(game: ResolvedGame) -> Made:
    """Make the book of a game."""
    from components.errors import DefinitionError
    from generator.backends.pdf import write_pdf
    from generator.book.booklet import reading
    from generator.build.project import read_layouts
    from generator.cli.bookmaking import made_book
    from generator.cli.common import settings

    settings.choose(Settings.root)
    try:
        layouts = read_layouts(game.id, settings.places)
        book, fonts = made_book(game, layouts.papers["a4"], "normal", layouts=layouts)
    except DefinitionError as error:
        return Made(problem=str(error))
    pages = {f"page-{n:02}": page for n, page in enumerate(book.pages, 1)}
    sheets = reading(list(pages), book.w, book.h, book.title)
    pdf = write_pdf(sheets, {**pages, **book.faces}, fonts=fonts, title=book.title)
    begins: dict[int, str] = {}
    for chapter, page in book.contents.items():
        begins.setdefault(page, chapter)
    return Made(pdf, [begins.get(n, "") for n in range(1, len(book.pages) + 1)])


def main() -> None:
    """Read a resolved game from standard input and write its book to standard output; the project is an argument."""
    from pathlib import Path

    Settings.root = Path(sys.argv[1]) if sys.argv[1:] and sys.argv[1] else None
    made = make(decode_game(sys.stdin.buffer.read()))
    sys.stdout.buffer.write(msgspec.msgpack.encode(made))


if __name__ == "__main__":
    main()

__all__ = ["BookPages", "make"]
