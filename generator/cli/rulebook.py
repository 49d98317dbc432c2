"""The command that prints rulebooks."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from components.phrasing import count
from generator.cli.common import asked_modules, parsed_sets, plain, settings, the_games, words
from generator.cli.options import AsJson, Modules, Players, Sets, Variants
from generator.cli.several import ahead, each

if TYPE_CHECKING:
    from components.model import ResolvedGame
    from generator.paper.formats import Paper

Layout = Annotated[
    Literal["booklet", "pages", "both"],
    typer.Option(help="A booklet to fold (print on both sides, flip over the short edge), single pages, or both."),
]


def rulebook(
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME…", help="Games. Default: the only one.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Print the rulebooks of all games.")] = False,
    paper: Annotated[str, typer.Option(help="Paper of the booklet; a page is half of it.")] = "a4",
    layout: Layout = "both",
    players: Players = None,
    modules: Modules = None,
    variant: Variants = None,
    set: Sets = None,
    ink: Annotated[
        Literal["normal", "low"], typer.Option(help="Pictures as designed, or a version that saves ink.")
    ] = "normal",
    out: Annotated[Path | None, typer.Option(help="Folder for the files. Default: output.", show_default=False)] = None,
    reasons: Annotated[
        bool, typer.Option("--reasons", help="Also print why rules are as they are, where this edition decides.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Make the rulebook of a game: a part that teaches it, and one with every rule, questions and an index.

    \b
    Examples:
      pnp rulebook warring-states
      pnp rulebook warring-states --paper letter --layout booklet
      pnp rulebook great-wall --modules rat --players 4
    """
    from components.resolve import resolve_game
    from generator.build.project import read_papers
    from generator.build.selection import known_paper

    chosen = the_games(games or [], every)
    sheet = known_paper(paper.lower(), read_papers(settings.places))
    reports: list[dict[str, object]] = []

    def written(game: str) -> dict[str, object]:
        playing = asked_modules(modules)
        edition = [*words(variant), *(playing or ()), *([f"{players}-players"] if players else [])]
        label = "-".join([paper.lower(), *(["low"] if ink == "low" else []), *edition])
        resolved = resolve_game(
            game,
            variants=words(variant),
            sets=parsed_sets(set),
            players=players,
            modules=playing,
            root=settings.places.project,
            cache_dir=settings.places.resolved,
        )
        folder = (out if out is not None else settings.out) / game
        return _write(resolved, folder, label, sheet, layout, (edition, ink), reasons, players)

    def one(game: str) -> None:
        reports.append(made(game) or written(game))
        if not json:
            print(_told(reports[-1]), flush=True)

    made = ahead(chosen, written)
    status = each(chosen, one)
    if json:
        print(plain(reports if len(chosen) > 1 else reports[0]))
    if status:
        raise SystemExit(status)


def _write(
    game: ResolvedGame,
    folder: Path,
    label: str,
    paper: Paper,
    layout: str,
    how: tuple[Sequence[str], str],
    reasons: bool,
    players: int | None,
) -> dict[str, object]:
    from components.files import write_whole
    from generator.backends.pdf import write_pdf
    from generator.backends.pdfcommon import Kept
    from generator.book.booklet import booklet, folded, reading
    from generator.build.places import dated
    from generator.cli.bookmaking import made_book

    edition, ink = how
    book, fonts = made_book(game, paper, ink, reasons=reasons, players=players)
    for left_out in book.left_out:
        print(f"{game.id}: left out under house rules: {left_out}", file=sys.stderr)
    chosen = "".join(f", {word}" for word in edition)
    pages = {f"page-{n:02}": page for n, page in enumerate(book.pages, 1)}
    faces, kept = {**pages, **book.faces}, Kept()
    files: list[str] = []
    date = dated(settings.places, game.id)
    for name, arrange in (("booklet", booklet), ("pages", reading)):
        if layout in (name, "both"):
            sheets = arrange(list(pages), book.w, book.h, book.title)
            file = folder / f"rulebook-{label}-{name}.pdf"
            around = folded(book.navigation, book.w) if name == "booklet" else book.navigation
            form = f"{paper.title} booklet" if name == "booklet" else f"single pages, half of {paper.title}"
            title = f"{book.title}, {form}{chosen}{', low ink' * (ink == 'low')}"
            content = write_pdf(
                sheets,
                faces,
                fonts=fonts,
                title=title,
                navigation=around,
                kept=kept,
                date=date,
                tagged=name == "pages",
            )
            write_whole(file, content, below=folder.parent)
            files.append(file.name)
    return {
        "game": game.id,
        "title": game.title,
        "folder": str(folder),
        "pages": len(book.pages),
        "files": files,
        "contents": book.contents,
    }


def _told(report: dict[str, object]) -> str:
    files = report["files"]
    assert isinstance(files, list)
    pages = report["pages"]
    assert isinstance(pages, int)
    return f"{report['title']}: rulebook of {count(pages, 'page')}\n" + "\n".join(
        f"  {report['folder']}/{name}" for name in files
    )
