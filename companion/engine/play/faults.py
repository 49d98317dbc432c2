"""Faults of a position: the place, the problem, and how to mend it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from companion.engine.errors import CompanionError


class Fault(NamedTuple):
    """Something in a position that cannot be: where it stands (keys and places in lists), what is wrong, how to mend
    it."""

    path: tuple[Any, ...]
    what: str
    hint: str = ""

    def __str__(self) -> str:
        where = written(self.path)
        return f"{where}: {self.what}" if where else self.what


def written(path: tuple[Any, ...]) -> str:
    """Keys and places in lists as `war.campaign.allies[0].side`."""
    from components.validate import path_text

    return path_text(path)


class PositionError(CompanionError):
    """A position that cannot be: `path` leads to the place (`players.Qin.bu`), `what` says what is wrong there,
    `hint` how to fix it. `faults`: everything that is wrong, the first of it being this."""

    kind = "position"

    def __init__(self, path: str | tuple[Any, ...], what: str, hint: str = "", *, faults: Iterable[Fault] = ()) -> None:
        keys = path if isinstance(path, tuple) else steps(path)
        self.faults = list(faults) or [Fault(keys, what, hint)]
        super().__init__("\n".join(map(str, self.faults)))
        self.path = written(keys)
        self.what = what
        self.hint = hint


def steps(path: str) -> tuple[Any, ...]:
    """`war.campaign.allies[0].side` as keys and places in lists."""
    return tuple(int(i) if i else name for name, i in re.findall(r"([^.\[\]]+)|\[(\d+)\]", path))


KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "nothing",
}
"""msgspec's names of what stands in JSON -> ours."""


def misread(error: Exception) -> str:
    """A message of msgspec about a wrong type, in the words of our other messages and with the path in front: `n:
    expected a whole number, found text`."""
    found = re.fullmatch(r"(.*) - at `\$\.?(.*)`", str(error))
    said, path = (found[1], found[2]) if found else (str(error), "")
    said = re.sub(r"`(\w+)`", lambda kind: KINDS.get(kind[1], kind[1]), said).replace(", got ", ", found ")
    said = said.replace(" | ", " or ").replace("`", "").replace("found a number", "found one with a decimal point")
    said = said[:1].lower() + said[1:]
    return f"{path}: {said}" if path else said


__all__ = ["Fault", "PositionError", "misread", "steps", "written"]
