"""What several faces draw alike stands in a PDF once, and the pages look as if it did not."""

from __future__ import annotations

import io
import random
from collections.abc import Iterable
from pathlib import Path

import pikepdf
from facekit import rendered, sheet
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.backends.pdf import write_pdf
from generator.backends.pdfcommon import WORTH, Common, commons, reached
from generator.faces.display import POP, DisplayList, Op, PathOp, Push, TextOp, UseOp
from generator.faces.fonts import FontBook
from generator.sheets.sheets import Placement

NO_FONTS = FontBook({}, Path())


def path(seed: int, letters: int, **look: str) -> PathOp:
    """A path of at least so many letters."""
    dice = random.Random(seed)
    d = "M0 0"
    while len(d) < letters:
        d += f"L{dice.uniform(0, 60):.3f} {dice.uniform(0, 80):.3f}"
    return PathOp(d + "Z", **(look or {"fill": "#336699"}))


def expanded(ops: Iterable[Op | Common]) -> list[Op]:
    return [one for op in ops for one in (expanded(op.ops) if isinstance(op, Common) else [op])]


OPS = st.recursive(
    st.lists(
        st.builds(path, st.integers(0, 4), st.sampled_from([20, WORTH]))
        | st.builds(lambda key: UseOp(key=key), st.just("x"))
        | st.just(TextOp(font="a", size=3, x=0, y=0, text="a", colour="#000000")),
        max_size=4,
    ),
    lambda inside: st.lists(
        st.builds(
            lambda ops, opacity: [Push((1, 0, 0, 1, 2, 2), opacity=opacity), *ops, POP],
            inside,
            st.sampled_from([1, 0.5]),
        ),
        max_size=3,
    ).map(lambda groups: [op for group in groups for op in group]),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(OPS, min_size=1, max_size=4))
def test_every_face_draws_what_it_drew(faces: list[list[Op]]) -> None:
    named = {str(n): ops for n, ops in enumerate(faces)}
    assert {key: expanded(ops) for key, ops in commons(named)[0].items()} == named


def test_what_stands_together_everywhere_is_one_part_and_what_is_short_stays() -> None:
    ground, frame, short = path(1, WORTH), path(2, WORTH), path(3, 30)
    first = [ground, frame, path(4, WORTH), Push(clip="M0 0L9 9Z"), ground, frame, POP, short]
    second = [short, ground, frame]
    made, _ = commons({"a": first, "b": second})
    part = made["b"][1]
    assert isinstance(part, Common) and part.ops == (ground, frame)
    assert made["a"] == [part, first[2], first[3], part, POP, short]


def test_faces_drawn_in_faces_are_met_too() -> None:
    faces = {"a": DisplayList(9, 9, 0, [UseOp(key="b")]), "b": DisplayList(9, 9, 0, []), "c": DisplayList(9, 9, 0, [])}
    assert reached(["a"], faces) == ["a", "b"]


def test_the_file_holds_it_once_and_the_page_shows_it_twice() -> None:
    shared = [Push((1, 0, 0, 1, 3, 3)), path(1, 40_000, stroke="#aa2222"), path(2, 4_000), POP]
    faces = {
        name: DisplayList(63, 88, 3, [PathOp(f"M{x} 2L9 9L20 5Z", fill="#00aa00"), *shared, path(x, 90)])
        for x, name in enumerate("ab")
    }
    both = sheet(Placement(face="a", x=10, y=16, w=63, h=88), Placement(face="b", x=90, y=16, w=63, h=88))
    written = write_pdf([both], faces, title="Demo", fonts=NO_FONTS)
    alone = write_pdf([sheet(both.placements[0])], {"a": faces["a"]}, title="Demo", fonts=NO_FONTS)
    assert len(written) < len(alone) + 2_000
    apart = [
        rendered(write_pdf([sheet(placed)], {placed.face: faces[placed.face]}, title="Demo", fonts=NO_FONTS), 100)
        for placed in both.placements
    ]
    seen = rendered(written, 100)
    for x, one in zip((7, 87), apart, strict=True):
        box = tuple(round(v * seen.width / 210) for v in (x, 13, x + 69, 107))
        assert seen.crop(box).tobytes() == one.crop(box).tobytes()
    with pikepdf.open(io.BytesIO(written)) as pdf:
        forms = [one for one in pdf.objects if isinstance(one, pikepdf.Stream) and one.get("/Subtype") == "/Form"]
        assert len(forms) == 3
