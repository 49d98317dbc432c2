"""A position as somebody describes it: a position file or a new table, and the lines and moves played from there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.engine.errors import CompanionError
from companion.engine.language import notation
from companion.engine.language.jsonmoves import from_json
from companion.engine.language.positionfile import PositionFileError, from_form
from companion.engine.play.lines import try_line
from companion.engine.play.moves import Move
from companion.engine.play.position import Position
from companion.engine.play.rules import Rules
from components.scene import Played


class NotReached(CompanionError):
    """A position that cannot be reached as it is described: `path` leads to what is wrong in the description."""

    kind = "position"
    status = 1

    def __init__(self, path: tuple[str | int, ...], what: str) -> None:
        super().__init__(what)
        self.path = path


def reached(rules: Rules, played: Played) -> Position[Any]:
    """The position that a description leads to, every move judged. Raises NotReached."""
    at: Position[Any] = Position(rules, rules.new_state())
    if played.seats and not played.position:
        at = _after(at, ("seats",), lambda here: [rules.setup_move(list(played.seats), dict(played.options))])
    else:
        try:
            at = Position(rules, from_form(dict(played.position), rules))
        except PositionFileError as error:
            raise NotReached(("position",), error.plainly) from None
        except CompanionError as error:
            raise NotReached(("position",), str(error)) from None
    for n, line in enumerate(played.lines):
        at = _after(at, ("lines", n), lambda here, line=line: notation.read(line, here), typed=True)  # type: ignore[misc]
    for n, form in enumerate(played.moves):
        at = _after(at, ("moves", n), lambda here, form=form: [from_json(form, here)])  # type: ignore[misc]
    return at


def _after(
    at: Position[Any],
    path: tuple[str | int, ...],
    said: Callable[[Position[Any]], list[Move]],
    *,
    typed: bool = False,
) -> Position[Any]:
    """The position after moves. Raises NotReached for what cannot be read, is not legal or leaves a choice open."""
    try:
        outcome = try_line(at, said(at), typed=typed)
    except CompanionError as error:
        raise NotReached(path, str(error)) from None
    verdict = outcome.verdict
    if outcome.done:
        return outcome.after
    if verdict.legal is None:
        raise NotReached(path, "; ".join(choice.question for choice in verdict.needs))
    raise NotReached(path, "; ".join(f"{reason.rule}: {reason.why}" for reason in verdict.reasons))
