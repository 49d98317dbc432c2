"""`pnp`: the command line of the generator. This file starts it and turns every failure into a message and a status.

Exit status: 0 done; 1 it ran and found fault with the user's material; 2 it could not run; 70 a fault of ours. Results
go to stdout, everything else to stderr. Heavy modules are imported by the commands that need them, not here.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from generator.cli.common import Usage, settings
from generator.cli.run_build import run_build, understood


def main() -> None:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command and return its exit status."""
    try:
        plain_build = understood(arguments)
        if plain_build is None:
            from generator.cli.app import app

            ended = app(arguments, prog_name="pnp", standalone_mode=False)
            return ended if isinstance(ended, int) else 0
        project, request = plain_build
        settings.choose(Path(project) if project is not None else None)
        run_build(request)
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # typer met it first
            return 0
        return end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except Usage as problem:
        _say(f"pnp: {problem}")
        return 2
    except KeyboardInterrupt:
        _say("pnp: stopped")
        return 130
    except BrokenPipeError:
        # Whoever read our output has seen enough; nothing may be written to it any more, not even on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        return _failed(error)
    return 0


def _failed(error: Exception) -> int:
    """Print what went wrong and return the exit status it leads to."""
    if hasattr(error, "show") and hasattr(error, "exit_code"):  # typer's own: a word it does not know
        error.show()
        return int(error.exit_code)
    from generator.cli.failures import explained

    known = explained(error)
    if known is not None:
        message, status = known
        _say(message)
        return status
    if settings.debug:
        import traceback

        traceback.print_exception(error)
        return 70
    _say(f"pnp: a fault of the program, not of your files: {type(error).__name__}: {error}"[:400])
    _say(f"The details are in {_saved()}; please report them. --debug shows them here.")
    return 70


def _saved() -> Path:
    """Write the traceback of the error being handled to a file."""
    import tempfile
    import traceback

    import platformdirs

    from components.files import write_whole

    text = traceback.format_exc()
    for folder in (Path(platformdirs.user_log_dir("tablewright", appauthor=False)), Path(tempfile.gettempdir())):
        try:
            file = folder / "pnp-fault.txt"
            write_whole(file, text.encode("utf-8", "backslashreplace"), below=folder)
        except OSError:
            continue
        return file
    return Path(os.devnull)


def _say(text: str) -> None:
    print(text, file=sys.stderr)
