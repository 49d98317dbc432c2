"""What all tests share: golden files, reviewed as text and renewed with `pytest --update-golden`."""

from __future__ import annotations

import difflib
import functools
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from components import cache, loader, resolve
from components.model import ResolvedGame
from tests.chromium import CHROMIUM

GOLDEN = Path(__file__).parent / "golden"
PROJECT = GOLDEN.parents[1]
TOY = GOLDEN.parent / "companion" / "toy"

_read = functools.cache(loader.load)
_load = loader.load


def load_once(game_id: str, root: Path | None = None) -> loader.Definition:
    """`loader.load`, once for the games of the box and the toy: hundreds of tests set other parameters of them."""
    return _read(game_id, root) if root in (None, PROJECT, TOY) else _load(game_id, root)


_resolve = resolve._resolve
_resolved: dict[str, bytes] = {}


def resolve_once(
    game_id: str, variants: list[str], sets: Mapping[str, Any], root: Path | None, *how: Any
) -> ResolvedGame:
    """`resolve_game`, worked out once for the games of the box and the toy; each test has a copy of its own."""
    if root not in (None, PROJECT, TOY) or loader.load is not load_once:
        return _resolve(game_id, variants, sets, root, *how)
    key = repr((game_id, variants, list(sets.items()), root == TOY, how[:2]))
    if key not in _resolved:
        _resolved[key] = cache.encode_game(_resolve(game_id, variants, sets, root, *how))
    return cache.decode_game(_resolved[key])


def pytest_configure() -> None:
    loader.load = load_once
    resolve._resolve = resolve_once
    gc.set_threshold(100_000, 10, 2)  # seldom, for much is kept for later tests; but what goes round in circles goes


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()  # modules and tests stay to the end


def pytest_runtest_setup(item: pytest.Item) -> None:
    if not CHROMIUM and item.get_closest_marker("browser"):
        pytest.skip("no Chromium on this machine: apt install chromium")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--case", default="", metavar="TEXT", help="run only cases with TEXT in their names")
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew instead of comparing")


@pytest.fixture(autouse=True)
def project_as_it_was() -> Iterator[None]:
    """A command that a test runs in this process chooses its project for the rest of it."""
    module = sys.modules.get("generator.cli.common")
    before = dict(vars(module.settings)) if module else None
    yield
    if module := sys.modules.get("generator.cli.common"):
        vars(module.settings).update(before or vars(module.Settings()))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Each process takes tests that stand together, so that what one has loaded or drawn is there for the next."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getoption("dist") == "load" else None


def shared(factory: pytest.TempPathFactory, name: str) -> Path:
    """A folder that the processes of this run share."""
    own = factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / name
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def caches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the program keeps games, metrics of fonts and faces (`XDG_CACHE_HOME`) from test to test: they depend on
    nothing that the tests do with them."""
    return shared(tmp_path_factory, "caches")


@pytest.fixture(scope="session", autouse=True)
def shared_faces(caches: Path) -> None:
    """The processes of this run share the faces they have drawn: those of tests of art (see `artkit.stored`), and what
    the program keeps."""
    folder = caches / "art"
    folder.mkdir(exist_ok=True)
    os.environ["TABLEWRIGHT_TEST_FACES"] = str(folder)
    os.environ["XDG_CACHE_HOME"] = str(caches)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`golden(name, text)`: the text must equal `tests/golden/<name>`; the first differences are shown."""

    def compare(name: str, text: str) -> None:
        file = GOLDEN / name
        if request.config.getoption("--update-golden"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            return
        assert file.is_file(), f"no golden file {name}: look at the text, then run pytest --update-golden"
        before = file.read_text(encoding="utf-8")
        if before != text:
            lines = difflib.unified_diff(before.splitlines(), text.splitlines(), name, "now", lineterm="", n=1)
            pytest.fail("\n".join(list(lines)[:30]), pytrace=False)

    return compare


@contextmanager
def _within(seconds: float, what: str = "this") -> Iterator[None]:
    """Stop what takes longer than so many seconds: TimeoutError."""

    def rung(*_: object) -> None:
        raise TimeoutError(f"{what} took more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, rung)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _with_memory(more: int) -> Iterator[None]:
    """Refuse memory beyond so many bytes more than are in use, where the system knows how much that is: MemoryError."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    used = int(statm.read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + more, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.fixture(scope="session")
def with_memory() -> Callable[[int], AbstractContextManager[None]]:
    """`with with_memory(2**28): …` fails what takes more memory, before it takes all there is."""
    return _with_memory


@pytest.fixture(scope="session")
def within() -> Callable[..., AbstractContextManager[None]]:
    """`with within(5): …` fails what hangs, while it hangs."""
    return _within
