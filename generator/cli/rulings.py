"""`pnp check` plays every ruling of a game: its position, its moves, its question about a figure."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.engine.play.position import Position, Verdict
    from components.checks import FurtherCheck
    from components.errors import Problem
    from components.loader import Definition
    from components.model import ResolvedGame, ResolvedRuling
    from generator.build.places import Places
    from generator.cli.telling import Player

FILE = "rulings.yaml"
VERDICTS = {True: "legal", False: "against the rules", None: "a choice left open"}


def rulings_hold(places: Places) -> FurtherCheck:
    """A check that the companion rules every question of a game as its ruling says. Each brings its own variants and
    settings, so they are played once, with the base game."""

    def check(definition: Definition, game: ResolvedGame) -> Iterator[Problem]:
        if game.variants or FILE not in definition.sources:
            return
        from generator.cli.reading import failed_in
        from generator.cli.telling import playable

        player = playable(game, places)
        if player is None:
            return
        source = definition.source(FILE)
        placed = {ruling.id: i for i, ruling in enumerate(definition.rulings.rulings)}
        failed: set[str] = set()
        for ruling in game.rulings:
            if ruling.id in placed and (ruling.moves or ruling.query):
                faults = player.safely(partial(_of, player, ruling))
                if player.failed is not None:
                    if player.failed.place not in failed:
                        yield failed_in(player.failed, f"it happened in the ruling '{ruling.id}'")
                    failed.add(player.failed.place)
                    continue
                for key, fault in faults:
                    path = ("rulings", placed[ruling.id], *([key] if key else []))
                    yield source.problem("DEF-074", f"ruling '{ruling.id}': {fault}", path)

    return check


def _of(player: Player, ruling: ResolvedRuling) -> Iterator[tuple[str, str]]:
    return faults(ruling, player.rules([*ruling.variants], {**ruling.set}))


def faults(ruling: ResolvedRuling, rules: Any) -> Iterator[tuple[str, str]]:
    """The answers in which the companion differs: the key of the ruling (`legal`), and the finding."""
    from companion.engine.answers import queries
    from companion.engine.answers.answers import plain
    from companion.engine.errors import CompanionError
    from companion.engine.language.jsonmoves import from_json
    from companion.engine.language.positionfile import PositionFileError, from_form
    from companion.engine.play.lines import try_line
    from companion.engine.play.position import Position
    from generator.cli.telling import differences

    key, verdict = "position", None
    try:
        at: Position[Any] = Position(rules, from_form(dict(ruling.position), rules))
        key = "moves"
        for number, said in enumerate(ruling.moves, 1):
            outcome = try_line(at, [from_json(said, at, number - 1)])
            verdict, at = outcome.verdict, outcome.after
            at.events.clear()
            if not verdict.legal and number < len(ruling.moves):
                yield "moves", f"move {number} is not legal{_because(verdict)}"
                return
        key = "query"
        found = queries.answer(dict(ruling.query), at).value if ruling.query else None
    except CompanionError as error:
        yield key, error.plainly if isinstance(error, PositionFileError) else str(error)
        return
    if verdict is not None:
        yield from _verdict(ruling, verdict)
    if ruling.query:
        for fault in differences(plain(ruling.value), plain(found)):
            yield "value", fault
    if ruling.expect:
        for fault in differences(ruling.expect, at.rules.dump(at.state)):
            yield "expect", fault


def _verdict(ruling: ResolvedRuling, verdict: Verdict) -> Iterator[tuple[str, str]]:
    if verdict.legal is not ruling.legal:
        found = f"{VERDICTS[verdict.legal]}{_because(verdict)}"
        yield "legal", f"the last move should be {VERDICTS[ruling.legal]}, and it is {found}"
        return
    for rule in {breach.rule for breach in verdict.reasons} - set(ruling.rules):
        yield "rules", f"{rule} forbids the last move too, and is not among the rules"


def _because(verdict: Verdict) -> str:
    from generator.cli.telling import why

    return f" ({told})" if (told := why(verdict)) else ""


__all__ = ["faults", "rulings_hold"]
