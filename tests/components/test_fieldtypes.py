"""Fields of a piece set are typed: a wrong value is an error of the data, with file, line, column and piece."""

from __future__ import annotations

from typing import Any

import pytest

from components.fieldtypes import TypeFault, read_types
from components.validate import NoPlaces

CARDS = "cards.yaml"
DEFAULTS = 'fields: {ink: green, price: "{{ price.basket.coins }}"}'
CARDS = "cards.yaml"
DEFAULTS = 'fields: {ink: green, price: "{{ price.basket.coins }}"}'
TYPES = "fields: {ink: green, price: 2}\nfield_types: {ink: 'one of green, blue', price: whole 0..9, note?: text}"
RAIN = 'fields: {note: "at least {{ harvest.fruit }}"}'


def faults(types: dict[str, Any], fields: dict[str, Any]) -> list[str]:
    return [p.what for p in read_types(types, lambda text, path: text).check(fields, NoPlaces(), ())]


@pytest.mark.parametrize(
    ("kind", "good", "bad", "said"),
    [
        ("text", "7", 7, "expected text"),
        ("whole", -3, 1.5, "expected a whole number"),
        ("whole 1..5", 5, 6, "at most 5"),
        ("whole 2..", 2, 1, "at least 2"),
        ("number ..2.5", 2.5, 2.6, "at most 2.5"),
        ("true or false", False, "no", "true or false"),
        ("one of nw, ne", "ne", "mid", "not one of ne, nw"),
        ("one of 3, 6", 6, 5, "not one of 3, 6"),
        ("whole 1.. | one of all", "all", "some", "all"),
        (["text"], ["a", "b"], ["a", 2], "expected text"),
        (["text", "whole"], ["a", 2], ["a"], "a list of 2"),
        ({"from": "text", "n?": "whole"}, {"from": "a"}, {"from": "a", "m": 2}, "unknown key 'm'"),
        ({"from": "text"}, {"from": "a"}, {}, "missing key 'from'"),
        ({"<one of rice, silk>": "whole"}, {"rice": 2}, {"rise": 2}, "'rise'"),
        ({"<text>": "whole"}, {"rice": 2, 4: 1}, {"rice": "x"}, "expected a whole number"),
    ],
)
def test_each_type_takes_its_data_and_no_other(kind: Any, good: Any, bad: Any, said: str) -> None:
    assert faults({"field": kind}, {"field": good}) == []
    [found] = faults({"field": kind}, {"field": bad})
    assert said in found


def test_a_field_that_may_be_missing_may_be_null() -> None:
    assert faults({"limit?": "whole"}, {}) == faults({"limit?": "whole"}, {"limit": None}) == []
    assert faults({"limit": "whole"}, {}) == ["missing key 'limit'"]


@pytest.mark.parametrize(
    ("kind", "hint"),
    [("txt", "'text'"), ("whole 1-5", "whole"), (7, "types are"), ([], "[text]"), ("whole | whole 3..", "name one"),
     ("one of true, 1.5", ""), ("whole ..", ""), ("number 1.2.3..", "")],
)  # fmt: skip
def test_a_type_that_cannot_be_read_is_refused(kind: Any, hint: str) -> None:
    with pytest.raises(TypeFault) as error:
        read_types({"field": kind}, lambda text, path: text)
    assert hint in error.value.hint and error.value.path[0] == "field"


@pytest.mark.parametrize(
    ("change", "place", "code", "words", "hint"),
    [
        ("fields: {ink: grene}", "fields: {ink: grene}", "DEF-013", "'grene' for 'ink' in piece 'rain'", "'green'?"),
        ("fields: {price: two}", "two", "DEF-012", "from 0 to 9 for 'price' in piece 'rain', found text 'two'", ""),
        ("fields: {prise: 2}", "prise", "DEF-010", "unknown key 'prise' in piece 'rain'", "'price'?"),
        ('fields: {price: "{{ 5 + harvest.fruit * 2 }}"}', '"{{ 5', "DEF-014", "at most 9 for 'price'", ""),
        ("fields: {note: [a]}", "[a]", "DEF-012", "expected text for 'note' in piece 'rain', found a list", ""),
    ],
)  # fmt: skip
def test_a_wrong_field_is_an_error_of_the_card(
    orchard: Any, change: str, place: str, code: str, words: str, hint: str
) -> None:
    orchard.swap(CARDS, DEFAULTS, TYPES)
    orchard.swap(CARDS, RAIN, change)
    [problem] = orchard.error().problems
    lines = (orchard.folder / CARDS).read_text().splitlines()
    assert (problem.line, problem.code) == (1 + next(n for n, line in enumerate(lines) if place in line), code)
    assert problem.column > lines[problem.line - 1].index("fields") + len("fields: ")
    assert words in problem.what and hint in problem.hint


def test_a_missing_field_is_an_error_of_the_card(orchard: Any) -> None:
    orchard.swap(CARDS, DEFAULTS, TYPES.replace("note?", "note"))
    [problem] = orchard.error().problems
    assert (problem.code, problem.what) == ("DEF-011", "missing key 'note' in piece 'sun'")
    assert problem.excerpt.strip() == "- id: sun"


def test_a_wrong_default_of_the_set_is_told_once(orchard: Any) -> None:
    orchard.swap(CARDS, DEFAULTS, TYPES.replace("price: 2", "price: 99"))
    [problem] = orchard.error().problems
    assert (problem.code, problem.line) == ("DEF-014", 8) and "piece" not in problem.what


@pytest.mark.parametrize(
    ("types", "rain", "sun", "said"),
    [
        ("weight: whole", "", "", "missing key 'weight' in every piece"),
        ("weight: whole", "weight: 1", "", "missing key 'weight' in piece 'sun'"),
        ("weight?: whole", "size: big", "size: small", "unknown key 'size' in every piece"),
        ("weight?: whole", "size: big", "", "unknown key 'size' in piece 'rain'"),
        ("wieght: whole", "weight: 1", "weight: 2", "unknown key 'weight' in every piece"),
    ],
)
def test_what_is_wrong_with_every_piece_is_told_once(orchard: Any, types: str, rain: str, sun: str, said: str) -> None:
    (orchard.folder / "variants" / "wet.yaml").unlink()
    orchard.swap(
        CARDS, DEFAULTS, f"fields: {{ink: green, price: 2}}\nfield_types: {{ink: text, price: whole, {types}}}"
    )
    orchard.swap(CARDS, RAIN, f"fields: {{{rain}}}")
    orchard.swap(CARDS, "  - id: sun\n", f"  - id: sun\n    fields: {{{sun}}}\n")
    problem = orchard.problem()
    assert problem.what == said
    assert problem.line == (9 if "every" in said else problem.line)


def test_pieces_of_a_variant_are_checked_as_well(orchard: Any) -> None:
    orchard.swap(CARDS, DEFAULTS, TYPES)
    orchard.swap("variants/wet.yaml", "effect: {everybody: rest}", "fields: {ink: red}")
    [problem] = orchard.error(variants=["wet"]).problems
    assert problem.file.endswith("variants/wet.yaml") and "'red' for 'ink' in piece 'hail'" in problem.what


def test_a_type_follows_the_parameters_and_says_where_it_is_wrong(orchard: Any) -> None:
    orchard.swap(CARDS, DEFAULTS, TYPES.replace("whole 0..9", '"whole 0..{{ price.basket.coins }}"'))
    assert orchard.resolve().pieces
    orchard.swap(CARDS, "one of green", "oneof green")
    [problem] = orchard.error().problems
    assert (problem.code, problem.line) == ("DEF-063", 9)


def test_fields_print_what_the_effect_is_made_of(orchard: Any) -> None:
    orchard.swap(CARDS, RAIN, 'fields: {note: "takes {{ own.gain.n }}"}')
    assert orchard.resolve().pieces[0].fields["note"] == "takes 2"
    orchard.swap(CARDS, "own.gain.n", "own.rset.n")
    assert [p.code for p in orchard.error().problems] == ["DEF-020"]


def test_a_faulty_effect_is_told_and_not_what_would_have_printed_it(orchard: Any) -> None:
    orchard.swap(CARDS, RAIN, 'fields: {note: "takes {{ own.gain.n }}"}')
    orchard.swap(CARDS, "{gain: 2, rest", "{gain: 20, rest")
    assert [p.code for p in orchard.error().problems] == ["DEF-033"]


def test_who_writes_a_list_in_words_is_told_the_sign() -> None:
    with pytest.raises(TypeFault) as fault:
        read_types({"at": "list of 2 whole"}, lambda text, path: text)
    assert "[TYPE]" in fault.value.hint
