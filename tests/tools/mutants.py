"""Change the games' Python in one small place at a time and see whether the tests notice.

    python tests/tools/mutants.py [GAME …] [--count 200] [--seed 1] [--minutes 30] [--file war.py] [--json FILE]
    python tests/tools/mutants.py --again FILE

A mutant is another comparison, another operator, a constant one higher, a truth turned round or a statement left out.
Two processes, each in a copy of the project of its own, apply one mutant after the other and run the fastest tests
first: the game's cases and golden games that enter the function, its own tests and the laws, then scenes, one source
and rules off. Survivors are printed with their place and the change as soon as they are known, and written into the
`--json` file, from which `--again` takes them up once the tests were mended. Ends with status 1 if fewer than `--least`
percent were killed.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
WORKER = Path(__file__).with_name("mutant_worker.py")
COPIED = (
    "components",
    "companion",
    "generator",
    "layouts",
    "tests",
    "docs",
    "pyproject.toml",
    "README.md",
    "CHANGELOG.md",
)
COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
}  # fmt: skip
OPERATORS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "+"), ast.FloorDiv: ("//", "*"), ast.Mod: ("%", "*"),
    ast.BitOr: ("|", "&"), ast.BitAnd: ("&", "|"),
}  # fmt: skip


class Mutant(NamedTuple):
    """One change: the characters from `start` to `end` of a file become `text`."""

    game: str
    file: str
    line: int
    kind: str
    start: int
    end: int
    text: str

    def apply(self, source: str) -> str:
        return source[: self.start] + self.text + source[self.end :]

    def diff(self, source: str) -> str:
        """The changed lines before and after, without the rest of the file."""
        before, after = source.splitlines(), self.apply(source).splitlines()
        first = self.line - 1
        last = first + source[self.start : self.end].count("\n")
        now = after[first : last + 1 + len(after) - len(before)]
        return "\n".join([*(f"- {line}" for line in before[first : last + 1]), *(f"+ {line}" for line in now)])


# --- where a file can be changed ---------------------------------------------------------------------------------


class Finder(ast.NodeVisitor):
    """Every mutant of one file. Annotations, imports, decorators and the arguments of classes stay as they are."""

    def __init__(self, game: str, file: str, source: str) -> None:
        self.game, self.file, self.source = game, file, source
        self.found: list[Mutant] = []
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._lines = source.splitlines(keepends=True)

    def at(self, line: int, column: int) -> int:
        """The place of a character whose column is counted in bytes, as syntax trees do."""
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode())

    def span(self, node: ast.AST) -> tuple[int, int]:
        assert isinstance(node, ast.expr | ast.stmt)
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno, node.end_col_offset)

    def add(self, node: ast.expr | ast.stmt, kind: str, start: int, end: int, text: str) -> None:
        line = self.source.count("\n", 0, start) + 1
        self.found.append(Mutant(self.game, self.file, line, kind, start, end, text))

    def between(self, node: ast.expr, left: ast.expr, right: ast.expr, kind: str, old: str, new: str) -> None:
        """Replace the operator between two operands."""
        start, end = self.span(left)[1], self.span(right)[0]
        place = self.source.find(old, start, end)
        if place >= 0 and "#" not in self.source[start:end]:
            self.add(node, kind, place, place + len(old), new)

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, op, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            if type(op) in COMPARISONS:
                self.between(node, left, right, "comparison", *COMPARISONS[type(op)])
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        texts = (ast.JoinedStr, ast.List, ast.Tuple)
        plain = not any(isinstance(side, texts) or _is_text(side) for side in (node.left, node.right))
        if type(node.op) in OPERATORS and plain:
            self.between(node, node.left, node.right, "arithmetic", *OPERATORS[type(node.op)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        if len(node.values) == 2:
            self.between(node, node.values[0], node.values[1], "boolean", old, new)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            start = self.span(node)[0]
            self.add(node, "boolean", start, start + len("not"), "")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.add(node, "boolean", *self.span(node), str(not node.value))
        elif isinstance(node.value, int):
            self.add(node, "constant", *self.span(node), str(node.value + 1))

    def visit_If(self, node: ast.If) -> None:
        if getattr(node.test, "id", "") != "TYPE_CHECKING":
            self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.add(node, "dropped statement", *self.span(node), "pass")
            self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.add(node, "dropped statement", *self.span(node), "pass")
        self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        if all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets):
            self.add(node, "dropped statement", *self.span(node), "pass")
        self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Delete(self, node: ast.Delete) -> None:
        self.add(node, "dropped statement", *self.span(node), "pass")

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for part in (*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body):
            self.visit(part)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for part in node.body:
            self.visit(part)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """The parts of an f-string have no exact places before Python 3.12."""


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def mutants_of(game: str, engine: str, only: str) -> Iterator[Mutant]:
    """Every mutant of a game's rules, or of its files whose names end in `only`."""
    folder = ROOT / "companion" / "games"
    for path in sorted([*folder.glob(f"{engine}.py"), *(folder / engine).rglob("*.py")]):
        if path.name.endswith(only):
            source = path.read_text(encoding="utf-8")
            finder = Finder(game, str(path.relative_to(ROOT)), source)
            finder.visit(ast.parse(source))
            yield from finder.found


# --- running them ------------------------------------------------------------------------------------------------


class Result(NamedTuple):
    mutant: Mutant
    killed_by: str
    """The tests that noticed; empty: it survived."""
    seconds: float
    diff: str
    """The change in the source that was run, which may have moved on since."""


class WorkerError(Exception):
    """A process that cannot test mutants."""


class Runner:
    """Hands mutants to processes that test them, until all are done or the time is up."""

    def __init__(
        self, mutants: list[Mutant], minutes: float, patience: float, stages: int, file: Path | None = None
    ) -> None:
        self.waiting = list(mutants)
        self.until = time.monotonic() + 60 * minutes
        self.patience = patience
        self.stages = stages
        self.file = file
        self.results: list[Result] = []
        self.fault = ""
        self._lock = threading.Lock()

    def run(self, processes: int) -> list[Result]:
        threads = [threading.Thread(target=self._work) for _ in range(processes)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self.fault:
            raise SystemExit(self.fault)
        return self.results

    def _next(self) -> Mutant | None:
        with self._lock:
            return self.waiting.pop(0) if self.waiting and time.monotonic() < self.until else None

    def _work(self) -> None:
        try:
            self._test_mutants()
        except WorkerError as error:
            self.fault = str(error)
            self.waiting.clear()

    def _test_mutants(self) -> None:
        with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
            copy = Path(folder) / "project"
            copy_project(copy)
            worker: subprocess.Popen[str] | None = None
            game = ""
            while (mutant := self._next()) is not None:
                if worker is None or mutant.game != game:
                    stop(worker)
                    game = mutant.game
                    worker = start_worker(copy, game, self.patience, self.stages)
                began = time.monotonic()
                file = copy / mutant.file
                source = file.read_text(encoding="utf-8")
                replace(file, mutant.apply(source))
                killed_by = ask(worker, f"{mutant.file}:{mutant.line}")
                replace(file, source)
                self._report(Result(mutant, killed_by, time.monotonic() - began, mutant.diff(source)))
            stop(worker)

    def _report(self, result: Result) -> None:
        with self._lock:
            self.results.append(result)
            m = result.mutant
            said = f"killed by {result.killed_by}" if result.killed_by else f"SURVIVED, {time.strftime('%H:%M:%S')}"
            print(f"{len(self.results):4} {m.file}:{m.line} {m.kind}: {said} ({result.seconds:.1f} s)", flush=True)
            if not result.killed_by:
                print(f"{result.diff}\n", flush=True)
            if self.file is not None:
                self.file.write_text(json.dumps(as_json(self.results), indent=1), encoding="utf-8")


def copy_project(to: Path) -> None:
    to.mkdir()
    skipped = shutil.ignore_patterns("__pycache__", "*.png")
    for name in COPIED:
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, to / name, ignore=skipped)
        else:
            shutil.copy(path, to / name)


def replace(file: Path, source: str) -> None:
    """Write a module, so that no compiled form of what stood there before is used."""
    file.write_text(source, encoding="utf-8")
    for compiled in file.parent.glob(f"__pycache__/{file.stem}.*.pyc"):
        compiled.unlink()


def start_worker(copy: Path, game: str, patience: float, stages: int) -> subprocess.Popen[str]:
    folders = [copy, *(copy / "tests" / name for name in ("games", "companion", "generator"))]
    path = os.pathsep.join(map(str, folders))
    environment = {**os.environ, "PYTHONPATH": path, "XDG_CACHE_HOME": str(copy.parent / "cache")}
    command = [sys.executable, str(copy / WORKER.relative_to(ROOT)), game, str(patience), str(stages)]
    worker = subprocess.Popen(
        command, cwd=copy, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    survived = ask(worker)
    if survived:
        stop(worker)
        raise WorkerError(f"{game}: '{survived}' fails without any mutant; mend that first")
    return worker


def ask(worker: subprocess.Popen[str], place: str = "") -> str:
    """What noticed the code as it stands now, changed at `place` (`FILE:LINE`)."""
    assert worker.stdin is not None and worker.stdout is not None
    worker.stdin.write(f"{place}\n")
    worker.stdin.flush()
    answer = worker.stdout.readline()
    if not answer:
        raise WorkerError("a process that runs mutants has ended")
    return answer.strip().removeprefix("-")


def stop(worker: subprocess.Popen[str] | None) -> None:
    if worker is not None and worker.stdin is not None:
        worker.stdin.close()
        worker.wait()


# --- the report --------------------------------------------------------------------------------------------------


def report(results: list[Result], left: int) -> str:
    survivors = sorted((r for r in results if not r.killed_by), key=lambda r: (r.mutant.file, r.mutant.line))
    lines = [""]
    for mutant, *_, diff in survivors:
        lines += [f"{mutant.file}:{mutant.line}: {mutant.kind}", diff, ""]
    for game in sorted({r.mutant.game for r in results}):
        of_game = [bool(r.killed_by) for r in results if r.mutant.game == game]
        lines.append(f"{game}: {sum(of_game)} of {len(of_game)} killed")
    for name, number in Counter(r.killed_by or "nothing" for r in results).most_common():
        lines.append(f"  {number:4} by {name}")
    lines.append(f"{percent(results):.1f} % of {len(results)} mutants killed" + (f"; {left} not run" if left else ""))
    return "\n".join(lines)


def percent(results: list[Result]) -> float:
    return 100 * sum(bool(r.killed_by) for r in results) / len(results) if results else 0.0


def as_json(results: list[Result]) -> list[dict[str, Any]]:
    return [
        {**r.mutant._asdict(), "killed_by": r.killed_by or None, "seconds": round(r.seconds, 2), "diff": r.diff}
        for r in results
    ]


def again(file: Path, every: list[Mutant]) -> list[Mutant]:
    """The mutants that survived a run written into a file: the same change of the same words, wherever they stand now.
    A change of words that are gone is said and left out."""
    survived = [one for one in json.loads(file.read_text(encoding="utf-8")) if one["killed_by"] is None]
    sources = {name: (ROOT / name).read_text(encoding="utf-8") for name in {one["file"] for one in survived}}
    now = {(m.file, m.kind, m.diff(sources[m.file])): m for m in every if m.file in sources}
    for one in survived:
        if (one["file"], one["kind"], one["diff"]) not in now:
            print(f"{one['file']}:{one['line']} {one['kind']}: these words are gone\n{one['diff']}\n", flush=True)
    keys = [(one["file"], one["kind"], one["diff"]) for one in survived]
    return [now[key] for key in keys if key in now]


def main() -> int:
    sys.path.insert(0, str(ROOT))
    from components.loader import list_games
    from components.resolve import resolve_game

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="games to change (default: all)")
    parser.add_argument("--count", type=int, default=200, help="how many mutants, of all games together (default: 200)")
    parser.add_argument("--seed", type=int, default=1, help="which mutants are chosen (default: 1)")
    parser.add_argument("--minutes", type=float, default=30, help="begin no mutant after that time (default: 30)")
    parser.add_argument(
        "--patience", type=float, default=240, help="CPU seconds for one part of the tests (default: 240)"
    )
    parser.add_argument("--stages", type=int, default=99, help="2: cases and golden games only, which kills fewer")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--file", default=".py", help="change only files whose names end like this")
    parser.add_argument("--least", type=float, default=0.0, help="percent that have to be killed")
    parser.add_argument("--json", type=Path, help="write every result into this file, as it comes")
    parser.add_argument("--again", type=Path, metavar="FILE", help="only what survived in an earlier --json file")
    asked = parser.parse_args()
    unknown = sorted(set(asked.games) - set(list_games()))
    if unknown:
        parser.error(f"there is no game {', '.join(unknown)}; there are {', '.join(list_games())}")
    games = asked.games or list_games()
    every = [m for game in games for m in mutants_of(game, resolve_game(game).engine, asked.file)]
    if asked.again:
        chosen = again(asked.again, every)
    else:
        chosen = random.Random(asked.seed).sample(every, min(asked.count, len(every)))
    chosen.sort(key=lambda mutant: mutant.game)
    print(f"{len(chosen)} of {len(every)} mutants of {', '.join(games)}", flush=True)
    runner = Runner(chosen, asked.minutes, asked.patience, asked.stages, asked.json)
    results = runner.run(asked.processes)
    print(report(results, len(runner.waiting)))
    return 1 if percent(results) < asked.least else 0


if __name__ == "__main__":
    sys.exit(main())
