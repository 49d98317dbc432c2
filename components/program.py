"""A command-line program: its commands, imported when they are called; every failure as a message and an exit status.

Both programs are one of these. Exit status: 0 done, or legal; 1 it ran and found fault with the user's material; 2 it
could not run, or a choice was left out; 70 a fault of the program. Results go to stdout, everything else to stderr.
"""

from __future__ import annotations

import errno
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from components.safe_text import escaped_json, one_line, printable

if TYPE_CHECKING:
    import typer

    from components.trust import Trust

DONE, REFUSED, UNABLE, OURS, STOPPED = 0, 1, 2, 70, 130


class Told(NamedTuple):
    """A failure that the user can mend: what to print, the exit status, and what else `--json` says about it."""

    message: str
    status: int
    kind: str = "definition"
    more: Mapping[str, Any] = {}
    worded: str = ""
    """The text to print, if it differs from that of `--json`."""

    @property
    def text(self) -> str:
        """The message, with the guesses at a line, or the legal moves that come nearest where there are any and it does
        not name them."""
        if self.worded:
            return self.worded
        near = self.more.get("nearest") if self.kind != "ambiguous" else None
        if not near:
            return self.message
        if left := self.more.get("not_heard"):
            gone = [f" (not heard: {one!r:.60})" if one else "" for one in left]
            guesses = [f"\n    {line}{out}" for line, out in zip(near, gone, strict=True)]
            return f"{self.message}\n  Is this meant? Then say it so:{''.join(guesses)}"
        return f"{self.message}\n  legal now: {' | '.join(near)}"


class Program(NamedTuple):
    """A program: `commands` maps each command to the module below `package` that holds it, as a function of its name
    (`import_` for `import`); `explained` knows its failures; `chosen` is called with the values of `--project` and
    `--trust`."""

    name: str
    about: str
    package: str
    commands: Mapping[str, str]
    explained: Callable[[Exception], Told | None]
    chosen: Callable[[Path | None, str, bool], None]
    example: str = ""
    kept: Callable[[], str] = str
    """The end of a message from a command that cannot print its result: the work it has done all the same."""

    def main(self, argv: Iterable[str] | None = None) -> int:
        """Run one command and return its exit status. Never raises."""
        alone = argv is None
        if alone:
            _listen()
            # What a command loads stays: to look through it again and again for garbage takes a tenth of its time.
            gc.set_threshold(100_000)
        _open_streams()
        arguments = [_readable(word) for word in (sys.argv[1:] if argv is None else argv)]
        call = _Call(self, arguments)
        try:
            status = call.run()
            sys.stdout.flush()
            if alone:
                _listen(no_more=True)
        except BaseException as error:  # whatever it is, a person gets a message and a status
            if alone:
                _listen(no_more=True)
            status = call.failed(error)
        if alone:
            gc.freeze()
        return status

    def app(self, only: str = "") -> typer.Typer:
        """The typer application with all commands, or with one of them, which starts faster."""
        # typer reads arguments with pydantic, which would look through all packages of the machine for plugins
        os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
        import typer

        app = typer.Typer(
            name=self.name,
            help=self.about,
            rich_markup_mode=None,
            pretty_exceptions_enable=False,
            add_completion=not only,
            no_args_is_help=True,
        )
        app.callback()(_common(self))
        for name in [only] if only else self.commands:
            module = import_module(f"{self.package}.{self.commands[name]}")
            app.command(name, no_args_is_help=False)(getattr(module, f"{name}_" if name == "import" else name))
        return app


class _Call:
    """One call of a program."""

    def __init__(self, program: Program, arguments: list[str]) -> None:
        self.program = program
        self.arguments = _common_first(arguments)
        self.as_json = "--json" in arguments
        self.debug = "--debug" in arguments

    def run(self) -> int:
        app = self.program.app(self._command())
        ended = app(self.arguments, prog_name=self.program.name, standalone_mode=False)
        return ended if isinstance(ended, int) else DONE

    def _command(self) -> str:
        """The command that is called, if it stands where a glance finds it."""
        rest = iter(self.arguments)
        for word in rest:
            if word == "--project":
                next(rest, None)
            elif not word.startswith("--"):
                return word if word in self.program.commands else ""
        return ""

    def failed(self, error: BaseException) -> int:
        """Tell what went wrong, and the exit status it leads to."""
        if isinstance(error, SystemExit):
            if isinstance(error.__context__, BrokenPipeError):  # typer met it first
                return self._silenced()
            return error.code if isinstance(error.code, int) else UNABLE if error.code else DONE
        if isinstance(error, KeyboardInterrupt) or type(error).__name__ == "Abort":
            remark(f"{self.program.name}: stopped")
            return STOPPED
        if isinstance(error, BrokenPipeError):
            return self._silenced()
        if isinstance(error, OSError) and error.errno in _NO_OUTPUT and not error.filename:
            remark(f"{self.program.name}: the output could not be written: {error.strerror}{self.program.kept()}")
            self._silenced()
            return UNABLE
        if hasattr(error, "show") and hasattr(error, "exit_code"):  # typer's own: a word it does not know
            error.show()
            return int(error.exit_code)
        told = None
        if isinstance(error, Exception):
            try:
                told = self.program.explained(error)
            except Exception as later:  # working out what else to say failed, and that is the fault to tell
                error, told = later, self.program.explained(later)
        if told is not None and told.kind == "rules" and self.debug:
            import traceback

            traceback.print_exception(error.__cause__ or error)
        return self._tell(told) if told is not None else self._ours(error)

    def _tell(self, told: Told) -> int:
        if self.as_json:
            import msgspec

            error = {"kind": told.kind, "message": told.message, "status": told.status, **told.more}
            print(escaped_json(msgspec.json.encode(_utf8({"version": 1, "error": error})).decode()))
        remark(told.text)
        return told.status

    def _ours(self, error: BaseException) -> int:
        if self.debug:
            import traceback

            traceback.print_exception(error)
            return OURS
        name = self.program.name
        saved = report(name, f"{name} {' '.join(self.arguments)}", error)
        remark(f"The details are in {saved}; please report them. Run it again with --debug to see them here.")
        return OURS

    def _silenced(self) -> int:
        """Nothing may be written to stdout any more, not even on exit."""
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except (OSError, ValueError):
            return DONE
        return DONE


def report(name: str, called: str, error: BaseException) -> Path:
    """Say that a fault is ours, and write its traceback to a file, which is returned. `called`: what was asked for."""
    import tempfile
    import traceback

    import platformdirs

    from components.files import write_whole

    remark(f"{name}: a bug in the program, not a mistake in your files: {type(error).__name__}: {error}"[:400])
    text = f"{called}\n\n{''.join(traceback.format_exception(error))}"
    for folder in (Path(platformdirs.user_log_dir("tablewright", appauthor=False)), Path(tempfile.gettempdir())):
        file = folder / f"{name}-fault.txt"
        try:
            write_whole(file, text.encode("utf-8", "backslashreplace"), below=folder)
        except OSError:
            continue
        return file
    return Path(os.devnull)


_NO_OUTPUT = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF))
"""Reasons why a result cannot be written: the disk is full or broken, or nobody opened the output."""


def _listen(*, no_more: bool = False) -> None:
    """Let Ctrl-C stop the command from now on, where the shell did not forbid it; `no_more`: it is over, and only says
    how it went."""
    with suppress(ValueError):  # not in the first thread
        if no_more:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        elif signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _open_streams() -> None:
    """Text goes in and out as UTF-8, whatever the terminal or a redirection is set to. A stream that was closed
    (`>&-`) is one that cannot be written: otherwise the next file opened would take its place."""
    for name, number in (("stdin", 0), ("stdout", 1), ("stderr", 2)):
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, os.O_WRONLY if number == 2 else os.O_RDONLY)
            if handle == number:
                stream = os.fdopen(handle, "r" if number == 0 else "w", encoding="utf-8", errors="replace")
                setattr(sys, name, stream)
        elif hasattr(stream := getattr(sys, name), "reconfigure"):
            with suppress(ValueError):  # somebody has read from it already
                stream.reconfigure(encoding="utf-8", errors="surrogateescape" if number == 0 else "replace")


def _common(program: Program) -> Callable[..., None]:
    """The options before the command."""
    import typer

    def version(asked: bool) -> None:
        if asked:
            from importlib.metadata import version

            print(f"Tablewright {version('tablewright')}")
            raise typer.Exit

    def common(
        project: Annotated[
            Path | None,
            typer.Option(
                help="Folder with components/ and layouts/. Default: the nearest one, or else the games that come "
                "with the program.",
                show_default=False,
            ),
        ] = None,
        trust: Annotated[
            bool, typer.Option("--trust", help="Let the rules module in the project's folder run; it is a program.")
        ] = False,
        mine: Annotated[
            bool,
            typer.Option("--trust-mine", help="Let it run even after it changes: I wrote it."),
        ] = False,
        debug: Annotated[
            bool, typer.Option("--debug", help="Show the traceback of a fault in a rules module or in the program.")
        ] = False,
        version: Annotated[
            bool, typer.Option("--version", callback=version, is_eager=True, help="Show the version and exit.")
        ] = False,
    ) -> None:
        program.chosen(project, "mine" if mine else "yes" if trust else "", debug)

    common.__doc__ = f"{program.about}\n\n\b\nExample:\n  {program.example}"
    common.__annotations__ = {
        name: eval(hint, {**globals(), "typer": typer, "version": version}) if isinstance(hint, str) else hint
        for name, hint in common.__annotations__.items()
    }
    return common


_COMMON = ("--trust", "--trust-mine", "--debug")


def _common_first(arguments: list[str]) -> list[str]:
    """The arguments with the options that all commands share in front, wherever they were typed."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    first: list[str] = []
    rest: list[str] = []
    words = iter(arguments[:end])
    for word in words:
        if word == "--project" and (value := next(words, None)) is not None:
            first += [word, value]
        else:
            (first if word in _COMMON or word.startswith("--project=") else rest).append(word)
    return first + rest + arguments[end:]


def _readable(word: str) -> str:
    """An argument whose bytes are not UTF-8, with a mark where they are not."""
    return word.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _utf8(form: Any) -> Any:
    """Plain data whose texts can be written: the name of a file may be no text."""
    if isinstance(form, str):
        return one_line(form) if any("\ud800" <= sign <= "\udfff" for sign in form) else form
    if isinstance(form, Mapping):
        return {key: _utf8(value) for key, value in form.items()}
    return [_utf8(value) for value in form] if isinstance(form, list | tuple) else form


def remark(text: str) -> None:
    """A message beside the result, on standard error; lost where that cannot be written."""
    try:
        with suppress(OSError, ValueError):  # a result that cannot be written is told when the command ends
            sys.stdout.flush()
        print(printable(text), file=sys.stderr, flush=True)
    except (OSError, ValueError):
        return


def home() -> Path:
    """The folder of the user's tables: TABLEWRIGHT_HOME, or the platform's folder for user data."""
    if os.environ.get("TABLEWRIGHT_HOME"):
        return Path(os.environ["TABLEWRIGHT_HOME"])
    from platformdirs import user_data_dir

    return Path(user_data_dir("tablewright", appauthor=False))


def trust_of_user() -> Trust:
    """The programs in folders of projects that the user trusts, kept beside the tables."""
    from components.trust import Trust

    return Trust(home() / "trusted.json")


def colours() -> bool:
    """True if standard output may have colour: on a terminal, and never with NO_COLOR."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


__all__ = [
    "DONE",
    "OURS",
    "REFUSED",
    "STOPPED",
    "UNABLE",
    "Program",
    "Told",
    "colours",
    "home",
    "remark",
    "report",
    "trust_of_user",
]
