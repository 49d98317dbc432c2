"""The table as it lies there: pictures, and what can be said of a piece that somebody touches.

Pictures are made from what everybody may see. What a piece lets a seat do is made from the menu of that seat.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any, Protocol

from companion.engine.answers import ask
from companion.engine.decisions.drafts import draft
from companion.engine.decisions.fields import Field
from companion.engine.decisions.menus import menu
from companion.engine.errors import CompanionError
from companion.engine.play.position import Position, Rules
from companion.engine.play.secrets import seen_by
from companion.engine.table.table import Table
from companion.phones.host import Host
from components.errors import DefinitionError
from components.model import ResolvedPiece
from components.web.site import Asked, Refused

MOST_PLACES = 400
"""Places that a page asks for at once."""
RULES = 4
"""Rules shown with a piece."""


class Drawing(Protocol):
    """A drawer of tables. Any thread may call it."""

    def lying(self, at: Position[Any]) -> dict[str, Any] | None:
        """The place of everything: `box`, `ground`, `faces`, `things` and `laid`; None for a game without a scene.
        Raises DefinitionError."""
        ...

    def areas(self, names: list[str]) -> dict[str, list[float]]:
        """The areas of places on the table that was laid last: middle, size and turn."""
        ...

    def face(self, digest: str) -> bytes | None:
        """A face as WebP, by the digest of what it shows; None for what no table has shown."""
        ...


class Scenery:
    """The requests of pages about the table as a picture."""

    def __init__(self, host: Host, drawing: Drawing | None) -> None:
        self.host = host
        self.drawing = drawing
        self._laying = threading.Lock()
        self._laid: tuple[int, Any] = (-1, None)
        """The last table: the number of its position, and how it lay."""

    @property
    def drawn(self) -> bool:
        """True if there is a picture of the table."""
        return self.drawing is not None

    def scene(self, asked: Asked, seat: str) -> Any:
        """The place of everything, as everybody may see it. The table does not wait for it."""
        if self.drawing is None:
            raise Refused("this game draws no scene", 404)
        number, at, people = self.host.run(lambda table: (table.history.last, seen_by(table.position, ""), table.named))
        with self._laying:
            if self._laid[0] != number:
                try:
                    laid = self.drawing.lying(at) or {}
                except DefinitionError as error:
                    raise Refused(str(error)) from error
                for thing in laid.get("things", ()):
                    thing[2] = people.called(thing[2]) if thing[2] in at.seats else people.text(thing[2])
                self._laid = number, laid
            own = at.rules.places.get("seat", "").format(v=seat, seat=seat) if seat else ""
            return {"number": number, "mine": own, **self._laid[1]}

    def places(self, asked: Asked, seat: str) -> Any:
        """The areas of some places on the table, by their names."""
        names = asked.data.get("names") if isinstance(asked.data, dict) else None
        if not isinstance(names, list) or len(names) > MOST_PLACES or not all(isinstance(one, str) for one in names):
            raise Refused("places are asked for by their names")
        self.scene(asked, seat)
        return self.drawing.areas(names) if self.drawing is not None else {}

    def piece(self, asked: Asked, seat: str) -> Any:
        """The name of a touched thing, and the moves it offers to the seat."""
        said = asked.data if isinstance(asked.data, dict) else {}
        thing, piece = said.get("thing"), said.get("piece")
        if not (isinstance(thing, str) and isinstance(piece, str) and len(thing) + len(piece) <= 400):
            raise Refused("which piece?")

        def told(table: Table) -> dict[str, Any]:
            return {
                **about(table.rules, piece),
                "can": [row for row in self._touching(table, seat) if row["place"].partition("#")[0] == thing],
            }

        return self.host.run(told)

    def _touching(self, table: Table, seat: str) -> list[dict[str, Any]]:
        if not seat:
            return []
        found: list[dict[str, Any]] = self.host.kept(("touching", seat), lambda at: list(touching(at, seat)), table)
        return found


def touching(table: Table, seat: str) -> Iterator[dict[str, Any]]:
    """The moves that a seat can begin by touching something: verbs whose first question is answered by a place of the
    scene."""
    for whose in (seat, ""):
        shown = menu(table.position, whose, table.named)
        for verb in (*shown.verbs, *shown.offers):
            if verb.standing not in ("legal", "incomplete"):
                continue
            made = draft(table.position, whose, table.named)
            try:
                field = made.begin(verb.name)
            except CompanionError:
                continue
            if not isinstance(field, Field):
                continue
            how = "add" if field.kind in ("several", "pairs") else "take"
            for value in field.form()["values"]:
                if value.get("place"):
                    row = {"place": value["place"], "verb": verb.name, "label": verb.label, "table": not whose}
                    row |= {"how": how, "value": value["value"], "what": value["label"], "legal": value["legal"]}
                    yield row | ({"reasons": value["reasons"]} if "reasons" in value else {})


def about(rules: Rules, called: str) -> dict[str, Any]:
    """The printed contents of a piece (`set/piece`, `set/*`), and the rules that mention it."""
    game = rules.game
    kind, _, one = called.partition("/")
    some = [piece for piece in game.pieces if piece.set == kind and one in ("*", piece.id)]
    if not some:
        return {"name": "", "set": "", "text": "", "rules": []}
    piece = some[0]
    if one == "*":
        return {"name": piece.set_title, "set": "", "text": "", "rules": _rules(rules, None, piece.set_title)}
    return {
        "name": piece.name,
        "set": piece.set_title,
        "text": piece.text,
        "flavour": piece.flavour,
        "rules": _rules(rules, piece, piece.name),
    }


def _rules(rules: Rules, piece: ResolvedPiece | None, words: str) -> list[dict[str, str]]:
    game = rules.game
    ids = [piece.rule] if piece is not None and piece.rule else []
    ids += [rule for found in ask.search(game, words, RULES) if found.kind == "rule" for rule in found.rules]
    return [{"id": one, "title": game.rules[one].title} for one in dict.fromkeys(ids) if one in game.rules][:RULES]


__all__ = ["Drawing", "Scenery", "about", "touching"]
