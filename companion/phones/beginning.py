"""A new table on a page: the game, the people, variants, a house rule, a position. When it has begun, its own pages
take the place of this one, and the same link opens them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import msgspec

from companion.engine.errors import CompanionError
from components.errors import DefinitionError
from components.learning import learnt
from components.web.site import Asked, Refused, Site
from components.web.tickets import Tickets

PAGE = Path(__file__).parent / "page"
FILES = {
    "/": "begin.html",
    "/begin.js": "begin.js",
    "/draw.js": "draw.js",
    "/talk.js": "talk.js",
    "/table.css": "table.css",
}
HOLDER = "begins"
MOST = 256 * 1024
"""Bytes of a position and all else that is said."""


class Wanted(msgspec.Struct, forbid_unknown_fields=True):
    """The game that somebody wants to play."""

    game: str
    people: list[str] = []
    """Names, or `SEAT=NAME`."""
    table: str = ""
    variants: list[str] = []
    sets: list[str] = []
    options: list[str] = []
    position: str = ""
    """A position file, as text."""


class Games(Protocol):
    """The command line's knowledge of games. It raises CompanionError and DefinitionError."""

    def offered(self) -> list[dict[str, Any]]:
        """The games there are: `id`, `title`, `about`, `players`, `seats` and `variants` (name -> title)."""
        ...

    def numbers(self, game: str, variants: list[str]) -> list[dict[str, Any]]:
        """The parameters of a game: `name`, `value`, `about`."""
        ...

    def begin(self, wanted: Wanted) -> str:
        """Begin a table and return its name."""
        ...


class Beginning:
    """The site that begins a table. `begun` is called with its name, from a thread of its own."""

    def __init__(self, games: Games, failed: Callable[[BaseException], None], begun: Callable[[str], None]) -> None:
        self.games, self.begun = games, begun
        self.tickets = Tickets()
        self.ticket = self.tickets.new(HOLDER)
        self.site = Site(self.tickets, failed)
        self.table = ""
        for path, name in FILES.items():
            self.site.page(path, PAGE / name)
        self.site.ask("/games", self._told(lambda said: self.games.offered()))
        self.site.say("/numbers", self._told(self._numbers), most=4000)
        self.site.say("/begin", self._told(self._begin), most=MOST)

    def _told(self, work: Callable[[Any], Any]) -> Callable[[Asked], Any]:
        def answer(asked: Asked) -> Any:
            try:
                return work(asked.data)
            except (CompanionError, DefinitionError) as error:
                raise Refused(str(error)) from error
            except msgspec.ValidationError as error:
                raise Refused(f"that cannot be read: {error}") from error

        return answer

    def _numbers(self, said: Any) -> Any:
        wanted = msgspec.convert(said, learnt(Wanted))
        return self.games.numbers(wanted.game, wanted.variants)

    def _begin(self, said: Any) -> Any:
        if self.table:
            raise Refused("a table has begun already", 409)
        self.table = self.games.begin(msgspec.convert(said, learnt(Wanted)))
        self.begun(self.table)
        return {"table": self.table}


__all__ = ["Beginning", "Games", "Wanted"]
