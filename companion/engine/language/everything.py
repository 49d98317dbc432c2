"""Words that say all there is of something: `all armies`, `both Generals`, `everything`, `her cards`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sized
from typing import Any, NamedTuple

from companion.engine.language.words import ARTICLES

ALL: Mapping[str, int | None] = {"all": None, "both": 2, "everything": None}
"""Words that say everything there is in a field of several things (`Move.everything`), and how many these are."""
OWNING = ARTICLES - {"a", "an"}
"""Words that point at something known: with one thing, at all there is of it."""
TOGETHER = frozenset(("unit", "thing", "one"))
"""Words, after such a one, for things of several fields: `with all units`."""
HAVING = re.compile(r"^(?:that )?(?:she|he|they|i|we|it)(?: has| have)?(?: got)?$")
"""What may follow such a word: `with all she has`."""


class Everything(NamedTuple):
    """What `all` says, until it is known what that is: so many things, if they are counted."""

    n: int | None = None
    bare: bool = False
    """Whether no word says of what."""

    def is_so_many(self, value: Any) -> bool:
        """Whether that can be all."""
        size = sum(value.values()) if isinstance(value, dict) else value if isinstance(value, int) else len(value)
        return self.n in (None, size)


def pieces(every: Mapping[str, Any]) -> int:
    """How many things several fields hold together."""
    sizes = (
        value if isinstance(value, int) else len(value) for value in every.values() if isinstance(value, int | Sized)
    )
    return sum(sizes)


__all__ = ["ALL", "OWNING", "TOGETHER", "Everything", "pieces"]
