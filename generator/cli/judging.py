"""A move tried on the live page: the companion judges it, by the game as it stands on the page."""

from __future__ import annotations

from components.model import ResolvedGame
from components.scene import Played
from components.yamlsource import parse_yaml
from generator.live.moves import Judged, Said


def judge(game: ResolvedGame, said: Said) -> Judged:
    """The verdict on a line in a position. Raises CompanionError and DefinitionError."""
    from companion.engine.answers.answers import outcome_text
    from companion.engine.errors import CompanionError
    from companion.engine.language import notation
    from companion.engine.language.reaching import NotReached, reached
    from companion.engine.play.lines import try_line
    from generator.cli.playing import rules_of

    position = parse_yaml(said.position, "the position") if said.position.strip() else None
    if position is not None and (position.problems or not isinstance(position.data, dict)):
        why = f"line {position.problems[0].line}: {position.problems[0].what}" if position.problems else "no mapping"
        return Judged(None, f"The position cannot be read: {why}")
    rules = rules_of(game)
    known = {seat.lower(): seat for seat in game.seats}
    seats = [known.get(seat.lower(), seat) for seat in said.seats] or (
        game.seats or ["ana", "bo", "cem", "dana", "eli", "fay"]
    )[: game.players[0]]
    played = Played(position=position.data if position else {}, seats=[] if position else seats, lines=said.before)
    try:
        at = reached(rules, played)
    except NotReached as error:
        where = (
            f"line {int(error.path[1]) + 1} of what was played" if error.path[0] == "lines" else f"the {error.path[0]}"
        )
        return Judged(None, f"{where}: {error}")
    if not said.line.strip():
        return Judged(None, "Say a move, as you would type it for the companion.")
    try:
        outcome = try_line(at, notation.read(said.line, at), typed=True)
    except CompanionError as error:
        return Judged(None, str(error))
    verdict = outcome.verdict
    cited = [reason.rule for reason in verdict.reasons] + [event.rule for event in outcome.events if event.rule]
    return Judged(verdict.legal, outcome_text(outcome, at), list(dict.fromkeys(cited)))


__all__ = ["judge"]
