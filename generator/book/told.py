"""Questions from a rulebook to any program that can play the game, and the answers: nothing here knows the
companion."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec

from components.book import Book
from components.bookmodel import Example
from components.scene import Played, Scene
from generator.faces.display import DisplayList

FACT = re.compile(r"\{([\w+−-]+(?:\.[\w+−-]+)*)\}")
"""A field of the position in a text of an example."""


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """A position, moves said in it, and what is expected of them. `legal` None: no verdict is expected."""

    table: Played
    moves: list[Any] = []
    legal: bool | None = True
    expect: dict[str, Any] = {}
    score: list[str] = []
    """Players whose score is asked for."""
    totals: dict[str, int] = {}
    """The totals it must add up to."""
    facts: list[str] = []
    """Fields of the position that its words print: after the moves, or before them (`was.…`)."""


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """The answer. `faults` is empty where everything is as expected."""

    before: Played | None = None
    after: Played | None = None
    """The table before and after, as scenes name it; None: the game cannot say its table."""
    said: list[str] = []
    """The moves as they are typed."""
    steps: list[tuple[str, str]] = []
    """Rule and words of each thing that happens, or of each reason against it."""
    score: list[tuple[str, str]] = []
    """Rule and words of each line of the score asked for."""
    facts: dict[str, str] = {}
    """The fields of the position asked for, as they are printed."""
    players: int = 0
    """The number of players at the table."""
    faults: list[str] = []


Teller = Callable[[Ask], Told]
"""Plays what is asked. The command line passes one in that has the companion at hand."""


class Drawing(msgspec.Struct, frozen=True):
    """A picture whose words are shapes, and the faces it uses."""

    drawn: DisplayList
    faces: dict[str, DisplayList]
    seen: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """The part of the table it shows: left, top, right, bottom, in mm of the table."""
    called: tuple[tuple[float, float, float, float], ...] = ()
    """The area that each call-out of a scene with `beside` names, in mm of the picture."""


class Artist(Protocol):
    """Draws scenes and faces, from a cache where it has one."""

    def scene(self, scene: Scene, w: float, h: float) -> Drawing:
        """A scene, whose position it plays, at most so wide and high (mm). Raises DefinitionError."""

    def face(self, piece: str, side: str) -> tuple[str, DisplayList]:
        """The key of a face (`set/piece`; `front` or `back`) and the face, its words as shapes. Raises
        DefinitionError."""


class Asked(msgspec.Struct, frozen=True):
    """A question of an example or a figure in a book, and its name in messages."""

    ask: Ask
    what: str
    fault: str = ""
    """The reason why it cannot be asked."""


def asked(book: Book) -> dict[tuple[Any, ...], Asked]:
    """Path in the book's file -> what the example or figure there asks. An example that follows another begins with
    what was said in that one."""
    found: dict[tuple[Any, ...], Asked] = {}
    ends: dict[str, Played] = {}
    for chapter in book.chapters:
        for placed in chapter.parts:
            part = placed.part
            if part.figure is not None and part.figure.scene.table is not None:
                found[*placed.path, "figure"] = Asked(Ask(table=part.figure.scene.table), "figure")
            if part.example is not None:
                example, what = part.example, f"example “{part.example.title}”"
                table = example.scene.table or Played()
                fault = ""
                if example.follows in ends:
                    table = ends[example.follows]
                elif example.follows:
                    fault = f"it follows “{example.follows}”, and no example before it is called so"
                ends[example.title] = played_on(table, example.moves)
                ask = Ask(table=table, moves=example.moves, **_wanted(example))
                found[*placed.path, "example"] = Asked(ask, what, fault)
    return found


def _wanted(example: Example) -> dict[str, Any]:
    names = ("legal", "expect", "score", "totals")
    words = f"{example.text} {example.say} {example.then}"
    return {"facts": FACT.findall(words), **{name: getattr(example, name) for name in names}}


def with_facts(text: str, facts: Mapping[str, str]) -> str:
    """A text of an example with the fields of the position that it names in braces."""
    return FACT.sub(lambda found: facts.get(found[1], found[0]), text)


def played_on(table: Played, moves: list[Any]) -> Played:
    """The table after these moves: lines are played before moves in their JSON form, so those have to come last."""
    lines = [move for move in moves if isinstance(move, str)] if not table.moves else []
    rest = [move for move in moves[len(lines) :] if isinstance(move, dict)]
    return msgspec.structs.replace(table, lines=[*table.lines, *lines], moves=[*table.moves, *rest])
