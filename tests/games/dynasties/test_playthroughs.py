"""Golden playthroughs of Dynasties: a whole game in each way to play (see `playthrough_runner`)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import playthrough_runner
import pytest

TRANSCRIPTS = playthrough_runner.transcripts("dynasties")


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=[file.stem for file in TRANSCRIPTS])
def test_playthrough(file: Path, golden: Callable[[str, str], None]) -> None:
    golden(f"dynasties/{file.name}", playthrough_runner.replayed("dynasties", file.read_text(encoding="utf-8")))


def test_each_way_to_play_has_a_whole_game_with_refusals() -> None:
    texts = {file.stem: file.read_text(encoding="utf-8") for file in TRANSCRIPTS}
    assert {"basic", "expert", "warlords"} <= set(texts)
    for text in texts.values():
        assert text.count("\nNO: ") >= 5
        assert "[DY-WIN-" in text
