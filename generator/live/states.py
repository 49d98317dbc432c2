"""A project as its files said it at one time."""

from __future__ import annotations

import msgspec

from components.model import ResolvedGame, ResolvedPiece
from generator.build.project import Layouts
from generator.faces.facemaker import FaceMaker


class State(msgspec.Struct):
    """The files as they were read at one time."""

    game: ResolvedGame
    layouts: Layouts
    pieces: dict[str, ResolvedPiece]
    makers: dict[str, FaceMaker] = {}

    def maker(self, ink: str) -> FaceMaker:
        if ink not in self.makers:
            self.makers[ink] = self.layouts.faces(self.game, ink)
        return self.makers[ink]
