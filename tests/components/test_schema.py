"""JSON Schemas accept the real games and refuse what the loader refuses; generated pages are current."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from components.docs import pages, yaml_reference
from components.error_codes import CODES
from components.loader import list_games
from components.projects import project_root
from components.schema import KINDS, json_schema
from components.yamlsource import read_yaml

KIND_OF = {f"{kind}.yaml": kind for kind in ("game", "rules", "rulings", "glossary", "effects", "rulebook")}


def validator(kind: str) -> Any:
    schema = json_schema(kind, KINDS[kind])
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def files() -> list[tuple[str, Path]]:
    found = []
    for game in list_games():
        folder = project_root() / "components" / game
        found += [(KIND_OF.get(path.name, "pieces"), path) for path in sorted(folder.glob("*.yaml"))]
        found += [("variant", path) for path in sorted(folder.glob("variants/*.yaml"))]
    return found


@pytest.mark.parametrize("kind", ["game", "rules", "rulings", "glossary", "effects", "rulebook", "pieces", "variant"])
def test_the_games_files_keep_their_schema(kind: str) -> None:
    check = validator(kind)
    for path in [path for its_kind, path in files() if its_kind == kind]:
        # Editors see whole-number keys as text.
        check.validate(json.loads(json.dumps(read_yaml(path).data)))


def test_a_misspelt_key_is_refused(orchard: Any) -> None:
    orchard.swap("cards.yaml", "flavour: Drip.", "flavuor: Drip.")
    data = json.loads(json.dumps(read_yaml(orchard.folder / "cards.yaml").data))
    [error] = validator("pieces").iter_errors(data)
    assert "flavuor" in error.message
    assert list(error.absolute_path) == ["pieces", 0]


def test_schemas_explain_the_keys() -> None:
    schema = json_schema("pieces", KINDS["pieces"])
    assert "printed text and icons" in schema["$defs"]["Piece"]["properties"]["effect"]["description"]
    assert schema["title"] == "Tablewright pieces file"


@pytest.mark.parametrize("name", sorted(pages()))
def test_generated_pages_are_current(name: str) -> None:
    written = (project_root() / name).read_text("utf-8")
    assert written == pages()[name], f"{name} is out of date: python -m components.docs"


def test_the_reference_names_every_key() -> None:
    text = yaml_reference()
    for schema in (json_schema(kind, record) for kind, record in KINDS.items()):
        for record in schema["$defs"].values():
            for key in record.get("properties", {}):
                assert f"| `{key}` |" in text


def test_every_code_is_explained() -> None:
    for entry in CODES.values():
        assert entry.title
        assert entry.text.endswith(".")
        assert entry.status in (1, 2)
