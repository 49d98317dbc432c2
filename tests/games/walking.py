"""Moves put together as a screen does: menu, verb, field by field. Knows no game."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import msgspec

from companion.engine.decisions.drafts import Draft
from companion.engine.decisions.fields import Field
from companion.engine.decisions.menus import Menu, Said, menu
from companion.engine.decisions.pending import decisions
from companion.engine.decisions.turns import NextStep
from companion.engine.decisions.walks import plain
from companion.engine.language import notation
from companion.engine.language.jsonmoves import part_name
from companion.engine.play.lines import try_line
from companion.engine.play.moves import Move, maker
from companion.engine.play.parts import Turn
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
    return filled(found.next(move.name), move)


def filled(here: Field | Said, move: Move) -> Said:
    """What comes of saying in every field what the move says there."""
    for _ in range(MOST_FIELDS):
        if isinstance(here, Said):
            return here
        assert msgspec.json.decode(msgspec.json.encode(here.form())), here.name
        here = _taken(here, move)
    raise AssertionError(f"{move}: more than {MOST_FIELDS} fields are asked for")


def _taken(field: Field, move: Move) -> Field | Said:
    if isinstance(field, NextStep):
        return _next_step(field, move)
    inside = "." in field.name and not field.name.startswith("step.")
    value = answer_in(field, move) if inside else said_in(field, move)
    if field.choice is not None and not field.optional and value in (None, "", (), {}):
        return _answered(field)
    return _filled(field, value)


def _answered(field: Field) -> Field | Said:
    """A report leaves to the default of the rules what a menu asks, as a typed line does: any answer will do."""
    values = [one.value for one in field.values if not one.refused]
    return field.add(values[0]).done() if field.kind in ("several", "pairs") else field.take(values[0])


def _next_step(field: NextStep, move: Move) -> Field | Said:
    """The kind of the next step of the turn; that none follows."""
    assert isinstance(move, Turn)
    assert isinstance(field.walk.move, Turn)
    place = len(field.walk.move.parts())
    if place == len(move.parts()):
        assert not field.unfinished, f"{field.walk.move} is not enough of a turn"
        return field.done()
    wanted = part_name(type(move.parts()[place]))
    offered = [one for one in field.values if one.value == wanted]
    assert offered, f"{wanted} is not offered"
    assert not offered[0].refused, f"{wanted} is refused: {offered[0].reasons[0].why}"
    return field.take(wanted)


def answer_in(field: Field, move: Move) -> Any:
    """The answer that a move gives to a question which comes up inside it."""
    answer, given = (_at_path(record.to_json(), field.name) for record in (move, field.walk.move))
    if answer is None:  # said for the whole step, and not inside it
        way, _, kind = field.name.partition("choose.")
        answer = _at_path(move.to_json(), f"{way.partition('.')[0]}.choose.{kind}")
    if isinstance(answer, list) and "choose." in field.name:
        return answer[len(given or ())]
    return next(iter(answer.values())) if isinstance(answer, dict) else answer


def _at_path(form: Any, path: str) -> Any:
    """What stands at a path of a move's JSON form; None: nothing."""
    for name, index in re.findall(r"([a-z_]\w*)|\[(\d+)\]", path):
        try:
            form = form[int(index) if index else name]
        except (KeyError, IndexError, TypeError):
            return None
    return form


def said_in(field: Field, move: Move) -> Any:
    """What a move says in a field, or its step in a field of the step."""
    record: Any = move
    name = field.name
    if name.startswith("step."):
        assert isinstance(move, Turn)
        assert isinstance(field.walk.move, Turn)
        record, name = move.parts()[len(field.walk.move.parts())], name.removeprefix("step.")
    names = {info.encode_name: info.name for info in msgspec.structs.fields(type(record))}
    return getattr(record, names[name])


def _filled(field: Field, value: Any) -> Field | Said:
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
    wanted = leads_to(at, said.move)
    left_open = try_line(at, [move], typed=True).verdict.legal is None
    assert left_open or wanted == leads_to(at, move), f"{said.move} is not {move}"
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


def answer(made: Draft, move: Move) -> int:
    """Say in the present field of a draft what a move says there; how many events that was said to bring."""
    field = made.field
    if isinstance(field, NextStep):
        assert isinstance(move, Turn)
        assert isinstance(field.walk.move, Turn)
        place = len(field.walk.move.parts())
        if place == len(move.parts()):
            made.done()
            return 0
        made.take(part_name(type(move.parts()[place])))
        return 0
    inside = "." in field.name and not field.name.startswith("step.")
    value = answer_in(field, move) if inside else said_in(field, move)
    if field.kind in ("several", "pairs"):
        for thing in things_in(value):
            made.add(thing)
        made.done()
        return 0
    leads = made.leads(value)
    before = made.events
    made.take(value)
    assert made.events != before or not leads
    return len(leads)


def by_chance(at: Position[Any], rng: Random) -> Said | None:
    """A move put together from what the menus offer, picked by chance; None: that led into a dead end."""
    found = menu(at, rng.choice(decisions(at)).who)
    verbs = [verb.name for verb in (*found.verbs, *found.offers) if verb.standing in ("legal", "incomplete")]
    here: Field | Said | None = found.next(rng.choice(verbs)) if verbs else None
    for _ in range(MOST_FIELDS):
        if not isinstance(here, Field):
            return here
        here = picked(here, rng)
    return None


def picked(field: Field, rng: Random) -> Field | Said | None:
    """The field after one that says something by chance; None: nothing can be said in it."""
    allowed = [value.value for value in field.values if not value.refused]
    thing_by_thing = field.kind in ("several", "pairs", "steps")
    if thing_by_thing and not field.unfinished and (not allowed or rng.random() < 0.5):
        return field.done()
    if not allowed:
        return field.leave() if field.optional else field.take(field.bounds[0]) if field.bounds else None
    if thing_by_thing and field.kind != "steps":
        return field.add(rng.choice(allowed))
    return field.take(rng.choice(allowed))
