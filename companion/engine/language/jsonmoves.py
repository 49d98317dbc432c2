"""The JSON form of moves: `{"action": NAME, …parameters}`, one or a list; errors say exactly what is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, TypeVar

import msgspec

from companion.engine.errors import CompanionError
from companion.engine.language.fields import Field, fields
from companion.engine.language.values import misnamed, normal
from companion.engine.play.faults import misread
from companion.engine.play.moves import Move
from companion.engine.play.parts import STEPS, Part, Parts, Turn, parts_of
from companion.engine.play.position import Position
from components.phrasing import suggest
from components.safe_text import too_large

MOST_MOVES = 5_000
M = TypeVar("M", bound=Move)


class MoveFormError(CompanionError):
    """JSON that is not a move. `index` counts the moves of a list from 0; None when the file itself is wrong."""

    kind = "unreadable"

    def __init__(self, what: str, index: int | None = None) -> None:
        super().__init__(what if index is None else f"move {index + 1}: {what}")
        self.what = what
        self.index = index

    def more(self) -> dict[str, Any]:
        return {} if self.index is None else {"index": self.index}


def parse(text: str | bytes) -> list[dict[str, Any]]:
    """JSON text -> the mappings it holds: one object, or a list of them. Raises MoveFormError."""
    try:
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise MoveFormError(f"this is not JSON: {error}") from None
    except RecursionError:
        raise MoveFormError("nested too deeply") from None
    many = data if isinstance(data, list) else [data]
    if len(many) > MOST_MOVES:
        raise MoveFormError(f"{len(many)} moves; at most {MOST_MOVES} are allowed")
    return [_object(one, index) for index, one in enumerate(many)]


def _object(data: Any, index: int | None) -> dict[str, Any]:
    """The mapping that a move or query must be: nothing looks into one before it has been here."""
    if not isinstance(data, dict):
        raise MoveFormError(f"expected an object with the move's name, found {data!r:.60}", index)
    if strange := next((key for key in data if not isinstance(key, str)), None):
        raise MoveFormError(f"a parameter is named {strange!r:.60}, which is not a text", index)
    if (number := too_large(data)) is not None:
        raise MoveFormError(f"{number!r:.20} is more than anything at a table", index)
    return data


def from_json(data: Any, at: Position[Any], index: int | None = None) -> Move:
    """One move from its JSON form. `null` means that a parameter was left out. Raises MoveFormError."""
    rules = at.rules
    data = rules.read_move(_object(data, index))
    key = next((key for key in rules.move_keys if key in data), None)
    if key is None:
        wanted = " or ".join(repr(key) for key in rules.move_keys)
        raise MoveFormError(f"a move needs its name under {wanted}; found {sorted(map(str, data))}", index)
    name = data[key]
    kind = rules.moves.get(name) if isinstance(name, str) else None
    if kind is None:
        raise MoveFormError(f"no move is called {name!r}{suggest(name, rules.moves)}", index)
    arguments = {k: deepcopy(v) for k, v in data.items() if k != key and v is not None}
    domain = parts_of(kind)
    steps = _steps(arguments.pop(STEPS, []), domain, at, index) if domain else ()
    move = _arguments(kind, arguments, at, index, name)
    return move.with_parts(steps) if isinstance(move, Turn) and steps else move


def _arguments(kind: type[M], arguments: dict[str, Any], at: Position[Any], index: int | None, name: str) -> M:
    """A move or part of a kind from its parameters, with words written as the rules write them."""
    known = kind.__struct_encode_fields__
    for said in arguments:
        if said not in known:
            hint = suggest(said, sorted(known), "it has")
            raise MoveFormError(f"{name} has no parameter {said!r}{hint}", index)
    for field in fields(kind):
        _settle(field, arguments, at, index, name)
    if isinstance(answers := arguments.get("choose"), dict):
        arguments["choose"] = _answers(answers, f"{name}: choose", index)
    try:
        return msgspec.convert(arguments, kind)
    except msgspec.ValidationError as error:
        raise MoveFormError(f"{name}: {misread(error)}", index) from None


def _answers(said: dict[str, Any], place: str, index: int | None) -> dict[str, Any]:
    """The answers said inside a move: kind -> a list of them (one may be said by itself), or seat -> such a mapping."""
    found: dict[str, Any] = {}
    for key, given in said.items():
        if isinstance(given, dict):
            found[key] = _answers(given, f"{place}.{key}", index)
            continue
        found[key] = given if isinstance(given, list) else [given]
        for answer in found[key]:
            if not isinstance(answer, str | int) or isinstance(answer, bool):
                raise MoveFormError(f"{place}.{key}: {answer!r:.60} is not an answer", index)
    return found


def _steps(forms: Any, domain: Parts, at: Position[Any], index: int | None) -> tuple[Part, ...]:
    """The steps of a turn: each is the kind of part whose tag it has."""
    if not isinstance(forms, list):
        raise MoveFormError(f"{STEPS}: expected a list, found {forms!r}", index)
    parts: list[Part] = []
    for i, form in enumerate(forms):
        place = f"{STEPS}[{i}]"
        kind = domain.kind_of(form) if isinstance(form, dict) else None
        if kind is None:
            tags = ", ".join(dict.fromkeys(one.tag() for one in domain.every))
            raise MoveFormError(f"{place}: {form!r} is not a step of this turn; a step has one of {tags}", index)
        parts.append(_arguments(kind, deepcopy(form), at, index, place))
    return tuple(parts)


def part_name(kind: type[Part]) -> str:
    """The name of a kind of step that shares its tag with others (`free_tile`)."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__.lstrip("_")).lower()


def step_from_json(kind: type[Part], form: dict[str, Any], at: Position[Any]) -> Part:
    """A step that may still be half said, from its parameters. Raises MoveFormError."""
    return _arguments(kind, {k: deepcopy(v) for k, v in form.items() if v is not None}, at, None, part_name(kind))


def recorded(data: dict[str, Any], moves: dict[str, type[Move]], keys: tuple[str, ...]) -> Move:
    """A move from the form in which it was recorded by `Move.to_json`: nothing has to be normalised. Raises KeyError
    for a move these rules do not have, ValidationError for parameters they do not take, MoveFormError for no move."""
    key = next((key for key in keys if key in data), None)
    if key is None or not isinstance(data[key], str):
        raise MoveFormError(f"the recorded move {data!r:.200} has no name")
    kind = moves[data[key]]
    domain = parts_of(kind)
    move = msgspec.convert({k: v for k, v in data.items() if k != key and not (domain and k == STEPS)}, kind)
    if domain is None or not isinstance(move, Turn):
        return move
    return move.with_parts(_recorded_steps(data.get(STEPS, ()), domain, data[key]))


def _recorded_steps(forms: Any, domain: Parts, name: str) -> Iterator[Part]:
    """The steps of a recorded turn."""
    for form in forms if isinstance(forms, list | tuple) else [forms]:
        kind = domain.kind_of(form) if isinstance(form, dict) else None
        if kind is None:
            raise MoveFormError(f"the recorded move {name!r} has {form!r:.60} in place of a step")
        yield msgspec.convert(form, kind)


def _settle(field: Field, arguments: dict[str, Any], at: Position[Any], index: int | None, name: str) -> None:
    """Write the words of a field as the rules write them; refuse words that its domain does not know. An empty text
    alone says nothing, as `null` does, and neither does a record of such texts."""
    into: Any = arguments
    for step in field.path[:-1]:
        into = into.get(step) if isinstance(into, dict) else None
    if not isinstance(into, dict) or into.get(field.path[-1]) is None or field.domain is None:
        return
    if into[field.path[-1]] == "":
        del into[field.path[-1]]
        if not into and len(field.path) > 1:
            del arguments[field.path[0]]
        return
    into[field.path[-1]] = normal(field, into[field.path[-1]], at)
    if wrong := misnamed(field, into[field.path[-1]], at):
        raise MoveFormError(f"{name}: {wrong}", index)


def step_of(path: str) -> tuple[int | None, str]:
    """The number of the step in which a question arises, and the rest of its path: `steps[1].space` is (1, `space`);
    the number is None outside a step."""
    found = re.match(rf"{STEPS}\[(\d+)\]\.", path)
    return (int(found[1]), path[found.end() :]) if found else (None, path)


def answered(form: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The JSON form of a turn with the answer to a question inside it: `steps[2].choose.any_good` is a list that grows,
    `steps[0].tile` a parameter."""
    form = deepcopy(form)
    into: Any = form
    *way, last = [int(index) if index else name for name, index in re.findall(r"([a-z_]\w*)|\[(\d+)\]", path)]
    for step in way:
        into = into[step] if isinstance(step, int) else into.setdefault(step, {})
    if "choose" in way:
        into.setdefault(last, []).append(value)
    else:
        into[last] = value
    return form


__all__ = ["MoveFormError", "answered", "from_json", "parse", "part_name", "recorded", "step_from_json", "step_of"]
