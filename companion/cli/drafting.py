"""A turn built up step by step in `companion play`: the legal steps with their costs and gains, `back`, `done` and
`leave`."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from companion.cli import common
from companion.cli.questions import answered_inside, within
from companion.engine.errors import CompanionError
from companion.engine.language import notation
from companion.engine.language.books import Books
from companion.engine.language.people import People, people_of
from companion.engine.language.saying import about, write_part
from companion.engine.language.turns import read_steps
from companion.engine.language.words import segments, tokens
from companion.engine.play.drafts import TurnDraft, added
from companion.engine.play.moves import Breach, maker
from companion.engine.play.parts import Part, Run, Turn, parts_of
from companion.engine.play.position import Position

HELP = "  type a step to add it, `back` to undo the last one, Enter or `done` to end the turn, `leave` to drop it"
LEAVING = ("leave", "cancel", "quit")
"""Words that end a question or a draft with nothing recorded."""


def put_together(
    turn: Turn, at: Position[Any], ask: Any, people: People | Mapping[str, str], later: list[str] | None = None
) -> Turn | None:
    """The turn with the steps typed one by one; None if the user left it. `ask` prints a prompt and returns a line that
    is not a command; `people` (seat -> person) stand for their seats. A line of another seat, or one that names the
    player and begins another turn, ends a turn that may end: it goes to `later`."""
    named = people_of(people)
    draft = TurnDraft(turn, at)
    if not draft.begun:
        _tell(draft.so_far, named)
        return None
    _steps(draft, named)
    asked: Run | None = None
    waiting: list[str] = []  # steps said after one that asks something
    while True:
        if waiting and asked is None:
            asked = _added(draft, waiting, named, asked)
        line = ask(f"{named.move(draft.turn, at)}, … ").strip()
        word = line.lower()
        if word == "?" or (word == "" and (asked or _lacks(draft))):
            asked = None
            _steps(draft, named)
        elif word in LEAVING:
            return None
        elif asked and (word == "done" or _is_of_another(line, draft, named)):
            _tell(asked, named)  # the step that asks is part of what was said
        elif word in ("", "done"):
            if not (reasons := _lacks(draft)):
                return draft.turn
            _refuse(reasons, named)
        elif word in ("back", "undo"):
            part, asked = _last(asked) if asked else draft.back(), None
            common.say(f"  undone: {write_part(part, at)}" if part else "  there is no step to undo")
        elif _is_of_another(line, draft, named):
            if not (reasons := _lacks(draft)):
                (later if later is not None else []).append(line)
                return draft.turn
            common.say("  this turn has to end first")
            _refuse(reasons, named)
        else:
            before = draft.turn
            waiting[:0] = segments(line)
            asked = _added(draft, waiting, named, asked)
            if draft.turn != before and asked is None and not _lacks(draft):
                if not draft.next_steps():
                    return draft.turn
                common.say("  Enter ends the turn here")


def _last(asked: Run) -> Part:
    """The step that asks something."""
    assert isinstance(asked.move, Turn)
    return asked.move.parts()[-1]


def _lacks(draft: TurnDraft) -> list[Breach]:
    """The reasons why the turn cannot end yet."""
    return draft.at.judge(draft.turn).reasons


def _is_of_another(line: str, draft: TurnDraft, named: People) -> bool:
    """True if a line states a move of another seat, or another turn of the same one."""
    try:
        first = notation.read(line, draft.at, people=named.by_name)[0]
    except CompanionError:
        return False
    who = maker(first)
    again = isinstance(first, Turn) and line.lower().startswith((f"{who} ".lower(), f"{named.called(who)} ".lower()))
    return who != "" and (who != maker(draft.turn) or again)


def _added(draft: TurnDraft, waiting: list[str], named: People, asked: Run | None) -> Run | None:
    """Add the steps that wait, as far as none asks something. The turn with a step that asks now; None if none does."""
    while waiting:
        asked = _add(draft, waiting.pop(0), named, asked)
        if asked is not None:
            break
    return asked


def _add(draft: TurnDraft, segment: str, named: People, asked: Run | None) -> Run | None:
    """Add a step, or the answer to what a step asks. The turn with a step that asks now; None if none does."""
    longer: Turn | None = None
    if asked is not None:
        choice = asked.needs[0]
        answer = within(segment, choice, named.asked(choice), {choice.of.lower(), named.called(choice.of).lower()})
        with suppress(common.Failure):
            answered = answered_inside(asked.move, choice, answer, asked.after, named.by_name)
            longer = answered if isinstance(answered, Turn) else None
    if longer is None:
        domain, books = parts_of(type(draft.turn)), Books(draft.so_far.after, named.by_name)
        read = read_steps(tokens(segment), domain, books) if domain else None
        if read is None:
            wrong = "neither answers the question nor is" if asked else "is not"
            common.say(f"  {segment!r} {wrong} a step of this turn")
            common.say(HELP)
            return asked
        if asked is not None:  # the step that asks is not given up for another
            _tell(asked, named)
            return asked
        longer = draft.turn.with_parts((*draft.turn.parts(), *read))
    so_far = draft.so_far
    ran = draft.grown(longer)
    if ran.reasons or ran.needs:
        _tell(ran, named)
        return ran if ran.needs else asked
    for event in added(so_far.after.events, ran.after.events):
        if not event.aside:
            common.say(f"  {named.cited(event)}")
    return None


def _steps(draft: TurnDraft, named: People) -> None:
    """List the steps that may come next."""
    found = draft.next_steps()
    for step in found:
        brought = "; ".join(named.said(event) for event in step.events if not event.aside)
        what = brought or "; ".join(map(named.asked, step.asks)) or about(type(step.part))
        common.say(f"  {write_part(step.part, draft.at):24}  {what}")
    if not found:
        common.say("  no more steps are possible")


def _refuse(reasons: list[Breach], named: People) -> None:
    for breach in reasons:
        common.say(f"  NO: {named.cited(breach)}")


def _tell(ran: Run, named: People) -> None:
    _refuse(ran.reasons, named)
    for choice in ran.needs:
        common.say(f"  ? {named.asked(choice)} {', '.join(named.options(choice))}")


__all__ = ["LEAVING", "put_together"]
