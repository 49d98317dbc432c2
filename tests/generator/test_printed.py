"""What lies on the table: recorded after printing, compared after a change, reprinted piece by piece."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from facekit import places

from generator.build import printed as printed_module
from generator.build.incremental import build
from generator.build.manifest import PieceEntry, read_manifest
from generator.build.options import Options
from generator.build.printed import NotPrinted, compare, forget, read_printed, record
from generator.build.reports import Report

GAME = "lantern-walk"
CARDS = f"components/{GAME}/lanterns.yaml"


def run(project: Path, **changes: Any) -> Report:
    return build(GAME, Options(**({"out": project / "output"} | changes)), places(project), lambda *_: None)


def printed(project: Path, name: str = "a4-long.pdf") -> None:
    record(places(project), GAME, read_manifest(project / "output" / GAME, GAME).builds[name])


def change(project: Path, old: str, new: str) -> None:
    path = project / CARDS
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def piece(piece_id: str, copies: int = 1, front: str = "f", back: str = "b", **says: Any) -> PieceEntry:
    return PieceEntry(piece=piece_id, copies=copies, front=front, back=back, format="poker", says=says)


def test_equal_pieces_are_no_change() -> None:
    assert compare([piece("a", 2)], [piece("a", 2)]) == []


def test_every_kind_of_change_is_told_apart() -> None:
    before = [piece("same"), piece("gone", 2), piece("other", 3, name="Old"), piece("more", 1), piece("fewer", 5)]
    now = [
        piece("same"),
        piece("other", 4, front="x", name="New"),
        piece("more", 3),
        piece("fewer", 1),
        piece("new", 2),
    ]
    found = compare(before, now)
    assert [(c.piece, c.kind, c.throw_away, c.to_print) for c in found] == [
        ("other", "changed", 3, 4),
        ("more", "more", 0, 2),
        ("fewer", "fewer", 4, 0),
        ("new", "new", 0, 2),
        ("gone", "removed", 2, 0),
    ]
    assert found[0].says == ["name: “Old” -> “New”"]


def test_a_difference_deep_inside_a_field_is_named_by_its_place() -> None:
    before = {"prices": [{"what": "army", "cost": 2}, {"what": "general", "cost": 2}], "note": "old", "list": [1]}
    now = {"prices": [{"what": "army", "cost": 3}, {"what": "general", "cost": 2}], "note": "old", "list": [1, 2]}
    (found,) = compare([piece("aid", front="1", **before)], [piece("aid", front="2", **now)])
    assert found.says == ["prices 1 cost: 2 -> 3", "list: [1] -> [1,2]"]


def test_a_face_drawn_differently_without_other_words_is_said_so() -> None:
    (change_,) = compare([piece("a", back="1")], [piece("a", back="2")])
    assert change_.says == ["back drawn differently"]


def test_nothing_recorded_is_said_with_what_to_do(project: Path) -> None:
    with pytest.raises(NotPrinted, match="pnp printed lantern-walk"):
        run(project, changed=True)


def test_after_a_tweak_only_stale_pieces_are_printed_with_what_to_throw_away(project: Path) -> None:
    run(project)
    printed(project)
    change(project, "gain_light: 3", "gain_light: 4")
    change(project, "copies: 4", "copies: 6")
    report = run(project, changed=True)
    assert report.throw_away == {"lantern/paper-moon": 3}
    assert report.pieces == 3 + 2
    entry = read_manifest(project / "output" / GAME, GAME).builds["a4-long-changed.pdf"]
    assert entry.sheets[0].pieces == {"lantern/paper-moon": 3, "lantern/glow-worm": 2}


def test_recording_a_reprint_makes_the_table_whole_again(project: Path) -> None:
    run(project)
    printed(project)
    change(project, "gain_light: 3", "gain_light: 4")
    change(project, "copies: 4", "copies: 6")
    run(project, changed=True)
    printed(project, "a4-long-changed.pdf")
    report = run(project, changed=True)
    assert (report.leaves, report.pieces, report.files) == (0, 0, report.files)
    assert [file.state for file in report.files] == ["removed"]
    assert not report.throw_away


def test_a_removed_piece_is_only_thrown_away(project: Path) -> None:
    run(project)
    printed(project)
    text = (project / CARDS).read_text()
    (project / CARDS).write_text(text[: text.index("  - id: gust")])
    report = run(project, changed=True)
    assert report.throw_away == {"lantern/gust": 3}
    assert report.pieces == 0


def test_recording_part_of_a_game_keeps_the_rest(project: Path) -> None:
    run(project)
    printed(project)
    change(project, "gain_light: 3", "gain_light: 4")
    run(project, only=("lantern/paper-moon",))
    printed(project, "a4-long-lantern-paper-moon.pdf")
    assert len(read_printed(places(project), GAME).pieces) == 3
    assert run(project, changed=True).pieces == 0


def test_pieces_are_compared_in_the_ink_they_were_printed_in(project: Path) -> None:
    run(project, ink="low")
    printed(project, "a4-long-low.pdf")
    assert run(project, changed=True).pieces == 0
    change(project, "gain_light: 3", "gain_light: 4")
    assert run(project, changed=True).pieces == 3


def test_a_new_print_is_noticed_by_the_next_build_of_changes(project: Path) -> None:
    run(project)
    printed(project)
    assert run(project, changed=True).pieces == 0
    forget(places(project), GAME)
    with pytest.raises(NotPrinted):
        run(project, changed=True)


def test_the_record_survives_the_output_folder_and_is_kept_for_each_project(project: Path, tmp_path: Path) -> None:
    run(project)
    printed(project)
    assert not places(project).record(GAME).is_relative_to(project)
    assert places(project).record(GAME) != places(tmp_path / "another").record(GAME)


@pytest.mark.parametrize("content", ["", "{", '{"version": 0, "game": "lantern-walk", "pieces": []}'])
def test_a_damaged_record_is_said_with_what_to_do(project: Path, content: str) -> None:
    run(project)
    printed(project)
    places(project).record(GAME).write_text(content)
    with pytest.raises(NotPrinted, match="record it again: pnp printed lantern-walk"):
        read_printed(places(project), GAME)


def test_a_flipped_bit_in_the_record_is_noticed(project: Path) -> None:
    run(project)
    printed(project)
    file = places(project).record(GAME)
    good, rng = file.read_bytes(), random.Random(1)
    assert len(read_printed(places(project), GAME).pieces) == 3
    for _ in range(400):
        bad = bytearray(good)
        bad[rng.randrange(len(bad))] ^= 1 << rng.randrange(8)
        file.write_bytes(bad)
        with pytest.raises(NotPrinted, match="record it again"):
            read_printed(places(project), GAME)


def test_a_record_of_an_earlier_version_is_read(project: Path) -> None:
    run(project)
    printed(project)
    file = places(project).record(GAME)
    record_ = json.loads(file.read_bytes())
    del record_["digest"]
    file.write_text(json.dumps({**record_, "version": 1}))
    assert len(read_printed(places(project), GAME).pieces) == 3


def test_a_part_is_not_added_to_a_damaged_record(project: Path) -> None:
    run(project)
    printed(project)
    run(project, only=("gust",))
    file = places(project).record(GAME)
    file.write_bytes(file.read_bytes().replace(b'"copies": 3', b'"copies": 9', 1))
    part = next(name for name in read_manifest(project / "output" / GAME, GAME).builds if name != "a4-long.pdf")
    with pytest.raises(NotPrinted, match=f"forget it first: pnp printed {GAME} --forget"):
        printed(project, part)


def test_the_record_is_on_the_disk_when_the_command_ends(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(project)
    asked: list[bool] = []
    write = printed_module.write_whole

    def written(file: Path, content: Any, **how: Any) -> None:
        asked.append(how.get("sync", False))
        write(file, content, **how)

    monkeypatch.setattr(printed_module, "write_whole", written)
    printed(project)
    assert asked == [True]


def test_forgetting_says_whether_there_was_anything(project: Path) -> None:
    assert not forget(places(project), GAME)
    run(project)
    printed(project)
    assert forget(places(project), GAME)
