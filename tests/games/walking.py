"""Moves put together as a screen does: menu, verb, field by field. Knows no game."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.engine.decisions.fields import Field
from companion.engine.decisions.menus import Menu, Said, menu
from companion.engine.decisions.walks import plain
from companion.engine.language import notation
from companion.engine.play.moves import Move, maker
from companion.engine.play.position import Position

MOST_FIELDS = 60


def reached(at: Position[Any], move: Move) -> Said:
    """What comes of taking from menus what a legal move says, field by field. Raises AssertionError where a menu does
    not offer it."""
    found = menu(at, maker(move))
    offered = {verb.name: verb for verb in (*found.verbs, *found.offers)}
    assert move.name in offered, f"{move.name} is not in the menu of {maker(move) or 'the table'}"
    verb = offered[move.name]
    assert verb.standing in ("legal", "incomplete"), f"{move}: {verb.standing}"
    here = found.next(move.name)
    for _ in range(MOST_FIELDS):
        if isinstance(here, Said):
            return here
        here = _filled(here, said_in(here, move))
    raise AssertionError(f"{move}: more than {MOST_FIELDS} fields are asked for")


def said_in(field: Field, move: Move) -> Any:
    """What a move says in a field."""
    names = {info.encode_name: info.name for info in msgspec.structs.fields(type(move))}
    return getattr(move, names[field.name])


def _filled(field: Field, value: Any) -> Field | Said:
    assert msgspec.json.decode(msgspec.json.encode(field.form())), field.name
    if field.kind in ("several", "pairs") and not isinstance(value, int):
        return _filled_thing_by_thing(field, value)
    listed = [one for one in field.values if one.value == plain(value)]
    assert listed or field.optional or not field.values, f"{value!r} is not offered for {field.name}"
    assert not any(one.refused for one in listed), f"{value!r} is refused for {field.name}"
    return field.take(value)


def _filled_thing_by_thing(field: Field, value: Any) -> Field | Said:
    if not value and field.optional:
        return field.leave()
    growing = field
    for thing in things_in(value):
        offered = [one for one in growing.values if one.value == plain(thing)]
        assert offered, f"{thing!r} is not offered for {field.name}"
        assert not offered[0].refused, f"{thing!r} is refused for {field.name}"
        growing = growing.add(thing)
    assert not growing.unfinished, f"{value!r} is not enough for {field.name}"
    return growing.done()


def things_in(value: Any) -> list[Any]:
    """The things of a value: names, one for each that is counted, or pairs."""
    if not isinstance(value, dict):
        return list(value)
    if all(isinstance(n, int) for n in value.values()):
        return [name for name, n in value.items() for _ in range(n)]
    return [(key, one) for key, said in value.items() for one in (said if isinstance(said, list | tuple) else [said])]


def leads_to(at: Position[Any], move: Move) -> Any:
    """The state after a move."""
    here = at.copy()
    here.play(move)
    return here.state


def said_is(said: Said, at: Position[Any], move: Move) -> None:
    """What was put together is the move; typed, its line says it again."""
    assert said.legal, f"{move} became {said.form()}"
    wanted = leads_to(at, move)
    assert leads_to(at, said.move) == wanted, f"{said.move} is not {move}"
    (again,) = notation.read(said.line, at)
    assert leads_to(at, again) == wanted, f"{said.line!r} is read as {again}"


def refusals_name_rules(found: Menu, at: Position[Any]) -> int:
    """Of every verb and every value of its first field that is refused, a rule of the game says why; how many are."""
    known, refused = at.rules.game.rules, 0
    for verb in found.verbs:
        assert verb.standing != "refused" or verb.reasons, verb
        first = found.next(verb.name) if verb.standing == "incomplete" else None
        values = first.values if isinstance(first, Field) else []
        for reasons in (verb.reasons, *(value.reasons for value in values)):
            refused += bool(reasons)
            for breach in reasons:
                assert breach.rule in known, breach
                assert breach.why
    return refused
