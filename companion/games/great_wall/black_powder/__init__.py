"""The module Black Powder: higher walls, war machines, towers, siege damage (rules GW-BP)."""

from ..base.brought import Module
from . import black_powder

MODULE = Module(
    "black_powder",
    (black_powder,),
    fields=("towers", "machines"),
    begins=black_powder.begins,
    lacks=black_powder.lacks,
    more_hordes=("bp.horde_bonus", "GW-SPR-3"),
    tower_manned=black_powder.manned,
    machine_built=black_powder.built,
    at_section=black_powder.at_section,
    line=black_powder.line,
)
