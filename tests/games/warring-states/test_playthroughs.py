"""Golden playthroughs of Warring States Period (see `playthrough_runner`)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import playthrough_runner
import pytest

TRANSCRIPTS = playthrough_runner.transcripts("warring-states")


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=[file.stem for file in TRANSCRIPTS])
def test_playthrough(file: Path, golden: Callable[[str, str], None]) -> None:
    text = file.read_text(encoding="utf-8")
    golden(f"warring-states/{file.name}", playthrough_runner.replayed("warring-states", text))


def test_there_is_a_whole_game_and_a_refusal_in_every_transcript() -> None:
    texts = [file.read_text(encoding="utf-8") for file in TRANSCRIPTS]
    assert len(texts) >= 4
    assert any("WS-WIN-1" in text for text in texts)
    assert all("\nNO: " in text for text in texts)
