"""The module Iron Dragon: its flight and its breath (rules GW-ID)."""

from ..base.brought import Module
from . import iron_dragon

MODULE = Module(
    "iron_dragon",
    (iron_dragon,),
    fields=("dragon", "dragon_discard"),
    shown_by=lambda player: bool(player.dragon_cards),
    scores=iron_dragon.collected,
    at_section=iron_dragon.at_section,
    line=iron_dragon.line,
)
