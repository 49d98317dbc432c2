"""Plain data against a typed record: every problem with its place, in words a newcomer understands.

`msgspec.convert` is quick and stops at the first fault; it is tried first. Only data it refuses is walked here, along
the type information of `msgspec.inspect`, so that all faults are reported at once. Works for any msgspec type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec
from msgspec import inspect as mi

from components.bounds import numbers_beyond
from components.errors import Problem
from components.figurehints import PLAYERS, figure_for, whole_near
from components.learning import learnt
from components.phrasing import did_you_mean, nearest

if TYPE_CHECKING:
    from components.yamlsource import Source

T = TypeVar("T")
PathKey = tuple[Any, ...]


class Places(Protocol):
    """The places of nodes in some data; `components.yamlsource.Source` is one."""

    def problem(
        self, code: str, what: str, path: PathKey = (), *, hint: str = "", key: bool = False, needle: str = ""
    ) -> Problem: ...


class NoPlaces:
    """Places of data that has no text (JSON, values made in Python): the message names the path instead."""

    def __init__(self, file: str = "") -> None:
        self.file = file

    def problem(
        self, code: str, what: str, path: PathKey = (), *, hint: str = "", key: bool = False, needle: str = ""
    ) -> Problem:
        where = f" at {path_text(path)}" if path else ""
        return Problem(code=code, what=what + where, file=self.file, hint=hint)


def path_text(path: PathKey) -> str:
    """`("pieces", 3, "name")` as `pieces[3].name`."""
    out = ""
    for step in path:
        out += f"[{step}]" if isinstance(step, int) else f".{step}" if out else str(step)
    return out


def validate(data: Any, type: Any, places: Places | None = None, file: str = "") -> list[Problem]:
    """Every problem of `data` as a value of `type`; empty if there is none. `file` is named where `places` is None."""
    return convert(data, type, places, file)[1]


def convert(
    data: Any,
    type: type[T],
    places: Places | None = None,
    file: str = "",
    *,
    path: PathKey = (),
    inside: str = "",
) -> tuple[T | None, list[Problem]]:
    """`data` as a value of `type`, or None, and the problems (empty if there is a value).

    `path` is where `data` stands in `places`, `inside` names the entry around it (` in piece 'kiln'`).
    """
    if isinstance(type, msgspec.StructMeta):
        learnt(type)
    try:
        return msgspec.convert(data, type), []
    except (msgspec.ValidationError, RecursionError):
        pass
    walker = _Walker(places or NoPlaces(file))
    kind: Any = type
    clean = walker.walk(data, _info(kind), path, inside)
    if not walker.problems:
        # What may be left are numbers as keys (now turned to text) and checks that only msgspec knows.
        try:
            return msgspec.convert(clean, type), []
        except msgspec.ValidationError as error:
            walker.problems.append(walker.places.problem("DEF-012", str(error), path))
    return None, walker.problems


QUOTED = "the digits of a code, such as those below a barcode, stand in quotes"


def convert_source(source: Source, type: type[T]) -> tuple[T | None, list[Problem]]:
    """The data of a project's YAML file as a value of `type`, or None, and what is wrong with it, as YAML and as data.
    No number in it is out of bounds."""
    if source.problems and source.readable is None:
        return None, source.problems
    if type not in source.typed:
        value, problems = convert(source.readable, type, source)
        numbers = numbers_beyond(source.readable) if source.beyond else ()
        beyond = [source.problem("DEF-014", why, path, hint=QUOTED) for path, why in numbers]
        source.typed[type] = value, [*problems, *beyond]
    value, problems = source.typed[type]
    return value, [*source.problems, *problems]


def check_keys(
    keys: Iterable[Any],
    known: Iterable[str],
    required: Iterable[str],
    places: Places,
    path: PathKey = (),
    inside: str = "",
) -> list[Problem]:
    """A problem for each of `keys` that is not `known`, and for each `required` one that is missing."""
    given, names = list(keys), list(known)
    problems: list[Problem] = []
    meant: set[str] = set()
    for key in given:
        if key not in names:
            free = [name for name in names if name not in given]
            meant.update(nearest(key, free))
            hint = did_you_mean(key, free) or did_you_mean(key, names, listing="known keys")
            if isinstance(key, int):  # {value: 0,5}
                hint = "a decimal number is written with a point, and thousands without a comma"
            problems.append(
                places.problem("DEF-010", f"unknown key '{key}'{inside}", (*path, key), hint=hint, key=True)
            )
    missing = [name for name in required if name not in given and name not in meant]
    return problems + [places.problem("DEF-011", f"missing key '{name}'{inside}", path) for name in missing]


@lru_cache
def _info(type: Any) -> mi.Type:
    return mi.type_info(type)


def describe(value: Any) -> str:
    """A value in words: `text 'two'`, `the number 3`, `true`, `a list`, `nothing`."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        return f"text '{shown(value)}'"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    return f"a {type(value).__name__}"


def shown(text: str) -> str:
    """A text as a message quotes it: at most 40 characters, and nothing that a terminal would obey."""
    clipped = text if len(text) <= 40 else text[:39] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in clipped)


def expected(info: mi.Type) -> str:
    """A type in words: `a whole number`, `a list`, `one of given, decided`."""
    match info:
        case mi.BoolType():
            return "true or false"
        case mi.IntType():
            return "a whole number" + _bounds(info)
        case mi.FloatType():
            return "a number" + _bounds(info)
        case mi.DecimalType():
            return "a number"
        case mi.StrType():
            return "text"
        case mi.NoneType():
            return "nothing"
        case mi.LiteralType():
            return ("one of " if len(info.values) > 1 else "") + ", ".join(map(str, info.values))
        case mi.EnumType():
            return "one of " + ", ".join(str(member.value) for member in info.cls)
        case mi.ListType() | mi.SetType() | mi.FrozenSetType() | mi.VarTupleType() | mi.CollectionType():
            return "a list"
        case mi.TupleType():
            return f"a list of {len(info.item_types)}"
        case mi.UnionType():
            kinds = dict.fromkeys(expected(t) for t in _members(info))
            return " or ".join([k for k in kinds if k != "nothing"] or kinds)
        case mi.Metadata():
            return expected(info.type)
        case mi.DictType() if isinstance(info.key_type, mi.LiteralType):
            return f"a mapping with {', '.join(map(str, info.key_type.values))} as keys"
        case _ if _is_mapping(info):
            return "a mapping"
    return "another value"


def _bounds(info: mi.IntType | mi.FloatType) -> str:
    if info.ge is not None and info.le is not None:
        return f" from {info.ge} to {info.le}"
    return f" of at least {info.ge}" if info.ge is not None else f" of at most {info.le}" if info.le is not None else ""


def _members(info: mi.UnionType) -> list[mi.Type]:
    return [m.type if isinstance(m, mi.Metadata) else m for m in info.types]


def _is_mapping(info: mi.Type) -> bool:
    return isinstance(info, mi.StructType | mi.DictType | mi.DataclassType | mi.TypedDictType)


def _takes(info: mi.Type, value: Any) -> bool:
    """True if `value` is of the type's kind; its content is not checked."""
    match info:
        case mi.AnyType():
            return True
        case mi.NoneType():
            return value is None
        case mi.BoolType():
            return isinstance(value, bool)
        case mi.IntType():
            return isinstance(value, int) and not isinstance(value, bool)
        case mi.FloatType() | mi.DecimalType():
            return isinstance(value, int | float) and not isinstance(value, bool)
        case mi.StrType():
            return isinstance(value, str)
        case mi.LiteralType():
            return any(type(value) is type(v) for v in info.values)
        case mi.EnumType():
            return any(type(value) is type(member.value) for member in info.cls)
        case mi.StructType() if info.array_like:
            return isinstance(value, list | tuple)
        case _ if _is_mapping(info):
            return isinstance(value, dict)
        case (
            mi.ListType() | mi.SetType() | mi.FrozenSetType() | mi.VarTupleType() | mi.TupleType() | mi.CollectionType()
        ):
            return isinstance(value, list | tuple)
        case mi.Metadata():
            return _takes(info.type, value)
        case mi.UnionType():
            return any(_takes(t, value) for t in info.types)
    return True


class _Walker:
    """Collects problems; `walk` returns the data with number keys turned to text where text is asked for."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.problems: list[Problem] = []

    def say(self, code: str, what: str, path: PathKey, hint: str = "", *, key: bool = False) -> None:
        self.problems.append(self.places.problem(code, what, path, hint=hint, key=key))

    def walk(self, value: Any, info: mi.Type, path: PathKey, inside: str) -> Any:
        """Check `value`; `inside` names the nearest entry around it (` in piece 'kiln'`)."""
        if isinstance(info, mi.Metadata):
            form = (info.extra_json_schema or {}).get("description", "")
            if form and isinstance(info.type, mi.StrType) and isinstance(value, str):
                self.form(value, info.type, path, inside, form)
                return value
            return self.walk(value, info.type, path, inside)
        if isinstance(info, mi.UnionType):
            fitting = [t for t in _members(info) if _takes(t, value)]
            tagged = [t for t in fitting if isinstance(t, mi.StructType) and t.tag_field]
            if tagged and isinstance(value, dict):
                return self.tagged(value, tagged, path, inside)
            if fitting:
                return self.alternative(value, fitting[0], info, path, inside)
        if not _takes(info, value):
            self.wrong(value, info, path, inside)
            return value
        match info:
            case mi.StructType(array_like=False) | mi.DataclassType() | mi.TypedDictType():
                return self.record(value, info, path, inside)
            case mi.DictType():
                return self.mapping(value, info, path, inside)
            case mi.ListType() | mi.SetType() | mi.FrozenSetType() | mi.VarTupleType() | mi.CollectionType():
                self.length(value, info, path, inside)
                return [self.walk(v, info.item_type, (*path, i), inside) for i, v in enumerate(value)]
            case mi.TupleType():
                if len(value) != len(info.item_types):
                    count = len(value)
                    self.say("DEF-014", f"expected {expected(info)}{self.named(path, inside)}, found {count}", path)
                    return value
                pairs = zip(value, info.item_types, strict=True)
                return [self.walk(v, t, (*path, i), inside) for i, (v, t) in enumerate(pairs)]
            case mi.LiteralType():
                self.choice(value, info.values, path, inside)
            case mi.EnumType():
                self.choice(value, [member.value for member in info.cls], path, inside)
            case mi.IntType() | mi.FloatType():
                self.limits(value, info, path, inside)
            case mi.StrType():
                self.length(value, info, path, inside)
                self.form(value, info, path, inside)
        return value

    def form(self, value: str, info: mi.StrType, path: PathKey, inside: str, form: str = "") -> None:
        """Check a text against its pattern; `form` describes the pattern."""
        if info.pattern and not re.search(info.pattern, value):
            what = f"{describe(value)}{self.named(path, inside)} does not match the required pattern"
            self.say("DEF-013", what, path, f"use {form}" if form else "")

    def alternative(self, value: Any, fitting: mi.Type, whole: mi.UnionType, path: PathKey, inside: str) -> Any:
        """Check `value` as the type of a union that takes its kind; a wrong word or number is told what all take."""
        scalars = sum(isinstance(t, mi.IntType | mi.FloatType | mi.StrType | mi.LiteralType) for t in _members(whole))
        if scalars > 1:
            trial = _Walker(NoPlaces())
            trial.walk(value, fitting, path, inside)
            if trial.problems:
                self.wrong(value, whole, path, inside)
                return value
        return self.walk(value, fitting, path, inside)

    def named(self, path: PathKey, inside: str) -> str:
        """` for 'copies' in piece 'kiln'`."""
        name = next((step for step in reversed(path) if isinstance(step, str)), "")
        return (f" for '{name}'" if name else "") + inside

    def wrong(self, value: Any, info: mi.Type, path: PathKey, inside: str) -> None:
        hint = ""
        wants_text = isinstance(info, mi.StrType) or (
            isinstance(info, mi.UnionType) and any(isinstance(t, mi.StrType) for t in _members(info))
        )
        whole = any(isinstance(t, mi.IntType) for t in getattr(info, "types", (info,)))
        if whole and isinstance(value, float):
            hint = whole_near(value)
        elif wants_text and isinstance(value, bool | int | float):
            quoted = str(value).lower() if isinstance(value, bool) else value
            hint = f'write it in quotes: "{quoted}"'
            if path[-1:] in (("min_players",), ("max_players",)):
                hint = PLAYERS.format(end=path[-1][:3], n=value)
        elif isinstance(info, mi.BoolType) and isinstance(value, str) and value.lower() in ("yes", "on", "no", "off"):
            hint = f"write {'true' if value.lower() in ('yes', 'on') else 'false'}"
        elif value is None and wants_text:
            hint = "nothing stands after the colon; put a value that begins with # in quotes"
        elif isinstance(value, str) and expected(info).startswith("a mapping"):
            hint = "write a mapping: {key: value}"
        elif expected(info) == "a list" and value is not None and not isinstance(value, dict):
            hint = f"write a list: [{value}]"
        elif isinstance(value, str) and isinstance(info, mi.IntType | mi.FloatType):
            hint = figure_for(value)
        words = [v for t in getattr(info, "types", (info,)) if isinstance(t, mi.LiteralType) for v in t.values]
        hint = hint or did_you_mean(value, words)
        found = describe(value)
        self.say("DEF-012", f"expected {expected(info)}{self.named(path, inside)}, found {found}", path, hint)

    def choice(self, value: Any, allowed: Iterable[Any], path: PathKey, inside: str) -> None:
        options = list(allowed)
        if value not in options:
            words = ", ".join(map(str, options))
            hint = did_you_mean(value, options)
            self.say("DEF-013", f"'{shown(str(value))}'{self.named(path, inside)} is not one of {words}", path, hint)

    def limits(self, value: Any, info: mi.IntType | mi.FloatType, path: PathKey, inside: str) -> None:
        checks = (
            (info.ge is not None and value < (info.ge or 0), f"at least {info.ge}"),
            (info.gt is not None and value <= (info.gt or 0), f"more than {info.gt}"),
            (info.le is not None and value > (info.le or 0), f"at most {info.le}"),
            (info.lt is not None and value >= (info.lt or 0), f"less than {info.lt}"),
            (bool(info.multiple_of) and value % (info.multiple_of or 1) != 0, f"a multiple of {info.multiple_of}"),
        )
        for broken, words in checks:
            if broken:
                self.say("DEF-014", f"expected {words}{self.named(path, inside)}, found {value}", path)

    def length(self, value: Any, info: Any, path: PathKey, inside: str) -> None:
        size = len(value)
        unit = "characters" if isinstance(value, str) else "entries"
        if info.min_length is not None and size < info.min_length:
            self.say("DEF-014", f"expected at least {info.min_length} {unit}{self.named(path, inside)}", path)
        if info.max_length is not None and size > info.max_length:
            self.say("DEF-014", f"expected at most {info.max_length} {unit}{self.named(path, inside)}", path)

    def mapping(self, value: dict[Any, Any], info: mi.DictType, path: PathKey, inside: str) -> dict[Any, Any]:
        self.length(value, info, path, inside)
        out: dict[Any, Any] = {}
        for key, item in value.items():
            here = (*path, key)
            name: Any = key
            if isinstance(info.key_type, mi.StrType) and isinstance(key, int):
                name = str(key)
                if name in value:
                    self.say("DEF-006", f"repeated key '{key}'", here, key=True)
            elif isinstance(info.key_type, mi.IntType) and isinstance(key, str) and re.fullmatch(r"-?\d{1,18}", key):
                name = int(key)
            elif not _takes(info.key_type, key):
                self.say("DEF-012", f"expected {expected(info.key_type)} as key, found {describe(key)}", here, key=True)
            elif isinstance(info.key_type, mi.LiteralType) and key not in info.key_type.values:
                hint = did_you_mean(key, info.key_type.values, listing="known keys")
                self.say("DEF-010", f"unknown key '{key}'{inside}", here, hint, key=True)
            out[name] = self.walk(item, info.value_type, here, inside)
        return out

    def record(self, value: dict[Any, Any], info: Any, path: PathKey, inside: str) -> dict[Any, Any]:
        if isinstance(value.get("id"), str):
            kind = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", info.cls.__name__).lower().removesuffix(" file")
            inside = f" in {kind} '{shown(value['id'])}'"
        fields = {getattr(f, "encode_name", f.name): f for f in info.fields}
        tag = getattr(info, "tag_field", None)
        walked = {
            key: self.walk(item, fields[key].type, (*path, key), inside) if key in fields else item
            for key, item in value.items()
        }
        strict = getattr(info, "forbid_unknown_fields", False)
        keys = [key for key in value if key in fields or (strict and key != tag)]
        required = [name for name, field in fields.items() if field.required]
        self.problems += check_keys(keys, fields, required, self.places, path, inside)
        return walked

    def tagged(self, value: dict[Any, Any], types: list[Any], path: PathKey, inside: str) -> Any:
        """One of several records, told apart by a field."""
        field = types[0].tag_field
        by_tag = {t.tag: t for t in sorted(types, key=lambda t: str(t.tag))}
        tag = value.get(field)
        if field not in value:
            self.say("DEF-011", f"missing key '{field}'{inside}", path, f"one of {', '.join(map(str, by_tag))}")
        elif not isinstance(tag, str | int) or tag not in by_tag:
            self.choice(tag, by_tag, (*path, field), inside)
        else:
            return self.walk(value, by_tag[tag], path, inside)
        return value
