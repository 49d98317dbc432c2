"""Findings that fall short of a bar."""

from __future__ import annotations

import msgspec

from generator.faces.kit import Origin


class Finding(msgspec.Struct, frozen=True):
    """Something that falls short of a bar. `worst`: the greater, the worse, among findings of one code and place."""

    code: str
    what: str
    hint: str
    worst: float
    origin: Origin | None = None
