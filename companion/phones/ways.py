"""Services from the command line that need what pages may not know: folders, the generator, other packages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec

from companion.engine.table.houserules import Resolve
from companion.engine.table.table import Load, Table
from companion.phones.scenery import Drawing


class Book(Protocol):
    """A rulebook as pictures of its pages. Any thread may ask."""

    def pages(self, table: Table) -> list[tuple[str, str]]:
        """Digest and title of each page of the book of the table's rules; it may take a while. Raises
        DefinitionError."""
        ...

    def face(self, digest: str) -> bytes | None:
        """A page as WebP; None for no page of a book that was asked for."""
        ...


class Ways(msgspec.Struct, frozen=True, kw_only=True):
    """Functions of the command line. What is None cannot be done."""

    drawing: Drawing | None = None
    resolve: Resolve | None = None
    load: Load | None = None
    summary: Callable[[Table], str] | None = None
    """The table on one page, as text."""
    book: Book | None = None
    colours: dict[str, str] = {}
    """Seat, in small letters -> `#rrggbb` of its pieces."""
    wifi: str = ""
    """The text of a code that joins the Wi-Fi; empty for none."""


__all__ = ["Book", "Ways"]
