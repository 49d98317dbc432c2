"""`companion`: the companion's command line. It imports only the module of the command that was called, so that it
answers at once.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from components.program import Program, Told

COMMANDS = {
    "games": "games",
    "new": "tables",
    "show": "show",
    "moves": "show",
    "menu": "menus",
    "do": "do",
    "check": "do",
    "ask": "games",
    "rule": "games",
    "undo": "past",
    "redo": "past",
    "log": "show",
    "amend": "past",
    "note": "past",
    "correct": "past",
    "people": "people",
    "score": "show",
    "play": "play",
    "serve": "serve",
    "summary": "evening",
    "stats": "evening",
    "tables": "shelving",
    "rename": "shelving",
    "archive": "shelving",
    "delete": "shelving",
    "export": "tables",
    "import": "tables",
    "migrate": "house",
    "simulate": "games",
    "playtest": "playtest",
    "report": "report",
}


def explained(error: Exception) -> Told | None:
    """The text to print for a failure that the user can mend; None for any other."""
    from companion.engine.errors import CompanionError
    from components.errors import DefinitionError, problems_json

    if "companion.own.modules" in sys.modules and not isinstance(error, CompanionError):
        error = sys.modules["companion.own.modules"].fault_in(error) or error
    if isinstance(error, CompanionError):
        told = Told(str(error), error.status, error.kind, error.more())
        return told if error.of_seats else _by_name(told)
    if isinstance(error, DefinitionError):
        return Told(str(error), error.status, more={"problems": problems_json(error.problems)["problems"]})
    if isinstance(error, OSError) and error.filename is not None and not isinstance(error, ImportError):
        return Told(f"{error.filename}: {error.strerror}", 2, "usage")
    return None


def _by_name(told: Told) -> Told:
    """A failure at a table, told in the names of the people who sit there; JSON keeps the seats."""
    from companion.cli.common import Settings

    if Settings.people is None:
        return told
    people = Settings.people()
    near = [people.as_typed(line) for line in told.more.get("nearest") or ()]
    named = told._replace(message=people.text(told.message), more={**told.more, "nearest": near})
    return told._replace(worded=named.text)


def chosen(project: Path | None, trust: str, debug: bool) -> None:
    """Use the project that `--project` names, or the nearest one."""
    from companion.cli.common import Failure, Settings
    from components.projects import nearest_project, own_project

    Settings.trust, Settings.recorded, Settings.people = trust, "", None
    Settings.named = project is not None
    if project is None:
        if Settings.root is None:
            near = nearest_project(Path.cwd())
            Settings.root = _written_down(near) if near is not None and own_project(near) else None
        return
    if not project.is_dir():
        raise Failure(f"no folder {project}")
    Settings.root = _written_down(project.resolve())


def _written_down(project: Path) -> Path:
    """A project's folder, as tables and caches keep it. Raises Failure for a path that is not UTF-8 text."""
    from companion.cli.common import Failure
    from components.safe_text import one_line

    try:
        str(project).encode()
    except UnicodeEncodeError:
        raise Failure(
            f"{one_line(str(project))}: the path of this project is not UTF-8 text; rename the folder"
        ) from None
    return project


PROGRAM = Program(
    name="companion",
    about="Referee a board game: record the moves, ask what is legal, see the score.",
    package="companion.cli",
    commands=COMMANDS,
    explained=explained,
    chosen=chosen,
    example='companion check "MOVE" --table friday',
    kept=lambda: sys.modules["companion.cli.common"].kept() if "companion.cli.common" in sys.modules else "",
)


def main(argv: Iterable[str] | None = None) -> int:
    """Run one command and return its exit status. Never raises."""
    return PROGRAM.main(argv)


__all__ = ["COMMANDS", "main"]
