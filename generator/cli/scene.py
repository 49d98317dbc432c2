"""The command that draws scenes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from generator.cli.common import Usage, parsed_sets, settings, the_game, words, written
from generator.cli.options import AsJson, Game, Ink, Sets, Variants


def scene(
    game: Game,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A scene as YAML (docs/scenes.md).", show_default=False)
    ] = None,
    format: Annotated[Literal["svg", "png", "pdf"], typer.Option(help="File format.")] = "svg",
    scale: Annotated[float | None, typer.Option(min=0.05, max=10, help="1 shows pieces life-size.")] = None,
    ink: Ink = "normal",
    variant: Variants = None,
    set: Sets = None,
    dpi: Annotated[int, typer.Option(min=20, max=1200, help="Resolution of a PNG.")] = 100,
    out: Annotated[
        Path | None, typer.Option(help="File to write; '-' for standard output.", show_default=False)
    ] = None,
    json: AsJson = False,
) -> None:
    """Draw a scene from a YAML file: pieces on a table, or a position of the game.

    \b
    Example:
      pnp scene dynasties docs/scenes/battle.yaml --out battle.svg
    """
    import msgspec

    from components.files import write_whole
    from components.scene import read_scene
    from generator.build.incremental import resolve
    from generator.build.options import Options
    from generator.cli.figures import Figures

    if file is None:
        game, file = "", Path(game)
    game = the_game(game)
    if json and str(out) == "-":
        raise Usage("--json and --out - would both write to stdout; give --out a file")
    if out is not None and out.is_dir():
        raise Usage(f"{out} is a folder; --out must name a file")
    options = Options(out=settings.out, variants=words(variant), sets=parsed_sets(set), ink=ink)
    resolved = resolve(game, options, settings.places)
    said, lines = read_scene(file)
    if scale is not None:
        said = msgspec.structs.replace(said, scale=scale)
    content = Figures(resolved, settings.places, ink).file(said, format, dpi, lines)
    if str(out) == "-":
        sys.stdout.buffer.write(content)
        return
    drawn = out or settings.out / game / "scenes" / f"{file.stem}.{format}"
    write_whole(drawn, content, below=settings.out if out is None else drawn.parent)
    if json:
        print(written(drawn.parent, [drawn], game=game, format=format))
    else:
        print(drawn)
