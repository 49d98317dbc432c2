"""Arguments and options that several commands of `pnp` take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

Game = Annotated[
    str,
    typer.Argument(
        metavar="[GAME]", help="Id of a game, as `pnp games` lists it. Default: the only one.", show_default=False
    ),
]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change a parameter, e.g. army_cost=3. Repeat for more."),
]
Variants = Annotated[list[str] | None, typer.Option("--variant", help="Use a variant of the game. Repeat for more.")]
Players = Annotated[int | None, typer.Option(min=1, max=99, help="Print only what this many players need.")]
Seats = Annotated[
    list[str] | None,
    typer.Option(metavar="SEAT,…", help="Leave out the pieces of all other seats. Repeat for more."),
]
Modules = Annotated[
    list[str] | None,
    typer.Option(metavar="MODULE,…", help="Print the base game and these modules only. Repeat for more."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Report as JSON.")]
Paper = Annotated[str, typer.Option(help="Paper: a4, letter, a3, a5, legal, tabloid … (layouts/papers.yaml).")]
BacksOption = Annotated[
    Literal["long", "short", "gutterfold", "none"],
    typer.Option(help="Backs: duplex, turned over the long or the short edge; beside a fold; or none."),
]
Out = Annotated[Path | None, typer.Option(help="Folder for the files. Default: output.", show_default=False)]
Ink = Annotated[Literal["normal", "low"], typer.Option(help="Faces as designed, or a version that saves ink.")]
Cut = Annotated[
    Literal["auto", "gutter", "shared", "machine"] | None,
    typer.Option(
        help="auto: the least paper that leaves every back its bleed; "
        "gutter: full bleed around every piece; shared: one "
        "cut between pieces of a deck; machine: discs in staggered rows, for a cutting machine.",
        show_default=False,
    ),
]


BackShift = Annotated[
    str | None,
    typer.Option(
        metavar="RIGHT,DOWN",
        help="How far your printer prints backs off their fronts, in mm, as the calibration page shows it.",
        show_default=False,
    ),
]
