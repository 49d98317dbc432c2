"""Documents to files: PDF by document, SVG and PNG by sheet. Only what is not there already is written."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import msgspec

from components.files import digest, digest_of, write_whole
from components.processes import shared
from generator.build.facecache import Stored, load_face
from generator.build.manifest import FileEntry, Manifest, SheetEntry, inside
from generator.build.options import ONE_PDF, Job, Tell
from generator.build.places import dated
from generator.build.reports import FileReport
from generator.build.titles import document_title, sheets_navigation
from generator.faces.display import DisplayList, Op
from generator.faces.fonts import FontBook
from generator.sheets.impose import Document
from generator.sheets.navigation import Navigation
from generator.sheets.sheets import Sheet

PDFS = ("pdf", ONE_PDF)
MANY = 8
"""For fewer sheets no other process is worth its start."""
MOST_LOADED = 40
"""Faces kept from one SVG sheet to the next: a board lies on many."""
CHUNK = 4
"""Pages that a process rasterises in one go: few, so that all cores have work to the end."""


class Task(NamedTuple):
    """One file to be: its name in the game's folder, the sheets in it, the number of pieces on them, and the name of
    the document they belong to."""

    name: str
    sheets: tuple[Sheet, ...]
    pieces: int
    document: str


class Writer:
    """Writes the files of one build. `paper`: its title; `faces`: every face that the sheets name, by its hash;
    `fonts`: those of faces and sheets."""

    def __init__(
        self, job: Job, paper: str, manifest: Manifest, faces: dict[str, Stored], fonts: FontBook, tell: Tell
    ) -> None:
        self.job = job
        self.paper = paper
        self.decks = {f"{piece.set}/{piece.id}": piece.set_title for piece in job.game.pieces}
        self.manifest = manifest
        self.faces = faces
        self.fonts = fonts
        self.tell = tell
        self._loaded: dict[str, DisplayList] = {}
        self._split: dict[str, dict[str, list[Op]]] = {}

    def write(self, kind: str, documents: list[Document]) -> tuple[list[FileEntry], list[SheetEntry], list[FileReport]]:
        """The files of one kind: their entries, those of the sheets in them, and what was written or removed."""
        tasks = list(tasks_of(kind, self.job.options.label, documents))
        before = self.manifest.builds.get(self.job.options.entry(kind))
        known = {made.name: made for made in before.files} if before else {}
        found: dict[str, FileEntry] = {}
        missing: list[tuple[Task, str]] = []
        for task in tasks:
            key = self._key(kind, task)
            made = known.get(task.name)
            if made is not None and made.key == key and digest_of(self.job.folder / task.name) == made.sha256:
                found[task.name] = made
            else:
                missing.append((task, key))
        written: dict[str, FileReport] = {}
        self.tell(5, 0, len(missing))
        for n, (task, key, content) in enumerate(self._contents(kind, missing), 1):
            entry = FileEntry(
                name=task.name, sha256=digest(content), key=key, pages=len(task.sheets), pieces=task.pieces
            )
            found[task.name] = entry
            file = self.job.folder / task.name
            if digest_of(file) != entry.sha256:
                write_whole(file, content, below=self.job.options.out)
                written[task.name] = FileReport(name=task.name, state="written", pages=entry.pages, pieces=entry.pieces)
            self.tell(5, n, len(missing))
        touched = [written[task.name] for task in tasks if task.name in written]
        touched += self._remove([made for made in known.values() if made.name not in found])
        files = [found[task.name] for task in tasks]
        return files, [entry for task in tasks for entry in sheet_entries(task)], touched

    def _key(self, kind: str, task: Task) -> str:
        """Digest of everything a file is made from."""
        job = self.job
        head = f"{job.program} {self.fonts.digest} {kind} {job.options.dpi if kind == 'png' else ''} {job.game.title} "
        made_from = [task.sheets, *([self._title(task), self._navigation(task)] if kind in PDFS else [])]
        return hashlib.sha256(head.encode() + msgspec.msgpack.encode(made_from)).hexdigest()

    def _title(self, task: Task) -> str:
        return document_title(self.job.game.title, task.document, self.paper, self.job.options)

    def _navigation(self, task: Task) -> Navigation:
        return sheets_navigation(task.sheets, self.decks)

    def _contents(self, kind: str, missing: list[tuple[Task, str]]) -> Iterator[tuple[Task, str, bytes]]:
        """The content of each file that is missing or out of date."""
        if not missing:
            return
        if kind in PDFS:
            # the longest first, so that nobody waits for it in the end
            missing = sorted(missing, key=lambda one: -len(one[0].sheets))
            for n, content in shared(lambda one: self._document(one[0]), missing, self._jobs(missing)):
                yield *missing[n], content
        elif kind == "svg":
            for n, content in shared(lambda one: self._svg(one[0].sheets[0]), missing, self._jobs(missing)):
                yield *missing[n], content
        else:
            by_document = [list(several) for _, several in groupby(missing, key=lambda one: one[0].document)]
            drawn = (
                (self._pdf([task.sheets[0] for task, _ in several], several[0][0].document), several)
                for several in by_document
            )
            yield from _rasterised(drawn, self.job.options.dpi, self.job.options.jobs)

    def _jobs(self, missing: list[tuple[Task, str]]) -> int:
        """In how many processes so much is written."""
        return self.job.options.jobs if sum(len(task.sheets) for task, _ in missing) >= MANY else 1

    def _document(self, task: Task) -> bytes:
        return self._pdf(task.sheets, self._title(task), self._navigation(task))

    def _pdf(self, sheets: Sequence[Sheet], title: str, navigation: Navigation | None = None) -> bytes:
        from generator.backends.pdf import write_pdf

        faces = {name: load_face(self.faces[name]) for name in _names(sheets)}
        date = dated(self.job.places, self.job.game.id)
        return write_pdf(sheets, faces, fonts=self.fonts, title=title, navigation=navigation, date=date)

    def _svg(self, sheet: Sheet) -> bytes:
        from generator.backends.svg import write_svg

        names = _names((sheet,))
        if len(self._loaded) > MOST_LOADED:
            self._loaded.clear()
            self._split.clear()
        for name in names:
            if name not in self._loaded:
                self._loaded[name] = load_face(self.faces[name])
        return write_svg(sheet, self._loaded, fonts=self.fonts, kept=self._split).encode()

    def _remove(self, stale: list[FileEntry]) -> list[FileReport]:
        """Remove files that an earlier build made and this one does not, unless somebody changed them since."""
        reports: list[FileReport] = []
        claimed = {
            made.name
            for name, entry in self.manifest.builds.items()
            if not name.startswith(f"{self.job.options.label}.")
            for made in entry.files
        }
        for made in stale:
            file = inside(self.job.folder, made.name)
            if file is None or made.name in claimed or not file.is_file():
                continue
            if digest_of(file) != made.sha256:
                reports.append(FileReport(name=made.name, state="kept"))
                continue
            file.unlink()
            if file.parent != self.job.folder and not any(file.parent.iterdir()):
                file.parent.rmdir()
            reports.append(FileReport(name=made.name, state="removed"))
        return reports


def tasks_of(kind: str, label: str, documents: list[Document]) -> Iterator[Task]:
    """The files that documents become: one PDF each, or one SVG or PNG for each sheet in a folder of their own."""
    for document in documents:
        if kind in PDFS:
            yield Task(f"{document.name}-{label}.pdf", document.sheets, document.pieces, document.name)
            continue
        for sheet in document.sheets:
            yield Task(f"{kind}-{label}/{sheet.name}.{kind}", (sheet,), _count(sheet), document.name)


def _count(sheet: Sheet) -> int:
    """Pieces on a front; a back has none of its own."""
    return sum(not placed.reverse for placed in sheet.placements) if sheet.side == "front" else 0


def _names(sheets: Sequence[Sheet]) -> list[str]:
    """The faces on the sheets, in the order in which they first appear."""
    return list(dict.fromkeys(placed.face for sheet in sheets for placed in sheet.placements))


def sheet_entries(task: Task) -> Iterator[SheetEntry]:
    """The pieces on each sheet of a file; a page of backs lists the pieces whose backs they are."""
    for page, sheet in enumerate(task.sheets, 1):
        backs_only = all(placed.reverse for placed in sheet.placements)
        here = Counter(placed.piece for placed in sheet.placements if placed.reverse == backs_only)
        yield SheetEntry(
            name=sheet.name, title=sheet.title, side=sheet.side, file=task.name, page=page, pieces=dict(here)
        )


def _rasterised(
    documents: Iterator[tuple[bytes, list[tuple[Task, str]]]], dpi: int, jobs: int
) -> Iterator[tuple[Task, str, bytes]]:
    """PNG of each page of these PDFs, `CHUNK` pages at a time in each of `jobs` processes."""
    from generator.backends.raster import rasterise

    chunks = (
        (several[start : start + CHUNK], pdf, range(start, min(start + CHUNK, len(several))))
        for pdf, several in documents
        for start in range(0, len(several), CHUNK)
    )
    if jobs < 2:
        for several, pdf, pages in chunks:
            yield from _named(several, rasterise(pdf, pages, _sizes(several), dpi))
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(jobs) as pool:
        waiting = [
            (several, pool.submit(rasterise, pdf, pages, _sizes(several), dpi)) for several, pdf, pages in chunks
        ]
        for several, result in waiting:
            yield from _named(several, result.result())


def _sizes(several: list[tuple[Task, str]]) -> list[tuple[float, float]]:
    return [(task.sheets[0].w, task.sheets[0].h) for task, _ in several]


def _named(several: list[tuple[Task, str]], contents: list[bytes]) -> Iterator[tuple[Task, str, bytes]]:
    for (task, key), content in zip(several, contents, strict=True):
        yield task, key, content
