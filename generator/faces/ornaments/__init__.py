"""Procedural ornament: pure functions from millimetres to paths. Irregular ones take a `seed`."""

from __future__ import annotations

from collections.abc import Callable

from generator.faces.ornaments import bronze, fields, lands, masks, woodcut
from generator.faces.svgpath import Path

ORNAMENTS: dict[str, Callable[..., Path]] = {
    "bricks": fields.bricks,
    "checks": fields.checks,
    "chevrons": fields.chevrons,
    "clouds": bronze.clouds,
    "cut-line": woodcut.cut_line,
    "dots": fields.dots,
    "furrows": woodcut.furrows,
    "gouges": woodcut.gouges,
    "grid": fields.grid,
    "grove": lands.grove,
    "hexes": fields.hexes,
    "ice": fields.ice,
    "interlocking-t": bronze.interlocking_t,
    "key-band": bronze.key_band,
    "lattice": fields.lattice,
    "meander": bronze.meander,
    "meander-frame": bronze.meander_frame,
    "rays": fields.rays,
    "seal": bronze.seal,
    "slips": bronze.slips,
    "stripes": fields.stripes,
    "taotie": masks.taotie,
    "terraces": lands.terraces,
    "waves": fields.waves,
}
"""Name in a template -> function. All take `box`; what else, its signature says."""

CLIPPED = frozenset(
    {"chevrons", "furrows", "grove", "hexes", "lattice", "rays", "slips", "stripes", "terraces", "waves"}
)
"""Ornaments that run over the edge of their box and are drawn clipped to it."""


def arguments(kind: str) -> list[str]:
    """What an ornament takes besides its box."""
    import inspect

    return list(inspect.signature(ORNAMENTS[kind]).parameters)[1:]
