"""A turn built up step by step in `companion play`: the legal steps with their costs and gains, `back`, `done` and
`leave`."""

from __future__ import annotations

from typing import Any

from companion.cli import common
from companion.engine.language.arguments import Books
from companion.engine.language.saying import short
from companion.engine.language.turns import read_part, write_part
from companion.engine.language.words import segments, tokens
from companion.engine.play.drafts import Draft
from companion.engine.play.moves import Breach, Choice
from companion.engine.play.parts import Part, Run, Turn, parts_of
from companion.engine.play.position import Position

HELP = "  type a step to add it, `back` to undo the last one, `done` to end the turn, `leave` to drop it"
LEAVING = ("leave", "cancel", "quit")
"""Words that end a question or a draft with nothing recorded."""


def put_together(turn: Turn, at: Position[Any], ask: Any, people: dict[str, str]) -> Turn | None:
    """The turn with the steps typed one by one; None if the user left it."""
    draft = Draft(turn, at)
    if not draft.begun:
        _tell(draft.so_far)
        return None
    _steps(draft)
    asked = ""
    while True:
        line = ask(f"{short(draft.turn, at)}, … ").strip()
        word = line.lower()
        if word in ("", "?"):
            _steps(draft)
        elif word in LEAVING:
            return None
        elif word == "done":
            if not (reasons := at.judge(draft.turn).reasons):
                return draft.turn
            for breach in reasons:
                common.say(f"  NO: {_why(breach)}")
        elif word in ("back", "undo"):
            part = draft.back()
            common.say(f"  undone: {write_part(part, at, short)}" if part else "  there is no step to undo")
        else:
            for segment in segments(line):
                asked = _add(draft, segment, people, asked)


def _add(draft: Draft, segment: str, people: dict[str, str], asked: str) -> str:
    """Add a step, or the answer to what the step `asked` asks. Returns the step that asks now; empty if none does."""
    domain, books = parts_of(type(draft.turn)), Books(draft.so_far.after, people)
    ways = [segment, *([f"{asked} {segment}", f"{asked} choose {segment}"] if asked else [])]
    said, read = next(
        ((way, found) for way in ways if domain and (found := read_part(tokens(way), domain, books))), (segment, None)
    )
    if read is None:
        wrong = "neither answers the question nor is" if asked else "is not"
        common.say(f"  {segment!r} {wrong} a step of this turn")
        common.say(HELP)
        return asked
    told = len(draft.so_far.after.events)
    longer = draft.with_part(read[1])
    if longer.reasons or longer.needs:
        _tell(longer)
        if longer.reasons:
            return "" if said == segment else asked
        return said
    for event in longer.after.events[told:]:
        if not event.aside:
            common.say(f"  {event.what} [{event.rule}]")
    return ""


def _steps(draft: Draft) -> None:
    """List the steps that may come next."""
    found = draft.next_steps()
    for step in found:
        brought = "; ".join(event.what for event in step.events if not event.aside)
        what = brought or "; ".join(choice.question for choice in step.asks)
        common.say(f"  {_typed(step.part, draft.at):24}  {what}")
    if not found:
        common.say("  no more steps are possible")


def _typed(part: Part, at: Position[Any]) -> str:
    return write_part(part, at, short)


def _tell(ran: Run) -> None:
    for breach in ran.reasons:
        common.say(f"  NO: {_why(breach)}")
    for choice in ran.needs:
        common.say(f"  ? {_asked(choice)}")


def _why(breach: Breach) -> str:
    return f"{breach.why} [{breach.rule}]"


def _asked(choice: Choice) -> str:
    return f"{choice.question} {', '.join(map(str, choice.options))}"


__all__ = ["LEAVING", "put_together"]
