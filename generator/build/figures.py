"""Scenes as files and figures: what a picture is asked for, made with `SceneMaker`."""

from __future__ import annotations

from typing import Literal

import msgspec

from components.scene import Scene
from components.validate import Places as Lines
from generator.backends.png import write_png
from generator.build.scenes import SceneMaker
from generator.faces.display import DisplayList
from generator.scenes.picture import Picture

Kind = Literal["svg", "png", "pdf"]
KINDS: tuple[Kind, ...] = ("svg", "png", "pdf")


class Figure(msgspec.Struct, frozen=True):
    """A scene drawn for a page: its display list (mm), and what its call-outs say, in their order."""

    drawn: DisplayList
    calls: list[str]
    title: str
    caption: str


def scene_file(
    maker: SceneMaker, scene: Scene, kind: Kind, dpi: float = 100, lines: Lines | None = None, first: int = 0
) -> bytes:
    """A scene as a file of some kind. Raises SceneError and FaceError, as `SceneMaker.picture` does."""
    picture = maker.picture(scene, lines, first)
    if kind == "pdf":
        from generator.backends.pdf import write_pdf
        from generator.build.proofs import one_face

        maker.keep()
        title = scene.title or maker.game.title
        face = maker.flat(picture)
        return write_pdf([one_face(face, title, False)], {"face": face}, fonts=maker.fonts, title=title)
    drawing = maker.svg(picture)
    maker.keep()
    return drawing.encode() if kind == "svg" else write_png(drawing, dpi)


def figure(maker: SceneMaker, scene: Scene, w: float | None = None, h: float | None = None) -> Figure:
    """A scene for a page, at most `w` x `h` mm, in its own scale where that fits. Raises as `scene_file` does.

    What call-outs say is left to the page, unless the scene wants its own legend.
    """
    drawn = maker.flat(fitted(maker, scene, w, h))
    return Figure(drawn, [call.text for call in scene.calls], scene.title, scene.caption)


def fitted(
    maker: SceneMaker,
    scene: Scene,
    w: float | None = None,
    h: float | None = None,
    lines: Lines | None = None,
    first: int = 0,
) -> Picture:
    """The picture of a scene, at most `w` x `h` mm, in its own scale where that fits. Raises as `scene_file` does."""
    for _ in range(3):  # words below a picture do not shrink with it
        picture = maker.picture(scene, lines, first)
        factor = min(1.0, *(room / size for room, size in ((w, picture.w), (h, picture.h)) if room is not None))
        if factor > 0.999:
            break
        scene = msgspec.structs.replace(scene, scale=scene.scale * factor)
    return picture
