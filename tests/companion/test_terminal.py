"""Lines broken for a terminal, and the lines typed that are kept from one evening to the next."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from command_line import Companion
from hypothesis import given
from hypothesis import strategies as st

from companion.cli import common
from companion.cli.past_lines import history_of, tells_a_secret
from companion.cli.terminal import fitted


@pytest.fixture
def companion(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Companion:
    return Companion(capsys, monkeypatch)


@given(st.text(alphabet="ab  \n", max_size=300), st.integers(24, 60))
def test_lines_are_broken_between_words_only(text: str, width: int) -> None:
    told = fitted(text, width)
    assert told.split() == text.split()
    for line in told.split("\n"):
        assert len(line) <= width or len(line.split()) <= 1


def test_what_follows_goes_below_the_last_column() -> None:
    said = fitted("  step one    gains 2 coins and pays 1 rice and 1 wood", 40)
    assert said.split("\n") == ["  step one    gains 2 coins and pays 1", "              rice and 1 wood"]
    said = fitted("    the end of a sentence that is long", 24)
    assert said.split("\n") == ["    the end of a", "    sentence that is", "    long"]


def test_paint_takes_no_room() -> None:
    painted = "\x1b[1;32mOK:\x1b[0m " + "word " * 4
    assert fitted(painted.rstrip(), 24) == painted.rstrip()


def test_past_lines_are_kept_for_their_owner_alone(companion: Companion, home: Path) -> None:
    companion("new", "orchard", "ana", "bo", "--table", "t")
    file = home / "history"
    with common.open_table("t") as table:
        history_of(table, file).append_string("pick pear")
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert list(history_of(table, file).load_history_strings()) == ["pick pear"]


def test_a_long_file_of_past_lines_is_halved(companion: Companion, home: Path) -> None:
    companion("new", "orchard", "ana", "bo", "--table", "t")
    file = home / "history"
    with common.open_table("t") as table:
        file.write_text("".join(f"\n# 2026-01-01\n+line {n}\n" for n in range(20_000)))
        kept = list(history_of(table, file).load_history_strings())
        assert kept[0] == "line 19999" and 9_000 < len(kept) < 11_000


def test_a_secret_is_not_kept(companion: Companion, home: Path, tmp_path: Path) -> None:
    position = tmp_path / "fall.yaml"
    position.write_text("{game: great-wall, step: fall.1, tea: [pine, bamboo, plum]}")
    companion("new", "great-wall", "pine=Ana", "bamboo=Bo", "plum=Cai", "--table", "t", "--position", str(position))
    with common.open_table("t") as table:
        past = history_of(table, home / "history")
        for secret in ("ana choose C3", "check pine choose C3", "amend 1 ana choose C4"):
            assert tells_a_secret(secret, table)
            past.append_string(secret)
        past.append_string("ana choose")
        assert past.get_strings() == ["ana choose"]
    assert "C3" not in (home / "history").read_text()


def test_a_fault_in_reading_costs_a_past_line_and_not_the_terminal(
    companion: Companion, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    companion("new", "orchard", "ana", "bo", "--table", "t")
    with common.open_table("t") as table:
        past = history_of(table, home / "history")
        monkeypatch.setattr(table, "read", lambda *_: [][0])
        past.append_string("pass all")
        assert past.get_strings() == []


def test_without_a_place_for_them_past_lines_last_for_the_session(companion: Companion, home: Path) -> None:
    companion("new", "orchard", "ana", "bo", "--table", "t")
    (home / "blocked").write_text("")
    with common.open_table("t") as table:
        past = history_of(table, home / "blocked" / "history")
        past.append_string("pick pear")
        assert past.get_strings() == ["pick pear"]
