"""Types that msgspec learns before it converts to them, one thread at a time.

It learns that when it first converts to the type, and the process dies if another thread needs the type, or one inside
it, meanwhile (seen with msgspec 0.22).
"""

from __future__ import annotations

import threading
from contextlib import suppress
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
_one = threading.Lock()


def learnt(kind: type[T]) -> type[T]:
    """The type, which any thread may now convert to."""
    asked: Any = kind
    _learn(asked)
    return kind


@lru_cache(1000)
def _learn(kind: Any) -> None:
    with _one, suppress(msgspec.ValidationError):
        msgspec.convert(None, kind)
