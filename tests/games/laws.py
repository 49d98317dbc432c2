"""Laws that hold for every game, as functions: each raises AssertionError with the figures if the law is broken."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.engine.errors import CompanionError
from companion.engine.language import jsonmoves, listing, notation
from companion.engine.language.positionfile import from_form
from companion.engine.play.domains import Count, Domain, Pairs, Tally
from companion.engine.play.lines import try_line
from companion.engine.play.moves import Move, arguments_of
from companion.engine.play.parts import Parts, Turn, run
from companion.engine.play.playout import MOST_REFUSALS
from companion.engine.play.position import Position, Rules
from companion.engine.table.digests import form_of
from companion.engine.table.table import Table
from companion.games import load_rules
from components.model import ResolvedGame

TOGETHER = 8
"""Lines that a test writes at a time: waiting for the disk is what takes long."""


def positions(rules: Rules, seats: list[str], seed: int, most: int = 400) -> list[tuple[Position[Any], Move]]:
    """A random game as (position, the legal move played in it) pairs, from set-up on."""
    rng = Random(seed)
    at: Position[Any] = Position(rules, rules.new_state())
    found: list[tuple[Position[Any], Move]] = []
    move: Move | None = rules.setup_move(seats, {})
    refused = 0
    while move is not None and len(found) < most and refused < MOST_REFUSALS:
        at.chooser = rng.choice
        verdict = at.judge(move)
        if verdict.legal:
            found.append((at.copy(), verdict.move))
            at.carry_out(verdict)
            refused = 0
        else:
            refused += 1
        move = None if rules.over(at.state) else rules.propose(at, rng)
    found.append((at.copy(), found[-1][1]))
    return found


def legal_list_is_what_is_legal(at: Position[Any]) -> None:
    """A candidate is in the legal list exactly if its verdict is legal, and so is every move of the list; it names none
    twice, and there are words for it."""
    legal = at.legal()
    assert bool(legal) == bool(listing.overview(legal, at))
    assert legal or at.rules.over(at.state) or not at.seats, "somebody can always do something"
    for i, move in enumerate(legal):
        assert move not in legal[:i], f"{move} twice"
        assert at.judge(move).legal, f"{move} is listed"
    for kind in at.rules.moves.values():
        for move in kind.candidates(at):
            assert (move in legal) == bool(at.judge(move).legal), f"{move} in list: {move in legal}"


def judging_changes_nothing(at: Position[Any], moves: list[Move]) -> None:
    before = msgspec.json.encode(at.state)
    events = list(at.events)
    for move in moves:
        at.judge(move)
    assert msgspec.json.encode(at.state) == before
    assert at.events == events


def a_bare_name_never_crashes(at: Position[Any]) -> None:
    """Every move may be asked about without any argument: it is refused, or asks for what was left out, in a sentence
    without gaps."""
    for kind in at.rules.moves.values():
        for choice in at.judge(kind()).needs:
            assert "  " not in choice.question, choice


def pieces_are_conserved(at: Position[Any]) -> None:
    assert at.rules.check_whole(at.state) == []


def position_form_round_trip(at: Position[Any]) -> None:
    """Written as a position file and read again, the state is the same."""
    form = msgspec.json.decode(msgspec.json.encode(at.rules.dump(at.state)))
    assert from_form(form, at.rules) == at.state


def stored_state_round_trip(at: Position[Any]) -> None:
    """Stored in a journal and read again, the state is the same, down to the order of its mappings."""
    assert repr(msgspec.json.decode(form_of(at.state), type=at.rules.state)) == repr(at.state)


def move_round_trips(at: Position[Any], move: Move) -> None:
    """A move written as text, and as JSON, is read back as itself; a turn whose answers were typed without saying what
    they answer, once it is judged."""
    text = notation.write(move, at)
    again = notation.read(text, at)
    assert again == [move] or [at.judge(one).move for one in again] == [move], text
    assert jsonmoves.from_json(msgspec.json.decode(msgspec.json.encode(move.to_json())), at) == move
    assert jsonmoves.recorded(move.to_json(), at.rules.moves, at.rules.move_keys) == move


def the_table_can_be_shown(at: Position[Any]) -> None:
    """Whatever lies there has words and a score, and what the game draws it can place."""
    rules = at.rules
    assert rules.show(at)
    assert "  " not in rules.awaits(at)
    rules.score(at)
    rules.pass_all(at)
    rules.scene(at)


def an_empty_text_says_nothing(at: Position[Any], move: Move) -> None:
    """`""` for a parameter is as good as leaving it out, and among several values it is refused."""
    form = move.to_json()
    named = {field.name for field in arguments_of(type(move)) if field.domain is not None and field.domain.typed}
    for key in form.keys() & named:
        for empty in ("", [""], {"": 1}, ["", ""]):
            try:
                said = jsonmoves.from_json({**form, key: empty}, at)
                try_line(at, [said])
            except CompanionError:
                continue
            left_out = {name: value for name, value in form.items() if name != key}
            assert empty or said == jsonmoves.from_json(left_out, at), (move, key)


def replaying_gives_the_same_state(rules: Rules, seats: list[str], seed: int) -> None:
    """Moves applied as recorded, without judging, lead where judged play led."""
    played = positions(rules, seats, seed)
    again = played[0][0].copy()
    for (at, move), (after, _) in pairwise(played):
        verdict = at.judge(move)
        again.replay([*verdict.presumed, verdict.move])
        assert again.state == after.state, move


def a_copy_shares_nothing(at: Position[Any], move: Move) -> None:
    """Playing on in a copy leaves the original as it is."""
    before = msgspec.json.encode(at.state)
    at.copy().play(move)
    assert msgspec.json.encode(at.state) == before, move


def journal_gives_the_same_table(game: ResolvedGame, seats: list[str], seed: int, path: Path, most: int = 200) -> None:
    """A game recorded in a journal and opened again is the same table, with the same log."""
    rules = load_rules(game)
    played = positions(rules, seats, seed, most)
    table, _ = Table.create(path, game, load_rules, people=dict.fromkeys(seats, ""))
    assert table is not None
    with table:
        for first in range(1, len(played) - 1, TOGETHER):
            with table.writing():
                for _, move in played[first:-1][:TOGETHER]:
                    outcome = table.do([move])
                    assert outcome.done, (move, outcome.verdict)
        state, log = table.position.state, table.log()
        assert state == played[-1][0].state
    with Table.open(path, load_rules) as again:
        assert again.position.state == state
        again.prove()
        assert again.differs is None
        assert again.position.state == state
        assert again.log() == log


def playout_ends(rules: Rules, seats: list[str], seed: int, most: int = 20_000) -> None:
    from companion.engine.play.playout import play_out

    played, at = play_out(rules, seats, seed, laws=True, most=most)
    assert played.end == "over", played
    ending = rules.score(at).ending
    assert ending is not None


def what_is_legal_stands_in_the_options(at: Position[Any], move: Move, rng: Random) -> int:
    """Put any value of the game into one field of a legal move: if the move is still legal, the value stands in the
    options of that field, given the fields before it. How many values were tried."""
    kind = type(move)
    fields = arguments_of(kind)
    tried = steps_stand_in_their_options(at, move, rng) if isinstance(move, Turn) else 0
    for place, field in enumerate(fields):
        if field.domain is None or isinstance(field.domain, Parts):
            continue
        unsaid = {later.name: later.default for later in fields[place:]}
        for value in some_values(field.domain, at, rng):
            tried += 1
            changed = replace(move, **{field.name: value})
            verdict = at.judge(changed)
            if not verdict.legal or verdict.done_already:
                continue
            here = at.copy()
            for early in verdict.presumed:
                here.perform(early)
            options = replace(changed, **unsaid).options(here, field.name)
            listed = options is not None and value in list(options)
            assert listed, f"{changed} is legal, but {value!r} is not among the options of {field.name}"
    return tried


def steps_stand_in_their_options(at: Position[Any], turn: Turn, rng: Random) -> int:
    """The same for each field of each step of a legal turn, in the state in which the step is taken. A value may also
    be another word for one of the options (the port by its name): with both the turn ends alike."""
    tried = 0
    for place, part in enumerate(turn.parts()):
        before = run(turn.with_parts(turn.parts()[:place]), at, close=False).after
        fields = arguments_of(type(part))
        for number, field in enumerate(fields):
            unsaid = {later.name: later.default for later in fields[number:]}
            for value in some_values(field.domain, before, rng) if field.domain is not None else ():
                tried += 1
                changed = replace(part, **{field.name: value})
                options = replace(changed, **unsaid).options(before, field.name)
                end = ending(at, turn, place, changed)
                if end is not None and value != field.default and options is not None and value not in list(options):
                    alike = any(ending(at, turn, place, replace(part, **{field.name: one})) == end for one in options)
                    assert alike, f"{changed} is legal, but {value!r} is not among the options of {field.name}"
    return tried


def ending(at: Position[Any], turn: Turn, place: int, step: Any) -> Any:
    """The state after a turn with one of its steps changed; None if that is not legal."""
    verdict = at.judge(turn.with_parts((*turn.parts()[:place], step, *turn.parts()[place + 1 :])))
    if not verdict.legal:
        return None
    here = at.copy()
    here.carry_out(verdict)
    return here.state


def some_values(domain: Domain, at: Position[Any], rng: Random) -> list[Any]:
    """Values of the game that a field may be given: all words of its domain, or some of them, and small numbers."""
    if isinstance(domain, Count):
        return list(range(domain.least, domain.least + 8))
    if domain.many or isinstance(domain, Tally | Pairs):
        return []
    values = list(dict.fromkeys(domain.spoken(at).values()))
    return rng.sample(values, min(len(values), 12))
