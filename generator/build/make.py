"""The stages of a build that has something to do: faces, sheets, files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from components.errors import Problem
from components.files import digest_all
from components.model import ResolvedGame, ResolvedPiece
from generator.build.build import FileReport, Job, Options, Tell, layouts_of, look_files
from generator.build.facecache import FaceCache, FaceKeys, Stored
from generator.build.manifest import BuildEntry, Manifest, PieceEntry
from generator.build.printed import Change, compare, read_printed
from generator.build.writing import Writer
from generator.faces.fonts import FontBook
from generator.paper.formats import Format, Paper, load_formats, load_papers, sort_formats
from generator.sheets.impose import Item, impose
from generator.sheets.marks import SheetStyle, load_style


class NothingToBuild(Exception):
    """`only` names nothing this game has; the message says what there is."""


class Drawn(msgspec.Struct):
    """The faces of a game: for each piece (`set/piece`) the hashes of front and back, and every face by its hash.

    `fonts` are those of the game's theme if it had to be read for drawing.
    """

    sides: dict[str, tuple[str, str]]
    faces: dict[str, Stored]
    fonts: FontBook | None = None


class NoSuchPaper(Exception):
    """There is no paper of that name; the message names the nearest."""


def known_paper(name: str, project: Path) -> Paper:
    """The paper of that name. Raises NoSuchPaper."""
    papers = load_papers(layouts_of(project))
    if name not in papers:
        from components.phrasing import did_you_mean

        raise NoSuchPaper(f"there is no paper '{name}'; {did_you_mean(name, papers, listing='there are')}")
    return papers[name]


def chosen(game: ResolvedGame, only: tuple[str, ...]) -> list[ResolvedPiece]:
    """The pieces `only` asks for by kind, set, `set/piece` or the id of a piece; all if it is empty.

    Raises NothingToBuild.
    """
    if not only:
        return game.pieces
    found: list[ResolvedPiece] = []
    for word in only:
        hits = [p for p in game.pieces if word in (p.kind, p.set, f"{p.set}/{p.id}")]
        hits = hits or [p for p in game.pieces if p.id == word]
        if not hits:
            from components.phrasing import did_you_mean

            printed = [p for p in game.pieces if p.copies]
            names = sorted({name for p in printed for name in (p.kind, p.set)})
            ids = [name for p in printed for name in (p.id, f"{p.set}/{p.id}")]
            hint = did_you_mean(word, [*names, *ids]) or did_you_mean(word, names, listing="there are")
            raise NothingToBuild(f"no kind, deck or piece '{word}' in {game.id}; {hint}")
        found += [p for p in hits if p not in found]
    return [p for p in game.pieces if p in found]


def draw(job: Job, pieces: list[ResolvedPiece], ink: str, tell: Tell) -> Drawn:
    """Front and back of every piece, from the cache where nothing they depend on changed.

    Raises FaceError with every problem of every piece.
    """
    from generator.faces.faces import FaceError, FaceMaker

    layouts = layouts_of(job.project)
    folder = layouts / job.game.id
    shared = digest_all(f for f in look_files(job.project, job.game.id) if f.parent.name != "faces")
    keys = FaceKeys(job.game, folder, job.program, shared, ink)
    cache = FaceCache(cache_file(job.project, job.game.id))
    maker: FaceMaker | None = None
    drawn = Drawn(sides={}, faces={})
    problems: list[Problem] = []
    for n, piece in enumerate(pieces):
        tell(3, n, len(pieces))
        sides = ["", ""]
        for side, template in enumerate((piece.face, piece.back)):
            if side and not template:
                continue
            key = f"{keys.key(piece, template)}{side}"
            stored = cache.get(key)
            if stored is None:
                maker = maker or FaceMaker(job.game, layouts, ink)
                try:
                    face = maker.back(piece) if side else maker.front(piece)
                except FaceError as error:
                    problems += error.problems
                    continue
                assert face is not None
                stored = cache.put(key, face)
            drawn.faces[stored.hash] = stored
            sides[side] = stored.hash
        drawn.sides[f"{piece.set}/{piece.id}"] = (sides[0], sides[1])
    if problems:
        raise FaceError(merged(problems))
    cache.save()
    drawn.fonts = maker.fonts if maker is not None else None
    tell(3, len(pieces), len(pieces))
    return drawn


def merged(problems: Iterable[Problem]) -> list[Problem]:
    """Problems that several pieces share, said once: a template that is wrong is wrong for the whole deck."""
    by_fault: dict[tuple[str, int, int, str], list[Problem]] = {}
    for problem in problems:
        _, _, fault = problem.what.partition(": ")
        by_fault.setdefault((problem.file, problem.line, problem.column, fault or problem.what), []).append(problem)
    found: list[Problem] = []
    for (*_, fault), alike in by_fault.items():
        pieces = list(dict.fromkeys(problem.what.partition(": ")[0] for problem in alike))
        more = f"{pieces[0]} and {len(pieces) - 1} more: {fault}" if len(pieces) > 1 else alike[0].what
        found.append(msgspec.structs.replace(alike[0], what=more))
    return found


def cache_file(project: Path, game: str) -> Path:
    """Where the drawn faces of a game are kept between builds."""
    import platformdirs

    mark = hashlib.sha256(str(project.resolve()).encode()).hexdigest()[:8]
    return Path(platformdirs.user_cache_dir("tablewright", appauthor=False)) / "faces" / f"{game}-{mark}.msgpack"


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


def changes(job: Job, pieces: list[ResolvedPiece], drawn: Drawn, tell: Tell) -> list[Change]:
    """How the pieces differ from the printed ones, compared in the ink they were printed in. Raises NotPrinted."""
    printed = read_printed(job.project, job.game.id)
    if printed.ink != job.options.ink:
        drawn = draw(job, pieces, printed.ink, tell)
    return compare(printed.pieces, entries(pieces, drawn))


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
