"""The companion as teller of a rulebook: it plays examples and figures, words what happens and says the table."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from components.phrasing import join_and, signed, suggest
from components.scene import Scene, Thing
from generator.book.told import Ask, Teller, Told, asked, played_on
from generator.cli.common import settings

if TYPE_CHECKING:
    from companion.engine.play.position import Position, Rules, Verdict
    from companion.own.modules import RulesFault
    from components.checks import FurtherCheck
    from components.errors import Problem
    from components.loader import Definition
    from components.model import ResolvedGame
    from generator.book.told import Drawing
    from generator.build.places import Places
    from generator.build.project import Layouts
    from generator.build.scenes import SceneMaker
    from generator.faces.display import DisplayList


def teller(game: ResolvedGame, places: Places) -> Teller | None:
    """A player of the examples in a game's book; None for a game without a rules module. Raises NotTrusted and
    RulesFault for a module of its project, Unreadable for a game that its module cannot read."""
    found = _companion(game, places)
    return found.tell if found else None


def _companion(game: ResolvedGame, places: Places) -> Player | None:
    from companion.games import NoRules

    companion = Player(game, places)
    try:
        return companion if game.engine and companion.rules(game.variants, game.sets) else None
    except NoRules:
        return None


def playable(game: ResolvedGame, places: Places) -> Player | None:
    """A player of a game for a check; None if its rules module cannot run, which `rules_read` reports once."""
    from companion.engine.play.unreadable import Unreadable
    from companion.own.modules import NotTrusted, RulesFault

    try:
        return _companion(game, places)
    except (NotTrusted, RulesFault, Unreadable):
        return None


def examples_hold(places: Places) -> FurtherCheck:
    """A check that the companion plays every example and figure of a game's book as it says."""

    def check(definition: Definition, game: ResolvedGame) -> Iterator[Problem]:
        from components.book import FILE, edition

        if definition.book is None:
            return
        book, problems = edition(definition.book, definition.source(FILE), game)
        player = playable(game, places)
        if problems or player is None:
            return
        for path, one in asked(book).items():
            for fault in [one.fault] if one.fault else player.tell(one.ask).faults:
                yield book.problem("DEF-072", f"{one.what}: {fault}", path)

    return check


class Studio:
    """Draws the scenes and faces of a game's book, from the cache where nothing changed; each face made to shapes
    once."""

    def __init__(self, game: ResolvedGame, places: Places, ink: str, layouts: Layouts | None = None) -> None:
        from generator.cli.figures import Figures

        self.game = game
        self.figures = Figures(game, places, ink, layouts)
        self.faces: dict[str, DisplayList] = {}

    def scene(self, scene: Scene, w: float, h: float) -> Drawing:
        """See `Artist`."""
        from generator.book.told import Drawing
        from generator.faces.outlines import outlined
        from generator.scenes.picture import nested

        table, game = scene.table, self.game
        if table is not None and (table.set or table.variants):  # besides those of the book
            own = [name for name in table.variants if name not in game.variants]
            table = msgspec.structs.replace(table, variants=[*game.variants, *own], set={**table.set, **game.sets})
            scene = msgspec.structs.replace(scene, table=table)
        picture, maker = self.figures.picture(scene, w, h)
        drawn, keys = nested(picture)
        shapes = msgspec.structs.replace(drawn, ops=outlined(drawn.ops, maker.fonts))
        return Drawing(shapes, {key: self._shapes(maker, key) for key in keys}, picture.seen, picture.called)

    def face(self, piece: str, side: str) -> tuple[str, DisplayList]:
        """See `Artist`."""
        maker = self.figures.maker(self.game)
        key = maker.shown(Thing(piece=piece, side=side)).key  # type: ignore[arg-type]
        return key, self._shapes(maker, key)

    def _shapes(self, maker: SceneMaker, key: str) -> DisplayList:
        from generator.faces.outlines import outlined

        if key not in self.faces:
            face = maker.face(key)
            self.faces[key] = msgspec.structs.replace(face, ops=outlined(face.ops, maker.fonts))
        return self.faces[key]


class Player:
    """Plays what is asked under the rules of an edition."""

    def __init__(self, game: ResolvedGame, places: Places) -> None:
        self.game = game
        self.places = places
        self.known: dict[str, Rules] = {}
        self.failed: RulesFault | None = None
        """The fault of the rules module that stopped what was played last."""

    def rules(self, variants: list[str], sets: dict[str, Any]) -> Rules:
        """The rules of the game with these variants and settings."""
        from components.resolve import resolve_game
        from generator.cli.playing import rules_of

        key = repr((variants, sorted(sets.items(), key=str)))
        if key not in self.known:
            game = self.game
            if variants != game.variants or sets != game.sets:
                game = resolve_game(
                    game.id,
                    variants=variants,
                    sets=sets,
                    root=self.places.project,
                    cache_dir=self.places.resolved,
                )
            self.known[key] = rules_of(game)
        return self.known[key]

    def tell(self, ask: Ask) -> Told:
        """Play it; what goes wrong is told as faults."""
        told: list[Told] = []

        def play() -> Iterator[tuple[str, str]]:
            told.append(self._played(ask))
            return iter(())

        faults = [fault for _, fault in self.safely(play)]
        return told[0] if told else Told(faults=faults)

    def safely(self, play: Callable[[], Iterator[tuple[str, str]]]) -> list[tuple[str, str]]:
        """The faults that `play` finds, each with its key; whatever stops it is one, too."""
        from companion.engine.errors import CompanionError
        from companion.engine.play.unreadable import line_of, why
        from companion.own.modules import fault_in
        from components.errors import DefinitionError

        self.failed = None
        try:
            return list(play())
        except DefinitionError as error:
            return [("", problem.what) for problem in error.problems]
        except CompanionError as error:
            return [("", str(error))]
        except (Exception, SystemExit) as error:
            if settings.debug:
                traceback.print_exception(error)
            if (fault := fault_in(error)) is not None:
                self.failed = fault
                return [("", str(fault))]
            return [("", f"the rules module '{self.game.engine}' cannot play it: {why(error)}{line_of(error)}")]

    def _played(self, ask: Ask) -> Told:
        from companion.engine.language.reaching import reached

        table = ask.table
        own = [name for name in table.variants if name not in self.game.variants]
        rules = self.rules([*self.game.variants, *own], {**table.set, **self.game.sets})
        at = reached(rules, table)
        was = rules.dump(at.state) if ask.facts else {}
        drawn = at.rules.scene(at) is not None
        said: list[str] = []
        steps: list[tuple[str, str]] = []
        faults: list[str] = []
        verdict: Verdict | None = None
        for number, one in enumerate(ask.moves):
            said += [one] if isinstance(one, str) else []
            at, verdict, told = _line(at, one, number)
            steps += told
            if not verdict.legal and number + 1 < len(ask.moves):
                return Told(faults=[f"move {number + 1} is not legal: {why(verdict)}"])
        if verdict is not None and ask.legal is not None and verdict.legal is not ask.legal:
            wanted = "legal" if ask.legal else "against the rules"
            found = {True: "legal", False: "against the rules", None: "a choice left open"}[verdict.legal]
            faults.append(f"expected to be {wanted}, but it is {found}{f' ({why(verdict)})' if why(verdict) else ''}")
        if verdict is not None and verdict.legal is False:
            steps = [(breach.rule, breach.why) for breach in verdict.reasons]
        form = rules.dump(at.state)
        faults += differences(ask.expect, form) if ask.expect else []
        score: list[tuple[str, str]] = []
        if ask.score:
            score, wrong = _score(at, ask)
            faults += wrong
        facts, missing = _facts(ask.facts, {**form, "was": was})
        faults += missing
        after = played_on(table, ask.moves) if verdict is not None and verdict.legal else table
        return Told(
            before=table if drawn else None,
            after=after if drawn else None,
            said=said,
            steps=steps,
            score=score,
            facts=facts,
            players=len(at.seats),
            faults=faults,
        )


def _facts(names: list[str], form: dict[str, Any]) -> tuple[dict[str, str], list[str]]:
    """The fields of a position by their dotted names, as they are printed, and those that it has not."""
    facts: dict[str, str] = {}
    for name in names:
        found: Any = form
        for key in name.split("."):
            found = found.get(key) if isinstance(found, dict) else None
        if isinstance(found, str | int) and not isinstance(found, bool):
            facts[name] = str(found).replace("-", "−") if isinstance(found, int) else found
    missing = [f"the position has no number or word '{name}'" for name in names if name not in facts]
    return facts, missing


def _line(
    at: Position[Any], one: str | dict[str, Any], number: int
) -> tuple[Position[Any], Verdict, list[tuple[str, str]]]:
    """One line said at the table: the position after it, the verdict, and what happened."""
    from companion.engine.language import notation
    from companion.engine.language.jsonmoves import from_json
    from companion.engine.play.lines import try_line

    moves = notation.read(one, at) if isinstance(one, str) else [from_json(one, at, number)]
    outcome = try_line(at, moves)
    after = outcome.after
    told = [(e.rule, e.what) for e in outcome.events if not e.aside] if outcome.verdict.legal else []
    after.events.clear()
    return after, outcome.verdict, told


def _score(at: Position[Any], ask: Ask) -> tuple[list[tuple[str, str]], list[str]]:
    """The score of the players asked for, line by line with a sum, and where it is not what is expected."""
    ledger = at.rules.score(at)
    totals = ledger.totals()
    told: list[tuple[str, str]] = []
    for seat in ask.score:
        lines = [line for line in ledger.lines if line.seat == seat]
        told += [(line.rule, f"{line.source}: {line.sum} = {signed(line.points)}") for line in lines]
        told.append(("", f"Total: {totals.get(seat, 0)} {ledger.unit}"))
    unknown = [f"there is no player '{seat}'{suggest(seat, totals)}" for seat in ask.score if seat not in totals]
    wrong = [
        f"the score of {seat}: expected {points}, found {totals.get(seat, 0)}"
        for seat, points in ask.totals.items()
        if totals.get(seat, 0) != points
    ]
    return told, unknown + wrong


def why(verdict: Verdict) -> str:
    """The reasons of a verdict, or what it asks for, in one line."""
    reasons = [f"{breach.why} [{breach.rule}]" for breach in verdict.reasons]
    return "; ".join(reasons or [f"{choice.move} {choice.field}?" for choice in verdict.needs])


def differences(expected: Any, found: Any, path: str = "") -> list[str]:
    """The differences between `found` and the expected data; mappings may hold more."""
    if isinstance(expected, dict) and isinstance(found, dict) and (expected or not found):
        lines: list[str] = []
        for key, value in expected.items():
            where = f"{path}.{key}" if path else str(key)
            if key not in found:
                near = suggest(key, found, "")
                lines += [] if value is None else [f"{where}: expected {_word(value)}, and there is none{near}"]
            else:
                lines += differences(value, found[key], where)
        return lines
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        return [
            d for i, (a, b) in enumerate(zip(expected, found, strict=True)) for d in differences(a, b, f"{path}[{i}]")
        ]
    return [] if expected == found else [f"{path or 'the position'}: expected {_word(expected)}, found {_word(found)}"]


def _word(value: Any) -> str:
    if isinstance(value, list):
        return join_and(map(_word, value)) or "nothing"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_word(item)}" for key, item in value.items()) + "}"
    return {"True": "true", "False": "false", "None": "nothing"}.get(str(value), str(value))
