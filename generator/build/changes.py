"""Differences between the pieces of a build and the printed ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from components.model import ResolvedPiece
from generator.build.drawing import Drawn, draw
from generator.build.manifest import PieceEntry
from generator.build.options import Job, Tell
from generator.build.printed import Change, compare, read_printed
from generator.build.project import Layouts, read_layouts


def entries(pieces: Iterable[ResolvedPiece], drawn: Drawn) -> list[PieceEntry]:
    """The pieces as the manifest and the record of printed pieces know them."""
    return [
        PieceEntry(
            piece=(name := f"{piece.set}/{piece.id}"),
            copies=piece.copies,
            front=drawn.sides[name][0],
            back=drawn.sides[name][1],
            format=piece.format,
            says=_says(piece),
        )
        for piece in pieces
    ]


def _says(piece: ResolvedPiece) -> dict[str, Any]:
    """The words and values of a piece, for comparing it with a printed one."""
    says: dict[str, Any] = {"name": piece.name, "text": piece.text, "rule": piece.rule, "flavour": piece.flavour}
    says["icons"] = [f"{icon.name} {icon.label}".strip() for icon in piece.icons]
    says |= {name: msgspec.to_builtins(value) for name, value in piece.fields.items()}
    return {name: value for name, value in says.items() if value not in ("", [], {}, None)}


def changes(job: Job, layouts: Layouts, pieces: list[ResolvedPiece], drawn: Drawn, tell: Tell) -> list[Change]:
    """The differences between the pieces and the printed ones, compared in the ink of the print. Raises NotPrinted."""
    printed = read_printed(job.places, job.game.id)
    if printed.ink != job.options.ink:
        drawn = draw(job, layouts, pieces, printed.ink, tell)
    here = {f"{piece.set}/{piece.id}" for piece in pieces}
    others = {name for p in job.game.pieces if p.instead_of and (name := f"{p.set}/{p.id}") not in here}
    return compare([entry for entry in printed.pieces if entry.piece not in others], entries(pieces, drawn))


def all_changes(job: Job, tell: Tell) -> list[Change]:
    """The differences between the game and its printed pieces, in the ink of the options. Raises NotPrinted and the
    errors of `draw` and `read_layouts`."""
    layouts = read_layouts(job.game.id, job.places)
    printed = {entry.piece for entry in read_printed(job.places, job.game.id).pieces}
    pieces = [p for p in job.game.pieces if not p.instead_of or f"{p.set}/{p.id}" in printed]
    drawn = draw(job, layouts, pieces, job.options.ink, tell)
    return changes(job, layouts, pieces, drawn, tell)
