"""Procedural ornament: pure functions from millimetres to paths. Irregular ones take a `seed`."""

from __future__ import annotations

from collections.abc import Callable

from generator.svgpath import Path

ORNAMENTS: dict[str, Callable[..., Path]] = {}
