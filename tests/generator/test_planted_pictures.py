"""Faults that pictures of the books and of the README once had, planted again: these tests find each."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from components.scene import Call, Scene
from components.yamlsource import read_yaml
from generator.book import callouts, examples
from generator.book.told import Drawing
from generator.faces.display import DisplayList

ROOT = Path(__file__).resolve().parents[2]


# --- before and after -----------------------------------------------------------------------------------------------


class Table:
    """An artist who shows what lies on the table: more of it after than before."""

    def drawing(self, _artist: object, scene: Scene, w: float, h: float) -> Drawing:
        seen = (0.0, 0.0, 40.0, 30.0) if scene.table == "before" else (-5.0, 4.0, 38.0, 52.0)
        if scene.crop:
            left, top, wide, high = scene.crop
            seen = left, top, left + wide, top + high
        scale = min(w / (seen[2] - seen[0]), h / (seen[3] - seen[1]))
        drawn = DisplayList((seen[2] - seen[0]) * scale, (seen[3] - seen[1]) * scale, 0.0, [])
        return Drawing(drawn=drawn, faces={}, seen=seen)


def sizes() -> list[tuple[float, float]]:
    example: Any = SimpleNamespace(title="A battle", show="both", scene=Scene())
    told: Any = SimpleNamespace(before="before", after="after")
    setter: Any = Table()
    artist: Any = object()
    return [(round(p.w, 6), round(p.h, 6)) for _, p, _ in examples._panes(setter, example, told, artist)]


def test_before_and_after_show_one_part_of_the_table_at_one_scale(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = sizes()
    assert before == after
    monkeypatch.setattr(examples, "_cropped", lambda scene, _crop: scene)
    before, after = sizes()
    assert before != after


# --- call-outs ------------------------------------------------------------------------------------------------------


class Words:
    """A setter whose call-outs are numbers."""

    own = SimpleNamespace(accent_colour="accent")
    kit = SimpleNamespace(colour=lambda _name: "#aa0000")

    def numeral(self, _said: str, x: float, y: float, r: float) -> list[tuple[float, float, float]]:
        return [(x, y, r)]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 56), st.floats(0, 46), st.floats(0.5, 4)), min_size=1, max_size=7))
def test_numbers_stand_outside_of_the_picture_and_lines_lead_to_what_they_name(
    spots: list[tuple[float, float, float]],
) -> None:
    w, h, aside = 60.0, 50.0, callouts.NUMBERS
    boxes = [(x, y, x + size, y + size) for x, y, size in spots]
    setter: Any = Words()
    ops, _, _ = callouts.beside(setter, [Call(at="a") for _ in boxes], boxes, (w, h), aside)
    drawn: list[Any] = list(ops)
    numbers = [op for op in drawn if isinstance(op, tuple)]
    lines = [op.d for op in drawn if not isinstance(op, tuple) and op.stroke == "#aa0000" and not op.fill]
    assert len(numbers) == len(lines) == len(boxes)
    assert all(x + r <= 0 or x - r >= w for x, _, r in numbers)
    ends = [[float(v) for v in d[1:].replace("L", " ").split()] for d in lines]
    assert all(x1 <= 0 or x1 >= w for x1, *_ in ends)
    assert all(
        any(b[0] - 0.01 <= x <= b[2] + 0.01 and b[1] - 0.01 <= y <= b[3] + 0.01 for b in boxes) for *_, x, y in ends
    )


# --- colours of the README's pictures -------------------------------------------------------------------------------


def lost(picture: Image.Image, small: Image.Image) -> list[tuple[int, ...]]:
    """Flat colours of a picture (more than a hundredth of a per cent of it) that the small one no longer has."""
    most = picture.width * picture.height
    kept = [colour for _, colour in small.convert("RGB").getcolors(most) or ()]
    flat = [colour for n, colour in picture.getcolors(most) or () if n > 1e-4 * most]
    return [one for one in flat if min(sum(abs(a - b) for a, b in zip(one, other, strict=True)) for other in kept) > 40]


@pytest.fixture(scope="module")
def pictures() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pictures_of_the_docs", ROOT / "docs" / "pictures.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_picture_in_few_colours_keeps_the_flat_ones(pictures: ModuleType) -> None:
    """Many soft blends and a little gold: a median of the blends would take the gold along."""
    picture = Image.new("RGB", (256, 256))
    picture.putdata([(x, (x + y) // 2, y) for y in range(256) for x in range(256)])
    picture.paste((226, 181, 58), (200, 4, 209, 12))
    assert lost(picture, pictures.reduced(picture, 128)) == []
    spoiled = picture.quantize(8, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    assert (226, 181, 58) in lost(picture, spoiled)


def test_the_wall_of_the_readme_has_its_gold_and_the_grounds_of_its_clans() -> None:
    colours = read_yaml(ROOT / "layouts/great-wall/theme.yaml", "theme.yaml").data["colours"]
    with Image.open(ROOT / "docs/pictures/wall.png") as file:
        wall = file.convert("RGB")
    there = {f"#{r:02x}{g:02x}{b:02x}" for _, (r, g, b) in wall.getcolors(wall.width * wall.height) or ()}  # type: ignore[misc]
    wanted = ["gold", *(f"{clan}-ground" for clan in ("pine", "bamboo", "plum"))]
    assert [name for name in wanted if colours[name]["normal"] not in there] == []
