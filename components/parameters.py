"""Overlays for parameters: what a name means, and what is changed by it. Used by variants and by `--set`."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from components.model import Parameter
from components.parameter_values import (
    NO_MODEL,
    Say,
    check_keys,
    check_limits,
    entry_key,
    fits,
    is_open,
    keys_hint,
    with_numbers,
)
from components.phrasing import did_you_mean
from components.validate import describe

PathKey = tuple[Any, ...]


def in_files(code: str) -> str:
    """The code for a fault in a file: names and values given on the command line are status 2, in a file content."""
    return {"DEF-050": "DEF-057", "DEF-051": "DEF-057", "DEF-052": "DEF-045"}.get(code, code)


class _Fault(NamedTuple):
    """The reason why a name means nothing."""

    code: str
    what: str
    hint: str


class Parameters:
    """The parameters of a game with their values, to be changed by overlays.

    A parameter is named by its full dotted name or by its unique last parts (`army_cost`). A name may go on into a
    mapping (`tax.bronze.bu`) or a list, by the place counted from 0 (`slots.extra.2`), and may stop before the end
    (`tax`), then a mapping sets what stands below it. A mapping with `keys` is replaced as a whole, and an entry it has
    not yet can be named.
    """

    def __init__(self, declared: Mapping[str, Parameter]) -> None:
        self.declared = declared
        self.values: dict[str, Any] = {name: copy.deepcopy(p.value) for name, p in declared.items()}
        self.changed: dict[str, Any] = {}
        """Every leaf that was set, by its full name."""

    def check_declared(self, say: Say) -> None:
        """Report values of `game.yaml` that break their own limits; paths begin with the parameter's name."""
        for name, parameter in self.declared.items():
            check_limits(name, parameter, parameter.value, (name, "value"), say)
            check_keys(name, parameter, parameter.value, (name, "value"), say)
            if parameter.keys is not None and not isinstance(parameter.value, dict | list):
                what = f"'{name}' is {describe(parameter.value)}, so it has no `keys`"
                say("DEF-045", what, (name, "keys"))

    def assign(self, key: str, value: Any, say: Say) -> None:
        """Give `value` to what `key` names. Faults are reported and nothing is changed by them."""
        address = self._find(key, say)
        if address is not None:
            self._assign(address, value, (), say)

    # --- names -------------------------------------------------------------------------------------------------------

    def _addresses(self) -> Iterator[str]:
        """Every name that its last parts are enough for: groups, parameters, entries of mappings."""
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
        found = self._meant(key, addresses)
        if isinstance(found, str):
            return found
        if found is None:
            names = [a.rsplit(".", key.count(".") + 1)[-1] if "." not in key else a for a in addresses]
            found = _Fault("DEF-050", f"there is no parameter '{key}'", did_you_mean(key, [*addresses, *names]))
        say(found.code, found.what, (), hint=found.hint)
        return None

    def _meant(self, key: str, addresses: list[str]) -> str | _Fault | None:
        """The one address that `key` may mean, or why there is none (None: nothing is called like that)."""
        ends = _ending(key, addresses)
        if len(ends) == 1:
            return ends[0]
        if ends:
            return _Fault("DEF-051", f"'{key}' could mean {', '.join(ends[:6])}", "give more of the name")
        before, _, last = key.rpartition(".")
        holder = self._meant(before, addresses) if before else None
        return self._entry(holder, last) if isinstance(holder, str) else holder

    def _entry(self, address: str, last: str) -> str | _Fault | None:
        """The address of an entry outside `_addresses`: one of a list, inside a list, or a new one."""
        name = next((n for n in _prefixes(address) if n in self.values), "")
        if not name:
            return None
        at: Any = self.values[name]
        for step in _steps(name, address):
            at = at[_key(at, step)]
        if _key(at, last) is not None or (
            is_open(self.declared[name], at) and entry_key(self.declared[name], last) is not None
        ):
            return f"{address}.{last}"
        if isinstance(at, list):
            hint = f"they are counted from 0 to {len(at) - 1}" if at else ""
            return _Fault("DEF-050", f"'{address}' has no entry '{last}'", hint)
        if is_open(self.declared[name], at):
            hint = keys_hint(self.declared[name], last)
            return _Fault("DEF-050", f"'{address}' cannot have an entry '{last}'", hint)
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
        holder: Any = self.values
        last: Any = name
        model: Any = parameter.value
        for step in _steps(name, address):
            holder = holder[last]
            last = _key(holder, step)
            if last is None:
                last = entry_key(parameter, step)
            model = _inside(model, last)
        old = holder.get(last) if isinstance(holder, dict) else holder[last]
        if isinstance(old, dict) and isinstance(value, dict) and not is_open(parameter, old):
            for key, item in value.items():
                if _key(old, str(key)) is None:
                    hint = did_you_mean(key, old, listing="it has")
                    say("DEF-050", f"'{address}' has no entry '{key}'", (*path, key), hint=hint)
                else:
                    self._assign(f"{address}.{key}", item, (*path, key), say)
            return
        value = with_numbers(parameter, value)
        if fits(address, parameter, model, value, path, say):
            holder[last] = copy.deepcopy(value)
            self.changed = {a: v for a, v in self.changed.items() if not a.startswith(address + ".")}
            self.changed[address] = value

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


def _ending(key: str, addresses: list[str]) -> list[str]:
    """The addresses that `key` may mean."""
    if key in addresses:
        return [key]
    ends = [a for a in addresses if key and a.endswith("." + key)]
    # A name inside a mapping that matches too is no second candidate: `cost` means all of `wall.cost`.
    return [a for a in ends if not any(a.startswith(b + ".") for b in ends if b != a)]


def _prefixes(name: str) -> Iterator[str]:
    """`a.b.c`, `a.b`, `a`."""
    while name:
        yield name
        name = name.rpartition(".")[0]


def _steps(name: str, address: str) -> list[str]:
    """The parts of an address below the parameter it is in."""
    return address[len(name) + 1 :].split(".") if address != name else []


def _below(name: str, value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield f"{name}.{key}"
            yield from _below(f"{name}.{key}", item)


def _key(holder: Any, step: str) -> Any:
    """The key or place of `holder` that is written `step`, or None."""
    places: Any = holder if isinstance(holder, dict) else range(len(holder)) if isinstance(holder, list) else ()
    return next((key for key in places if str(key) == step), None)


def _inside(model: Any, key: Any) -> Any:
    """The entry of a value of `game.yaml` that one called `key` is compared with: its own, else the first."""
    if isinstance(model, dict):
        return model.get(key, next(iter(model.values()), NO_MODEL))
    if isinstance(model, list):
        return model[key] if key < len(model) else next(iter(model), NO_MODEL)
    return NO_MODEL
