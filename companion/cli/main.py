"""`companion`: sits at the table, answers "may I?", keeps the state, the log and the score.

Only the module of the command that was asked for is imported: a command at the table has to answer at once.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from companion.cli.common import DONE, OURS, UNABLE, Settings, remark, tell
from companion.engine.errors import CompanionError

if TYPE_CHECKING:
    from types import TracebackType

COMMANDS = {
    "games": "games",
    "new": "tables",
    "show": "show",
    "moves": "show",
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
    "score": "show",
    "play": "play",
    "tables": "tables",
    "export": "tables",
    "import": "tables",
    "migrate": "tables",
    "simulate": "games",
}
"""Command -> module below `companion` that holds it, as a function of that name (`import` as `import_`)."""


def build_app(only: str = "") -> typer.Typer:
    """The application with all commands, or with one of them (which is faster)."""
    app = typer.Typer(
        name="companion",
        help="Follow a board game on the table: say what happened, ask what is allowed, keep the score.",
        epilog="Exit status: 0 legal or done, 1 illegal or faulty, 2 could not run or a choice is missing, 70 ours.",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=not only,
        no_args_is_help=True,
    )

    @app.callback()
    def companion() -> None:
        """Follow a board game on the table: say what happened, ask what is allowed, keep the score."""

    for name in [only] if only else COMMANDS:
        module = import_module(f"companion.cli.{COMMANDS[name]}")
        function = getattr(module, "import_" if name == "import" else name)
        app.command(name, no_args_is_help=False)(function)
    return app


def main(argv: list[str] | None = None) -> int:
    """Run one command; answers with its exit status. Never raises."""
    arguments = sys.argv[1:] if argv is None else argv
    Settings.as_json = "--json" in arguments
    first = arguments[0] if arguments else ""
    try:
        app = build_app(first if first in COMMANDS else "")
        app(arguments, prog_name="companion")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else UNABLE if end.code else DONE
    except CompanionError as error:
        return tell(error)
    except KeyboardInterrupt:
        remark("stopped")
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return DONE
    except Exception as error:
        return _unexpected(error, arguments)
    return DONE


def _unexpected(error: Exception, arguments: list[str]) -> int:
    """Tell an error that is not one of ours: the user's definitions or files, or a fault of the program (70)."""
    from components.errors import DefinitionError

    if isinstance(error, DefinitionError):
        return tell(error)
    if isinstance(error, OSError) and error.filename is not None and not isinstance(error, ImportError):
        from companion.cli.common import Failure

        return tell(Failure(f"{error.filename}: {error.strerror}"))
    where = _saved(error, error.__traceback__, arguments)
    remark(f"companion: a fault of ours: {type(error).__name__}: {error}{where}")
    return OURS


def _saved(error: Exception, trace: TracebackType | None, arguments: list[str]) -> str:
    """Save the traceback of a fault of ours; answers with where, as part of a sentence."""
    import tempfile
    import traceback

    try:
        handle, name = tempfile.mkstemp(prefix="companion-fault-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(f"companion {' '.join(arguments)}\n\n")
            file.write("".join(traceback.format_exception(type(error), error, trace)))
    except OSError:
        return ""
    return f"\n  please report it with the file {Path(name)}"


__all__ = ["COMMANDS", "build_app", "main"]
