"""What makes a book teach: two parts, words beside pictures with lines to what they name, numbers read off the position
that is played, quotes of print, long words divided."""

from __future__ import annotations

import itertools
import re

import pytest
from facekit import shipped_book

from components.book import Book as Content
from components.book import BookChapter, PlacedPart
from components.bookmodel import Example, Part, Sign, Step
from components.resolve import resolve_game
from components.scene import Call
from generator.book.callouts import _Said, beside, spread
from generator.book.examples import example_block
from generator.book.indexing import index_entries, number_entries
from generator.book.rulebook import Book, make_book
from generator.book.rules import step_blocks
from generator.book.setter import Setter
from generator.book.told import Told
from generator.faces.breaking import places
from generator.faces.display import Op, PathOp, TextOp
from generator.faces.quotes import typographic

A5 = (148.5, 210.0)


@pytest.fixture(scope="module")
def setter() -> Setter:
    return Setter(resolve_game("dynasties"), *A5, shipped_book("dynasties"), "normal", None)


def words(ops: list[Op] | tuple[Op, ...]) -> str:
    return " ".join(op.text for op in ops if isinstance(op, TextOp))


def taught() -> Book:
    """A book whose first part has two rules and a step, and whose second has all rules."""
    learn = [Part(rules=["DY-CARD-1"]), Part(steps=[Step(rules=["DY-SETUP-1"])]), Part(points=["Do not forget."])]
    law = [Part(section=name) for name in resolve_game("dynasties").sections]
    chapters = [
        BookChapter(title="Learning", learn=True, parts=[PlacedPart(part) for part in learn]),
        BookChapter(title="Law", parts=[PlacedPart(part) for part in law]),
    ]
    return make_book(resolve_game("dynasties"), *A5, shipped_book("dynasties"), content=Content(chapters=chapters))


def test_a_rule_is_taught_without_its_id_and_stands_in_the_second_part_with_it() -> None:
    book = taught()
    whole = " ".join(words(page.ops) for page in book.pages)
    for rule in ("DY-CARD-1", "DY-SETUP-1"):
        (found,) = re.finditer(rf"{rule}(?!\d)", whole)
        assert found.start() > whole.rindex("Do not forget.")
    assert whole.count("The yellow cards are those with a yellow numeral") == 2
    assert [(entry.title, entry.level) for entry in book.navigation.outline][:4] == [
        ("Learn to play", 0),
        ("Learning", 1),
        ("The rules", 0),
        ("Law", 1),
    ]


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("the rival's card", "the rival’s card"),
        ('say "ready"', "say “ready”"),
        ("('Tea') and \"Qin\"", "(‘Tea’) and “Qin”"),
        ("players' 5", "players’ 5"),
        ('**"Done"**', "**“Done”**"),
    ],
)
def test_quotes_and_apostrophes_are_those_of_print(typed: str, printed: str) -> None:
    assert typographic(typed) == printed


def test_a_long_word_is_divided_where_its_line_would_end_early(setter: Setter) -> None:
    text = "armies of the neighbouring provinces reinforce immediately"
    divided = 0
    for width in range(24, 44):
        lines = [op.text for op in setter.text(text, "book-small", width).ops if isinstance(op, TextOp)]
        divided += any(line.endswith("-") for line in lines)
        joined = "".join(f"{line[:-1]}" if line.endswith("-") else f"{line} " for line in lines)
        assert joined.strip() == text
    assert 3 < divided < 20
    assert all(3 <= at <= len("neighbouring") - 3 for at in places("neighbouring", "en_GB", forced=False))


def test_call_outs_keep_apart_and_in_the_order_of_what_they_name() -> None:
    said = [_Said(box=(0, y, 1, y + 1), words=None, number=1, high=6.0, y=y) for y in (20.0, 21.0, 22.0, 60.0)]
    spread(said, 70.0)
    assert [one.box[1] for one in said] == [20.0, 21.0, 22.0, 60.0]
    assert all(b.y - a.y >= 7.4 for a, b in itertools.pairwise(said))
    assert said[0].y >= 3.0


def test_a_call_out_has_its_words_beside_the_picture_and_a_line_to_what_it_names(setter: Setter) -> None:
    calls = [Call(at="a", text="Here"), Call(at="b", text="There", side="right")]
    ops, _, _ = beside(setter, calls, [(10, 10, 14, 14), (5, 30, 8, 34)], (60.0, 50.0), 30.0)
    assert words(ops) == "Here There"
    lines = [op for op in ops if isinstance(op, PathOp) and op.stroke != "#ffffff" and not op.fill and op.width < 0.5]
    assert [op.d for op in lines] == [
        "M-3.40 12.00L-0.50 12.00L11.60 12.00",
        "M63.40 32.00L60.50 32.00L6.50 32.00",
    ], "bent outside, level inside"


def test_an_example_prints_numbers_of_the_position_that_was_played(setter: Setter) -> None:
    told = Told(facts={"provinces.Tibet.black": "3", "was.pawn": "−2"}, steps=[("DY-COMBAT-1", "not printed")])
    example = Example(title="x", label="Play 2", told=False, then="Black has {provinces.Tibet.black}, was {was.pawn}.")
    block = example_block(setter, example, told, None, setter.column)
    said = words(block.ops)
    assert "PLAY 2" in said and "Black has 3, was −2." in said and "not printed" not in said


def test_an_icon_is_printed_with_what_it_means(setter: Setter) -> None:
    parts = [Part(key=[Sign(icon="mark", text="A mark"), Sign(piece="pawn-score/score", text="The pawn")])]
    content = Content(chapters=[BookChapter(title="Key", columns=2, parts=[PlacedPart(part) for part in parts])])
    book = make_book(setter.game, *A5, shipped_book("dynasties"), content=content)
    page = words(book.pages[book.contents["Key"] - 1].ops)
    assert "A mark" in page and "The pawn" in page


@pytest.mark.parametrize("before", [6, 14, 19])
def test_the_icons_are_looked_up_on_one_page(before: int) -> None:
    key = [Sign(icon="mark", text=f"Sign {n} of the key") for n in range(24)]
    parts = [Part(points=["Before."] * before), Part(title="The icons", key=key, columns=2)]
    content = Content(chapters=[BookChapter(title="What you see", parts=[PlacedPart(part) for part in parts])])
    book = make_book(resolve_game("dynasties"), *A5, shipped_book("dynasties"), content=content)
    counts = [words(page.ops).count("of the key") for page in book.pages]
    assert [count for count in counts if count] == [24]


def test_the_index_has_its_main_page_first_and_few_further_ones(setter: Setter) -> None:
    where = {rule: n for n, rule in enumerate(setter.rules, 10)}
    terms = {"mark": ["mark", "marks"], "army": ["army", "armies"], "order": ["order"], "winning": ["win", "wins"]}
    entries = dict(index_entries(setter, terms, where, {"The order of the battles": "DY-ORDER-1"}))
    assert entries["mark"][0] == where["DY-SIX-1"]  # its title is “The mark”, shorter than others with the word
    assert entries["order"][0] == where["DY-ORDER-1"]  # a heading comes before the title of a rule
    assert len(entries["army"]) <= 6
    assert dict(index_entries(setter, {"Plague": ["Plagues"]}, where, {}))["Plague"][0] == where["DY-PLAGUE-4"]
    same_page = dict.fromkeys(where, 4) | {"DY-WIN-2": 9, "DY-WIN-3": 9, "DY-WIN-4": 9}
    assert dict(index_entries(setter, {"nine": ["Dynasty 9"]}, same_page, {}))["nine"] == [9, 4]


def test_readers_who_have_the_number_of_a_rule_find_its_page(setter: Setter) -> None:
    where = dict.fromkeys(setter.rules, 7) | {"DY-PLAGUE-1": 3}
    entries = dict(number_entries(setter, where))
    assert entries["DY-PLAGUE"] == [3, 7] and entries["DY-WIN"] == [7] and len(entries) < len(setter.rules) / 4


def test_teaching_cites_no_numbers_of_rules(setter: Setter) -> None:
    told = Told(steps=[("DY-COMBAT-1", "White wins by 2")])
    for teaching in (False, True):
        block = example_block(setter, Example(title="x"), told, None, setter.column, teaching)
        assert ("DY-COMBAT-1" in words(block.ops)) is not teaching
    (step,) = step_blocks(setter, [Step(text="Lay cards (DY-DEPLOY-1).", then="Wait.", title="Lay")], teaching=True)
    assert "Lay cards. Wait." in words(step.ops)


@pytest.mark.parametrize(("seated", "told"), [(2, False), (3, True)])
def test_a_round_for_another_number_of_players_says_so(seated: int, told: bool) -> None:
    plays = [Example(title="One"), Example(title="Two", follows="One", moves=["x"])]
    parts = [PlacedPart(Part(example=play), ("learn", 0, "parts", n)) for n, play in enumerate(plays)]
    content = Content(chapters=[BookChapter(title="A round", learn=True, parts=parts)])
    book = make_book(
        resolve_game("dynasties"),
        *A5,
        shipped_book("dynasties"),
        content=content,
        tell=lambda ask: Told(players=seated),
        players=2,
    )
    said = " ".join(words(page.ops) for page in book.pages)
    assert ("Three players are at the table here, not two." in said) is told
