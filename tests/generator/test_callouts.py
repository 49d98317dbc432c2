"""Lines from call-outs: from outside the picture, level within it, none across another or past its own place."""

from __future__ import annotations

import itertools

from generator.book.callouts import BEND, Bounds, leader

W = 80.0


def crossing(one: list[tuple[float, float]], other: list[tuple[float, float]]) -> bool:
    """Whether two lines cross in a point of both."""

    def side(a: tuple[float, float], b: tuple[float, float], p: tuple[float, float]) -> float:
        return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])

    for a, b in itertools.pairwise(one):
        for c, d in itertools.pairwise(other):
            if side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0:
                return True
    return False


def test_lines_are_level_within_the_picture_and_end_in_what_they_name() -> None:
    box: Bounds = (30.0, 10.0, 40.0, 30.0)
    for right, edge in ((True, W), (False, 0.0)):
        start, bend, end = leader(box, 50.0, right, W)
        assert abs(abs(start[0] - edge) - BEND) < 1e-9 and start[1] == 50.0
        assert bend[1] == end[1] and not 0 < bend[0] < W
        assert box[0] <= end[0] <= box[2] and box[1] <= end[1] <= box[3]
        assert abs(end[0] - (box[2] if right else box[0])) < 2.0


def test_lines_on_one_side_do_not_cross_however_far_their_words_are_moved() -> None:
    """Call-outs stand in the order of what they name."""
    named: list[Bounds] = [(70, 5, 78, 9), (10, 10, 20, 14), (60, 15, 66, 19), (2, 20, 9, 22), (50, 23, 60, 30)]
    for spread in (0.0, 4.0, 18.0):
        for right in (True, False):
            lines = [leader(box, box[1] + spread * (n - 2), right, W) for n, box in enumerate(named)]
            assert not any(crossing(one, other) for one, other in itertools.combinations(lines, 2))
