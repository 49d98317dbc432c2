"""A table as pictures that a page puts together: every face is drawn once, and a move sends only where things lie.

A picture is called by a digest of what it shows, so it can be kept for ever; a hidden card is its back.
"""

from __future__ import annotations

import hashlib
import io
import threading
from collections import Counter
from pathlib import Path
from typing import Any

from components.scene import Scene
from generator.backends.png import write_png
from generator.build.archive import Archive, write_archive
from generator.build.scenes import SceneMaker
from generator.faces import svgpath
from generator.faces.display import POP, Push
from generator.paper.units import INCH
from generator.scenes.picture import Bounds, FaceOp, Picture, lay, seen
from generator.scenes.staging import LAYERS, Laid, Shown, Stage, Told

VERSION = "2"
"""Changes when the same face gives another picture."""
MOST = 2000
"""Pictures kept for a game; the oldest go first."""
UNSAVED = 24
"""So many new ones are kept in memory."""
FINE, SMALL_FINE, LARGE_FINE = 110.0, 200.0, 300.0
"""Dots per inch of a piece on the table, of a small one (`SMALL` mm), and of one that is looked at by itself."""
SMALL = 30.0
WIDEST, LARGE_WIDEST = 2000, 1600
"""Pixels of the longer side, at most."""
QUALITY = 63
LARGE = "L"
"""Ends the digest of the large picture."""


class Tabletop:
    """The tables of one resolved game as pictures. `file`: where pictures are kept; None: in memory only. Any thread
    may ask."""

    def __init__(self, maker: SceneMaker, file: Path | None = None) -> None:
        self.maker = maker
        self._file = file
        self._old = Archive(file)
        if self._old.about != VERSION.encode():
            self._old = Archive(None)
        self._new: dict[str, bytes] = {}
        self._known: dict[str, tuple[Shown, int]] = {}
        """Digest -> the face it stands for, and how many layers lie below it: what tables have shown so far."""
        self._stage = Stage([], {})
        self._scattered: set[str] = set()
        """The names that several things of the table share."""
        self._one = threading.Lock()

    def lying(self, scene: Scene) -> dict[str, Any]:
        """The place of everything, as plain data in mm: `box` is the visible part of the table, `faces` are pictures
        with the margin around each, `laid` are rows of face, thing, x, y, w, h, turn and count, in drawing order.
        Raises SceneError and FaceError."""
        with self._one:
            maker = self.maker
            scene = maker.prepared(scene)
            stage = self._stage = maker.stage(scene)
            names = Counter(name for thing in scene.pieces for name in {thing.id, thing.piece, thing.mat})
            self._scattered = {name for name, n in names.items() if n > 1}
            faces: dict[str, tuple[int, float]] = {}
            laid = []
            for piece in stage.laid:
                if not piece.shown.layer and not maker.face(piece.shown.key).ops:
                    continue  # a mat that only names places
                mark, margin = self._mark(piece)
                n, _ = faces.setdefault(mark, (len(faces), margin))
                row = (piece.x, piece.y, piece.shown.w, piece.shown.h, piece.turn)
                laid.append([n, piece.thing, *(round(one, 2) for one in row), piece.count])
            return {
                "box": _box(seen(scene, stage, Told(None))),
                "ground": "" if scene.ground == "none" else maker.kit.colour(scene.ground),
                "faces": [[mark, round(margin, 2)] for mark, (_, margin) in faces.items()],
                "things": [self._thing(thing) for thing in scene.pieces],
                "laid": laid,
            }

    def areas(self, names: list[str]) -> dict[str, list[float]]:
        """The areas of places on the table that was laid last (`thing`, `thing#anchor`): middle, size and turn. Unknown
        places, and those of things that lie in several, are left out."""
        known = self._stage.areas
        found = {name: known[name] for name in names if name in known and name not in self._scattered}
        return {name: [round(v, 2) for v in (a.x, a.y, a.w, a.h, a.turn)] for name, a in found.items()}

    def picture(self, digest: str) -> bytes | None:
        """A face as WebP; None for one that no table has shown."""
        with self._one:
            kept = self._new.get(digest)
            if kept is None and digest.removesuffix(LARGE) in self._known:
                kept = self._old.get(digest) or self._drawn(digest)
                if len(self._new) >= UNSAVED:
                    self._save()
            return kept

    def keep(self) -> None:
        """Store what was drawn for the next time. Where that cannot be done, it is drawn again."""
        with self._one:
            self._save()

    def _save(self) -> None:
        self.maker.keep()
        if self._file is None or not self._new:
            return
        kept = [*(key for key in self._old if key not in self._new), *self._new][-MOST:]
        try:
            write_archive(self._file, VERSION.encode(), self._old, {key: self._new.get(key) for key in kept})
        except OSError:
            return
        self._old, self._new = Archive(self._file), {}

    def _mark(self, piece: Laid) -> tuple[str, float]:
        """The digest of a piece as it lies there, and the margin around its picture."""
        shown, layers = piece.shown, min(piece.count - 1, LAYERS) if piece.shown.layer else 0
        what = repr((VERSION, shown.key, shown.outline, layers, shown.layer, self.maker.ink))
        mark = hashlib.sha256(what.encode()).hexdigest()[:24]
        self._known[mark] = shown, layers
        return mark, self._margin(shown, layers)

    def _margin(self, shown: Shown, layers: int) -> float:
        """Room around a face for its shadow and the pieces below it."""
        return 1.2 * self.maker.look.design.shadow + layers * shown.layer + 0.3 if shown.layer else 0.0

    def _thing(self, thing: Any) -> list[str]:
        """The names of a thing for references: the thing, its piece (`set/piece`, `set/*`), and its label."""
        called = thing.piece
        if thing.piece and not thing.piece.endswith("/*"):
            piece, _ = self.maker.find(thing)
            called = f"{piece.set}/{piece.id}"
        return [thing.id or thing.piece or thing.mat, called, thing.label]

    def _drawn(self, digest: str) -> bytes:
        from PIL import Image

        shown, layers = self._known[digest.removesuffix(LARGE)]
        large = digest.endswith(LARGE)
        margin = 0.0 if large else self._margin(shown, layers)
        w, h = shown.w + 2 * margin, shown.h + 2 * margin
        if large:
            ops: list[Any] = [FaceOp(shown.key, shown.outline)]
        else:
            piece = Laid(0, shown, w / 2, h / 2, 0.0, 0, layers + 1)
            ops = [*lay(piece, self.maker.kit, self.maker.look.design, 1.0, True)]
        frame = svgpath.to_d(svgpath.rect(0, 0, w, h))
        svg = self.maker.svg(Picture("", "", w, h, [Push(clip=frame), *ops, POP]))
        fine = LARGE_FINE if large else FINE if max(shown.w, shown.h) > SMALL else SMALL_FINE
        dpi = min(fine, (LARGE_WIDEST if large else WIDEST) / max(w, h) * INCH)
        small = io.BytesIO()
        with Image.open(io.BytesIO(write_png(svg, dpi, paper=None))) as drawn:
            drawn.save(small, "WEBP", quality=QUALITY, method=4)
        self._new[digest] = small.getvalue()
        return self._new[digest]


def _box(bounds: Bounds) -> list[float]:
    left, top, right, bottom = bounds
    return [round(one, 2) for one in (left, top, right - left, bottom - top)]


__all__ = ["LARGE", "Tabletop"]
