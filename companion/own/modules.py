"""The rules module of a project: found in its folder, run only if the user trusts it, from the very bytes that were
trusted.

A project keeps it as `rules/ENGINE.py`, or as a package `rules/ENGINE/`, where ENGINE is what `game.yaml` says. Like a
module of the program it offers `rules(resolved)`.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from companion.engine.errors import CompanionError, NoRules, NoSuchName
from companion.engine.play.position import Rules
from companion.own.contracts import Unexpected, keep
from companion.own.watching import TooLong, hangs, watch
from components.model import ResolvedGame
from components.plainfiles import read_plain

FOLDER = "rules"
"""The folder of a project that holds its rules modules."""
LARGEST = 4 * 1024 * 1024
"""Bytes that a rules module may have, all files together."""

Trusted = Callable[["Source"], bool]
"""Asked before a module runs."""


class NotTrusted(CompanionError):
    """A rules module that the user has not allowed to run."""

    kind = "untrusted"

    def __init__(self, game: str, place: Path) -> None:
        super().__init__(
            f"{game}'s rules module ({place}) is not trusted; "
            f"read it, then run the command again with --trust (or --trust-mine, if you wrote it)"
        )
        self.place = place


class RulesFault(CompanionError):
    """A fault in a project's rules module: `place` is its file and line."""

    kind = "rules"
    status = 1

    def __init__(self, place: str, error: BaseException) -> None:
        told = isinstance(error, Unexpected | NoSuchName | TooLong)
        self.place = place
        self.said = str(error) if told else f"{type(error).__name__}: {error}".rstrip(": ")
        more = "" if told else "\n  run again with --debug to see more"
        super().__init__(f"{place}: the rules module of this game failed: {self.said}{more}")
        self.__cause__ = error


class Source(NamedTuple):
    """The files of a rules module, read once: what was asked about is what runs."""

    place: Path
    """The file, or the folder of the package."""
    files: dict[str, tuple[Path, bytes]]
    """Name below the module (`""`, `market`, `market.prices`) -> its file and what stands in it."""

    @property
    def digest(self) -> str:
        """SHA-256 of names and contents, in hex."""
        total = hashlib.sha256()
        for name, (_, content) in sorted(self.files.items()):
            total.update(f"{name}\0{len(content)}\0".encode() + content)
        return total.hexdigest()


def find(project: Path, engine: str) -> Source | None:
    """The rules module of that name in a project; None if it has none. Raises NoRules for one that cannot be read."""
    folder = project / FOLDER
    single, package = folder / f"{engine}.py", folder / engine
    place = package if (package / "__init__.py").is_file() else single
    if not engine.isidentifier() or not (place.is_dir() or place.is_file()):
        return None
    if not place.resolve().is_relative_to(project.resolve()):
        raise NoRules(engine, f"{place} leads out of the project")
    paths = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    files: dict[str, tuple[Path, bytes]] = {}
    left = LARGEST
    for path in paths:
        try:
            content = read_plain(path, left, project)
        except OSError as error:
            raise NoRules(engine, f"{path} cannot be read: {error.strerror}") from None
        left -= len(content)
        if left < 0:
            raise NoRules(engine, f"{place} has more than {LARGEST // 1024 // 1024} MiB of Python")
        files[_name(path, place)] = path, content
    return Source(place, files)


def _name(path: Path, place: Path) -> str:
    parts = list(path.relative_to(place).with_suffix("").parts) if place.is_dir() else []
    return ".".join(parts[:-1] if parts[-1:] == ["__init__"] else parts)


def load(resolved: ResolvedGame, source: Source, trusted: Trusted) -> Rules:
    """The rules object of a game from its project's module. Raises NotTrusted, NoRules and RulesFault."""
    mark = hashlib.sha256(f"{source.place}\0{source.digest}".encode("utf-8", "surrogateescape")).hexdigest()
    name = f"tablewright_own_{mark[:12]}.{resolved.engine}"
    if name not in sys.modules and not trusted(source):
        raise NotTrusted(resolved.id, source.place)
    watch(_Memory.running)
    if name in _hung:
        raise _hung[name]
    try:
        module = sys.modules.get(name) or _run(name, source)
        if not hasattr(module, "rules"):
            what = f"the rules module '{resolved.engine}' has no function `rules(resolved)`"
            raise NoRules(resolved.id, what, f"end {source.place} with `rules = YourGame`, the class of yours")
        rules: Rules = module.rules(resolved)
        keep(rules, name, module.rules)
    except CompanionError:
        raise
    except (Exception, SystemExit) as error:
        raise RulesFault(_where(error, source.place), error) from error
    return rules


def known(source: Source) -> bool:
    """True if the user already trusts a module."""
    from components.program import trust_of_user

    return trust_of_user().knows(source.place, source.digest)


def fault_in(error: BaseException) -> RulesFault | None:
    """The fault of a project's rules module that an exception came from; None if it came from elsewhere."""
    if isinstance(error, Unexpected):
        return RulesFault(error.place, error)
    if isinstance(error, TooLong) and (place := hangs.pop(threading.get_ident(), "")):
        fault = RulesFault(place, error)
        _hung[_Memory.running.get(place.rpartition(":")[0], "")] = fault  # once is enough
        return fault
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename in _Memory.running:
            return RulesFault(f"{frame.filename}:{frame.lineno}", error)
    return None


def place_in(function: Any) -> str:
    """File and line of a function that a project's module wrote; "" for any other."""
    code = getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None
    return f"{code.co_filename}:{code.co_firstlineno}" if code and code.co_filename in _Memory.running else ""


_hung: dict[str, RulesFault] = {}
"""Modules, as they are imported, that did not come to an end in this run."""


def _where(error: BaseException, place: Path) -> str:
    """File and line of a fault met while a module was read or built."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    found = fault_in(error)
    return found.place if found else str(place)


class _Memory(MetaPathFinder, Loader):
    """Imports the modules of a source from memory, never from files or compiled copies beside them."""

    running: dict[str, str] = {}  # noqa: RUF012
    """Files whose code has been run -> the module they belong to, as it is imported."""

    def __init__(self, name: str, source: Source) -> None:
        self.name, self.source = name, source

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if self._inner(fullname) is None:
            return None
        return spec_from_loader(fullname, self, origin=str(self._file(fullname)), is_package=self._is_package(fullname))

    def exec_module(self, module: ModuleType) -> None:
        file, content = self.source.files[self._inner(module.__name__) or ""]
        module.__file__ = str(file)
        self.running[str(file)] = self.name
        exec(compile(content, str(file), "exec", dont_inherit=True), module.__dict__)

    def _inner(self, fullname: str) -> str | None:
        inner = "" if fullname == self.name else fullname.removeprefix(self.name + ".")
        return inner if fullname.startswith(self.name) and inner in self.source.files else None

    def _file(self, fullname: str) -> Path:
        return self.source.files[self._inner(fullname) or ""][0]

    def _is_package(self, fullname: str) -> bool:
        return self._file(fullname).name == "__init__.py"


def _run(name: str, source: Source) -> ModuleType:
    """Import a source under `name`."""
    finder = _Memory(name, source)
    above = name.partition(".")[0]
    if above not in sys.modules:
        outer = ModuleType(above)
        outer.__path__ = []
        sys.modules[above] = outer
    sys.meta_path.insert(0, finder)
    spec = finder.find_spec(name)
    if spec is None or spec.loader is None:
        raise NoRules(name.rpartition(".")[2], f"{source.place} is empty")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        sys.meta_path.remove(finder)
        raise
    return module


__all__ = ["FOLDER", "NotTrusted", "RulesFault", "Source", "fault_in", "find", "known", "load"]
