"""What happens in an example, as a book tells it."""

from __future__ import annotations

from generator.book.words import joined


def test_what_one_person_does_is_told_in_one_sentence() -> None:
    assert joined(["Ana pays 2 coins", "Ana gains 1 rice", "Bo gains 1 rice"]) == [
        "Ana pays 2 coins and gains 1 rice",
        "Bo gains 1 rice",
    ]
    assert joined(["Ana pays 1", "Ana gains 2", "Ana takes 3", "Ana gives 4"]) == [
        "Ana pays 1, gains 2, and takes 3",
        "Ana gives 4",
    ]


def test_nothing_is_said_that_the_next_sentence_says_more_fully_and_the_same_twice_stays_twice() -> None:
    assert joined(["Ana has done nothing in Yan", "Ana has done nothing in Yan by the end"]) == [
        "Ana has done nothing in Yan by the end"
    ]
    assert joined(["The Heron leaves: full", "The Heron leaves: full"]) == ["The Heron leaves: full"] * 2


def test_numbers_on_either_side_of_a_full_stop_are_kept_apart() -> None:
    assert joined(["Qin: 4 + 4 = 8", "9 against 8: Qin wins"]) == ["Qin: 4 + 4 = 8; 9 against 8: Qin wins"]
    assert joined([]) == []
