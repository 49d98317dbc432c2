from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from facekit import CARD, items, maker, piece, project
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from components.errors import DefinitionError
from components.model import Icon
from generator.faces.compiler import FRAME, KINDS
from generator.faces.display import DisplayList, PathOp, Push, TextOp, face_hash, to_text
from generator.faces.elements import ARGUMENTS, PAINT
from generator.faces.facemaker import FaceError, FaceMaker
from generator.faces.faults import CODES
from generator.faces.icons import IconShape
from generator.faces.look import StyleFile, load_look
from generator.faces.ornaments import ORNAMENTS, arguments
from generator.paper.formats import LAYOUTS

Golden = Callable[[str, str], None]


def texts(face: DisplayList) -> list[str]:
    return [op.text for op in face.ops if isinstance(op, TextOp)]


def drawn(root: Path, template: str, ink: str = "normal", **changes: Any) -> DisplayList:
    return maker(root, items(template), ink).front(piece(**changes))


def fault(root: Path, template: str, **changes: Any) -> str:
    with pytest.raises(FaceError) as raised:
        drawn(root, template, **changes)
    return str(raised.value)


# --- whole faces -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ink", ["normal", "low"])
def test_card(ink: str, tmp_path: Path, golden: Golden) -> None:
    golden(f"faces/card-{ink}.txt", to_text(maker(tmp_path, CARD, ink).front(piece())))


def test_the_same_piece_gives_the_same_face_from_another_maker(tmp_path: Path) -> None:
    first, second = (maker(tmp_path).front(piece()) for _ in range(2))
    assert face_hash(first) == face_hash(second)


def test_backs_without_anything_of_the_piece_are_one_face(tmp_path: Path) -> None:
    m = maker(tmp_path, back=items('rect: {box: [0, 0, "{{ w }}", "{{ h }}"], fill: accent}'))
    backs = [m.back(piece(id=name, back="back")) for name in ("a", "b")]
    assert backs[0] is not None and backs[1] is not None
    assert face_hash(backs[0]) == face_hash(backs[1])
    assert m.back(piece()) is None


def test_any_template_can_be_drawn_at_any_size_with_names_of_its_own(tmp_path: Path) -> None:
    m = maker(tmp_path, page=items('text: {box: [0, 0, "{{ w }}", 20], style: body, value: "{{ heading }} {{ w }}"}'))
    assert texts(m.draw("page", 148, 210, 0, {"heading": "Rules"})) == ["Rules 148"]
    assert texts(m.draw("page", 100, 210, 0, {"heading": "Aid"})) == ["Aid 100"]


# --- values ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        ("{{ piece.name }}", "Thoughtful General"),
        ("Cost {{ piece.fields.cost }} of {{ build.army_cost }}", "Cost 7 of 2"),
        ("{{ piece.fields.cost * 2 + 1 }}", "15"),
        ("{{ hand }} {{ hand.limit }}", "4 7"),
        ("{{ 1 if ink == 'low' else 2 }}", "2"),
        ("{% if piece.copies > 1 %}many{% else %}one{% endif %}", "one"),
        ("{{ rules['D-1'].text }}", "Pay 2."),
        ("{{ seats['Qin'].emblem }}", "army"),
        ("{{ 2.0 }} {{ true }}", "2 yes"),
        ("{{ (100 * sin(30)) | round | int }}", "50"),
    ],
)
def test_values(value: str, printed: str, tmp_path: Path) -> None:
    template = f'text: {{box: [5, 5, 50, 20], style: body, value: "{value}"}}'
    assert texts(drawn(tmp_path, template)) == [printed]


def test_a_text_without_value_draws_nothing(tmp_path: Path) -> None:
    assert drawn(tmp_path, 'text: {box: [5, 5, 50, 20], style: body, value: "{{ piece.flavour }}"}').ops == []


@pytest.mark.parametrize(
    ("condition", "shown"), [("piece.fields.cost > 6", 1), ("{{ ink == 'low' }}", 0), ("false", 0)]
)
def test_if(condition: str, shown: int, tmp_path: Path) -> None:
    template = f'{{if: "{condition}", circle: {{at: [9, 9], r: 2, fill: ink}}}}'
    assert len(drawn(tmp_path, template).ops) == shown


@pytest.mark.parametrize(
    ("loop", "shown"),
    [
        ("each: [a, b], as: k", ["a", "b"]),
        ('each: "{{ range(3) }}", as: k', ["0", "1", "2"]),
        ('each: "{{ piece.fields.words }}", as: k', ["x", "y"]),
    ],
)
def test_each(loop: str, shown: list[str], tmp_path: Path) -> None:
    template = f'{{{loop}, text: {{box: [5, "{{{{ 5 + 9 * index }}}}", 50, 9], style: body, value: "{{{{ k }}}}"}}}}'
    face = drawn(tmp_path, template, fields={"words": ["x", "y"]})
    assert texts(face) == shown
    rows = [op.y for op in face.ops if isinstance(op, TextOp)]
    assert [round(b - a, 3) for a, b in itertools.pairwise(rows)] == [9.0] * (len(shown) - 1)


def test_a_value_may_need_the_round_of_an_each_and_the_piece(tmp_path: Path) -> None:
    template = '{each: [1, 2], as: k, circle: {at: ["{{ k * piece.fields.far }}", 5], r: 1, fill: ink}}'
    lefts = [op.d.split()[0] for op in drawn(tmp_path, template, fields={"far": 10}).ops if isinstance(op, PathOp)]
    assert len(set(lefts)) == 2


def test_each_takes_pairs_apart(tmp_path: Path) -> None:
    template = (
        '{each: "{{ piece.fields.melds.items() }}", as: "name, pay",'
        ' text: {box: [5, 5, 50, 9], style: body, value: "{{ name }} {{ pay }}"}}'
    )
    assert texts(drawn(tmp_path, template, fields={"melds": {"Bronze": 3, "Pair": 1}})) == ["Bronze 3", "Pair 1"]


def test_parts_may_be_chosen_by_the_piece(tmp_path: Path) -> None:
    parts = "one: {items: [{rect: {box: [0, 0, 1, 1], fill: ink}}]}\ntwo: {items: []}\n"
    m = maker(tmp_path, items('part: {name: "{{ piece.id }}", at: [5, 5]}'), parts=parts)
    assert len(m.front(piece(id="one")).ops) == 3
    assert len(m.front(piece(id="two")).ops) == 2
    with pytest.raises(FaceError, match=r"no part 'tow'.*\n.*\n.*did you mean 'two'"):
        m.front(piece(id="tow"))


def test_groups_move_turn_scale_and_clip(tmp_path: Path) -> None:
    template = "group: {at: [10, 20], turn: 90, scale: 2, clip: {circle: {at: [0, 0], r: 3}}, items: []}"
    push = drawn(tmp_path, template.replace("[]}", "[rect: {box: [0, 0, 1, 1], fill: ink}]}")).ops[0]
    assert isinstance(push, Push)
    assert push.matrix == (0.0, 2.0, -2.0, 0.0, 10.0, 20.0)
    assert push.clip.startswith("M3 0C")
    assert drawn(tmp_path, template).ops == []


def test_layers(tmp_path: Path) -> None:
    push = drawn(tmp_path, "{layer: cut, circle: {at: [5, 5], r: 4, stroke: ink}}").ops[0]
    assert push == Push(layer="cut")


def test_icons_shrink_and_wrap_to_fit_their_box(tmp_path: Path) -> None:
    template = 'icons: {box: [0, 0, 20, 12], value: "{{ piece.icons }}", size: 12, gap: 0, label_style: body}'
    face = drawn(tmp_path, template, icons=tuple([Icon("coin")] * 4))
    circles = [op.d for op in face.ops if isinstance(op, PathOp)]
    assert len(circles) == 4
    message = fault(tmp_path, template, icons=tuple([Icon("coin", "x12")] * 40))
    assert "LAY-005" in message and "40 icons of 12 mm do not fit a box of 20 x 12 mm" in message


def test_the_reference_for_designers_is_complete() -> None:
    """Every element, argument, ornament and error code is described in docs/face-templates.md."""
    text = (LAYOUTS.parent / "docs" / "face-templates.md").read_text(encoding="utf-8")
    rows = {match[1]: match[0] for match in re.finditer(r"^\| `?([\w-]+)`? \|.*$", text, re.MULTILINE)}
    for kind in KINDS:
        for argument in ARGUMENTS.get(kind) or ():
            assert f"`{argument}" in rows[kind] or argument in PAINT, (kind, argument)
    for kind in ORNAMENTS:
        for argument in arguments(kind):
            assert f"`{argument}`" in rows[kind], (kind, argument)
    for word in (*FRAME, *PAINT, *StyleFile.__struct_fields__, *IconShape.__struct_fields__):
        assert f"`{word}" in text, word
    for code, entry in CODES.items():
        assert f"| {code} | {entry.title} | {entry.text} |" in text


# --- faults ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("rekt: {box: [0, 0, 1, 1], fill: ink}", "LAY-003: units/general: there is no element 'rekt'.*'rect'"),
        ("rect: {bix: [0, 0, 1, 1], fill: ink}", "LAY-001.*unknown argument 'bix'.*'box'"),
        ("rect: {box: [0, 0, 1], fill: ink}", "LAY-002.*list of 4 numbers"),
        ("rect: {box: [0, 0, 1, a], fill: ink}", "LAY-002.*list of 4 numbers"),
        ("rect: {box: [0, 0, -1, 1], fill: ink}", "LAY-002.*negative"),
        ("rect: {box: [0, 0, 1, 1]}", "LAY-002.*give 'fill' or 'stroke'"),
        ("rect: {box: [0, 0, 1, 1], fill: inc}", "LAY-003.*no colour 'inc'.*'ink'"),
        ('rect: {box: [0, 0, 1, 1], fill: "#12345"}', "LAY-002.*'#12345' is not a colour"),
        ("rect: {box: [0, 0, 1, 1], stroke: ink, cap: flat}", "LAY-002.*'cap' cannot be 'flat'"),
        ("text: {box: [0, 0, 9, 9], value: x}", "LAY-002.*'style' must be a name"),
        ("text: {box: [0, 0, 9, 9], value: x, style: boddy}", "LAY-003.*no style 'boddy'.*'body'"),
        ("icon: {box: [0, 0, 9, 9], name: armee}", "LAY-003.*no icon 'armee'.*'army'"),
        ("part: {name: disk, with: {n: 1}}", "LAY-003.*no part 'disk'.*'disc'"),
        ("part: {name: disc}", "LAY-002.*part 'disc' needs 'n'"),
        ("part: {name: disc, with: {n: 1, q: 2}}", "LAY-001.*unknown argument 'q'"),
        ("ornament: {kind: meanders, box: [0, 0, 9, 9], stroke: ink}", "LAY-003.*no ornament 'meanders'.*'meander'"),
        ("ornament: {kind: meander, box: [0, 0, 9, 9], stroke: ink, units: 3}", "LAY-001.*takes no 'units'.*'unit'"),
        ("ornament: {kind: meander, box: [0, 0, 9, 9], stroke: ink, unit: 0}", "LAY-002.*more than 0 mm"),
        ("ornament: {kind: meander, box: [0, 0, 9, 9], stroke: ink, unit: 0.001}", "LAY-002.*too many"),
        ("path: {d: L5 5, fill: ink}", "LAY-002.*begins with 'L'"),
        ("{circle: {at: [1, 1], r: 1, fill: ink}, layr: cut}", "LAY-001.*unknown argument 'layr'.*'layer'"),
        ("{circle: {at: [1, 1], r: 1, fill: ink}, layer: cute}", "LAY-003.*no layer 'cute'.*'cut'"),
        ("{circle: {at: [1, 1], r: 1, fill: ink}, rect: {}}", "LAY-001.*exactly one drawing key"),
        ('circle: {at: [1, 1], r: "{{ piece.fields.cots }}", fill: ink}', "LAY-004.*no 'cots'.*'cost'"),
        ('circle: {at: [1, 1], r: "{{ peice.name }}", fill: ink}', "LAY-004.*'peice'.*'piece'"),
        ('circle: {at: [1, 1], r: "{{ 1 + }}", fill: ink}', "LAY-004"),
        ('circle: {at: [1, 1], r: "{{ piece.__class__ }}", fill: ink}', "LAY-004.*begin with '_'"),
        ('circle: {at: [1, 1], r: "{{ game.title.__class__.__mro__ }}", fill: ink}', "LAY-004.*begin with '_'"),
        ('circle: {at: [1, 1], r: "{{ range(10 ** 9) | list }}", fill: ink}', "LAY-004"),
        ('{each: "{{ piece.name }}", circle: {at: [1, 1], r: 1, fill: ink}}', "LAY-002.*'each' goes through a list"),
        ("group: {clip: {sphere: {}}, items: []}", "LAY-002.*'clip' must be exactly one shape"),
        ("image: {file: ../../secret.png, box: [0, 0, 9, 9]}", "LAY-007.*outside the project"),
        ("image: {file: /etc/passwd, box: [0, 0, 9, 9]}", "LAY-007.*outside the project"),
        ("image: {file: nothing.png, box: [0, 0, 9, 9]}", "LAY-007.*no picture 'nothing.png'"),
        (
            "image: {file: fonts/Box.ttf, box: [0, 0, 9, 9]}",
            "LAY-007.*neither PNG nor JPEG nor WebP nor HEIC nor AVIF nor SVG",
        ),
    ],
)
def test_every_fault_names_file_line_and_remedy(template: str, said: str, tmp_path: Path) -> None:
    message = fault(tmp_path, template)
    flat = " ".join(message.split())
    assert flat.startswith("layouts/demo/faces/card.yaml:2:"), message
    assert re.search(said, flat), message


def test_text_that_does_not_fit_names_piece_box_and_the_size_it_needs(tmp_path: Path) -> None:
    template = 'text: {box: [5, 60, 20, 5], style: body, value: "{{ piece.text }}"}'
    message = fault(tmp_path, template)
    assert "LAY-005: units/general: text in box [5, 60, 20, 5]: text does not fit" in message
    assert "the floor is 7 pt" in message


def test_a_missing_glyph_names_piece_box_and_character(tmp_path: Path) -> None:
    message = fault(tmp_path, 'text: {box: [5, 6, 50, 9], style: body, value: "{{ piece.name }}"}', name="Snow ☃")
    assert "units/general: text in box [5, 6, 50, 9]: font 'sans' has no '☃' (U+2603)" in message


def test_all_faults_of_a_face_are_told_at_once(tmp_path: Path) -> None:
    template = """
    rect: {box: [0, 0, 1, 1], fill: inc}
    text: {box: [0, 0, 9, 9], style: nope, value: x}
    """
    with pytest.raises(FaceError) as raised:
        drawn(tmp_path, template)
    assert [(p.code, p.line) for p in raised.value.problems] == [("LAY-003", 2), ("LAY-003", 3)]
    late = """
    icon: {box: [0, 0, 1, 1], name: "{{ piece.id }}"}
    text: {box: [0, 0, 1, 1], style: body, value: "{{ piece.name }}"}
    """
    with pytest.raises(FaceError) as raised:
        drawn(tmp_path, late)
    assert [p.code for p in raised.value.problems] == ["LAY-003", "LAY-005"]


def test_a_fault_in_a_part_is_placed_in_the_parts_file(tmp_path: Path) -> None:
    parts = "bad:\n  items:\n    - rect: {box: [0, 0, 1, 1], fill: nope}\n"
    m = maker(tmp_path, items("part: bad"), parts=parts)
    with pytest.raises(FaceError, match=r"layouts/demo/parts.yaml:3:\d+: error LAY-003"):
        m.front(piece())


def test_parts_that_hold_themselves_are_refused(tmp_path: Path) -> None:
    m = maker(tmp_path, items("part: a"), parts="a: {items: [part: b]}\nb: {items: [part: a]}\n")
    with pytest.raises(FaceError, match="nested deeper than 16"):
        m.front(piece())


def test_unknown_templates_and_formats(tmp_path: Path) -> None:
    m = maker(tmp_path)
    with pytest.raises(FaceError, match=r"units/general: there is no face template 'crad'\n.*'card'"):
        m.front(piece(face="crad"))
    with pytest.raises(FaceError, match=r"no piece format 'pokr'\n.*'poker'"):
        m.front(piece(format="pokr"))
    with pytest.raises(FaceError, match="no face template"):
        m.front(piece(face="../theme"))


@pytest.mark.parametrize(
    ("theme", "said"),
    [
        ("fonts: {}\ncolours: {ink: red}\nstyles: {}\n", r"theme\.yaml:2:\d+: error LAY-002: 'red' is not a colour"),
        ("fonts: {}\ncolours: {}\nstyles: {a: {font: f, size: 9}}\n", r"theme\.yaml:3:\d+: error LAY-003.*font 'f'"),
        ("fonts: {}\ncolours: {}\nstyels: {}\n", r"theme\.yaml:\d:\d+: error DEF-010: unknown key 'styels'"),
        ("fonts: {}\nfonts: {}\ncolours: {}\nstyles: {}\n", r"theme\.yaml:2:1: error DEF-006: repeated key"),
    ],
)
def test_a_theme_with_faults(theme: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(DefinitionError, match=said):
        load_look("demo", project(tmp_path, theme=theme))


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 500),
    st.floats(-1e3, 1e3),
    st.sampled_from(
        ["", "ink", "body", "army", "meander", "M0 0L", "#12", "{{ piece }}", "{{ piece.fields }}", "{{ w"]
    ),
    st.lists(st.integers(-5, 60), max_size=5),
    st.just({"a": [1]}),
)
GOOD = {
    "rect": {"box": [1, 2, 30, 40], "r": 1, "fill": "ink", "stroke": "ink", "width": 1, "dash": [1, 2]},
    "circle": {"at": [9, 9], "r": 4, "fill": "ink"},
    "polygon": {"points": [[1, 1], [2, 3], [4, 4]], "fill": "ink"},
    "regular": {"at": [9, 9], "r": 4, "sides": 5, "star": 0.5, "turn": 9, "fill": "ink"},
    "path": {"d": "M0 0L5 5", "at": [1, 1], "scale": 2, "turn": 5, "stroke": "ink"},
    "text": {"box": [1, 2, 50, 40], "value": "A _b_ [army]", "style": "body", "size": 9, "max_lines": 3, "tracking": 0},
    "icon": {"box": [1, 2, 9, 9], "name": "army", "colour": "ink", "paper": "paper"},
    "icons": {"box": [1, 2, 40, 9], "value": ["army 2"], "size": 8, "gap": 1, "label_style": "body"},
    "ornament": {"kind": "stripes", "box": [1, 2, 9, 9], "gap": 2, "angle": 30, "stroke": "ink"},
    "image": {"file": "fonts/Box.ttf", "box": [1, 2, 9, 9]},
    "group": {"at": [1, 1], "turn": 5, "scale": 2, "clip": {"circle": {"at": [1, 1], "r": 3}}, "items": []},
    "part": {"name": "disc", "with": {"n": 1, "r": 3}, "at": [1, 1], "turn": 5, "scale": 2},
}


@pytest.fixture(scope="module")
def shared_maker(tmp_path_factory: pytest.TempPathFactory) -> FaceMaker:
    return maker(tmp_path_factory.mktemp("project"))


@given(data=st.data())
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_stands_in_an_argument_gives_a_face_or_a_fault(data: st.DataObject, shared_maker: FaceMaker) -> None:
    kind = data.draw(st.sampled_from(sorted(GOOD)))
    args = dict(GOOD[kind])
    key = data.draw(st.sampled_from(sorted(args)))
    args[key] = data.draw(JUNK)
    beside = data.draw(st.dictionaries(st.sampled_from(["if", "each", "as", "layer"]), JUNK, max_size=1))
    text = json.dumps({"items": [{kind: args, **beside}]})
    shared_maker.look.faces["junk"] = text.encode()
    shared_maker._compiled.clear()
    try:
        shared_maker.front(piece(face="junk"))
    except FaceError as error:
        assert all(problem.code.startswith(("LAY-", "DEF-")) and problem.line for problem in error.problems)
