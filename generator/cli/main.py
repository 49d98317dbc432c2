"""`pnp`: the generator's command line. Only the module of the command that was called is imported."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from components.program import Program, Told

COMMANDS = {
    "build": "build",
    "watch": "build",
    "calibrate": "build",
    "printed": "table",
    "diff": "table",
    "games": "look",
    "check": "check",
    "proof": "look",
    "schema": "look",
    "export": "look",
    "init": "look",
    "explain": "explain",
    "fetch": "fetch",
    "rulebook": "rulebook",
    "scene": "scene",
    "serve": "serve",
}


def explained(error: Exception) -> Told | None:
    """The message for a failure that a person can mend; None for any other."""
    from generator.cli.failures import explained

    return explained(error)


def chosen(project: Path | None, trust: str, debug: bool) -> None:
    """Take the project that `--project` names, or the nearest one."""
    from generator.cli.common import settings

    settings.choose(project)
    settings.trust, settings.debug = trust, debug


PROGRAM = Program(
    name="pnp",
    about="Print-and-play board games from YAML.",
    package="generator.cli",
    commands=COMMANDS,
    explained=explained,
    chosen=chosen,
    example="pnp build GAME --paper letter --backs gutterfold",
)


def main(argv: Iterable[str] | None = None) -> int:
    """Run one command and return its exit status. Never raises."""
    return PROGRAM.main(argv)
