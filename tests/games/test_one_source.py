"""One source: change any parameter, and both what is printed and what is ruled change.

Every figure a rule depends on is a parameter of `game.yaml`. For each of them (in mappings: for each entry) the game is
resolved once more with another value, and then

- a rule, a ruling, a card or an aid says something else, and that reaches the paper: the drawn faces and the typeset
  rulebook differ (where the game has layouts);
- a case is judged otherwise: another verdict, other figures in its reasons, or another position afterwards.

Cases are those of `case_runner`, and those that `one_source/<game>.yaml` keeps for single parameters. That file
also has values where the next one up (or the other choice) would not do:

    parameter or parameter.entry:
      value: 2                                   # changed to this; left out: another choice, or one more or less
      set: {options.deck: expert}                # parameters that have to be so for this one to matter
      ruling: {position: {…}, moves: [{…}]}      # a case, as in rulings.yaml
      told: true                                 # nothing can be judged by it: the figures of the steps are enough

What depends only on rules that the people at the table keep (`kept_by: table`) is printed, and nobody rules on it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import case_runner
import msgspec
import pytest
import yaml
from case_runner import Case, cases

from companion.engine.answers.answers import choice_json
from companion.engine.errors import CompanionError
from companion.engine.play.position import Position, Rules
from companion.games import load_rules
from components.assemble import assemble
from components.errors import SetError
from components.loader import list_games, load
from components.model import Parameter, ResolvedGame, ResolvedPiece
from components.resolve import resolve_game
from generator.book.design import BookLook, GameBook
from generator.book.rulebook import make_book
from generator.faces.display import DisplayList, TextOp
from generator.faces.facemaker import FaceMaker
from tests.generator.facekit import shipped, shipped_book

HERE = Path(__file__).parent
A5 = (148.5, 210.0)


# --- the parameters and their other values -----------------------------------------------------------------------


class Leaf(NamedTuple):
    """One value that can be set: a parameter, or an entry of one that is a mapping."""

    game: str
    name: str
    parameter: str
    value: Any
    declared: Parameter

    @property
    def fixed(self) -> bool:
        """True if there is no other value it could have."""
        return self.declared.choices is not None and len(self.declared.choices) == 1


definition = cache(load)


def leaves(game_id: str) -> Iterator[Leaf]:
    game = definition(game_id).game
    assert game is not None
    for name, parameter in game.parameters.items():
        if isinstance(parameter.value, dict):
            for key, value in parameter.value.items():
                yield Leaf(game_id, f"{name}.{key}", name, value, parameter)
        else:
            yield Leaf(game_id, name, name, parameter.value, parameter)


def notes_file(game_id: str) -> Path:
    return HERE / "one_source" / f"{game_id}.yaml"


@cache
def notes(game_id: str) -> dict[str, dict[str, Any]]:
    """What `one_source/<game>.yaml` says of single parameters."""
    file = notes_file(game_id)
    return yaml.safe_load(file.read_text(encoding="utf-8")) or {} if file.is_file() else {}


def note_on(leaf: Leaf) -> dict[str, Any]:
    """What is noted of a parameter and, over it, of its entry."""
    said = notes(leaf.game)
    return {**said.get(leaf.parameter, {}), **said.get(leaf.name, {})}


def other_value(leaf: Leaf) -> Any:
    value, declared = leaf.value, leaf.declared
    if "value" in note_on(leaf):
        return note_on(leaf)["value"]
    if isinstance(value, bool):
        return not value
    if declared.choices is not None and not isinstance(value, list):
        return next(choice for choice in declared.choices if choice != value)
    if isinstance(value, int):
        return value + 1 if declared.max is None or value < declared.max else value - 1
    raise AssertionError(f"{leaf.name}: write another value for it into one_source/{leaf.game}.yaml")


GAMES = [game for game in list_games() if resolve_game(game).engine]
LEAVES = [leaf for game_id in GAMES for leaf in leaves(game_id)]
FREE = [leaf for leaf in LEAVES if not leaf.fixed]


def editions(
    leaf: Leaf, sets: Mapping[str, Any] = MappingProxyType({}), variants: tuple[str, ...] = ()
) -> tuple[ResolvedGame, ResolvedGame]:
    """The game without and with the parameter changed, other settings and variants being the same."""
    beside = {**sets, **note_on(leaf).get("set", {})}
    return edition(leaf.game, beside, variants), edition(leaf.game, {**beside, leaf.name: other_value(leaf)}, variants)


Made = TypeVar("Made")
RECENT = 40
"""So many editions are kept, with what was made of each; the three tests of a parameter follow each other."""


def recent(made: dict[str, Made], key: str, make: Callable[[], Made]) -> Made:
    """What `make` gives, if it is not among the last that were asked for."""
    found = made.pop(key) if key in made else make()
    made[key] = found
    if len(made) > RECENT:
        del made[next(iter(made))]
    return found


_editions: dict[str, ResolvedGame] = {}


def edition(game_id: str, sets: Mapping[str, Any], variants: tuple[str, ...]) -> ResolvedGame:
    def made() -> ResolvedGame:
        result = assemble(definition(game_id), variants=variants, sets=sets)
        assert result.game is not None, [str(problem) for problem in result.problems]
        return result.game

    return recent(_editions, f"{game_id} {variants} {sorted(sets.items(), key=str)}", made)


def each(found: Iterable[Leaf]) -> list[Any]:
    return [pytest.param(leaf, id=f"{leaf.game}-{leaf.name}") for leaf in found]


@pytest.mark.parametrize("leaf", each(leaf for leaf in LEAVES if leaf.fixed))
def test_a_parameter_with_one_value_is_in_its_rule_and_takes_no_other(leaf: Leaf) -> None:
    game = edition(leaf.game, {}, ())
    assert any(leaf.parameter in game.rules[rule].parameters for rule in leaf.declared.rules)
    other = leaf.value + 1 if isinstance(leaf.value, int) else f"not-{leaf.value}"
    with pytest.raises(SetError, match=leaf.name):
        edition(leaf.game, {leaf.name: other}, ())


@pytest.mark.parametrize("game_id", GAMES)
def test_everything_noted_is_of_a_parameter(game_id: str) -> None:
    names = {name for leaf in LEAVES if leaf.game == game_id for name in (leaf.name, leaf.parameter)}
    assert set(notes(game_id)) <= names
    assert all(set(said) <= {"value", "set", "ruling", "told"} for said in notes(game_id).values())


# --- what is printed ---------------------------------------------------------------------------------------------


def printed(game: ResolvedGame) -> dict[str, str]:
    """Every text on paper that is made from the data, by where it stands. Not the list of figures in the rulebook,
    which has every parameter by itself."""
    found = {"front page": game.about}
    for rule in game.rules.values():
        if rule.printed and rule.id not in game.off:
            found[f"rule {rule.id}"] = f"{rule.title}. {rule.text}"
    for ruling in game.rulings:
        if ruling.printed:
            found[f"ruling {ruling.id}"] = f"{ruling.question} {ruling.answer}"
    for piece in game.pieces:
        if piece.copies:
            found[f"{piece.kind} {piece.set}/{piece.id}"] = str(msgspec.to_builtins(piece))
    return found


def differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    return [place for place in {**before, **after} if before.get(place) != after.get(place)]


of_each_leaf = pytest.mark.parametrize("leaf", each(FREE), scope="module")
"""Tests of all parameters that can be changed, those of one parameter after each other."""


@of_each_leaf
def test_a_changed_parameter_changes_what_is_printed(leaf: Leaf) -> None:
    before, after = editions(leaf)
    changed = differing(printed(before), printed(after))
    change = f"{leaf.name} = {other_value(leaf)!r}"
    assert changed, f"{change}: nothing that is printed says so"
    rules = {f"rule {rule}" for rule in leaf.declared.rules}
    assert rules & set(changed), f"{change} changes {changed}, but none of the rules it names: {sorted(rules)}"


def words(drawn: Iterable[DisplayList | None]) -> list[str]:
    return [op.text for face in drawn if face is not None for op in face.ops if isinstance(op, TextOp)]


def squeezed(text: str) -> str:
    """Letters and figures alone: on paper, lines end anywhere."""
    return "".join(ch for ch in text if ch.isalnum())


def in_book(game: ResolvedGame, places: Iterable[str]) -> str:
    """The words of a rulebook that has the named rules and rulings and nothing else."""
    wanted = set(places)
    part = msgspec.structs.replace(
        game,
        rules={name: rule for name, rule in game.rules.items() if f"rule {name}" in wanted},
        rulings=[ruling for ruling in game.rulings if f"ruling {ruling.id}" in wanted],
        pieces=[msgspec.structs.replace(piece, copies=0) for piece in game.pieces],  # the cover may show some
        params={},
        sets={},
    )
    return squeezed("".join(words(make_book(part, *A5, coverless(part.id)).pages)))


@cache
def coverless(game_id: str) -> BookLook:
    """How a rulebook looks, but for the picture on its cover, which says nothing of parameters."""
    look = shipped_book(game_id)
    return msgspec.structs.replace(look, own=msgspec.structs.replace(look.own, cover=GameBook().cover))


Drawn = dict[tuple[str, str], list[DisplayList | None]]
_makers: dict[str, tuple[FaceMaker, Drawn]] = {}


def on_faces(game: ResolvedGame, piece: ResolvedPiece) -> list[DisplayList | None]:
    """Both faces of a piece as they are drawn in an edition."""
    maker, drawn = recent(_makers, game.fingerprint, lambda: (shipped(game.id).faces(game), {}))
    key = (piece.set, piece.id)
    if key not in drawn:
        drawn[key] = [maker.front(piece), maker.back(piece)]
    return drawn[key]


@of_each_leaf
def test_a_changed_parameter_reaches_the_paper(leaf: Leaf) -> None:
    before, after = editions(leaf)
    old, new = printed(before), printed(after)
    changed = differing(old, new)
    book = in_book(after, changed)
    for place in changed:
        if place in new and place.startswith("rul"):
            assert squeezed(new[place]) in book, f"{place} does not stand in the rulebook as it reads"
    pieces = {f"{p.kind} {p.set}/{p.id}": p for p in before.pieces}
    for piece in after.pieces:
        was = pieces.get(place := f"{piece.kind} {piece.set}/{piece.id}")
        if place in changed and was is not None and msgspec.structs.replace(piece, copies=was.copies) != was:
            redrawn = on_faces(before, was) != on_faces(after, piece)
            assert redrawn, f"{leaf.name}: {place} would be drawn as before"


# --- what is ruled -----------------------------------------------------------------------------------------------


class Ruling(NamedTuple):
    """The ruling on a case. `start` and `end` are digests of positions in full, `told` the steps between them, `answer`
    what a question came to, `cited` the rules of reasons, steps and answer."""

    start: bytes
    legal: bool | None
    reasons: list[tuple[str, Any]]
    needs: list[Any]
    told: list[tuple[str, Any]]
    end: bytes
    answer: Any
    cited: frozenset[str]

    def differs(self, other: Ruling, told: bool) -> bool:
        """Another verdict, other figures, another end or answer. Positions that already begin otherwise, because what a
        case leaves out follows from the parameter, show a ruling only by the verdict or the reasons.

        `told`: the figures of the steps count as well."""
        if told and self.told != other.told:
            return True
        said = (self.legal, self.reasons, self.needs) != (other.legal, other.reasons, other.needs)
        return said or (self.start == other.start and (self.end, self.answer) != (other.end, other.answer))


def rule_on(case: Case, rules: Rules) -> Ruling | None:
    """None if there is no such position in this edition (more provinces than there are, say)."""
    try:
        done = case_runner.run(case, rules)
    except CompanionError:
        return None
    verdict = done.verdict
    legal = verdict.legal if verdict else None
    reasons = [(breach.rule, breach.facts) for breach in verdict.reasons] if verdict else []
    needs = [choice_json(choice) for choice in verdict.needs] if verdict else []
    told = [(event.rule, event.facts) for event in done.events]
    start, end = (_whole(rules.dump(at.state)) for at in (done.before, done.after))
    answer = done.answer.value if done.answer else None
    return Ruling(start, legal, reasons, needs, told, end, answer, frozenset(done.cited))


def _whole(form: dict[str, Any]) -> bytes:
    """A digest of a position, in whatever order its entries stand."""
    return hashlib.sha256(msgspec.json.encode(msgspec.to_builtins(form, str_keys=True), order="deterministic")).digest()


@contextmanager
def noting_parameters(names: set[str]) -> Iterator[None]:
    """Add the parameters that are read from positions meanwhile."""
    read = Position.__getitem__

    def noted(at: Position[Any], name: str) -> Any:
        names.add(name)
        return read(at, name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Position, "__getitem__", noted)
        yield


@cache
def readers(game_id: str) -> dict[str, set[str]]:
    """Parameter -> the cases in whose rulings it is read as the game is printed."""
    found: dict[str, set[str]] = {}
    for case in cases(game_id):
        names: set[str] = set()
        with noting_parameters(names), suppress(SetError):
            ruled(case, edition(game_id, case.sets, case.variants))
        for name in names:
            found.setdefault(name, set()).add(case.name)
    return found


_rules: dict[str, Rules] = {}
_ruled: dict[str, dict[str, Ruling | None]] = {}


def ruled(case: Case, game: ResolvedGame) -> Ruling | None:
    """The ruling on a case, worked out once for an edition."""
    found = recent(_ruled, game.fingerprint, dict)
    if case.name not in found:
        found[case.name] = rule_on(case, recent(_rules, game.fingerprint, lambda: load_rules(game)))
    return found[case.name]


def chosen(leaf: Leaf) -> list[Case]:
    """The cases to try: the parameter's own one alone, or all of the game, those first that read it or cite its
    rules."""
    note = note_on(leaf)
    if "ruling" in note:
        return [Case(leaf.game, notes_file(leaf.game), 0, {"id": leaf.name, **note["ruling"]})]
    ours = set(leaf.declared.rules)
    read = readers(leaf.game).get(leaf.parameter, set())

    def late(case: Case) -> tuple[bool, bool, int, tuple[str, ...]]:
        return case.name not in read, not case.rules & ours, len(case.sets), case.variants

    return sorted(cases(leaf.game), key=late)


def judged(leaf: Leaf) -> bool:
    """True unless all its rules are kept by the people at the table."""
    kept_by = {rule.id: rule.kept_by for rule in definition(leaf.game).rules.rules}
    return any(kept_by.get(rule) == "companion" for rule in leaf.declared.rules)


@of_each_leaf
def test_a_changed_parameter_changes_a_ruling(leaf: Leaf) -> None:
    if not judged(leaf):
        pytest.skip("its rules are kept at the table")
    ours = set(leaf.declared.rules)
    elsewhere: set[str] = set()
    for case in chosen(leaf):
        try:
            before, after = editions(leaf, case.sets, case.variants)
        except SetError:
            continue
        old, new = ruled(case, before), ruled(case, after)
        if old is None or new is None or not old.differs(new, note_on(leaf).get("told", False)):
            continue
        if (old.cited | new.cited) & ours:
            return
        elsewhere.add(case.name)
    change = f"{leaf.name} = {other_value(leaf)!r}"
    assert not elsewhere, f"{change} changes {sorted(elsewhere)[:5]}, which cite none of its rules: {sorted(ours)}"
    pytest.fail(f"{change}: none of {len(chosen(leaf))} cases is judged otherwise", pytrace=False)
