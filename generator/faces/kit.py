"""The kit that elements draw with: the look of a game in one ink, with colours, styles and icons looked up once."""

from __future__ import annotations

import glob
from copy import copy
from typing import Any, NamedTuple

from generator.faces import arguments
from generator.faces.arguments import Args
from generator.faces.breaking import known_language, no_language
from generator.faces.display import IDENTITY, ImageOp, Matrix, Op, PathOp, Pop, Push, TextOp
from generator.faces.faults import Fault
from generator.faces.fonts import FontBook
from generator.faces.look import Look, text_style
from generator.faces.richtext import COLOUR
from generator.faces.svgpath import multiply
from generator.faces.text import TextStyle

STYLE_CHANGES = ("colour", "accent", "size", "min", "leading", "case", "tracking", "font", "hyphens")
"""Arguments of a text that change its style for this once."""
BOXED = ("text", "column", "icon", "icons", "image", "qr", "barcode")
"""Elements whose box has to lie on the piece."""
MAX_SIZE = 500
"""Points."""


Calls = tuple[tuple[Any, tuple[Any, ...]], ...]
"""The elements that call the part in which something is drawn, the outermost first: source and place of each."""


class Origin(NamedTuple):
    """The element that drew an operation: its template's source and place there, its drawing key and its box; and, in a
    part, the element that called the part."""

    op: Op
    source: Any
    path: tuple[Any, ...]
    kind: str
    box: tuple[float, float, float, float] | None
    calls: Calls = ()
    inner: Matrix = IDENTITY
    """From what the element itself turns (a photograph) to where its box is."""

    @property
    def place(self) -> tuple[str, tuple[Any, ...]]:
        return self.source.file, self.path


class Kit:
    """Colours, styles, icons and fonts of a look for one ink (`normal` or `low`)."""

    def __init__(self, look: Look, fonts: FontBook, ink: str) -> None:
        self.look = look
        self.fonts = fonts
        self.ink = ink
        self.pictures: set[str] = set()
        """The files of the project that were drawn, as templates name them."""
        self.origins: dict[int, Origin] | None = None
        """The origins of operations, by their identity; None if nobody asks."""
        self.met: dict[str, float] = {}
        """Style with one size for a whole deck -> the smallest size (pt) in which a text of it was set."""
        self._colours: dict[str, str] = {}
        self._styles: dict[Any, TextStyle] = {}

    def note(
        self, ops: list[Op], source: Any, path: tuple[Any, ...], kind: str, args: Args, calls: Calls = ()
    ) -> list[Op]:
        """The operations of an element; where they come from is kept if anybody asks."""
        if self.origins is None:
            return ops
        box = args.get("box")
        known = tuple(box) if kind in BOXED and isinstance(box, list | tuple) and len(box) == 4 else None
        noted: list[Op] = []
        inner = [IDENTITY]
        for op in ops:
            if isinstance(op, Push):
                inner.append(multiply(inner[-1], op.matrix))
            elif isinstance(op, Pop):
                inner.pop()
            elif isinstance(op, TextOp | PathOp | ImageOp):
                op = copy(op) if id(op) in self.origins else op  # one that two elements share has two origins
                self.origins[id(op)] = Origin(op, source, path, kind, known, calls, inner[-1])
            noted.append(op)
        return noted

    def colour(self, name: Any, key: str = "colour") -> str:
        """`#rrggbb` of a colour name, or empty for `none`. `key` is the argument that named it."""
        if not isinstance(name, str):
            raise Fault("LAY-002", f"'{key}' must be a colour, found {name!r}", key=key)
        found = self._colours.get(name)
        if found is None:
            try:
                found = self._colours[name] = self.look.colour(name, self.ink)
            except KeyError:
                raise arguments.unknown("colour", name, self.look.theme.colours, key) from None
            except ValueError as problem:
                raise Fault("LAY-002", str(problem), key=key) from None
        return found

    def coloured(self, value: str) -> str:
        """A text whose spans name their colours as `#rrggbb`."""
        if "[colour" not in value:
            return value
        return COLOUR.sub(lambda found: f"[colour {self.colour(found.group(1), 'value')}]", value)

    def style(self, args: Args, key: str = "style") -> TextStyle:
        """The style named by `args[key]`, with the changes `args` makes to it."""
        name = arguments.name(args, key)
        changes = tuple([(change, args[change]) for change in STYLE_CHANGES if change in args])
        try:
            style = self._styles.get((name, changes))
        except TypeError:
            style = None
        if style is None:
            style = self._styles[name, changes] = self._new_style(name, key, dict(changes))
        return style

    def was_set(self, style: TextStyle, size: float) -> None:
        """Note in which size (pt) a text of a style was set."""
        own = self.look.theme.styles.get(style.name)
        if own is not None and own.deck and own.size == style.size:
            self.met[style.name] = min(size, self.met.get(style.name, size))

    def _new_style(self, name: str, key: str, changes: dict[str, Any]) -> TextStyle:
        styles = self.look.theme.styles
        if name not in styles:
            raise arguments.unknown("style", name, styles, key)
        for number in ("size", "min", "leading", "tracking"):
            if number in changes:
                arguments.number(changes, number)
        if not 0 < changes.get("size", 1) <= MAX_SIZE:
            raise Fault("LAY-002", f"'size' must be more than 0 and at most {MAX_SIZE} pt", key="size")
        if changes.get("hyphens") and not known_language(arguments.name(changes, "hyphens")):
            raise Fault("LAY-002", *no_language(changes["hyphens"]), "hyphens")
        if "case" in changes:
            arguments.word(changes, "case", ("none", "upper"))
        self.colour(changes.get("colour", styles[name].colour))
        if accent := changes.get("accent", styles[name].accent):
            self.colour(accent, "accent")
        font = arguments.name(changes, "font") if "font" in changes else styles[name].font
        if font not in self.fonts:
            raise arguments.unknown("font", font, self.fonts.addresses, "font")
        return text_style(self.look, name, self.ink, **changes)

    def _no_icon(self, name: str) -> Fault:
        """The fault of an icon that there is not; a picture of its name may lie among the icons."""
        look = self.look
        folders = (look.root / look.place / "icons", look.root / "layouts" / "icons")
        for file in (file for folder in folders for file in folder.rglob(f"{glob.escape(name)}.*")):
            hint = f"{file.name} is a picture: trace it and save it as SVG, or show it with the element `image`"
            return Fault("LAY-003", f"there is no icon '{name}'", hint, "name")
        return arguments.unknown("icon", name, look.icons.icons, "name")

    def icon(self, name: str, x: float, y: float, size: float, ink: str, accent: str = "", paper: str = "") -> list[Op]:
        """An icon in the square of `size` mm at `x, y`, in finished colours; the accent is the ink by default."""
        icons = self.look.icons
        if name not in icons:
            raise self._no_icon(name)
        if not paper:
            paper = self.colour("paper") if "paper" in self.look.theme.colours else "#ffffff"
        return icons.draw(name, x, y, size, ink, accent or ink, paper, self.colour)
