"""From a mark on a face to the lines behind it: of every game, for every operation."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from components import yamlsource
from components.loader import list_games, load
from generator.build.incremental import resolve
from generator.build.options import Options
from generator.build.places import Places
from generator.build.project import read_layouts
from generator.faces.display import ImageOp, PathOp, TextOp
from generator.live.cards import Slot, pieces_of
from generator.live.editors import LINKS, NoEditor, command, open_editor
from generator.live.origins import with_origins
from generator.live.sources import Behind, behind
from generator.live.states import State

ROOT = Path(__file__).resolve().parents[2]
OF_DRAWING = {"ink", "w", "h", "bleed", "safe", "look", "cell", "sin", "cos", "sqrt", "pi", "pieces", "rules", "params"}
FEW = 2
"""So many pieces of each template are walked through in the suite; all of them by `make torture`."""


def state_of(game: str, root: Path, cache: Path) -> State:
    places = Places(project=root, cache=cache, records=cache)
    resolved = resolve(game, Options(out=cache), places)
    return State(resolved, read_layouts(game, places), pieces_of(resolved))


def walk(state: State, root: Path, few: int | None) -> Iterator[tuple[str, Behind]]:
    """Every kind of operation of the faces: its piece, and what is behind it."""
    definition = load(state.game.id, root)
    met: Counter[tuple[str, str]] = Counter()
    seen = set()
    for id_, piece in state.pieces.items():
        for back, template in ((False, piece.face), (True, piece.back)):
            met[piece.set, template] += 1
            if not template or (few and met[piece.set, template] > few):
                continue
            face, origins = with_origins(state, Slot(id_, back))
            for op in face.ops:
                if not isinstance(op, TextOp | PathOp | ImageOp):
                    continue
                origin = origins.get(id(op))
                assert origin is not None, f"{id_}: nobody drew {op}"
                key = (origin.place, tuple((source.file, path) for source, path in origin.calls), template)
                if key in seen:
                    continue
                seen.add(key)
                found = behind(op, origin, piece, state, definition)
                lines = (state.layouts.look.root / found.element.file).read_text(encoding="utf-8").splitlines()
                body = lines[found.element.line - 1 :][:12]
                assert any(f"{found.kind}:" in line for line in body), f"{id_}: {found}"
                yield id_, found


def check(game: str, cache: Path, few: int | None) -> None:
    state = state_of(game, ROOT, cache)
    count = 0
    for id_, found in walk(state, ROOT, few):
        count += 1
        for line in (found.element, *found.calls, *found.reads):
            assert line.line > 0 and line.column > 0, f"{id_}: {line}"
        files = {line.file for line in (found.element, *found.calls)}
        typed = found.says.lower().replace("’", "'").replace("“", '"').replace("”", '"')
        literal = any(typed in (ROOT / file).read_text(encoding="utf-8").lower() for file in files)
        values = [line for line in found.reads if not line.what.startswith(("style", "colour"))]
        assert values or literal or found.kind != "text", f"{id_}: nothing explains {found}"
    assert count > 50


@pytest.mark.parametrize("game", list_games())
def test_every_mark_leads_to_its_lines(game: str, shared_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yamlsource, "_remembered", {})
    check(game, shared_cache, FEW)


@pytest.mark.torture
@pytest.mark.parametrize("game", list_games())
def test_every_mark_of_every_piece_leads_to_its_lines(game: str, shared_cache: Path) -> None:
    check(game, shared_cache, None)


def of_text(state: State, root: Path, slot: Slot, words: str) -> Behind:
    """What is behind the text with these words."""
    face, origins = with_origins(state, slot)
    op = next(op for op in face.ops if isinstance(op, TextOp) and words in op.text)
    return behind(op, origins[id(op)], state.pieces[slot.id], state, load(state.game.id, root))


def test_a_text_made_from_an_effect_leads_to_the_effect_its_verb_and_the_rule(
    project: Path, shared_cache: Path
) -> None:
    state = state_of(project.name, project, shared_cache)
    file = project / "components" / project.name / "lanterns.yaml"
    lines = file.read_text().splitlines()
    found = of_text(state, project, Slot("lantern/gust"), state.pieces["lantern/gust"].text.split()[0])
    by_what = {line.what: line for line in found.reads}
    assert lines[by_what["its effect"].line - 1].strip() == "effect: {pass_light: 2}"
    assert by_what["effect pass_light"].file.endswith("effects.yaml")
    assert "style body" in by_what
    small = of_text(state, project, Slot("lantern/gust"), state.pieces["lantern/gust"].rule)
    assert {line.what for line in small.reads} >= {"piece.rule", f"rule {state.pieces['lantern/gust'].rule}"}
    assert small.element.line == 12 and small.element.file.endswith("faces/card.yaml")


def test_a_row_of_a_table_is_a_line_too(project: Path, shared_cache: Path) -> None:
    folder = project / "components" / project.name
    file = folder / "lanterns.yaml"
    head = file.read_text().partition("pieces:")[0]
    file.write_text(f"{head}rows: lanterns.csv\n")
    (folder / "lanterns.csv").write_text("id,name,tint,copies\nmoon,Paper Moon,gold,2\nfly,Fire Fly,moss,1\n")
    state = state_of(project.name, project, shared_cache)
    found = of_text(state, project, Slot("lantern/fly"), "Fire Fly")
    (name,) = [line for line in found.reads if line.what == "piece.name"]
    assert (name.file, name.line, name.column) == (f"components/{project.name}/lanterns.csv", 3, 5)


def test_a_loop_in_a_part_leads_to_the_field_of_the_piece_and_to_its_caller(project: Path, shared_cache: Path) -> None:
    faces = project / "layouts" / project.name
    (faces / "parts.yaml").write_text(
        "row:\n  args: {words: null}\n  items:\n    - let: {all: '{{ words }}'}\n    - each: all\n      as: word\n"
        "      text: {box: [6, '{{ 20 + word_index * 6 }}', 51, 6], style: body, value: '{{ word }}'}\n"
    )
    (faces / "faces" / "card.yaml").write_text(
        "items:\n  - group:\n      at: [0, 3]\n      items:\n"
        "        - part: {name: row, with: {words: '{{ [piece.flavour] }}'}}\n"
    )
    state = state_of(project.name, project, shared_cache)
    found = of_text(state, project, Slot("lantern/gust"), "sleeve")
    assert (found.element.file.rpartition("/")[2], found.element.line) == ("parts.yaml", 5)
    assert [(call.file.rpartition("/")[2], call.line) for call in found.calls] == [("card.yaml", 5)]
    assert [line.what for line in found.reads if line.what.startswith("piece")] == ["piece.flavour"]


def test_editors_are_told_the_place_and_no_shell_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "a; rm -rf $HOME.yaml"
    assert command(file, 3, 5, {"PNP_EDITOR": "code"}) == ["code", "--goto", f"{file}:3:5"]
    assert command(file, 3, 5, {"VISUAL": "/usr/bin/gvim -f"}) == ["/usr/bin/gvim", "-f", "+3", str(file)]
    assert command(file, 3, 5, {"PNP_EDITOR": "ed2 {line} '{file}'", "VISUAL": "vi"}) == ["ed2", "3", str(file)]
    assert str(command(file, 3, 5, {"PNP_EDITOR": LINKS})).endswith("yaml:3:5")
    for said in ({}, {"VISUAL": "vim"}, {"PNP_EDITOR": "code '"}):
        with pytest.raises(NoEditor, match="PNP_EDITOR"):
            command(file, 1, 1, said)


def test_only_files_of_the_game_can_be_opened(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from components.loader import game_files, game_folder
    from generator.build.places import look_files

    ran = tmp_path / "ran"
    script = tmp_path / "editor"
    script.write_text(f'#!/bin/sh\necho "$@" > {ran}\n')
    script.chmod(0o755)
    monkeypatch.setenv("PNP_EDITOR", str(script))
    known = [*game_files(game_folder(project.name, project)), *look_files(Places(project=project), project.name)]
    (project / "components" / project.name / "secret.txt").write_text("")
    outside = tmp_path / "outside.yaml"
    outside.write_text("")
    for name in (
        "../outside.yaml",
        str(outside),
        "components/../../outside.yaml",
        f"components/{project.name}/secret.txt",
        "",
    ):
        with pytest.raises(NoEditor, match="only files of the game"):
            open_editor(name, 1, 1, project, known)
    assert not ran.exists()
    open_editor(f"components/{project.name}/lanterns.yaml", 4, 2, project, known)
    for _ in range(500):
        if ran.exists() and ran.read_text():
            break
        time.sleep(0.01)
    assert ran.read_text().strip().endswith("lanterns.yaml")
