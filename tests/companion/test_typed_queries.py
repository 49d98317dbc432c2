"""Questions about figures, as they are typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Companion


@pytest.fixture
def companion(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Companion:
    companion = Companion(capsys, monkeypatch)
    assert companion("new", "tianxia", "white=Ana", "black=Bo Lee", "--table", "t").status == 0
    return companion


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("query income ana", "income: coin"),
        ("Query income player=white", "income: coin"),
        ("query income 'bo lee'", "income: coin"),
        ("query inc WHITE", "income: coin"),
        ("query build-cost white wall tower", "build_cost: "),
        ("query build_cost white wall,tower", "build_cost: "),
        ("query battle linhu", "battle: "),
    ],
)
def test_a_query_is_typed_like_a_move(companion: Companion, typed: str, said: str) -> None:
    for result in (companion("check", typed), companion("play", stdin=f"{typed}\n")):
        assert result.status == 0, result.err
        assert said in result.out


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("query", "income PLAYER"),
        ("query inkome ana", "did you mean 'income'"),
        ("query income ana bo", "income PLAYER: there is no place for 'bo'"),
        ("query income who=ana", "income PLAYER: it has no 'who'"),
        ("query income", "query income also needs player"),
        ("query ranking white", "ask in JSON"),
        ("query income 'ana", "a quotation mark is missing"),
    ],
)
def test_what_is_wrong_with_a_query_is_said(companion: Companion, typed: str, said: str) -> None:
    result = companion("check", typed)
    assert result.status == 2
    assert said in result.err


def test_play_lists_what_can_be_asked_and_takes_json(companion: Companion) -> None:
    result = companion("play", stdin='query\n{"query": "income", "player": "white"}\n')
    assert "battle LANE" in result.out and "income: coin" in result.out


def test_a_game_without_queries_says_so(companion: Companion) -> None:
    assert companion("new", "dynasties", "white", "black", "--table", "d").status == 0
    assert "this game has no queries" in companion("check", "query score").err
