"""`pnp check` looks for slips in the names of icons that would print as they stand: `[coyn]` in the text of a rule."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from components.errors import Problem
from components.loader import Definition
from components.model import ResolvedGame
from components.phrasing import nearest
from components.yamlsource import leaves
from generator.cli.common import settings

if TYPE_CHECKING:
    from components.checks import FurtherCheck
    from generator.build.places import Places

TEXTS = ("rules.yaml", "rulebook.yaml", "rulings.yaml", "game.yaml")
NAMED = re.compile(r"(?<!\[)\[([A-Za-z][\w-]{2,})\](?!\()")
ALIKE = 0.75
PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif")


def icons_meant(places: Places) -> FurtherCheck:
    """A check that finds words in brackets that are nearly the name of an icon, and pictures among the icons."""

    def check(definition: Definition, game: ResolvedGame) -> Iterator[Problem]:
        if game.variants:
            return
        sources = [definition.sources[name] for name in TEXTS if name in definition.sources]
        texts = [(source, *leaf) for source in sources for leaf in leaves(source.readable) if isinstance(leaf[1], str)]
        named = [(source, path, name) for source, path, text in texts for name in NAMED.findall(text)]
        icons = _icons(game.id, places) if named else frozenset()
        for source, path, name in named:
            near = nearest(name, icons, cutoff=ALIKE) if name not in icons else []
            if near:
                what = f"there is no icon '{name}', so '[{name}]' is printed as it stands"
                problem = source.problem("LAY-009", what, path, hint=f"did you mean '{near[0]}'?")
                yield msgspec.structs.replace(problem, severity="warning")
        for file in _pictures(places.layouts / game.id / "icons"):
            what = f"'{file.name}' is a picture, and an icon is a drawing"
            hint = "trace it and save it as SVG, or show it with the element `image`"
            near_file = str(file.relative_to(settings.project))
            yield Problem(code="LAY-007", what=what, file=near_file, hint=hint, severity="warning")

    return check


def _icons(game: str, places: Places) -> frozenset[str]:
    from generator.build.project import read_layouts

    return frozenset(read_layouts(game, places).look.icons.icons)


def _pictures(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(file for file in folder.rglob("*") if file.suffix.lower() in PICTURES)


__all__ = ["icons_meant"]
