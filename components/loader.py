"""Find games and read the files that define them: YAML to typed definition records, with the place of everything."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from components.bookmodel import BookFile
from components.errors import DefinitionError, Problem
from components.glossaryfile import GlossaryFile
from components.model import GameFile, PieceSetFile, RulesFile, VariantFile, VocabularyFile
from components.phrasing import did_you_mean
from components.projects import TABLES, project_root
from components.rulingsfile import RulingsFile

if TYPE_CHECKING:
    from components.yamlsource import Source

T = TypeVar("T")

FILES: dict[str, Any] = {
    "game.yaml": GameFile,
    "rules.yaml": RulesFile,
    "rulings.yaml": RulingsFile,
    "glossary.yaml": GlossaryFile,
    "effects.yaml": VocabularyFile,
    "rulebook.yaml": BookFile,
}
"""The files of a game's folder with a meaning of their own; every other `.yaml` there is a piece set."""


def list_games(root: Path | None = None) -> list[str]:
    """The ids (folder names) of the games below `root/components`, sorted. `root` None: the installed project."""
    return sorted(p.parent.name for p in ((root or project_root()) / "components").glob("*/game.yaml"))


def game_folder(game_id: str, root: Path | None = None) -> Path:
    """The folder of a game. Raises `DefinitionError` (status 2) naming the nearest game if there is none."""
    folder = (root or project_root()) / "components" / game_id
    if game_id in ("", ".", "..") or "/" in game_id or "\\" in game_id or not (folder / "game.yaml").is_file():
        games = list_games(root)
        hint = did_you_mean(game_id, games, listing="games") or "there are no games here"
        raise DefinitionError([Problem(code="DEF-001", what=f"there is no game '{game_id}'", hint=hint)])
    return folder


def game_files(folder: Path) -> list[Path]:
    """Every file that defines the game in `folder`, sorted: YAML, and tables of cards."""
    tables = (file for file in folder.glob("*.*") if file.suffix.lower() in TABLES)
    return sorted([*folder.glob("*.yaml"), *folder.glob("variants/*.yaml"), *tables])


class Definition(msgspec.Struct, kw_only=True):
    """Everything the files of one game say, before variants and parameters.

    A file that could not be used is left out (`broken` holds its name) and its faults are in `problems`.
    """

    folder: Path
    game: GameFile | None = None
    rules: RulesFile = msgspec.field(default_factory=lambda: RulesFile(rules=[]))
    rulings: RulingsFile = msgspec.field(default_factory=lambda: RulingsFile(rulings=[]))
    glossary: GlossaryFile = msgspec.field(default_factory=lambda: GlossaryFile())
    vocabulary: VocabularyFile = msgspec.field(default_factory=lambda: VocabularyFile(verbs={}))
    book: BookFile | None = None
    """The contents of `rulebook.yaml`; None if it is missing or unusable."""
    sets: dict[str, PieceSetFile] = {}
    """File name -> piece set, in the order of the file names."""
    variants: dict[str, VariantFile] = {}
    """Variant id (name of its file) -> variant."""
    sources: dict[str, Any] = {}
    """File name (`rules.yaml`, `variants/x.yaml`) -> `Source`."""
    broken: list[str] = []
    problems: list[Problem] = []

    def source(self, name: str) -> Source:
        found: Source = self.sources[name]
        return found

    def may_have_set(self, name: str) -> bool:
        """True if a piece set `name` exists, or may exist in a file that could not be used."""
        unread = any(file not in FILES and "/" not in file for file in self.broken)
        return unread or any(piece_set.set == name for piece_set in self.sets.values())

    def miss(self, name: str, why: str) -> None:
        """Say once that a file is missing; what it should hold is then not missed again."""
        what = f"the file is missing: {why}"
        place = self.source("game.yaml").file.rpartition("/")[0]
        self.problems.append(Problem(code="DEF-001", what=what, file=f"{place}/{name}"))
        self.broken.append(name)


def load(game_id: str, root: Path | None = None) -> Definition:
    """Read all files of a game. Raises `DefinitionError` only if there is no such game."""
    from components.yamlsource import read_yaml

    root = root or project_root()
    folder = game_folder(game_id, root)
    definition = Definition(folder=folder)

    def typed(name: str, kind: type[T]) -> T | None:
        from components.validate import convert_source

        path = folder / name
        try:
            shown = path.relative_to(root).as_posix()
        except ValueError:
            shown = str(path)
        source = read_yaml(path, shown, root)
        if kind is PieceSetFile and isinstance(source.readable, dict):
            _with_rows(source, folder, shown.rpartition("/")[0], definition)
        definition.sources[name] = source
        value, problems = convert_source(source, kind)
        definition.problems += problems
        if value is None:
            definition.broken.append(name)
        return value

    definition.game = typed("game.yaml", GameFile)
    if (folder / "rules.yaml").exists():
        definition.rules = typed("rules.yaml", RulesFile) or definition.rules
    if (folder / "rulings.yaml").exists():
        definition.rulings = typed("rulings.yaml", RulingsFile) or definition.rulings
    if (folder / "glossary.yaml").exists():
        definition.glossary = typed("glossary.yaml", GlossaryFile) or definition.glossary
    if (folder / "effects.yaml").exists():
        definition.vocabulary = typed("effects.yaml", VocabularyFile) or definition.vocabulary
    if (folder / "rulebook.yaml").exists():
        definition.book = typed("rulebook.yaml", BookFile)
    for path in game_files(folder):
        if path.parent != folder:
            variant = typed(f"variants/{path.name}", VariantFile)
            if variant is not None:
                definition.variants[path.stem] = variant
        elif path.suffix == ".yaml" and path.name not in FILES:
            piece_set = typed(path.name, PieceSetFile)
            if piece_set is not None:
                definition.sets[path.name] = piece_set
    _say_missing(definition)
    for path in sorted([*folder.glob("*.yml"), *folder.glob("variants/*.yml")]):
        what = f"'{path.name}' would not be read: definition files end in .yaml"
        definition.problems.append(Problem(code="DEF-001", what=what, file=str(path), hint="rename the file"))
    return definition


def _with_rows(source: Source, folder: Path, shown: str, definition: Definition) -> None:
    """Add the pieces of the table that a set names. A set has pieces, or a table of them."""
    if "rows" in source.readable:
        from components.tables import add_rows

        add_rows(source, folder, shown, definition.vocabulary.verbs)
    elif "pieces" not in source.readable:
        what = "missing key 'pieces'"
        source.problems.append(source.problem("DEF-011", what, hint="list them, or name a table with `rows`"))


def _say_missing(definition: Definition) -> None:
    """Files that a game can do without, unless something refers to what they hold."""
    pieces = [piece for piece_set in definition.sets.values() for piece in piece_set.pieces]
    if "effects.yaml" not in definition.sources and any(piece.effect for piece in pieces):
        definition.miss("effects.yaml", "pieces have effects, and it defines their verbs")
    named = any(piece.rule for piece in pieces) or any(ruling.rules for ruling in definition.rulings.rulings)
    parameters = definition.game.parameters.values() if definition.game else ()
    if "rules.yaml" not in definition.sources and (named or any(parameter.rules for parameter in parameters)):
        definition.miss("rules.yaml", "pieces, parameters or rulings name rules")
