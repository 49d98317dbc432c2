"""Procedural ornament: pure functions from millimetres to paths. Irregular ones take a `seed`."""

from __future__ import annotations

from collections.abc import Callable

from generator.faces.ornaments import bronze, fields, inkland, lands, lettering, mapland, masks, scroll, woodcut
from generator.faces.svgpath import Path

ORNAMENTS: dict[str, Callable[..., Path]] = {
    "bamboo": inkland.bamboo,
    "bricks": fields.bricks,
    "checks": fields.checks,
    "chevrons": fields.chevrons,
    "cloud": scroll.cloud,
    "clouds": bronze.clouds,
    "cut-line": woodcut.cut_line,
    "dots": fields.dots,
    "dunes": mapland.dunes,
    "fibres": inkland.fibres,
    "furrows": woodcut.furrows,
    "geese": inkland.geese,
    "gouges": woodcut.gouges,
    "grid": fields.grid,
    "grove": lands.grove,
    "hexes": fields.hexes,
    "ice": fields.ice,
    "interlocking-t": bronze.interlocking_t,
    "key-band": bronze.key_band,
    "lattice": fields.lattice,
    "lettering": lettering.lettering,
    "meander": bronze.meander,
    "meander-frame": bronze.meander_frame,
    "mist": inkland.mist,
    "mountains": scroll.mountains,
    "pine": inkland.pine,
    "rain": inkland.rain,
    "rays": fields.rays,
    "reeds": inkland.reeds,
    "ridge": inkland.ridge,
    "river": mapland.river,
    "seal": bronze.seal,
    "slips": bronze.slips,
    "stripes": fields.stripes,
    "taotie": masks.taotie,
    "terraces": lands.terraces,
    "torn": inkland.torn,
    "wash": inkland.wash,
    "water": inkland.water,
    "waves": fields.waves,
}
"""Name in a template -> function. All take `box`; what else, its signature says."""

CLIPPED = frozenset(
    {"chevrons", "dunes", "furrows", "grove", "hexes", "lattice"}
    | {"mountains", "rays", "slips", "stripes", "terraces", "waves"}
)
"""Ornaments that run over the edge of their box and are drawn clipped to it."""

STRAYING = frozenset(
    {"bamboo", "fibres", "geese", "mist", "lettering", "pine", "rain"}
    | {"reeds", "ridge", "river", "torn", "wash", "water"}
)
"""Ornaments painted with a brush, whose strokes may stray over the edge of their box and are not clipped."""


def arguments(kind: str) -> list[str]:
    """The arguments of an ornament besides its box."""
    import inspect

    return list(inspect.signature(ORNAMENTS[kind]).parameters)[1:]
