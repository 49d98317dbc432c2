"""Shorter ways through a move: whole steps of a turn on one button, each with what it costs and brings; fields that may
be left out, passed over at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, TypeGuard

from companion.engine.decisions.drafts import Draft
from companion.engine.decisions.fields import Field
from companion.engine.decisions.menus import Said
from companion.engine.decisions.records import Value, events_form
from companion.engine.decisions.turns import NextStep

FEW = 6
"""A kind of step that can be said in more ways than these is put together field by field."""


def whole_steps(made: Draft) -> dict[str, Any]:
    """What the turn can go on with, where a kind of step can be said in few ways: `ways`, each with its `label`, the
    `steps` of the menu that say it, what it `leads` to, and the `kind` of step; `any`: what most of them lead to. Empty
    if no step of a turn is asked for."""
    here = made.here
    if not isinstance(here, NextStep):
        return {}
    before = len(made.events)
    found: list[dict[str, Any]] = []
    for kind in here.values:
        if kind.refused:
            continue
        ways = list(_ways(here.take(kind.value), [kind], here))
        if ways[-1:] == [None]:
            continue
        for said, came_to in filter(None, ways):
            found.append(
                {
                    "kind": kind.value,
                    "label": " ".join(one.label.removesuffix(f" ({one.value})") for one in said),
                    "steps": [{"take": one.value} for one in said],
                    "leads": events_form(made.menu.brings(came_to)[before:], made.menu.people),
                }
            )
    brought = Counter(one["what"] for way in found for one in way["leads"])
    most = [what for what, n in brought.items() if len(found) > 2 and 2 * n > len(found)]
    for way in found:
        way["leads"] = [one for one in way["leads"] if one["what"] not in most]
    return {"ways": found, "any": most} if found else {}


def later_fields(made: Draft) -> list[dict[str, Any]]:
    """Fields behind the present one, where that may be left out as all between may: `label`, and the `steps` of the
    menu that lead there."""
    found: list[dict[str, Any]] = []
    field, steps = made.here, 0
    while _may_be_left(field) and steps < FEW:
        field, steps = field.leave(), steps + 1
        if _may_be_left(field):
            found.append({"label": field.label, "steps": [{"leave": True}] * steps})
    return found


def _may_be_left(field: Field | Said | None) -> TypeGuard[Field]:
    return isinstance(field, Field) and field.optional and not field.chosen and not isinstance(field, NextStep)


Way = tuple[list[Value], Field | Said]
"""What is said of a step, and what comes after it."""


def _ways(field: Field | Said, said: list[Value], turn: NextStep) -> Iterator[Way | None]:
    """Every way to say a step from here on; None at the end if there are too many, or if it takes more than values."""
    if _is_next(field, turn):
        yield said, field
    elif isinstance(field, Said) or field.kind not in ("one", "number") or not field.values:
        yield None
    else:
        some = [one for one in field.values if not one.refused]
        n = 0
        for one in some if len(some) <= FEW else ():
            for way in _ways(field.take(one.value), [*said, one], turn):
                n += 1
                if way is None or n > FEW:
                    yield None
                    return
                yield way
        if len(some) > FEW:
            yield None


def _is_next(field: Field | Said, turn: NextStep) -> bool:
    """Whether the step has been said: the next one is asked for, or the turn is over."""
    return isinstance(field, NextStep) or (isinstance(field, Said) and field.legal is not False)


__all__ = ["later_fields", "whole_steps"]
