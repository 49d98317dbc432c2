"""The log of a table, where its rules changed, and the lines that no longer stand, as plain data and as text."""

from __future__ import annotations

from typing import Any

from companion.engine.answers.answers import events_json, events_text
from companion.engine.language.people import People
from companion.engine.table.history import Fallen
from companion.engine.table.logbook import LogLine
from companion.engine.table.replaying import Reasons
from companion.engine.table.table import Table
from companion.engine.things.sealed import without_seals
from components.model import ResolvedGame
from components.safe_text import one_line


def changes_json(table: Table) -> list[dict[str, Any]]:
    """The lines at which other rules begin to hold: their numbers, and the differences."""
    rows = []
    before = table.rules_of(table.history.begun).game
    for number, fingerprint in table.history.changes():
        now = table.rules_of(fingerprint).game
        rows.append(
            {
                "from": number,
                "fingerprint": fingerprint,
                "variants": now.variants,
                "sets": now.sets,
                "text": in_other_words(before, now),
            }
        )
        before = now
    return rows


def in_other_words(before: ResolvedGame, now: ResolvedGame) -> str:
    """The differences between two versions of a game: `build.army_cost = 3 (was 2)`."""
    said = [f"with the variant {name}" for name in now.variants if name not in before.variants]
    said += [f"without the variant {name}" for name in before.variants if name not in now.variants]
    for key in dict.fromkeys([*now.sets, *before.sets]):
        old, new = (game.sets.get(key, game.params.get(key, "as in the rules")) for game in (before, now))
        if old != new:
            said.append(f"{key} = {_shown(new)} (was {_shown(old)})")
    return "; ".join(said) or "the rules as they are defined today"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def log_json(log: list[LogLine]) -> list[dict[str, Any]]:
    rows = []
    for entry in log:
        line = entry.line
        row = {
            "number": entry.number,
            "when": entry.when,
            "phase": entry.phase,
            "kind": line.kind,
            "text": entry.text,
            "typed": line.text,
            "moves": entry.moves,
            "events": events_json(entry.events),
            "override": line.override or None,
            "broken": line.broken,
            "remarks": line.remarks,
        }
        rows.append(row)
    return rows


def log_text(log: list[LogLine], changes: list[dict[str, Any]], *, events: bool = False) -> str:
    """The log, one line each, with those who sat there then for their seats; lines that are not play by the rules carry
    a mark. `changes`: as `changes_json` gives them."""
    out: list[str] = []
    phase = None
    others = {row["from"]: f"== from here on: {row['text']}" for row in changes}
    for entry in log:
        people = entry.named
        if entry.number in others:
            out.append(others.pop(entry.number))
        if entry.phase != phase:
            phase = entry.phase
            out.append(f"-- {people.text(phase)}" if phase else "--")
        line = entry.line
        mark = {"move": "!" if line.marked else " ", "note": "#", "correct": "!", "people": "#"}[line.kind]
        out.append(f"{entry.number:>4} {mark} {one_line(without_seals(entry.words))}")
        for broken in line.broken:
            out.append(f"       against {broken['rule']}: {people.text(broken['why'])}")
        if line.override:
            out.append(f"       {'kept' if line.kind == 'move' else 'corrected'}: {one_line(line.override)}")
        out += [f"       ! {remark}" for remark in line.remarks]
        if events:
            out += ["     " + text for text in events_text(entry.events, people)]
    out += others.values()
    return "\n".join(out)


def reasons_text(why: Reasons, people: People) -> list[str]:
    """The reasons why a line does not stand, one to a line, with the rule at the end."""
    told = [(people.text(reason["why"]), reason["rule"]) for reason in why]
    return [f"      {text} [{rule}]" if rule else f"      {text}" for text, rule in told]


def fallen_json(fallen: list[Fallen], text: dict[int, str]) -> list[dict[str, Any]]:
    """Lines that no longer stand. `text`: line key -> the line in words."""
    return [{"number": f.number, "text": text.get(f.line.key, f.line.text), "why": f.why} for f in fallen]


__all__ = ["changes_json", "fallen_json", "in_other_words", "log_json", "log_text", "reasons_text"]
