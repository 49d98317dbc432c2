"""Dependencies of a face template, derived from its elements: comments and plain words do not count.

More names than are really read do no harm (a face is drawn again for nothing); a name too few would leave a wrong face
in the cache. So names that a template gives itself (`as`, arguments of parts) are not told apart from those it reads.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from generator.faces.expressions import names_read
from generator.faces.look import Template

CONDITIONS = ("if", "each", "over")
"""Keys whose values are expressions with or without braces."""
OF_SET = "set "
"""`pieces.set NAME`, which nobody can write, is the path of the pieces of one set, for what looks at no others."""
_ONE_SET = re.compile(
    r"""(?<![\w.])pieces\s*\|\s*selectattr\(\s*(['"])set\1,\s*(['"])(?:equalto|==|eq)\2,\s*(['"])([\w-]+)\3\s*\)"""
)


class Dependencies(msgspec.Struct, frozen=True, array_like=True):
    """The dependencies of a template's faces. `reads`: dotted names as tuples."""

    content: str
    """Digest of the elements that may be drawn: the template's and those of its parts."""
    reads: list[tuple[str, ...]]
    looks: int = 1
    """In how many ways the template may be drawn."""


class Known(msgspec.Struct, frozen=True):
    """The dependencies of a part, or of a template without its parts, and the parts it may draw."""

    content: bytes
    names: frozenset[tuple[str, ...]]
    parts: frozenset[str]


def dependencies(template: Template, parts: Mapping[str, Template], known: dict[str, Known]) -> Dependencies:
    """The dependencies of a face of `template`, whatever its piece. `known`: the parts examined so far; new ones are
    added."""
    names: set[tuple[str, ...]] = set()
    total = hashlib.sha256()
    waiting: list[tuple[str, Known]] = [("", _known(template, parts))]
    seen: set[str] = set()
    while waiting:
        name, here = waiting.pop()
        total.update(name.encode() + b" " + here.content)
        names |= here.names
        for called in sorted(here.parts - seen):
            seen.add(called)
            if called not in known:
                known[called] = _known(parts[called], parts)
            waiting.append((called, known[called]))
    return Dependencies(total.hexdigest(), sorted(names), template.looks)


def _known(template: Template, parts: Mapping[str, Template]) -> Known:
    names: set[tuple[str, ...]] = set()
    for key, value in (*_values("", template.args), *_values("", template.items)):
        if isinstance(value, str):
            names.update(names_read(_ONE_SET.sub(rf"pieces['{OF_SET}\4']", value), condition=key in CONDITIONS))
    content = hashlib.sha256(msgspec.msgpack.encode((template.args, template.items))).digest()
    return Known(content, frozenset(names), frozenset(_called(template.items, parts)))


def _values(key: str, data: Any) -> Iterator[tuple[str, Any]]:
    """Every value inside plain data with the nearest key above it; keys may be templates, too."""
    if isinstance(data, dict):
        for name, value in data.items():
            yield "", name
            yield from _values(str(name), value)
    elif isinstance(data, list):
        for value in data:
            yield from _values(key, value)
    else:
        yield key, data


def _called(data: Any, parts: Mapping[str, Template]) -> set[str]:
    """The parts that elements draw: all of them, if a name is worked out only when a face is drawn."""
    if isinstance(data, list):
        return {name for item in data for name in _called(item, parts)}
    if not isinstance(data, dict):
        return set()
    found = {name for item in data.values() for name in _called(item, parts)}
    if "part" in data:
        part = data["part"]
        name = part.get("name") if isinstance(part, dict) else part
        found |= {name} if isinstance(name, str) and name in parts else set(parts)
    return found
