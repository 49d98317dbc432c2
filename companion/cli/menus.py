"""`companion menu`: who has to decide what, what a seat may say, and what may stand in each field of a move."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from companion.cli import common
from companion.cli.show import Game, place_of
from companion.engine.answers import answers
from companion.engine.decisions.fields import LONG, THING_BY_THING, Field
from companion.engine.decisions.menus import Menu, Said
from companion.engine.decisions.pending import Decision, decisions
from companion.engine.decisions.records import Value, Verb
from companion.engine.decisions.walks import plain
from companion.engine.language.people import People
from companion.engine.play.moves import Breach
from components.safe_text import too_large

WIDE = 26
"""Columns for the name of a verb or value in a list."""


def menu(
    game: Game = "",
    table: common.TableName = "",
    position: common.PositionFile = None,
    seat: Annotated[
        str, typer.Option("--seat", help="The seat. Default: the table, which reports results of chance.")
    ] = "",
    verb: Annotated[str, typer.Option("--verb", help="Show the next field of this move (named as in JSON).")] = "",
    said: Annotated[
        str, typer.Option("--said", help="The fields set so far, as a JSON object; null passes a field over.")
    ] = "",
    variant: common.Variants = None,
    sets: common.Sets = None,
    json: common.AsJson = False,
) -> None:
    """Show the open decisions and a seat's possible moves; with --verb, the values of a move's next field.

    Example: companion menu --seat Qin --verb declare_war
    """
    at, opened = place_of(game, table, position, variant, sets)
    people = opened.named if opened else People(at.rules, {})
    who = common.seat_of(at, seat, people.by_name) if seat else ""
    found = Menu(at, who, None if json else people)
    if said and not verb:
        raise common.Failure("--said says fields of a move: name it with --verb")
    came_to = found.next(verb, **_fields(said)) if verb else None
    open_now = found.decisions if seat else decisions(at)
    if json:
        _say_json(found, open_now, came_to, everything=not verb)
    elif came_to is not None:
        _say_field(came_to, people) if isinstance(came_to, Field) else _say_said(came_to, people)
    else:
        _say_menu(found, open_now, people)


def _fields(said: str) -> dict[str, Any]:
    """The JSON object given as --said. Raises Failure."""
    import json

    try:
        found = json.loads(said) if said else {}
    except (ValueError, RecursionError) as error:
        raise common.Failure(f"--said: this is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise common.Failure("--said: expected an object with the fields that were said")
    if (number := too_large(found)) is not None:
        raise common.Failure(f"--said: {number!r:.20} is more than anything at a table")
    return found


def _say_json(found: Menu, open_now: list[Decision], came_to: Field | Said | None, *, everything: bool) -> None:
    form = found.form() if everything else {"verbs": [], "offers": []}
    common.say_json(
        {
            "version": answers.VERSION,
            "seat": found.seat,
            "decisions": [plain(one) for one in open_now],
            "verbs": form["verbs"],
            "offers": form["offers"],
            "field": came_to.form() if isinstance(came_to, Field) else None,
            "said": came_to.form() if isinstance(came_to, Said) else None,
        }
    )


# --- as text -------------------------------------------------------------------------------------------------------


def _say_menu(found: Menu, open_now: list[Decision], people: People) -> None:
    for one in open_now:
        who = people.called(one.who) if one.who else "the table"
        common.say(f"{who}: {people.text(one.question)}" + (f" [{one.rule}]" if one.rule else ""))
    if not open_now:
        common.say("nothing to decide now")
    for title, verbs in (("may be said:", found.verbs), ("besides:", found.offers)):
        if verbs:
            common.say(title)
        for verb in sorted(verbs, key=lambda verb: verb.standing == "refused"):
            common.say(f"  {verb.label:{WIDE}}  {_standing(verb, people)}")


def _standing(verb: Verb, people: People) -> str:
    if verb.standing == "refused":
        return _no(verb.reasons[0], people)
    if verb.needs:
        first = "first: " if verb.standing == "waits" else ""
        return first + people.asked(verb.needs[0])
    return "needs nothing more" if verb.standing == "legal" else verb.about


def _say_field(field: Field, people: People) -> None:
    common.say(field.question + (" (may be left out)" if field.optional else ""))
    if field.bounds and not field.values:
        least, most, _ = field.bounds
        common.say(f"  a number from {least}" + (f" to {most}" if most is not None else ""))
    why = {_no(value.reasons[0], people) if value.reasons else "" for value in field.values}
    if len(field.values) > 1 and len(why) == 1 and (reason := why.pop()):
        common.say(f"  {reason}")
        return
    long = len(field.values) > LONG
    for section in dict.fromkeys(value.section for value in field.values) if long else ("",):
        if section:
            common.say(f"  {section}:")
        for value in field.values:
            if not long or value.section == section:
                indent = "    " if section else "  "
                common.say(f"{indent}{people.text(value.label):{WIDE}}  {_about(value, people)}".rstrip())
    if field.kind in THING_BY_THING:
        common.say(f"  enough: {'yes' if not field.unfinished else _no(field.unfinished[0], people)}")


def _about(value: Value, people: People) -> str:
    return _no(value.reasons[0], people) if value.reasons else value.about


def _say_said(said: Said, people: People) -> None:
    common.say(said.line)
    for breach in said.verdict.reasons:
        common.say(f"  {_no(breach, people)}")
    for choice in said.verdict.needs:
        common.say(f"  ? {people.asked(choice)}")
    for event in said.events:
        if not event.aside:
            common.say(f"  {people.cited(event)}")


def _no(breach: Breach, people: People) -> str:
    return f"NO: {people.cited(breach)}"


__all__ = ["menu"]
