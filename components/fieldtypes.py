"""The types of a set's fields (`field_types`) and of a verb's arguments (`args`), in the shape of their data.

    star: one of nw, ne, sw, se          a word (or whole number) of a list
    value: whole 1..15                   a whole number within bounds; also `whole`, `whole 0..`, `number ..2.5`
    label: text                          also `true or false` and `anything`
    limit?: whole 1.. | one of none      a `?` after the name: may be left out or null; `|`: one or the other
    points: [whole 0..]                  a list of any length; `[text, whole]` is a list of exactly these two
    box: {w: number, h: number}          a mapping with exactly these entries
    price: {<one of rice, silk>: whole}  a mapping with any entries of these names; `<text>`: of any names

A type is turned into a Python type, and `components.validate` checks the data against it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal

import msgspec

from components.errors import Problem
from components.phrasing import did_you_mean
from components.validate import Places, check_keys, convert
from components.yamlsource import plain_value

PathKey = tuple[Any, ...]

_PLAIN: dict[str, Any] = {"text": str, "true or false": bool, "anything": Any, "whole": int, "number": float}
_BOUNDS = re.compile(r"(whole|number) +(-?[0-9.]*?)\.\.(-?[0-9.]*)")
_MAPPING = re.compile(r"<(.+)>")


class TypeFault(Exception):
    """A type that cannot be read: what is wrong, a hint, and the path to it."""

    def __init__(self, what: str, hint: str = "", path: PathKey = ()) -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint
        self.path = path


class FieldTypes:
    """The fields of a piece set, or the arguments of a verb: name -> Python type, and which may be left out."""

    def __init__(self, kinds: Mapping[str, Any], optional: Collection[str]) -> None:
        self.kinds = kinds
        self.optional = optional
        self.texts = frozenset(name for name, kind in kinds.items() if kind is str or kind == (str | None))
        """Those that are always text, whatever a template in them comes to."""

    def check(
        self,
        fields: Mapping[str, Any],
        places: Places,
        path: PathKey,
        *,
        inside: str = "",
        given: Collection[str] = (),
        unread: Collection[str] = (),
    ) -> list[Problem]:
        """Every fault of `fields`. `given` are fields that need not stand here; the values of `unread` are unknown."""
        optional = {*self.optional, *given}
        required = [name for name in self.kinds if name not in optional]
        problems = check_keys(fields, self.kinds, required, places, path, inside)
        for name, value in fields.items():
            if name in self.kinds and name not in unread:
                problems += convert(value, self.kinds[name], places, path=(*path, name), inside=inside)[1]
        return problems

    def for_all(
        self, pieces: Collection[Mapping[str, Any]], given: Collection[str], places: Places, path: PathKey
    ) -> tuple[FieldTypes, list[Problem]]:
        """The problems that all of several pieces share, reported once at `path`, and the types that forgive them.
        `given` are fields that no piece needs."""
        if len(pieces) < 2:
            return self, []
        common = set.intersection(*(set(fields) for fields in pieces))
        somewhere = set().union(*pieces, self.optional, given)
        missing = {name for name in self.kinds if name not in somewhere}
        problems = check_keys(sorted(common), self.kinds, missing, places, path, " in every piece")
        kinds = {**dict.fromkeys(common, Any), **self.kinds}
        return FieldTypes(kinds, {*self.optional, *missing}), problems


def read_types(declared: Mapping[str, Any], rendered: Callable[[str, PathKey], str]) -> FieldTypes:
    """The types that `field_types` declares. `rendered` puts parameters into a text. Raises `TypeFault`."""
    reader = _Reader(rendered)
    kinds, optional = reader.entries(declared, ())
    return FieldTypes(kinds, optional)


class _Reader:
    def __init__(self, rendered: Callable[[str, PathKey], str]) -> None:
        self.rendered = rendered

    def kind(self, written: Any, path: PathKey) -> Any:
        """The Python type of one type as it is written."""
        if isinstance(written, str):
            text = " ".join(self.rendered(written, path).split())
            parts = [part.strip() for part in text.split("|")]
            if sum(part.startswith(("whole", "number")) for part in parts) > 1:
                raise TypeFault(f"'{text}' names two kinds of number", "name one, with bounds that hold all", path)
            return reduce(or_, [_word(part, path) for part in parts])
        if isinstance(written, list):
            inside = [self.kind(item, (*path, i)) for i, item in enumerate(written)]
            if not inside:
                raise TypeFault("an empty list is not a type", "write the type of its entries: `[text]`", path)
            several: Any = tuple if len(inside) > 1 else list
            return several[tuple(inside)]
        if isinstance(written, dict):
            return self.mapping(written, path)
        raise TypeFault(f"'{written}' is not a type", _hint(str(written)), path)

    def mapping(self, written: Mapping[Any, Any], path: PathKey) -> Any:
        names = list(written)
        if len(names) == 1 and (key := _MAPPING.fullmatch(str(names[0]))):
            value = self.kind(written[names[0]], (*path, names[0]))
            return dict[self.kind(key[1], path), value]  # type: ignore[misc]
        kinds, optional = self.entries(written, path)
        # Fields are numbered, because an entry may be called by a word that Python keeps to itself.
        fields = [
            (f"field_{n}", kind, None) if name in optional else (f"field_{n}", kind)
            for n, (name, kind) in enumerate(kinds.items())
        ]
        names_of = {f"field_{n}": name for n, name in enumerate(kinds)}
        return msgspec.defstruct("Entry", fields, rename=names_of, forbid_unknown_fields=True, kw_only=True)

    def entries(self, written: Mapping[Any, Any], path: PathKey) -> tuple[dict[str, Any], set[str]]:
        """Name -> type, and the names that may be missing."""
        kinds: dict[str, Any] = {}
        optional: set[str] = set()
        for key, value in written.items():
            name = str(key).removesuffix("?")
            kinds[name] = self.kind(value, (*path, key))
            if name != str(key):
                kinds[name] |= None
                optional.add(name)
        return kinds, optional


def _word(text: str, path: PathKey) -> Any:
    if text in _PLAIN:
        return _PLAIN[text]
    if text.startswith("one of "):
        values = [plain_value(value.strip()) for value in text.removeprefix("one of ").split(",")]
        if any(isinstance(value, bool | float) or value is None for value in values):
            raise TypeFault(f"'{text}' may list words and whole numbers only", path=path)
        return Literal[tuple(values)]
    if found := _BOUNDS.fullmatch(text):
        number: Any = int if found[1] == "whole" else float
        try:
            low, high = (number(bound) if bound else None for bound in found.groups()[1:])
        except ValueError:
            low = high = None
        if low is not None and high is not None and low > high:
            raise TypeFault(f"'{text}' begins above its end", f"write {found[1]} {high:g}..{low:g}", path)
        if (low, high) != (None, None):
            return Annotated[number, msgspec.Meta(ge=low, le=high)]
    raise TypeFault(f"'{text}' is not a type", _hint(text), path)


def _hint(text: str) -> str:
    names = [*_PLAIN, "one of"]
    if text[:1] in ("[", "{"):
        return "write it without quotes: a list or a mapping of types is YAML, and the quotes make it a text"
    if text.startswith("list of"):
        return "a list is `[TYPE]`; `[TYPE, TYPE]` is a list of exactly two"
    return did_you_mean(text, names, listing="types are")
