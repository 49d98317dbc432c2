"""Declarations of a state's fields: texts that are names, the bounds of a number, mappings with an entry for each seat
or place. They stand in the annotations:

    SeatName = Annotated[str, Seated()]
    Quadrant = Annotated[str, Named("quadrant")]

    class State(msgspec.Struct):
        players: Annotated[list[str], Once()] = []
        bag: Annotated[dict[SeatName, int], Each()] = {}
        pieces: dict[Quadrant, Piece] = {}
        round: Annotated[int, Number(1)] = 1

From it follow the checks of position files and of fields corrected by hand, and a page of the docs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from companion.engine.play.faults import Fault
from companion.engine.play.position import Position
from components.phrasing import did_you_mean
from components.safe_text import LARGEST

if TYPE_CHECKING:
    Keys = tuple[Any, ...]

EMPTY = "''"
"""An empty text, as a message shows it."""


class Mark:
    """Something a field declares beside its type."""

    late = False
    """True: it can be asked only when it is known who sits at the table."""
    needed = False
    """True: it is asked of an empty text, too."""

    def faults(self, value: Any, path: Keys, at: Position[Any]) -> Iterator[Fault]:
        return iter(())

    def words(self) -> str:
        """The words of the docs for it, after the type."""
        return ""


class Named(Mark):
    """The text is one of `Rules.names(set_name)`; `word` is what people call such a thing."""

    def __init__(self, set_name: str, word: str = "") -> None:
        self.set = set_name
        self.word = word or set_name

    def faults(self, value: Any, path: Keys, at: Position[Any]) -> Iterator[Fault]:
        known = at.rules.known(self.set)
        if value not in known:
            what = f"there is no {self.word} {value or EMPTY}"
            yield Fault(path, what, did_you_mean(value, known, listing="there are"))

    def words(self) -> str:
        return self.word


class Seated(Mark):
    """The text is a seat of this table."""

    late = True

    def faults(self, value: Any, path: Keys, at: Position[Any]) -> Iterator[Fault]:
        if value not in at.seats:
            hint = did_you_mean(value, at.seats, listing="at the table")
            yield Fault(path, f"{value or 'nobody'} is not at the table", hint)

    def words(self) -> str:
        return "seat"


class Number(Mark):
    """Bounds of a whole number; without one it is at least 0. `least=None`: any number. `most`: the name of a
    parameter, or of an entry of one (`storage.capacity.wheat`)."""

    def __init__(self, least: int | None = 0, most: str = "") -> None:
        self.least = least
        self.most = most

    def limit(self, at: Position[Any]) -> int:
        """The upper bound at this table."""
        if self.most in at.params:
            return int(at[self.most])
        name, _, entry = self.most.rpartition(".")
        return int(at[name][entry])

    def faults(self, value: Any, path: Keys, at: Position[Any]) -> Iterator[Fault]:
        if self.least is not None and value < self.least:
            yield Fault(path, f"{value} is less than {self.least}")
        elif abs(value) > LARGEST:
            yield Fault(path, f"{value} is too large")
        elif self.most and value > (limit := self.limit(at)):
            yield Fault(path, f"{value} is more than {limit}, the most there can be")

    def words(self) -> str:
        least = f"from {self.least}" if self.least else ""
        return " ".join(filter(None, (least, f"up to `{self.most}`" if self.most else "")))


class Most(Mark):
    """The most that a list or mapping holds: the name of a parameter; `of` is the everyday name of the things."""

    def __init__(self, most: str, of: str) -> None:
        self.most = most
        self.of = of

    def faults(self, value: Any, path: Keys, at: Position[Any]) -> Iterator[Fault]:
        if len(value) > (limit := at[self.most]):
            yield Fault(path, f"{len(value)} {self.of}, and there can be {limit} at most")

    def words(self) -> str:
        return f"up to `{self.most}`"


class Needed(Mark):
    """A text without which its record means nothing: `what` says that it is missing, `hint` how to write it."""

    needed = True

    def __init__(self, what: str, hint: str) -> None:
        self.what = what
        self.hint = hint

    def faults(self, value: Any, path: Keys, at: Position[Any]) -> Iterator[Fault]:
        if not value:
            yield Fault(path, self.what, self.hint)

    def words(self) -> str:
        return "always named"


class Secret(Mark):
    """Only the seat under whose name it lies knows it (`secrets.seen_by`). `unless`: a property of its record that says
    whether it lies open all the same."""

    def __init__(self, unless: str = "") -> None:
        self.unless = unless

    def words(self) -> str:
        return "known to its seat only"


class Once(Mark):
    """A list in which nothing stands twice."""

    def faults(self, value: Any, path: Keys, at: Position[Any]) -> Iterator[Fault]:
        for one in dict.fromkeys(map(str, value)):
            if [str(other) for other in value].count(one) > 1:
                yield Fault(path, f"{one} is named twice")

    def words(self) -> str:
        return "each once"


class Each(Mark):
    """A mapping with an entry for every name its keys can have."""

    def words(self) -> str:
        return "one for each"
