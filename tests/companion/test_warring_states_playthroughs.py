"""Golden playthroughs of Warring States Period: typed lines and answers, refused moves included.

Each transcript in `tests/golden/warring-states/` begins with a head.
Lines with `$ ` are typed; the rest is the answer. The test types the lines again and compares everything.
Write a new one as a head and typed lines, then run pytest --update-golden and read what came out.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from companion.engine import answers, notation
from companion.engine.lines import try_line
from companion.engine.position import Position
from companion.engine.positionfile import from_form
from companion.games import load_rules
from components.resolve import resolve_game

FOLDER = Path(__file__).parents[1] / "golden" / "warring-states"
TRANSCRIPTS = sorted(FOLDER.glob("*.txt"))


def head_of(lines: list[str]) -> tuple[list[str], dict[str, Any]]:
    """The lines before the first typed one, and what they say."""
    head = lines[: next(i for i, line in enumerate(lines) if line.startswith("$ "))]
    head = [line for line in head if line.strip()]
    return head, yaml.safe_load("\n".join(head)) or {}


def replayed(text: str) -> str:
    lines = text.splitlines()
    head, said = head_of(lines)
    rules = load_rules(resolve_game("warring-states", sets=said.get("set") or {}))
    people = dict(pair.split("=") for pair in str(said.get("seats", "")).split())
    at: Position[Any] = Position(rules, rules.new_state())
    if "position" in said:
        at = Position(rules, from_form(said["position"], rules))
    else:
        at.play(rules.setup_move(list(people), {}))
    at.events.clear()
    out = [*head, ""]
    for line in lines:
        if not line.startswith("$ "):
            continue
        out.append(line)
        if line == "$ show":
            out.append(rules.show(at))
        elif line == "$ score":
            out.append(answers.ledger_text(rules.score(at), people))
        else:
            at, answer = typed(line[2:], at, {person: seat for seat, person in people.items()})
            out.append(answer)
    return "\n".join(out) + "\n"


def typed(line: str, at: Position[Any], people: dict[str, str]) -> tuple[Position[Any], str]:
    """The position after a typed line, and the answer to it."""
    try:
        moves = notation.read(line, at, people=people)
    except notation.NotationError as error:
        return at, f"{error.what}\n  legal now: {' | '.join(error.nearest)}"
    outcome = try_line(at, moves)
    answer = answers.outcome_text(outcome, at)
    after = outcome.after if outcome.done else at
    after.events.clear()
    return after, answer


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=[file.stem for file in TRANSCRIPTS])
def test_playthrough(file: Path, golden: Callable[[str, str], None]) -> None:
    golden(f"warring-states/{file.name}", replayed(file.read_text(encoding="utf-8")))


def test_there_is_a_whole_game_and_a_refusal_in_every_transcript() -> None:
    texts = [file.read_text(encoding="utf-8") for file in TRANSCRIPTS]
    assert len(texts) >= 4
    assert any("WS-WIN-1" in text for text in texts)
    assert all("\nNO: " in text for text in texts)
