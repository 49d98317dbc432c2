"""The verbs, values and lines of a menu as records that become plain data."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from companion.engine.language.people import People
from companion.engine.play.moves import Breach, Choice, Event

Standing = Literal["legal", "refused", "incomplete", "waits"]
"""Of a verb: it can be said as it stands; the rules forbid it whatever is added; something has to be added; somebody
has to decide something else first."""


class Verb(msgspec.Struct, frozen=True, kw_only=True):
    """A move that a seat may want to make."""

    name: str
    """Its name in the JSON form."""
    label: str
    typed: str
    """The word that says it on a typed line."""
    about: str
    """A description of it, in a sentence."""
    standing: Standing
    reasons: tuple[Breach, ...] = ()
    needs: tuple[Choice, ...] = ()
    already: bool = False
    """It says no more than what has happened, or happens by itself: nothing is recorded."""

    def form(self, people: People) -> dict[str, Any]:
        """As plain data, with people for their seats in sentences."""
        found: dict[str, Any] = {"verb": self.name, "label": self.label, "standing": self.standing, "about": self.about}
        if self.reasons:
            found["reasons"] = reasons_form(self.reasons, people)
        if self.needs:
            found["question"] = people.asked(self.needs[0])
        if self.already:
            found["already"] = True
        if self.standing == "waits":
            found["first"] = self.needs[0].move
        return found


class Value(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that may be said in a field."""

    value: Any
    """As plain data, ready to be passed to `take`, `add` or `next`."""
    label: str
    reasons: tuple[Breach, ...] = ()
    """The breaches that forbid it; empty if nothing said so far is forbidden."""
    section: str = ""
    place: str = ""
    """The thing or place of the scene that stands for it."""
    about: str = ""
    """A description of it, in a sentence."""
    n: int = 0
    """Of a field of several things: how many of it have been chosen."""

    @property
    def refused(self) -> bool:
        return bool(self.reasons)

    def form(self, people: People) -> dict[str, Any]:
        found: dict[str, Any] = {"value": self.value, "label": people.text(self.label), "legal": not self.reasons}
        if self.reasons:
            found["reasons"] = reasons_form(self.reasons, people)
        found |= {key: said for key in ("about", "section", "place", "n") if (said := getattr(self, key))}
        return found


def reasons_form(reasons: tuple[Breach, ...] | list[Breach], people: People) -> list[dict[str, str]]:
    """Reasons as plain data: the rule, and why."""
    return [{"rule": breach.rule, "why": people.said(breach)} for breach in reasons]


def events_form(events: list[Event], people: People) -> list[dict[str, str]]:
    """Events as plain data: the rule, and the sentence."""
    return [{"rule": event.rule, "what": people.said(event)} for event in events if not event.aside]


__all__ = ["Standing", "Value", "Verb", "events_form", "reasons_form"]
