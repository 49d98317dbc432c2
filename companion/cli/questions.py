"""Questions of a line that left something out, asked in `companion play`: answered, left, or asked about."""

from __future__ import annotations

from typing import Any

from companion.cli import common
from companion.engine.language import jsonmoves, notation, saying
from companion.engine.language.arguments import normal
from companion.engine.language.fields import Field, build, fields, value_of
from companion.engine.play.domains import Count, Tally
from companion.engine.play.moves import Choice, Move
from companion.engine.play.parts import STEPS
from companion.engine.table.table import Table


def with_answer(table: Table, move: Move, choice: Choice, answer: str, me: str) -> Move:
    """The move with the answer to a choice in its field. Raises CompanionError if it does not answer the question."""
    at = table.position
    if choice.field.startswith(f"{STEPS}["):
        form = jsonmoves.answered(move.to_json(), choice.field, option(answer, choice.options))
        return jsonmoves.from_json(form, at)
    kind = type(move)
    field = next((f for f in fields(kind) if choice.field in (f.name, f.path[-1])), None)
    if field is None or _said_otherwise(table, field, choice, answer):
        lead = field.domain.lead[:1] if field is not None and field.domain is not None else ()
        line = " ".join([saying.explicit(move), *lead, answer])
        try:
            return table.read(line, me)[0]
        except notation.NotationError:
            raise common.Failure(f"{answer!r} does not answer the question") from None
    parts = [p.strip() for p in answer.split(",")] if field.many else [answer]
    seats = {person.lower(): seat for person, seat in table.people.items()}
    if field.domain is not None and field.domain.people:
        parts = [seats.get(part.lower(), part) for part in parts]
    values = [normal(field, option(part, choice.options), at) for part in parts]
    if isinstance(field.domain, Count):
        values = [int(value) if str(value).isdigit() else value for value in values]
    said = {f.path: value_of(move, f) for f in fields(kind) if value_of(move, f) != f.default}
    try:
        answered = build(kind, {**said, field.path: values if field.many else values[0]})
    except ValueError:
        raise common.Failure(f"{answer!r} does not answer the question") from None
    return jsonmoves.from_json(answered.to_json(), at)  # refuses words nobody knows


def _said_otherwise(table: Table, field: Field, choice: Choice, answer: str) -> bool:
    """Whether an answer is to be read like the end of a line: numbers with names, or what goes into another field (the
    quadrant, where the question was for a quadrant or a board)."""
    if isinstance(field.domain, Tally):
        return True
    if field.domain is None or not field.domain.loose:
        return False
    at = table.position
    return normal(field, option(answer, choice.options), at) not in field.domain.spoken(at).values()


def option(text: str, options: list[Any]) -> Any:
    """The option that a typed answer begins, if there is exactly one; otherwise the text itself."""
    exact = [option for option in options if str(option).lower() == text.lower()]
    begun = [option for option in options if str(option).lower().startswith(text.lower())]
    fit = exact or begun
    return fit[0] if len(fit) == 1 else text


__all__ = ["option", "with_answer"]
