"""The base of everything that a person at the table can have caused: not a fault of the program."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from components.phrasing import join_and, suggest


class CompanionError(Exception):
    """Something to be told in one message. `kind` sorts it for programs; `status` is the exit status it leads to."""

    kind: str = "table"
    status: int = 2
    of_seats: bool = False
    """True if the message is about seats and calls them so; other messages name the people who sit there."""

    def more(self) -> dict[str, Any]:
        """Further data for programs beside the message."""
        return {}


class NoRules(CompanionError):
    """A game that names no rules module (`what` is empty), or one that does not exist: it can be printed, but not
    followed. `hint` names the modules there are."""

    kind = "unknown"

    def __init__(self, game: str, what: str = "", hint: str = "") -> None:
        why = what or f"the game '{game}' has no rules module: it can be printed, but the companion cannot follow it"
        super().__init__(f"{why}; {hint}" if hint else why)
        self.what = what
        self.hint = hint


class NoSuchName(KeyError):
    """A name in the code of a game that its files do not know: a rule, a parameter, a phase."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        super().__init__(name)
        self.told = f"there is no {kind} '{name}'{suggest(name, known)}"

    def __str__(self) -> str:
        return self.told


class LacksFact(CompanionError, KeyError):
    """A sentence of a rule names a fact that the code does not give it."""

    kind = "rules"
    status = 1

    def __init__(self, rule: str, text: str, fact: str, given: Iterable[str]) -> None:
        self.told = f"{rule}: the sentence “{text}” names {{{fact}}}, and the rules module gives {_listed(given)}"
        super().__init__(self.told)

    def __str__(self) -> str:
        return self.told


def _listed(names: Iterable[str]) -> str:
    return join_and(f"{{{name}}}" for name in names) or "no facts"


__all__ = ["CompanionError", "LacksFact", "NoRules", "NoSuchName"]
