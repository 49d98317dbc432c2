"""The module Genghis Khan: the Khan before the wall, his skills, and the bannermen (rules GW-GK)."""

from ..base.brought import Module
from . import bannermen, khan, riding

MODULE = Module(
    "genghis_khan",
    (riding, khan, bannermen),
    fields=("khan",),
    shown_by=lambda player: player.bannerman != "supply",
    lacks=riding.lacks,
    mark_seen=riding.khan_comes,
    off_board=khan.no_target,
    power=khan.power,
    at_section=riding.at_section,
    line=riding.line,
)
