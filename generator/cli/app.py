"""The typer application of `pnp`: all commands and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from generator.cli import build as cli_build
from generator.cli import look as cli_look
from generator.cli import rulebook as cli_rulebook
from generator.cli import table as cli_table
from generator.cli.common import settings

app = typer.Typer(
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=True,
    no_args_is_help=True,
    help="Print-and-play board games from YAML.",
)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"Tablewright {version('tablewright')}")
        raise typer.Exit


@app.callback()
def common(
    project: Annotated[
        Path | None,
        typer.Option(
            help="Folder with components/ and layouts/. Default: the nearest one, else the games that came "
            "with the program.",
            show_default=False,
        ),
    ] = None,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of a fault of the program.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and end.")
    ] = False,
) -> None:
    """Print-and-play board games from YAML.

    \b
    Example:
      pnp build warring-states --paper letter --backs gutterfold
    """
    settings.debug = debug
    settings.choose(project)


for module in (cli_build, cli_table, cli_look, cli_rulebook):
    module.register(app)
