"""Answers for people and programs: verdicts and ledgers as plain data (stable keys) and as short text."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.engine.answers.ledger import Ledger, Line, Remark
from companion.engine.answers.queries import in_words
from companion.engine.decisions.walks import plain
from companion.engine.language import notation, saying
from companion.engine.language.fields import fields
from companion.engine.language.people import People, people_of
from companion.engine.language.words import singular
from companion.engine.play.lines import Outcome
from companion.engine.play.moves import Breach, Choice, Event, Move, acting
from companion.engine.play.position import Answer, Position, Rules
from companion.engine.play.unbundling import unbundled
from companion.engine.things.sealed import without_seals
from components.phrasing import count, plural

VERSION = 1
"""Version of the JSON forms; it stands in every answer."""


# --- verdicts ------------------------------------------------------------------------------------------------------


Evidence = Callable[[Breach], list[int]]
"""Numbers of the log's lines that show what a breach claims."""


def outcome_json(
    outcome: Outcome,
    before: Position[Any],
    *,
    near: bool = True,
    evidence: Evidence | None = None,
    earlier: Sequence[Outcome] = (),
) -> dict[str, Any]:
    """The verdict on a line as plain data. `before`: the position in which the line was given; `earlier`: the lines
    played before it in the same command, whose events and moves are part of the answer."""
    rules = before.rules
    verdict = outcome.verdict
    course = [*earlier, outcome]
    events = [event for one in course for event in one.events]
    at = outcome.here
    reasons = [
        {
            **rule_json(rules, breach.rule),
            "why": breach.why,
            "facts": plain(breach.facts),
            "lines": evidence(breach) if evidence else [],
        }
        for breach in verdict.reasons
    ]
    nearest: list[dict[str, Any]] = []
    if verdict.legal is False and near:
        nearest = [{"text": notation.write(m, at), "move": m.to_json()} for m in nearest_legal(verdict.move, at)]
    cited = [b.rule for b in verdict.reasons] + [e.rule for e in events]
    answer: dict[str, Any] = {
        "version": VERSION,
        "legal": verdict.legal,
        "move": verdict.move.to_json(),
        "text": "; ".join(saying.short(move, before) for move in unbundled(verdict.move, before)),
        "index": outcome.index,
        "said": [move.to_json() for one in course for move in one.said],
        "reasons": reasons,
        "needs": [choice_json(choice) for choice in verdict.needs],
        "nearest": nearest,
        "presumed": [step.move.to_json() for one in course for step in one.steps if step.how in ("presumed", "passed")],
        "already": verdict.done_already,
        "events": events_json(events),
        "rules": list(dict.fromkeys(rule for rule in cited if rule)),
        "state": rules.dump(outcome.after.state),
    }
    broken = [rule for one in course for rule in one.broken]
    if broken:
        answer["override"] = broken
    return answer


def query_json(name: str, answer: Answer, earlier: Sequence[Outcome] = ()) -> dict[str, Any]:
    """The answer to a query; `earlier`: the moves before it, whose events and rules it also rests on."""
    events = [event for one in earlier for event in one.events]
    return {
        "version": VERSION,
        "query": name,
        "answer": plain(answer.value),
        "lines": plain(answer.lines),
        "rules": list(dict.fromkeys([*answer.rules, *(event.rule for event in events if event.rule)])),
        "said": [move.to_json() for one in earlier for move in one.said],
        "events": events_json(events),
    }


def query_text(name: str, answer: Answer) -> str:
    """The answer to a query in words, with its rules, and below it the lines of its sum."""
    told = [f"{name}: {in_words(plain(answer.value))} [{', '.join(answer.rules)}]"]
    return "\n".join([*told, *(f"  {in_words(plain(line))}" for line in answer.lines)])


def rule_json(rules: Rules, rule: str) -> dict[str, Any]:
    """A rule as a verdict cites it: id, title, and text with the current numbers."""
    known = rules.game.rules.get(rule)
    return {"rule": rule, "title": known.title if known else "", "text": known.text if known else ""}


def choice_json(choice: Choice) -> dict[str, Any]:
    """A question as plain data: what was asked, of whom, and the possible answers."""
    return {name: plain(getattr(choice, name)) for name in ("field", "of", "question", "options", "move", "rule")}


def events_json(events: Iterable[Event]) -> list[dict[str, Any]]:
    return [{"rule": e.rule, "what": e.what, "facts": plain(e.facts)} for e in events]


def nearest_legal(move: Move, at: Position[Any], n: int = 3) -> list[Move]:
    """The `n` legal moves most like a refused one: the same move of the same player with other arguments. The arguments
    that come first (the tile, the quadrant) count for more than those that follow (the rotation, the payment)."""
    wanted = move.to_json()
    who = acting(type(move))
    mine = wanted.get(who) if who else None
    same = [m for m in at.legal() if m.name == move.name and (mine is None or getattr(m, who) == mine)]
    if type(move).sampled:  # another card than the one that came up is not nearer
        unseen = [field.name for field in fields(type(move)) if field.domain is not None and field.domain.secret]
        same = [m for m in same if all(getattr(m, name) == getattr(move, name) for name in unseen)]
    said = saying.short(move, at)
    order = list(dict.fromkeys(field.path[0] for field in fields(type(move))))

    def unlike(other: Move) -> tuple[int, list[int], float]:
        form = other.to_json()
        changed = [place for place, key in enumerate(order) if form.get(key) != wanted.get(key)]
        ratio = difflib.SequenceMatcher(None, said, saying.short(other, at)).ratio()
        return len(changed), [-place for place in changed], -ratio

    return sorted(same, key=unlike)[:n]


def outcome_text(
    outcome: Outcome,
    before: Position[Any],
    *,
    near: bool = True,
    evidence: Evidence | None = None,
    people: People | None = None,
) -> str:
    """The verdict in a few words to read at a table: the reason first, then the rule. `people` stand for their
    seats."""
    rules = before.rules
    people = people_of(people)
    verdict = outcome.verdict
    said = without_seals(
        "; ".join(people.move(one, before) for move in outcome.said for one in unbundled(move, before))
    )
    lines: list[str] = []
    if verdict.legal is None:
        for choice in verdict.needs:
            who = f"{people.called(choice.of)}: " if choice.of else ""
            lines.append(f"? {who}{people.asked(choice)}")
            if choice.options:
                lines.append(f"  {', '.join(people.options(choice))}")
    elif verdict.legal is False:
        kept = bool(outcome.broken)
        lines.append(f"AGAINST THE RULES, KEPT: {said}" if kept else f"NO: {said}")
        why = ""
        for breach in verdict.reasons:
            seen = evidence(breach) if evidence else []
            where = f" ({plural(len(seen), 'line')} {', '.join(map(str, seen))})" if seen else ""
            if (told := people.said(breach) + where) != why:
                why = told
                lines.append(f"  {why}")
            known = rules.game.rules.get(breach.rule)
            lines.append(f"    {breach.rule} {known.title}: {known.text}" if known else f"    {breach.rule}")
        if not kept and near:
            legal = nearest_legal(verdict.move, outcome.here)
            if legal:
                lines.append("  legal: " + " | ".join(people.line(m, outcome.here) for m in legal))
    elif verdict.done_already:
        lines.append(f"OK: {said} (already done)")
    else:
        lines.append(f"OK: {said}")
    lines += events_text(outcome.events, people)
    return "\n".join(lines)


def events_text(events: Iterable[Event], people: People | None = None) -> list[str]:
    """One line for each step, with its rule at the end."""
    people = people_of(people)
    told = [(e, people.said(e)) for e in events if not e.aside]
    return [f"  ! {what}" if e.warns else f"  {what}{_by(e.rule)}" for e, what in told]


def _by(rule: str) -> str:
    """The rule at the end of a line, where there is one: a score pad has none."""
    return f" [{rule}]" if rule else ""


# --- score ---------------------------------------------------------------------------------------------------------


def ledger_json(ledger: Ledger) -> dict[str, Any]:
    form: dict[str, Any] = plain(ledger)
    for key in ("ties", "remarks", "course"):
        form.setdefault(key, [])
    form.setdefault("ending", None)
    if ledger.ending:
        form["ending"].setdefault("winners", [])
    return {"version": VERSION, **form, "totals": ledger.totals()}


def ledger_text(ledger: Ledger, people: People | Mapping[str, str], marks: int = 0) -> str:
    """The score as on paper: each line with its arithmetic, the totals, any tie-breaks, and how the game ended.

    `people` stand for their seats. `marks`: how many lines break the rules or are corrections.
    """
    people = people_of(people)
    out: list[str] = []
    totals = ledger.totals()
    place = 1
    for group in ledger.ranking:
        for seat in group:
            out.append(f"{place}. {people.seat(seat)}: {totals[seat]} {_unit(ledger.unit, totals[seat])}")
            own = [x for x in ledger.lines if x.seat == seat]
            out += [f"     {x.points:>4}  {people.text(f'{x.source}: {x.sum}')}{_by(x.rule)}" for x in own]
        place += len(group)
    out += _remarks(ledger.remarks, people)
    for stage in ledger.course:
        out.append(f"{stage.title}: {', '.join(f'{people.called(seat)} {n}' for seat, n in stage.totals.items())}")
        if stage.remarks:
            out += [f"  {line}" for line in (*_of_all(stage.lines, people), *_remarks(stage.remarks, people))]
    for tie in ledger.ties:
        figures = ", ".join(f"{people.called(seat)} {n}" for seat, n in tie.figures.items())
        out.append(f"tie-break {tie.what}: {figures} [{tie.rule}]")
    if ledger.ending:
        ending = replace(ledger.ending, reason=people.text(ledger.ending.reason))
        won = ending.told([*map(people.called, ending.winners)])
        out.append(f"{won}{_by(ending.rule)}")
    else:
        out.append("The game is not over.")
    if marks:
        out.append(
            f"{count(marks, 'line')} of the log "
            f"{plural(marks, 'breaks', 'break')} the rules or {plural(marks, 'was', 'were')} corrected by hand."
        )
    return "\n".join(out)


def _of_all(lines: Iterable[Line], people: People) -> list[str]:
    """Lines of several seats: `5  Ann  Tibet: first value of tile E 2-3-5 [DY-SCORE-3]`."""
    told = [(x, people.text(f"{x.source}: {x.sum}")) for x in lines]
    return [f"{x.points:>4}  {people.called(x.seat)}  {text}{_by(x.rule)}" for x, text in told]


def _remarks(remarks: Iterable[Remark], people: People) -> list[str]:
    return [f"{people.text(remark.what)}{_by(remark.rule)}" for remark in remarks]


def _unit(unit: str, number: int) -> str:
    """The unit of a score in the form that goes with the number: `point in Dynasty 3` for 1. Its noun stands before the
    first qualifying word."""
    if number != 1:
        return unit
    words = unit.split()
    end = next((n for n, word in enumerate(words) if n and word in _QUALIFIERS), len(words))
    return " ".join([*words[: end - 1], singular(words[end - 1]), *words[end:]])


_QUALIFIERS = frozenset(("after", "at", "for", "if", "in", "of", "on", "so"))


__all__ = [
    "VERSION",
    "choice_json",
    "events_json",
    "events_text",
    "ledger_json",
    "ledger_text",
    "nearest_legal",
    "outcome_json",
    "outcome_text",
    "plain",
    "query_json",
    "rule_json",
]
