"""A move tried beside the faces. Who can judge it is passed in: the page knows no rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from components.errors import DefinitionError
from components.model import ResolvedGame
from components.web.site import Asked, Refused
from generator.live.asking import form
from generator.live.trying import Trying

MOST_LINES = 200


class Said(msgspec.Struct, frozen=True):
    """A line and where it is said: at a new table of `seats` or in a `position` (YAML), after the lines `before`; with
    other values of parameters."""

    line: str
    seats: list[str] = []
    position: str = ""
    before: list[str] = []
    sets: dict[str, str] = {}


class Judged(msgspec.Struct, frozen=True):
    """The companion's answer. `legal` None: it asks, or does not understand."""

    legal: bool | None
    text: str
    rules: list[str] = []


Judge = Callable[[ResolvedGame, Said], Judged]
Explained = Callable[[Exception], str | None]
"""The message for a failure that a person can mend; None for a fault of ours."""


class Moves:
    """Has moves judged by the rules as they stand on the page."""

    def __init__(self, trying: Trying, judge: Judge, explained: Explained) -> None:
        self._trying = trying
        self._judge = judge
        self._explained = explained

    def judge(self, asked: Asked) -> Any:
        """The verdict on a line, with the texts of the rules it cites."""
        said: Said = form(asked.data, Said)
        if len(said.before) > MOST_LINES:
            raise Refused(f"at most {MOST_LINES} lines")
        game = self._trying.game(said.sets)
        try:
            judged = self._judge(game, said)
        except DefinitionError as error:
            raise Refused(error.problems[0].what, 409) from None
        except Exception as error:
            told = self._explained(error)
            if told is None:
                raise
            raise Refused(told, 409) from None
        rules = [
            {"id": id_, "title": rule.title, "text": rule.text} for id_ in judged.rules if (rule := game.rules.get(id_))
        ]
        return {"legal": judged.legal, "text": judged.text, "rules": rules}
