"""Every failure a user can mend, as a message and an exit status."""

from __future__ import annotations


def explained(error: Exception) -> tuple[str, int] | None:
    """What to print for an error and the exit status it leads to; None for a fault of ours."""
    from components.errors import DefinitionError, Problem, format_problems
    from generator.build.printed import NotPrinted
    from generator.build.selection import NoSuchPaper, NothingToBuild
    from generator.faces.faults import Fault

    if isinstance(error, DefinitionError):
        return str(error), error.status
    if isinstance(error, Fault):
        return format_problems([Problem(code=error.code, what=error.what, hint=error.hint)]), 1
    if isinstance(error, NothingToBuild | NoSuchPaper | NotPrinted):
        return f"pnp: {error}", 2
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"pnp: {where}{error.strerror or error}", 2
    return None
