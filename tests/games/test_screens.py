"""What a person sees of every game on a small terminal, at random moments: the table fits, no word is broken, people
have their names, prompts are short, and Tab offers only what can be read there."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

import games
import pytest

from companion.cli import pages
from companion.cli.conversation import Conversation
from companion.engine.answers import answers
from companion.engine.errors import CompanionError
from companion.engine.language import notation
from companion.engine.language.completion import completions
from companion.engine.language.people import People
from companion.engine.play.domains import Pairs
from companion.engine.play.lines import try_line
from companion.engine.play.moves import arguments_of
from companion.engine.play.parts import Turn
from companion.engine.play.position import Position

At = Position[Any]
NAMES = ("Alexandrina", "Bo", "Christabelle Smith", "Dee", "Ermintrude", "Finn", "Gil")
"""Long, short, of two words."""
SMALL = (80, 24)
MOST_LISTED, FOR_EACH = 40, 10
"""Lines of `moves`, and lines for each player where more than four play."""
STEPS, EVERY = 240, 8
MODULES = {"great-wall": ("", "black_powder,genghis_khan,ancient_beasts,rat,iron_dragon,emperors_award")}
"""Game -> the modules of each random game; everything has to fit."""
FOLLOWED = [game for game in games.GAMES if game not in games.TOYS]


@cache
def moments(game: str) -> list[tuple[At, People, str]]:
    """Positions of random games with as many people as may sit there, and what the last line did."""
    return [
        moment for seed, modules in enumerate(MODULES.get(game, ("", ""))) for moment in _played(game, seed, modules)
    ]


def _played(game: str, seed: int, modules: str) -> Iterator[tuple[At, People, str]]:
    rules, rng = games.rules_with(game), random.Random(seed)
    seats = rules.game.seats[: len(NAMES)]
    people = People(rules, dict(zip(seats, NAMES, strict=False)))
    at: At = Position(rules, rules.new_state())
    assert at.play(rules.setup_move(seats, {"modules": modules} if modules else {})).legal
    for n in range(STEPS):
        move = None if rules.over(at.state) else rules.propose(at, rng)
        if move is None:
            return
        outcome = try_line(at, [move])
        text = answers.outcome_text(outcome, at, people=people, near=False)
        if n % EVERY == 0:
            yield at, people, text
        if outcome.done:
            at = outcome.after
            at.events = []


@pytest.mark.parametrize("game", FOLLOWED)
def test_the_table_fits_a_small_terminal_and_no_word_is_broken(game: str) -> None:
    for at, people, _ in moments(game):
        page = pages.page(at, people, room=SMALL)
        rows = page.split("\n")
        assert len(rows) < SMALL[1], page
        assert max(map(len, rows)) <= SMALL[0], page
        view = at.rules.view(at)
        whole = {word for way in pages.ways(view, at, people, (10_000, SMALL[1])) for word in way.split()}
        assert set(page.split()) <= whole, set(page.split()) - whole
        assert "[]" not in page and "{}" not in page


@pytest.mark.parametrize("game", FOLLOWED)
def test_the_list_of_moves_is_short(game: str) -> None:
    for at, people, _ in moments(game)[::3]:
        lines = pages.overview(at.legal(), at, people)
        assert len(lines) <= max(MOST_LISTED, FOR_EACH * len(at.seats)), "\n".join(lines)


@pytest.mark.parametrize("game", FOLLOWED)
def test_every_part_and_every_player_can_be_shown(game: str) -> None:
    at, people, _ = moments(game)[-1]
    for part in at.rules.view(at).parts:
        assert pages.page(at, people, part, room=SMALL).count("\n") > 0
    for seat in at.seats:
        page = pages.page(at, people, people.called(seat), room=SMALL)
        assert page.split("\n")[0] == people.seat(seat) and ":" in page


@pytest.mark.parametrize("game", FOLLOWED)
def test_nothing_that_is_told_names_a_seat(game: str) -> None:
    seats = games.resolved(game).seats
    word = re.compile(
        rf"(?<![\w'-])(?:{'|'.join({way for seat in seats for way in (seat, seat.capitalize())})})(?![\w-])"
    )
    for at, people, told in moments(game):
        heads = tuple(people.seat(seat) for seat in at.seats)
        page = pages.page(at, people, room=SMALL)
        rows = [row for row in page.split("\n") if not row[2:].startswith(heads)]
        lines = [*told.split("\n"), *rows, pages.next_line(at, people)]
        assert not [line for line in lines if word.search(line)]


@pytest.mark.parametrize("game", FOLLOWED)
def test_a_prompt_leaves_room_for_the_line(game: str) -> None:
    for at, people, _ in moments(game):
        talk = Conversation(cast(Any, SimpleNamespace(position=at, named=people, rules=at.rules)), lambda _: "")
        for talk.me in ("", at.seats[0]):
            prompt = talk.prompt()
            assert len(prompt) < 30 and prompt.endswith("> ") and "[" not in prompt


@pytest.mark.parametrize("game", FOLLOWED)
def test_the_lines_of_the_list_can_be_typed_with_peoples_names(game: str) -> None:
    named = 0
    for at, people, _ in moments(game)[::4]:
        for move in at.legal()[:6]:
            line = people.line(move, at)
            named += any(person in line for person in NAMES)
            assert notation.read(line, at, people=people.by_name) == notation.read(notation.write(move, at), at)
    assert named


UNREAD = re.compile("cannot be read after|too many after|is not a step|no move is called|is no word")
"""Complaints about a word that stands where it means nothing."""


@pytest.mark.parametrize("game", FOLLOWED)
def test_tab_offers_only_words_that_can_be_read_there(game: str) -> None:
    tried = 0
    for n, (at, people, _) in enumerate(moments(game)[::3]):
        legal = [move for move in at.legal() if not any(isinstance(d, Pairs) for _, d, _ in arguments_of(type(move)))]
        for move in random.Random(n).sample(legal, min(2, len(legal))):
            words = people.line(move, at).split()
            for i in range(1, len(words)):
                head = " ".join(words[:i]) + " "
                for word in completions(head, at, people=people.by_name)[:8]:
                    tried += 1
                    try:
                        notation.read(head + word, at, people=people.by_name)
                    except CompanionError as error:
                        assert not UNREAD.search(str(error)), f"{head}|{word}: {error}"
    assert tried > 40


@pytest.mark.parametrize("game", FOLLOWED)
def test_tab_completes_the_lines_of_the_list(game: str) -> None:
    """The verb, or what a turn names first, comes before everything else; so do the seats whose turn it is."""
    for at, people, _ in moments(game)[::6]:
        offered = completions("", at, people=people.by_name)
        legal = at.legal()
        assert bool(offered) or not legal
        for move in legal[:20]:
            if not isinstance(move, Turn):
                assert type(move).words[0] in offered
        awaited = [people.called(seat) for seat in at.rules.to_move(at.state)]
        seated = [word for word in offered if word in NAMES]
        assert seated[: len(awaited)] == awaited
