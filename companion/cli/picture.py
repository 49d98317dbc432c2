"""The table as a picture. The generator draws it with the faces that are printed; it is imported when it is needed.

The faces of the first table of a game are drawn in a process of their own (`python -m companion.cli.picture`), which
takes three times the memory of all else that `companion serve` does.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from companion.cli.common import Failure, Settings
from components.cache import decode_game, encode_game

if TYPE_CHECKING:
    from companion.engine.play.position import Position
    from components.model import ResolvedGame
    from components.scene import Scene
    from generator.build.places import Places
    from generator.build.scenes import SceneMaker
    from generator.build.tabletop import Tabletop

DPI = 60
"""Resolution of a PNG: a table is large."""
PATIENCE = 300
"""Seconds after which faces are no longer waited for."""


def scene_of(at: Position[Any]) -> Scene:
    """The table as a scene. Raises Failure for a game that does not say one."""
    scene = at.rules.scene(at)
    if scene is None:
        raise Failure(f"{at.rules.game.title} has no picture of its table; leave out --svg, --png and --pdf")
    return scene


def pictures(at: Position[Any], kinds: list[str]) -> list[bytes]:
    """The table as files of these kinds (`svg`, `png`, `pdf`). Raises Failure, SceneError and FaceError."""
    from generator.build.figures import scene_file

    scene = scene_of(at)
    maker = maker_of(at.rules.game)
    return [scene_file(maker, scene, kind, DPI) for kind in kinds]  # type: ignore[arg-type]


def maker_of(game: ResolvedGame) -> SceneMaker:
    """A maker of scenes for a game. Raises DefinitionError for layouts that cannot be read."""
    from generator.build.scenes import SceneMaker

    return SceneMaker(game, places())


def places() -> Places:
    """The folders of the generator: the project, and the cache that all commands share."""
    import platformdirs

    from components.projects import project_root
    from generator.build.places import Places

    cache = Path(platformdirs.user_cache_dir("tablewright", appauthor=False))
    return Places(project=Settings.root or project_root(), cache=cache)


class Land:
    """The table for pages: where things lie, and their faces as pictures. A house rule changes the game, and with it
    what draws it; pictures of before stay."""

    def __init__(self) -> None:
        self._tops: dict[str, Tabletop] = {}
        self._now: Tabletop | None = None
        self._drawn = threading.Event()
        self._drawn.set()

    def ahead(self, at: Position[Any]) -> None:
        """Have the faces of a table drawn and kept, if none of its game are; whoever asks for a table meanwhile
        waits."""
        scene, game = at.rules.scene(at), at.rules.game
        file = places().tabletop(game.id)
        if scene is None or file is None or file.exists():
            return
        self._drawn.clear()
        try:
            command = [sys.executable, "-m", "companion.cli.picture", str(Settings.root or "")]
            said = msgspec.msgpack.encode((encode_game(game), scene))
            with suppress(OSError, subprocess.SubprocessError):  # then they are drawn here
                subprocess.run(command, input=said, capture_output=True, timeout=PATIENCE, check=True)
            self._tops.clear()  # what is kept is read anew
        finally:
            self._drawn.set()

    def lying(self, at: Position[Any]) -> dict[str, Any] | None:
        """The place of everything on the table; None for a game without a scene. Raises SceneError and FaceError."""
        scene = at.rules.scene(at)
        if scene is None:
            return None
        self._drawn.wait()
        self._now = self.top(at.rules.game)
        return self._now.lying(scene)

    def top(self, game: ResolvedGame) -> Tabletop:
        """The tabletop that draws a game's tables. Raises DefinitionError for layouts that cannot be read."""
        from generator.build.tabletop import Tabletop

        if game.fingerprint not in self._tops:
            self._tops[game.fingerprint] = Tabletop(maker_of(game), places().tabletop(game.id))
        return self._tops[game.fingerprint]

    def areas(self, names: list[str]) -> dict[str, list[float]]:
        """The areas of these places on the last table asked for."""
        return self._now.areas(names) if self._now is not None else {}

    def face(self, digest: str) -> bytes | None:
        """A picture by its digest; None for what no table has shown."""
        return next((found for top in self._tops.values() if (found := top.picture(digest)) is not None), None)

    def keep(self) -> None:
        """Store the pictures for the next time."""
        for top in self._tops.values():
            top.keep()


def colours(game: ResolvedGame, land: Land | None = None) -> dict[str, str]:
    """Seat, in small letters -> `#rrggbb` of its printed pieces; empty for a game whose layouts cannot be read. `land`:
    what draws the table, which has read them."""
    from components.errors import DefinitionError
    from generator.build.project import read_layouts

    try:
        look = (land.top(game).maker.layouts if land is not None else read_layouts(game.id, places())).look
        return {seat.lower(): look.colour(own.colour, "normal") for seat, own in look.theme.seats.items()}
    except (DefinitionError, KeyError, ValueError):
        return {}


def draw(top: Tabletop, scene: Scene) -> None:
    """Draw the faces of a table and keep them."""
    for digest, _ in top.lying(scene)["faces"]:
        top.picture(digest)
    top.keep()


def main() -> None:
    """Read a resolved game and a scene of it from standard input and draw its faces; the project is an argument."""
    from components.scene import Scene

    Settings.root = Path(sys.argv[1]) if sys.argv[1:] and sys.argv[1] else None
    game, scene = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=tuple[bytes, Scene])
    draw(Land().top(decode_game(game)), scene)


if __name__ == "__main__":
    main()

__all__ = ["Land", "colours", "draw", "pictures", "places", "scene_of"]
