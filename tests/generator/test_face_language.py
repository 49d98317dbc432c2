"""The face language beyond single elements: names for values, cells, and texts that share a box."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from facekit import items, maker, piece
from test_faces import drawn, fault

from generator.faces.display import DisplayList, PathOp, Push, TextOp, to_text

BOX = "rect: {box: [0, 0, '{{ cell.w }}', '{{ cell.h }}'], fill: ink}"


def sizes(face: DisplayList) -> list[float]:
    return sorted({round(op.size / (25.4 / 72), 3) for op in face.ops if isinstance(op, TextOp)}, reverse=True)


def cells(face: DisplayList) -> list[tuple[float, ...]]:
    """Place and size of the rectangle in each cell."""
    found = []
    for push, op in zip(face.ops, face.ops[1:], strict=False):
        if isinstance(push, Push) and isinstance(op, PathOp):
            numbers = [float(n) for n in re.findall(r"-?[\d.]+", op.d)]
            found.append((*push.matrix[4:], max(numbers[0::2]), max(numbers[1::2])))
    return [tuple(round(value, 3) for value in cell) for cell in found]


def test_let_names_values_for_the_elements_after_it(tmp_path: Path) -> None:
    with_let = """let: {wide: "{{ w / 3 }}", half: "{{ wide / 2 }}", who: "{{ piece.name }}"}
rect: {box: [0, 0, "{{ wide }}", "{{ half }}"], fill: ink}
text: {box: [0, 0, 60, 9], style: body, value: "{{ who }} {{ half }}"}"""
    plain = """rect: {box: [0, 0, "{{ w / 3 }}", "{{ w / 6 }}"], fill: ink}
text: {box: [0, 0, 60, 9], style: body, value: "{{ piece.name }} {{ w / 6 }}"}"""
    assert to_text(drawn(tmp_path / "a", with_let)) == to_text(drawn(tmp_path / "b", plain))


def test_let_beside_an_element_is_worked_out_in_every_round(tmp_path: Path) -> None:
    circle = 'circle: {at: [0, 0], r: "{{ twice }}", fill: ink}'
    face = drawn(tmp_path, f'{{each: [1, 2], as: n, let: {{twice: "{{{{ 2 * n }}}}"}}, if: twice > 2, {circle}}}')
    assert [op.d[:6] for op in face.ops if isinstance(op, PathOp)] == ["M4 0C4"]


def test_a_name_ends_with_the_list_it_stands_in(tmp_path: Path) -> None:
    circle = "circle: {at: [0, 0], r: '{{ inner }}', fill: ink}"
    message = fault(tmp_path, f"group: {{items: [{{let: {{inner: 3}}}}, {{{circle}}}]}}\n{circle}")
    assert "LAY-004" in message and "'inner' is not defined" in message


@pytest.mark.parametrize(
    ("let", "said"),
    [
        ("[a]", "'let' needs a mapping"),
        ("{a b: 1}", "'let' needs a mapping"),
        ('{a: "{{ nothing.x }}"}', "'nothing' is not defined"),
    ],
)
def test_a_let_that_cannot_be_read_is_told_with_its_place(tmp_path: Path, let: str, said: str) -> None:
    message = fault(tmp_path, f"let: {let}\ntext: {{box: [0, 0, 9, 9], style: body, value: '{{{{ a }}}}'}}")
    assert re.search(r"card\.yaml:\d+:\d+", message) and said in message


def test_rows_share_a_box_in_parts(tmp_path: Path) -> None:
    face = drawn(tmp_path, f"rows: {{box: [1, 2, 10, 32], weights: [2, 1], gap: 2, items: [{{{BOX}}}, {{{BOX}}}]}}")
    assert cells(face) == [(1, 2, 10, 20), (1, 24, 10, 10)]


def test_a_grid_has_a_cell_for_every_entry(tmp_path: Path) -> None:
    place = "box: [0, 0, 32, 20], columns: [1, 2], gap: [2, 4]"
    face = drawn(tmp_path, f"grid: {{{place}, over: '{{{{ [5, 6, 7] }}}}', as: n, items: [{{{BOX}}}]}}")
    assert cells(face) == [(0, 0, 10, 8), (12, 0, 20, 8), (0, 12, 10, 8)]


@pytest.mark.parametrize(
    ("kind", "arguments", "said"),
    [
        ("grid", "columns: 2, rows: 1, over: [1, 2, 3]", "3 entries need more than 2 cells"),
        ("rows", "gap: 5, over: [1, 2, 3]", "do not fit 9 mm"),
        ("rows", "weights: [1, 0]", "weights above 0"),
        ("grid", "colums: 2", "unknown argument 'colums'"),
    ],
)
def test_cells_that_cannot_be_made_are_told(tmp_path: Path, kind: str, arguments: str, said: str) -> None:
    assert said in fault(tmp_path, f"{kind}: {{box: [0, 0, 9, 9], {arguments}, items: [{{{BOX}}}]}}")


def column(high: float, long: int) -> str:
    words = " ".join(["word"] * long)
    texts = f"{{style: title, value: '{words}'}}, {{style: body, value: flavour}}"
    return f"column: {{box: [0, 0, 40, {high}], gap: 1, texts: [{texts}]}}"


def test_texts_of_a_column_shrink_together_and_stay_in_the_box(tmp_path: Path) -> None:
    roomy, tight = drawn(tmp_path / "a", column(60, 12)), drawn(tmp_path / "b", column(17.5, 12))
    assert sizes(roomy) == [13, 8.5]
    large, small = sizes(tight)
    assert 9 <= large < 13 and 7 <= small < 8.5
    assert 13 - large == pytest.approx(8.5 - small) or small == 7
    assert max(op.y for op in tight.ops if isinstance(op, TextOp)) <= 17.5


def test_a_column_that_does_not_fit_at_its_floors_is_an_error(tmp_path: Path) -> None:
    message = fault(tmp_path, column(10, 30))
    assert "LAY-005" in message and "the column is 10.0 mm high" in message


def test_an_empty_text_takes_no_room_in_a_column(tmp_path: Path) -> None:
    texts = "{style: body, value: '{{ piece.flavour }}'}, {style: body, value: x}"
    face = drawn(tmp_path, f"column: {{box: [0, 0, 40, 20], gap: 3, texts: [{texts}]}}", flavour="")
    (only,) = [op for op in face.ops if isinstance(op, TextOp)]
    assert only.y < 4


def test_what_let_reads_makes_a_face_depend_on_the_piece(tmp_path: Path) -> None:
    template = 'let: {who: "{{ piece.name }}"}\ntext: {box: [0, 0, 60, 9], style: body, value: "{{ who }}"}'
    made = maker(tmp_path, items(template))
    assert to_text(made.front(piece(name="One"))) != to_text(made.front(piece(name="Two")))
