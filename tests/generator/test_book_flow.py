"""How blocks become pages: what stays together, columns of like height, pictures that wait for room, spreads."""

from __future__ import annotations

import pytest

from generator.book import flow
from generator.book.flow import Block, FlowPage

HEIGHT, WIDTH = 40.0, 100.0


def block(height: float = 10.0, name: str = "", **more: object) -> Block:
    return Block(height, (), anchors=(name,) if name else (), **more)  # type: ignore[arg-type]


def names(pages: list[FlowPage]) -> list[list[str]]:
    """The anchors of each page, in the order in which the blocks were put there."""
    return [[name for _, _, one in page.placed() for name in one.anchors] for page in pages]


def test_blocks_keep_with_what_follows() -> None:
    pages = flow.pour([block(), block(), block(5.0, "head", keep=20.0), block()], HEIGHT)
    assert flow.anchors(pages, first=3) == {"head": 4}


def test_a_block_higher_than_a_page_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        flow.pour([block(50.0)], HEIGHT)


def test_what_follows_fills_the_page_while_a_picture_waits_for_the_next() -> None:
    pages = flow.pour([block(30.0, "a"), block(20.0, "picture", floats=True), block(8.0, "b"), block(8.0, "c")], HEIGHT)
    assert names(pages) == [["a", "b"], ["picture", "c"]]


def test_pictures_keep_their_order_and_stay_in_their_chapter() -> None:
    large, small = block(20.0, "large", floats=True), block(8.0, "small", floats=True)
    assert names(flow.pour([block(30.0, "a"), large, small], HEIGHT)) == [["a"], ["large", "small"]]
    chapter = block(5.0, "next", chapter="Next")
    assert names(flow.pour([block(30.0, "a"), large, chapter], HEIGHT)) == [["a"], ["large", "next"]]


def test_a_picture_that_waits_at_the_end_is_not_lost() -> None:
    pages = flow.pour([block(30.0, "a"), block(20.0, "picture", floats=True)], HEIGHT)
    assert names(pages) == [["a"], ["picture"]]


def test_columns_end_at_like_heights_and_text_goes_on_below_them() -> None:
    run = [block(6.0, str(n), columns=2) for n in range(4)]
    (page,) = flow.pour([block(5.0), *run, block(5.0, "after")], HEIGHT, WIDTH)
    lefts = [left for left, _, one in page.placed() if one.columns == 2]
    assert lefts == [0.0, 0.0, *[flow.column_width(WIDTH, 2) + flow.GUTTER] * 2]
    top = next(top for _, top, one in page.placed() if one.anchors == ("after",))
    assert top == pytest.approx(17.0, abs=0.6)


def test_columns_go_on_over_pages() -> None:
    pages = flow.pour([block(18.0, str(n), columns=2) for n in range(6)], HEIGHT, WIDTH)
    assert names(pages) == [["0", "1", "2", "3"], ["4", "5"]]


@pytest.mark.parametrize(("first", "empty"), [(1, 0), (2, 1)])
def test_a_spread_opens_on_a_left_page(first: int, empty: int) -> None:
    pages = flow.pour([block(), block(name="left", left_page=True)], HEIGHT, first=first)
    assert [page.blocks == [] for page in pages].count(True) == empty
    assert flow.anchors(pages, first)["left"] % 2 == 0


def test_a_page_that_lacks_little_is_drawn_out_to_its_foot() -> None:
    (page,) = flow.pour([block(), block(11.0, before=2.0), block(10.0, before=2.0)], HEIGHT)
    assert flow.drawn_out(page, HEIGHT).used == pytest.approx(HEIGHT)
    (half,) = flow.pour([block(), block(before=2.0)], HEIGHT)
    assert flow.drawn_out(half, HEIGHT) is half


def test_a_page_is_in_the_chapter_that_began_last() -> None:
    pages = flow.pour([block(30.0), block(30.0, chapter="One"), block(30.0), block(30.0, chapter="Two")], HEIGHT)
    assert flow.chapters(pages, first=2) == {2: "", 3: "One", 4: "One", 5: "Two"}
