"""The answer to a line that is no move."""

from __future__ import annotations

from companion.engine.language.people import People
from companion.engine.language.unread import NotationError
from components.web.site import Refused


def unread(error: NotationError, people: People) -> Refused:
    """The reason, with the readings of the line or the guesses at it, each as `line`, `moves` and the words `left` out
    of it; a page says one by a tap. With neither, the legal moves most like the line are named."""
    what = people.text(str(error))
    near = [people.as_typed(line) for line in error.nearest]
    if not error.ways:
        return Refused(what + ("\nlegal now: " + " | ".join(near) if near else ""))
    left = error.left or [""] * len(near)
    rows = zip(near, error.ways, left, strict=True)
    meant = [{"line": one, "moves": [move.to_json() for move in way], "left": gone} for one, way, gone in rows]
    return Refused(what, meant=meant)


__all__ = ["unread"]
