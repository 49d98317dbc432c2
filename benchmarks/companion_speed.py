"""How fast the companion answers: as a command and inside a process. `python benchmarks/companion_speed.py [GAME]`.
`--modules` plays a game with these modules of it (parameters `play.MODULE`), `all` with every one.

As a command it is compared with an empty typer command, in turn. Nothing is asserted; the figures go to RESULTS.md.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from measure import peak_memory, private_env, record, timed

from companion.engine.decisions.fields import THING_BY_THING, Field
from companion.engine.decisions.menus import Menu, Said
from companion.engine.decisions.pending import decisions
from companion.engine.decisions.records import Value, Verb
from companion.engine.language.notation import NotationError, read, write
from companion.engine.language.saying import short
from companion.engine.play.moves import Move
from companion.engine.play.parts import Turn
from companion.engine.play.playout import play_out, simulate
from companion.engine.play.position import Position, Rules
from companion.engine.table.table import Table
from companion.games import load_rules
from components.resolve import resolve_game

EMPTY = """
import typer
app = typer.Typer(rich_markup_mode=None, add_completion=False)
@app.command()
def one() -> None: print("done")
@app.command()
def two() -> None: print("done")
app()
"""
COMPANION = "import sys; from companion.cli.main import main; sys.exit(main())"
EVENTS = 300
"""Moves of the game that the table has seen, if nothing else is asked for."""
SEEDS = 20
"""So many games are tried for one that is long enough."""
GAMES = 20
MOST_FIELDS = 40
"""So many fields of a move are filled at most."""
HARDEST = 10
"""Positions with the slowest lists of legal moves, which are measured again."""


Played = tuple[Position[Any], Move]


def random_game(rules: Rules, seats: list[str], events: int | None, seed: int) -> tuple[list[Played], Move | None]:
    """`events` (position, legal move) pairs of one random game from its set-up on, and a legal next move.

    A game that is too short is left for the next seed's; where all are, the longest is taken up to its last move.
    Without `events` it is the whole game, with no next move.
    """
    if events is None:
        return played(rules, seats, None, seed), None
    longest: list[Played] = []
    for other in range(seed, seed + SEEDS):
        found = played(rules, seats, events + 1, other)
        longest = max(longest, found, key=len)
        if len(longest) > events:
            break
    return longest[:-1], longest[-1][1]


def played(rules: Rules, seats: list[str], most: int | None, seed: int) -> list[Played]:
    """The positions of a random game with the moves made in them, `most` of them at most."""
    rng = Random(seed)
    at: Position[Any] = Position(rules, rules.new_state(), quiet=True)
    move: Move | None = rules.setup_move(seats, {})
    found: list[Played] = []
    while move is not None and len(found) != most:
        verdict = at.judge(move)
        if verdict.legal:
            found.append((at.copy(), verdict.move))
            at.carry_out(verdict)
        move = None if rules.over(at.state) else rules.propose(at, rng)
    return found


def milliseconds(work: Any, runs: int) -> float:
    """Median of `runs` runs."""
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken)


class Listed(NamedTuple):
    """A position, how many moves are legal in it, and in how many milliseconds they were listed at best."""

    at: Position[Any]
    moves: int
    best: float


def hardest(rules: Rules, seats: list[str], games: int) -> list[str]:
    """The list of legal moves in every position of several random games: the longest and the slowest, as rows."""
    found: list[Listed] = []
    for seed in range(1, games + 1):
        for at, _ in random_game(rules, seats, None, seed)[0]:
            taken = []
            for _ in range(2):
                start = time.perf_counter()
                moves = len(at.legal())
                taken.append((time.perf_counter() - start) * 1000)
            found.append(Listed(at, moves, min(taken)))
    longest = max(found, key=lambda one: one.moves)
    slow = sorted(found, key=lambda one: one.best, reverse=True)[:HARDEST]
    slowest = max(milliseconds(one.at.legal, 9) for one in slow)
    return [
        f"| the longest list in {len(found):,} positions of {games} games, {longest.moves} moves "
        f"| {milliseconds(longest.at.legal, 9):.2f} ms | |",
        f"| the slowest list in them | {slowest:.2f} ms | |",
    ]


def heard(pairs: list[Played]) -> list[str]:
    """Typed lines read, one move each and two joined by `and`, as rows of processor time."""
    rows, lines = [], [(at, short(move, at)) for at, move in pairs if at.seats]
    for what, said in (
        ("a line read", lines),
        ("two moves joined by `and` read", [(at, f"{one} and {two}") for (at, one), (_, two) in pairwise(lines)]),
    ):
        taken = []
        for at, line in said:
            start = time.process_time()
            with suppress(NotationError):
                read(line, at)
            taken.append((time.process_time() - start) * 1000)
        of_20 = statistics.quantiles(taken, n=20)[18]
        rows.append(
            f"| {what}; 19 of 20 take {of_20:.2f} ms | {statistics.median(taken):.2f} ms | {max(taken):.2f} ms |"
        )
    return rows


def menus(rules: Rules, seats: list[str]) -> list[str]:
    """What a seat may say, in every position of several random games, as rows of processor time: the verbs with their
    verdicts; the values of each field on the way to a move picked by chance; the line of that move."""
    taken: dict[str, list[float]] = {"verbs": [], "values": [], "line": []}

    def timed_as(what: str, work: Any) -> Any:
        start = time.process_time()
        found = work()
        taken[what].append((time.process_time() - start) * 1000)
        return found

    for seed in range(1, GAMES + 1):
        rng = Random(seed)
        for at, _ in played(rules, seats, None, seed)[1:]:
            who = rng.choice(decisions(at)).who
            menu, verbs = timed_as("verbs", lambda at=at, who=who: verbs_of(at, who))
            open_now = [verb.name for verb in verbs if verb.standing in ("legal", "incomplete")]
            came_to = menu.next(rng.choice(open_now)) if open_now else None
            for _ in range(MOST_FIELDS):
                if isinstance(came_to, Field):
                    came_to = picked(came_to, timed_as("values", lambda field=came_to: field.values), rng)
            if isinstance(came_to, Said):
                timed_as("line", lambda said=came_to: said.line)
    names = {"verbs": "the verbs of a seat with verdicts", "values": "the values of one field", "line": "a move's line"}
    rows = []
    for what, found in taken.items():
        of_20, median = statistics.quantiles(found, n=20)[18], statistics.median(found)
        rows.append(f"| {names[what]}; 19 of 20 take {of_20:.2f} ms | {median:.2f} ms | {max(found):.2f} ms |")
    return rows


def verbs_of(at: Position[Any], who: str) -> tuple[Menu, list[Verb]]:
    """A menu with all its verbs judged."""
    found = Menu(at, who)
    return found, [*found.verbs, *found.offers]


def picked(field: Field, values: list[Value], rng: Random) -> Field | Said | None:
    """The field after one that says something by chance; None: nothing can be said in it."""
    legal = [value.value for value in values if not value.refused]
    if field.kind in THING_BY_THING and not field.unfinished:
        return field.done()
    if not legal:
        return field.leave() if field.optional else field.take(field.bounds[0]) if field.bounds else None
    if field.kind in THING_BY_THING and field.kind != "steps":
        return field.add(rng.choice(legal))
    return field.take(rng.choice(legal))


def parts(moves: list[Move]) -> int:
    """How many judgments there are in some moves: each move is one, and each step of a turn."""
    return sum(1 + (len(move.parts()) if isinstance(move, Turn) else 0) for move in moves)


def parts_a_second(rules: Rules, seats: list[str]) -> float:
    """Judged parts of whole random games in a second of processor time."""
    done, spent = 0, 0.0
    for seed in range(1, GAMES + 1):
        start = time.process_time()
        play_out(rules, seats, seed)
        spent += time.process_time() - start
        done += parts([move for _, move in random_game(rules, seats, None, seed)[0]])
    return done / spent


def inside(rules: Rules, pairs: list[Played], path: Path) -> list[str]:
    """Verdicts, legal lists, replay and playouts in this process."""
    verdicts = [milliseconds(lambda at=at, move=move: at.judge(move), 5) for at, move in pairs]
    lists = [milliseconds(at.legal, 3) for at, _ in pairs[::5]]
    with Table.open(path, load_rules) as table:
        lines = table.history.lines
        replay = milliseconds(lambda: table.replayed(lines), 9)
        whole = milliseconds(table.reload, 5)
    seats = list(pairs[-1][0].seats)
    found = simulate(rules, seats, GAMES, 1)
    judged = parts_a_second(rules, seats)
    most = statistics.quantiles(verdicts, n=100)[98]
    return [
        "| inside a process | median | worst |",
        "|---|---|---|",
        f"| a verdict; 99 of 100 take {most:.3f} ms | {statistics.median(verdicts):.3f} ms | {max(verdicts):.3f} ms |",
        f"| the list of legal moves | {statistics.median(lists):.2f} ms | {max(lists):.2f} ms |",
        *hardest(rules, seats, GAMES),
        *heard(pairs),
        *menus(rules, seats),
        f"| replay of {len(lines)} events | {replay:.2f} ms | |",
        f"| reading the journal and replaying it | {whole:.2f} ms | |",
        *drawn(pairs[-1][0]),
        "",
        f"Random playouts, {found.players} players, verdicts on, laws off: {found.games} games, {found.moves:,} moves, "
        f"{found.rate:,.0f} moves a second. {judged:,.0f} judged parts (moves and steps of turns) in a second of CPU.",
    ]


def drawn(at: Position[Any]) -> list[str]:
    """From a position to the SVG of its table, as rows: with faces drawn before, and from nothing."""
    from companion.cli.picture import pictures

    env, rows = dict(os.environ), []
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(private_env(Path(folder)))
        first = milliseconds(lambda: pictures(at, ["svg"]), 1)
        rows.append(
            f"| from position to SVG | {milliseconds(lambda: pictures(at, ['svg']), 9):.0f} ms | {first:.0f} ms |"
        )
        os.environ.clear()
        os.environ.update(env)
    return rows


def commands(folder: Path, path: Path, text: str, runs: int) -> list[str]:
    """The commands against an empty typer command, in turn."""
    # Installed programs run from compiled modules: the first, uncounted run of each command compiles them.
    env = private_env(folder) | {
        "TABLEWRIGHT_HOME": str(path.parent.parent),
        "PYTHONPYCACHEPREFIX": str(folder / "pyc"),
    }
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    keep = folder / "keep.db"
    shutil.copy(path, keep)
    empty = [sys.executable, "-c", EMPTY, "one"]
    base = [sys.executable, "-c", COMPANION]
    asked = {
        "check": [*base, "check", text],
        "do": [*base, "do", text],
        "show": [*base, "show"],
        "show --svg": [*base, "show", "--svg", str(folder / "table.svg")],
        "moves": [*base, "moves"],
    }
    seconds: dict[str, list[float]] = {"empty": [], **{name: [] for name in asked}}
    for command in (empty, *asked.values()):
        timed(command, 1, env)
    for _ in range(runs):
        seconds["empty"] += timed(empty, 1, env)
        for name, command in asked.items():
            seconds[name] += timed(command, 1, env, before=lambda: shutil.copy(keep, path))  # type: ignore[arg-type]
    shutil.copy(keep, path)
    floor = statistics.median(seconds["empty"]) * 1000
    out = ["| command | median | above an empty typer command | memory |", "|---|---|---|---|"]
    out.append(f"| an empty typer command | {floor:.0f} ms | | {peak_memory(empty, env):.0f} MiB |")
    for name, command in asked.items():
        median = statistics.median(seconds[name]) * 1000
        out.append(
            f"| `companion {name}` | {median:.0f} ms | {median - floor:+.0f} ms | {peak_memory(command, env):.0f} MiB |"
        )
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="warring-states")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--events", type=int, default=EVENTS, help="moves of the game that the table has seen")
    parser.add_argument("--modules", default="", help="modules to play with, or `all`")
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    known = [name for name in resolve_game(options.game).params if name.startswith("play.")]
    chosen = known if options.modules == "all" else [f"play.{name}" for name in options.modules.split(",") if name]
    game = resolve_game(options.game, sets=dict.fromkeys(chosen, True))
    rules = load_rules(game)
    seats = (game.seats or [f"seat{i}" for i in range(1, 10)])[: options.players]
    pairs, following = random_game(rules, seats, options.events, 1)
    assert following is not None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "home" / "tables" / "bench.db"
        table, _ = Table.create(path, game, load_rules, people=dict.fromkeys(seats, ""))
        if table is None:
            raise SystemExit("the set-up was refused")
        with table:
            for _, move in pairs[1:]:
                table.do([move])
            text = write(following, table.position)
        lines = commands(folder, path, text, options.runs)
        lines += ["", f"Tables with {len(pairs)} events; the move was `{text}`.", "", *inside(rules, pairs, path)]
    with_modules = f" with {options.modules} modules" if options.modules else ""
    record(f"companion {game.id}{with_modules}", f"The companion at a table of {game.title}{with_modules}", lines)


if __name__ == "__main__":
    main()
