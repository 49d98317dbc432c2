"""Styles of a theme that nothing names."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from components.errors import Problem
from components.loader import Definition
from components.plainfiles import read_plain
from components.yamlsource import MAX_BYTES, read_yaml
from generator.build.places import Places, look_files
from generator.faces.look import called

TEXTS = (".yaml", ".svg", ".csv", ".tsv")
BOOKS = (".xlsx", ".ods")


def unused_styles(definition: Definition, places: Places, served: set[str]) -> Iterator[Problem]:
    """A warning for each style of a game's theme that no file of the game names. `served`: the styles that books and
    scenes use of themselves."""
    name = definition.folder.name
    file = places.layouts / name / "theme.yaml"
    own = [one for one in definition.folder.rglob("*.*") if one.is_file()]
    if not file.is_file() or any(one.suffix in BOOKS for one in own):
        return  # who knows what stands in the cells of a workbook
    source = read_yaml(file, called(file, places.layouts.parent))
    styles = source.data.get("styles") if isinstance(source.data, dict) else None
    if not isinstance(styles, dict):
        return
    files = [
        one for one in (*look_files(places, name), *own) if one.suffix in TEXTS and one.resolve() != file.resolve()
    ]
    said = "\n".join(read_plain(one, MAX_BYTES).decode("utf-8", "replace") for one in files)
    words = set(re.findall(r"[\w-]+", said))
    built = re.findall(r"""['"]([\w-]+-)['"]|['"](-[\w-]+)['"]|([\w-]+-)\{\{|\}\}(-[\w-]+)""", said)
    parts = {part for found in built for part in found if part}
    for style in styles:
        if style in words or style in served or any(style.startswith(one) or style.endswith(one) for one in parts):
            continue
        what, hint = f"nothing uses the style '{style}'", "name it in a face template (`style`), or remove it"
        problem = source.problem("LAY-044", what, ("styles", style), hint=hint, key=True)
        yield msgspec.structs.replace(problem, severity="warning")
