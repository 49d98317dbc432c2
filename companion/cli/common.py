"""The parts that commands share: options, finding a table or a game, printing, and the errors a person may cause."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from companion.cli.terminal import fitted
from companion.engine.errors import CompanionError
from companion.engine.play.position import Position, Rules
from components import program
from components.program import DONE, OURS, REFUSED, UNABLE, colours
from components.safe_text import composed, escaped_json, one_line, printable

if TYPE_CHECKING:
    from companion.engine.language.people import People
    from companion.engine.table.shelf import Shelf
    from companion.engine.table.table import Table
    from companion.engine.table.upgrading import Upgraded
    from companion.own.modules import Source
    from components.model import ResolvedGame

TableName = Annotated[str, typer.Option("--table", "-t", help="The table. Default: the one used last.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the answer as JSON; its keys are stable.")]
Variants = Annotated[list[str] | None, typer.Option("--variant", help="Play with this variant. Repeat for more.")]
Sets = Annotated[list[str] | None, typer.Option("--set", help="Change a parameter, e.g. army_cost=3. Repeat for more.")]
PositionFile = Annotated[
    Path | None, typer.Option("--position", help="Use a position file (YAML or JSON) instead of a table.")
]
MoveFile = Annotated[
    str, typer.Option("--move-file", help="File with one move or a list of moves as JSON; '-' reads standard input.")
]
Passed = Annotated[
    bool, typer.Option("--passed", help="If the move belongs to a later phase, assume that everyone has passed.")
]
As = Annotated[str, typer.Option("--as", help="The seat (or person) who acts if a line does not name one.")]


class Failure(CompanionError):
    """A mistake in the command itself, which the user has to mend."""

    kind = "usage"


class Settings:
    """Settings of the whole process: where tables are kept, the project whose games come first, and whether it was
    named (`--project`) or found; whether its rules modules may run."""

    home: Path | None = None
    root: Path | None = None
    named = False
    trust = ""
    recorded = ""
    """The table at which this call has recorded something."""
    people: Callable[[], People] | None = None
    """The people at the open table."""


def root_of(game_id: str) -> Path | None:
    """The project a game is looked for in: the one that was named, or the nearest if it has the game. None: the games
    that come with the program."""
    if Settings.root is None or Settings.named:
        return Settings.root
    return Settings.root if (Settings.root / "components" / game_id / "game.yaml").is_file() else None


def load(game: ResolvedGame) -> Rules:
    """The rules object of a game: by its project's module, by one of the program's, or a score pad if it names none."""
    if not game.engine:
        from companion.own.scorepad import ScorePad

        return ScorePad(game)
    project = _project_of(game)
    if project is not None:
        from companion.own import modules

        source = modules.find(project, game.engine)
        if source is not None:
            return modules.load(game, source, allowed)
    elif not game.move_verbs and game.id in known_games():  # of a table begun before glossaries had them
        today = _resolved(game.id, [], {})
        game.move_verbs, game.move_examples = today.move_verbs, today.move_examples
    from companion.engine.play.unreadable import Unreadable
    from companion.games import load_rules

    try:
        return load_rules(game)
    except Unreadable as error:
        from companion.own.placing import placed

        raise placed(error, game, project) from error


def _project_of(game: ResolvedGame) -> Path | None:
    """The folder of a game's project: the one that `--project` names, else the one it was found in."""
    if not game.project:
        return None
    named = Settings.root if Settings.named else None
    project = named if named is not None and (named / "components" / game.id).is_dir() else Path(game.project)
    if not project.is_dir():
        raise Failure(f"the project of '{game.id}' was in {project}, and is gone; say where it is with --project DIR")
    return project


def allowed(source: Source) -> bool:
    """True if a rules module may run: it was trusted before, `--trust` is given, or the user agrees now."""
    from components.program import trust_of_user

    trust = trust_of_user()
    if trust.knows(source.place, source.digest):
        return True
    if Settings.trust == "mine":
        trust.remember(source.place)
        return True
    if not Settings.trust:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            return False
        remark(f"The rules of this game are a program: {one_line(str(source.place))}")
        question = "Run it? (y: this version only, mine: always, I wrote it, n: no)"
        said = typer.prompt(question, default="n", err=True).strip().lower()
        if said in ("m", "mine"):
            trust.remember(source.place)
        if said not in ("y", "yes"):
            return said in ("m", "mine")
    trust.remember(source.place, source.digest)
    return True


# --- printing ------------------------------------------------------------------------------------------------------


def say(text: str) -> None:
    """Print a result on standard output; on a terminal, with its lines broken between words. Nothing in it steers the
    terminal."""
    print(printable(fitted(text) if sys.stdout.isatty() else text))


def remark(text: str) -> None:
    """Print a message beside the result on standard error; on a terminal, with its lines broken between words."""
    program.remark(fitted(text) if sys.stderr.isatty() else text)


def say_json(data: dict[str, Any]) -> None:
    import msgspec

    sys.stdout.write(escaped_json(msgspec.json.encode(data).decode()) + "\n")


def coloured_verdict(text: str) -> str:
    """The first word of a verdict in green, red or yellow, where colour is wanted."""
    if not colours():
        return text
    for word, code in (("OK:", 32), ("NO:", 31), ("?", 33), ("AGAINST THE RULES, KEPT:", 33)):
        if text.startswith(word):
            return f"\x1b[1;{code}m{word}\x1b[0m{text[len(word) :]}"
    return text


# --- games -----------------------------------------------------------------------------------------------------------


def known_games() -> list[str]:
    """The ids of the games there are: the project's, and those that come with the program."""
    from components.loader import list_games

    own = list_games(Settings.root)
    return own if Settings.named else sorted({*own, *list_games()})


def only_game(said: str = "") -> str:
    """The game of the user's own project, if that has one; "" if it has several, if there is none, or if `said` names
    a game or looks like the name of one."""
    from difflib import get_close_matches

    from components.loader import list_games
    from components.projects import own_project

    own = list_games(Settings.root) if own_project(Settings.root) else []
    named = bool(said) and bool(get_close_matches(said, {*known_games(), *list_games()}, cutoff=0.8))
    return own[0] if len(own) == 1 and not named else ""


def named(game: str) -> str:
    """The game that was named. Raises Failure if none was."""
    if not game:
        raise Failure(f"name a game: {', '.join(known_games())}")
    return game


def resolve(game_id: str, variants: list[str] | None, sets: list[str] | None) -> ResolvedGame:
    """The resolved game, from the cache if possible."""
    given: dict[str, Any] = {}
    if sets:
        from components.variants import parse_sets

        given = parse_sets(sets)
    return _resolved(game_id, variants or [], given)


def _resolved(game_id: str, variants: list[str], sets: dict[str, Any]) -> ResolvedGame:
    from components.resolve import resolve_game

    if game_id not in (known := known_games()):
        from components.errors import DefinitionError, Problem
        from components.phrasing import did_you_mean

        hint = did_you_mean(game_id, known, listing="games")
        raise DefinitionError([Problem(code="DEF-001", what=f"there is no game '{game_id}'", hint=hint)])
    return resolve_game(
        game_id, variants=variants, sets=sets, root=root_of(game_id), cache_dir=cache_folder("resolved")
    )


def cache_folder(name: str) -> Path:
    """The folder for something that can be made again."""
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("tablewright", appauthor=False)) / name


def resolve_kept(game_id: str, variants: list[str], sets: dict[str, Any]) -> tuple[ResolvedGame, list[str]]:
    """A game as it is defined today with what a table had chosen, and those choices that no longer exist."""
    from components.errors import SetError
    from components.variants import written_set

    try:
        return _resolved(game_id, variants, sets), []
    except SetError:
        pass
    kept: tuple[list[str], dict[str, Any]] = [], {}
    lost: list[str] = []
    for name in variants:
        try:
            _resolved(game_id, [*kept[0], name], {})
            kept[0].append(name)
        except SetError:
            lost.append(f"variant {name}")
    for key, value in sets.items():
        try:
            _resolved(game_id, kept[0], {**kept[1], key: value})
            kept[1][key] = value
        except SetError:
            lost.append(written_set(key, value))
    return _resolved(game_id, *kept), lost


def assignments(pairs: list[str]) -> dict[str, Any]:
    """`key=value` texts as a mapping; a value that is valid JSON is read as JSON, any other stays text."""
    found: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise Failure(f"{pair!r} does not have the form key=value")
        found[key.strip()] = value_of(value.strip())
    return found


def value_of(text: str) -> Any:
    """A value typed on the command line: JSON, a list or mapping as YAML has them, or plain text."""
    import json

    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        if text.startswith(("[", "{")):
            from components.yamlsource import parse_yaml

            read = parse_yaml(text)
            return text if read.problems else read.data
        return text


def rules_of(game_id: str, variants: list[str] | None, sets: list[str] | None) -> Rules:
    return load(resolve(game_id, variants, sets))


def position_of(game_id: str, path: Path, variants: list[str] | None, sets: list[str] | None) -> Position[Any]:
    """The position a file describes, under today's rules of the game."""
    from companion.engine.language.positionfile import read_position

    rules = rules_of(game_id, variants, sets)
    return Position(rules, read_position(path, rules))


# --- tables ----------------------------------------------------------------------------------------------------------


def shelf() -> Shelf:
    """The shelf of this user: TABLEWRIGHT_HOME, or the platform's folder for user data."""
    from companion.engine.table.shelf import Shelf
    from components.program import home

    return Shelf(Settings.home or home())


def open_table(name: str, *, to_play: bool = False) -> Table:
    """The table named, or the one used last (if there are several, standard error says which). It becomes the one used
    last when something is recorded, or when it is opened `to_play`; reading it writes nothing."""
    from companion.engine.table.migrating import unswitchable

    here = shelf()
    if not name:
        name = here.last()
        if len(here.names()) > 1:
            remark(f"table {name}")
    path = here.existing(name)
    table = opened(path)
    table.written = lambda: _recorded(name)
    Settings.people = lambda: table.named
    if to_play:
        here.remember(name)
    if table.differs is not None:
        remark(f"! {table.differs}")
        remark("  the position is kept; run `companion migrate` before playing on (--dry-run shows what would change)")
    if changed_since(table):
        remark("! the files of this game have changed; this table keeps its rules until `companion migrate`")
    for rule in unswitchable(table.rules.game):
        remark(f"! this table was begun with rules.{rule}=off, but this rule can no longer be switched off")
    return table


def _recorded(name: str) -> None:
    """Something has been recorded at a table."""
    Settings.recorded = name
    shelf().remember(name)


def kept() -> str:
    """The words to add when a result cannot be printed: a line that was recorded must not be typed again."""
    return f"; what happened at table {Settings.recorded} is recorded all the same" if Settings.recorded else ""


def changed_since(table: Table) -> bool:
    """True if a game in the user's own project differs from the one this table began with."""
    from components.errors import DefinitionError
    from components.projects import own_project

    game = table.rules.game
    if Settings.root is None or not own_project(Settings.root) or game.id not in known_games():
        return False
    try:
        today, lost = resolve_kept(game.id, list(game.variants), dict(game.sets))
    except (DefinitionError, CompanionError):
        return False  # `pnp check` says what is wrong
    return bool(lost) or today.fingerprint != game.fingerprint


def opened(path: Path, *, glance: bool = False) -> Table:
    """The table in a file. If an earlier version wrote it, it is brought up to date first, and the user is told.
    `glance`: only to look at."""
    from companion.engine.table.journal import OutOfDate
    from companion.engine.table.table import Table

    try:
        return Table.open(path, load, glance=glance)
    except OutOfDate:
        from companion.engine.table.upgrading import upgrade

        done = upgrade(path, load, resolve_kept)
        if done is not None:
            _tell_upgraded(path, done)
        return Table.open(path, load, glance=glance)


def _tell_upgraded(path: Path, done: Upgraded) -> None:
    stands = "1 line stands" if done.stand == 1 else f"{done.stand} lines stand"
    remark(f"table {path.stem} was written by an earlier version and now follows today's rules: {stands}.")
    for lost in done.lost:
        remark(f"  {lost} no longer exists")
    for row in done.differ:
        why = "; ".join(reason["why"] for reason in row.why)
        remark(f"  {row.number} {row.text}: {'is no longer legal' if row.fallen else 'has a different result'}: {why}")
    remark(f"  the old file is kept as {done.old.name}")


def seated(at: Position[Any], name: str, people: People) -> str:
    """The seat meant by a name, as in `seat_of`; "" for somebody who has none."""
    try:
        return seat_of(at, name, {person: seat for seat, person in people.seated.items()})
    except Failure:
        return ""


def seat_of(at: Position[Any], name: str, people: dict[str, str]) -> str:
    """The seat meant by a name, which may be an unambiguous beginning of a seat's or a person's name."""
    name = composed(name)
    names = {**{person.lower(): seat for person, seat in people.items()}, **{s.lower(): s for s in at.seats}}
    found = {seat for known, seat in names.items() if known.startswith(name.lower())}
    if name.lower() in names:
        return names[name.lower()]
    if len(found) != 1:
        raise Failure(f"no player or seat is called {name!r}; seats: {', '.join(at.seats)}")
    return found.pop()


def finish(status: int) -> NoReturn:
    """End the command with an exit status."""
    raise typer.Exit(status)


__all__ = [
    "DONE",
    "OURS",
    "REFUSED",
    "UNABLE",
    "As",
    "AsJson",
    "Failure",
    "MoveFile",
    "Passed",
    "PositionFile",
    "Sets",
    "Settings",
    "TableName",
    "Variants",
    "assignments",
    "coloured_verdict",
    "colours",
    "finish",
    "kept",
    "known_games",
    "load",
    "open_table",
    "opened",
    "position_of",
    "remark",
    "resolve",
    "resolve_kept",
    "rules_of",
    "say",
    "say_json",
    "seat_of",
    "seated",
    "shelf",
    "value_of",
]
