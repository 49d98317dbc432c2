"""`pnp check` asks the companion whether a game's rules can read its pieces, carry out its effects and follow it."""

from __future__ import annotations

import inspect
import re
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from components.checks import piece_place
from components.errors import Problem
from components.loader import Definition
from components.model import ResolvedGame
from components.phrasing import did_you_mean
from generator.cli.common import settings

if TYPE_CHECKING:
    from companion.engine.answers.ledger import Ledger
    from companion.engine.errors import CompanionError
    from companion.engine.play.position import Position, Rules
    from companion.own.modules import RulesFault, Source


MOVES = 12
"""So many moves `check` plays of a game that has tests of its own."""
OWN_MOVES = (4, 25, 150)
"""So many it plays of one in a project's folder, game after game."""


def rules_read(definition: Definition, game: ResolvedGame) -> Iterator[Problem]:
    """The problems that keep a game's rules module from following it; none for a game without a module."""
    if not game.engine:
        return
    from companion.engine.play.unreadable import Unreadable
    from companion.engine.things.effects import BUILT_IN
    from companion.games import NoRules
    from companion.own.modules import NotTrusted, RulesFault
    from companion.own.placing import problem_of
    from generator.cli.playing import own_module, rules_of

    try:
        rules = rules_of(game)
    except NotTrusted as error:
        what = "the rules module was not run, because it is not trusted"
        hint = f"read {error.place}, then run this again with --trust (or --trust-mine, if you are its author)"
        problem = definition.source("game.yaml").problem("DEF-081", what, ("engine",), hint=hint)
        yield msgspec.structs.replace(problem, severity="warning")
        return
    except RulesFault as error:
        yield _at_line(error.place, f"the rules module failed: {error.said}")
        return
    except NoRules as error:
        yield definition.source("game.yaml").problem("DEF-064", error.what, ("engine",), hint=error.hint)
        return
    except Unreadable as error:
        yield problem_of(error, definition)
        return
    known = {*BUILT_IN, *rules.ops, *rules.verbs}
    lacking = [verb for verb in game.verbs if verb not in known]
    for verb in lacking:
        what = f"the rules module '{game.engine}' does not implement the verb '{verb}'"
        hint = did_you_mean(verb, known) or "give it an operation (`Rules.ops`)"
        yield definition.source("effects.yaml").problem("DEF-064", what, ("verbs", verb), hint=hint, key=True)
    if game.variants:
        return
    source = own_module(game)
    slipped = list(_slips(source, rules)) if source is not None else []
    yield from slipped
    if source is not None:
        yield from _namesakes(definition, source, rules)
        yield from _unread(definition, source)
    if not slipped and not lacking:
        yield from _begun(definition, rules, own=source is not None)


def _slips(source: Source, rules: Rules) -> Iterator[Problem]:
    """Names in a module of the project that its files do not have."""
    from companion.own.naming import slips

    for slip in slips(source.files.values(), rules):
        yield _placed(slip.file, slip.line, slip.column, slip.what, slip.hint, slip.excerpt)


def _namesakes(definition: Definition, source: Source, rules: Rules) -> Iterator[Problem]:
    """A warning for each piece whose name another of its set has, if the module goes by the names of that set."""
    from companion.engine.play.rules import Rules as Plain
    from companion.own.naming import sets_named

    if type(rules).names is not Plain.names:
        return
    named = sets_named(source.files.values())
    first: dict[tuple[str, str], str] = {}
    for piece in rules.game.pieces:
        if piece.set not in rules.vocabulary and piece.set in named:
            other = first.setdefault((piece.set, piece.name), piece.id)
            if other != piece.id:
                file, path = piece_place(definition, piece.set, piece.id, "name")
                what = f"{piece.set}/{other} is called '{piece.name}', too: whoever says that name means both"
                hint = "give it another name, or the one piece more `copies`"
                yield msgspec.structs.replace(file.problem("DEF-079", what, path, hint=hint), severity="warning")


def _unread(definition: Definition, source: Source) -> Iterator[Problem]:
    """A warning for each parameter with rules of its own that neither the module nor any file of the game reads."""
    from companion.own.naming import texts_in

    assert definition.game is not None
    declared = definition.game.parameters
    texts = texts_in(source.files.values())
    built = tuple(text for text in texts if text.endswith("."))  # at[f"price.{name}"]
    open_ones = {name for name, one in declared.items() if one.rules and not name.startswith(built)} - texts
    if not open_ones:
        return
    folders = (definition.folder, settings.places.layouts / definition.folder.name)
    files = [file for folder in folders for file in folder.rglob("*.*") if file.suffix in (".yaml", ".csv", ".tsv")]
    if any(file.suffix in (".xlsx", ".ods") for file in definition.folder.rglob("*.*")):
        return  # who knows what stands in its cells
    said = "\n".join(file.read_text("utf-8", "replace") for file in files)
    game = definition.source("game.yaml")
    for name in sorted(open_ones):
        head, _, last = name.rpartition(".")
        whole = rf"(?<![\w.-])(?:{re.escape(name)}|its\.{re.escape(last)})(?![\w-])"
        mapping = head and re.search(rf"\{{[{{%][^}}]*(?<![\w.-]){re.escape(head)}(?!\.?[\w-])", said)
        if len(re.findall(whole, said)) < 2 and not mapping:  # once where it is declared
            what = f"the parameter '{name}' names rules, and neither they nor the rules module read it"
            hint = f'write `at["{name}"]` in the module, `{{{{ {name} }}}}` in a text, or remove it'
            problem = game.problem("DEF-046", what, ("parameters", name), hint=hint, key=True)
            yield msgspec.structs.replace(problem, severity="warning")


def _begun(definition: Definition, rules: Rules, own: bool) -> Iterator[Problem]:
    """The problems that keep a game from being followed through its first moves, drawn at random. A refusal in words is
    not a fault of the definition."""
    from companion.engine.errors import CompanionError
    from companion.engine.play.playout import play_out
    from companion.engine.play.rules import Rules
    from companion.engine.play.unreadable import line_of, piece_read, why
    from companion.own.modules import fault_in
    from companion.own.placing import at_place
    from companion.own.standstill import kept_back

    seats = (rules.game.seats or [f"seat{n}" for n in range(1, rules.game.players[1] + 1)])[: rules.game.players[0]]
    engine = definition.source("game.yaml")
    ledgers: list[Ledger] = []
    try:
        for seed, most in enumerate(OWN_MOVES if own else (MOVES,), 1):
            game, at = play_out(rules, seats, seed=seed, most=most, laws=own)
            rules.show(at)
            ledgers.append(rules.score(at))
            if own and (wrong := list(_seen(at))):
                yield from wrong
                return
            if own and game.end == "stuck" and type(rules).propose is Rules.propose:
                where = f"in {at.now or 'play'}, after {game.moves} moves"
                what = f"a game played by chance is stuck {where}: no move is legal there, and it is not over"
                hint = "; ".join(filter(None, (kept_back(at), "`companion simulate --games 20` shows how often")))
                problem = engine.problem("DEF-064", what, ("engine",), hint=hint)
                yield msgspec.structs.replace(problem, severity="warning")
                return
        if own:
            yield from _unscored(rules, ledgers, seats)
    except CompanionError as error:
        if own:
            yield _broken(error) or engine.problem(
                "DEF-064", f"moves made by chance break the game: {error}", ("engine",)
            )
    except (Exception, SystemExit) as error:
        if settings.debug:
            traceback.print_exception(error)
        fault = fault_in(error)
        if fault is None:
            shown = "" if own else f", as {MOVES} moves made by chance show"
            told = f"the rules module '{rules.game.engine}' cannot follow the game{shown}: {why(error)}{line_of(error)}"
            found = at_place(definition, told, error, piece_read(error))
            yield msgspec.structs.replace(found, hint=_after(error) if own else found.hint)
        else:
            yield failed_in(fault, _after(error))


def _unscored(rules: Rules, ledgers: list[Ledger], seats: list[str]) -> Iterator[Problem]:
    """A warning for each seat that no ranking has, and for one that never has a line where all the others have."""
    for seat in seats:
        unranked = all(seat not in group for ledger in ledgers for group in ledger.ranking)
        scored = [{line.seat for line in ledger.lines} for ledger in ledgers[1:]]
        if not unranked and not all(set(seats) - lines == {seat} for lines in scored):
            continue
        code = inspect.unwrap(type(rules).score).__code__
        lacks = f"does not rank '{seat}'" if unranked else f"has no line for '{seat}', and one for everybody else"
        what = f"after each game played by chance the score {lacks}"
        place = _at_line(f"{code.co_filename}:{code.co_firstlineno}", what)
        hint = "`score` goes through all of `at.seats`; one that has nothing has a line of 0"
        yield msgspec.structs.replace(place, hint=hint, severity="warning")


def _after(error: BaseException) -> str:
    """The place in a playout where a failure was met."""
    return "".join(f"it happened in a game played by chance, {note}" for note in getattr(error, "__notes__", ()))


def _broken(error: CompanionError) -> Problem | None:
    """A law that a move broke, at the function of the module that broke it."""
    from companion.engine.play.playout import PlayoutError, after
    from companion.own.modules import place_in

    if not isinstance(error, PlayoutError) or not error.moves:
        return None
    place = place_in(getattr(type(error.moves[-1]), error.method, None))
    if not place:
        return None
    found = _at_line(place, f"moves made by chance break the game: {error.what}")
    return msgspec.structs.replace(found, hint=f"it happened {after(error.moves)}")


def _seen(at: Position[Any]) -> Iterator[Problem]:
    """The problems that keep the table from being drawn from the module's scene."""
    from generator.cli.figures import Figures
    from generator.scenes.staging import SceneError

    scene = at.rules.scene(at)
    if scene is None:
        return
    code = inspect.unwrap(type(at.rules).scene).__code__
    try:
        Figures(at.rules.game, settings.places, "normal").picture(scene, 100, 100)
    except SceneError as error:
        for problem in error.problems:
            where = _at_line(f"{code.co_filename}:{code.co_firstlineno}", f"the scene: {problem.what}")
            yield msgspec.structs.replace(where, hint=problem.hint)


def failed_in(fault: RulesFault, hint: str) -> Problem:
    """A fault of the module at its line; `hint` says when it was met."""
    return msgspec.structs.replace(_at_line(fault.place, f"the rules module failed: {fault.said}"), hint=hint)


def _at_line(place: str, what: str) -> Problem:
    """A fault at `FILE:LINE` of a module of the project."""
    name, _, number = place.rpartition(":")
    file, line = (Path(name), int(number)) if name and number.isdecimal() else (Path(place), 0)
    try:
        lines = file.read_text("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    excerpt = lines[line - 1] if 0 < line <= len(lines) else ""
    return _placed(file, line, len(excerpt) - len(excerpt.lstrip()) + 1 if excerpt else 0, what, "", excerpt)


def _placed(file: Path, line: int, column: int, what: str, hint: str, excerpt: str) -> Problem:
    near = file.relative_to(settings.project) if file.is_relative_to(settings.project) else file
    return Problem(code="DEF-064", what=what, file=str(near), line=line, column=column, hint=hint, excerpt=excerpt)
