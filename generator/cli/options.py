"""Arguments and options that several commands of `pnp` take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

Game = Annotated[str, typer.Argument(metavar="GAME", help="Id of a game, as `pnp games` lists it.")]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change a parameter, e.g. army_cost=3. Repeat for more."),
]
Variants = Annotated[list[str] | None, typer.Option("--variant", help="Use a variant of the game. Repeat for more.")]
Players = Annotated[int | None, typer.Option(min=1, max=99, help="Print only what that many players need.")]
Seats = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SEAT,…", help="Print for these seats: of what belongs to a seat only theirs. Repeat for more."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Report as JSON.")]
Paper = Annotated[str, typer.Option(help="Paper: a4, letter, a3, a5, legal, tabloid … (layouts/papers.yaml).")]
BacksOption = Annotated[
    Literal["long", "short", "gutterfold", "none"],
    typer.Option(help="Backs: duplex over the long or the short edge, beside a fold, or none."),
]
Out = Annotated[Path | None, typer.Option(help="Folder for the files. Default: output.", show_default=False)]
Ink = Annotated[Literal["normal", "low"], typer.Option(help="Faces as designed, or drawn with little ink.")]
Cut = Annotated[
    Literal["auto", "gutter", "shared", "machine"] | None,
    typer.Option(
        help="auto: least paper with bleed for every back; gutter: all of the bleed; shared: one cut between two "
        "pieces of a deck; machine: discs in staggered rows, for a cutting machine.",
        show_default=False,
    ),
]
