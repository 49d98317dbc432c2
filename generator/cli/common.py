"""The parts that commands of `pnp` share: the project, checked names, progress."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from components.phrasing import count, suggest
from generator.build.options import FORMATS, STAGES
from generator.build.places import Places


class Usage(Exception):
    """The command cannot run as it was given; the message says why and what would do."""


class Settings:
    """The project that a command works on, chosen before the command runs."""

    def __init__(self) -> None:
        self.debug = False
        self.trust = ""
        """The permission for rules modules of the project to run: `yes`, `mine` (all later versions, too)."""
        self.project = Path()
        self._out = Path()

    @property
    def out(self) -> Path:
        """The output folder unless --out is given. Raises Usage if a link of the project leads elsewhere."""
        own = self._out.absolute().is_relative_to(self.project)
        if own and self._out.is_symlink() and not self._out.resolve().is_relative_to(self.project.resolve()):
            raise Usage(
                f"{self._out} is a link to {self._out.resolve()}, outside "
                f"the project; to write there, name the folder with --out"
            )
        return self._out

    def choose(self, project: Path | None) -> None:
        """Take the given project, or the nearest folder upward with games in it, or the program's own games."""
        from components.projects import nearest_project, project_root

        if project is not None:
            if not project.is_dir():
                raise Usage(f"no folder {project}")
            self.project = project.resolve()
            self._out = project / "output"
            return
        here = Path.cwd()
        if (folder := nearest_project(here)) is not None:
            self.project, self._out = folder, _near(folder / "output", here)
        else:
            self.project, self._out = project_root(), Path("output")

    @property
    def places(self) -> Places:
        """The project with the user's folders for caches and records."""
        import platformdirs

        cache = Path(platformdirs.user_cache_dir("tablewright", appauthor=False))
        records = Path(platformdirs.user_data_dir("tablewright", appauthor=False)) / "printed"
        said = os.environ.get("SOURCE_DATE_EPOCH", "").strip()
        if said and not (said.isascii() and said.isdigit() and len(said) <= 10):
            raise Usage(f"SOURCE_DATE_EPOCH is a number of seconds since 1970; found '{said[:40]}'")
        return Places(project=self.project, cache=cache, records=records, epoch=int(said) if said else None)


def _near(folder: Path, here: Path) -> Path:
    return folder.relative_to(here) if folder.is_relative_to(here) else folder


settings = Settings()


def game_ids() -> list[str]:
    """The games of the project. Raises Usage if there are none."""
    from components.loader import list_games

    found = list_games(settings.project)
    if not found:
        raise Usage(f"{settings.project / 'components'} holds no games; make one with: pnp init DIR")
    return found


def known_game(name: str) -> str:
    """`name` if there is such a game. Raises Usage with the nearest one."""
    known = game_ids()
    if name not in known:
        raise Usage(f"no game is called '{name}'{suggest(name, known)}")
    return name


def the_game(name: str) -> str:
    """The game `name`; if it is empty, the project's only one. Raises Usage."""
    return known_game(name) if name else the_games([])[0]


def the_games(names: Iterable[str], every: bool = False) -> list[str]:
    """The games of these names, each once; all of them if `every`; without a name, the project's only one. Raises
    Usage."""
    known, chosen = game_ids(), list(dict.fromkeys(names))
    if every and chosen:
        raise Usage("name games or give --all, not both")
    if not every and not chosen and len(known) > 1:
        raise Usage(f"name a game: {', '.join(known)}")
    return [known_game(name) for name in chosen] or known


def asked_seats(values: Iterable[str] | None, players: int | None) -> tuple[str, ...]:
    """The seats of `--seats`. Raises Usage where `--players` says another number."""
    seats = words(values)
    if seats and players not in (None, len(seats)):
        raise Usage(f"--seats names {count(len(seats), 'seat')}, --players says {players}: leave out --players")
    return seats


def asked_modules(values: Iterable[str] | None) -> tuple[str, ...] | None:
    """The modules of `--modules`; None where it was not given."""
    return None if values is None else words(values)


def words(values: Iterable[str] | None) -> tuple[str, ...]:
    """Words given one by one or separated by commas, each once. Raises Usage for a value without any: asking for
    nothing (`--only "$DECK"` with no deck) must not print everything."""
    if any(not value.strip(" ,") for value in values or ()):
        raise Usage(
            "--only, --seats, --modules and --variant each need a name; leave out the option, or name something"
        )
    split = [word.strip() for value in values or () for word in value.split(",")]
    return tuple(dict.fromkeys(word for word in split if word))


def parsed_sets(values: list[str] | None) -> dict[str, Any]:
    """`--set key=value …` as a mapping."""
    if not values:
        return {}
    from components.variants import parse_sets

    return parse_sets(values)


def file_formats(value: str) -> tuple[str, ...]:
    """`pdf,svg` as a tuple. Raises Usage for an unknown one."""
    found = words([value]) if value.strip(" ,") else ()
    for word in found:
        if word not in FORMATS:
            raise Usage(f"--format: unknown format '{word}'{suggest(word, FORMATS)}")
    if not found:
        raise Usage(f"--format: give one or more of {', '.join(FORMATS)}")
    return found


def plain(record: Any) -> str:
    """A record as JSON text."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(record), indent=2).decode()


def written(folder: Path, files: Iterable[Path], **about: object) -> str:
    """JSON of the files a command wrote into `folder`, named as `build` names them, after what else there is to say."""
    names = [{"name": file.relative_to(folder).as_posix(), "state": "written"} for file in files]
    return plain({**about, "folder": str(folder), "files": names})


class Progress:
    """The stages of long work on stderr: one line for each, rewritten in place on a terminal."""

    def __init__(self, name: str = "", quiet: bool = False, stages: tuple[str, ...] = STAGES) -> None:
        self._name = f"{name}: " if name else ""
        self._quiet = quiet
        self._stages = stages
        self._live = sys.stderr.isatty()
        self._stage = 0
        self._shown = ""

    def __call__(self, stage: int, done: int, of: int) -> None:
        if self._quiet:
            return
        counted = f" {done}/{of}" if of else ""
        text = f"{self._name}{stage}/{len(self._stages)} {self._stages[stage - 1]}{counted}"
        if self._live:
            if stage != self._stage or done == of or done % 10 == 0:
                sys.stderr.write(f"\r{text:<{len(self._shown)}}")
                sys.stderr.flush()
                self._shown = text
        elif (stage != self._stage and not of) or (of and done == of):
            print(text, file=sys.stderr)
        self._stage = stage

    def end(self) -> None:
        """Leave the line of progress."""
        if self._live and self._shown and not self._quiet:
            sys.stderr.write(f"\r{'':<{len(self._shown)}}\r")
