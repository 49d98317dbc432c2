"""The live page's server: what a save changes, what stays when a file is broken, and where the fault is shown."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from livekit import Served, replace, save, until
from PIL import Image

from components import yamlsource
from generator.cli.main import main


@pytest.fixture
def served(project: Path, shared_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(yamlsource, "_remembered", {})
    with Served(project, shared_cache).running() as found:
        yield found


def changed(served: Served, before: dict[str, list[str]]) -> set[str]:
    return {id_ for id_, digests in served.shown().items() if before.get(id_) != digests}


def test_a_save_changes_the_faces_it_concerns_and_no_others(served: Served) -> None:
    before = served.shown()
    assert set(before) == {"lantern/paper-moon", "lantern/glow-worm", "lantern/gust"}
    assert all(all(digests) for digests in before.values())
    replace(served.game / "lanterns.yaml", "name: Gust of Wind", "name: A Gust")
    assert until(lambda: changed(served, before)) == {"lantern/gust"}
    replace(served.layouts / "faces" / "card.yaml", "r: 17", "r: 16")
    until(lambda: changed(served, before) == set(before))
    after = served.shown()
    assert {id_: digests[1] for id_, digests in after.items()} == {id_: digests[1] for id_, digests in before.items()}
    replace(served.game / "lanterns.yaml", "name: A Gust", "name: Gust of Wind")
    replace(served.layouts / "faces" / "card.yaml", "r: 16", "r: 17")
    until(lambda: served.shown() == before)


def test_a_comment_changes_nothing(served: Served) -> None:
    before, looked, drawn = served.shown(), served.desk.looked, served.desk.drawn
    save(served.layouts / "theme.yaml", (served.layouts / "theme.yaml").read_text() + "# a note\n")
    until(lambda: served.desk.looked > looked)
    served.settled()
    assert (served.shown(), served.desk.drawn) == (before, drawn)


def test_pieces_come_and_go(served: Served) -> None:
    file = served.game / "lanterns.yaml"
    text = file.read_text()
    save(file, text + "  - id: new-moon\n    name: New Moon\n    fields: {tint: gold}\n")
    until(lambda: any(served.shown().get("lantern/new-moon", [])))
    save(file, text)
    until(lambda: "lantern/new-moon" not in served.shown())


def test_a_file_that_cannot_be_read_keeps_the_last_good_faces_and_says_where(served: Served) -> None:
    before = served.shown()
    replace(served.game / "lanterns.yaml", "effect: {gain_light: 3}", "effect: {gain_lihgt: 3}")
    (fault,) = until(lambda: served.desk.gallery("normal")["faults"])
    assert fault.file.endswith("lanterns.yaml") and fault.line == 14 and fault.column > 1
    assert served.shown() == before
    assert {card.id for card in served.desk.gallery("normal")["cards"] if card.stale} == set(before)
    replace(served.game / "lanterns.yaml", "gain_lihgt", "gain_light")
    until(lambda: not served.desk.gallery("normal")["faults"])
    assert not any(card.stale for card in served.desk.gallery("normal")["cards"])
    replace(served.game / "lanterns.yaml", "format: poker", "format: pocker")
    until(lambda: served.desk.gallery("normal")["faults"])
    cards = served.desk.gallery("normal")["cards"]
    assert served.shown() == before and all(card.stale for card in cards)


def test_a_face_that_cannot_be_drawn_shows_the_fault_at_its_box(served: Served) -> None:
    before = served.shown()
    replace(served.game / "lanterns.yaml", "name: Gust of Wind", f"name: {'Gust ' * 30}")
    (fault,) = until(lambda: served.desk.gallery("normal")["faults"])
    assert (fault.code, fault.cards, fault.line) == ("LAY-005", ["lantern/gust"], 5)
    assert fault.boxes == {"lantern/gust": [(6.0, 6.0), (57.0, 6.0), (57.0, 15.0), (6.0, 15.0)]}
    assert served.shown() == before
    assert [card.id for card in served.desk.gallery("normal")["cards"] if card.stale] == ["lantern/gust"]
    replace(served.layouts / "theme.yaml", "gold:", "gold: nonsense\n  was:")
    until(lambda: any(fault.file.endswith("theme.yaml") for fault in served.desk.gallery("normal")["faults"]))
    assert served.shown() == before


def test_a_fault_of_a_template_is_told_once_and_shown_on_every_card(served: Served) -> None:
    replace(served.layouts / "faces" / "card.yaml", "style: body", "style: boddy")
    (fault,) = until(lambda: served.desk.gallery("normal")["faults"])
    assert fault.line == 10 and len(fault.cards) == 3 and "body" in fault.hint
    assert fault.boxes["lantern/gust"][0] == (7.0, 57.0)


@pytest.mark.parametrize("where", ["pictures", "elsewhere"])
def test_a_picture_that_is_saved_is_drawn_anew(served: Served, where: str) -> None:
    file = served.project / where / "moon.png"
    file.parent.mkdir()
    Image.new("RGB", (40, 40), "red").save(file)
    card = served.layouts / "faces" / "card.yaml"
    save(card, f"{card.read_text()}  - image: {{box: [25, 30, 12, 12], file: {where}/moon.png}}\n")
    first = served.shown()
    until(lambda: changed(served, first) == set(first))
    before = served.shown()
    Image.new("RGB", (40, 40), "blue").save(file)
    until(lambda: changed(served, before) == set(before))


def test_a_fault_of_ours_at_one_save_is_told_and_not_the_end(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    before = served.shown()
    with monkeypatch.context() as patch:
        patch.setattr("generator.live.states.read_layouts", lambda *_: 1 / 0)
        replace(served.layouts / "faces" / "card.yaml", "r: 17", "r: 16")
        until(lambda: served.faults)
    assert [type(fault) for fault in served.faults] == [ZeroDivisionError] * len(served.faults)
    served.faults.clear()
    replace(served.layouts / "faces" / "card.yaml", "r: 16", "r: 15")
    until(lambda: changed(served, before) == set(before))


def test_what_is_no_longer_shown_does_not_pile_up(served: Served) -> None:
    file = served.game / "lanterns.yaml"
    text = file.read_text()
    for n in range(12):
        looked = served.desk.looked
        save(file, text.replace("name: Gust of Wind", f"name: Gust {n}"))
        until(lambda looked=looked: served.desk.looked > looked and not served.desk.busy())  # type: ignore[misc]
    held = {id(kept.state) for kept in served.desk._faces.values() if kept.state is not None}
    assert len(held) <= 3
    assert len(served.desk._faces) >= 12


def test_many_files_at_once_are_read_once(served: Served) -> None:
    looked = served.desk.looked
    for n in range(200):
        save(served.layouts / "faces" / f"more-{n}.yaml", "items: []\n")
    until(lambda: served.desk.looked > looked)
    served.settled()
    assert served.desk.looked - looked <= 4


def test_where_the_system_tells_nothing_files_are_looked_at(
    project: Path, shared_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("watchfiles.watch", lambda *_folders, **_how: iter(()))
    monkeypatch.setattr("generator.live.watching.LOOK", 0.05)
    with Served(project, shared_cache).running() as served:
        before = served.shown()
        replace(served.game / "lanterns.yaml", "name: Gust of Wind", "name: A Gust")
        until(lambda: changed(served, before) == {"lantern/gust"})


def test_low_ink_is_drawn_when_somebody_looks(served: Served) -> None:
    assert served.desk.gallery("low")["cards"] == served.desk.gallery("normal")["cards"]
    served.desk.look_at(["lantern/gust"], "low")
    until(lambda: served.desk.gallery("low")["cards"] and not served.desk.busy())
    assert all(all(card.fronts) for card in served.desk.gallery("low")["cards"])


@pytest.mark.parametrize("edits", [12, pytest.param(1000, marks=pytest.mark.torture)])
def test_no_edit_leaves_a_blank_page(served: Served, edits: int) -> None:
    """Half-typed and damaged files: every card keeps a face, and what is whole again is shown again."""
    chance = random.Random(7)
    before = served.shown()
    files = [served.game / "lanterns.yaml", served.layouts / "faces" / "card.yaml", served.layouts / "theme.yaml"]
    for _ in range(edits):
        file = chance.choice(files)
        text = file.read_text(encoding="utf-8")
        at, cut = chance.randrange(len(text)), chance.choice([0, 1, 9])
        damage = chance.choice(["", ":", "{", "\n-", "\t", "'", "&a *a", "\x00"])
        looked = served.desk.looked
        save(file, f"{text[:at]}{damage or '?'}{text[at + cut :]}")
        until(lambda looked=looked: served.desk.looked > looked)  # type: ignore[misc]
        served.settled()
        cards = served.desk.gallery("normal")["cards"]
        assert cards and all(all(card.fronts) for card in cards if card.id in before)
        looked = served.desk.looked
        save(file, text)
        until(lambda looked=looked: served.desk.looked > looked)  # type: ignore[misc]
    until(lambda: served.shown() == before and not served.desk.gallery("normal")["faults"])


def test_what_is_saved_while_the_page_starts_broken_is_shown(project: Path, shared_cache: Path) -> None:
    file = project / "components" / project.name / "game.yaml"
    text = file.read_text()
    file.write_text("title: [")
    with Served(project, shared_cache).running() as served:
        assert served.shown() == {} and served.desk.gallery("normal")["faults"]
        save(file, text)
        until(lambda: served.shown() and all(all(digests) for digests in served.shown().values()))
        assert served.desk.gallery("normal")["faults"] == []


def test_pictures_are_found_by_digest_and_are_only_pictures(served: Served) -> None:
    (front, back) = served.shown()["lantern/gust"]
    picture = served.desk.picture(front)
    assert picture and picture.startswith(b"<svg ") and b"<script" not in picture and front != back
    assert served.desk.picture("f" * 20) is None


def test_what_was_drawn_is_there_when_the_page_is_served_again(project: Path, tmp_path: Path) -> None:
    cache = tmp_path / "own-cache"
    with Served(project, cache).running() as served:
        assert served.desk.drawn > 0
    with Served(project, cache).running() as served:
        assert served.desk.drawn == 0


def test_the_command_says_what_is_missing(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.startswith(("starlette", "components.web", "generator.live"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr("builtins.__import__", _without("starlette", __import__))
    assert main(["--project", str(project), "serve", "--no-open"]) == 2
    assert "pip install 'tablewright[serve]'" in capsys.readouterr().err


def _without(missing: str, real: object) -> object:
    def importing(name: str, *args: object, **kwargs: object) -> object:
        if name.split(".")[0] == missing:
            raise ModuleNotFoundError(f"No module named '{missing}'", name=missing)
        return real(name, *args, **kwargs)  # type: ignore[operator]

    return importing
