"""Menus of every game: they lead to every legal move, and what they refuse a rule forbids."""

from __future__ import annotations

import re
from functools import cache
from random import Random
from typing import Any

import games
import laws
import msgspec
import pytest
import walking
from games import WAYS, Way, each

from companion.engine.decisions.drafts import draft
from companion.engine.decisions.fields import Field
from companion.engine.decisions.menus import Said, menu
from companion.engine.decisions.pending import decisions
from companion.engine.play.domains import domain_in
from companion.engine.play.moves import Move, maker
from companion.engine.play.parts import Turn, parts_of
from companion.engine.play.position import Position

MOST = 80
"""Moves of a game that are looked at."""
SOME = 6
"""Legal moves of a position that are put together, beside the one that is played."""
each_way = pytest.mark.parametrize("way", each(WAYS), ids=str)


@cache
def positions(way: Way) -> list[tuple[Position[Any], Move]]:
    return laws.positions(way.rules, way.seats, 4, MOST)[1:-1]


@each_way
def test_menus_lead_to_every_legal_move(way: Way) -> None:
    rng = Random(1)
    for n, (at, move) in enumerate(positions(way)):
        moves = [move]
        if n % 6 == 0:
            legal = at.legal()
            moves += rng.sample(legal, min(SOME, len(legal)))
        for one in moves:
            walking.said_is(walking.reached(at, one), at, one)


@each_way
def test_what_a_menu_refuses_a_rule_forbids(way: Way) -> None:
    refused = 0
    for at, _ in positions(way)[::4]:
        for seat in (*at.seats, ""):
            refused += walking.refusals_name_rules(menu(at, seat), at)
    assert refused


@each_way
def test_somebody_has_to_decide_something_until_the_game_is_over(way: Way) -> None:
    for at, _ in positions(way):
        found = decisions(at)
        assert found
        assert {one.who for one in found} <= {*at.seats, ""}
        for seat in at.seats:
            own = [(one.who, one.kinds, one.rule) for one in decisions(at, seat)]
            assert own == [(one.who, one.kinds, one.rule) for one in found if one.who == seat]


@each_way
def test_whoever_picks_what_menus_offer_meets_no_fault(way: Way) -> None:
    """Who knows nothing of the game: what is put together is legal, or a rule or a question says why not."""
    rng, legal = Random(2), 0
    for at, _ in positions(way)[::3]:
        made = walking.by_chance(at, rng)
        if made is not None and made.legal:
            legal += 1
            assert at.judge(made.move).legal, made.form()
        elif made is not None:
            assert made.verdict.reasons or made.verdict.needs
    assert legal


@each_way
def test_menus_change_nothing_and_are_plain_data(way: Way) -> None:
    for at, _ in positions(way)[::10]:
        before = msgspec.json.encode(at.state)
        for seat in (*at.seats, ""):
            form = menu(at, seat).form()
            assert msgspec.json.decode(msgspec.json.encode(form)) == form
        assert msgspec.json.encode(at.state) == before
        assert not at.events


@pytest.mark.parametrize("game", [*games.TOYS, *games.GAMES])
def test_every_field_of_every_move_has_a_domain(game: str) -> None:
    rules = games.rules_with(game)
    kinds = [part for kind in rules.moves.values() for part in (kind, *_parts(kind))]
    assert [f"{kind.__name__}.{name}" for kind in kinds for name in _without_domain(kind)] == []


def _parts(kind: type[Move]) -> tuple[type[Move], ...]:
    found = parts_of(kind)
    return found.every if found else ()


def _without_domain(kind: type[msgspec.Struct]) -> list[str]:
    """The fields of which nothing says where their values come from; of a record, those in it."""
    found: list[str] = []
    for info in msgspec.structs.fields(kind):
        domain, inner = domain_in(info.type)
        if domain is None:
            is_record = isinstance(inner, type) and issubclass(inner, msgspec.Struct)
            found += [f"{info.name}.{name}" for name in _without_domain(inner)] if is_record else [info.name]
    return found


@pytest.mark.parametrize("way", [way for way in WAYS if way.game == "tianxia"][:2], ids=str)
def test_a_draft_takes_answers_back_and_says_what_each_brings(way: Way) -> None:
    told = 0
    for at, move in positions(way):
        if not isinstance(move, Turn) or not move.parts():
            continue
        before = msgspec.json.encode(at.state)
        made = draft(at, maker(move))
        made.begin(move.name)
        forms = {}
        while isinstance(made.here, Field):
            forms[len(made.answers)] = made.form()
            told += walking.answer(made, move)
        assert isinstance(made.here, Said)
        walking.said_is(made.here, at, move)
        again, fell = made.again(at)
        assert not fell
        assert again.form() == made.form()
        while len(made.answers) > 1:
            made.back()
            assert made.form() == forms.get(len(made.answers), made.form())
        assert made.back() is not None
        assert made.here is None
        assert made.back() is None
        assert msgspec.json.encode(at.state) == before
    assert told


def test_nobody_stands_twice_in_an_order() -> None:
    way = next(way for way in WAYS if way.game == "tianxia")
    at = next(at for at, _ in positions(way) if at.state.players and not at.state.turn_order)
    field = menu(at, "").next("prepare")
    assert isinstance(field, Field)
    first, *others = field.add(field.values[0].value).values
    assert first.refused
    assert others and not any(value.refused for value in others)


def test_where_nobody_types_the_same_is_awaited_without_lines_to_type() -> None:
    way = next(way for way in WAYS if str(way) == "great-wall-all modules")
    for at, _ in positions(way)[::6]:
        tapped = at.copy()
        tapped.tapped = True
        assert tapped.rules.awaits(tapped) == re.sub(r" \(type: [^)]*\)", "", at.rules.awaits(at))


def test_what_is_owed_may_be_declined_where_the_rules_let_it() -> None:
    """Who passes over what to shoot is asked, as after a typed line, and may say that nothing is done."""
    way = next(way for way in WAYS if str(way) == "great-wall-all modules")
    played = laws.positions(way.rules, way.seats, 4, 120)[1:-1]
    at, who = next(
        (at, one.who) for at, _ in played for one in decisions(at) if one.kinds == ("machine_shot",) and one.who
    )
    here = menu(at, who).next("machine_shot")
    for _ in range(5):
        if isinstance(here, Field):
            here = here.take("none") if "none" in [value.value for value in here.values] else here.leave()
    assert isinstance(here, Said)
    assert here.legal
    assert here.move.to_json() == {"event": "machine_shot", "by": who, "none": True}


def test_a_piece_of_which_there_is_one_is_offered_once() -> None:
    way = next(way for way in WAYS if way.game == "dynasties")
    rules = way.rules
    at = Position(rules, rules.new_state())
    at.play(next(iter(at.legal())))
    field = menu(at, "").next("tiles")
    assert isinstance(field, Field)
    first, *others = field.add(field.values[0].value).values
    assert [one.rule for one in first.reasons] == ["DY-SETUP-1"]
    assert others and not any(value.refused for value in others)


def test_what_only_lacks_something_said_is_awaited() -> None:
    """The command cards that are revealed, not the mark on the deck that anybody may tell at any time."""
    way = next(way for way in WAYS if way.game == "great-wall")
    kinds = {one.kinds for at, _ in positions(way) for one in decisions(at, "")}
    assert ("reveal_commands",) in kinds
