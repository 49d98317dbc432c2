"""Problems with their place and remedy: `Problem`, the exceptions that carry problems, and their one printer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec

from components.error_codes import CODES
from components.phrasing import count

JSON_VERSION = 1
EXCERPT = 200
"""So much of a long source line is printed around the fault."""


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One fault (or warning) in the user's material. Lines and columns count from 1; 0 means: no place known."""

    code: str
    what: str
    file: str = ""
    line: int = 0
    column: int = 0
    hint: str = ""
    excerpt: str = ""
    """The source line, without its line end."""
    severity: Literal["error", "warning"] = "error"


class DefinitionError(Exception):
    """Definitions that cannot be used. `problems` holds every fault found; `status` is the exit status they lead to."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(in_order(problems))
        super().__init__(format_problems(self.problems))

    @property
    def status(self) -> int:
        """2 if something could not be read at all, otherwise 1."""
        return max((status_of(p) for p in self.problems), default=1)


class SetError(DefinitionError):
    """A variant, `--set` or number of players that the game does not know or allow."""


def status_of(problem: Problem) -> int:
    """The exit status of one problem's code (1 for codes of other tables)."""
    entry = CODES.get(problem.code)
    return entry.status if entry else 1


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Sorted by place, each said once."""
    return sorted(dict.fromkeys(problems), key=lambda p: (p.file, p.line, p.column, p.code, p.what))


def format_problem(problem: Problem) -> str:
    """One problem as plain text: place, code and fault; the source line; the hint."""
    place = f"{problem.file}:{problem.line}:{problem.column}: " if problem.line else ""
    if problem.file and not problem.line:
        place = f"{problem.file}: "
    lines = [f"{place}{problem.severity} {problem.code}: {problem.what}"]
    if problem.excerpt:
        start = max(0, problem.column - EXCERPT // 2) if len(problem.excerpt) > EXCERPT else 0
        end = start + EXCERPT
        shown = f"{'…' if start else ''}{problem.excerpt[start:end]}{'…' if end < len(problem.excerpt) else ''}"
        lines.append(f"{problem.line:>4} | {shown}")
    if problem.hint:
        lines.append(f"  hint: {problem.hint}")
    return "\n".join(lines)


def format_problems(problems: Sequence[Problem]) -> str:
    """All problems, sorted by place, and their number."""
    problems = in_order(problems)
    counts = []
    for word in ("error", "warning"):
        if n := sum(p.severity == word for p in problems):
            counts.append(count(n, word))
    return "\n".join([*(format_problem(p) for p in problems), ", ".join(counts) or "no problems"])


def problems_json(problems: Sequence[Problem]) -> dict[str, Any]:
    """The JSON form: `version` and `problems`, each with all its fields and its exit `status`."""
    rows = [
        {name: getattr(p, name) for name in Problem.__struct_fields__} | {"status": status_of(p)}
        for p in in_order(problems)
    ]
    return {"version": JSON_VERSION, "problems": rows}
