"""Records kept as JSON that people may read, each with a digest of itself: what anybody but us changed is noticed."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from components.files import digest

T = TypeVar("T", bound=msgspec.Struct)
"""A record with a field `digest: str = ""`: of everything else in it."""


def sealed(record: T) -> bytes:
    """A record as it is kept, with its digest."""
    return _written(_with(record, _digest(record)))


def unsealed(content: bytes, kind: type[T]) -> T | None:
    """The record `sealed` was given; None if any byte of it was changed."""
    try:
        found: Any = msgspec.json.decode(content, type=kind)
    except ValueError:  # also of bytes that are no UTF-8
        return None
    # A changed key, whose value is the default anyway, leaves the digest as it was.
    return found if found.digest == _digest(found) and content == _written(found) else None


def _written(record: msgspec.Struct) -> bytes:
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def _with(record: msgspec.Struct, mark: str) -> msgspec.Struct:
    return msgspec.structs.replace(record, digest=mark)


def _digest(record: msgspec.Struct) -> str:
    return digest(msgspec.json.encode(_with(record, "")))


__all__ = ["sealed", "unsealed"]
