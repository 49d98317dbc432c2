"""Cases: each a position, moves or a question, and what the companion has to answer.

`cases/<game>/*.yaml` was written from the rules and apart from the code, a file for each section of the rulebook;
`rulings.yaml` of each game is printed in its rulebook. Both are run here. A case says what a table would say: a
position as sparse as a person writes it, the moves in the order played (the last one is in question), the verdict, and
what stands afterwards. Whatever happens, no piece may appear or vanish.

| key | meaning |
|---|---|
| `position` | a position file; what it leaves out takes its default |
| `moves` | moves in their JSON form, or lines as somebody types them |
| `set`, `variants` | parameters and variants of the case's own |
| `legal` | the verdict on the last move; left out where only a query is asked |
|  | a refused case names its rule: `forbidden_by`, or `rules` |
| `rules` | rules that have to be cited; of a ruling: all that may be among the reasons |
| `forbidden_by` | the rule that comes first among the reasons |
| `not_rules` | rules that may not be cited |
| `needs` | fields or moves the answer asks for |
| `query`, `value` | a question about figures after the moves, and a part of its answer |
| `expect` | a part of the position afterwards; `null`: nothing is there |
| `says`, `says_not` | sentences, or parts of them, that the moves say at the table; parts of none of them |
| `why` | parts of the sentences with which the last move is refused |
| `awaits` | words of what the table says it waits for afterwards |
| `shown` | parts of lines of the table as it is shown afterwards; one space stands for several |
| `offers`, `offers_not` | parts of legal moves as they are listed afterwards; what stands in none of them |
| `lies` | what lies in the picture afterwards: place -> piece (or mat) -> how many; `piece (back)`: face down |
| `score` | a part of the score afterwards: `ranking`, `totals`, `lines`, `ties`, `ending`, `remarks` |
| `fault` | words of the complaint about a position that cannot be, or about moves that cannot be read |
| `about` | rules the case shows at work without their being cited |
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import games
import yaml
from pieces import PIECES

from companion.engine.answers import queries
from companion.engine.answers.answers import plain
from companion.engine.errors import CompanionError
from companion.engine.language import notation
from companion.engine.language.jsonmoves import from_json
from companion.engine.language.positionfile import from_form
from companion.engine.play.lines import try_line
from companion.engine.play.moves import Event, Move
from companion.engine.play.position import Answer, Position, Rules, Verdict

FOLDER = Path(__file__).parent / "cases"
ROOT = Path(__file__).parents[2]
UNORDERED = (".generals", ".removed", ".round_tiles")
"""Fields of positions whose cards lie in no order."""

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Case(NamedTuple):
    """A case as it is written, and where."""

    game: str
    file: Path
    line: int
    said: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.game}-{self.file.stem}-{self.said['id']}"

    @property
    def place(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line}"

    @property
    def is_ruling(self) -> bool:
        return self.file.name == "rulings.yaml"

    @property
    def sets(self) -> dict[str, Any]:
        return self.said.get("set") or {}

    @property
    def variants(self) -> tuple[str, ...]:
        return tuple(self.said.get("variants") or ())

    @property
    def rules(self) -> frozenset[str]:
        return frozenset(self.said.get("rules") or ())

    @property
    def not_rules(self) -> frozenset[str]:
        return frozenset(self.said.get("not_rules") or ())

    @property
    def spoken_of(self) -> set[str]:
        """Every rule the case names."""
        named = {self.said.get("forbidden_by", ""), *self.rules, *(self.said.get("about") or ())}
        return named - {""}


def files(game: str) -> list[Path]:
    """The files with cases of a game, the rulings of its rulebook last."""
    found = [*sorted((FOLDER / game).glob("*.yaml")), games.folder_of(game) / "rulings.yaml"]
    return [file for file in found if file.is_file()]


def cases(game: str) -> list[Case]:
    """Every case of a game."""
    return [case for file in files(game) for case in cases_of(game, file)]


@cache
def cases_of(game: str, file: Path) -> list[Case]:
    """The cases in a file. Read once; nobody may change them."""
    reader = _Loader(file.read_text(encoding="utf-8"))
    node = reader.get_single_node()
    if isinstance(node, yaml.MappingNode):
        node = next(value for key, value in node.value if key.value == "rulings")
    found: list[dict[str, Any]] = reader.construct_document(node)
    return [Case(game, file, at.start_mark.line + 1, said) for at, said in zip(node.value, found, strict=True)]


class Run(NamedTuple):
    """What became of a case: the moves up to the first that is not legal, and the answer to its question."""

    before: Position[Any]
    after: Position[Any]
    played: int
    """How many moves were judged."""
    verdict: Verdict | None
    """The verdict on the last of them."""
    events: list[Event]
    answer: Answer | None

    @property
    def sentences(self) -> list[str]:
        """Everything said at the table: a sentence that lacks a fact raises KeyError."""
        reasons = self.verdict.reasons if self.verdict else ()
        return [*(event.what for event in self.events), *(breach.why for breach in reasons)]

    @property
    def cited(self) -> set[str]:
        """The rules of steps, reasons, questions and answer."""
        said = (*self.events, *self.verdict.reasons, *self.verdict.needs) if self.verdict else self.events
        return {one.rule for one in said if one.rule} | set(self.answer.rules if self.answer else ())


def run(case: Case, rules: Rules) -> Run:
    """Play a case. Raises CompanionError where the position or a move cannot be in this edition of the game."""
    at: Position[Any] = Position(rules, from_form(case.said.get("position") or {}, rules))
    before = at
    events: list[Event] = []
    verdict: Verdict | None = None
    played = 0
    for said in case.said.get("moves") or ():
        outcome = try_line(at, _moves(said, at, played), typed=isinstance(said, str))
        verdict = outcome.verdict
        played += 1
        if not verdict.legal:
            break
        events += outcome.events
        at = outcome.after
        at.events.clear()
    asked = case.said.get("query")
    return Run(before, at, played, verdict, events, queries.answer(asked, at) if asked else None)


def forced(case: Case, rules: Rules) -> None:
    """Play a case at a table that keeps each of its moves against the rules. CompanionError: it cannot."""
    at = Position(rules, from_form(case.said.get("position") or {}, rules))
    for index, said in enumerate(case.said.get("moves") or ()):
        at = try_line(at, _moves(said, at, index), force=True).after
        at.events.clear()


def _moves(said: dict[str, Any] | str, at: Position[Any], index: int) -> list[Move]:
    return notation.read(said, at) if isinstance(said, str) else [from_json(said, at, index)]


def differences(expected: Any, found: Any, path: str = "") -> list[str]:
    """Where `found` is not what was expected; mappings may hold more, and a short row is filled with `null`."""
    if isinstance(expected, dict) and isinstance(found, dict) and (expected or not found):
        return [
            line
            for key, value in expected.items()
            if value is not None or key in found
            for line in differences(value, found.get(key, "(missing)"), f"{path}.{key}")
        ]
    if isinstance(expected, list) and isinstance(found, list):
        expected = [*expected, *([None] * (len(found) - len(expected)))] if None in found else expected
        if path.endswith(UNORDERED):
            expected, found = sorted(expected), sorted(found)
        elif len(expected) == len(found):
            return [
                line
                for i, (a, b) in enumerate(zip(expected, found, strict=True))
                for line in differences(a, b, f"{path}[{i}]")
            ]
    return [] if expected == found else [f"{path.lstrip('.') or 'value'}: expected {expected}, found {found}"]


def faults(case: Case) -> list[str]:
    """Everything in which the companion answers otherwise than the case says."""
    rules = games.rules_with(case.game, case.sets, case.variants)
    try:
        done = run(case, rules)
    except CompanionError as error:
        if case.said.get("fault", "\0") in str(error):
            return []
        return [f"{'fault: expected ' + case.said['fault'] + ', found ' if 'fault' in case.said else ''}{error}"]
    if "fault" in case.said:
        return [f"fault: expected {case.said['fault']!r}, found none"]
    moves = case.said.get("moves") or ()
    if done.played < len(moves) and done.verdict is not None:
        refused = f"move {done.played} of {len(moves)}, {moves[done.played - 1]}, is not the one in question"
        return [f"{refused}: {_told(done.verdict)}"]
    found = [] if done.verdict is None else _verdict_faults(case, done.verdict, done.events)
    try:
        done.sentences  # noqa: B018
    except KeyError as error:
        found.append(f"a sentence lacks the fact {error}")
    said = [event.what for event in done.events if not event.aside]
    found += [f"says: expected {words!r}, found {said}" for words in case.said.get("says", ()) if not _in(words, said)]
    found += [f"says_not: {words!r} is said" for words in case.said.get("says_not", ()) if _in(words, said)]
    given = [breach.why for breach in done.verdict.reasons] if done.verdict else []
    found += [f"why: expected {words!r}, found {given}" for words in case.said.get("why", ()) if not _in(words, given)]
    found += [f"{rule} is cited, but the rulebook has no such rule" for rule in done.cited - set(rules.game.rules)]
    if done.answer is not None:
        found += differences(plain(case.said["value"]), plain(done.answer.value), "value")
        found += _citation_faults(case, done)
    form = rules.dump(done.after.state)
    if case.said.get("expect"):
        found += differences(case.said["expect"], form)
    return found + _told_wrongly(case, done.after) + _lost(case.game, done, form)


def _told_wrongly(case: Case, at: Position[Any]) -> list[str]:
    """Where what the table waits for, its lines or the score lack what the case says."""
    found = []
    if "awaits" in case.said and case.said["awaits"] not in (waits := at.rules.awaits(at)):
        found.append(f"awaits: expected {case.said['awaits']!r}, found {waits!r}")
    lines = [" ".join(line.split()) for line in at.rules.show(at).splitlines()] if "shown" in case.said else []
    missing = [words for words in case.said.get("shown", ()) if not _in(words, lines)]
    if "score" in case.said:
        ledger = at.rules.score(at)
        found += differences(case.said["score"], {**plain(ledger), "totals": ledger.totals()}, "score")
    if "offers" in case.said or "offers_not" in case.said:
        listed = [notation.write(move, at) for move in at.legal()]
        wanted, barred = case.said.get("offers", ()), case.said.get("offers_not", ())
        found += [f"offers: {words!r} is not in {listed}" for words in wanted if not _in(words, listed)]
        found += [f"offers_not: {words!r} is listed" for words in barred if _in(words, listed)]
    if "lies" in case.said:
        found += differences(case.said["lies"], _lying(at), "lies")
    return found + [f"shown: expected {words!r}, found {lines}" for words in missing]


def _in(words: str, lines: list[str]) -> bool:
    return any(words in line for line in lines)


def _lying(at: Position[Any]) -> dict[str, dict[str, int]]:
    """Place of the picture -> piece -> how many lie there."""
    scene, found = at.rules.scene(at), defaultdict[str, Counter[str]](Counter)
    for thing in scene.pieces if scene is not None else ():
        name = (thing.piece or thing.mat) + (" (back)" if thing.side == "back" else "")
        found[str(thing.at)][name] += thing.count
    return {place: there for place, pieces in found.items() if (there := {name: n for name, n in pieces.items() if n})}


def _verdict_faults(case: Case, verdict: Verdict, events: list[Event]) -> list[str]:
    """Differences in the verdict on the last move, the rules it cites and what it asks for."""
    said = case.said
    if verdict.legal is not said.get("legal"):
        return [f"legal: expected {_word(said.get('legal'))}, found {_told(verdict)}"]
    reasons = [breach.rule for breach in verdict.reasons]
    cited = [event.rule for event in events] if verdict.legal else reasons
    found = []
    if case.is_ruling:
        found += [f"{rule} forbids it too, but the ruling does not name it" for rule in set(reasons) - case.rules]
    else:
        found += [f"{rule} is not among {cited}" for rule in sorted(case.rules - set(cited))]
    found += [f"{breach.rule} says nothing" for breach in verdict.reasons if not breach.why]
    found += [f"{rule} is among {cited}" for rule in sorted(case.not_rules & set(cited))]
    if "forbidden_by" in said and cited[:1] != [said["forbidden_by"]]:
        found.append(f"forbidden_by: expected {said['forbidden_by']} first, found {_told(verdict)}")
    needed = {word for choice in verdict.needs for word in (choice.field, choice.move)}
    missing = set(said.get("needs", ())) - needed
    return found + ([f"needs: expected {sorted(missing)}, found {_told(verdict)}"] if missing else [])


def _citation_faults(case: Case, done: Run) -> list[str]:
    """Rules that the answer to a question does not cite; of moves before it, the steps may do so."""
    assert done.answer is not None
    found = [] if done.answer.rules else ["the answer cites no rule"]
    if not case.is_ruling and not case.said.get("moves"):
        cited = done.answer.rules
        found += [f"{rule} is not among {cited}" for rule in sorted(case.rules - set(cited))]
        found += [f"{rule} is among {cited}" for rule in sorted(case.not_rules & set(cited))]
    return found


def _lost(game: str, done: Run, form: dict[str, Any]) -> list[str]:
    """Pieces that appeared or vanished."""
    rules = done.before.rules
    found = []
    if game in PIECES and done.before.state.players:
        was, now = PIECES[game](rules.dump(done.before.state)), PIECES[game](form)
        found += [
            f"{piece}: there were {was[piece]}, now {now[piece]}" for piece in was | now if was[piece] != now[piece]
        ]
    if not rules.check_whole(done.before.state):
        found += rules.check_whole(done.after.state)
    return found


def _word(legal: bool | None) -> str:
    return {True: "legal", False: "not legal", None: "a question"}[legal]


def _told(verdict: Verdict) -> str:
    """A verdict in a line."""
    if verdict.legal:
        return "legal"
    why = [f"{breach.rule}: {breach.why}" for breach in verdict.reasons]
    asked = [f"{choice.move} {choice.field}?" for choice in verdict.needs]
    return f"{_word(verdict.legal)} ({'; '.join(why or asked)})"
