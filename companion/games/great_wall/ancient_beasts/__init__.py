"""The module Ancient Beasts: beasts that help where they stand, and relics (rules GW-AB)."""

from ..base.brought import Module
from . import beasts

MODULE = Module(
    "ancient_beasts",
    (beasts,),
    fields=("beasts", "relic", "beast_actions", "relic_pile"),
    lacks=beasts.lacks,
    at_section=beasts.at_section,
    line=beasts.line,
)
