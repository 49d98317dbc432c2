"""Shorter ways through a move: whole steps of a turn on one button, each with what it costs and brings; fields that may
be left out, passed over at once."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple, TypeGuard

from companion.engine.decisions.drafts import Draft
from companion.engine.decisions.fields import THING_BY_THING, Field
from companion.engine.decisions.menus import Menu, Said
from companion.engine.decisions.records import Value, Verb, events_form
from companion.engine.decisions.turns import NextStep
from companion.engine.play.parts import Turn

FEW = 6
"""A kind of step that can be said in more ways than these is said in two taps or more."""

MANY = 9
"""A move that can begin in more ways than these is not begun from the menu."""


class Way(NamedTuple):
    """The part of a step that one tap states, and the next question."""

    said: tuple[Value | None, ...]
    """Values; None: a field is left out."""
    here: Field | Said
    ends: bool = True
    """True if that completes the step."""


def whole_steps(made: Draft) -> dict[str, Any]:
    """The possible next steps of a turn. `ways`: each with its `label`, the menu `steps` that state it, the move it
    `leads` to, the `kind` of step, `more` if a question follows, and `said`, the whole move, if that step completes
    a turn that lacks it; `any`: the result of most of them; `kinds`: those
    that the ways cover completely. Empty if no step of a turn is asked for."""
    here = made.here
    if not isinstance(here, NextStep):
        return {}
    before, lacking = len(made.events), here.unfinished
    found: list[dict[str, Any]] = []
    kinds: list[str] = []
    for kind in here.values:
        if kind.refused:
            continue
        first = here.take(kind.value)
        every = _ways(first, (kind,), here)
        begun = [] if every else _ways(first, (kind,), here, short=True)
        if every or not (begun or may_be_left(first)):
            kinds.append(kind.value)
        for way in every or begun or _begun(first, kind, here):
            brings = made.menu.brings(way.here)[before:] if way.ends else []
            whole = _with_it(way.here) if lacking and way.ends else None
            found.append(
                {
                    **({"said": whole.form()} if whole else {}),
                    "kind": kind.value,
                    "label": " ".join(one.label.removesuffix(f" ({one.value})") for one in way.said if one),
                    "steps": [{"take": one.value} if one else {"leave": True} for one in way.said],
                    "leads": events_form(brings, made.menu.people),
                    "more": not way.ends,
                }
            )
    brought = Counter(one["what"] for row in found for one in row["leads"])
    most = [what for what, n in brought.items() if len(found) > 2 and 2 * n > len(found)]
    for row in found:
        row["leads"] = [one for one in row["leads"] if one["what"] not in most]
    offered = {row["kind"] for row in found}
    return {"ways": found, "any": most, "kinds": [one for one in kinds if one in offered]} if found else {}


def beginnings(shown: Menu, verb: Verb) -> list[dict[str, Any]]:
    """The values of a move's first field, if there are only a few: `value` and `label`."""
    first = shown.next(verb.name) if verb.standing == "incomplete" else None
    few = _few(first, MANY) if first else []
    return [{"value": one.value, "label": one.form(shown.people)["label"]} for one in few]


def later_fields(made: Draft) -> list[dict[str, Any]]:
    """Fields behind the present one, where that may be left out as all between may: `label`, and the `steps` of the
    menu that lead there."""
    found: list[dict[str, Any]] = []
    field, steps = made.here, 0
    while may_be_left(field) and steps < FEW:
        field, steps = field.leave(), steps + 1
        if may_be_left(field):
            found.append({"label": field.label, "steps": [{"leave": True}] * steps})
    return found


def ready(field: Field | Said) -> Said | None:
    """The legal move that is whole once every field from here on is passed over, where it may be, or takes the only
    thing that the rules leave it; None: a question is open."""
    if isinstance(field, Field) and field.kind in THING_BY_THING and not field.unfinished:
        field = field.done()
    for _ in range(FEW):
        if not isinstance(field, Field):
            break
        after = field.leave() if may_be_left(field) else _only_way(field)
        if after is None:
            return None
        field = after
    return field if isinstance(field, Said) and field.legal else None


def _with_it(here: Field | Said) -> Said | None:
    """The whole turn after a step that completes it. None where the rules would add to it: what a button does not show
    is not said by it."""
    whole = ready(here) if isinstance(here, Field) else here
    if whole is None or not isinstance(whole.move, Turn) or not isinstance(here, NextStep):
        return whole
    assert isinstance(here.walk.move, Turn)
    return whole if whole.move.parts() == here.walk.move.parts() else None


def _only_way(field: Field) -> Field | Said | None:
    """What comes after the only value of a field; None: there is another one."""
    several = field.kind == "several"
    if field.kind not in ("one", "number", "several") or field.breadth > MANY:
        return None  # of many, the rules would be asked for nothing
    possible = [one for one in field.values if not one.refused]
    if len(possible) != 1:
        return None
    after = field.add(possible[0].value) if several else field.take(possible[0].value)
    return after.done() if several and isinstance(after, Field) and not after.unfinished else after


def may_be_left(field: Field | Said | None) -> TypeGuard[Field]:
    return isinstance(field, Field) and field.optional and not field.chosen and not isinstance(field, NextStep)


def _ways(field: Field | Said, said: tuple[Value | None, ...], turn: NextStep, *, short: bool = False) -> list[Way]:
    """Every way to say a step from here on; `short`: with what may be left out left out. Empty: there are more than a
    few, or it takes more than values."""
    if _is_next(field, turn):
        return [Way(said, field)]
    if isinstance(field, Said):
        return []
    if short and may_be_left(field) and (left := _ways(field.leave(), (*said, None), turn, short=True)):
        return left
    some = _few(field)
    found: list[Way] = []
    for one in some:
        more = _ways(field.take(one.value), (*said, one), turn, short=short)
        if not more or len(found) + len(more) > FEW:
            return []
        found += more
    return found


def _begun(field: Field | Said, kind: Value, turn: NextStep) -> list[Way]:
    """The ways to begin a step that takes more than one tap: to its first question but one."""
    found: list[Way] = []
    for one in _few(field):
        assert isinstance(field, Field)
        after = field.take(one.value)
        whole = _ways(after, (kind, one), turn)
        found.append(whole[0] if len(whole) == 1 else Way((kind, one), after, ends=False))
    return found


def _few(field: Field | Said, most: int = FEW) -> list[Value]:
    """The values of a field of one thing, if there are only a few."""
    if isinstance(field, Said) or field.kind not in ("one", "number") or field.breadth > 2 * most:
        return []  # of many, the rules would be asked for nothing
    some = [one for one in field.values if not one.refused]
    return some if len(some) <= most else []


def _is_next(field: Field | Said, turn: NextStep) -> bool:
    """True if the step is complete: the next one is asked for, or the turn is over."""
    return isinstance(field, NextStep) or (isinstance(field, Said) and field.legal is not False)


__all__ = ["beginnings", "later_fields", "ready", "whole_steps"]
