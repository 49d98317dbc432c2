"""The module Rat: where it sits, it bites (rules GW-RAT)."""

from ..base.brought import Module
from . import rat

MODULE = Module(
    "rat",
    (rat,),
    fields=("rat", "rat_pile"),
    lacks=rat.lacks,
    location_opens=rat.bite,
    idled_by="GW-RAT-9",
    line=rat.line,
)
