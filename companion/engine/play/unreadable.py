"""Errors of a rules module while it reads a game: the cause, as far as the traceback shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from linecache import getline
from pathlib import Path
from types import TracebackType

from companion.engine.errors import CompanionError
from components.model import ResolvedGame, ResolvedPiece

ROOMS = ("rules", "games")
"""Folders in which rules modules lie: those of projects, and those of the program."""


class Unreadable(CompanionError):
    """A rules module failed while it read the definition of a game. `error` is what it met."""

    kind = "rules"
    status = 1

    def __init__(self, game: ResolvedGame, error: Exception) -> None:
        self.piece = piece_read(error)
        self.parameter = "" if self.piece is not None else parameter_read(error, game)
        what = f"piece '{self.piece.id}'" if self.piece is not None else "the game"
        if self.parameter:
            what = f"the parameter '{self.parameter}'"
        self.told = f"the rules module '{game.engine}' cannot read {what}: {why(error)}{line_of(error)}"
        super().__init__(self.told)
        self.__cause__ = error


def why(error: BaseException) -> str:
    """An exception in words."""
    if type(error) is KeyError and error.args:
        return f"'{error.args[0]}' is missing"
    return str(error) or repr(error)


def line_of(error: BaseException) -> str:
    """The last line of a rules module that an error passed, to be told in brackets; empty for one that was raised on
    purpose and says enough."""
    found = ""
    for trace in _passed(error):
        file = trace.tb_frame.f_code.co_filename
        found = f" ({Path(file).name}, line {trace.tb_lineno})"
        if trace.tb_next is None and getline(file, trace.tb_lineno).lstrip().startswith("raise "):
            return ""
    return found


def piece_read(error: BaseException) -> ResolvedPiece | None:
    """The piece that the innermost function which knows of one was at work on."""
    found = None
    trace = error.__traceback__
    while trace is not None:
        pieces = [value for value in trace.tb_frame.f_locals.values() if isinstance(value, ResolvedPiece)]
        found = pieces[-1] if pieces else found
        trace = trace.tb_next
    return found


def parameter_read(error: Exception, game: ResolvedGame) -> str:
    """The parameter that the innermost line of the rules module names, if it names one."""
    found = ""
    for trace in _passed(error):
        line = getline(trace.tb_frame.f_code.co_filename, trace.tb_lineno)
        named = [name for name in re.findall(r"[\"']([\w.+-]+)[\"']", line) if name in game.params]
        found = named[0] if named else found
    return found


def _passed(error: BaseException) -> Iterator[TracebackType]:
    """The frames of rules modules that an error passed through, the innermost last."""
    trace = error.__traceback__
    while trace is not None:
        if any(room in Path(trace.tb_frame.f_code.co_filename).parts for room in ROOMS):
            yield trace
        trace = trace.tb_next


__all__ = ["Unreadable", "line_of", "parameter_read", "piece_read", "why"]
