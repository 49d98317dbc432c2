"""The homes of games: the project that comes with the program, and the user's own."""

from __future__ import annotations

from pathlib import Path

TABLES = (".csv", ".tsv", ".xlsx", ".ods")
"""The suffixes of tables of cards."""


def project_root() -> Path:
    """The folder that holds `components/` and `layouts/` of the installed project."""
    return Path(__file__).resolve().parent.parent


def nearest_project(start: Path) -> Path | None:
    """The nearest folder at or above `start` with games in it."""
    return next((f for f in (start, *start.parents) if any((f / "components").glob("*/game.yaml"))), None)


def own_project(root: Path | None) -> str:
    """The folder of a project of the user's own; empty for the installed one."""
    return "" if root is None or root.resolve() == project_root() else str(root.resolve())


__all__ = ["TABLES", "nearest_project", "own_project", "project_root"]
