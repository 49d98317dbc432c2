"""The module Genghis Khan: the Khan before the wall, his skills, and the bannermen (rules GW-GK)."""

from ..base.brought import Module
from . import bannermen, khan

MODULE = Module(
    "genghis_khan",
    (khan, bannermen),
    fields=("khan",),
    shown_by=lambda player: player.bannerman != "supply",
    lacks=khan.lacks,
    mark_seen=khan.khan_comes,
    off_board=khan.no_target,
    power=khan.power,
    at_section=khan.at_section,
    line=khan.line,
)
