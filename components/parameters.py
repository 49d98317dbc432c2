"""Values for parameters: what a name means, and whether a value is allowed there. Used by variants and by `--set`."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from components.errors import did_you_mean
from components.model import Parameter
from components.validate import describe

PathKey = tuple[Any, ...]

Say = Callable[..., None]
"""Told of every fault: `say(code, what, path, hint=…)`, the path below the value that was given."""


def in_files(code: str) -> str:
    """The code for a fault in a file: names and values given on the command line are status 2, in a file content."""
    return {"DEF-050": "DEF-057", "DEF-051": "DEF-057", "DEF-052": "DEF-045"}.get(code, code)


class Parameters:
    """The parameters of a game with their values, to be changed by overlays.

    A parameter is named by its full dotted name or by its unique last parts (`army_cost`). A name may go on into a
    mapping (`tax.bronze.bu`) and may stop before the end (`tax`), then a mapping sets what stands below it.
    """

    def __init__(self, declared: Mapping[str, Parameter]) -> None:
        self.declared = declared
        self.values: dict[str, Any] = {name: copy.deepcopy(p.value) for name, p in declared.items()}
        self.changed: dict[str, Any] = {}
        """Every leaf that was set, by its full name."""

    def check_declared(self, say: Say) -> None:
        """Report values of `game.yaml` that break their own limits; paths begin with the parameter's name."""
        for name, parameter in self.declared.items():
            _check_limits(name, parameter, parameter.value, (name, "value"), say)

    def assign(self, key: str, value: Any, say: Say) -> None:
        """Give `value` to what `key` names. Faults are reported and nothing is changed by them."""
        address = self._find(key, say)
        if address is not None:
            self._assign(address, value, (), say)

    # --- names -------------------------------------------------------------------------------------------------------

    def _addresses(self) -> Iterator[str]:
        """Every name that can be given a value: groups, parameters, entries of mappings."""
        seen: set[str] = set()
        for name, value in self.values.items():
            parts = name.split(".")
            groups = (".".join(parts[:n]) for n in range(1, len(parts)))
            for address in (*groups, name, *_below(name, value)):
                if address not in seen:
                    seen.add(address)
                    yield address

    def _find(self, key: str, say: Say) -> str | None:
        addresses = list(self._addresses())
        if key in addresses:
            return key
        ends = [a for a in addresses if a.endswith("." + key)]
        # A name inside a mapping that matches too is no second candidate: `cost` means all of `wall.cost`.
        ends = [a for a in ends if not any(a.startswith(b + ".") for b in ends if b != a)]
        if len(ends) == 1:
            return ends[0]
        if ends:
            say("DEF-051", f"'{key}' may mean {', '.join(ends[:6])}", (), hint="give more of the name")
        else:
            last = {a: a.rsplit(".", key.count(".") + 1)[-1] if "." not in key else a for a in addresses}
            hint = did_you_mean(key, [*addresses, *last.values()])
            say("DEF-050", f"there is no parameter '{key}'", (), hint=hint)
        return None

    # --- values ------------------------------------------------------------------------------------------------------

    def _assign(self, address: str, value: Any, path: PathKey, say: Say) -> None:
        name = next((n for n in _prefixes(address) if n in self.values), None)
        is_group = name is None or (name == address and isinstance(value, dict) and self._has_below(name))
        if is_group and not (name == address and isinstance(self.values.get(name or ""), dict)):
            self._assign_group(address, value, path, say)
            return
        assert name is not None
        parameter = self.declared[name]
        steps = address[len(name) + 1 :].split(".") if address != name else []
        holder: Any = self.values
        last: Any = name
        for step in steps:
            holder = holder[last]
            last = _key(holder, step)
        old = holder[last]
        if isinstance(old, dict) and isinstance(value, dict):
            for key, item in value.items():
                if _key(old, str(key)) is None:
                    hint = did_you_mean(key, old, listing="it has")
                    say("DEF-050", f"'{address}' has no entry '{key}'", (*path, key), hint=hint)
                else:
                    self._assign(f"{address}.{key}", item, (*path, key), say)
            return
        declared: Any = parameter.value
        for step in steps:
            declared = declared[_key(declared, step)]
        fitting = _fit(address, parameter, declared, value, path, say)
        if fitting is not None:
            holder[last] = fitting[0]
            self.changed[address] = fitting[0]

    def _has_below(self, name: str) -> bool:
        return any(n.startswith(name + ".") for n in self.values)

    def _assign_group(self, address: str, value: Any, path: PathKey, say: Say) -> None:
        names = [n[len(address) + 1 :] for n in self.values if n.startswith(address + ".")]
        if not isinstance(value, dict):
            hint = did_you_mean("", names, listing="they are")
            say("DEF-052", f"'{address}' stands for {len(names)} parameters, found {describe(value)}", path, hint=hint)
            return
        heads = {part for n in names for part in _prefixes(n)}
        for key, item in value.items():
            if str(key) in heads:
                self._assign(f"{address}.{key}", item, (*path, key), say)
            else:
                hint = did_you_mean(key, names, listing="it has")
                say("DEF-050", f"there is no parameter '{address}.{key}'", (*path, key), hint=hint)


def _prefixes(name: str) -> Iterator[str]:
    """`a.b.c`, `a.b`, `a`."""
    while name:
        yield name
        name = name.rpartition(".")[0]


def _below(name: str, value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield f"{name}.{key}"
            yield from _below(f"{name}.{key}", item)


def _key(mapping: Any, step: str) -> Any:
    """The key of `mapping` that is written `step`, or None."""
    return next((key for key in mapping if str(key) == step), None) if isinstance(mapping, dict) else None


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int):
        return "a whole number"
    if isinstance(value, float):
        return "a number"
    names: dict[Any, str] = {str: "a text", list: "a list", dict: "a mapping"}
    return names.get(type(value), "nothing")


def _fit(name: str, parameter: Parameter, declared: Any, value: Any, path: PathKey, say: Say) -> tuple[Any] | None:
    """The value in the declared kind, in a tuple, or None if it does not fit."""
    if value is None and parameter.nullable:
        return (None,)
    wanted = _kind(declared)
    if declared is None:
        wanted = "a number" if parameter.min is not None or parameter.max is not None else _kind(value)
    if parameter.choices is not None and not isinstance(declared, dict | list):
        wanted = _kind(value)  # the choices say it all
    kinds = {"a number": ("a number", "a whole number")}.get(wanted, (wanted,))
    if _kind(value) not in kinds:
        say("DEF-045", f"'{name}' is {wanted}, found {describe(value)}", path)
        return None
    if wanted == "a list" and declared:
        allowed = {_kind(item) for item in declared}
        for i, item in enumerate(value):
            if _kind(item) not in allowed:
                say("DEF-045", f"'{name}' is a list of {_many(allowed)}, found {describe(item)}", (*path, i))
                return None
    return (value,) if _check_limits(name, parameter, value, path, say) else None


def _many(kinds: set[str]) -> str:
    names = {"a whole number": "whole numbers", "a number": "numbers", "a text": "texts", "a mapping": "mappings"}
    return " or ".join(sorted(names.get(kind, kind) for kind in kinds))


def _check_limits(name: str, parameter: Parameter, value: Any, path: PathKey, say: Say) -> bool:
    """Whether every value inside `value` keeps the parameter's `min`, `max`, `choices` and `nullable`."""
    if isinstance(value, dict | list):
        inside = value.items() if isinstance(value, dict) else enumerate(value)
        # A list, not a generator: all are to be reported.
        return all([_check_limits(name, parameter, item, (*path, key), say) for key, item in inside])  # noqa: C419
    if value is None:
        if not parameter.nullable:
            say("DEF-045", f"'{name}' cannot be empty", path, hint="set `nullable: true` if it may")
        return parameter.nullable
    if parameter.choices is not None:
        if not any(type(c) is type(value) and c == value for c in parameter.choices):
            words = ", ".join(str(c).lower() if isinstance(c, bool) else str(c) for c in parameter.choices)
            hint = did_you_mean(value, parameter.choices)
            say("DEF-045", f"'{name}' is one of {words}, found {describe(value)}", path, hint=hint)
            return False
        return True
    if isinstance(value, int | float) and not isinstance(value, bool):
        if parameter.min is not None and value < parameter.min:
            say("DEF-045", f"'{name}' is at least {parameter.min:g}, found {value}", path)
            return False
        if parameter.max is not None and value > parameter.max:
            say("DEF-045", f"'{name}' is at most {parameter.max:g}, found {value}", path)
            return False
    return True
