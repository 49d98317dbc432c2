"""The module Emperor's Award (rules GW-EA)."""

from ..base.brought import Module
from . import award

MODULE = Module("emperors_award", (award,), fields=("award",), line=award.line)
