"""Golden playthroughs: scenes of typed lines and answers, refused moves and typing mistakes included.

Each transcript in `tests/golden/<game>/` is named after what it shows and begins with a head (YAML: `seats`, `set`,
`variants`, `position`).

| line | meaning |
|---|---|
| `$ line` | typed at the table; what follows, up to the next such line, is the answer |
| `$$ line; line` | typed as well, and legal; the answers are left out, so that the scene stays short |
| `$ show`, `$ moves`, `$ score` | what the table is shown |
| `# words` | a heading for the reader |

The test types the lines again and compares everything. Write a new one as a head and typed lines, then run
pytest --update-golden and read what came out.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import games
import yaml

from companion.engine.answers import answers
from companion.engine.language import listing, notation
from companion.engine.language.positionfile import from_form
from companion.engine.play.lines import try_line
from companion.engine.play.position import Position

GOLDEN = Path(__file__).parents[1] / "golden"
TYPED = ("$ ", "$$ ")


def transcripts(game: str) -> list[Path]:
    return sorted((GOLDEN / game).glob("*.txt"))


def head_of(lines: list[str]) -> tuple[list[str], dict[str, Any]]:
    """The lines before the first typed one or heading after a blank line, and what they say."""
    end = next(i for i, line in enumerate(lines) if line.startswith(TYPED) or not line.strip())
    head = [line for line in lines[:end] if line.strip()]
    return head, yaml.safe_load("\n".join(head)) or {}


def replayed(game: str, text: str) -> str:
    """The transcript with today's answers."""
    lines = text.splitlines()
    head, said = head_of(lines)
    rules = games.rules_with(game, said.get("set") or {}, said.get("variants") or ())
    people = dict(pair.split("=") for pair in str(said.get("seats", "")).split())
    names = {person: seat for seat, person in people.items()}
    at: Position[Any] = Position(rules, rules.new_state())
    if "position" in said:
        at = Position(rules, from_form(said["position"], rules))
    else:
        at.play(rules.setup_move(list(people), {}))
    at.events.clear()
    out = [*head, ""]
    for line in lines[len(head) :]:
        if line.startswith("# "):
            out += ["", line] if out[-1] else [line]
            continue
        if not line.startswith(TYPED):
            continue
        out.append(line)
        if line.startswith("$$ "):
            for one in line[3:].split(";"):
                at, answer = typed(one.strip(), at, names)
                out += [] if answer.startswith("OK: ") else [answer]
        elif line == "$ show":
            out.append(rules.show(at))
        elif line == "$ moves":
            out += listing.overview(at.legal(), at)
        elif line == "$ score":
            out.append(answers.ledger_text(rules.score(at), people))
        else:
            at, answer = typed(line[2:], at, names)
            out.append(answer)
    return "\n".join(out) + "\n"


def typed(line: str, at: Position[Any], people: dict[str, str]) -> tuple[Position[Any], str]:
    """The position after a typed line, and the answer to it."""
    try:
        moves = notation.read(line, at, people=people)
    except notation.NotationError as error:
        return at, f"{error.what}\n  legal now: {' | '.join(error.nearest)}"
    outcome = try_line(at, moves, typed=True)
    answer = answers.outcome_text(outcome, at)
    after = outcome.after if outcome.done else at
    after.events.clear()
    return after, answer
