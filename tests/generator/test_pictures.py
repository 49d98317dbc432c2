"""Pictures in faces, also hostile ones."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from facekit import items, maker, piece
from PIL import Image

from generator.faces.display import POP, ImageOp, Op, PathOp, Push
from generator.faces.faults import Fault
from generator.faces.pictures import picture
from generator.faces.svgpicture import svg_ops


def svg(inside: str, attributes: str = 'viewBox="0 0 10 10"') -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{inside}</svg>'.encode()


def paths(inside: str, attributes: str = 'viewBox="0 0 10 10"') -> list[Op]:
    ops = svg_ops(svg(inside, attributes), 0, 0, 20, 20)
    assert isinstance(ops[0], Push) and ops[-1] is POP
    return ops[1:-1]


def image(kind: str) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (4, 2), "#ff0000").save(file, kind)
    return file.getvalue()


@pytest.mark.parametrize(("kind", "media"), [("PNG", "png"), ("JPEG", "jpeg")])
def test_png_and_jpeg_are_kept_as_they_are(kind: str, media: str, tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "a.img").write_bytes(image(kind))
    template = 'image: {file: "art/a.img", box: [1, 2, 30, 15]}'
    assert maker(tmp_path, items(template)).front(piece()).ops == [ImageOp(image(kind), media, 1, 2, 30, 15)]


@pytest.mark.parametrize(
    ("inside", "op"),
    [
        ('<rect x="1" y="1" width="2" height="3"/>', PathOp("M2 2L6 2L6 8L2 8Z", "#000000")),
        ('<path d="M0 0h5v5z" fill="#abc"/>', PathOp("M0 0L10 0L10 10Z", "#aabbcc")),
        ('<g fill="none" stroke="red"><line x2="5" y2="5"/></g>', PathOp("M0 0L10 10", "", "#ff0000", 2.0)),
        ('<g transform="translate(1 2) scale(2)"><path d="M0 0L1 1"/></g>', PathOp("M2 4L6 8", "#000000")),
        ('<path transform="rotate(90 5 5)" d="M0 0L1 0"/>', PathOp("M20 0L20 2", "#000000")),
        ('<path style="fill:none;stroke:#010203;opacity:1" d="M0 0L1 0"/>', PathOp("M0 0L2 0", "", "#010203", 2.0)),
        ('<polygon points="0,0 1,0 1,1" fill-rule="evenodd"/>', PathOp("M0 0L2 0L2 2Z", "#000000", evenodd=True)),
        ("<title>a</title><defs><path d='M0 0L1 1'/></defs><path d='M0 0L1 0'/>", PathOp("M0 0L2 0", "#000000")),
    ],
)
def test_svg_becomes_paths(inside: str, op: PathOp) -> None:
    assert paths(inside) == [op]


def test_without_view_box_the_size_counts() -> None:
    assert paths('<path d="M0 0L40 0"/>', 'width="40" height="40px"') == [PathOp("M0 0L20 0", "#000000")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'<!DOCTYPE svg [<!ENTITY a "aaaa">]>' + svg("<title>&a;</title>"), "document type or entities"),
        (b'<!DOCTYPE svg SYSTEM "file:///etc/passwd">' + svg(""), "document type or entities"),
        (svg("<script>alert(1)</script>"), "has a 'script'"),
        (svg('<image href="file:///etc/passwd"/>'), "has a 'image'"),
        (svg('<use href="other.svg#a"/>'), "has a 'use'"),
        (svg("<style>@import url(x)</style>"), "has a 'style'"),
        (svg("<text>words</text>"), "has a 'text'"),
        (svg('<path d="M0 0" fill="url(#g)"/>'), "not a plain colour"),
        (svg('<path d="M0 0" mask="url(#g)"/>'), "uses 'mask'"),
        (svg('<path d="M0 0 L"/>'), "cannot be read"),
        (svg('<path transform="warp(1)" d="M0 0"/>'), "transformation"),
        (svg('<rect width="50%" height="1"/>'), "plain number"),
        (svg("<g>" * 60 + "</g>" * 60), "40 levels"),
        (svg("<path d='M0 0'/>" * 6000), "5,000 elements"),
        (svg("", 'viewBox="0 0 0 0"'), "without a size"),
        (svg("<path"), "not XML"),
        (b"<html/>", "not an SVG"),
        (b"\xff\xfe", "UTF-8"),
    ],
)
def test_what_an_svg_may_not_do(content: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_bytes(content)
    with pytest.raises(Fault, match=said) as raised:
        picture(tmp_path, "a.svg", (0, 0, 10, 10))
    assert raised.value.code == "LAY-007"
    assert raised.value.what.startswith("the picture 'a.svg' ")


def test_a_link_out_of_the_project_is_refused(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside.png", tmp_path / "project"
    outside.write_bytes(image("PNG"))
    inside.mkdir()
    (inside / "link.png").symlink_to(outside)
    with pytest.raises(Fault, match="outside the project"):
        picture(inside, "link.png", (0, 0, 10, 10))


def test_pictures_have_a_largest_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.png").write_bytes(image("PNG"))
    monkeypatch.setattr("generator.faces.pictures.MAX_PIXELS", 7)
    with pytest.raises(Fault, match="4 x 2 pixels"):
        picture(tmp_path, "a.png", (0, 0, 10, 10))
    monkeypatch.setattr("generator.faces.pictures.MAX_BYTES", 20)
    with pytest.raises(Fault, match="larger than"):
        picture(tmp_path, "a.png", (0, 0, 10, 10))
