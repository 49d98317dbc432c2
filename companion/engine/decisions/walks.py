"""A move half said: what has been said of it, what was passed over, and what is to be said next."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from companion.engine.language.jsonmoves import part_name
from companion.engine.play.domains import Count, Domain, Flag, Free, Pairs, Tally
from companion.engine.play.moves import Argument, Move, acting, arguments_of, struct_fields
from companion.engine.play.parts import Part, Parts
from companion.engine.play.position import Position

STEP = "step"
"""The name under which the next step of a turn stands among what was said; what it says has names under it
(`step.space`)."""


class Walk(NamedTuple):
    """A half-made move, or step of a turn: its fields, and the names of those passed over."""

    move: Move
    passed: frozenset[str] = frozenset()
    step: Part | None = None
    """Of a turn: the step that is being said."""
    step_passed: frozenset[str] = frozenset()
    ended: bool = False
    """Of a turn: no step follows."""

    def said(self, name: str, value: Any) -> Walk:
        """The same with a value in a field; one that is the field's default is passed over."""
        return self._replace(move=replace(self.move, **{name: value}), passed=self.passed | {name})

    def said_in_step(self, name: str, value: Any) -> Walk:
        """The same of the step that is being said."""
        assert self.step is not None
        return self._replace(step=replace(self.step, **{name: value}), step_passed=self.step_passed | {name})


class Asked(NamedTuple):
    """A field to be asked for, with what the pieces allow in it; None: they do not say."""

    argument: Argument
    options: list[Any] | None
    things: list[Any] | None = None
    """Of several things, those of which any may stand there."""


def next_asked(walk: Walk, at: Position[Any]) -> tuple[Walk, Asked | None]:
    """The next field of a move to be asked for, and the walk with all that can be only one thing until then."""
    move, asked = _next(walk.move, walk.passed, at)
    return walk._replace(move=move), asked


def next_of_step(walk: Walk, at: Position[Any]) -> tuple[Walk, Asked | None]:
    """The same of the step that is being said; `at`: the position in which it is taken."""
    assert walk.step is not None
    step, asked = _next(walk.step, walk.step_passed, at)
    assert isinstance(step, Part)
    return walk._replace(step=step), asked


def _next(move: Move, passed: frozenset[str], at: Position[Any]) -> tuple[Move, Asked | None]:
    for argument in arguments_of(type(move)):
        if not _is_open(move, passed, argument):
            continue
        found = move.options(at, argument.name)
        if found is None and argument.name == acting(type(move)):
            found = at.seats
        options = None if found is None else list(found)
        if options is None and _is_aside(argument):
            continue
        if options != [] and (found := move.things(at, argument.name)) is not None:
            if things := list(found):
                return move, Asked(argument, None, things)
            continue  # nothing is left that could stand there
        if options is None:
            if is_listless(argument.domain) and not _asks_itself(move):
                return move, Asked(argument, None)
        elif options in ([], [argument.default]):
            continue
        elif len(options) == 1 and not (argument.domain is not None and argument.domain.secret):
            move = replace(move, **{argument.name: options[0]})
        else:
            return move, Asked(argument, options)
    return move, None


def _is_open(move: Move, passed: frozenset[str], argument: Argument) -> bool:
    """True if a field still needs a value, or to be passed over."""
    domain = argument.domain
    if argument.name in passed or getattr(move, argument.name) != argument.default:
        return False
    return not (isinstance(domain, Parts) or (domain is not None and domain.confirms))


def _is_aside(argument: Argument) -> bool:
    return argument.domain is not None and argument.domain.aside


def _asks_itself(move: Move) -> bool:
    """True if a kind of move asks by itself for fields that the pieces do not determine (`unsaid`)."""
    return type(move).unsaid is not Move.unsaid


def is_listless(domain: Domain | None) -> bool:
    """True if a field is asked for though the pieces list no values: it takes several things of its domain, or a
    number."""
    if domain is None or isinstance(domain, Flag | Free):
        return False
    return domain.many or isinstance(domain, Tally | Pairs | Count)


def said_form(walk: Walk) -> dict[str, Any]:
    """A half-made move as plain data: fields by name, None for those passed over; and the step under way."""
    found = _form(walk.move, walk.passed)
    found.pop(walk.move.key)
    if walk.step is not None:
        found[STEP] = {"verb": part_name(type(walk.step)), **_form(walk.step, walk.step_passed)}
    elif walk.ended:
        found[STEP] = None
    return found


def _form(move: Move, passed: frozenset[str]) -> dict[str, Any]:
    names = {info.name: info.encode_name for info in struct_fields(type(move))}
    return {**{names[name]: None for name in sorted(passed)}, **move.to_json()}


def plain(value: Any) -> Any:
    """Plain data (mappings, lists, texts, numbers) of any record, as JSON would give it back."""
    return msgspec.json.decode(msgspec.json.encode(value))


__all__ = ["STEP", "Asked", "Walk", "is_listless", "next_asked", "next_of_step", "plain", "said_form"]
