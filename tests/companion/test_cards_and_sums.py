"""Cards with what is known of them, itemised sums, choices made in secret."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.things import cards, sealed
from companion.engine.things.cards import Zone
from companion.engine.things.sums import Sum

COPIES = {"Mine": 3, "City": 2}


class Deck(msgspec.Struct):
    draw: int
    discard: dict[str, int]
    discard_unknown: int = 0


def test_a_card_cannot_be_shown_when_every_copy_lies_elsewhere() -> None:
    others = [Zone("in the discard pile", ["City"]), Zone("in the hand of Chu", {"City": 1})]
    found = cards.denial(COPIES, Zone("in the hand of Qin", size=4), others, ["City"])
    assert found is not None
    assert (found.card, found.copies, found.elsewhere) == ("City", 2, 2)
    assert found.where == ("1 in the discard pile", "1 in the hand of Chu")
    assert cards.denial(COPIES, Zone("in the hand of Qin", size=4), others[:1], ["City"]) is None


def test_known_cards_leave_no_room_for_others() -> None:
    hand = Zone("in the hand of Qin", {"Mine": 2}, size=3)
    assert cards.denial(COPIES, hand, [], ["City"]) is None
    found = cards.denial(COPIES, hand, [], ["City", "City"])
    assert found is not None and found.room == 1
    assert cards.denial(COPIES, hand, [], ["City"], unnamed=2) is None
    assert cards.denial(COPIES, Zone("somewhere", {"Mine": 2}), [], ["City", "City"]) is None, "its size is not tracked"


@given(st.integers(0, 12), st.integers(0, 6), st.integers(0, 4))
def test_drawing_keeps_every_card(n: int, pile: int, unknown: int) -> None:
    deck = Deck(pile, {"Mine": 2}, unknown)
    shuffled: list[int] = []
    taken = cards.draw(deck, n, shuffled.append)
    assert taken == min(n, pile + 2 + unknown)
    assert taken + deck.draw + cards.discarded(deck) == pile + 2 + unknown
    assert shuffled == ([2 + unknown] if n > pile else [])


def test_what_leaves_a_hand_unnamed_blurs_what_was_known() -> None:
    known = {"Mine": 3, "City": 1}
    cards.blur(known, 1, 4)
    assert known == {"Mine": 2}
    cards.forget(known, ["Mine", "Mine"])
    assert known == {}


def test_a_sum_says_where_everything_comes_from() -> None:
    income = Sum()
    income.add("from Mines", 6, "T-1")
    income.add("from Cities", 0, "T-2")
    income.add("for the siege", -2, "T-3")
    assert (str(income), income.total, income.rules()) == ("6 from Mines − 2 for the siege = 4", 4, ["T-1", "T-3"])


@pytest.mark.parametrize(("shown", "right"), [("C4", True), ("C1", False)])
def test_a_sealed_choice_is_the_one_that_is_shown(shown: str, right: bool) -> None:
    made = {"plum": sealed.seal("C4"), "pine": sealed.seal()}
    assert "C4" not in made["plum"] and sealed.is_sealed(made["plum"])
    assert sealed.opens(made["plum"], shown) is right
    assert sealed.opens(made["pine"], shown)
    assert sealed.missing(made, ["plum", "pine", "reed"]) == ["reed"]
