"""What a journal is checked by: checksums of its rows, hashes of states, and the fingerprint of the rules' code."""

from __future__ import annotations

import sys
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from companion.engine.play.position import Rules

_ENGINE = Path(__file__).parents[1]
_PLAIN = frozenset((str, int, float, bool, type(None)))


def checksum(name: str, data: bytes) -> bytes:
    """Eight bytes that change when `data` does, or what it is stored under."""
    return blake2b(name.encode() + data, digest_size=8).digest()


def form_of(state: Any) -> bytes:
    """The position form of a state as JSON, keys sorted and defaults left out: a field that a later version adds with
    a default does not change it. `msgspec.json.decode` with the state's type reads it."""
    return msgspec.json.encode(_lean(state), order="sorted")


def hash_of(form: bytes) -> str:
    """The hash of a state, given its form."""
    return blake2b(form, digest_size=8).hexdigest()


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


def code_of(rules: Rules) -> str:
    """The fingerprint of the code that says what a move does: the engine's, and that of the game's package."""
    return _code(_own(type(rules).__module__, rules.game.engine))


def _own(module: str, engine: str) -> Path:
    """The package of a game, or its only file."""
    parts = module.split(".")
    name = ".".join(parts[: parts.index(engine) + 1]) if engine in parts else module
    file = Path(sys.modules[name].__file__ or "")
    return file.parent if file.name == "__init__.py" else file


@cache
def _code(own: Path) -> str:
    found = blake2b(digest_size=8)
    for place in (_ENGINE, own):
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            found.update(checksum(file.relative_to(place.parent).as_posix(), file.read_bytes()))
    return found.hexdigest()


__all__ = ["checksum", "code_of", "form_of", "hash_of"]
