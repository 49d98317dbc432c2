"""A project as its files said it at one time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from components.kept import Kept, alike
from components.loader import game_files, game_folder
from components.model import ResolvedGame, ResolvedPiece
from generator.build.facecache import FaceKeys, Stored
from generator.build.incremental import resolve
from generator.build.options import Options
from generator.build.places import Places, look_files
from generator.build.project import Layouts, read_layouts
from generator.faces.facemaker import FaceMaker
from generator.faces.fonts import FontBook
from generator.live.cards import Slot, name_of, pieces_of

Seen = dict[Path, tuple[int, int]]
"""Size and time of change of files."""


class State(msgspec.Struct):
    """The files as they were read at one time."""

    game: ResolvedGame
    layouts: Layouts
    pieces: dict[str, ResolvedPiece]
    makers: dict[str, FaceMaker] = {}
    templates: dict[str, dict[tuple[str, str], str]] = {}
    """Ink -> what the faces of each template and format have in common, as a digest."""

    def maker(self, ink: str) -> FaceMaker:
        if ink not in self.makers:
            self.makers[ink] = self.layouts.faces(self.game, ink)
        return self.makers[ink]

    def take_over(self, old: State | None, ink: str, keys: FaceKeys) -> None:
        """Templates that read nothing but what they read before stay compiled."""
        now = self.templates[ink] = keys.templates
        if old is None or old.layouts is not self.layouts or ink not in old.makers or ink not in old.templates:
            return
        before = old.templates[ink]
        changed = {template for (template, form), digest in now.items() if before.get((template, form)) != digest}
        self.makers[ink] = old.makers[ink].renewed(self.game, {template for template, _ in now} - changed)


class Shown(msgspec.Struct):
    """A face on the desk: as it is stored, and what the files said when it was good."""

    stored: Stored
    fonts: FontBook
    state: State | None
    """None for a face that is no longer shown."""


class Files:
    """Reads a game and its layouts again and again; what stands in files that did not change is not read again."""

    def __init__(self, game: str, options: Options, places: Places) -> None:
        self._game = game
        self._options = options
        self._places = places
        self._read_for: Options | None = None
        self._game_seen: Seen = {}
        self._look_seen: Seen = {}
        self._kept = Kept()

    def ask_for(self, options: Options) -> None:
        """Read the game as other options make it, from the next time on."""
        self._options = options

    def read(self, old: State | None) -> State:
        """The files as they are now, `old` being what was read last. Raises DefinitionError and OSError."""
        game_seen = _seen(game_files(game_folder(self._game, self._places.project)))
        look_seen = _seen([*look_files(self._places, self._game), *(fonts_of(old.layouts) if old else ())])
        options = self._options
        if old is not None and game_seen == self._game_seen and options is self._read_for:
            game = old.game
        else:
            game = resolve(
                self._game, options, self._places if old is None else _without_cache(self._places), self._kept
            )
        same = old is not None and look_seen == self._look_seen
        layouts = old.layouts if old is not None and same else read_layouts(self._game, self._places)
        if old is not None and not same and _alike(old.layouts.fonts, layouts.fonts):
            layouts = msgspec.structs.replace(layouts, fonts=old.layouts.fonts)  # which knows the words already
        self._game_seen, self._read_for = game_seen, options
        self._look_seen = look_seen if same else _seen([*look_files(self._places, self._game), *fonts_of(layouts)])
        pieces = pieces_of(game)
        if old is not None and game is not old.game:
            for name, piece in pieces.items():
                was = old.pieces.get(name)
                if was is not None and alike(was, piece):
                    pieces[name] = was  # the same again, not one like it
            game = msgspec.structs.replace(game, pieces=list(pieces.values()))
        return State(game, layouts, pieces)


def _seen(files: Iterable[Path]) -> Seen:
    found: Seen = {}
    for file in files:
        with suppress(OSError):
            info = file.stat()
            found[file] = (info.st_size, info.st_mtime_ns)
    return found


def fonts_of(layouts: Layouts) -> list[Path]:
    """The fonts of the project among those of the layouts."""
    return [layouts.look.root / name for name in layouts.fonts.addresses.values() if ":" not in name]


def _alike(one: FontBook, other: FontBook) -> bool:
    return (one.addresses, one.digest) == (other.addresses, other.digest)


def _without_cache(places: Places) -> Places:
    """A game that changes at every save is not worth keeping."""
    return msgspec.structs.replace(places, cache=None)


def digest_of(stored: Stored, state: State) -> str:
    """The digest by which a face is asked for: other fonts draw another picture."""
    return hashlib.sha256(f"{stored.hash} {state.layouts.fonts.digest}".encode()).hexdigest()[:20]


def slots(state: State, keys: FaceKeys) -> Iterator[tuple[Slot, str]]:
    """Every side of every piece in each of its looks, with the key of its face."""
    for piece in state.game.pieces:
        for back, template in ((False, piece.face), (True, piece.back)):
            if template:
                key = keys.key(piece, template)
                for look in range(1 if back else keys.looks(piece)):
                    yield Slot(name_of(piece), back, look), f"{key}{int(back)}{f'.{look}' if look else ''}"
