"""What two cards do to each other: who wins and by how much, and what a Plague leaves (rules DY-COMBAT, DY-PLAGUE)."""

from __future__ import annotations

from typing import NamedTuple

from .catalogue import At, Card


class Clash(NamedTuple):
    """Outcome of a comparison: `winner` is 0 or 1 (first or second card) or None, `by` the difference D."""

    winner: int | None
    by: int
    rule: str
    words: str


class Value(NamedTuple):
    """What a shown card counts as: a number, or a modifier with its cap."""

    label: str
    number: int | None
    offset: int = 0
    cap: int = 0


def value_of(card: Card, counts_as: int | None = None) -> Value:
    """The card as it is compared; `counts_as` replaces its number."""
    if counts_as is not None:
        return Value(card.label, counts_as)
    if card.kind == "modifier":
        return Value(card.label, None, card.offset, card.cap)
    return Value(card.label, card.value)


def compare(at: At, first: Value, second: Value) -> Clash:
    """Compare two cards of which neither is a Plague."""
    if first.number is not None and second.number is not None:
        return _numbers(at, first.number, second.number)
    if first.number is None and second.number is None:
        return _modifiers(at, first, second)
    i, modifier = (0, first) if first.number is None else (1, second)
    by = min(abs(modifier.offset), modifier.cap)
    rule = _modifier_rule(modifier)
    if not by or not at.on(rule):
        return Clash(None, 0, rule, f"{modifier.label} changes nothing")
    winner = i if modifier.offset > 0 else 1 - i
    return Clash(winner, by, rule, f"{modifier.label} {'wins' if modifier.offset > 0 else 'loses'} by {by}")


def _numbers(at: At, a: int, b: int) -> Clash:
    if a == b:
        return Clash(None, 0, "DY-COMBAT-2", f"{a} against {b}: nothing changes")
    if not at.on("DY-COMBAT-1"):
        return Clash(None, 0, "DY-COMBAT-1", f"{a} against {b}")
    return Clash(0 if a > b else 1, abs(a - b), "DY-COMBAT-1", f"{a} against {b}: difference {abs(a - b)}")


def _modifier_rule(m: Value) -> str:
    if m.offset < 0:
        return "DY-COMBAT-6"
    return "DY-COMBAT-5" if m.offset == 1 else "DY-COMBAT-9"


def _modifiers(at: At, a: Value, b: Value) -> Clash:
    if a.offset == b.offset:
        if at.on("DY-COMBAT-8"):
            return Clash(None, 0, "DY-COMBAT-8", f"{a.label} and {b.label} cancel")
        return Clash(0, min(a.cap, b.cap), "DY-COMBAT-8", f"{a.label} against {b.label}")
    rule = "DY-COMBAT-7" if a.offset == -b.offset else "DY-COMBAT-10"
    by = min(abs(a.offset - b.offset), a.cap, b.cap) if at.on(rule) else 0
    winner = 0 if a.offset > b.offset else 1
    return Clash(winner if by else None, by, rule, f"{(a, b)[winner].label} beats {(a, b)[1 - winner].label} by {by}")


def left_by_plague(at: At, armies: int, to_one: int | None) -> tuple[int, str]:
    """Armies that stay in a province under a Plague, and the rule that says so. `to_one`: a Warlord's figure."""
    if armies == 0:
        return (0 if at.on("DY-PLAGUE-6") else at["plague.minimum"]), "DY-PLAGUE-6"
    if to_one is not None:
        return min(armies, to_one), "DY-WL-15"
    if not at.on("DY-PLAGUE-2"):
        return armies, "DY-PLAGUE-2"
    divide = at["plague.divide"]
    left = -(-armies // divide) if at["plague.round"] == "up" else armies // divide
    least = at["plague.minimum"] if at.on("DY-PLAGUE-3") else 0
    if left < least:
        return min(armies, least), "DY-PLAGUE-3"
    return left, "DY-PLAGUE-2"
