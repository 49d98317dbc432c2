"""Answers for people and programs: verdicts and ledgers as plain data (stable keys) and as short text."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from companion.engine.answers.ledger import Ledger
from companion.engine.answers.queries import in_words
from companion.engine.language import notation, saying
from companion.engine.language.fields import fields
from companion.engine.language.words import singular
from companion.engine.play.lines import Outcome
from companion.engine.play.moves import Breach, Event, Move, acting
from companion.engine.play.position import Answer, Position, Rules
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
        "text": saying.short(verdict.move, before),
        "index": outcome.index,
        "said": [move.to_json() for one in course for move in one.said],
        "reasons": reasons,
        "needs": [plain(choice) for choice in verdict.needs],
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


def events_json(events: Iterable[Event]) -> list[dict[str, Any]]:
    return [{"rule": e.rule, "what": e.what, "facts": plain(e.facts)} for e in events]


def plain(value: Any) -> Any:
    """Plain data (mappings, lists, texts, numbers) of any record, as JSON would give it back."""
    return msgspec.json.decode(msgspec.json.encode(value))


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
    outcome: Outcome, before: Position[Any], *, near: bool = True, evidence: Evidence | None = None
) -> str:
    """The verdict in a few lines to read at a table: the reason first, then the rule."""
    rules = before.rules
    verdict = outcome.verdict
    said = without_seals("; ".join(saying.short(move, before) for move in outcome.said))
    lines: list[str] = []
    if verdict.legal is None:
        for choice in verdict.needs:
            who = f"{choice.of}: " if choice.of else ""
            lines.append(f"? {who}{choice.question}")
            if choice.options:
                lines.append(f"  {', '.join(map(str, choice.options))}")
    elif verdict.legal is False:
        kept = bool(outcome.broken)
        lines.append(f"AGAINST THE RULES, KEPT: {said}" if kept else f"NO: {said}")
        why = ""
        for breach in verdict.reasons:
            seen = evidence(breach) if evidence else []
            where = f" ({plural(len(seen), 'line')} {', '.join(map(str, seen))})" if seen else ""
            if breach.why + where != why:
                why = breach.why + where
                lines.append(f"  {why}")
            known = rules.game.rules.get(breach.rule)
            lines.append(f"    {breach.rule} {known.title}: {known.text}" if known else f"    {breach.rule}")
        if not kept and near:
            legal = nearest_legal(verdict.move, outcome.here)
            if legal:
                lines.append("  legal: " + " | ".join(notation.write(m, outcome.here) for m in legal))
    elif verdict.done_already:
        lines.append(f"OK: {said} (already done)")
    else:
        lines.append(f"OK: {said}")
    lines += events_text(outcome.events)
    return "\n".join(lines)


def events_text(events: Iterable[Event]) -> list[str]:
    """One line for each step, with its rule at the end."""
    return [f"  ! {e.what}" if e.warns else f"  {e.what}{_by(e.rule)}" for e in events if not e.aside]


def _by(rule: str) -> str:
    """The rule at the end of a line, where there is one: a score pad has none."""
    return f" [{rule}]" if rule else ""


# --- score ---------------------------------------------------------------------------------------------------------


def ledger_json(ledger: Ledger) -> dict[str, Any]:
    form: dict[str, Any] = plain(ledger)
    for key in ("ties", "remarks", "ending"):
        form.setdefault(key, None if key == "ending" else [])
    return {"version": VERSION, **form, "totals": ledger.totals()}


def ledger_text(ledger: Ledger, people: dict[str, str], marks: int = 0) -> str:
    """The score as on paper: each line with its arithmetic, the totals, any tie-breaks, and how the game ended.

    `people`: seat -> person. `marks`: how many lines break the rules or are corrections.
    """
    out: list[str] = []
    totals = ledger.totals()
    place = 1
    for group in ledger.ranking:
        for seat in group:
            name = f"{seat} ({people[seat]})" if people.get(seat) else seat
            out.append(f"{place}. {name}: {totals[seat]} {_unit(ledger.unit, totals[seat])}")
            out += [f"     {x.points:>4}  {x.source}: {x.sum}{_by(x.rule)}" for x in ledger.lines if x.seat == seat]
        place += len(group)
    out += [f"{remark.what} [{remark.rule}]" for remark in ledger.remarks]
    for tie in ledger.ties:
        figures = ", ".join(f"{seat} {n}" for seat, n in tie.figures.items())
        out.append(f"tie-break {tie.what}: {figures} [{tie.rule}]")
    if ledger.ending:
        won = f"{' and '.join(ledger.ending.winners)} won. " if ledger.ending.winners else ""
        out.append(f"{won}{ledger.ending.reason}{_by(ledger.ending.rule)}")
    else:
        out.append("The game is not over.")
    if marks:
        out.append(
            f"{count(marks, 'line')} of the log "
            f"{plural(marks, 'breaks', 'break')} the rules or {plural(marks, 'was', 'were')} corrected by hand."
        )
    return "\n".join(out)


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
