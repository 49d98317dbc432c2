"""Who may import whom, and who may know a game's name. Read from the source, so that lazy imports count too."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import networkx
import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("components", "generator", "companion")
MODULES = sorted(
    path for package in PACKAGES for path in (ROOT / package).rglob("*.py") if "starter_game" not in path.parts
)
GENERIC = [path for path in MODULES if not path.is_relative_to(ROOT / "companion" / "games")]


def dotted(path: Path) -> str:
    """The module name of a file."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path, typing: bool = True) -> tuple[str, ...]:
    """Full names of everything of the project that a file imports, wherever in the file, by text names too.

    `typing` False leaves out what only a type checker imports.
    """
    return tuple(_imports(path, typing))


def _imports(path: Path, typing: bool) -> Iterator[str]:
    own = dotted(path).split(".")
    package = own if path.name == "__init__.py" else own[:-1]
    for node in nodes(parsed(path), typing):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = (
                ".".join([*package[: len(package) - node.level + 1], node.module or ""]) if node.level else node.module
            )
            yield from (f"{base}.{name.name}".replace("..", ".") for name in node.names)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "import_module":
            yield from _text_of(node.args[0])


def nodes(tree: ast.AST, typing: bool) -> Iterator[ast.AST]:
    """Every node below `tree`, with or without the blocks `if TYPE_CHECKING:`."""
    for node in ast.iter_child_nodes(tree):
        if typing or not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            yield node
            yield from nodes(node, typing)


def _text_of(node: ast.expr) -> Iterator[str]:
    """The beginning of a module name given as text."""
    if isinstance(node, ast.JoinedStr) and node.values and isinstance(node.values[0], ast.Constant):
        yield str(node.values[0].value)
    elif isinstance(node, ast.Constant):
        yield str(node.value)


def inside(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def is_command_line(name: str) -> bool:
    """Whether a name is, or comes from, a command-line module of either program."""
    return re.match(r"(generator|companion)\.cli(\.|$)", name) is not None


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_imports_go_the_way_they_should(path: Path) -> None:
    me = dotted(path)
    for name in imports(path):
        if inside(me, "components"):
            assert not inside(name, "generator") and not inside(name, "companion"), name
        if inside(me, "generator") and not is_command_line(me):
            assert not inside(name, "companion"), name
        if inside(me, "companion") and not is_command_line(me):
            assert not inside(name, "generator"), name
        if inside(me, "companion.engine"):
            assert not inside(name, "companion.games"), name
        if inside(name, "companion.lab"):
            dealer = re.fullmatch(r"companion\.games\.\w+\.dealer", me)
            assert inside(me, "companion.lab") or is_command_line(me) or dealer, name
        if inside(me, "companion.lab"):
            assert not inside(name, "companion.phones") and not inside(name, "companion.games"), name
        if is_command_line(name):
            assert is_command_line(me), f"{name}: a command-line module"


@pytest.mark.parametrize("path", [path for path in MODULES if is_command_line(dotted(path))], ids=dotted)
def test_a_command_line_reads_the_other_half_only_inside_functions(path: Path) -> None:
    other = "companion" if inside(dotted(path), "generator") else "generator"
    for node in parsed(path).body:
        if isinstance(node, ast.ImportFrom | ast.Import):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [name.name for name in node.names]
            assert not any(inside(name, other) for name in names), ast.unparse(node)


ROOMS_OF_GAMES = (
    "companion.rules",
    "companion.engine",
    "companion.games",
    "components.model",
    "components.phrasing",
    "components.scene",
    "components.sentences",
)


def test_one_room_knows_the_server_library() -> None:
    for path in MODULES:
        for name in imports(path):
            if name.split(".")[0] in ("starlette", "uvicorn"):
                assert inside(dotted(path), "components.web"), f"{dotted(path)}: {name}"


STAGES = ("paper", "faces", "scenes", "sheets", "backends", "book", "proofing", "build", "live", "cli")
"""The folders of `generator/` in the order in which data goes through them."""


@pytest.mark.parametrize("path", [path for path in MODULES if inside(dotted(path), "generator")], ids=dotted)
def test_a_stage_of_the_generator_knows_only_earlier_ones(path: Path) -> None:
    own = path.relative_to(ROOT / "generator").parts[0]
    if own in STAGES:  # all but the package itself
        for name in imports(path):
            stage = name.split(".")[1] if inside(name, "generator") and "." in name else ""
            assert stage == "" or STAGES.index(stage) <= STAGES.index(own), f"{dotted(path)}: {name}"


READERS = (
    "formats.load_papers",
    "formats.load_formats",
    "marks.load_style",
    "look.load_look",
    "rulebook.load_book_look",
    "scenes.look.load_scene_look",
)
"""What reads layout files."""


def test_layouts_are_read_at_one_door() -> None:
    for path in MODULES:
        for name in imports(path):
            if name.endswith(READERS):
                assert dotted(path) == "generator.build.project", f"{dotted(path)} reads layouts: {name}"


def test_only_the_command_lines_look_for_the_users_folders() -> None:
    """And what both of them share, `components/program.py`."""
    for path in MODULES:
        if any(inside(name, "platformdirs") for name in imports(path)):
            assert is_command_line(dotted(path)) or path.name == "program.py", dotted(path)


def test_no_modules_import_each_other_in_a_circle() -> None:
    circles = [sorted(ring) for ring in networkx.strongly_connected_components(graph()) if len(ring) > 1]
    assert circles == []


def graph() -> networkx.DiGraph[str]:
    """Which module of the project imports which when it runs: what only a type checker reads does not count. A game's
    rules and a position are halves of one thing: the rules make positions to judge them."""
    modules = {dotted(path): path for path in MODULES if dotted(path) != "companion.engine.play.rules"}
    found: networkx.DiGraph[str] = networkx.DiGraph()
    for me, path in modules.items():
        for name in imports(path, typing=False):
            meant = name if name in modules else name.rpartition(".")[0]
            if meant in modules and meant != me:
                found.add_edge(me, meant)
    return found


def test_games_know_the_engine_the_model_and_the_phrasing_and_nothing_else_of_the_project() -> None:
    for path in (ROOT / "companion" / "games").rglob("*.py"):
        for name in imports(path):
            if name.split(".")[0] in PACKAGES:
                if dotted(path) == "companion.games" and inside(name, "companion.own"):
                    continue  # the one door to all games: those of a project, too
                if path.name == "dealer.py" and inside(name, "companion.lab"):
                    continue  # what only the lab asks of a game
                assert any(inside(name, room) for room in ROOMS_OF_GAMES), f"{dotted(path)}: {name}"


def test_a_game_does_not_import_another_one() -> None:
    games = ROOT / "companion" / "games"
    for path in games.glob("*/**/*.py"):
        own = path.relative_to(games).parts[0]
        for name in imports(path):
            found = re.match(r"companion\.games\.(\w+)", name)
            assert found is None or found.group(1) == own, f"{dotted(path)}: {name}"


ENGINE = ("things", "play", "language", "decisions", "answers", "table")
"""The rooms of the engine: each may import those before it, and none behind it."""


def test_the_rooms_of_the_engine_are_imported_in_their_order() -> None:
    ahead = set()
    for room in ENGINE:
        for path in (ROOT / "companion" / "engine" / room).glob("**/*.py"):
            for name in imports(path, typing=False):
                for later in ENGINE[ENGINE.index(room) + 1 :]:
                    if inside(name, f"companion.engine.{later}"):
                        ahead.add((dotted(path), f"companion.engine.{later}"))
    assert ahead == set()


def game_words() -> list[str]:
    """Names of games as they might be written: ids, module names, titles, rule prefixes with a dash."""
    words: list[str] = []
    for file in sorted((ROOT / "components").glob("*/game.yaml")):
        text = file.read_text(encoding="utf-8")
        keys = {key: value.strip("\"' ") for key, value in re.findall(r"^(id|title|prefix|engine): *(.+)$", text, re.M)}
        words += [keys["id"], keys["title"], *filter(None, [keys.get("engine")]), f"{keys['prefix']}-"]
    return words


def test_nothing_generic_knows_a_game() -> None:
    known = re.compile("|".join(rf"(?<![\w-]){re.escape(word)}" for word in game_words()), re.IGNORECASE)
    for path in GENERIC:
        for n, line in enumerate(code_lines(path), 1):
            found = known.search(line)
            assert found is None, f"{path.relative_to(ROOT)}:{n} knows {found and found.group()!r}: {line.strip()}"
    for file in (ROOT / "layouts").glob("*.yaml"):
        assert known.search(file.read_text(encoding="utf-8")) is None, f"{file.name} is shared by all games"


def code_lines(path: Path) -> list[str]:
    """The lines of a file without its docstrings and comments: an example in a help text may name a game."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for n in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[n] = ""
    return [re.sub(r"(^|\s)#.*", "", line) for line in lines]
