"""Scenes: a table, or a part of it, as plain data: which pieces lie where, which side up, and what is said about them.

A game says its table as a scene, and anybody can write one in YAML. Drawing it is the generator's job. Lengths are
millimetres on the table (x to the right, y downward), angles are degrees, clockwise.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

if TYPE_CHECKING:
    from components.yamlsource import Source

Lay = Literal["", "spread", "row", "column", "pile", "fan"]
Point = Annotated[list[float], msgspec.Meta(min_length=2, max_length=2)]
Spot = str | Point
"""`thing`, `thing#anchor`, or `[x, y]` on the table."""


class Said(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Base of every record of a scene."""


class Thing(Said, kw_only=True):
    """One piece that lies on the table, or several alike, or a mat with places for pieces. Either `piece` or `mat`."""

    piece: str = ""
    """`set/piece`, or the id of a piece if no other has it; `set/*`: some piece of the set, which shows its back."""
    mat: str = ""
    """A mat of `layouts/<game>/scenes.yaml`: an area drawn on the table, with places."""
    id: str = ""
    """Its name for references; left out: that of its piece or mat."""
    at: Spot = ""
    """Its place: a place of another thing (`board#Xinjiang.armies`), or its middle in mm. Left out: beside the thing
    before it, in rows."""
    side: Literal["", "front", "back"] = ""
    """The side that lies up; left out: the front, and the back of `set/*`."""
    turn: float = 0.0
    count: Annotated[int, msgspec.Meta(ge=0, le=500)] = 1
    """The number of copies there."""
    lay: Lay = ""
    """The arrangement of several: `pile`: stacked, with their number; left out: separately, as the place arranges
    them."""
    label: str = ""
    """Words below it."""
    fields: dict[str, Any] = {}
    """The fields that a mat prints."""


class Note(Said, kw_only=True):
    """Words on the table. `at` is their middle."""

    text: str
    at: Spot
    width: float = 40.0
    """Lines are broken at this width (mm of the picture)."""


class Call(Said, kw_only=True):
    """A numbered call-out: a disc with a number at a thing or place, and what is said of it."""

    at: Spot
    text: str = ""
    """Said below the picture, or by whoever shows it."""
    n: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0
    """Its number; 0: the one after that of the call-out before it."""
    side: Literal["", "middle", "top", "right", "bottom", "left", "corner"] = ""
    """The place of the number at the thing; left out: at its upper right corner (in a place, at that of the pieces
    that lie there), and in the middle of an empty place."""


class Arrow(Said, kw_only=True):
    """An arrow between two things, places or points. `from` and `to` in YAML."""

    from_: Spot = msgspec.field(name="from")
    to: Spot
    text: str = ""
    bend: float = 0.15
    """The bend to its left, as a part of its length."""


class Mark(Said, kw_only=True):
    """A line around a thing or place, so that it stands out."""

    at: Spot


class Played(Said, kw_only=True):
    """A position of the game: the companion plays it, and the scene begins with the table it leads to."""

    position: dict[str, Any] = {}
    """A position file; what it leaves out takes its default."""
    seats: list[str] = []
    """Players of a new table, instead of a position."""
    options: dict[str, Any] = {}
    """Options of a new table, as for `companion new --option`."""
    lines: list[str] = []
    """Lines as they are typed, played in order."""
    moves: list[dict[str, Any]] = []
    """Moves in their JSON form, played after the lines."""
    set: dict[str, Any] = {}
    """Parameters as given with `--set`."""
    variants: list[str] = []


class Scene(Said, kw_only=True):
    """The layout of a table."""

    title: str = ""
    """The title of the picture, which screen readers read."""
    caption: str = ""
    """Words below the picture."""
    table: Played | None = None
    """A position of the game, whose pieces lie there before those of `pieces`."""
    pieces: list[Thing] = []
    notes: list[Note] = []
    calls: list[Call] = []
    arrows: list[Arrow] = []
    marks: list[Mark] = []
    hide: list[str] = []
    """Things that are left out, with everything that lies on them."""
    crop: str | list[str | float] = ""
    """Show only this: a thing, a place, several of them, or `[x, y, w, h]` in mm."""
    margin: float = 8.0
    """Table around what is shown (mm of the table)."""
    grid: str = ""
    """A thing whose places are called by a letter and a number (`a1`): the letters of the columns that are shown stand
    at the upper edge of the picture, the numbers of the rows at the left."""
    ground: str = "scene-table"
    """Colour of the table: a colour of `layouts/scenes.yaml` or of the game's theme; `none`: no ground."""
    width: float = 0.0
    """Things without a place are laid in rows as wide as this; 0: so that the whole is about half as wide again as
    high."""
    gap: float = 8.0
    """Between things without a place."""
    scale: Annotated[float, msgspec.Meta(gt=0, le=10)] = 1.0
    """1 shows pieces life-size."""
    beside: bool = False
    """True if the program that shows the picture draws the call-outs beside it."""
    legend: bool = False
    """True if the words of the call-outs stand below the picture."""


def read_scene(file: Path, name: str = "", inside: Path | None = None) -> tuple[Scene, Source]:
    """A scene as it stands in a YAML file, and the source that knows its places.

    `name` is how messages call the file; `inside`: the folder it has to lie in. Raises DefinitionError with the place
    of everything that is wrong in it.
    """
    from components.errors import DefinitionError
    from components.validate import convert_source
    from components.yamlsource import read_yaml

    source = read_yaml(file, name or str(file), inside)
    scene, problems = convert_source(source, Scene)
    if scene is None or problems:
        raise DefinitionError(problems)
    return scene, source


def scene_key(scene: Scene) -> str:
    """A digest of all that a scene says: equal scenes have equal keys."""
    return hashlib.sha256(msgspec.json.encode(scene)).hexdigest()[:24]


def split_spot(spot: str) -> tuple[str, str]:
    """`board#Xinjiang.armies` as thing and anchor; the anchor is empty where none is named."""
    thing, _, anchor = spot.partition("#")
    return thing, anchor


__all__ = [
    "Arrow",
    "Call",
    "Lay",
    "Mark",
    "Note",
    "Played",
    "Point",
    "Scene",
    "Spot",
    "Thing",
    "read_scene",
    "scene_key",
    "split_spot",
]
