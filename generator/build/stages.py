"""The stages of a build that has something to do: faces, sheets, files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from components.model import ResolvedPiece
from generator.build.changes import changes, entries
from generator.build.drawing import Drawn, draw
from generator.build.manifest import BuildEntry, Manifest
from generator.build.options import Job, Options, Tell
from generator.build.outputfiles import Writer
from generator.build.project import layouts_of
from generator.build.reports import FileReport
from generator.build.selection import chosen, known_paper
from generator.paper.formats import Format, load_formats, sort_formats
from generator.sheets.impose import Item, impose
from generator.sheets.marks import SheetStyle, load_style


def stacks(
    pieces: list[ResolvedPiece], drawn: Drawn, copies: dict[str, int], layouts: Path
) -> list[tuple[Format, list[Item]]]:
    """The pieces to print, by format in the order of the formats. `copies`: how many of which piece."""
    formats = load_formats(layouts)
    by_format: dict[str, list[Item]] = {}
    for piece in pieces:
        name = f"{piece.set}/{piece.id}"
        if copies.get(name, 0) > 0:
            front, back = drawn.sides[name]
            by_format.setdefault(piece.format, []).append(Item(name, front, back, copies[name]))
    return [(formats[name], by_format[name]) for name in sort_formats(by_format, formats)]


def sheet_style(layouts: Path, options: Options) -> SheetStyle:
    """The sheet style with the cut that was asked for."""
    style = load_style(layouts)
    return msgspec.structs.replace(style, cut=options.cut, cuts={}) if options.cut else style


def make(job: Job, manifest: Manifest, tell: Tell) -> list[FileReport]:
    """Draw, impose and write what the job asks for, and put it into the manifest (which the caller writes).

    Files whose content would be the same are left alone; files of the same build that are no longer made are removed.
    """
    options, game = job.options, job.game
    layouts = layouts_of(job.project)
    paper = known_paper(options.paper, job.project)
    pieces = chosen(game, options.only)
    drawn = draw(job, pieces, options.ink, tell)
    tell(4, 0, 0)
    copies = {f"{piece.set}/{piece.id}": piece.copies for piece in pieces}
    throw_away: dict[str, int] = {}
    if options.changed:
        different = changes(job, pieces, drawn, tell)
        if options.only:
            different = [change for change in different if change.kind != "removed"]
        copies = {change.piece: change.to_print for change in different}
        throw_away = {change.piece: change.throw_away for change in different if change.throw_away}
    documents = impose(
        game.title, stacks(pieces, drawn, copies, layouts), paper, options.backs, sheet_style(layouts, options)
    )
    tell(4, len(documents), len(documents))
    done: list[FileReport] = []
    writer = Writer(job, manifest, drawn.faces, drawn.fonts, tell)
    for kind in job.kinds:
        files, sheets, touched = writer.write(kind, documents)
        done += touched
        manifest.title = game.title
        manifest.builds[options.entry(kind)] = BuildEntry(
            key=job.key,
            fingerprint=game.fingerprint,
            options=_told(options),
            paper=paper.title,
            leaves=sum(document.leaves for document in documents),
            printed=sum(document.pieces for document in documents),
            whole=not options.only,
            files=files,
            sheets=sheets,
            pieces=entries(pieces, drawn),
            throw_away=throw_away,
        )
    return done


def _told(options: Options) -> dict[str, Any]:
    """The options as the manifest shows them."""
    told = {
        name: getattr(options, name) for name in Options.__struct_fields__ if name not in ("out", "jobs", "formats")
    }
    return {name: value for name, value in told.items() if value}
