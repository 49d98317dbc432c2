"""Text setting with a font whose measures are round: at 10 pt, 1 em = 3.5278 mm, a letter is 0.6 em, a space 0.3."""

from __future__ import annotations

from pathlib import Path

import pytest
from facekit import box_font

from generator.faces.display import Op, PathOp, TextOp
from generator.faces.faults import Fault
from generator.faces.fonts import Font, FontBook, FontError, font_file, read_metrics
from generator.faces.quotes import printable
from generator.faces.text import TextBlock, TextBox, TextStyle, layout
from generator.paper.units import POINT

EM = 10 * POINT
STYLE = TextStyle(name="box", font="box", size=10, leading=1.2)


@pytest.fixture(scope="module")
def fonts(tmp_path_factory: pytest.TempPathFactory) -> FontBook:
    root = tmp_path_factory.mktemp("fonts")
    (root / "Box.ttf").write_bytes(box_font())
    sans = "font_source_sans_pro:SourceSansPro-"
    return FontBook(
        {"box": "Box.ttf", "sans": f"{sans}Regular.ttf", "sans-bold": f"{sans}Bold.ttf"}, root, root / "cache"
    )


def lines(block: TextBlock) -> list[str]:
    return [op.text for op in block.ops if isinstance(op, TextOp)]


def set_box(value: str, width_em: float, fonts: FontBook, height: float | None = None, **how: object) -> TextBlock:
    style, icon = how.pop("style", STYLE), how.pop("icon", None)
    return layout(value, style, TextBox(width=width_em * EM, height=height, **how), fonts, icon)  # type: ignore[arg-type]


def test_metrics_of_the_test_font() -> None:
    metrics = read_metrics("Box.ttf", box_font())
    assert (metrics.units, metrics.cap, metrics.descender, metrics.advances["A"]) == (1000, 700, -200, 600)


@pytest.mark.parametrize(
    ("width", "wrapped"),
    [
        (20, ["AA BBB CC DDDD"]),
        (4.8, ["AA BBB CC", "DDDD"]),
        (4.79, ["AA BBB", "CC DDDD"]),
        (2.4, ["AA", "BBB", "CC", "DDDD"]),
    ],
)
def test_lines_break_at_spaces_where_the_width_says(width: float, wrapped: list[str], fonts: FontBook) -> None:
    assert lines(set_box("AA BBB CC DDDD", width, fonts)) == wrapped


def test_height_and_baselines_are_those_of_the_font(fonts: FontBook) -> None:
    block = set_box("AA BB CC", 1.2, fonts)
    assert block.lines == 3
    assert block.height == pytest.approx(EM * (0.7 + 2 * 1.2 + 0.2))
    assert [op.y for op in block.ops if isinstance(op, TextOp)] == pytest.approx(
        [EM * 0.7, EM * 1.9, EM * 3.1], abs=0.001
    )


@pytest.mark.parametrize(("align", "x"), [("left", 0.0), ("center", 1.4), ("right", 2.8)])
def test_alignment(align: str, x: float, fonts: FontBook) -> None:
    (op,) = set_box("AA", 4, fonts, align=align).ops
    assert isinstance(op, TextOp)
    assert op.x == pytest.approx(x * EM, abs=0.001)


def test_a_single_line_in_the_middle_is_centred_by_its_capitals(fonts: FontBook) -> None:
    (op,) = set_box("8", 4, fonts, height=10.0, valign="middle").ops
    assert isinstance(op, TextOp)
    assert (op.y + (op.y - 0.7 * EM)) / 2 == pytest.approx(5, abs=0.001)


def test_descenders_never_leave_the_box(fonts: FontBook) -> None:
    height = EM * 0.95
    (op,) = set_box("8", 4, fonts, height=height, valign="middle").ops
    assert isinstance(op, TextOp)
    assert op.y + 0.2 * EM <= height + 1e-3


def test_bottom(fonts: FontBook) -> None:
    (op,) = set_box("A", 4, fonts, height=10.0, valign="bottom").ops
    assert isinstance(op, TextOp)
    assert op.y == pytest.approx(10 - 0.2 * EM, abs=0.001)


def test_text_shrinks_by_quarter_points_to_the_largest_size_that_fits(fonts: FontBook) -> None:
    style = TextStyle(name="s", font="box", size=10, min=7)
    block = set_box("AAAAA", 2.55, fonts, style=style)
    assert block.size_used == 8.5
    (op,) = block.ops
    assert isinstance(op, TextOp)
    assert op.size == pytest.approx(8.5 * POINT, abs=1e-4)


def test_text_that_does_not_fit_at_its_floor_says_what_it_would_need(fonts: FontBook) -> None:
    style = TextStyle(name="s", font="box", size=10, min=9)
    with pytest.raises(Fault, match=r"9\.0 mm wide.*would need 8\.5 pt, the floor is 9 pt") as raised:
        set_box("AAAAA", 9 / EM, fonts, style=style)
    assert raised.value.code == "LAY-005"


@pytest.mark.parametrize("limit", [{"height": EM * 0.9}, {"max_lines": 1}])
def test_height_and_number_of_lines_limit_too(limit: dict[str, object], fonts: FontBook) -> None:
    with pytest.raises(Fault, match="does not fit"):
        set_box("AA BB CC", 3.0, fonts, **limit)


def test_a_style_without_floor_is_not_shrunk(fonts: FontBook) -> None:
    with pytest.raises(Fault, match="the floor is 10 pt"):
        set_box("AAAAA", 2.9, fonts)


def test_no_widow_of_one_short_word(fonts: FontBook) -> None:
    assert lines(set_box("AAAA BBBB CCCC DD", 8, fonts)) == ["AAAA BBBB", "CCCC DD"]
    assert lines(set_box("AAAA BBBB CCCC DDDDDDDD", 8, fonts)) == ["AAAA BBBB CCCC", "DDDDDDDD"]


def test_centred_lines_are_balanced(fonts: FontBook) -> None:
    assert lines(set_box("AAA BBB CCC DDD", 6.6, fonts, align="center")) == ["AAA BBB", "CCC DDD"]


def test_newlines_end_lines_and_empty_lines_stand(fonts: FontBook) -> None:
    block = set_box("AA\n\nBB", 10, fonts)
    assert (lines(block), block.lines) == (["AA", "BB"], 3)


def test_tracking_widens_and_is_no_part_of_the_end(fonts: FontBook) -> None:
    block = set_box("AAA", 10, fonts, style=TextStyle(name="s", font="box", size=10, tracking=0.1))
    assert block.width == pytest.approx(EM * 2.0)


def test_upper_case_leaves_the_names_of_icons_alone(fonts: FontBook) -> None:
    named: list[str] = []

    def draw(name: str, _x: float, _y: float, _size: float, _colour: str, _accent: str) -> list[Op]:
        named.append(name)
        return []

    style = TextStyle(name="s", font="box", size=10, upper=True)
    assert lines(set_box("ab [army] cd", 20, fonts, style=style, icon=draw)) == ["AB", "CD"]
    assert named == ["army"]


def test_inline_icons_take_their_width_and_stand_in_the_middle_of_the_capitals(fonts: FontBook) -> None:
    boxes: list[tuple[float, float, float]] = []

    def draw(_name: str, x: float, y: float, size: float, colour: str, _accent: str) -> list[Op]:
        boxes.append((x, y, size))
        return [PathOp("M0 0", fill=colour)]

    block = set_box("A [army] B", 20, fonts, icon=draw)
    ((x, y, size),) = boxes
    assert x == pytest.approx(0.9 * EM)
    assert y + size / 2 == pytest.approx(0.35 * EM)
    after = block.ops[-1]
    assert isinstance(after, TextOp)
    assert after.x == pytest.approx(0.9 * EM + size + 0.3 * EM, abs=0.001)


def test_words_wrap_together_with_what_is_glued_to_them(fonts: FontBook) -> None:
    def draw(*_: object) -> list[Op]:
        return []

    block = set_box("AAAA [army].", 3.0, fonts, icon=draw)
    assert block.lines == 2


def test_bold_changes_the_font_and_keeps_the_measure(fonts: FontBook) -> None:
    style = TextStyle(name="s", font="sans", size=10)
    block = layout("Pay **two** now", style, TextBox(width=100), fonts)
    ops = [op for op in block.ops if isinstance(op, TextOp)]
    assert [(op.font, op.text) for op in ops] == [("sans", "Pay"), ("sans-bold", "two"), ("sans", "now")]
    assert ops[1].x == pytest.approx(10 * POINT * (fonts["sans"].width("Pay") + fonts["sans"].width(" ")), abs=0.002)


@pytest.mark.parametrize(
    ("value", "shown"), [("[[army]", ["[army]"]), ("snake_case_name", ["snake_case_name"]), ("a_b c_d", ["a_b c_d"])]
)
def test_what_only_looks_like_markup(value: str, shown: list[str], fonts: FontBook) -> None:
    assert lines(layout(value, TextStyle(name="s", font="sans", size=9), TextBox(width=100), fonts)) == shown


@pytest.mark.parametrize(
    ("value", "said"), [("pay [army", "write '\\[\\['"), ("**bold", "'\\*\\*' is opened"), ("_so", "'_' is opened")]
)
def test_broken_markup_is_an_error(value: str, said: str, fonts: FontBook) -> None:
    with pytest.raises(Fault, match=said):
        layout(value, TextStyle(name="s", font="sans", size=9), TextBox(width=100), fonts)


def test_a_character_the_font_has_not_is_an_error(fonts: FontBook) -> None:
    with pytest.raises(Fault, match=r"font 'box' has no '☃' \(U\+2603\)") as raised:
        set_box("A ☃", 20, fonts)
    assert raised.value.code == "LAY-006"


def test_kerning_is_that_of_the_font(fonts: FontBook) -> None:
    sans = fonts["sans"]
    assert sans.width("To") < sans.width("T") + sans.width("o")
    assert sans.width("To", kern=False) == pytest.approx(sans.width("T") + sans.width("o"))
    plain = TextStyle(name="s", font="sans", size=10)
    (op,) = layout("To", plain, TextBox(width=100), fonts).ops
    assert isinstance(op, TextOp)
    assert [i for i, _ in op.kerns] == [0]
    assert op.kerns[0][1] < 0


def test_metrics_come_from_the_cache_the_second_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "Box.ttf").write_bytes(box_font())
    first = Font("box", tmp_path / "Box.ttf", tmp_path / "cache").metrics
    monkeypatch.setattr("generator.faces.fonts.read_metrics", lambda *_: pytest.fail("read again"))
    assert Font("box", tmp_path / "Box.ttf", tmp_path / "cache").metrics == first


def test_a_damaged_cache_of_metrics_is_not_trusted(tmp_path: Path) -> None:
    (tmp_path / "Box.ttf").write_bytes(box_font())
    first = Font("box", tmp_path / "Box.ttf", tmp_path / "cache").metrics
    (file,) = (tmp_path / "cache").iterdir()
    whole = file.read_bytes()
    for at in range(0, len(whole), len(whole) // 40):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert Font("box", tmp_path / "Box.ttf", tmp_path / "cache").metrics == first, at
        assert file.read_bytes() == whole, at


def test_a_broken_or_unwritable_cache_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "Box.ttf").write_bytes(box_font())
    metrics = Font("box", tmp_path / "Box.ttf", tmp_path / "Box.ttf").metrics
    cache = tmp_path / "cache"
    assert Font("box", tmp_path / "Box.ttf", cache).metrics == metrics
    for file in cache.iterdir():
        file.write_bytes(b"rubbish")
    assert Font("box", tmp_path / "Box.ttf", cache).metrics == metrics


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("../Box.ttf", "outside of the project"),
        ("/etc/Box.ttf", "outside of the project"),
        ("font_source_sans_pro:../../x.ttf", "outside of its package"),
        ("no_such_package:A.ttf", "not installed"),
        ("os.path:A.ttf", "not the name of a package"),
        ("Nowhere.ttf", "is not there"),
        ("font_source_sans_pro:SourceSansPro-Regular.otf", "not a .ttf file"),
    ],
)
def test_fonts_come_from_packages_and_from_inside_the_project(address: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(FontError, match=said):
        font_file(address, tmp_path)


def test_a_file_that_is_no_font_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.ttf").write_bytes(b"no font at all")
    with pytest.raises(FontError, match=r"x\.ttf cannot be read"):
        _ = Font("x", tmp_path / "x.ttf", tmp_path).metrics


def test_quotes_are_those_of_print_where_the_font_has_them() -> None:
    said = "the rival's \"Ambush\" ('now')"
    assert printable(said, lambda _: "") == "the rival’s “Ambush” (‘now’)"
    assert printable(said, lambda _: "’") == said
