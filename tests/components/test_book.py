"""`rulebook.yaml`: texts with today's numbers, what an edition leaves out, and faults at their place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from components.book import book_of
from components.checks import check_game
from components.errors import DefinitionError
from components.resolve import resolve_game

BOOK = """\
chapters:
  - title: Trees for {{ players }}
    begins: left
    parts:
      - text: A tree bears {{ harvest.fruit | count('fruit') }}.
      - rules: [OR-HARVEST-1]
      - text: Bring a towel.
        when: harvest.wet
  - title: Rain
    when: harvest.wet
    parts:
      - section: Set-up
index:
  tree: [trees]
"""


def written(orchard: Any, text: str = BOOK) -> Path:
    """The project of the game, which now has this book."""
    orchard.write("rulebook.yaml", text)
    return orchard.root


def test_texts_have_numbers_and_an_edition_leaves_out_what_is_not_of_it(orchard: Any) -> None:
    root = written(orchard)
    dry = book_of(resolve_game("orchard", root=root), root)
    assert [chapter.title for chapter in dry.chapters] == ["Trees for 4"]
    assert [placed.part.text for placed in dry.chapters[0].parts] == ["A tree bears 3 fruits.", ""]
    wet = book_of(resolve_game("orchard", root=root, sets={"harvest.wet": True}), root)
    assert [chapter.title for chapter in wet.chapters] == ["Trees for 4", "Rain"]
    assert wet.chapters[0].parts[2].part.text == "Bring a towel."
    assert wet.chapters[0].parts[2].path == ("chapters", 0, "parts", 2)


def test_a_game_without_a_file_has_a_chapter_for_each_section(orchard: Any) -> None:
    made = book_of(resolve_game("orchard", root=orchard.root), orchard.root)
    assert [chapter.title for chapter in made.chapters][-3:-1] == ["Set-up", "Harvest"]


def test_a_book_does_not_change_the_fingerprint_of_a_game(orchard: Any) -> None:
    before = resolve_game("orchard", root=orchard.root).fingerprint
    assert resolve_game("orchard", root=written(orchard)).fingerprint == before


@pytest.mark.parametrize(
    ("old", "new", "place", "code", "words"),
    [
        ("rules: [OR-HARVEST-1]", "rules: [OR-HARVEST-9]", (6, 17), "DEF-040", "no rule 'OR-HARVEST-9'"),
        ("section: Set-up", "section: Set-upp", (12, 18), "DEF-043", "no section 'Set-upp'"),
        ("rules: [OR-HARVEST-1]", "rules: [OR-HARVEST-1, OR-HARVEST-1]", (6, 31), "DEF-042", "prints the rule"),
        ("rules: [OR-HARVEST-1]", "title: Nothing", (6, 9), "DEF-070", "this one has none"),
        ("section: Set-up", "section: Set-up\n        text: x", (12, 9), "DEF-070", "text and section"),
        ("begins: left", "begins: right", (3, 13), "DEF-013", "'right' for 'begins'"),
        ("{{ harvest.fruit", "{{ harvest.friut", (5, 31), "DEF-020", "'harvest.friut'"),
        ("section: Set-up", "questions: [no-such]", (12, 21), "DEF-071", "no ruling 'no-such'"),
        ("section: Set-up", "pictures: [{piece: cards/none}]", (12, 28), "DEF-047", "no piece or set 'cards/none'"),
        ("rules: [OR-HARVEST-1]", "strip: [{title: a, text: b, chapter: Rian}]", (6, 46), "DEF-043", "chapter 'Rian'"),
    ],
)  # fmt: skip
def test_faults_stand_at_their_place(
    orchard: Any, old: str, new: str, place: tuple[int, int], code: str, words: str
) -> None:
    assert old in BOOK
    root = written(orchard, BOOK.replace(old, new))
    problems = [problem for problem in check_game("orchard", root) if problem.file.endswith("rulebook.yaml")]
    assert [(problem.line, problem.column, problem.code) for problem in dict.fromkeys(problems)] == [(*place, code)]
    assert words in problems[0].what
    with pytest.raises(DefinitionError):
        book_of(resolve_game("orchard", root=root), root)
