"""Texts and numbers as they may enter, and as they may be printed."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest

from components.safe_text import BadText, composed, escaped_json, kept, one_line, printable, too_large, whole


@pytest.fixture(scope="module")
def steering() -> list[str]:
    return [chr(n) for n in range(sys.maxunicode + 1) if unicodedata.category(chr(n)) in ("Cc", "Cs", "Zl", "Zp")]


@pytest.fixture(scope="module")
def turning() -> list[str]:
    marks = ("LRE", "RLO", "PDI", "LRI")
    return [chr(n) for n in range(sys.maxunicode + 1) if unicodedata.bidirectional(chr(n)) in marks]


def test_only_ascii_digits_are_a_number() -> None:
    assert (whole("0"), whole("12"), whole("007"), whole("1000000")) == (0, 12, 7, 1000000)
    digits = [chr(n) for n in range(128, sys.maxunicode + 1) if chr(n).isdigit() or chr(n).isnumeric()]
    assert len(digits) > 500 and not any(whole(sign) is not None for sign in digits)
    assert [whole(said) for said in ("", " 1", "-1", "+1", "1_0", "1e3", "0x1", "1000001", "9" * 5000)] == [None] * 9
    assert (whole("20", 20), whole("21", 20)) == (20, None)


def test_a_number_beyond_the_table_is_found_wherever_it_stands() -> None:
    assert too_large({"n": 5, "of": [1, {"x": (0, 1_000_000, -3, True)}], "text": "9" * 20}) is None
    assert too_large({"n": 5, "of": [1, {"x": (0, -1_000_001)}]}) == -1_000_001
    assert too_large(float("inf")) == float("inf") and too_large([float("nan")]) is not None


def test_no_sign_that_steers_a_terminal_is_kept_or_printed(steering: list[str], turning: list[str]) -> None:
    for sign in [*steering, *turning]:
        try:
            held = kept(f"a{sign}b", "a name")
        except BadText as error:
            assert f"U+{ord(sign):04X}" in str(error)
        else:
            assert held == "a b"
        assert sign == "\n" or sign not in printable(f"ä{sign}b")
        assert sign not in one_line(f"a{sign}b")


def test_colours_are_printed_and_nothing_else() -> None:
    told = "\x1b[1;32mOK:\x1b[0m ana\n\x1b[2J\x1b[8mhidden\x1b[1;8mtoo\x1b]0;title\x07"
    assert printable(told) == "\x1b[1;32mOK:\x1b[0m ana\n\\x1b[2J\\x1b[8mhidden\\x1b[1;8mtoo\\x1b]0;title\\x07"


def test_two_ways_to_write_a_letter_are_one() -> None:
    assert kept(" Zoe\u0301\u2028 ", "a name") == composed("Zoe\u0301") == "Zo\u00e9"


def test_a_text_has_a_length() -> None:
    assert kept("x" * 80, "a name", 80)
    with pytest.raises(BadText, match="a name has 81 characters; at most 80 are allowed"):
        kept("x" * 81, "a name", 80)


def test_escaped_json_says_the_same(steering: list[str]) -> None:
    said = {"note": "".join(steering[:66]) + "\u2028\u2029\u202e\ufeffé茶"}
    text = escaped_json(json.dumps(said, ensure_ascii=False))
    assert json.loads(text) == said
    assert len(text.splitlines()) == 1 and "é茶" in text
