"""The bars a face has to meet (`layouts/checks.yaml`), and what a game's author accepts below them, with a reason."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any

import msgspec

from components.errors import DefinitionError, Problem
from components.phrasing import did_you_mean
from generator.paper.formats import layout_files, read_layout

NAME = "checks.yaml"


class Bars(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The bars, in points, mm, ratios of luminance and differences of colour: `layouts/checks.yaml` explains each."""

    body: float = 7.0
    caption: float = 6.0
    caption_words: int = 6
    contrast: float = 4.5
    contrast_large: float = 3.0
    large: float = 14.0
    apart: float = 12.0
    apart_grey: float = 8.0
    symmetry: float = 40.0
    ink: float = 45.0
    dpi: float = 150.0
    gap: float = 1.0


class Accepted(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Findings that are meant to be so: of one code, on the pieces and with the words that are named."""

    code: Annotated[str, msgspec.Meta(pattern=r"^LAY-0[34]\d$")]
    piece: str = "*"
    """`set/piece`, with `*` for any letters."""
    text: str = ""
    """A part of what the finding says."""
    why: Annotated[str, msgspec.Meta(min_length=3)]

    def covers(self, code: str, piece: str, what: str) -> bool:
        return code == self.code and fnmatchcase(piece, self.piece) and self.text in what


class ChecksFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`checks.yaml`, of a project or of one game."""

    bars: dict[str, float] = {}
    accepted: list[Accepted] = []


class Standard(msgspec.Struct, frozen=True):
    """The bars for a game, and what is accepted in it. `source` knows where each entry of `accepted` stands."""

    bars: Bars
    accepted: tuple[Accepted, ...] = ()
    source: Any = None

    def unused(self, used: set[int]) -> list[Problem]:
        """A warning for every entry that accepts nothing."""
        return [
            msgspec.structs.replace(
                self.source.problem("LAY-039", "nothing that is found is accepted by this entry", ("accepted", n)),
                severity="warning",
                hint="remove it",
            )
            for n in range(len(self.accepted))
            if n not in used
        ]


def read_standard(game: str, layouts: Path) -> Standard:
    """The bars for a game: the shared ones, those of its project, its own. Raises DefinitionError."""
    from components.validate import convert_source
    from components.yamlsource import read_yaml
    from generator.faces.look import called

    values: dict[str, float] = {}
    for file in layout_files(NAME, layouts):
        values |= read_layout(file, ChecksFile).bars
    own = layouts / game / NAME
    accepted: tuple[Accepted, ...] = ()
    record, source = None, None
    if own.is_file():
        root = layouts.resolve().parent
        source = read_yaml(own, called(own, root), root)
        record, problems = convert_source(source, ChecksFile)
        if record is None or problems:
            raise DefinitionError(problems)
        values |= record.bars
        accepted = tuple(record.accepted)
    known = Bars.__struct_fields__
    if wrong := [name for name in values if name not in known]:
        what = f"there is no bar '{wrong[0]}'"
        hint = did_you_mean(wrong[0], known, listing="there are")
        if source is not None and record is not None and wrong[0] in record.bars:
            raise DefinitionError([source.problem("LAY-003", what, ("bars", wrong[0]), hint=hint, key=True)])
        raise DefinitionError([Problem(code="LAY-003", what=what, file=NAME, hint=hint)])
    return Standard(msgspec.convert(values, Bars, strict=False), accepted, source)
