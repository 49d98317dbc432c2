"""A move half said: what has been said of it, what was passed over, and what is to be said next."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from companion.engine.play.domains import Count, Domain, Flag, Free, Pairs, Tally
from companion.engine.play.moves import Argument, Move, acting, arguments_of
from companion.engine.play.parts import Parts
from companion.engine.play.position import Position


class Walk(NamedTuple):
    """What has been said of a move: its fields, and the names of those passed over."""

    move: Move
    passed: frozenset[str] = frozenset()

    def said(self, name: str, value: Any) -> Walk:
        """The same with a value in a field; one that is the field's default is passed over."""
        return Walk(replace(self.move, **{name: value}), self.passed | {name})


class Asked(NamedTuple):
    """A field to be asked for, with what the pieces allow in it; None: they do not say."""

    argument: Argument
    options: list[Any] | None
    things: list[Any] | None = None
    """Of several things, those of which any may stand there."""


def next_asked(walk: Walk, at: Position[Any]) -> tuple[Walk, Asked | None]:
    """The next field to be asked for, and the walk with all that can be only one thing until then."""
    for argument in arguments_of(type(walk.move)):
        if not _is_open(walk, argument):
            continue
        found = walk.move.options(at, argument.name)
        if found is None and argument.name == acting(type(walk.move)):
            found = at.seats
        options = None if found is None else list(found)
        if options != [] and (things := walk.move.things(at, argument.name)) is not None:
            return walk, Asked(argument, None, list(things))
        if options is None:
            if is_listless(argument.domain):
                return walk, Asked(argument, None)
        elif options in ([], [argument.default]):
            continue
        elif len(options) == 1 and not (argument.domain is not None and argument.domain.secret):
            walk = Walk(replace(walk.move, **{argument.name: options[0]}), walk.passed)
        else:
            return walk, Asked(argument, options)
    return walk, None


def _is_open(walk: Walk, argument: Argument) -> bool:
    """Whether a field has still to be said, or to be passed over."""
    domain = argument.domain
    if argument.name in walk.passed or getattr(walk.move, argument.name) != argument.default:
        return False
    return not (isinstance(domain, Parts) or (domain is not None and (domain.confirms or domain.aside)))


def is_listless(domain: Domain | None) -> bool:
    """Whether a field is asked for though the pieces do not say what may stand in it: it takes several things of its
    domain, or a number."""
    if domain is None or isinstance(domain, Flag | Free):
        return False
    return domain.many or isinstance(domain, Tally | Pairs | Count)


def plain(value: Any) -> Any:
    """A value as plain data: lists, mappings, texts and numbers."""
    return _with_lists(msgspec.to_builtins(value))


def _with_lists(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_with_lists(one) for one in value]
    return {key: _with_lists(one) for key, one in value.items()} if isinstance(value, dict) else value


__all__ = ["Asked", "Walk", "is_listless", "next_asked", "plain"]
