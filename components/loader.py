"""Find games and read the files that define them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from components.model import GameFile, PieceSetFile, RulesFile, RulingsFile, VariantFile, VocabularyFile

KNOWN = {"game.yaml": GameFile, "rules.yaml": RulesFile, "rulings.yaml": RulingsFile, "effects.yaml": VocabularyFile}


def project_root() -> Path:
    """The folder that holds `components/` and `layouts/` of the installed project."""
    return Path(__file__).resolve().parent.parent


def list_games(root: Path | None = None) -> list[str]:
    """The ids (folder names) of the games below `root/components`, sorted."""
    return sorted(p.parent.name for p in ((root or project_root()) / "components").glob("*/game.yaml"))


class Definition(msgspec.Struct):
    """Everything the files of one game say, before variants and parameters."""

    folder: Path
    game: GameFile
    rules: RulesFile
    rulings: RulingsFile
    vocabulary: VocabularyFile
    sets: list[PieceSetFile]
    variants: dict[str, VariantFile]


def load(game_id: str, root: Path | None = None) -> Definition:
    import yaml

    folder = (root or project_root()) / "components" / game_id

    def read(path: Path) -> Any:
        return yaml.load(path.read_text("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))

    def typed(name: str, default: Any) -> Any:
        path = folder / name
        return msgspec.convert(read(path), KNOWN[name]) if path.exists() else default

    sets = [
        msgspec.convert(read(p), PieceSetFile) for p in sorted(folder.glob("*.yaml")) if p.name not in KNOWN
    ]
    variants = [msgspec.convert(read(p), VariantFile) for p in sorted((folder / "variants").glob("*.yaml"))]
    return Definition(
        folder,
        typed("game.yaml", None),
        typed("rules.yaml", RulesFile(rules=[])),
        typed("rulings.yaml", RulingsFile(rulings=[])),
        typed("effects.yaml", VocabularyFile(verbs={})),
        sets,
        {v.id: v for v in variants},
    )
