"""The printed pieces on the user's table: recorded after printing, compared after a change.

The record is kept in the user's data folder, not beside the sheets: `output/` may be thrown away, the cards may not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from components.files import write_whole
from generator.build.manifest import BuildEntry, PieceEntry
from generator.build.places import Places
from generator.build.sealed import sealed, unsealed

VERSION = 2
BARE = 1
"""The version of records that have no digest yet."""


class NotPrinted(Exception):
    """Nothing is recorded as printed, or nothing was built that could be; the message says what to do."""


class Damaged(NotPrinted):
    """There is a record, and it cannot be used."""


class Printed(msgspec.Struct, frozen=True, kw_only=True):
    """The pieces of a game that lie on the table, and in which ink they were printed."""

    version: int
    game: str
    ink: str = "normal"
    pieces: list[PieceEntry]
    digest: str = ""
    """Of everything else in it, as it was written."""


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A difference between a piece and the printed one. `kind`: new, removed, changed (has another face), more,
    fewer."""

    piece: str
    kind: str
    old: int
    """Copies on the table."""
    new: int
    """Copies there should be."""
    says: list[str] = []
    """The differences, one to a line."""

    @property
    def throw_away(self) -> int:
        """The number of printed copies that are no longer right."""
        return self.old if self.kind in ("changed", "removed") else max(0, self.old - self.new)

    @property
    def to_print(self) -> int:
        """The number of copies to print."""
        return self.new if self.kind == "changed" else max(0, self.new - self.old)


def read_printed(places: Places, game: str) -> Printed:
    """The record of a game. Raises NotPrinted if there is none that can be used."""
    file = places.record(game)
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        raise NotPrinted(
            f"there is no record of printed pieces for {game}; print its sheets, then run: pnp printed {game}"
        ) from None
    if (bare := _bare(content)) is not None:
        return bare
    found = unsealed(content, Printed)
    if found is None or found.game != game:
        raise Damaged(f"{file} was damaged or changed; record it again: pnp printed {game}")
    if found.version != VERSION:
        raise Damaged(f"another version wrote the record of {game}; record it again: pnp printed {game}")
    return found


def _bare(content: bytes) -> Printed | None:
    """A record that has no digest yet; None for any other content."""
    try:
        found = msgspec.json.decode(content, type=Printed)
    except ValueError:
        return None
    return found if found.version == BARE and not found.digest else None


def record(places: Places, game: str, entry: BuildEntry) -> Printed:
    """Record that the sheets of a build were printed, and return the new record. Raises NotPrinted where it would have
    to be added to a record that is damaged."""
    pieces = {piece.piece: piece for piece in entry.pieces}
    if not entry.whole:
        try:
            before = {piece.piece: piece for piece in read_printed(places, game).pieces}
        except Damaged as error:  # it knew of pieces that this build did not print
            raise NotPrinted(f"{str(error).partition(';')[0]}; forget it first: pnp printed {game} --forget") from None
        except NotPrinted:
            before = {}
        pieces = before | pieces
    ink = str(entry.options.get("ink", "normal"))
    made = Printed(version=VERSION, game=game, ink=ink, pieces=list(pieces.values()))
    file = places.record(game)
    write_whole(file, sealed(made), below=file.parent, sync=True)
    return made


def forget(places: Places, game: str) -> bool:
    """Remove the record of a game; whether there was one."""
    file = places.record(game)
    there = file.exists()
    file.unlink(missing_ok=True)
    return there


def compare(before: list[PieceEntry], now: list[PieceEntry]) -> list[Change]:
    """The differences between what lies on the table and what should, in the order of the pieces; gone ones last."""
    old = {piece.piece: piece for piece in before}
    found: list[Change] = []
    for piece in now:
        known = old.pop(piece.piece, None)
        if known is None:
            if piece.copies:
                found.append(Change(piece=piece.piece, kind="new", old=0, new=piece.copies))
        elif (known.front, known.back, known.format) != (piece.front, piece.back, piece.format):
            says = differences(known, piece)
            found.append(Change(piece=piece.piece, kind="changed", old=known.copies, new=piece.copies, says=says))
        elif known.copies != piece.copies:
            kind = "more" if piece.copies > known.copies else "fewer"
            found.append(Change(piece=piece.piece, kind=kind, old=known.copies, new=piece.copies))
    found += [Change(piece=name, kind="removed", old=gone.copies, new=0) for name, gone in old.items() if gone.copies]
    return found


def differences(before: PieceEntry, now: PieceEntry) -> list[str]:
    """The differences that a person would notice first: changed words and numbers, else that the drawing changed."""
    found = list(_told_apart("", before.says, now.says))
    if before.format != now.format:
        found.append(f"format: {before.format} -> {now.format}")
    sides = [side for side in ("front", "back") if getattr(before, side) != getattr(now, side)]
    if not found:
        found.append(f"{' and '.join(sides)} drawn differently")
    return found


def _told_apart(where: str, before: Any, now: Any) -> Iterator[str]:
    """Lines like `prices 2 cost: 2 -> 3` for every place inside two values where they differ."""
    if before == now:
        return
    if isinstance(before, dict) and isinstance(now, dict):
        pairs = [(str(key), before.get(key), now.get(key)) for key in dict.fromkeys((*before, *now))]
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        pairs = [(str(n), old, new) for n, (old, new) in enumerate(zip(before, now, strict=True), 1)]
    else:
        yield f"{where}: {_shown(before)} -> {_shown(now)}"
        return
    for key, old, new in pairs:
        yield from _told_apart(f"{where} {key}".strip(), old, new)


def _shown(value: Any) -> str:
    if value is None:
        return "nothing"
    return f"“{value}”" if isinstance(value, str) else msgspec.json.encode(value).decode()
