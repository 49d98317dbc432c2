"""How blocks become pages: what stays together, columns of like height, pictures that wait for room, spreads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from generator.book import flow
from generator.book.flow import Block, FlowPage
from generator.book.pouring import pour
from generator.faces.display import POP
from generator.sheets.sheets import Box

HEIGHT, WIDTH = 40.0, 100.0


def block(height: float = 10.0, name: str = "", **more: object) -> Block:
    return Block(height, (), anchors=(name,) if name else (), **more)  # type: ignore[arg-type]


def names(pages: list[FlowPage]) -> list[list[str]]:
    """The anchors of each page, in the order in which the blocks were put there."""
    return [[name for one in page.placed for name in one.block.anchors] for page in pages]


def test_blocks_keep_with_what_follows() -> None:
    pages = pour([block(), block(), block(5.0, "head", keep=20.0), block()], HEIGHT)
    assert flow.anchors(pages, first=3) == {"head": 4}


def test_a_table_that_goes_on_shows_its_headings_again() -> None:
    head = replace(block(5.0, "head", keep=10.0), ops=(POP,))
    rows = [replace(block(10.0, name), head=head) for name in "abcd"]
    assert names(pour([head, *rows], HEIGHT)) == [["head", "a", "b", "c"], ["head", "d"]]
    assert names(pour([block(28.0, "text"), head, *rows[:2]], HEIGHT)) == [["text"], ["head", "a", "b"]]
    picture = block(20.0, "picture", floats=True)
    parts = [block(25.0, "text"), picture, head, *rows[:3]]
    between = pour(parts, HEIGHT, first=2)
    assert names(between) == [["text", "head", "a"], ["picture", "head", "b"], ["head", "c"]]
    turned = pour(parts, HEIGHT, first=1)
    assert names(turned) == [["text"], ["picture", "head", "a"], ["head", "b", "c"]], "cut at a turn of the page"


def test_a_block_higher_than_a_page_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        pour([block(50.0)], HEIGHT)


def test_what_follows_fills_the_page_while_a_picture_waits_for_the_next() -> None:
    pages = pour([block(30.0, "a"), block(20.0, "picture", floats=True), block(8.0, "b"), block(8.0, "c")], HEIGHT)
    assert names(pages) == [["a", "b"], ["picture", "c"]]


def test_pictures_keep_their_order_and_stay_in_their_chapter() -> None:
    large, small = block(20.0, "large", floats=True), block(8.0, "small", floats=True)
    assert names(pour([block(30.0, "a"), large, small], HEIGHT)) == [["a"], ["large", "small"]]
    chapter = block(5.0, "next", chapter="Next")
    assert names(pour([block(30.0, "a"), large, chapter], HEIGHT)) == [["a"], ["large", "next"]]


def test_a_picture_that_waits_at_the_end_is_not_lost() -> None:
    pages = pour([block(30.0, "a"), block(20.0, "picture", floats=True)], HEIGHT)
    assert names(pages) == [["a"], ["picture"]]


def test_columns_end_at_like_heights_and_text_goes_on_below_them() -> None:
    run = [block(6.0, str(n), columns=2) for n in range(4)]
    (page,) = pour([block(5.0), *run, block(5.0, "after")], HEIGHT, WIDTH)
    lefts = [one.left for one in page.placed if one.block.columns == 2]
    assert lefts == [0.0, 0.0, *[flow.column_width(WIDTH, 2) + flow.GUTTER] * 2]
    top = next(one.top for one in page.placed if one.block.anchors == ("after",))
    assert top == pytest.approx(17.0, abs=0.6)


def test_columns_go_on_over_pages() -> None:
    pages = pour([block(18.0, str(n), columns=2) for n in range(6)], HEIGHT, WIDTH)
    assert names(pages) == [["0", "1", "2", "3"], ["4", "5"]]


@pytest.mark.parametrize(("first", "empty"), [(1, 0), (2, 1)])
def test_a_spread_opens_on_a_left_page(first: int, empty: int) -> None:
    pages = pour([block(), block(name="left", left_page=True)], HEIGHT, first=first)
    assert [page.placed == [] for page in pages].count(True) == empty
    assert flow.anchors(pages, first)["left"] % 2 == 0


def test_a_page_that_lacks_little_is_drawn_out_to_its_foot() -> None:
    (page,) = pour([block(), block(11.0, before=2.0), block(10.0, before=2.0)], HEIGHT)
    assert flow.drawn_out(page, HEIGHT).used == pytest.approx(HEIGHT)
    (half,) = pour([block(), block(before=2.0)], HEIGHT)
    assert flow.drawn_out(half, HEIGHT) is half


def picture(height: float, name: str = "", most: float = 2.0) -> Block:
    """A picture that can have other sizes, up to `most` times its own."""

    def sized(size: float) -> Block:
        return block(height * min(size, most))

    return block(height, name, sized=sized)


def test_pictures_become_smaller_where_that_saves_an_all_but_empty_page() -> None:
    pages = pour([picture(30.0), block(14.0), block(name="next", new_page=True)], HEIGHT)
    assert [len(page.placed) for page in pages] == [2, 1]
    assert pages[0].used <= HEIGHT and pages[0].placed[0].block.height == pytest.approx(30 * 0.86)


def test_pictures_keep_their_size_where_the_next_page_is_filled_anyway() -> None:
    pages = pour([picture(26.0), block(14.0), block(14.0), block(12.0)], HEIGHT)
    assert pages[0].placed[0].block.height == 26.0


def test_a_picture_grows_on_a_page_that_lacks_much() -> None:
    pages = pour([picture(20.0), block(8.0), block(new_page=True)], HEIGHT)
    assert pages[0].placed[0].block.height == pytest.approx(29.6)
    pages = pour([picture(20.0, most=1.2), block(8.0), block(new_page=True)], HEIGHT)
    assert pages[0].placed[0].block.height == pytest.approx(24.0)


def test_a_choice_looks_ahead() -> None:
    """The picture fits the first page if it is smaller. Where that would leave the second almost empty, it waits."""
    text, last = block(24.0), block(name="last", new_page=True)
    alone = replace(picture(18.0, "picture"), floats=True)
    assert names(pour([text, alone, last], HEIGHT)) == [["picture"], ["last"]]
    assert names(pour([text, alone, block(16.0), block(16.0, "c"), last], HEIGHT))[1] == ["picture", "c"]


def test_columns_are_drawn_out_together() -> None:
    run = [block(8.0, str(n), before=1.0, columns=2) for n in range(6)]
    (page,) = pour([block(6.0), *run], HEIGHT, WIDTH)
    tops = [[one.top for one in page.placed if one.band == 1 and one.column == n] for n in (0, 1)]
    assert tops[0] == tops[1] and page.used == pytest.approx(HEIGHT, abs=0.5)


def test_what_prints_page_numbers_gets_them_when_they_are_known() -> None:
    def late(numbers: Mapping[str, int]) -> Block:
        return Block(5.0, (), anchors=("contents",), links=((Box(0, 0, 1, 1), str(numbers.get("there", 0))),))

    pages = pour([replace(late({}), late=late), block(38.0, "there")], HEIGHT)
    numbered = flow.with_numbers(pages, flow.anchors(pages, 2))
    assert [one.block.links[0][1] for one in numbered[0].placed] == ["3"]


def test_a_page_is_in_the_chapter_that_began_last() -> None:
    pages = pour([block(30.0), block(30.0, chapter="One"), block(30.0), block(30.0, chapter="Two")], HEIGHT)
    assert flow.chapters(pages, first=2) == {2: "", 3: "One", 4: "One", 5: "Two"}


def test_a_heading_is_not_left_alone_at_the_foot_of_a_page() -> None:
    """Not even where the room it asks for below it is less than what follows takes in its usual size."""
    head = block(3.0, "head", keep=8.0, chapter="Next")
    assert names(pour([block(22.0, "a"), head, block(20.0, "picture")], HEIGHT)) == [["a"], ["head", "picture"]]
