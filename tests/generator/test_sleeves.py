"""Which sleeve fits a card."""

from __future__ import annotations

import pytest

from generator.sheets.marks import load_style
from generator.sheets.sleeves import Fitting, sleeve_for


@pytest.mark.parametrize(
    ("card", "sleeve", "loose"),
    [
        ((63, 88), (63.5, 88), False),
        ((88, 63), (63.5, 88), False),  # turned
        ((44, 67), (45, 68), False),
        ((70, 120), (70, 120), False),
        ((60, 80), (63.5, 88), True),
    ],
)
def test_the_smallest_sleeve_that_holds_the_card(
    card: tuple[float, float], sleeve: tuple[float, float], loose: bool
) -> None:
    found = sleeve_for(*card, load_style().sleeves)
    assert isinstance(found, Fitting)
    assert ((found.w, found.h), found.loose) == (sleeve, loose)


def test_no_sleeve_is_named_where_none_fits() -> None:
    assert sleeve_for(100, 80, load_style().sleeves) is None
    assert sleeve_for(63, 88, {}) is None
