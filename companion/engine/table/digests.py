"""The checks of a journal: checksums of its rows, hashes of states, and the fingerprint of the rules' code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion.engine.play.position import Rules

try:
    from _blake2 import blake2b  # what hashlib gives, without loading OpenSSL for it
except ImportError:
    from hashlib import blake2b

_ENGINE = Path(__file__).parents[1]
_COMPONENTS = _ENGINE.parents[1] / "components"
_PLAIN = frozenset((str, int, float, bool, type(None)))


def checksum(name: str, data: bytes) -> bytes:
    """Eight bytes that change when `data` does, or what it is stored under."""
    return blake2b(name.encode() + data, digest_size=8).digest()


def form_of(state: Any) -> bytes:
    """The position form of a state as JSON, defaults left out. `msgspec.json.decode` with the state's type reads it,
    and the mappings in it are in the order they had."""
    return msgspec.json.encode(_lean(state))


def hash_of(form: bytes) -> str:
    """The hash of a state, given its form. The order of keys does not change it, nor does a field that a later version
    adds with a default."""
    return blake2b(msgspec.json.encode(msgspec.json.decode(form), order="sorted"), digest_size=8).hexdigest()


def _lean(value: Any) -> Any:
    kind: Any = type(value)
    if kind in _PLAIN:
        return value
    if kind is dict:
        return {key if type(key) is str else str(key): _lean(inner) for key, inner in value.items()}
    if kind is list or kind is tuple:
        return [_lean(inner) for inner in value]
    if isinstance(value, msgspec.Struct):
        form = {key: _lean(said) for key, name, default in _fields(kind) if (said := getattr(value, name)) != default}
        config = kind.__struct_config__
        return form if config.tag is None else {config.tag_field: config.tag, **form}
    return value


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[tuple[str, str, Any], ...]:
    """(key, attribute, default) of each field of a record."""
    defaults = [default.factory() if hasattr(default, "factory") else default for default in kind.__struct_defaults__]
    needed = [msgspec.NODEFAULT] * (len(kind.__struct_fields__) - len(defaults))
    return tuple(zip(kind.__struct_encode_fields__, kind.__struct_fields__, [*needed, *defaults], strict=True))


class Code(NamedTuple):
    """The code that says what a move does: the engine's, that of the records, and that of the game's package."""

    digest: str
    """Fingerprint of what stands in its files."""
    stamp: str
    """Fingerprint of where its files lie, how long they are, and when they were last touched: while it is the same,
    nobody needs to read them."""


def code_of(rules: Rules, known: Code | None = None) -> Code:
    """The code behind `rules`, as this process found it first. `known`: the code that an earlier look found."""
    own = _own(type(rules).__module__, rules.game.engine)
    stamp = _stamp(own)
    return Code(known.digest if known is not None and known.stamp == stamp else _digest(own), stamp)


def _own(module: str, engine: str) -> Path:
    """The package of a game, or its only file."""
    parts = module.split(".")
    name = ".".join(parts[: parts.index(engine) + 1]) if engine in parts else module
    file = Path(sys.modules[name].__file__ or "")
    return file.parent if file.name == "__init__.py" else file


@cache
def _stamp(own: Path) -> str:
    found = blake2b(digest_size=8)
    for file, about in _files(own):
        found.update(f"{file}\0{about.st_size} {about.st_mtime_ns} {about.st_ctime_ns} {about.st_ino}\0".encode())
    return found.hexdigest()


@cache
def _digest(own: Path) -> str:
    found = blake2b(digest_size=8)
    for file, _ in _files(own):
        name = f"{os.path.basename(os.path.dirname(file))}/{os.path.basename(file)}"
        found.update(checksum(name, Path(file).read_bytes()))
    return found.hexdigest()


def _files(own: Path) -> Iterator[tuple[str, os.stat_result]]:
    """The Python files of the code, in a fixed order, each with what the disk says of it."""
    for place in (_COMPONENTS, _ENGINE, own):
        if place.is_dir():
            yield from _below(str(place))
        else:
            yield str(place), place.stat()


def _below(folder: str) -> Iterator[tuple[str, os.stat_result]]:
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.name.endswith(".py"):
            yield entry.path, entry.stat()
        elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
            yield from _below(entry.path)


__all__ = ["Code", "checksum", "code_of", "form_of", "hash_of"]
