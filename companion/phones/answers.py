"""Answers to a page: the table as one seat may know it, as plain data with people for their seats."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from companion.engine.answers import ask
from companion.engine.answers.answers import events_text, nearest_legal, rule_json
from companion.engine.answers.ledger import Ledger
from companion.engine.decisions.drafts import Draft, How, draft
from companion.engine.decisions.fields import Field
from companion.engine.decisions.menus import menu
from companion.engine.language.completion import completions
from companion.engine.language.people import People
from companion.engine.play.lines import Outcome
from companion.engine.play.moves import made_by
from companion.engine.play.position import Position, Rules
from companion.engine.play.secrets import seen_by
from companion.engine.table import course
from companion.engine.table.logbook import LogLine
from companion.engine.table.private import known_lines
from companion.engine.table.table import Table
from companion.engine.things.sealed import without_seals
from companion.engine.things.views import Grid, Lines, View
from companion.phones.turns import FEW, beginnings, later_fields, ready, whole_steps
from components.safe_text import one_line

TAIL = 40
"""Lines of the log that a page is sent without asking for more."""


class Rows:
    """Lines of a log as seats may know them, each worked out once: its row stays as it is while the line does."""

    def __init__(self) -> None:
        self._known: dict[str, dict[int, tuple[LogLine, dict[str, Any]]]] = {}

    def of(self, log: list[LogLine], at: Position[Any], seat: str) -> list[dict[str, Any]]:
        """Rows of some lines, as `seat` may know them. `at`: a position of their table."""
        known = self._known.setdefault(seat, {})
        for entry in log:
            if known.get(entry.number, (None, None))[0] is not entry:
                [known_entry] = known_lines([entry], at, seat)
                known[entry.number] = entry, row(known_entry)
        return [known[entry.number][1] for entry in log]


def state(table: Table, log: list[LogLine], made: Rows, seat: str) -> dict[str, Any]:
    """The state of the game. `log`: that of the table; `made`: its rows so far; `seat`: the one that asks, "" for
    somebody without a seat."""
    at, people = seen_by(table.position, seat), table.named
    at.tapped = True
    rules = at.rules
    view = rules.view(at) if type(rules).show is Rules.show else None
    over = rules.over(at.state)
    awaited = [] if over else rules.to_move(at.state)
    found: dict[str, Any] = {
        "number": table.history.last,
        "table": table.about.table,
        "game": rules.game.title,
        "seats": [
            {"seat": one, "person": people.called(one), "awaited": one in awaited, "you": one == seat}
            for one in table.seats
        ],
        "phase": people.text(rules.phase(at.state)),
        "next": next_text(at, view, people),
        "over": over,
        "sections": sections(at, view, people, seat),
        "log": made.of(log[-TAIL:], table.position, seat),
        "lines": len(log),
    }
    if over:
        found["score"] = score(table)
    return found


def next_text(at: Position[Any], view: View | None, people: People) -> str:
    """The next thing to happen, in words. `view`: the table, where the game does not show it as text."""
    if at.rules.over(at.state):
        return "The game is over"
    said = view.next if view is not None else at.rules.awaits(at)
    return people.text(said or ", ".join(at.rules.to_move(at.state)) or at.now)


def sections(at: Position[Any], view: View | None, people: People, seat: str) -> list[dict[str, Any]]:
    """The table, as tables and lines; at the end the part that only `seat` may see."""
    if view is None:
        return [{"lines": people.text(at.rules.show(at)).split("\n")}]
    found = [_section(one.told(people.called, people.text)) for one in view.sections]
    own = at.rules.private(at, seat) if seat else ()
    return [one for one in [*found, *({**_section(own_one), "own": True} for own_one in own)] if one]


def _section(one: Grid | Lines) -> dict[str, Any]:
    if isinstance(one, Grid):
        return {"titles": list(one.titles), "rows": [list(row) for row in one.rows], "marked": list(one.marked)}
    return {"lines": list(one.text)} if one.text else {}


def row(entry: LogLine) -> dict[str, Any]:
    """A line of a log: what was said, what happened, and how it is marked."""
    found: dict[str, Any] = {"number": entry.number, "kind": entry.line.kind}
    found["text"] = one_line(without_seals(entry.words))
    found["events"] = [text.strip() for text in events_text(entry.events, entry.named)]
    if entry.line.override:
        found["kept"] = one_line(entry.line.override)
    if entry.line.by:
        found["by"] = entry.named.called(entry.line.by)
    return found


def score(table: Table) -> dict[str, Any]:
    """The score of a game that is over, with its arithmetic."""
    return score_form(table, course.score(table))


def score_form(table: Table, ledger: Ledger) -> dict[str, Any]:
    """A score with its arithmetic."""
    people = table.named
    totals = ledger.totals()
    return {
        "unit": ledger.unit,
        "places": [
            {
                "place": place,
                "seat": seat,
                "person": people.called(seat),
                "total": totals[seat],
                "lines": [
                    {"points": line.points, "what": people.text(f"{line.source}: {line.sum}"), "rule": line.rule}
                    for line in ledger.lines
                    if line.seat == seat
                ],
            }
            for place, group in enumerate(ledger.ranking, 1)
            for seat in group
        ],
        "winners": [people.called(seat) for seat in ledger.ending.winners] if ledger.ending else [],
        "reason": people.text(ledger.ending.reason) if ledger.ending else "",
    }


def menu_form(table: Table, seat: str) -> dict[str, Any]:
    """The decisions and possible moves of a seat; of "", those of everybody who sits here: decisions of nobody (a
    result of chance, the end of a step)."""
    shown = menu(table.position, seat, table.named)
    shown.at.tapped = True
    found = shown.form()
    open_now = [verb for verb in shown.verbs if verb.standing != "refused"]
    if len(open_now) <= FEW:
        for verb, row in zip(shown.verbs, found["verbs"], strict=True):
            if begins := beginnings(shown, verb):
                row["begins"] = begins
    return found


class BadStep(ValueError):
    """A page asks for a step that a menu does not have."""


def walked(table: Table, seat: str, verb: str, steps: list[dict[str, Any]]) -> Draft:
    """The draft to which some steps of a menu lead. A step is `{"take": value}`, `{"add": value}`, `{"drop": value}`,
    `{"leave": true}` or `{"done": true}`. Raises CompanionError, NoSuchName, BadStep."""
    made = draft(table.position, seat, table.named)
    made.begin(verb)
    for step in steps:
        if len(step) != 1:
            raise BadStep("a step says one thing")
        [(how, value)] = step.items()
        if how not in ("take", "add", "drop", "leave", "done"):
            raise BadStep(f"{how!r} is no step")
        if made.refuses(cast("How", how), value):
            raise BadStep("that is not possible any more")
        if how in ("leave", "done"):
            getattr(made, how)()
        else:
            getattr(made, how)(value)
    return made


def asked(made: Draft) -> dict[str, Any]:
    """The next question of a draft, as plain data. `ready`: the whole move, if it is complete; `whole`: steps of a turn
    that one tap completes; `later`: fields to which one tap leads."""
    found = made.form()
    if isinstance(made.here, Field) and (said := ready(made.here)):
        found["ready"] = said.form()
    if whole := whole_steps(made):
        found["whole"] = whole
    if later := later_fields(made):
        found["later"] = later
    return found


def verdict(table: Table, outcome: Outcome, before: Position[Any]) -> dict[str, Any]:
    """The verdict of the rules on a line, ready to be shown. `before`: the position before the line."""
    people, judged = table.named, outcome.verdict
    found: dict[str, Any] = {
        "legal": judged.legal,
        "line": without_seals("; ".join(people.move(move, before) for move in outcome.said)),
        "events": [text.strip() for text in events_text(outcome.events, people)],
    }
    if judged.legal is None:
        asked = judged.needs[0]
        found["question"] = people.asked(asked)
        found["of"] = people.called(asked.of) if asked.of else ""
        found["answers"] = [str(one) for one in people.options(asked)][:60]
        other = table.rules.moves.get(asked.move) if asked.move != judged.move.name else None
        found["form"] = (made_by(other, asked.of) if other else judged.move).to_json()
        found["at"] = asked.field
    elif judged.legal is False:
        found["reasons"] = [
            {"why": people.said(breach), **rule_json(table.rules, breach.rule)} for breach in judged.reasons
        ]
        found["legal_instead"] = [people.line(move, outcome.here) for move in nearest_legal(judged.move, outcome.here)]
    return found


def completed(table: Table, line: str, seat: str) -> list[str]:
    """The words that can be typed next."""
    return completions(line, seen_by(table.position, seat), people=table.people)[:30]


def found_rules(table: Table, words: str) -> list[dict[str, Any]]:
    """The rules, rulings and cards that answer a question."""
    return [
        {"kind": one.kind, "id": one.id, "title": one.title, "text": one.text, "rules": one.rules}
        for one in ask.search(table.rules.game, words, 5)
    ]


def rule(table: Table, rule_id: str) -> dict[str, Any]:
    """One rule with today's numbers and the rulings that cite it. Raises NoSuchRule."""
    found = ask.view(table.rules.game, rule_id)
    return {
        "id": found.rule.id,
        "title": found.rule.title,
        "section": found.rule.section,
        "text": found.rule.text,
        "off": found.off,
        "parameters": msgspec.to_builtins(found.parameters),
        "rulings": found.rulings,
        "pieces": found.pieces,
    }


__all__ = [
    "BadStep",
    "Rows",
    "asked",
    "completed",
    "found_rules",
    "menu_form",
    "rule",
    "score",
    "score_form",
    "state",
    "verdict",
    "walked",
]
