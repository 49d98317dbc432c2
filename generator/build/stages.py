"""The stages of a build that has something to do: faces, sheets, files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from components.files import digest_of
from components.model import ResolvedPiece
from generator.build.changes import changes, entries
from generator.build.drawing import Drawn, draw
from generator.build.joins import Joins
from generator.build.manifest import BuildEntry, Manifest
from generator.build.moduleshare import Answers, sheets_added
from generator.build.options import ONE_PDF, Job, Options, Tell
from generator.build.outputfiles import Writer
from generator.build.project import Layouts, read_layouts
from generator.build.reports import FileReport
from generator.build.selection import chosen, known_paper
from generator.paper.formats import Format, sort_formats
from generator.sheets.impose import Item, impose, leaves
from generator.sheets.marks import FONT
from generator.sheets.shifting import against


def make(job: Job, key: str, kinds: Sequence[str], manifest: Manifest, tell: Tell) -> list[FileReport]:
    """Draw, impose and write the files of some `kinds`, and put them into the manifest (which the caller writes).

    Files whose content would be the same are left alone; files of the same build that are no longer made are removed.
    `key` stands for all input. Raises what `incremental.build` raises.
    """
    options, game = job.options, job.game
    layouts = read_layouts(game.id, job.places)
    paper = known_paper(options.paper, layouts.papers)
    pieces = chosen(game, options.only)
    drawn = draw(job, layouts, pieces, options.ink, tell)
    tell(4, 0, 0)
    copies = {f"{piece.set}/{piece.id}": piece.copies for piece in pieces}
    throw_away: dict[str, int] = {}
    if options.changed:
        different = changes(job, layouts, pieces, drawn, tell)
        if options.only:
            different = [change for change in different if change.kind != "removed"]
        copies = {change.piece: change.to_print for change in different}
        throw_away = {change.piece: change.throw_away for change in different if change.throw_away}
    style = layouts.sheets
    if options.cut:
        style = msgspec.structs.replace(style, cut=options.cut, cuts={})
    fonts = layouts.sheet_fonts
    if ONE_PDF in kinds:
        from generator.book.assembly import FONTS

        fonts = fonts.and_also(FONTS)
    joins = Joins(drawn.faces, fonts, style)
    stacked = stacks(pieces, drawn, copies, layouts.formats, joins)
    documents = impose(game.title, stacked, paper, options.backs, style, fonts[FONT])
    added: dict[str, int] = {}
    if not options.only and not options.changed:
        added = sheets_added(
            game,
            lambda part: stacks(part, drawn, copies, layouts.formats, joins),
            lambda part: leaves(game.title, part, paper, options.backs, style, fonts[FONT]),
            options.jobs,
            Answers(
                job.places.counted(game.id),
                (job.program, game.title, paper, options.backs, style, fonts[FONT].digest),
            ),
        )
    shift = options.back_shift if options.back_shift is not None else style.back_shift
    documents = against(documents, shift) if options.backs in ("long", "short") else documents
    tell(4, len(documents), len(documents))
    done: list[FileReport] = []
    writer = Writer(job, paper.title, manifest, drawn.faces, fonts, tell)
    for kind in kinds:
        printed = documents
        if kind == ONE_PDF and documents:
            from generator.build.onepdf import one_document

            printed = [one_document(game, options, documents, layouts.formats, paper, style, fonts, added)]
        files, sheets, touched = writer.write(kind, printed)
        done += touched
        manifest.title = game.title
        manifest.builds[options.entry(kind)] = BuildEntry(
            key=key,
            fingerprint=game.fingerprint,
            options=_told(options),
            paper=paper.title,
            leaves=sum(document.leaves for document in printed),
            printed=sum(document.pieces for document in printed),
            whole=not options.only,
            files=files,
            sheets=sheets,
            pieces=entries(pieces, drawn),
            modules=added,
            throw_away=throw_away,
            inputs=inputs(layouts, drawn),
        )
    return done


def stacks(
    pieces: list[ResolvedPiece], drawn: Drawn, copies: dict[str, int], formats: dict[str, Format], joins: Joins
) -> list[tuple[Format, list[Item]]]:
    """The pieces to print, by format in the order of the formats. `copies`: how many of which piece."""
    by_format: dict[str, list[Item]] = {}
    for piece in pieces:
        name = f"{piece.set}/{piece.id}"
        if copies.get(name, 0) > 0:
            front, back = drawn.sides[name]
            fronts = drawn.fronts.get(name, [front])
            for n, look in enumerate(fronts):
                many = (copies[name] + len(fronts) - 1 - n) // len(fronts)
                sides, ends = joins.of(formats[piece.format], look, back)
                if many:
                    by_format.setdefault(piece.format, []).append(Item(name, look, back, many, sides, ends))
    return [(formats[name], by_format[name]) for name in sort_formats(by_format, formats)]


def inputs(layouts: Layouts, drawn: Drawn) -> dict[str, str]:
    """The pictures and fonts of the project that were used, which may lie outside of its layouts, with digests."""
    fonts = [address for address in layouts.fonts.addresses.values() if ":" not in address]
    found = {address: digest_of(layouts.look.root / address) for address in fonts}
    for face in drawn.faces.values():
        found |= face.pictures
    return found


def _told(options: Options) -> dict[str, Any]:
    """The options as the manifest shows them."""
    told = {
        name: getattr(options, name) for name in Options.__struct_fields__ if name not in ("out", "jobs", "formats")
    }
    return {name: value for name, value in told.items() if value}
