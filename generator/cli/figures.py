"""Scenes with a position of the game, which the companion plays: for `pnp scene` and for the figures of a rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from components.errors import DefinitionError
from components.model import ResolvedGame
from components.resolve import resolve_game
from components.scene import Played, Scene
from components.validate import NoPlaces
from components.validate import Places as Lines
from generator.build.figures import Figure, Kind, figure, fitted, scene_file
from generator.build.places import Places
from generator.build.project import Layouts
from generator.build.scenes import SceneMaker
from generator.scenes.picture import Picture
from generator.scenes.staging import SceneError

if TYPE_CHECKING:
    from companion.engine.play.position import Position


class Figures:
    """Draws scenes of one game. `game` is how it is resolved where a scene asks for no variant of its own; `layouts`
    are read if they are not given."""

    def __init__(self, game: ResolvedGame, places: Places, ink: str = "normal", layouts: Layouts | None = None) -> None:
        self.game = game
        self._layouts = layouts
        self.places = places
        self.ink = ink
        self._makers: dict[str, SceneMaker] = {}
        self._rules: dict[str, Any] = {}

    def __call__(self, scene: Scene, w: float | None = None, h: float | None = None) -> Figure:
        """A scene for a page, at most `w` x `h` mm. Raises SceneError and FaceError."""
        told, _ = self.complete(scene)
        return figure(self.maker(self.resolved(scene.table)), told, w, h)

    def picture(self, scene: Scene, w: float, h: float, lines: Lines | None = None) -> tuple[Picture, SceneMaker]:
        """The picture of a scene, at most `w` x `h` mm, and what drew it. `lines` knows the places of its YAML. Raises
        SceneError and FaceError."""
        told, first = self.complete(scene, lines)
        maker = self.maker(self.resolved(scene.table))
        return fitted(maker, told, w, h, lines, first), maker

    def file(self, scene: Scene, kind: Kind, dpi: float, lines: Lines | None = None) -> bytes:
        """A scene as a file. `lines` knows the places of its YAML. Raises SceneError and FaceError."""
        told, first = self.complete(scene, lines)
        return scene_file(self.maker(self.resolved(scene.table)), told, kind, dpi, lines, first)

    def complete(self, scene: Scene, lines: Lines | None = None) -> tuple[Scene, int]:
        """The scene with the pieces of its position in front of its own, and how many those are. Raises SceneError."""
        if scene.table is None:
            return scene, 0
        at = self.position(scene.table, lines)
        table = at.rules.scene(at)
        if table is None:
            raise _wrong(lines, ("table",), f"{self.game.title} has no scene of its table")
        pieces = [*table.pieces, *scene.pieces]
        return msgspec.structs.replace(scene, pieces=pieces, title=scene.title or table.title), len(table.pieces)

    def position(self, played: Played, lines: Lines | None = None) -> Position[Any]:
        """The position that a scene begins with, every move judged by the companion. Raises SceneError."""
        from companion.engine.language.reaching import NotReached, reached
        from companion.games import NoRules
        from generator.cli.playing import rules_of

        game = self.resolved(played, lines)
        try:
            if game.fingerprint not in self._rules:
                self._rules[game.fingerprint] = rules_of(game)
            return reached(self._rules[game.fingerprint], played)
        except NoRules as error:
            raise _wrong(lines, ("table",), error.what, error.hint) from None
        except NotReached as error:
            raise _wrong(lines, ("table", *error.path), str(error)) from None

    def resolved(self, played: Played | None, lines: Lines | None = None) -> ResolvedGame:
        """The game with the variants and parameters of a position. Raises SceneError."""
        if played is None or not (played.variants or played.set):
            return self.game
        try:
            return resolve_game(
                self.game.id,
                variants=played.variants,
                sets=played.set,
                root=self.places.project,
                cache_dir=self.places.resolved,
            )
        except DefinitionError as error:
            key = "variants" if played.variants else "set"
            raise _wrong(lines, ("table", key), "; ".join(problem.what for problem in error.problems)) from None

    def keep(self) -> None:
        """Store what was drawn for the next time."""
        for maker in self._makers.values():
            maker.keep()

    def maker(self, game: ResolvedGame) -> SceneMaker:
        """A maker of the game's scenes; one for all of them."""
        if game.fingerprint not in self._makers:
            maker = self._makers[game.fingerprint] = SceneMaker(game, self.places, self.ink, self._layouts)
            self._layouts = maker.layouts
        return self._makers[game.fingerprint]


def _wrong(lines: Lines | None, path: tuple[str | int, ...], what: str, hint: str = "") -> SceneError:
    return SceneError([(lines or NoPlaces()).problem("SCN-005", what, path, hint=hint)])
