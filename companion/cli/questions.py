"""Questions of a line that left something out, asked in `companion play`: answered, left, or asked about."""

from __future__ import annotations

from collections.abc import Container, Mapping
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.cli import common
from companion.engine.language import jsonmoves, notation, saying
from companion.engine.language.books import Books
from companion.engine.language.fields import Field, build, fields, value_of
from companion.engine.language.turns import read_steps
from companion.engine.language.values import normal
from companion.engine.language.words import COURTESIES, NUMBERS, singular, tokens
from companion.engine.play.domains import Count, Pairs, Seat, Tally
from companion.engine.play.moves import Choice, Move
from companion.engine.play.parts import Part, Parts, Turn
from companion.engine.play.position import Position
from companion.engine.table.table import Table
from components.safe_text import whole


def with_answer(table: Table, move: Move, choice: Choice, answer: str, me: str) -> Move:
    """The move with the answer to a choice in its field. Raises CompanionError for an answer that does not fit the
    question, or one that is forbidden and not among the options: then the question stands."""
    answered = _with_answer(table, move, choice, answer, me)
    if choice.options and option(answer, choice.options) not in choice.options:
        refused = table.position.judge(answered).reasons
        if refused and not table.position.judge(move).reasons:
            raise common.Failure(refused[0].why)
    return answered


def _with_answer(table: Table, move: Move, choice: Choice, answer: str, me: str) -> Move:
    at = table.position
    if "." in choice.field:
        return answered_inside(move, choice, answer, at, table.people)
    kind = type(move)
    field = next((f for f in fields(kind) if choice.field in (f.name, f.path[-1])), None)
    if field is not None and isinstance(field.domain, Pairs) and isinstance(field.domain.left, Seat) and choice.of:
        return _with_pair(table, move, field, field.domain, choice.of, answer, me)
    if field is None or _said_otherwise(table, field, choice, answer):
        lead = field.domain.lead[:1] if field is not None and field.domain is not None else ()
        return _said_at_its_end(table, move, [*lead, answer], me)
    parts = [p.strip() for p in answer.split(",")] if field.many else [answer]
    seats = {person.lower(): seat for person, seat in table.people.items()}
    if field.domain is not None and field.domain.people:
        parts = [seats.get(part.lower(), part) for part in parts]
    values = [normal(field, option(part, choice.options), at) for part in parts]
    if isinstance(field.domain, Count):
        numbers = [(value, whole(str(value))) for value in values]
        values = [value if number is None else number for value, number in numbers]
    said = {f.path: value_of(move, f) for f in fields(kind) if value_of(move, f) != f.default}
    try:
        answered = build(kind, {**said, field.path: values if field.many else values[0]})
    except ValueError:
        raise common.Failure(f"{answer!r} does not answer the question") from None
    try:
        return jsonmoves.from_json(answered.to_json(), at)  # refuses words nobody knows
    except jsonmoves.MoveFormError:
        if not field.many:
            raise
        with suppress(common.Failure):  # `O1 O18`, `none`
            return _said_at_its_end(table, move, [answer], me)
        raise


def _said_at_its_end(table: Table, move: Move, words: list[str], me: str) -> Move:
    """The move whose line goes on with an answer."""
    try:
        return table.read(" ".join([saying.explicit(move), *words]), me)[0]
    except notation.NotationError:
        raise common.Failure(f"{' '.join(words)!r} does not answer the question") from None


def answered_inside(move: Move, choice: Choice, answer: str, at: Position[Any], people: Mapping[str, str]) -> Move:
    """The move with the answer to what one of its steps leaves open (`steps[1].space`), or to a choice that comes up
    while it is carried out (`steps[0].choose.any_good`). Raises Failure if it does not answer the question."""
    index, name = jsonmoves.step_of(choice.field)
    part = move.parts()[index] if isinstance(move, Turn) and index is not None else None
    field = next((f for f in fields(type(part)) if f.name == name), None) if part is not None else None
    said = option(answer, choice.options)
    if said not in choice.options:
        said = {person.lower(): seat for person, seat in people.items()}.get(answer.lower(), said)
    if said in choice.options:
        value = msgspec.to_builtins([said] if field is not None and field.many else said)
        return jsonmoves.from_json(jsonmoves.answered(move.to_json(), choice.field, value), at)
    if part is not None and field is not None and (longer := _said_on(part, field, answer, at, people)) is not None:
        assert isinstance(move, Turn) and index is not None
        parts = move.parts()
        return move.with_parts([*parts[:index], longer, *parts[index + 1 :]])
    raise common.Failure(f"{answer!r} does not answer the question")


def _said_on(part: Part, field: Field, answer: str, at: Position[Any], people: Mapping[str, str]) -> Part | None:
    """A step whose line goes on with the answer (`ship port`, then `1, 3`); None if that does not say what is asked."""
    chosen = getattr(part, "choose", None) or {}
    begun = saying.write_part(replace(part, choose={}) if chosen else part, at)
    read = read_steps(tokens(f"{begun} {answer}"), Parts(type(part)), Books(at, people))
    if read is None or len(read) > 1 or value_of(read[0], field) == field.default:
        return None
    return replace(read[0], choose=chosen) if chosen else read[0]


def _with_pair(table: Table, move: Move, field: Field, pairs: Pairs, seat: str, answer: str, me: str) -> Move:
    """The move with what a seat answered beside what others have said: `archer` or `pine archer` for the saves of pine.
    Several things are said one after the other, with commas between them."""
    at, name = table.position, field.name
    called = {seat.lower(), *(person.lower() for person, sits in table.people.items() if sits == seat)}
    values = []
    for part in answer.split(","):
        first, *rest = words = [word for word in part.split() if word.lower() not in pairs.lead] or [""]
        values.append(" ".join(rest if rest and first.lower() in called else words))
    bare = replace(move, **{field.attributes[0]: field.default})
    line = " ".join([saying.explicit(bare), *pairs.lead[:1], *(f"{seat} {value}" for value in values)])
    try:
        (read,) = table.read(line, me)
    except (notation.NotationError, ValueError):
        raise common.Failure(f"{answer!r} does not answer the question") from None
    form, said = move.to_json(), read.to_json().get(name, {})
    if said.keys() != {seat}:
        raise common.Failure(f"{answer!r} does not answer the question")
    before, new = form.get(name, {}), said[seat]
    if pairs.right.many:
        new = [*_listed(before.get(seat, [])), *_listed(new)]
    form[name] = {**before, seat: new}
    return jsonmoves.from_json(form, at)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _said_otherwise(table: Table, field: Field, choice: Choice, answer: str) -> bool:
    """True if an answer is to be read like the end of a line: numbers with names, pairs, or the value of another field
    (the quadrant, where the question was for a quadrant or a board; `none`)."""
    if isinstance(field.domain, Tally | Pairs):
        return True
    if field.domain is None:
        return False
    at, said = table.position, option(answer, choice.options)
    known = normal(field, said, at) in field.domain.spoken(at).values()
    return not known and (field.domain.loose or (isinstance(said, str) and said in choice.options))


def option(text: str, options: list[Any]) -> Any:
    """The option that a typed answer begins, if there is exactly one; otherwise the text itself."""
    exact = [option for option in options if str(option).lower() == text.lower()]
    begun = [option for option in options if str(option).lower().startswith(text.lower())]
    fit = exact or begun
    return fit[0] if len(fit) == 1 else text


def within(answer: str, choice: Choice, asked: str, called: Container[str]) -> str:
    """An answer without the words of the question around it: `2` for `ben pays 2 coins` to `How many coins does Ben
    pay?`. Any word that stands neither in the last sentence of the question nor among the names of the seat that is
    asked (`called`) leaves the answer as it is."""
    question = {singular(token.text) for token in tokens(asked.strip("?. ").replace(":", ".").rpartition(". ")[2])}
    words = [(token.text, str(NUMBERS.get(token.text, token.text))) for token in tokens(answer)]
    exact = {str(one).lower() for one in choice.options}
    left = [
        word
        for said, word in words
        if word in exact or not (singular(said) in question or said in called or said in COURTESIES)
    ]
    return left[0] if len(left) == 1 and option(left[0], choice.options) in choice.options else answer


__all__ = ["answered_inside", "option", "with_answer", "within"]
