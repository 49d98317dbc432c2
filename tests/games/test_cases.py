"""Every case of every game, those printed in the rulebooks included, is judged as it is written (see `case_runner`)."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import case_runner
import games
import pytest

from companion.engine.errors import CompanionError

LONGEST = 160
"""Characters that a line of a file with cases stays under."""

FILES = [(game, file) for game in (*games.GAMES, *games.TOYS) for file in case_runner.files(game)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each file: thousands of tests would take longer to collect than to run. With `--case TEXT`, only the
    files that have a case with TEXT in its name."""
    if metafunc.function is test_cases:
        text = metafunc.config.getoption("--case")
        files = [(game, file) for game, file in FILES if not text or chosen(game, file, text)]
        metafunc.parametrize(("game", "file"), files, ids=[f"{game}-{file.stem}" for game, file in files])


def chosen(game: str, file: Path, text: str) -> list[case_runner.Case]:
    """The cases of a file that have `text` in their names."""
    return [case for case in case_runner.cases_of(game, file) if text in case.name]


def test_cases(game: str, file: Path, request: pytest.FixtureRequest) -> None:
    wrong: list[str] = []
    for case in chosen(game, file, request.config.getoption("--case")):
        if faults := case_runner.faults(case):
            title = case.said.get("title") or case.said.get("question", "").strip()
            wrong += [f"{case.place}: {case.said['id']} ({title})", *(f"  {fault}" for fault in faults)]
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)


@pytest.mark.parametrize("game", games.GAMES)
def test_a_move_kept_against_the_rules_happens_or_is_said_to_be_impossible(game: str) -> None:
    """Whatever a case says, `--override` never ends in a fault of the companion."""
    for case in case_runner.cases(game):
        if case.said.get("legal") is False and "fault" not in case.said:
            with suppress(CompanionError):
                case_runner.forced(case, games.rules_with(game, case.sets, case.variants))


@pytest.mark.parametrize("game", games.GAMES)
def test_every_game_has_cases_of_its_own_and_rulings(game: str) -> None:
    kinds = {case.is_ruling for case in case_runner.cases(game)}
    assert kinds == {True, False}


@pytest.mark.parametrize("game", games.GAMES)
def test_a_case_asks_something(game: str) -> None:
    """It plays moves, puts a question, asks what the table shows, or says what is wrong with its position."""
    asks = ("moves", "query", "awaits", "shown", "offers", "lies", "score", "fault")
    asked = {case.place: any(case.said.get(key) for key in asks) for case in case_runner.cases(game)}
    assert [place for place, question in asked.items() if not question] == []


@pytest.mark.parametrize("game", games.GAMES)
def test_cases_are_told_apart_by_their_names(game: str) -> None:
    names = [case.name for case in case_runner.cases(game)]
    assert sorted({name for name in names if names.count(name) > 1}) == []


@pytest.mark.parametrize("game", games.GAMES)
def test_a_refused_case_names_its_rule(game: str) -> None:
    """A right answer for a wrong reason is a wrong answer."""
    refused = [case for case in case_runner.cases(game) if case.said.get("legal") is False]
    assert [case.place for case in refused if not case.said.get("forbidden_by") and not case.rules] == []


@pytest.mark.parametrize("game", games.GAMES)
def test_a_case_lies_in_the_file_of_the_section_it_is_about(game: str) -> None:
    """One of the rules that it names stands there; so whoever changes a rule knows where its cases are."""
    rules = games.resolved(game).rules
    homes = {file_name(rule.section) for rule in rules.values()}
    own = [case for case in case_runner.cases(game) if not case.is_ruling]
    assert {case.file.stem for case in own} <= homes
    strays = {
        case.place: case.spoken_of
        for case in own
        if case.spoken_of and case.file.stem not in {file_name(rules[rule].section) for rule in case.spoken_of}
    }
    assert strays == {}


def file_name(section: str) -> str:
    """`Winter step 1: firing` -> `winter-step-1-firing`."""
    return re.sub(r"[^a-z0-9]+", "-", section.lower().replace("'", "")).strip("-")


@pytest.mark.parametrize("game", games.GAMES)
def test_lines_of_cases_can_be_read_without_turning_the_head(game: str) -> None:
    for file in sorted((case_runner.FOLDER / game).glob("*.yaml")):
        lines = file.read_text(encoding="utf-8").splitlines()
        long = [n for n, line in enumerate(lines, 1) if len(line) >= LONGEST]
        assert long == [], f"{file.relative_to(case_runner.ROOT)}: lines {long} have {LONGEST} characters or more"


@pytest.mark.parametrize("game", ["xarkant"])
def test_every_rule_has_a_case(game: str) -> None:
    """Also those the companion leaves to the table: what it does must not be against them."""
    spoken_of = {rule for case in case_runner.cases(game) for rule in case.spoken_of}
    assert sorted(set(games.resolved(game).rules) - spoken_of) == []
