"""The faces of a game held to the bars: what falls short, at the element that draws it, each kind and place once.

Faces that were found in order are remembered by what they depend on, so that a second check looks at what changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from components.errors import Problem
from components.files import digest, keep, kept
from components.model import BASE, ResolvedGame, ResolvedPiece
from generator.faces.display import DisplayList, face_hash
from generator.faces.facemaker import FaceError, FaceMaker
from generator.faces.kit import Origin
from generator.faces.look import Look
from generator.paper.formats import Format
from generator.proofing.bars import Standard
from generator.proofing.finding import Finding

INKS = ("normal", "low")
MOST = 20_000
"""So many faces are remembered."""


class Side(msgspec.Struct, frozen=True):
    """One side, in one ink, of the pieces that look alike there: the key of everything it depends on, and the face."""

    key: str
    pieces: list[ResolvedPiece]
    ink: str
    template: str
    back: bool
    face: DisplayList

    @property
    def printed(self) -> bool:
        """Not printed is what only a rulebook pictures."""
        return any(piece.copies for piece in self.pieces)

    def rows(self, findings: list[Finding], file: str) -> Iterator[Row]:
        """The findings, of each piece."""
        for piece in self.pieces:
            name = f"{piece.set}/{piece.id}"
            label = ", ".join(word for word in (name, "back" * self.back, "low ink" * (self.ink == "low")) if word)
            yield from (Row(name, label, finding, file) for finding in findings)


class Row(msgspec.Struct, frozen=True):
    """A finding, on which piece (`name`: `set/piece`), and where it is mended."""

    name: str
    label: str
    finding: Finding
    file: str


class Memory:
    """Keys of what was found in order, kept in a file between checks (None: in memory only)."""

    def __init__(self, file: Path | None, mark: str) -> None:
        self._file = file
        self._mark = mark
        self._kept: dict[str, str] = kept(file, dict[str, str]) or {}
        self._seen = {key for key, marked in self._kept.items() if marked == mark}
        self._new: set[str] = set()

    def knows(self, key: str) -> bool:
        """True if it was in order before, or was looked at in this check."""
        return key in self._seen

    def looked(self, key: str) -> None:
        """It need not be looked at again in this check."""
        self._seen.add(key)

    def fine(self, key: str) -> None:
        """It is in order, now and until something it depends on changes."""
        self._new.add(key)

    def save(self) -> None:
        """Keep it for the next check."""
        if self._new:
            known = {**self._kept, **dict.fromkeys(sorted(self._new), self._mark)}
            keep(self._file, dict(list(known.items())[-MOST:]))


def look_over(
    sides: list[Side], makers: dict[str, FaceMaker], formats: dict[str, Format], standard: Standard, memory: Memory
) -> list[Row]:
    """The findings on newly drawn faces."""
    rows: list[Row] = []
    for side in sides:
        if not side.printed and not makers[side.ink].pictures(side.template):
            memory.fine(side.key)
    sides = [side for side in sides if side.printed]
    if not sides:
        return rows
    from generator.proofing.bleeding import short_of_bleed
    from generator.proofing.covering import covered, on_top
    from generator.proofing.crossing import off_the_piece, over_each_other
    from generator.proofing.faces import inspect
    from generator.proofing.pictures import bare, draw, margin, scale, trimmed

    grounds = {side.key: bare(side.face) for side in sides}
    hashes = {key: face_hash(face) for key, face in grounds.items()}
    pictures = draw({hashes[key]: face for key, face in grounds.items()}, makers[sides[0].ink].fonts, bleed=True)
    covering = {
        side.key: (side.face, above)
        for side in sides
        if side.ink == "normal" and (above := on_top(side.face, makers[side.ink].kit.origins or {})) is not None
    }
    fonts = makers[sides[0].ink].fonts
    plain = draw({key: face for key, (face, _) in covering.items()}, fonts)
    raised = draw({key: face for key, (_, face) in covering.items()}, fonts)
    for side in sides:
        maker = makers[side.ink]
        origins: dict[int, Origin] = maker.kit.origins or {}
        fmt = formats[side.pieces[0].format]
        picture = pictures[hashes[side.key]]
        ground = trimmed(picture, side.face)
        short = list(inspect(side.face, fmt, maker.fonts, origins, ground, standard.bars))
        if side.key in covering:
            short += covered(side.face, plain[side.key], raised[side.key], origins)
        if side.ink == "normal":
            short += over_each_other(side.face, maker.fonts, origins)
            short += off_the_piece(side.face, fmt, origins)
        if side.ink == "normal" and not side.back:
            short += unsigned(side)
        if side.ink == "normal":  # in low ink most grounds are white, and what stands on them may end anywhere
            short += short_of_bleed(picture, margin(side.face), scale(side.face), fmt)
        rows += side.rows(short, _file(maker.look, side.template))
        if not short and not maker.pictures(side.template):
            memory.fine(side.key)
    return rows


SIGN = "module-sign"
"""The anchor that a face has where it draws the sign of its piece's module."""


def unsigned(side: Side) -> Iterator[Finding]:
    """Pieces of a module without its sign: whoever plays without the module has to find them among the others."""
    modules = {piece.module for piece in side.pieces if piece.copies} - {BASE}
    if modules and SIGN not in side.face.anchors:
        what = f"the piece belongs to the module '{min(modules)}' and does not bear its sign"
        yield Finding("LAY-040", what, f"draw the sign, with the anchor '{SIGN}' where it stands", 1.0)


def look_at_decks(
    game: ResolvedGame, maker: FaceMaker, keys: dict[tuple[str, str], str], ink: str, standard: Standard, memory: Memory
) -> Iterator[Row]:
    """The findings between decks: backs, and the colours of seats. `keys`: of set/piece and template."""
    printed = " ".join(keys.get((f"{p.set}/{p.id}", p.back), "") for p in game.pieces if p.copies)
    key = digest(f"decks {ink} {printed} {maker.look.theme.seats} {maker.look.theme.colours}".encode())
    if memory.knows(key):
        return
    memory.looked(key)
    from generator.proofing.decks import asymmetric, merging_backs, merging_seats
    from generator.proofing.pictures import draw

    try:
        decks, faces = hiding(game, maker, keys)
    except FaceError:
        return
    drawn = draw(faces, maker.fonts)
    suffix = ", low ink" * (ink == "low")
    count = 0
    by_format: dict[str, dict[str, str]] = {}
    for back, pieces in decks.items():
        first = pieces[0]
        by_format.setdefault(first.format, {})[" and ".join(dict.fromkeys(p.set_title for p in pieces))] = back
        if maker.formats[first.format].shape in ("rect", "hex"):
            for finding in asymmetric(drawn[back], standard.bars):
                count += 1
                file = _file(maker.look, first.back)
                yield Row(f"{first.set}/{first.id}", f"{first.set}/{first.id}, back{suffix}", finding, file)
    for backs in by_format.values():
        for title, finding in merging_backs({title: drawn[back] for title, back in backs.items()}, standard.bars):
            count += 1
            piece = decks[backs[title]][0]
            name = f"{piece.set}/{piece.id}"
            yield Row(name, f"{piece.set}{suffix}", finding, _file(maker.look, piece.back))
    for seat, finding in merging_seats(maker.look, ink, standard.bars):
        count += 1
        yield Row(f"seats/{seat}", f"seat {seat}{suffix}", finding, f"{maker.look.place}/theme.yaml")
    if not count:
        memory.fine(key)


def hiding(
    game: ResolvedGame, maker: FaceMaker, keys: dict[tuple[str, str], str]
) -> tuple[dict[str, list[ResolvedPiece]], dict[str, DisplayList]]:
    """The pieces of each hidden deck, and its back, by the hash of that: several pieces with one back. `keys` as for
    `look_at_decks`: one face for each is drawn."""
    found: dict[str, list[ResolvedPiece]] = {}
    faces: dict[str, DisplayList] = {}
    hashes: dict[str, str] = {}
    for piece in game.pieces:
        if not piece.copies or not piece.back or piece.back == piece.face:
            continue
        key = keys[f"{piece.set}/{piece.id}", piece.back]
        if key not in hashes:
            face = maker.back(piece)
            assert face is not None
            hashes[key] = face_hash(face)
            faces[hashes[key]] = face
        found.setdefault(hashes[key], []).append(piece)
    decks = {back: pieces for back, pieces in found.items() if len(pieces) > 1}
    return decks, {back: faces[back] for back in decks}


def problems(rows: Iterable[Row], standard: Standard, used: set[int]) -> list[Problem]:
    """The findings as warnings: of each code and place the worst, with the number of further pieces. Those that are
    accepted are left out; the numbers of the entries that do so are added to `used`."""
    by_place: dict[tuple[str, str, int, int], list[tuple[Row, Problem]]] = {}
    for row in rows:
        covered = [
            n for n, one in enumerate(standard.accepted) if one.covers(row.finding.code, row.name, row.finding.what)
        ]
        used.update(covered)
        if covered:
            continue
        problem = _problem(row)
        by_place.setdefault((problem.code, problem.file, problem.line, problem.column), []).append((row, problem))
    found = []
    for alike in by_place.values():
        row, problem = max(alike, key=lambda pair: pair[0].finding.worst)
        others = len({other.name for other, _ in alike}) - 1
        more = f" and {others} more" if others else ""
        found.append(msgspec.structs.replace(problem, what=f"{row.label}{more}: {row.finding.what}"))
    return found


def _problem(row: Row) -> Problem:
    finding = row.finding
    if finding.origin is not None:
        found: Problem = finding.origin.source.problem(
            finding.code, finding.what, finding.origin.path, hint=finding.hint
        )
        return msgspec.structs.replace(found, severity="warning")
    return Problem(code=finding.code, what=finding.what, file=row.file, hint=finding.hint, severity="warning")


def _file(look: Look, template: str) -> str:
    return f"{look.place}/faces/{template}.yaml"
