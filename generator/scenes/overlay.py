"""Annotations of a scene: labels, numbers of piles, notes, call-outs, arrows, marks, and the words below it.

Everything here is in mm of a picture of common width, whatever the scale of the pieces, so that it stays legible.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from components.phrasing import did_you_mean
from components.scene import Call, Scene, Spot, split_spot
from generator.faces import svgpath
from generator.faces.display import POP, Matrix, Op, PathOp, Push
from generator.faces.faults import Fault
from generator.faces.kit import Kit
from generator.faces.richtext import plain
from generator.faces.svgpath import Path, to_d
from generator.faces.text import TextBlock, TextBox, layout
from generator.scenes.look import SceneDesign
from generator.scenes.staging import Area, Stage, Told, around

PathKey = tuple[str | int, ...]

LABEL_GAP = 1.4
"""Between a piece and its label, mm."""
GRID = re.compile(r"([a-z])(\d+)\Z")
"""A place in a column and a row."""
RULER = 0.26
"""The height of a column's letter, as part of the column's width."""
PAD = 1.4
"""Around the words of a note, mm."""
SMALL = 6.6
"""The number of a pile smaller than this (mm of the picture) stands beside it."""
EDGE = 4.0
"""Beside the words below a picture, mm."""
HEAD = 3.4
"""Length of an arrow's head, mm."""
CORNERS = {
    "middle": (0.0, 0.0),
    "top": (0.0, -1.0),
    "right": (1.0, 0.0),
    "bottom": (0.0, 1.0),
    "left": (-1.0, 0.0),
    "corner": (1.0, -1.0),
}


def find(stage: Stage, spot: Spot, told: Told, path: PathKey) -> Area | None:
    """The area that a reference or point means; None (and told) if there is none such."""
    try:
        return stage.area(spot)
    except KeyError:
        name, anchor = split_spot(str(spot))
        if name in stage.areas:
            known = [split_spot(key)[1] for key in stage.areas if key.startswith(f"{name}#")]
            hint = did_you_mean(anchor, known, listing="there are") or "its face names no places"
            told.say(path, f"'{name}' has no place '{anchor}'", hint, "SCN-003")
        else:
            known = [key for key in stage.areas if "#" not in key]
            told.say(path, f"nothing is called '{name}'", did_you_mean(name, known, listing="there are"), "SCN-003")
        return None


class Overlay:
    """Draws what is said about one scene. `onto` takes the table to the picture, whose size is `size` (mm)."""

    def __init__(
        self,
        scene: Scene,
        stage: Stage,
        kit: Kit,
        design: SceneDesign,
        onto: Matrix,
        size: tuple[float, float],
        told: Told,
    ) -> None:
        self.scene, self.stage, self.kit, self.design = scene, stage, kit, design
        self.onto, self.size, self.told = onto, size, told
        self.scale = onto[0]
        self.said = [text for text in (scene.title, scene.caption) if text]
        self.taken: list[tuple[float, float]] = []
        """The places of call-outs."""

    # --- places

    def box(self, area: Area) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of an area in the picture."""
        left, top, right, bottom = area.bounds
        s, _, _, _, x, y = self.onto
        return left * s + x, top * s + y, right * s + x, bottom * s + y

    def middle(self, area: Area) -> tuple[float, float]:
        s, _, _, _, x, y = self.onto
        return area.x * s + x, area.y * s + y

    def seen(self, area: Area) -> bool:
        """True if the middle of an area is in the picture."""
        x, y = self.middle(area)
        return 0 <= x <= self.size[0] and 0 <= y <= self.size[1]

    def spot(self, spot: Spot, *path: str | int) -> Area | None:
        return find(self.stage, spot, self.told, path)

    def text(self, value: str, style: str, box: TextBox, path: PathKey) -> TextBlock | None:
        """Words set in a box; None (and told) if they cannot be."""
        try:
            return layout(value, self.kit.style({"style": style}), box, self.kit.fonts, self.kit.icon)
        except Fault as fault:
            self.told.say(path, fault.what, fault.hint, fault.code)
            return None

    # --- what belongs to pieces

    def labels(self) -> list[Op]:
        """Words below things."""
        ops: list[Op] = []
        style = "scene-page-label" if self.scene.ground in ("none", "scene-page") else "scene-label"
        boxes: dict[int, tuple[float, float, float, float]] = {}
        for piece in self.stage.laid:
            if self.scene.pieces[piece.thing].label and self.seen(piece.area):
                mine, other = self.box(piece.area), boxes.get(piece.thing)
                if other:
                    sides = zip((min, min, max, max), mine, other, strict=True)
                    mine = tuple(choose(a, b) for choose, a, b in sides)  # type: ignore[assignment]
                boxes[piece.thing] = mine
        for n, (left, _, right, bottom) in boxes.items():
            label = self.scene.pieces[n].label
            wide = max(right - left, 24.0) + 6
            box = TextBox(x=(left + right - wide) / 2, y=bottom + LABEL_GAP, width=wide, align="center")
            block = self.text(plain(label), style, box, ("pieces", n, "label"))
            ops += block.ops if block else []
            self.said.append(label)
        return ops

    def badges(self) -> list[Op]:
        """The number of pieces in each pile: at the corner of a pile, and beside one that the number would hide."""
        ops: list[Op] = []
        for piece in self.stage.laid:
            if piece.count < 2 or not self.seen(piece.area):
                continue
            left, top, right, bottom = self.box(piece.area)
            if min(right - left, bottom - top) < SMALL:
                ops += self.tag(f"×{piece.count}", right, (top + bottom) / 2, beside=True)
            else:
                ops += self.tag(f"×{piece.count}", min(right, self.size[0] - 3.0), min(bottom, self.size[1] - 3.0))
        return ops

    def tag(self, value: str, x: float, y: float, *, beside: bool = False) -> list[Op]:
        """A number on its plate, in the middle of a point or at its right."""
        block = self.text(value, "scene-badge", TextBox(width=30, align="center", height=4.4, valign="middle"), ())
        if block is None:
            return []
        w, h = max(4.6, block.width + 2.2), 4.4
        if beside:
            x = min(x + w / 2 - 0.5, self.size[0] - w / 2)
        around = svgpath.rect(x - w / 2, y - h / 2, w, h, h / 2)
        plate = PathOp(to_d(around), self.kit.colour("scene-badge"), self.kit.colour("scene-casing"), 0.35)
        return [plate, Push(svgpath.placing(x - 15, y - h / 2)), *block.ops, POP]

    def rulers(self) -> list[Op]:
        """The letters of columns and the numbers of rows at the edges of the picture, where the middle is seen."""
        if not self.scene.grid:
            return []
        columns: dict[str, float] = {}
        rows: dict[str, float] = {}
        cell = 0.0
        for key, area in self.stage.areas.items():
            name, place = split_spot(key)
            if name == self.scene.grid and (found := GRID.match(place)) and self.seen(area):
                columns[found[1]], rows[found[2]] = self.middle(area)
                cell = area.w * self.scale
        if not columns:
            self.told.say(("grid",), f"'{self.scene.grid}' shows no places like a1 here", code="SCN-003")
        size = max(1.0, cell * RULER / 4.4)
        edge = 2.6 * size
        marks = [(letter, x, edge) for letter, x in columns.items()] + [(number, edge, y) for number, y in rows.items()]
        ops: list[Op] = []
        for mark, x, y in marks:
            ops += [Push(svgpath.placing(x, y, 0.0, size)), *self.tag(mark, 0.0, 0.0), POP]
        return ops

    # --- what points at things

    def marks(self) -> list[Op]:
        """Lines around things."""
        ops: list[Op] = []
        for n, mark in enumerate(self.scene.marks):
            area = self.spot(mark.at, "marks", n, "at")
            if area is None:
                continue
            (x, y), grown = self.middle(area), 1.4
            w, h = area.w * self.scale + 2 * grown, area.h * self.scale + 2 * grown
            path = svgpath.rect(-w / 2, -h / 2, w, h, min(2.4, w / 2, h / 2))
            ops += self.cased(svgpath.transform(path, svgpath.placing(x, y, area.turn)))
        return ops

    def cased(self, path: Path) -> list[Op]:
        """A line in the colour of call-outs on a lighter, wider one."""
        d, line = to_d(path), self.design.line
        return [
            PathOp(d, "", self.kit.colour("scene-casing"), line + 2 * self.design.casing, cap="round", join="round"),
            PathOp(d, "", self.kit.colour("scene-call"), line, cap="round", join="round"),
        ]

    def arrows(self) -> list[Op]:
        ops: list[Op] = []
        for n, arrow in enumerate(self.scene.arrows):
            one, other = self.spot(arrow.from_, "arrows", n, "from"), self.spot(arrow.to, "arrows", n, "to")
            if one is not None and other is not None:
                ops += self.arrow(one, other, arrow.bend)
                if arrow.text:
                    ops += self.arrow_text(one, other, arrow.bend, arrow.text, n)
        return ops

    def curve(self, one: Area, other: Area, bend: float) -> tuple[Sequence[float], Sequence[float], Sequence[float]]:
        """Start, control point and end of an arrow, from edge to edge."""
        (x1, y1), (x2, y2) = self.middle(one), self.middle(other)
        dx, dy = x2 - x1, y2 - y1
        control = ((x1 + x2) / 2 + bend * dy, (y1 + y2) / 2 - bend * dx)
        return self.leaving(one, control), control, self.leaving(other, control)

    def leaving(self, area: Area, towards: Sequence[float]) -> tuple[float, float]:
        """The point in which a line from the middle of an area leaves it; small areas keep a little distance."""
        x, y = self.middle(area)
        left, top, right, bottom = self.box(area)
        dx, dy = towards[0] - x, towards[1] - y
        half_w, half_h = (right - left) / 2 + 0.8, (bottom - top) / 2 + 0.8
        far = min(half_w / abs(dx) if dx else math.inf, half_h / abs(dy) if dy else math.inf)
        # A large area is entered: the head ends inside it, where the eye looks for it.
        if min(right - left, bottom - top) > 34:
            far *= 0.55
        far = min(far, 0.45)
        return x + dx * far, y + dy * far

    def arrow(self, one: Area, other: Area, bend: float) -> list[Op]:
        start, control, end = self.curve(one, other, bend)
        angle = math.atan2(end[1] - control[1], end[0] - control[0])
        back = (end[0] - 0.8 * HEAD * math.cos(angle), end[1] - 0.8 * HEAD * math.sin(angle))
        c1 = [(s + 2 * c) / 3 for s, c in zip(start, control, strict=True)]
        c2 = [(e + 2 * c) / 3 for e, c in zip(back, control, strict=True)]
        line: Path = [("M", *start), ("C", *c1, *c2, *back)]
        wings = [
            (end[0] - HEAD * 1.15 * math.cos(angle + turn), end[1] - HEAD * 1.15 * math.sin(angle + turn))
            for turn in (0.45, -0.45)
        ]
        head = to_d(svgpath.polygon([end, *wings]))
        under, over = self.cased(line)
        casing, colour = self.kit.colour("scene-casing"), self.kit.colour("scene-call")
        return [
            under,
            PathOp(head, casing, casing, 2 * self.design.casing, join="round"),
            over,
            PathOp(head, colour, colour, 0.2, join="round"),
        ]

    def arrow_text(self, one: Area, other: Area, bend: float, text: str, n: int) -> list[Op]:
        start, control, end = self.curve(one, other, bend)
        x, y = ((s + 2 * c + e) / 4 for s, c, e in zip(start, control, end, strict=True))
        self.said.append(text)
        return self.plate(text, x, y, 36.0, "scene-arrow", ("arrows", n, "text"))

    def notes(self) -> list[Op]:
        ops: list[Op] = []
        for n, note in enumerate(self.scene.notes):
            area = self.spot(note.at, "notes", n, "at")
            if area is not None:
                ops += self.plate(note.text, *self.middle(area), note.width, "scene-note", ("notes", n, "text"))
                self.said.append(note.text)
        return ops

    def plate(self, text: str, x: float, y: float, width: float, style: str, path: PathKey) -> list[Op]:
        """Words on a small piece of paper around a point, kept inside the picture."""
        block = self.text(text, style, TextBox(width=width, align="center"), path)
        if block is None:
            return []
        w, h = block.width + 2 * PAD, block.height + 2 * PAD * 0.8
        x = min(max(x, w / 2 + 0.5), max(self.size[0] - w / 2 - 0.5, w / 2))
        y = min(max(y, h / 2 + 0.5), max(self.size[1] - h / 2 - 0.5, h / 2))
        paper = to_d(svgpath.rect(x - w / 2, y - h / 2, w, h, 1.2))
        return [
            PathOp(paper, self.kit.colour("scene-page"), self.kit.colour("scene-edge"), 0.2),
            Push(svgpath.placing(x - width / 2, y - block.height / 2)),
            *block.ops,
            POP,
        ]

    def calls(self) -> list[Op]:
        """Numbered discs."""
        ops: list[Op] = []
        for (call, number), area in zip(self.numbered(), self.named(), strict=True):
            if area is None:
                continue
            there = any(self.scene.pieces[piece.thing].at == call.at for piece in self.stage.laid)
            named = isinstance(call.at, str) and "#" not in call.at
            across, down = CORNERS[call.side or ("corner" if named or there else "middle")]
            left, top, right, bottom = self.box(area)
            x = (left + right) / 2 + across * (right - left) / 2
            y = (top + bottom) / 2 + down * (bottom - top) / 2
            ops += self.disc(number, *self.free(x, y))
            if call.text:
                self.said.append(f"{number}: {call.text}")
        return ops

    def named(self) -> list[Area | None]:
        """The area that each call-out names; None (and reported) where there is nothing of the kind."""
        found: list[Area | None] = []
        for n, call in enumerate(self.scene.calls):
            area = self.spot(call.at, "calls", n, "at")
            there = [piece.area for piece in self.stage.laid if self.scene.pieces[piece.thing].at == call.at]
            found.append(around(there) if there and area is not None else area)  # where pieces lie, they are meant
        return found

    def numbered(self) -> list[tuple[Call, int]]:
        """The call-outs with their numbers: their own, or the one after that of the call-out before."""
        found: list[tuple[Call, int]] = []
        number = 0
        for call in self.scene.calls:
            number = call.n or number + 1
            found.append((call, number))
        return found

    def free(self, x: float, y: float) -> tuple[float, float]:
        """A point near this one that lies in the picture and on no other call-out."""
        r = self.design.number + 0.8
        apart = 2 * r
        w, h = self.size

        def inside(px: float, py: float) -> tuple[float, float]:
            return min(max(px, r), max(w - r, r)), min(max(py, r), max(h - r, r))

        tries = [(x, y)]
        for ring in (1, 2, 3):
            tries += [
                (x + ring * apart * math.cos(k * math.pi / 4), y + ring * apart * math.sin(k * math.pi / 4))
                for k in range(8)
            ]
        for px, py in tries:
            spot = inside(px, py)
            if all(math.dist(spot, other) >= apart - 0.2 for other in self.taken):
                self.taken.append(spot)
                return spot
        return inside(x, y)

    def disc(self, number: int, x: float, y: float) -> list[Op]:
        r = self.design.number
        box = TextBox(x=x - r, y=y - r, width=2 * r, height=2 * r, align="center", valign="middle")
        block = self.text(f"{number}", "scene-number", box, ())
        casing = PathOp(to_d(svgpath.circle(x, y, r + 0.6)), self.kit.colour("scene-casing"))
        return [
            casing,
            PathOp(to_d(svgpath.circle(x, y, r)), self.kit.colour("scene-call")),
            *(block.ops if block else []),
        ]

    # --- below

    def words(self, width: float) -> tuple[list[Op], float]:
        """Caption, and what the call-outs say if the scene wants a legend: operations and height."""
        ops: list[Op] = []
        y = 3.0
        if self.scene.caption:
            box = TextBox(x=EDGE, y=y, width=max(width - 2 * EDGE, 20.0))
            block = self.text(self.scene.caption, "scene-caption", box, ("caption",))
            if block:
                ops += block.ops
                y += block.height + 2.0
        if self.scene.legend:
            done, y = self.legend(width, y)
            ops += done
        return (ops, y + 1.0) if ops else ([], 0.0)

    def legend(self, width: float, y: float) -> tuple[list[Op], float]:
        """The words of the call-outs, in as many columns as read well."""
        told = [(number, call.text) for call, number in self.numbered() if call.text]
        columns = max(1, min(3, int((width - 2 * EDGE) // 60), len(told)))
        wide = (width - 2 * EDGE - 5.0 * (columns - 1)) / columns
        r = self.design.number
        blocks = []
        for number, text in told:
            block = self.text(text, "scene-legend", TextBox(width=wide - 2 * r - 2.5), ("calls", number - 1, "text"))
            if block:
                blocks.append((number, block))
        per = -(-len(blocks) // columns) if blocks else 0
        ops: list[Op] = []
        lowest = y
        for c in range(columns):
            at = y
            x = EDGE + c * (wide + 5.0)
            for number, block in blocks[c * per : (c + 1) * per]:
                ops += self.disc(number, x + r + 0.3, at + r + 0.3)
                ops += [Push(svgpath.placing(x + 2 * r + 2.5, at + 1.6)), *block.ops, POP]
                at += max(block.height + 2.2, 2 * r + 1.6)
            lowest = max(lowest, at)
        return ops, lowest
