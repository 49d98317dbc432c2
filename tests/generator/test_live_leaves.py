"""Sheets, book pages and tables on the live page: what `pnp build` would print, made anew after a save."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from livekit import Served, replace, until

from components import yamlsource
from components.errors import DefinitionError
from components.model import ResolvedGame
from components.resolve import resolve_game
from components.web.site import Asked, Refused
from generator.build.incremental import build
from generator.build.options import Options
from generator.build.project import Layouts, read_layouts
from generator.cli.bookmaking import table_pages
from generator.cli.common import settings
from generator.faces.display import DisplayList, PathOp, Push, UseOp
from generator.live.leaves import Leaves, Printed
from generator.live.pictures import face_picture


def booklet(game: ResolvedGame, layouts: Layouts, _ink: str) -> Printed:
    """A book of one page that shows a card twice."""
    piece = game.pieces[0]
    face = layouts.faces(game).front(piece)
    page = DisplayList(100.0, 150.0, 0.0, [UseOp("card"), Push((1.0, 0.0, 0.0, 1.0, 40.0, 0.0)), UseOp("card")])
    return Printed([(f"Page 1: {piece.name}", page)], {"card": face}, layouts.fonts)


@pytest.fixture
def served(project: Path, shared_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(yamlsource, "_remembered", {})
    with Served(project, shared_cache, pages={"book": booklet}).running() as found:
        yield found


def asked(served: Served, **wish: str) -> Leaves:
    found: Leaves = served.live.leaves.ask(Asked("designer", wish))
    return found


def test_sheets_are_those_of_a_build(served: Served) -> None:
    found = asked(served, kind="sheets", paper="letter", backs="short")
    options = Options(out=served.project / "out", paper="letter", backs="short")
    built = build(served.project.name, options, served.desk.places, lambda *_: None)
    assert found.about == f"{built.leaves} sheets of paper" if built.leaves != 1 else "1 sheet of paper"
    assert len(found.leaves) == built.pages
    fronts = [place for leaf in found.leaves for place in leaf.places if not place.back]
    assert len(fronts) == sum(piece.copies for piece in served.desk.state.game.pieces)
    for leaf in found.leaves:
        assert b"<rect" not in (served.live.leaves.picture(leaf.picture) or b"no"), "paper would hide the faces"
        for place in leaf.places:
            assert served.desk.picture(place.face)
            x, y, w, h = place.box
            assert x >= 0 and y >= 0 and x + w <= leaf.w and y + h <= leaf.h


def test_faces_on_a_sheet_are_those_of_the_gallery(served: Served) -> None:
    shown = served.shown()
    for place in (place for leaf in asked(served, kind="sheets").leaves for place in leaf.places):
        fronts, back = shown[place.card][:-1], shown[place.card][-1]
        assert place.face == back if place.back else place.face in fronts


def test_a_save_is_on_the_sheet_and_in_the_book(served: Served) -> None:
    before, looked = asked(served, kind="sheets"), served.desk.looked
    book = asked(served, kind="book").leaves[0]
    replace(served.game / "lanterns.yaml", "name: Paper Moon", "name: A Paper Moon")
    until(lambda: served.desk.looked > looked)
    after = asked(served, kind="sheets")
    faces = [
        {place.card for old, new in zip(before.leaves, after.leaves, strict=True)
         for was, place in zip(old.places, new.places, strict=True) if was.face != place.face}
    ]  # fmt: skip
    assert faces == [{"lantern/paper-moon"}]
    now = asked(served, kind="book").leaves[0]
    assert now.title == "Page 1: A Paper Moon" and now.picture != book.picture
    assert asked(served, kind="book").leaves[0] is now, "nothing changed, nothing is made"


def test_a_fault_keeps_the_last_good_sheets_and_says_why(served: Served) -> None:
    before, looked = asked(served, kind="sheets"), served.desk.looked
    replace(served.game / "lanterns.yaml", "tint: gold", "tint: [")
    until(lambda: served.desk.looked > looked)
    found = asked(served, kind="sheets")
    assert found.leaves == before.leaves and found.fault


def test_what_is_drawn_twice_stands_in_a_page_once(served: Served) -> None:
    page = asked(served, kind="book").leaves[0]
    svg = (served.live.leaves.picture(page.picture) or b"").decode()
    assert svg.count('<g id="f') == 1 and svg.count('<use href="#f') == 2


def test_what_is_faint_in_print_is_faint_on_the_page(served: Served) -> None:
    ops = [Push(opacity=0.25), PathOp("M 0 0 L 9 0 L 9 9 Z", fill="#123456")]
    fonts = served.desk.state.layouts.fonts
    assert 'opacity="0.25"' in face_picture(DisplayList(9.0, 9.0, 0.0, ops), fonts)


@pytest.mark.parametrize("wish", [{"kind": "wall"}, {"kind": "table"}, {"kind": "sheets", "paper": "../a4"}, {}])
def test_what_is_not_there_is_refused(served: Served, wish: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        asked(served, **wish)


def test_an_unknown_paper_is_refused(served: Served) -> None:
    with pytest.raises(Refused, match="paper"):
        asked(served, kind="sheets", paper="papyrus")


def test_scenes_of_ones_own_stand_beside_the_table(project: Path) -> None:
    settings.choose(project)
    game = resolve_game("lantern-walk", root=project)
    layouts = read_layouts(game.id, settings.places)
    folder = project / "components" / game.id / "scenes"
    folder.mkdir()
    piece = game.pieces[0]
    said = f"title: Dusk\npieces:\n  - {{piece: {piece.set}/{piece.id}}}\n"
    (folder / "dusk.yaml").write_text(said, encoding="utf-8")
    found = table_pages(game, layouts, "normal")
    assert found.pages[-1][0] == "Dusk" and set(found.faces) >= {key.key for key in uses(found.pages[-1][1])}
    (folder / "dusk.yaml").write_text(said.replace(piece.id, "nothing"), encoding="utf-8")
    with pytest.raises(DefinitionError, match=r"scenes/dusk\.yaml:3"):
        table_pages(game, layouts, "normal")


def uses(page: DisplayList) -> list[UseOp]:
    return [op for op in page.ops if isinstance(op, UseOp)]
