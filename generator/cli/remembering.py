"""A memory of what the companion read and played without a fault: it is played again only when a dependency changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from components.files import digest, digest_all
from components.projects import own_project, project_root
from generator.build.places import look_files
from generator.cli.common import settings

if TYPE_CHECKING:
    from components.checks import FurtherCheck
    from components.errors import Problem
    from components.loader import Definition
    from components.model import ResolvedGame
    from generator.build.places import Places


def remembered(checks: Iterable[FurtherCheck], places: Places) -> FurtherCheck:
    """These checks as one, which remembers the games in which all of them found nothing."""
    every = list(checks)
    program = ""

    def check(definition: Definition, game: ResolvedGame) -> Iterator[Problem]:
        from generator.proofing.report import Memory

        nonlocal program
        program = program or _program()
        said = sorted((name, source.text) for name, source in definition.sources.items())
        look = digest_all(look_files(places, game.id))
        key = digest(repr((game.fingerprint, said, look, _module(game))).encode())
        memory = Memory(places.told(game.id), program)
        if memory.knows(key) and not settings.trust:
            return
        fine = True
        for one in every:
            told = list(one(definition, game))
            fine = fine and not told
            yield from told
            if any(problem.severity == "error" for problem in told):
                break  # what follows from it would only be told after it
        if fine:
            memory.fine(key)
            memory.save()

    return check


def _program() -> str:
    """Digest of the program that reads and plays."""
    root = project_root()
    packages = (root / name for name in ("components", "generator", "companion"))
    return digest_all(file for package in packages for file in package.rglob("*.py"))


def _module(game: ResolvedGame) -> str:
    """The rules module in the project's folder, and whether it may run."""
    if not game.engine or not own_project(settings.project):
        return ""
    from companion.games import NoRules
    from components.program import trust_of_user
    from generator.cli.playing import own_module

    try:
        source = own_module(game)
    except NoRules as error:
        return str(error)
    return f"{source.digest} {trust_of_user().knows(source.place, source.digest)}" if source is not None else ""


__all__ = ["remembered"]
