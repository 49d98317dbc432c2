"""Every failure a user can mend, as a message and an exit status."""

from __future__ import annotations

import sys

from components.program import Told


def explained(error: Exception) -> Told | None:
    """The message for an error, and its exit status; None for a fault of ours."""
    from components.errors import DefinitionError, Problem, format_problems
    from generator.build.printed import NotPrinted
    from generator.build.selection import NoSuchPaper, NothingToBuild
    from generator.cli.common import Usage
    from generator.faces.faults import Fault

    if "companion.own.modules" in sys.modules:  # a rules module ran
        from companion.engine.errors import CompanionError

        error = sys.modules["companion.own.modules"].fault_in(error) or error
        if isinstance(error, CompanionError):
            return Told(str(error), error.status, error.kind, error.more())
    if isinstance(error, DefinitionError):
        return Told(str(error), error.status)
    if isinstance(error, Fault):
        return Told(format_problems([Problem(code=error.code, what=error.what, hint=error.hint)]), 1)
    if isinstance(error, Usage | NothingToBuild | NoSuchPaper | NotPrinted):
        return Told(f"pnp: {error}", 2, "usage")
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return Told(f"pnp: {where}{error.strerror or error}", 2, "usage")
    return None
