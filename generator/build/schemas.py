"""JSON Schemas of every kind of YAML file, made from the typed records that the files are checked against."""

from __future__ import annotations

from typing import Any

from components import schema
from components.scene import Scene
from components.schema import json_schema
from generator.book.design import GameBook
from generator.faces.icons import Entry
from generator.faces.look import FaceFile, Part, ThemeFile
from generator.paper.formats import FormatsFile, PapersFile
from generator.proofing.bars import ChecksFile
from generator.scenes.look import GameScenes
from generator.sheets.marks import SheetsFile

KINDS: dict[str, tuple[Any, str]] = {
    "game": (schema.KINDS["game"], "components/<game>/game.yaml: who plays, parameters"),
    "rules": (schema.KINDS["rules"], "components/<game>/rules.yaml: the rules catalogue"),
    "rulings": (schema.KINDS["rulings"], "components/<game>/rulings.yaml: questions and answers"),
    "effects": (schema.KINDS["effects"], "components/<game>/effects.yaml: the verbs of effects"),
    "rulebook": (schema.KINDS["rulebook"], "components/<game>/rulebook.yaml: chapters and examples of the rulebook"),
    "pieces": (schema.KINDS["pieces"], "components/<game>/<any other>.yaml: a deck, tiles, tokens, aids …"),
    "variant": (schema.KINDS["variant"], "components/<game>/variants/<name>.yaml: an overlay"),
    "theme": (ThemeFile, "layouts/<game>/theme.yaml: fonts, colours, styles"),
    "face": (FaceFile, "layouts/<game>/faces/<name>.yaml: a face template"),
    "icons": (dict[str, Entry], "layouts/icons.yaml, layouts/<game>/icons.yaml: icons"),
    "parts": (dict[str, Part], "layouts/<game>/parts.yaml: named groups of elements"),
    "book": (GameBook, "layouts/<game>/rulebook.yaml: how the rulebook of a game looks"),
    "checks": (ChecksFile, "layouts/checks.yaml, layouts/<game>/checks.yaml: bars, and accepted findings"),
    "formats": (FormatsFile, "layouts/formats.yaml: piece formats"),
    "papers": (PapersFile, "layouts/papers.yaml: papers"),
    "scenes": (GameScenes, "layouts/<game>/scenes.yaml: mats, and how scenes of the game look"),
    "scene": (Scene, "a scene: which pieces lie where, and what is said about them"),
    "sheets": (SheetsFile, "layouts/sheets.yaml: cuts and marks"),
}
"""Kind of file -> its record and where such files stand."""


def schema_of(kind: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of one kind of file. Raises KeyError for an unknown kind."""
    record, about = KINDS[kind]
    return json_schema(kind, record, about)
