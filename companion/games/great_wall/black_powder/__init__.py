"""The module Black Powder: higher walls, war machines, towers, siege damage (rules GW-BP)."""

from ..base.brought import Module
from . import black_powder, setting_up

MODULE = Module(
    "black_powder",
    (setting_up, black_powder),
    fields=("towers", "machines"),
    begins=setting_up.begins,
    lacks=setting_up.lacks,
    more_hordes=("bp.horde_bonus", "GW-SPR-3"),
    tower_manned=black_powder.manned,
    machine_built=black_powder.built,
    at_section=setting_up.at_section,
    line=setting_up.line,
)
