"""Support for editors that complete and check the YAML of a project as it is typed: JSON Schemas, and the files each is
for.

Editors with the YAML language server read it from `.vscode/settings.json`.
"""

from __future__ import annotations

import json
from pathlib import Path

from components.files import write_whole
from components.loader import FILES
from generator.build.schemas import KINDS, schema_of

FOLDER = ".schemas"
SETTINGS = ".vscode/settings.json"

PLACES: dict[str, list[str]] = {
    **{kind: [f"components/*/{kind}.yaml"] for kind in ("game", "rules", "rulings", "effects", "rulebook")},
    "pieces": ["components/*/*.yaml", *(f"!components/*/{name}" for name in FILES)],
    "variant": ["components/*/variants/*.yaml"],
    "theme": ["layouts/*/theme.yaml"],
    "face": ["layouts/*/faces/*.yaml"],
    "icons": ["layouts/icons.yaml", "layouts/*/icons.yaml"],
    "parts": ["layouts/*/parts.yaml", "layouts/*/parts/*.yaml"],
    "book": ["layouts/*/rulebook.yaml"],
    "checks": ["layouts/checks.yaml", "layouts/*/checks.yaml"],
    "formats": ["layouts/formats.yaml"],
    "papers": ["layouts/papers.yaml"],
    "scenes": ["layouts/*/scenes.yaml"],
}
"""Kind of file -> where such files stand in a project."""


def write_editor_files(project: Path) -> list[Path]:
    """Write the schemas, and the settings that name them unless the project has settings already; the files written.
    Raises OSError."""
    made: list[Path] = []
    for kind in KINDS:
        file = project / FOLDER / f"{kind}.schema.json"
        write_whole(file, json.dumps(schema_of(kind)).encode() + b"\n", below=project)
        made.append(file)
    settings = project / SETTINGS
    if not settings.exists():
        schemas = {f"./{FOLDER}/{kind}.schema.json": globs for kind, globs in PLACES.items()}
        write_whole(settings, json.dumps({"yaml.schemas": schemas}, indent=2).encode() + b"\n", below=project)
        made.append(settings)
    return made


__all__ = ["write_editor_files"]
