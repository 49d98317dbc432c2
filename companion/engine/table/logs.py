"""The log of a table, and the lines that no longer stand, as plain data and as text."""

from __future__ import annotations

from typing import Any

from companion.engine.answers.answers import events_json, events_text
from companion.engine.table.history import Fallen
from companion.engine.table.table import LogLine
from companion.engine.things.sealed import without_seals


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


def log_text(log: list[LogLine], *, events: bool = False) -> str:
    """The log, one line each; lines that are not play by the rules carry a mark."""
    out: list[str] = []
    phase = None
    for entry in log:
        if entry.phase != phase:
            phase = entry.phase
            out.append(f"-- {phase}" if phase else "--")
        line = entry.line
        mark = {"move": "!" if line.marked else " ", "note": "#", "correct": "!"}[line.kind]
        out.append(f"{entry.number:>4} {mark} {without_seals(entry.text)}")
        for broken in line.broken:
            out.append(f"       against {broken['rule']}: {broken['why']}")
        if line.override:
            out.append(f"       {'kept' if line.kind == 'move' else 'corrected'}: {line.override}")
        out += [f"       ! {remark}" for remark in line.remarks]
        if events:
            out += ["     " + text for text in events_text(entry.events)]
    return "\n".join(out)


def fallen_json(fallen: list[Fallen], text: dict[int, str]) -> list[dict[str, Any]]:
    """Lines that no longer stand. `text`: line key -> the line in words."""
    return [{"number": f.number, "text": text.get(f.line.key, f.line.text), "why": f.why} for f in fallen]


__all__ = ["fallen_json", "log_json", "log_text"]
