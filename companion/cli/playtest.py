"""`companion playtest`: what a change does before it is printed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli import common
from components.model import BASE
from components.phrasing import count, join_and, span, suggest
from components.program import STOPPED

if TYPE_CHECKING:
    from companion.engine.play.position import Rules
    from companion.lab.results import Report
    from companion.lab.runs import Plan, Progress, Share

MOST_SIDES = 20
AS_IT_IS = "as it is"
PRESENT = f" ({AS_IT_IS})"
"""After the value that a parameter has, in a sweep."""


def playtest(
    game: Annotated[
        str, typer.Argument(help="The game. Default: the only one of your project.", show_default=False)
    ] = "",
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games to play, at most.")] = 1000,
    precision: Annotated[
        str, typer.Option("--precision", help="Stop once every share of wins is as exact as this: 1%.", metavar="SHARE")
    ] = "",
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            help="Compare with a change: army_cost=3, a variant, a module, a project's folder. Repeat for more.",
        ),
    ] = None,
    sweep: Annotated[
        str, typer.Option("--sweep", help="Compare with each value of a parameter.", metavar="NAME=1..4")
    ] = "",
    without: Annotated[
        list[str] | None,
        typer.Option(
            "--without", help="Compare with the game without a rule or module, or with one player who never uses it."
        ),
    ] = None,
    bots: Annotated[
        str,
        typer.Option(
            "--bots", help="Who plays, e.g. greedy,random (the default is random): the first takes each seat in turn."
        ),
    ] = "",
    players: Annotated[
        int, typer.Option("--players", help="Number of players. Default: the fewest the game takes.")
    ] = 0,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same games.")] = 1,
    jobs: Annotated[int, typer.Option("--jobs", min=0, max=256, help="Processes; 0: one per core.")] = 0,
    cluster: Annotated[
        str,
        typer.Option("--cluster", help="Play on a Dask cluster: tcp://ADDRESS, or `local` to try.", metavar="ADDRESS"),
    ] = "",
    most: Annotated[int, typer.Option("--most", min=1, help="Moves after which a game counts as endless.")] = 20_000,
    resume: Annotated[bool, typer.Option("--resume", help="Continue an earlier run of the same games.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the report: HTML, PDF, JSON, CSV and tables.")
    ] = None,
    open_: Annotated[
        int | None,
        typer.Option("--open", min=0, help="Turn the game with this number into a table, and play no other."),
    ] = None,
    variant: common.Variants = None,
    sets: common.Sets = None,
    json: common.AsJson = False,
) -> None:
    """Play many games and report what stands out: who wins, how long it takes, what is never used.

    With --against, --sweep or --without, the same games are played both ways and compared one by one.

    Example: companion playtest dynasties --games 200 --against hand.start_extra=3
    """
    from companion.lab.findings import report
    from companion.lab.measures import exact_enough
    from companion.lab.runs import begun, run

    game = common.named(game or common.only_game())
    plan = _plan(game, variant, sets, against, sweep, without, bots, players, seed, most)
    if open_ is not None:
        return _open(plan, open_, json)
    wanted = _precision(precision)
    kept_in = common.cache_folder("lab") / f"{plan.digest}{'-looked' if wanted else ''}.json"
    kept = begun(plan, kept_in if resume else None)
    if resume:
        before = f"{count(kept.games, 'game')} played before" if kept.games else "nothing of this was played before"
        common.remark(before)
    jobs = jobs or _cores()
    enough = exact_enough(plan, wanted) if wanted else None
    line = _Line(looked=bool(wanted))
    with _share(cluster, plan, jobs) as share:
        whole = run(plan, kept, games, jobs=jobs, share=share, enough=enough, told=line.told, file=kept_in)
    line.end()
    if not kept.games:
        common.remark("stopped before the first game ended; nothing was kept")
        common.finish(STOPPED)
    if enough is not None and whole:
        common.remark(
            f"exact enough after {count(kept.games, 'game')}"
            if enough(kept.portion)
            else f"{count(kept.games, 'game')} are too few for {precision}; to go on: --resume --games {2 * kept.games}"
        )
    found = report(plan, kept, games, complete=whole, looked=bool(wanted))
    _say_what_to_print(found, plan)
    if out is not None:
        _write(found, plan, out)
    _say(found, json)
    if not whole:
        common.remark("stopped; the same command with --resume goes on from here")
        common.finish(STOPPED)
    return None


# --- what is asked ---------------------------------------------------------------------------------------------------


def _plan(
    game: str,
    variant: list[str] | None,
    sets: list[str] | None,
    against: list[str] | None,
    sweep: str,
    without: list[str] | None,
    bots: str,
    players: int,
    seed: int,
    most: int,
) -> Plan:
    from companion.lab.playing import RANDOM, WITHOUT, checked
    from companion.lab.runs import Plan, Side

    rules = common.rules_of(game, variant, sets)
    low, high = rules.game.players
    n = players or low
    if not low <= n <= high:
        raise common.Failure(f"{rules.game.title} is for {span(low, high)} players, not {n}")
    seats = tuple((rules.game.seats or [f"seat{i + 1}" for i in range(n)])[:n])
    asked = [bot.strip() for bot in bots.split(",") if bot.strip()] or [RANDOM]
    checked(asked)
    if len(asked) > n:
        raise common.Failure(f"--bots names {len(asked)} players, and {n} play")
    lineup = (*asked, *[asked[-1]] * (n - len(asked)))
    sides = [Side(_present(rules, sweep), rules, lineup)]
    for what in against or ():
        sides.append(Side(what, _changed(rules, variant, sets, what), lineup))
    for value in _swept(sweep):
        if value != sides[0].name.removesuffix(PRESENT):
            sides.append(Side(value, _changed(rules, variant, sets, value), lineup))
    for what in without or ():
        if what in rules.game.rules:
            sides.append(Side(f"without {what}", _changed(rules, variant, sets, f"rules.{what}=off"), lineup))
        elif (other := _module(rules, variant, sets, what, play=False)) is not None:
            sides.append(Side(f"without {what}", other, lineup))
        else:
            shunned = f"{lineup[0]}{WITHOUT}{_thing(rules, what)}"
            sides.append(Side(f"one player without {what}", rules, (shunned, *lineup[1:])))
    if len(sides) > MOST_SIDES:
        raise common.Failure(f"{len(sides)} sides are too many to compare at once; at most {MOST_SIDES}")
    return Plan(tuple(sides), seats, seed, most)


def _changed(rules: Rules, variant: list[str] | None, sets: list[str] | None, what: str) -> Rules:
    """The rules of the other side: a setting, a variant, a module, or the same game in another project."""
    game = rules.game
    if "=" in what:
        return common.rules_of(game.id, variant, [*(sets or ()), what])
    if what in game.variant_names:
        return common.rules_of(game.id, [*(variant or ()), what], sets)
    if Path(what).is_dir():
        from components.resolve import resolve_game
        from components.variants import parse_sets

        return common.load(
            resolve_game(game.id, variants=variant or [], sets=parse_sets(sets or ()), root=Path(what).resolve())
        )
    if (other := _module(rules, variant, sets, what, play=True)) is not None:
        return other
    known = suggest(
        what, [*game.variant_names, *(name for name in game.modules if name != BASE)], "variants and modules"
    )
    raise common.Failure(f"--against {what!r} is not a setting (key=value), variant, module or folder{known}")


def _module(rules: Rules, variant: list[str] | None, sets: list[str] | None, said: str, *, play: bool) -> Rules | None:
    """The rules with a module in play, or without it; None if there is no such module. Of a box that holds more than
    most tables play, a parameter `play.MODULE` says what is in play."""
    from components.errors import SetError
    from components.resolve import resolve_game
    from components.variants import parse_sets

    game, name = rules.game, said.replace("-", "_")
    if (switch := f"play.{name}") in game.params:
        if bool(game.params[switch]) == play:
            raise common.Failure(f"the module {name} is {'in play already' if play else 'not in play'}")
        return common.rules_of(game.id, variant, [*(sets or ()), f"{switch}={str(play).lower()}"])
    if play == (said in game.modules):
        if play and said != BASE:
            raise common.Failure(f"the module {said} is in play already; --without {said} plays without it")
        return None
    base = common.resolve(game.id, None, None).modules
    modules = [*base, said] if play else [one for one in base if one != said]
    try:
        found = resolve_game(
            game.id,
            variants=variant or [],
            sets=parse_sets(sets or ()),
            root=common.root_of(game.id),
            modules=modules,
        )
    except SetError:
        return None
    return common.load(found) if play == (said in found.modules) else None


def _present(rules: Rules, sweep: str) -> str:
    """The name of the game as it is; in a sweep with the value that it has."""
    name, params = sweep.partition("=")[0].strip(), rules.game.params
    values = [value for key, value in params.items() if name and (key == name or key.endswith(f".{name}"))]
    known = values[0] if len(values) == 1 else params.get(name)
    return f"{name}={known}{PRESENT}" if isinstance(known, int | float) and not isinstance(known, bool) else AS_IT_IS


def _swept(sweep: str) -> list[str]:
    """`name=1..4` as settings."""
    if not sweep:
        return []
    name, equals, values = sweep.partition("=")
    first, dots, last = values.partition("..")
    if not equals or not name.strip() or not values:
        raise common.Failure(f"--sweep {sweep!r} is not of the form army_cost=1..4 or army_cost=1,2,4")
    if not dots:
        return [f"{name.strip()}={value.strip()}" for value in values.split(",")]
    try:
        low, high = int(first), int(last)
    except ValueError:
        raise common.Failure(
            f"--sweep {sweep!r}: a range runs between whole numbers; say single values as 1,2.5,4"
        ) from None
    if not low <= high < low + MOST_SIDES:
        raise common.Failure(f"--sweep {sweep!r}: say a range of at most {MOST_SIDES} values, the lowest first")
    return [f"{name.strip()}={value}" for value in range(low, high + 1)]


def _thing(rules: Rules, said: str) -> str:
    """The move or piece that a name means, as bots know it."""
    names = {name.casefold(): name for name in rules.moves}
    for set_name in dict.fromkeys(piece.set for piece in rules.game.pieces):
        try:
            found = [*rules.names(set_name)]
        except KeyError:  # of pieces that no move speaks of
            continue
        for name in found:
            names.setdefault(name.casefold(), f"{set_name}/{name}")
            names[f"{set_name}/{name}".casefold()] = f"{set_name}/{name}"
    meant = names.get(said.casefold()) or names.get(said.casefold().replace(" ", "_"))
    if meant is None:
        hint = suggest(said, [*names, *rules.game.rules], "moves and pieces")
        raise common.Failure(f"--without {said!r}: {rules.game.title} has no such rule, module, move or piece{hint}")
    return meant


def _precision(said: str) -> float | None:
    if not said:
        return None
    try:
        wanted = float(said.strip().removesuffix("%")) / (100 if said.strip().endswith("%") else 1)
    except ValueError:
        wanted = 0.0
    if not 0.0005 <= wanted <= 0.5:
        raise common.Failure(f"--precision {said!r}: say a share from 0.05% to 50%, such as 2%")
    return wanted


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _share(cluster: str, plan: Plan, jobs: int) -> Iterator[Share | None]:
    """A share of the run that plays on a cluster; None: this machine's processes play."""
    if not cluster:
        yield None
        return
    if cluster != "local" and not cluster.startswith(("tcp://", "tls://")):
        raise common.Failure(f"--cluster {cluster!r} is not an address; say tcp://HOST:PORT, tls://HOST:PORT or local")
    try:
        from companion.lab.cluster import sharing
    except ModuleNotFoundError as error:
        if error.name not in ("dask", "distributed"):
            raise
        raise common.Failure(
            f"a cluster needs {error.name}, which is not installed: pip install 'tablewright[cluster]'"
        ) from None
    with sharing(cluster, plan, common.load, jobs, common.remark) as share:
        yield share


# --- what is told ----------------------------------------------------------------------------------------------------


class _Line:
    """The progress of the run: on a terminal one line that is overwritten; else the first estimate alone."""

    def __init__(self, *, looked: bool) -> None:
        self.live, self.begun = sys.stderr.isatty(), False
        self.most = "at most " if looked else ""

    def told(self, progress: Progress) -> None:
        left = "" if progress.left is None else f", {duration(progress.left)} to go"
        if self.live:
            print(
                f"\r\x1b[K{progress.done:,} of {self.most}{progress.games:,} games{left}",
                end="",
                file=sys.stderr,
                flush=True,
            )
        elif not self.begun and progress.done < progress.games:
            common.remark(f"{self.most}{count(progress.games, 'game')}{left}")
        self.begun = True

    def end(self) -> None:
        if self.live and self.begun:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def duration(seconds: float) -> str:
    """About how long: `40 s`, `12 min`, `3 h 20 min`."""
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"about {minutes} min" if minutes < 90 else f"about {minutes // 60} h {minutes % 60} min"


def _say(found: Report, json: bool) -> None:
    from companion.engine.answers.answers import plain
    from companion.lab.told import text

    if json:
        common.say_json(plain(found))
    else:
        common.say(text(found))


def _say_what_to_print(found: Report, plan: Plan) -> None:
    """Add what would have to be printed again to each comparison with other rules."""
    from companion.cli.reprint import reprints

    before = plan.sides[0].rules.game
    for comparison, side in zip(found.comparisons, plan.sides[1:], strict=True):
        if side.rules.game is not before:
            comparison.reprint = reprints(before, side.rules.game)


def _write(found: Report, plan: Plan, out: Path) -> None:
    """The report as files in a folder; what needs plots only where there is something to draw them with. The games that
    are worth a look come as tables that `companion import` opens."""
    from companion.engine.table.transcript import to_json_lines
    from companion.lab.page import Picture, page
    from companion.lab.replays import transcript_of
    from companion.lab.told import encoded, tables
    from components.files import write_whole

    out.mkdir(parents=True, exist_ok=True)
    files = {"report.json": encoded(found), "report.csv": tables(found)}
    try:
        from companion.lab.paper import pdf
        from companion.lab.plots import plots, svg
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        common.remark("without plots and PDF; for these: pip install 'tablewright[lab]'")
        files["report.html"] = page(found)
    else:
        drawn = [Picture(plot.title, plot.told, svg(plot, n)) for n, plot in enumerate(plots(found))]
        files["report.html"] = page(found, drawn)
        files["report.pdf"] = pdf(found)
    common.remark(f"wrote {join_and(sorted(files))} to {out}")
    for game in found.sides[0].worth_a_look:
        files[f"tables/{game.why}-{game.number}.jsonl"] = to_json_lines(transcript_of(plan, 0, game.number)[0]).encode()
    for name, content in files.items():
        write_whole(out / name, content, below=out)


def _open(plan: Plan, number: int, json: bool) -> None:
    """Play one game again and make it a table."""
    from companion.cli.beginning import free_name
    from companion.lab.replays import as_table

    side = plan.sides[-1]
    shelf = common.shelf()
    name = free_name(f"{side.rules.game.id}-{plan.seed}-{number}", shelf)
    path = shelf.free(name)
    table, record = as_table(plan, len(plan.sides) - 1, number, path, common.load)
    with table:
        shelf.remember(name)
        lines = len(table.history.lines)
    if json:
        made: dict[str, Any] = {"table": name, "lines": lines, "end": record.end, "phase": record.phase}
        common.say_json({"version": 1, **made})
        return
    end = {"over": "it ended", "stuck": f"it got stuck in {record.phase}", "cut": f"it was cut in {record.phase}"}
    common.say(f"Table {name}: {side.rules.game.title}, {count(lines, 'line')}; {end[record.end]}")
    common.say(f"    companion log --table {name}\n    companion play --table {name}")


__all__ = ["duration", "playtest"]
