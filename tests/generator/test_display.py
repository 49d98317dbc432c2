from __future__ import annotations

import msgspec
import pytest

from generator.faces.display import POP, DisplayList, Op, PathOp, Push, TextOp, face_hash, number, to_text

FACE = DisplayList(
    63.0,
    88.0,
    3.0,
    [
        PathOp("M0 0L1 1", stroke="#000000", width=0.25, dash=(1.0, 2.0), cap="round"),
        Push((0.0, 1.0, -1.0, 0.0, 5.0, 6.0), clip="M0 0L1 0L1 1Z", layer="cut"),
        TextOp("sans", 3.0, 1.0, 2.0, "Tao", "#112233", 0.1, ((0, -0.25),)),
        POP,
    ],
)


def test_display_list_as_text_has_one_operation_per_line() -> None:
    assert to_text(FACE).splitlines() == [
        "face 63 x 88 bleed 3",
        "  path stroke #000000 0.25 dash 1,2 cap round: M0 0L1 1",
        "  push matrix 0 1 -1 0 5 6 layer cut clip M0 0L1 0L1 1Z",
        "    text sans 3 #112233 at 1 2 tracking 0.1 kern 0:-0.25: 'Tao'",
        "  pop",
    ]


def test_hash_is_equal_exactly_when_everything_drawn_is_equal() -> None:
    same = msgspec.convert(msgspec.to_builtins(FACE), DisplayList)
    other = DisplayList(63.0, 88.0, 2.0, FACE.ops)
    assert face_hash(FACE) == face_hash(same)
    assert len({face_hash(FACE), face_hash(other), face_hash(DisplayList(63.0, 88.0, 3.0, FACE.ops[:1]))}) == 3
    assert len(face_hash(FACE)) == 16


@pytest.mark.parametrize(
    ("op", "changed"),
    [
        (PathOp("M0 0L1 1", fill="#000000"), PathOp("M0 0L1 1", fill="#000001")),
        (PathOp("M0 0L1 1", fill="#000000"), PathOp("M0 0L1 1", fill="#000000", evenodd=True)),
        (TextOp("a", 3, 0, 0, "x", "#000000"), TextOp("b", 3, 0, 0, "x", "#000000")),
    ],
)
def test_hash_sees_every_field(op: Op, changed: Op) -> None:
    assert face_hash(DisplayList(1, 1, 0, [op])) != face_hash(DisplayList(1, 1, 0, [changed]))


@pytest.mark.parametrize(
    ("value", "text"),
    [(12, "12"), (0.25, "0.25"), (-3.1254, "-3.125"), (-0.0001, "0"), (841.89, "841.89"), (1e-7, "0")],
)
def test_numbers_are_exact_to_a_micrometre(value: float, text: str) -> None:
    assert number(value) == text
