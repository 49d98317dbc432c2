"""Queries: `{"query": NAME, …arguments}` asks a position for figures, or whether a move would be legal. Knows no
game."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any, get_type_hints

import msgspec

from companion.engine.errors import CompanionError
from companion.engine.language.jsonmoves import from_json
from companion.engine.play.domains import Domain, Pairs, domain_in
from companion.engine.play.faults import misread
from companion.engine.play.position import Answer, Position
from components.phrasing import suggest
from components.safe_text import too_large


class QueryError(CompanionError):
    """A query that cannot be answered: an unknown name, an argument too many or too few, or an invalid value."""

    kind = "unknown"


def answer(question: dict[str, Any], at: Position[Any]) -> Answer:
    """Answer a query. An argument may be annotated with the domain of its values, like the field of a move; a query
    that takes any (`**said`: the parameters of a move) judges them itself. Raises QueryError if the query is unknown or
    its arguments do not fit.
    """
    known = at.rules.queries()
    name = question.get("query")
    if isinstance(name, str) and name in at.rules.moves and name not in known:
        return _of_move(name, question, at)
    if not isinstance(name, str) or name not in known:
        hint = suggest(name, known) or "; this game has no queries"
        raise QueryError(f"no query is called {name!r}{hint}")
    asked = known[name]
    arguments = {key: value for key, value in question.items() if key != "query"}
    _, *parameters = inspect.signature(asked).parameters.values()
    takes = {one.name: one for one in parameters if one.kind is not one.VAR_KEYWORD}
    for said in arguments if len(takes) == len(parameters) else ():
        if said not in takes:
            hint = suggest(said, takes, "it takes") or "; it takes no arguments"
            raise QueryError(f"query {name} has no argument {said!r}{hint}")
    if missing := [key for key, one in takes.items() if one.default is one.empty and key not in arguments]:
        raise QueryError(f"query {name} also needs {', '.join(missing)}")
    if (number := too_large(arguments)) is not None:
        raise QueryError(f"query {name}: {number!r:.20} is more than anything at a table")
    hints = get_type_hints(asked, include_extras=True)
    for key, value in ((key, value) for key, value in arguments.items() if key in takes):
        try:
            msgspec.convert(value, hints[key])
        except msgspec.ValidationError as error:
            raise QueryError(f"query {name}: {key}: {misread(error)}") from None
        domain = domain_in(hints[key])[0]
        for one, of in _each(value, domain) if domain else ():
            if one not in (values := list(of.values(at))):
                hint = f"; {of.hint(at)}" if of.hint(at) else suggest(one, values)
                raise QueryError(f"query {name}: {key} cannot be {one!r}{hint}")
    return asked(at, **arguments)


def _each(value: Any, domain: Domain) -> Iterator[tuple[Any, Domain]]:
    """Every value that an argument holds, with its domain: of a list each entry, of a mapping its keys, too."""
    if isinstance(domain, Pairs):
        for key, inner in value.items():
            yield key, domain.left
            yield from _each(inner, domain.right)
    elif isinstance(value, list):
        yield from ((one, domain) for one in value)
    else:
        yield value, domain


def _of_move(name: str, question: dict[str, Any], at: Position[Any]) -> Answer:
    """A move asked instead of made: whether it would be legal, why not or what it leaves open, and the rules."""
    form = {at.rules.move_keys[0]: name, **{key: value for key, value in question.items() if key != "query"}}
    here = at.copy()
    verdict = here.play(from_json(form, here))
    found = [reason.rule for reason in verdict.reasons] or [need.rule for need in verdict.needs if need.rule]
    rules = found or [event.rule for event in here.events]
    value: dict[str, Any] = {"legal": verdict.legal}
    if verdict.reasons:
        value["why"] = [reason.why for reason in verdict.reasons]
    if verdict.needs:
        value["needs"] = [need.field for need in verdict.needs]
    return Answer(value, list(dict.fromkeys(rules)))


def in_words(value: Any) -> str:
    """A value as a person would write it down: `type field, size 5, cells b3 b4 b5 b6 c6, occupied no`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        parts = ((key, in_words(part), isinstance(part, dict) and bool(part)) for key, part in value.items())
        return ", ".join(f"{key} ({said})" if nested else f"{key} {said}" for key, said, nested in parts) or "none"
    if isinstance(value, list | tuple):
        between = "; " if any(isinstance(part, list | tuple | dict) for part in value) else " "
        return between.join(map(in_words, value)) or "nothing"
    return "none" if value is None else str(value)


__all__ = ["QueryError", "answer", "in_words"]
