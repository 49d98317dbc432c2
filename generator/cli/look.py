"""The commands that look at games and hand them on: games, proof, schema, export, init."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from components.phrasing import count, span, suggest
from generator.cli.common import (
    Progress,
    Usage,
    game_ids,
    parsed_sets,
    plain,
    settings,
    the_game,
    words,
    written,
)
from generator.cli.options import AsJson, Game, Ink, Out, Players, Sets, Variants

if TYPE_CHECKING:
    from components.model import ResolvedGame


CONTACT_DPI = 150
"""More is not wanted of a contact sheet."""


def games(json: AsJson = False) -> None:
    """List the games.

    \b
    Example:
      pnp games
    """
    from generator.build.survey import survey

    found = [survey(name, settings.places) for name in game_ids()]
    if json:
        print(plain(found))
        return
    width = max(len(entry.id) for entry in found)
    for entry in found:
        if entry.problem:
            print(f"{entry.id:<{width}}  {entry.problem}")
            continue
        variants = f"; variants: {', '.join(entry.variants)}" if entry.variants else ""
        players = f"{span(*entry.players)} players"
        print(f"{entry.id:<{width}}  {entry.title}, {players}, {count(entry.pieces, 'piece')}{variants}")


def proof(
    game: Game = "",
    piece: Annotated[
        str,
        typer.Argument(metavar="[PIECE]", help="`set/piece`, or the piece's id if it is the only one. Default: all."),
    ] = "",
    side: Annotated[Literal["front", "back"], typer.Option(help="Side to draw.")] = "front",
    format: Annotated[Literal["png", "svg", "pdf"], typer.Option(help="File format.")] = "png",
    ink: Ink = "normal",
    variant: Variants = None,
    set: Sets = None,
    players: Players = None,
    bleed: Annotated[bool, typer.Option("--bleed", help="Include the bleed.")] = False,
    dpi: Annotated[int, typer.Option(min=50, max=1200, help="Resolution of a PNG.")] = 300,
    out: Annotated[
        Path | None, typer.Option(help="File to write; '-' for standard output.", show_default=False)
    ] = None,
    json: AsJson = False,
) -> None:
    """Draw one face of one piece; or, without PIECE, every face of the game, small, on a contact sheet.

    \b
    Examples:
      pnp proof warring-states event/plague --side back
      pnp proof dynasties
    """
    from components.files import write_whole
    from generator.build.incremental import resolve
    from generator.build.options import Options
    from generator.build.proofs import face_file, find_piece

    if json and str(out) == "-":
        raise Usage("--json and --out - would both write to stdout; give --out a file")
    options = Options(out=settings.out, variants=words(variant), sets=parsed_sets(set), players=players, ink=ink)
    if game and not piece and game not in (known := game_ids()) and len(known) == 1:
        game, piece = known[0], game
    game = the_game(game)
    resolved = resolve(game, options, settings.places)
    if not piece:
        contact(resolved, format, ink, dpi, out, json)
        return
    found = find_piece(resolved, piece)
    if not found:
        names = [name for p in resolved.pieces for name in (f"{p.set}/{p.id}", p.id)]
        raise Usage(f"{game} has no piece '{piece}'{suggest(piece, names)}")
    if len(found) > 1:
        raise Usage(f"'{piece}' could be {' or '.join(f'{p.set}/{p.id}' for p in found)}")
    (chosen,) = found
    content = face_file(resolved, chosen, settings.places, side, format, ink, bleed, dpi)
    if content is None:
        raise Usage(f"{chosen.set}/{chosen.id} has no back")
    if str(out) == "-":
        sys.stdout.buffer.write(content)
        return
    if out is not None and out.is_dir():
        raise Usage(f"{out} is a folder; --out must name a file")
    file = out or settings.out / game / "proofs" / f"{chosen.set}-{chosen.id}-{side}.{format}"
    write_whole(file, content, below=settings.out if out is None else file.parent)
    if json:
        print(written(file.parent, [file], game=game, piece=f"{chosen.set}/{chosen.id}", side=side, format=format))
    else:
        print(file)


def contact(game: ResolvedGame, format: str, ink: str, dpi: int, out: Path | None, json: bool) -> None:
    """Write the contact sheet of a game: a PDF, or a PNG for each of its pages."""
    from components.files import write_whole
    from generator.build.contact import contact_sheet

    if format == "svg" or str(out) == "-":
        raise Usage("a contact sheet is written to files, as png or pdf")
    content, sizes = contact_sheet(game, settings.places, ink, "a4")
    folder = out or settings.out / game.id / "proofs"
    name = "contact-low" if ink == "low" else "contact"
    if format == "pdf":
        made = {folder / f"{name}.pdf": content}
    else:
        from generator.backends.raster import rasterise

        pictures = rasterise(content, range(len(sizes)), sizes, min(dpi, CONTACT_DPI))
        made = {folder / f"{name}-{n:02}.png": picture for n, picture in enumerate(pictures, 1)}
    for file, written_ in made.items():
        write_whole(file, written_, below=settings.out if out is None else folder)
    if json:
        print(written(folder, list(made), game=game.id, format=format))
    else:
        for file in made:
            print(file)


def schema(
    out: Annotated[
        Path | None, typer.Option(help="Folder for the schemas. Default: print the one named.", show_default=False)
    ] = None,
    kind: Annotated[str, typer.Argument(help="Kind of file: game, rules, pieces … Default: list the kinds.")] = "",
    json: AsJson = False,
) -> None:
    """Write JSON Schemas that let an editor complete and check YAML files as you type.

    \b
    Examples:
      pnp schema --out schema
      pnp schema pieces
    """
    from components.files import write_whole
    from generator.build.schemas import KINDS, schema_of

    if kind and kind not in KINDS:
        raise Usage(f"unknown kind of file '{kind}'{suggest(kind, KINDS)}")
    if out is None and kind:
        print(plain(schema_of(kind)))
        return
    if out is None:
        if json:
            print(plain({"kinds": [{"kind": name, "about": about} for name, (_, about) in KINDS.items()]}))
        else:
            for name, (_, about) in KINDS.items():
                print(f"{name:<9} {about}")
        return
    files: list[Path] = []
    for name in [kind] if kind else KINDS:
        file = out / f"{name}.schema.json"
        write_whole(file, plain(schema_of(name)).encode() + b"\n", below=out)
        files.append(file)
        if not json:
            print(file)
    if json:
        print(written(out, files))


def export(
    to: Annotated[
        Literal["tts", "images", "template"],
        typer.Argument(
            metavar="TO",
            help="tts: Tabletop Simulator; images: a PNG per face; template: an SVG per face template, to draw on in "
            "Inkscape or Figma.",
        ),
    ],
    game: Game = "",
    ink: Ink = "normal",
    variant: Variants = None,
    set: Sets = None,
    players: Players = None,
    dpi: Annotated[
        int | None, typer.Option(min=50, max=600, help="Resolution of the pictures. Default: 150; 300 with --bleed.")
    ] = None,
    bleed: Annotated[bool, typer.Option("--bleed", help="images: include the bleed, as print shops require.")] = False,
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Export a game to a virtual tabletop, or as pictures: for print shops with bleed and a table of quantities.

    \b
    Examples:
      pnp export tts warring-states
      pnp export images dynasties --bleed
      pnp export template dynasties
    """
    from generator.build.export import to_images, to_tts
    from generator.build.incremental import resolve
    from generator.build.options import Options

    if bleed and to != "images":
        raise Usage("--bleed is for images: a virtual tabletop shows pieces as they are cut, templates have it")
    options = Options(
        out=out or settings.out,
        variants=words(variant),
        sets=parsed_sets(set),
        players=players,
        ink=ink,
        dpi=dpi or (300 if bleed else 150),
        jobs=os.cpu_count() or 1,
    )
    game = the_game(game)
    resolved = resolve(game, options, settings.places)
    progress = Progress(stages=("pictures",))
    if to == "template":
        from generator.build.drawntemplate import to_templates

        made = to_templates(resolved, options, settings.places)
    elif to == "tts":
        made = to_tts(resolved, options, settings.places, progress)
    else:
        made = to_images(resolved, options, settings.places, progress, bleed)
    progress.end()
    folder = options.out / game / to
    if json:
        print(written(folder, made, game=game, title=resolved.title, to=to))
    else:
        print(f"{count(len(made), 'file')} in {folder}")


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder for the new game; it must be new or empty.")],
    json: AsJson = False,
) -> None:
    """Make a small game to start from, named after its folder and ready to build, with schemas and settings by which an
    editor completes and checks its YAML.

    \b
    Example:
      pnp init my-game && cd my-game && pnp build
    """
    from components.program import trust_of_user
    from generator.build.editors import write_editor_files
    from generator.build.starter import make_starter

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Usage(f"{folder} already exists and is not empty")
    made = make_starter(folder)
    write_editor_files(folder)
    for module in (file for file in made if file.suffix == ".py"):
        trust_of_user().remember(module)  # the user's own from the first
    if json:
        print(written(folder, made))
        return
    print(f"{folder}: {count(len(made), 'file')}. Try: cd {folder} && pnp build && companion new ana bo")
