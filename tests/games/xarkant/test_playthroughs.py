"""Golden playthroughs of Xarkant with two, three and four players (see `playthrough_runner`)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import playthrough_runner
import pytest

TRANSCRIPTS = playthrough_runner.transcripts("xarkant")


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=[file.stem for file in TRANSCRIPTS])
def test_playthrough(file: Path, golden: Callable[[str, str], None]) -> None:
    golden(f"xarkant/{file.name}", playthrough_runner.replayed("xarkant", file.read_text(encoding="utf-8")))


def test_each_number_of_players_has_a_whole_game_with_refusals() -> None:
    texts = {file.stem: file.read_text(encoding="utf-8") for file in TRANSCRIPTS}
    assert {"two-players", "three-players", "four-players"} <= set(texts)
    for text in texts.values():
        assert text.count("\nNO: ") >= 5
        assert " won. " in text
    reasons = [reason for text in texts.values() for reason in ("[XK-END-1]", "[XK-END-2]") if reason in text]
    assert set(reasons) == {"[XK-END-1]", "[XK-END-2]"}
    assert "tie-break" in texts["two-players"]
