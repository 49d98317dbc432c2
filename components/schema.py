"""JSON Schemas of the definition files, made from the typed model, for editors that complete and check YAML."""

from __future__ import annotations

import ast
import inspect
import textwrap
from functools import lru_cache
from typing import Any

import msgspec

from components.bookmodel import BookFile
from components.glossaryfile import GlossaryFile
from components.model import GameFile, PieceSetFile, RulesFile, VariantFile, VocabularyFile
from components.rulingsfile import RulingsFile

KINDS: dict[str, type[msgspec.Struct]] = {
    "game": GameFile,
    "rules": RulesFile,
    "rulings": RulingsFile,
    "glossary": GlossaryFile,
    "effects": VocabularyFile,
    "rulebook": BookFile,
    "pieces": PieceSetFile,
    "variant": VariantFile,
}
"""Kind of file -> its record. `pieces` are all other files of a game's folder, `variant` those of `variants/`."""


def json_schema(kind: str, record: type[msgspec.Struct], about: str = "") -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of one kind of YAML file, its fields described as in the record. `about`: where such
    files stand."""
    schema = msgspec.json.schema(record)
    definitions = schema.get("$defs", {})
    for structure in records_inside(record):
        properties = definitions.get(structure.__name__, {}).get("properties", {})
        for name, text in field_docs(structure).items():
            if name in properties:
                # Beside a `$ref` other keys are allowed since draft 2019-09.
                properties[name]["description"] = text
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Tablewright {kind} file",
        **({"description": about} if about else {}),
        **schema,
    }


def records_inside(record: type[msgspec.Struct]) -> list[type[msgspec.Struct]]:
    """The record and every record inside it, each once."""
    found: list[type[msgspec.Struct]] = []

    def walk(info: Any) -> None:
        if isinstance(info, msgspec.inspect.StructType):
            if info.cls in found:
                return
            found.append(info.cls)
            for field in info.fields:
                walk(field.type)
        for name in ("item_type", "value_type", "types"):
            inside = getattr(info, name, ())
            for part in inside if isinstance(inside, tuple) else (inside,):
                walk(part)

    walk(msgspec.inspect.type_info(record))
    return found


@lru_cache
def field_docs(record: type[msgspec.Struct]) -> dict[str, str]:
    """Field -> the text that stands below it in the source of its class (on one line)."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(record))).body[0]
    assert isinstance(tree, ast.ClassDef)
    docs: dict[str, str] = {}
    for field, below in zip(tree.body, tree.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
            and isinstance(below.value.value, str)
        ):
            docs[field.target.id] = " ".join(below.value.value.split())
    return docs


def records_of(kind: str) -> list[type[msgspec.Struct]]:
    """The record of a kind of file, and those inside it."""
    return records_inside(KINDS[kind])
