"""YAML texts: data without the traps of YAML 1.1, places, and clear refusals of what is dangerous or broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components import yamlsource
from components.errors import Problem
from components.yamlsource import parse_yaml, read_yaml


def problem(text: str) -> Problem:
    source = parse_yaml(text, "x.yaml")
    assert source.data is None
    [found] = source.problems
    return found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", "yes"), ("No", "No"), ("on", "on"), ("OFF", "OFF"), ("y", "y"),
        ("2024-01-01", "2024-01-01"), ("1:30", "1:30"), ("012", "012"), ("0x1F", "0x1F"), ("0b1", "0b1"),
        ("1_000", "1_000"), (".inf", ".inf"), (".nan", ".nan"), ("1e999", "1e999"), ("9" * 30, "9" * 30), ("=", "="),
        ("true", True), ("False", False), ("null", None), ("~", None), ("''", ""),
        ("0", 0), ("-3", -3), ("+7", 7), ("1.5", 1.5), ("-.5", -0.5), ("2.", 2.0), ("1e3", 1000.0), ("1.5e-3", 0.0015),
        ("'7'", "7"), ('"true"', "true"), ("a b", "a b"), (".", "."), ("-", [None]), ("+", "+"), ("1.2.3", "1.2.3"),
    ],
)  # fmt: skip
def test_plain_words_mean_what_they_look_like(text: str, value: Any) -> None:
    data = parse_yaml(text).data
    assert data == value
    assert type(data) is type(value)


def test_whole_numbers_may_be_keys() -> None:
    assert parse_yaml("{2: a, '3': b, c: {4: 5}}").data == {2: "a", "3": "b", "c": {4: 5}}


def test_aliases_are_unfolded() -> None:
    assert parse_yaml("a: &x {b: 1}\nc: [*x, *x]").data == {"a": {"b": 1}, "c": [{"b": 1}, {"b": 1}]}


def test_every_node_has_its_place() -> None:
    source = parse_yaml("a: 1\nlist:\n  - x\n  - {key: 'v', 2: w}\ntext: >-\n  some {{ name }}\n  and {{ other }}\n")
    assert source.at(("a",)) == (1, 4)
    assert source.key_at(("a",)) == (1, 1)
    assert source.at(("list", 1)) == (4, 5)
    assert source.at(("list", 1, "key")) == (4, 11)
    assert source.key_at(("list", 1, 2)) == (4, 16)
    assert source.find(("text",), "other") == (7, 10)
    assert source.find(("text",), "nowhere") == source.at(("text",)) == (5, 7)
    assert source.at(("list", 7, "gone")) == (3, 3), "the deepest node on the way"


@pytest.mark.parametrize(
    ("text", "code", "place", "words", "hint"),
    [
        ("a: 1\nb: 2\na: 3\n", "DEF-006", (3, 1), "repeated key 'a'", "line 1"),
        ("a: {b: 1, b: 2}\n", "DEF-006", (1, 11), "repeated key 'b'", ""),
        ("a: !tag 1\n", "DEF-005", (1, 4), "'!tag'", "remove"),
        ("a: !!python/object/apply:os.system [ls]\n", "DEF-005", (1, 4), "python", "remove"),
        ("a: !!binary aGk=\n", "DEF-005", (1, 4), "binary", "remove"),
        ("? [1, 2]\n: x\n", "DEF-007", (1, 3), "a word or a whole number", "quotes"),
        ("true: x\n", "DEF-007", (1, 1), "a word or a whole number", "quotes"),
        ("1.5: x\n", "DEF-007", (1, 1), "a word or a whole number", "quotes"),
        ("a: &x 1\n<<: {b: 1}\n", "DEF-010", (2, 1), "merge keys", "write"),
        ("a: 1\n---\nb: 2\n", "DEF-008", (2, 1), "second document", ""),
        ("a:\n\tb: 1\n", "DEF-002", (2, 1), "not YAML", "spaces"),
        ("a: [1, 2\nb: 3\n", "DEF-002", (2, 2), "line 1", ""),
        ("a: 'x\n", "DEF-002", (2, 1), "not YAML", ""),
        ("name: Tea: green\n", "DEF-002", (1, 10), "not YAML", "colon in quotes"),
        ("a: @x\n", "DEF-002", (1, 4), "not YAML", "quotes"),
        ("a: *gone\n", "DEF-002", (1, 4), "*gone", ""),
        ("a: 1\nb: \x07\n", "DEF-003", (2, 4), "U+0007", ""),
        ("[" * 41, "DEF-004", (1, 41), "40 levels", ""),
        ("a: &x [1]\nb: [" + "*x, " * 51 + "]\n", "DEF-004", (2, 205), "50 aliases", ""),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused_in_its_place(
    text: str, code: str, place: tuple[int, int], words: str, hint: str
) -> None:
    found = problem(text)
    assert (found.code, found.file) == (code, "x.yaml")
    assert (found.line, found.column) == place
    assert words in found.what
    assert hint in found.hint


def test_a_bomb_of_aliases_is_refused_before_it_unfolds() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 5)}]" for i in range(1, 11)]
    found = problem("\n".join(lines))
    assert (found.code, found.line) == ("DEF-004", 7)
    assert "unfold" in found.what


def test_an_endlessly_nested_text_is_refused() -> None:
    assert problem("{a: " * 50_000).code == "DEF-004"
    assert problem("- " * 50_000).code == "DEF-004"


def test_an_alias_inside_its_own_anchor_is_refused() -> None:
    assert problem("a: &x [1, *x]\n").code == "DEF-002"


def test_several_faults_of_a_file_are_all_told() -> None:
    source = parse_yaml("a: 1\na: 2\nb: !t 3\n")
    assert [p.code for p in source.problems] == ["DEF-006", "DEF-005"]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    cases = {
        "latin.yaml": b"a: 1\nname: caf\xe9\n",
        "image.yaml": b"\x89PNG\r\n\x1a\n\x00\x00",
        "big.yaml": b"# " + b"x" * (2 * 1024 * 1024),
    }
    found = {}
    for name, content in cases.items():
        (tmp_path / name).write_bytes(content)
        [found[name]] = read_yaml(tmp_path / name, name).problems
    [found["gone"]] = read_yaml(tmp_path / "gone.yaml").problems
    assert [(p.code, p.line, p.column) for p in found.values()] == [
        ("DEF-003", 2, 10),
        ("DEF-003", 1, 1),
        ("DEF-004", 0, 0),
        ("DEF-001", 0, 0),
    ]


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: [x]\r\n")
    source = read_yaml(path)
    assert source.data == {"a": 1, "b": ["x"]}
    assert source.at(("b", 0)) == (2, 5)
    assert source.excerpt(2) == "b: [x]"


_TEXTS = st.text(st.characters(min_codepoint=32, max_codepoint=0x24F, exclude_categories=["Cc", "Cf"]), max_size=12)
_DATA = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | _TEXTS,
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(_TEXTS, inside, max_size=4),
    max_leaves=12,
)


@settings(derandomize=True, deadline=None)
@given(_DATA.filter(lambda data: "<<" not in json.dumps(data)))
def test_json_is_read_back_unchanged(data: Any) -> None:
    source = parse_yaml(json.dumps(data, ensure_ascii=False))
    assert source.data == data, source.problems


@settings(derandomize=True, deadline=None)
@given(st.text(max_size=60))
def test_any_text_yields_data_or_a_problem(text: str) -> None:
    source = parse_yaml(text)
    assert source.data is None or not source.problems
    for found in source.problems:
        assert found.what


def test_the_reader_works_without_libyaml(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("yaml.CSafeLoader")
    source = parse_yaml("a: &x [1, yes]\nb: {c: *x}\n")
    assert source.data == {"a": [1, "yes"], "b": {"c": [1, "yes"]}}
    assert source.at(("b", "c")) == (1, 4)
    assert problem("a: [1\n").code == "DEF-002"
    assert problem("[" * 50_000).code == "DEF-004"


def test_what_stands_in_a_file_may_be_many_nodes() -> None:
    text = "".join(
        f"- {{id: piece-{n}, name: Piece, copies: 1, fields: {{label: a, n: {n}}}}}\n" for n in range(10_000)
    )
    source = parse_yaml(text)
    assert source.problems == [] and len(source.data) == 10_000


def test_what_is_readable_of_a_faulty_file_is_left_for_finding_further_faults() -> None:
    source = parse_yaml("a: 1\na: 2\n1.5: x\nb: 3\n")
    assert [p.code for p in source.problems] == ["DEF-006", "DEF-007"]
    assert source.data is None and source.readable == {"a": 1, "b": 3}


LONG = "set: deck\npieces:\n" + "".join(f"  - id: c{n}\n    name: Card {n}\n    text: plain\n" for n in range(60))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("name: Card 7\n", "name: Seven\n"),
        ("text: plain\n  - id: c9\n", "text: {a: [1, 2]}\n  - id: nine\n"),
        ("name: Card 7\n    text: plain\n", "name: |\n      a text\n"),
        ("name: Card 7\n", "name: 'never closed\n"),
        ("    name: Card 7\n", "name: Card 7\n"),
        ("    name: Card 7\n", "    id: again\n"),
        ("    name: Card 7\n", "    - a\n"),
        ("    name: Card 7\n", "\n"),
        ("  - id: c8\n", "    id8: c8\n"),
        ("  - id: c8\n", " - id: c8\n"),
        ("    name: Card 7\n", "...\n"),
        ("    text: plain\n  - id: c8\n", "...\n  - id: c8\n"),
        ("    name: Card 7\n", "    name: &x Card 7\n"),
        ("    name: Card 7\n", "    name: *x\n"),
        ("    name: Card 7\n", "    name: !x Card 7\n"),
        ("  - id: c0\n", "  - id: nought\n"),
        ("  - id: c59\n", "  - id: last\n"),
        ("set: deck\n", "set: other\n"),
        ("    name: Card 7\n", "    name: Card 7\n    more: 1\n"),
    ],
)
def test_a_long_file_read_again_says_what_it_would_say_if_it_were_new(
    old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yamlsource, "_remembered", {})
    yamlsource.yaml_of(LONG.encode(), "deck.yaml")
    changed = LONG.replace(old, new, 1)
    assert changed != LONG
    again, fresh = yamlsource.yaml_of(changed.encode(), "deck.yaml"), yamlsource.parse_yaml(changed, "deck.yaml")
    assert (again.data, again.readable, again.problems) == (fresh.data, fresh.readable, fresh.problems)
    if fresh.data is not None:
        for n in range(len(fresh.data["pieces"])):
            for path in (("pieces", n), ("pieces", n, "id"), ("pieces", n, "name"), ("pieces", n, "text")):
                assert (again.at(path), again.key_at(path)) == (fresh.at(path), fresh.key_at(path))


def test_of_a_long_file_only_the_entry_that_changed_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yamlsource, "_remembered", {})
    yamlsource.yaml_of(LONG.encode(), "deck.yaml")
    monkeypatch.setattr(yamlsource, "_parsed", lambda *_: pytest.fail("the whole file was parsed"))
    again = yamlsource.yaml_of(LONG.replace("Card 30", "Thirty").encode(), "deck.yaml")
    assert again.data["pieces"][30]["name"] == "Thirty" and again.data["pieces"][31]["name"] == "Card 31"
