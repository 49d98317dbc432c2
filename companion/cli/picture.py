"""The table as a picture. The generator draws it with the faces that are printed; it is imported when it is needed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.common import Failure, Settings

if TYPE_CHECKING:
    from companion.engine.play.position import Position
    from components.scene import Scene

DPI = 60
"""Resolution of a PNG: a table is large."""


def scene_of(at: Position[Any]) -> Scene:
    """The table as a scene. Raises Failure for a game that does not say one."""
    scene = at.rules.scene(at)
    if scene is None:
        raise Failure(f"{at.rules.game.title} has no picture of its table; leave out --svg, --png and --pdf")
    return scene


def pictures(at: Position[Any], kinds: list[str]) -> list[bytes]:
    """The table as files of these kinds (`svg`, `png`, `pdf`). Raises Failure, SceneError and FaceError."""
    import platformdirs

    from components.projects import project_root
    from generator.build.figures import scene_file
    from generator.build.places import Places
    from generator.build.scenes import SceneMaker

    scene = scene_of(at)
    cache = Path(platformdirs.user_cache_dir("tablewright", appauthor=False))
    maker = SceneMaker(at.rules.game, Places(project=Settings.root or project_root(), cache=cache))
    return [scene_file(maker, scene, kind, DPI) for kind in kinds]  # type: ignore[arg-type]
