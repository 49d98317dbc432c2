"""The arguments of a move as a list of fields with their domains, read once from the class.

Arguments that are records themselves (`reinforcement: Units`) are flattened: their fields have a path of two names.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import msgspec

from companion.engine.play.domains import Count, Domain, Pairs, PieceName, Seat, Tally, domain_in
from companion.engine.play.moves import Move


class Field(NamedTuple):
    """One argument: the path to it, its domain (None: only `name=value` can say it), its type and its default.

    The path is made of the names people and the JSON form use; where such a name is a word of Python (`from`), the
    record calls the attribute otherwise.
    """

    path: tuple[str, ...]
    domain: Domain | None
    type: Any
    default: Any
    group: str
    """Fields of one group take the same words; a typed line fills them in the order in which they are declared."""
    attributes: tuple[str, ...]
    """The path as names of attributes."""

    @property
    def name(self) -> str:
        return ".".join(self.path)

    @property
    def many(self) -> bool:
        return self.domain is not None and (self.domain.many or isinstance(self.domain, Tally | Pairs))


@cache
def fields(kind: type[msgspec.Struct]) -> tuple[Field, ...]:
    """The fields of a move class, nested records flattened, in the order in which they are declared."""
    return tuple(_fields(kind, (), ()))


def _fields(kind: type[msgspec.Struct], above: tuple[str, ...], attributes: tuple[str, ...]) -> list[Field]:
    found: list[Field] = []
    for info in msgspec.structs.fields(kind):
        path, attribute = (*above, info.encode_name), (*attributes, info.name)
        domain, inner = domain_in(info.type)
        if domain is not None and not domain.typed:
            domain, inner = domain_in(inner)
        default = info.default_factory() if callable(info.default_factory) else info.default
        default = None if default is msgspec.NODEFAULT else default
        if domain is None and isinstance(inner, type) and issubclass(inner, msgspec.Struct):
            found += _fields(inner, path, attribute)
        else:
            found.append(Field(path, domain, info.type, default, _group(domain), attribute))
    return found


def _group(domain: Domain | None) -> str:
    if isinstance(domain, Seat):
        return "seat"
    if isinstance(domain, Count):
        return "count" if type(domain) is Count else f"count {type(domain).__name__}"
    if isinstance(domain, Pairs):
        return f"pairs of {_group(domain.left)} and {_group(domain.right)}"
    if isinstance(domain, PieceName):
        return f"piece {domain.set}"
    said = (
        {
            k: v
            for k, v in vars(domain).items()
            if k not in ("lead", "after", "many", "loose", "of", "announced", "brings")
        }
        if domain
        else {}
    )
    return f"{type(domain).__name__} {said}"


def actor(kind: type[Move]) -> Field | None:
    """The field that holds the seat who acts: the first Seat field, unless it says that it is somebody else."""
    for field in fields(kind):
        if isinstance(field.domain, Seat) and not field.domain.many:
            return field if field.domain.actor else None
    return None


def value_of(move: msgspec.Struct, field: Field) -> Any:
    """The value of a field in a move; the field's default where a record on the way is missing."""
    value: Any = move
    for name in field.attributes:
        value = getattr(value, name, None)
        if value is None:
            return field.default
    return value


def build(kind: type[Move], said: dict[tuple[str, ...], Any]) -> Move:
    """A move from the values said, by path. Raises msgspec.ValidationError if a value has the wrong type."""
    plain: dict[str, Any] = {}
    for path, value in said.items():
        into = plain
        for name in path[:-1]:
            into = into.setdefault(name, {})
        into[path[-1]] = value
    return msgspec.convert(plain, kind)


__all__ = ["Field", "actor", "build", "fields", "value_of"]
