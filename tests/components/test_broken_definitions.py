"""Broken definitions: a clear error at the right file, line and column, with a hint; all of them at once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import components
from components.checks import check_game
from components.errors import CODES, DefinitionError, Problem, format_problem, format_problems, problems_json


@pytest.mark.parametrize(
    ("file", "old", "new", "place", "code", "words", "hint"),
    [
        # keys and types
        ("cards.yaml", "    flavour: Drip.", "    flavuor: Drip.",
         (14, 5), "DEF-010", "'flavuor' in piece 'rain'", "'flavour'?"),
        ("rules.yaml", "    title: Coins", "    titel: Coins",
         (3, 5), "DEF-010", "'titel' in rule 'OR-SETUP-1'", "'title'?"),
        ("cards.yaml", "    name: Sun\n", "", (16, 5), "DEF-011", "missing key 'name' in piece 'sun'", ""),
        ("cards.yaml", "flavour: Drip.", "rule: Drip.", (14, 5), "DEF-006", "repeated key 'rule'", "line 12"),
        ("cards.yaml", "copies: 2", "copies: [2]",
         (7, 9), "DEF-012", "a whole number or text for 'copies', found a list", ""),
        ("cards.yaml", "flavour: Drip.", "flavour: 7",
         (14, 14), "DEF-012", "expected text", 'write it in quotes: "7"'),
        ("cards.yaml", "kind: card", "kind: crad", (3, 7), "DEF-013", "'crad' for 'kind' is not one of", "'card'?"),
        ("effects.yaml", "scope: true\n    phrase: \"every", "scope: yes\n    phrase: \"every", (4, 12), "DEF-012",
         "expected true or false for 'scope', found text 'yes'", "write true"),
        ("game.yaml", "sections: [Set-up, Harvest]", "sections: Harvest", (8, 11), "DEF-012", "a list", "[Harvest]"),
        ("cards.yaml", "pieces:\n", "pieces:\n  - just text\n", (10, 5), "DEF-012", "expected a mapping", ""),
        # templates
        ("rules.yaml", "{{ harvest.fruit |", "{{ harvest.friut |",
         (12, 27), "DEF-020", "parameter 'harvest.friut'", "'harvest.fruit'?"),
        ("rules.yaml", "order.first", "order.frist", (5, 69), "DEF-020", "parameter 'order.frist'", "'order.first'?"),
        ("rules.yaml", "{% if harvest.wet %} and a towel", "{% if harvest.wet %}{{ towel }}",
         (19, 79), "DEF-020", "name 'towel'", ""),
        ("rules.yaml", "fruits') }}", "fruits' }}", (12, 24), "DEF-021", "template: ", ""),
        ("rules.yaml", "Trees bear.", "'{{ 1 / 0 }}'", (15, 13), "DEF-024", "division by zero", ""),
        ("rules.yaml", "Trees bear.", "'{{ price.basket }}'",
         (15, 13), "DEF-024", "a mapping cannot be printed", "join"),
        ("rules.yaml", "Trees bear.", "'{{ harvest.fruit | cuont(1) }}'",
         (15, 33), "DEF-022", "no filter 'cuont'", "'count'?"),
        ("cards.yaml", "at least {{ harvest.fruit }}", "at least {{ hravest.fruit }}",
         (15, 33), "DEF-020", "'hravest'", "'harvest.fruit'?"),
        ("cards.yaml", "players + 1", "players + harvset", (18, 23), "DEF-020", "'harvset'", "'harvest'?"),
        ("cards.yaml", "players + 1", "players / 3", (18, 13), "DEF-053", "copies of piece 'sun'", ""),
        ("cards.yaml", "players + 1", "players *", (18, 13), "DEF-021", "expression", ""),
        ("game.yaml", "when: harvest.fruit > 5", "when: harvets.fruit > 5",
         (10, 12), "DEF-020", "'harvets'", "'harvest.fruit'?"),
        ("effects.yaml", "whole 1..9 |", "whloe |", (9, 15), "DEF-063", "'whloe' is not a type", "'whole'?"),
        ("effects.yaml", "takes {{ n |", "takes {{ m |", (10, 23), "DEF-020", "name 'm'", ""),
        ("rulings.yaml", "{{ 3 * harvest.fruit }}", "{{ effect('cards/rian') }}",
         (4, 60), "DEF-047", "no piece 'cards/rian'", "'cards/rain'?"),
        # effects
        ("cards.yaml", "rest: true", "rset: true",
         (13, 35), "DEF-030", "unknown verb 'rset' in piece 'rain'", "'rest'?"),
        ("cards.yaml", "give: apple", "giev: apple", (20, 17), "DEF-031", "'swap' has no argument 'giev'", "'give'?"),
        ("cards.yaml", "gain: 2", "gain: some",
         (13, 32), "DEF-033", "a whole number from 1 to 9 or all, found text 'some'", ""),
        ("cards.yaml", "gain: 2", "gain: 12", (13, 32), "DEF-033", "from 1 to 9 or all, found the number 12", ""),
        ("cards.yaml", "get: pear", "get: peer",
         (20, 35), "DEF-033", "'peer' is not one of apple, pear", "'pear'?"),
        ("cards.yaml", "{swap: {give: apple, get: pear}}", "{multiply: {aple: 2}}",
         (20, 21), "DEF-033", "unknown key 'aple'", "'apple'?"),
        ("cards.yaml", "{swap: {give: apple, get: pear}}", "{multiply: {apple: x}}",
         (20, 28), "DEF-033", "found text 'x'", ""),
        ("cards.yaml", "rest: true", "rest: 3", (13, 41), "DEF-033", "'rest' takes no arguments", "true"),
        ("cards.yaml", "{everybody: {gain: 2, rest: true}}", "{everybody: 5}",
         (13, 25), "DEF-034", "found the number 5", ""),
        ("cards.yaml", "{swap: {give: apple, get: pear}}", "{when: {trigger: sun}}",
         (20, 10), "DEF-034", "has nothing inside it", ""),
        # what refers to what
        ("cards.yaml", "OR-HARVEST-2", "OR-HARVEST-3", (12, 11), "DEF-040", "no rule 'OR-HARVEST-3'", "OR-HARVEST-"),
        ("rulings.yaml", "[OR-HARVEST-1]", "[OR-HRVEST-1]",
         (5, 13), "DEF-040", "no rule 'OR-HRVEST-1'", "'OR-HARVEST-1'?"),
        ("game.yaml", "Fruit of a tree., rules: [OR-HARVEST-1]", "Fruit of a tree., rules: [OR-X]",
         (14, 62), "DEF-040", "'OR-X'", ""),
        ("rules.yaml", "    section: Set-up", "    section: Setup",
         (8, 14), "DEF-043", "no section 'Setup'", "'Set-up'?"),
        ("cards.yaml", "id: sun", "id: rain", (16, 9), "DEF-042", "'rain' occurs twice", "line 10"),
        ("game.yaml", "id: orchard", "id: orchid", (1, 5), "DEF-054", "its folder 'orchard'", ""),
        ("game.yaml", "coins: 2}", "coins: 30}", (16, 43), "DEF-045", "at most 20, found 30", ""),
        ("game.yaml", "value: {wood: 1}", "value: {wodo: 1}",
         (22, 31), "DEF-045", "'ladder.cost' cannot have an entry 'wodo'", "'wood'?"),
        ("game.yaml", "{rope: 2}]", "{plums: 2}]", (23, 45), "DEF-045", "an entry 'plums'", "wood, rope"),
        ("game.yaml", "about: Who begins.", "keys: numbers, about: Who begins.",
         (19, 40), "DEF-045", "it has no `keys`", ""),
        ("game.yaml", "keys: numbers", "keys: figures",
         (24, 91), "DEF-013", "numbers", ""),
        ("game.yaml", "value: youngest", "value: tallest", (19, 24), "DEF-045", "one of youngest, oldest", ""),
        ("game.yaml", "min_players: game.min_players", "min_players: game.min_plyers",
         (5, 14), "DEF-057", "no parameter", "'game.min_players'?"),
        ("game.yaml", "  price.seed: {value: 1.5", "  price: {value: true",
         (11, 1), "DEF-055", "the prefix of other", ""),
        ("game.yaml", "min_players: {value: 2", "min_players: {value: 5", (5, 14), "DEF-045", "(5) is above", ""),
        ("game.yaml", "  price.seed:", "  price seed:", (18, 3), "DEF-059", "'price seed'", ""),
        ("rulings.yaml", "rules: [OR-HARVEST-1]", "rules: [OR-HARVEST-1]\n    set: {limti: 3}", (6, 18), "DEF-057",
         "no parameter 'limti'", "'limit'?"),
        ("rulings.yaml", "rules: [OR-HARVEST-1]", "rules: [OR-HARVEST-1]\n    set: {first: 3}", (6, 18), "DEF-045",
         "one of youngest", ""),
        ("rulings.yaml", "rules: [OR-HARVEST-1]", "rules: [OR-HARVEST-1]\n    set: {rules.OR-X: off}",
         (6, 23), "DEF-040", "no rule 'OR-X'", ""),
        ("rulings.yaml", "rules: [OR-HARVEST-1]", "rules: [OR-HARVEST-1]\n    variants: [wte]", (6, 16), "DEF-058",
         "no variant 'wte'", "'wet'?"),
        # variants
        ("variants/wet.yaml", "[OR-SETUP-1]", "[OR-SETUP-2]",
         None, "DEF-040", "no rule 'OR-SETUP-2'", "'OR-SETUP-1'?"),
        ("variants/wet.yaml", "harvest.fruit: 4", "harvest.fruit: lots",
         None, "DEF-045", "a whole number, found text 'lots'", ""),
        ("variants/wet.yaml", "harvest.fruit: 4", "harvest.friut: 4",
         None, "DEF-057", "no parameter 'harvest.friut'", "'harvest.fruit'?"),
        ("variants/wet.yaml", "cards/sun", "cards/snu", None, "DEF-047", "no piece 'snu'", "'sun'?"),
        ("variants/wet.yaml", "  cards:\n", "  crads:\n", None, "DEF-047", "no piece set 'crads'", "'cards'?"),
        ("variants/wet.yaml", "about: It rains.", "about: It rains.\nextends: [wet]",
         (4, 10), "DEF-049", "wet -> wet", ""),
        ("variants/wet.yaml", "about: It rains.", "about: It rains.\nextends: [dry]",
         (4, 11), "DEF-058", "no variant 'dry'", "wet"),
    ],
)  # fmt: skip
def test_one_fault_is_one_error_in_its_place(
    orchard: Any, file: str, old: str, new: str, place: tuple[int, int] | None, code: str, words: str, hint: str
) -> None:
    orchard.swap(file, old, new)
    variants = ["wet"] if file.startswith("variants") else []
    problem = orchard.problem(variants=variants)
    assert problem.file == f"components/orchard/{file}"
    assert problem.code == code, problem
    assert words in problem.what
    assert hint in problem.hint
    line, column = place or _find(orchard, file, new)
    assert (problem.line, problem.column) == (line, column), problem
    assert problem.excerpt == (orchard.folder / file).read_text().splitlines()[line - 1]


def _find(orchard: Any, file: str, new: str) -> tuple[int, int]:
    """Where the changed word stands: the value after a colon, or the first word."""
    text = (orchard.folder / file).read_text()
    word = new.strip("[] \n:")
    start = text.index(word)
    if ": " in word and new.endswith("lots"):
        start += word.index(": ") + 2
    return text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)


def test_a_rule_id_needs_the_games_prefix(orchard: Any) -> None:
    orchard.swap("game.yaml", "prefix: OR", "prefix: OX")
    problems = orchard.error().problems
    assert {p.code for p in problems} == {"DEF-041"}
    assert [(p.line, p.column) for p in problems] == [(2, 9), (10, 9), (17, 9)]


@pytest.mark.parametrize(
    ("old", "new", "file", "line", "words"),
    [
        ("sections: [Set-up, Harvest]\n", "", "game.yaml", 1, "`sections` lists none"),
        ("sections: [Set-up, Harvest]", "sections: [Set-up]", "rules.yaml", 14,
         "rule 'OR-HARVEST-1': there is no section 'Harvest' (1 other place names it, too)"),
    ],
)  # fmt: skip
def test_one_cause_is_one_error(orchard: Any, old: str, new: str, file: str, line: int, words: str) -> None:
    orchard.swap("game.yaml", old, new)
    problem = orchard.problem()
    assert (problem.code, problem.file, problem.line) == ("DEF-043", f"components/orchard/{file}", line)
    assert words in problem.what


def test_all_faults_of_a_game_are_reported_at_once_in_order(orchard: Any) -> None:
    orchard.swap("cards.yaml", "rest: true", "rset: true")
    orchard.swap("cards.yaml", "OR-HARVEST-2", "OR-HARVEST-3")
    orchard.swap("rules.yaml", "order.first", "order.frist")
    orchard.swap("rulings.yaml", "answer:", "anwser:")
    orchard.write("tiles.yaml", "set: [\n")
    error = orchard.error()
    assert error.status == 2
    assert [(p.file.split("/")[-1], p.code) for p in error.problems] == [
        ("cards.yaml", "DEF-040"),
        ("cards.yaml", "DEF-030"),
        ("rules.yaml", "DEF-020"),
        ("rulings.yaml", "DEF-010"),
        ("tiles.yaml", "DEF-002"),
    ]


def test_a_broken_file_is_not_held_against_the_others(orchard: Any) -> None:
    orchard.write("rules.yaml", "rules: {}\n")
    problem = orchard.problem()
    assert (problem.code, problem.line, problem.column) == ("DEF-012", 1, 8)
    orchard.write("effects.yaml", "verbs: 3\n")
    assert [p.code for p in orchard.error().problems] == ["DEF-012", "DEF-012"]


def test_what_stands_in_a_broken_file_is_not_missed_elsewhere(orchard: Any) -> None:
    """One slip of the pen gives one message, however many texts speak of the cards in that file."""
    orchard.swap("rulings.yaml", "{{ 3 * harvest.fruit }}", "{{ effect('cards/rain') }} {{ copies('cards') }}")
    orchard.swap("cards.yaml", "format: ", "fromat: ")
    assert {(p.file.split("/")[-1], p.what.split()[-1]) for p in orchard.error().problems} <= {
        ("cards.yaml", "'fromat'"),
        ("cards.yaml", "'format'"),
    }


@pytest.mark.parametrize("name", ["rules.yaml", "effects.yaml"])
def test_a_missing_file_that_others_need_is_missed_once(orchard: Any, name: str) -> None:
    (orchard.folder / name).unlink()
    error = orchard.error()
    assert error.status == 2
    assert [(p.code, p.file) for p in error.problems] == [("DEF-001", f"components/orchard/{name}")]
    assert error.problems[0].what.startswith("the file is missing: ")


def test_a_folder_without_rules_and_effects_is_a_game(orchard: Any) -> None:
    for name in ("rules.yaml", "rulings.yaml", "effects.yaml", "cards.yaml", "variants/wet.yaml"):
        (orchard.folder / name).unlink()
    text = (orchard.folder / "game.yaml").read_text()
    orchard.write("game.yaml", re.sub(r", rules: \[.*?\]", "", text))
    assert orchard.resolve().rules == {}


def test_missing_and_unreadable_files_are_status_2(orchard: Any) -> None:
    (orchard.folder / "tiles.yaml").mkdir()
    error = orchard.error()
    assert (error.status, error.problems[0].code) == (2, "DEF-001")
    (orchard.folder / "game.yaml").unlink()
    assert orchard.error().status == 2


def test_the_printed_form_has_place_source_line_hint_and_count(orchard: Any) -> None:
    orchard.swap("cards.yaml", "rest: true", "rset: true")
    assert str(orchard.error()) == (
        "components/orchard/cards.yaml:13:35: error DEF-030: unknown verb 'rset' in piece 'rain'\n"
        "  13 |     effect: {everybody: {gain: 2, rset: true}}\n"
        "  hint: did you mean 'rest'?\n"
        "1 error"
    )


def test_of_a_long_line_only_the_part_around_the_fault_is_printed() -> None:
    problem = Problem(code="DEF-010", what="b", file="b.yaml", line=2, column=900, excerpt="a" * 890 + "fault" * 500)
    shown = format_problem(problem).splitlines()[1]
    assert shown.startswith("   2 | …aaa")
    assert "fault" in shown
    assert len(shown) < 220


def test_problems_sort_count_and_say_each_thing_once() -> None:
    late = Problem(code="DEF-010", what="b", file="b.yaml", line=2, column=1)
    early = Problem(code="DEF-046", what="a", file="a.yaml", severity="warning")
    text = format_problems([late, early, late])
    assert text == "a.yaml: warning DEF-046: a\nb.yaml:2:1: error DEF-010: b\n1 error, 1 warning"
    assert format_problems([]) == "no problems"
    rows = problems_json([late, early])
    assert rows["version"] == 1
    assert [row["status"] for row in rows["problems"]] == [1, 1]
    assert rows["problems"][1]["line"] == 2


def test_a_repeated_key_does_not_hide_a_misspelt_one(orchard: Any) -> None:
    orchard.swap("cards.yaml", "    flavour: Drip.", "    name: Rain again\n    flavuor: Drip.")
    assert [p.code for p in orchard.error().problems] == ["DEF-006", "DEF-010"]


@pytest.mark.parametrize(
    "text", ["{{ 1e999 }}", "{{ 'nan' | float }}", "{{ {[]: 1} }}", "{{ '\\ud800' }}", "a {{ '\\ud800' }}",
             "{{ {1.5: 2} }}", "{{ 1000000000000000000000000000 }}", "{{ [{}] | map(attribute='x') | list }}"],
)  # fmt: skip
def test_a_value_that_cannot_be_written_down_is_a_fault_of_the_template(orchard: Any, text: str) -> None:
    orchard.swap("cards.yaml", '"at least {{ harvest.fruit }}"', "'" + text.replace("'", "''") + "'")
    [problem] = orchard.error().problems
    assert problem.code in ("DEF-020", "DEF-023", "DEF-024") and problem.line == 15


def test_every_code_that_is_raised_is_explained(orchard: Any) -> None:
    folder = Path(components.__file__).parent
    files = [path for path in folder.glob("*.py") if path.name != "error_codes.py"]
    halves = folder.parent / "generator"
    files += [
        halves / "cli" / "reading.py",
        halves / "cli" / "rulings.py",
        halves / "cli" / "telling.py",
        halves / "book" / "rulebook.py",
    ]  # need both
    raised = {word for path in files for word in _codes(path.read_text())}
    assert raised == set(CODES)


def _codes(text: str) -> set[str]:
    return set(re.findall(r"DEF-\d{3}", text))


SLIPS = [
    ("title: Orchard", " title: Orchard", "it is indented by 1, the line before it by 0"),
    ("title: Orchard", "title: 'Fisher's Orchard'", "put a text with an apostrophe in double quotes"),
    ("title: Orchard", 'title: "Orchard', "the quotation mark in line 2 has no partner"),
    ("title: Orchard", "title: Orchard: a game", "put a text that contains a colon in quotes"),
    ("title: Orchard", "title Orchard", "line 2 is not `key: value`; put a space after the colon"),
    ("title: Orchard", "title: {a: #aabbcc}", 'put a colour in quotes: "#1c2b33"'),
    ("title: Orchard", "title: {a: 1", "a comma is missing, or the } of the bracket that opens in line 2"),
    ("title: Orchard", "title: {{ game.title }}", 'put a template in quotes: "{{ … }}"'),
    ("title: Orchard", "title: #Orchard", "put a value that begins with # in quotes"),
    ("title: Orchard", "\ttitle: Orchard", "indent with spaces, not with tabs"),
]


@pytest.mark.parametrize(("old", "new", "hint"), SLIPS)
def test_slips_of_beginners_are_told_how_to_mend(orchard: Any, old: str, new: str, hint: str) -> None:
    orchard.swap("game.yaml", old, new)
    assert hint in str(orchard.error())


def test_a_glossary_that_leads_to_no_rule_is_a_warning(orchard: Any) -> None:
    orchard.write("glossary.yaml", "words:\n  crop: [harvests, fruit]\n  pay for it: [frut, zebra]\n")
    found = [problem for problem in check_game("orchard", orchard.root) if problem.code == "DEF-076"]
    assert [(problem.what, problem.severity, problem.line) for problem in found] == [
        ("no rule and no ruling says 'zebra'", "warning", 3)
    ]


def test_questions_of_a_rule_that_there_is_not_are_an_error(orchard: Any) -> None:
    known = "  OR-SETUP-1: [what is a raid]\n  how-many: [no fruit]\n  cards/rain: [is it wet]\n"
    orchard.write("glossary.yaml", f"questions:\n{known}  OR-SETTUP-1: [may I raid]\n")
    found = [problem for problem in check_game("orchard", orchard.root) if problem.code == "DEF-040"]
    assert [(problem.what, problem.line, problem.column, problem.severity) for problem in found] == [
        ("there is no rule, ruling or piece 'OR-SETTUP-1'", 5, 3, "error")
    ]
    assert "OR-SETUP-1" in found[0].hint


def test_a_glossary_does_not_change_the_rules(orchard: Any) -> None:
    before = orchard.resolve()
    orchard.write("glossary.yaml", "words: {crop: [fruit]}\nquestions: {OR-SETUP-1: [what is a raid]}\n")
    after = orchard.resolve()
    assert (after.glossary, after.fingerprint) == ({"crop": ["fruit"]}, before.fingerprint)
    assert after.questions == {"OR-SETUP-1": ["what is a raid"]}
    orchard.write("glossary.yaml", 'questions: {OR-SETUP-1: ["{{ harvest.fruit }} fruits?"]}\n')
    assert orchard.resolve().questions == {"OR-SETUP-1": [f"{after.params['harvest.fruit']} fruits?"]}
    orchard.write("glossary.yaml", "words: {crop: fruit}\n")
    with pytest.raises(DefinitionError, match="DEF-01"):
        orchard.resolve()
