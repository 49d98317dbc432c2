"""Faults of a face: one exception for all stages, and the table of its codes."""

from __future__ import annotations

from components.error_codes import Code

CODES: dict[str, Code] = {
    "LAY-001": Code(
        "unknown key",
        "An element has exactly one drawing key (`rect`, `text`, `icon`, …) whose value is a mapping of the arguments "
        "listed in `docs/face-templates.md`; beside it stand `if`, `each`, `as`, `let` and `layer`, and nothing else.",
    ),
    "LAY-002": Code("wrong argument", "The argument of an element is missing or is not of the kind it has to be."),
    "LAY-003": Code(
        "unknown name",
        "There is no colour, style, font, icon, part, ornament or face template of that name. Names are defined in "
        "`theme.yaml`, `icons.yaml`, `parts.yaml` and `faces/` of the game's folder below `layouts/`.",
    ),
    "LAY-004": Code(
        "expression", "What stands between `{{ }}` (or after `if:` and `each:`) cannot be read or worked out."
    ),
    "LAY-005": Code(
        "does not fit",
        "The text does not fit its box at the smallest size its style allows, or the icons do not fit theirs. Make the "
        "box larger, the text shorter, or the floor (`min`) smaller.",
    ),
    "LAY-006": Code("character not in the font", "The font has no glyph for a character. Use another font or text."),
    "LAY-007": Code(
        "font or picture",
        "A font or picture is missing, lies outside the project, is too large, or is of a kind that cannot be printed.",
    ),
    "LAY-008": Code("nested too deeply", "Parts and groups may be nested 16 levels deep; a part cannot hold itself."),
    "LAY-009": Code("markup", "In texts `[name]` is an icon, `[[` a bracket, `**` and `_` come in pairs."),
    "LAY-030": Code(
        "small type",
        "Running text is set smaller than 7 pt, or a caption smaller than 6 pt. The bars stand in "
        "`layouts/checks.yaml`; a game accepts single findings, with a reason, in its own `checks.yaml`.",
    ),
    "LAY-031": Code(
        "low contrast",
        "A text is hard to read on what lies beneath most of it: its contrast is below 4.5 (3 for large type), in "
        "normal or in low ink.",
    ),
    "LAY-032": Code(
        "text near the cut",
        "A text reaches into the margin that its piece's format keeps free (`safe`), or beyond the cut.",
    ),
    "LAY-033": Code(
        "off the piece",
        "The box of a text, icon or picture runs off the piece (pictures may bleed), or a shape lies wholly off it.",
    ),
    "LAY-034": Code(
        "asymmetric back",
        "The back of a deck whose cards are hidden looks different upside down, so a turned card is a marked card.",
    ),
    "LAY-035": Code(
        "colours that merge",
        "Two seats or two decks are told apart by colours that look alike in grey, or to people who do not see red, "
        "green or blue.",
    ),
    "LAY-038": Code(
        "coarse picture",
        "A photograph has so few pixels for its size that they show on paper: less than 150 dpi. Take a larger one, or "
        "show it smaller.",
    ),
    "LAY-036": Code(
        "much ink", "The faces of a deck take more ink, on an average, than the bar in `layouts/checks.yaml` allows."
    ),
    "LAY-037": Code(
        "little bleed",
        "What a face prints at its cut ends before the bleed of its format does: a knife that is a little off shows "
        "white.",
    ),
    "LAY-039": Code("accepts nothing", "An entry of `accepted` in a game's `checks.yaml` fits nothing that is found."),
    "LAY-040": Code(
        "no sign of its module",
        "A piece of a module does not bear the sign of the module (an anchor `module-sign` on its front says where "
        "it stands): whoever plays without the module has to find its pieces among the others.",
    ),
    "LAY-041": Code(
        "covered",
        "Something drawn later covers a part of an icon, or crosses a text: an emblem is cut by a panel, a line runs "
        "through a word. A seal with a text or icon of its own may lie there.",
    ),
    "LAY-042": Code(
        "torn line",
        "The few words of a justified line are pulled far apart to fill their box. Let long words be divided "
        "(`hyphens`), make the box wider, or align the text left.",
    ),
    "LAY-043": Code(
        "text over text",
        "Two texts of a face are set over each other. Give each a box of its own; a shadow is said by the style.",
    ),
    "LAY-044": Code(
        "style that nothing uses",
        "The theme has a style that no face template, part, scene or text of the game names.",
    ),
}


class Fault(Exception):
    """The reason why something cannot be drawn. `key` names the argument at fault, where there is one."""

    def __init__(self, code: str, what: str, hint: str = "", key: str = "") -> None:
        super().__init__(f"{what} ({hint})" if hint else what)
        self.code = code
        self.what = what
        self.hint = hint
        self.key = key
