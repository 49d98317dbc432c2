"""Position files: a position as YAML or JSON, whole or partial; every error names its file, line and column."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from companion.engine.errors import CompanionError
from companion.engine.play.faults import Fault, PositionError
from companion.engine.play.forms import clean
from companion.engine.play.rules import Rules

if TYPE_CHECKING:
    from components.errors import Problem
    from components.validate import Places


MISSING = "DEF-011"
"""Code of a missing key. Not reported beside other problems, since a position may leave most things out."""


class PositionFileError(CompanionError):
    """A position file that cannot be used; `problems` say where and why."""

    kind = "position"

    def __init__(self, problems: list[Problem]) -> None:
        from components.errors import format_problems

        super().__init__(format_problems(problems))
        self.problems = problems

    @property
    def plainly(self) -> str:
        """All problems in one line, for a position inside another file."""
        return "; ".join("; ".join(filter(None, (problem.what, problem.hint))) for problem in self.problems)

    def more(self) -> dict[str, Any]:
        from components.errors import problems_json

        return {"problems": problems_json(self.problems)["problems"]}


def read_position(path: Path, rules: Rules) -> Any:
    """The state a position file describes; what it leaves out takes the game's documented default.

    YAML, of which JSON is a part. Raises PositionFileError with every unknown field of the file at once.
    """
    from components.yamlsource import read_yaml

    source = read_yaml(path)
    if source.problems:
        raise PositionFileError(source.problems)
    if source.data is None:
        source.data = {}
    if not isinstance(source.data, dict):
        raise PositionFileError([source.problem("POS-001", "a position must be a mapping of fields")])
    state = from_form(source.data, rules, source)
    disputed = list(_disputed(source.data, rules.dump(state), (), rules.derived))
    if disputed:
        raise PositionFileError([_problem(fault, source) for fault in disputed])
    return state


def from_form(form: dict[str, Any], rules: Rules, places: Places | None = None) -> Any:
    """The state of a position form given as plain data. Raises PositionFileError."""
    from components.validate import NoPlaces, validate

    places = places or NoPlaces("position")
    said = rules.read_position(_of_this_game(form, rules, places))
    unknown = _unknown(_without(said, rules.derived), _fields_of(rules.state), (), places)
    if unknown:
        raise PositionFileError(unknown)
    how = getattr(rules, "form", None)
    data = _without(clean(said, rules.state, how.readings) if how else said, rules.derived)
    try:
        state = rules.complete(data)
    except PositionError as error:
        raise PositionFileError([_problem(fault, places) for fault in error.faults]) from None
    except (msgspec.ValidationError, TypeError, AttributeError, ValueError, KeyError):
        # Values of a wrong type: where the types tell what is wrong, that is the whole story.
        problems = validate(data, rules.state, places)
        if problems:
            wrong = [problem for problem in problems if problem.code != MISSING]
            raise PositionFileError(wrong or problems) from None
        raise
    wrong = [*_no_phase(state, rules, places), *(_no_tasks(state, rules, places) if rules.may_owe else ())]
    if wrong:
        raise PositionFileError(wrong)
    return state


def _no_phase(state: Any, rules: Rules, places: Places) -> Iterator[Problem]:
    """A phase that the rules do not know, and that is not the end of the game."""
    from components.phrasing import did_you_mean

    name, known = getattr(state, "phase", ""), rules.phase_table
    if known and name and type(rules).stage is Rules.stage and name not in known and not rules.over(state):
        hint = did_you_mean(name, known, listing="there are")
        yield places.problem("POS-002", f"there is no phase '{name}'", ("phase",), hint=hint)


def _no_tasks(state: Any, rules: Rules, places: Places) -> Iterator[Problem]:
    """A problem for each debt or waiting step that the rules do not know."""
    for task in rules.agenda(state):
        for kind, name, known in (("move", task.move, rules.moves), ("step", task.step, rules.steps)):
            if name and name not in known:
                what = f"{rules.owed_in}: there is no {kind} '{name}'"
                yield places.problem("POS-002", what, (rules.owed_in,))


@cache
def _fields_of(state: type[msgspec.Struct]) -> Any:
    """The fields of a state, as `msgspec.inspect` gives them (slow, so kept)."""
    return msgspec.inspect.type_info(state)


def _of_this_game(form: dict[str, Any], rules: Rules, places: Places) -> dict[str, Any]:
    """The form without its line `game: ID`, which names the game. (A state may have a field of that name.)"""
    said = form.get("game")
    if not isinstance(said, str) or "game" in rules.state.__struct_encode_fields__:
        return form
    if said != rules.game.id:
        what = f"this is a position of '{said}', not of '{rules.game.id}'"
        raise PositionFileError([places.problem("POS-002", what, ("game",))])
    return {key: value for key, value in form.items() if key != "game"}


def _unknown(value: Any, info: Any, path: tuple[Any, ...], places: Places) -> list[Problem]:
    """Every key in `value` that the record at that place does not have."""
    from components.phrasing import did_you_mean

    kind = msgspec.inspect
    if isinstance(info, kind.UnionType):
        return next((_unknown(value, part, path, places) for part in info.types if _fits(value, part)), [])
    found: list[Problem] = []
    if isinstance(info, kind.StructType) and isinstance(value, dict):
        known = {field.encode_name: field.type for field in info.fields}
        for key, inner in value.items():
            if key in known:
                found += _unknown(inner, known[key], (*path, key), places)
            else:
                hint = did_you_mean(key, known, listing="fields")
                found.append(places.problem("POS-003", f"unknown field '{key}'", (*path, key), hint=hint, key=True))
    elif isinstance(info, kind.DictType) and isinstance(value, dict):
        for key, inner in value.items():
            found += _unknown(inner, info.value_type, (*path, key), places)
    elif isinstance(info, kind.ListType) and isinstance(value, list):
        for i, inner in enumerate(value):
            found += _unknown(inner, info.item_type, (*path, i), places)
    return found


def _fits(value: Any, info: Any) -> bool:
    kind = msgspec.inspect
    if isinstance(value, dict):
        return isinstance(info, kind.StructType | kind.DictType)
    return isinstance(info, kind.ListType) and isinstance(value, list)


def _without(form: Any, derived: frozenset[str]) -> Any:
    """The form without the read-only fields that `show` adds."""
    if isinstance(form, dict):
        return {key: _without(value, derived) for key, value in form.items() if key not in derived}
    if isinstance(form, list):
        return [_without(value, derived) for value in form]
    return form


def _disputed(
    said: Any, follows: Any, path: tuple[Any, ...], derived: frozenset[str], inside: bool = False
) -> Iterator[Fault]:
    """Read-only figures that the position states otherwise than they follow from the rest of it."""
    if isinstance(said, dict) and isinstance(follows, dict):
        for key, value in said.items():
            yield from _disputed(value, follows.get(str(key)), (*path, key), derived, inside or key in derived)
    elif isinstance(said, list) and isinstance(follows, list) and not inside:
        for i, (value, other) in enumerate(zip(said, follows, strict=False)):
            yield from _disputed(value, other, (*path, i), derived)
    elif inside and follows is not None and said is not None and said != follows:
        yield Fault(path, f"{said} does not agree with the rest of the position, from which {follows} follows")


def _problem(fault: Fault, places: Places) -> Problem:
    """A fault with its place; data without places has it named in the message."""
    from components.validate import NoPlaces

    path = () if isinstance(places, NoPlaces) else fault.path
    return places.problem("POS-002", str(fault), path, hint=fault.hint)


def write_position(path: Path, form: dict[str, Any]) -> None:
    """Write a position form as YAML; the file is written whole or not at all."""
    import yaml

    from components.files import write_whole

    text = yaml.safe_dump(form, sort_keys=False, allow_unicode=True, width=120, default_flow_style=None)
    write_whole(path, text.encode(), sync=True)


__all__ = ["PositionFileError", "from_form", "read_position", "write_position"]
