"""Parameters tried on the live page: what would change, and how it is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from livekit import Served, until

from components import yamlsource
from components.web.site import Asked, Refused
from generator.live.trying import Trying
from generator.live.writing import changed_text


@pytest.fixture
def served(project: Path, shared_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(yamlsource, "_remembered", {})
    with Served(project, shared_cache).running() as found:
        yield found


def ask(served: Served, **data: Any) -> Asked:
    return Asked("designer", data)


def parameter(served: Served) -> dict[str, Any]:
    """A parameter that is a number."""
    found = Trying(served.desk).parameters(ask(served))
    return next(one for one in found if one["name"] == "walk.goal")


def test_a_try_shows_what_would_change_and_changes_nothing(served: Served) -> None:
    trying = Trying(served.desk)
    before, files = served.shown(), {file: file.read_bytes() for file in served.project.rglob("*.yaml")}
    one = parameter(served)
    name, value = one["values"][0]["name"], int(one["values"][0]["value"])
    told = trying.try_(ask(served, sets={name: str(value + 1)}))
    assert [rule["id"] for rule in told["rules"]]
    assert all(rule["before"] != rule["after"] for rule in told["rules"])
    assert told["printed"] is None
    assert trying.try_(ask(served, sets={name: str(value)}))["rules"] == []
    assert (served.shown(), {file: file.read_bytes() for file in served.project.rglob("*.yaml")}) == (before, files)


def test_faces_that_read_a_parameter_are_drawn_before_and_after(served: Served) -> None:
    one = parameter(served)
    name = one["values"][0]["name"]
    card = served.layouts / "faces" / "card.yaml"
    looked = served.desk.looked
    card.write_text(card.read_text().replace("{{ piece.rule }}", "{{ piece.rule }} {{ " + name + " }}"))
    until(lambda: served.desk.looked > looked)
    served.settled()
    told = Trying(served.desk).try_(ask(served, sets={name: str(int(one["values"][0]["value"]) + 1)}))
    assert set(told["cards"]) == set(served.shown())
    face = told["faces"]["lantern/gust"]["front"]
    assert face["before"] == served.shown()["lantern/gust"][0] != face["after"]
    assert served.desk.picture(face["after"]).startswith(b"<svg ")


def test_what_does_not_fit_is_refused_with_its_reason(served: Served) -> None:
    trying = Trying(served.desk)
    name = parameter(served)["values"][0]["name"]
    for sets in ({name: "many"}, {"no_such": "1"}, {name: "{"}, {name: "99999999999"}):
        with pytest.raises(Refused):
            trying.try_(ask(served, sets=sets))
    with pytest.raises(Refused):
        trying.try_(ask(served, sets="x"))


def test_a_value_is_written_where_it_stands_and_nothing_else(served: Served) -> None:
    trying = Trying(served.desk)
    file = served.game / "game.yaml"
    one = parameter(served)
    name, value = one["values"][0]["name"], int(one["values"][0]["value"])
    file.write_text("# mine: äöü 漢字\n" + file.read_text())
    until(lambda: not served.desk.busy())
    before = file.read_text().splitlines()
    trying.write(ask(served, sets={name: str(value + 1)}))
    after = file.read_text().splitlines()
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert len(changed) == 1
    assert changed[0][0].replace(str(value), str(value + 1)) == changed[0][1]
    until(lambda: served.desk.state.game.params[one["name"]] == value + 1)


def test_a_try_can_be_kept_as_a_variant(served: Served) -> None:
    trying = Trying(served.desk)
    one = parameter(served)
    name, value = one["values"][0]["name"], int(one["values"][0]["value"])
    made = trying.keep(ask(served, sets={name: str(value + 1)}, title="Long: nights!"))
    assert made["variant"] == "long-nights"
    from components.resolve import resolve_game

    game = resolve_game(served.project.name, root=served.project, variants=["long-nights"])
    assert game.params[one["name"]] == value + 1
    with pytest.raises(Refused, match="already"):
        trying.keep(ask(served, sets={name: str(value + 1)}, title="long nights"))
    for title in ("../../evil", "///", ""):
        try:
            made = trying.keep(ask(served, sets={name: str(value + 1)}, title=title))
        except Refused:
            continue
        assert (served.game / "variants" / f"{made['variant']}.yaml").is_file()
    assert {path.name for path in served.game.parent.iterdir()} == {served.project.name}


@pytest.mark.parametrize(
    ("text", "path", "value", "made"),
    [
        ("a: {b: 1}  # one\n", ("a", "b"), 2, "a: {b: 2}  # one\n"),
        ("a:\n  - 'x'   # é\n  - 5\n", ("a", 1), 6, "a:\n  - 'x'   # é\n  - 6\n"),
        ("a: yes please\nb: c\n", ("a",), "no: more", 'a: "no: more"\nb: c\n'),
        ("a: |\n  lines\nb: 1\n", ("a",), "word", None),
        ("a: &x 1\nb: *x\n", ("b",), 2, None),
        ("a: &x 1\nb: *x\n", ("a",), 2, None),
        ("a: {b: 1}\n", ("a",), 2, None),
        ("a: {b: 1}\n", ("c",), 2, None),
    ],
)
def test_only_the_value_is_written(text: str, path: tuple[Any, ...], value: Any, made: str | None) -> None:
    try:
        found = changed_text(text, path, value)
    except Refused:
        found = None
    assert found == made or (made is None and text.startswith("a: |") and found is not None)
